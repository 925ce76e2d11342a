"""Questions by a person who saw no code, with that person's names for kinds, about a separate archive.

The odd lines were read when examples were added and `SURE` was chosen. Of the even lines only the totals were
seen.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from plan_world import TODAY, Row, world

from onrecord.understand.catalog import catalog_of
from onrecord.understand.intents import PLAIN, SURE
from onrecord.understand.reading import Background

_GUESTS = ("Tomas Reyes", "Ines Falk", "Greta Ovens", "Lars Holm")
_TOPICS = ("Copper recycling", "Tide power", "Bees", "Slack water")
_TEAM = ("Ana Torres", "Bo Lindqvist", "Chidi Okafor")
ROWS: list[Row] = [
    *(
        (f"s{n}", f"Slow Signals {n}: {_TOPICS[n % 4]}", f"2023-{n:02}-10", "en",
         ("Mara Lind", _GUESTS[n % 4]), {"show": "Slow Signals", "episode": str(n)}, ())
        for n in range(1, 13)
    ),
    *(
        (f"h{year}{n}", f"Halden Q{n} {year} earnings call", f"{year}-{3 * n:02}-20", "en",
         ("Ruth Kelly", "Dev Raman"), {"company": "Halden", "quarter": f"Q{n}"}, ())
        for year in (2023, 2024) for n in (1, 2, 3, 4)
    ),
    *(
        (f"m{day}", f"Harbour project meeting {day}", day, "en", _TEAM, {"series": "Harbour project"}, ())
        for day in ("2025-03-10", "2025-03-12")
    ),
    ("talk", "La ville sans voitures", "2024-10-03", "fr", ("Claire Dumont",), {}, ()),
]  # fmt: skip
STORE = world(ROWS)

KINDS = {
    "about": "overview summary",
    "summary": "overview summary",
    "agreement": "agreement disagreement",
    "common_ground": "comparison agreement exploratory mentioned_in overview",
    "comparison": "comparison",
    "count": "count",
    "decisions": "decision",
    "full": "full",
    "guests": "roles speakers companions",
    "how_long": "length",
    "language": "values",
    "latest": "latest",
    "link": "search exploratory mentioned_in title appearances",
    "list": "list appearances",
    "oldest": "oldest",
    "questions_open": "open",
    "risks": "risk",
    "share_of_talk": "talkative",
    "tasks": "task promise",
    "when_recorded": "when",
    "where_mentioned": "mentioned_in exploratory section",
    "who_said": "search exploratory mentioned_in first_said",
    "who_speaks": "speakers roles",
}
"""The kinds that are right for each name in the suites; other names, such as "how_to", are plain searches."""


def outcomes(language: str, half: str) -> Iterator[tuple[str, str]]:
    """Yield, for each question, whether a kind or a plain search was requested, and how it was read."""
    background = Background(catalog_of(STORE), STORE, TODAY)
    lines = (Path(__file__).parent / f"unseen_{language}.txt").read_text().splitlines()
    for line in lines[half == "even" :: 2]:
        name, _, text = line.partition("\t")
        expected = KINDS.get(name, "search").split()
        guess = background.read(text).guess
        plain = guess.likeness < SURE or guess.kind in (*PLAIN, "followup")
        kind = "search" if plain else guess.kind
        outcome = "right" if kind in expected else "search" if plain else "wrong"
        yield "search" if "search" in expected else "kind", outcome


@pytest.mark.parametrize(("language", "least"), [("en", 0.45), ("fr", 0.45), ("other", 0.0)])
def test_unseen_questions_are_understood_or_searched(language: str, least: float) -> None:
    """Enough questions are read as a right kind, and few as a wrong kind.

    At least 90 % of the plain searches are searched for.
    """
    counts = Counter(outcomes(language, "even"))
    of_kinds = sum(count for (asked, _), count in counts.items() if asked == "kind")
    searches = sum(count for (asked, _), count in counts.items() if asked == "search")
    assert counts["kind", "right"] >= least * of_kinds, counts
    assert counts["kind", "wrong"] <= 0.06 * of_kinds, counts
    assert counts["search", "right"] >= 0.9 * searches, counts


if __name__ == "__main__":
    for language in ("en", "fr", "other"):
        for half in ("odd", "even"):
            print(language, half, dict(sorted(Counter(outcomes(language, half)).items())))
