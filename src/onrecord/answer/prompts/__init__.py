"""The instructions that a language model is given: one Markdown file a seat, beside this module."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

_LANGUAGES = {
    "en": "English", "fr": "French", "de": "German", "es": "Spanish", "it": "Italian", "nl": "Dutch",
    "pt": "Portuguese", "pl": "Polish", "sv": "Swedish", "da": "Danish", "ja": "Japanese", "zh": "Chinese",
}  # fmt: skip


def prompt(name: str, language: str | None = None) -> str:
    """The instructions of that name, for an answer in a language (ISO 639-1)."""
    return _text(name).replace("{language}", _LANGUAGES.get(language or "", "the language of the question"))


@cache
def _text(name: str) -> str:
    return files(__name__).joinpath(f"{name}.md").read_text("utf-8").strip()
