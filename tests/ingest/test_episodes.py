"""Tests of feeds through ``gather``: feeds in folders and at URLs, and the files that each may read."""

import threading
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from onrecord.errors import FetchError, FormatError, OnRecordError
from onrecord.ingest.fetch import Fetcher
from onrecord.ingest.outcomes import Refused, TranscriptSource
from onrecord.ingest.sources import Gathering, gather
from onrecord.types import Details, Section, Transcript

VTT = "WEBVTT\n\n00:01.000 --> 00:04.000\n<v Ann Lee>Margins fell because {} got dearer.\n"
CHAPTERS = '{"version": "1.2.0", "chapters": [{"startTime": 0, "title": "Freight"}]}'


def feed(*items: str, own: str = "") -> str:
    link = f'<atom:link rel="self" href="{own}" xmlns:atom="http://www.w3.org/2005/Atom"/>' if own else ""
    inner = "".join(f"<item>{item}</item>" for item in items)
    return (
        '<rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0">'
        f"<channel><title>Night Desk</title>{link}{inner}</channel></rss>"
    )


def item(number: int, *urls: str, more: str = "") -> str:
    references = "".join(f'<podcast:transcript url="{url}"/>' for url in urls)
    return f"<guid>desk-{number}</guid><title>Episode {number}</title>{references}{more}"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder ``desk`` in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "desk").mkdir()
    return tmp_path / "desk"


def put(folder: Path, name: str, text: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)


def web(pages: dict[str, str]) -> Callable[[str], bytes]:
    """Return a stand-in for the internet: it serves ``pages`` by URL and raises ``FetchError`` for others."""

    def get(url: str) -> bytes:
        if url not in pages:
            raise FetchError(f"{url}: the server answers 404 Not Found")
        return pages[url].encode()

    return get


def read(gathering: Gathering) -> dict[str, Transcript | OnRecordError]:
    """Return the transcript or the error of each outcome, by name."""
    outcomes_by_name: dict[str, Transcript | OnRecordError] = {}
    for outcome in gathering:
        if isinstance(outcome, Refused):
            outcomes_by_name[outcome.name] = outcome.error
        else:
            (outcomes_by_name[outcome.name],) = outcome.transcripts()
    return outcomes_by_name


# ---------------------------------------------------------------- feeds in a folder


def test_a_feed_and_its_files_are_one_thing(desk: Path) -> None:
    """Check that a feed's local transcripts, chapters and media become recordings once, through the feed."""
    put(
        desk,
        "show.xml",
        feed(item(1, "1.vtt", more='<podcast:chapters url="1.json"/>'), item(2, "sub/2.vtt")),
    )
    put(desk, "1.vtt", VTT.format("freight"))
    put(desk, "1.json", CHAPTERS)
    put(desk, "1.mp3", "")
    put(desk, "sub/2.vtt", VTT.format("glue"))
    put(desk, "sub/2.yaml", "title: By hand")
    put(desk, "other.vtt", VTT.format("paint"))
    gathering = gather(["desk"])
    assert len(gathering) == 3
    results = read(gathering)
    assert list(results) == ["desk/other.vtt", "Episode 1 (show.xml)", "Episode 2 (show.xml)"]
    one, two = results["Episode 1 (show.xml)"], results["Episode 2 (show.xml)"]
    assert isinstance(one, Transcript) and isinstance(two, Transcript)
    assert one.details == Details(
        "Episode 1", media=(desk / "1.mp3").as_posix(), attributes={"show": "Night Desk"}
    )
    assert one.sections == (Section("Freight", 0.0, None),)
    assert (one.part, two.part) == ("desk-1", "desk-2")
    assert two.details.title == "By hand"
    assert gathering.skipped == []


def test_items_share_the_feeds_path_and_have_their_own_checksums(desk: Path) -> None:
    put(desk, "show.xml", feed(item(1, "1.vtt"), item(2, "2.vtt")))
    put(desk, "1.vtt", VTT.format("freight"))
    put(desk, "2.vtt", VTT.format("freight"))
    one, two = gather(["desk/show.xml"])
    assert isinstance(one, TranscriptSource) and isinstance(two, TranscriptSource)
    assert one.source == two.source == (desk / "show.xml").as_posix()
    assert one.checksum != two.checksum, "their titles differ"
    put(desk, "show.xml", feed(item(1, "1.vtt").replace("Episode", "Part"), item(2, "2.vtt")))
    new_one, new_two = gather(["desk/show.xml"])
    assert isinstance(new_one, TranscriptSource) and isinstance(new_two, TranscriptSource)
    assert new_one.checksum != one.checksum
    assert new_two.checksum == two.checksum


def test_details_around_the_feed_go_ahead_of_what_it_says(desk: Path) -> None:
    """Check that a sidecar overrides the show's details and that each episode keeps its title."""
    put(desk, "show.xml", feed(item(1, "1.vtt")))
    put(desk, "show.yaml", "title: The Desk\nshow: Day Desk\npeople: Ann Lee")
    put(desk, "1.vtt", VTT.format("freight"))
    transcript = read(gather(["desk/show.xml"], set=Details(language="en")))["Episode 1 (show.xml)"]
    assert isinstance(transcript, Transcript)
    assert transcript.details.attributes == {"show": "Day Desk"}
    assert (transcript.details.title, transcript.details.people) == ("Episode 1", ("Ann Lee",))
    assert transcript.details.language == "en"


def test_items_without_a_transcript_and_remote_ones_are_skipped_with_the_reason(desk: Path) -> None:
    put(
        desk,
        "show.xml",
        feed(item(1), item(2, "https://cdn.example/2.vtt"), item(3, "3.vtt"), item(3, "3.vtt")),
    )
    put(desk, "3.vtt", VTT.format("glue"))
    gathering = gather(["desk"])
    assert list(read(gathering)) == ["Episode 3 (show.xml)"]
    assert [(skipped.name, skipped.reason) for skipped in gathering.skipped] == [
        ("Episode 1 (show.xml)", "the feed names no transcript for it"),
        ("Episode 2 (show.xml)", "its transcript is at https://cdn.example/2.vtt: --fetch downloads it"),
        ("Episode 3 (show.xml)", "the feed has the same item twice"),
    ]


def test_a_broken_feed_is_refused_and_files_go_in(desk: Path) -> None:
    put(desk, "show.xml", feed(item(1, "1.vtt"))[:-20])
    put(desk, "1.vtt", VTT.format("glue"))
    results = read(gather(["desk"]))
    assert isinstance(results["desk/show.xml"], FormatError)
    assert isinstance(results["desk/1.vtt"], Transcript)


def test_a_broken_item_does_not_stop_the_others(desk: Path) -> None:
    put(desk, "show.xml", feed(item(1, "1.vtt"), item(2, "2.vtt"), item(3, "missing.vtt")))
    put(desk, "1.vtt", "WEBVTT\n\n00:01.000 --> soon\nHello\n\n00:02.000 --> 00:03.000\nthere\n")
    put(desk, "2.vtt", VTT.format("glue"))
    results = read(gather(["desk"]))
    assert isinstance(results["Episode 1 (show.xml)"], FormatError)
    assert isinstance(results["Episode 2 (show.xml)"], Transcript)
    assert str(results["Episode 3 (show.xml)"]) == "missing.vtt: not beside the feed show.xml"


def test_the_next_best_transcript_is_taken_where_the_best_is_broken(desk: Path) -> None:
    put(desk, "show.xml", feed(item(1, "1.txt", "1.json")))
    put(desk, "1.json", '{"segments": [')
    put(desk, "1.txt", "Ann Lee: Margins fell because freight got dearer.\n")
    transcript = read(gather(["desk"]))["Episode 1 (show.xml)"]
    assert isinstance(transcript, Transcript)
    assert transcript.format == "text"
    assert any("desk/1.json" in warning for warning in transcript.warnings)


# ---------------------------------------------------------------- files that a feed may not read


@pytest.mark.parametrize(
    "url",
    [
        "../secret.vtt",
        "sub/../../secret.vtt",
        "%2e%2e/secret.vtt",
        "/etc/passwd",
        "link.vtt",
        "link/secret.vtt",
    ],
)
def test_nothing_outside_the_feeds_folder_is_read(desk: Path, url: str) -> None:
    put(desk.parent, "secret.vtt", VTT.format("a secret"))
    (desk / "link.vtt").symlink_to(desk.parent / "secret.vtt")
    (desk / "link").symlink_to(desk.parent, target_is_directory=True)
    put(desk, "show.xml", feed(item(1, url)))
    error = read(gather(["desk/show.xml"]))["Episode 1 (show.xml)"]
    assert isinstance(error, FetchError)
    assert "outside the folder of the feed show.xml; not read" in str(error)


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://x.example/a", "data:text/vtt,WEBVTT", "//x.example/a"]
)
def test_other_kinds_of_addresses_are_refused(desk: Path, url: str) -> None:
    put(desk, "show.xml", feed(item(1, url)))
    error = read(gather(["desk/show.xml"], fetch=web({})))["Episode 1 (show.xml)"]
    assert str(error) == f"{url}: only http:// and https:// addresses are fetched"


@pytest.mark.parametrize("url", ["a%00b.vtt", "http://[x", "x" * 3000, "?", "%ff.vtt"])
def test_addresses_that_are_none(desk: Path, url: str) -> None:
    put(desk, "show.xml", feed(item(1, url)))
    results = read(gather(["desk/show.xml"], fetch=web({})))
    assert isinstance(results["Episode 1 (show.xml)"], OnRecordError)


# ---------------------------------------------------------------- transcripts and chapters at URLs


def test_remote_parts_are_fetched_only_when_asked(desk: Path) -> None:
    pages = {
        "https://cdn.example/1/transcript.vtt": VTT.format("freight"),
        "https://cdn.example/1/chapters.json": CHAPTERS,
        "https://cdn.example/2/transcript": "Ann Lee: Margins fell because glue got dearer.\n",
    }
    one = item(
        1,
        "https://cdn.example/1/transcript.vtt",
        more='<podcast:chapters url="https://cdn.example/1/chapters.json"/>',
    )
    two = item(2) + '<podcast:transcript url="https://cdn.example/2/transcript" type="text/plain"/>'
    three = item(3, "https://cdn.example/3/transcript.vtt")
    put(desk, "show.xml", feed(one, two, three))
    results = read(gather(["desk/show.xml"], fetch=web(pages)))
    first, second = results["Episode 1 (show.xml)"], results["Episode 2 (show.xml)"]
    assert isinstance(first, Transcript) and isinstance(second, Transcript)
    assert first.sections == (Section("Freight", 0.0, None),)
    assert second.format == "text"
    assert "404" in str(results["Episode 3 (show.xml)"])


def test_chapters_that_cannot_be_had_are_a_warning(desk: Path) -> None:
    more = '<podcast:chapters url="https://cdn.example/c.json"/>'
    put(desk, "show.xml", feed(item(1, "1.vtt", more=more)))
    put(desk, "1.vtt", VTT.format("freight"))
    for fetch, warning in (
        (False, "its chapters are at https://cdn.example/c.json"),
        (web({}), "without its chapt"),
    ):
        transcript = read(gather(["desk"], fetch=fetch))["Episode 1 (show.xml)"]
        assert isinstance(transcript, Transcript)
        assert transcript.warnings[-1].startswith(warning)


def test_what_was_downloaded_beside_the_feed_is_taken_from_there(desk: Path) -> None:
    """Check that a downloaded file next to the feed is used if its name matches one item only."""
    put(desk, "show.xml", feed(item(1, "https://cdn.example/x/1.vtt"), item(2, "https://cdn.example/2/t.vtt"),
                               item(3, "https://cdn.example/3/t.vtt")))  # fmt: skip
    put(desk, "1.vtt", VTT.format("freight"))
    put(desk, "t.vtt", VTT.format("glue"))
    gathering = gather(["desk"])
    assert list(read(gathering)) == ["Episode 1 (show.xml)", "desk/t.vtt"], "nobody knows whose t.vtt is"
    assert len(gathering.skipped) == 2


def test_relative_addresses_of_a_feed_that_says_where_it_is_from(desk: Path) -> None:
    own = "https://desk.example/feeds/show.xml"
    put(desk, "show.xml", feed(item(1, "../1.vtt"), item(2, "/2.vtt"), own=own))
    pages = {f"https://desk.example/{n}.vtt": VTT.format("glue") for n in (1, 2)}
    put(desk.parent, "1.vtt", VTT.format("a secret"))
    results = read(gather(["desk/show.xml"], fetch=web(pages)))
    assert all(isinstance(t, Transcript) and "glue" in t.turns[0].text for t in results.values())
    assert len(results) == 2


def test_a_feed_at_an_address() -> None:
    pages = {
        "https://desk.example/show.xml?x=1": feed(item(1, "1.vtt"), item(2, "../../2.vtt")),
        "https://desk.example/1.vtt": VTT.format("freight"),
        "https://desk.example/2.vtt": VTT.format("glue"),
    }
    gathering = gather(["https://desk.example/show.xml?x=1"], fetch=web(pages), set=Details(language="en"))
    assert len(gathering) == 1
    outcomes = list(gathering)
    assert len(gathering) == 2
    assert [outcome.name for outcome in outcomes] == ["Episode 1 (show.xml)", "Episode 2 (show.xml)"]
    assert isinstance(outcomes[0], TranscriptSource)
    assert outcomes[0].source == "https://desk.example/show.xml?x=1"
    (transcript,) = outcomes[0].transcripts()
    assert transcript.details == Details("Episode 1", language="en", attributes={"show": "Night Desk"})


def test_media_of_a_feed_is_an_address_or_a_file_that_is_there(desk: Path) -> None:
    enclosure = '<enclosure url="{}" type="audio/mpeg"/>'
    urls = ["a.mp3", "no.mp3", "../x.mp3", "https://cdn.example/b.mp3"]
    items = [item(n, f"{n}.vtt", more=enclosure.format(url)) for n, url in enumerate(urls)]
    put(desk, "show.xml", feed(*items))
    put(desk, "a.mp3", "")
    put(desk.parent, "x.mp3", "")
    for n in range(4):
        put(desk, f"{n}.vtt", VTT.format("freight"))
    results = read(gather(["desk"]))
    media = [t.details.media for t in results.values() if isinstance(t, Transcript)]
    assert media == [(desk / "a.mp3").as_posix(), None, None, "https://cdn.example/b.mp3"]


def test_over_a_real_connection(desk: Path) -> None:
    put(desk, "show.xml", feed(item(1, "1.vtt")))
    put(desk, "1.vtt", VTT.format("freight"))

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(desk))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/show.xml"
        results = read(gather([url], fetch=Fetcher(allow_loopback=True)))
        closed = read(gather([url], fetch=True))
        server.shutdown()
    assert isinstance(results["Episode 1 (show.xml)"], Transcript)
    assert "not on the public internet" in str(closed[url])
