"""A question to a plan: what it mentions, what kind it is, what the turns before it lend, where to look."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Protocol

from onrecord.stores.base import Reader
from onrecord.stores.scope import dated, in_scope
from onrecord.stores.words import STOP
from onrecord.types import Fact, Filter, Plan, Question, Scope
from onrecord.understand.answers import facts_of
from onrecord.understand.catalog import CatalogIndex, catalog_of
from onrecord.understand.followups import Prior, leans, own_word, searched_with, subject_of, turns_of
from onrecord.understand.intents import (
    ACTS,
    CATALOGUE,
    COURTESY,
    DATE,
    ENOUGH,
    KEY,
    PERSON,
    SUBJECT,
    SURE,
    WHERE,
    Guess,
    Shape,
    kinds,
    mask,
    roles,
)
from onrecord.understand.language import language_of
from onrecord.understand.lexicon import lexicon
from onrecord.understand.linking import Linked, Mention, link
from onrecord.understand.messages import Messages, messages_in
from onrecord.understand.sides import sides_of
from onrecord.understand.split import Part, split_questions

MOST_READ = 1000
"""Characters of a question that are held against the catalogue; all of it is searched for."""
_ROUTES = {
    "search": ("factual", "balanced"),
    "one_line": ("factual", "factual"),
    "definition": ("definition", "balanced"),
    "causal": ("causal", "balanced"),
    "comparison": ("comparison", "comparison"),
    "exploratory": ("exploratory", "exploratory"),
    "summary": ("summary", "balanced"),
    "overview": ("summary", "overview"),
    "full": ("summary", "full"),
    "section": ("exploratory", "section"),
    "first_said": ("factual", "balanced"),
    "last_said": ("factual", "balanced"),
    "frequency": ("factual", "balanced"),
}
_REPLY = re.compile(r"(?:please )?(?:answer|reply|respond|r[ée]ponds?|r[ée]pondez) (?:in|en) \w+ ?[:,] ?(?=\w)", re.I)
_OF_RECORDINGS = ("recording", "section", "language")
_MOST_LOOKED_AT = 100
"""Recordings whose sections are looked through."""
_SURE_OF_WORDS = 0.8
"""How alike an example a question for how often, or when first, something is said is."""


class Planner(Protocol):
    """What understands questions: `plan`, or anything that is called alike. The strategy of its plan is one of
    `strategies`."""

    def __call__(
        self, question: Question, reader: Reader, today: date, *, strategies: Collection[str] = ...
    ) -> Plan: ...


@dataclass(frozen=True)
class Background:
    """What a question is understood against."""

    catalog: CatalogIndex
    reader: Reader
    today: date
    without: Collection[str]
    strategies: Collection[str]


@dataclass(frozen=True)
class Reading:
    """One question: what it mentions, its shape, and the kind of that shape."""

    linked: Linked
    signs: Mapping[int, str]
    shape: Shape
    guess: Guess
    voices: tuple[Mention, ...]


def plan(
    question: Question,
    reader: Reader,
    today: date,
    *,
    strategies: Collection[str] = ("balanced",),
    without: Collection[str] = (),
) -> Plan:
    """What is understood of a question, as it is asked after `question.history`.

    Args:
        today: the day from which "last year" is reckoned.
        strategies: the names among which the route is chosen; "balanced" is where none fits.
        without: fields of filters that the user does not want read ("speaker", "since", ...).

    What `question.scope` says of a field stands, and nothing is read for that field. What `question.meant`
    says stands in place of what is read.
    """
    on = Background(catalog_of(reader), reader, today, without, strategies)
    given, meant = question.meant.queries, question.meant
    compared = meant.intent in (None, "comparison", "multi_entity") and "comparison" in strategies
    if len(given) > 1 and compared:
        whole = _plan_one(question, (), on)
        if whole.strategy == "comparison":
            return whole
    parts = tuple(Part(text, (question.text, *given[:at])) for at, text in enumerate(given))
    parts = parts or split_questions(clean(question.text), lambda text: read(text, on).guess)
    if not parts or (len(parts) == 1 and not given):
        return _plan_one(question, (), on)
    plans = [_plan_part(question, part, on) for part in parts]
    return _joined(question, parts, plans)


def _plan_part(question: Question, part: Part, on: Background) -> Plan:
    """The plan of one of several questions, which leans on those before it."""
    one = replace(question, text=part.text, meant=replace(question.meant, queries=()))
    return _plan_one(one, part.before, on)


def _joined(question: Question, parts: Sequence[Part], plans: Sequence[Plan]) -> Plan:
    """The plan of a text that asks several questions."""
    notes = tuple(dict.fromkeys(note for each in plans for note in each.notes))
    return Plan(
        text=clean(question.text),
        intent=plans[0].intent,
        language=plans[0].language,
        entities=tuple(dict.fromkeys(name for each in plans for name in each.entities)),
        scope=question.scope,
        strategy=plans[0].strategy,
        queries=tuple(part.text for part in parts),
        notes=notes,
        parts=tuple(plans),
    )


def clean(text: str) -> str:
    """A text as one line without control characters, once where it was pasted twice."""
    line = " ".join(unicodedata.normalize("NFC", text).replace("\x00", " ").split())
    some = line.split()
    half = len(some) // 2
    bare = [word.strip("?!.,;").casefold() for word in some]
    return " ".join(some[:half]) if half > 1 and len(some) % 2 == 0 and bare[:half] == bare[half:] else line


# ---------------------------------------------------------------- one question


def read(text: str, on: Background) -> Reading:
    """What one question mentions and of what kind it is, by itself."""
    known = kinds().known
    linked = link(clean(text)[:MOST_READ], on.catalog, on.reader, on.today, known)
    signs = dict(_signs(linked, on.catalog))
    shape, guess = max(
        (_guessed(linked, some, known) for some in _maskings(linked, signs, on.catalog)),
        key=lambda each: each[1].likeness,
    )
    return Reading(linked, signs, shape, guess, tuple(_voices(linked, signs)))


def _guessed(linked: Linked, signs: Mapping[int, str], known: frozenset[str]) -> tuple[Shape, Guess]:
    """The shape of a question with some signs, and its kind."""
    shape = mask(linked.tokens, signs, known)
    if any(m.field == "recording" for m in linked.given):
        shape = (*shape, WHERE)  # a link, or an operator
    exact = kinds().exact.get(shape)
    if exact and exact not in COURTESY:
        return shape, Guess(exact, 1.0, 1.0)
    return shape, kinds().guess(shape, COURTESY)


def _maskings(linked: Linked, signs: dict[int, str], catalog: CatalogIndex) -> Iterator[Mapping[int, str]]:
    """The signs of a question in every way in which examples may have it: "the latest episode" and "the host"
    as they are written or as a recording and a person, "show" as a recording or as an attribute."""
    lex = lexicon()
    ends = frozenset().union(*lex.ends.values())
    loose = {
        at
        for m in linked.mentions
        if m.field == "role" or (m.field == "recording" and linked.tokens[m.first].word in ends)
        for at in range(m.first, m.last + 1)
    }
    if loose:
        yield {at: sign for at, sign in signs.items() if at not in loose}
    yield signs
    keyed = [at for at, t in enumerate(linked.tokens) if t.word in lex.sets["recordings"] and t.word in catalog.keys]
    if keyed and at_once(keyed, signs):
        yield {**signs, **dict.fromkeys(keyed, KEY)}


def at_once(keyed: Sequence[int], signs: Mapping[int, str]) -> bool:
    """Whether no word for an attribute is of a mention."""
    return not any(at in signs for at in keyed)


def _signs(linked: Linked, catalog: CatalogIndex) -> Iterator[tuple[int, str]]:
    """The sign of every word of a mention, and of names of attributes."""
    for mention in linked.mentions:
        sign = {"speaker": PERSON, "role": PERSON, "date": DATE}.get(mention.field, WHERE)
        yield from ((at, sign) for at in range(mention.first, mention.last + 1))
    recordings, known = lexicon().sets["recordings"], kinds().known
    for at, token in enumerate(linked.tokens):
        free = linked.at(at) is None and token.word not in recordings
        if free and token.word in catalog.keys and token.word not in known:
            yield at, KEY


def _voices(linked: Linked, signs: Mapping[int, str]) -> Iterator[Mention]:
    """The people whose words are asked for."""
    for mention in linked.mentions:
        if mention.field in ("speaker", "role"):
            at = range(mention.first, mention.last + 1)
            if roles().part("person", linked.tokens, signs, at) == "voice":
                yield mention


def _plan_one(question: Question, before: Sequence[str], on: Background) -> Plan:
    """The plan of one question after the history, and after some texts of the same breath."""
    reading = read(question.text, on)
    language = question.meant.language or _asked_in(reading, question.text)
    if _REPLY.match(clean(question.text)):
        question = replace(question, text=_REPLY.sub("", clean(question.text)))
        reading = read(question.text, on)
    say = messages_in(language)
    turns = [*(turn.question for turn in turns_of(question.history)), *before]
    prior = _prior(reading, turns, on)
    if prior.kind and reading.guess.kind in ("followup", "search"):
        reading = replace(reading, guess=_carried(reading, prior))
    kind = _kind(reading, prior)
    mentions, notes = _resolved(reading, prior, on, say)
    filters, scope, left_out = _filters(mentions, question.scope, on)
    notes += _left_out(left_out, filters, say)
    facts = facts_of(kind, reading, mentions, question.scope, on, say) if kind in CATALOGUE else ()
    if facts and left_out:
        notes = [note for note in notes if note not in _left_out(left_out, filters, say)]
    made = _routed(question, reading, prior, kind, filters, on)
    text = searched_with(_text(reading.linked, filters, question.text), prior) if prior.words else _text(reading.linked, filters, question.text)
    return replace(
        made,
        text=text,
        language=language,
        filters=filters,
        scope=scope,
        notes=tuple(dict.fromkeys(notes)),
        facts=facts,
    )


def _asked_in(reading: Reading, text: str) -> str | None:
    """The language to answer in: the one that is asked for, else that of the question."""
    lex = lexicon()
    some = [token.word for token in reading.linked.tokens]
    for at, word in enumerate(some[:-2]):
        if word in lex.sets["reply"] and some[at + 1] in ("in", "en") and some[at + 2] in lex.languages:
            return lex.languages[some[at + 2]]
    return language_of(text)


# ---------------------------------------------------------------- what was before


def _prior(reading: Reading, turns: Sequence[str], on: Background) -> Prior:
    """What the turns before lend, where the question leans on them."""
    if not turns or not leans(reading.linked, reading.guess, SURE):
        return Prior()
    mentions: list[Mention] = []
    voices: tuple[Mention, ...] = ()
    subject, kind = "", ""
    beside: list[Mention] = []
    for text in reversed(turns):
        earlier = read(text, on)
        held = {m.field for m in mentions}
        mentions += [m for m in earlier.linked.mentions if m.field not in held]
        voices = voices or earlier.voices
        beside += [m for m in earlier.linked.mentions if len(m.values) == 1 and m.values not in {b.values for b in beside}]
        subject = subject or subject_of(text, earlier.linked, kinds().known)
        kind = kind or (earlier.guess.kind if earlier.guess.likeness >= SURE else "")
        if not leans(earlier.linked, earlier.guess, SURE):
            break
    return Prior(tuple(mentions), voices, subject, kind, tuple(beside[::-1]))


def _carried(reading: Reading, prior: Prior) -> Guess:
    """The kind of a question that goes on with the one before it: "And Priya?", "And in 2023?"."""
    own = SUBJECT in reading.shape
    asks = any(sign not in ("and", "et", "what", "how", "about", PERSON, WHERE, DATE, "in", "en", "at") for sign in reading.shape)
    if prior.kind in CATALOGUE and not own and not asks and prior.kind not in ("frequency", "first_said", "last_said"):
        return Guess(prior.kind, 1.0, 1.0)
    if prior.kind in ("comparison", "summary", "exploratory") and not own and not asks:
        return Guess(prior.kind, reading.guess.likeness, reading.guess.margin)
    return Guess("search", reading.guess.likeness, 0.0)


def _kind(reading: Reading, prior: Prior) -> str:
    """The kind of a question; a plain search where no example is near enough."""
    guess, shape = reading.guess, reading.shape
    kind = guess.kind if guess.likeness >= ENOUGH else "search"
    if kind == "followup":
        kind = "causal" if shape[:1] in (("why",), ("pourquoi",)) else "search"
    if kind == "overview" and (SUBJECT in shape or (prior.words and not reading.linked.mentions)):
        kind = "summary"
    needed = _SURE_OF_WORDS if kind in ("frequency", "first_said", "last_said") else SURE
    if kind in CATALOGUE and guess.likeness < needed:
        kind = "search"
    return kind


# ---------------------------------------------------------------- mentions to filters


@dataclass(frozen=True, slots=True)
class Wish:
    """A condition on recordings or passages: one of `values` of a field, in the question's words."""

    field: str
    values: tuple[str, ...]
    said: str
    exact: bool


def _resolved(reading: Reading, prior: Prior, on: Background, say: Messages) -> tuple[list[Wish], list[str]]:
    """The conditions that a question names, and those that the turns before lend it; what there is to say."""
    notes = [*_unknown(reading.linked, say), *_strangers(reading, say)]
    wishes: list[Wish] = [Wish(m.field, m.values, m.said, True) for m in reading.linked.given]
    own = list(reading.linked.mentions)
    fields = {_group(m) for m in own if m.field != "speaker" or m in reading.voices} | {w.field for w in wishes}
    lent = [m for m in prior.mentions if _group(m) not in fields and m.field not in ("speaker", "role")]
    people = [m for m in own if m in reading.voices]
    if not people and not any(m.field in ("speaker", "role") for m in own):
        single = any(token.word in ("he", "she", "il", "elle") for token in reading.linked.tokens)
        people = [] if single and len(prior.voices) > 1 else list(prior.voices)
    for mention in (*own, *lent):
        wish = _wish(mention, reading, mention in lent, on.catalog)
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
        if not at or linked.at(at) is not None or not _like_a_name(linked, at) or token.word in kinds().known:
            continue
        alone = not _like_a_name(linked, at - 1) and (at + 1 == len(linked.tokens) or not _like_a_name(linked, at + 1))
        if alone and roles().part("person", linked.tokens, reading.signs, (at,), _SURE_OF_WORDS) == "voice":
            yield say.say("stranger", said=say.quoted(token.text))


def _wish(mention: Mention, reading: Reading, lent: bool, catalog: CatalogIndex) -> Wish | None:
    """The condition that a mention of something other than a person makes."""
    if mention.field in ("speaker", "role"):
        return None
    if mention.field == "date" and mention.values and reading.guess.kind in ACTS:
        return Wish("recording", mention.values, mention.said, False)  # "the next steps after the meeting"
    if mention.field == "date":
        days = _days(mention, catalog)
        return None if days is None else Wish("date", days, mention.said, _recorded(mention, reading, lent))
    if not mention.exact and not lent and not _is_place(mention, reading):
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


def _recorded(mention: Mention, reading: Reading, lent: bool) -> bool:
    """Whether a date is said of when something was recorded."""
    if mention.exact or lent:
        return mention.exact
    at = range(mention.first, mention.last + 1)
    return roles().part("date", reading.linked.tokens, reading.signs, at) == "recorded"


def _recordings_of(wishes: Sequence[Wish], on: Background) -> frozenset[str]:
    """The recordings that fit all conditions on recordings that any fits."""
    left = frozenset(on.catalog.by_id)
    for wish in wishes:
        left = left & fitting(wish, on.catalog) or left
    return left


def _person(mention: Mention, there: frozenset[str], on: Background, say: Messages, notes: list[str]) -> list[Wish]:
    """The condition that somebody speaks. Of several the one who speaks where the question looks."""
    names = mention.values
    heard = tuple(name for name in names if on.catalog.speaking(name) & there)
    if len(names) > 1 and len(heard) == 1 and len(there) < len(on.catalog.by_id):
        notes.append(say.say("who", said=say.quoted(mention.said), names=say.choices(heard)))
    if mention.field == "role" and 0 < len(heard) < 4 or len(names) == 1:
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
        return frozenset(r.id for r in catalog.recordings if dated(r.details.date, scope))
    if wish.field == "language":
        return frozenset(r.id for r in catalog.recordings if (r.details.language or "").split("-")[0] in wish.values)
    if wish.field == "section":
        return frozenset(catalog.by_id)
    return frozenset().union(*(catalog.having(wish.field, value) for value in wish.values))


def _since(wish: Wish) -> str | None:
    return (wish.values[0] or None) if wish.field in ("date", "since") else None


def _until(wish: Wish) -> str | None:
    return (wish.values[-1] or None) if wish.field in ("date", "until") else None


def _filters(
    wishes: Sequence[Wish], given: Scope, on: Background
) -> tuple[tuple[Filter, ...], Scope, list[Wish]]:
    """The filters of some conditions, the scope that the exact ones leave, and the conditions that nothing
    fits: the weakest are left out first."""
    open_ones = [wish for wish in wishes if not _is_given(wish, given)]
    base = frozenset(r.id for r in on.catalog.recordings if in_scope(r, replace(given, speakers=(), sections=())))
    left_out: list[Wish] = []
    kept: list[Wish] = []
    for wish in sorted(open_ones, key=_weight):
        there = fitting(wish, on.catalog) & base
        if not there:
            left_out += [wish] if wish.exact or wish.field != "date" else []
            continue
        kept.append(wish)
        base = there if wish.exact else base
    kept = [wish for wish in open_ones if wish in kept]
    filters = tuple(each for wish in kept for each in _as_filters(wish, on))
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


def _as_filters(wish: Wish, on: Background) -> Iterator[Filter]:
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
    others = {e.field: e.value for e in exact if e.field not in ("recording", "speaker", "since", "until", "language", "section")}
    return Scope(
        recordings=given.recordings or of("recording"),
        speakers=given.speakers or of("speaker"),
        since=given.since or dates.get("since"),
        until=given.until or dates.get("until"),
        languages=given.languages or of("language"),
        sections=given.sections or of("section"),
        attributes={**others, **given.attributes},
    )


def _left_out(left_out: Sequence[Wish], filters: Sequence[Filter], say: Messages) -> list[str]:
    if not left_out:
        return []
    key = "nothing_fits_as_well" if filters else "nothing_fits"
    return [say.say(key, said=say.all_quoted([wish.said for wish in left_out]))]


# ---------------------------------------------------------------- the way, and what is searched for


def _routed(
    question: Question, reading: Reading, prior: Prior, kind: str, filters: Sequence[Filter], on: Background
) -> Plan:
    """The kind, the sides and the way of a question."""
    meant = question.meant
    act = kind if kind in ACTS else ""
    intent, strategy = _ROUTES.get(kind, ("factual", "balanced"))
    bare = SUBJECT not in reading.shape and not prior.words
    if act:
        strategy = "acts" if bare else "balanced"
    compared = sides_of(reading.linked, reading.signs, reading.voices, kind == "comparison")
    if intent == "comparison" and not compared:
        compared = tuple(f"{m.said} {prior.words}" for m in prior.beside if m.field == prior.beside[-1].field)
        compared = compared if len(compared) > 1 else ()
    if compared and intent != "comparison":
        intent, strategy = ("multi_entity", "overview" if kind == "overview" else "comparison")
        if act:
            strategy = "acts" if bare else "comparison"
    if meant.intent:
        intent, strategy = meant.intent, _route_of(meant.intent, bare)
        strategy = "comparison" if intent == "multi_entity" and len(meant.queries or compared) > 1 else strategy
    queries = meant.queries or (compared if intent in ("comparison", "multi_entity") else ())
    if strategy == "comparison" and len(queries) < 2 and not meant.intent:
        strategy, queries = "balanced", ()
    strategy = strategy if strategy in on.strategies else "balanced"
    names = meant.entities or tuple(entities(reading.linked, filters))
    made = Plan("", intent=intent, strategy=strategy, entities=names, queries=queries, act=act)
    if len(queries) < 2 or strategy != "comparison":
        return made
    return replace(made, sides=tuple(_side(question, query, on) for query in queries))


def _side(question: Question, query: str, on: Background) -> Plan:
    """The plan of one side of a comparison: where it is looked for."""
    reading = read(query, on)
    say = messages_in(None)
    people = tuple(m for m in reading.linked.mentions if m.field == "speaker")
    wishes, _ = _resolved(replace(reading, voices=reading.voices or people), Prior(), on, say)
    filters, scope, _ = _filters(wishes, question.scope, on)
    return Plan(query, filters=filters, scope=scope)


def _route_of(intent: str, bare: bool) -> str:
    return "overview" if intent == "summary" and bare else intent


def entities(linked: Linked, filters: Sequence[Filter]) -> Iterator[str]:
    """The people and things that a question names: what it mentions, and other words written as names."""
    seen: set[str] = set()
    for name in _entities(linked, filters):
        if name.casefold() not in seen:
            seen.add(name.casefold())
            yield name


def _entities(linked: Linked, filters: Sequence[Filter]) -> Iterator[str]:
    at = 0
    while at < len(linked.tokens):
        mention = linked.at(at)
        if mention is not None:
            if mention.field not in ("date", "section", "language", "recording", "role"):
                yield from mention.values if len(mention.values) == 1 else (mention.said,)
            yield from (f.value for f in filters if mention.field == "role" and f.field == "speaker" and f.said == mention.said)
            at = mention.last + 1
            continue
        last = at
        while last < len(linked.tokens) and linked.at(last) is None and _like_a_name(linked, last):
            last += 1
        if last > at:
            yield linked.text[linked.tokens[at].begin : linked.tokens[last - 1].end]
        at = max(last, at + 1)


def _like_a_name(linked: Linked, at: int) -> bool:
    token = linked.tokens[at]
    plain = token.word in STOP or token.word in lexicon().sets["recordings"] or token.word.isdigit()
    return token.text[0].isupper() and not plain and (at > 0 or not kinds().known.__contains__(token.word))


def _text(linked: Linked, filters: Sequence[Filter], whole: str) -> str:
    """What is searched for: the question without operators and links, and without the words that only say
    where to look: a date or a recording that became a filter, with the preposition before it."""
    lex = lexicon()
    text = linked.text + clean(whole)[MOST_READ:]
    spans: list[tuple[int, int]] = []
    kept = {each.said for each in filters if each.field not in ("speaker",)}
    for mention in linked.mentions:
        if mention.said not in kept or mention.first <= 0:
            continue
        first = mention.first
        while first > 0 and linked.tokens[first - 1].word in lex.sets["articles"] | lex.sets["recordings"]:
            first -= 1
        led = linked.tokens[first - 1].word if first else ""
        if led in lex.sets["prepositions"] and led not in ("about", "on", "sur", "de", "du", "with"):
            first -= 1
        elif not (mention.field == "date" and led not in STOP) :
            continue
        behind = mention.last
        if behind + 1 < len(linked.tokens) and linked.tokens[behind + 1].word in lex.sets["recordings"]:
            behind += 1
        spans.append((linked.tokens[first].begin, linked.tokens[behind].end))
    for begin, end in reversed(spans):
        text = text[:begin].rstrip() + (" " if text[end:].strip() and text[end : end + 1].isalnum() else "") + text[end:]
    bare = not any(own_word(linked, at) for at in range(len(linked.tokens)))
    left = linked.text if bare else " ".join(text.split())
    left = re.sub(r"\s+([?.!,])", r"\1", left) if spans and not bare else left
    return left if any(ch.isalnum() for ch in left) else linked.text or clean(whole)


__all__ = ["Background", "Fact", "Planner", "Reading", "Wish", "clean", "entities", "fitting", "plan", "read"]
