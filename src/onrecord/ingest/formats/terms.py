"""Detection of labels that are probably terms of a talk ("Entropy: a measure of disorder") and not speakers.

A term is a single word, or words unlike a name. Its place tells it from a name, in any language: nobody
answers it, it stands within the turns of one person, or the words after it begin in lower case.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from onrecord.ingest.formats.labels import (
    is_counted,
    is_heading,
    is_name,
    is_remark,
    is_role,
    is_usual,
    without_asides,
)
from onrecord.ingest.formats.lines import asks, strip_marks
from onrecord.ingest.formats.shapes import MIN_SMALL_SHARE, Shape, Use, Uses, are_mostly

MAX_USES = 2
"""The maximum number of labels of a term; a person with more labels may write in lower case."""
MIN_TERMS = 2
"""The minimum number of terms before words that begin in lower case; a single label may be a person's."""
MIN_TOPICS = 3
"""The minimum number of distinct labels, only one of them recurring, that may be topics of notes."""
MIN_ITEMS = 2
"""The minimum number of labels that differ only in their numbers ("Item 1", "Item 2") in notes."""
MIN_ALTERNATIONS = 8
"""The minimum number of labels of two people that show that they speak in turn."""
MIN_ALTERNATING = 0.9
"""The minimum share (0 to 1) of two people's labels that follow the other person's label."""
MIN_ENTRIES = 6
"""The minimum number of labels, none recurring, that are the entries of a list rather than people."""
MIN_ENTRIES_SHARE = 0.7
"""The minimum share (0 to 1) of such labels that look like entries for all labels to be entries."""
MIN_EVENTS = 4
"""The minimum number of labels behind a time of day, none recurring, that are events of a programme."""
MIN_FIELDS = 2
"""The minimum number of labels in a fixed order that may be the fields of a form rather than people."""
MIN_FULL_ROUNDS = 0.8
"""The minimum share (0 to 1) of rounds of labels in a fixed order that have all labels of the form."""
MIN_ROUNDS = 3
"""The minimum number of rounds of labels that show a fixed order."""
MAX_LABELLED = 0.8
"""The share (0 to 1) of paragraphs with labels from which on a text is a dialogue and no lecture."""

QUOTES = frozenset("\"“”„«»‘’'")
"""Quotation marks."""


def terms_of(uses: Uses) -> frozenset[str]:
    """Return the keys of labels that look like speakers' labels but are probably terms.

    Full names, roles and labels with a time are terms only among the entries of a list or a programme.
    """
    doubtful = {key: found for key, found in uses.by_key.items() if _is_open_to_doubt(found)}
    once = {key for key, found in doubtful.items() if len(found) == 1}
    terms = _before_small_letters(uses, doubtful) | (once if _is_interrupted_lecture(uses) else set())
    terms |= _unanswered(uses, doubtful) | _within_turns(uses, doubtful) | _amid_turns(uses, doubtful)
    return (
        terms
        | _topics(uses, doubtful)
        | _fields(uses, doubtful)
        | _entries(uses, doubtful)
        | _events(uses)
        | _quoted(uses)
    )


def may_be_term(name: str) -> bool:
    """Return whether a label may be a term: it is no full name, no role and no remark."""
    name = without_asides(name)
    return not (is_usual(name) or is_remark(name) or (" " in name and is_name(name)))


def _is_open_to_doubt(uses: Sequence[Use]) -> bool:
    return all(may_be_term(use.label.name) and not use.stamped for use in uses)


# ---------------------------------------------------------------- by the words after a label


def _before_small_letters(uses: Uses, doubtful: Mapping[str, Sequence[Use]]) -> frozenset[str]:
    """Return the labels before words that begin in lower case, unlike the words after other labels."""
    defined = {key for key, found in doubtful.items() if _is_defined(found)}
    shapes = {uses.by_key[key][0].shape for key in defined}  # few, while there may be thousands of labels
    differing = {shape for shape in shapes if _differs(uses, defined, shape)}
    unlike = frozenset(key for key in defined if uses.by_key[key][0].shape in differing)
    return unlike if len(unlike) >= MIN_TERMS else frozenset()


def _is_defined(uses: Sequence[Use]) -> bool:
    """Return whether a few labels in capitals stand before words that all begin in lower case."""
    return len(uses) <= MAX_USES and all(use.begins_small and use.label.name[0].isupper() for use in uses)


def _differs(uses: Uses, defined: Collection[str], shape: Shape) -> bool:
    """Return whether most labels of a shape are others than `defined`, and hardly any others begin small."""
    alike = [use for use in uses.plain if use.shape == shape and use.rest]
    others = [use for use in alike if use.key not in defined]
    small = sum(use.begins_small for use in others)
    return 2 * len(others) >= len(alike) and small < MIN_SMALL_SHARE * len(others)


def _quoted(uses: Uses) -> set[str]:
    """Return the rare labels, also names, before words in quotation marks, unlike the words of others.

    A speaker quotes them: "The mayor: 'We will not pay.'".
    """
    quoted = {key for key, found in uses.by_key.items() if all(map(_is_quoted, found))}
    rare = {key for key in quoted if len(uses.by_key[key]) <= MAX_USES}
    others = [use for use in uses.plain if use.key not in rare]
    return rare if sum(map(_is_quoted, others)) < MIN_SMALL_SHARE * len(others) else set()


def _is_quoted(use: Use) -> bool:
    words = strip_marks(use.rest)
    return words[:1] in QUOTES and words[-1:] in QUOTES and len(words) > 2


# ---------------------------------------------------------------- by the place of a label


def _is_interrupted_lecture(uses: Uses) -> bool:
    """Return whether many paragraphs have no label, and only one label recurs, which is a role."""
    recurring = {use.key: use.label.name for use in uses.recurring}
    are_roles = [is_role(name.split()[0]) for name in recurring.values()]
    return are_roles == [True] and not _are_in_dialogue(uses)


def _are_in_dialogue(uses: Uses) -> bool:
    """Return whether nearly all paragraphs have a label."""
    return len({use.unit for use in uses.plain}) >= MAX_LABELLED * uses.units


def _unanswered(uses: Uses, doubtful: Mapping[str, Sequence[Use]]) -> set[str]:
    """Return the labels that stand apart from others and ask nothing, in a talk that begins without a label.

    Somebody without a label speaks there, and goes on below the term. Names that the words above introduce
    are no terms: "WL" below "With Wen Li".
    """
    if not uses.are_below_speech:
        return set()
    return {
        key
        for key, found in doubtful.items()
        if key not in uses.introduced
        and are_mostly(use.at not in uses.answered for use in found)
        and not are_mostly(asks(use.rest) for use in found)
    }


def _within_turns(uses: Uses, doubtful: Mapping[str, Sequence[Use]]) -> set[str]:
    """Return the recurring labels that always stand below one person, who never speaks right after them.

    The person, known by a full name or a role, writes terms down or quotes notes. "Speaker 1" and "Q" do not:
    a machine or an interviewer writes these labels. People who ask are answered.
    """
    writers = {
        key for key, name in uses.names.items() if is_role(name) or not is_usual(name)
    } - doubtful.keys()
    above, below = defaultdict[str, list[str]](list), defaultdict[str, set[str]](set)
    for use, other in pairwise(uses.plain):
        above[other.key].append(use.key)
        below[use.key].add(other.key)
    return {
        key
        for key, found in doubtful.items()
        if 1 < len(found) == len(above[key]) and len(set(above[key])) == 1
        if above[key][0] in writers - below[key]
        if not any(asks(use.rest) for use in found)
    }


def _amid_turns(uses: Uses, doubtful: Mapping[str, Sequence[Use]]) -> set[str]:
    """Return the rare labels across which two people go on to speak in turn, and which ask nothing.

    Where two people alternate from the first label to the last, the words below such a label ("Flour: ...")
    are part of a turn more often than a third person's.
    """
    two = {key for key, found in uses.by_key.items() if len(found) > MAX_USES}
    if len(two) != 2:
        return set()
    speakers = [use for use in uses.plain if use.key in two]
    alternating = sum(before.key != use.key for before, use in pairwise(speakers))
    if len(speakers) < MIN_ALTERNATIONS or alternating < MIN_ALTERNATING * (len(speakers) - 1):
        return set()
    lines = [use.at for use in speakers]

    def is_amid(use: Use) -> bool:
        after = bisect(lines, use.at)
        return (
            0 < after < len(lines) and speakers[after - 1].key != speakers[after].key and not asks(use.rest)
        )

    return {key for key, found in doubtful.items() if key not in two and all(map(is_amid, found))}


def _topics(uses: Uses, doubtful: Mapping[str, Sequence[Use]]) -> set[str]:
    """Return the only label that recurs, if it is a topic of notes, and the items among which it stands.

    The word of a topic also occurs in lower case ("Pricing"), or it asks nothing among items ("Item 1").
    """
    recurring = {use.key for use in uses.recurring}
    topics = recurring & doubtful.keys()
    if len(recurring) != 1 or not topics or len(uses.by_key) < MIN_TOPICS:
        return set()
    (topic,) = topics
    counted = {key: name for key, name in uses.names.items() if " " in name and is_counted(name)}
    stems = Counter(name.rsplit(" ", 1)[0] for name in counted.values())
    items = {key for key, name in counted.items() if stems[name.rsplit(" ", 1)[0]] >= MIN_ITEMS}
    if items and not any(asks(use.rest) for use in doubtful[topic]):
        return {topic, *items}
    return topics if uses.names[topic] != topic and topic in uses.small_words else set()


def _entries(uses: Uses, doubtful: Mapping[str, Sequence[Use]]) -> set[str]:
    """Return the labels if there are many and none recurs, as in a list of terms: people speak again.

    A few of them may be full names ("Davy Jones") if no label has a time or is common in transcripts, and if
    many paragraphs have no label.
    """
    if len(uses.all) > len(uses.by_key) or len(doubtful) < MIN_ENTRIES:
        return set()
    names = [use for use in uses.all if use.key not in doubtful]
    are_few = len(doubtful) >= MIN_ENTRIES_SHARE * len(uses.all) and not _are_in_dialogue(uses)
    if names and (not are_few or any(use.stamped or is_usual(use.label.name) for use in names)):
        return set()
    return set(uses.by_key.keys() - uses.introduced)


def _events(uses: Uses) -> set[str]:
    """Return the labels behind bare times if none recurs, as in a programme: "10:30 Choir: folk songs".

    In a transcript with such times, somebody speaks again, or most labels are full names or common ones.
    """
    events = [use for use in uses.all if uses.is_scheduled(use)]
    if len(events) < MIN_EVENTS or any(len(uses.by_key[use.key]) > 1 for use in events):
        return set()
    return {use.key for use in events} if all(may_be_term(use.label.name) for use in events) else set()


def _fields(uses: Uses, doubtful: Mapping[str, Sequence[Use]]) -> set[str]:
    """Return the labels of a form whose fields recur in the same order: "Item 1", "Decision", "Vote".

    People take turns in such an order only if questions go round.
    """
    fields: dict[str, list[Use]] = {}
    for use in uses.all:
        fields.setdefault(_stem(use), []).append(use)
    fields = {stem: found for stem, found in fields.items() if len(found) > 1}
    keys = fields.keys() & uses.by_key.keys()
    people = {key for key in keys & uses.introduced if not is_heading(uses.names[key])}
    if len(fields) < MIN_FIELDS or people or not keys <= doubtful.keys():
        return set()
    if len(fields) == MIN_FIELDS and not _is_form_of_two(uses, *fields.values()):
        return set()
    asking = (are_mostly(asks(use.rest) for use in found) for found in fields.values())
    if any(asking) or are_mostly(map(uses.is_asked, next(iter(fields.values())))):
        return set()
    order = {stem: place for place, stem in enumerate(fields)}
    places = [order[stem] for use in uses.all if (stem := _stem(use)) in order]
    return keys if _come_in_order(places, len(order)) else set()


def _is_form_of_two(uses: Uses, first: Sequence[Use], second: Sequence[Use]) -> bool:
    """Return whether two alternating labels are fields ("Symptom", "Remedy") and not two people.

    Nobody asks or exclaims there, and either blank lines or headings group the fields in pairs, or the words
    of both labels also occur in lower case.
    """
    if len(first) != len(second) or any(map(uses.is_lively, (*first, *second))):
        return False
    apart, beside = (tuple(zip(*map(uses.set_off, found[1:]), strict=True)) for found in (first, second))
    are_grouped = any(all(one) and not any(other) for one, other in zip(apart, beside, strict=True))
    names = [uses.names[found[0].key] for found in (first, second)]
    are_words = all(name.lower() in uses.small_words and not name.islower() for name in names)
    return are_words or (are_grouped and not all(map(str.isupper, names)))  # "AB" and "CD" are initials


def _stem(use: Use) -> str:
    """Return the key of a label, without the number of an item."""
    name = use.label.name
    return name.rsplit(" ", 1)[0] + " #" if " " in name and is_counted(name) else use.key


def _come_in_order(places: Sequence[int], fields: int) -> bool:
    """Return whether nearly all rounds, each a rising series of places in a form, have all its fields."""
    begins = [0, *(at for at in range(1, len(places)) if places[at] <= places[at - 1]), len(places)]
    full = sum(end - begin == fields for begin, end in pairwise(begins))
    return full >= max(MIN_ROUNDS, MIN_FULL_ROUNDS * (len(begins) - 1))
