"""The router: it plans a question, then runs one branch."""

from collections.abc import Collection
from datetime import date

import pytest
from worlds import tools_of

from onrecord.errors import MissingToolError, SettingError
from onrecord.retrieve import Branch, Keyword, Moments, Overview, Route, Search, Semantic, Tools
from onrecord.retrieve.stage import LOAD
from onrecord.stores.base import Snapshot
from onrecord.stores.memory import MemoryStore
from onrecord.types import Evidence, Plan, Question, Scope

TOOLS = tools_of({"one": ["freight costs rose", "yes"], "two": ["bread needs salt"]})
ROUTE = Route(
    (Branch("balanced", Search() >> Moments()), Branch("overview", Overview()), Branch("direct", Semantic(5)))
)


def test_the_plan_is_kept_and_has_a_step_of_its_own() -> None:
    evidence = ROUTE(Evidence(Question("what was said about freight costs?")), TOOLS)
    assert evidence.plan is not None and evidence.plan.strategy == "balanced"
    steps = [step for step in evidence.trace if step.stage != LOAD]  # a first plan has one
    assert [step.stage.partition("(")[0] for step in steps] == ["Route", "Search", "Moments"]
    assert steps[0].note == "factual -> balanced"
    assert evidence.moments[0].passages[0].text == "freight costs rose"


def test_a_question_without_a_subject_gets_an_overview() -> None:
    evidence = ROUTE(Evidence(Question("what is this about?")), TOOLS)
    assert evidence.trace[-1].stage.startswith("Overview")
    assert {moment.recording for moment in evidence.moments} == {"one", "two"}


def always(name: str) -> Tools:
    """Return tools with a planner that always chooses the same branch."""

    def planner(
        question: Question, reader: Snapshot, today: date, *, strategies: Collection[str] = ()
    ) -> Plan:
        return Plan("salt", scope=Scope(recordings=("two",)), strategy=name)

    return Tools(TOOLS.store, TOOLS.embedder, planner=planner)


def test_another_planner_may_take_the_role_and_its_question_is_asked() -> None:
    evidence = ROUTE(Evidence(Question("anything")), always("direct"))
    assert evidence.question == Question("salt", Scope(recordings=("two",)))
    assert [moment.recording for moment in evidence.moments] == ["two"]


def test_a_way_that_does_not_exist_is_not_taken() -> None:
    evidence = ROUTE(Evidence(Question("anything")), always("magic"))
    assert evidence.plan is not None and evidence.plan.strategy == "balanced"


def test_a_way_that_lacks_its_tools_is_not_taken() -> None:
    bare = Tools(TOOLS.store, planner=always("direct").planner)
    assert ROUTE(Evidence(Question("anything")), bare).trace[-1].stage.startswith("Moments")
    with pytest.raises(MissingToolError, match="embedder"):
        Route((Branch("direct", Semantic(5)),)).check(bare)


def test_an_empty_archive_is_borne() -> None:
    assert ROUTE(Evidence(Question("what is this about?")), Tools(MemoryStore())).moments == ()


def test_it_says_which_ways_it_knows() -> None:
    assert repr(ROUTE) == "Route(balanced, overview, direct)"
    with pytest.raises(SettingError, match="one or more"):
        Route(())
    with pytest.raises(SettingError, match="Branch"):
        Route((Keyword(5),))  # type: ignore[arg-type]
