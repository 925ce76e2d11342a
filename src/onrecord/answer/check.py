"""The probability that sources support a sentence, from its words, without a language model.

It is a logistic regression on six signs. It was fitted on one half of the documents of two sets that people
labeled (SummEdits, WiCE) and measured on the other half: `benchmarks/claims.py`, figures in docs/answers.md.
Cosines of sentence vectors and alignments of token vectors were tried as further signs, and added nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import exp

from onrecord.answer.claims import strange_figures, strange_names
from onrecord.answer.clauses import Spoken, content_roots
from onrecord.answer.context import Source
from onrecord.answer.figures import TextContent, content_of, merged
from onrecord.answer.grounds import Ground
from onrecord.answer.opposites import denials, is_contrary, root
from onrecord.answer.quotes import Quote
from onrecord.answer.talk import sentences_adjoin
from onrecord.retrieve.quantities import tokens
from onrecord.retrieve.sentences import Sentence, is_question, sentences
from onrecord.retrieve.wording import small_names
from onrecord.stores.words import terms

SUPPORTED = 0.5
"""The least probability of support with which a sentence stands."""
DOUBTFUL = 0.4
"""The probability of support below which a sentence falls. Between the two, it is in doubt."""
_LONGEST = 60  # the most words of a quote of two sentences
_EDGES = ' .!?…"“”'
_ASKED = 0.5  # the factor on the score of a quote that is a question

# Weights of (1, said, together, figures, names, negated, contrary).
_WEIGHTS = (-1.30, 2.00, 1.84, -3.39, -1.70, -0.65, -1.63)


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs that sentences support a claim.

    `said` is the share, in 0..1, of the claim's content words that are said at all. `together` is the largest
    share that two consecutive texts have: two sentences of one recording, or the best two sentences of each
    of two sources. The others are true or false: `figures` and `names`: the claim has some that nobody said;
    `negated`: the claim denies something where these two texts do not; `contrary`: the claim has the opposite
    of a word of theirs.
    """

    said: float
    together: float
    figures: bool
    names: bool
    negated: bool
    contrary: bool

    @property
    def probability(self) -> float:
        """The probability, in 0..1, that the claim is supported, given a prior of one half."""
        values = (1.0, self.said, self.together, self.figures, self.names, self.negated, self.contrary)
        return 1 / (1 + exp(-sum(w * value for w, value in zip(_WEIGHTS, values, strict=True))))


def signs(claim: str, said: Sequence[str], content: TextContent | None = None) -> Signs:
    """Return the signs of a claim in consecutive texts, each of one sentence or more.

    Figures and names may be any that `content` has, by default those of the sentences.
    """
    words, heard = content_stems(claim), [content_stems(sentence) for sentence in said]
    best = max(range(len(said)), key=lambda at: len(words & _pair(heard, at)), default=0)
    near = " ".join(said[best : best + 2])
    content = content_of(said) if content is None else content
    stated_roots, near_roots = ({root(term) for term in terms(text)} for text in (claim, near))
    return Signs(
        said=len(words & set().union(*heard)) / max(1, len(words)),
        together=len(words & _pair(heard, best)) / max(1, len(words)),
        figures=bool(strange_figures(claim, content)),
        names=bool(strange_names(claim, content)),
        negated=_says_no(claim) and not _says_no(near),
        contrary=is_contrary(stated_roots, near_roots),
    )


@lru_cache(maxsize=1 << 12)
def content_stems(text: str) -> frozenset[str]:
    """Return the stems of a text's content words, and its figures by value."""
    return content_roots(tokens(text)) | small_names(text)


def _pair(heard: Sequence[frozenset[str]], at: int) -> frozenset[str]:
    return frozenset[str]().union(*heard[at : at + 2])


def _says_no(text: str) -> bool:
    return bool(denials(tokens(text)))


# ---------------------------------------------------------------- against sources


@dataclass(frozen=True, slots=True)
class Support:
    """The probability, in 0..1, that sources support a sentence, and the supporting quote of each source.

    `quotes` are keyed by source number, best first.
    """

    probability: float
    quotes: Mapping[int, Quote]

    @property
    def verdict(self) -> str:
        """The verdict: "stands", "doubtful" or "falls"."""
        if self.probability >= SUPPORTED:
            return "stands"
        return "doubtful" if self.probability >= DOUBTFUL else "falls"


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence of a source and its stems."""

    sentence: Sentence
    stems: frozenset[str]


class Checker:
    """A judge of sentences against the sources of one answer."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = {source.number: source for source in sources}
        self._read: dict[int, list[_Said]] = {}
        self._bare: dict[int, frozenset[str]] = {}
        self._grounds: dict[tuple[tuple[int, ...], frozenset[str]], Ground] = {}

    def doubts(
        self, text: str, numbers: Sequence[int] = (), exempt: frozenset[str] = frozenset()
    ) -> list[str]:
        """Return which parts of a sentence the numbered sources state differently.

        Without numbers, all sources are read. See `onrecord.answer.grounds`.
        """
        cited = tuple(numbers) or tuple(self._sources)
        if any(_bare(text) in self._stated(number) for number in cited):
            return []  # a whole sentence; of a part, the sentence may deny it
        if (cited, exempt) not in self._grounds:
            sentences = [one.sentence for number in cited for one in self._said(number)]
            spoken = [Spoken(sentence.text, sentence.speaker or "") for sentence in sentences]
            titles = (terms(self._sources[number].recording.title) for number in cited)
            self._grounds[cited, exempt] = Ground(spoken, exempt.union(*titles))
        return self._grounds[cited, exempt].doubts(text)

    def _stated(self, number: int) -> frozenset[str]:
        """Return the sentences of a source that are no questions, without the marks around them."""
        if number not in self._bare:
            texts = (one.sentence.text for one in self._said(number))
            self._bare[number] = frozenset(_bare(text) for text in texts if not is_question(text))
        return self._bare[number]

    def support(self, text: str, numbers: Sequence[int] = ()) -> Support:
        """Return how well the numbered sources together support a sentence.

        Without numbers, the best one of all sources counts alone.
        """
        words = content_stems(text)
        spoken = [number for number in numbers or self._sources if self._said(number)]
        quotes = {number: self._quote(number, words) for number in spoken}
        best = sorted(quotes, key=lambda number: -quotes[number].score)
        read = spoken if numbers else best[:1]
        # Of each source take the two consecutive sentences that have most of the words. Together they also
        # cover a claim of which each source says only a part.
        said: list[str] = []
        for number in read:
            heard = [one.stems for one in self._said(number)]
            at = max(range(len(heard)), key=lambda at: len(words & _pair(heard, at)))
            said.append(" ".join(one.sentence.text for one in self._said(number)[at : at + 2]))
        content = merged(self._sources[number].content for number in read)
        return Support(signs(text, said, content).probability, {number: quotes[number] for number in best})

    def _said(self, number: int) -> list[_Said]:
        if number not in self._read:
            source = self._sources[number]
            language = source.recording.details.language
            in_source = (s for passage in source.passages for s in sentences(passage, language))
            self._read[number] = [_Said(sentence, content_stems(sentence.text)) for sentence in in_source]
        return self._read[number]

    def _quote(self, number: int, words: frozenset[str]) -> Quote:
        """Return the source's best quote for some words: one sentence, or two that a speaker says in a row.

        If the source has none of the words, prefer its best passage.
        """
        said = self._said(number)
        moment = self._sources[number].moment
        best = moment.passages[moment.peak].position
        candidates: list[tuple[_Said, ...]] = [(one,) for one in said]
        for pair in pairwise(said):
            first, second = (one.sentence for one in pair)
            short = first.words + second.words <= _LONGEST
            if short and first.speaker == second.speaker and sentences_adjoin(first, second):
                candidates.append(pair)
        quotes = (_scored(candidate, words) for candidate in candidates)
        return max(quotes, key=lambda quote: (quote.score, quote.passages[0].position == best))


def _bare(text: str) -> str:
    """Return the words of a sentence without the marks around them."""
    return " ".join(text.strip(_EDGES).split())


def _scored(candidate: tuple[_Said, ...], words: frozenset[str]) -> Quote:
    """Return a quote whose score is the share of the words that it has.

    A pair of sentences has to have more of the words than one sentence alone. A question scores less.
    """
    heard = frozenset().union(*(one.stems for one in candidate))
    words_said = max(0.0, len(words & heard) - 0.5 * (len(candidate) - 1))
    asked = is_question(candidate[-1].sentence.text)
    score = words_said / max(1, len(words)) * (_ASKED if asked else 1.0)
    return Quote(tuple(one.sentence for one in candidate), score, 0)
