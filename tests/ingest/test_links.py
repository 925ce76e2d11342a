"""Tests of links that open a recording at a second, and of links that are unsafe to open."""

from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.ingest.links import deep_link

SECONDS = st.floats(min_value=0, max_value=10**6)


@pytest.mark.parametrize(
    ("link", "opened"),
    [
        ("https://www.youtube.com/watch?v=aB3_-xYz901", "https://www.youtube.com/watch?v=aB3_-xYz901&t=90"),
        ("https://youtube.com/watch?t=5m&v=aB3_-xYz901&list=PL1", None),
        ("https://youtu.be/aB3_-xYz901", "https://youtu.be/aB3_-xYz901?t=90"),
        ("https://youtu.be/aB3_-xYz901?si=abc&t=12", "https://youtu.be/aB3_-xYz901?si=abc&t=90"),
        ("https://www.youtube.com/live/aB3_-xYz901?feature=share#t=4", None),
        (
            "https://www.youtube.com/embed/aB3_-xYz901?start=30",
            "https://www.youtube.com/watch?v=aB3_-xYz901&t=90",
        ),
        (
            "https://www.youtube-nocookie.com/embed/aB3_-xYz901",
            "https://www.youtube.com/watch?v=aB3_-xYz901&t=90",
        ),
        ("https://m.youtube.com/shorts/aB3_-xYz901", "https://www.youtube.com/watch?v=aB3_-xYz901&t=90"),
        ("https://www.youtube.com/@somebody", "https://www.youtube.com/@somebody"),
        ("https://www.youtube.com/playlist?list=PL1", "https://www.youtube.com/playlist?list=PL1"),
        ("https://vimeo.com/123456789", "https://vimeo.com/123456789#t=90s"),
        (
            "https://player.vimeo.com/video/123456789?h=ab#t=4s",
            "https://player.vimeo.com/video/123456789?h=ab#t=90s",
        ),
        ("https://open.spotify.com/episode/4rOo?si=1&t=3", "https://open.spotify.com/episode/4rOo?si=1&t=90"),
        (
            "https://podcasts.apple.com/us/podcast/x/id1?i=2",
            "https://podcasts.apple.com/us/podcast/x/id1?i=2&t=90",
        ),
        ("https://overcast.fm/+AbC/0:10", "https://overcast.fm/+AbC/1:30"),
        ("https://overcast.fm/itunes1", "https://overcast.fm/itunes1"),
        ("https://pca.st/episode/ab-cd", "https://pca.st/episode/ab-cd?t=90"),
        ("https://soundcloud.com/a/b", "https://soundcloud.com/a/b#t=1:30"),
        ("https://www.twitch.tv/videos/1?t=1h", "https://www.twitch.tv/videos/1?t=0h1m30s"),
        ("https://archive.org/details/talk", "https://archive.org/details/talk?start=90"),
        ("https://archive.org/download/talk/one.mp3", "https://archive.org/download/talk/one.mp3#t=90"),
        ("https://cdn.example.org/ep1.mp3?key=1", "https://cdn.example.org/ep1.mp3?key=1#t=90"),
        ("https://show.example.org/ep/1", "https://show.example.org/ep/1#t=90"),
        ("https://show.example.org/ep/1#t=12", "https://show.example.org/ep/1#t=90"),
        ("https://show.example.org/app#/ep/1", "https://show.example.org/app#/ep/1"),
        ("https://notyoutube.com/watch?v=aB3_-xYz901", "https://notyoutube.com/watch?v=aB3_-xYz901#t=90"),
        ("https://p.example.org/e?at={seconds}", "https://p.example.org/e?at=90"),
        ("https://p.example.org/e?ms={ms}&also={hms}", "https://p.example.org/e?ms=90750&also=0:01:30"),
        ("https://p.example.org/{0.__class__}/{seconds}", "https://p.example.org/%7B0.__class__%7D/90"),
        ("https://p.example.org/a b<c>\"'é", "https://p.example.org/a%20b%3Cc%3E%22%27%C3%A9#t=90"),
        ("talks/one & two (final).mp3", "talks/one%20%26%20two%20%28final%29.mp3#t=90"),
        ("Episode 3: the return.MP3", "Episode%203%3A%20the%20return.MP3#t=90"),
        ("/home/kim/é.mp4", "file:///home/kim/%C3%A9.mp4#t=90"),
        ("C:\\talks\\one.mkv", "file:///C:/talks/one.mkv#t=90"),
        ("file:///srv/one.ogg#t=3", "file:///srv/one.ogg#t=90"),
    ],
)
def test_opens_at_the_second(link: str, opened: str | None) -> None:
    link_found = deep_link(link, None, 90.75)
    if opened is not None:
        assert link_found == opened
    else:  # other parameters keep their order; old times are removed
        assert link_found is not None
        assert parse_qs(urlsplit(link_found).query)["t"] == ["90"]
        assert urlsplit(link_found).fragment == ""


@pytest.mark.parametrize(
    "place",
    [
        "javascript:alert(1)",
        "JavaScript:alert(1)//x.mp3",
        "java\nscript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x.mp3",
        "mailto:a@b.c",
        "ftp://example.org/a.mp3",
        "//example.org/a.mp3",
        "\\\\host\\share\\a.mp3",
        "file://host/share/a.mp3",
        "file:////host/share/a.mp3",
        "/etc/passwd",
        "file:///usr/bin/yes",
        "C:\\Windows\\calc.exe",
        "notes.txt",
        "https://user:secret@example.org/a.mp3",
        "https://www.youtube.com@evil.example/watch?v=aB3_-xYz901",
        "https://evil.example\\.youtube.com/",
        "https://[broken",
        "https://host:port/",
        "https:///no-host",
        "",
        "  ",
        "https://example.org/\x1b]8;;x",
    ],
)
def test_shows_nothing_that_is_not_safe_to_open(place: str) -> None:
    assert deep_link(place, None, 1.0) is None
    assert deep_link(None, place, 1.0) is None


def test_media_stands_in_for_a_link_that_is_missing_or_unusable() -> None:
    assert deep_link(None, "https://x.org/a.mp3", 5) == "https://x.org/a.mp3#t=5"
    assert deep_link("javascript:1", "https://x.org/a.mp3", 5) == "https://x.org/a.mp3#t=5"
    assert deep_link("https://x.org/page", "https://x.org/a.mp3", 5) == "https://x.org/page#t=5"
    assert deep_link(None, None, 5) is None


@pytest.mark.parametrize("seconds", [None, float("nan"), float("inf")])
def test_without_a_second_the_recording_opens_at_its_beginning(seconds: float | None) -> None:
    assert deep_link("https://youtu.be/aB3_-xYz901", None, seconds) == "https://youtu.be/aB3_-xYz901"
    assert deep_link("https://x.org/?at={seconds}", None, seconds) == "https://x.org/?at=0"
    assert deep_link(None, "a/b.mp3", seconds) == "a/b.mp3"


@given(SECONDS)
def test_never_after_the_words(seconds: float) -> None:
    link = deep_link("https://www.youtube.com/watch?v=aB3_-xYz901&t=7s", None, seconds)
    assert link is not None
    at = int(parse_qs(urlsplit(link).query)["t"][0])
    assert at <= seconds < at + 1


@given(
    st.sampled_from(
        [
            "https://youtu.be/aB3_-xYz901",
            "https://vimeo.com/1",
            "https://overcast.fm/+A",
            "https://pca.st/1",
            "https://soundcloud.com/a/b",
            "https://www.twitch.tv/videos/1",
            "https://x.org/a.mp3",
            "https://x.org/page",
        ]
    ),
    SECONDS,
    SECONDS,
)
def test_an_older_time_leaves_no_trace(link: str, first: float, second: float) -> None:
    assert deep_link(deep_link(link, None, first), None, second) == deep_link(link, None, second)


HOSTILE = st.one_of(
    st.text(),
    st.text().map("https://example.org/".__add__),
    st.text().map("https://youtu.be/".__add__),
    st.text().map("file:///".__add__),
    st.text().map(lambda t: f"{t}.mp3"),
)


@given(HOSTILE, st.one_of(st.none(), st.floats()))
def test_whatever_the_details_hold_the_link_is_inert(place: str, seconds: float | None) -> None:
    link = deep_link(place, place, seconds)
    if link is None:
        return
    assert link.isascii()
    assert link.isprintable()
    assert not set(link) & set(" \"'<>`\\{}|^")
    scheme, colon, _ = link.partition(":")
    assert not colon or scheme.lower() in ("http", "https", "file") or "/" in scheme
    assert "@" not in urlsplit(link).netloc
