"""Tests of the JSON of speech services: speakers, words and times in each form that they write."""
# ruff: noqa: E501 - files of others as they write them

import json
from pathlib import Path
from typing import Any

import pytest
from reading_texts import assert_well_made

from onrecord.errors import FormatError
from onrecord.ingest.formats import read
from onrecord.types import Transcript

Row = tuple[str | None, str, float | None, float | None]


def one(value: Any, expected: str, name: str = "talk.json") -> Transcript:
    """Return the only transcript in a JSON value, after checking its format."""
    (transcript,) = read(name, json.dumps(value).encode())
    assert transcript.format == expected
    assert_well_made(transcript)
    return transcript


def rows(transcript: Transcript) -> list[Row]:
    """Return the speaker, text, start and end of each turn."""
    return [(turn.speaker, turn.text, turn.start, turn.end) for turn in transcript.turns]


TWO: list[Row] = [("Ann Lee", "Why did margins fall?", 0.5, 2.0), ("Bo", "Tariffs.", 2.5, 3.0)]


# ---------------------------------------------------------------- Amazon


def item(text: str, start: float | None = None, end: float | None = None, **more: Any) -> dict[str, Any]:
    times = {} if start is None else {"start_time": str(start), "end_time": str(end)}
    kind = "punctuation" if start is None else "pronunciation"
    return {**times, "alternatives": [{"confidence": "0.9", "content": text}], "type": kind, **more}


ITEMS = [item("Why", 0.5, 1.0), item("so", 1.0, 2.0), item("?"), item("Tariffs", 2.5, 3.0), item(".")]
TURNS = [("spk_0", "Why so?", 0.5, 2.0), ("spk_1", "Tariffs.", 2.5, 3.0)]


def amazon(**results: Any) -> dict[str, Any]:
    transcripts = [{"transcript": "Why so? Tariffs."}]
    return {"jobName": "x", "status": "COMPLETED", "results": {"transcripts": transcripts, **results}}


def test_amazon_tells_speakers_by_segments() -> None:
    labels = [
        {
            "speaker_label": "spk_0",
            "items": [{"start_time": s, "speaker_label": "spk_0"} for s in ("0.5", "1.0")],
        },
        {"speaker_label": "spk_1", "items": [{"start_time": "2.5", "speaker_label": "spk_1"}]},
    ]
    value = amazon(items=ITEMS, speaker_labels={"speakers": 2, "segments": labels}, language_code="en-US")
    transcript = one(value, "aws")
    assert rows(transcript) == TURNS
    assert transcript.details.language == "en"
    assert transcript.turns[0].marks == ((0, 0.5), (4, 1.0))


def test_amazon_tells_speakers_in_each_item() -> None:
    labelled = [each | {"speaker_label": "spk_0" if at < 3 else "spk_1"} for at, each in enumerate(ITEMS)]
    assert rows(one(amazon(items=labelled), "aws")) == TURNS


def test_amazon_tells_channels_apart() -> None:
    channels = [{"channel_label": "ch_0", "items": ITEMS[:3]}, {"channel_label": "ch_1", "items": ITEMS[3:]}]
    transcript = one(amazon(items=ITEMS, channel_labels={"channels": channels}), "aws")
    assert rows(transcript) == [("ch_0", "Why so?", 0.5, 2.0), ("ch_1", "Tariffs.", 2.5, 3.0)]


def test_amazon_without_speakers_and_without_words() -> None:
    assert rows(one(amazon(items=ITEMS), "aws")) == [(None, "Why so? Tariffs.", 0.5, 3.0)]
    assert rows(one(amazon(), "aws")) == [(None, "Why so? Tariffs.", None, None)]


def test_call_analytics() -> None:
    turns = [
        {
            "ParticipantRole": "AGENT",
            "Content": "Why so?",
            "BeginOffsetMillis": 500,
            "EndOffsetMillis": 2000,
            "Items": [
                {"Content": "Why", "BeginOffsetMillis": 500, "EndOffsetMillis": 1000},
                {"Content": "so?", "BeginOffsetMillis": 1000, "EndOffsetMillis": 2000},
            ],
        },
        {
            "ParticipantRole": "CUSTOMER",
            "Content": "Tariffs.",
            "BeginOffsetMillis": 2500,
            "EndOffsetMillis": 3000,
        },
    ]
    value = {"JobStatus": "COMPLETED", "LanguageCode": "en-US", "Transcript": turns}
    transcript = one(value, "aws")
    assert rows(transcript) == [("AGENT", "Why so?", 0.5, 2.0), ("CUSTOMER", "Tariffs.", 2.5, 3.0)]
    assert transcript.turns[0].marks == ((0, 0.5), (4, 1.0))


def test_a_call_whose_turns_name_participants_alone() -> None:
    turns = [
        {"ParticipantId": "p-1", "Content": "Why so?", "BeginOffsetMillis": 500, "EndOffsetMillis": 2000},
        {"ParticipantId": "CUSTOMER", "Content": "Rain.", "BeginOffsetMillis": 2500, "EndOffsetMillis": 3000},
    ]
    participants = [{"ParticipantId": "p-1", "ParticipantRole": "AGENT"}]
    transcript = one({"Participants": participants, "Transcript": turns}, "aws")
    assert rows(transcript) == [("AGENT", "Why so?", 0.5, 2.0), ("CUSTOMER", "Rain.", 2.5, 3.0)]


def test_post_call_analytics() -> None:
    value = {
        "ConversationAnalytics": {
            "LanguageCode": "en-US",
            "Duration": "3.5",
            "SpeakerLabels": [{"Speaker": "spk_0", "DisplayText": "Ann Lee"}],
        },
        "SpeechSegments": [
            {
                "SegmentStartTime": 0.5,
                "SegmentEndTime": 2.0,
                "SegmentSpeaker": "spk_0",
                "DisplayText": "Why so?",
                "WordConfidence": [{"Text": "Why", "StartTime": 0.5, "EndTime": 1.0}],
            },
            {
                "SegmentStartTime": 2.5,
                "SegmentEndTime": 3.0,
                "SegmentSpeaker": "spk_1",
                "DisplayText": "Tariffs.",
            },
        ],
    }
    assert rows(one(value, "aws")) == [("Ann Lee", "Why so?", 0.5, 2.0), ("spk_1", "Tariffs.", 2.5, 3.0)]


def test_a_job_that_failed() -> None:
    with pytest.raises(FormatError, match="status: expected a completed transcript, found FAILED"):
        one(amazon(items=[]) | {"status": "FAILED"}, "aws")


# ---------------------------------------------------------------- Google


@pytest.mark.parametrize(
    ("start", "end", "write"),
    [
        ("startTime", "endTime", lambda s: f"{s:.3f}s"),
        ("startOffset", "endOffset", lambda s: f"{s}s"),
        ("start_time", "end_time", lambda s: {"seconds": int(s), "nanos": round(s % 1 * 1e9)}),
        ("startTime", "endTime", lambda s: {"seconds": str(int(s)), "nanos": round(s % 1 * 1e9)}),
    ],
)
def test_google_writes_times_in_many_ways(start: str, end: str, write: Any) -> None:
    words = [
        {start: write(0.5), end: write(1.0), "word": "Why"},
        {start: write(1.0), end: write(2.0), "word": "so?"},
    ]
    results = [{"alternatives": [{"transcript": "Why so?", "confidence": 0.9, "words": words}]}]
    for value in ({"results": results}, {"name": "1", "done": True, "response": {"results": results}}):
        assert rows(one(value, "google")) == [(None, "Why so?", 0.5, 2.0)]
    batch = {"results": {"gs://a/b.wav": {"transcript": {"results": results}}}}
    assert rows(one(batch, "google")) == [(None, "Why so?", 0.5, 2.0)]


def test_google_repeats_all_words_with_their_speakers() -> None:
    plain = [{"startTime": "0.500s", "endTime": "2s", "word": "Why?"}]
    more = [{"startTime": "2.500s", "endTime": "3s", "word": "Tariffs."}]
    tagged = [plain[0] | {"speakerTag": 1}, more[0] | {"speakerTag": 2}]
    value = {
        "results": [
            {"alternatives": [{"transcript": "Why?", "words": plain}], "languageCode": "en-us"},
            {"alternatives": [{"transcript": " Tariffs.", "words": more}], "languageCode": "en-us"},
            {"alternatives": [{"words": tagged}]},
        ]
    }
    transcript = one(value, "google")
    assert rows(transcript) == [("Speaker 1", "Why?", 0.5, 2.0), ("Speaker 2", "Tariffs.", 2.5, 3.0)]
    assert transcript.details.language == "en"


def test_google_leaves_out_a_time_of_zero() -> None:
    words = [{"endOffset": "1s", "word": "Why"}, {"startOffset": "1s", "endOffset": "2s", "word": "so?"}]
    value = {"results": [{"alternatives": [{"transcript": "Why so?", "words": words}]}]}
    assert rows(one(value, "google")) == [(None, "Why so?", 0.0, 2.0)]


# ---------------------------------------------------------------- Azure


def test_azure_batch() -> None:
    value = {
        "source": "x",
        "durationInTicks": 35000000,
        "recognizedPhrases": [
            {
                "recognitionStatus": "Success",
                "channel": 0,
                "speaker": 1,
                "offset": "PT0.5S",
                "duration": "PT1.5S",
                "offsetInTicks": 5000000.0,
                "durationInTicks": 15000000.0,
                "nBest": [
                    {
                        "lexical": "why so",
                        "display": "Why so?",
                        "words": [
                            {"word": "why", "offset": "PT0.5S", "duration": "PT0.5S"},
                            {"word": "so", "offset": "PT1S", "duration": "PT1S"},
                        ],
                    }
                ],
            },
            {
                "recognitionStatus": "Success",
                "channel": 0,
                "speaker": 2,
                "offset": "PT2.5S",
                "duration": "PT0.5S",
                "nBest": [{"display": "Tariffs."}],
            },
            {"recognitionStatus": "NoMatch", "channel": 0, "offset": "PT3S", "duration": "PT0.5S"},
        ],
    }
    transcript = one(value, "azure")
    assert rows(transcript) == [("Speaker 1", "Why so?", 0.5, 2.0), ("Speaker 2", "Tariffs.", 2.5, 3.0)]
    assert transcript.turns[0].marks == ((0, 0.5), (4, 1.0))
    assert transcript.details.attributes == {"duration": "3.5"}


def test_azure_fast_transcription() -> None:
    value = {
        "durationMilliseconds": 3500,
        "combinedPhrases": [{"text": "Why so? Tariffs."}],
        "phrases": [
            {
                "offsetMilliseconds": 500,
                "durationMilliseconds": 1500,
                "speaker": 1,
                "text": "Why so?",
                "words": [{"text": "Why", "offsetMilliseconds": 500, "durationMilliseconds": 500}],
                "locale": "en-US",
            },
            {"offsetMilliseconds": 2500, "durationMilliseconds": 500, "speaker": 2, "text": "Tariffs."},
        ],
    }
    transcript = one(value, "azure")
    assert rows(transcript) == [("Speaker 1", "Why so?", 0.5, 2.0), ("Speaker 2", "Tariffs.", 2.5, 3.0)]
    assert transcript.details.language == "en"


def test_azure_channels_are_distinguished() -> None:
    phrases = [
        {
            "channel": channel,
            "offsetInTicks": 1e7 * channel,
            "durationInTicks": 5e6,
            "nBest": [{"display": text}],
        }
        for channel, text in ((0, "Why?"), (1, "Tariffs."))
    ]
    transcript = one({"recognizedPhrases": phrases}, "azure")
    assert rows(transcript) == [("Channel 0", "Why?", 0.0, 0.5), ("Channel 1", "Tariffs.", 1.0, 1.5)]


# ---------------------------------------------------------------- Speechmatics, Watson


def heard(
    text: str, start: float, end: float, speaker: str, kind: str = "word", **more: Any
) -> dict[str, Any]:
    """Return a result as Speechmatics writes it; times are in seconds."""
    alternatives = [{"content": text, "confidence": 1.0, "speaker": speaker}]
    return {"type": kind, "start_time": start, "end_time": end, "alternatives": alternatives, **more}


def test_speechmatics_two() -> None:
    value = {
        "format": "2.9",
        "job": {"duration": 3.5},
        "metadata": {"transcription_config": {"language": "en"}},
        "results": [
            heard("Why", 0.5, 1.0, "S1"),
            heard("so", 1.0, 2.0, "S1"),
            heard("?", 2.0, 2.0, "S1", "punctuation", attaches_to="previous"),
            heard("Tariffs", 2.5, 3.0, "S2"),
            heard(".", 3.0, 3.0, "S2", "punctuation", attaches_to="previous"),
        ],
    }
    transcript = one(value, "speechmatics")
    assert rows(transcript) == [("Speaker 1", "Why so?", 0.5, 2.0), ("Speaker 2", "Tariffs.", 2.5, 3.0)]
    assert transcript.details.language == "en"


def test_speechmatics_one() -> None:
    value = {
        "format": "1.0",
        "job": {"lang": "en-US", "duration": 4},
        "speakers": [
            {"name": "M1", "time": "0.5", "duration": "1.5"},
            {"name": "F2", "time": "2.5", "duration": "1"},
        ],
        "words": [
            {"name": "Why", "time": "0.5", "duration": "0.5", "confidence": "1.0"},
            {"name": "so", "time": "1.0", "duration": "1.0"},
            {"name": ".", "time": "2.0", "duration": "0.0", "confidence": None},
            {"name": "Tariffs", "time": "2.5", "duration": "0.5"},
        ],
    }
    assert rows(one(value, "speechmatics")) == [("M1", "Why so.", 0.5, 2.0), ("F2", "Tariffs", 2.5, 3.0)]


def test_watson() -> None:
    value = {
        "result_index": 0,
        "results": [
            {
                "final": True,
                "alternatives": [
                    {
                        "transcript": "why %HESITATION so tariffs ",
                        "timestamps": [
                            ["why", 0.5, 1.0],
                            ["%HESITATION", 1.0, 1.2],
                            ["so", 1.2, 2.0],
                            ["tariffs", 2.5, 3.0],
                        ],
                    }
                ],
            }
        ],
        "speaker_labels": [
            {"from": 0.5, "to": 1.0, "speaker": 0},
            {"from": 1.0, "to": 1.2, "speaker": 0},
            {"from": 1.2, "to": 2.0, "speaker": 0},
            {"from": 2.5, "to": 3.0, "speaker": 1},
        ],
    }
    expected = [("Speaker 0", "why ... so", 0.5, 2.0), ("Speaker 1", "tariffs", 2.5, 3.0)]
    assert rows(one(value, "watson")) == expected
    assert rows(one({"id": "1", "status": "completed", "results": [value]}, "watson")) == expected


# ---------------------------------------------------------------- other services


def test_elevenlabs() -> None:
    words = [
        {"text": text, "start": start, "end": end, "type": kind, "speaker_id": speaker}
        for text, start, end, kind, speaker in (
            ("Why", 0.5, 1.0, "word", "speaker_0"),
            (" ", 1.0, 1.0, "spacing", "speaker_0"),
            ("so?", 1.0, 2.0, "word", "speaker_0"),
            (" ", 2.0, 2.0, "spacing", "speaker_0"),
            ("(laughs)", 2.0, 2.2, "audio_event", "speaker_0"),
            ("Tariffs.", 2.5, 3.0, "word", "speaker_1"),
        )
    ]
    transcript = one({"language_code": "eng", "text": "...", "words": words}, "elevenlabs")
    assert rows(transcript) == [
        ("Speaker 0", "Why so? (laughs)", 0.5, 2.2),
        ("Speaker 1", "Tariffs.", 2.5, 3.0),
    ]
    assert transcript.details.language == "en"
    channels = {
        "transcripts": [{"channel_index": 0, "words": words[:3]}, {"channel_index": 1, "words": words[5:]}]
    }
    assert [(turn.speaker, turn.text) for turn in one(channels, "elevenlabs").turns] == [
        ("Speaker 0, channel 0", "Why so?"),
        ("Speaker 1, channel 1", "Tariffs."),
    ]


def test_gladia() -> None:
    utterances = [
        {"text": "Why did margins fall?", "start": 0.5, "end": 2.0, "speaker": 0, "channel": 0, "words": []},
        {
            "text": "Tariffs.",
            "start": 2.5,
            "end": 3.0,
            "speaker": 1,
            "words": [{"word": " Tariffs.", "start": 2.5, "end": 3.0}],
        },
    ]
    inner = {"languages": ["en"], "full_transcript": "...", "utterances": utterances}
    for value in (
        {"status": "done", "result": {"metadata": {"audio_duration": 3.5}, "transcription": inner}},
        {"metadata": {"audio_duration": 3.5}, "transcription": inner},
    ):
        transcript = one(value, "gladia")
        assert [(s, t) for s, t, *_ in rows(transcript)] == [
            ("Speaker 0", TWO[0][1]),
            ("Speaker 1", "Tariffs."),
        ]
        assert [(a, b) for *_, a, b in rows(transcript)] == [(0.5, 2.0), (2.5, 3.0)]
    old = [
        {"transcription": "Why?", "time_begin": 0.5, "time_end": 2.0, "speaker": "speaker_0", "words": []},
        {"transcription": "Tariffs.", "time_begin": 2.5, "time_end": 3.0, "speaker": "not_activated"},
    ]
    assert [turn.speaker for turn in one({"prediction": old}, "gladia").turns] == ["speaker_0", None]


def test_fireflies() -> None:
    sentences = [
        {"speaker_name": name, "speaker_id": at, "text": text, "start_time": start, "end_time": end}
        for at, (name, text, start, end) in enumerate(TWO)
    ]
    transcript = one(
        {"data": {"transcript": {"title": "Sync", "date": 1714000000000, "sentences": sentences}}},
        "fireflies",
    )
    assert rows(transcript) == TWO
    assert (transcript.details.title, transcript.details.date) == ("Sync", "2024-04-24")
    assert rows(one({"transcript": {"sentences": sentences}}, "fireflies")) == TWO
    listed = [
        {"sentence": text, "startTime": f"00:0{start}", "endTime": f"00:0{end}", "speaker_name": name}
        for name, text, start, end in TWO
    ]
    assert rows(one(listed, "fireflies")) == TWO


def test_sonix() -> None:
    turns = [
        {"speaker": name, "text": text, "start_time": start, "end_time": end, "words": []}
        for name, text, start, end in TWO
    ]
    assert rows(one({"name": "x.mp3", "language": "en", "transcript": turns}, "sonix")) == TWO


def test_words_and_paragraphs_in_two_lists() -> None:
    words = [("Why", 0.5, 1.0), ("so?", 1.0, 2.0), ("Tariffs.", 2.5, 3.0)]
    value = {
        "words": [{"id": at, "start": s, "end": e, "text": t} for at, (t, s, e) in enumerate(words)],
        "paragraphs": [
            {"start": 0.5, "end": 2.0, "speaker": "Ann Lee"},
            {"start": 2.5, "end": 3.0, "speaker": "Bo"},
        ],
    }
    assert rows(one(value, "paragraphed")) == [("Ann Lee", "Why so?", 0.5, 2.0), ("Bo", "Tariffs.", 2.5, 3.0)]


def test_otranscribe() -> None:
    html = (
        '<p><span class="timestamp" contenteditable="false" data-timestamp="0.5">00:00</span> <b>Ann Lee:</b> Why '
        'did margins fall?</p><p><span class="timestamp" data-timestamp="2.5">00:02</span> <b>Bo:</b> Tariffs.</p>'
    )
    transcript = one({"text": html, "media": "a.mp3", "media-time": 3.0}, "otranscribe", "talk.otr")
    assert [(turn.speaker, turn.text, turn.start) for turn in transcript.turns] == [row[:3] for row in TWO]


@pytest.mark.parametrize("second", ["111111111111111.2", "999999"])
def test_a_time_of_otranscribe_that_is_none_adds_no_words(second: str) -> None:
    html = f'<p><span class="timestamp" data-timestamp="{second}">00:01</span> Why?</p>'
    (turn,) = one({"text": html, "media": "a.mp3"}, "otranscribe", "talk.otr").turns
    assert set(turn.text.replace("?", "").split()) <= {"00:01", "Why"}


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (amazon(items=[item("Why", 0.5, 1.0) | {"start_time": "soon"}]), r"items\[0\]\.start_time"),
        (
            {"recognizedPhrases": [{"offset": "soon", "nBest": [{"display": "a"}]}]},
            r"recognizedPhrases\[0\]\.offset",
        ),
        (
            {"results": [{"final": True, "alternatives": [{"transcript": "a", "timestamps": [["a", 1]]}]}]},
            "timestamps",
        ),
        (
            {"data": {"transcript": {"sentences": [{"speaker_name": "A", "text": 7}]}}},
            r"sentences\[0\]\.text",
        ),
    ],
)
def test_what_is_broken_is_named(value: Any, place: str) -> None:
    with pytest.raises(FormatError, match=place):
        read("talk.json", json.dumps(value).encode())


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "expected", "words", "speakers"),
    [
        ("aws_transcribe.json", "aws", 1791, 0),
        ("pca.json", "aws", 94, 2),
        ("gcp_stt.json", "google", 1767, 0),
        ("azure_batch.json", "azure", 3, 1),
        ("speechmatics_v1.json", "speechmatics", 1791, 3),
        ("speechmatics_v2_batch.json", "speechmatics", 17, 0),
        ("elevenlabs.json", "elevenlabs", 4, 2),
        ("fireflies.json", "fireflies", 10, 2),
        ("gladia.json", "gladia", 8, 2),
        ("sonix.json", "sonix", 4, 2),
        ("otranscribe.otr", "otranscribe", 4, 2),
        ("soleio-dpe.json", "paragraphed", 3580, 2),
        ("bbckaldi_speakers.json", "paragraphed", 1712, 2),
    ],
)
def test_originals(data: Path, name: str, expected: str, words: int, speakers: int) -> None:
    (transcript,) = read(name, (data / "formats_more" / "vendors" / name).read_bytes())
    assert_well_made(transcript)
    assert transcript.format == expected
    assert abs(sum(len(turn.text.split()) for turn in transcript.turns) - words) <= 0.02 * words
    assert len({turn.speaker for turn in transcript.turns} - {None}) == speakers
    assert all(turn.start is not None for turn in transcript.turns)


# ---------------------------------------------------------------- texts and words that differ


def timed(text: str, start: float, end: float, **more: Any) -> dict[str, Any]:
    return {"text": text, "word": text, "start": start, "end": end, **more}


def test_words_beside_an_empty_text_are_read() -> None:
    turn = {"speaker": "Ann", "text": "", "words": [{"text": "Why?", "start_time": 0.5, "end_time": 1.0}]}
    assert rows(one({"transcript": [turn | {"start_time": 0.5}]}, "sonix")) == [("Ann", "Why?", 0.5, 1.0)]
    items = [{"Content": "Why?", "BeginOffsetMillis": 500, "EndOffsetMillis": 1000}]
    call = {"Transcript": [{"ParticipantRole": "AGENT", "Content": "", "Items": items}]}
    assert rows(one(call, "aws")) == [("AGENT", "Why?", 0.5, 1.0)]


@pytest.mark.parametrize(
    ("value", "expected", "speaker"),
    [
        (
            {
                "audio_url": "x",
                "utterances": [
                    timed("Why did it fall?", 500, 2000, speaker="A", words=[timed("Why", 500, 1000)])
                ],
            },
            "assemblyai",
            "A",
        ),
        ({"audio_url": "x", "text": "Why did it fall?", "words": [{"text": "Why", "start": 500, "end": 1000}]}, "assemblyai", None),
        (
            {
                "results": {
                    "channels": [
                        {"alternatives": [{"transcript": "Why did it fall?", "words": [timed("Why", 0.5, 1.0)]}]}
                    ]
                }
            },
            "deepgram",
            None,
        ),
        (
            {
                "results": {
                    "utterances": [
                        timed("", 0.5, 2.0, speaker=0, transcript="Why did it fall?", words=[timed("Why", 0.5, 1.0)])
                    ]
                }
            },
            "deepgram",
            "Speaker 0",
        ),
        ({"words": [timed("Why", 0.5, 1.0)], "segments": [timed("Why did it fall?", 0.5, 2.0)]}, "whisper", None),
    ],
)  # fmt: skip
def test_a_text_with_more_words_than_the_list_beside_it_is_kept(
    value: Any, expected: str, speaker: str | None
) -> None:
    (turn,) = one(value, expected).turns
    assert (turn.speaker, turn.text, turn.start) == (speaker, "Why did it fall?", 0.5)


def test_a_text_with_far_more_words_than_the_list_has_no_speaker() -> None:
    text = "Why did it fall? Rain and wind."
    alternative = {"transcript": text, "words": [timed("Why", 0.5, 1.0, speaker=0)]}
    value = {"results": {"channels": [{"alternatives": [alternative]}]}}
    assert [(turn.speaker, turn.text) for turn in one(value, "deepgram").turns] == [(None, text)]


def test_a_text_that_is_written_unlike_its_words_has_their_times() -> None:
    stamps = [["five", 0.5, 1.0], ["dollars", 1.0, 2.0]]
    value = {"results": [{"final": True, "alternatives": [{"transcript": "$5.00", "timestamps": stamps}]}]}
    assert rows(one(value, "watson")) == [(None, "$5.00", 0.5, 2.0)]


def test_words_of_several_people_count_if_the_text_has_others() -> None:
    stamps = [["five", 0.5, 1.0], ["dollars", 2.5, 3.0]]
    labels = [{"from": start, "to": end, "speaker": at} for at, (_, start, end) in enumerate(stamps)]
    results = [{"final": True, "alternatives": [{"transcript": "$5.00", "timestamps": stamps}]}]
    expected = [("Speaker 0", "five", 0.5, 1.0), ("Speaker 1", "dollars", 2.5, 3.0)]
    assert rows(one({"results": results, "speaker_labels": labels}, "watson")) == expected


def test_an_empty_form_of_the_text_does_not_hide_another_one() -> None:
    sentences = [{"speaker_name": "Ann", "text": "", "raw_text": "Why?", "start_time": 0.5, "end_time": 1.0}]
    assert rows(one({"sentences": sentences}, "fireflies")) == [("Ann", "Why?", 0.5, 1.0)]
    phrase = {"offsetInTicks": 5e6, "durationInTicks": 5e6, "nBest": [{"display": "", "lexical": "why"}]}
    assert rows(one({"recognizedPhrases": [phrase]}, "azure")) == [(None, "why", 0.5, 1.0)]


def test_the_text_of_a_segment_without_words_is_read() -> None:
    speakers = [{"spkid": "1", "name": "Ann"}]
    value = {"speakers": speakers, "segments": [{"speaker": "1", **timed("Why?", 0.5, 1.0), "words": []}]}
    assert rows(one(value, "amberscript")) == [("Ann", "Why?", 0.5, 1.0)]


# ---------------------------------------------------------------- channels and tables of speakers


def google_result(text: str, start: float, channel: int, **more: Any) -> dict[str, Any]:
    words = [{"word": text, "startTime": f"{start}s", "endTime": f"{start + 0.5}s", **more}]
    return {"alternatives": [{"transcript": text, "words": words}], "channelTag": channel}


def test_google_channels() -> None:
    plain = [google_result("Why?", 0.5, 1), google_result("Rain.", 2.5, 2)]
    expected = [("Channel 1", "Why?", 0.5, 1.0), ("Channel 2", "Rain.", 2.5, 3.0)]
    assert rows(one({"results": plain}, "google")) == expected
    tagged = [google_result("Why?", 0.5, 1, speakerTag=1), google_result("Rain.", 2.5, 2, speakerTag=1)]
    transcript = one({"results": plain + tagged}, "google")  # each channel repeats its words with speakers
    assert [turn.text for turn in transcript.turns] == ["Why?", "Rain."]
    assert [turn.speaker for turn in transcript.turns] == ["Speaker 1, channel 1", "Speaker 1, channel 2"]


def test_speechmatics_channels() -> None:
    results = [
        heard("Why", 0.5, 1.0, "S1", channel="agent"),
        heard("so?", 5.0, 6.0, "S1", channel="agent"),
        heard("Rain.", 2.5, 3.0, "S1", channel="caller"),
    ]
    assert rows(one({"results": results}, "speechmatics")) == [
        ("Speaker 1, channel agent", "Why", 0.5, 1.0),
        ("Speaker 1, channel caller", "Rain.", 2.5, 3.0),
        ("Speaker 1, channel agent", "so?", 5.0, 6.0),
    ]


def test_speechmatics_numbers_men_and_women_apart() -> None:
    results = [heard("Why?", 0.5, 1.0, "M1"), heard("Rain.", 2.5, 3.0, "F1")]
    assert [turn.speaker for turn in one({"results": results}, "speechmatics").turns] == ["M1", "F1"]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [({}, ["Channel 0", "Channel 1"]), ({"speaker": 0}, ["Speaker 0, channel 0", "Speaker 0, channel 1"])],
)
def test_utterances_of_several_channels(labels: dict[str, Any], expected: list[str]) -> None:
    utterances = [
        timed(text, start, start + 0.5, transcript=text, channel=channel, **labels)
        for text, start, channel in (("Why?", 0.5, 0), ("Rain.", 2.5, 1))
    ]
    gladia = {"full_transcript": "...", "utterances": utterances}
    for value, name in ((gladia, "gladia"), ({"results": {"utterances": utterances}}, "deepgram")):
        assert [turn.speaker for turn in one(value, name).turns] == expected


def test_a_channel_without_a_number_gives_no_name() -> None:
    words = [timed("Why?", 0.5, 1.0, type="word"), timed("Rain.", 2.5, 3.0, type="word")]
    channels = [{"language_code": "en", "words": [word]} for word in words]
    assert [turn.speaker for turn in one({"transcripts": channels}, "elevenlabs").turns] == [None, None]
    phrases = [
        {"offsetInTicks": at * 1e7, "nBest": [{"display": text}], **channel}
        for at, (text, channel) in enumerate(
            (("Why?", {"channel": 0}), ("Rain.", {"channel": 1}), ("So.", {}))
        )
    ]
    transcript = one({"recognizedPhrases": phrases}, "azure")
    assert [turn.speaker for turn in transcript.turns] == ["Channel 0", "Channel 1", None]


def test_amazon_channels_that_overlap_and_have_speakers() -> None:
    ann = [item("Why", 0.5, 1.0), item("did", 1.0, 2.0), item("so", 2.0, 3.0)]
    bo = [item("Uh", 1.2, 1.4), item("huh", 1.5, 1.8)]
    channels = [{"channel_label": "ch_0", "items": ann}, {"channel_label": "ch_1", "items": bo}]
    labels = [{"speaker_label": "spk_0", "items": [{"start_time": "0.5", "speaker_label": "spk_0"}]}]
    value = amazon(channel_labels={"channels": channels}, speaker_labels={"segments": labels})
    # The list of speakers does not tell the channel that it is about.
    assert rows(one(value, "aws")) == [("ch_0", "Why did so", 0.5, 3.0), ("ch_1", "Uh huh", 1.2, 1.8)]
    empty = [{"channel_label": "ch_0", "items": []}]
    assert (
        rows(one(amazon(channel_labels={"channels": empty}, items=ITEMS), "aws"))[0][1] == "Why so? Tariffs."
    )


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (
            {
                "speakers": [{"name": "Ann Lee"}, {"id": 1, "name": "Bo"}],
                "monologues": [
                    {"elements": [{"type": "text", "value": "Why?"}]},
                    {"speaker": 1, "elements": [{"type": "text", "value": "Rain."}]},
                ],
            },
            "rev",
        ),
        (
            {
                "speakers": [{"spkid": None, "name": "Ann Lee"}, {"spkid": "1", "name": "Bo"}],
                "segments": [
                    {"words": [timed("Why?", 0.5, 1.0)]},
                    {"speaker": 1, "words": [timed("Rain.", 2.5, 3.0)]},
                ],
            },
            "amberscript",
        ),
    ],
)
def test_words_without_a_speaker_have_no_name_from_a_table(value: Any, name: str) -> None:
    value["speakers"].reverse()
    (ann, bo) = one(value, name).turns
    assert (ann.speaker, bo.speaker) == (None, "Bo")


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (
            {
                "words": [timed("Why?", 0.5, 1.0), timed("Rain.", 2.5, 3.0)],
                "paragraphs": [{"start": 0.5, "speaker": "Ann Lee"}, {"speaker": "Bo"}],
            },
            r"paragraphs\[1\]\.start",
        ),
        (
            {
                "words": [{"name": "Why", "time": "0.5", "duration": "0.5"}],
                "speakers": [{"name": "M1", "time": "0.5"}, {"name": "F2"}],
            },
            r"speakers\[1\]\.time",
        ),
    ],
)
def test_a_speaker_without_a_time_is_an_error(value: Any, place: str) -> None:
    with pytest.raises(FormatError, match=place):
        read("talk.json", json.dumps(value).encode())


def test_the_text_of_a_channel_without_words_is_read() -> None:
    words = [timed("Why?", 0.5, 1.0, type="word")]
    channels = [
        {"channel_index": 0, "language_code": "en", "text": "Why?", "words": words},
        {"channel_index": 1, "language_code": "en", "text": "Rain.", "words": []},
    ]
    transcript = one({"transcripts": channels}, "elevenlabs")
    assert {(turn.speaker, turn.text) for turn in transcript.turns} == {
        ("Channel 0", "Why?"),
        ("Channel 1", "Rain."),
    }


def test_azure_text_without_phrases() -> None:
    value = {"combinedPhrases": [{"channel": 0, "text": "Why did margins fall?"}], "phrases": []}
    assert rows(one(value, "azure")) == [(None, "Why did margins fall?", None, None)]
