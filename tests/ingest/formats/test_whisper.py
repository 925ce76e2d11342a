"""Tests of the reader of the JSON that Whisper and its variants write."""

import json
from pathlib import Path
from typing import Any

import pytest
from reading import assert_sound, fitting, lines, read_one, spans

from onrecord.errors import FormatError
from onrecord.ingest.formats.base import Source
from onrecord.ingest.formats.whisper import FORMAT


def word(text: str, start: float, end: float, **more: Any) -> dict[str, Any]:
    return {"word": text, "start": start, "end": end, "probability": 0.9, **more}


def test_openai_whisper_without_word_times() -> None:
    talk = {
        "text": " Prices fell. Nobody knew why.",
        "segments": [
            {"id": 0, "seek": 0, "start": 0.0, "end": 2.0, "text": " Prices fell.", "tokens": [50364, 1]},
            {"id": 1, "seek": 0, "start": 3.0, "end": 4.5, "text": " Nobody knew why.", "tokens": [2]},
        ],
        "language": "en",
    }
    transcript = read_one(FORMAT, talk)
    (turn,) = transcript.turns
    assert turn.text == "Prices fell. Nobody knew why."
    assert turn.marks == ((0, 0.0), (12, 2.0), (13, 3.0))
    assert (turn.start, turn.end, turn.speaker) == (0.0, 4.5, None)
    assert (transcript.details.language, transcript.format) == ("en", "whisper")


def test_words_carry_their_own_spaces_and_hyphens() -> None:
    words = [
        word(" A", 0.0, 0.2),
        word(" well", 0.2, 0.4),
        word("-known", 0.4, 0.7),
        word(" 5", 0.8, 1.0),
        word("%", 1.0, 1.2),
        word(" cut.", 1.3, 1.6),
    ]
    talk = {"segments": [{"start": 0.0, "end": 1.6, "text": " A well-known 5% cut.", "words": words}]}
    (turn,) = read_one(FORMAT, talk).turns
    assert turn.text == "A well-known 5% cut."
    assert turn.marks == ((0, 0.0), (2, 0.2), (6, 0.4), (13, 0.8), (14, 1.0), (16, 1.3))


def test_chinese_words_stand_without_spaces() -> None:
    words = [word("今天", 0.0, 0.4), word("天气", 0.4, 0.8), word("很好。", 0.8, 1.2)]
    (turn,) = read_one(
        FORMAT, {"segments": [{"start": 0, "end": 2, "text": "今天天气很好。", "words": words}]}
    ).turns
    assert turn.text == "今天天气很好。"
    assert turn.marks == ((0, 0.0), (2, 0.4), (4, 0.8))


def test_whisperx_speakers_change_within_a_segment() -> None:
    segment = {
        "start": 0.1,
        "end": 3.0,
        "text": " Ready? In 2014, yes.",
        "speaker": "SPEAKER_01",
        "words": [
            {"word": "Ready?", "start": 0.1, "end": 0.5, "score": 0.9, "speaker": "SPEAKER_00"},
            {"word": "In", "start": 1.0, "end": 1.2, "score": 0.9, "speaker": "SPEAKER_01"},
            {"word": "2014,"},
            {"word": "yes.", "start": 2.0, "end": 2.4, "score": 0.9, "speaker": "SPEAKER_01"},
        ],
    }
    transcript = read_one(
        FORMAT, {"segments": [segment], "word_segments": segment["words"], "language": "en"}
    )
    assert lines(transcript) == [("SPEAKER_00", "Ready?"), ("SPEAKER_01", "In 2014, yes.")]
    assert spans(transcript) == [(0.1, 0.5), (1.0, 2.4)]


def test_whisperx_word_segments_alone() -> None:
    talk = {
        "word_segments": [
            {"word": "Good", "start": 0.5, "end": 0.7},
            {"word": "day.", "start": 0.7, "end": 1},
        ]
    }
    assert lines(read_one(FORMAT, talk)) == [(None, "Good day.")]


def test_whisper_timestamped_words_without_punctuation_and_disfluencies() -> None:
    words = [
        {"text": "Well", "start": 0.0, "end": 0.3, "confidence": 0.9},
        {"text": "[*]", "start": 0.3, "end": 0.6, "confidence": 0.0},
        {"text": "no", "start": 0.7, "end": 1.0, "confidence": 0.9},
    ]
    talk = {
        "text": "Well, no.",
        "segments": [{"start": 0.0, "end": 1.0, "text": " Well, no.", "words": words}],
    }
    (turn,) = read_one(FORMAT, talk).turns
    assert (turn.text, turn.marks) == ("Well, no.", ((0, 0.0), (6, 0.7)))


def test_the_text_is_kept_where_its_words_are_others() -> None:
    """Check that the text of a segment wins over a word list that differs, with a warning."""
    words = [
        word(" Erected", 1.0, 1.5, speaker="A"),
        word(" by", 1.5, 1.6, speaker="A"),
        word(" ham.", 1.6, 2.0),
    ]
    segment = {"start": 1.0, "end": 2.0, "text": " Corrected by hand.", "words": words}
    transcript = read_one(FORMAT, {"segments": [segment]})
    (turn,) = transcript.turns
    assert (turn.speaker, turn.text, turn.marks) == ("A", "Corrected by hand.", ((0, 1.0), (10, 1.5)))
    assert transcript.warnings == (
        "one text has other words than the word list beside it: onrecord kept the text",
    )
    segment["words"] = [word(" Nothing", 1.2, 1.5, speaker="A")]
    transcript = read_one(FORMAT, {"segments": [segment, segment]})
    assert lines(transcript) == [("A", "Corrected by hand. Corrected by hand.")]
    assert spans(transcript) == [(1.0, 2.0)]
    assert transcript.warnings[0].startswith("2 texts have other words")


def test_faster_whisper_dumps_a_list_of_segments() -> None:
    talk = [
        {
            "id": 1,
            "seek": 10,
            "start": 0.06,
            "end": 2.5,
            "text": " One.",
            "words": [word(" One.", 0.06, 2.5)],
        },
        {"id": 2, "seek": 10, "start": 2.5, "end": 3.5, "text": " Two.", "words": None},
    ]
    assert lines(read_one(FORMAT, talk)) == [(None, "One. Two.")]


def test_lists_of_segments_with_durations_or_in_milliseconds() -> None:
    text = "so the prices fell again"
    captions = [{"text": text, "start": 1.5, "duration": 2.0}, {"text": "yes", "start": 3.0, "duration": 1.0}]
    assert spans(read_one(FORMAT, captions)) == [(1.5, 4.0)]
    counted = [{"speaker": "A", "text": text, "start": 1500, "end": 3500}]
    assert spans(read_one(FORMAT, counted)) == [(1.5, 3.5)]


def cpp(text: str, start: int, end: int, **more: Any) -> dict[str, Any]:
    clock = {"from": f"00:00:0{start // 1000},000", "to": f"00:00:0{end // 1000},000"}
    return {"timestamps": clock, "offsets": {"from": start, "to": end}, "text": text, **more}


def whisper_cpp(*segments: dict[str, Any]) -> dict[str, Any]:
    return {
        "systeminfo": "AVX = 1",
        "model": {"type": "base", "multilingual": True},
        "params": {"model": "ggml-base.bin", "language": "auto", "translate": False},
        "result": {"language": "fr"},
        "transcription": list(segments),
    }


def test_whisper_cpp_segments() -> None:
    transcript = read_one(FORMAT, whisper_cpp(cpp(" Bonjour à tous.", 500, 2000), cpp(" Merci.", 2000, 3000)))
    assert lines(transcript) == [(None, "Bonjour à tous. Merci.")]
    assert spans(transcript) == [(0.5, 3.0)]
    assert transcript.details.language == "fr"


def test_whisper_cpp_tokens_make_words() -> None:
    tokens = [
        cpp("[_BEG_]", 0, 0),
        cpp(" Mon", 0, 200),
        cpp("ro", 200, 400),
        cpp(" grew", 500, 800),
        cpp(".", 800, 900),
        cpp("[_TT_50]", 1000, 1000),
    ]
    (turn,) = read_one(FORMAT, whisper_cpp(cpp(" Monro grew.", 0, 1000, tokens=tokens))).turns
    assert (turn.text, turn.marks, turn.end) == ("Monro grew.", ((0, 0.0), (6, 0.5)), 0.9)


def test_whisper_cpp_clock_times_where_there_are_no_offsets() -> None:
    segment = {"timestamps": {"from": "00:01:00,500", "to": "00:01:02,000"}, "text": " Hi."}
    assert spans(read_one(FORMAT, whisper_cpp(segment))) == [(60.5, 62.0)]


def test_whisper_cpp_speakers_and_turns() -> None:
    labelled = whisper_cpp(cpp(" Hi.", 0, 1000, speaker="0"), cpp(" Yes?", 1000, 2000, speaker="?"))
    assert lines(read_one(FORMAT, labelled)) == [("Speaker 0", "Hi."), (None, "Yes?")]
    turns = whisper_cpp(cpp(" Hi.", 0, 1000, speaker_turn_next=True), cpp(" Yes?", 1000, 2000))
    assert lines(read_one(FORMAT, turns)) == [(None, "Hi."), (None, "Yes?")]


def test_whisper_cpp_segments_may_be_pieces_of_words() -> None:
    pieces = [
        cpp(" Mon", 0, 200),
        cpp("ro", 200, 400),
        cpp("'s", 400, 500),
        cpp(" up", 500, 700),
        cpp(".", 700, 800),
    ]
    assert lines(read_one(FORMAT, whisper_cpp(*pieces))) == [(None, "Monro's up.")]


def test_openai_api_words_beside_the_text() -> None:
    talk = {
        "task": "transcribe",
        "language": "english",
        "duration": "3.2",
        "text": "Well, it's $5 – no more.",
        "words": [
            {"word": "Well", "start": 0.0, "end": 0.4},
            {"word": "it's", "start": 0.5, "end": 0.7},
            {"word": "5", "start": 0.8, "end": 1.2},
            {"word": "no", "start": 2.0, "end": 2.2},
            {"word": "more", "start": 2.2, "end": 2.6},
        ],
        "segments": [{"id": 0, "start": 0.0, "end": 3.0, "text": " Well, it's $5 – no more."}],
    }
    transcript = read_one(FORMAT, talk)
    (turn,) = transcript.turns
    assert turn.text == talk["text"]
    assert turn.marks[:3] == ((0, 0.0), (6, 0.5), (11, 0.8))
    assert (transcript.details.language, transcript.details.attributes) == ("en", {"duration": "3.2"})


def test_segments_that_name_speakers_go_before_words_beside_the_text() -> None:
    segments = [{"start": 0.0, "end": 1.0, "text": "Hi.", "speaker": "A"}]
    talk = {"text": "Hi.", "segments": segments, "words": [{"word": "Hi", "start": 0.2, "end": 0.8}]}
    assert lines(read_one(FORMAT, talk)) == [("A", "Hi.")]


def test_openai_api_diarized_and_plain() -> None:
    segments = [
        {"type": "transcript.text.segment", "id": "s1", "start": 0, "end": 1, "speaker": "A", "text": " Hi."}
    ]
    diarized = {"task": "transcribe", "duration": 1.0, "text": "Hi.", "segments": segments}
    assert lines(read_one(FORMAT, diarized)) == [("A", "Hi.")]
    plain = read_one(FORMAT, {"text": "Hi there.", "usage": {"type": "tokens"}})
    assert (lines(plain), spans(plain)) == ([(None, "Hi there.")], [(None, None)])


def test_transformers_chunks_and_speakers() -> None:
    chunks = [{"timestamp": [0.0, 1.5], "text": " So it"}, {"timestamp": [1.5, None], "text": " began."}]
    transcript = read_one(FORMAT, {"text": " So it began.", "chunks": chunks, "speakers": []})
    assert (lines(transcript), spans(transcript)) == ([(None, "So it began.")], [(0.0, 1.5)])
    speakers = [{"speaker": "SPEAKER_00", "timestamp": [0.0, 1.5], "text": " So it began."}]
    transcript = read_one(FORMAT, {"text": " So it began.", "chunks": chunks, "speakers": speakers})
    assert lines(transcript) == [("SPEAKER_00", "So it began.")]


@pytest.mark.parametrize(
    ("talk", "message"),
    [
        ({"segments": [{"start": "abc", "end": 1, "text": "a"}]}, r"segments\[0\]\.start: .*number.*'abc'"),
        ({"segments": [{"start": -1, "end": 1, "text": "a"}]}, r"segments\[0\]\.start: .*-1"),
        ({"segments": [{"start": 0, "end": 1, "text": 7}]}, r"segments\[0\]\.text: expected text, found 7"),
        (
            {"segments": [{"start": 0, "end": 1, "text": "a", "words": [{"word": "a", "start": []}]}]},
            r"segments\[0\]\.words\[0\]\.start: .*a list",
        ),
        ({"segments": [{"start": 0, "end": 1, "text": ""}]}, "no words"),
        ({"text": ""}, "no words"),
        (whisper_cpp(cpp(" a", 0, 1, speaker=True)), r"transcription\[0\]\.speaker: .*true"),
    ],
)
def test_what_is_broken_is_named(talk: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_one(FORMAT, talk)


def test_a_file_that_breaks_off_is_recognised_and_named() -> None:
    text = json.dumps({"segments": [{"start": 0.0, "end": 1.0, "text": " One"}]})[:-9]
    source = Source("cut.json", text)
    assert fitting(source) == ["whisper"]
    with pytest.raises(FormatError, match=r"cut\.json, line 1, column \d+: expected JSON"):
        FORMAT.read(source)


@pytest.mark.data
def test_whisper_timestamped_original(data: Path) -> None:
    file = data / "transcript_formats/raw/whisper_timestamped_json/whisper_timestamped.json"
    transcript = read_one(FORMAT, file.read_text())
    assert_sound(transcript)
    (turn,) = transcript.turns
    original = json.loads(file.read_text())
    assert turn.text == " ".join(original["text"].split())
    assert (turn.start, turn.end, turn.speaker) == (0.12, 25.32, None)
    assert {second for _, second in turn.marks} >= {
        w["start"] for s in original["segments"] for w in s["words"]
    }
    assert transcript.details.language == "en"
    assert transcript.warnings == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"speaker_name": "Ann"}, {"speaker_name": "Bo"}),
        ({"speaker_label": "Ann"}, {"speaker_label": "Bo"}),
        ({"participant_name": "Ann"}, {"participant_name": "Bo"}),
        ({"speaker": {"id": 1, "name": "Ann"}}, {"speaker": {"id": 2, "name": "Bo"}}),
        ({"speaker": 0, "speaker_name": "Ann"}, {"speaker": 1, "speaker_name": "Bo"}),
        ({"speaker_id": "x7", "speakerName": "Ann"}, {"speaker_id": "x8", "speakerName": "Bo"}),
    ],
)
def test_speaker_under_any_key_of_tables(one: dict[str, Any], other: dict[str, Any]) -> None:
    segments = [
        {"start": 0.0, "end": 1.0, "text": " Hello: Bo.", **one},
        {"start": 1.0, "end": 2.0, "text": " Hi.", **other},
    ]
    spoken = [("Ann", "Hello: Bo."), ("Bo", "Hi.")]
    assert lines(read_one(FORMAT, {"title": "Call", "segments": segments})) == spoken
    for segment in segments:
        segment["words"] = [word(part, 0.0, 1.0) for part in segment["text"].split()]
    assert lines(read_one(FORMAT, {"segments": segments})) == spoken
