"""Recordings that a question names by a pasted link."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Passage, Plan, Question, Recording
from onrecord.understand.planner import plan

STORE = MemoryStore()
for name, title, link, media in (
    ("salt", "Salt in winter: Q1 2024", "https://www.youtube.com/watch?v=SaltSalt001", None),
    ("rent", "The rent show", "https://vimeo.com/700000002", None),
    ("call", "Alder call", "https://example.org/calls/7?lang=en", "https://cdn.example.org/7.mp3"),
    ("one", "Twins 1", "https://example.org/twins", None),
    ("two", "Twins 2", "https://example.org/twins/", None),
):
    STORE.add(
        Recording(name, name, "", "webvtt", Details(title=title, link=link, media=media)),
        [Passage(name, 0, "The price of salt and rent rose in winter.", "Ann")],
    )
STRATEGY_NAMES = ("balanced", "overview")


def asked(text: str) -> Plan:
    """Return the plan for a question."""
    return plan(Question(text), STORE, date(2025, 1, 1), strategies=STRATEGY_NAMES)


@pytest.mark.parametrize(
    ("link", "recording"),
    [
        ("https://www.youtube.com/watch?v=SaltSalt001", "salt"),
        ("http://youtube.com/watch?list=PL1&v=SaltSalt001&t=1m30s", "salt"),
        ("https://m.youtube.com/watch?v=SaltSalt001#t=90", "salt"),
        ("https://youtu.be/SaltSalt001?si=abc&t=90", "salt"),
        ("youtu.be/SaltSalt001", "salt"),
        ("www.youtube.com/shorts/SaltSalt001", "salt"),
        ("https://www.youtube-nocookie.com/embed/SaltSalt001?start=5", "salt"),
        ("https://www.youtube.com/live/SaltSalt001", "salt"),
        ("https://vimeo.com/700000002#t=40s", "rent"),
        ("https://player.vimeo.com/video/700000002", "rent"),
        ("https://EXAMPLE.org/calls/7/?lang=en&utm_source=x#t=183", "call"),
        ("https://cdn.example.org/7.mp3#t=3", "call"),
    ],
)
def test_a_link_is_its_recording_in_a_question_and_alone(link: str, recording: str) -> None:
    """Every form of a recording's link limits the scope to the recording.

    The link is removed from the text. A link alone asks for an overview.
    """
    for text in (
        f"What is said about salt in {link}?",
        f"What is said about salt ({link})?",
        f"{link} what is said about salt?",
    ):
        planned = asked(text)
        assert planned.scope.recordings == (recording,) and planned.notes == ()
        assert planned.text.rstrip("?").lower() == "what is said about salt"
    for text in (link, f"Summarize {link}", f"De quoi parle {link} ?"):
        planned = asked(text)
        assert (planned.scope.recordings, planned.strategy) == ((recording,), "overview")
        assert "://" not in planned.text


@pytest.mark.parametrize(
    "link",
    [
        "https://www.youtube.com/watch?v=Unknown0001",
        "https://www.evilyoutube.com/watch?v=SaltSalt001",
        "https://example.org/calls/7",
        "https://example.org/calls/8?lang=en",
        "https://[broken/SaltSalt001",
    ],
)
def test_a_link_that_no_recording_has_is_reported_and_narrows_nothing(link: str) -> None:
    """A link of no recording sets no filter; a note says that it was not opened."""
    planned = asked(f"What is said about salt in {link}?")
    assert planned.filters == () and planned.text == "What is said about salt?"
    (note,) = planned.notes
    assert link in note and "not opened" in note
    (note,) = asked(f"Que dit-on du sel dans la vidéo {link} ?").notes
    assert link in note and "pas été ouvert" in note


def test_where_only_an_unknown_link_is_asked_of_nothing_else_is_summed_up() -> None:
    """A summary of an unknown link is not a summary of the archive."""
    for text in ("https://youtu.be/Unknown0001", "Summarize https://youtu.be/Unknown0001"):
        planned = asked(text)
        assert planned.strategy == "balanced" and len(planned.notes) == 1


def test_a_link_of_several_recordings_prefers_them() -> None:
    """A link that several recordings share prefers them but excludes nothing."""
    planned = asked("What is said about salt in https://example.org/twins?")
    assert {filter_.value for filter_ in planned.filters} == {"one", "two"} and not planned.scope
    assert not any(filter_.exact for filter_ in planned.filters)


def test_two_links_are_two_recordings() -> None:
    """Two links limit the scope to both recordings."""
    planned = asked("Compare https://youtu.be/SaltSalt001 and https://vimeo.com/700000002 on prices")
    assert set(planned.scope.recordings) == {"salt", "rent"}


@given(st.text(max_size=80), st.text(max_size=40))
def test_whatever_stands_around_a_link_it_is_read_in_peace(before: str, behind: str) -> None:
    """Any text around a link causes no error and selects no unknown recording."""
    planned = asked(f"{before} https://youtu.be/SaltSalt001{behind}")
    assert set(planned.scope.recordings) <= {"salt", "rent", "call", "one", "two"}
