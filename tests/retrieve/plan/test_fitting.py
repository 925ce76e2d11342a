"""Recordings looked up by what a filter says are those that the filter lets through."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some

from onrecord.retrieve.plan.fitting import Fitting
from onrecord.stores.scope import in_scope, names_speaker
from onrecord.types import Details, Recording, Scope

NAMES = ("Ann Lee", "ann lee (Oakmoor)", "Bo Lee", "Zoé Ann", "Ann-Lee", "", "...")
VALUES = ("Tidal", "tidal", "Été", "ete", "")
DATES = (None, "2024", "2024-03", "2024-03-05", "2025-01-01")


def recording(
    number: int, speakers: list[str], date: str | None, language: str | None, value: str
) -> Recording:
    details = Details(f"Talk {number}", date, language, attributes={"Show": value})
    return Recording(f"r{number}", "s", "c", "made up", details, 1, 1, speakers=tuple(speakers))


told = some.tuples(
    some.lists(some.sampled_from(NAMES), max_size=3, unique=True),
    some.sampled_from(DATES),
    some.sampled_from((None, "en", "en-GB", "fr")),
    some.sampled_from(VALUES),
)
recordings = some.lists(told, max_size=6).map(lambda all_: [recording(n, *one) for n, one in enumerate(all_)])
scopes = some.builds(
    Scope,
    recordings=some.sampled_from(((), ("r1",), ("r0", "r2", "gone"))),
    since=some.sampled_from(DATES),
    until=some.sampled_from(DATES),
    languages=some.sampled_from(((), ("en",), ("en-gb", "fr"))),
    attributes=some.dictionaries(some.sampled_from(("show", "SHOW")), some.sampled_from(VALUES), max_size=1),
)


@given(recordings, some.lists(scopes, min_size=1, max_size=3))
def test_those_within_a_scope_are_those_of_which_in_scope_is_true(
    all_: list[Recording], asked: list[Scope]
) -> None:
    fitting = Fitting(tuple(all_))
    for scope in asked:
        assert fitting.within(scope) == {one.id for one in all_ if in_scope(one, scope)}


@given(recordings, some.sampled_from((*NAMES, "lee", "ANN", "zoe", "lee ann")))
def test_those_in_which_somebody_speaks_are_those_with_such_a_label(all_: list[Recording], name: str) -> None:
    found = {one.id for one in all_ if any(names_speaker(name, label) for label in one.speakers)}
    assert Fitting(tuple(all_)).speaking(name) == found
