"""Introductions: "this is Yuki, the CFO of Halden" states that Yuki is a CFO, and works at Halden.

The pattern is a name, a comma, and an office in apposition, such as "our head of research". A name of one
word must follow words that introduce a person (`introduces` in ``data/relations.yaml``), so "at Vellmark, the
CFO" does not match.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from onrecord.graph.cues import (
    RELATIVE,
    asks,
    cues,
    ends_name,
    is_in_doubt,
    name_goes_on,
    outermost,
    sentence_before,
)
from onrecord.graph.names import NO_PEOPLE
from onrecord.graph.nouns import BREAKS, GENERIC, LIGHT, NUMBER, Word, classes, folded
from onrecord.ingest.people import OFFICES
from onrecord.types.graph import Mention, Relation
from onrecord.types.recordings import Passage

_FIELD = 3
"""Most words of the field of an office: "investor relations"."""
_PART, _PARTS = 12, 16
"""Most words of one part of a list of people and offices, and most parts that are examined."""
_RELATIVE = frozenset("who is qui est".split())
"""Words that may stand between the comma and the office."""
_IS = frozenset("is was est etait".split())

Place = tuple[Mention, int, int]
"""A mention with its first and its last word."""


def office_spans(words: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """Yield the first and last word index of offices without an article before them.

    Examples are "head of research", and "president" behind a comma.
    """
    for at, word in enumerate(words):
        if not _is_office_of_one(word):
            continue
        last = at + 1
        if word.kind & GENERIC and last < len(words) and folded(words[last]) == "of":
            while last + 1 < len(words) and last - at <= _FIELD and not words[last + 1].kind:
                last += 1
            if last > at + 1:
                yield at, last
        elif at and words[at - 1].text == "," and not word.capital and ends_name(words, at):
            yield at, at


def introductions_in(
    passage: Passage, words: Sequence[Word], mentions: Sequence[Mention]
) -> Iterator[Relation]:
    """Yield an "is a" relation from each introduced person to the office, and "works at" to the employer."""
    first_at = {word.begin: at for at, word in enumerate(words)}
    last_at = {word.end: at for at, word in enumerate(words)}
    outer = [(mention, first_at[mention.begin], last_at[mention.end]) for mention in outermost(mentions)]
    introduced: set[int] = set()
    for number, (person, begin, end) in enumerate(outer):
        behind = _behind_owner(outer[number + 1 : number + 3], words)
        if behind is None or not _is_introduced(person, words, begin, end):
            continue
        office, first, last = behind
        gap = words[end + 1 : first]
        if not _is_apposition(gap) or not _names_office(words, first, last):
            continue
        if _may_begin_clause(gap, words[first]) and not _is_closed(words, last):
            continue  # "thank you, Ana Sousa, the CFO will answer"
        if _follows_office(words, begin, introduced):
            continue  # "our CEO, Ana Sousa, and CFO, Bo Lund"
        if asks(words, last) or is_in_doubt(sentence_before(words, begin)):
            continue
        introduced.add(last)
        yield _relation(passage, person, "is a", office)
        employer = _employer(outer[number + 1 : number + 4], words, first, last)
        if employer:
            yield _relation(passage, person, "works at", employer)


def _relation(passage: Passage, person: Mention, relation: str, other: Mention) -> Relation:
    return Relation(
        person.entity, relation, other.entity, passage.recording, passage.position,
        person.begin, other.end, passage.speaker_at(person.begin),
    )  # fmt: skip


def _employer(ahead: Sequence[Place], words: Sequence[Word], first: int, last: int) -> Mention | None:
    """Return the organization in which a person holds an office, or None.

    Examples are "CEO of Halden" and "engineer at Halden". For other offices than the head of an organization,
    "of" may also introduce a department: "vice president of Sales".
    """
    joint = folded(words[last + 1]) if last + 1 < len(words) else ""
    at = last + 2
    while at < len(words) and folded(words[at]) in classes()["articles"]:
        at += 1
    named, end = next(((m, end) for m, begin, end in ahead if begin == at and m.rule != "phrase"), (None, 0))
    if named is None or joint not in cues().words["employs"] or name_goes_on(words, end):
        return None
    heads = {word.key for word in words[first : last + 1]} & cues().words["heads"]
    is_head = bool(heads) and folded(words[first]) not in cues().words["deputies"]
    plainly = joint in ("at", "chez") or is_head
    return named if named.kind == "organization" or (plainly and named.kind != "person") else None


def _behind_owner(ahead: Sequence[Place], words: Sequence[Word]) -> Place | None:
    """Return the mention that follows, or the mention it owns: "GRAIL's chief executive officer"."""
    if not ahead:
        return None
    last = ahead[0][2]
    followed = len(ahead) > 1 and ahead[1][1] == last + 1
    owns = followed and words[last + 1].begin - words[last].end > 2  # a word ends before its possessive "s"
    return ahead[1] if owns else ahead[0]


def _is_introduced(person: Mention, words: Sequence[Word], begin: int, end: int) -> bool:
    """Check whether a mention may be the name of a person who is introduced."""
    name = words[begin : end + 1]
    if person.rule == "phrase" or person.kind in NO_PEOPLE or any(map(_is_office, name)):
        return False
    before = " ".join(folded(word) for word in words[max(0, begin - 2) : begin])
    introduces = cues().words["introduces"]
    if any(part in introduces for part in (before.replace(" ", "-"), before.rpartition(" ")[2])):
        return True
    several = len(name) > 1 or person.kind == "person"
    return several and before.rpartition(" ")[2] not in classes()["prepositions"]


def _follows_office(words: Sequence[Word], begin: int, introduced: set[int]) -> bool:
    """Check whether a person's office precedes the name, in a list that begins with an office.

    An example is "secretary general, Ana Sousa, CFO, Bo Lund". An office that is already assigned, in
    `introduced`, does not count.
    """
    end, first_is_office = begin - 1, False
    for _ in range(_PARTS):
        if end < 1 or words[end].text != ",":
            break
        first = end
        while first and not words[first - 1].is_mark and end - first < _PART:
            first -= 1
        is_office = any(map(_is_office, words[first:end]))
        is_name = any(word.capital and not word.first for word in words[first:end])
        if is_office == first_is_office or not (is_office or is_name):
            break  # names and offices alternate
        if not introduced.isdisjoint(range(first, end)):
            return False
        end, first_is_office = first - 1, is_office
    return first_is_office


def _is_apposition(gap: Sequence[Word]) -> bool:
    """Check whether the words of a gap join a name and an office.

    They are a comma or "is the", followed by no more than "who is", a determiner and an owner.
    """
    if not gap:
        return False
    definite = classes()["determiners"] - cues().words["indefinite"]  # "is a director" defines a word
    is_definite = len(gap) > 1 and folded(gap[0]) in _IS and folded(gap[1]) in definite
    small_words = classes()["determiners"] | _RELATIVE
    return (gap[0].text == "," or is_definite) and all(
        folded(word) in small_words or word.kind & LIGHT or word.capital for word in gap[1:]
    )


def _may_begin_clause(gap: Sequence[Word], office: Word) -> bool:
    """Check whether an office behind a gap may be the subject of a clause: behind ", our" or ", Halden's"."""
    small = {folded(word) for word in gap}
    owned = office.begin - gap[-1].end > 2  # a word ends before its possessive "s"
    definite = classes()["determiners"] - cues().words["indefinite"]
    return small.isdisjoint(_RELATIVE) and (owned or not small.isdisjoint(definite))


def _is_closed(words: Sequence[Word], last: int) -> bool:
    """Check whether a mark or a relative clause follows an apposition, before any verb."""
    for before, word in pairwise(words[last:]):
        if word.is_mark or folded(word) in RELATIVE:
            return True
        if not _continues_office(before, word):
            return False
    return True


def _continues_office(before: Word, word: Word) -> bool:
    """Check whether a word may belong to an office: "of Halden" and "and chairman" do, a verb does not."""
    small, prepositions = folded(word), classes()["prepositions"]
    if small in cues().words["helpers"] and word.text != "à":
        return folded(before) in prepositions  # the article "a", which is a verb in French
    is_noun = word.capital or not word.kind & BREAKS or bool(word.kind & (LIGHT | NUMBER))
    return (
        is_noun
        or folded(before) in prepositions  # "of it"
        or small in prepositions | classes()["determiners"] | cues().words["joints"]
    )


def _names_office(words: Sequence[Word], first: int, last: int) -> bool:
    """Check whether words name an office of one person, without its holder.

    "CEO" is one; "CEO Ana Sousa" and "officers" are not.
    """
    has_field = any(folded(word) == "of" for word in words[first:last])
    return _is_office_of_one(words[first if has_field else last]) and ends_name(words, last)


def _is_office(word: Word) -> bool:
    return word.key.rpartition("-")[2] in OFFICES


def _is_office_of_one(word: Word) -> bool:
    return _is_office(word) and word.key == folded(word)
