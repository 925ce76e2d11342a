"""Facts of the recordings themselves: how many, which, how long, of when; and what is not known of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import onrecord.retrieve.plan.facts.people as people
from onrecord.retrieve.plan.facts.inquiry import OUTERMOST, Inquiry
from onrecord.retrieve.plan.facts.place import MOST, Place, plain, remarked
from onrecord.retrieve.plan.facts.words import told_in
from onrecord.retrieve.plan.known import Known
from onrecord.retrieve.plan.loosen import narrowed
from onrecord.retrieve.plan.reading import Background
from onrecord.types import Fact, Filter, Plan, Recording, Scope, clock

_DATES = ("since", "until")
_ONE_BY_ONE = ("title", "length", "date", "speakers", "voices", "values")
"""What is told of each recording that may be meant, where one is asked for."""
_OF_PEOPLE = ("speakers", "voices", "most", "least", "talk", "appearances", "present", "role", "roles")


def informed(made: Plan, what: Inquiry | None, wanted: Sequence[Filter], against: Background) -> Plan | None:
    """The plan with what the archive knows of all that is asked, where the catalogue answers it: then none of
    the filters that are `wanted` is left out of it, though no recording may fit. None where it does not."""
    facts = facts_of(what, against, made.language) if what else ()
    if not facts:
        return None
    scope = narrowed(wanted, against.within, against.known)
    if scope is None or made.filters == tuple(wanted):
        return replace(made, facts=facts)
    return replace(made, facts=facts, filters=tuple(wanted), scope=scope, notes=())


def facts_of(what: Inquiry, against: Background, language: str | None) -> tuple[Fact, ...]:
    """What the archive knows of what is asked. Empty where it has no recordings, or where it is not clear
    which of them is meant."""
    scope, known = against.within, against.known
    base = tuple(against.reader.recordings(scope)) if scope else known.recordings
    fitting = _fitting(what.within, base, scope, known) if what.within else base
    place = Place(what, known, against.reader, told_in(language), base, fitting)
    narrower = scope.speakers or scope.sections  # of whom the recordings tell more than what was chosen
    if not base or (narrower and what.kind in _OF_PEOPLE):
        return ()
    if what.of == "this" and len(fitting) != 1:
        return _one_of_several(place)
    if not fitting:
        return _counted(place)
    if what.of not in OUTERMOST or what.kind == "outermost":
        return _FACTS[what.kind](place)
    chosen, unknown = _chosen(place)
    if not chosen:
        return _outermost(place)
    found = _FACTS[what.kind](place.at(chosen))
    return tuple(remarked(fact, _not_known(place, unknown)) for fact in found)


def _one_of_several(place: Place) -> tuple[Fact, ...]:
    """The same of "the meeting", where there are several recordings: of the one that is called so; else a
    line for each that may be meant, where each has one. Empty where it is not said what is meant ("it")."""
    what, found = place.inquiry, place.recordings
    if what.kind == "values" and what.within and found:
        return _FACTS["values"](place)
    called = place.called() if what.thing else []
    if len(called) == 1:
        return _FACTS[what.kind](place.at(called))
    if not what.thing or not found or what.kind not in _ONE_BY_ONE:
        return ()
    meant = place.at(called or found)
    unknown = "" if called else place.told.called(0, plain(what.said))
    return (remarked(_each(meant, lambda r: _FACTS[what.kind](meant.at([r]))[0].text), unknown),)


def _fitting(
    filters: Sequence[Filter], base: Sequence[Recording], scope: Scope, known: Known
) -> tuple[Recording, ...]:
    """The recordings that filters leave; of somebody those in which they speak."""
    inner = narrowed(filters, scope, known)
    if inner is None:
        return ()
    there = known.fitting.within(inner)
    for each in filters:
        there &= known.fitting.speaking(each.value) if each.field == "speaker" else there
    return tuple(recording for recording in base if recording.id in there)


# ---------------------------------------------------------------- how many, which, the latest


def _counted(place: Place) -> tuple[Fact, ...]:
    """How many recordings there are, or fit the conditions, and which."""
    told, found, what = place.told, place.recordings, place.inquiry
    said = list(dict.fromkeys(plain(each.said or each.value) for each in what.within))
    called, undated = len(place.called()), sum(not r.details.date for r in place.base)
    dated = any(each.field in _DATES for each in what.within)
    if dated and undated == len(place.base):
        return (Fact(told.all_undated(undated, said)),)
    others = called < len(found) and what.kind in ("count", "list")
    text = told.fitting(len(found), len(place.base), said) if said else told.there_are(len(found))
    return (
        remarked(
            place.listing(text, found),
            told.called(called, plain(what.said)) if others else "",
            told.undated(undated) if undated and dated else "",
        ),
    )


def _outermost(place: Place) -> tuple[Fact, ...]:
    """The latest recording, or the longest, ...; empty where none is what the question calls it."""
    told, which = place.told, place.told.ends[place.inquiry.of]
    chosen, unknown = _chosen(place)
    if not chosen and not unknown:
        return ()
    if not chosen:
        return (Fact(told.no_end(which, unknown, _by_date(place))),)
    if len(chosen) > 1:
        fact = place.listing(told.ties(which, len(chosen)), chosen)
    else:
        fact = Fact(told.outermost(which, place.line(chosen[0])), recordings=(chosen[0].id,))
    return (remarked(fact, _not_known(place, unknown)),)


def _chosen(place: Place) -> tuple[list[Recording], int]:
    """The latest, oldest, longest or shortest, several where they are as late or long; and of how many others
    that is not known."""
    found = place.meant()
    values = {r.id: (r.details.date or "") if _by_date(place) else f"{r.seconds or 0:012.3f}" for r in found}
    known = [r for r in found if (r.details.date if _by_date(place) else r.seconds)]
    end = max if place.inquiry.of in ("last", "longest") else min
    best = end((values[r.id] for r in known), default="")
    return [r for r in known if values[r.id] == best], len(found) - len(known)


def _by_date(place: Place) -> bool:
    return place.inquiry.of in ("last", "first")


def _not_known(place: Place, count: int) -> str:
    if not count:
        return ""
    return place.told.undated(count) if _by_date(place) else place.told.unmeasured(count)


# ---------------------------------------------------------------- one by one


def _titles(place: Place) -> tuple[Fact, ...]:
    return (_each(place, lambda r: place.told.titled(plain(r.title))),)


def _lengths(place: Place) -> tuple[Fact, ...]:
    def told(recording: Recording) -> str:
        title, length = plain(recording.title), place.length(recording)
        known = recording.seconds is not None
        return place.told.lasts(title, length) if known else place.told.not_measured(title, length)

    return (_each(place, told),)


def _days(place: Place) -> tuple[Fact, ...]:
    def told(recording: Recording) -> str:
        title, date = plain(recording.title), recording.details.date
        return place.told.dated(title, plain(date)) if date else place.told.not_dated(title)

    return (_each(place, told),)


def _each(place: Place, told: Callable[[Recording], str]) -> Fact:
    """A fact of one recording, or a line for each of several."""
    found = place.recordings
    if len(found) == 1:
        return Fact(told(found[0]), recordings=(found[0].id,))
    return Fact(place.told.several(len(found)), place.lines(found, told), tuple(r.id for r in found[:MOST]))


def _total(place: Place) -> tuple[Fact, ...]:
    seconds = [r.seconds for r in place.recordings if r.seconds is not None]
    unknown = len(place.recordings) - len(seconds)
    if not seconds:
        return (Fact(place.told.unmeasured(unknown)),)
    text = place.told.lengths(len(seconds), clock(sum(seconds)), clock(sum(seconds) / len(seconds)))
    return (remarked(Fact(text), place.told.unmeasured(unknown) if unknown else ""),)


_FACTS: Mapping[str, Callable[[Place], tuple[Fact, ...]]] = {
    "count": _counted,
    "list": _counted,
    "outermost": _outermost,
    "title": _titles,
    "length": _lengths,
    "date": _days,
    "total": _total,
    "speakers": people.speakers,
    "voices": people.speakers,
    "most": people.most,
    "least": people.most,
    "talk": people.talk,
    "appearances": people.appearances,
    "present": people.present,
    "role": people.role,
    "roles": people.role,
    "values": people.values,
}
