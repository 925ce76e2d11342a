"""Relations that a language model reads from a passage, each checked against the passage.

A model may invent relations, so each is verified. The quote must occur in the passage word for
word, and the subject and the object in the quote. The relation must be a known one. Every sentence from the
subject to the object must be of one speaker turn, and neither ask, deny nor suppose. A statement that fails
is dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from pydantic import BaseModel

from onrecord.graph.cues import RelationRule, cues, is_in_doubt, sentence_before
from onrecord.graph.nouns import STOPS, Word, classes, folded, join_keys, words_in, words_of
from onrecord.ingest.sounds import without_sounds
from onrecord.types.graph import MODEL, PHRASE_KINDS, Knowledge, Mention, Relation
from onrecord.types.recordings import Passage

_LONGEST = 6
"""Most words of a subject or an object."""
_MOST = 20
"""Most relations of one passage that are checked."""


class Statement(BaseModel, defer_build=True):
    """One relation, as a model states it."""

    subject: str
    relation: str
    object: str
    quote: str


class Statements(BaseModel, defer_build=True):
    """What a model reads off a passage."""

    relations: list[Statement]


@dataclass(frozen=True, slots=True)
class Checked:
    """The statements on one passage that passed the check.

    `relations` are the valid relations, `mentions` the new mentions they need, and `dropped` is the number of
    statements that failed or exceeded `_MOST`.
    """

    mentions: tuple[Mention, ...] = ()
    relations: tuple[Relation, ...] = ()
    dropped: int = 0


def check(
    statements: Statements, passage: Passage, known_mentions: Sequence[Mention], capitals: bool
) -> Checked:
    """Return the statements that the words of the passage support.

    `known_mentions` are the mentions recognized by rules in the passage. `capitals` says whether capital
    letters mark names in the recording.
    """
    words = words_of(passage)
    mentions: dict[Mention, None] = {}
    relations: dict[Relation, None] = {}
    dropped = max(0, len(statements.relations) - _MOST)
    for statement in statements.relations[:_MOST]:
        ends = _ends(statement, words)
        if ends is None:
            dropped += 1
            continue
        one, other = (_mention(passage, words, span, known_mentions, capitals) for span in ends)
        if one.entity == other.entity or not _may_relate(cues().rules[statement.relation], one, other):
            dropped += 1
            continue
        mentions |= {each: None for each in (one, other) if each.rule == MODEL}
        begin, end = min(one.begin, other.begin), max(one.end, other.end)
        relation = Relation(
            one.entity, statement.relation, other.entity, passage.recording, passage.position, begin, end,
            passage.speaker_at(begin), MODEL,
        )  # fmt: skip
        relations[relation] = None
    return Checked(tuple(mentions), tuple(relations), dropped)


def _may_relate(rule: RelationRule, subject: Mention, object_: Mention) -> bool:
    """Check that neither end is a common noun where the relation requires a person, a firm or a place."""
    ends = ((rule.subject, subject.kind), (rule.object, object_.kind))
    return not any(kind and is_kind in PHRASE_KINDS and is_kind != kind for kind, is_kind in ends)


_Span = tuple[int, int]
"""The first and the last word index of a name."""


def _ends(statement: Statement, words: Sequence[Word]) -> tuple[_Span, _Span] | None:
    """Return the spans of a statement's subject and object; None if the statement fails the check."""
    quote = next(_places(statement.quote, words, (0, len(words) - 1)), None)
    if quote is None or statement.relation not in cues().rules:
        return None
    nearest = _nearest(
        words, *(_places(text, words, quote) for text in (statement.subject, statement.object))
    )
    if nearest is None or not _is_stated(words, *nearest):
        return None
    ends = _bare(words, nearest[0]), _bare(words, nearest[1])
    for first, last in ends:
        inside = [word for word in words[first : last + 1] if word.key]
        names = any(not word.kind & STOPS and len(word.key) > 1 for word in inside)
        if len(inside) > _LONGEST or not names:
            return None
    return ends


def _places(text: str, words: Sequence[Word], within: _Span) -> Iterator[_Span]:
    """Yield the spans in which the words of a text follow one another, whatever marks are between them."""
    keys_wanted = [word.key for word in words_in(without_sounds(text)) if word.key]
    places = [at for at in range(within[0], within[1] + 1) if words[at].key]
    keys = [words[at].key for at in places]
    for first in range(len(keys) - len(keys_wanted) + 1) if keys_wanted else ():
        if keys[first : first + len(keys_wanted)] == keys_wanted:
            yield places[first], places[first + len(keys_wanted) - 1]


def _nearest(
    words: Sequence[Word], subjects: Iterable[_Span], objects: Iterable[_Span]
) -> tuple[_Span, _Span] | None:
    """Return the subject and the object with the fewest sentence ends, then words, between them, or None."""

    def distance(pair: tuple[_Span, _Span]) -> tuple[int, int]:
        (begin, end), (other_begin, other_end) = pair
        between = words[min(end, other_end) + 1 : max(begin, other_begin)]
        return sum(word.ends_sentence for word in between), len(between)

    pairs = product(subjects, objects)
    apart = [(one, other) for one, other in pairs if one[1] < other[0] or other[1] < one[0]]
    return min(apart, key=distance, default=None)


def _is_stated(words: Sequence[Word], subject: _Span, object_: _Span) -> bool:
    """Check that the sentences from one end to the other are of one turn and neither ask, deny nor suppose.

    They count as a whole, since the quote may leave out the "if" or "not" of its first or last sentence.
    """
    first, behind = min(subject[0], object_[0]), max(subject[1], object_[1]) + 1
    if any(word.ends_turn for word in words[first:behind]):
        return False
    while behind < len(words) and not words[behind - 1].ends_sentence:
        behind += 1
    sentences = [*sentence_before(words, first), *words[first:behind]]
    return not is_in_doubt(sentences) and not any("?" in word.text for word in sentences)


def _bare(words: Sequence[Word], span: _Span) -> _Span:
    """Return a name's span without the determiners before it."""
    first, last = span
    while first < last and folded(words[first]) in classes()["determiners"]:
        first += 1
    return first, last


def _mention(
    passage: Passage, words: Sequence[Word], span: _Span, known: Sequence[Mention], capitals: bool
) -> Mention:
    """Return the mention at a span: the longest known one with the same end, else a new one."""
    begin, end = words[span[0]].begin, words[span[1]].end
    ending = [m for m in known if begin <= m.begin and m.end == end and m.rule != "speaker"]
    if ending:
        return min(ending, key=lambda mention: mention.begin)
    kind = "name" if capitals and words[span[1]].capital else "concept"
    key = join_keys(word.key for word in words[span[0] : span[1] + 1])
    speaker = passage.speaker_at(begin)
    return Mention(
        key, passage.recording, passage.position, begin, end, passage.text[begin:end], kind, MODEL, speaker
    )


# ---------------------------------------------------------------- knowledge of a recording


def with_reading(knowledge: Knowledge, position: int, checked: Checked) -> Knowledge:
    """Return the knowledge of a recording plus the model's reading of one more passage."""
    return replace(
        knowledge,
        mentions=tuple(dict.fromkeys((*knowledge.mentions, *checked.mentions))),
        relations=tuple(dict.fromkeys((*knowledge.relations, *checked.relations))),
        read=tuple(sorted({*knowledge.read, position})),
    )


def with_readings_of(knowledge: Knowledge, before: Knowledge | None) -> Knowledge:
    """Return new knowledge from rules plus the model's earlier readings in `before`.

    The passages of the recording must not have changed.
    """
    if before is None or not before.read:
        return knowledge
    mentions = tuple(each for each in before.mentions if each.rule == MODEL)
    there = {mention.entity for mention in (*knowledge.mentions, *mentions)}
    relations = tuple(
        each for each in before.relations if each.rule == MODEL and {each.subject, each.object} <= there
    )
    return replace(
        knowledge,
        mentions=(*knowledge.mentions, *mentions),
        relations=(*knowledge.relations, *relations),
        read=before.read,
    )
