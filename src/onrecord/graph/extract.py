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

from onrecord.graph.cues import Cue, cues_at, relations_in
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
    folded,
    join_keys,
    listed_class,
    words_in,
)
from onrecord.graph.stated import stated_spans
from onrecord.ingest.people import OFFICES
from onrecord.types.graph import Knowledge, Mention
from onrecord.types.recordings import Passage, Recording

_LONGEST = 3
"""Words of a phrase; of a longer run the last ones count."""
_SHORTEST = 4
"""Letters of a phrase of one word."""
_LONGEST_NAME = 6
_NUMERALS = frozenset("II III IV VI VII VIII".split())
_CASED = (0.004, 0.5)
"""The share of words within sentences that have a capital, in a text whose capitals tell names."""
MOST = 40
"""Mentions of one passage, the surest first: a list of names is no talk."""


def knowledge_of(recording: Recording, passages: Sequence[Passage]) -> Knowledge:
    """The mentions, relations and aliases of a recording. Pure: of the same recording always the same."""
    texts = [words_in(passage.text) for passage in passages]
    case = _Case.of(texts)
    names = Names.of(recording)
    named: list[list[Mention]] = []
    cues = [list(cues_at(words)) for words in texts]
    for passage, words, cues_there in zip(passages, texts, cues, strict=True):
        spans = _spans(words, case, names, cues_there)
        named.append([_mention(passage, words, span) for span in spans])
    kinds = _kinds(texts, named, names)
    named = [[_with_kind(mention, kinds) for mention in mentions_there] for mentions_there in named]
    relations = [
        relation
        for passage, words, mentions_there, cues_there in zip(passages, texts, named, cues, strict=True)
        for relation in (
            *relations_in(passage, words, mentions_there, cues_there),
            *introductions_in(passage, words, mentions_there),
        )
    ]
    speaking = [mention for passage in passages for mention in _speaker_mentions(passage, names)]
    detailed = names.detailed(recording).items() if passages else ()
    mentions = (
        *speaking,
        *(Mention(key, recording.id, 0, -1, -1, *of_detail) for key, of_detail in detailed),
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
        if not self.tells or len(word.key) < 2 or not word.capital or word.kind & (STOPS | NUMBER):
            return False
        proven = self.capital[word.key] > self.small[word.key]
        kind = listed_class(word.text)[1] if proven else word.kind
        precedes_name = (
            at + 1 < len(words) and words[at + 1].capital and not words[at + 1].kind & (STOPS | BREAKS)
        )
        if kind & LIGHT and precedes_name and (not word.first or self.capital[word.key]):
            return True  # "New" of "New South Wales"
        if kind & (BREAKS | LIGHT | GENERIC):
            return precedes_name and not word.first and proven
        return proven or (word.first and precedes_name and not self.small[word.key])

    def goes_on_behind_initial(self, words: Sequence[Word], at: int) -> bool:
        """Whether a name goes on behind "J." or "J.P.", whose full stop ends no sentence."""
        if not self.tells or at + 2 >= len(words) or not all(map(str.isupper, words[at].text.split("."))):
            return False
        initials, stop, ahead = words[at : at + 3]
        return (
            all(len(letter) == 1 for letter in initials.text.split("."))
            and stop.text == "."
            and ahead.capital
            and not listed_class(ahead.text)[1]
            and self.capital[ahead.key] >= self.small[ahead.key]
        )


Span = tuple[int, int, str]
"""The first and the last word of a mention, and the rule by which it is one."""


def _spans(words: Sequence[Word], case: _Case, names: Names, cues: Sequence[Cue]) -> list[Span]:
    """Where something is named: what the details name first, then names, then phrases; none overlap but for
    the last word of a phrase, and the field of an office."""
    taken = [False] * len(words)
    spans: list[Span] = []
    for first, last in _known_names(words, names):
        if (
            not any(taken[first : last + 1])
            and (not case.tells or words[first].capital or first < last)
            and not (first == last and _is_of_longer_name(words, first, case, names))
        ):
            spans.append((first, last, "name"))
            taken[first : last + 1] = [True] * (last - first + 1)
    for first, last in _capitals(words, case, taken):
        spans.append((first, last, "name"))
        taken[first : last + 1] = [True] * (last - first + 1)
    spans += _phrases(words, taken)
    spans += ((first, last, "phrase") for first, last in office_spans(words))
    spans += list(stated_spans(words, frozenset(spans), cues))
    return sorted(spans)


def _known_names(words: Sequence[Word], names: Names) -> Iterator[tuple[int, int]]:
    """Where the text has a name of the details, or a role that somebody is known to hold."""
    spoken = [at for at, word in enumerate(words) if not word.elided]
    at = 0
    while at < len(spoken):
        ahead = spoken[at : at + _LONGEST_NAME]
        size = names.longest([words[place].key for place in ahead])
        if size:
            yield ahead[0], ahead[size - 1]
        at += size or 1


def _is_of_longer_name(words: Sequence[Word], at: int, case: _Case, names: Names) -> bool:
    """Whether a word that is part of a known name is part of another one here: of "Ann Moss" and "Moss Bank",
    where Bo Moss takes part. A word before a first name is no name: "Bravo Bo"."""
    before = at - 1
    if at + 1 < len(words) and case.names(words, at + 1) and _are_side_by_side(words[at], words[at + 1]):
        return True
    if case.goes_on_behind_initial(words, at + 1) or (at > 1 and case.goes_on_behind_initial(words, at - 2)):
        return True
    return (
        at > 0
        and case.names(words, before)
        and _are_side_by_side(words[before], words[at])
        and words[at].key not in names.first_names
        and words[before].key not in OFFICES | classes()["honorifics"]
    )


def _are_side_by_side(word: Word, ahead: Word) -> bool:
    """Whether nothing stands between two words, not even an owner's s."""
    return ahead.begin - word.end == 1


def _capitals(words: Sequence[Word], case: _Case, taken: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Runs of words that are written as names, with the small words that join their parts."""
    at = 0
    while at < len(words):
        if taken[at] or not case.names(words, at):
            at += 1
            continue
        last = at
        while last - at < _LONGEST_NAME and (further := _next_of_name(words, last, case, taken)):
            last = further
        if words[last].kind & NUMBER and last > at and not words[last].text[0].isdigit():
            last -= 1
        first = at + (at < last and folded(words[at]) in classes()["titles"])
        if first and words[first - 1].capital and _is_prefix(words, first - 1) and not taken[first - 1]:
            first -= 1
        if first < last or folded(words[first]) not in classes()["honorifics"]:
            yield first, last  # "Mr." names nobody
        at = last + 1


def _next_of_name(words: Sequence[Word], last: int, case: _Case, taken: Sequence[bool]) -> int:
    """The next word that a name has behind one of its words; 0 where it ends there."""
    ahead = last + 1
    if ahead == len(words) or taken[ahead]:
        return 0
    text = words[ahead].text
    is_numeral = text in _NUMERALS or (text.isdigit() and len(text) < 3)  # "World War II", "Titan 3"
    if case.names(words, ahead) or is_numeral:
        return ahead
    initial = ahead if words[ahead].kind & STOPS else last
    if case.goes_on_behind_initial(words, initial) and not any(taken[ahead : initial + 3]):
        return initial + 2
    joints, key = classes()["joints"], words[last].key
    if _is_prefix(words, ahead):
        return ahead + 1 if not taken[ahead + 1] and case.names(words, ahead + 1) else 0
    heads = key in classes()["with_of"] or key in ("de", "van", "von")
    if not heads and words[ahead].key not in ("van", "von", "der", "&"):
        return 0
    while ahead < len(words) and words[ahead].key in joints and ahead - last < 3:
        ahead += 1
    opens = ahead < len(words) and not taken[ahead] and case.names(words, ahead)
    return ahead if opens and ahead > last + 1 else 0


def _is_prefix(words: Sequence[Word], at: int) -> bool:
    """Whether a word is the "D'" of "Brian D'Arcy", the "d'" of "Jeanne d'Arc" or the "L'" of "chez L'Oréal",
    and no article that begins a sentence."""
    word = words[at]
    return word.elided and at + 1 < len(words) and not word.first and (word.capital or word.key == "d")


def _phrases(words: Sequence[Word], taken: Sequence[bool]) -> Iterator[Span]:
    at = 0
    while at < len(words):
        if (
            taken[at]
            or words[at].kind & BREAKS  # a mark has it, too
            or (at and folded(words[at - 1]) in classes()["subjects"])  # a verb: "nous livrons"
            or (words[at].capital and not words[at].first)
        ):
            at += 1
            continue
        behind = at + 1
        while behind < len(words) and not (
            taken[behind] or words[behind].kind & BREAKS or words[behind].capital
        ):
            behind += 1
        last = behind - 1
        if behind < len(words) and folded(words[behind]) in classes()["articles"]:
            last -= 1  # a verb: "the work that defines their careers"
        announced = at > 0 and (taken[at - 1] or _announces(words[at - 1]))
        if at <= last:
            yield from _phrases_of_run(words, at, last, announced and not _is_modifier(words, at, last))
        at = behind


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
    small = folded(word)
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
    key = join_keys(word.key for word in words[first : last + 1] if not word.elided)
    speaker = passage.speaker_at(begin)
    return Mention(
        key, passage.recording, passage.position, begin, end, passage.text[begin:end], "name", rule, speaker
    )


# ---------------------------------------------------------------- what kind of thing it is


def _kinds(
    texts: Sequence[Sequence[Word]], named: Sequence[Sequence[Mention]], names: Names
) -> Mapping[str, str]:
    """What each key of a recording is, by its words and by the small words around it."""
    votes: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for words, mentions in zip(texts, named, strict=True):
        first_at = {word.begin: at for at, word in enumerate(words)}
        last_at = {word.end: at for at, word in enumerate(words)}
        for mention in mentions:
            if mention.rule != "phrase":
                vote = _kind_vote(words, first_at[mention.begin], last_at[mention.end])
                votes[mention.entity][vote] += 1
    kinds = {key: _name_kind(key, counts) for key, counts in votes.items()}
    return {**kinds, **names.kinds}


def _kind_vote(words: Sequence[Word], first: int, last: int) -> str:
    """What the words around a name tell of it: "honoured", "speaks", "place", "there" where it stands behind
    a preposition, as names of firms and of tools do too; or nothing."""
    word_classes = classes()
    title = first - 1 - (first > 1 and words[first - 1].text == ".")
    if title >= 0 and words[title].capital and folded(words[title]) in word_classes["honorifics"]:
        return "honoured"  # "Dr", "Mr."
    before = [folded(word) for word in words[max(0, first - 2) : first]]
    if last + 1 < len(words) and folded(words[last + 1]) in word_classes["speaks"]:
        return "speaks"
    if before and before[-1] in word_classes["places_after"] | {"of", "de"}:
        settled = before[-1] == "near" or before[0] in word_classes["settled"]
        return "place" if settled else "there"
    return ""


def _name_kind(key: str, votes: Mapping[str, int]) -> str:
    """The kind of a name, where its words or those around it make sure of one."""
    word_classes, parts = classes(), key.split()
    if votes["honoured"]:
        return "person"
    if len(parts) > 1 and (
        parts[-1] in word_classes["organizations"]
        or parts[0] in word_classes["with_of"] & word_classes["organizations"]
    ):
        return "organization"
    if len(parts) > 1 and (parts[-1] in word_classes["areas"] or parts[0] in word_classes["areas"]):
        return "place"
    if parts[-1] in OFFICES:
        return "name"  # "First Minister": whoever it is
    if votes["speaks"] > votes["place"] + votes["there"]:
        return "person"
    return "place" if votes["place"] > votes["speaks"] else "name"


def _with_kind(mention: Mention, kinds: Mapping[str, str]) -> Mention:
    if mention.rule == "phrase":
        head, word_classes = mention.entity.split()[-1], classes()
        if head in word_classes["practices"]:
            return mention._replace(kind="practice")
        return mention._replace(kind="outcome" if head in word_classes["outcomes"] else "concept")
    kind = kinds.get(mention.entity, "name")
    rule = "person" if kind == "person" and mention.rule == "name" else mention.rule
    return mention._replace(kind=kind, rule=rule)


# ---------------------------------------------------------------- who speaks


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
