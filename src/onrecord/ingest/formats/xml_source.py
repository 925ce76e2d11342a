"""Parsing of XML sources without entities and external parts, and access to elements by local name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from onrecord.ingest.formats.base import Source
from onrecord.ingest.formats.lines import skip_prologue
from onrecord.ingest.formats.words import seconds
from onrecord.types import printable

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_ROOT = re.compile(
    r"(?:<!DOCTYPE[^>\[]{0,500}(?:\[[^\]]{0,5000}\]\s{0,20})?>\s*)?<(?:[\w.-]{1,40}:)?([\w.-]{1,80})"
)
DEEPEST = 200
"""The maximum nesting depth of elements; a recursive walk through deeper XML would fail."""


def root_name(source: Source) -> str:
    """Return the local name of the root element in lower case, or an empty string if there is none."""
    match = _ROOT.match(source.text, skip_prologue(source.text))
    return match[1].lower() if match else ""


def parse_xml(source: Source) -> Element:
    """Return the root element.

    Raises FormatError for broken XML (with the line of the fault), for XML with entities, and for XML nested
    deeper than `DEEPEST`.
    """
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import ParseError, fromstring

    # The text is already decoded, so the encoding in the XML declaration would be wrong.
    text = re.sub(r"\A\s*<\?xml[^>]*\?>", "", source.text)
    try:
        root = fromstring(text, forbid_dtd=False, forbid_entities=True, forbid_external=True)
    except ParseError as error:
        line = source.text[: source.text.find("?>") + 2].count("\n") + error.position[0]
        raise source.error(f"line {line}", "XML", str(error)) from None
    except (DefusedXmlException, ValueError, RecursionError) as error:
        raise source.error("the whole of it", "plain XML without entities", type(error).__name__) from None
    depth, level = 0, [root]
    while level:
        depth += 1
        for element in level:  # "&#x202e;" stands for a character that no source contains
            element.text, element.tail = printable(element.text or ""), printable(element.tail or "")
        level = [child for element in level for child in element]
    if depth > DEEPEST:
        raise source.error("the whole of it", f"XML nested at most {DEEPEST} deep", "deeper nesting")
    document: Element = root
    return document


def local_name(element: Element) -> str:
    """Return an element's name without its namespace."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def attribute(element: Element, name: str) -> str | None:
    """Return an attribute by its local name, or None."""
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), None)


def read_seconds(source: Source, element: Element, name: str, per_second: float = 1000.0) -> float | None:
    """Return a time attribute in seconds, or None if absent; it counts 1/`per_second` seconds.

    Raises FormatError if the attribute is not a time.
    """
    written = element.get(name)
    second = None if written is None else seconds(written, per_second)
    if written is not None and second is None:
        expected = f"a number of {'milliseconds' if per_second == 1000.0 else 'seconds'} from 0"
        raise source.error(f"<{local_name(element)} {name}>", expected, repr(written))
    return second


def find_all(root: Element, name: str) -> Iterator[Element]:
    """Yield all elements with a local name, in document order."""
    return (element for element in root.iter() if local_name(element) == name)


def text_of(element: Element) -> str:
    """Return all text inside an element, with single spaces."""
    return " ".join("".join(element.itertext()).split())
