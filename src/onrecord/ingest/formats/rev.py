"""Reader of Rev's JSON (Rev AI and rev.com): `monologues` with `elements`, which are words or punctuation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from onrecord.ingest.formats.fields import Field, Speech, details_of, json_format, speaker_table
from onrecord.ingest.formats.words import Token, bracket_remark, space_words


def is_own(value: dict[str, Any]) -> bool:
    return "monologues" in value


def read(root: Field) -> Speech:
    names = speaker_table(root["speakers"], "id", "name", "display_name")
    elements = [element for monologue in root["monologues"] for element in monologue["elements"]]
    spaced = any(text != text.strip() for text in map(_element_text, elements))
    tokens = [token for monologue in root["monologues"] for token in _monologue(monologue, names, spaced)]
    details = details_of(root["language"], root.first("media_duration_seconds", "duration_seconds"))
    return Speech([tokens], details)


FORMAT = json_format("rev", is_own, read, "monologues")


def _monologue(monologue: Field, names: Mapping[str, str], spaced: bool) -> list[Token]:
    """Return the tokens of a monologue.

    If `spaced` is True, the elements contain spaces; otherwise, words are spaced as in normal writing.
    """
    info = monologue["speaker_info"]
    name = info["display_name"].label or monologue["speaker_name"].label
    speaker = name or monologue["speaker"].named(names)
    tokens = []
    apart, word_before = True, False  # two consecutive words are apart even without a space
    for element in monologue["elements"]:
        text = _element_text(element)
        is_word = element["type"].text != "punct"
        if text.strip():
            joined = not (apart or text[:1].isspace() or (is_word and word_before))
            span = element.span(("ts", "timestamp"), ("end_ts", "end_timestamp"))
            tokens.append(Token(bracket_remark(text), *span, speaker, joined))
        if text:
            apart, word_before = text[-1:].isspace(), is_word
    tokens = tokens if spaced else space_words(tokens)
    return [replace(token, opens=number == 0) for number, token in enumerate(tokens)]


def _element_text(element: Field) -> str:
    """Return an element's text; a remark such as crosstalk is a "tag" with a name instead of a value."""
    if element["type"].text == "tag" and "value" not in element:
        return f"<{element['name'].words}>"
    return element["value"].words
