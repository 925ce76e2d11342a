"""Tests of folders: which files are read, which belong together, and how names and bytes are handled."""

import os
from pathlib import Path

import pytest

from onrecord.errors import IngestError, NotFoundError
from onrecord.ingest.folders import (
    Folder,
    display_path,
    identity,
    is_project_file,
    json_part,
    read_bytes,
    walk,
)

DETAILS = '{"title": "Night Desk", "episode": 12}'
WHISPER = '{"text": "hello", "segments": [{"start": 0, "end": 1, "text": "hello"}], "language": "en"}'


def put(folder: Path, **files: str) -> None:
    """Write files by name; ``__`` in a name stands for a dot."""
    for name, text in files.items():
        path = folder / name.replace("__", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def walked(root: Path) -> list[str]:
    """Return the relative paths of the files below a folder, without those that raise an error."""
    return [path.relative_to(root).as_posix() for path, error in walk(root) if error is None]


# ---------------------------------------------------------------- walking a folder


def test_files_come_by_name_those_of_a_folder_before_those_below(tmp_path: Path) -> None:
    put(tmp_path, **{"b__vtt": "", "a__vtt": "", "z/a__vtt": "", "c/d/e__vtt": "", "c/a__vtt": ""})
    assert walked(tmp_path) == ["a.vtt", "b.vtt", "c/a.vtt", "c/d/e.vtt", "z/a.vtt"]


def test_hidden_files_and_leftovers_are_passed_over(tmp_path: Path) -> None:
    put(tmp_path, **{".hidden": "", ".git/x__vtt": "", "__MACOSX/a__vtt": "", "Thumbs__db": "", "a__vtt": ""})
    (tmp_path / ".MACOSX").rename(tmp_path / "__MACOSX")
    assert walked(tmp_path) == ["a.vtt"]


def test_loops_of_links_end(tmp_path: Path) -> None:
    put(tmp_path, **{"a__vtt": "", "sub/b__vtt": ""})
    (tmp_path / "sub" / "up").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "sub" / "self").symlink_to("self")
    (tmp_path / "again").symlink_to("sub", target_is_directory=True)
    assert walked(tmp_path) == ["a.vtt", "again/b.vtt", "again/self"]


def test_a_folder_that_cannot_be_listed_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, **{"a/a__vtt": "", "b/b__vtt": ""})
    real = os.scandir

    def scandir(path: Path) -> object:
        if path.name == "a":
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    files = list(walk(tmp_path))
    assert [(path.name, error and error.strerror) for path, error in files] == [
        ("a", "Permission denied"),
        ("b.vtt", None),
    ]


# ---------------------------------------------------------------- files that belong to one recording


def test_what_belongs_to_a_transcript(tmp_path: Path) -> None:
    put(
        tmp_path,
        talk__en__vtt="",
        talk__yaml="",
        talk__en__yml="",
        talk__json=DETAILS,
        talk__en__vtt__yaml="",
        talk__chapters__json="",
        talk__mp3="",
        talk__mp4="",
        other__vtt="",
        other__flac__json=WHISPER,
        other__flac="",
    )
    folder = Folder(tmp_path)
    beside = [path.name for path in folder.sidecars("talk.en.vtt")]
    assert beside == ["talk.en.vtt.yaml", "talk.en.yml", "talk.yaml", "talk.json"]
    assert folder.chapters("talk.en.vtt") == tmp_path / "talk.chapters.json"
    assert folder.media("talk.en.vtt") == tmp_path / "talk.mp3"
    assert folder.media("other.flac.json") == tmp_path / "other.flac"
    assert folder.sidecars("other.vtt") == [] and folder.chapters("other.vtt") is None


@pytest.mark.parametrize(
    ("name", "kind", "alone"),
    [
        ("talk.vtt", None, None),
        ("talk.yaml", "details", False),
        ("talk.vtt.yml", "details", False),
        ("talk.json", "details", False),
        ("lost.yaml", "details", True),
        ("talk.chapters.txt", "chapters", False),
        ("lost.chapters.json", "chapters", True),
        ("talk.MP3", "media", False),
        ("lost.mp3", "media", True),
        ("manifest.csv", "manifest", False),
        ("whisper.json", None, None),
        ("alone.json", None, None),
        ("words.rttm", "speakers", False),
        ("alone.rttm", None, None),
    ],
)
def test_what_a_file_is(tmp_path: Path, name: str, kind: str | None, alone: bool | None) -> None:
    """Check the kind of each file in a folder.

    ``alone`` is true if the folder has no transcript that the file belongs to.
    """
    put(tmp_path, talk__vtt="", whisper__vtt="", words__ctm="")
    text = WHISPER if name == "whisper.json" else DETAILS
    (tmp_path / name).write_text(text)
    part = Folder(tmp_path).part(name)
    assert (part and part.kind) == kind
    assert part is None or part.alone == alone


def test_json_that_is_no_transcript() -> None:
    assert json_part("a.json", DETAILS.encode()) == "details"
    assert json_part("a.json", b'{"chapters": [{"startTime": 0, "title": "x"}]}') == "chapters"
    for data in (WHISPER.encode(), b'{"broken', b"\xff\xff", DETAILS.encode() + b" " * (1 << 20)):
        assert json_part("a.json", data) is None
    assert json_part("a.txt", DETAILS.encode()) is None


def test_a_folder_that_is_not_there_has_nothing_beside_its_files(tmp_path: Path) -> None:
    assert Folder(tmp_path / "no").names == frozenset()


@pytest.mark.parametrize("name", ["README.md", "readme", "License.txt", "CHANGELOG.md"])
def test_papers_of_a_project(name: str) -> None:
    assert is_project_file(name)


@pytest.mark.parametrize("name", ["readme-talk.md", "license.vtt", "changelog-300.md"])
def test_what_only_looks_like_papers(name: str) -> None:
    assert not is_project_file(name)


# ---------------------------------------------------------------- file names and contents


def test_names_that_are_not_utf8_can_be_shown_and_kept(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9\x1b.vtt")
    path.write_text("")
    ((name, _),) = walk(tmp_path)
    assert display_path(name.name) == "caf\\xe9.vtt"
    assert identity(name).endswith("/caf\\xe9\x1b.vtt")
    identity(name).encode()
    assert read_bytes(name) == b""


def test_a_name_that_no_file_can_have_can_be_shown() -> None:
    assert display_path("a\ud800.vtt") == "a\\ud800.vtt"


def test_a_file_that_is_gone_belongs_to_nothing(tmp_path: Path) -> None:
    assert Folder(tmp_path).part("gone.rttm") is None


def test_identity_is_one_however_a_path_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert identity("a/../b.vtt") == identity(tmp_path / "b.vtt") == identity("./b.vtt")


def test_reading(tmp_path: Path) -> None:
    put(tmp_path, a__vtt="12345")
    assert read_bytes(tmp_path / "a.vtt", 5) == b"12345"
    with pytest.raises(IngestError, match=r"a.vtt: 5 bytes, but at most 4 are read"):
        read_bytes(tmp_path / "a.vtt", 4)
    with pytest.raises(NotFoundError, match="no such file"):
        read_bytes(tmp_path / "b.vtt")
    with pytest.raises(IngestError, match="not a regular file"):
        read_bytes(tmp_path)


def test_a_gigabyte_is_refused_by_its_size_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (tmp_path / "big.vtt").open("wb") as file:
        file.truncate(1 << 30)
    monkeypatch.setattr(Path, "open", lambda *args: pytest.fail("opened"))
    with pytest.raises(IngestError, match="1,073,741,824 bytes, but at most 67,108,864 are read"):
        read_bytes(tmp_path / "big.vtt")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.vtt")
    with pytest.raises(IngestError, match="not a regular file"):
        read_bytes(tmp_path / "a.vtt")


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, a__vtt="x")

    def closed(*args: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", closed)
    with pytest.raises(IngestError, match="cannot be read: Permission denied; check its permissions"):
        read_bytes(tmp_path / "a.vtt")
