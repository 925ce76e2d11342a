"""Tests of RSS and Atom feeds: items, details, repaired XML and refused files."""

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onrecord.errors import FormatError, OnRecordError
from onrecord.ingest.feeds import Item, Reference, is_feed, read_feed
from onrecord.types import Details, Section

RSS = """<?xml version="1.0" encoding="UTF-8"?>
<!-- made by hand -->
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
  xmlns:p="https://podcastindex.org/namespace/1.0" xmlns:psc="http://podlove.org/simple-chapters"
  xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
  <title>Night Desk</title>
  <link>https://desk.example/</link>
  <atom:link rel="self" href="https://desk.example/feeds/show.xml"/>
  <language>en-us</language>
  <itunes:author>Desk Media</itunes:author>
  <p:person>Ann Lee</p:person>
  <p:person group="visuals" role="Cover Art Designer">Cy Moss</p:person>
  <item>
    <title>Ep. 12 - Tom &amp;amp; rates</title>
    <itunes:title>Tom &amp;amp; rates</itunes:title>
    <guid isPermaLink="false"> desk-12 </guid>
    <link>/episodes/12</link>
    <pubDate>Tue, 05 Mar 2024 08:00:00 GMT</pubDate>
    <enclosure url="https://cdn.desk.example/a b.mp3" type="audio/mpeg" length="1"/>
    <itunes:duration>1:02:03</itunes:duration>
    <itunes:episode>12</itunes:episode>
    <p:season name="Spring">2</p:season>
    <p:person href="https://x.example">Ann Lee</p:person>
    <p:person href="https://y.example">Ann Lee</p:person>
    <p:person role="Guest" name="Bo Díaz"/>
    <p:transcript url="https://cdn.desk.example/12.txt" type="text/plain"/>
    <p:transcript url="https://cdn.desk.example/12.fr.json" type="application/json" language="fr"/>
    <p:transcript url="https://cdn.desk.example/12.srt" type="application/x-subrip" rel="captions"/>
    <p:transcript url="12.vtt?x=1" type="text/vtt" language="en"/>
    <p:chapters url="12.chapters.json" type="application/json+chapters"/>
    <psc:chapters version="1.2">
      <psc:chapter start="0" title="Hello"/><psc:chapter start="00:01:30" title="Rates"/>
    </psc:chapters>
  </item>
  <item>
    <title><![CDATA[Bare & simple]]></title>
    <enclosure url="11.mp3" type="audio/mpeg"/>
    <pubDate>last week</pubDate>
    <author>desk@desk.example (Ann Lee)</author>
  </item>
</channel></rss>"""


def test_an_rss_feed() -> None:
    feed = read_feed("show.xml", RSS.encode())
    assert feed.base == "https://desk.example/feeds/show.xml"
    assert feed.items[0] == Item(
        guid="desk-12",
        details=Details(
            title="Tom & rates",
            date="2024-03-05",
            language="en",
            people=("Ann Lee", "Bo Díaz"),
            link="https://desk.example/episodes/12",
            media="https://cdn.desk.example/a%20b.mp3",
            attributes={
                "host": "Ann Lee",
                "guest": "Bo Díaz",
                "show": "Night Desk",
                "season": "2",
                "season name": "Spring",
                "episode": "12",
                "duration": "3723",
                "author": "Desk Media",
            },
        ),
        transcripts=(
            Reference("12.vtt?x=1", ".vtt", "en"),
            Reference("https://cdn.desk.example/12.srt", ".srt", None),
            Reference("https://cdn.desk.example/12.txt", ".txt", None),
            Reference("https://cdn.desk.example/12.fr.json", ".json", "fr"),
        ),
        chapters="12.chapters.json",
        sections=(Section("Hello", 0.0, 90.0), Section("Rates", 90.0, None)),
    )


def test_what_an_item_leaves_out_comes_from_the_show_or_stays_unknown() -> None:
    item = read_feed("show.xml", RSS.encode()).items[1]
    assert item.guid == "https://desk.example/feeds/11.mp3"
    assert item.details == Details(
        title="Bare & simple",
        language="en",
        people=("Ann Lee",),
        media="https://desk.example/feeds/11.mp3",
        attributes={
            "host": "Ann Lee",
            "cover art designer": "Cy Moss",
            "show": "Night Desk",
            "author": "Ann Lee",
        },
    )
    assert item.transcripts == ()
    assert item.warnings == (
        "its date is left out: expected a date such as 2024-03-05, 2024-03, 2024 or 5 March 2024, "
        "found last week",
    )


def test_an_atom_feed() -> None:
    text = """<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="fr-CH"
      xmlns:podcast="https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md">
      <title>Bureau</title>
      <entry>
        <id>urn:x:1</id><title type="text">Les taux</title><published>2024-03-05T10:00:00Z</published>
        <author><name>Ann Lee</name><email>a@b.example</email></author>
        <link href="https://b.example/1"/>
        <link rel="enclosure" type="audio/mpeg" href="https://b.example/1.mp3"/>
        <podcast:transcript url="1.vtt"/>
      </entry></feed>"""
    feed = read_feed("f.atom", text.encode())
    assert feed == read_feed("f.atom", text.replace("<feed", "\n<feed").encode("utf-16"))
    (item,) = feed.items
    assert item.guid == "urn:x:1"
    assert item.details == Details(
        title="Les taux",
        date="2024-03-05",
        language="fr",
        link="https://b.example/1",
        media="https://b.example/1.mp3",
        attributes={"show": "Bureau", "author": "Ann Lee"},
    )
    assert item.transcripts == (Reference("1.vtt", ".vtt"),)


def test_rss_1_has_its_items_beside_the_channel() -> None:
    text = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
      xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Desk</title></channel>
      <item><title>One</title><link>https://b.example/1</link><dc:date>2024-03-05</dc:date></item></rdf:RDF>"""
    (item,) = read_feed("f.rdf", text.encode()).items
    assert (item.guid, item.details.date) == ("https://b.example/1", "2024-03-05")
    assert item.details.attributes == {"show": "Desk"}


def rss(*items: str, head: str = "") -> bytes:
    inner = "".join(f"<item>{item}</item>" for item in items)
    space = "https://podcastindex.org/namespace/1.0"
    return f'{head}<rss xmlns:podcast="{space}"><channel><title>x</title>{inner}</channel></rss>'.encode()


def test_items_with_one_guid_stay_two() -> None:
    one, two, three = read_feed(
        "f.xml",
        rss("<guid>a</guid><title>One</title>", "<guid>a</guid><title>Two</title>", "<guid>b</guid>"),
    ).items
    assert [one.guid, two.guid, three.guid] == ["a One", "a Two", "b"]


def test_addresses_that_must_not_be_followed_are_left_out_with_a_warning() -> None:
    (item,) = read_feed(
        "f.xml",
        rss("<link>javascript:alert(1)</link><enclosure url='file:///etc/x.mp3' type='audio/mpeg'/>"),
    ).items
    assert item.details.link is None and item.details.media is None
    assert len(item.warnings) == 2
    assert "javascript:alert(1) is no http(s) address" in item.warnings[0]


def test_other_enclosures_are_no_media() -> None:
    (item,) = read_feed(
        "f.xml",
        rss("<enclosure url='a.pdf' type='application/pdf'/><enclosure url='https://b.example/a.mp3?x'/>"),
    ).items
    assert item.details.media == "https://b.example/a.mp3?x"


# ---------------------------------------------------------------- faulty XML in feeds


@pytest.mark.parametrize(
    "data",
    [
        rss("<title>Q&amp;A</title>"),
        rss("<title>Q&A</title>"),
        rss("<title><![CDATA[Q&A]]></title>"),
        rss(
            "<title><![CDATA[Q&amp;A]]></title><description>&nbsp;R&D &bogus; <![CDATA[a & b]]></description>"
        ),
        rss("<title>Q\x0b&amp;A\x00</title>"),
        b"\xef\xbb\xbf" + rss("<title>Q&amp;A</title>", head='\n <?xml version="1.0"?>'),
        rss("<title>Q&amp;A</title>", head='<!DOCTYPE rss SYSTEM "rss.dtd">'),
    ],
)
def test_common_faults_are_repaired(data: bytes) -> None:
    assert is_feed(data)
    assert read_feed("f.xml", data).items[0].details.title == "Q&A"


def test_other_encodings() -> None:
    text = '<?xml version="1.0" encoding="{}"?><rss><channel><title>Café</title><item/></channel></rss>'
    for encoding in ("iso-8859-1", "windows-1252", "utf-16"):
        (item,) = read_feed("f.xml", text.format(encoding).encode(encoding)).items
        assert item.details.attributes["show"] == "Café"


BOMB = '<!DOCTYPE rss [\n<!ENTITY a "ha">' + "".join(
    f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(9)
)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (rss("<title>&j;</title>", head=BOMB + "]>"), "f.xml, line 2: expected a feed without declarations"),
        (
            rss("<title>&x;</title>", head='<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
            "f.xml, line 1: expected a feed without declarations of entities",
        ),
        (
            rss("<title>%x;</title>", head='<!DOCTYPE rss [<!ENTITY % x SYSTEM "http://x.example"> %x;]>'),
            "f.xml, line 1: expected a feed without declarations of entities",
        ),
        (
            b"<rss>\n<channel>\n<title>x</tittle>",
            "f.xml, line 3, column 11: expected XML, found mismatched tag",
        ),
        (b"<rss><channel>", "f.xml, line 1, column 15: expected XML, found no element found"),
        (b"", "f.xml, line 1, column 1: expected XML, found no element found"),
        (b'<?xml version="1.0" encoding="x-none"?><rss/>', "f.xml, line 1"),
        (b'<?xml version="1.0" encoding="big5"?><rss/>', "f.xml, line 1: expected XML in a known encoding"),
        (b"<opml><body/></opml>", "f.xml, line 1: expected a feed: <rss>, <feed> or <rdf:RDF>, found <opml>"),
    ],
)
def test_what_is_refused(data: bytes, message: str) -> None:
    began = time.process_time()
    with pytest.raises(FormatError) as caught:
        read_feed("f.xml", data)
    assert message in str(caught.value)
    assert time.process_time() - began < 1


def test_many_people_of_a_show_with_many_items_take_little_time() -> None:
    people = "".join(f"<p:person>Ann {number}</p:person>" for number in range(2000))
    namespace = 'xmlns:p="https://podcastindex.org/namespace/1.0"'
    text = f"<rss {namespace}><channel>{people}{'<item/>' * 5000}</channel></rss>"
    began = time.process_time()
    feed = read_feed("f.xml", text.encode())
    assert time.process_time() - began < 5
    assert len(feed.items[-1].details.people) == 2000


def test_an_empty_show_is_a_feed_without_items() -> None:
    assert read_feed("f.xml", rss()).items == ()


@pytest.mark.parametrize(
    "data",
    [
        RSS.encode(),
        RSS.replace("UTF-8", "UTF-16").encode("utf-16"),
        b"<rss>broken",
        b"<feed xmlns='x'>",
        b"\n<rdf:RDF>",
        b"<!DOCTYPE rss [<!ENTITY a 'b'>",
        b"<x xmlns='https://podcastindex.org/namespace/1.0'/>",
    ],
)
def test_feeds_are_recognized_by_content(data: bytes) -> None:
    assert is_feed(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"WEBVTT",
        b"<html><body><rss>",
        b"<!DOCTYPE html><html>",
        b"<p>feed</p>",
        b"<cite>rss:</cite>",
        b"{}",
        b"<html xmlns:podcast='https://podcastindex.org/namespace/1.0'>",
        b"<tt xmlns='http://www.w3.org/ns/ttml'>",
    ],
)
def test_what_is_no_feed(data: bytes) -> None:
    assert not is_feed(data)


@pytest.mark.data
def test_the_real_example_of_the_namespace(data: Path) -> None:
    """Check the example file of the podcast namespace.

    It is one item in a ``test-wrapper`` element instead of a feed, and it shows every tag at least once.
    """
    raw = (data / "transcript_formats/raw/podcasting2_rss/podcast-example.xml").read_bytes()
    assert is_feed(raw)
    (item,) = read_feed("podcast-example.xml", raw).items
    assert len(item.details.people) == 2
    assert item.details.attributes["guest"] == item.details.people[1]
    assert item.details.attributes["season name"] == "Podcasting 2.0"
    assert item.details.attributes["episode"] == "1"
    assert [reference.suffix for reference in item.transcripts] == [".txt"] * 3
    assert item.chapters == "https://example.com/ep1_chapters.json"


PIECES = [
    "<item>",
    "</item>",
    "<title>",
    "</title>",
    "&",
    "&amp;",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "<guid>",
    "<podcast:transcript url='http://[x'/>",
    "<link>",
    "</link>",
    "<!DOCTYPE x [",
    "\x00",
    "é",
    "1",
]


@settings(deadline=None)  # the first example takes longer: it imports the parser
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=40))
def test_any_text_in_a_feed_is_items_or_an_error(text: str) -> None:
    try:
        read_feed("x", rss(text))
    except OnRecordError as error:
        assert str(error).startswith("x, line ")


@settings(deadline=None)
@given(st.binary(max_size=60), st.sampled_from([b"", b"<rss>", b"\xff\xfe<\0", b"<?xml encoding='"]))
def test_any_bytes_are_a_feed_or_an_error(data: bytes, head: bytes) -> None:
    is_feed(head + data)
    try:
        read_feed("x", head + data)
    except OnRecordError as error:
        assert str(error).startswith("x, line ")
