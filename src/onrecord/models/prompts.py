"""Prompts of language models: onrecord's instructions, and data that cannot pass for instructions.

Instructions are Markdown files in the folders `prompts` of subpackages. The words of users and transcripts
are data: they stand on single lines between marks that no data can contain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files

from onrecord.types import Exchange, printable

_MARK = re.compile(r"[\[［](?=\s*(?:source|no answer|missing))", re.IGNORECASE)
_MARKUP = str.maketrans({"<": "‹", ">": "›"})
_LANGUAGES = {
    "en": "English", "fr": "French", "de": "German", "es": "Spanish", "it": "Italian", "nl": "Dutch",
    "pt": "Portuguese", "pl": "Polish", "sv": "Swedish", "da": "Danish", "ja": "Japanese", "zh": "Chinese",
}  # fmt: skip


def prompt(room: str, name: str, language: str | None = None, **words: str) -> str:
    """Return the instructions ``{room}/prompts/{name}.md``, for an answer in a language (ISO 639-1).

    `room` is a subpackage of onrecord. Each of `words` replaces its name in braces.
    """
    words["language"] = _LANGUAGES.get(language or "", "the language of the question")
    text = _text(room, name)
    for slot, value in words.items():
        text = text.replace(f"{{{slot}}}", value)
    return text


@cache
def _text(room: str, name: str) -> str:
    return files("onrecord").joinpath(room, "prompts", f"{name}.md").read_text("utf-8").strip()


def as_data(text: str) -> str:
    """Return a text as one line without onrecord's marks, such as ``<sources>`` and ``[Source 1]``."""
    return " ".join(_MARK.sub("(", printable(text).translate(_MARKUP)).split())


def block(name: str, lines: Iterable[str]) -> str:
    """Return lines of data between ``<name>`` and ``</name>``."""
    return "\n".join((f"<{name}>", *map(as_data, lines), f"</{name}>"))


def conversation(history: Sequence[Exchange]) -> str:
    """Return the earlier turns of a conversation as a block; empty if there are none."""
    lines = [line for turn in history for line in (f"Asked: {turn.question}", f"Answered: {turn.answer}")]
    return block("conversation", lines) if lines else ""
