"""A question to a plan: what it mentions, what kind it is, what the turns before it lend, where to look."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Protocol

from onrecord.stores.base import Reader
from onrecord.types import Fact, Filter, Plan, Question, Scope
from onrecord.understand.catalog import catalog_of
from onrecord.understand.intents import (
    ACTS,
    CATALOGUE,
    DATE,
    ENOUGH,
    GRAPH,
    PERSON,
    SUBJECT,
    SURE,
    WHERE,
    Guess,
    connections,
    kinds,
    language_of,
    mask,
    of_anything,
)
from onrecord.understand.lexicon import Messages, lexicon, messages_in
from onrecord.understand.linking import Linked, Mention
from onrecord.understand.reading import (
    MOST_READ,
    Background,
    Part,
    Prior,
    Reading,
    clean,
    leans,
    like_a_name,
    own_word,
    read,
    searched_with,
    sides_of,
    split_questions,
    subject_of,
    turns_of,
)
from onrecord.understand.wishes import Wish, as_filters, filters_of, left_out_notes, wishes_of

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
    "connection": ("multi_entity", "balanced"),
    "common_ground": ("multi_entity", "comparison"),
}
_OWN_WAYS = ("definition", "causal", "multi_entity")
"""Intents that take the way of their own name, where a router of the user's has one; no preset does."""
_REPLY = re.compile(
    r"(?:please )?(?:answer|reply|respond|r[ée]ponds?|r[ée]pondez) (?:in|en) \w+ ?[:,] ?(?=\w)", re.I
)
_GOES_ON = {"and", "et", "what", "how", "about", PERSON, WHERE, DATE, "in", "en", "at"}
"""Signs of a question that asks nothing by itself."""
_NEEDED = {
    **dict.fromkeys((*CATALOGUE, "section", "full", "one_line"), SURE),
    **dict.fromkeys(("exploratory", "overview", *ACTS), 0.55),
    "comparison": 0.52,
    **dict.fromkeys(("frequency", "first_said", "last_said"), 0.8),
}
"""How alike an example must be for a kind that changes where or how widely is looked; else it is a search."""


class Planner(Protocol):
    """What understands questions: `plan`, or anything that is called alike.

    The strategy of its plan is one of `strategies`."""

    def __call__(
        self, question: Question, reader: Reader, today: date, *, strategies: Collection[str] = ...
    ) -> Plan: ...


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

    What `question.scope` says of a field stands, and nothing is read for that field. What `question.hints`
    says stands in place of what is read.
    """
    on = Background(catalog_of(reader), reader, today, without, strategies, question.scope)
    given, hints = question.hints.queries, question.hints
    compared = hints.intent in ("comparison", "multi_entity") or (
        hints.intent is None and read(question.text, on).guess.kind == "comparison"
    )
    if len(given) > 1 and compared and "comparison" in strategies:
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
    one = replace(question, text=part.text, hints=replace(question.hints, queries=()))
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


# ---------------------------------------------------------------- one question


def _plan_one(question: Question, before: Sequence[str], on: Background) -> Plan:
    """The plan of one question after the history, and after some texts of the same breath."""
    language = question.hints.language or _asked_in(read(question.text, on), question.text)
    say = messages_in(language)
    question = _without_reply(question)
    reading = read(question.text, on)
    prior = _prior(reading, [*(turn.question for turn in turns_of(question.history)), *before], on)
    reading = _carried(reading, prior)
    kind = _connection(reading) or _kind(reading, prior)
    wishes, notes = wishes_of(reading, prior, on, say)
    filters, scope, left_out = filters_of(wishes, question.scope, on)
    facts = _facts(kind, reading, wishes, question.scope, on, say)
    if facts:  # counted over all conditions, whatever fits them
        filters = tuple(each for wish in wishes for each in as_filters(wish, on))
    elif facts := _of_graph(kind, reading, filters, question.scope, on, say):
        notes = []
    else:
        notes += left_out_notes(left_out, filters, say)
    return replace(
        _routed(question, reading, prior, kind, filters, on),
        text=_searched(question, reading, prior, filters, on),
        language=language,
        filters=filters,
        scope=scope,
        notes=tuple(dict.fromkeys(notes)),
        facts=facts,
    )


def _without_reply(question: Question) -> Question:
    """The question without the words that only say in which language to answer."""
    text = clean(question.text)
    return replace(question, text=_REPLY.sub("", text)) if _REPLY.match(text) else question


def _facts(
    kind: str, reading: Reading, wishes: Sequence[Wish], scope: Scope, on: Background, say: Messages
) -> tuple[Fact, ...]:
    """What the catalogue answers; empty where the question is of no such kind."""
    if kind not in CATALOGUE:
        return ()
    from onrecord.understand.answers import facts_of  # only where the catalogue may answer

    return facts_of(kind, reading, wishes, scope, on, say)


def _searched(
    question: Question, reading: Reading, prior: Prior, filters: Sequence[Filter], on: Background
) -> str:
    """What is searched for; of a link alone the title of what it opens."""
    text = searched_with(_text(reading.linked, filters, question.text), prior)
    if reading.linked.tokens and not text.startswith("http"):
        return text
    named = (name for mention in reading.linked.given for name in mention.values)
    return " ".join(on.catalog.by_id[name].title for name in named if name in on.catalog.by_id) or text


def _of_graph(
    kind: str, reading: Reading, filters: Sequence[Filter], scope: Scope, on: Background, say: Messages
) -> tuple[Fact, ...]:
    """What the graph answers; empty where the question is of no such kind, or says where to look."""
    if kind not in GRAPH or scope or any(each.field in _PLACES for each in filters):
        return ()
    from onrecord.understand.graph_facts import graph_facts  # only where the graph may answer

    return graph_facts(kind, reading.linked, on.reader, say)


_PLACES = ("recording", "since", "until", "section", "language")
"""Fields of filters that say where to look; others name what is asked about."""


def _asked_in(reading: Reading, text: str) -> str | None:
    """The language to answer in: the one that is asked for, else that of the question."""
    lex = lexicon()
    some = [token.word for token in reading.linked.tokens]
    for at, word in enumerate(some[:-2]):
        if word in lex.sets["reply"] and some[at + 1] in ("in", "en") and some[at + 2] in lex.languages:
            return lex.languages[some[at + 2]]
    return language_of(reading.linked.text or text)


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
        beside += [
            m
            for m in earlier.linked.mentions
            if len(m.values) == 1 and m.values not in {b.values for b in beside}
        ]
        subject = subject or subject_of(text, earlier.linked, kinds().known)
        kind = kind or (earlier.guess.kind if earlier.guess.likeness >= SURE else "")
        if not leans(earlier.linked, earlier.guess, SURE):
            break
    return Prior(tuple(mentions), voices, subject, kind, tuple(beside[::-1]))


def _carried(reading: Reading, prior: Prior) -> Reading:
    """A question that goes on with the one before it, as of its kind: "And Priya?", "And in 2023?"."""
    if not prior.kind or reading.guess.kind not in ("followup", "search"):
        return reading
    guess, kind = reading.guess, prior.kind
    bare = SUBJECT not in reading.shape and set(reading.shape) <= _GOES_ON
    if bare and kind in CATALOGUE and kind not in ("frequency", "first_said", "last_said"):
        return replace(reading, guess=Guess(kind, 1.0, 1.0))
    if bare and kind in ("comparison", "summary", "exploratory"):
        return replace(reading, guess=Guess(kind, guess.likeness, guess.margin))
    return replace(reading, guess=Guess("search", guess.likeness, 0.0))


def _connection(reading: Reading) -> str:
    """The kind of a question that the graph answers; empty for all others."""
    examples = connections()
    guess = examples.guess(of_anything(mask(reading.linked.tokens, reading.signs, examples.known)))
    needed = max(
        _CONNECTED, round(reading.guess.likeness, 6)
    )  # the same example is as near, but for rounding
    return guess.kind if round(guess.likeness, 6) >= needed else ""


_CONNECTED = 0.8
"""How alike an example must be for a question to be one for the graph."""


def _kind(reading: Reading, prior: Prior) -> str:
    """The kind of a question; a plain search where no example is near enough."""
    guess, shape = reading.guess, reading.shape
    kind = guess.kind if guess.likeness >= _NEEDED.get(guess.kind, ENOUGH) else "search"
    if kind == "followup":
        kind = "causal" if shape[:1] in (("why",), ("pourquoi",)) else "search"
    if kind == "overview" and reading.linked.unknown and not reading.linked.mentions:
        kind = "search"  # what is not here is not the same as everything
    if kind == "overview" and (SUBJECT in shape or (prior.words and not reading.linked.mentions)):
        kind = "summary"
    return kind


# ---------------------------------------------------------------- the way, and what is searched for


def _routed(
    question: Question, reading: Reading, prior: Prior, kind: str, filters: Sequence[Filter], on: Background
) -> Plan:
    """The kind, the sides and the way of a question."""
    hints, act = question.hints, kind if kind in ACTS else ""
    bare = SUBJECT not in reading.shape and not prior.words
    sides = sides_of(reading.linked, reading.signs, reading.voices, kind == "comparison")
    compared = tuple(query for _, query in sides) or _compared_before(kind, prior)
    intent, strategy = _way(kind, act, bare, bool(compared))
    if hints.intent:
        several = hints.intent == "multi_entity" and len(hints.queries or compared) > 1
        intent, strategy = hints.intent, "comparison" if several else _route_of(hints.intent, bare)
    queries = hints.queries or (compared if intent in ("comparison", "multi_entity") else ())
    if strategy == "comparison" and len(queries) < 2 and not hints.intent:
        strategy, queries = "balanced", ()
    strategy = strategy if strategy in on.strategies else "balanced"
    if intent in _OWN_WAYS and intent in on.strategies and not act:
        strategy = intent
    names = hints.entities or tuple(entities(reading.linked, filters))
    if not hints.entities and len(queries) > 1:
        beside = [name for name, _ in sides if not any(name in known or known in name for known in names)]
        names = tuple(dict.fromkeys((*names, *beside)))
    made = Plan("", intent=intent, strategy=strategy, entities=names, queries=queries, act=act)
    if len(queries) < 2 or strategy not in ("comparison", "multi_entity"):
        return made
    return replace(made, sides=tuple(_side(question, query, on) for query in queries))


def _compared_before(kind: str, prior: Prior) -> tuple[str, ...]:
    """What a comparison that names no sides goes on comparing."""
    if kind != "comparison":
        return ()
    some = tuple(f"{m.said} {prior.words}" for m in prior.beside if m.field == prior.beside[-1].field)
    return some if len(some) > 1 else ()


def _way(kind: str, act: str, bare: bool, compared: bool) -> tuple[str, str]:
    """The intent of a kind, and the strategy for it; `bare` where no subject is named."""
    intent, strategy = _ROUTES.get(kind, ("factual", "balanced"))
    if compared and intent != "comparison":
        strategy = "overview" if kind == "overview" else "comparison"
        return "multi_entity", "acts" if act and bare else strategy
    return intent, ("acts" if bare else "balanced") if act else strategy


def _side(question: Question, query: str, on: Background) -> Plan:
    """The plan of one side of a comparison: where it is looked for."""
    reading = read(query, on)
    say = messages_in(None)
    people = tuple(m for m in reading.linked.mentions if m.field == "speaker")
    wishes, _ = wishes_of(replace(reading, voices=reading.voices or people), Prior(), on, say, sure=True)
    filters, scope, _ = filters_of(wishes, question.scope, on)
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
            yield from (
                f.value
                for f in filters
                if mention.field == "role" and f.field == "speaker" and f.said == mention.said
            )
            at = mention.last + 1
            continue
        last = at
        while last < len(linked.tokens) and linked.at(last) is None and like_a_name(linked, last):
            last += 1
        if last > at:
            yield linked.text[linked.tokens[at].begin : linked.tokens[last - 1].end]
        at = max(last, at + 1)


_ABOUT = frozenset(("about", "on", "sur", "de", "du", "with"))
"""Prepositions behind which stands a subject, and not where to look."""


def _text(linked: Linked, filters: Sequence[Filter], whole: str) -> str:
    """What is searched for: the question without operators and links, and without the words that only say
    where to look: a date or a recording that became a filter, with the preposition before it."""
    text = linked.text + clean(whole)[MOST_READ:]
    if not any(own_word(linked, at) for at in range(len(linked.tokens))):
        return linked.text
    said = {each.said for each in filters if each.field != "speaker"}
    spans = [span for m in linked.mentions if m.said in said and (span := _where_said(linked, m))]
    for first, last in reversed(spans):
        begin, end = linked.tokens[first].begin, linked.tokens[last].end
        text = f"{text[:begin].rstrip()} {text[end:].lstrip()}"
    return re.sub(r" ([?.!,])", r"\1", " ".join(text.split())) if spans else text


def _where_said(linked: Linked, mention: Mention) -> tuple[int, int] | None:
    """The tokens that only say where to look: a mention with the preposition before it, and a word for
    recordings beside it; a date also without a preposition. None where it carries the sentence."""
    lex, some = lexicon(), linked.tokens
    first, last = mention.first, mention.last
    for skipped in (lex.sets["articles"], lex.sets["articles"] | lex.sets["recordings"]):
        before = first - 1
        while before >= 0 and some[before].word in skipped:
            before -= 1
        if before > 0 and some[before].word in lex.sets["prepositions"] - _ABOUT:
            last += last + 1 < len(some) and some[last + 1].word in lex.sets["recordings"]
            return before, last
    return (first, last) if mention.field == "date" and first else None
