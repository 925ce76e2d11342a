"""An updated catalog index equals a newly built one after any sequence of changes."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import example, given, settings
from hypothesis import strategies as st

from onrecord.types import Details, Recording, Scope
from onrecord.understand.catalog import CatalogIndex

WORDS = st.sampled_from(["Harbour", "Slow Signals 4: Tariffs", "Q3 call - Halden", "Talk 12", "AB12", ""])
PEOPLE = st.sampled_from(["Ann Lee", "LEE, Ann", "Bo Diaz", "Speaker 1", "Project Manager", "Host (CFO)"])
ATTRIBUTES = st.dictionaries(
    st.sampled_from(["episode", "company", "Company", "host", "season", "topic"]),
    st.sampled_from(["7", "Halden Cycles", "the harbour", "Ann Lee", "Bo Diaz; Ann Lee", "2024"]),
    max_size=3,
)
DETAILS = st.builds(
    Details,
    title=WORDS,
    date=st.sampled_from([None, "2024", "2024-03-05"]),
    language=st.sampled_from([None, "en", "fr-CA"]),
    people=st.lists(PEOPLE, max_size=2).map(tuple),
    link=st.sampled_from([None, "https://talks.example/7"]),
    attributes=ATTRIBUTES,
)
CHANGES = st.lists(
    st.tuples(st.integers(0, 30), st.one_of(st.none(), st.tuples(DETAILS, st.lists(PEOPLE, max_size=3)))),
    max_size=4,
)
WORLD = {
    f"talk-{number}": Recording(
        f"talk-{number}",
        "",
        "",
        "txt",
        Details(title=f"Talk {number}", date="2024", attributes={"host": "Ann Lee"}),
        2,
        speakers=("Ann Lee", "Speaker 1"),
    )
    for number in range(25)
}
INDEXES = ("whole_titles", "numbered", "title_words", "by_address", "_ids")
OTHERS = ("by_id", "articles", "voices", "holders", "languages", "people", "attributes")


TWO_HOSTS = Details("Harbour", people=("Ann Lee",), attributes={"host": "Bo Diaz; Ann Lee"})


@given(st.lists(CHANGES, min_size=1, max_size=4))
@example([[(0, (TWO_HOSTS, ["Bo Diaz"]))]])
@settings(deadline=None)
def test_an_index_that_follows_another_is_the_same_as_one_made_anew(rounds: list[list]) -> None:
    """After each round of changes, every mapping of the updated index equals that of a new index.

    Each round adds, replaces or removes up to four recordings.
    """
    recordings = dict(WORLD)
    index = _read(CatalogIndex(_in_order(recordings)))
    for changes in rounds:
        for number, change in changes:
            name = f"talk-{number}"
            recordings.pop(name, None)
            if change is not None:
                details, speakers = change
                recordings[name] = replace(
                    Recording(name, "", "", "txt", details, 2), speakers=tuple(dict.fromkeys(speakers))
                )
        following, anew = (CatalogIndex(_in_order(recordings)) for _ in range(2))
        following.follow(index)
        index = _read(following)
        for name in (*INDEXES, *OTHERS):
            assert getattr(index, name) == getattr(_read(anew), name), name
        for name in ("names", "nameless", "by_words", "name_parts"):
            assert getattr(index.people, name) == getattr(anew.people, name)
        for person in index.people.names.values():
            assert index.speaking(person) == {key for key, names in anew.voices.items() if person in names}


def _in_order(recordings: dict[str, Recording]) -> tuple[Recording, ...]:
    """Return the recordings by date, title and id; those without a date come last."""
    return tuple(sorted(recordings.values(), key=lambda r: (r.details.date or "9", r.title, r.id)))


def _read(index: CatalogIndex) -> CatalogIndex:
    """Compute every attribute of an index, and return the index."""
    for name in (*INDEXES, *OTHERS):
        getattr(index, name)
    index.speaking("Ann Lee")
    index.having("host", "Ann Lee")
    index.dated(Scope(since="2024"))
    return index
