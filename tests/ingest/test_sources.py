"""Tests of ``gather``: which files and URLs give transcripts, and which details they get."""

import os
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onrecord.errors import FetchError, FormatError, IngestError, InputError, NotFoundError, OnRecordError
from onrecord.ingest.details import parse_set
from onrecord.ingest.outcomes import Refused, Skipped, TranscriptSource
from onrecord.ingest.sources import Gathering, gather
from onrecord.types import Details, Section, Transcript

VTT = """WEBVTT

00:01.000 --> 00:04.000
<v Ann Lee>Margins fell because freight got dearer.
"""


@pytest.fixture
def talks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder ``talks`` in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "talks").mkdir()
    return tmp_path / "talks"


def put(folder: Path, name: str, content: str | bytes = VTT) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def named(gathering: Gathering) -> tuple[list[str], list[str], list[str]]:
    """Return the names of the transcripts, of the refused files and of the skipped files."""
    outcomes = list(gathering)
    return (
        [outcome.name for outcome in outcomes if isinstance(outcome, TranscriptSource)],
        [outcome.name for outcome in outcomes if isinstance(outcome, Refused)],
        [skipped.name for skipped in gathering.skipped],
    )


def only(*paths: str, **options: object) -> TranscriptSource:
    """Return the only outcome, which must be a transcript's source."""
    (outcome,) = gather(paths, **options)  # type: ignore[arg-type]
    assert isinstance(outcome, TranscriptSource), outcome
    return outcome


def transcript(*paths: str, **options: object) -> Transcript:
    """Return the only transcript."""
    (parsed,) = only(*paths, **options).transcripts()
    return parsed


def refusal(*paths: str, **options: object) -> OnRecordError:
    """Return the error of the only outcome."""
    (outcome,) = gather(paths, **options)  # type: ignore[arg-type]
    if isinstance(outcome, Refused):
        return outcome.error
    with pytest.raises(OnRecordError) as caught:
        outcome.transcripts()
    return caught.value


# ---------------------------------------------------------------- files and folders


def test_a_folder(talks: Path) -> None:
    for name in ("b.vtt", "a.srt", "sub/c.vtt", "README.md", "LICENSE", ".hidden.vtt", "b.mp3", "lost.mp3",
                 "b.yaml", "b.chapters.json", "image.png", "lost.yaml"):  # fmt: skip
        put(
            talks,
            name,
            {"yaml": "title: x", "json": '{"chapters": []}', "png": b"\x89PNG\0\0"}.get(
                name[-4:].strip("."), VTT
            ),
        )
    gathering = gather(["talks"])
    assert len(gathering) == 5
    names, refused, skipped = named(gathering)
    assert names == ["talks/a.srt", "talks/b.vtt", "talks/sub/c.vtt"]
    assert refused == []
    assert skipped == ["talks/image.png", "talks/lost.yaml"]
    reason = gathering.skipped[0].reason
    assert reason.startswith("a PNG image: expected a transcript") and "image.png" not in reason
    assert list(gathering) == [], "a gathering is gone through once"


def test_identity_is_the_absolute_path(talks: Path) -> None:
    put(talks, "a.vtt")
    assert only("talks/../talks/a.vtt").source == (talks / "a.vtt").as_posix()
    assert only("talks").source == (talks / "a.vtt").as_posix()


def test_each_file_once_in_the_order_named(talks: Path) -> None:
    for name in "abc":
        put(talks, f"{name}.vtt")
    names, _, _ = named(gather(["talks/c.vtt", "talks", Path("talks/a.vtt")]))
    assert names == ["talks/c.vtt", "talks/a.vtt", "talks/b.vtt"]


def test_one_broken_file_does_not_stop_the_others(talks: Path) -> None:
    put(talks, "a.vtt")
    put(talks, "b.vtt", b"")
    put(talks, "c.vtt", "WEBVTT\n\n00:01.000 --> soon\nHello")
    put(talks, "d.vtt")
    put(talks, "d.yaml", "date: soon")
    put(talks, "e.vtt")
    errors = {}
    for outcome in gather(["talks"]):
        try:
            if isinstance(outcome, Refused):
                raise outcome.error
            assert outcome.transcripts()[0].turns
        except OnRecordError as error:
            errors[outcome.name] = str(error)
    assert errors.keys() == {"talks/b.vtt", "talks/c.vtt", "talks/d.vtt"}
    assert errors["talks/d.vtt"].startswith("talks/d.yaml, date: expected a date such as")


def test_a_file_that_vanishes_is_refused_and_the_next_is_read(talks: Path) -> None:
    put(talks, "a.vtt")
    put(talks, "b.vtt")
    gathering = gather(["talks"])
    (talks / "a.vtt").unlink()
    assert named(gathering) == (["talks/b.vtt"], ["talks/a.vtt"], [])


@pytest.mark.parametrize(
    "name", ["data.json", "page.html", "table.csv", "notes.xml", "script.py", "noise.bin"]
)
def test_what_is_no_transcript_is_skipped_in_a_folder_and_refused_by_itself(talks: Path, name: str) -> None:
    contents = {
        "data.json": '{"a": [{"b": 1}]}',
        "page.html": "<html><body></body></html>",
        "table.csv": "",
        "notes.xml": "<?xml version='1.0'?><opml></opml>",
        "script.py": "import os\n\n\ndef main() -> None:\n    print(os.name)\n",
        "noise.bin": bytes(range(256)) * 9,
    }
    put(talks, name, contents[name])
    if name not in ("page.html", "script.py"):
        assert isinstance(refusal(f"talks/{name}"), FormatError)
    gathering = gather(["talks"])
    if name == "page.html":
        return
    assert named(gathering) == ([], [], [f"talks/{name}"])


def test_content_goes_before_names(talks: Path) -> None:
    put(talks, "captions.txt.bak", VTT)
    put(talks, "a.json", VTT)
    assert named(gather(["talks"]))[0] == ["talks/a.json", "talks/captions.txt.bak"]


def test_shells_expand_talks_star_to_everything_there(talks: Path) -> None:
    for name in ("a.vtt", "a.mp3", "a.yaml", "a.chapters.txt", "README.md", "manifest.csv"):
        put(
            talks,
            name,
            {"vtt": VTT, "csv": "file,show\na.vtt,Desk\n", "yaml": "title: x"}.get(name.split(".")[-1], ""),
        )
    paths = sorted(path.relative_to(talks.parent).as_posix() for path in talks.iterdir())
    gathering = gather(paths)
    assert named(gathering) == (["talks/a.vtt"], [], ["talks/README.md", "talks/manifest.csv"])
    assert "--manifest" in gathering.skipped[1].reason


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.mp3", b"ID3", "talks/a.mp3: audio or video: transcribe it and add the transcript"),
        ("a.yaml", "title: x", "talks/a.yaml: details of a transcript that is not beside them"),
        ("a.json", '{"title": "x"}', "talks/a.json: details of a transcript that is not beside them"),
        ("c.json", '{"chapters": [{"startTime": 0}]}', "talks/c.json: chapters of a transcript that is not"),
    ],
)
def test_what_is_only_part_of_a_recording(talks: Path, name: str, content: str, message: str) -> None:
    put(talks, name, content)
    error = refusal(f"talks/{name}")
    assert isinstance(error, InputError)
    assert str(error).startswith(message)


def test_details_named_alone_and_an_empty_folder(talks: Path) -> None:
    put(talks, "a.vtt")
    put(talks, "a.yaml", "title: x")
    gathering = gather(["talks/a.yaml"])
    assert named(gathering) == ([], [], ["talks/a.yaml"])
    (talks / "empty").mkdir()
    gathering = gather(["talks/empty"])
    assert named(gathering) == ([], [], ["talks/empty"])
    assert "no transcript in it" in gathering.skipped[0].reason


def test_a_path_that_is_not_there_suggests_what_is_near(talks: Path) -> None:
    put(talks, "margins.vtt")
    error = refusal("talks/margin.vtt")
    assert isinstance(error, NotFoundError)
    assert str(error) == "talks/margin.vtt: no such file or folder; did you mean 'talks/margins.vtt'?"
    assert "the folder tlaks is not there either" in str(refusal("tlaks/a.vtt"))


@pytest.mark.parametrize("path", ["", "a\0b", "x" * 5000])
def test_paths_that_cannot_be(talks: Path, path: str) -> None:
    assert isinstance(refusal(path), (InputError, IngestError))


def test_names_that_are_not_utf8(talks: Path) -> None:
    put(talks, os.fsdecode(b"caf\xe9.vtt"))
    outcome = only("talks")
    assert outcome.name == "talks/caf\\xe9.vtt"
    assert outcome.transcripts()[0].details.title == "Caf\\xe9"


def test_too_large(talks: Path) -> None:
    with (talks / "a.vtt").open("wb") as file:
        file.truncate((64 << 20) + 1)
    assert "67,108,865 bytes, but at most 67,108,864 are read" in str(refusal("talks"))


# ---------------------------------------------------------------- details


TURN = "**Ann:** Freight got dearer.\n"
LAYERS: list[tuple[str, Callable[[Path], None]]] = [
    ("--set", lambda talks: None),
    ("option", lambda talks: put(talks.parent, "m.csv", "file,title,show\ntalks/a.md,option,option\n")),
    ("manifest", lambda talks: put(talks, "manifest.csv", "file,title\na.md,manifest\n")),
    ("upper", lambda talks: put(talks.parent, "manifest.yaml", "talks/a.md:\n  title: upper")),
    ("sidecar", lambda talks: put(talks, "a.yaml", "title: sidecar\nshow: sidecar")),
    ("front", lambda talks: put(talks, "a.md", "---\ntitle: front\n---\n# heading\n\n" + TURN)),
    ("heading", lambda talks: put(talks, "a.md", "# heading\n\n" + TURN)),
    ("A", lambda talks: put(talks, "a.md", TURN)),
]  # fmt: skip


@pytest.mark.parametrize("first", range(len(LAYERS)))
def test_what_goes_ahead_of_what(talks: Path, first: int) -> None:
    """Check the precedence of the sources of a title, from ``--set`` down to the file name."""
    for _, lay in reversed(LAYERS[first:]):
        lay(talks)
    options: dict[str, object] = {}
    if first <= 0:
        options["set"] = parse_set(["title=--set"])
    if first <= 1:
        options["manifest"] = Path("m.csv")
    parsed = transcript(".", **options)
    assert parsed.details.title == LAYERS[first][0]
    if first <= 1:
        assert parsed.details.attributes["show"] == "option"


def test_front_matter_in_another_encoding_keeps_line_numbers(talks: Path) -> None:
    text = "---\ntitle: Café\n---\n\nAnn: Freight got dearer.\n"
    for encoding in ("utf-8-sig", "utf-16", "cp1252"):
        put(talks, "a.txt", text.encode(encoding))
        parsed = transcript("talks/a.txt")
        assert parsed.details.title == "Café"
        assert "Freight" in parsed.turns[0].text
    assert any("Windows-1252" in warning for warning in parsed.warnings)


def test_media_and_chapters_beside(talks: Path) -> None:
    put(talks, "a.vtt")
    put(talks, "a.mp3", b"")
    put(talks, "a.chapters.txt", "0:00 Freight\n")
    parsed = transcript("talks")
    assert parsed.details.media == (talks / "a.mp3").as_posix()
    assert parsed.sections == (Section("Freight", 0.0, None),)


def test_media_of_details_is_found_from_where_it_is_said(talks: Path) -> None:
    put(talks, "a.vtt")
    put(talks, "a.mp3", b"")
    put(talks, "a.yaml", "media: ../audio/a.mp3")
    assert transcript("talks").details.media == (talks.parent / "audio" / "a.mp3").as_posix()
    given = Details(media="b.mp3")
    assert transcript("talks", set=given).details.media == (talks.parent / "b.mp3").as_posix()
    given = Details(media="https://example.com/b.mp3")
    assert transcript("talks", set=given).details.media == "https://example.com/b.mp3"


def test_own_json_with_several_recordings(talks: Path) -> None:
    one = '{"part": "%s", "details": {"title": "%s"}, "turns": [{"text": "Hello there."}]}'
    put(talks, "all.json", f'{{"onrecord": 1, "recordings": [{one % ("a", "One")}, {one % ("b", "Two")}]}}')
    put(talks, "all.yaml", "show: Desk")
    first, second = only("talks").transcripts()
    assert (first.part, second.part) == ("a", "b")
    assert (first.details.title, second.details.title) == ("One", "Two")
    assert first.details.attributes == second.details.attributes == {"show": "Desk"}


# ---------------------------------------------------------------- manifests


def test_a_manifest_row_of_a_file_that_is_not_there(talks: Path) -> None:
    put(talks, "a.vtt")
    put(talks, "manifest.csv", "file,title\na.vtt,A\nb.vtt,B\n,C\n")
    gathering, refused = gather(["talks"]), []
    for outcome in gathering:
        if isinstance(outcome, Refused):
            refused.append(str(outcome.error))
    assert refused == [
        "talks/manifest.csv, row 3: the file b.vtt is not there",
        "talks/manifest.csv, row 4, file: expected the file's name, found nothing",
    ]


def test_a_name_that_no_file_can_have_is_not_there(talks: Path) -> None:
    (talks / "manifest.yaml").write_text('- file: "a\\ud800.vtt"\n')
    names = [each.name for each in gather([talks]) if isinstance(each, Refused)]
    assert names == [f"{talks}/manifest.yaml, entry 1"]
    (missing,) = gather(["a\ud800.vtt"])
    assert isinstance(missing, Refused) and "\\ud800" in missing.name


def test_a_bad_row_refuses_its_file(talks: Path) -> None:
    put(talks, "a.vtt")
    put(talks, "b.vtt")
    put(talks, "manifest.csv", "file,date\na.vtt,03/04/2024\nb.vtt,2024\n")
    assert named(gather(["talks"])) == (["talks/b.vtt"], ["talks/a.vtt"], [])


def test_a_broken_manifest_does_not_stop_files(talks: Path) -> None:
    put(talks, "a.vtt")
    put(talks, "manifest.csv", "name\n")
    assert named(gather(["talks"])) == (["talks/a.vtt"], ["talks/manifest.csv"], [])


def test_a_manifest_that_was_asked_for_must_be_whole(talks: Path) -> None:
    put(talks, "a.vtt")
    put(talks, "m.csv", "name\n")
    with pytest.raises(FormatError, match=r"m.csv, row 1: expected a column named file"):
        gather(["talks/a.vtt"], manifest=talks / "m.csv")
    with pytest.raises(NotFoundError):
        gather(["talks"], manifest=Path("no.csv"))


def test_rows_of_a_named_manifest(talks: Path) -> None:
    put(talks, "a.vtt")
    put(talks, "b.vtt")
    put(talks, "m.csv", "file,title\na.vtt,Margins\nb.vtt,Not asked for\nmissing.vtt,x\n")
    source, refused = gather(["talks/a.vtt"], manifest=Path("talks/m.csv"))
    assert isinstance(source, TranscriptSource) and source.transcripts()[0].details.title == "Margins"
    assert isinstance(refused, Refused)
    assert str(refused.error) == "talks/m.csv, row 4: the file missing.vtt is not there"
    manifest = talks / "manifest.csv"
    (talks / "m.csv").rename(manifest)
    assert named(gather(["talks"], manifest=manifest))[1] == [f"{manifest}, row 4"], "read once"


def test_the_manifest_of_a_files_folder_applies_to_it_alone(talks: Path) -> None:
    put(talks, "a.vtt")
    put(talks, "manifest.csv", "file,title\na.vtt,Margins\nmissing.vtt,x\n")
    assert transcript("talks/a.vtt").details.title == "Margins"


# ---------------------------------------------------------------- checksums


def test_the_checksum_changes_with_words_details_and_chapters(talks: Path) -> None:
    put(talks, "a.vtt")
    seen = [only("talks").checksum]
    assert only("talks/a.vtt").checksum == seen[0], "and with nothing else"
    put(talks, "a.yaml", "title: x")
    seen.append(only("talks").checksum)
    put(talks, "a.chapters.txt", "0:00 Freight")
    seen.append(only("talks").checksum)
    put(talks, "a.mp3", b"")
    seen.append(only("talks").checksum)
    seen.append(only("talks", set=parse_set(["show=x"])).checksum)
    put(talks, "a.vtt", VTT.replace("Margins", "Prices"))
    seen.append(only("talks").checksum)
    assert len(set(seen)) == 6


def test_the_order_of_columns_is_no_change(talks: Path) -> None:
    """Check that a reordered manifest gives the same checksum."""
    put(talks, "a.vtt")
    put(talks, "manifest.csv", "file,show,bank\na.vtt,x,y\n")
    before = only("talks").checksum
    put(talks, "manifest.csv", "bank,file,show\ny,a.vtt,x\n")
    assert only("talks").checksum == before


# ---------------------------------------------------------------- addresses


def test_an_address_needs_fetch() -> None:
    assert "name files by path" in str(refusal("file:///etc/passwd"))
    error = refusal("https://desk.example/a.vtt")
    assert isinstance(error, FetchError)
    assert str(error) == "https://desk.example/a.vtt: --fetch downloads it"


def test_a_transcript_at_an_address() -> None:
    outcome = only("https://desk.example/x/night-desk.vtt?k=1", fetch=lambda url: VTT.encode())
    assert outcome.source == "https://desk.example/x/night-desk.vtt?k=1"
    assert outcome.transcripts()[0].details.title == "Night desk"


def test_this_machine_is_closed_to_addresses() -> None:
    """Check that a URL on loopback is refused."""
    assert isinstance(refusal("http://127.0.0.1:1/a.vtt", fetch=True), FetchError)


# ---------------------------------------------------------------- properties

NAMES = st.sampled_from(
    ["a.vtt", "a.json", "a.yaml", "manifest.csv", "manifest.yaml", "b.xml", "c.txt", "a.chapters.json", "d"]
)
HEADS = st.sampled_from(
    [b"", b"WEBVTT\n\n", b"<rss>", b"---\ntitle: ", b"file,title\n", b"{", b"1\n00:00:01,000 --> "]
)


@settings(deadline=None)  # the first examples take longer: they import the readers
@given(st.dictionaries(NAMES, st.builds(bytes.__add__, HEADS, st.binary(max_size=30)), max_size=5))
def test_any_folder_gives_transcripts_or_errors(files: dict[str, bytes]) -> None:
    with TemporaryDirectory() as root:
        for name, data in files.items():
            Path(root, name).write_bytes(data)
        gathering = gather([root])
        for outcome in gathering:
            if isinstance(outcome, Refused):
                assert str(outcome.error)
                continue
            try:
                assert all(parsed.turns for parsed in outcome.transcripts())
            except OnRecordError as error:
                assert str(error)
        assert all(isinstance(skipped, Skipped) and skipped.reason for skipped in gathering.skipped)
