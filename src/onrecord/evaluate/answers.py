"""How good an answer is, judged by what a person wrote down of it beforehand.

A refusal is a verdict of "nothing_found" or "low_relevance". An answerable question that is refused counts
as an answer without entities, points and gold, whatever was shown as the nearest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from onrecord.answer.verify import fault
from onrecord.evaluate.places import Gold
from onrecord.evaluate.questions import Asked
from onrecord.evaluate.report import Measure
from onrecord.ingest.language import sentence_spans
from onrecord.models.base import Embedder
from onrecord.retrieve.wording import stem, stems
from onrecord.stores.base import Reader
from onrecord.stores.words import fold, terms
from onrecord.types import Answer, Citation, Passage

MEASURES = (
    Measure("right", "rightly answered or refused", "answered"),
    Measure("citation_accuracy", "citations that are gold", "answered"),
    Measure("hit", "answers with a gold citation", "answered"),
    Measure("entity_coverage", "entities named", "answered"),
    Measure("completeness", "points made, by words", "answered"),
    Measure("completeness_meaning", "points made, by meaning", "answered"),
    Measure("rejection", "unanswerable refused", "answered"),
    Measure("wrong_refusal", "answerable refused", "answered", higher=False),
    Measure("repeated", "answers that cite what was rejected", "answered", higher=False),
    Measure("unsupported", "sentences without support", "answered", higher=False),
    Measure("withheld", "sentences written and withheld", "answered", higher=False),
)

REFUSALS = ("nothing_found", "low_relevance")
WORDS_SHARE = 0.75
"""A point is made, by words, where at least this share of its words occur, and all of its figures."""
WINDOWS = (6, 12)
"""A point is made, by meaning, where it is as near to so many words of the answer as the model's calibration
calls sure. Of the points that an answer makes word for word, 94 % are, on the built-in suite; of those of
other questions 3 %. Whole sentences are too long for points: 34 % at the same threshold."""

_MARK = re.compile(r"\[(?:Source )?(\d+)\]")
_AFTER = re.compile(r"""([.!?…]["'”’»)]*)((?:\s*\[(?:Source )?\d+\])+)""")
"""Marks that stand after the end of their sentence."""
_FIGURES = frozenset(
    stem(word)
    for word in terms(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred "
        "thousand million billion half third quarter tenth un deux trois quatre cinq sept huit neuf dix onze "
        "douze treize quatorze quinze seize vingt trente quarante cinquante soixante cent mille milliard "
        "moitié tiers"
    )
)


@dataclass(frozen=True, slots=True)
class Examiner:
    """Judges answers. `store` is the archive's; without an `embedder` nothing is judged by meaning."""

    store: Reader
    embedder: Embedder | None = None

    def values(self, answer: Answer, asked: Asked, gold: Gold, wrong: Gold | None = None) -> dict[str, float]:
        """The value of every measure that says something about this question."""
        refused = answer.verdict in REFUSALS
        repeated = _repeated(answer, wrong) if wrong and wrong.places else {}
        if repeated and not (gold.places or asked.entities or asked.points):
            return {**repeated, **self._unsupported(answer)}  # whether there is an answer is not known
        if asked.unanswerable:
            return {"right": float(refused), "rejection": float(refused), **self._unsupported(answer)}
        values = {"wrong_refusal": float(refused), **repeated, **self._unsupported(answer)}
        if gold.places:
            shares = [] if refused else [gold.holds(c) for c in answer.citations]
            values["hit"] = values["right"] = float(any(shares))
            if shares:
                values["citation_accuracy"] = sum(shares) / len(shares)
        text = "" if refused else answer.text
        if asked.entities:
            values["entity_coverage"] = _share(
                [_named(e, _with_sources(answer, text)) for e in asked.entities]
            )
        if asked.points:
            values["completeness"] = _share([_worded(point, text) for point in asked.points])
        if asked.points and self.embedder:
            values["completeness_meaning"] = _share(self._hints(asked.points, text, self.embedder))
        return values

    def _hints(self, points: Sequence[tuple[str, ...]], text: str, embedder: Embedder) -> list[bool]:
        """Which points a text makes by meaning."""
        said = _windows(text)
        if not said:
            return [False] * len(points)
        vectors = embedder.embed([*said, *(way for point in points for way in point)])
        near = iter((vectors[len(said) :] @ vectors[: len(said)].T).max(axis=1) >= embedder.calibration.sure)
        return [any(list(islice(near, len(point)))) for point in points]

    def _unsupported(self, answer: Answer) -> dict[str, float]:
        """Of the sentences shown, the share that is marked as doubtful, cites what is not there, or cites a
        quote which does not stand in the transcript; of those written by a model, the share withheld."""
        sentences = _sentences(answer.text)
        bare = {_bare(sentence) for sentence in sentences}
        withheld = sum(_bare(sentence) not in bare for sentence in answer.unsupported)
        values = {"withheld": withheld / (withheld + len(sentences))} if answer.calls and sentences else {}
        if sentences:
            sound = {c.number for c in answer.citations if not fault(c, self._stored(c))}
            wrong = [not sound.issuperset(map(int, _MARK.findall(sentence))) for sentence in sentences]
            values["unsupported"] = sum(wrong) / len(wrong)
        return values

    def _stored(self, citation: Citation) -> list[Passage]:
        return self.store.passages([passage.row for passage in citation.passages])


def _repeated(answer: Answer, wrong: Gold) -> dict[str, float]:
    """Whether an answer cites again what somebody did not want."""
    shown = answer.verdict not in REFUSALS
    return {"repeated": float(shown and any(map(wrong.holds, answer.citations)))}


def _named(entity: tuple[str, ...], text: str) -> bool:
    """Whether a text holds an entity by one of its names, as whole words, whatever case and accents."""
    said = f" {_bare(text)} "
    return any(f" {_bare(name)} " in said for name in entity)


def _bare(text: str) -> str:
    """The words alone, without marks, in lower case and without accents, parted by single spaces."""
    return " ".join(re.findall(r"\w+", fold(_MARK.sub("", text))))


def _worded(point: tuple[str, ...], text: str) -> bool:
    said = stems(text)
    return any(_holds(stems(way), said) for way in point)


def _holds(wanted: frozenset[str], said: frozenset[str]) -> bool:
    figures = {word for word in wanted if word in _FIGURES or word.isdecimal()}
    return bool(wanted) and figures <= said and len(wanted & said) >= WORDS_SHARE * len(wanted)


def _with_sources(answer: Answer, text: str) -> str:
    return "\n".join([text, *(c.source for c in answer.citations)]) if text else ""


def _sentences(text: str) -> list[str]:
    """The sentences of an answer's text, each with its marks before its full stop; [?] becomes [0]."""
    text = _AFTER.sub(r"\2\1", text.replace("[?]", "[0]"))
    found = [line[a:b] for line in text.splitlines() for a, b in sentence_spans(line)]
    return [sentence for sentence in found if _bare(sentence)]


def _windows(text: str) -> list[str]:
    """Stretches of words that overlap by half, line by line, without marks."""
    found: dict[str, None] = {}
    for line in text.splitlines():
        words = _MARK.sub("", line).split()
        for size in WINDOWS:
            begins = range(0, max(1, len(words) - size // 2), size // 2)
            found.update((" ".join(words[at : at + size]), None) for at in begins if words)
    return list(found)


def _share(found: Sequence[bool]) -> float:
    return float(np.mean(found))
