"""Context from earlier turns: the people, recordings and subject that a follow-up question refers to."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from onrecord.stores.base import Snapshot
from onrecord.stores.words import terms
from onrecord.types import Exchange, Recording
from onrecord.understand.catalog import CatalogIndex
from onrecord.understand.intents import (
    DATE,
    KEY,
    KINDS,
    PERSON,
    RECORDING,
    SUBJECT,
    SURE,
    WHERE,
    Guess,
)
from onrecord.understand.lexicon import Tokens, lexicon, words
from onrecord.understand.linking import PEOPLE, Mention
from onrecord.understand.reading import MOST_READ, Background, Reading, clean, own_words, subject_of

_GOES_ON = {"and", "et", "what", "how", PERSON, WHERE, DATE}
"""Words and signs, besides prepositions, that make up a question without content of its own."""
_MOST_TURNS = 3
"""Maximum number of earlier turns that a question takes context from."""
_PLACES = frozenset((RECORDING, WHERE, DATE, KEY))
"""Signs of mentions that identify recordings."""
_FEW = 3
"""Minimum number of own words with which a question needs no context, even with a pronoun."""


@dataclass(frozen=True)
class Prior:
    """The context from earlier turns.

    `mentions` come from the latest turn first. `voices` are the people whose words a turn asked for.
    `subject` holds the words of the subject. `asked` is the latest turn whose kind is certain."""

    mentions: tuple[Mention, ...] = ()
    voices: tuple[Mention, ...] = ()
    subject: str = ""
    asked: Reading | None = None


def turns_before(history: Sequence[Exchange], before: Sequence[str], background: Background) -> list[str]:
    """Return the last questions of the history and those `before` in the same text, each `completed`."""
    turns: list[str] = []
    past, answer = history[-_MOST_TURNS:], None
    for turn in (*past, *map(Exchange, before)):
        turns.append(completed(clean(turn.question), turns, answer, background))
        answer = turn
    return turns


def completed(text: str, turns: Sequence[str], answer: Exchange | None, background: Background) -> str:
    """Return a question with the full name of a recording that only earlier turns, or the answer, identify.

    "And 42?" after "sum up episode 41" becomes "And episode 42?". "the one before" and "the last one" become
    titles of recordings of the same series."""
    reading = background.read(text)
    linked, text = reading.linked, reading.linked.text + text[MOST_READ:]
    bare = [token for at, token in enumerate(linked.tokens) if token.word.isdigit() and at not in linked.at]
    earlier = [background.read(turn).linked.mentions for turn in reversed(turns)]
    if len(bare) == 1 and all(token in bare for token in own_words(linked)):
        for mention in (mention for mentions in earlier for mention in mentions):
            if mention.field == "recording" and len(re.findall(r"\d+", mention.said)) == 1:
                named = re.sub(r"\d+", bare[0].text, mention.said)
                named = text[: bare[0].begin] + named + text[bare[0].end :]
                found = background.read(named).linked  # `unknown` says that no recording has the number
                return named if found.unknown or any(m.field == "recording" for m in found.mentions) else text
    elif place := _place_in_order(reading):
        begin, end, word = place
        cited = _cited(answer, background.catalog) if answer else []
        there = (_recordings_of(mentions, background.catalog) for mentions in (*earlier, cited))
        titles = (_title_in_order(word, names, background.catalog) for names in there)
        title = next(filter(None, titles), "")
        return f"{text[:begin]}{title}{text[end:]}" if title else text
    return text


def _place_in_order(reading: Reading) -> tuple[int, int, str] | None:
    """Return the character span of "the one before" or "the last one", and its word for the order.

    Return None if the question is about anything else."""
    lex, linked, said = lexicon(), reading.linked, reading.linked.tokens.words
    nouns, beside = lex.ones | lex.recordings, lex.earlier | lex.later
    at = next((n for n, word in enumerate(said) if word in beside and n not in linked.at), None)
    ends = frozenset[str]().union(*lex.ends.values())
    if at is None and _moves_to(reading, ends):
        at = next(n for n, word in enumerate(said) if word in ends)
    if at is None or not beside.union(nouns, ends).issuperset(words(subject_of(linked))):
        return None
    first, last = at, at
    while first and said[first - 1] in nouns | lex.articles:
        first -= 1
    while last + 1 < len(said) and said[last + 1] in nouns | lex.pronouns:
        last += 1
    named = nouns.union(lex.articles).intersection(said[first : last + 1])
    return (linked.tokens[first].begin, linked.tokens[last].end, said[at]) if named else None


def _moves_to(reading: Reading, ends: frozenset[str]) -> bool:
    """Check whether a question only moves on to a recording by a word such as "last" or "first".

    "And in the last call?" does. "The latest episode" does not refer to anything before it, and "And in The
    First Light?" names a title."""
    recordings, said = lexicon().recordings, reading.linked.tokens.words
    spans = (said[mention.first : mention.last + 1] for mention in reading.linked.mentions)
    if not all(len(span) == 2 and span[0] in ends and span[1] in recordings for span in spans):
        return False
    by_itself = lexicon().ones.union(ends, (RECORDING,)).issuperset(reading.shape)
    return not by_itself and _says_only(reading, RECORDING, *ends) and not ends.isdisjoint(said)


def _recordings_of(mentions: Sequence[Mention], catalog: CatalogIndex) -> frozenset[str]:
    """Return the recordings that a turn mentions, by themselves, their values or their speakers.

    The result is empty if its mentions fit all recordings."""
    left = every = frozenset(catalog.by_id)
    for mention in mentions:
        field = "speaker" if mention.field in PEOPLE else mention.field
        left = left & catalog.meeting(field, mention.values) or left
    return left if left < every else frozenset()


def _title_in_order(word: str, names: Collection[str], catalog: CatalogIndex) -> str:
    """Return the title of the recording before, after, first or last in the series of the recordings `names`.

    Return "" if they are of several series, or if several of them could be the one before or after."""

    def place(recording: Recording) -> tuple[str, str, list[int]]:
        series = recording.details.attributes.get("show") or re.split(r"\d", recording.title)[0].casefold()
        numbers = [int(number) for number in re.findall(r"\d{1,9}", recording.title)]
        return series, recording.details.date or "", numbers

    known = {name: place(catalog.by_id[name]) for name in names}
    if len({series for series, *_ in known.values()}) != 1:
        return ""
    (series, *_), lex = next(iter(known.values())), lexicon()
    same = sorted((r for r in catalog.recordings if place(r)[0] == series), key=place)
    if word not in lex.earlier | lex.later:
        return same[-1 if word in lex.ends["latest"] else 0].title
    at = same.index(catalog.by_id[next(iter(names))]) + (-1 if word in lex.earlier else 1)
    return same[at].title if len(known) == 1 and 0 <= at < len(same) else ""


def prior_of(
    reading: Reading, turns: Sequence[str], answer: Exchange | None, background: Background
) -> Prior:
    """Return the context that a question takes from earlier turns, and from the last answer."""
    if not _leans(reading):
        return Prior(tuple(_recordings_cited(reading, answer, background.catalog)))
    readings = [background.read(text) for text in reversed(turns)]
    has = reading.linked.tokens.have
    if not reading.kind.for_one:  # "which is longer?" refers to all earlier turns
        alone = next((at for at, turn in enumerate(readings) if not _leans(turn)), len(readings))
        readings = readings[: alone + 1]
    mentions: list[Mention] = []
    for turn in readings:
        later = {"recording", *(mention.field for mention in mentions)}
        mentions += [mention for mention in turn.linked.mentions if mention.field not in later]
    weak = _has_own_subject(reading) and not has(lexicon().personal)
    named = _person_named(answer, background.catalog) if answer and has(lexicon().one_person) else ()
    voices = next(filter(None, (*(turn.voices or turn.people for turn in readings), named)), ())
    voices = tuple(replace(mention, cited=weak) for mention in voices)
    sure = (turn for turn in readings if turn.guess.likeness >= SURE and turn.kind.name != "followup")
    asked = next(sure, None)
    cited = _cited(answer, background.catalog) if answer else []
    mentions += _recordings_lent(reading, readings, cited)
    whole = reading.kind.family == "whole" and RECORDING in reading.shape
    subject = "" if whole or _has_own_subject(reading) else _subject_before(readings, reading)
    subject = "" if _is_another(reading, subject, background.reader) else subject
    return Prior(tuple(mentions), voices, subject, asked)


def _recordings_lent(
    reading: Reading, turns: Sequence[Reading], cited: Sequence[Mention]
) -> Iterator[Mention]:
    """Yield one mention of the recordings that a question takes from earlier turns.

    They are the recordings that the latest turn with recordings mentions, or else those that the last answer
    cites. For a question that chooses one among several recordings, they are all of these."""
    named = [[m for m in turn.linked.mentions if m.field == "recording"] for turn in turns]
    lent = next(filter(None, (*named, cited)), ())
    if reading.kind.for_one:
        lent = [*cited, *(mention for of_turn in named for mention in of_turn)]
    elif RECORDING in reading.shape and reading.kind.name == "appearances":
        lent = ()  # the question asks for the recordings
    values = tuple(dict.fromkeys(value for mention in lent for value in mention.values))
    if len(values) > 1 or (values and not reading.kind.for_one):
        said = " / ".join(dict.fromkeys(mention.said for mention in lent))
        weak = all(mention.cited for mention in lent) and _has_own_subject(reading)
        yield Mention(-1, -1, "recording", values, said, cited=weak)


def _subject_before(turns: Sequence[Reading], reading: Reading) -> str:
    """Return the words of the subject of earlier turns, or else the own words of the latest turn.

    A turn such as "and the costs?" continues an older subject, whose words are included."""
    subjects: list[str] = []
    things = lexicon().pronouns - lexicon().one_person
    for turn in turns:
        subjects.insert(0, subject_of(turn.linked))
        placed = turn.linked.mentions or turn.linked.tokens.have(lexicon().prepositions)
        adds = _continues(turn) and not placed
        if subjects[0] and not adds and not turn.linked.tokens.have(things):
            break
    before = turns[0].kind
    asks_the_same = before.family == "act" and (reading.kind.family == "act" or _is_bare(reading))
    asks_nothing_more = before.in_catalog or before.family in ("whole", "comparison")
    if any(subjects) or asks_the_same or asks_nothing_more:
        return " ".join(filter(None, subjects))
    # "who voted against it?" has no subject, but "voted against" describes it.
    return " ".join(token.text for token in own_words(turns[0].linked))


def _is_another(reading: Reading, before: str, reader: Snapshot) -> bool:
    """Check whether a question only names a subject, and no passage has its words and some of `before`.

    "And the fireworks?" then replaces an earlier subject, whereas "And the costs?" adds to it."""
    own, timeline = subject_of(reading.linked), reader.timeline()
    if not own or not before or not _is_bare(reading, SUBJECT):
        return False
    new = np.all([reader.keyword([term], timeline) > 0 for term in terms(own)], axis=0)
    return bool(new.any() and not (new & (reader.keyword(terms(before), timeline) > 0)).any())


def _recordings_cited(reading: Reading, answer: Exchange | None, catalog: CatalogIndex) -> Iterator[Mention]:
    """Yield a mention of the recordings that the last answer cites, if the question mentions none.

    "Who is the guest?", or a question with a subject of its own, needs an answer with one recording, and
    "compare the calls" one with several."""
    named = {mention.field for mention in reading.linked.mentions}
    if answer is None or not named.issubset(PEOPLE):
        return
    kind, shape = reading.kind, reading.shape
    compares = kind.family == "comparison" and RECORDING in shape
    of_one = kind.recordings == "one" or (SUBJECT not in shape and kind.family == "act")
    goes_on = not named and SUBJECT in shape and not kind.in_catalog
    if "role" in named or goes_on or (reading.guess.likeness >= SURE and (compares or of_one)):
        cited = _cited(answer, catalog)
        yield from (mention for mention in cited if (len(mention.values) > 1) == compares)


def _cited(turn: Exchange, catalog: CatalogIndex) -> list[Mention]:
    """Return a mention of the recordings that an answer cites, or else mentions by whole titles."""
    cited = [name for name in turn.recordings if name in catalog.by_id]
    if not cited and turn.answer:
        answer = Tokens(turn.answer)
        named = (
            name
            for first, last, ids in answer.phrases(catalog.whole_titles, 40)
            for name in ids
            if words(catalog.by_id[name].details.title or "") == answer.words[first : last + 1]
            # A title of one word must have the same case: "Freight", not "freight".
            and (last > first or catalog.by_id[name].title in turn.answer)
        )
        cited = list(dict.fromkeys(named))
    return [Mention(-1, -1, "recording", tuple(cited), turn.question, cited=True)] if cited else []


def _person_named(turn: Exchange, catalog: CatalogIndex) -> tuple[Mention, ...]:
    """Return a mention of the only person whom an answer names: "Mara Lindqvist hosts it."."""
    named = {name for _, _, name in Tokens(turn.answer).phrases(catalog.people.by_words, 6)}
    return tuple(Mention(-1, -1, "speaker", (name,), name) for name in named if len(named) == 1)


def carried(reading: Reading, prior: Prior) -> Reading:
    """Return the reading of a follow-up such as "And Priya?" with the kind of the question it continues.

    People who are all that it mentions ("Only Priya") are those whose words it asks for."""
    if reading.unplaced and _leans(reading) and not subject_of(reading.linked):
        alone = tuple(mention for mention in reading.unplaced if mention.field in PEOPLE)
        reading = replace(reading, voices=(*reading.voices, *alone))
    guess = reading.guess
    if reading.kind.name == "companions" and not (prior.voices or reading.people):
        return replace(reading, guess=replace(guess, kind="speakers"))  # "who else?" without a known person
    if prior.asked is None or guess.kind not in ("followup", "search"):
        return reading
    kind = prior.asked.kind
    if kind.for_one and any(mention.field == "recording" for mention in reading.linked.mentions):
        kind = KINDS[kind.for_one]
    if not _is_bare(reading) or kind.family in ("words", "plain"):
        return reading
    return replace(reading, guess=Guess(kind.name, 1.0), asked=prior.asked)


def _is_bare(reading: Reading, *more: str) -> bool:
    """Check whether a question only mentions a person, a recording, a date, or `more`: "and in 2023?"."""
    return reading.guess.kind in ("followup", "search") and _says_only(reading, *more)


def _says_only(reading: Reading, *more: str) -> bool:
    """Check whether a question consists of mentions, words such as "and" and "in", and `more`."""
    return _GOES_ON.union(lexicon().prepositions, lexicon().ones, more).issuperset(reading.shape)


# ---------------------------------------------------------------- need for context


def _leans(reading: Reading) -> bool:
    """Check whether a question depends on earlier turns.

    It does if it is shaped like a follow-up, if it has no subject and its kind needs context, or if it has a
    pronoun and mentions nobody."""
    linked, kind, has, lex = reading.linked, reading.kind, reading.linked.tokens.have, lexicon()
    if _continues(reading):
        return True
    fields = {mention.field for mention in linked.mentions}
    if "recording" in fields:
        return has(lex.one_person) and fields.isdisjoint(PEOPLE)  # "is he in episode 8?"
    if not subject_of(linked):
        unplaced = bool(kind.recordings) and _PLACES.isdisjoint(reading.shape)
        whole = kind.family in ("act", "whole", "catalogue")
        alone = reading.guess.likeness >= SURE and whole and not kind.refers and not unplaced
        return has(lex.pronouns) or not alone
    few = has(lex.pronouns) and not _has_own_subject(reading)
    return "speaker" not in fields and (has(lex.personal) or few)


def _has_own_subject(reading: Reading) -> bool:
    """Check whether a question has enough own words to need no subject from earlier turns.

    A plain search without a subject ("How many people work there?") needs one, however many words it has."""
    needs_one = reading.kind.family == "plain" and not subject_of(reading.linked)
    return len(own_words(reading.linked)) >= _FEW and not needs_one


def _continues(reading: Reading) -> bool:
    """Check whether a question is shaped like a follow-up: also "And Priya?", or only "About salt?"."""
    like_others = reading.guess.kind == "followup" and reading.guess.likeness >= SURE
    first, lex = frozenset(reading.linked.tokens.words[:1]), lexicon()
    fragment = first <= lex.prepositions and _says_only(reading, SUBJECT)
    return like_others or fragment or not lex.continuing.isdisjoint(first)
