"""XML sources: parsed without entities, external parts or bombs, and their elements by local name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from onrecord.ingest.formats.base import Source
from onrecord.ingest.formats.lines import skip_prologue

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_ROOT = re.compile(r"(?:<!DOCTYPE[^>\[]{0,500}>\s*)?<(?:[\w.-]{1,40}:)?([\w.-]{1,80})")
DEEPEST = 200
"""Elements inside one another: no transcript has more, and a walk through them would not end well."""


def root_name(source: Source) -> str:
    """The local name of the outermost element, in small letters; empty where the text is no XML."""
    found = _ROOT.match(source.text, skip_prologue(source.text))
    return found[1].lower() if found else ""


def parse_xml(source: Source) -> Element:
    """The outermost element. Raises FormatError with the line where the XML breaks off."""
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import ParseError, fromstring

    text = re.sub(r"\A\s*<\?xml[^>]*\?>", "", source.text)  # its encoding is that of the bytes, long decoded
    try:
        root = fromstring(text, forbid_dtd=False, forbid_entities=True, forbid_external=True)
    except ParseError as error:
        line = source.text[: source.text.find("?>") + 2].count("\n") + error.position[0]
        raise source.error(f"line {line}", "XML", str(error)) from None
    except (DefusedXmlException, ValueError, RecursionError) as error:
        raise source.error("the whole of it", "plain XML without entities", type(error).__name__) from None
    if _depth(root) > DEEPEST:
        raise source.error("the whole of it", f"XML nested at most {DEEPEST} deep", "deeper nesting")
    found: Element = root
    return found


def local_name(element: Element) -> str:
    """An element's name without its namespace."""
    return _local(element.tag) if isinstance(element.tag, str) else ""


def attribute(element: Element, name: str) -> str | None:
    """An attribute by its local name."""
    for key, value in element.attrib.items():
        if _local(key) == name:
            return value
    return None


def find_all(root: Element, name: str) -> Iterator[Element]:
    """All elements of a local name, in order."""
    return (element for element in root.iter() if local_name(element) == name)


def text_of(element: Element) -> str:
    """All text inside of an element, with single spaces."""
    return " ".join("".join(element.itertext()).split())


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _depth(root: Element) -> int:
    deepest, level = 0, [root]
    while level:
        deepest += 1
        level = [child for element in level for child in element]
    return deepest
