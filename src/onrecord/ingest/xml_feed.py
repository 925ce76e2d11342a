"""Parser for the XML of real feeds, without entities or external references, with repair of broken files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import unescape
from html.entities import html5
from typing import TYPE_CHECKING

from onrecord.errors import FormatError
from onrecord.types import one_line

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element  # the type only: defusedxml parses

Children = Mapping[str, Sequence["Element"]]
"""An element's children by name, such as "podcast:transcript", whatever prefix the feed uses."""

_NAMESPACES = (
    (re.compile(r"podcastindex\.org/namespace|podcast-namespace", re.IGNORECASE), "podcast:"),
    (re.compile(r"itunes\.com/dtds/podcast", re.IGNORECASE), "itunes:"),
    (re.compile(r"podlove\.org/simple-chapters"), "psc:"),
    (re.compile(r"w3\.org/2005/Atom|purl\.org/atom", re.IGNORECASE), "atom:"),
    (re.compile(r"purl\.org/dc/"), "dc:"),
    (re.compile(r"w3\.org/XML/1998"), "xml:"),
    (re.compile(r"purl\.org/rss/|my\.netscape\.com/rdf|backend\.userland\.com"), ""),
)
_CONTROLS = bytes(range(0x20)).translate(None, b"\t\n\r")
_AMPERSAND = re.compile(rb"&(#\w{1,8};|\w{1,32};)?")


def parse_xml(name: str, data: bytes) -> Element:
    """Return the root of an XML document. Raises FormatError with line and column.

    Feeds contain control characters, bare ampersands, HTML entities, and blanks before the XML declaration. A
    document that fails to parse is repaired and parsed again.
    """
    from xml.etree.ElementTree import ParseError

    from defusedxml.common import DefusedXmlException

    try:
        try:
            return _parse(data)
        except ParseError as error:
            return _parse_repaired(name, data, error)
    except DefusedXmlException:
        line = data[: max(data.find(b"<!ENTITY"), 0)].count(b"\n") + 1
        expected = "a feed without declarations of entities or outside parts"
        raise FormatError(name, f"line {line}", expected, "such a declaration") from None
    except (ValueError, LookupError) as error:  # an encoding that the parser does not know
        raise FormatError(name, "line 1", "XML in a known encoding, such as UTF-8", str(error)) from None


def _parse(data: bytes) -> Element:
    from defusedxml import ElementTree

    root: Element = ElementTree.fromstring(data, forbid_dtd=False)
    return root


def _parse_repaired(name: str, data: bytes, error: SyntaxError) -> Element:
    from xml.etree.ElementTree import ParseError

    try:
        return _parse(_repair(data))
    except ParseError:
        line, column = getattr(error, "position", (1, 0))
        reason = str(error).partition(": line")[0]
        raise FormatError(name, f"line {line}, column {column + 1}", "XML", reason) from None


def _repair(data: bytes) -> bytes:
    """Repair XML in an encoding that extends ASCII.

    XML in other encodings is damaged by the repair, and is refused as without it.
    """
    data = data.removeprefix(b"\xef\xbb\xbf").translate(None, _CONTROLS).lstrip()
    parts, plain = [], True
    for part in re.split(rb"(<!\[CDATA\[|\]\]>)", data):
        if part in (b"<![CDATA[", b"]]>"):
            plain = part == b"]]>"
        parts.append(_AMPERSAND.sub(_entity, part) if plain else part)
    return b"".join(parts)


def _entity(match: re.Match[bytes]) -> bytes:
    name = (match[1] or b"").decode("ascii", "ignore")
    if name in ("amp;", "lt;", "gt;", "quot;", "apos;") or name.startswith("#"):
        return match[0]
    if name in html5:
        return "".join(f"&#{ord(c)};" for c in html5[name]).encode()
    return b"&amp;" + (match[1] or b"")


# ---------------------------------------------------------------- elements


@lru_cache(maxsize=512)
def short_name(tag: str) -> str:
    """Return "podcast:person" for "{https://podcastindex.org/namespace/1.0}person"."""
    namespace, brace, local = tag.rpartition("}")
    if not brace:
        return local
    return next((prefix for pattern, prefix in _NAMESPACES if pattern.search(namespace)), "?:") + local


def children_by_name(element: Element) -> Children:
    children: dict[str, list[Element]] = {}
    for child in element:
        children.setdefault(short_name(child.tag), []).append(child)
    return children


def text_of(element: Element) -> str:
    """Return the text of an element on one line, with entities that were escaped twice resolved."""
    return one_line(unescape("".join(element.itertext())))


def first_text(children: Children, *names: str) -> str:
    """Return the first text that is not empty under these names, in their order, or ""."""
    return next((text for name in names for e in children.get(name, ()) if (text := text_of(e))), "")


def attribute(element: Element, name: str) -> str:
    """Return an attribute's value on one line, or "". The name may have a namespace: "xml:lang"."""
    values = (value for key, value in element.attrib.items() if short_name(key) == name)
    return one_line(next(values, ""))
