"""How often, and when first or last, something is said, where a question asks that: counted over all that is
in scope, not guessed from what was found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from onrecord.retrieve.plan.asked import low
from onrecord.retrieve.plan.facts.place import MOST, plain
from onrecord.retrieve.plan.facts.words import told_in
from onrecord.retrieve.plan.follow import subject_words
from onrecord.retrieve.plan.notes import Notes
from onrecord.retrieve.plan.reading import Background
from onrecord.retrieve.wording import inflected, stem, stems
from onrecord.stores.words import fold, terms
from onrecord.types import Fact, Filter, Line, Passage, Recording, Scope, clock

if TYPE_CHECKING:
    from onrecord.types import Rows

_HOW = re.compile(
    r"\b(?:(?P<often>how (?:often|frequently|many times)|combien de fois|a quelle frequence)|"
    r"(?P<first>(?:for the )?first(?: time)?|(?:pour )?la premiere fois)|"
    r"(?P<last>(?:for the )?last(?: time)?|most recently|(?:pour )?la derniere fois))\b"
)
_WHICH = re.compile(r"^(?:when|where|who|(?:in )?which \w+|quand|ou|qui|dans quel\w* \w+)\b")
"""What begins a question for the first or the last place."""
_SAID = re.compile(
    r"\b(?:mention\w*|sa(?:y|ys|id)|talk\w*|speaks?|spoken?|discuss\w*|named?|c[oa]mes? up|brought up|used|"
    r"utter\w*|dit|dire|disent|parle\w*|evoqu\w+|utilis\w+|cite\w*)\b"
)
_SAYS = r"(?:mention\w*|sa(?:y|id)|talk\w*|speak|spoken?|discuss\w*|bring up|use|utter\w*|name)\b"
_DOER = re.compile(
    rf"\b(?:did|does|do|has|have|had) +(?P<who>[^?]+?)(?<! get)(?<! been)(?<! be) +{_SAYS}|"
    r"\bby +(?P<by>[^?.!]+)|"
    r"\b(?:fois|quand) +(?P<qui>(?:(?! est | sont | ete )[^?])+?) "
    r"(?:parle|mentionne|evoque|cite|di)(?:nt|t|sent)?(?:-t)?\b"
)
"""Who says it, where a question tells."""
_ANYBODY = frozenset("people anybody anyone everybody everyone somebody someone gens".split())
_BY_WHOM = re.compile(
    r"(?:,? ?\b(?:and|et),? )?\b(?:by (?:whom|who|which (?:speakers?|people))|par qui)\b(?: else)?:? ?"
)
_MOST_READ = 400
"""Passages in which it is looked up who says it."""
_A_WORD = frozenset("word words term terms phrase mot mots terme termes".split())


@dataclass(frozen=True, slots=True)
class Tally:
    """What is to be counted: the passages in which all of `words` are said, with whatever ending. `which` is
    "often", "first" or "last"; `said` are the words as they are told and searched for; `by_whom` tells
    whether it is asked who says them."""

    words: tuple[str, ...]
    which: str
    said: str
    by_whom: bool = False

    def told(self, scope: Scope, against: Background) -> Fact:
        """What there is to say of it; what is said about it may be asked for as well."""
        line = against.reader.line(scope)
        heard = self._heard(line, against)
        rising = line.recordings[heard]
        numbers = rising[np.diff(rising, prepend=-1) > 0]
        if self.which == "often" or not len(heard):
            told = against.notes.counted(self.said, len(heard), len(numbers))
            voices = self._voices(line.rows[heard], against) if self.by_whom else ()
            return Fact(told, voices, whole=False)
        recordings = [against.reader.recording(line.names[number]) for number in numbers.tolist()]
        at = self._outermost(recordings)
        if at is None:
            return Fact(against.notes.undated(self.said, len(numbers)), whole=False)
        within = heard[line.recordings[heard] == numbers[at]]
        passage = against.reader.passages([int(line.rows[within[-1 if self.which == "last" else 0]])])[0]
        return self._placed(passage, recordings[at], against.notes)

    def _heard(self, line: Line, against: Background) -> Rows:
        """Where on the line all words are said. Passages are also found by who speaks in them, which does not
        count."""
        heard = np.ones(len(line), bool)
        for word in self.words:
            heard &= against.reader.keyword([word, *inflected(word)], line) > 0
        found = np.flatnonzero(heard)
        if against.known.by_name_word.keys().isdisjoint(self.words):
            return found
        passages = against.reader.passages(line.rows[found])
        said = [stems(passage.text).issuperset(map(stem, self.words)) for passage in passages]
        return np.compress(said, found)

    def _voices(self, rows: Rows, against: Background) -> tuple[str, ...]:
        """Who says the words, and in how many passages, most first."""
        if len(rows) > _MOST_READ:
            return (against.notes.uncounted(len(rows)),)
        names = against.known.names
        counts: Counter[str] = Counter()
        for passage in against.reader.passages(rows):
            labels = (passage.speaker_at(offset) or "" for offset in self._offsets(passage.text))
            counts.update({names.get(label, label) for label in labels})
        unknown = counts.pop("", 0)
        told = told_in(against.language)
        lines = [against.notes.said_by(plain(name), count) for name, count in counts.most_common(MOST)]
        lines += [told.more(len(counts) - MOST)] if len(counts) > MOST else []
        return (*lines, *([against.notes.said_by("", unknown)] if unknown else []))

    def _offsets(self, text: str) -> list[int]:
        """Where the first of the words stands in a passage; its beginning where only other forms of it do."""
        words = re.finditer(r"\w+", text)
        return [found.start() for found in words if stem(fold(found[0])) == stem(self.words[0])] or [0]

    def _outermost(self, recordings: Sequence[Recording | None]) -> int | None:
        """Which of them is the first or the last; None where that cannot be known."""
        dates = [found.details.date if found else None for found in recordings]
        if len(dates) > 1 and not all(dates):
            return None
        end = max if self.which == "last" else min
        return end(range(len(dates)), key=lambda number: dates[number] or "")

    def _placed(self, passage: Passage, recording: Recording | None, notes: Notes) -> Fact:
        """Where it is said, by whom and when."""
        offset = self._offsets(passage.text)[0]
        second = passage.time_at(offset)
        place = plain(recording.title if recording else passage.recording)
        dated = f"{place} ({recording.details.date})" if recording and recording.details.date else place
        where = dated if second is None else f"{dated}, {clock(second)}"
        speaker = plain(passage.speaker_at(offset) or "")
        text = notes.placed(self.said, self.which, speaker, where)
        at = passage.recording, passage.position, offset
        return Fact(text, recordings=(passage.recording,), place=at, whole=False)


def tally(text: str, filters: Sequence[Filter]) -> Tally | None:
    """What a question wants counted, without the words of its filters; None where it wants something else, or
    what somebody says who is in no filter: "how often did the CFO say churn?" is not of "CFO churn"."""
    by_whom = _BY_WHOM.search(low(text))
    text = text[: by_whom.start()] + " " + text[by_whom.end() :] if by_whom else text
    plain = low(text).strip()
    found = _HOW.search(plain)
    if not found or not (found["often"] or _WHICH.match(plain)):
        return None
    rest = plain[: found.start()] + plain[found.end() :]
    others = _A_WORD.union(*(terms(filter_.said) for filter_ in filters))
    who = _doers(plain)
    others |= who & _ANYBODY
    words = [word for word in dict.fromkeys(subject_words(_SAID.sub(" ", rest))) if word not in others]
    if not words or not _SAID.search(rest) or not who <= others:
        return None
    said = " ".join(_as_written(word, text) for word in words)
    return Tally(tuple(words), str(found.lastgroup), said, by_whom is not None)


def _doers(plain: str) -> set[str]:
    """The words for whoever says it."""
    found = _DOER.search(plain)
    return {*subject_words(_HOW.sub(" ", found[str(found.lastgroup)]))} if found else set()


def _as_written(word: str, text: str) -> str:
    """A term as a question writes it: "mairie", and not "mairy"."""
    written = (found[0].lower() for found in re.finditer(r"\w+", text))
    return next((each for each in written if terms(each) == [word]), word)
