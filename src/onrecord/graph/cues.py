"""Relations that a sentence states: two mentions with a cue between them (``data/relations.yaml``).

Between the two may stand nothing but the cue and small words, so a relation is read where it is said in so
many words and nowhere else. What "the tariff on frames caused" names is the tariff: of mentions that hang on
one another by prepositions the first one counts. Questions state nothing, nor does what is denied.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from onrecord.graph.nouns import BREAKS, ENDS, LIGHT, Word, classes, data
from onrecord.stores.words import fold
from onrecord.types.graph import MODEL, Mention, Relation
from onrecord.types.recordings import Passage

_WIDEST = 7
"""Words between two that are related."""


@dataclass(frozen=True)
class Cues:
    """Relation and direction by cue; classes of words (see the file); kinds allowed; relations that are
    shown."""

    by_text: Mapping[str, tuple[str, str]]
    light: frozenset[str]
    helpers: frozenset[str]
    denied: frozenset[str]
    changes: frozenset[str]
    openers: frozenset[str]
    joints: frozenset[str]
    kinds: Mapping[str, tuple[str, str]]
    shown: frozenset[str]


@cache
def cues() -> Cues:
    """The cues of the data file, read once."""
    told = data("relations.yaml")
    by_text = {
        " ".join(cue.split()): (name, way)
        for name, some in told["relations"].items()
        for way in ("forward", "backward", "changed")
        for cue in some.get(way, "").split("/")
        if cue.strip()
    }
    kinds = {n: (some.get("subject", ""), some.get("object", "")) for n, some in told["relations"].items()}
    shown = frozenset(n for n, some in told["relations"].items() if some.get("shown", True))
    light, helpers, denied, changes, openers, joints = (
        frozenset(told[name].split())
        for name in ("light", "helpers", "denied", "changes", "openers", "joints")
    )
    return Cues(by_text, light, helpers, denied, changes, openers, joints, kinds, shown)


def relations_in(passage: Passage, words: Sequence[Word], mentions: Sequence[Mention]) -> Iterator[Relation]:
    """What the sentences of a passage state of its mentions."""
    whole = _outermost(mentions)
    if len(whole) < 2:
        return
    first_at = {word.begin: at for at, word in enumerate(words)}
    last_at = {word.end: at for at, word in enumerate(words)}
    places = [(first_at[m.begin], last_at[m.end]) for m in whole]
    for number in range(len(whole) - 1):
        (_, before), (after, _) = places[number], places[number + 1]
        gap = words[before + 1 : after]
        found = cue_in(gap)
        if found is None or asks(words, after):
            continue
        name, backward = found
        told_of = fold(gap[0].text) in _RELATIVE  # "the pathogen that caused it": the last noun alone
        first = number if told_of else _head(words, places, number)
        if not (told_of or _opens_clause(words, places[first][0])):
            continue
        last = _last(places, number + 1)
        if not _ends_name(words, places[last][1]):
            continue
        one, other = whole[first], whole[last]
        subject, object_ = (other, one) if backward else (one, other)
        if subject.entity != object_.entity and _fits_kinds(name, subject, object_):
            yield Relation(
                subject.entity, name, object_.entity, passage.recording, passage.position,
                min(one.begin, other.begin), max(one.end, other.end), passage.speaker_at(one.begin),
            )  # fmt: skip


def cue_in(gap: Sequence[Word]) -> tuple[str, bool] | None:
    """The relation that the words between two mentions state, and whether it points backward."""
    known = cues()
    changes = [word for word in gap[:1] if fold(word.text) in known.changes]
    gap = gap[len(changes) + (fold(gap[0].text) in _RELATIVE if gap else 0) :]
    if not 0 < len(gap) <= _WIDEST or any(word.is_mark for word in gap):
        return None
    said = [fold(word.text).rstrip("'’") for word in gap]
    if is_denied(gap) or not _ANEW.isdisjoint(said):
        return None
    for end in range(len(said), 0, -1):
        if end < len(said) and not (said[end] in known.light or gap[end].kind & LIGHT):
            return None
        for begin in range(end):
            if begin and not (said[begin - 1] in known.light | known.helpers or gap[begin - 1].kind & LIGHT):
                break
            name, way = known.by_text.get(" ".join(said[begin:end]), ("", ""))
            if name and (way == "changed") == bool(changes):
                return name, way != "forward"
    return None


def _outermost(mentions: Sequence[Mention]) -> list[Mention]:
    """Mentions in words that are part of no longer one, in order."""
    some = sorted((m for m in mentions if m.begin >= 0), key=lambda m: (m.begin, -m.end))
    kept: list[Mention] = []
    for mention in some:
        if not kept or mention.begin >= kept[-1].end:
            kept.append(mention)
    return kept


def _head(words: Sequence[Word], places: Sequence[tuple[int, int]], number: int) -> int:
    """The first of the mentions that hang on one another by prepositions, up to one."""
    while number and _is_attached(words[places[number - 1][1] + 1 : places[number][0]]):
        number -= 1
    return number


def _last(places: Sequence[tuple[int, int]], number: int) -> int:
    """The last of the mentions that follow one another without a word between: "Welsh" "manager" is a
    manager."""
    while number + 1 < len(places) and places[number + 1][0] == places[number][1] + 1:
        number += 1
    return number


def _opens_clause(words: Sequence[Word], at: int) -> bool:
    """Whether a mention begins a clause, so that the verb behind it is its own."""
    small = cues().light | classes()["determiners"]
    while (
        at and not words[at - 1].is_mark and (words[at - 1].kind & LIGHT or fold(words[at - 1].text) in small)
    ):
        at -= 1
    if not at or words[at - 1].is_mark:
        return True
    told = fold(words[at - 1].text)
    return told in cues().openers or (told in cues().joints and (at < 2 or words[at - 2].is_mark))


def _ends_name(words: Sequence[Word], at: int) -> bool:
    """Whether a mention ends what it names: a mark or a small word follows, and no infinitive, of which it
    would be the subject ("cause sales to fall")."""
    if at + 1 == len(words):
        return True
    ahead = words[at + 1]
    if ahead.is_mark:
        return ahead.text not in "-–—("
    known = classes()
    told = fold(ahead.text).rstrip("'’")
    said = cues()
    small = known["prepositions"] | known["determiners"] | said.openers | said.joints | said.helpers | _BEHIND
    return told in small and told != "to"


_BEHIND = frozenset("who which whose qui".split())
_RELATIVE = frozenset("that who qui".split())
_ANEW = frozenset("that which who there what whether it que qui il".split())
"""Words with which another clause begins, of which the first mention is not the subject."""


def _is_attached(gap: Sequence[Word]) -> bool:
    """Whether a preposition, and nothing else but small words, stands between."""
    said = [fold(word.text).rstrip("'’") for word in gap]
    small = classes()["prepositions"]
    return (
        bool(said)
        and said[0] in small
        and all(
            not word.is_mark
            and (
                told in small
                or (word.kind & BREAKS and told in classes()["determiners"])
                or word.kind & LIGHT
            )
            for word, told in zip(gap, said, strict=True)
        )
    )


def is_denied(words: Sequence[Word]) -> bool:
    """Whether a word among them denies: "not", "never", "didn't"."""
    denied = cues().denied
    said = (fold(word.text).rstrip("'’") for word in words)
    return any(word in denied or word.endswith(("n't", "n’t")) for word in said)


def is_shown(relation: Relation) -> bool:
    """Whether a relation is shown by default: what a model read was checked, of what cues say some is not
    right often enough."""
    return relation.rule == MODEL or relation.relation in cues().shown


def asks(words: Sequence[Word], at: int) -> bool:
    """Whether the sentence of a word is a question."""
    for word in words[at:]:
        if word.is_mark and word.text[0] in ENDS:
            return "?" in word.text
    return False


def _fits_kinds(name: str, subject: Mention, object_: Mention) -> bool:
    one, other = cues().kinds[name]
    return one in ("", subject.kind) and other in ("", object_.kind)
