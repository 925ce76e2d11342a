"""Dates in questions of nine languages: what is read from them, and that what is none is left alone.

The suite is split by the parity of the row: rules are worked on with the odd rows, the even rows check that
they hold elsewhere."""

import os
import subprocess
import sys
from calendar import month_name
from datetime import date
from pathlib import Path

import pytest
from dateparser.languages.loader import default_loader
from hypothesis import given, settings
from hypothesis import strategies as st
from plan_world import TODAY, world

from onrecord.retrieve.plan import plan
from onrecord.retrieve.plan.asked import Asked, low
from onrecord.retrieve.plan.dates import dates
from onrecord.retrieve.plan.figures import figures
from onrecord.retrieve.plan.foreign import periods as foreign_periods
from onrecord.retrieve.plan.foreign_words import AROUND, may_name_a_day
from onrecord.retrieve.plan.language import question_language
from onrecord.types import Question

ROWS = [
    [cell.strip() for cell in line.split("|")]
    for line in (Path(__file__).parent / "dated.txt").read_text().splitlines()
    if not line.startswith("#")
]
RECORDED = ("1995-05-02", "2024-03-14", "2025-02-11")
MONTHS = [name.lower() for name in month_name if name]
LANGUAGES = (*AROUND, "en", "fr", "ja", "zh", "ko", "el")


def limits(text: str, language: str, today: date = TODAY, recorded: tuple[str, ...] = RECORDED) -> list[str]:
    found = dates(Asked.of(text), today, language, recorded)
    return [day.isoformat() if day else "" for day in (found.since, found.until)]


@pytest.mark.parametrize("half", [0, 1])
def test_dates_are_exactly_right_in_97_of_100_questions(half: int) -> None:
    rows = ROWS[half::2]
    wrong = [
        f"{text}\n  wanted {wanted}\n  read   {found}"
        for _, text, *wanted in rows
        if (found := limits(text, question_language(text))) != wanted
    ]
    assert 1 - len(wrong) / len(rows) >= 0.97, "\n".join(wrong)


def test_the_language_of_dated_questions_is_told() -> None:
    wrong = [text for language, text, *_ in ROWS if question_language(text) != language]
    assert len(wrong) <= len(ROWS) / 50, wrong


# ---------------------------------------------------------------- day or month first


@pytest.mark.parametrize(
    ("text", "language", "since", "until"),
    [
        ("said on 3/4/2024", "en", "2024-03-04", "2024-03-04"),
        ("dit le 3/4/2024", "fr", "2024-04-03", "2024-04-03"),
        ("gesagt am 3.4.2024", "de", "2024-04-03", "2024-04-03"),
        ("said on 3.4.2024", "en", "2024-04-03", "2024-04-03"),
        ("said on 13/4/2024 and 3/4/2024", "en", "2024-04-03", "2024-04-13"),
        ("said on 4/3/2024", "en", "2024-04-03", "2024-04-03"),
    ],
)
def test_what_stands_first_is_told_by_the_other_dates_then_by_the_language(
    text: str, language: str, since: str, until: str
) -> None:
    assert limits(text, language, recorded=()) == [since, until]


def test_the_day_on_which_something_was_recorded_is_taken_and_always_told() -> None:
    """The planner's world was recorded on 2024-10-03, not on 2024-03-10."""
    understood = plan(Question("What was said on 3/10/2024?"), world(), TODAY)
    assert [found.value for found in understood.filters] == ["2024-10-03", "2024-10-03"]
    assert any("2024-10-03" in note and "2024-03-10" in note for note in understood.notes)
    french = plan(Question("Qu'a-t-on dit le 3/10/2024 ?"), world(), TODAY)
    assert any("a été lu comme 2024-10-03" in note for note in french.notes)
    sure = plan(Question("What was said on 15/1/2025?"), world(), TODAY)
    assert [found.value for found in sure.filters] == ["2025-01-15", "2025-01-15"] and not sure.notes


def test_a_date_in_another_language_is_a_filter_and_no_longer_searched_for() -> None:
    understood = plan(Question("Was wurde im September 2023 über die Häfen gesagt?"), world(), TODAY)
    assert {(f.field, f.value) for f in understood.filters} == {
        ("since", "2023-09-01"),
        ("until", "2023-09-30"),
    }
    assert "2023" not in understood.text and understood.language == "de"


def test_the_first_word_of_a_spanish_question_names_nobody() -> None:
    understood = plan(Question("¿Qué dijo Kelly desde noviembre de 2024?"), world(), TODAY)
    assert understood.entities == ("Brendan Kelly",)
    assert [(f.field, f.value) for f in understood.filters] == [("since", "2024-11-01")]


def test_only_marks_are_taken_from_letters() -> None:
    assert low("Élan für Ção, Ёлка") == "elan fur cao, елка"
    assert low("김민준") == "김민준"


# ---------------------------------------------------------------- the clock, and any text


@pytest.mark.parametrize("today", [date(1999, 3, 1), date(2031, 12, 31)])
def test_the_clock_is_the_argument(today: date) -> None:
    for text, language in (("wurde gestern gesagt", "de"), ("said three weeks ago", "en")):
        before = dates(Asked.of(text), today, language).since
        assert before is not None and 0 < (today - before).days < 28


@pytest.mark.slow
@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Nowhere/Else"])
def test_the_zone_of_the_machine_does_not_matter(zone: str) -> None:
    code = (
        "from datetime import date; from onrecord.retrieve.plan.asked import Asked\n"
        "from onrecord.retrieve.plan.dates import dates\n"
        "print(dates(Asked.of('wurde gestern gesagt'), date(2025, 6, 18), 'de').since)"
    )
    environment = {**os.environ, "TZ": zone}
    made = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, env=environment
    )
    assert made.stdout.strip() == "2025-06-17", made.stderr


WORDS = st.sampled_from(
    "März mars marzo may mai марта lundi Montag vor seit hace dos ago 14 31 2024 99999 0 00 29 Februar "
    "último letzten Wochen semaines weeks of de el the , . / - 31/02/2024 0/0/0000 ２０２４ ١٤ \u200f \u202e "
    "年 月 日 year's '99 90s les années nineties Christmas fortnight before after 1e9 99999999999".split(" ")
)


@settings(max_examples=60, deadline=None)
@given(st.lists(WORDS, max_size=12).map(" ".join), st.sampled_from(LANGUAGES), st.dates(date(1960, 1, 1)))
def test_any_words_of_the_calendar_will_do(text: str, language: str, today: date) -> None:
    if today.year > 9900:  # no next year
        today = today.replace(year=9000, day=1)
    asked = Asked.of(text)
    for period in (*figures(asked.low, today, language), *foreign_periods(asked, today, language)):
        assert period.first <= period.last
        assert 0 <= period.begin < period.end <= len(asked.text)
    dates(asked, today, language, RECORDED)


@pytest.mark.parametrize("language", AROUND)
def test_no_date_is_without_what_hints_at_one(language: str) -> None:
    """Compared with dateparser's own words: months, units, and the days that have a word of their own."""
    info = default_loader.get_locale(language).info
    kinds = [kind for kind in info if kind in MONTHS or kind in ("year", "month", "week", "day")]
    said = [name for kind in kinds for name in info[kind]]
    assert len(kinds) == 16
    said += [*info["relative-type"]["1 day ago"], *info["relative-type"].get("2 day ago", ())]
    said += AROUND[language].months.split()
    assert not [name for name in said if len(name) > 2 and not may_name_a_day(low(name))]


def test_a_question_without_a_date_does_not_load_the_parser() -> None:
    code = (
        "import sys; from datetime import date; from onrecord.retrieve.plan.asked import Asked\n"
        "from onrecord.retrieve.plan.dates import dates\n"
        "dates(Asked.of('Warum ist die Miete seit 2023 so hoch?'), date(2025, 6, 18), 'de')\n"
        "dates(Asked.of('What was said on 3/4/2024 and last March?'), date(2025, 6, 18), 'en')\n"
        "print('dateparser' in sys.modules)"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert made.stdout.strip() == "False", made.stderr


def test_only_so_many_words_of_a_text_are_looked_at() -> None:
    """However long a text is: the last of these is behind what is read."""
    found = foreign_periods(Asked.of("März " * 300 + "gestern"), TODAY, "de")
    assert 0 < len(found) <= 24
    assert not [period for period in found if period.begin > 5 * 300]


def test_a_figure_of_any_length_is_no_day() -> None:
    assert not figures("9" * 5000 + "/12/2024 and 12/12/" + "9" * 5000, TODAY, "en")
