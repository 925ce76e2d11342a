"""Everything that one question says of where to look: its filters, whom it names, what could not be told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

import onrecord.retrieve.plan.attributes as attributes
import onrecord.retrieve.plan.parts as parts
import onrecord.retrieve.plan.recordings as recordings
from onrecord.retrieve.plan.asked import Asked, Reading, Span, aside
from onrecord.retrieve.plan.dates import Dates, around, dates
from onrecord.retrieve.plan.known import EPISODES, Known
from onrecord.retrieve.plan.notes import Notes
from onrecord.retrieve.plan.people import Mention, Speakers, resolved, speakers, stranger
from onrecord.retrieve.plan.recordings import Reference
from onrecord.retrieve.plan.stretches import month_days
from onrecord.stores.base import Reader
from onrecord.stores.scope import names_speaker
from onrecord.types import FILTER_FIELDS, Filter, Recording, Scope


@dataclass(frozen=True, slots=True)
class Background:
    """What a question is read against: what the archive knows, the day from which "last year" is reckoned,
    the language of the question, and `within`, where the user has said to look."""

    known: Known
    reader: Reader
    today: date
    language: str
    notes: Notes
    within: Scope


@dataclass(frozen=True, slots=True)
class Found:
    """What was read: the filters with their places, the names of people asked for and of others, where
    names of the asked-for stand side by side, notes, and who it is that the question wants the name of."""

    readings: tuple[Reading, ...] = ()
    asked_for: tuple[Mention, ...] = ()
    others: tuple[Mention, ...] = ()
    notes: tuple[str, ...] = ()
    who: str = ""


def read(
    asked: Asked,
    against: Background,
    anywhere: bool = False,
    before: Sequence[Filter] = (),
    company: Sequence[str] = (),
    linked: Sequence[Reference] = (),
) -> Found:
    """Read a question, from what is surest to what is least. `anywhere`: see `people.speakers`; `before` are
    filters of the question before, which help to tell recordings apart, `company` the people whom it named,
    who help to tell people apart; `linked` are the recordings whose links it has."""
    known, reader, notes = against.known, against.reader, against.notes
    titles = recordings.titled(asked, known, linked)
    left = asked.without(reference.span for reference in titles)
    of_attributes, unknown = attributes.read(left, known, reader)
    left = left.without(r.span for r in (*of_attributes, *unknown))
    recorded = (recording.details.date or "" for recording in known.recordings)
    when = dates(left, against.today, against.language, recorded)
    left = left.without(when.spans)
    references = [*titles, *recordings.described(left, known)]
    left = left.without(reference.span for reference in references)
    named_parts = list(parts.sections(left, known, reader))
    others = [*(r for r in named_parts if r.filter.field), *parts.languages(left, known)]
    left = left.without(reading.span for reading in others)
    places = [*of_attributes, *when.readings(asked), *others, *_certain(references)]
    where = scope_of([reading.filter for reading in places], against.within)
    named = _told_apart(speakers(left, known, anywhere), known, where, company)
    people, said = _people(named, left, notes)
    who = notes.who(left.said(named.who.span), [p.name for p in named.who.people]) if named.who else ""
    said += [notes.unheard(reading.filter.said) for reading in unknown if reading.filter.said]
    said += [notes.sectionless(r.filter.said) for r in named_parts if not r.filter.field]
    if when.event:
        said.append(notes.event(*when.event))
    said += [notes.day(*unsure) for unsure in when.unsure]
    taken = [r.span for r in (*of_attributes, *others)] + [reference.span for reference in references]
    name = stranger(left, named, taken)
    if name:
        said.append(notes.stranger(name))
    so_far = [*of_attributes, *when.readings(asked), *others, *people]
    placed, more = _placed(asked, references, so_far, before, against)
    told = tuple(dict.fromkeys([*said, *more]))
    return Found(tuple(_once(placed)), named.asked_for, named.others, told, who)


def _certain(references: Sequence[Reference]) -> Iterator[Reading]:
    """The recordings that a question names beyond doubt."""
    for found in references:
        if len(found.candidates) == 1 and not found.relation:
            yield Reading(Filter("recording", found.candidates[0].id, ""), found.span)


def _told_apart(named: Speakers, known: Known, where: Scope, company: Sequence[str]) -> Speakers:
    """Names that several people have, as the one of them who speaks where the question looks, or in one
    recording with somebody else whom it or the question before names."""
    sure = {person.name for mention in named.asked_for if (person := resolved(mention))}
    if not named.who and len(sure) == len(named.asked_for):
        return named
    fitting = known.fitting
    there = fitting.within(where) if where != Scope() else frozenset[str]()
    beside = frozenset[str]().union(*map(fitting.speaking, {*company, *sure}))
    chosen = tuple(_one_of(mention, known, there, beside) for mention in named.asked_for)
    return replace(named, asked_for=chosen, who=named.who and _one_of(named.who, known, there))


def _one_of(mention: Mention, known: Known, *among: frozenset[str]) -> Mention:
    """The one who speaks in some of these recordings, the first of them that tell."""
    if resolved(mention):
        return mention
    for ids in filter(None, among):
        people = tuple(p for p in mention.people if not ids.isdisjoint(known.fitting.speaking(p.name)))
        if len(people) == 1:
            return replace(mention, people=people, near=True)
    return mention


def speaks(name: str, recording: Recording) -> bool:
    """Whether somebody speaks in a recording."""
    return any(names_speaker(name, speaker) for speaker in recording.speakers)


def _people(named: Speakers, asked: Asked, notes: Notes) -> tuple[list[Reading], list[str]]:
    found: dict[str, Reading] = {}
    said = []
    for mention in named.asked_for:
        person, words = resolved(mention), asked.said(mention.span)
        if person is None:
            said.append(notes.several(words, [one.name for one in mention.people]))
            continue
        if mention.near:
            said.append(notes.near(words, person.name))
        found.setdefault(
            person.name, Reading(Filter("speaker", person.name, words), mention.span, aside=False)
        )
    return list(found.values()), said


def _once(readings: Sequence[Reading]) -> Iterator[Reading]:
    """Without those that say the same as one before."""
    seen = set()
    for reading in readings:
        key = (reading.filter.field, reading.filter.value)
        if key not in seen:
            seen.add(key)
            yield reading


# ---------------------------------------------------------------- recordings, among what else was read


def _placed(
    asked: Asked,
    references: Sequence[Reference],
    readings: list[Reading],
    before: Sequence[Filter],
    against: Background,
) -> tuple[list[Reading], list[str]]:
    """The readings with those of recordings, which the others help to tell apart."""
    said: list[str] = []
    for reference in references:
        show, rest = _owner(asked, reference, readings)
        if reference.relation:
            readings = rest
        among = show if reference.relation else readings
        candidates = _narrowed(reference.candidates, [reading.filter for reading in among], against.known)
        if len(candidates) > 1:
            candidates = _narrowed(candidates, before, against.known)
        if reference.which:
            candidates = recordings.chosen(reference.which, candidates)
        added, note = _settled(asked, reference, candidates, [r.span for r in show], against.notes)
        readings = _joined(readings, added)
        said += note
    return readings, said


def _owner(
    asked: Asked, reference: Reference, readings: Sequence[Reading]
) -> tuple[list[Reading], list[Reading]]:
    """The attributes named right behind a reference ("episode 4 of Slow Signals"), and the other readings."""
    end = reference.span[1]
    owner = [
        reading
        for reading in readings
        if reading.filter.field not in FILTER_FIELDS and 0 <= reading.span[0] - end <= 4
    ]
    return owner, [reading for reading in readings if reading not in owner]


def _settled(
    asked: Asked,
    reference: Reference,
    candidates: Sequence[Recording],
    owner: Sequence[Span],
    notes: Notes,
) -> tuple[list[Reading], list[str]]:
    words = asked.said(reference.span)
    if len(candidates) == 1:
        if reference.relation:
            return list(_dated(asked, reference, candidates[0], owner)), []
        phrase = aside(asked, reference.span)
        found = Filter("recording", candidates[0].id, words)
        return [Reading(found, phrase or reference.span, aside=phrase is not None)], []
    if reference.number is not None and not candidates:
        return [], [notes.unheard(words)]
    if reference.number is not None and not reference.relation:
        shared = _number_attribute(reference.number, candidates)
        if shared:
            return [Reading(replace(shared, said=words), reference.span)], [
                notes.episodes(words, len(candidates))
            ]
    if recordings.few(candidates):
        return [], [notes.several(words, [recording.title for recording in candidates])]
    return [], []


def _number_attribute(number: int, candidates: Sequence[Recording]) -> Filter | None:
    """The attribute under which all of them carry the number."""
    shared = {
        (name, value)
        for recording in candidates
        for name, value in recording.details.attributes.items()
        if name.lower() in EPISODES and value.strip().lstrip("0") == str(number)
    }
    return Filter(*shared.pop(), "") if len(shared) == 1 else None


def _dated(
    asked: Asked, reference: Reference, recording: Recording, owner: Sequence[Span]
) -> Iterator[Reading]:
    """ "Before the election episode": before the day it is of."""
    day = recording.details.date
    if not day:
        return
    year, month, number = (*map(int, day.split("-")), 0, 0)[:3]
    first, last = (
        (date(year, month, number),) * 2 if number else month_days(year, month or 1, 1 if month else 12)
    )
    since, until = around(reference.relation, first, last)
    yield from Dates(since, until, (reference.span, *owner)).readings(asked)


def _joined(readings: Sequence[Reading], added: Sequence[Reading]) -> list[Reading]:
    """All of them; of two days since or until which, the one that leaves less."""
    kept = list(readings)
    for new in added:
        field = new.filter.field
        rivals = [old for old in kept if old.filter.field == field] if field in ("since", "until") else []
        stricter = max if field == "since" else min
        if rivals:
            kept = [old for old in kept if old not in rivals]
            new = stricter((*rivals, new), key=lambda reading: reading.filter.value)
        kept.append(new)
    return kept


def _narrowed(
    candidates: Sequence[Recording], filters: Sequence[Filter], known: Known
) -> tuple[Recording, ...]:
    """The candidates that agree with what else was read, as far as that leaves any."""
    if not filters:
        return tuple(candidates)
    within = known.fitting.within(scope_of(filters))
    left = tuple(r for r in candidates if r.id in within)
    named = [known.fitting.speaking(found.value) for found in filters if found.field == "speaker"]
    speaking = tuple(r for r in left if all(r.id in ids for ids in named))
    return speaking or left or tuple(candidates)


def scope_of(filters: Sequence[Filter], base: Scope = Scope()) -> Scope:  # noqa: B008 - frozen
    """A scope narrowed by filters. Values of one attribute that exclude each other (the two banks of a
    comparison) narrow nothing here: `loosen` turns them into recordings."""
    by_field: dict[str, list[str]] = {}
    for found in filters:
        values = by_field.setdefault(found.field, [])
        if found.value not in values:
            values.append(found.value)
    since, until = by_field.pop("since", []), by_field.pop("until", [])
    scope = replace(
        base,
        recordings=base.recordings or tuple(by_field.pop("recording", ())),
        speakers=base.speakers or tuple(by_field.pop("speaker", ())),
        since=base.since or max(since, default=None),
        until=base.until or min(until, default=None),
        languages=base.languages or tuple(by_field.pop("language", ())),
        sections=base.sections or tuple(by_field.pop("section", ())),
    )
    single = {
        name: values[0] for name, values in by_field.items() if len(values) == 1 and name not in FILTER_FIELDS
    }
    return replace(scope, attributes={**single, **base.attributes})


def spans_side_by_side(readings: Sequence[Reading]) -> list[Span]:
    """Where values of one field stand that are asked for side by side: of speakers, banks, quarters, ..."""
    by_field: dict[str, list[Reading]] = {}
    for reading in readings:
        by_field.setdefault(reading.filter.field, []).append(reading)
    rows = [found for field, found in by_field.items() if len(found) > 1 and field not in ("since", "until")]
    return [reading.span for reading in max(rows, key=len)] if rows else []
