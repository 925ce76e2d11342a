"""Tests of sections: their titles and summaries, and the scores of their passages."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spoken import CALL_IN_ENGLISH, CALL_IN_FRENCH, FREIGHT, HOLIDAY, PLANT, on, recording

from onrecord.ingest.sections import make_sections
from onrecord.ingest.sections.words import Words
from onrecord.types import Details, Passage, Section

TOPICS = recording(*on(FREIGHT, 8), *on(PLANT, 8, "Bo"), *on(HOLIDAY, 8))


def make(
    passages: list[Passage], given: tuple[Section, ...] = (), **details: object
) -> tuple[list[Passage], list[Section]]:
    return make_sections(passages, given, None, Details(**details))  # type: ignore[arg-type]


def test_topics_get_titles_of_their_telling_words_and_the_times_of_their_passages() -> None:
    passages, sections = make(TOPICS)
    assert [(s.first, s.last, s.start, s.end) for s in sections] == [
        (0, 7, 0.0, 79.0),
        (8, 15, 80.0, 159.0),
        (16, 23, 160.0, 239.0),
    ]
    for section, topic in zip(sections, (FREIGHT, PLANT, HOLIDAY), strict=True):
        assert section.title[0].isupper()
        assert set(section.title.lower().replace(",", "").split()) <= set(
            topic.lower().replace(",", "").replace(".", "").split()
        )
    assert [p.section for p in passages] == [s.title for s in sections for _ in range(8)]


def test_titles_are_in_the_recordings_language_and_each_is_given_once() -> None:
    call = [*CALL_IN_FRENCH[:10], *CALL_IN_FRENCH[8:10], *CALL_IN_FRENCH[10:]]
    call = [replace(p, position=at) for at, p in enumerate(call)]
    titles = [s.title for s in make(call, language="fr")[1]]
    assert titles[0] == "Ouverture"
    assert "Questions et réponses" in titles
    assert "Intervention de Ada Berg" in titles
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize(
    "sound",
    ["[laughter]", "[Laughter.]", "[fail horn]", "(audience laughs)", "{disfmarker}", "<rires>", "*sighs*"],
)
def test_what_is_heard_and_not_said_is_no_word_of_titles_and_sections(sound: str) -> None:
    """Check that sounds such as ``[laughter]`` affect neither word counts nor titles."""
    noisy = [replace(p, text=f"{sound} {p.text} {sound} {sound}") for p in TOPICS]
    assert Words(noisy).counts == Words(TOPICS).counts
    assert [s.title for s in make(noisy)[1]] == [s.title for s in make(TOPICS)[1]]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("(freight)", "freight"),
        ("[Rotterdam]", "rotterdam"),
        ("[crane](https://crane.example)", "crane"),
        ("laughter", "laughter"),
    ],
)
def test_what_stands_in_brackets_may_be_said(text: str, word: str) -> None:
    """Check that other bracketed words count as words."""
    assert word in Words(recording(f"Ann: The {text} waits.")).counts[0]


def test_parts_name_what_they_are_a_part_of() -> None:
    """Check that a subsection names its parent section."""
    passages, sections = make(CALL_IN_ENGLISH)
    above = {s.title: s.under for s in sections}
    assert above["Questions by Cora Diaz"] == "Questions and answers"
    assert above["Remarks by Bo Lind"] == "Management discussion"
    assert above["Questions and answers"] is None
    assert passages[8].section == "Questions by Cora Diaz"


def test_summaries_are_said_word_for_word_and_are_no_questions() -> None:
    """Check that summaries quote at most 45 words of the section and no question."""
    passages, sections = make(CALL_IN_ENGLISH)
    assert sum(bool(s.summary) for s in sections) >= 6
    for section in sections:
        text = " ".join(p.text for p in passages[section.first : section.last + 1])
        for sentence in section.summary.split(". "):
            assert sentence.rstrip(".") in text
        assert "?" not in section.summary
        assert len(section.summary.split()) <= 45


def test_chapters_of_the_source_are_kept() -> None:
    chapters = (
        Section("Intro", first=0, last=3),
        Section("Freight", first=4, last=23, summary="It is dear."),
    )
    passages, sections = make(TOPICS, chapters)
    assert [(s.title, s.first, s.last, s.kind) for s in sections] == [
        ("Intro", 0, 3, "opening"),
        ("Freight", 4, 23, None),
    ]
    assert sections[0].summary
    assert sections[1].summary == "It is dear."
    assert passages[4].section == "Freight"


def test_headings_of_a_call_get_the_parts_that_it_has() -> None:
    """Check that headings of the source keep their titles and get the exchanges as subsections."""
    headings = (Section("Remarks", first=0, last=7), Section("Q&A", first=8, last=12))
    sections = make(CALL_IN_ENGLISH, headings)[1]
    assert [(s.title, s.under) for s in sections] == [
        ("Remarks", None),
        ("Q&A", None),
        ("Questions by Cora Diaz", "Q&A"),
        ("Questions by Dev Ekman", "Q&A"),
    ]


def test_one_heading_over_everything_is_no_chapter() -> None:
    """Check that a single heading over the whole recording becomes the parent of the topics."""
    sections = make(TOPICS, (Section("Transcript", first=0, last=23),))[1]
    assert [s.under for s in sections] == [None, "Transcript", "Transcript", "Transcript"]


def test_what_says_much_is_worth_more_than_assent() -> None:
    """Check that short agreement scores a lower importance than a passage with content."""
    lines = [
        *on(FREIGHT, 4),
        "Bo: Yeah, exactly. Right.",
        *on(FREIGHT, 3),
        "Ann: In 2024 Rotterdam lost 12 cranes.",
    ]
    worth = [p.importance or 0.0 for p in make(recording(*lines))[0]]
    assert worth[4] < 0.1
    assert min(worth[:4]) > 0.15
    assert all(0 <= value <= 1 for value in worth)


def test_an_answer_belongs_to_its_question_and_a_topic_to_itself() -> None:
    """Check that the link to the passage before is strong after a question and weak at a topic change."""
    lines = [*on(FREIGHT, 6), *on(PLANT, 6)]
    lines[2] = f"Bo: {FREIGHT} Why is that?"
    passages = make(recording(*lines))[0]
    assert passages[0].before == 0
    assert passages[-1].after == 0
    assert (passages[3].before or 0) > (passages[2].before or 0)
    assert (passages[6].before or 1) < 0.3 < (passages[5].before or 0)
    assert passages[2].after == pytest.approx(passages[3].before, abs=0.2)


def test_nothing_is_made_of_nothing() -> None:
    assert make([]) == ([], [])
    one, sections = make(recording("Ann: Yes."))
    assert sections == []
    assert one[0].before == one[0].after == 0


@given(
    st.lists(st.sampled_from((FREIGHT, PLANT, HOLIDAY, "Yes.", "", "¿?", "42", "C'est ça ?")), max_size=25),
    st.sampled_from((None, "en", "fr", "de")),
)
def test_every_passage_is_judged_and_sections_lie_within_the_recording(
    texts: list[str], language: str | None
) -> None:
    passages, sections = make(recording(*[f"Ann: {text}" for text in texts]), language=language)
    assert [p.position for p in passages] == list(range(len(texts)))
    for passage in passages:
        for value in (passage.importance, passage.before, passage.after):
            assert value is not None
            assert 0 <= value <= 1
    primary = [s for s in sections if not s.under]
    assert all(a.last + 1 == b.first for a, b in pairwise(primary))
    assert all(s.title and 0 <= s.first <= s.last < len(texts) for s in sections)
