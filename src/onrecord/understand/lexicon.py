"""Tokens of questions, the word classes of ``data/lexicon.yaml``, and the messages shown to users."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, TypeVar

from onrecord.errors import WeightsError
from onrecord.ingest.people import COURTESY_TITLES
from onrecord.models.cache_folder import cache_root, write
from onrecord.stores.words import fold, singular
from onrecord.types import one_line, primary_language
from onrecord.types.calendar import MONTHS, WEEKDAYS

_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+")
Phrase = tuple[str, ...]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text: its spelling, its character offsets `begin` and `end`, and its folded singular."""

    text: str
    begin: int
    end: int
    word: str

    @property
    def capital(self) -> bool:
        """Whether the word is written like a name: with an initial capital, or with a digit."""
        return self.text[0].isupper() or any(map(str.isdigit, self.text))

    @property
    def singular(self) -> bool:
        """Whether the word is in the singular, with or without accents."""
        return self.word == fold(self.text)


def noun_of(token: Token) -> str:
    """Return a noun for display: the singular, or the word as written in lower case if it has accents."""
    return token.word if token.text.isascii() else token.text.lower()


@lru_cache(1 << 14)
def word_of(text: str) -> str:
    """Return the folded singular of one word."""
    return singular(fold(text))


class Tokens(tuple[Token, ...]):
    """The tokens of a `text`, in order."""

    text: str

    def __new__(cls, text: str) -> Tokens:
        found = _WORD.finditer(text)
        self = super().__new__(cls, (Token(m[0], m.start(), m.end(), word_of(m[0])) for m in found))
        self.text = text
        return self

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The folded singulars of all tokens."""
        return tuple(token.word for token in self)

    def have(self, some: Collection[str]) -> bool:
        """Check whether one of the tokens is one of some words."""
        return any(word in some for word in self.words)

    def phrases(self, table: Mapping[Phrase, T], most: int = 12) -> Iterator[tuple[int, int, T]]:
        """Yield the longest phrase of `table` that starts at each word, of at most `most` words.

        Each item is the first token, the last token and the table's value."""
        for at in range(len(self)):
            for end in range(min(at + most, len(self)), at, -1):
                if self.words[at:end] in table:
                    yield at, end - 1, table[self.words[at:end]]
                    break

    def said(self, first: int, last: int) -> str:
        """Return the text from token `first` to token `last`."""
        return self.text[self[first].begin : self[last].end]

    def between(self, left: int, right: int) -> str:
        """Return the text after token `left` and before token `right`."""
        return self.text[self[left].end : self[right].begin]


def words(text: str) -> tuple[str, ...]:
    """Return the folded singulars of the words of a text, in order."""
    return tuple(map(word_of, _WORD.findall(text)))


DATA = Path(__file__).parent.parent / "data"

_VERSION = 8
"""The format version of cached derived data; increase it when the format changes."""


def read_data(name: str) -> Any:
    """Return the parsed content of a YAML file in the package's data folder."""
    return read_derived([name], "data", lambda value: value)


def read_derived(names: Sequence[str], what: str, derive: Callable[..., Any]) -> Any:
    """Return what `derive` makes of parsed YAML files in the data folder, cached as JSON under a name.

    The cache is renewed when one of the files or ``lexicon.yaml`` changes."""
    source = b"".join((DATA / each).read_bytes() for each in dict.fromkeys((*names, "lexicon.yaml")))
    digest = hashlib.sha256(source).hexdigest()[:16]
    cached = cache_root() / "understand" / f"{_VERSION}-{names[0]}-{what}-{digest}.json"
    with suppress(OSError, ValueError):
        return json.loads(cached.read_bytes())
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    derived = derive(*(yaml.load((DATA / name).read_bytes(), loader) for name in names))  # noqa: S506 - safe
    with suppress(WeightsError):  # if the cache cannot be written, the data is derived again next time
        write(cached, [json.dumps(derived).encode()])
    return derived


@dataclass(frozen=True)
class Lexicon:
    """The word classes of the lexicon: sets of words, and numbers or names by word.

    `words` are the words of all sets, and the names of months, units, limits and languages."""

    words: frozenset[str]
    recordings: frozenset[str]
    articles: frozenset[str]
    contracted: frozenset[str]
    prepositions: frozenset[str]
    joins: frozenset[str]
    beside: frozenset[str]
    continuing: frozenset[str]
    excepting: frozenset[str]
    pronouns: frozenset[str]
    personal: frozenset[str]
    ones: frozenset[str]
    one_person: frozenset[str]
    anybody: frozenset[str]
    replies: frozenset[str]
    earlier: frozenset[str]
    later: frozenset[str]
    this: frozenset[str]
    last: frozenset[str]
    early: frozenset[str]
    late: frozenset[str]
    titles: frozenset[str]
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
    def spelt_roles(self) -> Mapping[str, str]:
        """The longest name of a role, of three words or more, by each name of one or two words: "CFO"."""
        longest = ((same, max(same, key=len)) for same in self.same_roles)
        return {r[0]: " ".join(most) for same, most in longest for r in same if len(most) > 2 > len(r)}

    @cached_property
    def calendar(self) -> frozenset[str]:
        """The words that appear in dates without digits; each such date has one of them."""
        return frozenset().union(self.months, self.units, self.last, self.this)


@cache
def lexicon() -> Lexicon:
    """Return the lexicon, which is read once."""
    data = read_data("lexicon.yaml")
    sets = {name: frozenset(words(value)) for name, value in data.items() if isinstance(value, str)}
    sets["titles"] |= COURTESY_TITLES
    months, units = _numbered(map(" ".join, MONTHS), 1), _by_word(data["units"])
    limits, languages = _by_word(data["limits"]), _by_word(data["languages"])
    return Lexicon(
        **sets,
        words=frozenset().union(*sets.values(), months, units, limits, languages),
        months=months,
        weekdays=_numbered(map(" ".join, WEEKDAYS), 0),
        seasons=_by_word(data["seasons"]),
        units=units,
        numbers=_numbered(data["numbers"], 0),
        limits=limits,
        languages=languages,
        ends={name: frozenset(words(value)) for name, value in data["ordinals"].items()},
        sections={
            words(phrase): kind for kind, some in data["sections"].items() for phrase in some.split("/")
        },
        role_verbs=_by_word(data["role_verbs"]),
        same_roles=tuple(frozenset(map(words, roles.split("/"))) for roles in data["same_roles"]),
    )


def _numbered(rows: Iterable[str], first: int) -> dict[str, int]:
    """Return the row number of every word, counted from `first`; a word in two rows has the first."""
    return {word: number for number, row in reversed(list(enumerate(rows, first))) for word in words(row)}


def _by_word(rows: Mapping[str, str]) -> dict[str, str]:
    """Return the name of the row of every word."""
    return {word: name for name, row in rows.items() for word in words(row)}


_MOST_NAMES = 5
_LONGEST = 120
"""Maximum number of characters of a name or title that are shown."""


@dataclass(frozen=True)
class Messages:
    """The messages in one language; a missing message is in English."""

    language: str
    texts: Mapping[str, Any]

    def say(self, key: str, n: int | None = None, **values: Any) -> str:
        """Return the message of a key with its values filled in.

        `n` selects the singular, plural or "none" form, and replaces ``{count}``: small numbers as words,
        larger ones in digits."""
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
        """Return the user's words in quotation marks, as one printable line."""
        return self.say("quoted", text=plain(text))

    def quote(self, text: str) -> str:
        """Return a speaker's words in quotation marks; the same marks within them become inner ones."""
        return self.say("quote", text=text.translate(str.maketrans(self._text("inner"))))

    def introduced(self, name: str, text: str = "") -> str:
        """Return a text after the name of its speaker, or after a label."""
        return self.say("introduced", name=name, text=text).rstrip()

    def act(self, act: str) -> tuple[str, str]:
        """Return the heading for quotes of a dialogue act, and the message that there are none."""
        above, none = self._text("acts")[act]
        return above, none

    def language_name(self, code: str) -> str:
        return str(self._text("languages").get(code, code))

    def reply(self, kind: str) -> str:
        """Return the reply to a kind of courtesy."""
        return str(self._text("replies")[kind])

    def all_quoted(self, texts: Sequence[str]) -> str:
        return " + ".join(map(self.quoted, dict.fromkeys(texts)))

    def listed(self, names: Sequence[str]) -> str:
        """Return names with commas and "and"."""
        shown = [plain(name) for name in names]
        return self.say("and").join(filter(None, (", ".join(shown[:-1]), shown[-1])))

    def choices(self, names: Sequence[str]) -> str:
        """Return the names that an ambiguous mention may mean, at most five."""
        return " / ".join(map(plain, names[:_MOST_NAMES])) + (" / ..." if len(names) > _MOST_NAMES else "")

    def recordings(self, n: int) -> str:
        return self.say("recordings", n)


def plain(text: str) -> str:
    """Return a text as one printable line of at most 120 characters.

    Numbers in brackets would look like citations, so they get parentheses instead."""
    marked = re.sub(r"\[((?:Source )?\d+)\]", r"(\1)", one_line(text))
    return marked if len(marked) <= _LONGEST else marked[: _LONGEST - 1] + "…"


@cache
def _all() -> Mapping[str, Mapping[str, Any]]:
    data: Mapping[str, Mapping[str, Any]] = read_data("messages.yaml")
    return data


@cache
def messages_in(language: str | None) -> Messages:
    """Return the messages of a language, whatever its region, or the English ones if it has none."""
    code = code if (code := primary_language(language)) in _all() else "en"
    return Messages(code, _all()[code])
