"""The conditions that a question makes: which exclude, which only prefer, and which nothing meets."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice
from typing import Any

from onrecord.types import FILTER_FIELDS, Filter, Scope
from onrecord.understand.catalog import CatalogIndex
from onrecord.understand.followups import Prior
from onrecord.understand.intents import KEY, SUBJECT, WITHOUT_SUBJECT, asking_words, part_of
from onrecord.understand.lexicon import Messages, lexicon, span_text
from onrecord.understand.linking import PEOPLE, Linked, Mention
from onrecord.understand.reading import Background, Reading, Side, unknown_names

_RECORDINGS = ("recording", "section", "language")
_OF_RECORDINGS = WITHOUT_SUBJECT | {"overview", "full"}
"""Kinds of questions about recordings, which say nothing but where to look."""
_MOST_LOOKED_AT = 100
"""Recordings whose sections are looked through."""
_PLACED, _RECORDED = 0.4, 0.6
"""How alike an example of a place and of a recording's date must be."""
_SEVERAL = 4
"""So many people who are what somebody is called are not all meant."""
_MOST_YEARS = 30
"""How far back the year is looked for of a date that names none."""
_MOST_OTHERS = 100
"""People who are left where somebody is excepted."""
_SURE = 0.9
"""How alike an example is by which somebody unknown is taken to be asked for."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on recordings or passages: one of `values` of a field, in the question's words `said`.

    The values of a date are its first and its last day, either of which may be empty. An `exact` condition
    excludes, all others prefer; one that is `cited` in the answer before narrows nothing."""

    field: str
    values: tuple[str, ...]
    said: str
    exact: bool
    cited: bool = False

    def recordings(self, catalog: CatalogIndex) -> frozenset[str]:
        """The ids of the recordings that meet it."""
        if self.field in ("date", "since", "until"):
            since = self.values[0] if self.field != "until" else None
            until = self.values[-1] if self.field != "since" else None
            return catalog.dated(Scope(since=since or None, until=until or None))
        if self.field == "language":
            spoken = ((r.id, (r.details.language or "").split("-")[0]) for r in catalog.recordings)
            return frozenset(name for name, code in spoken if code in self.values)
        if self.field == "section":
            return frozenset(catalog.by_id)
        return catalog.meeting(self.field, self.values)

    def filters(self) -> Iterator[Filter]:
        """A filter for each value, and for each end of a date."""
        fields = ("since", "until") if self.field == "date" else (self.field,) * len(self.values)
        for field, value in zip(fields, self.values, strict=True):
            if value:
                yield Filter(field, value, self.said, self.exact, self.cited)


# ---------------------------------------------------------------- what a question names


def conditions_of(
    reading: Reading, prior: Prior, background: Background, say: Messages, *, places: bool = False
) -> tuple[list[Condition], list[str]]:
    """The conditions that a question names or takes over from the turns before, and notes about them.

    Args:
        places: whether every mention is a condition, whatever part it has in the question.
    """
    linked, catalog = reading.linked, background.catalog
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
            mention = replace(mention, exact=False)  # none of what stands side by side excludes the others
        beside = len(alike) > 1 and mention.field != "date"
        if condition := _condition(mention, reading, places or beside, catalog):
            conditions.append(condition)
            if mention.field == "recording" and len(mention.values) > 1:
                notes.append(say.say("episodes", len(mention.values), said=say.quoted(mention.said)))
    there = _recordings_meeting(conditions, background)
    for mention in (each for each in prior.mentions if each.field not in named):
        lent = _condition(replace(mention, exact=False), reading, True, catalog)
        if lent and lent.recordings(catalog) & there:  # else the question goes on to somewhere else
            conditions.append(lent)
    there = _recordings_meeting(conditions, background)
    for mention in _people(reading, prior):
        conditions += _person(mention, there, catalog, say, notes)
    if reading.excepted:
        conditions += _all_others(reading, there, catalog)
    return [each for each in conditions if each.field not in background.without], notes


def _strangers(reading: Reading, say: Messages) -> Iterator[str]:
    """A note for everybody whose words are asked for and who is not in the archive."""
    linked, asking = reading.linked, asking_words() | lexicon().sets["titles"]
    for run in unknown_names(linked):
        words = linked.tokens[run.start : run.stop]
        if not run.start or any(token.word in asking for token in words):
            continue
        if part_of("person", linked.tokens, reading.signs, run, _SURE) == "voice":
            yield say.say("stranger", said=say.quoted(span_text(linked.text, words)))


def _people(reading: Reading, prior: Prior) -> Sequence[Mention]:
    """The people whose words are asked for; those of the turns before where the question names nobody.

    None of them where it asks for others ("who is against it?"), nor several for "he"."""
    if reading.people:
        return [m for m in reading.people if m in reading.voices]
    if not prior.voices:
        return ()
    sets, tokens = lexicon().sets, reading.linked.tokens
    one = any(token.word in sets["one_person"] and token.singular for token in tokens)
    others = sets["anybody"] if one else sets["anybody"] | sets["replies"]
    unfit = (one and len(prior.voices) > 1) or any(token.word in others for token in tokens)
    return () if unfit and reading.guess.kind != "companions" else prior.voices


def _condition(mention: Mention, reading: Reading, is_place: bool, catalog: CatalogIndex) -> Condition | None:
    """The condition that a mention makes; None for people, and for what is asked about."""
    if mention in reading.present:
        there = frozenset().union(*map(catalog.speaking, mention.values))
        return Condition("recording", tuple(sorted(there)), mention.said, False)
    if mention.field in PEOPLE or mention in reading.replies:
        return None
    if mention.field == "recording" and catalog.articles.issuperset(mention.values):
        return None  # the title of an article is what is asked about
    if mention.field == "date":
        part = part_of("date", reading.linked.tokens, reading.signs, mention.places, _RECORDED)
        exact = mention.exact or (not is_place and part == "recorded")
        days = _days(mention, catalog)
        return Condition("date", days, mention.said, exact) if days else None
    if mention.exact or is_place or _is_place(mention, reading):
        return Condition(mention.field, mention.values, mention.said, mention.exact, mention.cited)
    return None


def _is_place(mention: Mention, reading: Reading) -> bool:
    """Whether a mention says where to look, and not what is asked about."""
    tokens = reading.linked.tokens
    outlined = reading.guess.kind in _OF_RECORDINGS and SUBJECT not in reading.shape
    named = not mention.near and (mention.field != "recording" or len(mention.values) == 1)
    if mention.field in _RECORDINGS and (outlined or named):
        return True  # but a word of several titles may be what is asked about
    beside = [n for n in (mention.first - 1, mention.last + 1) if 0 <= n < len(tokens)]
    if any(tokens[n].word in lexicon().sets["recordings"] or reading.signs.get(n) == KEY for n in beside):
        return True
    part = part_of("where", tokens, reading.signs, mention.places, _PLACED)
    doubtful = mention.near and mention.first == mention.last
    return part == "place" if doubtful else part != "subject"


def _days(mention: Mention, catalog: CatalogIndex) -> tuple[str, str] | None:
    """The first and the last day of a date; without a year, of the latest year that has recordings."""
    period = mention.period
    if period is None:
        return None
    years = range(_MOST_YEARS if period.yearless else 1)
    spans = [(_years_before(period.since, n), _years_before(period.until, n)) for n in years]
    held = (span for span in spans if Condition("date", span, "", True).recordings(catalog))
    return next(held, spans[0])


def _years_before(day: date | None, years: int) -> str:
    """A day so many years before, in ISO 8601; empty for none."""
    if day is None:
        return ""
    leap = day.month == 2 and day.day == 29
    return day.replace(year=day.year - years, day=28 if leap and years else day.day).isoformat()


def _recordings_meeting(conditions: Sequence[Condition], background: Background) -> frozenset[str]:
    """The recordings in scope that meet all conditions; one that none of them meets is left out."""
    left = background.within
    for condition in conditions:
        left = left & condition.recordings(background.catalog) or left
    return left


def _all_others(reading: Reading, there: frozenset[str], catalog: CatalogIndex) -> Iterator[Condition]:
    """The condition that anybody speaks but those who are excepted: "everyone except Kelly"."""
    left_out = {name for mention in reading.excepted for name in mention.values}
    heard = {catalog.people.names.get(each, each) for name in there for each in catalog.by_id[name].speakers}
    if 0 < len(heard - left_out) <= _MOST_OTHERS:
        first, last = reading.excepted[0].first, reading.excepted[-1].last
        said = span_text(reading.linked.text, reading.linked.tokens[max(0, first - 1) : last + 1])
        yield Condition("speaker", tuple(sorted(heard - left_out)), said, False)


def _person(
    mention: Mention, there: frozenset[str], catalog: CatalogIndex, say: Messages, notes: list[str]
) -> list[Condition]:
    """The condition that somebody speaks: of several people the one who does in the recordings `there`."""
    names, quoted = mention.values, say.quoted(mention.said)
    heard = tuple(name for name in names if catalog.speaking(name) & there)
    apart = len(heard) == 1 and len(there) < len(catalog.by_id)
    if mention.field == "role" and not heard:
        return []  # nobody here is known to be that
    if len(names) > 1 and apart:
        notes.append(say.say("who", said=quoted, names=say.choices(heard)))
    several = len(names) > 1 and not apart and (mention.field != "role" or len(heard) >= _SEVERAL)
    chosen = () if several else heard or names
    if several:
        notes.append(say.say("several", said=quoted, names=say.choices(names)))
    if mention.near and len(chosen) == 1:
        notes.append(say.say("near", said=quoted, name=chosen[0]))
    return [Condition("speaker", chosen, mention.said, False)] if chosen else []


# ---------------------------------------------------------------- what they leave in scope


def narrow(
    conditions: Sequence[Condition], given: Scope, background: Background
) -> tuple[tuple[Filter, ...], Scope, list[Condition]]:
    """The filters of some conditions, the scope that the exact ones leave, and what nothing meets.

    Where conditions do not go together, the weakest are left out first. A field that is `given` stays as it
    is."""
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
    return filters, _narrowed(given, [each for each in filters if each.exact]), unmet


def _meeting(condition: Condition, among: frozenset[str], background: Background) -> Collection[str]:
    """The recordings among some that meet a condition; of a kind of section those that have one."""
    there = condition.recordings(background.catalog) & among
    if condition.field != "section":
        return there
    kinds = ((name, background.reader.sections(name)) for name in islice(there, _MOST_LOOKED_AT))
    return [name for name, some in kinds if any(section.kind in condition.values for section in some)]


def filters_of(conditions: Sequence[Condition], background: Background) -> tuple[Filter, ...]:
    """The filters of some conditions, without the fields that the user removed."""
    filters = (each for condition in conditions for each in condition.filters())
    return tuple(each for each in filters if each.field not in background.without)


def _scope_fields(field: str) -> tuple[str, ...]:
    """The fields of a scope in which a condition on a field is; none for an attribute."""
    if field in ("date", "since", "until"):
        return ("since", "until") if field == "date" else (field,)
    return (f"{field}s",) if field in FILTER_FIELDS else ()


def _is_given(condition: Condition, scope: Scope) -> bool:
    fields = _scope_fields(condition.field)
    attributes = map(str.casefold, scope.attributes)
    return any(getattr(scope, field) for field in fields) or condition.field.casefold() in attributes


def _narrowed(given: Scope, exact: Sequence[Filter]) -> Scope:
    """The scope that was given, narrowed by the exact filters, which are of other fields."""
    values: dict[str, Any] = {}
    attributes = dict(given.attributes)
    for each in exact:
        for field in _scope_fields(each.field):
            values[field] = each.value if field == each.field else (*values.get(field, ()), each.value)
        if not _scope_fields(each.field):
            attributes[each.field] = each.value
    return replace(given, attributes=attributes, **values)


# ---------------------------------------------------------------- recordings that are compared

_MOST_SIDES = 5


def sides_in_scope(
    linked: Linked, conditions: Sequence[Condition], background: Background
) -> tuple[Side, ...]:
    """The recordings that a plural of a comparison stands for: "the two calls", "the last two episodes".

    They are those in scope that meet the conditions, the oldest first. There are none where they would be
    fewer than two, more than five, or not as many as the question says."""
    lex, words = lexicon(), [token.word for token in linked.tokens]
    nouns = (at for at, word in enumerate(words) if word in lex.sets["recordings"])
    at = next((at for at in nouns if not linked.tokens[at].singular), 0)
    ends, first = frozenset().union(*lex.ends.values()), at
    while first and (first - 1 in linked.at or words[first - 1] in ends | lex.numbers.keys()):
        first -= 1
    before, said, after = linked.text[: linked.tokens[first].begin], words[first:at], linked.tokens[at].end
    there = (background.catalog.by_id[name] for name in _recordings_meeting(conditions, background))
    ordered = sorted(there, key=lambda recording: (recording.details.date or "", recording.title))
    number = max((lex.numbers.get(word, 0) for word in said), default=0)
    if number > 1 and not ends.isdisjoint(said):
        ordered = ordered[:number] if lex.ends["latest"].isdisjoint(said) else ordered[-number:]
    if not at or not 1 < len(ordered) <= _MOST_SIDES or (number > 1 and number != len(ordered)):
        return ()
    titles = [recording.title for recording in ordered]
    names = [
        r.title if titles.count(r.title) == 1 else f"{r.title}, {r.details.date or r.id}" for r in ordered
    ]
    return tuple(
        Side(name, before + name + linked.text[after:], (recording.id,))
        for name, recording in zip(names, ordered, strict=True)
    )
