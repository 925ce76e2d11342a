"""What a recording adds to the graph: read off its details, its capitals and its phrases, without a model.

Everything is decided by what this one recording says, so that the graph of an archive is the sum of what its
recordings add, in whatever order they came: an entity is all the mentions of its key. Speakers and details
come first; then names, by capitals where a sentence does not ask for one; then phrases: runs of words that
are neither small words, verbs nor adverbs, where a small word announces them (as in Justeson and Katz,
Technical terminology, 1995, and RAKE, Rose et al. 2010, here without a tagger). Whether a phrase tells
something shows in how many passages and recordings name it, which is asked for later.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from onrecord.graph.cues import relations_in
from onrecord.graph.introductions import introductions_in, office_spans
from onrecord.graph.names import Names, aliases_of
from onrecord.graph.nouns import (
    BREAKS,
    GENERIC,
    LIGHT,
    NUMBER,
    STOPS,
    Word,
    classes,
    fold_small,
    join_keys,
    words_in,
)
from onrecord.graph.stated import stated_spans
from onrecord.types.graph import Knowledge, Mention
from onrecord.types.recordings import Passage, Recording

_LONGEST = 3
"""Words of a phrase; of a longer run the last ones count."""
_SHORTEST = 4
"""Letters of a phrase of one word."""
_LONGEST_NAME = 6
_CASED = (0.004, 0.5)
"""The share of words within sentences that have a capital, in a text whose capitals tell names."""
_HONOURED = 5
"""What "Dr" before a name weighs against the small words around others."""
MOST = 40
"""Mentions of one passage, the surest first: a list of names is no talk."""


def knowledge_of(recording: Recording, passages: Sequence[Passage]) -> Knowledge:
    """The mentions, relations and aliases of a recording. Pure: of the same recording always the same."""
    texts = [words_in(passage.text) for passage in passages]
    case = _Case.of(texts)
    names = Names.of(recording)
    named: list[list[Mention]] = []
    for passage, words in zip(passages, texts, strict=True):
        spans = _spans(words, case, names)
        named.append([_mention(passage, words, span) for span in spans])
    kinds = _kinds(texts, named, names)
    named = [[_with_kind(mention, kinds) for mention in mentions_there] for mentions_there in named]
    relations = [
        relation
        for passage, words, mentions_there in zip(passages, texts, named, strict=True)
        for state in (relations_in, introductions_in)
        for relation in state(passage, words, mentions_there)
    ]
    speaking = [mention for passage in passages for mention in _speaker_mentions(passage, names)]
    detailed = list(_detail_mentions(recording, passages, names, named))
    mentions = (
        *speaking,
        *detailed,
        *(mention for mentions_there in named for mention in mentions_there[:MOST]),
    )
    aliases = aliases_of(recording, names, mentions)
    return Knowledge(tuple(dict.fromkeys(mentions)), tuple(relations), aliases, case.tells)


# ---------------------------------------------------------------- where names and phrases stand


@dataclass(frozen=True)
class _Case:
    """How words of a recording are written: with a capital within sentences, and without."""

    tells: bool
    capital: Counter[str] = field(default_factory=Counter)
    small: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, texts: Sequence[Sequence[Word]]) -> _Case:
        capital: Counter[str] = Counter()
        small: Counter[str] = Counter()
        for words in texts:
            for word in words:
                if word.key and not word.text[0].isupper():
                    small[word.key] += 1
                elif word.key and not word.first:
                    capital[word.key] += 1
        inside = sum(count for key, count in capital.items() if len(key) > 1)
        share = inside / max(1, inside + small.total())
        return cls(_CASED[0] <= share <= _CASED[1], capital, small)

    def names(self, words: Sequence[Word], at: int) -> bool:
        """Whether the word at a place is written as names are, and not only since a sentence begins."""
        word = words[at]
        if not self.tells or word.is_mark or not word.text[0].isupper() or word.kind & (STOPS | NUMBER):
            return False
        if len(word.key) < 2:
            return False
        precedes_name = (
            at + 1 < len(words) and words[at + 1].capital and not words[at + 1].kind & (STOPS | BREAKS)
        )
        if word.kind & LIGHT and precedes_name and (not word.first or self.capital[word.key]):
            return True  # "New" of "New South Wales"
        if word.kind & (BREAKS | LIGHT | GENERIC):
            return precedes_name and not word.first and self.capital[word.key] > self.small[word.key]
        if word.first:
            proven = self.capital[word.key] > self.small[word.key]
            return proven or (precedes_name and not self.small[word.key])
        return self.capital[word.key] > self.small[word.key]


Span = tuple[int, int, str]
"""The first and the last word of a mention, and the rule by which it is one."""


def _spans(words: Sequence[Word], case: _Case, names: Names) -> list[Span]:
    """Where something is named: what the details name first, then names, then phrases; none overlap but for
    the last word of a phrase, and the field of an office."""
    taken = [False] * len(words)
    spans: list[Span] = []
    for first, last in _known_names(words, names):
        if not any(taken[first : last + 1]) and (not case.tells or words[first].capital or first < last):
            spans.append((first, last, "name"))
            taken[first : last + 1] = [True] * (last - first + 1)
    for first, last in _capitals(words, case, taken):
        spans.append((first, last, "name"))
        taken[first : last + 1] = [True] * (last - first + 1)
    spans += _phrases(words, taken)
    spans += ((first, last, "phrase") for first, last in office_spans(words))
    spans += list(stated_spans(words, frozenset(spans)))
    return sorted(spans)


def _known_names(words: Sequence[Word], names: Names) -> Iterator[tuple[int, int]]:
    """Where the text has a name of the details, or a role that somebody is known to hold."""
    at = 0
    while at < len(words):
        size = names.longest([word.key for word in words[at : at + _LONGEST_NAME]])
        if size:
            yield at, at + size - 1
        at += size or 1


def _capitals(words: Sequence[Word], case: _Case, taken: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Runs of words that are written as names, with the small words that join their parts."""
    joints, joined = classes()["joints"], classes()["with_of"]
    at = 0
    while at < len(words):
        if taken[at] or not case.names(words, at):
            at += 1
            continue
        last = at
        while last + 1 < len(words) and last - at < _LONGEST_NAME:
            ahead = last + 1
            if not taken[ahead] and (case.names(words, ahead) or _numeral(words[ahead])):
                last = ahead
                continue
            heads = words[last].key in joined or words[last].key in ("de", "van", "von")
            while ahead < len(words) and words[ahead].key in joints and ahead - last < 3:
                ahead += 1
            opens = ahead < len(words) and not taken[ahead] and case.names(words, ahead)
            if last + 1 < ahead and opens and (heads or words[last + 1].key in ("van", "von", "der", "&")):
                last = ahead
                continue
            break
        if words[last].kind & NUMBER and last > at and not words[last].text[0].isdigit():
            last -= 1
        if at < last or fold_small(words[at]) not in classes()["honorifics"]:
            yield at, last  # "Mr." names nobody
        at = last + 1


def _numeral(word: Word) -> bool:
    """A figure behind a name belongs to it: "Titan 3", "World War II"."""
    return bool(word.key) and (
        word.text in ("II", "III", "IV", "VI", "VII", "VIII") or (word.text.isdigit() and len(word.text) < 3)
    )


def _phrases(words: Sequence[Word], taken: Sequence[bool]) -> Iterator[Span]:
    at = 0
    while at < len(words):
        if (
            taken[at]
            or words[at].is_mark
            or words[at].kind & BREAKS
            or (words[at].capital and not words[at].first)
        ):
            at += 1
            continue
        last = at
        while last + 1 < len(words) and not taken[last + 1] and _continues(words[last + 1]):
            last += 1
        behind = last + 1
        if last + 1 < len(words) and fold_small(words[last + 1]) in classes()["articles"]:
            last -= 1  # a verb: "the work that defines their careers"
        announced = at > 0 and (taken[at - 1] or _announces(words[at - 1]))
        if at <= last:
            yield from _phrases_of_run(words, at, last, announced and not _is_modifier(words, at, last))
        at = behind


def _continues(word: Word) -> bool:
    return not word.is_mark and not word.kind & BREAKS and not word.capital


def _phrases_of_run(words: Sequence[Word], first: int, last: int, announced: bool) -> Iterator[Span]:
    """The phrase of a run of words, and its last word by itself, which says what it is. A word alone is one
    where an article, a preposition or a name announces it."""
    begin = max(first, last - _LONGEST + 1)
    while begin < last and words[begin].kind & GENERIC:
        begin += 1
    head = words[last]
    if head.kind & GENERIC:
        return
    if begin < last:
        yield begin, last, "phrase"
    if (announced or begin < last) and len(head.key) >= _SHORTEST:
        yield last, last, "phrase"


def _announces(word: Word) -> bool:
    """Whether a noun may follow: an article, a preposition, a figure, an adjective. Behind an adverb of
    degree stands an adjective: "very strong", "totally forbidden"."""
    small = fold_small(word)
    if small in classes()["degrees"] or (word.kind & LIGHT and small.endswith("ly")):
        return False
    return (
        bool(word.kind & (LIGHT | NUMBER))
        or small in classes()["determiners"]
        or (small in classes()["prepositions"] and small != "to")
    )


def _is_modifier(words: Sequence[Word], first: int, last: int) -> bool:
    """Whether a word alone only colours what follows: "magical thing", "static RAM"."""
    if first < last or last + 1 == len(words) or words[last + 1].is_mark:
        return False
    ahead = words[last + 1]
    return ahead.capital or bool(ahead.kind & (GENERIC | NUMBER))


def _mention(passage: Passage, words: Sequence[Word], span: Span) -> Mention:
    first, last, rule = span
    begin, end = words[first].begin, words[last].end
    key = join_keys(word.key for word in words[first : last + 1])
    speaker = passage.speaker_at(begin)
    return Mention(
        key, passage.recording, passage.position, begin, end, passage.text[begin:end], "name", rule, speaker
    )


# ---------------------------------------------------------------- what kind of thing it is


def _kinds(
    texts: Sequence[Sequence[Word]], named: Sequence[Sequence[Mention]], names: Names
) -> Mapping[str, str]:
    """What each key of a recording is, by its words and by the small words around it."""
    word_classes = classes()
    votes: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for words, mentions in zip(texts, named, strict=True):
        before = {b.begin: a for a, b in pairwise(words)}
        after = {a.end: b for a, b in pairwise(words)}
        for mention in mentions:
            if mention.rule == "phrase":
                continue
            votes[mention.entity]["seen"] += 1
            before_it, after_it = before.get(mention.begin), after.get(mention.end)
            if before_it and fold_small(before_it) in word_classes["honorifics"] and before_it.capital:
                votes[mention.entity]["person"] += _HONOURED
            elif after_it and fold_small(after_it) in word_classes["speaks"]:
                votes[mention.entity]["person"] += 1
            elif before_it and fold_small(before_it) in word_classes["places_after"]:
                votes[mention.entity]["place"] += 1
    kinds = {key: _name_kind(key, counts) for key, counts in votes.items()}
    return {**kinds, **names.kinds}


def _name_kind(key: str, votes: Mapping[str, int]) -> str:
    word_classes, parts = classes(), key.split()
    if votes["person"] >= _HONOURED:
        return "person"
    if len(parts) > 1 and (
        parts[-1] in word_classes["organizations"]
        or parts[0] in word_classes["with_of"] & word_classes["organizations"]
    ):
        return "organization"
    if len(parts) > 1 and (parts[-1] in word_classes["areas"] or parts[0] in word_classes["areas"]):
        return "place"
    if votes["person"] > votes["place"]:
        return "person"
    return "place" if votes["place"] * 2 >= votes["seen"] else "name"


def _with_kind(mention: Mention, kinds: Mapping[str, str]) -> Mention:
    if mention.rule == "phrase":
        return mention._replace(kind=_phrase_kind(mention))
    kind = kinds.get(mention.entity, "name")
    rule = "person" if kind == "person" and mention.rule == "name" else mention.rule
    return mention._replace(kind=kind, rule=rule)


def _phrase_kind(mention: Mention) -> str:
    head, word_classes = mention.entity.split()[-1], classes()
    if head in word_classes["practices"] or mention.name.endswith("ing"):
        return "practice"
    return "outcome" if head in word_classes["outcomes"] else "concept"


# ---------------------------------------------------------------- who speaks, and what the details name


def _speaker_mentions(passage: Passage, names: Names) -> Iterator[Mention]:
    """Everybody who speaks in a passage, with the characters that they say."""
    begins = [begin for begin, _ in passage.voices] or [0]
    for begin, end in zip(begins, [*begins[1:], len(passage.text)], strict=True):
        speaker = passage.speaker_at(begin)
        key = names.speakers.get(speaker or "")
        if speaker and key:
            yield Mention(
                key, passage.recording, passage.position, begin, end, speaker, "person", "speaker", speaker
            )


def _detail_mentions(
    recording: Recording, passages: Sequence[Passage], names: Names, named: Sequence[Sequence[Mention]]
) -> Iterator[Mention]:
    """What the details name, of the recording as a whole: at its first passage."""
    if not passages:
        return
    for key, (name, kind, rule) in names.detailed(recording, alone=len(passages) == 1).items():
        yield Mention(key, recording.id, 0, -1, -1, name, kind, rule)
