"""The words of a question and the weight of each, and its subject: the words without their frame.

"homelab" also matches "home lab".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, pairwise
from math import log
from typing import TYPE_CHECKING

import numpy as np

from onrecord.stores.base import Snapshot
from onrecord.stores.words import STOP, fold, terms
from onrecord.types import PassageTimeline
from onrecord.understand.lexicon import read_data

if TYPE_CHECKING:
    from onrecord.types import Scores

_WITHIN = re.compile(r"(?<=[a-z] )(?:[A-Z][a-z]+|[A-Z]{2,})\b")
_SOUNDS = frozenset(
    "ah bah ben bien euh hein hmm i je know mm mmhmm oh ok okay right so uh um well yeah yes".split()
)
_SAMPLE = 50
"""Number of passages with a function word that are sampled to see whether it is capitalized as a name."""
_EDGES = "¿¡?!.,;:()[]{}\"'“”‘’«»…"
ELIDED = "[cdjlmst]|qu"
"""A pattern of what French writes before an apostrophe, "l'appel", without "n", which denies."""
_LEANING = re.compile(
    rf"\b(?:{ELIDED}|n|(?:jus|lors|puis|quoi)qu)['\u2019](?=\w)|"
    r"-(?:t-)?(?:ils?|elles?|on|ce|je|tu|vous)\b",
    re.IGNORECASE,
)
"""Words that French writing attaches to another: "n'appelle", "lorsqu'il", "a-t-il coûté"."""


@cache
def _frames() -> Mapping[str, frozenset[str]]:
    """Return the classes of words that name no subject (``data/frames.yaml``)."""
    return {name: frozenset(terms(words)) for name, words in read_data("frames.yaml").items()}


@lru_cache(maxsize=1 << 15)
def stem(term: str) -> str:
    """Return a term without endings of number and tense, in English and (with fewer rules) in French."""
    for ending in ("ing", "ed"):
        if term.endswith(ending) and len(term) >= len(ending) + 4:
            term = term.removesuffix(ending)
            return term[:-1] if term[-1] == term[-2] and term[-1] not in "lsz" else term
    if len(term) > 3 and term.endswith("s") and not term.endswith(("ss", "us", "is")):
        term = term[:-1]
    return term[:-1] if len(term) > 4 and term.endswith("e") else term


def inflected(term: str) -> tuple[str, ...]:
    """Return the forms of a term in any number or tense; the stem and the form in -s come first."""
    base = stem(term)
    return (base, f"{base}s", f"{base}e", f"{base}es", f"{base}ed", f"{base}ing")


@lru_cache(maxsize=1 << 12)
def stems(text: str) -> frozenset[str]:
    """Return the stems of a text's terms, without function words other than those written as names."""
    return frozenset(stem(term) for term in terms(text) if term not in STOP) | small_names(text)


def small_names(text: str) -> frozenset[str]:
    """Return the function words that are capitalized as names within a sentence: "Go", "Will", "IT", "US"."""
    capitalized = _WITHIN.findall(text)
    return frozenset(STOP.intersection(map(str.lower, capitalized)) - _SOUNDS)


def _count_name(name: str, timeline: PassageTimeline, store: Snapshot) -> int:
    """Estimate how many passages capitalize a function word as a name, from a sample of passages with it."""
    matches = np.flatnonzero(store.keyword([name], timeline))
    sample = store.passages(timeline.rows[matches[:: max(1, len(matches) // _SAMPLE)]])
    as_name = sum(name in small_names(passage.text) for passage in sample)
    return round(len(matches) * as_name / len(sample)) if sample else 0


def _count(term: str, timeline: PassageTimeline, store: Snapshot) -> int:
    """Return the number of passages that have a term.

    An index of whole terms does not stem, so the other inflections of the term are looked up too.
    """
    forms = inflected(term)
    for endings in (forms[:2], forms[2:]):
        scores = store.keyword([term, *endings], timeline)
        if scores.any():
            return int((scores > 0).sum())
    return 0


@cache
def _untelling_stems() -> frozenset[str]:
    frames = _frames()
    return frozenset(map(stem, (*frames["common"], *frames["frame"])))


@dataclass(frozen=True, slots=True)
class Wording:
    """The subject words of a question, by stem.

    `weights`: inverse document frequency of each stem over the passages in scope, in 0..1 (1: in no passage).
    `absent`: words that occur nowhere in scope, as spelled in the question ("argent" of "l'argent"), except
    very common words.
    """

    weights: Mapping[str, float]
    absent: tuple[str, ...] = ()

    @property
    def rarest(self) -> frozenset[str]:
        """The rarest stems; very common words and words that frame a question count only if alone."""
        untelling = _untelling_stems()
        telling = {s: weight for s, weight in self.weights.items() if s not in untelling} or self.weights
        most = max(telling.values(), default=0.0)
        return frozenset([s for s, weight in telling.items() if weight == most])

    def coverage(self, text: str) -> float:
        """Return the share of the question's weight that a text's stems carry.

        The share is in 0..1, and 0 if the question has no weighted words.
        """
        shared = total = 0.0
        in_text = stems(text)
        for stem, weight in self.weights.items():
            total += weight
            if stem in in_text:
                shared += weight
        return shared / total if total else 0.0


def word_forms(question: str) -> list[str]:
    """Return the terms of a question, their inflections and its compounds, to look up in one request."""
    forms = _joined(_plain_words(question))
    for term in terms(question):
        if term not in STOP:
            forms += (term, *inflected(term))
    return forms


def wording(question: str, timeline: PassageTimeline, store: Snapshot, fewest: int = 1) -> Wording:
    """Return the subject words of a question, weighted by how rare they are on a timeline.

    A timeline with fewer than `fewest` passages counts as one with `fewest` passages.
    """
    passages = max(len(timeline), fewest)
    words = question.split()
    own = frozenset(chain.from_iterable(map(named, words)))
    counts: dict[str, int] = {}
    for term in sorted(own - _frames()["frame"] or own):
        counts[term] = _count(term, timeline, store)
    for compound in [term for term, count in counts.items() if not count]:
        if both := parts(compound, timeline, store):
            del counts[compound]
            for term in chain.from_iterable(map(terms, both)):
                counts[term] = _count(term, timeline, store)
    telling = [term for term, count in counts.items() if count or term not in _frames()["kinds"]] or counts
    weights: dict[str, float] = {}
    for term in telling:
        weights[stem(term)] = normalized_idf(counts[term], passages)
    for name in sorted(small_names(question)):
        if count := _count_name(name, timeline, store):
            weights[name] = normalized_idf(count, passages)
    absent = [standing_alone(word).strip(_EDGES + " ") for word in words if _is_absent(named(word), counts)]
    return Wording(weights, tuple(dict.fromkeys(absent)))


@lru_cache(maxsize=1 << 15)
def named(word: str) -> tuple[str, ...]:
    """Return the terms of one written word that may name a subject.

    Clitics and function words are left out: "s" and "its" of "it's", "il" and "atil" of "a-t-il".
    """
    bare = standing_alone(word)
    if fold(bare.strip(_EDGES)) in STOP:
        return ()
    own = terms(bare)
    if len(own) > 2 and own[-1] == "".join(own[:-1]):  # the joined form follows its parts
        own = [part for part in own[:-1] if len(part) > 1]
    return tuple(term for term in own if term not in STOP)


def without(names: Iterable[str], text: str) -> str:
    """Return a text without some names, in any case, and without their possessives."""
    if longest_first := sorted(filter(None, names), key=len, reverse=True):
        either = "|".join(map(re.escape, longest_first))
        text = re.sub(rf"(?<!\w)(?:{either})(?!\w)(?:['\u2019]s\b)?", " ", text, flags=re.IGNORECASE)
    return " ".join(text.split())


def has_subject(text: str) -> bool:
    """Return whether a question has a word that may name a subject, besides its frame."""
    return any(named(word) for word in subject(text).split())


def common(word: str) -> bool:
    """Return whether a word is so common, or so vague, that its absence from a text says nothing."""
    frames = _frames()
    return all(term in frames["common"] or term in frames["frame"] for term in named(word))


def standing_alone(text: str) -> str:
    """Return the text without French clitics."""
    return _LEANING.sub(lambda match: "" if match[0][-1] in "'\u2019" else " ", text)


def _is_absent(word_terms: Sequence[str], counts: Mapping[str, int]) -> bool:
    """Return whether no term of a word occurs in scope, although one could be expected to."""
    is_surprise, frames = False, _frames()
    for term in word_terms:
        if counts.get(term):
            return False
        if term in counts and len(term) > 2 and term not in frames["common"] | frames["kinds"]:
            is_surprise = True
    return is_surprise


def normalized_idf(count: int, passages: int) -> float:
    """Return the normalized inverse document frequency of a term, in 0..1.

    It is ln(1 + (N - n + 1/2) / (n + 1/2)), the idf of BM25, divided by its value for n = 0. N is the number
    of passages and n is `count`.
    """
    most = log(1 + (passages + 0.5) / 0.5)
    return log(1 + (passages - count + 0.5) / (count + 0.5)) / most


_LEAST = 3
"""Fewest letters of a part of a compound, so that "setup" is not split."""
_MOST = 40
"""Most letters of a word that is split into parts, because every place to split it is tried."""
_READ = 20
"""Number of passages with both parts that are read to find one in which they are adjacent."""


def by_words(text: str, timeline: PassageTimeline, store: Snapshot) -> Scores:
    """Return every passage's BM25 score for a text and the replacements of its compounds."""
    return store.keyword(with_compounds(text, timeline, store), timeline)


def with_compounds(text: str, timeline: PassageTimeline, store: Snapshot) -> list[str]:
    """Return a text, and the texts that replace its compounds.

    These are every two adjacent words joined into one, and the two parts of each word that does not occur in
    the archive, if these parts occur side by side.
    """
    words = _plain_words(text)
    long = [word for word in words if word.isalpha() and len(word) >= 2 * _LEAST and word not in STOP]
    in_archive = store.heard(long)
    replacements = _joined(words)
    for word in long:
        if word not in in_archive and (both := parts(word, timeline, store)):
            replacements.append(" ".join(both))
    return [text, *replacements]


def _plain_words(text: str) -> list[str]:
    return re.findall(r"\w+(?:['\u2019-]\w+)*", fold(text))


def _joined(words: list[str]) -> list[str]:
    return [one + other for one, other in pairwise(words) if _may_be_part(one) and _may_be_part(other)]


def parts(word: str, timeline: PassageTimeline, store: Snapshot) -> tuple[str, str] | None:
    """Return the two words that occur side by side in place of a compound, or None.

    Only the first `_READ` passages that have both parts are read.
    """
    ends = range(_LEAST, len(word) - _LEAST + 1) if len(word) <= _MOST else ()
    cuts = [(word[:at], word[at:]) for at in ends]
    cuts = [both for both in cuts if all(map(_may_be_part, both))]
    in_archive = store.heard(set(chain.from_iterable(cuts)))
    for both in cuts:
        if not in_archive.issuperset(both):
            continue
        has_both = (store.keyword([both[0]], timeline) > 0) & (store.keyword([both[1]], timeline) > 0)
        pair = (*terms(both[0]), *terms(both[1]))
        passages = store.passages(timeline.rows[np.flatnonzero(has_both)[:_READ]])
        if any(pair == two for passage in passages for two in pairwise(terms(passage.spoken))):
            return both
    return None


def _may_be_part(word: str) -> bool:
    return word.isalpha() and len(word) >= _LEAST and word not in STOP


# ---------------------------------------------------------------- the subject of a question

# The subject of "Summarize the discussion about battery life" is "battery life". The other words would favor
# every passage in which a speaker summarizes something.
#
# Frames ("summarize the discussion about") occur in half of QMSum's 526 questions about meetings, and in none
# of 2,229 other short questions. Occasions ("when they were talking about costs") occur in a fifth. With the
# meeting known, `balanced` without its reader loses by leaving both patterns out: S .016 [.003, .030] in the
# 32 meetings on which settings were chosen, R .050 [.015, .091] in 13 others. By leaving out the occasions
# alone it loses R .000 and .030 [.005, .067] (`benchmarks/qmsum.py --without occasions`).

_TALK = (
    r"(?:discussions?|conversations?|debates?|talks?|meetings?|episodes?|calls?|interviews?|opinions?|"
    r"(?:main |key )?points?|views?|ideas?|thoughts?|part|details?|content)"
)
_ABOUT = r"(?:about|on|of|regarding|concerning|around|over)"
_TALK_ABOUT = rf"(?:(?:the |all |whole )*{_TALK} {_ABOUT} )"
_WHO = (
    r"(?:they|people|we|everyone|anyone|somebody|someone|the (?:group|team|meeting|speakers?|"
    r"participants?|guests?|hosts?|panel|members|committee|others))"
)
_SAY = (
    r"(?:say|said|think|thought|talk|talked|discuss|discussed|mention|mentioned|feel|debate|debated|"
    r"conclude|concluded|decide|decided)"
)
_SUR = r"(?:sur|[àa] propos d(?:e|u|es)|autour d(?:e|u|es)|concernant|d(?:e|u|es))"
_PLACES = r"(?:episode|recording|podcast|talk|meeting|call|interview|show|video|conversation|speaker|guest)s?"
_LIEUX = (
    r"(?:[ée]pisodes?|enregistrements?|[ée]missions?|r[ée]unions?|conf[ée]rences?|vid[ée]os?|invit[ée]e?s?)"
)
_FRAMES = (
    r"(?:please|could you|can you|would you|i(?:'d| would) like to know|tell me(?: about)?|do you know|"
    r"pourriez-vous|pouvez-vous|peux-tu|dis-moi|dites-moi|s'il (?:vous|te) pla[iî]t),? ",
    rf"(?:summari[sz]e|sum up|outline|recap|describe|explain|go over) "
    rf"(?:what (?:was|were|is) said {_ABOUT} |{_TALK_ABOUT}|the )?",
    r"(?:give|show|find|list|read)(?: me)? (?:all |some |the |an? |one |two |three |four |five |\d+ )*"
    r"(?:short |brief |quick )?(?:quotes?|quotations?|passages?|statements?|mentions?|moments?|"
    rf"summary|overview|recap|outline) {_ABOUT} {_TALK_ABOUT}?",
    r"(?:list|name|enumerate|liste[rz]?|[ée]num[èe]re[rz]?)(?: me| us|-moi)? "
    r"(?:(?:all|some|any|the|of|every|tous|toutes|les|des) )+",
    rf"what (?:is|was|were|are)(?: the)? (?:summary|conclusions?|outcome|overview) {_ABOUT} {_TALK_ABOUT}?",
    rf"what(?: else)? (?:was|were|is|ha[sd] been) (?:being )?(?:{_SAY}|suggested) {_ABOUT} ",
    rf"what (?:did|do|does|would) {_WHO} {_SAY}(?: {_ABOUT})? ",
    rf"(?:in )?(?:which|what)(?: (?:of the|other))? {_PLACES} (?:(?:do|does|did) {_WHO} {_SAY}|talks?|"
    rf"speaks?|tells?|mentions?|discuss(?:es)?|covers?|deals? with|touch(?:es)? on) (?:{_ABOUT} )?",
    rf"(?:(?:dans|sur) )?quel(?:le)?s? {_LIEUX} (?:parlent?|traitent?|[ée]voquent?|abordent?|mentionnent?|"
    rf"parle-t-on|est-il question|parlent-ils) (?:{_SUR} )?",
    r"(?:r[ée]sume[rz]?|d[ée]cri(?:s|re|vez)|explique[rz]?)(?:-moi)? "
    r"(?:(?:la |le |les |l')?(?:discussion|conversation|d[ée]bat|[ée]change|r[ée]union|[ée]pisode)s? "
    rf"{_SUR} )?",
    r"(?:(?:qu'est-ce qu(?:i |e |')|qu')(?:ils? ont|on a|a [ée]t[ée]|ont-ils|a-t-on) (?:dit|discut[ée])|"
    rf"que (?:disent-ils|dit-on|pensent-ils)) {_SUR} ",
)
_OCCASION = (
    r",? (?:(?:when|while|as) (?:(?:they|he|she|we|people|everyone|the \w+) (?:was |were |had been )?)?"
    r"(?:discuss|talk|debat|present|reflect|speak|evaluat|review|introduc|describ|consider)(?:ing|ed)\b|"
    rf"(?:during|in|within|throughout) (?:the |their |a )?{_TALK} {_ABOUT}\b).*$"
)


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of a frame and of an occasion, compiled when a question is first searched for."""
    frame = "|".join(f"(?:{frame})" for frame in _FRAMES)
    return re.compile(frame, re.IGNORECASE), re.compile(_OCCASION, re.IGNORECASE)


@lru_cache(maxsize=1 << 10)
def subject(text: str) -> str:
    """Return a question without its frame, or the whole question if little would be left."""
    frame, _ = _patterns()
    whole = rest = " ".join(text.split())
    while match := frame.match(rest):
        rest = rest[match.end() :]
    rest = rest.strip(" ?.!,;:")
    return rest if max(map(len, rest.split()), default=0) > 2 else whole


@lru_cache(maxsize=1 << 10)
def point(text: str) -> str:
    """Return the subject of a question without the occasion on which it came up.

    "Why did Ann doubt the valve when they were talking about costs" asks for the valve; "costs" would favor
    all other passages about costs. If little is left without the occasion, the subject keeps it.
    """
    _, occasion = _patterns()
    bare = occasion.sub("", " ".join(text.split()).rstrip(" ?.!"))
    return subject(bare if len(bare.split()) > 3 else text)
