"""The sides of a question that names several people or things beside one another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise

from onrecord.stores.words import STOP
from onrecord.understand.intents import frame_words
from onrecord.understand.lexicon import lexicon
from onrecord.understand.linking import Linked, Mention

Span = tuple[int, int]
"""The first and the last token of a side."""


def sides_of(
    linked: Linked, signs: Mapping[int, str], voices: Sequence[Mention], comparing: bool
) -> tuple[tuple[str, str], ...]:
    """The words for each side, and the question with those of the others left out; empty without sides.

    Sides are mentions of one field beside one another, or, where a question compares, what stands around a
    joining word."""
    for _, some in groupby(sorted(linked.mentions, key=_by_field), key=lambda m: m.field):
        beside = _beside(linked, list(some), voices)
        if len(beside) > 1:
            return _queries(linked, [(m.first, m.last) for m in beside])
    return _queries(linked, _around_join(linked, signs)) if comparing else ()


def _by_field(mention: Mention) -> tuple[str, int]:
    return mention.field, mention.first


def _beside(linked: Linked, some: Sequence[Mention], voices: Sequence[Mention]) -> list[Mention]:
    """The mentions of a field with nothing but joining words between them; of people those who speak."""
    some = [m for m in some if m.field != "speaker" or m in voices]
    for one, other in pairwise(some):
        between = [token.word for token in linked.tokens[one.last + 1 : other.first]]
        said = linked.text[linked.tokens[one.last].end : linked.tokens[other.first].begin]
        joined = "," in said or any(word in lexicon().sets["joins"] for word in between)
        if not joined or not all(_joins(word) for word in between):
            return []
    return list(some)


def _joins(word: str) -> bool:
    lex = lexicon()
    return (
        word in lex.sets["joins"]
        or word in lex.sets["articles"]
        or word in ("what", "ce", "que", "for", "in")
    )


def _around_join(linked: Linked, signs: Mapping[int, str]) -> list[Span]:
    """The runs of words right before and behind the first joining word that has some on both sides."""
    lex, frames = lexicon(), frame_words("comparison")

    def own(at: int) -> bool:
        word = linked.tokens[at].word
        free = word not in frames and word not in STOP and word not in lex.sets["joins"]
        return at in signs or free or word in lex.sets["articles"] or word in ("of", "de")

    def apart(at: int) -> bool:
        return "," in linked.text[linked.tokens[at].end : linked.tokens[at + 1].begin]

    for at, token in enumerate(linked.tokens):
        if token.word not in lex.sets["beside"]:
            continue
        first = last = at
        while first > 0 and own(first - 1) and not apart(first - 1):
            first -= 1
        while last + 1 < len(linked.tokens) and own(last + 1) and not apart(last):
            last += 1
        if (
            first < at < last
            and not _only_articles(linked, first, at - 1)
            and not _only_articles(linked, at + 1, last)
        ):
            return [(first, at - 1), (at + 1, last)]
    return []


def _only_articles(linked: Linked, first: int, last: int) -> bool:
    return all(linked.tokens[at].word in lexicon().sets["articles"] for at in range(first, last + 1))


def _queries(linked: Linked, spans: Sequence[Span]) -> tuple[tuple[str, str], ...]:
    """The words of each span, and the question with them in the place of all."""
    if len(spans) < 2:
        return ()
    begin, end = linked.tokens[spans[0][0]].begin, linked.tokens[spans[-1][1]].end
    before, after = linked.text[:begin], linked.text[end:]
    names = [linked.text[linked.tokens[first].begin : linked.tokens[last].end] for first, last in spans]
    return tuple((name, before + name + after) for name in names)
