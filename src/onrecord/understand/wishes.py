"""The conditions that a question makes: which of them exclude and which prefer, and what nothing fits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from onrecord.types import Filter, Scope
from onrecord.understand.catalog import CatalogIndex
from onrecord.understand.intents import ACTS, KEY, kinds, roles
from onrecord.understand.lexicon import Messages, lexicon
from onrecord.understand.linking import Linked, Mention
from onrecord.understand.reading import Background, Prior, Reading, like_a_name

_OF_RECORDINGS = ("recording", "section", "language")
_MOST_LOOKED_AT = 100
"""Recordings whose sections are looked through."""
_ALIKE, _AHEAD = 0.5, 0.05
"""How alike an example is by which a date is said of the recording, and how much more than any other."""
_SURE = 0.8
"""How alike an example is by which somebody unknown is taken to be asked for."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A condition on recordings or passages: one of `values` of a field, in the question's words."""

    field: str
    values: tuple[str, ...]
    said: str
    exact: bool


def wishes_of(
    reading: Reading, prior: Prior, on: Background, say: Messages, sure: bool = False
) -> tuple[list[Wish], list[str]]:
    """The conditions that a question names, and those that the turns before lend it; what there is to say."""
    notes = [*_unknown(reading.linked, say), *_strangers(reading, say)]
    wishes: list[Wish] = [Wish(m.field, m.values, m.said, m.exact) for m in reading.linked.given]
    own = list(reading.linked.mentions)
    fields = {_group(m) for m in own if m.field != "speaker" or m in reading.voices} | {
        w.field for w in wishes
    }
    lent = [m for m in prior.mentions if _group(m) not in fields and m.field not in ("speaker", "role")]
    people = [m for m in own if m in reading.voices]
    if not people and not any(m.field in ("speaker", "role") for m in own):
        single = any(token.word in ("he", "she", "il", "elle") for token in reading.linked.tokens)
        people = [] if single and len(prior.voices) > 1 else list(prior.voices)
    several = {m.field for m in own if sum(m.field == other.field for other in own) > 1} - {"date"}
    for mention in (*own, *lent):
        place = sure or mention in lent or mention.field in several
        wish = _wish(mention, reading, place, on.catalog)
        if wish:
            wishes.append(wish)
        if mention.field == "recording" and len(mention.values) > 1 and mention in own:
            notes.append(say.say("episodes", len(mention.values), said=say.quoted(mention.said)))
    wishes, unheld = _held_sections(wishes, on)
    notes += [say.say("sectionless", said=say.quoted(wish.said)) for wish in unheld]
    there = _recordings_of(wishes, on)
    for mention in people:
        heard = frozenset().union(*map(on.catalog.speaking, mention.values))
        wishes = [_told_apart(wish, heard) for wish in wishes]
        wishes += _person(mention, there, on, say, notes)
    return [wish for wish in wishes if wish.field not in on.without], notes


def _held_sections(wishes: Sequence[Wish], on: Background) -> tuple[list[Wish], list[Wish]]:
    """The conditions without those of a kind of section that no recording has, and these."""
    wanted = [wish for wish in wishes if wish.field == "section"]
    if not wanted:
        return list(wishes), []
    some = list(_recordings_of([w for w in wishes if w.field != "section"], on))[:_MOST_LOOKED_AT]
    held = {section.kind for name in some for section in on.reader.sections(name)}
    unheld = [wish for wish in wanted if held.isdisjoint(wish.values)]
    return [wish for wish in wishes if wish not in unheld], unheld


def _told_apart(wish: Wish, there: frozenset[str]) -> Wish:
    """Of several recordings that are meant those in which somebody speaks who is asked for."""
    some = tuple(value for value in wish.values if value in there) if wish.field == "recording" else ()
    return replace(wish, values=some) if some else wish


def _group(mention: Mention) -> str:
    return "date" if mention.field == "date" else mention.field


def _unknown(linked: Linked, say: Messages) -> Iterator[str]:
    for kind, said in linked.unknown:
        yield say.say(kind, said=say.quoted(said) if kind != "unlinked" else said)


def _strangers(reading: Reading, say: Messages) -> Iterator[str]:
    """A word for everybody whose words are asked for and whom no recording has."""
    linked = reading.linked
    for at, token in enumerate(linked.tokens):
        if not at or linked.at(at) is not None or not like_a_name(linked, at):
            continue
        if token.word in kinds().known or lexicon().has("titles", token.word):
            continue
        alone = not like_a_name(linked, at - 1) and (
            at + 1 == len(linked.tokens) or not like_a_name(linked, at + 1)
        )
        if alone and roles().part("person", linked.tokens, reading.signs, (at,), _SURE) == "voice":
            yield say.say("stranger", said=say.quoted(token.text))


def _wish(mention: Mention, reading: Reading, sure: bool, catalog: CatalogIndex) -> Wish | None:
    """The condition that a mention of something other than a person makes."""
    if mention.field in ("speaker", "role"):
        return None
    if mention.field == "recording" and catalog.alone:
        return None  # the title of a paragraph is what is asked about
    if mention.field == "date" and mention.values and reading.guess.kind in ACTS:
        return Wish("recording", mention.values, mention.said, False)  # "the next steps after the meeting"
    if mention.field == "date":
        days = _days(mention, catalog)
        return None if days is None else Wish("date", days, mention.said, _recorded(mention, reading, sure))
    if not mention.exact and not sure and not _is_place(mention, reading):
        return None  # it is what is asked about, not where
    return Wish(mention.field, mention.values, mention.said, mention.exact)


def _is_place(mention: Mention, reading: Reading) -> bool:
    """Whether a mention says where to look, and is not what is asked about."""
    some, at = reading.linked.tokens, range(mention.first, mention.last + 1)
    if mention.field in _OF_RECORDINGS and not mention.near:
        return True
    beside = [n for n in (mention.first - 1, mention.last + 1) if 0 <= n < len(some)]
    if any(some[n].word in lexicon().sets["recordings"] or reading.signs.get(n) == KEY for n in beside):
        return True
    part = roles().part("where", some, reading.signs, at)
    return part == "place" if mention.near else part != "subject"


def _days(mention: Mention, catalog: CatalogIndex) -> tuple[str, str] | None:
    """The first and the last day of a date. Of one without a year those of the latest year of which there are
    recordings."""
    period = mention.period
    if period is None:
        return None
    years = range(6) if period.yearless else range(1)
    spans = [tuple(_back(day, year) for day in (period.since, period.until)) for year in years]
    held = (span for span in spans if fitting(Wish("date", (span[0], span[1]), "", True), catalog))
    since, until = next(held, spans[0])
    return since, until


def _back(day: date | None, years: int) -> str:
    """A day so many years before, as ISO writes it; empty for none."""
    if day is None:
        return ""
    leap = day.month == 2 and day.day == 29
    return day.replace(year=day.year - years, day=28 if leap and years else day.day).isoformat()


def _recorded(mention: Mention, reading: Reading, sure: bool) -> bool:
    """Whether a date is said of when something was recorded."""
    if mention.exact or sure:
        return mention.exact
    at = range(mention.first, mention.last + 1)
    return roles().part("date", reading.linked.tokens, reading.signs, at, _ALIKE, _AHEAD) == "recorded"


def _recordings_of(wishes: Sequence[Wish], on: Background) -> frozenset[str]:
    """The recordings that fit all conditions on recordings that any fits."""
    left = on.within
    for wish in wishes:
        left = left & fitting(wish, on.catalog) or left
    return left


def _person(
    mention: Mention, there: frozenset[str], on: Background, say: Messages, notes: list[str]
) -> list[Wish]:
    """The condition that somebody speaks. Of several the one who speaks where the question looks."""
    names = mention.values
    heard = tuple(name for name in names if on.catalog.speaking(name) & there)
    if len(names) > 1 and len(heard) == 1 and len(there) < len(on.catalog.by_id):
        notes.append(say.say("who", said=say.quoted(mention.said), names=say.choices(heard)))
    if (mention.field == "role" and 0 < len(heard) < 4) or len(names) == 1:
        chosen: tuple[str, ...] = heard or names
    else:
        chosen = heard if len(heard) == 1 and len(there) < len(on.catalog.by_id) else ()
    if not chosen:
        notes.append(say.say("several", said=say.quoted(mention.said), names=say.choices(names)))
    if mention.near and len(chosen) == 1:
        notes.append(say.say("near", said=say.quoted(mention.said), name=chosen[0]))
    return [Wish("speaker", chosen, mention.said, False)] if chosen else []


def fitting(wish: Wish, catalog: CatalogIndex) -> frozenset[str]:
    """The ids of the recordings that fit a condition."""
    if wish.field == "recording":
        return frozenset(wish.values)
    if wish.field == "speaker":
        return frozenset().union(*map(catalog.speaking, wish.values))
    if wish.field in ("date", "since", "until"):
        scope = Scope(since=_since(wish), until=_until(wish))
        return catalog.dated(scope)
    if wish.field == "language":
        return frozenset(
            r.id for r in catalog.recordings if (r.details.language or "").split("-")[0] in wish.values
        )
    if wish.field == "section":
        return frozenset(catalog.by_id)
    return frozenset().union(*(catalog.having(wish.field, value) for value in wish.values))


def _since(wish: Wish) -> str | None:
    return (wish.values[0] or None) if wish.field in ("date", "since") else None


def _until(wish: Wish) -> str | None:
    return (wish.values[-1] or None) if wish.field in ("date", "until") else None


def filters_of(
    wishes: Sequence[Wish], given: Scope, on: Background
) -> tuple[tuple[Filter, ...], Scope, list[Wish]]:
    """The filters of some conditions, the scope that the exact ones leave, and the conditions that nothing
    fits: the weakest are left out first."""
    open_ones = [wish for wish in wishes if not _is_given(wish, given)]
    base = on.within
    left_out: list[Wish] = []
    kept: list[Wish] = []
    before: dict[
        str, frozenset[str]
    ] = {}  # what was left when a field was first met: its values are one or another
    for wish in sorted(open_ones, key=_weight):
        left = before.setdefault(wish.field, base)
        there = fitting(wish, on.catalog) & left
        if not there:
            left_out += [wish] if wish.exact or wish.field != "date" else []
            continue
        kept.append(wish)
        if wish.exact:
            same = [each for each in kept if each.field == wish.field and each.exact]
            base = left & frozenset().union(*(fitting(each, on.catalog) for each in same))
    kept = [wish for wish in open_ones if wish in kept]
    filters = tuple(each for wish in kept for each in as_filters(wish, on))
    return filters, _narrowed(given, filters, kept), left_out


def _weight(wish: Wish) -> int:
    """Conditions in the order in which they are kept: what is typed and exact first, dates last."""
    order = {"recording": 0, "speaker": 2, "date": 4, "section": 5, "language": 5}
    return order.get(wish.field, 3) - (2 if wish.exact and wish.field != "date" else 0)


def _is_given(wish: Wish, scope: Scope) -> bool:
    given = {
        "recording": scope.recordings,
        "speaker": scope.speakers,
        "date": scope.since or scope.until,
        "language": scope.languages,
        "section": scope.sections,
    }
    return bool(given.get(wish.field, wish.field.casefold() in map(str.casefold, scope.attributes)))


def as_filters(wish: Wish, on: Background) -> Iterator[Filter]:
    if wish.field == "date":
        for field, value in zip(("since", "until"), wish.values, strict=True):
            if value and field not in on.without:
                yield Filter(field, value, wish.said, wish.exact)
        return
    for value in wish.values:
        yield Filter(wish.field, value, wish.said, wish.exact)


def _narrowed(given: Scope, filters: Sequence[Filter], kept: Sequence[Wish]) -> Scope:
    """The scope that was given, narrowed by the exact filters."""
    exact = [each for each in filters if each.exact]

    def of(field: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.value for each in exact if each.field == field))

    dates = {each.field: each.value for each in exact if each.field in ("since", "until")}
    others = {
        e.field: e.value
        for e in exact
        if e.field not in ("recording", "speaker", "since", "until", "language", "section")
    }
    return Scope(
        recordings=given.recordings or of("recording"),
        speakers=given.speakers or of("speaker"),
        since=given.since or dates.get("since"),
        until=given.until or dates.get("until"),
        languages=given.languages or of("language"),
        sections=given.sections or of("section"),
        attributes={**others, **given.attributes},
    )


def left_out_notes(left_out: Sequence[Wish], filters: Sequence[Filter], say: Messages) -> list[str]:
    if not left_out:
        return []
    key = "nothing_fits_as_well" if filters else "nothing_fits"
    return [say.say(key, said=say.all_quoted([wish.said for wish in left_out]))]
