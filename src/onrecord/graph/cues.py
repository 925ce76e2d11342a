"""Relations that a sentence states: two mentions with a cue between them (``data/relations.yaml``).

Only the cue and small words may stand between the two mentions, so a relation is read only from an explicit
statement. In "the tariff on frames caused", the subject is the tariff: of mentions joined by prepositions,
the first counts. A question, a denial or a supposition states no relation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from onrecord.graph.nouns import BREAKS, LIGHT, NUMBER, Word, classes, data, folded
from onrecord.types.graph import MODEL, Mention, Relation
from onrecord.types.recordings import Passage

_WIDEST = 7
"""Most words between two related mentions."""
RELATIVE = frozenset("that who qui".split())
_NEW_CLAUSE = frozenset("that which who there what whether it que qui il".split())
"""Words that begin another clause, whose subject is not the first mention."""
DIRECTIONS = ("forward", "backward", "changed", "outcome", "participle", "predicate", "attached")
"""The direction from subject to object, or what must precede the cue (see the data file)."""
_JOINTS = frozenset("of for & de du des".split())
"""Words that join the parts of an organization's name."""
_BACKWARD = ("backward", "changed", "outcome", "participle")
_BEHIND = frozenset("who which whose qui".split())
"""Words that may follow the end of a name, in addition to other small words."""

Cue = tuple[int, int, str, str]
"""The index of a cue's first word, the index behind its last word, its relation and its direction."""


@dataclass(frozen=True)
class RelationRule:
    """The rule of a relation in the data file.

    `subject` and `object` are the required kinds of the two ends, "" for any kind. A relation that is not
    `shown` is left out by default. A `general` relation holds only of names and of things in general. An
    `open` relation accepts phrases that are recognized only by its cue.
    """

    subject: str = ""
    object: str = ""
    shown: bool = True
    general: bool = False
    open: bool = False


@dataclass(frozen=True)
class Cues:
    """The contents of the data file.

    `by_text` maps the words of a cue to its relation and direction. `by_word` maps a first word to its cues,
    the longest first. `rules` maps a relation to its rule, and `words` maps a class to its words.
    """

    by_text: Mapping[str, tuple[str, str]]
    by_word: Mapping[str, Sequence[list[str]]]
    rules: Mapping[str, RelationRule]
    words: Mapping[str, frozenset[str]]


@cache
def cues() -> Cues:
    """Return the cues of the data file, which is read once."""
    content = data("relations.yaml")
    by_text = {
        " ".join(cue.split()): (relation, direction)
        for relation, fields in content["relations"].items()
        for direction in DIRECTIONS
        for cue in fields.get(direction, "").split("/")
        if cue.strip()
    }
    rules = {
        relation: RelationRule(
            **{name: fields[name] for name in RelationRule.__annotations__ if name in fields}
        )
        for relation, fields in content["relations"].items()
    }
    by_word: defaultdict[str, list[list[str]]] = defaultdict(list)
    for cue_words in sorted(map(str.split, by_text), key=len, reverse=True):
        by_word[cue_words[0]].append(cue_words)
    words = {name: frozenset(text.split()) for name, text in content["words"].items()}
    return Cues(by_text, by_word, rules, words)


def relations_in(
    passage: Passage, words: Sequence[Word], mentions: Sequence[Mention], cue_spans: Sequence[Cue]
) -> Iterator[Relation]:
    """Yield the relations that the sentences of a passage state, by the cues in `cue_spans`."""
    if len(mentions) < 2:
        return
    first_at = {word.begin: at for at, word in enumerate(words)}
    last_at = {word.end: at for at, word in enumerate(words)}
    inside = _inside_cues(words, cue_spans)
    outer = outermost([m for m in mentions if m.begin >= 0 and last_at[m.end] not in inside])
    places = [(first_at[m.begin], last_at[m.end]) for m in outer]
    for number in range(len(outer) - 1):
        clause = is_clause(words, *places[number])
        cue = cue_in(words[places[number][1] + 1 : places[number + 1][0]], clause)
        if cue is None:
            continue
        relation, direction = cue
        ends = _ends_of_statement(words, places, number, cue)
        if ends is None:
            continue
        first, last = outer[ends[0]], outer[ends[1]]
        subject, object_ = (last, first) if direction in _BACKWARD else (first, last)
        if direction == "changed" and not clause and subject.rule != "phrase" and not subject.name.isupper():
            continue  # "the credit is due to Ana Sousa", but not "due to COVID-19"
        if _fits(cues().rules[relation], subject, object_, direction) and subject.entity != object_.entity:
            yield Relation(
                subject.entity, relation, object_.entity, passage.recording, passage.position,
                min(first.begin, last.begin), max(first.end, last.end), passage.speaker_at(first.begin),
            )  # fmt: skip


def _fits(rule: RelationRule, subject: Mention, object_: Mention, direction: str) -> bool:
    """Check whether two mentions have the kinds that a relation requires.

    A name of two words may be a person's. The object of "works at" is an organization even where its name
    does not show it.
    """
    if rule.open and not cues().words["stand_ins"].isdisjoint((subject.entity, object_.entity)):
        return False  # "the latter led to"
    if direction == "outcome" and object_.kind != "outcome":
        return False  # "the web is driven by"
    parts = subject.name.split()
    capitals = all(part[0].isupper() for part in parts) and not any(map(str.isdigit, subject.name))
    person = rule.subject == "person" and subject.kind == "name" and len(parts) > 1 and capitals
    workplace = rule.object == "organization" and direction != "attached" and object_.rule == "name"
    return (person or rule.subject in ("", subject.kind)) and (workplace or rule.object in ("", object_.kind))


def _ends_of_statement(
    words: Sequence[Word],
    places: Sequence[tuple[int, int]],
    number: int,
    cue: tuple[str, str],
) -> tuple[int, int] | None:
    """Return the numbers of the two mentions that a cue behind mention `number` relates, or None."""
    relation, direction = cue
    after_cue = places[number + 1][0]
    if direction == "attached":  # "with Ana Sousa of Halden Bank"
        stated = not asks(words, after_cue) and not is_in_doubt(sentence_before(words, after_cue))
        return (number, number + 1) if stated and not name_goes_on(words, places[number + 1][1]) else None
    gap = words[places[number][1] + 1 : after_cue]
    relative = folded(gap[0]) in RELATIVE or (direction == "participle" and not any(map(is_helper, gap)))
    first = _head(words, places, number)
    if relative and first < number:
        return None  # ambiguous: "the price of the parts that caused it"
    if asks(words, after_cue) or is_in_doubt(sentence_before(words, after_cue)):
        return None
    if not (relative or opens_clause(words, places[first][0])):
        return None
    last = _last(places, number + 1)
    if cues().rules[relation].general and (
        relative
        or first < number
        or _is_definite(words, places[first][0])
        or not _is_complete(words, *places[last], words[places[first][0]].capital)
    ):
        return None
    if not _ends_phrase(words, places, last, relation) or _goes_on(words, places[last][1], relation):
        return None
    if cues().rules[relation].open and _shares_noun(words, *places[last]):
        return None
    return first, last


def cue_in(gap: Sequence[Word], behind_clause: bool = False) -> tuple[str, str] | None:
    """Return the relation stated by the words between two mentions, and its direction, or None.

    A cue of the direction "changed" gives the reason for a change, so a clause precedes it.
    """
    gap = gap[bool(gap) and folded(gap[0]) in RELATIVE :]
    small = [folded(word) for word in gap]
    if not _is_bare(gap, small):
        return None
    classes_of = cues().words
    filler = [
        text in classes_of["light"] or bool(word.kind & LIGHT) for text, word in zip(small, gap, strict=True)
    ]
    helper = [text in classes_of["helpers"] for text in small]
    for end in range(len(small), 0, -1):
        if end < len(small) and not filler[end]:
            return None
        for begin in range(end):
            if begin and not (filler[begin - 1] or helper[begin - 1]):
                break
            relation, direction = cues().by_text.get(" ".join(small[begin:end]), ("", ""))
            if relation and _stands(direction, gap, begin, end, behind_clause):
                return relation, direction
    return None


def _is_bare(gap: Sequence[Word], small: Sequence[str]) -> bool:
    """Check whether the words between two mentions may state a relation.

    They must be few, contain no new clause and no denial.
    """
    if not 0 < len(gap) <= _WIDEST or any(word.is_mark or word.text.istitle() for word in gap):
        return False  # a capital letter continues the name
    if is_denied(gap) or not _NEW_CLAUSE.isdisjoint(small):
        return False
    # In "evidence that this has caused", the subject is not the first mention.
    return small[0] not in classes()["determiners"] - cues().words["helpers"]


def _stands(direction: str, gap: Sequence[Word], begin: int, end: int, behind_clause: bool) -> bool:
    """Check whether a cue of a direction may occupy words `begin` up to `end` between two mentions."""
    if direction == "changed":  # "margins fell because of", or "the delay was partly due to"
        helped = any(map(is_helper, gap[:begin]))
        return behind_clause or (helped and all(map(is_adverb, gap[:begin])))
    if direction == "predicate":
        return any(map(is_helper, gap[:begin]))
    return not behind_clause and (direction != "attached" or len(gap) == end - begin)


def is_helper(word: Word) -> bool:
    """Check whether a word is an auxiliary: "was", "has"."""
    return folded(word) in cues().words["helpers"]


def is_adverb(word: Word) -> bool:
    """Check whether a word is an auxiliary, or an adverb not about the subject: "was", "partly"."""
    small, classes_of = folded(word), cues().words
    return small in classes_of["helpers"] or small in classes_of["adverbs"] or small.endswith("ly")


def is_degree(word: Word) -> bool:
    """Check whether an adjective follows a word: "very strong", "totally forbidden"."""
    small = folded(word)
    return small in classes()["degrees"] or bool(word.kind & LIGHT and small.endswith("ly"))


def is_clause(words: Sequence[Word], first: int, last: int) -> bool:
    """Check whether a mention is a subject with its verb, such as "margins fell", rather than a noun."""
    if first == last or words[last].capital:
        return False
    helpers = cues().words["helpers"]
    return (bool(words[last].kind & BREAKS) and not words[last].kind & NUMBER) or any(
        folded(word) in helpers for word in words[first:last]
    )


def cues_at(words: Sequence[Word]) -> Iterator[Cue]:
    """Yield the cues among words, without overlaps: at each first word the longest one."""
    at = 0
    while at < len(words):
        for cue in cues().by_word.get(folded(words[at]), ()):
            if [folded(each) for each in words[at : at + len(cue)]] == cue:
                yield (at, at + len(cue), *cues().by_text[" ".join(cue)])
                at += len(cue) - 1
                break
        at += 1


def _inside_cues(words: Sequence[Word], cue_spans: Iterable[Cue]) -> frozenset[int]:
    """Return the indices of words within cues that begin with an auxiliary.

    In "is the result of", the word "result" is not an entity.
    """
    helpers = cues().words["helpers"]
    return frozenset(
        at
        for begin, end, _, _ in cue_spans
        if end - begin > 2 and folded(words[begin]) in helpers
        for at in range(begin, end)
    )


def outermost(mentions: Sequence[Mention]) -> list[Mention]:
    """Return the mentions in words that are not part of a longer mention, in order."""
    outer: list[Mention] = []
    for mention in sorted((m for m in mentions if m.begin >= 0), key=lambda m: (m.begin, -m.end)):
        if not outer or mention.begin >= outer[-1].end:
            outer.append(mention)
    return outer


def _head(words: Sequence[Word], places: Sequence[tuple[int, int]], number: int) -> int:
    """Return the first of the mentions that are joined by prepositions up to mention `number`."""
    while number and _is_attached(words[places[number - 1][1] + 1 : places[number][0]]):
        number -= 1
    return number


def _last(places: Sequence[tuple[int, int]], number: int) -> int:
    """Return the last of the mentions that follow one another directly from mention `number` on.

    The mentions "Welsh" and "manager" together mean a manager.
    """
    while number + 1 < len(places) and places[number + 1][0] == places[number][1] + 1:
        number += 1
    return number


def opens_clause(words: Sequence[Word], at: int) -> bool:
    """Check whether a mention begins a clause, and so is the subject of the verb behind it."""
    classes_of = cues().words
    fillers = classes_of["light"] | classes()["determiners"]
    while (
        at and not words[at - 1].is_mark and (words[at - 1].kind & LIGHT or folded(words[at - 1]) in fillers)
    ):
        at -= 1
    if not at or words[at - 1].is_mark:
        return True
    before, ahead = folded(words[at - 1]), words[at - 2] if at > 1 else None
    if before in classes_of["openers"]:
        return ahead is None or folded(ahead) != "to"  # not "came to see the chapel"
    return before in classes_of["joints"] and (ahead is None or ahead.is_mark)


def _is_definite(words: Sequence[Word], at: int) -> bool:
    """Check whether a phrase means one particular thing: "the hotel", "his father". Names do not count."""
    if words[at].capital and not words[at].first:
        return False
    while at and words[at - 1].kind & LIGHT and folded(words[at - 1]) not in classes()["determiners"]:
        at -= 1
    before = folded(words[at - 1]) if at else ""
    return before in classes()["determiners"] - cues().words["indefinite"]


def _is_complete(words: Sequence[Word], first: int, last: int, of_name: bool) -> bool:
    """Check whether a noun defines by itself, unlike "part" in "a part of".

    Behind an adjective it defines names alone: "Vellmark is a small town", but not "packaging is a big deal".
    """
    before, ahead = words[first - 1], words[last + 1 : last + 2]
    judged = bool(before.kind & LIGHT) and folded(before) not in classes()["determiners"]
    return (of_name or not judged) and not (ahead and folded(ahead[0]) in ("of", "de"))


def _ends_phrase(
    words: Sequence[Word], places: Sequence[tuple[int, int]], number: int, relation: str
) -> bool:
    """Check whether a mention, with the mentions joined to it by prepositions, completes its noun phrase.

    An infinitive behind it would have the mention as its subject, so the result is false: "cause the sales of
    frames to fall".
    """
    is_end = ends_name if cues().rules[relation].general else ends_phrase
    if not is_end(words, places[number][1]):
        return False
    while number + 1 < len(places) and _is_attached(words[places[number][1] + 1 : places[number + 1][0]]):
        number += 1
    behind = places[number][1] + 1
    return behind == len(words) or folded(words[behind]) != "to"


def name_goes_on(words: Sequence[Word], at: int) -> bool:
    """Check whether a capitalized word continues a name, directly or behind a joint.

    Examples are "New York" "Times" and "Transport" "for Vellmark".
    """
    ahead = words[at + 1 : at + 3]
    joined = len(ahead) == 2 and folded(ahead[0]) in _JOINTS and ahead[1].capital
    return joined or (bool(ahead) and ahead[0].capital)


def ends_phrase(words: Sequence[Word], at: int) -> bool:
    """Check whether a mark, a small word, an adverb or a modifying adjective follows a noun."""
    return ends_name(words, at) or folded(words[at + 1]) in classes()["light"]


def ends_name(words: Sequence[Word], at: int) -> bool:
    """Check whether a mark or a small word follows a name."""
    if at + 1 == len(words):
        return True
    ahead = words[at + 1]
    if ahead.is_mark:
        return ahead.text not in "-–—("
    classes_of, small = cues().words, folded(ahead)
    return small != "to" and any(
        small in group
        for group in (
            classes()["prepositions"], classes()["determiners"], _BEHIND,
            classes_of["openers"], classes_of["joints"], classes_of["helpers"],
        )
    )  # fmt: skip


def _goes_on(words: Sequence[Word], at: int, relation: str) -> bool:
    """Check whether a definition continues with another noun or adjective.

    Examples are "is a unitary, democratic state" and "is a film and theatre producer".
    """
    if not cues().rules[relation].general:
        return False
    behind = at + 1
    comma = behind < len(words) and words[behind].text == ","
    behind += comma
    joint = behind < len(words) and folded(words[behind]) in cues().words["joints"]
    behind += joint
    if behind == len(words) or words[behind].is_mark or not (comma or joint):
        return False
    ahead = words[behind]
    content = not ahead.kind & BREAKS or bool(ahead.kind & LIGHT)
    return content and (joint or not ahead.capital)


def _shares_noun(words: Sequence[Word], first: int, last: int) -> bool:
    """Check whether a word only modifies a noun shared with the next word.

    Examples are "nerve and brain damage" and "increase in freight and labour costs".
    """
    run = words[last + 2 : last + 4]
    first = last if folded(words[last - 1]) in classes()["prepositions"] else first
    joined = last + 1 < len(words) and folded(words[last + 1]) in cues().words["joints"]
    return first == last and joined and len(run) == 2 and not any(w.is_mark or w.kind & BREAKS for w in run)


def _is_attached(gap: Sequence[Word]) -> bool:
    """Check whether a gap holds a preposition and, apart from small words, nothing else."""
    prepositions, determiners = classes()["prepositions"], classes()["determiners"]
    return (
        bool(gap)
        and folded(gap[0]) in prepositions
        and not any(word.is_mark for word in gap)
        and all(
            folded(word) in prepositions
            or (word.kind & BREAKS and folded(word) in determiners)
            or word.kind & LIGHT
            for word in gap
        )
    )


def sentence_before(words: Sequence[Word], at: int) -> Sequence[Word]:
    """Return the words before index `at` in the same sentence."""
    begin = at
    while begin and not words[begin - 1].ends_sentence:
        begin -= 1
    return words[begin:at]


def is_in_doubt(words: Sequence[Word]) -> bool:
    """Check whether words deny or suppose: "there is no evidence that", "if", "maybe", "there may be"."""
    return is_denied(words) or any(folded(word) in cues().words["doubts"] for word in words)


def is_denied(words: Sequence[Word]) -> bool:
    """Check whether words contain a negation: "not", "never", "didn't"."""
    return any(
        folded(word) in cues().words["denied"] or folded(word).endswith(("n't", "n’t")) for word in words
    )


def is_shown(relation: Relation) -> bool:
    """Check whether a relation is shown by default.

    Relations read by a model were checked. Some relations read from cues are not correct often enough.
    """
    rule = cues().rules.get(relation.relation)
    return relation.rule == MODEL or bool(rule and rule.shown)


def asks(words: Sequence[Word], at: int) -> bool:
    """Check whether the sentence of the word at index `at` is a question."""
    for word in words[at:]:
        if word.ends_sentence:
            return "?" in word.text
    return False
