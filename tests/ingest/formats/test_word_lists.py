"""Properties of all readers of word lists, for any input."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import FORMATS, assert_sound, fitting

from onrecord.errors import FormatError
from onrecord.ingest.formats.base import Format, Source

KEYS = re.findall(
    r"\w+",
    """
    segments words text word start end speaker monologues elements type value ts end_ts results channels
    alternatives transcript utterances transcription offsets timestamps from to tokens chunks timestamp body
    startTime endTime onrecord turns marks recordings details sections title first last speakers spkid name
    audio_duration status chapters paragraphs sentences language duration word_segments result speaker_info id
    metadata punctuated_word channel part warnings format
    """,
)

leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(
        ["", "a", " b", "completed", "1.5", "-1", "nan", "00:00:01,500", "text", "\ud800", "\x00"]
    )
    | st.just(10**400)
)
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=25,
)


def read_or_refuse(format_: Format, source: Source) -> None:
    """Read a source; accept sound transcripts, or a ``FormatError`` that starts with the source's name."""
    try:
        transcripts = format_.read(source)
    except FormatError as error:
        assert str(error).startswith(source.name)
        return
    for transcript in transcripts:
        assert_sound(transcript)
        assert transcript.turns
        for turn in transcript.turns:
            (turn.text + (turn.speaker or "")).encode()


@given(values)
def test_any_json_is_read_or_refused(value: Any) -> None:
    source = Source("x.json", json.dumps(value))
    fitting(source)
    for format_ in FORMATS:
        read_or_refuse(format_, source)


SHAPES: list[Any] = [
    {
        "segments": [
            {"start": 0.0, "end": 1.0, "text": " a b", "words": [{"word": " a", "start": 0.0, "end": 0.5}]}
        ]
    },
    {"transcription": [{"offsets": {"from": 0, "to": 9}, "text": " a", "tokens": [{"text": " a"}]}]},
    {"text": "a", "chunks": [{"timestamp": [0.0, 1.0], "text": " a"}]},
    {
        "metadata": {},
        "results": {"channels": [{"alternatives": [{"words": [{"word": "a", "start": 0, "end": 1}]}]}]},
    },
    {"audio_duration": 3, "words": [{"text": "a", "start": 0, "end": 1, "speaker": "A"}], "text": "a"},
    {"monologues": [{"speaker": 0, "elements": [{"type": "text", "value": "a", "ts": 0.0, "end_ts": 0.2}]}]},
    {
        "speakers": [{"spkid": "s", "name": "A"}],
        "segments": [{"speaker": "s", "words": [{"text": "a", "start": 0}]}],
    },
    {"version": "1.0.0", "segments": [{"startTime": 0, "endTime": 1, "speaker": "A", "body": "a"}]},
    {"onrecord": 1, "turns": [{"text": "a", "start": 0, "end": 1, "marks": [[0, 0.0]]}]},
]


def places(value: Any) -> list[tuple[Any, Any]]:
    """Return every (container, key) pair of a JSON value."""
    lists = []
    for key in (
        list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    ):
        lists += [(value, key), *places(value[key])]
    return lists


@given(st.sampled_from(SHAPES), st.data())
def test_a_document_with_one_fault_is_read_or_refused(shape: Any, data: st.DataObject) -> None:
    talk = json.loads(json.dumps(shape))
    container, key = data.draw(st.sampled_from(places(talk)))
    container[key] = data.draw(values)
    source = Source("x.json", json.dumps(talk))
    for name in fitting(source):
        read_or_refuse(next(f for f in FORMATS if f.name == name), source)


@pytest.mark.parametrize("shape", SHAPES)
def test_each_shape_is_one_format_whole_or_cut_off(shape: Any) -> None:
    text = json.dumps(shape)
    (name,) = fitting(Source("x", text))
    cut = Source("x", text[:-1])
    if name in fitting(cut):
        with pytest.raises(FormatError, match="line 1, column"):
            next(f for f in FORMATS if f.name == name).read(cut)


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"a":' * 100_000, "1" * 10_000, '{"segments": ' + "9" * 5000 + "}"]
)
def test_deep_nesting_and_endless_numbers_are_refused(text: str) -> None:
    source = Source("x.json", text)
    assert fitting(source) == []
    for format_ in FORMATS:
        with pytest.raises(FormatError):
            format_.read(source)


@pytest.mark.data
def test_originals_are_one_format_at_most(data: Path) -> None:
    for file in (data / "transcript_formats/raw").glob("*/*"):
        names = fitting(Source(file.name, file.read_text()))
        assert len(names) == (
            file.suffix not in (".md", ".html", ".xml", ".srt", ".vtt") and "chapters" not in str(file)
        )
