"""Helpers for the tests of readers of captions and documents."""

from itertools import pairwise

from onrecord.ingest.formats import decode, detect, read_source
from onrecord.types import Transcript


def read_text(text: str, expected: str, name: str = "talk") -> Transcript:
    """Return the only transcript in a text, after checking that its format is detected as ``expected``."""
    source = decode(name, text.encode())
    assert detect(source).name == expected
    (transcript,) = read_source(source)
    assert transcript.format == expected
    assert_well_made(transcript)
    return transcript


def spoken_turns(transcript: Transcript) -> list[tuple[str | None, str]]:
    """Return the speaker and the text of each turn."""
    return [(turn.speaker, turn.text) for turn in transcript.turns]


def times(transcript: Transcript) -> list[tuple[float | None, float | None]]:
    """Return the start and the end of each turn, in seconds."""
    return [(turn.start, turn.end) for turn in transcript.turns]


def words(transcript: Transcript) -> list[str]:
    """Return the words of all turns in order."""
    return [word for turn in transcript.turns for word in turn.text.split()]


def assert_well_made(transcript: Transcript) -> None:
    """Assert what holds for every transcript, whatever the source.

    Texts are not empty, have single spaces, and hold no NUL, marker, escape or zero-width characters. The
    offsets of marks rise and lie within the text. Times are at least 0 and never fall. The turns of each
    section exist.
    """
    for turn in transcript.turns:
        assert turn.text and turn.text == " ".join(turn.text.split())
        assert not set(turn.text) & set("\x00\x02\x03\x1b\ufeff\u200b")
        offsets, seconds = [at for at, _ in turn.marks], [second for _, second in turn.marks]
        assert all(a < b for a, b in pairwise(offsets))
        assert all(0 <= at <= len(turn.text) for at in offsets)
        known = [s for s in (turn.start, *seconds, turn.end) if s is not None]
        assert known == sorted(known)
        assert all(second >= 0 for second in known)
        assert turn.start is not None or not known
    starts = [turn.start for turn in transcript.turns if turn.start is not None]
    assert starts == sorted(starts)
    assert all(0 <= s.first <= s.last < len(transcript.turns) for s in transcript.sections)
