"""The library, the command line and the server give the same plans, evidence and answers.

Codes such as A8 name rows of docs/spec.md.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from time import sleep
from typing import Any, Protocol

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from onrecord.answer.render import grade_json, plan_json, to_json
from onrecord.archive import Archive
from onrecord.serve.cli import main
from onrecord.stores import caches
from onrecord.types import Exchange, QuestionHints, Scope
from server_world import World

Reply = dict[str, Any]


class Door(Protocol):
    """One of the three interfaces to an archive.

    `scope` holds fields of `Scope` and `before` holds earlier questions. `meaning` passes `hints` to the
    operation that `what` names: "plan", "ask" or "search".
    """

    def meaning(self, what: str, question: str, hints: QuestionHints) -> Reply: ...

    def plan(self, question: str, before: Sequence[str] = (), **scope: str) -> Reply: ...
    def ask(
        self, question: str, strategy: str = "auto", before: Sequence[str] = (), **scope: str
    ) -> Reply: ...
    def search(self, words: str, strategy: str, before: Sequence[str] = ()) -> Reply: ...


class Library:
    """The Python library, whose results are converted to the JSON of the other interfaces."""

    def __init__(self, archive: Archive) -> None:
        self.archive = archive

    def meaning(self, what: str, question: str, hints: QuestionHints) -> Reply:
        if what == "ask":
            return to_json(self.archive.ask(question, hints=hints))
        if what == "plan":
            return plan_json(self.archive.plan(question, hints=hints))
        retrieved = self.archive.search(question, "direct", hints=hints)
        return {"plan": plan_json(retrieved.plan) if retrieved.plan else None}

    def plan(self, question: str, before: Sequence[str] = (), **scope: str) -> Reply:
        return plan_json(self.archive.plan(question, scope=_scope(scope), history=[*map(Exchange, before)]))

    def ask(self, question: str, strategy: str = "auto", before: Sequence[str] = (), **scope: str) -> Reply:
        return to_json(
            self.archive.ask(question, strategy, scope=_scope(scope), history=[*map(Exchange, before)])
        )

    def search(self, words: str, strategy: str, before: Sequence[str] = ()) -> Reply:
        evidence = self.archive.search(words, strategy, history=[*map(Exchange, before)])
        moments = [
            {"recording": m.recording, "passages": [{"position": p.position} for p in m.passages]}
            for m in evidence.moments
        ]
        plan = plan_json(evidence.plan) if evidence.plan else None
        return {"moments": moments, "grade": grade_json(evidence), "plan": plan}


class CommandLine:
    """The `onrecord` command, called with `--json`."""

    def __init__(self, world: World) -> None:
        self.place = ["--archive", str(world.folder / "talks.db"), "--workspace", "one", "--json"]
        results = world.opened["one"].settings.cache.results
        self.environment = {"ONRECORD_EMBEDDING__MODEL": "hashing", "ONRECORD_CACHE__RESULTS": str(results)}

    def meaning(self, what: str, question: str, hints: QuestionHints) -> Reply:
        given = [("--intent", hints.intent), ("--asked-in", hints.language)]
        given += [("--about", name) for name in hints.entities]
        given += [("--sub-question", query) for query in hints.queries]
        options = [word for name, value in given if value for word in (name, value)]
        return self._run(what, question, *options, *(("--strategy", "direct") if what == "search" else ()))

    def plan(self, question: str, before: Sequence[str] = (), **scope: str) -> Reply:
        return self._run("plan", question, *_after(before), *_options(scope))

    def ask(self, question: str, strategy: str = "auto", before: Sequence[str] = (), **scope: str) -> Reply:
        return self._run("ask", question, "--strategy", strategy, *_after(before), *_options(scope))

    def search(self, words: str, strategy: str, before: Sequence[str] = ()) -> Reply:
        return self._run("search", words, "--strategy", strategy, "--limit", "100", *_after(before))

    def _run(self, *words: str) -> Reply:
        result = CliRunner(env=self.environment).invoke(main, [*words, *self.place], catch_exceptions=False)
        reply: Reply = json.loads(result.stdout)
        return reply


class Server:
    """The HTTP server, called through its JSON routes."""

    def __init__(self, world: World) -> None:
        self.client = TestClient(world.app())

    def meaning(self, what: str, question: str, hints: QuestionHints) -> Reply:
        if what == "search":
            return self._post(what, words=question, strategy="direct", hints=asdict(hints))
        return self._post(what, question=question, hints=asdict(hints))

    def plan(self, question: str, before: Sequence[str] = (), **scope: str) -> Reply:
        return self._post("plan", question=question, history=_history(before), scope=_fields(scope))

    def ask(self, question: str, strategy: str = "auto", before: Sequence[str] = (), **scope: str) -> Reply:
        asked = {"question": question, "history": _history(before), "scope": _fields(scope)}
        return self._post("ask", strategy=strategy, **asked)

    def search(self, words: str, strategy: str, before: Sequence[str] = ()) -> Reply:
        return self._post("search", words=words, strategy=strategy, limit=100, history=_history(before))

    def _post(self, what: str, **body: Any) -> Reply:
        reply = self.client.post(f"/api/{what}", json={**body, "workspace": "one"})
        assert reply.status_code == 200, reply.text
        value: Reply = reply.json()
        return value


def _scope(fields: dict[str, str]) -> Scope:
    return Scope(**{name: (value,) for name, value in fields.items()})  # type: ignore[arg-type]


def _fields(fields: dict[str, str]) -> dict[str, list[str]]:
    return {name: [value] for name, value in fields.items()}


def _options(fields: dict[str, str]) -> list[str]:
    """Return the command-line options for the fields of a scope."""
    return [word for name, value in fields.items() for word in (f"--{name.removesuffix('s')}", value)]


def _after(before: Sequence[str]) -> list[str]:
    """Return the `--after` options for earlier questions."""
    return [word for question in before for word in ("--after", question)]


def _history(before: Sequence[str]) -> list[dict[str, str]]:
    return [{"question": question} for question in before]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Return archives without a result cache, so that every interface runs its own search."""
    return World(tmp_path_factory.mktemp("doors"), cache={"results": 0})


DOORS: dict[str, Callable[[World], Door]] = {
    "library": lambda world: Library(world.open("one")),
    "command line": CommandLine,
    "server": Server,
}


@pytest.fixture(params=DOORS)
def door(request: pytest.FixtureRequest, world: World) -> Door:
    return DOORS[request.param](world)


def filters(plan: Reply) -> dict[str, str]:
    """Return the values of the filters of a plan by their fields."""
    return {filter_["field"]: filter_["value"] for filter_ in plan["filters"]}


def stages(reply: Reply) -> list[str]:
    """Return the names of the stages of a reply, without their parameters."""
    return [step["stage"].partition("(")[0] for step in reply["trace"]]


# ---------------------------------------------------------------- query understanding


def test_filters_are_read(door: Door) -> None:
    """Rows A8, B1, D1, E1: a plan has the filters that the question names.

    The filters are speaker, dates, recording (by number and title), language and attributes, in two
    languages.
    """
    assert filters(door.plan("what did Kelly say about tariffs in November 2024?")) == {
        "speaker": "Brendan Kelly",
        "since": "2024-11-01",
        "until": "2024-11-30",
    }
    assert filters(door.plan("summarize episode 42"))["recording"].startswith("night-desk-42")
    assert filters(door.plan("What was said about rents on The Night Desk?")) == {"show": "The Night Desk"}
    plan = door.plan("Que dit Léa Fontaine de la chaleur ?")
    assert filters(plan) == {"speaker": "Léa Fontaine"} and plan["language"] == "fr"
    loose = door.plan("what did Kelly say about tariffs in 2019?")
    assert filters(loose) == {"speaker": "Brendan Kelly"} and "in 2019" in loose["notes"][0]


def test_misspelt_words_are_read_as_what_was_meant(door: Door) -> None:
    """Row A9: plans, answers and searches correct a misspelled word and report it in a note."""
    message = '"tarfifs" is never said: searched for "tariffs" instead.'
    plan = door.plan("what did Kelly say abuot tarfifs?")
    assert plan["text"] == "what did Kelly say about tariffs?" and plan["notes"] == [message]
    reply = door.ask("what did Kelly say abuot tarfifs?")
    assert reply["verdict"] == "answered" and reply["question"] == "what did Kelly say abuot tarfifs?"
    assert reply["notes"][0] == message and "tariff" in reply["text"]
    moments, hints = (door.search(words, "auto")["moments"] for words in ("the tarfifs", "the tariffs"))
    assert moments == hints


def test_types_take_their_way(door: Door) -> None:
    """Rows B1, E2: the type of a question selects the strategy.

    A comparison is split into one query for each side.
    """
    for question, intent, strategy in (
        ("How many workshops are there?", "factual", "factual"),
        ("Why did margins fall?", "causal", "balanced"),
        ("Compare Kelly and Priya on tariffs", "comparison", "comparison"),
        ("Which recordings mention rents?", "exploratory", "exploratory"),
        ("What is this about?", "summary", "overview"),
        ("Which sections talk about freight?", "exploratory", "section"),
        ("Give me the full transcript of episode 42", "summary", "full"),
    ):
        plan = door.plan(question)
        assert (plan["intent"], plan["strategy"]) == (intent, strategy), question
    plan = door.plan("Compare Kelly and Priya on tariffs")
    assert len(plan["queries"]) == 2 and plan["complexity"] == "complex"
    assert plan["relations"] == [["Brendan Kelly", "differs from", "Priya Raman"]]


def test_a_follow_up_and_an_option(door: Door) -> None:
    """Row A13: a follow-up uses the earlier question; an explicit scope overrides a filter from the text."""
    before = ["What does Priya Raman say about mortgages?"]
    plan = door.plan("And what does she say about tariffs?", before)
    assert filters(plan) == {"speaker": "Priya Raman"}
    reply = door.ask("And what does she say about tariffs?", before=before)
    assert {citation["speaker"] for citation in reply["citations"]} <= {"Priya Raman"}
    assert filters(door.plan("What did Kelly say about tariffs?", speakers="Priya Raman")) == {}


def test_what_a_question_means_can_be_said(door: Door) -> None:
    """Row B1: hints for the type, language, names and sub-questions replace what the planner reads."""
    question = "What did Kelly say about tariffs?"
    hints = QuestionHints("Causal", "French", ("freight", "tariffs"))
    for what in ("plan", "ask", "search"):
        reply = door.meaning(what, question, hints)
        plan = reply if what == "plan" else reply["plan"]
        assert (plan["intent"], plan["language"]) == ("causal", "fr"), what
        assert plan["entities"] == ["freight", "tariffs"] and filters(plan) == {"speaker": "Brendan Kelly"}
        assert plan["strategy"] == ("direct" if what == "search" else "balanced")
    assert door.ask(question)["heading"] == "The Night Desk 41: An expensive spring may answer this."
    assert "en parle" in door.meaning("ask", question, hints)["heading"]
    assert door.meaning("plan", question, QuestionHints("summary"))["strategy"] == "summary"


def test_the_questions_to_ask_can_be_said(door: Door) -> None:
    """Sub-questions given as hints are answered one by one, or are the sides of a comparison."""
    queries = ("What did Kelly say about tariffs?", "And Priya?")
    plan = door.meaning("plan", "Who said what?", QuestionHints(queries=queries))
    assert plan["queries"] == list(queries) and len(plan["parts"]) == 2
    assert filters(plan["parts"][1]) == {"speaker": "Priya Raman"} and "tariffs" in plan["parts"][1]["text"]
    reply = door.meaning("ask", "Who said what?", QuestionHints(queries=queries))
    assert {c["speaker"] for c in reply["citations"]} == {"Brendan Kelly", "Priya Raman"}
    assert all(query in reply["text"].splitlines() for query in queries)
    sides = door.meaning("plan", "Who said what?", QuestionHints("comparison", queries=queries))
    assert (sides["strategy"], sides["queries"], sides["parts"]) == ("comparison", list(queries), [])


def test_a_search_is_understood_after_what_was_asked(door: Door) -> None:
    """A search with earlier questions is planned as a follow-up; without them, `direct` makes no plan."""
    before = ["What does Priya Raman say about tariffs?"]
    for strategy in ("auto", "direct"):
        plan = door.search("And Kelly?", strategy, before)["plan"]
        assert "tariffs" in plan["text"] and filters(plan) == {"speaker": "Brendan Kelly"}
    assert door.search("And Kelly?", "direct")["plan"] is None  # without history, `direct` makes no plan


def test_a_greeting_gets_a_word_back_and_no_search(door: Door) -> None:
    """A greeting or thanks gets a reply without a search and does not change the topic of a follow-up."""
    for greeting, expected in (("hello", "Hello. Ask about"), ("Merci !", "Avec plaisir. Demandez")):
        reply = door.ask(greeting)
        assert reply["heading"].startswith(expected)
        assert (reply["verdict"], reply["citations"], reply["trace"]) == ("nothing_found", [], [])
    before = ["What does Priya Raman say about tariffs?", "thanks"]
    assert filters(door.plan("And what does she say about rents?", before)) == {"speaker": "Priya Raman"}


# ---------------------------------------------------------------- limits on the evidence


def test_each_way_finds_as_much_as_it_may(door: Door) -> None:
    """Rows A3, A5, B2, B3: each strategy returns at most its limit of moments, grouped by recording."""
    words = "why did freight costs and tariffs rise"
    for strategy, most in (("direct", 10), ("factual", 5), ("summary", 15), ("exploratory", 10)):
        moments = door.search(words, strategy)["moments"]
        assert 3 <= len(moments) <= most, strategy
    recordings = [_id(moment) for moment in door.search(words, "direct")["moments"]]
    runs = [name for at, name in enumerate(recordings) if at == 0 or recordings[at - 1] != name]
    assert len(runs) == len(set(runs)) > 1
    sides = door.ask("Compare Kelly and Ingrid Halden on batteries", "comparison")["trace"]
    assert sum(step["stage"].startswith("Diverse(diversity=0.4, most=5)") for step in sides) == 2


def _id(moment: Reply) -> str:
    """Return the id of the recording of a moment."""
    recording = moment["recording"]
    return recording["id"] if isinstance(recording, dict) else recording


def test_a_fact_gets_three_passages_and_a_summary_fifty(door: Door) -> None:
    """Row A9: the limit on passages depends on the type of the question."""
    for question, limit in (("What did freight cost?", 3), ("Summarize the talk about freight", 50)):
        trace = door.ask(question, "direct")["trace"]
        note = next(step["note"] for step in trace if step["stage"].startswith("Limits"))
        assert note.endswith(f": {limit} passages at most"), question


def test_what_was_found_is_judged_and_looked_for_again(door: Door) -> None:
    """Rows D3, D4, D5: `thorough` grades the evidence and searches again for what is missing.

    The grade has the quality, the coverage of each entity, the relevance of each moment, and the gaps
    with their cause.
    """
    reply = door.ask("How do freight costs hurt Ingrid Haldane and Zebulon Quist?", "thorough")
    grade = reply["grade"]
    assert 0 <= grade["quality"] <= 1 and grade["coverage"]["Zebulon Quist"] < 0.5
    assert "Zebulon Quist" in grade["gaps"]
    assert (grade["cause"], grade["retry"]) == ("entity not found", True)
    assert grade["relevance"] and all(0 <= share <= 1 for share in grade["relevance"])
    assert {"Iterate", "Correct"} <= {stage.partition(",")[0] for stage in stages(reply)}
    notes = [step["note"] for step in reply["trace"] if step["stage"].startswith("Correct, round 1")]
    assert notes and "entity not found" in notes[0]
    assert door.search("freight", "thorough")["grade"]["cause"] in ("", "low relevance")
    assert door.ask("Why did freight rise?", "balanced")["grade"] is None


def test_earnings_calls_take_six_stages(door: Door) -> None:
    """Row E3: the six stages run in their order, and no passage is returned twice."""
    stage_names = stages(door.ask("Why did margins fall?", "earnings"))
    expected = ["Semantic", "DropIrrelevant", "Important", "Neighbours", "ReadingOrder", "FillGaps"]
    assert [stage for stage in stage_names if stage in expected] == expected
    moments = door.search("why did margins fall", "earnings")["moments"]
    places = [(_id(moment), p["position"]) for moment in moments for p in moment["passages"]]
    assert len(places) == len(set(places)) > 0


# ---------------------------------------------------------------- fields of an answer


def test_a_reply_says_where_it_stands(door: Door) -> None:
    """Rows E4, E5, E7: an answer has a text, a confidence, its sections and its tokens.

    A section below another is written as "primary > secondary".
    """
    for strategy in ("section", "full"):
        reply = door.ask("What was said about freight in the questions?", strategy)
        assert reply["text"] and 0 <= reply["confidence"] <= 1 and reply["tokens"] > 0
        assert reply["sections"] and any(" > " in section for section in reply["sections"])
        assert {c["section"] for c in reply["citations"]} <= {*reply["sections"], None}


def test_weak_evidence_is_distinguished(door: Door) -> None:
    """Row B10: the verdict tells no evidence from evidence of low relevance, which is shown."""
    nothing = door.ask("Zyxwvut qwertz?")
    assert nothing["verdict"] == "nothing_found" and nothing["citations"] == []
    low = door.ask("Did anybody at Halden Cycles discuss the chess championship of the mountain villages?")
    assert low["verdict"] in ("low_relevance", "nothing_found") and low["confidence"] < 0.5


def test_what_is_said_everywhere_is_reported_once(tmp_path: Path) -> None:
    """Row B10: the verdict is `low_diversity` when all passages say the same."""
    world = World(tmp_path, cache={"results": 0})
    for number in range(4):
        kettle = "This programme is brought to you by Copper Kettle, the slow tea for people in a hurry."
        host = f"Welcome to part {number} of our series, where we look at one odd thing at a time."
        (tmp_path / f"kettle-{number}.txt").write_text(f"Host: {kettle}\n\nGuest: {host}\n")
        world.open("one").add(tmp_path / f"kettle-{number}.txt")
    for name, make in DOORS.items():
        reply = make(world).ask("Who brings you Copper Kettle tea?")
        assert reply["verdict"] == "low_diversity", name
        assert len({citation["recording"]["id"] for citation in reply["citations"]}) == 4


def test_times_and_the_plan_are_reported(door: Door) -> None:
    """An answer includes its plan and how long the search and the whole request took."""
    reply = door.ask("How many workshops are there?")
    assert reply["plan"]["strategy"] == "factual" and {"search", "total"} <= set(reply["seconds"])


def _seconds(value: Any, name: str = "") -> Iterator[float]:
    """Yield every timestamp and duration in a JSON value, at any depth."""
    if isinstance(value, dict):
        for key, inside in value.items():
            yield from _seconds(inside, name if name == "seconds" else key)
    elif isinstance(value, list):
        for inside in value:
            yield from _seconds(inside, name)
    elif name in ("start", "end", "seconds") and isinstance(value, float):
        yield value


def test_seconds_are_shown_in_few_digits(tmp_path: Path) -> None:
    """Seconds are rounded: timestamps to a millisecond, durations to a hundredth of a millisecond.

    The sources may give more digits.
    """
    world = World(tmp_path)
    sentence = "The lighthouse of Brannock was painted yellow in spring."
    segment = {"start": 12.340000000001, "end": 15.660000000002, "text": sentence}
    (tmp_path / "odd.json").write_text(
        json.dumps({"text": sentence, "segments": [segment], "language": "en"})
    )
    world.open("one").add(tmp_path / "odd.json")
    line, server = CommandLine(world), Server(world)
    replies = [make(world).ask("Who painted the lighthouse of Brannock?") for make in DOORS.values()]
    assert all(reply["citations"][0]["start"] == 12.34 for reply in replies)
    replies += [door.search("lighthouse of Brannock", "direct") for door in (line, server)]
    replies += [line._run(*words) for words in (("show", "odd"), ("list",), ("stats",))]
    replies += [server.client.get(f"/api/{path}").json() for path in ("recordings", "stats")]
    replies.append(server.client.get("/api/recordings/odd/transcript").json())
    seconds_shown = [seconds for reply in replies for seconds in _seconds(reply)]
    assert 15.66 in seconds_shown and len(seconds_shown) > 50
    assert [seconds for seconds in seconds_shown if round(seconds, 5) != seconds] == []


def test_all_doors_answer_alike(world: World) -> None:
    """All interfaces return the same text, verdict, citations, plan, sections, tokens and grade."""
    for question in ("Why did margins fall?", "How many workshops are there?", "Compare Kelly and Priya"):
        replies = [make(world).ask(question) for make in DOORS.values()]
        for field in ("text", "verdict", "citations", "plan", "sections", "tokens", "grade"):
            assert all(reply[field] == replies[0][field] for reply in replies), (question, field)


def test_a_question_asked_again_is_remembered_until_a_write(tmp_path: Path) -> None:
    """Row A11: all interfaces share the cache of results, and a write to the archive empties it."""
    world = World(tmp_path)
    doors = [make(world) for make in DOORS.values()]
    question = "What does the council say about the ice machine and its noise?"
    assert "Remembered" not in stages(doors[0].ask(question))
    sleep(2 * caches.SECONDS)  # cached values are written by a timer in another thread
    assert [type(door).__name__ for door in doors if "Remembered" not in stages(door.ask(question))] == []
    (tmp_path / "new.txt").write_text("Zoe: Nobody asked me about the ice.\n")
    world.open("one").add(tmp_path / "new.txt")
    assert "Remembered" not in stages(doors[1].ask(question))
