"""The quotes of an outline of a whole recording: those that together cover what is said most often."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from onrecord.answer.quotes import Quote, QuoteSelection
from onrecord.answer.talk import Talk
from onrecord.ingest.sections.judge import count_specifics
from onrecord.retrieve.coverage import by_coverage, stem_weights
from onrecord.retrieve.read_acts import read_for
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import stems

if TYPE_CHECKING:
    from onrecord.types import Scores

_SPAN = (20, 60)
"""The least and the most words of a quote in an outline of a whole recording."""
_LEANING = 0.4
"""The factor on the worth of a quote that depends on the sentence before it, or breaks off."""
_LEAST_ADDED = 0.15
"""The least share of the first quote's added coverage that every further quote has to add."""
_PLAIN = 1.0
"""The worth of a sentence that is no main point; a certain main point is worth 1 more."""
_SPECIFIC, _MOST_SPECIFIC = 0.1, 5
"""The worth that each figure or name adds to a quote, and the most figures and names that count."""


def typical_quotes(talk: Talk, most: int, words: int, tools: Tools) -> QuoteSelection:
    """Choose quotes that together cover what is said most often.

    Choose at most `most` quotes with at most `words` words in all. If there is a reader, sentences that it
    takes for main points count for more, and asides for less.
    """
    texts = [stems(sentence.text) for sentence in talk.sentences]
    spans = list(_spans(talk)) or [range(at, at + 1) for at in range(len(texts))]
    of_spans = [frozenset().union(*texts[span.start : span.stop]) for span in spans]
    sizes = [sum([talk.sentences[at].words for at in span]) for span in spans]
    main, aside = (_chances(act, talk, tools) for act in ("key", "aside"))
    worth = [
        _worth(span, size, talk)
        * (_PLAIN + float(main[span.start : span.stop].max()))
        * (1 - float(aside[span.start : span.stop].mean()))
        for span, size in zip(spans, sizes, strict=True)
    ]
    chosen, taken = QuoteSelection(), set[int]()
    passages = {id(sentence.passage): sentence.passage for sentence in talk.sentences}
    weights = stem_weights([stems(passage.text) for passage in passages.values()])
    for number in by_coverage(of_spans, sizes, worth, weights, _LEAST_ADDED):
        span = spans[number]
        if sizes[number] > words or not taken.isdisjoint(span):
            continue
        taken.update(span)
        words -= sizes[number]
        sentences = tuple(talk.sentences[span.start : span.stop])
        chosen.quotes.append(Quote(sentences, 1 / (1 + len(chosen.quotes)), talk.ranks[span.start]))
        if len(chosen.quotes) == most:
            break
    return chosen


def _chances(act: str, talk: Talk, tools: Tools) -> Scores:
    """Return each sentence's probability of performing an act, shape (sentences,); 0 if unread."""
    read = read_for(act, talk.sentences, tools).chances
    return np.array([read.get((s.passage.row, s.begin), 0.0) for s in talk.sentences], np.float32)


def _worth(span: range, words: int, talk: Talk) -> float:
    """Return the factor on a quote's coverage.

    Figures and names raise it. It is lower for a quote that depends on the sentence before it, breaks off, or
    is short, such as "The next question is from Ann Bell.".
    """
    specific = sum([count_specifics(talk.sentences[at].text) for at in span])
    complete = _LEANING ** sum(talk.needs(span))
    return (1 + _SPECIFIC * min(specific, _MOST_SPECIFIC)) * complete * min(1.0, words / _SPAN[0]) ** 2


def _spans(talk: Talk) -> Iterator[range]:
    """Yield all runs of sentences of one speaker that can be read alone and do not end in a question.

    A run can be read alone if it is long enough or is a whole speaker turn.
    """
    least, most = _SPAN
    for turn in _turns(talk) if talk.sentences else ():
        for begin in turn:
            words = 0
            for at in range(begin, turn.stop):
                words += talk.sentences[at].words
                if words > most:
                    break
                whole = begin == turn.start and at == turn.stop - 1 and not talk.empty[turn].all()
                if (words >= least or whole) and not talk.asking[at]:
                    yield range(begin, at + 1)


def _turns(talk: Talk) -> Iterator[range]:
    """Yield the unbroken runs of sentences of one speaker."""
    begin = 0
    for at in range(1, len(talk.sentences) + 1):
        goes_on = at < len(talk.sentences) and talk.runs[at] == talk.runs[begin]
        if not goes_on or talk.sentences[at].speaker != talk.sentences[begin].speaker:
            yield range(begin, at)
            begin = at
