"""Tests of the genre of a recording and of the kinds of its sections, in English and French.

A section whose kind is unclear has none.
"""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spoken import CALL_IN_ENGLISH, CALL_IN_FRENCH, FREIGHT, HOLIDAY, PLANT, on, recording

from onrecord.ingest.sections import KINDS
from onrecord.ingest.sections.genres import EARNINGS, GENRES, Genre, genre_of
from onrecord.ingest.sections.kinds import Span, kind_of, outline
from onrecord.ingest.sections.topics import Topics
from onrecord.ingest.sections.words import Words
from onrecord.types import Details, Passage


def genre(passages: list[Passage], **details: object) -> str | None:
    """Return the name of the genre of a recording, or ``None`` if it is unclear."""
    detected = genre_of([p.text for p in passages], Details(**details), [p.speaker for p in passages])  # type: ignore[arg-type]
    return detected.name if detected else None


def parts(passages: list[Passage]) -> list[Span]:
    """Return the outline of a recording as spans."""
    genre_found = genre_of([p.text for p in passages], Details(), [p.speaker for p in passages])
    return outline(passages, Topics().begins(passages, Words(passages), None), genre_found)


def ranges(spans: list[Span]) -> list[tuple[str | None, int, int]]:
    """Return the kind, first passage and last passage of each span."""
    return [(span.kind, span.first, span.last) for span in spans]


@pytest.mark.parametrize("passages", [CALL_IN_ENGLISH, CALL_IN_FRENCH], ids=["en", "fr"])
def test_an_earnings_call_has_four_parts_and_theirs(passages: list[Passage]) -> None:
    """Check the four sections of an earnings call and the subsections within them."""
    assert genre(passages) == "earnings"
    spans = parts(passages)
    assert ranges(spans) == [("opening", 0, 1), ("discussion", 2, 7), ("qa", 8, 11), ("closing", 12, 12)]
    opening, discussion, questions, _ = spans
    assert ranges(list(opening.parts)) == [("disclaimer", 1, 1)]
    assert [(p.who, p.first, p.last) for p in discussion.parts] == [("Ada Berg", 2, 4), ("Bo Lind", 5, 7)]
    assert [(p.who, p.first, p.last) for p in questions.parts] == [("Cora Diaz", 8, 9), ("Dev Ekman", 10, 11)]


def test_an_operator_who_comes_late_is_no_questioner() -> None:
    """Check that an operator who first speaks in the Q&A section does not count as a questioner."""
    call = [p for p in CALL_IN_ENGLISH if "Operator" not in p.spoken or p.position >= 8]
    spans = outline([replace(p, position=at) for at, p in enumerate(call)], [0], EARNINGS)
    questions = next(span for span in spans if span.kind == "qa")
    assert [part.who for part in questions.parts] == ["Cora Diaz", "Dev Ekman"]


def test_a_talk_shows_something_and_takes_questions() -> None:
    talk = recording(
        "Ann: Thank you for having me. My name is Ann and I am going to talk about freight in this talk.",
        *on(FREIGHT, 4),
        "Ann: Let me show you a demo of the crane planner, it runs on this slide.",
        "Ann: In the demo the planner sorts the containers by the hour at which they leave.",
        *on(FREIGHT, 2),
        "Ann: And now I take a few questions from the audience, is there one?",
        "Guest: Does it know the tides, and who feeds them in? / Ann: It reads them from the harbour.",
        "Guest: Is it for sale? / Ann: It is not. Thank you very much, everyone, for coming.",
    )
    assert genre(talk) == "talk"
    assert ranges(parts(talk)) == [
        ("opening", 0, 0),
        ("talk", 1, 4),
        ("demo", 5, 6),
        ("talk", 7, 8),
        ("qa", 9, 10),
        ("closing", 11, 11),
    ]


def test_a_podcast_has_a_word_from_its_sponsor() -> None:
    show = recording(
        "Host: Welcome back to the show. This is episode twelve of our podcast and my guest is a welder.",
        *on(PLANT, 4, "Guest"),
        "Host: This episode is brought to you by Acme Lanterns. Use the code NIGHT for a free trial.",
        *on(PLANT, 4, "Guest"),
        "Host: Thanks for listening. Subscribe, and see you next week.",
    )
    assert genre(show) == "podcast"
    kinds = [span.kind for span in parts(show)]
    assert kinds == ["opening", "interview", "advertisement", "interview", "closing"]


def test_a_french_podcast_too() -> None:
    show = recording(
        "Hôte: Bienvenue dans ce nouvel épisode. Notre invitée est soudeuse.",
        *on("Les cadres en aluminium sont emboutis par la presse et soudés à la main.", 4, "Invitée"),
        "Hôte: Merci pour votre écoute, abonnez-vous et à la prochaine.",
    )
    assert genre(show) == "podcast"
    assert ranges(parts(show)) == [("opening", 0, 0), ("interview", 1, 4), ("closing", 5, 5)]


def test_a_meeting_decides() -> None:
    meeting = recording(
        "Chair: Good evening. I call this meeting to order. The agenda is short, minutes are taken.",
        *on(FREIGHT, 6, "Ann"),
        "Chair: All those in favour? The motion is carried.",
        *on(HOLIDAY, 6, "Bo"),
        "Chair: That's it, the meeting is closed. Thank you everybody, bye.",
    )
    assert genre(meeting) == "meeting"
    spans = parts(meeting)
    assert [span.kind for span in spans] == ["opening", "item", "item", "closing"]
    assert ranges([part for span in spans for part in span.parts]) == [("decision", 7, 7)]


def test_a_french_meeting_too() -> None:
    meeting = recording(
        "Présidente: Bonjour. J'ouvre la séance du conseil. L'ordre du jour compte deux points.",
        *on("Le fret depuis Rotterdam coûte le double et la grue du port manque.", 4, "Ann"),
        "Présidente: La motion est adoptée, nous avons décidé de construire une grue.",
        "Présidente: Je lève la séance. Merci à tous.",
    )
    assert genre(meeting) == "meeting"
    kinds = [(span.kind, [part.kind for part in span.parts]) for span in parts(meeting)]
    assert kinds == [("opening", []), ("item", ["decision"]), ("closing", [])]


def test_nothing_is_claimed_where_it_is_not_clear() -> None:
    """Check that a recording without cues has no genre and its sections have no kind."""
    talk = recording(*on(FREIGHT, 8), *on(PLANT, 8, "Bo"))
    assert genre(talk) is None
    assert ranges(parts(talk)) == [(None, 0, 7), (None, 8, 15)]


def test_attributes_tell_what_sort_it_is() -> None:
    """Check that attributes and the title decide the genre."""
    talk = recording(*on(FREIGHT, 5))
    assert genre(talk, attributes={"Show": "Night Desk"}) == "podcast"
    assert genre(talk, attributes={"quarter": "Q3"}) == "earnings"
    assert genre(talk, title="Earnings call, third quarter") == "earnings"


@pytest.mark.parametrize("passages", [CALL_IN_ENGLISH, CALL_IN_FRENCH, recording(*on(FREIGHT, 9))])
def test_parts_follow_one_another_and_hold_theirs(passages: list[Passage]) -> None:
    """Check that sections cover all passages in order and contain their subsections."""
    spans = parts(passages)
    assert [at for span in spans for at in range(span.first, span.last + 1)] == list(range(len(passages)))
    for span in spans:
        assert all(span.first <= part.first <= part.last <= span.last for part in span.parts)
        assert {span.kind, *(part.kind for part in span.parts)} <= {None, *KINDS}


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Q&A", "qa"),
        ("Questions et réponses", "qa"),
        ("12. Introduction", "opening"),
        ("Sponsor: Acme", "advertisement"),
        ("Live demo", "demo"),
        ("Closing", "closing"),
        ("Why demos fail", None),
        ("The art of introduction", None),
        ("", None),
    ],
)
def test_a_title_of_the_source_tells_a_kind(title: str, kind: str | None) -> None:
    assert kind_of(title) == kind


SENTENCES = (
    "Welcome to the third quarter earnings call, all lines are listen-only, press star one.",
    "We make forward-looking statements, and adjusted EBITDA is a non-GAAP measure.",
    "We will now begin the question and answer session. The first question comes from Cora.",
    "Your line is open.",
    "There are no further questions. This concludes today's conference call.",
    "Welcome back to the podcast, this episode is brought to you by Acme. Use the code NIGHT.",
    "Thanks for listening, see you next week.",
    "My name is Ann and this talk is about freight. Let me show you a demo.",
    "Any questions? Thank you very much.",
    "I call this meeting to order. The agenda and the minutes. The motion is carried.",
    FREIGHT,
    "",
)


@given(
    st.lists(
        st.tuples(st.sampled_from(SENTENCES), st.sampled_from(("Ann", "Bo", "Operator", ""))), max_size=30
    ),
    st.sampled_from((None, *GENRES)),
    st.sets(st.integers(1, 29)),
)
def test_whatever_is_said_parts_follow_one_another(
    lines: list[tuple[str, str]], genre: Genre | None, begins: set[int]
) -> None:
    """Check the same order and containment for any mix of cue phrases, speakers and topics."""
    passages = recording(*[f"{speaker}: {text}" for text, speaker in lines])
    spans = outline(passages, sorted({0, *begins} & set(range(len(lines)))), genre)
    assert [at for span in spans for at in range(span.first, span.last + 1)] == list(range(len(lines)))
    for span in spans:
        at = [part.first for part in span.parts]
        assert at == sorted(set(at))
        assert all(span.first <= part.first <= part.last <= span.last for part in span.parts)
