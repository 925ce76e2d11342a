"""A title in quotes among hundreds that are like it."""

from __future__ import annotations

from datetime import date

import pytest

from onrecord.retrieve.plan import plan
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Passage, Question, Recording

STORE = MemoryStore()
for number in range(1000, 1300):
    details = Details(f"Slow Signals {number}: Harbour report {number}")
    STORE.add(
        Recording(f"r{number}", "s", "c", "made up", details, 1), [Passage(f"r{number}", 0, "all is calm")]
    )
STORE.add(
    Recording("other", "s", "c", "made up", Details("Slow Signals 7: What the lighthouse keeper saw"), 1),
    [Passage("other", 0, "all is calm")],
)


@pytest.mark.parametrize(
    ("quoted", "found"),
    [
        ("Harbour report 1207", "r1207"),
        ("harbour reprot 1207", "r1207"),
        ("Harbor report 1207", "r1207"),
        ("Slow Signals 1207: Harbour report 1207", "r1207"),
        ("Slow Signals: What the lighthouse keper saw", "other"),
        ("Harbour report 12x7", None),
    ],
)
def test_the_one_that_is_meant_is_found_or_none(quoted: str, found: str | None) -> None:
    made = plan(Question(f'What was said in "{quoted}"?'), STORE, date(2025, 1, 1))
    assert [each.value for each in made.filters if each.field == "recording"] == ([found] if found else [])
