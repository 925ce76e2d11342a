"""Words: those of a question, the small closed classes of ``data/lexicon.yaml``, what is said to users."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

from onrecord.errors import WeightsError
from onrecord.models.cache_folder import cache_root, write
from onrecord.stores.words import fold, singular
from onrecord.types import one_line, printable

_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+")


@dataclass(frozen=True, slots=True)
class Token:
    """One word: as it is written, where it begins and ends, and its folded singular."""

    text: str
    begin: int
    end: int
    word: str

    @property
    def capital(self) -> bool:
        """Whether it is written as names are: with a capital, or with a figure in it."""
        return self.text[0].isupper() or any(map(str.isdigit, self.text))

    @property
    def singular(self) -> bool:
        """Whether it is written in the singular, with accents or not."""
        return self.word == fold(self.text)


def noun_of(token: Token) -> str:
    """A noun as it is shown: in the singular, with its accents."""
    return token.word if token.text.isascii() else token.text.lower()


@lru_cache(1 << 14)
def word_of(text: str) -> str:
    """The folded singular of one word."""
    return singular(fold(text))


def tokens(text: str) -> tuple[Token, ...]:
    """The words of a text, in order."""
    return tuple(
        Token(match[0], match.start(), match.end(), word_of(match[0])) for match in _WORD.finditer(text)
    )


def words(text: str) -> tuple[str, ...]:
    """The folded singulars of the words of a text, in order."""
    return tuple(map(word_of, _WORD.findall(text)))


def span_text(text: str, tokens: Iterable[Token]) -> str:
    """The part of a text from the first token to the last."""
    span = tuple(tokens)
    return text[span[0].begin : span[-1].end] if span else ""


DATA = Path(__file__).parent.parent / "data"

_VERSION = 8
"""Of the form in which derived data is cached: raise it when that form changes."""
Phrase = tuple[str, ...]


def read_data(name: str) -> Any:
    """The value of a YAML file of the package."""
    return read_derived([name], "data", lambda value: value)


def read_derived(names: Sequence[str], what: str, derive: Callable[..., Any]) -> Any:
    """What is derived from YAML files of the package, cached as JSON in the user's cache folder."""
    source = b"".join((DATA / each).read_bytes() for each in dict.fromkeys((*names, "lexicon.yaml")))
    digest = hashlib.sha256(source).hexdigest()[:16]
    cached = cache_root() / "understand" / f"{_VERSION}-{names[0]}-{what}-{digest}.json"
    with suppress(OSError, ValueError):
        return json.loads(cached.read_bytes())
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    derived = derive(*(yaml.load((DATA / name).read_bytes(), loader) for name in names))  # noqa: S506 - safe
    with suppress(WeightsError):  # it is derived again the next time
        write(cached, [json.dumps(derived).encode()])
    return derived


@dataclass(frozen=True)
class Lexicon:
    """Classes of words by name: sets, and numbers or names by word."""

    sets: Mapping[str, frozenset[str]]
    months: Mapping[str, int]
    weekdays: Mapping[str, int]
    seasons: Mapping[str, str]
    units: Mapping[str, str]
    numbers: Mapping[str, int]
    limits: Mapping[str, str]
    languages: Mapping[str, str]
    ends: Mapping[str, frozenset[str]]
    sections: Mapping[Phrase, str]
    same_roles: tuple[frozenset[Phrase], ...]
    role_verbs: Mapping[str, str]

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of all classes."""
        named = (self.months, self.units, self.limits, self.languages)
        return frozenset().union(*self.sets.values(), *named)

    @cached_property
    def spelt_roles(self) -> Mapping[str, str]:
        """The longest way to call a role, of three words or more, by each short name: "CFO"."""
        longest = ((same, max(same, key=len)) for same in self.same_roles)
        return {r[0]: " ".join(most) for same, most in longest for r in same if len(most) > 2 > len(r)}

    @cached_property
    def calendar(self) -> frozenset[str]:
        """Words of which every date has one, where it has no figure."""
        return frozenset().union(self.months, self.units, self.sets["last"], self.sets["this"])


@cache
def lexicon() -> Lexicon:
    """The classes of words, read once."""
    data = read_data("lexicon.yaml")
    return Lexicon(
        sets={name: frozenset(words(value)) for name, value in data.items() if isinstance(value, str)},
        months=_numbered(data["months"], 1),
        weekdays=_numbered(data["weekdays"], 0),
        seasons=_by_word(data["seasons"]),
        units=_by_word(data["units"]),
        numbers=_numbered(data["numbers"], 0),
        limits=_by_word(data["limits"]),
        languages=_by_word(data["languages"]),
        ends={name: frozenset(words(value)) for name, value in data["ordinals"].items()},
        sections={
            words(phrase): kind for kind, some in data["sections"].items() for phrase in some.split("/")
        },
        role_verbs=_by_word(data["role_verbs"]),
        same_roles=tuple(frozenset(map(words, roles.split("/"))) for roles in data["same_roles"]),
    )


def _numbered(rows: list[str], first: int) -> dict[str, int]:
    """The number of every word; a word of two rows is of the first."""
    return {word: number for number, row in reversed(list(enumerate(rows, first))) for word in words(row)}


def _by_word(rows: Mapping[str, str]) -> dict[str, str]:
    return {word: name for name, row in rows.items() for word in words(row)}


_MOST_NAMES = 5
_LONGEST = 120
"""Characters of a name or title that are shown."""


@dataclass(frozen=True)
class Messages:
    """The messages of one language."""

    language: str
    texts: Mapping[str, Any]

    def say(self, key: str, n: int | None = None, **values: Any) -> str:
        """The message of a key, filled in; `n` chooses between its forms, and is {count} in words."""
        text = self._text(key)
        if isinstance(text, Mapping):
            one = n == 1 or (not n and self.language == "fr")
            form = "none" if not n and "none" in text else "one" if one else "other"
            text = text.get(form, text["other"])
        if n is not None and "ount}" in text:
            counts = self._text("counts")
            count = str(counts[n]) if n < len(counts) else str(n)
            values |= {"count": count, "Count": count.capitalize()}
        message = str(text.format(n=n, **values))
        grouped = self.language == "fr" and ":," in text
        return re.sub(r"(?<=\d),(?=\d{3})", " ", message) if grouped else message

    def _text(self, key: str) -> Any:
        return self.texts.get(key) or _all()["en"][key]

    def quoted(self, text: str) -> str:
        """A user's words in quotation marks."""
        return self.say("quoted", text=plain(text))

    def quote(self, text: str) -> str:
        """What was said, in quotation marks and otherwise as it is."""
        return self.say("quote", text=text)

    def introduced(self, name: str, text: str = "") -> str:
        """A text behind who says it, or what it is."""
        return self.say("introduced", name=name, text=text).rstrip()

    def act(self, act: str) -> tuple[str, str]:
        """The heading of quotes that do what an act is, and the message that there are none."""
        above, none = self._text("acts")[act]
        return above, none

    def language_name(self, code: str) -> str:
        return str(self._text("languages").get(code, code))

    def reply(self, kind: str) -> str:
        """The word back to a courtesy."""
        return str(self._text("replies")[kind])

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
    """The messages of a language, whatever its region; English where there are none in it."""
    code = (language or "").lower().split("-")[0]
    code = code if code in _all() else "en"
    return Messages(code, _all()[code])
