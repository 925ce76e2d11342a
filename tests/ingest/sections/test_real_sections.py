"""Tests of sections on real calls, podcasts and meetings: the genre, and where the Q&A sections lie."""

import json
from pathlib import Path

import pytest

from onrecord.evaluate.datasets import Dataset, Unit, load
from onrecord.ingest.passages import Cutter
from onrecord.ingest.sections import make_sections
from onrecord.ingest.sections.genres import genre_of
from onrecord.types import Details, Passage, Transcript, Turn

DATA = Path(__file__).parents[4] / "shared" / "data"

pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(not DATA.is_dir(), reason=f"there is no {DATA}"),
]


def passages(name: str, units: list[Unit]) -> list[Passage]:
    """Return passages whose times, in seconds, are the numbers of their first units."""
    turns = tuple(Turn(" ".join(u.text.split()), u.speaker, float(i), i + 0.5) for i, u in enumerate(units))
    return Cutter().cut(Transcript(turns, "dataset"), name)[0]


def sorts(dataset: Dataset) -> list[str | None]:
    """Return the genre of each recording, or ``None`` if it is unclear."""
    genres = []
    for name, units in dataset.units.items():
        cut = passages(name, list(units))
        genre = genre_of([p.text for p in cut], Details(), [p.speaker for p in cut])
        genres.append(genre.name if genre else None)
    return genres


@pytest.mark.parametrize(
    ("folder", "sort", "least"), [("earnings21", "earnings", 0.9), ("changelog", "podcast", 0.5)]
)
def test_most_are_known_and_hardly_any_is_taken_for_another(folder: str, sort: str, least: float) -> None:
    """Check that most recordings get their genre and at most 2 % get a wrong one."""
    genres = sorts(load(DATA / folder))
    assert genres.count(sort) >= least * len(genres)
    assert len([other for other in genres if other not in (sort, None)]) <= len(genres) / 50


def test_analysts_ask_in_the_questions_and_their_exchanges_bear_their_names() -> None:
    """Check that analysts' questions lie in a Q&A section and in an exchange with the analyst's name."""
    asked = inside = named = 0
    dataset = load(DATA / "earnings21")
    asking: dict[str, list[str]] = {}
    for line in (DATA / "earnings21" / "queries.jsonl").read_text().splitlines():
        question = json.loads(line)
        asking.setdefault(question["recording_id"], []).extend(question.get("exclude") or [])
    for name, units in dataset.units.items():
        cut = passages(name, list(units))
        sections = make_sections(cut, (), None, Details(language="en"))[1]
        if not any(section.kind == "qa" for section in sections):
            continue
        for number, unit in enumerate(units):
            if unit.id not in asking.get(name, ()):
                continue
            at = max(p.position for p in cut if (p.start or 0) <= number)
            here = [s for s in sections if s.first <= at <= s.last]
            asked += 1
            inside += any(s.kind == "qa" for s in here)
            named += any(s.kind == "exchange" and (unit.speaker or "?") in s.title for s in here)
    assert asked > 100
    assert inside >= 0.98 * asked
    assert named >= 0.85 * asked
