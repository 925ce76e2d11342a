"""Extraction of a recording's mentions, relations and aliases by rules, without a model.

The rules use the details of the recording, its capital letters and its phrases. Every decision depends on
this one recording, so the graph of an archive is the sum of its recordings, whatever the order in which they
were added. An entity is the set of all mentions with its key.

Speakers and details come first. Names follow, by capital letters that do not merely begin a sentence. Phrases
come last: runs of words that are neither small words, verbs nor adverbs, behind a small word that announces
them (as in Justeson and Katz, Technical terminology, 1995, and RAKE, Rose et al. 2010, here without a
tagger). Whether a phrase is informative depends on how many passages and recordings mention it, which is
computed at query time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from onrecord.graph.cues import Cue, cues_at, is_degree, relations_in
from onrecord.graph.cues import cues as cue_data
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
    words_of,
)
from onrecord.graph.stated import stated_spans
from onrecord.ingest.people import COURTESY_TITLES, OFFICES
from onrecord.types.graph import Knowledge, Mention, Relation
from onrecord.types.recordings import Passage, Recording

_LONGEST = 3
"""Most words of a phrase; of a longer run, the last words are taken."""
_SHORTEST = 4
"""Fewest letters of a phrase of one word."""
_LONGEST_NAME = 6
"""Most words of a name."""
_NUMERALS = frozenset("II III IV VI VII VIII".split())
_CASED = (0.004, 0.5)
"""Lowest and highest share of capitalized words within sentences, in a text whose capitals mark names."""
MOST = 40
"""Most mentions of one passage, in the order of the text, besides the ends of its relations.

A passage with more is a list of names rather than speech.
"""


def knowledge_of(recording: Recording, passages: Sequence[Passage]) -> Knowledge:
    """Return the mentions, relations and aliases of a recording.

    The function is pure: the same recording always gives the same result.
    """
    texts = [words_of(passage) for passage in passages]
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
        *_limited(named, relations),
    )
    aliases = aliases_of(recording, names, mentions)
    return Knowledge(tuple(dict.fromkeys(mentions)), tuple(relations), aliases, case.tells)


def _limited(named: Iterable[Sequence[Mention]], relations: Iterable[Relation]) -> Iterator[Mention]:
    """Yield the first `MOST` mentions of each passage, and those that the relations stated there join."""
    stated_at: defaultdict[int, list[Relation]] = defaultdict(list)
    for relation in relations:
        stated_at[relation.position].append(relation)
    for mentions in named:
        yield from mentions[:MOST]
        for mention in mentions[MOST:]:
            if any(
                mention.entity in (stated.subject, stated.object)
                and stated.begin <= mention.begin < stated.end
                for stated in stated_at[mention.position]
            ):
                yield mention


# ---------------------------------------------------------------- spans of names and phrases


@dataclass(frozen=True)
class _Case:
    """How often each word of a recording is written with a capital within sentences, and without.

    `sole` counts the sentences that consist of the word. `tells` says whether the capital letters of the
    recording mark names.
    """

    tells: bool
    capital: Counter[str] = field(default_factory=Counter)
    small: Counter[str] = field(default_factory=Counter)
    sole: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, texts: Sequence[Sequence[Word]]) -> _Case:
        capital: Counter[str] = Counter()
        small: Counter[str] = Counter()
        sole: Counter[str] = Counter()
        for words in texts:
            for word, ahead in zip_longest(words, words[1:]):
                if word.first and word.key and (ahead is None or ahead.ends_sentence):
                    sole[word.key] += 1
                elif word.key and not word.text[0].isupper():
                    small[word.key] += 1
                elif word.key and not word.first:
                    capital[word.key] += 1
        inside = sum(count for key, count in capital.items() if len(key) > 1)
        share = inside / max(1, inside + small.total())
        return cls(_CASED[0] <= share <= _CASED[1], capital, small, sole)

    def names(self, words: Sequence[Word], at: int) -> bool:
        """Check whether the word at an index is written like a name, and not only to begin a sentence."""
        word = words[at]
        if not self.tells or len(word.key) < 2 or not word.capital or word.kind & (STOPS | NUMBER):
            return False
        if self.sole[word.key] > self.capital[word.key] + self.small[word.key]:
            return False  # "Yep."
        if word.first and _precedes_name(word):
            return False  # "Unlike Ana Sousa"
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

    def is_of_name(self, words: Sequence[Word], at: int) -> bool:
        """Check whether an ordinary word may have a capital only because it is part of the name beside it.

        Examples are "New York Times", "Canada Health Act", "App Store" and "Kestrel Works".
        """
        word = words[at]
        if not self.tells or len(word.key) < 2 or not word.capital or word.first:
            return False
        is_small = word.kind & (STOPS | NUMBER | LIGHT)
        return not is_small and word.key not in classes()["calendar"] | COURTESY_TITLES

    def goes_on_behind_initial(self, words: Sequence[Word], at: int) -> bool:
        """Check whether a name continues behind "J." or "J.P.", whose period does not end a sentence."""
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


def _precedes_name(word: Word) -> bool:
    """Check whether a word is no name, but may stand before one: a preposition, a cue or "voici"."""
    small = folded(word)
    announces = small in cue_data().by_text or small in cue_data().words["introduces"]
    return announces or word.key in classes()["prepositions"]


Span = tuple[int, int, str]
"""The first and the last word index of a mention, and the rule that recognized it."""


def _spans(words: Sequence[Word], case: _Case, names: Names, cues: Sequence[Cue]) -> list[Span]:
    """Return the spans of all mentions: names of the details, then other names, then phrases.

    Spans do not overlap, except for the last word of a phrase and the field of an office.
    """
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
    return sorted(span for span in spans if not _is_role_of_another(words, *span[:2], case, names))


def _is_role_of_another(words: Sequence[Word], first: int, last: int, case: _Case, names: Names) -> bool:
    """Check whether a role with a known holder is held by somebody else here.

    If Bo Moss is the CEO, "a CEO", "the CEO of Kestrel Works" and "CEO Ana Lund" are others.
    """
    holder = names.roles.get(join_keys(word.key for word in words[first : last + 1] if not word.elided))
    if holder is None:
        return False
    ahead = words[last + 1 : last + 2]
    names_other = (
        bool(ahead)
        and _are_side_by_side(words[last], ahead[0])
        and case.names(words, last + 1)
        and ahead[0].key not in holder.split()
    )
    is_plural = words[last].key in OFFICES and folded(words[last]) != words[last].key
    return (
        is_plural
        or names_other
        or (first > 0 and _tells_apart(words[first - 1], names))
        or _is_held_elsewhere(words, last + 1, names)
    )


def _tells_apart(before: Word, names: Names) -> bool:
    """Check whether the word before a role says that it is not the role of the holder.

    Only marks, definite small words and the name of the holder's firm do not.
    """
    if before.is_mark or before.key in names.firms:
        return False
    is_small = before.kind & STOPS and not before.kind & (LIGHT | NUMBER)
    return not is_small or folded(before) in cue_data().words["indefinite"]


def _is_held_elsewhere(words: Sequence[Word], at: int, names: Names) -> bool:
    """Check whether the words behind a role, from index `at`, name a firm other than the holder's."""
    if at == len(words) or folded(words[at]) not in cue_data().words["employs"]:
        return False
    at += 1
    while at < len(words) and not words[at].capital and folded(words[at]) in classes()["determiners"]:
        if folded(words[at]) in cue_data().words["indefinite"]:
            return True
        at += 1
    return at < len(words) and words[at].capital and words[at].key not in names.firms


def _known_names(words: Sequence[Word], names: Names) -> Iterator[tuple[int, int]]:
    """Yield the spans of names in the details, and of roles whose holder is known."""
    spoken = [at for at, word in enumerate(words) if not word.elided]
    at = 0
    while at < len(spoken):
        ahead = spoken[at : at + _LONGEST_NAME]
        size = names.longest([words[place].key for place in ahead])
        if size:
            yield ahead[0], ahead[size - 1]
        at += size or 1


def _is_of_longer_name(words: Sequence[Word], at: int, case: _Case, names: Names) -> bool:
    """Check whether one word of a known name belongs to a different name here.

    If Bo Moss takes part, "Moss" in "Ann Moss" and "Moss Bank" belongs to another name. A word before a first
    name does not make another name: "Bravo Bo".
    """
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
    """Check whether exactly one character separates two words, so not even a possessive "s"."""
    return ahead.begin - word.end == 1


def _capitals(words: Sequence[Word], case: _Case, taken: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield runs of words that are written like names, with the small words that join their parts."""
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
        first = at + (at < last and folded(words[at]) in COURTESY_TITLES)
        if first and words[first - 1].capital and _is_prefix(words, first - 1) and not taken[first - 1]:
            first -= 1
        first = _first_of_name(words, first, case, taken)
        if first < last or not _only_addresses(words[first]):
            yield first, last
        at = last + 1


def _only_addresses(word: Word) -> bool:
    """Check whether a word alone is not a name: "Mr.", "Mr.Chair", or "Hey" before a known name."""
    title, _, rest = folded(word).partition(".")
    addresses = title in classes()["honorifics"] and rest in OFFICES | {""}
    return addresses or bool(listed_class(word.text)[1] & LIGHT)


def _first_of_name(words: Sequence[Word], first: int, case: _Case, taken: Sequence[bool]) -> int:
    """Return the index of a name's first word, which may be an ordinary one before index `first`.

    Only a word that is written small elsewhere in the recording may have an ordinary word before it: "App
    Store", but not "Sales" before "Ana Sousa".
    """
    while (
        first
        and not taken[first - 1]
        and case.small[words[first].key]
        and case.is_of_name(words, first - 1)
        and words[first - 1].key not in OFFICES | classes()["honorifics"]
        and _are_side_by_side(words[first - 1], words[first])
    ):
        first -= 1
    others = classes()["with_of"] - classes()["areas"]  # "the State of Vellmark" is Vellmark
    heads = first > 1 and words[first - 2].capital and words[first - 2].key in others
    if heads and folded(words[first - 1]) == "of" and case.tells and not any(taken[first - 2 : first]):
        return first - 2  # "University of Vellmark"
    return first


def _next_of_name(words: Sequence[Word], last: int, case: _Case, taken: Sequence[bool]) -> int:
    """Return the index of a name's next word behind index `last`; 0 if the name ends there."""
    ahead = last + 1
    if ahead == len(words) or taken[ahead]:
        return 0
    text = words[ahead].text
    is_numeral = text in _NUMERALS or (text.isdigit() and len(text) < 3)  # "World War II", "Titan 3"
    ends_name = case.is_of_name(words, ahead) and _are_side_by_side(words[last], words[ahead])
    if words[last].text.isupper() and not words[ahead].kind & GENERIC:
        ends_name = False  # an acronym is a name by itself, which may be said alone elsewhere
    if case.names(words, ahead) or is_numeral or ends_name:
        return ahead
    initial = ahead if words[ahead].kind & STOPS else last
    if case.goes_on_behind_initial(words, initial) and not any(taken[ahead : initial + 3]):
        return initial + 2
    joints, key = classes()["joints"], words[last].key
    if _is_prefix(words, ahead):
        return ahead + 1 if not taken[ahead + 1] and case.names(words, ahead + 1) else 0
    heads = key in classes()["with_of"] or key in ("de", "van", "von")
    if words[ahead].key in ("and", "et") or not (heads or words[ahead].key in ("van", "von", "der", "&")):
        return 0  # "the Parole Board and the Service" are two
    while ahead < len(words) and words[ahead].key in joints and ahead - last < 3:
        ahead += 1
    opens = ahead < len(words) and not taken[ahead] and case.names(words, ahead)
    return ahead if opens and ahead > last + 1 else 0


def _is_prefix(words: Sequence[Word], at: int) -> bool:
    """Check whether a word is an elided prefix of a name rather than an article that begins a sentence.

    Examples are the "D'" of "Brian D'Arcy", the "d'" of "Jeanne d'Arc" and the "L'" of "chez L'Oréal".
    """
    word = words[at]
    return word.elided and at + 1 < len(words) and not word.first and (word.capital or word.key == "d")


def _phrases(words: Sequence[Word], taken: Sequence[bool]) -> Iterator[Span]:
    """Yield the phrases in the words that are not taken by names."""
    at = 0
    while at < len(words):
        if (
            taken[at]
            or words[at].kind & BREAKS  # true for punctuation marks, too
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
    """Yield the phrase of a run of words, and its last word alone, which is its head noun.

    A word alone is a phrase only if an article, a preposition or a name announces it.
    """
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
    """Check whether a noun may follow: behind an article, a preposition, a figure or an adjective.

    An adjective follows an adverb of degree: "very strong", "totally forbidden".
    """
    small = folded(word)
    if is_degree(word):
        return False
    return (
        bool(word.kind & (LIGHT | NUMBER))
        or small in classes()["determiners"]
        or (small in classes()["prepositions"] and small != "to")
    )


def _is_modifier(words: Sequence[Word], first: int, last: int) -> bool:
    """Check whether a single word only modifies the word behind it: "magical thing", "static RAM"."""
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


# ---------------------------------------------------------------- kinds of names


def _kinds(
    texts: Sequence[Sequence[Word]], named: Sequence[Sequence[Mention]], names: Names
) -> Mapping[str, str]:
    """Return the kind of each name in a recording, by its words and by the small words around it."""
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
    """Return the evidence of the words around a name for its kind.

    The result is "honoured", "speaks", "place", "there" or "". It is "there" behind a preposition, which may
    also precede the names of firms and tools.
    """
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
    """Return the kind of a name if its words or their context make the kind certain, else "name"."""
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
        return "name"  # "First Minister" may be any person
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


# ---------------------------------------------------------------- speakers


def _speaker_mentions(passage: Passage, names: Names) -> Iterator[Mention]:
    """Yield a mention for each speaker turn in a passage, with the characters of the turn."""
    for begin, end, speaker in passage.turns:
        key = names.speakers.get(speaker or "")
        if speaker and key:
            yield Mention(
                key, passage.recording, passage.position, begin, end, speaker, "person", "speaker", speaker
            )
