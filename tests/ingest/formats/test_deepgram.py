"""Tests of the reader of Deepgram JSON files."""

import json
from pathlib import Path
from typing import Any

import pytest
from reading import assert_sound, lines, read_one, spans

from onrecord.errors import FormatError
from onrecord.ingest.formats.deepgram import FORMAT


def word(text: str, start: float, end: float, **more: Any) -> dict[str, Any]:
    plain = text.strip(",.?").lower()
    return {"word": plain, "start": start, "end": end, "confidence": 0.9, "punctuated_word": text, **more}


def deepgram(*channels: dict[str, Any], **results: Any) -> dict[str, Any]:
    metadata = {"request_id": "x", "duration": 12.5, "channels": len(channels)}
    return {
        "metadata": metadata,
        "results": {"channels": [{"alternatives": [c]} for c in channels], **results},
    }


def test_words_with_speakers() -> None:
    words = [
        word("Ready?", 0.1, 0.5, speaker=0),
        word("Yes,", 0.9, 1.2, speaker=1),
        word("sir.", 1.2, 1.5, speaker=1),
    ]
    transcript = read_one(FORMAT, deepgram({"transcript": "Ready? Yes, sir.", "words": words}))
    assert lines(transcript) == [("Speaker 0", "Ready?"), ("Speaker 1", "Yes, sir.")]
    assert spans(transcript) == [(0.1, 0.5), (0.9, 1.5)]
    assert transcript.turns[1].marks == ((0, 0.9), (5, 1.2))
    assert transcript.details.attributes == {"duration": "12.5"}


def test_without_diarization_nobody_speaks() -> None:
    words = [{"word": "hello", "start": 0, "end": 1}, {"word": "again", "start": 1, "end": 2}]
    assert lines(read_one(FORMAT, deepgram({"transcript": "hello again", "words": words}))) == [
        (None, "hello again")
    ]


def test_each_channel_is_a_speaker() -> None:
    times = [("How", 0.0, 0.2), ("are", 0.2, 0.4), ("you?", 0.4, 0.7), ("Good.", 3.0, 3.4)]
    left = {"transcript": "How are you? Good.", "words": [word(*time) for time in times]}
    right = {"transcript": "Fine.", "words": [word("Fine.", 1.0, 1.4)]}
    transcript = read_one(FORMAT, deepgram(left, right))
    assert lines(transcript) == [
        ("Channel 0", "How are you?"),
        ("Channel 1", "Fine."),
        ("Channel 0", "Good."),
    ]


def test_speakers_are_distinguished_by_channel() -> None:
    both = [{"transcript": "Hi.", "words": [word("Hi.", at, at + 1, speaker=0)]} for at in (0.0, 2.0)]
    assert [speaker for speaker, _ in lines(read_one(FORMAT, deepgram(*both)))] == [
        "Speaker 0, channel 0",
        "Speaker 0, channel 1",
    ]


def test_a_silent_channel_is_nobody() -> None:
    talk = deepgram({"transcript": "", "words": []}, {"transcript": "Hi.", "words": [word("Hi.", 0.0, 1.0)]})
    assert lines(read_one(FORMAT, talk)) == [(None, "Hi.")]


def test_paragraphs_without_words() -> None:
    sentences = [
        {"text": "So it began.", "start": 1.0, "end": 2.0},
        {"text": "It did.", "start": 2.1, "end": 3.0},
    ]
    paragraphs = {
        "transcript": "x",
        "paragraphs": [{"sentences": sentences, "speaker": 2, "start": 1.0, "end": 3.0}],
    }
    talk = deepgram({"transcript": "So it began. It did.", "paragraphs": paragraphs})
    assert lines(read_one(FORMAT, talk)) == [("Speaker 2", "So it began. It did.")]


def test_a_bare_transcript_has_no_times() -> None:
    assert spans(read_one(FORMAT, deepgram({"transcript": "So it began."}))) == [(None, None)]


def test_utterances_alone() -> None:
    utterances = [
        {"start": 0.0, "end": 1.0, "transcript": "Hi.", "words": [word("Hi.", 0.0, 1.0)], "speaker": 0},
        {"start": 1.5, "end": 2.0, "transcript": "Ho.", "speaker": 1},
    ]
    transcript = read_one(FORMAT, {"metadata": {}, "results": {"utterances": utterances}})
    assert lines(transcript) == [("Speaker 0", "Hi."), ("Speaker 1", "Ho.")]


def test_the_language_that_was_detected() -> None:
    talk = deepgram({"transcript": "Bonjour.", "words": [word("Bonjour.", 0, 1)]})
    talk["results"]["channels"][0]["detected_language"] = "fr-CA"
    assert read_one(FORMAT, talk).details.language == "fr"


@pytest.mark.parametrize(
    ("talk", "message"),
    [
        (deepgram({"transcript": "", "words": []}), "no words"),
        (deepgram({"transcript": "a", "words": [word("a", 0, 1) | {"end": "x"}]}), r"words\[0\]\.end: .*'x'"),
        (
            deepgram({"transcript": "a", "words": {"a": 1}}),
            r"alternatives\[0\]\.words: expected a list, found an obj",
        ),
        ({"results": {"channels": "none"}}, r"results\.channels: expected a list, found 'none'"),
    ],
)
def test_what_is_broken_is_named(talk: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_one(FORMAT, talk)


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "speakers", "words", "last"),
    [
        ("dg_speakers", 3, 226, 163.105),
        ("dg_speakers_no_utterances", 3, 226, 163.105),
        ("dg_transcription", 0, 62, 25.439999),
        ("dg_utterances", 0, 62, 25.439999),
        ("dg_whisper_transcription", 0, 59, 25.56),
    ],
)
def test_originals(data: Path, name: str, speakers: int, words: int, last: float) -> None:
    (file,) = (data / "transcript_formats/raw").glob(f"deepgram*/{name}.json")
    transcript = read_one(FORMAT, file.read_text())
    assert_sound(transcript)
    assert len({turn.speaker for turn in transcript.turns} - {None}) == speakers
    text = " ".join(turn.text for turn in transcript.turns)
    best = json.loads(file.read_text())["results"]["channels"][0]["alternatives"][0]
    assert text == best["transcript"]
    assert len(best["words"]) == words
    seconds = {second for turn in transcript.turns for _, second in turn.marks}
    assert seconds >= {w["start"] for w in best["words"]}
    assert transcript.turns[-1].end == last
