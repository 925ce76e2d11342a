"""Tests of the reader of Markdown transcripts."""

import re
from time import process_time

import pytest
from reading_texts import read_text, spoken_turns, times

from onrecord.ingest.formats.lines import BOLD, END, LINK, UNLINK
from onrecord.ingest.formats.markdown import inline
from onrecord.types import Section, Transcript


def md(text: str) -> Transcript:
    return read_text(text, "markdown", "talk.md")


def test_bold_labels_open_turns() -> None:
    transcript = md("**Ann Lee:** Good morning.\n\nHow are you?\n\n**Bo**: Well.\n\n__Ann Lee:__ Good.\n")
    assert spoken_turns(transcript) == [
        ("Ann Lee", "Good morning. How are you?"),
        ("Bo", "Well."),
        ("Ann Lee", "Good."),
    ]


def test_numbers_before_labels_within_bold_type() -> None:
    pairs = [f"**{i}. Q: Who paid for boat {i}?**\n\nA: The mill paid for boat {i}.\n" for i in range(1, 6)]
    turns = spoken_turns(md("\n".join(pairs)))
    assert turns[:2] == [("Q", "Who paid for boat 1?"), ("A", "The mill paid for boat 1.")]
    assert {speaker for speaker, _ in turns} == {"Q", "A"}


def test_bold_terms_within_the_turns_of_two_people() -> None:
    talk = [
        f"**{'Sofia' if i % 2 else 'Mateo'}:** Sentence number {i} about the bread we bake.\n"
        for i in range(12)
    ]
    talk[4:5] = [talk[4], "**Flour:** That one comes from the old mill by the river.\n"]
    transcript = md("\n".join(talk))
    assert {turn.speaker for turn in transcript.turns} <= {"Sofia", "Mateo", None}
    assert any("'Flour'" in warning for warning in transcript.warnings)


def test_a_third_person_who_asks_two_people() -> None:
    talk = [
        f"**{'Sofia' if i % 2 else 'Mateo'}:** Sentence number {i} about the bread we bake.\n"
        for i in range(12)
    ]
    talk[4:5] = [talk[4], "**Chidi:** Does that one come from the old mill?\n"]
    assert ("Chidi", "Does that one come from the old mill?") in spoken_turns(md("\n".join(talk)))


SAID = [
    "The roof leaks again.",
    "We asked the mill for timber.",
    "The heating ran all night.",
    "Nobody came to paint the door.",
]


@pytest.mark.parametrize(
    "fields",
    [
        ("**Good:** {}", "**Bad:** {}", "**Ideas:** {}"),
        ("TOP {n}: Dach", "{}", "Beschluss: {}", "Verantwortlich: Max Huber"),
        ("- Added: {}", "- Fixed: {}", "- Removed: {}"),
        ("Yesterday: {}", "Today: {}", "Blockers: {}"),
    ],
)
def test_the_fields_of_a_form_are_nobody(fields: tuple[str, ...]) -> None:
    blocks = ["\n\n".join(fields).format(*[said] * 4, n=n) for n, said in enumerate(SAID, 1)]
    assert {turn.speaker for turn in md("\n\n".join(blocks)).turns} == {None}


def test_people_who_answer_the_same_questions_in_the_same_order() -> None:
    blocks = [
        f"## What about point {n}?\n\n**Smith:** {said}\n\n**Jones:** {said}\n\n**Lee:** {said}"
        for n, said in enumerate(SAID, 1)
    ]
    assert {turn.speaker for turn in md("\n\n".join(blocks)).turns} == {"Smith", "Jones", "Lee"}


def test_a_list_of_terms_is_nobody() -> None:
    terms = ["Bread", "Cheese", "Milk", "Honey", "Salt", "Rice"]
    transcript = md("\n\n".join(f"**{term}:** It comes from farm {n}." for n, term in enumerate(terms)))
    assert {turn.speaker for turn in transcript.turns} == {None}
    assert "'Bread'" in transcript.warnings[-1]


def test_labels_on_lines_of_their_own_even_once() -> None:
    transcript = md("**Ann Lee:**\n\nGood morning.\n\n**Slim Person:**\n\nHello.\n\n**Ann Lee:**\n\nSo.\n")
    assert spoken_turns(transcript) == [
        ("Ann Lee", "Good morning."),
        ("Slim Person", "Hello."),
        ("Ann Lee", "So."),
    ]


@pytest.mark.parametrize(
    "line",
    [
        r"**Ann:** \[00:31\] Hello.",
        "**Ann:** [00:31] Hello.",
        "**Ann** (00:31): Hello.",
        "**Ann (00:31):** Hello.",
        "**[00:31] Ann:** Hello.",
        "[00:31] **Ann:** Hello.",
        "(0:31) **Ann:** Hello.",
        "- **Ann:** [00:31] Hello.",
        "> **Ann:** [00:31] Hello.",
        "**Ann** 0:31\nHello.",
        "[0:31](https://x.test/?t=31) **Ann:** Hello.",
        "**Ann:** [00:31](https://x.test/?t=31) Hello.",
    ],
)
def test_labels_with_times(line: str) -> None:
    transcript = md(f"{line}\n\n**Bo** 0:40\n\nHi.\n")
    assert spoken_turns(transcript)[0] == ("Ann", "Hello.")
    assert times(transcript)[0] == (31.0, 40.0)


def test_marks_of_markdown_go_and_words_stay() -> None:
    transcript = md(
        "**Ann:** It is *so* good, **very** good \\[laughter\\] and ~~not~~ `a_b` [a "
        "link](https://x.test/y_(z)) "
        "![a picture](p.png)[^1] snake_case 2 * 3 <https://x.test> <br/>A&amp;B\\*\n"
    )
    assert spoken_turns(transcript) == [
        ("Ann", "It is so good, very good [laughter] and not a_b a link snake_case 2 * 3 https://x.test A&B*")
    ]


def test_what_is_no_talk_is_left_out() -> None:
    transcript = md(
        '<!-- a comment\nover lines -->\n**Ann:** One.\n\n---\n\n***\n\n[1]: https://x.test/ "title"\n\n'
        "```\ncode_of_it\n```\n\n| Two | three |\n|---|---|\n| four | five |\n"
    )
    below = [(None, "code_of_it"), (None, "Two three"), (None, "four five")]  # the rule ends Ann's turn
    assert spoken_turns(transcript) == [("Ann", "One."), *below]


def test_headings_are_sections_and_the_first_one_the_title() -> None:
    transcript = md(
        "# Night talk\n\n## Opening\n\n**Ann:** [0:10] Hello.\n\n### Weather\n\n**Bo:** [0:20] Rain.\n\n"
        "It rains.\n\nQuestions\n=========\n\n**Ann:** [0:50] Why?\n\n## Empty\n"
    )
    assert transcript.details.title is None
    assert transcript.sections == (
        Section("Night talk", 10.0, 50.0, 0, 1),
        Section("Opening", 10.0, 50.0, 0, 1),
        Section("Weather", 20.0, 50.0, 1, 1),
        Section("Questions", 50.0, None, 2, 2),
    )
    transcript = md(
        "# Night talk\n\n## Opening\n\n**Ann:** Hello.\n\n## [0:30] End\n\nBye.\n\n**Bo:** [0:40] Bye.\n"
    )
    assert transcript.details.title == "Night talk"
    assert [section.title for section in transcript.sections] == ["Opening", "End"]
    assert spoken_turns(transcript) == [("Ann", "Hello."), (None, "Bye."), ("Bo", "Bye.")]
    assert times(transcript) == [(None, None), (30.0, 40.0), (40.0, None)]


def test_headings_that_are_names_and_come_back_are_speakers() -> None:
    transcript = md(
        "## Ann Lee\n\nHello.\n\n## Bo (00:12)\n\nHi.\n\n## Ann Lee\n\nSo.\n\n## Bo (01:12)\n\nBye.\n"
    )
    assert spoken_turns(transcript) == [
        ("Ann Lee", "Hello."),
        ("Bo", "Hi."),
        ("Ann Lee", "So."),
        ("Bo", "Bye."),
    ]
    assert transcript.sections == ()


def test_speakers_of_an_earnings_call() -> None:
    transcript = md(
        "## Prepared Remarks:\n\n**Operator**\n\nGood day.\n\n**Ann Lee** -- *Chief Executive "
        "Officer*\n\nThanks.\n\n"
        "**Bo Dea** -- *Some Bank -- Analyst*\n\nWhy?\n\n**Ann Lee** -- *Chief Executive Officer*\n\n"
        "Prices.\n\n"
        "**Operator**\n\nGoodbye.\n"
    )
    assert spoken_turns(transcript) == [
        ("Operator", "Good day."),
        ("Ann Lee", "Thanks."),
        ("Bo Dea", "Why?"),
        ("Ann Lee", "Prices."),
        ("Operator", "Goodbye."),
    ]


def test_bold_words_at_the_head_of_a_paragraph_are_not_all_labels() -> None:
    transcript = md("**Ann:** One.\n\n**Really** I mean it.\n\n**Note:** it is so.\n\n**Bo:** Two.\n")
    assert spoken_turns(transcript) == [
        ("Ann", "One. Really I mean it."),
        (None, "Note: it is so."),
        ("Bo", "Two."),
    ]


@pytest.mark.parametrize("line", [" " * 50_000 + "x", "-" * 50_000 + "x", "[" * 50_000, "> " * 25_000])
def test_the_longest_line_is_read_in_bounded_time(line: str) -> None:
    began = process_time()
    md(f"**Ann Lee:** Good morning.\n\n{line}\n\n**Bo:** Well.\n")
    assert process_time() - began < 2  # a regular expression that backtracks takes 20 s


def test_a_break_ends_a_turn_at_its_time_and_who_speaks_after_it_is_not_known() -> None:
    transcript = md(
        "**Ann:** \\[00:10\\] One two.\n\n**Break:** \\[00:30\\]\n\nAfter it.\n\n**Ann:** \\[00:50\\] "
        "Three.\n"
    )
    assert spoken_turns(transcript) == [("Ann", "One two."), (None, "After it."), ("Ann", "Three.")]
    assert transcript.turns[0].marks == ((0, 10.0), (8, 30.0))
    assert times(transcript)[0] == (10.0, 30.0)


def test_a_jingle_has_a_beginning_and_an_end() -> None:
    transcript = md(
        "**Ann:** \\[00:10\\] One.\n\n**Jingle:** \\[00:30\\] to \\[00:45\\]\n\n**Bo:** Two.\n\n"
        "**Ann:** \\[00:50\\] Three.\n"
    )
    assert times(transcript) == [(10.0, 30.0), (45.0, 50.0), (50.0, None)]


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("__init__ and **args", "init and args"),
        ("a*b*c 5 * 3 ** 2", "a*b*c 5 * 3 ** 2"),
        (r"\*not bold\* \_ \\", r"*not bold* _ \\"[:-1]),
        ("***both*** _one_, (*two*)", "both one, (two)"),
        ("[see][1] [not a link] [](x)", "see [not a link] "),
        ("a <b>c</b> <i>d</i> <laughs>", "a c d <laughs>"),
        ("&lt;b&gt; &copy; &#8238;", "<b> © "),
    ],
)
def test_inline_marks(written: str, plain: str) -> None:
    assert re.sub(f"[{BOLD}{END}{LINK}{UNLINK}]", "", inline(written)) == plain


def test_a_name_keeps_its_underscores_and_emphasis_loses_them() -> None:
    transcript = md(
        "**bo_** 9:01\nIt is _quite_ late, _so\nlate_ that\n\n**_Ann Lee_** 9:02\nI know.\n\n" * 2
    )
    assert spoken_turns(transcript)[:2] == [("bo_", "It is quite late, so late that"), ("Ann Lee", "I know.")]
