"""Tests of the reader of AssemblyAI JSON files."""

import json
from pathlib import Path
from typing import Any

import pytest
from reading import assert_sound, fitting, lines, read_one, spans

from onrecord.errors import FormatError
from onrecord.ingest.formats.assemblyai import FORMAT
from onrecord.ingest.formats.base import Source
from onrecord.types import Section


def word(text: str, start: int, end: int, speaker: str | None = None) -> dict[str, Any]:
    return {"text": text, "start": start, "end": end, "confidence": 0.9, "speaker": speaker}


def assemblyai(**members: Any) -> dict[str, Any]:
    answer = {
        "id": "x",
        "status": "completed",
        "audio_url": "https://example.com/a.mp3",
        "audio_duration": 25,
    }
    return {**answer, "language_code": "en_us", "utterances": None, **members}


def utterance(speaker: str | None, *words: dict[str, Any], **more: Any) -> dict[str, Any]:
    text = " ".join(w["text"] for w in words)
    start, end = words[0]["start"], words[-1]["end"]
    return {"speaker": speaker, "text": text, "start": start, "end": end, "words": list(words), **more}


def test_utterances_are_turns() -> None:
    spoken = [
        utterance("A", word("Any", 250, 400, "A"), word("questions?", 400, 900, "A")),
        utterance("B", word("None.", 1000, 1300, "B")),
        utterance("B", word("Thanks.", 4000, 4500, "B")),
    ]
    transcript = read_one(FORMAT, assemblyai(text="Any questions? None. Thanks.", utterances=spoken))
    assert lines(transcript) == [("A", "Any questions?"), ("B", "None."), ("B", "Thanks.")]
    assert spans(transcript) == [(0.25, 0.9), (1.0, 1.3), (4.0, 4.5)]
    assert transcript.turns[0].marks == ((0, 0.25), (4, 0.4))
    assert transcript.details.language == "en"
    assert transcript.details.attributes == {"duration": "25"}


def test_flat_words_without_speakers() -> None:
    words = [word("So", 0, 200), word("it", 200, 300), word("began.", 300, 700)]
    transcript = read_one(FORMAT, assemblyai(text="So it began.", words=words))
    assert (lines(transcript), spans(transcript)) == ([(None, "So it began.")], [(0.0, 0.7)])


def test_overlapping_utterances_stay_in_their_order() -> None:
    spoken = [utterance("A", word("Long", 0, 5000, "A")), utterance("B", word("Yes.", 2000, 2400, "B"))]
    transcript = read_one(FORMAT, assemblyai(utterances=spoken))
    assert spans(transcript) == [(0.0, 5.0), (2.0, 2.4)]
    assert transcript.warnings == ()


def test_a_channel_is_a_speaker_where_there_is_no_label() -> None:
    spoken = [
        utterance(None, word("Hi.", 0, 300), channel="1"),
        utterance("2", word("Ho.", 400, 600), channel="2"),
    ]
    assert lines(read_one(FORMAT, assemblyai(utterances=spoken))) == [
        ("Channel 1", "Hi."),
        ("Speaker 2", "Ho."),
    ]


def test_chapters_become_sections() -> None:
    chapters = [
        {"gist": "Smoke", "headline": "Smoke spreads.", "summary": "It does.", "start": 250, "end": 28840},
        {"gist": None, "headline": "Rain comes.", "summary": "At last.", "start": 28840, "end": 60000},
    ]
    transcript = read_one(
        FORMAT, assemblyai(text="Smoke.", words=[word("Smoke.", 250, 700)], chapters=chapters)
    )
    assert transcript.sections == (Section("Smoke", 0.25, 28.84), Section("Rain comes.", 28.84, 60.0))


def test_sentences_and_paragraphs() -> None:
    sentence = {"text": "So it began.", "start": 100, "end": 900, "words": [], "speaker": "A"}
    for holder in ("sentences", "paragraphs"):
        talk = {holder: [sentence], "id": "x", "confidence": 0.9, "audio_duration": 9.0}
        assert spans(read_one(FORMAT, talk)) == [(0.1, 0.9)]


def test_others_that_count_seconds_are_not_taken_for_it() -> None:
    words = [{"text": "So", "start": 0.1, "end": 0.3, "type": "word", "speaker_id": "speaker_0"}]
    talk = {"language_code": "en", "text": "So", "words": words, "audio_duration": 3}
    assert fitting(Source("x", json.dumps(talk))) == []


@pytest.mark.parametrize(
    ("talk", "message"),
    [
        (
            assemblyai(status="error", text=None, words=None, error="no speech"),
            "status: .*found error: no speech",
        ),
        (
            assemblyai(status="processing", text=None),
            "status: expected a completed transcript, found processing",
        ),
        (assemblyai(text="", words=[]), "no words"),
        (assemblyai(words=[word("a", 0, 1) | {"start": "soon"}]), r"words\[0\]\.start: .*'soon'"),
        (assemblyai(utterances=[[]]), r"utterances\[0\]: expected an object, found a list"),
    ],
)
def test_what_is_broken_is_named(talk: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_one(FORMAT, talk)


@pytest.mark.data
@pytest.mark.parametrize("name", ["assemblyai_transcription", "assemblyai_utterances"])
def test_originals(data: Path, name: str) -> None:
    file = data / f"transcript_formats/raw/assemblyai_json/{name}.json"
    original = json.loads(file.read_text())
    transcript = read_one(FORMAT, file.read_text())
    assert_sound(transcript)
    (turn,) = transcript.turns
    assert turn.text == original["text"]
    assert (turn.speaker, turn.start, turn.end) == ("A", 0.17, 25.14)
    assert {second for _, second in turn.marks} >= {w["start"] / 1000 for w in original["words"]}
    assert transcript.details.language == "en"
