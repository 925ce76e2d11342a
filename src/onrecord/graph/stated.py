"""Phrases and names that only a cue reveals: "stress leads to burnout" mentions stress and burnout.

A noun phrase is usually recognized by the small word before it. Beside a cue of an `open` relation
(``data/relations.yaml``) it needs none. Before "because of" stands a clause, "sales fell", whose mention
includes the verb: the strike caused the fall of sales, not the sales. "works at" stands between two names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from onrecord.graph.cues import (
    RELATIVE,
    Cue,
    cues,
    ends_name,
    ends_phrase,
    is_adverb,
    is_degree,
    is_helper,
    opens_clause,
)
from onrecord.graph.nouns import BREAKS, GENERIC, LIGHT, NUMBER, STOPS, Word, classes, folded

_LONGEST = 4
"""Most words of a noun phrase."""
_LONGEST_CLAUSE = 8
"""Most words of a clause, from its subject to its verb."""
_GROUP = 5
"""Most words between a noun and the cue beside it."""

Place = tuple[int, int]
"""The first and the last word index of a phrase, clause or name."""
Span = tuple[int, int, str]
"""The first and the last word index of a mention, and the rule that recognized it."""


def stated_spans(words: Sequence[Word], known: Collection[Span], cue_spans: Iterable[Cue]) -> Iterator[Span]:
    """Yield the phrases, clauses and names beside the cues in `cue_spans`.

    A span is left out if it is in `known`. Only a clause, and a phrase that begins with a name, may overlap a
    known name.
    """
    named = {at for first, last, rule in known if rule == "name" for at in range(first, last + 1)}
    spans: dict[Span, None] = {}
    for begin, end, relation, direction in cue_spans:
        one_name = cues().rules[relation].general or direction == "attached"
        if not one_name and (place := _named_phrase_behind(words, end, named)):
            spans[*place, "phrase"] = None
        for span in _beside(words, begin, end, relation, direction):
            clause = direction == "changed" and span[1] < begin  # may contain names: "Vellmark closed"
            if clause or named.isdisjoint(range(span[0], span[1] + 1)):
                spans[span] = None
    yield from (span for span in spans if span not in known)


def _beside(words: Sequence[Word], begin: int, end: int, relation: str, direction: str) -> Iterator[Span]:
    """Yield the phrases, clauses or names on both sides of a cue from word `begin` up to `end`."""
    rule = cues().rules[relation]
    if rule.open:
        clause = _clause_before(words, begin) if direction == "changed" else None
        for place in filter(None, (clause or _phrase_before(words, begin), _phrase_behind(words, end))):
            yield *place, "phrase"
    elif rule.general:
        for place in filter(None, (_noun_before(words, begin), _noun_behind(words, end))):
            yield *place, "phrase"
    elif rule.subject == "person" and direction == "forward":
        names = _name_before(words, begin), _name_behind(words, end)
        if names[0] and names[1]:
            yield *names[0], "name"
            yield *names[1], "name"


# ---------------------------------------------------------------- phrases


def _phrase_before(words: Sequence[Word], end: int) -> Place | None:
    """Return the noun phrase before word `end`, skipping auxiliaries and adverbs."""
    at, least = end - 1, end - _GROUP
    while at > least and at >= 0 and _is_filler(words[at]) and not _is_noun_by_place(words, at):
        at -= 1
    if at >= 0 and folded(words[at]) in RELATIVE:
        at -= 1
    return _phrase_up_to(words, at)


def _phrase_up_to(words: Sequence[Word], last: int) -> Place | None:
    """Return the noun phrase that ends at word `last`, or None."""
    if last < 0:
        return None
    first = last + 1
    while first > 0 and last - first < _LONGEST and _is_content(words[first - 1]):
        first -= 1
    if first > last:
        return (last, last) if _is_noun_by_place(words, last) else None
    if words[last].kind & GENERIC or last - first == _LONGEST:
        return None
    participle = _has_participle(words, first) and (  # not "by selling frames"
        first == 1 or words[first - 2].is_mark or _is_filler(words[first - 2])
    )
    return first - (participle or _is_kept(words, first - 1)), last


def _phrase_behind(words: Sequence[Word], at: int) -> Place | None:
    """Return the noun phrase that begins at word `at`, or behind its determiners and adverbs."""
    first, most = at, at + _GROUP
    while first < min(most, len(words)) and _is_filler(words[first]) and not words[first].capital:
        if ends_name(words, first) and _is_noun_by_place(words, first):
            return _with_complement(words, first, first)
        first += 1
    if first == len(words):
        return None
    if _is_noun_by_place(words, first) and ends_phrase(words, first):
        return _with_complement(words, first, first)
    begin = first + (first + 1 < len(words) and _has_participle(words, first + 1))
    last = begin - 1
    while last + 1 < len(words) and last - begin < _LONGEST and _is_content(words[last + 1]):
        last += 1
    if last < begin or last - begin == _LONGEST or words[last].kind & GENERIC or not ends_phrase(words, last):
        return None
    if _is_gerund(words, first, last):
        return None
    return first - _is_kept(words, first - 1), last


def _with_complement(words: Sequence[Word], first: int, last: int) -> Place:
    """Return a noun that may also be a verb, with its complement: "drop in demand"."""
    if last + 1 < len(words) and folded(words[last + 1]) in ("in", "of", "de", "des", "du"):
        complement = _phrase_behind(words, last + 2)
        return (first, complement[1]) if complement else (first, last)
    return first, last


def _named_phrase_behind(words: Sequence[Word], at: int, named: Collection[int]) -> Place | None:
    """Return the noun phrase at a word that begins with a name: "the Vellmark grain report", or None.

    `named` are the indices of the words of names.
    """
    first = at
    while first < len(words) and first - at < _GROUP and first not in named and _is_filler(words[first]):
        first += 1
    last = first
    while last + 1 < len(words) and words[last + 1].begin - words[last].end == 1:  # no possessive "s" between
        if not (last + 1 in named or _is_content(words[last + 1])):
            break
        last += 1
    is_phrase = first in named and last not in named and last - first < _LONGEST_CLAUSE
    if not is_phrase or words[last].kind & GENERIC or not ends_phrase(words, last):
        return None
    return first, last


def _noun_before(words: Sequence[Word], end: int) -> Place | None:
    """Return the noun before word `end`, if it stands directly behind an article: "a rod"."""
    at = end - 1
    behind_article = at > 0 and folded(words[at - 1]) in classes()["articles"]
    return (at, at) if behind_article and _is_noun(words[at]) else None


def _noun_behind(words: Sequence[Word], at: int) -> Place | None:
    """Return the noun at a word, or behind its adjectives."""
    while at < len(words) and words[at].kind & LIGHT and not words[at].capital:
        at += 1
    is_noun = at < len(words) and _is_noun(words[at]) and ends_name(words, at)
    return (at, at) if is_noun and not is_degree(words[at - 1]) else None


def _is_noun(word: Word) -> bool:
    return _is_content(word) and not word.capital and not word.kind & GENERIC and len(word.key) > 1


def _is_content(word: Word) -> bool:
    return not word.is_mark and not word.kind & BREAKS and (word.first or not word.capital)


def _is_kept(words: Sequence[Word], at: int) -> bool:
    """Check whether an adjective changes or judges the meaning of a noun: "higher prices" are not prices."""
    return at >= 0 and folded(words[at]) in cues().words["kept"]


def _is_gerund(words: Sequence[Word], first: int, last: int) -> bool:
    """Check whether a verb form in "-ing" has an object or a preposition behind it.

    Examples are "the result of selling the frames" and "due to relying on".
    """
    if first < last or not folded(words[last]).endswith("ing") or last + 1 == len(words):
        return False
    ahead, known = folded(words[last + 1]), classes()
    return ahead in known["determiners"] or ahead in known["prepositions"] - known["joints"] - {"in", "at"}


def _is_filler(word: Word) -> bool:
    small = folded(word)
    return not word.is_mark and (
        bool(word.kind & LIGHT)
        or small in cues().words["light"]
        or small in cues().words["helpers"]
        or small in classes()["determiners"]
    )


def _has_participle(words: Sequence[Word], at: int) -> bool:
    """Check whether a participle modifies the word behind it: "rising costs"."""
    if not at or not _is_content(words[at]) or not _is_verb(words[at - 1]):
        return False
    return folded(words[at - 1]).endswith(("ing", "ed")) and (
        words[at - 1].first or not words[at - 1].capital
    )


def _is_noun_by_place(words: Sequence[Word], at: int) -> bool:
    """Check whether only the article before it makes a word a noun: "the fall", "a fine"."""
    word, before = words[at], words[at - 1] if at else None
    if before is None or folded(before) not in classes()["articles"] or word.capital or word.is_mark:
        return False
    if word.kind & (STOPS | NUMBER | GENERIC) or folded(word) in cues().words["stand_ins"]:
        return False
    return bool(word.kind & BREAKS)


def _is_verb(word: Word) -> bool:
    return word.kind == BREAKS and not word.is_mark


# ---------------------------------------------------------------- clauses


def _clause_before(words: Sequence[Word], end: int) -> Place | None:
    """Return the clause before word `end`, from subject to verb: "margins on bikes fell sharply"."""
    verb, says_change = end - 1, False
    while verb >= 0 and end - verb <= _GROUP and _is_predicate(words[verb]):
        word = words[verb]
        tells = word.kind & LIGHT or _is_verb(word) or folded(word) in cues().words["changes"]
        says_change = says_change or bool(tells and not is_adverb(word))  # "fell", "late", not "was also"
        verb -= 1
    if verb == end - 1 or not says_change or is_helper(words[end - 1]):
        return None
    first = _phrase_with_complements(words, verb)
    if first is None or end - first > _LONGEST_CLAUSE or not opens_clause(words, first):
        return None
    if any(map(is_helper, words[max(0, first - 2) : first])):
        return None  # "this is the price due to"
    return first, end - 1


def _phrase_with_complements(words: Sequence[Word], last: int) -> int | None:
    """Return the first word of the noun phrase that ends at a word.

    The phrase includes the phrases that prepositions join to it.
    """
    place = _name_up_to(words, last) or _phrase_up_to(words, last)
    first = None
    while place and last - place[0] < _LONGEST_CLAUSE:
        first = at = place[0]
        while at and _is_filler(words[at - 1]) and folded(words[at - 1]) not in classes()["prepositions"]:
            at -= 1
        joined = at > 1 and folded(words[at - 1]) in classes()["prepositions"]
        place = _name_up_to(words, at - 2) or _phrase_up_to(words, at - 2) if joined else None
    return first


def _is_predicate(word: Word) -> bool:
    """Check whether a word may stand between a subject and the end of its clause: a verb or an adverb."""
    small = folded(word)
    if word.is_mark or word.capital or small in cues().words["denied"]:
        return False
    classes_of = cues().words
    return (
        small in classes_of["helpers"]
        or small in classes_of["changes"]
        or bool(word.kind & LIGHT)
        or (_is_verb(word) and not small.endswith("ing"))
    )


# ---------------------------------------------------------------- names


def _name_before(words: Sequence[Word], end: int) -> Place | None:
    """Return the name of several words before a word, or before its auxiliaries."""
    at = end - 1
    while at >= 0 and end - at <= _GROUP and _is_filler(words[at]) and not words[at].capital:
        at -= 1
    place = _name_up_to(words, at)
    return place if place and place[0] < place[1] else None


def _name_up_to(words: Sequence[Word], last: int) -> Place | None:
    first = last + 1
    while first > 0 and last - first < _LONGEST and _is_capitalized(words[first - 1]):
        first -= 1
    return (first, last) if first <= last else None


def _name_behind(words: Sequence[Word], at: int) -> Place | None:
    """Return the name at a word, or behind its article."""
    first = at + (at < len(words) and folded(words[at]) in classes()["articles"])
    last = first - 1
    while last + 1 < len(words) and last - first < _LONGEST and _is_capitalized(words[last + 1]):
        last += 1
    return (first, last) if first <= last and ends_name(words, last) else None


def _is_capitalized(word: Word) -> bool:
    return (
        word.capital
        and not word.is_mark
        and not word.kind & (STOPS | NUMBER)
        and not (word.first and word.kind)
    )
