"""Podcast feeds: RSS 2.0, RSS 1.0 and Atom with the iTunes, podcast and Podlove namespaces.

A feed contains the addresses of its transcripts. This module parses the feed and fetches nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from onrecord.errors import FormatError
from onrecord.ingest.chapters import from_simple_chapters, seconds_of_clock
from onrecord.ingest.dates import iso_date
from onrecord.ingest.details import MEDIA, media_place, web_address
from onrecord.ingest.language import language_code
from onrecord.ingest.people import attributes_by_role
from onrecord.ingest.xml_feed import (
    Children,
    attribute,
    children_by_name,
    first_text,
    parse_xml,
    short_name,
    text_of,
)
from onrecord.types import Details, Section

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element  # the type only: defusedxml parses

_PROLOG = r"(?:\s|<\?[^>]*\?>|<!--(?:(?!-->)[\s\S])*-->|<!DOCTYPE[^>\[]*(?:\[[^\]]*\]\s*)?>)*"
_ROOT = re.compile(rf"{_PROLOG}<(?:[\w.-]+:)?(?P<root>[\w.-]+)|{_PROLOG}<!DOCTYPE\s+(?P<type>\w+)", re.I)
_ROOTS = ("rss", "feed", "rdf")
_NAMESPACE = re.compile(r"podcastindex\.org/namespace|podcast-namespace/blob", re.IGNORECASE)
_SUFFIX_TYPES = (
    (".json", ("json",)),
    (".vtt", ("vtt",)),
    (".srt", ("srt", "subrip")),
    (".html", ("html",)),
    (".txt", ("text/plain",)),
)
"""Suffixes and MIME types of transcripts, the most informative first."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A transcript in a separate file.

    `url` is the address in the feed, perhaps relative; `suffix` is the suffix of its type (".vtt"), "" if
    unknown.
    """

    url: str
    suffix: str = ""
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """An episode, with a `guid` that is unique in its feed.

    `transcripts` are ordered from best to worst; `chapters` is the address of a chapters file;
    `details.media` may be relative to the feed.
    """

    guid: str
    details: Details
    transcripts: tuple[Reference, ...] = ()
    chapters: str | None = None
    sections: tuple[Section, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed's items, usually newest first, and the `base` of relative addresses, or ""."""

    items: tuple[Item, ...]
    base: str = ""


def is_feed(data: bytes) -> bool:
    """Check whether the first 4096 bytes begin a feed, even a broken one."""
    head = data[:4096].replace(b"\0", b"").decode("latin-1").lstrip("\xef\xbb\xbf\xff\xfe")
    match = _ROOT.match(head)
    if match is None:
        return False
    root = (match["root"] or match["type"]).lower()
    return root in _ROOTS or (root != "html" and _NAMESPACE.search(head) is not None)


def read_feed(name: str, data: bytes, base: str = "") -> Feed:
    """Read the items of a feed. Problems of one item become warnings of that item.

    `base` is the address from which the feed was fetched; a feed in a file may contain its own address.
    Raises FormatError if the XML is broken, or refers to entities or external parts.
    """
    root = parse_xml(name, data)
    channel, elements = _shape(root)
    own = (attribute(e, "href") for e in channel.get("atom:link", ()) if attribute(e, "rel") == "self")
    base = base or next(filter(_is_web_address, own), "")
    show = _Show(
        base,
        _language(channel) or language_code(attribute(root, "xml:lang")),
        first_text(channel, "title", "atom:title", "itunes:title"),
        _author(channel),
        _people(channel) or ((), {}),
    )
    items = [_item(children_by_name(element), show) for element in elements]
    if not items and not channel:
        raise FormatError(name, "line 1", "a feed: <rss>, <feed> or <rdf:RDF>", f"<{short_name(root.tag)}>")
    return Feed(tuple(_with_unique_guids(items)), base)


def _shape(root: Element) -> tuple[Children, Sequence[Element]]:
    """Return the elements that describe the show, and its items. A single item has no show."""
    children = children_by_name(root)
    channels = children.get("channel")
    if channels:
        channel = children_by_name(channels[0])
        return channel, [*channel.get("item", ()), *children.get("item", ())]
    if short_name(root.tag).removeprefix("atom:") == "feed":
        return children, [*children.get("atom:entry", ()), *children.get("entry", ())]
    is_item = any(name.startswith("podcast:") for name in children)
    return {}, [root] if is_item else []


def _with_unique_guids(items: Sequence[Item]) -> Iterator[Item]:
    """Yield items with unique guids: a shared guid is extended by the item's addresses and title."""
    counts = Counter(item.guid for item in items)
    for item in items:
        if counts[item.guid] > 1:
            first = item.transcripts[0].url if item.transcripts else ""
            others = (item.details.media, item.details.link, first, item.details.title)
            item = replace(item, guid=" ".join(text for text in (item.guid, *others) if text))
        yield item


# ---------------------------------------------------------------- one item

_People = tuple[tuple[str, ...], dict[str, str]]
"""Speakers, and all names by role."""


@dataclass(frozen=True, slots=True)
class _Show:
    """The values of a show that complete those of its items. `base` is as in Feed."""

    base: str
    language: str | None
    title: str
    author: str
    people: _People


def _item(children: Children, show: _Show) -> Item:
    warnings: list[str] = []
    link = _link(children, show.base, warnings)
    media = _media(children, show.base, warnings)
    language = _language(children) or show.language
    date = _date(
        first_text(children, "pubDate", "atom:published", "published", "dc:date", "atom:updated"), warnings
    )
    title = first_text(children, "itunes:title", "title", "atom:title", "dc:title") or None
    speaking, roles = _people(children) or show.people
    guid = first_text(children, "guid", "atom:id", "id", "podcast:guid")
    chapters = (attribute(e, "url") for e in children.get("podcast:chapters", ()))
    simple = [
        chapter
        for each in children.get("psc:chapters", ())
        for chapter in children_by_name(each).get("psc:chapter", ())
    ]
    return Item(
        guid=guid or media or link or " ".join(text for text in (title, date) if text),
        details=Details(title, date, language, speaking, link, media, roles | _attributes(children, show)),
        transcripts=_transcripts(children, language),
        chapters=next(filter(None, chapters), None),
        sections=from_simple_chapters(
            {name: attribute(e, name) for name in ("start", "title")} for e in simple
        ),
        warnings=tuple(warnings),
    )


def _link(children: Children, base: str, warnings: list[str]) -> str | None:
    """Return the address of an item's page: the text of a <link> in RSS, an attribute in Atom."""
    alternate = ("", "alternate")
    links = [*children.get("link", ()), *children.get("atom:link", ())]
    addresses = [text_of(e) or attribute(e, "href") for e in links if attribute(e, "rel") in alternate]
    url = next((address(base, url) for url in addresses if url), "")
    if url and not _is_web_address(url):
        warnings.append(f"its link is left out: {url} is no http(s) address")
    return url if _is_web_address(url) else None


def _media(children: Children, base: str, warnings: list[str]) -> str | None:
    """Return the item's media: the first enclosure that is audio or video, by type or name."""
    links = [*children.get("link", ()), *children.get("atom:link", ())]
    enclosures = [(attribute(e, "url"), attribute(e, "type")) for e in children.get("enclosure", ())]
    enclosures += [
        (attribute(e, "href"), attribute(e, "type")) for e in links if attribute(e, "rel") == "enclosure"
    ]
    for url, kind in enclosures:
        playable = kind.startswith(("audio/", "video/")) or _path(url).endswith(MEDIA)
        if url and playable:
            try:
                return media_place(address(base, url))
            except ValueError as error:
                warnings.append(f"its enclosure is left out: expected {error}, found {url}")
    return None


def _date(written: str, warnings: list[str]) -> str | None:
    try:
        return iso_date(written) if written else None
    except ValueError as error:
        warnings.append(f"its date is left out: expected {error}, found {written}")
        return None


def _language(children: Children) -> str | None:
    return language_code(first_text(children, "language", "dc:language", "podcast:language"))


def _people(children: Children) -> _People | None:
    """Return the people, the speakers being the group "cast"; None if nobody is named.

    The people of an item replace the people of the show.
    https://podcasting2.org/podcast-namespace/tags/person
    """
    speaking: dict[str, None] = {}
    roles: list[tuple[str, str]] = []
    for person in children.get("podcast:person", ()):
        name = text_of(person) or attribute(person, "name")
        if not name:
            continue
        if (attribute(person, "group") or "cast").lower() == "cast":
            speaking[name] = None
        roles.append((attribute(person, "role") or "host", name))
    return (tuple(speaking), attributes_by_role(roles)) if roles else None


def _attributes(children: Children, show: _Show) -> dict[str, str]:
    seconds = seconds_of_clock(first_text(children, "itunes:duration"))
    season = next((attribute(e, "name") for e in children.get("podcast:season", ())), "")
    attributes = {
        "show": show.title,
        "season": first_text(children, "podcast:season", "itunes:season"),
        "season name": season,
        "episode": first_text(children, "podcast:episode", "itunes:episode"),
        "duration": f"{seconds:g}" if seconds else "",
        "author": _author(children) or show.author,
    }
    return {name: text for name, text in attributes.items() if text}


def _author(children: Children) -> str:
    """Return the author's name without the email address that RSS includes."""
    names = [children_by_name(e) for e in children.get("atom:author", ())]
    text = next((name for name in (first_text(e, "atom:name") for e in names) if name), "")
    text = text or first_text(children, "itunes:author", "dc:creator", "author")
    return " ".join(word for word in text.split() if "@" not in word).strip(" ()")


# ---------------------------------------------------------------- files of their own


def _transcripts(children: Children, language: str | None) -> tuple[Reference, ...]:
    """Return the transcripts, in the item's language first, then by how informative their type is."""
    references: list[Reference] = []
    for element in children.get("podcast:transcript", ()):
        url, kind = attribute(element, "url"), attribute(element, "type").lower()
        by_type = [suffix for suffix, types in _SUFFIX_TYPES if any(name in kind for name in types)]
        by_name = [suffix for suffix, _ in _SUFFIX_TYPES if _path(url).endswith(suffix)]
        suffix = next(iter(by_type + by_name), "")
        if url:
            references.append(Reference(url, suffix, language_code(attribute(element, "language"))))
    order = [suffix for suffix, _ in _SUFFIX_TYPES]

    def rank(reference: Reference) -> tuple[bool, int]:
        foreign = bool(language and reference.language and reference.language != language)
        return foreign, order.index(reference.suffix) if reference.suffix else len(order)

    return tuple(sorted(dict.fromkeys(references), key=rank))


def address(base: str, url: str) -> str:
    """Return an absolute address if `base` is known, with spaces encoded."""
    try:
        return urljoin(base, url.strip().replace(" ", "%20"))
    except ValueError:  # a broken IPv6 address
        return url


def _path(url: str) -> str:
    return re.split(r"[?#]", url.lower())[0]


def _is_web_address(url: str) -> bool:
    try:
        return bool(web_address(url))
    except ValueError:
        return False
