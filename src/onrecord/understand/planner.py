"""Planner: turns a question into a plan, from its mentions, its kind and the context of earlier turns."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date
from typing import Protocol

from onrecord.stores.base import Snapshot
from onrecord.types import Fact, Filter, Plan, Question
from onrecord.understand.catalog import catalog_of
from onrecord.understand.conditions import Asked, Condition, conditions_of, filters_of, narrow, sides_in_scope
from onrecord.understand.followups import Prior, carried, completed, prior_of, turns_before
from onrecord.understand.intents import (
    KINDS,
    PERSON,
    RECORDING,
    SUBJECT,
    WHERE,
    Kind,
    connections,
    language_of,
    mask,
    of_anything,
)
from onrecord.understand.lexicon import Tokens, lexicon, messages_in
from onrecord.understand.linking import PEOPLE, Linked, Mention
from onrecord.understand.reading import (
    MOST_READ,
    Background,
    Reading,
    Side,
    clean,
    own_words,
    sides_of,
    split_questions,
    unknown_names,
    without_excepted,
)

_OWN_STRATEGIES = ("definition", "causal", "multi_entity")
"""Intents that use a strategy of the same name, if the user's router has one; no preset has one."""
_COMPARING = ("comparison", "multi_entity")
_OF_ALL = ("overview", "full", "comparison")
"""Strategies that cover a whole recording if the question has no subject."""
_NAMELESS = ("date", "section", "language", "recording", "role")
"""Fields of mentions that are not entities."""


class Planner(Protocol):
    """The interface of a planner: `plan`, or any callable with this signature.

    The strategy of the returned plan is one of `strategies`."""

    def __call__(
        self, question: Question, reader: Snapshot, today: date, /, *, strategies: Collection[str]
    ) -> Plan: ...


def plan(
    question: Question,
    reader: Snapshot,
    today: date,
    *,
    strategies: Collection[str] = ("balanced",),
    without: Collection[str] = (),
) -> Plan:
    """Return the plan of a question that follows `question.history`.

    Args:
        today: the day that relative dates such as "last year" count from.
        strategies: the names of the available strategies; "balanced" is used if no other fits.
        without: fields of filters that the user removed ("speaker", "since", ...).

    A field that `question.scope` sets is not read from the text. Values in `question.hints` replace those
    that would be read from the text.
    """
    background = Background(catalog_of(reader), reader, today, without, strategies, question.scope)
    question = replace(question, text=clean(question.text))
    hints = question.hints
    parts = hints.queries or split_questions(question.text)
    if not hints.queries and len(parts) < 2:
        return _plan_one(replace(question, text=parts[0]), (), background)
    if len(hints.queries) > 1 and (whole := _plan_one(question, (), background)).strategy == "comparison":
        return whole
    one, asked = replace(question, hints=replace(hints, queries=())), (question.text,) * bool(hints.queries)
    plans = [
        _plan_one(replace(one, text=clean(part)), (*asked, *parts[:at]), background)
        for at, part in enumerate(parts)
    ]
    return Plan(
        text=question.text,
        intent=plans[0].intent,
        language=plans[0].language,
        entities=tuple(dict.fromkeys(name for each in plans for name in each.entities)),
        scope=question.scope,
        strategy=plans[0].strategy,
        queries=tuple(parts),
        notes=tuple(dict.fromkeys(note for each in plans for note in each.notes)),
        parts=tuple(plans),
    )


# ---------------------------------------------------------------- one question


def _plan_one(question: Question, before: Sequence[str], background: Background) -> Plan:
    """Return the plan of one question after the history and the questions `before` it in the same text."""
    language, question = _language(question, background)
    background = replace(background, messages=messages_in(language))
    question, reading, prior = _after_turns(question, before, background)
    kind = _kind(reading, prior, background)
    conditions, notes = conditions_of(reading, prior, background)
    filters, scope, unmet = narrow(conditions, question.scope, background)
    absent = reading.linked.unknown or any(m.field == "date" for m in reading.linked.mentions)
    if kind.name == "overview" and not filters and absent:
        kind = KINDS["search"]  # a question about something absent does not ask for everything
    asked, facts = Asked(question, reading, prior, kind, conditions, filters, background), tuple[Fact, ...]()
    if kind.in_catalog or kind.family == "graph":
        from onrecord.understand.catalog_queries import Lack  # imported only if facts may answer
        from onrecord.understand.facts import facts_of

        facts = facts_of(asked)
        notes += [fact.text for fact in facts if isinstance(fact, Lack)]
        facts = tuple(fact for fact in facts if not isinstance(fact, Lack))
    if facts and kind.in_catalog:  # the facts apply all conditions, including those that nothing meets
        asked = replace(asked, filters=filters_of(conditions, background))
    say = background.messages
    if unmet and not facts:
        key = "nothing_fits_as_well" if filters else "nothing_fits"
        notes.append(say.say(key, said=say.all_quoted([condition.said for condition in unmet])))
    if kind.family == "graph":
        several = (m for m in reading.linked.mentions if m.of_several)
        notes += [say.say("several", said=say.quoted(m.said), names=say.choices(m.values)) for m in several]
    return replace(
        _routed(asked),
        text=_search_text(asked),
        language=language,
        filters=asked.filters,
        scope=scope,
        notes=tuple(dict.fromkeys(notes)),
        facts=facts,
        unmet_date=_unmet_date(unmet, asked.filters, background) if unmet else "",
    )


def _after_turns(
    question: Question, before: Sequence[str], background: Background
) -> tuple[Question, Reading, Prior]:
    """Return the question `completed`, its reading, and the context that it takes from earlier turns."""
    if not (question.history or before):
        return question, background.read(question.text), Prior()
    turns = turns_before(question.history, before, background)
    answer = None if before else question.history[-1]
    question = replace(question, text=completed(question.text, turns, answer, background))
    reading = background.read(question.text)
    prior = prior_of(reading, turns, answer, background)
    return question, carried(reading, prior), prior


def _unmet_date(unmet: Sequence[Condition], filters: Sequence[Filter], background: Background) -> str:
    """Return the question's words for a date without recordings; "" if anything else may be meant."""
    said = [each.said for each in unmet if each.exact and each.field in ("date", "since", "until")]
    if not said or any(each.field in ("recording", "since", "until") for each in filters):
        return ""
    by_id = background.catalog.by_id
    return said[0] if all(by_id[name].details.date for name in background.within) else ""


def _language(question: Question, background: Background) -> tuple[str | None, Question]:
    """Return the language to answer in, and the question without a leading request for that language."""
    text, reading = question.text, background.read(question.text)
    linked, reply = reading.linked, reading.replies[-1] if reading.replies else None
    language = question.hints.language or (reply.values[0] if reply else language_of(linked.text or text))
    behind = linked.text[linked.tokens[reply.last].end :].lstrip() if reply else ""
    if behind.startswith((":", ",")) and own_words(linked):
        question = replace(question, text=behind.lstrip(" :,") + text[MOST_READ:])
    return language, question


# ---------------------------------------------------------------- the kind


def _kind(reading: Reading, prior: Prior, background: Background) -> Kind:
    """Return the kind of a question; "search" if no example is near enough."""
    guess, shape, examples, kind = reading.guess, reading.shape, connections(), reading.kind
    asked = without_excepted(reading, background)
    related = of_anything(mask(asked.linked.tokens, asked.signs, examples.known))
    same = " ".join(related) in examples.exact and len(related) >= len(guess.example)
    if guess.likeness < 1 or same:
        graph = examples.guess(related)
        needed = max(KINDS[graph.kind].least, guess.likeness)
        if round(graph.likeness - needed, 6) >= 0:  # rounding, because the same example may differ slightly
            return KINDS[graph.kind]
    if guess.likeness < kind.least or kind.name == "followup" or _asks_of_subject(reading, prior):
        return KINDS["search"]
    if kind.name == "overview" and (SUBJECT in shape or (prior.subject and not reading.linked.mentions)):
        return KINDS["summary"]
    people = {mention.values for mention in reading.linked.mentions if mention.field == "speaker"}
    only_two = len(people) == len(reading.linked.mentions) == 2 and SUBJECT not in shape
    contrasts = kind.name == "comparison" and only_two and not prior.subject
    return KINDS["contrast"] if contrasts else kind


def _asks_of_subject(reading: Reading, prior: Prior) -> bool:
    """Check whether a question of a catalog kind means an earlier subject: "When was that?", "Which one?".

    A question about people, or for a detail of a recording that an earlier turn names, does not."""
    kind, shape = reading.kind, reading.shape
    if not prior.subject or kind.family != "catalogue" or reading.asked:
        return False
    named = prior.asked.shape if kind.recordings == "one" and prior.asked else ()
    about_people = kind.of_people and kind.name != "appearances"
    return not about_people and {RECORDING, WHERE}.isdisjoint(shape + named)


# ---------------------------------------------------------------- the route


def _routed(asked: Asked) -> Plan:
    """Return a plan with the intent, strategy, entities and sides of a question."""
    reading, hints, compares = asked.reading, asked.question.hints, asked.kind.family == "comparison"
    sides = sides_of(reading, comparing=compares)
    if compares and not sides:
        sides = sides_in_scope(reading.linked, asked.conditions, asked.background)
    made = _route(asked, sides)
    names = hints.entities or _entities(reading.linked, asked.filters)
    if not hints.entities and len(made.queries) > 1:
        beside = (each.name for each in sides if not any(each.name in n or n in each.name for n in names))
        names = tuple(dict.fromkeys((*names, *beside)))
    of_all = compares or asked.kind.family == "whole" or made.strategy in _OF_ALL
    of_all = of_all or set(reading.shape) <= {RECORDING, WHERE}
    whole = asked.bare and of_all and (PERSON not in reading.shape or reading.people == reading.present)
    made = replace(made, entities=names, whole=whole)
    if len(made.queries) < 2 or made.strategy not in _COMPARING:
        return made
    by_query = {side.query: side for side in sides}
    compared = (by_query.get(query, Side("", query)) for query in made.queries)
    return replace(made, sides=tuple(_side(each, asked) for each in compared))


def _route(asked: Asked, sides: Sequence[Side]) -> Plan:
    """Return a plan with the intent, strategy, dialogue act and queries of a question."""
    kind, hints, strategies = asked.kind, asked.question.hints, asked.background.strategies
    intent, strategy, act = kind.intent, kind.strategy, kind.name if kind.family == "act" else ""
    if sides and intent != "comparison":
        intent, strategy = "multi_entity", "overview" if kind.name == "overview" else "comparison"
    if act and asked.bare:
        strategy = "acts"
    if hints.intent:
        several = hints.intent == "multi_entity" and len(hints.queries or sides) > 1
        named = "overview" if hints.intent == "summary" and asked.bare else hints.intent
        intent, strategy = hints.intent, "comparison" if several else named
    queries = hints.queries or (tuple(side.query for side in sides) if intent in _COMPARING else ())
    alone = strategy == "comparison" and len(queries) < 2 and not hints.intent
    strategy = strategy if strategy in strategies and not alone else "balanced"
    if intent in _OWN_STRATEGIES and intent in strategies and not act:
        strategy = intent
    return Plan("", intent=intent, strategy=strategy, queries=queries, act=act)


def _side(side: Side, asked: Asked) -> Plan:
    """Return the plan of one side of a comparison: its query, filters and scope.

    Mentions that only the whole question shows count too: "the second" in "the second and third quarter".
    Conditions on recordings that the side mentions are exact."""
    background, reading = asked.background, asked.background.read(side.query)
    named = [m for m in asked.reading.linked.mentions if m.said == side.name]
    people = tuple(m for m in reading.linked.mentions if m.field == "speaker")
    reading = replace(reading, voices=reading.voices or people)
    conditions, _ = conditions_of(reading, Prior(tuple(named)), background, places=True)
    places = {m.field for m in named if not m.near}.difference(PEOPLE, ("date", "section", "language"))
    conditions = [replace(each, exact=each.exact or each.field in places) for each in conditions]
    given = asked.question.scope
    scope = replace(given, recordings=side.recordings or given.recordings)
    filters, scope, _ = narrow(conditions, scope, background)
    return Plan(side.query, filters=filters, scope=scope)


def _entities(linked: Linked, filters: Sequence[Filter]) -> tuple[str, ...]:
    """Return the people and things in a question: its mentions (a role by its holder), and other names."""
    holders = {each.said: each.value for each in filters if each.field == "speaker"}
    named = [(run.start, linked.tokens.said(run[0], run[-1])) for run in unknown_names(linked)]
    for mention in dict.fromkeys(linked.at.values()):
        if mention.field == "role" and mention.said in holders:
            named.append((mention.first, holders[mention.said]))
        elif mention.field not in _NAMELESS:
            named.append((mention.first, mention.values[0] if len(mention.values) == 1 else mention.said))
    return tuple(dict.fromkeys(name for _, name in sorted(named)))


# ---------------------------------------------------------------- the search text

_ABOUT = frozenset(("about", "on", "sur", "de", "du", "with"))
"""Prepositions that introduce a subject, and not a place to look."""


def _search_text(asked: Asked) -> str:
    """Return the text to search for: the question without operators, links and words for where to look.

    The last are a date or recording that became a filter, with the preposition before it. If the question is
    only a link, the text is the title of the recording that the link opens."""
    linked, text, subject = asked.reading.linked, asked.reading.linked.text, asked.prior.subject
    if own_words(linked) or asked.reading.people:
        text += asked.question.text[MOST_READ:]
        text = _without_places(linked, text, asked.filters) if asked.filters else text
        for token in linked.tokens:  # spells out roles: "the CFO (chief financial officer)"
            if spelt := lexicon().spelt_roles.get(token.word):
                pattern = rf"\b{re.escape(token.text)}\b"
                text = re.sub(pattern, f"{token.text} ({spelt})", text, count=1)
    if subject:  # without the words that the question has
        have = Tokens(text).words
        text = " ".join((*(token.text for token in Tokens(subject) if token.word not in have), text))
    if linked.tokens and not text.startswith("http"):
        return text
    by_id = asked.background.catalog.by_id
    opened = (name for mention in linked.operators for name in mention.values if name in by_id)
    return " ".join(by_id[name].title for name in opened) or text


def _without_places(linked: Linked, text: str, filters: Sequence[Filter]) -> str:
    """Return the text without the mentions that became filters and only say where to look."""
    # a date that is only preferred may be that of what is spoken of, so it stays
    said = {each.said for each in filters if each.exact or each.field not in ("speaker", "since", "until")}
    places = [m for m in linked.mentions if m.said in said and not (m.near and m.first == m.last)]
    spans = {span for mention in places if (span := _place_span(linked, mention))}
    for first, last in sorted(spans, reverse=True):
        begin, end = linked.tokens[first].begin, linked.tokens[last].end
        text = f"{text[:begin].rstrip()} {text[end:].lstrip()}"
    return re.sub(r" ([?.!,])", r"\1", " ".join(text.split())) if spans else text


def _place_span(linked: Linked, mention: Mention) -> tuple[int, int] | None:
    """Return the first and last token of a phrase that only says where to look.

    The phrase is a mention with the preposition before it and a word for recordings next to it. A date needs
    no preposition. Return None if the sentence needs the mention, or if it has a possessive ("Halden's
    margins")."""
    lex, tokens = lexicon(), linked.tokens
    first, last = mention.first, mention.last
    if linked.text[tokens[last].end :][:1] in ("'", "’"):
        return None
    about = _ABOUT - {"on"} if mention.field == "recording" else _ABOUT  # "on the Halden call" is a place
    before = first - 1
    while before > 0 and tokens[before].word in lex.articles | lex.recordings:
        before -= 1
    if before > 0 and tokens[before].word in lex.prepositions - about:
        last += last + 1 < len(tokens) and tokens[last + 1].word in lex.recordings
        return before, last
    return (first, last) if mention.field == "date" and first else None
