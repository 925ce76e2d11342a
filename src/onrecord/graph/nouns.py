"""Word classes that separate the nouns and names of a text from its other words (``data/nouns.yaml``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from onrecord.ingest.people import COURTESY_TITLES
from onrecord.ingest.sounds import without_sounds
from onrecord.stores.words import STOP, fold, singular
from onrecord.types.calendar import FULL_NAMES
from onrecord.types.recordings import Passage

DATA = Path(__file__).parent.parent / "data"
STOPS, BREAKS, LIGHT, GENERIC, NUMBER = 1, 2, 4, 8, 16
"""Bit flags of a word.

`STOPS`: a small word that is not indexed. `BREAKS`: a word that ends a phrase. `LIGHT`: a word that only
modifies the next one. `GENERIC`: a noun that means nothing specific alone. `NUMBER`: a figure. A word may
have several flags.
"""
_TOKEN = re.compile(
    r"(?:[dlcjmnst]|qu)['’](?=[^\W\d_])|[^\W_]+(?:['’.&-][^\W_]+)*|[.!?…]+|[,;:()\[\]{}\"“”«»—–-]",
    re.IGNORECASE,
)
_OWNER = re.compile("['’]s?$")
_ELIDED = re.compile("['’]$")
_CONTRACTED = re.compile("['’](?:m|re|ve|ll|d)$")
ENDS = frozenset(".!?…")
_TURN = "…"
"""The mark between two turns. A period could belong to an initial, such as "J."."""
_SHORTEST_WITH_ENDING = 5
"""Letters of the shortest word whose ending determines its class."""


def data(name: str) -> Any:
    """Return the content of a YAML file in the package's data folder."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load((DATA / name).read_bytes(), loader)  # noqa: S506 - a safe loader


@cache
def classes() -> Mapping[str, frozenset[str]]:
    """Return the words of each class, folded, with their singulars. Add courtesy titles, months and days."""
    words = {name: some.split() for name, some in data("nouns.yaml").items()}
    words["honorifics"] += COURTESY_TITLES
    words["calendar"] = list(FULL_NAMES)
    return {
        name: frozenset(form for word in some for form in (fold(word), singular(fold(word))))
        for name, some in words.items()
    }


@cache
def _verbs() -> frozenset[str]:
    """Return the verbs with their inflected endings."""
    verbs: set[str] = set()
    for verb in classes()["verbs"]:
        stem = verb[:-1] if verb.endswith("e") else verb
        doubled = verb + verb[-1]
        verbs |= {verb, verb + "s", verb + "es", stem + "ed", stem + "ing", doubled + "ed", doubled + "ing"}
        verbs |= {verb[:-1] + "ies", verb[:-1] + "ied"} if verb.endswith("y") else set()
    return frozenset(verbs)


@lru_cache(1 << 16)  # the same words recur often
def word_class(text: str) -> tuple[str, int]:
    """Return the key of a word and its flags. The key is the folded singular without a possessive "s"."""
    key, kind = listed_class(text)
    form = fold(_OWNER.sub("", text))
    if len(form) >= _SHORTEST_WITH_ENDING and not kind & NUMBER:
        kind |= BREAKS if form.endswith("ed") else LIGHT | BREAKS if form.endswith("ly") else 0
    return key, kind


@lru_cache(1 << 16)
def listed_class(text: str) -> tuple[str, int]:
    """Return the key of a word and its flags by the word lists alone.

    The ending of a word is ignored, because a name may end like an adverb or a participle (Kelly, Ahmed).
    """
    form = fold(_OWNER.sub("", text) or text).replace("’", "'")
    key = singular(form)
    if form.isdigit() or (any(map(str.isdigit, form)) and not any(map(str.isalpha, form))):
        return key, NUMBER | BREAKS
    word_classes = classes()
    bare = form.replace("'", "")
    small = word_classes["determiners"] | word_classes["prepositions"]
    spoken = _CONTRACTED.sub("", form)  # "I'm", "they'd"
    is_small = bare in STOP or spoken in STOP or bare in small or len(spoken) < 2
    is_small |= bare in word_classes["pronouns"] and not text.isupper()  # "us", but not "US"
    parts = form.split("-")
    joins_small = len(parts) > 1 and all(word_class(part)[1] & (STOPS | LIGHT) for part in parts)  # "mm-hmm"
    kind = STOPS | BREAKS if is_small or joins_small else 0
    if bare in _verbs():
        kind |= BREAKS
    if bare in word_classes["light"]:
        kind |= LIGHT | BREAKS
    if not {key, form}.isdisjoint(word_classes["generic"] | word_classes["calendar"]):
        kind |= GENERIC
    if len(parts) > 1 and parts[0] in word_classes["generic"] and parts[0] != "half":
        kind |= BREAKS | NUMBER  # "forty-one"
    return key, kind


@dataclass(frozen=True, slots=True)
class Word:
    """A word or mark of a text.

    `text` is the word as written, at characters `begin`..`end`. `key` is its key, "" for a mark. `kind` has
    its flags. `first` says whether it begins a sentence.
    """

    text: str
    begin: int
    end: int
    key: str
    kind: int
    first: bool

    @property
    def is_mark(self) -> bool:
        return not self.key

    @property
    def ends_sentence(self) -> bool:
        return self.text[0] in ENDS

    @property
    def ends_turn(self) -> bool:
        """Whether it is the mark between two turns of a passage, the only one without width."""
        return self.begin == self.end

    @property
    def capital(self) -> bool:
        return self.text[0].isupper()

    @property
    def elided(self) -> bool:
        """Whether the word is an elided article or prefix, as in "l'eau" and "D'Arcy". Keys leave it out."""
        return _ELIDED.search(self.text) is not None


def words_of(passage: Passage) -> list[Word]:
    """Return the words and marks of a passage in order, with a mark between two turns, but no noted sounds.

    The mark has no width. It ends a sentence, because nobody continues a name or statement of somebody else.
    """
    text = without_sounds(passage.text)
    words: list[Word] = []
    for begin, end, _ in passage.turns:
        if begin:
            words.append(Word(_TURN, begin, begin, "", BREAKS, first=True))
        words += words_in(text, begin, end)
    return words


def words_in(text: str, begin: int = 0, end: int | None = None) -> list[Word]:
    """Return the words and marks of a text, or of its characters `begin`..`end`, in order."""
    words: list[Word] = []
    first = True
    for match in _TOKEN.finditer(text, begin, len(text) if end is None else end):
        written = match[0]
        if not written[0].isalnum():
            words.append(Word(written, match.start(), match.end(), "", BREAKS, first))
            first = first or written[0] in ENDS
            continue
        names = written[0].isupper() and not first
        key, kind = listed_class(written) if names else word_class(written)
        if _ELIDED.search(written):
            kind |= STOPS | BREAKS
        behind = match.end() - (2 if written[-2:].lower() in ("'s", "’s") else 0)
        words.append(Word(text[match.start() : behind], match.start(), behind, key, kind, first))
        first = False
    return words


def key_of(text: str) -> str:
    """Return the key of a name, equal for "Heat pumps" and "heat pump". It is empty without a word."""
    return join_keys(word.key for word in words_in(text) if not word.elided)


def join_keys(keys: Iterable[str]) -> str:
    return " ".join(filter(None, keys))


def folded(word: Word) -> str:
    """Return a word in the form of the word classes: without case, accents or an elision's apostrophe."""
    return fold(word.text).rstrip("'’")
