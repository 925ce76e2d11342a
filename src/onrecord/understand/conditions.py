"""The conditions that a question makes: which exclude, which only prefer, and which nothing meets."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from onrecord.types import FILTER_FIELDS, Filter, Scope
from onrecord.understand.catalog import CatalogIndex
from onrecord.understand.examples import KEY, SUBJECT
from onrecord.understand.followups import Prior
from onrecord.understand.intents import ACTS, WITHOUT_SUBJECT, asking_words, part_of
from onrecord.understand.lexicon import Messages, lexicon, span_text
from onrecord.understand.mentions import Linked, Mention
from onrecord.understand.reading import PEOPLE, Background, Reading, like_a_name

_RECORDINGS = ("recording", "section", "language")
_OF_RECORDINGS = WITHOUT_SUBJECT | {"overview", "full"}
"""Kinds of questions about recordings, which say nothing but where to look."""
_MOST_LOOKED_AT = 100
"""Recordings whose sections are looked through."""
_PLACED, _RECORDED = 0.4, 0.6
"""How alike an example of a place and of a recording's date must be."""
_MOST_OTHERS = 100
"""People who are left where somebody is excepted."""
_SURE = 0.9
"""How alike an example is by which somebody unknown is taken to be asked for."""
_PRECEDENCE = {"recording": 0, "speaker": 2, "date": 4, "section": 5, "language": 5}


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on recordings or passages: one of `values` of a field, in the question's words `said`.

    The values of a date are its first and its last day, either of which may be empty. An `exact` condition
    excludes, all others prefer."""

    field: str
    values: tuple[str, ...]
    said: str
    exact: bool

    def recordings(self, catalog: CatalogIndex) -> frozenset[str]:
        """The ids of the recordings that meet it."""
        if self.field == "recording":
            return frozenset(self.values)
        if self.field == "speaker":
            return frozenset().union(*map(catalog.speaking, self.values))
        if self.field in ("date", "since", "until"):
            since = self.values[0] if self.field != "until" else None
            until = self.values[-1] if self.field != "since" else None
            return catalog.dated(Scope(since=since or None, until=until or None))
        if self.field == "language":
            spoken = ((r.id, (r.details.language or "").split("-")[0]) for r in catalog.recordings)
            return frozenset(name for name, code in spoken if code in self.values)
        if self.field == "section":
            return frozenset(catalog.by_id)
        return frozenset().union(*(catalog.having(self.field, value) for value in self.values))

    def filters(self) -> Iterator[Filter]:
        """A filter for each value, and for each end of a date."""
        fields = ("since", "until") if self.field == "date" else (self.field,) * len(self.values)
        for field, value in zip(fields, self.values, strict=True):
            if value:
                yield Filter(field, value, self.said, self.exact)


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
    if not (own or prior.mentions or prior.voices):
        return [each for each in conditions if each.field not in background.without], notes
    named = {m.field for m in own if m.field != "speaker" or m in reading.voices}
    named |= {each.field for each in conditions}
    repeated = {m.field for m in own if sum(m.field == other.field for other in own) > 1} - {"date"}
    for mention in own:
        condition = _condition(mention, reading, places or mention.field in repeated, catalog)
        if condition is None:
            continue
        conditions.append(condition)
        if mention.field == "recording" and len(mention.values) > 1:
            notes.append(say.say("episodes", len(mention.values), said=say.quoted(mention.said)))
    conditions += _lent(prior, named, conditions, reading, background)
    for condition in _without_sections(conditions, background):
        conditions.remove(condition)
        notes.append(say.say("sectionless", said=say.quoted(condition.said)))
    there = _recordings_meeting(conditions, background)
    for mention in _people(reading, prior):
        speaking = frozenset().union(*map(catalog.speaking, mention.values))
        conditions = [_where_they_speak(condition, speaking) for condition in conditions]
        conditions += _person(mention, there, catalog, say, notes)
    if reading.excepted:
        conditions += _all_others(reading, there, catalog)
    return [each for each in conditions if each.field not in background.without], notes


def _lent(
    prior: Prior, named: Collection[str], own: Sequence[Condition], reading: Reading, background: Background
) -> list[Condition]:
    """The conditions that the turns before lend, but those of other recordings than the question is of."""
    there, placed = _recordings_meeting(own, background), {each.field for each in own}
    lent: list[Condition] = []
    for mention in prior.mentions:
        if mention.field in PEOPLE or mention.field in named:
            continue
        condition = _condition(replace(mention, exact=False), reading, True, background.catalog)
        elsewhere = condition and there.isdisjoint(condition.recordings(background.catalog))
        if condition and not (elsewhere and "recording" in (condition.field, *placed)):
            lent.append(condition)
    return lent


def _strangers(reading: Reading, say: Messages) -> Iterator[str]:
    """A note for everybody whose words are asked for and who is not in the archive."""
    linked = reading.linked
    for at, token in enumerate(linked.tokens):
        if not at or at in linked.at or not like_a_name(linked, at):
            continue
        if token.word in asking_words() or token.word in lexicon().sets["titles"]:
            continue
        longer = like_a_name(linked, at - 1) or (at + 1 < len(linked.tokens) and like_a_name(linked, at + 1))
        if not longer and part_of("person", linked.tokens, reading.signs, (at,), _SURE) == "voice":
            yield say.say("stranger", said=say.quoted(token.text))


def _people(reading: Reading, prior: Prior) -> Sequence[Mention]:
    """The people whose words are asked for; those of the turns before where the question names nobody.

    None of them where it asks for others ("who is against it?"), nor one for "they" or several for "he"."""
    own = reading.linked.mentions
    people = [m for m in own if m in reading.voices]
    if people or any(m.field in PEOPLE for m in own):
        return people
    sets, tokens = lexicon().sets, reading.linked.tokens
    if reading.guess.kind == "companions":
        return prior.voices
    singular = any(token.word in sets["one_person"] and token.singular for token in tokens)
    plural = any(token.word in sets["one_person"] and not token.singular for token in tokens)  # "ils"
    plural = plural or any(token.word == "they" for token in tokens)
    others = sets["anybody"] if singular else sets["anybody"] | sets["replies"]
    known = {m.values for m in (*prior.beside, *prior.voices) if m.field in PEOPLE}
    unfit = (singular and len(prior.voices) > 1) or (plural and len(known) < 2)
    return () if unfit or any(token.word in others for token in tokens) else prior.voices


def _condition(mention: Mention, reading: Reading, is_place: bool, catalog: CatalogIndex) -> Condition | None:
    """The condition that a mention makes; None for people, and for what is asked about."""
    if mention in reading.present:
        there = frozenset().union(*map(catalog.speaking, mention.values))
        return Condition("recording", tuple(sorted(there)), mention.said, False)
    if mention.field in PEOPLE or mention in reading.replies:
        return None
    if mention.field == "language" and mention.values[0] not in catalog.languages:
        return None
    if mention.field == "recording" and catalog.articles.issuperset(mention.values):
        return None  # the title of an article is what is asked about
    if mention.field == "date" and mention.values and reading.guess.kind in ACTS:
        return Condition("recording", mention.values, mention.said, False)  # "next steps after the meeting"
    if mention.field == "date":
        exact = mention.exact or (not is_place and _is_of_recording(mention, reading))
        days = _days(mention, catalog)
        return Condition("date", days, mention.said, exact) if days else None
    if mention.exact or is_place or _is_place(mention, reading):
        return Condition(mention.field, mention.values, mention.said, mention.exact)
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


def _is_of_recording(mention: Mention, reading: Reading) -> bool:
    """Whether a date is said of when something was recorded."""
    part = part_of("date", reading.linked.tokens, reading.signs, mention.places, _RECORDED)
    return part == "recorded"


def _days(mention: Mention, catalog: CatalogIndex) -> tuple[str, str] | None:
    """The first and the last day of a date; without a year, of the latest year that has recordings."""
    period = mention.period
    if period is None:
        return None
    years = range(6 if period.yearless else 1)
    spans = [(_years_before(period.since, n), _years_before(period.until, n)) for n in years]
    held = (span for span in spans if Condition("date", span, "", True).recordings(catalog))
    return next(held, spans[0])


def _years_before(day: date | None, years: int) -> str:
    """A day so many years before, in ISO 8601; empty for none."""
    if day is None:
        return ""
    leap = day.month == 2 and day.day == 29
    return day.replace(year=day.year - years, day=28 if leap and years else day.day).isoformat()


def _without_sections(conditions: Sequence[Condition], background: Background) -> list[Condition]:
    """The conditions on kinds of sections that no recording has."""
    wanted = [each for each in conditions if each.field == "section"]
    if not wanted:
        return []
    others = [each for each in conditions if each.field != "section"]
    names = list(_recordings_meeting(others, background))[:_MOST_LOOKED_AT]
    held = {section.kind for name in names for section in background.reader.sections(name)}
    return [each for each in wanted if held.isdisjoint(each.values)]


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


def _where_they_speak(condition: Condition, speaking: frozenset[str]) -> Condition:
    """Of several recordings that a condition may mean those in which the person speaks."""
    values = tuple(value for value in condition.values if value in speaking)
    return replace(condition, values=values) if values and condition.field == "recording" else condition


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
    if (mention.field == "role" and 0 < len(heard) < 4) or len(names) == 1:
        chosen: tuple[str, ...] = heard or names
    else:
        chosen = heard if apart else ()
    if not chosen:
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
    for condition in sorted(conditions, key=_weight):
        left = before.setdefault(condition.field, base)  # the values of one field are alternatives
        if not condition.recordings(background.catalog) & left:
            unmet += [condition] if condition.exact or condition.field != "date" else []
            continue
        met.append(condition)
        if condition.exact:
            same = (each for each in met if each.exact and each.field == condition.field)
            base = left & frozenset().union(*(each.recordings(background.catalog) for each in same))
    filters = filters_of([each for each in conditions if each in met], background)
    return filters, _narrowed(given, [each for each in filters if each.exact]), unmet


def filters_of(conditions: Sequence[Condition], background: Background) -> tuple[Filter, ...]:
    """The filters of some conditions, without the fields that the user removed."""
    filters = (each for condition in conditions for each in condition.filters())
    return tuple(each for each in filters if each.field not in background.without)


def _weight(condition: Condition) -> int:
    """The order in which conditions are met: what is typed and exact first, dates last."""
    first = condition.exact and condition.field != "date"
    return _PRECEDENCE.get(condition.field, 3) - (2 if first else 0)


def _is_given(condition: Condition, scope: Scope) -> bool:
    given = {
        "recording": scope.recordings,
        "speaker": scope.speakers,
        "date": scope.since or scope.until,
        "language": scope.languages,
        "section": scope.sections,
    }
    attributes = map(str.casefold, scope.attributes)
    return bool(given.get(condition.field, condition.field.casefold() in attributes))


def _narrowed(given: Scope, exact: Sequence[Filter]) -> Scope:
    """The scope that was given, narrowed by the exact filters."""
    values: dict[str, tuple[str, ...]] = {}
    for each in exact:
        values[each.field] = tuple(dict.fromkeys((*values.get(each.field, ()), each.value)))
    attributes = {field: some[-1] for field, some in values.items() if field not in FILTER_FIELDS}
    return Scope(
        recordings=given.recordings or values.get("recording", ()),
        speakers=given.speakers or values.get("speaker", ()),
        since=given.since or values.get("since", (None,))[-1],
        until=given.until or values.get("until", (None,))[-1],
        languages=given.languages or values.get("language", ()),
        sections=given.sections or values.get("section", ()),
        attributes={**attributes, **given.attributes},
    )


# ---------------------------------------------------------------- recordings that are compared

_MOST_SIDES = 5
Side = tuple[str, str, tuple[str, ...]]
"""A name, the question with it in the place of what stood for all sides, and the ids of its recordings."""


def sides_in_scope(
    linked: Linked, conditions: Sequence[Condition], background: Background
) -> tuple[Side, ...]:
    """The sides that a plural of a comparison stands for: "the two calls", "both quarters".

    They are the recordings in scope that meet the conditions, or all that share a value of the attribute in
    the plural; of "the last two" the latest.

    There are none where they would be fewer than two, more than five, or not as many as the question says.
    """
    catalog, lex, words = background.catalog, lexicon(), [token.word for token in linked.tokens]
    ends = frozenset().union(*lex.ends.values())
    plurals: list[tuple[list[int], tuple[Side, ...]]] = []
    for at, token in enumerate(linked.tokens):
        of_recordings, named = token.word in lex.sets["recordings"], linked.at.get(at)
        plural = token.text[-1] in "sxSX" and (of_recordings or token.word in catalog.attributes.keys)
        if not plural or (named and named.field != "recording"):
            continue
        first = at
        while first and (first - 1 in linked.at or words[first - 1] in ends | lex.numbers.keys()):
            first -= 1
        there = _recordings_meeting(conditions, background)
        there = there.intersection(catalog.title_words.get(token.word, ())) or there
        sides = _titled(there, catalog) if of_recordings else _valued(token.word, there, catalog)
        counts = [lex.numbers[word] for word in words[first:at] if lex.numbers.get(word, 0) > 1]
        if counts and not ends.isdisjoint(words[first:at]):
            latest = not lex.ends["latest"].isdisjoint(words[first:at])
            sides = sides[-counts[0] :] if latest else sides[: counts[0]]
        if 1 < len(sides) <= _MOST_SIDES and counts in ([], [len(sides)]):
            before, after = linked.text[: linked.tokens[first].begin], linked.text[token.end :]
            plurals.append((counts, tuple((name, before + name + after, ids) for name, ids in sides)))
    return max(plurals, key=lambda plural: len(plural[0]), default=([], ()))[1]  # first, one with a number


def _titled(ids: frozenset[str], catalog: CatalogIndex) -> list[tuple[str, tuple[str, ...]]]:
    """Each recording by its title, the oldest first; of one title, with their dates."""
    ordered = sorted((catalog.by_id[name] for name in ids), key=lambda r: (r.details.date or "", r.title))
    titles = [recording.title for recording in ordered]
    return [
        (r.title if titles.count(r.title) == 1 else f"{r.title}, {r.details.date or r.id}", (r.id,))
        for r in ordered
    ]


def _valued(key: str, ids: frozenset[str], catalog: CatalogIndex) -> list[tuple[str, tuple[str, ...]]]:
    """The recordings of each value of an attribute."""
    having: dict[str, tuple[str, ...]] = {}
    for recording in sorted((catalog.by_id[name] for name in ids), key=lambda r: r.details.date or ""):
        for name in catalog.attributes.keys[key]:
            value = recording.details.attributes.get(name)
            if value:
                having[value] = (*having.get(value, ()), recording.id)
    return list(having.items())
