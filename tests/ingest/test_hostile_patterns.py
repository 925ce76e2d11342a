"""No pattern that reads files, settings or what is added takes more than linear time, whatever they hold."""

import pytest

from hostile_patterns import PatternUse, patterns_of, slow

BOUNDS = {
    "onrecord.ingest.dates._IN_WORDS": 100,  # `iso_date` refuses longer texts, and matches them whole
    "onrecord.ingest.dates._IN_WORDS[1]": 100,
    "onrecord.ingest.dates._IN_WORDS[2]": 100,
    "onrecord.ingest.formats.labels._SENTENCE_END": 20,
    "onrecord.ingest.people._BRACKETED": 500,
}
"""How long a text some patterns ever see."""
MATCHED = {  # kept in a table, from which one after the other is matched
    "onrecord.ingest.formats.registry._UNREADABLE": "match",
    "onrecord.ingest.formats.markdown._TABLE_RULE": "fullmatch",
    "onrecord.ingest.dates._IN_WORDS": "fullmatch",
}


PATTERNS = [
    found for room in ("archive", "ingest", "settings") for found in patterns_of(f"onrecord.{room}", MATCHED)
]


@pytest.mark.parametrize("found", PATTERNS, ids=lambda found: found.place)
def test_patterns_take_linear_time(found: PatternUse) -> None:
    assert slow(found, BOUNDS) is None
