"""Conditions in a question: hard filters, preferences, and conditions that nothing in the archive meets."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice

from onrecord.types import FILTER_FIELDS, Filter, Question, Scope
from onrecord.understand.catalog import CatalogIndex
from onrecord.understand.followups import Prior
from onrecord.understand.intents import SUBJECT, Kind, asking_words, part_of
from onrecord.understand.lexicon import Messages, lexicon
from onrecord.understand.linking import PEOPLE, Linked, Mention
from onrecord.understand.reading import Background, Reading, Side, unknown_names

_RECORDINGS = ("recording", "section", "language")
_MOST_LOOKED_AT = 100
"""Maximum number of recordings whose sections are examined."""
_PLACED, _RECORDED = 0.4, 0.6
"""Minimum likeness, in 0..1, of an example of a place, and of a recording's date."""
_SEVERAL = 4
"""Minimum number of holders of a role at which the question cannot mean all of them."""
_MOST_YEARS = 30
"""Number of years to try for a date without a year, from the period's own year back."""
_MOST_OTHERS = 100
"""Maximum number of remaining people for a condition that excepts somebody."""
_SURE = 0.9
"""Minimum likeness, in 0..1, of an example for a note that a person is unknown."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on recordings or passages: a field must have one of `values`.

    `said` are the question's words for the condition. The values of a date are its first and last day in ISO
    8601, either of which may be "". An `exact` condition excludes everything that does not meet it; any
    other condition is a preference. A `cited` condition comes from earlier turns and narrows nothing.
    """

    field: str
    values: tuple[str, ...]
    said: str
    exact: bool
    cited: bool = False

    def recordings(self, catalog: CatalogIndex) -> frozenset[str]:
        """Return the ids of the recordings that meet the condition."""
        if self.field in ("date", "since", "until"):
            since = self.values[0] if self.field != "until" else None
            until = self.values[-1] if self.field != "since" else None
            return catalog.dated(Scope(since=since or None, until=until or None))
        if self.field == "language":
            spoken = ((r.id, r.details.language_code) for r in catalog.recordings)
            return frozenset(name for name, code in spoken if code in self.values)
        if self.field == "section":
            return frozenset(catalog.by_id)
        return catalog.meeting(self.field, self.values)

    def filters(self) -> Iterator[Filter]:
        """Yield a filter for each value, or for each end of a date."""
        fields = ("since", "until") if self.field == "date" else (self.field,) * len(self.values)
        for field, value in zip(fields, self.values, strict=True):
            if value:
                yield Filter(field, value, self.said, self.exact, self.cited)


@dataclass(frozen=True)
class Asked:
    """A question with all that was read from it: its kind, its context from earlier turns, its conditions."""

    question: Question
    reading: Reading
    prior: Prior
    kind: Kind
    conditions: Sequence[Condition]
    filters: tuple[Filter, ...]
    background: Background

    @property
    def bare(self) -> bool:
        """Whether neither the question nor an earlier turn names a subject."""
        return SUBJECT not in self.reading.shape and not self.prior.subject


# ---------------------------------------------------------------- conditions from mentions


def conditions_of(
    reading: Reading, prior: Prior, background: Background, *, places: bool = False
) -> tuple[list[Condition], list[str]]:
    """Return the conditions of a question and of earlier turns, and notes about them.

    With `places`, every mention is a condition, whatever its role in the question."""
    linked, catalog, say = reading.linked, background.catalog, background.messages
    notes = list(_strangers(reading, say))
    for kind, said in linked.unknown:
        notes.append(say.say(kind, said=said if kind == "unlinked" else say.quoted(said)))
    conditions = [Condition(m.field, m.values, m.said, m.exact) for m in linked.operators]
    own = linked.mentions
    named = {m.field for m in own if m.field != "speaker" or m in reading.voices}
    named |= {each.field for each in conditions}
    for mention in own:
        alike = [other for other in own if other.field == mention.field]
        if mention.exact and not all(other.exact or other.values == mention.values for other in alike):
            mention = replace(mention, exact=False)  # alternatives of one field must not exclude each other
        beside = len(alike) > 1 and mention.field != "date"
        if condition := _condition(mention, reading, places or beside, catalog):
            conditions.append(condition)
            if mention.field == "recording" and len(mention.values) > 1:
                notes.append(say.say("episodes", len(mention.values), said=say.quoted(mention.said)))
    there = _recordings_meeting(conditions, background)
    for mention in (each for each in prior.mentions if each.field not in named):
        lent = _condition(replace(mention, exact=False), reading, True, catalog)
        if lent and lent.recordings(catalog) & there:  # else the question moves on to other recordings
            conditions.append(lent)
    there = _recordings_meeting(conditions, background)
    for mention in _people(reading, prior):
        conditions += _person(mention, there, background, notes)
    if reading.excepted:
        conditions += _all_others(reading, there, catalog)
    return [each for each in conditions if each.field not in background.without], notes


def _strangers(reading: Reading, say: Messages) -> Iterator[str]:
    """Yield a note for each person whose words the question asks for and who is not in the archive."""
    linked, asking = reading.linked, asking_words() | lexicon().titles
    for run in unknown_names(linked):
        words = linked.tokens[run.start : run.stop]
        if not run.start or any(token.word in asking for token in words):
            continue
        if part_of("person", linked.tokens, reading.signs, run, _SURE) == "voice":
            yield say.say("stranger", said=say.quoted(linked.tokens.said(run[0], run[-1])))


def _people(reading: Reading, prior: Prior) -> Sequence[Mention]:
    """Return the people whose words the question asks for.

    If the question mentions nobody, they come from earlier turns. They do not if the question asks for other
    people ("who is against it?"), or if several people would stand for "he"."""
    if reading.people:
        return [replace(m, cited=m in reading.deeds) for m in reading.people if m in reading.voices]
    if not prior.voices:
        return ()
    lex, tokens = lexicon(), reading.linked.tokens
    one = any(token.word in lex.one_person and token.singular for token in tokens)
    others = lex.anybody if one else lex.anybody | lex.replies
    unfit = (one and len(prior.voices) > 1) or tokens.have(others)
    return () if unfit and reading.kind.name != "companions" else prior.voices


def _condition(mention: Mention, reading: Reading, is_place: bool, catalog: CatalogIndex) -> Condition | None:
    """Return the condition that a mention makes; None for people and for the subject of the question."""
    if mention in reading.present:
        there = frozenset().union(*map(catalog.speaking, mention.values))
        return Condition("recording", tuple(sorted(there)), mention.said, False)
    if mention.field in PEOPLE or mention in reading.replies:
        return None
    if mention.field == "recording" and catalog.articles.issuperset(mention.values):
        return None  # the title of an article is the subject of the question
    if mention.field == "date":
        part = part_of("date", reading.linked.tokens, reading.signs, mention.places, _RECORDED)
        exact = mention.exact or (not is_place and part == "recorded")
        days = _days(mention, catalog)
        return Condition("date", days, mention.said, exact) if days else None
    if mention.exact or is_place or _is_place(mention, reading):
        return Condition(mention.field, mention.values, mention.said, mention.exact, mention.cited)
    return None


def _is_place(mention: Mention, reading: Reading) -> bool:
    """Check whether a mention says where to look, and is not the subject of the question."""
    named = not mention.near and (mention.field != "recording" or len(mention.values) == 1)
    if mention.field in _RECORDINGS and (named or reading.kind.family == "catalogue"):
        return True  # a word of several titles may be the subject, so it is checked below
    return part_of("where", reading.linked.tokens, reading.signs, mention.places, _PLACED) != "subject"


def _days(mention: Mention, catalog: CatalogIndex) -> tuple[str, str] | None:
    """Return the first and last day of a date in ISO 8601; an open end is "".

    A date without a year has the latest year with recordings. Return None if the mention has no period."""
    period = mention.period
    if period is None:
        return None
    years = range(_MOST_YEARS if period.yearless else 1)
    spans = [(_years_before(period.since, n), _years_before(period.until, n)) for n in years]
    held = (span for span in spans if Condition("date", span, "", True).recordings(catalog))
    return next(held, spans[0])


def _years_before(day: date | None, years: int) -> str:
    """Return the day a number of years earlier, in ISO 8601; "" for no day."""
    if day is None:
        return ""
    leap = day.month == 2 and day.day == 29
    return day.replace(year=day.year - years, day=28 if leap and years else day.day).isoformat()


def _recordings_meeting(conditions: Sequence[Condition], background: Background) -> frozenset[str]:
    """Return the recordings in scope that meet all conditions but those that no remaining one meets."""
    left = background.within
    for condition in conditions:
        left = left & condition.recordings(background.catalog) or left
    return left


def _all_others(reading: Reading, there: frozenset[str], catalog: CatalogIndex) -> Iterator[Condition]:
    """Yield the condition that someone other than the excepted people speaks: "everyone except Kelly"."""
    left_out = {name for mention in reading.excepted for name in mention.values}
    others = {name for recording in there for name in catalog.voices[recording]} - left_out
    if 0 < len(others) <= _MOST_OTHERS:
        first, last = reading.excepted[0].first, reading.excepted[-1].last
        said = reading.linked.tokens.said(max(0, first - 1), last)
        yield Condition("speaker", tuple(sorted(others)), said, False)


def _person(
    mention: Mention, there: frozenset[str], background: Background, notes: list[str]
) -> list[Condition]:
    """Return the condition that a person speaks, and add notes about an ambiguous or misspelt name.

    Of several people, choose the one who speaks in the recordings `there`."""
    catalog, say = background.catalog, background.messages
    names, quoted = mention.values, say.quoted(mention.said)
    heard = tuple(name for name in names if catalog.speaking(name) & there)
    apart = len(heard) == 1 and len(there) < len(catalog.by_id)
    if mention.field == "role" and not heard:
        return []  # no known holder of the role speaks in these recordings
    if len(names) > 1 and apart:
        notes.append(say.say("who", said=quoted, names=say.choices(heard)))
    several = len(names) > 1 and not apart and (mention.field != "role" or len(heard) >= _SEVERAL)
    chosen = () if several else heard or names
    if several:
        notes.append(say.say("several", said=quoted, names=say.choices(names)))
    if mention.near and len(chosen) == 1:
        notes.append(say.say("near", said=quoted, name=chosen[0]))
    return [Condition("speaker", chosen, mention.said, False, mention.cited)] if chosen else []


# ---------------------------------------------------------------- filters and scope


def narrow(
    conditions: Sequence[Condition], given: Scope, background: Background
) -> tuple[tuple[Filter, ...], Scope, list[Condition]]:
    """Return the filters of conditions, the scope narrowed by exact ones, and the unmet conditions.

    If conditions contradict each other, the weakest are dropped first. Fields of the `given` scope do not
    change."""
    conditions = [each for each in conditions if not _is_given(each, given)]
    if not conditions:
        return (), given, []
    base, before = background.within, dict[str, frozenset[str]]()
    met: list[Condition] = []
    unmet: list[Condition] = []
    for condition in sorted(conditions, key=lambda each: (each.field == "date", not each.exact)):
        left = before.setdefault(condition.field, base)  # the values of one field are alternatives
        if not _meeting(condition, left, background):
            unmet += [condition] if condition.exact or condition.field != "date" else []
            continue
        met.append(condition)
        if condition.exact:
            same = (each for each in met if each.exact and each.field == condition.field)
            base = left & frozenset().union(*(each.recordings(background.catalog) for each in same))
    filters = filters_of([each for each in conditions if each in met], background)
    return filters, given.narrowed(each for each in filters if each.exact), unmet


def _meeting(condition: Condition, among: frozenset[str], background: Background) -> Collection[str]:
    """Return those of the recordings that meet a condition, or have a section of its kind."""
    there = condition.recordings(background.catalog) & among
    if condition.field != "section":
        return there
    kinds = ((name, background.reader.sections(name)) for name in islice(there, _MOST_LOOKED_AT))
    return [name for name, some in kinds if any(section.kind in condition.values for section in some)]


def filters_of(conditions: Sequence[Condition], background: Background) -> tuple[Filter, ...]:
    """Return the filters of conditions, without the fields that the user removed."""
    filters = (each for condition in conditions for each in condition.filters())
    return tuple(each for each in filters if each.field not in background.without)


def _is_given(condition: Condition, scope: Scope) -> bool:
    """Check whether a scope already restricts the field of a condition."""
    if condition.field == "date":
        return bool(scope.since or scope.until)
    field = condition.field if condition.field in ("since", "until") else f"{condition.field}s"
    if condition.field in FILTER_FIELDS:
        return bool(getattr(scope, field))
    return condition.field.casefold() in map(str.casefold, scope.attributes)


# ---------------------------------------------------------------- sides of a comparison

_MOST_SIDES = 5


def sides_in_scope(
    linked: Linked, conditions: Sequence[Condition], background: Background
) -> tuple[Side, ...]:
    """Return a side for each recording of a plural: "the two calls", "the last two episodes".

    The recordings are those in scope that meet the conditions, the oldest first. The result is empty if they
    are fewer than two, more than five, or not as many as the question says."""
    lex, words = lexicon(), linked.tokens.words
    plural = (at for at, token in enumerate(linked.tokens) if not token.singular)
    at = next((at for at in plural if words[at] in lex.recordings), 0)
    there = (background.catalog.by_id[name] for name in _recordings_meeting(conditions, background))
    ordered = sorted(there, key=lambda recording: (recording.details.date or "", recording.title))
    number = max((lex.numbers.get(word, 0) for word in words[:at]), default=0)
    if number > 1 and not lex.ends["latest"].isdisjoint(words[:at]):
        ordered = ordered[-number:]
    elif number > 1 and not lex.ends["oldest"].isdisjoint(words[:at]):
        ordered = ordered[:number]
    if not at or not 1 < len(ordered) <= _MOST_SIDES or (number > 1 and number != len(ordered)):
        return ()
    titles = [recording.title for recording in ordered]
    names = [
        r.title if titles.count(r.title) == 1 else f"{r.title}, {r.details.date or r.id}" for r in ordered
    ]
    before, after = linked.text[: linked.tokens[at].begin], linked.text[linked.tokens[at].end :]
    return tuple(
        Side(name, before + name + after, (recording.id,))
        for name, recording in zip(names, ordered, strict=True)
    )
