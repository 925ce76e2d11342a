"""What a question takes over from the turns before it: people and recordings to prefer, and the subject."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from onrecord.types import Exchange, Recording
from onrecord.understand.catalog import CatalogIndex
from onrecord.understand.intents import (
    ACTS,
    CATALOGUE,
    COURTESY,
    DATE,
    KEY,
    OF_ONE,
    OF_WORDS,
    PERSON,
    PLAIN,
    RECORDING,
    SUBJECT,
    SURE,
    WHERE,
    WITHOUT_SUBJECT,
    Guess,
)
from onrecord.understand.lexicon import lexicon, words
from onrecord.understand.linking import PEOPLE, Linked, Mention, longest_at
from onrecord.understand.reading import Background, Reading, clean, own_words, read, subject_of

_GOES_ON = {"and", "et", "what", "how", PERSON, WHERE, DATE}
"""Signs of a question that asks nothing by itself, beside prepositions."""
_MOST_TURNS = 3
"""Turns that lend something to a question."""
_ANSWERING = ("companions", "disagreement", "agreement")
"""Kinds that are asked beside what was said before: who else was there, who disagreed."""
_STANDING = WITHOUT_SUBJECT.union(ACTS, ("overview", "full")).difference(_ANSWERING)
"""Kinds of questions that have no subject, and stand by themselves."""
_OUTERMOST = {"longest": "length", "shortest": "length", "latest": "when", "oldest": "when"}
"""Kinds that choose among several recordings, and what is asked of one: "and the council meeting?"."""
_OF_SOME = (*_OUTERMOST, *OF_ONE, "appearances")
"""Kinds that are asked of some recordings, and stand by themselves only where these are named."""
_PLACES = frozenset((RECORDING, WHERE, DATE, KEY))
"""Signs of what names recordings."""
_FEW = 3
"""Words of its own with which a question with a pronoun no longer leans on the one before it."""


@dataclass(frozen=True)
class Prior:
    """What the turns before lend: mentions, latest first, whose words were asked for, words of the subject.

    `asked` is the last of them of a kind."""

    mentions: tuple[Mention, ...] = ()
    voices: tuple[Mention, ...] = ()
    subject: str = ""
    asked: Reading | None = None


def turns_before(history: Sequence[Exchange], before: Sequence[str], background: Background) -> list[str]:
    """The last questions of the history, and those `before` this one in the same text, each `completed`."""
    turns: list[str] = []
    for text in (*(turn.question for turn in history[-_MOST_TURNS:]), *before):
        turns.append(completed(clean(text), turns, background))
    return turns


def completed(text: str, turns: Sequence[str], background: Background) -> str:
    """A question with the recording that it names only beside the turns before.

    "And 42?" after "sum up episode 41" is "and episode 42?"; "the one before" is the one before that."""
    linked = read(text, background).linked
    bare = [token for at, token in enumerate(linked.tokens) if token.word.isdigit() and at not in linked.at]
    numbered = len(bare) == 1 and all(token in bare for token in own_words(linked))
    span = None if numbered else _place_in_order(linked)
    if not numbered and not span:
        return text
    earlier = (mention for turn in reversed(turns) for mention in read(turn, background).linked.mentions)
    for mention in earlier:
        if mention.field != "recording":
            continue
        if span and len(mention.values) == 1:
            title = _neighbour(mention.values[0], linked, background.catalog)
            first, last = span
            return f"{text[:first]}{title}{text[last:]}" if title else text
        if numbered and len(re.findall(r"\d+", mention.said)) == 1:
            named = text[: bare[0].begin] + re.sub(r"\d+", bare[0].text, mention.said) + text[bare[0].end :]
            found = read(named, background).linked  # or it says that no recording has that number
            return named if found.unknown or any(m.field == "recording" for m in found.mentions) else text
    return text


def _place_in_order(linked: Linked) -> tuple[int, int] | None:
    """Where a question names a recording by its place beside another: "the one before", "le suivant"."""
    sets, said = lexicon().sets, [token.word for token in linked.tokens]
    order, nouns = sets["earlier"] | sets["later"], sets["ones"] | sets["recordings"]
    at = next((n for n, word in enumerate(said) if word in order and n not in linked.at), None)
    if at is None or not order.union(nouns).issuperset(words(subject_of(linked))):
        return None
    first, last = at, at
    while first and said[first - 1] in nouns | sets["articles"]:
        first -= 1
    while last + 1 < len(said) and said[last + 1] in nouns | sets["pronouns"]:
        last += 1
    named = nouns.union(sets["articles"]).intersection(said[first : last + 1])
    return (linked.tokens[first].begin, linked.tokens[last].end) if named else None


def _neighbour(name: str, linked: Linked, catalog: CatalogIndex) -> str:
    """The title of the recording of the same series before or after one; empty where there is none."""

    def series(recording: Recording) -> str:
        return (
            recording.details.attributes.get("show")
            or re.split(r"\d", recording.title, maxsplit=1)[0].casefold()
        )

    def place(recording: Recording) -> tuple[str, list[int]]:
        return recording.details.date or "", [int(n) for n in re.findall(r"\d{1,9}", recording.title)]

    same = sorted((r for r in catalog.recordings if series(r) == series(catalog.by_id[name])), key=place)
    back = any(token.word in lexicon().sets["earlier"] for token in linked.tokens)
    at = same.index(catalog.by_id[name]) + (-1 if back else 1)
    return same[at].title if 0 <= at < len(same) else ""


def prior_of(
    reading: Reading, turns: Sequence[str], answer: Exchange | None, background: Background
) -> Prior:
    """What the turns before lend, where the question leans on them; `answer` is that to the last of them."""
    if not _leans(reading):
        return Prior(tuple(_recordings_cited(reading, answer, background.catalog)))
    readings = [read(text, background) for text in reversed(turns)]
    if reading.guess.kind not in _OUTERMOST:  # "which is longer?" is asked of all that was spoken of
        alone = next((at for at, turn in enumerate(readings) if not _leans(turn)), len(readings))
        readings = readings[: alone + 1]
    mentions: list[Mention] = []
    for turn in readings:
        later = {"recording", *(mention.field for mention in mentions)}
        mentions += [mention for mention in turn.linked.mentions if mention.field not in later]
    voices = next(filter(None, (turn.voices or turn.people for turn in readings)), ())
    sure = (turn for turn in readings if turn.guess.likeness >= SURE and turn.guess.kind != "followup")
    asked = next(sure, None)
    cited = _cited(answer, background.catalog) if answer else []
    mentions += _recordings_lent(reading, readings, voices, cited, background.catalog)
    whole = reading.guess.kind in ("overview", "full") and RECORDING in reading.shape
    subject = "" if whole or _has_own_subject(reading) else _subject_before(readings, reading)
    return Prior(tuple(mentions), voices, subject, asked)


def _recordings_lent(
    reading: Reading,
    turns: Sequence[Reading],
    voices: Sequence[Mention],
    cited: Sequence[Mention],
    catalog: CatalogIndex,
) -> Iterator[Mention]:
    """The recordings that the latest of these turns names, or else the answer to the last cites, as one.

    Those of a person for "his episode"; all of them where one is chosen among several."""
    named = [[m for m in turn.linked.mentions if m.field == "recording"] for turn in turns]
    lent = next(filter(None, (*named, cited)), ())
    if reading.guess.kind in _OUTERMOST:
        lent = [*cited, *(mention for of_turn in named for mention in of_turn)]
    elif RECORDING in reading.shape and reading.guess.kind == "appearances":
        lent = ()  # they are what is asked for
    elif RECORDING in reading.shape and voices and _has(reading.linked, "possessive"):
        there = (name for mention in voices for value in mention.values for name in catalog.speaking(value))
        lent = [replace(voices[0], field="recording", values=tuple(sorted(there)))]
    values = tuple(dict.fromkeys(value for mention in lent for value in mention.values))
    if len(values) > 1 or (values and reading.guess.kind not in _OUTERMOST):
        said = " / ".join(dict.fromkeys(mention.said for mention in lent))
        weak = all(mention.cited for mention in lent) and _has_own_subject(reading)
        yield Mention(-1, -1, "recording", values, said, cited=weak)


def _subject_before(turns: Sequence[Reading], reading: Reading) -> str:
    """The words of the subject that the turns before have, or else those with which the last one asks.

    "How does it work" is still about what was asked before it, and so is "and the costs?"."""
    subjects: list[str] = []
    things = lexicon().sets["pronouns"] - lexicon().sets["one_person"]
    for turn in turns:
        subjects.insert(0, subject_of(turn.linked))
        adds = _continues(turn) and not (turn.linked.mentions or _has(turn.linked, "prepositions"))
        of_thing = any(token.word in things for token in turn.linked.tokens)
        if subjects[0] and not adds and not of_thing:
            break
    asks_the_same = turns[0].guess.kind in ACTS and (reading.guess.kind in ACTS or _is_bare(reading))
    asks_nothing_more = turns[0].guess.kind in (*CATALOGUE, "overview", "full", "comparison")
    if any(subjects) or asks_the_same or asks_nothing_more:
        return " ".join(filter(None, subjects))
    return " ".join(token.text for token in own_words(turns[0].linked))  # "voted against" of "who voted ...?"


def _recordings_cited(reading: Reading, answer: Exchange | None, catalog: CatalogIndex) -> Iterator[Mention]:
    """The one recording of the answer before, for a question such as "who is the guest?" that names none; for
    "compare the calls" several."""
    named = {mention.field for mention in reading.linked.mentions}
    if answer is None or not named.issubset(PEOPLE):
        return
    kind, shape = reading.guess.kind, reading.shape
    compares = kind == "comparison" and RECORDING in shape
    of_one = kind in OF_ONE or (SUBJECT not in shape and kind in ACTS)
    if "role" in named or (reading.guess.likeness >= SURE and (compares or of_one)):
        cited = _cited(answer, catalog)
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
            if words(catalog.by_id[name].details.title or "") == phrase
            and (len(phrase) > 1 or catalog.by_id[name].title in turn.answer)  # "Freight", not "freight"
        ]
    return [Mention(-1, -1, "recording", tuple(cited), turn.question, cited=True)] if cited else []


def carried(reading: Reading, prior: Prior) -> Reading:
    """A question that goes on with the one before it, as of its kind: "And Priya?", "And in 2023?"."""
    guess = reading.guess
    if guess.kind == "companions" and not (prior.voices or reading.people):
        return replace(reading, guess=replace(guess, kind="speakers"))  # "who else?", beside nobody
    if prior.asked is None or guess.kind not in ("followup", "search"):
        return reading
    kind = prior.asked.guess.kind
    if any(mention.field == "recording" for mention in reading.linked.mentions):
        kind = _OUTERMOST.get(kind, kind)
    if not _is_bare(reading) or kind in (*OF_WORDS, *PLAIN, *COURTESY):
        return reading
    return replace(reading, guess=Guess(kind, 1.0), asked=prior.asked)


def _is_bare(reading: Reading) -> bool:
    """Whether a question only names somebody, a recording or a date: "and in 2023?"."""
    goes_on = _GOES_ON | lexicon().sets["prepositions"]
    return reading.guess.kind in ("followup", "search") and goes_on.issuperset(reading.shape)


# ---------------------------------------------------------------- whether a question leans on them


def _leans(reading: Reading) -> bool:
    """Whether a question goes on from the one before: it is shaped like one that does or begins with "and",
    has no subject and is of no kind that stands by itself, or has a pronoun where it names nobody."""
    linked, kind = reading.linked, reading.guess.kind if reading.guess.likeness >= SURE else ""
    if _continues(reading):
        return True
    fields = {mention.field for mention in linked.mentions}
    if "recording" in fields:
        return _has(linked, "one_person") and fields.isdisjoint(PEOPLE)  # "is he in episode 8?"
    if not subject_of(linked):
        of_some = kind in _OF_SOME and _PLACES.isdisjoint(reading.shape)
        return _has(linked, "pronouns") or of_some or kind not in _STANDING
    few = _has(linked, "pronouns") and not _has_own_subject(reading)
    return "speaker" not in fields and (_has(linked, "personal") or few)


def _has_own_subject(reading: Reading) -> bool:
    """Whether a question has so many words of its own that it needs none of the turns before."""
    return len(own_words(reading.linked)) >= _FEW


def _continues(reading: Reading) -> bool:
    """Whether a question is shaped like one that goes on, or begins with "and"."""
    first = reading.linked.tokens[:1]
    like_others = reading.guess.kind == "followup" and reading.guess.likeness >= SURE
    return like_others or any(token.word in lexicon().sets["continuing"] for token in first)


def _has(linked: Linked, name: str) -> bool:
    """Whether a question has a word of a class."""
    return any(token.word in lexicon().sets[name] for token in linked.tokens)
