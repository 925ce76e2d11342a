"""Relations that a sentence states: two mentions with a cue between them (``data/relations.yaml``).

Between the two may stand nothing but the cue and small words, so a relation is read only where it is stated
in so many words. The subject of "the tariff on frames caused" is the tariff: of mentions that prepositions
join, the first counts. A sentence that asks, denies or supposes states nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from onrecord.graph.nouns import BREAKS, ENDS, LIGHT, NUMBER, Word, classes, data, folded
from onrecord.types.graph import MODEL, Mention, Relation
from onrecord.types.recordings import Passage

_WIDEST = 7
"""Words between two mentions that are related."""
RELATIVE = frozenset("that who qui".split())
_NEW_CLAUSE = frozenset("that which who there what whether it que qui il".split())
"""Words that begin another clause, whose subject is not the first mention."""
DIRECTIONS = ("forward", "backward", "changed", "outcome", "participle", "predicate", "attached")
"""Where a cue points, or what it stands behind (see the data file)."""
_JOINTS = frozenset("of for & de du des".split())
"""Words between parts of the name of an organization."""
_BACKWARD = ("backward", "changed", "outcome", "participle")
_BEHIND = frozenset("who which whose qui".split())
"""Words that may follow the end of a name, beside other small words."""

Cue = tuple[int, int, str, str]
"""The first word of a cue and the one behind it, its relation and its direction."""


@dataclass(frozen=True)
class RelationRule:
    """What the data file says of a relation: the kinds that its `subject` and `object` must have ("" for
    any); whether it is `shown` by default; whether it holds of things in `general` alone; whether it is
    `open` to phrases that nothing but its cue tells."""

    subject: str = ""
    object: str = ""
    shown: bool = True
    general: bool = False
    open: bool = False


@dataclass(frozen=True)
class Cues:
    """Relation and direction by the words of a cue, the words of cues by the first one, the longest first,
    rules by relation, classes of words (see the file)."""

    by_text: Mapping[str, tuple[str, str]]
    by_word: Mapping[str, Sequence[list[str]]]
    rules: Mapping[str, RelationRule]
    words: Mapping[str, frozenset[str]]


@cache
def cues() -> Cues:
    """The cues of the data file, read once."""
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
    passage: Passage, words: Sequence[Word], mentions: Sequence[Mention], found: Sequence[Cue]
) -> Iterator[Relation]:
    """Yield what the sentences of a passage state of its mentions, by the cues that were `found` there."""
    if len(mentions) < 2:
        return
    first_at = {word.begin: at for at, word in enumerate(words)}
    last_at = {word.end: at for at, word in enumerate(words)}
    inside = _inside_cues(words, found)
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
    """Whether the two are of the kinds that a relation has. A name of two words may be a person's; what
    somebody "works at" is an organization, also where its name does not say so."""
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
    """The numbers of the two mentions that a cue behind mention `number` relates; None for no statement."""
    relation, direction = cue
    after_cue = places[number + 1][0]
    if direction == "attached":  # "with Ana Sousa of Halden Bank"
        stated = not asks(words, after_cue) and not is_in_doubt(sentence_before(words, after_cue))
        return (number, number + 1) if stated and not name_goes_on(words, places[number + 1][1]) else None
    gap = words[places[number][1] + 1 : after_cue]
    relative = folded(gap[0]) in RELATIVE or (direction == "participle" and not any(map(is_helper, gap)))
    first = _head(words, places, number)
    if relative and first < number:
        return None  # "the price of the parts that caused it": which of them?
    if asks(words, after_cue) or is_in_doubt(sentence_before(words, after_cue)):
        return None
    if not (relative or opens_clause(words, places[first][0])):
        return None
    if cues().rules[relation].general and _is_definite(words, places[first][0]):
        return None
    last = _last(places, number + 1)
    if not _ends_phrase(words, places, last, relation) or _goes_on(words, places[last][1], relation):
        return None
    if cues().rules[relation].open and _shares_noun(words, *places[last]):
        return None
    return first, last


def cue_in(gap: Sequence[Word], behind_clause: bool = False) -> tuple[str, str] | None:
    """The relation that the words between two mentions state, and its direction. What says why something
    changed has a clause before it."""
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
    """Whether words between two mentions may state something of both: few, of one clause, and no denial."""
    if not 0 < len(gap) <= _WIDEST or any(word.is_mark or word.text.istitle() for word in gap):
        return False  # a capital: the name goes on
    if is_denied(gap) or not _NEW_CLAUSE.isdisjoint(small):
        return False
    # "evidence that this has caused": another subject
    return small[0] not in classes()["determiners"] - cues().words["helpers"]


def _stands(direction: str, gap: Sequence[Word], begin: int, end: int, behind_clause: bool) -> bool:
    """Whether a cue of a direction may stand at words `begin` up to `end` between two mentions."""
    if direction == "changed":  # "margins fell because of", or "the delay was partly due to"
        helped = any(map(is_helper, gap[:begin]))
        return behind_clause or (helped and all(map(is_adverb, gap[:begin])))
    if direction == "predicate":
        return any(map(is_helper, gap[:begin]))
    return not behind_clause and (direction != "attached" or len(gap) == end - begin)


def is_helper(word: Word) -> bool:
    """Whether a word is an auxiliary: "was", "has"."""
    return folded(word) in cues().words["helpers"]


def is_adverb(word: Word) -> bool:
    """Whether a word is an auxiliary, or an adverb that says nothing of the subject: "was", "partly"."""
    small, classes_of = folded(word), cues().words
    return small in classes_of["helpers"] or small in classes_of["adverbs"] or small.endswith("ly")


def is_clause(words: Sequence[Word], first: int, last: int) -> bool:
    """Whether a mention is a subject with its verb, "margins fell", and no noun."""
    if first == last or words[last].capital:
        return False
    helpers = cues().words["helpers"]
    return (bool(words[last].kind & BREAKS) and not words[last].kind & NUMBER) or any(
        folded(word) in helpers for word in words[first:last]
    )


def cues_at(words: Sequence[Word]) -> Iterator[Cue]:
    """The cues among words: the longest of those that begin with a word, and none within another."""
    at = 0
    while at < len(words):
        for cue in cues().by_word.get(folded(words[at]), ()):
            if [folded(each) for each in words[at : at + len(cue)]] == cue:
                yield (at, at + len(cue), *cues().by_text[" ".join(cue)])
                at += len(cue) - 1
                break
        at += 1


def _inside_cues(words: Sequence[Word], found: Iterable[Cue]) -> frozenset[int]:
    """The words of cues that begin as a predicate does: "is the result of", whose "result" is no thing."""
    helpers = cues().words["helpers"]
    return frozenset(
        at
        for begin, end, _, _ in found
        if end - begin > 2 and folded(words[begin]) in helpers
        for at in range(begin, end)
    )


def outermost(mentions: Sequence[Mention]) -> list[Mention]:
    """The mentions in words that are part of no longer one, in order."""
    outer: list[Mention] = []
    for mention in sorted((m for m in mentions if m.begin >= 0), key=lambda m: (m.begin, -m.end)):
        if not outer or mention.begin >= outer[-1].end:
            outer.append(mention)
    return outer


def _head(words: Sequence[Word], places: Sequence[tuple[int, int]], number: int) -> int:
    """The first of the mentions that prepositions join, up to one."""
    while number and _is_attached(words[places[number - 1][1] + 1 : places[number][0]]):
        number -= 1
    return number


def _last(places: Sequence[tuple[int, int]], number: int) -> int:
    """The last of the mentions that follow one another directly: "Welsh" "manager" is a manager."""
    while number + 1 < len(places) and places[number + 1][0] == places[number][1] + 1:
        number += 1
    return number


def opens_clause(words: Sequence[Word], at: int) -> bool:
    """Whether a mention begins a clause, so that the verb behind it is its own."""
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
        return ahead is None or folded(ahead) != "to"  # "came to see the chapel" says nothing of the chapel
    return before in classes_of["joints"] and (ahead is None or ahead.is_mark)


def _is_definite(words: Sequence[Word], at: int) -> bool:
    """Whether a phrase tells of one thing in particular: "the hotel", "his father". Names do not."""
    if words[at].capital and not words[at].first:
        return False
    while at and words[at - 1].kind & LIGHT and folded(words[at - 1]) not in classes()["determiners"]:
        at -= 1
    before = folded(words[at - 1]) if at else ""
    return before in classes()["determiners"] - cues().words["indefinite"]


def _ends_phrase(
    words: Sequence[Word], places: Sequence[tuple[int, int]], number: int, relation: str
) -> bool:
    """Whether a mention, with those that prepositions join to it, ends what it names, and no infinitive
    follows, of which it would be the subject: "cause the sales of frames to fall"."""
    is_end = ends_name if cues().rules[relation].general else ends_phrase
    if not is_end(words, places[number][1]):
        return False
    while number + 1 < len(places) and _is_attached(words[places[number][1] + 1 : places[number + 1][0]]):
        number += 1
    behind = places[number][1] + 1
    return behind == len(words) or folded(words[behind]) != "to"


def name_goes_on(words: Sequence[Word], at: int) -> bool:
    """Whether a capital follows a name, directly or behind a joint: "New York" "Times", "Transport" "for
    Vellmark"."""
    ahead = words[at + 1 : at + 3]
    joined = len(ahead) == 2 and folded(ahead[0]) in _JOINTS and ahead[1].capital
    return joined or (bool(ahead) and ahead[0].capital)


def ends_phrase(words: Sequence[Word], at: int) -> bool:
    """Whether a mark or a small word follows a noun, or an adverb, or an adjective that only colours it."""
    return ends_name(words, at) or folded(words[at + 1]) in classes()["light"]


def ends_name(words: Sequence[Word], at: int) -> bool:
    """Whether a mark or a small word follows a name."""
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
    """Whether what would be a definition goes on with more of its kind: "is a unitary, democratic state",
    "is a film and theatre producer"."""
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
    """Whether a word only colours a noun that it shares with the next one: "nerve and brain damage"."""
    run = words[last + 2 : last + 4]
    joined = last + 1 < len(words) and folded(words[last + 1]) in cues().words["joints"]
    return first == last and joined and len(run) == 2 and not any(w.is_mark or w.kind & BREAKS for w in run)


def _is_attached(gap: Sequence[Word]) -> bool:
    """Whether a preposition, and nothing else but small words, stands between."""
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
    """The words of a sentence that stand before one of its words."""
    begin = at
    while begin and not (words[begin - 1].is_mark and words[begin - 1].text[0] in ENDS):
        begin -= 1
    return words[begin:at]


def is_in_doubt(words: Sequence[Word]) -> bool:
    """Whether words deny or suppose: "there is no evidence that", "if", "maybe", "there may be"."""
    return is_denied(words) or any(folded(word) in cues().words["doubts"] for word in words)


def is_denied(words: Sequence[Word]) -> bool:
    """Whether a word among them denies: "not", "never", "didn't"."""
    return any(
        folded(word) in cues().words["denied"] or folded(word).endswith(("n't", "n’t")) for word in words
    )


def is_shown(relation: Relation) -> bool:
    """Whether a relation is shown by default. What a model read was checked; of what cues state, some
    relations are not right often enough."""
    rule = cues().rules.get(relation.relation)
    return relation.rule == MODEL or bool(rule and rule.shown)


def asks(words: Sequence[Word], at: int) -> bool:
    """Whether the sentence of a word is a question."""
    for word in words[at:]:
        if word.is_mark and word.text[0] in ENDS:
            return "?" in word.text
    return False
