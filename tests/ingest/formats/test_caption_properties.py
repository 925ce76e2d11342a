"""Properties of every caption file.

Each word is read once and in order, whoever speaks, and the times rise.
"""

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st
from reading_texts import assert_well_made, words

from onrecord.ingest.formats import read
from onrecord.types import Turn

NAMES = ["Ann", "Bo Dea", "Zoë", "SPEAKER_01"]
WORD = st.text("abcäßж漢'é", min_size=1, max_size=6).filter(str.strip)
SPOKEN = st.lists(WORD, min_size=1, max_size=8)


@dataclass(frozen=True)
class Spoken:
    """A cue: the speaker, the words, and the start and end in milliseconds."""

    speaker: str
    words: list[str]
    start: int
    end: int


@st.composite
def talks(draw: st.DrawFn, named: bool = True) -> list[Spoken]:
    """Draw cues with pauses between them.

    Without pauses, equal lines of neighboring cues would look like rolling captions.
    """
    talk, now = [], 0
    for _ in range(draw(st.integers(1, 12))):
        start = now + draw(st.integers(300, 5000))
        now = start + draw(st.integers(1, 9000))
        speaker = draw(st.sampled_from(NAMES)) if named else ""
        talk.append(Spoken(speaker, draw(SPOKEN), start, now))
    return talk


def clock(milliseconds: int, point: str) -> str:
    """Return a caption timestamp; ``point`` is the decimal separator."""
    seconds, rest = divmod(milliseconds, 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{point}{rest:03}"


def vtt(talk: list[Spoken]) -> str:
    """Return the cues as a WebVTT file with a voice tag in every cue."""
    cues = (
        f"{clock(c.start, '.')} --> {clock(c.end, '.')}\n<v {c.speaker}>{' '.join(c.words)}\n\n" for c in talk
    )
    return "WEBVTT\n\n" + "".join(cues)


def srt(talk: list[Spoken]) -> str:
    """Return the cues as a SubRip file.

    A label stands only where the speaker changes, as many tools write it.
    """
    blocks, last = [], None
    for number, cue in enumerate(talk, 1):
        label = f"{cue.speaker}: " if cue.speaker and cue.speaker != last else ""
        text = label + "\n".join(cue.words)
        blocks.append(f"{number}\n{clock(cue.start, ',')} --> {clock(cue.end, ',')}\n{text}.\n")
        last = cue.speaker
    return "\n".join(blocks)


def runs(talk: list[Spoken]) -> list[tuple[str, str, float, float]]:
    """Return the turns that the reader should give: consecutive cues of one speaker are joined."""
    merged: list[tuple[str, str, float, float]] = []
    for cue in talk:
        text, start, end = " ".join(cue.words), cue.start / 1000, cue.end / 1000
        if merged and merged[-1][0] == cue.speaker:
            _, before, start, _ = merged.pop()
            text = f"{before} {text}"
        merged.append((cue.speaker, text, start, end))
    return merged


def shown(turn: Turn) -> tuple[str | None, str, float | None, float | None]:
    """Return the speaker, text, start and end of a turn, without its marks."""
    return turn.speaker, turn.text, turn.start, turn.end


@given(talks())
def test_voices_come_back_as_they_were_written(talk: list[Spoken]) -> None:
    (transcript,) = read("talk.vtt", vtt(talk).encode())
    assert [shown(turn) for turn in transcript.turns] == runs(talk)
    assert_well_made(transcript)
    marks = [second for turn in transcript.turns for _, second in turn.marks]
    assert {cue.start / 1000 for cue in talk} <= set(marks)


@given(talks())
def test_labels_come_back_as_they_were_written(talk: list[Spoken]) -> None:
    (transcript,) = read("talk.srt", srt(talk).encode())
    assert [shown(turn)[0] for turn in transcript.turns] == [run[0] for run in runs(talk)]
    assert [word.rstrip(".") for word in words(transcript)] == [word for cue in talk for word in cue.words]
    assert_well_made(transcript)


@given(talks(named=False), st.randoms(use_true_random=False))
def test_no_word_is_lost_where_times_are_in_disorder(talk: list[Spoken], random: object) -> None:
    shuffled = list(talk)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    (transcript,) = read("talk.srt", srt(shuffled).encode())
    assert [word.rstrip(".") for word in words(transcript)] == [
        word for cue in shuffled for word in cue.words
    ]
    assert_well_made(transcript)


@given(st.lists(SPOKEN, min_size=3, max_size=12), st.booleans())
def test_lines_that_roll_up_are_read_once(lines: list[list[str]], bridges: bool) -> None:
    texts = [f"{number} {' '.join(line)}" for number, line in enumerate(lines)]
    cues, now = [], 0
    for above, text in zip(["", *texts], texts, strict=False):
        timed = text.replace(" ", f"<{clock(now + 100, '.')}><c> ", 1) + "</c>"
        cues.append((now, now + 1000, f"{above or ' '}\n{timed}"))
        now += 1000
        if bridges:
            cues.append((now, now + 10, f"{text}\n "))
            now += 10
    body = "".join(f"{clock(start, '.')} --> {clock(end, '.')}\n{text}\n\n" for start, end, text in cues)
    (transcript,) = read("talk.vtt", f"WEBVTT\n\n{body}".encode())
    assert " ".join(words(transcript)) == " ".join(texts)
    assert_well_made(transcript)


@given(talks(), st.integers(0, 400))
def test_a_file_cut_anywhere_keeps_the_cues_before(talk: list[Spoken], back: int) -> None:
    text = vtt(talk)
    cut = text[: max(len("WEBVTT\n\n00:00:00.000 --> 00:00:00.000\n<v Ann>a"), len(text) - back)]
    whole = [
        cue for cue in talk if f"{clock(cue.end, '.')}\n<v {cue.speaker}>{' '.join(cue.words)}\n\n" in cut
    ]
    if whole:
        (transcript,) = read("talk.vtt", cut.encode())
        before = [word for cue in whole for word in cue.words]
        assert words(transcript)[: len(before)] == before
