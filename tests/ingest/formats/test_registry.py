"""Tests of the list of formats, of format detection and of formats that plugins add."""

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import onrecord
from onrecord.errors import FormatError
from onrecord.ingest.formats import FORMATS, base, decode, detect, read, read_source, registry
from onrecord.ingest.formats.base import Format, Source
from onrecord.types import Transcript, Turn

CAPTION = "00:00:01.000 --> 00:00:02.000\nGood morning.\n"


def name_of(name: str, text: str) -> str:
    """Return the name of the format that is detected for a file."""
    return detect(decode(name, text.encode())).name


def test_every_format_has_a_name_of_its_own_and_the_last_takes_what_is_left() -> None:
    names = [each.name for each in FORMATS]
    assert len(set(names)) == len(names) == len(FORMATS)
    assert names[-1] == "text"


def test_every_format_of_every_module_is_listed() -> None:
    files = Path(base.__file__).parent.glob("[!_]*.py")
    modules = [import_module(f"onrecord.ingest.formats.{file.stem}") for file in files]
    values = [value for module in modules for value in vars(module).values()]
    names = {value.name for value in values if isinstance(value, Format)}
    assert names == {listed.name for listed in FORMATS}


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("talk.srt", f"WEBVTT\n\n{CAPTION}", "webvtt"),
        ("talk.vtt", f"1\n{CAPTION}", "subrip"),
        ("talk.txt", f"1\n{CAPTION}", "subrip"),
        ("talk", '{"events": [{"tStartMs": 0, "segs": [{"utf8": "Hi"}]}]}', "youtube"),
        ("talk.txt", "<cite>Ann:</cite>\n<time>0:00</time>\n<p>Good morning.</p>", "html"),
        ("talk.txt", "**Ann:** Good morning.\n", "markdown"),
        ("talk.md", "Ann: Good morning.\n", "markdown"),
        ("talk.txt", "Ann: Good morning.\n", "text"),
        ("talk", "Good morning.", "text"),
        ("talk.md", "1\n00:00:01,000 --> 00:00:02,000\nGood morning.\n", "subrip"),
        ("talk.txt", "[00:00.000 --> 00:02.000]  Good morning.\n", "text"),
    ],
)
def test_content_goes_before_the_name(name: str, text: str, expected: str) -> None:
    assert name_of(name, text) == expected


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("talk.json", '{"hello": 1}', "found JSON with 'hello'"),
        ("talk.txt", '{"hello": 1}', "found JSON with 'hello'"),
        ("talk.json", "[1, 2]", "found other JSON"),
        ("talk.json", '{"segments": [', "line 1, column 15: expected JSON"),
        ("talk.json", "Ann: hello", "expected JSON"),
        ("talk.xml", "<?xml version='1.0'?><Trans><p>Hi</p></Trans>", "of XML ttml, timedtext, elan"),
        (
            "talk.ttml",
            '<?xml version="1.0"?>\n<!DOCTYPE tt [<!ENTITY who "Ann">]>\n<tt><body><p>&who;</p></body></tt>',
            "expected plain XML without entities",
        ),
        ("talk.txt", "1 2 3\n4 5 6", "a transcript with words"),
        ("talk.vtt", "Ann: hello", "talk.vtt, line 1: expected cue times"),
        ("talk.srt", "Ann: hello", "talk.srt, line 1: expected cue times"),
    ],
)
def test_what_is_no_transcript_is_refused(name: str, text: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(name, text.encode())
    assert message in str(error.value)


def test_a_remark_on_the_encoding_becomes_a_warning() -> None:
    (transcript,) = read("talk.txt", "Zoë: déjà vu".encode("cp1252"))
    assert transcript.turns[0].speaker == "Zoë"
    assert "Windows-1252" in transcript.warnings[0]


def test_a_decoded_source_can_be_read() -> None:
    source = decode("talk.txt", b"Ann: Good morning.")
    assert read_source(source) == read("talk.txt", b"Ann: Good morning.")


def test_whatever_a_reader_raises_is_a_fault_of_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that any exception in a reader becomes a ``FormatError`` that names the file."""

    def broken(source: Source) -> tuple[Transcript, ...]:
        raise KeyError("token")

    def unsure(source: Source) -> bool:
        raise RecursionError

    shout = Format("shout", (".shout",), lambda source: source.text.startswith("@@"), broken)
    doubt = Format("doubt", (".doubt",), unsure, broken)
    monkeypatch.setattr(registry, "FORMATS", [doubt, shout, *registry.FORMATS])
    with pytest.raises(
        FormatError, match=r"a\.shout, the whole of it: expected a shout transcript, found KeyError"
    ):
        registry.read("a.shout", b"@@SHOUT")
    assert registry.read("a.txt", b"Ann: Hello.")[0].format == "text"


def fails_late() -> Iterator[Transcript]:
    yield Transcript((Turn("Good morning."),), "shout")
    raise KeyError("token")


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (fails_late, "KeyError: 'token'"),
        (lambda: None, "TypeError"),
        (lambda: (), "no transcript"),
        (lambda: ("Good morning.",), "returned str, no Transcript"),
        (lambda: (Transcript((), "shout"),), "no words"),
        (lambda: (Transcript((Turn(" "),), "shout"),), "no words"),
        (lambda: (Transcript(("Good morning.",), "shout"),), "AttributeError"),  # type: ignore[arg-type]
        (lambda: (Transcript((Turn("Hi.", None, float("nan")),), "shout"),), "an impossible time"),
        (lambda: (Transcript((Turn("Hi.", None, "1.0"),), "shout"),), "TypeError"),  # type: ignore[arg-type]
    ],
)
def test_a_reader_that_returns_no_transcripts_stops_no_other_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, returned: Callable[[], Any], message: str
) -> None:
    shout = Format("shout", (".shout",), lambda source: source.text.startswith("@@"), lambda _: returned())
    monkeypatch.setattr(registry, "FORMATS", [shout, *registry.FORMATS])
    (tmp_path / "a.shout").write_text("@@ GOOD MORNING")
    (tmp_path / "b.txt").write_text("Ann: Good morning.\n")
    archive = onrecord.open(tmp_path / "talks.db", embedding={"model": "hashing"})
    added = archive.add(tmp_path / "a.shout", tmp_path / "b.txt")
    ((name, error),) = added.refused
    assert Path(name).name == "a.shout" and isinstance(error, FormatError)
    assert "expected a shout transcript" in str(error) and message in str(error)
    assert len(added.added) == 1


class Point:
    """A stand-in for a plugin's entry point: it loads an object or raises an error."""

    def __init__(self, name: str, loaded: object) -> None:
        self.name = self.value = name
        self.loaded = loaded

    def load(self) -> object:
        if isinstance(self.loaded, Exception):
            raise self.loaded
        return self.loaded


def test_other_packages_add_formats(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def shouted(source: Source) -> tuple[Transcript, ...]:
        return (Transcript((Turn(source.text[2:].strip()),), "shout"),)

    shout = Format("shout", (".shout",), lambda source: source.text.startswith("@@"), shouted)
    points = [Point("shout", shout), Point("torn", ImportError("no such module")), Point("odd", 7)]
    monkeypatch.setattr(registry, "plugins", lambda group: points if group == "onrecord.formats" else [])
    registry.plugin_formats.cache_clear()
    try:
        assert registry.read("a.shout", b"@@ Margins fell.")[0].format == "shout"
        assert registry.read("a.txt", b"Ann: Hello.")[0].format == "text"
        assert "shout" in [each.name for each in FORMATS]
    finally:
        registry.plugin_formats.cache_clear()
    assert "'torn' of torn cannot be loaded" in caplog.text and "'odd' of odd is no Format" in caplog.text


def test_a_paragraph_with_years_between_commas_is_no_table() -> None:
    text = "On May 7, 2009, the band said that it was over. But on June 23, 2012, it played again.\n"
    for name, before in (("talk.txt", ""), ("talk.md", "---\ntitle: A band\n---\n\n")):
        (transcript,) = read(name, f"{before}{text}".encode())
        assert [turn.text for turn in transcript.turns] == [text.strip()]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "a.json",
            '{"segments": [{"start": 0, "end": 1, "speaker": "Ann\\u202e", "text": "Hi\\u200b \\u202enow"}]}',
        ),
        (
            "a.json",
            '[{"speaker": "Ann\\u200f", "text": "Hi\\u2060 now\\u202c"}, {"speaker": "Bo", "text": "So."}]',
        ),
        (
            "a.ttml",
            '<tt><body><div><p begin="1s" end="2s">Hi&#x200b; &#x202e;now</p></div></body></tt>',
        ),
        ("a.xml", '<transcript><turn speaker="Ann">Hi&#x200b; &#x202e;now</turn></transcript>'),
        ("a.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Hi&#x200b; &#x202e;now</v>\n"),
    ],
)
def test_escapes_bring_in_no_character_that_nobody_sees(name: str, text: str) -> None:
    """Check that a reader leaves out what reorders text or is invisible, however a file writes it."""
    (transcript,) = read(name, text.encode())
    assert transcript.turns[0].text == "Hi now"
    assert transcript.turns[0].speaker in (None, "Ann")
