"""What understanding says to the user, by key, in the languages of ``data/messages.yaml``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from onrecord.types import one_line, printable
from onrecord.understand.lexicon import read_data

_MOST_NAMES = 5
_LONGEST = 120
"""Characters of a name or title that are shown."""


@dataclass(frozen=True)
class Messages:
    """The messages of one language."""

    language: str
    texts: Mapping[str, Any]

    def say(self, key: str, n: int | None = None, **values: Any) -> str:
        """The message of a key, filled in; `n` chooses between its forms."""
        text = self.texts.get(key) or _all()["en"][key]
        if isinstance(text, Mapping):
            text = text.get(self._form(n or 0, text), text["other"])
        told = str(text.format(n=n, **values))
        return re.sub(r"(?<=\d),(?=\d{3})", " ", told) if self.language == "fr" else told

    def _form(self, n: int, forms: Mapping[str, str]) -> str:
        if n == 0 and "none" in forms:
            return "none"
        return "one" if n == 1 or (n == 0 and self.language == "fr") else "other"

    def quoted(self, text: str) -> str:
        """A user's words in quotation marks."""
        return self.say("quoted", text=plain(text))

    def all_quoted(self, texts: Sequence[str]) -> str:
        return " + ".join(map(self.quoted, dict.fromkeys(texts)))

    def listed(self, names: Sequence[str]) -> str:
        """Names as a sentence lists them."""
        shown = [plain(name) for name in names]
        return self.say("and").join(filter(None, (", ".join(shown[:-1]), shown[-1])))

    def choices(self, names: Sequence[str]) -> str:
        """Names of which one is meant."""
        return " / ".join(map(plain, names[:_MOST_NAMES])) + (" / ..." if len(names) > _MOST_NAMES else "")

    def recordings(self, n: int) -> str:
        return self.say("recordings", n)


def plain(text: str) -> str:
    """A text of the archive or the user as one printable line."""
    marked = re.sub(r"\[(\d+)\]", r"(\1)", printable(one_line(text)))
    return marked if len(marked) <= _LONGEST else marked[: _LONGEST - 1] + "…"


@cache
def _all() -> Mapping[str, Mapping[str, Any]]:
    data: Mapping[str, Mapping[str, Any]] = read_data("messages.yaml")
    return data


@cache
def messages_in(language: str | None) -> Messages:
    """The messages of a language; English where there are none in it."""
    code = language if language in _all() else "en"
    return Messages(str(code), _all()[str(code)])
