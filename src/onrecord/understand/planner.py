"""A question to a plan: what it mentions, what kind it is, what it takes over from the turns before."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Protocol

from onrecord.stores.base import Reader
from onrecord.types import Exchange, Fact, Filter, Plan, Question
from onrecord.understand.catalog import CatalogIndex, catalog_of, longest_at
from onrecord.understand.conditions import Condition, conditions_of, filters_of, narrow, sides_in_scope
from onrecord.understand.examples import DATE, PERSON, RECORDING, SUBJECT, WHERE, Guess, mask, of_anything
from onrecord.understand.intents import (
    ACTS,
    CATALOGUE,
    ENOUGH,
    GRAPH,
    OF_ONE,
    OF_PEOPLE,
    OF_WORDS,
    SURE,
    connections,
    language_of,
)
from onrecord.understand.lexicon import lexicon, messages_in, span_text, words
from onrecord.understand.mentions import Linked, Mention
from onrecord.understand.reading import (
    MOST_READ,
    PEOPLE,
    Background,
    Part,
    Prior,
    Reading,
    clean,
    is_continuing,
    leans,
    like_a_name,
    own_words,
    points_back,
    read,
    refers_to_thing,
    searched_with,
    sides_of,
    split_questions,
    subject_of,
)

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
    "mentioned_in": ("exploratory", "exploratory"),
    "connection": ("multi_entity", "balanced"),
    "common_ground": ("multi_entity", "comparison"),
    "contrast": ("comparison", "comparison"),
    "causes": ("causal", "balanced"),
    "defined": ("definition", "balanced"),
}
"""The intent and the strategy of each kind of question."""
_OWN_STRATEGIES = ("definition", "causal", "multi_entity")
"""Intents whose strategy has their own name, where a router of the user's has one; no preset does."""
_GOES_ON = {"and", "et", "what", "how", PERSON, WHERE, DATE}
"""Signs of a question that asks nothing by itself, beside prepositions."""
_NEEDED = {
    **dict.fromkeys((*CATALOGUE, *ACTS), SURE),
    **dict.fromkeys(("section", "full", "exploratory", "comparison", "overview", "summary"), SURE),
    "one_line": 0.65,
    **dict.fromkeys(GRAPH, 0.8),
    **dict.fromkeys(("frequency", "first_said", "last_said"), 0.8),
}
"""How alike an example must be for a kind that changes where or how widely is looked; else it is a search."""
_COMPARING = ("comparison", "multi_entity")
_OF_ALL = ("overview", "full", "comparison")
"""Kinds and strategies for all of a recording, where no subject is named."""
_NAMELESS = ("date", "section", "language", "recording", "role")
"""Fields of mentions that name nobody and nothing that is asked about."""
_MOST_TURNS = 3
"""Turns that lend something to a question."""


class Planner(Protocol):
    """What understands questions: `plan`, or anything that is called alike.

    The strategy of its plan is one of `strategies`."""

    def __call__(
        self, question: Question, reader: Reader, today: date, /, *, strategies: Collection[str]
    ) -> Plan: ...


def plan(
    question: Question,
    reader: Reader,
    today: date,
    *,
    strategies: Collection[str] = ("balanced",),
    without: Collection[str] = (),
) -> Plan:
    """The plan of a question, as it is asked after `question.history`.

    Args:
        today: the day from which "last year" is reckoned.
        strategies: the names among which the route is chosen; "balanced" is where none fits.
        without: fields of filters that the user removed ("speaker", "since", ...).

    A field that `question.scope` sets is not read from the text. What `question.hints` sets replaces what
    would be read.
    """
    background = Background(catalog_of(reader), reader, today, without, strategies, question.scope)
    question = replace(question, text=clean(question.text))
    hints = question.hints
    if len(hints.queries) > 1 and "comparison" in strategies:
        intent = hints.intent or read(question.text, background).guess.kind
        whole = _plan_one(question, (), background) if intent in _COMPARING else None
        if whole and whole.strategy == "comparison":
            return whole
    parts = split_questions(question.text, background)
    if hints.queries:
        parts = [Part(text, (question.text, *hints.queries[:at])) for at, text in enumerate(hints.queries)]
    elif len(parts) < 2:
        return _plan_one(question, (), background)
    one = replace(question, hints=replace(hints, queries=()))
    plans = [_plan_one(replace(one, text=clean(part.text)), part.before, background) for part in parts]
    return _joined(question, parts, plans)


def _joined(question: Question, parts: Sequence[Part], plans: Sequence[Plan]) -> Plan:
    """The plan of a text that asks several questions."""
    return Plan(
        text=question.text,
        intent=plans[0].intent,
        language=plans[0].language,
        entities=tuple(dict.fromkeys(name for each in plans for name in each.entities)),
        scope=question.scope,
        strategy=plans[0].strategy,
        queries=tuple(part.text for part in parts),
        notes=tuple(dict.fromkeys(note for each in plans for note in each.notes)),
        parts=tuple(plans),
    )


# ---------------------------------------------------------------- one question


def _plan_one(question: Question, before: Sequence[str], background: Background) -> Plan:
    """The plan of one question after the history, and after the questions `before` it in the same text."""
    language, question = _language(question, background)
    say = messages_in(language)
    if turns := _turns_before(question.history, before):
        question = replace(question, text=_with_noun_of_number(question.text, turns, background))
    reading = read(question.text, background)
    prior, facts = Prior(), tuple[Fact, ...]()
    if turns:
        prior = _prior(reading, question.history, before, background)
        reading = _carried(reading, prior)
    kind = _kind(reading, prior)
    if kind in (*OF_PEOPLE, "count", "list"):  # which look people up themselves
        reading = replace(reading, present=())
    conditions, notes = conditions_of(reading, prior, background, say)
    filters, scope, unmet = narrow(conditions, question.scope, background)
    if kind == "overview" and not filters and any(m.field == "date" for m in reading.linked.mentions):
        kind = "search"  # of what is said of that day: no recording is of it
    if kind in CATALOGUE or kind in GRAPH:
        from onrecord.understand.facts import facts_of  # only where they may answer

        facts = facts_of(kind, reading, conditions, filters, question.scope, background, say)
    if facts and kind in CATALOGUE:  # counted over all conditions, whether anything meets them or not
        filters = filters_of(conditions, background)
    elif facts:
        notes = []
    elif unmet:
        key = "nothing_fits_as_well" if filters else "nothing_fits"
        notes.append(say.say(key, said=say.all_quoted([condition.said for condition in unmet])))
    routed = _routed(question, reading, prior, kind, filters, background)
    if kind == "comparison" and not routed.queries:
        routed = _comparing_in_scope(routed, question, reading, conditions, background)
    return replace(
        routed,
        text=_search_text(question, reading, prior, filters, background),
        language=language,
        filters=filters,
        scope=scope,
        notes=tuple(dict.fromkeys(notes)),
        facts=facts,
    )


def _language(question: Question, background: Background) -> tuple[str | None, Question]:
    """The language to answer in, and the question without what stands before it and only names it."""
    text, reading = question.text, read(question.text, background)
    linked, reply = reading.linked, reading.replies[-1] if reading.replies else None
    language = question.hints.language or (reply.values[0] if reply else language_of(linked.text or text))
    if reply and linked.text[linked.tokens[reply.last].end :].lstrip()[:1] in (":", ","):
        rest = linked.text[linked.tokens[reply.last].end :].lstrip(" :,")
        question = replace(question, text=rest + text[MOST_READ:]) if own_words(linked) and rest else question
    return language, question


# ---------------------------------------------------------------- the turns before, and the kind


def _turns_before(history: Sequence[Exchange], before: Sequence[str]) -> list[str]:
    """The last questions of the history, and those `before` this one in the same text."""
    return [*(turn.question for turn in history[-_MOST_TURNS:]), *before]


def _with_noun_of_number(text: str, turns: Sequence[str], background: Background) -> str:
    """A question with the noun of a bare number, as the turns before have it: "and 42?" after "sum up episode
    41" is "and episode 42?"."""
    linked = read(text, background).linked
    bare = [token for at, token in enumerate(linked.tokens) if token.word.isdigit() and at not in linked.at]
    if len(bare) != 1 or any(token not in bare for token in own_words(linked)):
        return text
    earlier = (mention for turn in reversed(turns) for mention in read(turn, background).linked.mentions)
    for mention in earlier:
        if mention.field == "recording" and len(re.findall(r"\d+", mention.said)) == 1:
            named = text[: bare[0].begin] + re.sub(r"\d+", bare[0].text, mention.said) + text[bare[0].end :]
            found = read(named, background).linked  # or it says that no recording has that number
            return named if found.unknown or any(m.field == "recording" for m in found.mentions) else text
    return text


def _prior(
    reading: Reading, history: Sequence[Exchange], before: Sequence[str], background: Background
) -> Prior:
    """What the turns before lend, where the question leans on them."""
    if not leans(reading.linked, reading.guess, SURE):
        return Prior(tuple(_recordings_cited(reading, history, background.catalog)))
    turns = list(_turns_leant_on(_turns_before(history, before), background))
    mentions = _newest(turns, lambda mention: mention.field)
    beside = [m for m in _newest(turns, lambda mention: mention.values) if len(m.values) == 1]
    voices = next(filter(None, map(_voices_or_people, turns)), ())
    sure = (turn for turn in turns if turn.guess.likeness >= SURE and turn.guess.kind != "followup")
    asked = next(sure, None)
    if history and not before and (_is_fragment(reading) or points_back(reading.linked)):
        mentions += _cited(history[-1], background.catalog)
    subject = "" if _is_of_whole(reading, asked) else _subject_before(turns)
    return Prior(tuple(mentions), voices, subject, asked, tuple(beside[::-1]))


def _turns_leant_on(turns: Sequence[str], background: Background) -> Iterator[Reading]:
    """The turns before, the latest first, up to one that stands by itself."""
    for text in reversed(turns):
        reading = read(text, background)
        yield reading
        if not leans(reading.linked, reading.guess, SURE):
            return


def _newest(turns: Sequence[Reading], key: Callable[[Mention], object]) -> list[Mention]:
    """The mentions of all turns, without those whose key a later turn has."""
    newest: list[Mention] = []
    for turn in turns:
        later = {key(mention) for mention in newest}
        newest += [mention for mention in turn.linked.mentions if key(mention) not in later]
    return newest


def _voices_or_people(turn: Reading) -> tuple[Mention, ...]:
    """Those whose words a turn asks for, or else whom it names."""
    return turn.voices or tuple(m for m in turn.linked.mentions if m.field in PEOPLE)


def _subject_before(turns: Sequence[Reading]) -> str:
    """The words of the subject that the turns before have, or else those with which the last one asks.

    "How does it work" is still about what was asked before it."""
    subjects: list[str] = []
    for turn in turns:
        subjects.insert(0, subject_of(turn.linked))
        if subjects[0] and not refers_to_thing(turn.linked):
            break
    return " ".join(filter(None, subjects)) or _asked_for(turns[0])


def _is_fragment(reading: Reading) -> bool:
    """Whether a question only adds to the one before it, and names nothing: "and the costs?"."""
    goes_on = reading.guess.kind == "followup" or is_continuing(reading.linked)
    return goes_on and not reading.linked.mentions


def _is_of_whole(reading: Reading, asked: Reading | None) -> bool:
    """Whether a question goes on with a recording, not with what was asked of it: "summarize that episode",
    or "and the action items?" behind "what was decided?"."""
    kind, before = reading.guess.kind, asked.guess.kind if asked else ""
    if kind in ACTS:
        return before in (*ACTS, "overview", "full")
    return kind in ("overview", "full") and (RECORDING in reading.shape or before in OF_ONE)


def _asked_for(reading: Reading) -> str:
    """The words that ask, of a question without a subject: "voted against" of "who voted against?"."""
    if reading.guess.kind in (*CATALOGUE, "overview", "full", "comparison"):
        return ""
    return " ".join(token.text for token in own_words(reading.linked))


def _recordings_cited(
    reading: Reading, history: Sequence[Exchange], catalog: CatalogIndex
) -> Iterator[Mention]:
    """The one recording of the answer before, for a question such as "who is the guest?" that names none; for
    "compare the calls" several."""
    kind, shape = reading.guess.kind, reading.shape
    compares = kind == "comparison" and RECORDING in shape
    whose = kind in ("overview", "full") and PERSON in shape
    of_one = kind in OF_ONE or (SUBJECT not in shape and (kind in ACTS or whose))
    asks = history and (compares or of_one) and reading.guess.likeness >= SURE
    asks = asks or (history and any(mention.field == "role" for mention in reading.linked.mentions))
    if asks and not any(mention.field not in PEOPLE for mention in reading.linked.mentions):
        cited = _cited(history[-1], catalog)
        yield from (mention for mention in cited if (len(mention.values) > 1) == compares)


def _cited(turn: Exchange, catalog: CatalogIndex) -> list[Mention]:
    """The recordings that the answer before cites, or else names by whole titles."""
    cited = [name for name in turn.recordings if name in catalog.by_id]
    if not cited and turn.answer:
        answer = words(turn.answer)
        phrases = [
            answer[at : at + longest_at(catalog.whole_titles, answer, at, 40)] for at in range(len(answer))
        ]
        cited = [
            name
            for phrase in dict.fromkeys(filter(None, phrases))
            for name in catalog.whole_titles[phrase]
            if catalog.titles.get(name) == phrase
            and (len(phrase) > 1 or catalog.by_id[name].title in turn.answer)  # "Freight", not "freight"
        ]
    return [Mention(-1, -1, "recording", tuple(cited), turn.question)] if cited else []


def _carried(reading: Reading, prior: Prior) -> Reading:
    """A question that goes on with the one before it, as of its kind: "And Priya?", "And in 2023?"."""
    if prior.asked is None or reading.guess.kind not in ("followup", "search"):
        return reading
    guess, kind = reading.guess, prior.asked.guess.kind
    bare = SUBJECT not in reading.shape and set(reading.shape) <= _GOES_ON | lexicon().sets["prepositions"]
    if bare and kind in CATALOGUE and kind not in OF_WORDS:
        return replace(reading, guess=Guess(kind, 1.0, 1.0), asked=prior.asked)
    if bare and kind in ("comparison", "summary", "overview", "full", "exploratory"):
        return replace(reading, guess=Guess(kind, guess.likeness, guess.margin))
    return replace(reading, guess=Guess("search", guess.likeness, 0.0))


def _kind(reading: Reading, prior: Prior) -> str:
    """The kind of a question; a plain search where no example is near enough."""
    guess, shape, examples = reading.guess, reading.shape, connections()
    related = of_anything(mask(reading.linked.tokens, reading.signs, examples.known))
    if guess.likeness < 1 or (related in examples and len(related) >= len(guess.example)):
        graph = examples.guess(related)
        needed = max(_NEEDED.get(graph.kind, 1.0), guess.likeness)
        if round(graph.likeness - needed, 6) >= 0:  # the same example is as near, but for rounding
            return graph.kind
    kind = guess.kind if guess.likeness >= _NEEDED.get(guess.kind, ENOUGH) else "search"
    if kind == "followup":
        kind = "causal" if shape[:1] in (("why",), ("pourquoi",)) else "search"
    if kind == "overview" and reading.linked.unknown and not reading.linked.mentions:
        kind = "search"  # what is not here is not the same as everything
    if kind == "overview" and (SUBJECT in shape or (prior.subject and not reading.linked.mentions)):
        kind = "summary"
    return kind


# ---------------------------------------------------------------- the route


def _routed(
    question: Question,
    reading: Reading,
    prior: Prior,
    kind: str,
    filters: Sequence[Filter],
    background: Background,
) -> Plan:
    """A plan with the intent, the strategy, the entities and the sides of a question."""
    hints, act = question.hints, kind if kind in ACTS else ""
    bare = SUBJECT not in reading.shape and not prior.subject
    sides = sides_of(reading, comparing=kind == "comparison")
    compared = tuple(query for _, query in sides)
    if kind == "comparison" and not sides:  # it goes on comparing what was compared before
        again = [m for m in prior.beside if m.field == prior.beside[-1].field]
        compared = tuple(f"{m.said} {prior.subject}" for m in again) if len(again) > 1 else ()
    intent, strategy = _ROUTES.get(kind, ("factual", "balanced"))
    if compared and intent != "comparison":
        intent, strategy = "multi_entity", "overview" if kind == "overview" else "comparison"
        strategy = "acts" if act and bare else strategy
    elif act:
        strategy = "acts" if bare else "balanced"
    if hints.intent:
        several = hints.intent == "multi_entity" and len(hints.queries or compared) > 1
        named = "overview" if hints.intent == "summary" and bare else hints.intent
        intent, strategy = hints.intent, "comparison" if several else named
    queries = hints.queries or (compared if intent in _COMPARING else ())
    if strategy == "comparison" and len(queries) < 2 and not hints.intent:
        strategy, queries = "balanced", ()
    strategy = strategy if strategy in background.strategies else "balanced"
    if intent in _OWN_STRATEGIES and intent in background.strategies and not act:
        strategy = intent
    names = hints.entities or _entities(reading.linked, filters)
    if not hints.entities and len(queries) > 1:
        beside = [name for name, _ in sides if not any(name in known or known in name for known in names)]
        names = tuple(dict.fromkeys((*names, *beside)))
    of_all = kind in _OF_ALL or strategy in _OF_ALL or set(reading.shape) <= {RECORDING, WHERE}
    people = [mention for mention in reading.linked.mentions if mention.field in PEOPLE]
    whole = bare and of_all and (PERSON not in reading.shape or people == [*reading.present])
    made = Plan("", intent=intent, strategy=strategy, entities=names, queries=queries, act=act, whole=whole)
    if len(queries) < 2 or strategy not in _COMPARING:
        return made
    mentions = {query: tuple(m for m in reading.linked.mentions if m.said == name) for name, query in sides}
    return replace(
        made, sides=tuple(_side(question, query, mentions.get(query, ()), background) for query in queries)
    )


def _comparing_in_scope(
    plan: Plan,
    question: Question,
    reading: Reading,
    conditions: Sequence[Condition],
    background: Background,
) -> Plan:
    """The plan of a comparison that names no sides, with the recordings that it may mean as its sides."""
    sides = sides_in_scope(reading.linked, conditions, background)
    if not sides or "comparison" not in background.strategies:
        return plan
    people = filters_of([each for each in conditions if each.field == "speaker"], background)
    return replace(
        plan,
        strategy="comparison",
        entities=tuple(dict.fromkeys((*plan.entities, *(name for name, _, _ in sides)))),
        queries=tuple(query for _, query, _ in sides),
        sides=tuple(
            Plan(query, filters=people, scope=replace(question.scope, recordings=ids))
            for _, query, ids in sides
        ),
    )


def _side(question: Question, query: str, named: tuple[Mention, ...], background: Background) -> Plan:
    """The plan of one side of a comparison: where to look for it, also by what only the whole question names:
    "the second" of "the second and third quarter"."""
    reading = read(query, background)
    people = tuple(m for m in reading.linked.mentions if m.field == "speaker")
    reading = replace(reading, voices=reading.voices or people)
    conditions, _ = conditions_of(reading, Prior(named), background, messages_in(None), places=True)
    filters, scope, _ = narrow(conditions, question.scope, background)
    return Plan(query, filters=filters, scope=scope)


def _entities(linked: Linked, filters: Sequence[Filter]) -> tuple[str, ...]:
    """The people and things that a question names: its mentions, and other words written as names.

    A role is named by the person whose words it filters for."""
    holders = {each.said: each.value for each in filters if each.field == "speaker"}
    names: list[str] = []
    at = 0
    while at < len(linked.tokens):
        mention, last = linked.at.get(at), at
        if mention is not None:
            last = mention.last
            if mention.field == "role" and mention.said in holders:
                names.append(holders[mention.said])
            elif mention.field not in _NAMELESS:
                names += mention.values if len(mention.values) == 1 else [mention.said]
        elif like_a_name(linked, at):
            following = range(at + 1, len(linked.tokens))
            while last + 1 in following and last + 1 not in linked.at and like_a_name(linked, last + 1):
                last += 1
            names.append(span_text(linked.text, linked.tokens[at : last + 1]))
        at = last + 1
    by_fold: dict[str, str] = {}
    for name in names:
        by_fold.setdefault(name.casefold(), name)
    return tuple(by_fold.values())


# ---------------------------------------------------------------- what is searched for

_ABOUT = frozenset(("about", "on", "sur", "de", "du", "with"))
"""Prepositions behind which stands a subject, and not where to look."""


def _search_text(
    question: Question, reading: Reading, prior: Prior, filters: Sequence[Filter], background: Background
) -> str:
    """What is searched for: the question without operators, links, and words that only say where to look.

    These are a date or a recording that became a filter, with the preposition before it; not a firm's name,
    which is said there. Of a link alone the title of what it opens is searched for."""
    linked, text = reading.linked, reading.linked.text
    if own_words(linked):
        text += question.text[MOST_READ:]
        text = _without_places(linked, text, filters) if filters else text
    text = searched_with(text, prior.subject) if prior.subject else text
    if linked.tokens and not text.startswith("http"):
        return text
    by_id = background.catalog.by_id
    opened = (name for mention in linked.operators for name in mention.values if name in by_id)
    return " ".join(by_id[name].title for name in opened) or text


def _without_places(linked: Linked, text: str, filters: Sequence[Filter]) -> str:
    said = {each.said for each in filters if each.field != "speaker"}
    places = [m for m in linked.mentions if m.said in said and not (m.near and m.first == m.last)]
    spans = {span for mention in places if (span := _place_span(linked, mention))}
    for first, last in sorted(spans, reverse=True):
        begin, end = linked.tokens[first].begin, linked.tokens[last].end
        text = f"{text[:begin].rstrip()} {text[end:].lstrip()}"
    return re.sub(r" ([?.!,])", r"\1", " ".join(text.split())) if spans else text


def _place_span(linked: Linked, mention: Mention) -> tuple[int, int] | None:
    """The tokens that only say where to look: a mention with the preposition before it, and a word for
    recordings beside it; a date also without a preposition. None where it carries the sentence."""
    lex, tokens = lexicon(), linked.tokens
    first, last = mention.first, mention.last
    about = _ABOUT - {"on"} if mention.field == "recording" else _ABOUT  # "on the Halden call"
    for skipped in (lex.sets["articles"], lex.sets["articles"] | lex.sets["recordings"]):
        before = first - 1
        while before >= 0 and tokens[before].word in skipped:
            before -= 1
        if before > 0 and tokens[before].word in lex.sets["prepositions"] - about:
            last += last + 1 < len(tokens) and tokens[last + 1].word in lex.sets["recordings"]
            return before, last
    return (first, last) if mention.field == "date" and first else None
