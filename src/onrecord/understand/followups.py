"""What a question takes over from the turns before it: people and recordings to prefer, and the subject."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from onrecord.types import Exchange
from onrecord.understand.catalog import CatalogIndex, longest_at
from onrecord.understand.examples import DATE, PERSON, RECORDING, SUBJECT, WHERE, Guess
from onrecord.understand.intents import ACTS, CATALOGUE, OF_ONE, OF_WORDS, SURE, WITHOUT_SUBJECT
from onrecord.understand.lexicon import Token, lexicon, words
from onrecord.understand.mentions import Linked, Mention
from onrecord.understand.reading import PEOPLE, Background, Reading, own_words, read, subject_of

_GOES_ON = {"and", "et", "what", "how", PERSON, WHERE, DATE}
"""Signs of a question that asks nothing by itself, beside prepositions."""
_MOST_TURNS = 3
"""Turns that lend something to a question."""
_STANDING = (*WITHOUT_SUBJECT, "overview", "full")
"""Kinds of questions that name people and nothing else, and stand by themselves."""
_FEW, _FEW_BEHIND = 2, 4
"""Words of its own with which a question with a pronoun no longer leans on the one before it; if all stand
behind the pronoun."""


@dataclass(frozen=True)
class Prior:
    """What the turns before lend: mentions, latest first, whose words were asked for, words of the subject.

    `asked` is the last of them of a kind, `beside` their mentions of one value, the latest last."""

    mentions: tuple[Mention, ...] = ()
    voices: tuple[Mention, ...] = ()
    subject: str = ""
    asked: Reading | None = None
    beside: tuple[Mention, ...] = ()


def turns_before(history: Sequence[Exchange], before: Sequence[str]) -> list[str]:
    """The last questions of the history, and those `before` this one in the same text."""
    return [*(turn.question for turn in history[-_MOST_TURNS:]), *before]


def with_noun_of_number(text: str, turns: Sequence[str], background: Background) -> str:
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


def prior_of(
    reading: Reading, history: Sequence[Exchange], before: Sequence[str], background: Background
) -> Prior:
    """What the turns before lend, where the question leans on them."""
    if not _leans(reading):
        return Prior(tuple(_recordings_cited(reading, history, background.catalog)))
    turns = list(_turns_leant_on(turns_before(history, before), background))
    mentions = _newest(turns, lambda mention: mention.field)
    beside = [m for m in _newest(turns, lambda mention: mention.values) if len(m.values) == 1]
    voices = next(filter(None, map(_voices_or_people, turns)), ())
    sure = (turn for turn in turns if turn.guess.likeness >= SURE and turn.guess.kind != "followup")
    asked = next(sure, None)
    if history and not before and (_is_fragment(reading) or _points_back(reading.linked)):
        mentions += _cited(history[-1], background.catalog)
    subject = "" if _is_of_whole(reading, asked) else _subject_before(turns)
    return Prior(tuple(mentions), voices, subject, asked, tuple(beside[::-1]))


def _turns_leant_on(turns: Sequence[str], background: Background) -> Iterator[Reading]:
    """The turns before, the latest first, up to one that stands by itself."""
    for text in reversed(turns):
        reading = read(text, background)
        yield reading
        if not _leans(reading):
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
        if subjects[0] and not _refers_to_thing(turn.linked):
            break
    return " ".join(filter(None, subjects)) or _asked_for(turns[0])


def _is_fragment(reading: Reading) -> bool:
    """Whether a question only adds to the one before it, and names nothing: "and the costs?"."""
    goes_on = reading.guess.kind == "followup" or _is_continuing(reading.linked)
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
    named = {mention.field for mention in reading.linked.mentions}
    if not history or not named.issubset(PEOPLE):
        return
    kind, shape = reading.guess.kind, reading.shape
    compares = kind == "comparison" and RECORDING in shape
    whose = kind in ("overview", "full") and PERSON in shape
    of_one = kind in OF_ONE or (SUBJECT not in shape and (kind in ACTS or whose))
    if "role" in named or (reading.guess.likeness >= SURE and (compares or of_one)):
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


def carried(reading: Reading, prior: Prior) -> Reading:
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


# ---------------------------------------------------------------- whether a question leans on them


def _leans(reading: Reading) -> bool:
    """Whether a question goes on from the one before: it is shaped like one that does or begins with "and",
    has next to nothing of its own, a pronoun where it names nobody, or people or a pronoun but no subject."""
    linked, guess = reading.linked, reading.guess
    if (guess.kind == "followup" and guess.likeness >= SURE) or _is_continuing(linked):
        return True
    own = own_words(linked)
    if not own and guess.likeness < SURE:
        return True
    fields = {mention.field for mention in linked.mentions}
    if "recording" in fields:
        return False
    said, sets = {token.word for token in linked.tokens}, lexicon().sets
    person, thing = not said.isdisjoint(sets["personal"]), not said.isdisjoint(sets["pronouns"])
    if not subject_of(linked) and (thing or ("speaker" in fields and guess.kind not in _STANDING)):
        return True
    return "speaker" not in fields and (person or len(own) < _fewest(linked, own))


def _is_continuing(linked: Linked) -> bool:
    """Whether a question begins with a word that goes on from what was said before: "and the costs?"."""
    return bool(linked.tokens) and linked.tokens[0].word in lexicon().sets["continuing"]


def _fewest(linked: Linked, own: Sequence[Token]) -> int:
    """With how many words of its own a question stands by itself: more, where a pronoun comes before them."""
    things = [token.begin for token in linked.tokens if token.word in lexicon().sets["pronouns"]]
    if not things:
        return 1
    return _FEW_BEHIND if all(token.begin > things[0] for token in own) else _FEW


def _refers_to_thing(linked: Linked) -> bool:
    """Whether a question has a pronoun for what is not one person: "it", "that", "they"."""
    sets = lexicon().sets
    return any(token.word in sets["pronouns"] - sets["one_person"] for token in linked.tokens)


def _points_back(linked: Linked) -> bool:
    """Whether a question speaks of what is known from before: by a pronoun, by a word for recordings, or as
    it has no words of its own."""
    sets = lexicon().sets
    pointing = sets["personal"] | sets["pronouns"] | sets["recordings"]
    return not own_words(linked) or any(token.word in pointing for token in linked.tokens)
