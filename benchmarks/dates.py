"""Dates of the questions in tests/retrieve/plan/dated.txt: read by the planner, and by dateparser alone.

    python benchmarks/dates.py

Alone, dateparser searches the whole question in its language, and its period makes the stretch of days. A
limit on one side ("since March") it cannot know; those rows are told apart. Times are milliseconds of the
whole reading, the best of some; the first is that of a new process, with dateparser's own loading.
"""

from __future__ import annotations

import subprocess
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable
from datetime import date, datetime
from datetime import time as clock
from pathlib import Path

from onrecord.retrieve.plan.asked import Asked
from onrecord.retrieve.plan.dates import dates
from onrecord.retrieve.plan.language import question_language
from onrecord.retrieve.plan.stretches import containing

SUITE = Path(__file__).parent.parent / "tests" / "retrieve" / "plan" / "dated.txt"
TODAY = date(2025, 6, 18)
RECORDED = ("1995-05-02", "2024-03-14", "2025-02-11")
SETTINGS = {
    "RELATIVE_BASE": datetime.combine(TODAY, clock(12)),
    "PREFER_DATES_FROM": "past",
    "PREFER_DAY_OF_MONTH": "first",
    "TIMEZONE": "UTC",
}
Limits = list[str]


def planner(text: str, language: str) -> Limits:
    found = dates(Asked.of(text), TODAY, question_language(text), RECORDED)
    return [day.isoformat() if day else "" for day in (found.since, found.until)]


def dateparser_alone(text: str, language: str) -> Limits:
    from dateparser.search import search_dates

    found = search_dates(text, languages=[language], settings=SETTINGS, strategy="ngram", add_period=True)
    if not found:
        return ["", ""]
    units = ("day", "week", "month", "quarter", "year")
    days = [containing(day.date(), period if period in units else "day") for _, day, period in found]
    return [max(first for first, _ in days).isoformat(), min(last for _, last in days).isoformat()]


def kind(since: str, until: str) -> str:
    return "no date" if not since and not until else "stretch" if since and until else "one side"


def right(read: Callable[[str, str], Limits], rows: list[list[str]]) -> dict[tuple[str, str], str]:
    """How many of each kind come out exactly right, of how many."""
    hits: Counter[tuple[str, str]] = Counter()
    all_: Counter[tuple[str, str]] = Counter()
    for language, text, *wanted in rows:
        key = "en, fr" if language in ("en", "fr") else "others", kind(*wanted)
        all_[key] += 1
        hits[key] += read(text, language) == wanted
    return {key: f"{hits[key]} of {all_[key]}" for key in sorted(all_)}


FIRST = """
import time
from datetime import date
from onrecord.retrieve.plan.asked import Asked
from onrecord.retrieve.plan.dates import dates
began = time.perf_counter()
dates(Asked.of({text!r}), date(2025, 6, 18), {language!r})
print(1000 * (time.perf_counter() - began))
"""


def first(text: str, language: str) -> float:
    code = [sys.executable, "-c", FIRST.format(text=text, language=language)]
    return min(float(subprocess.run(code, check=True, capture_output=True).stdout) for _ in range(5))


def later(text: str, language: str) -> float:
    taken = []
    for _ in range(50):
        began = time.perf_counter()
        dates(Asked.of(text), TODAY, language)
        taken.append(1000 * (time.perf_counter() - began))
    return min(taken)


def main() -> None:
    warnings.simplefilter("ignore")
    lines = [line for line in SUITE.read_text().splitlines() if not line.startswith("#")]
    rows = [[cell.strip() for cell in line.split("|")] for line in lines]
    ours, alone = right(planner, rows), right(dateparser_alone, rows)
    print(f"{'':<22}{'planner':>12}{'dateparser':>14}")
    for key in ours:
        print(f"{key[0]:<10}{key[1]:<12}{ours[key]:>12}{alone[key]:>14}")
    print(f"\n{'milliseconds':<44}{'first':>8}{'later':>8}")
    for text, language in (
        ("Why did prices rise?", "en"),
        ("What was said in March 2024?", "en"),
        ("Warum ist die Miete so hoch?", "de"),
        ("Was wurde im März 2024 gesagt?", "de"),
        ("¿Qué se dijo el mes pasado?", "es"),
    ):
        print(f"{text:<44}{first(text, language):>8.1f}{later(text, language):>8.2f}")


if __name__ == "__main__":
    main()
