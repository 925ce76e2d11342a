"""The answer without a language model: verbatim quotes with speaker, recording and time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from onrecord.answer import judging, quoted_acts
from onrecord.answer.confidence import (
    ANSWERED,
    LIKELY,
    NOTHING,
    SURE,
    UNREAD,
    confidence,
    confidence_by_reading,
    verdict_for,
)
from onrecord.answer.judging import FEW, Judged, QuoteChooser, subject_asked
from onrecord.answer.outline import typical_quotes
from onrecord.answer.paragraphs import (
    Side,
    heading_for,
    labels_for,
    language_searched,
    nothing_on,
    quoted,
    quotes_of_named,
    remarks,
    sides_of,
    sides_quoted,
)
from onrecord.answer.quotes import Quote, QuoteSelection, by_recording, cite_all, in_speaking_order
from onrecord.answer.talk import Talk
from onrecord.errors import ModelError
from onrecord.retrieve.candidates.acts import ActMatcher
from onrecord.retrieve.candidates.sections import UNSUMMARIZED_KINDS, paths, titles_of_kinds
from onrecord.retrieve.candidates.whole import asks_for_all
from onrecord.retrieve.moments.order import by_rank
from onrecord.retrieve.read_acts import in_readers_language
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import Wording, stems, wording
from onrecord.types import REFUSALS, Answer, Citation, Evidence, PassageTimeline, one_line
from onrecord.understand.lexicon import Messages, messages_in, plain

_NEAREST = 3
"""The number of quotes to show if no quote is an answer."""
_INSTEAD = 5
"""The number of quotes of the outline that is shown when no sentence performs the act."""
_OF_SOMETHING = 0.55
"""The least score of a quote in an outline about a subject, relative to the best sentence."""
_PARTS = 60
"""The most moments from which an outline is made."""
_SURE_OF_ONE, _SURE_OF_SEVERAL = 0.8, 0.5
"""The confidence of an outline of the only recording in scope, and of one of several recordings."""


@dataclass(frozen=True, slots=True)
class _Basis:
    """The material from which an answer is made.

    It holds the evidence, best moment first; the question's words, weighted on the timeline of all passages
    in scope; the path of each section, by recording and title; and the messages of a language.
    """

    evidence: Evidence
    words: Wording
    timeline: PassageTimeline
    section_paths: Mapping[tuple[str, str], str]
    tools: Tools
    messages: Messages

    def cite(self, quotes: Sequence[Quote], sure: float) -> tuple[Citation, ...]:
        """Return citations for the quotes that stand in the store as it is now."""
        return cite_all(quotes, sure, self.section_paths, self.tools.store)


@dataclass(frozen=True, slots=True)
class _Choice:
    """Quotes to show, in reading order, with their verdict and confidence; `read` if a reader judged them."""

    verdict: str
    quotes: Sequence[Quote]
    sure: float
    read: bool = False


@dataclass(frozen=True, slots=True)
class Extractive:
    """A writer of answers from the best sentences of the best moments, verbatim, grouped by recording.

    `quotes` and `words` are the most that is shown. The sentences are judged by the reader, if there is one,
    or by their scores. With a reader, the quotes count as an answer from the confidence `answered` on. An
    `outline` has one quote of each moment, in speaking order, under the titles of their sections. The sides
    of a comparison have equal shares, one after the other. An outline of the `whole` covers all evidence,
    whatever the question is about. Without `whole`, an outline covers all evidence only if the question asks
    for all of it.
    """

    quotes: int = 5
    words: int = 220
    outline: bool = False
    answered: float = 0.5
    whole: bool = False

    def sharing(self, questions: int) -> Extractive:
        """Return a copy with an equal share of the quotes and words, for one question or side of several."""
        return replace(self, quotes=-(-self.quotes // questions), words=-(-self.words // questions))

    def answer(self, evidence: Evidence, tools: Tools, language: str | None = "en") -> Answer:
        """Return an answer whose quotes are all checked against the store as it is now.

        `Answer.verdict` says how well it answers. Fixed phrases are in `language` (see `data/messages.yaml`).
        """
        messages, scope = messages_in(language), evidence.question.scope
        timeline = evidence.curve.timeline if evidence.curve else tools.store.timeline(scope)
        if not len(timeline):
            empty = messages.say("empty_scope" if scope else "empty_archive")
            return Answer(evidence.question.text, empty, "", "nothing_found", (), evidence)
        ranked = evidence.with_moments(by_rank(evidence.moments))
        words = wording(subject_asked(ranked), timeline, tools.store, FEW)
        recordings = dict.fromkeys([moment.recording for moment in ranked.moments])
        section_paths = {
            (name, title): path
            for name in recordings
            for title, path in paths(tools.store.sections(name)).items()
        }
        basis = _Basis(ranked, words, timeline, section_paths, tools, messages)
        act = ActMatcher.of(ranked.plan, tools) if ranked.plan and ranked.plan.act else None
        if act and quoted_acts.asks_only_for_act(ranked):
            answer = self._of_act(basis, act)
        else:
            answer = self._of_moments(basis)
            if act and answer.verdict in ("answered", "low_relevance"):
                answer = self._with_act(answer, basis, act)
        if ranked.plan and ranked.plan.unmet_date and answer.verdict == "answered":
            answer = self._doubted(answer, ANSWERED / 2, basis)  # no recording has the date asked for
        passages = [passage for moment in evidence.moments for passage in moment.passages if passage.section]
        sections = [section_paths.get((p.recording, p.section or ""), p.section or "") for p in passages]
        return replace(answer, evidence=evidence, sections=tuple(dict.fromkeys(map(one_line, sections))))

    def _heading(self, verdict: str, sure: float, citations: Sequence[Citation], basis: _Basis) -> str:
        whole = self._outlines_all(basis.evidence)
        return heading_for(verdict, sure, whole, citations, basis.timeline, basis.messages)

    def _doubted(self, answer: Answer, most: float, basis: _Basis) -> Answer:
        """Return the answer with a confidence of at most `most`, and the verdict that follows from it."""
        sure = min(answer.confidence, most)
        verdict = "low_relevance" if most < ANSWERED else answer.verdict
        heading = self._heading(verdict, sure, answer.citations, basis)
        return replace(answer, heading=heading, verdict=verdict, confidence=sure, measured=False)

    # ---------------------------------------------------------------- by subject

    def _of_moments(self, basis: _Basis) -> Answer:
        """Return the answer from the moments that match the question's subject."""
        evidence, timeline, tools, messages = basis.evidence, basis.timeline, basis.tools, basis.messages
        sides = sides_of(evidence, timeline, tools.store)
        confidences = [self._confidence(side.own, side.words, timeline, tools) for side in sides]
        answered_sides = _answered(sides, confidences)
        if answered_sides:
            choice = _Choice("answered", self._of_sides(answered_sides, tools), max(confidences))
        else:
            most = max(confidences) if any(side.people for side in sides) else 1.0
            choice = self._choose(basis, most)
        doubted = choice.verdict in REFUSALS
        spoken = language_searched(evidence, tools) if doubted else None
        if spoken and not choice.quotes:  # what is not said in these words may be said in others
            nearest = self._by_score(evidence, basis.words, QuoteChooser(self.quotes, self.words), tools)
            choice = _Choice("low_relevance", in_speaking_order(nearest.quotes[:_NEAREST]), choice.sure)
        citations = basis.cite(choice.quotes, choice.sure)
        verdict = choice.verdict if citations else "nothing_found"
        is_of_all = self._outlines_all(evidence)
        labels = labels_for(citations, answered_sides, self.outline)
        body = quoted(citations, verdict, messages, labels)
        answer = Answer(
            question=evidence.question.text,
            heading=heading_for(verdict, choice.sure, is_of_all, citations, timeline, messages, spoken),
            text="\n\n".join((body, *map(plain, nothing_on(sides, answered_sides, messages)))),
            verdict=verdict,
            citations=citations,
            evidence=evidence,
            confidence=choice.sure,
            measured=choice.read and not sides and verdict == "answered",
        )
        return self._with_notes(answer, len(choice.quotes), basis, bool(answered_sides))

    def _with_notes(self, answer: Answer, chosen: int, basis: _Basis, sides: bool = False) -> Answer:
        """Return the answer with notes on its citations, which remain of `chosen` quotes."""
        # the words of "summarize the call" are an instruction, so no speaker needs to say them
        words = replace(basis.words, absent=()) if self._outlines_all(basis.evidence) else basis.words
        dropped = chosen - len(answer.citations)
        notes = remarks(answer, words, basis.timeline, dropped, basis.tools, basis.messages, sides)
        return replace(answer, notes=tuple(notes), measured=answer.measured and not words.absent)

    def _confidence(
        self, evidence: Evidence, words: Wording, timeline: PassageTimeline, tools: Tools
    ) -> float:
        """Return the confidence, without a reader, that the evidence answers; 0 without evidence.

        An outline of everything misses nothing, so its confidence is that of having the right recording.
        """
        if not evidence.moments:
            return 0.0
        if self._outlines_all(evidence):
            return _SURE_OF_ONE if len(np.unique(timeline.recordings)) == 1 else _SURE_OF_SEVERAL
        calibration = tools.embedder.calibration if tools.embedder else None
        sure = confidence(evidence, words, len(timeline), calibration)
        overview = evidence.plan is not None and evidence.plan.strategy == "overview"
        return max(sure, SURE) if overview else sure

    def _outlines_all(self, evidence: Evidence) -> bool:
        """Return whether this is an outline of everything, not only of a subject."""
        return self.outline and (self.whole or asks_for_all(evidence))

    def _choose(self, basis: _Basis, most: float) -> _Choice:
        """Choose the quotes by the reader if there is one, else by scores.

        `most` limits the confidence without a reader.
        """
        evidence, words, tools = basis.evidence, basis.words, basis.tools
        sure = min(most, self._confidence(evidence, words, basis.timeline, tools))
        verdict = verdict_for(evidence, sure)
        if tools.reader is not None and not self.outline and evidence.moments:
            talk = Talk(evidence, len(evidence.moments), tools.store, with_context=True)
            with suppress(ModelError):
                judged = judging.judge(evidence.question.text, evidence, talk, tools.reader, tools)
                return self._choose_read(judged, talk, basis, sure, verdict != "nothing_found")
        if verdict == "nothing_found":
            return _Choice(verdict, [], sure)
        if self.outline:
            outline = self._outlined(evidence, words, tools)
            return _Choice(verdict, in_speaking_order(outline.quotes), sure)
        selection = self._by_score(evidence, words, QuoteChooser(self.quotes, self.words), tools)
        duplicates = selection.duplicates()
        if verdict == "answered" and duplicates:
            return _Choice("low_diversity", in_speaking_order(duplicates[: self.quotes]), sure)
        shown = selection.quotes if verdict == "answered" else selection.quotes[:_NEAREST]
        return _Choice(verdict, _with_shares(in_speaking_order(shown)), sure)

    def _choose_read(
        self, judged: Judged, talk: Talk, basis: _Basis, sure_of_subject: float, is_spoken_of: bool
    ) -> _Choice:
        """Choose the quotes that a reader judged.

        A subject that the archive does not mention is never called answered, however sure the reader is. If
        quotes have the rarest word of the question, the archive does mention it. Quotes from other recordings
        than the question names are shown, but do not answer it.
        """
        quotes = QuoteChooser(self.quotes, self.words).choose(judged, talk).quotes
        counted = quotes_of_named(quotes, basis.evidence.plan, basis.tools.store)
        sure, shares = confidence_by_reading(counted, basis.words), _with_shares(quotes)
        first = basis.tools.store.recording(quotes[0].passages[0].recording) if quotes else None
        if first and not in_readers_language([first]):
            sure = min(sure, UNREAD)
        if is_spoken_of and sure >= self.answered:
            return _Choice("answered", by_recording(shares), sure, read=True)
        if is_spoken_of or sure >= LIKELY:
            nearest = by_recording(shares[:_NEAREST])
            return _Choice("low_relevance", nearest, sure if is_spoken_of else sure_of_subject, read=True)
        rarest = basis.words.rarest if not basis.words.absent else frozenset()
        of_subject = [quote for quote in shares if rarest & stems(quote.text)]
        verdict = "low_relevance" if of_subject else "nothing_found"
        return _Choice(verdict, by_recording(of_subject[:_NEAREST]), sure_of_subject, read=True)

    def _by_score(
        self, evidence: Evidence, words: Wording, chooser: QuoteChooser, tools: Tools
    ) -> QuoteSelection:
        """Choose quotes by the scores of sentences, without a reader."""
        talk = Talk(evidence, judging.MOMENTS, tools.store)
        return chooser.choose(judging.judge_by_score(subject_asked(evidence), talk, words, tools), talk)

    def _of_sides(self, sides: Sequence[Side], tools: Tools) -> list[Quote]:
        """Return quotes of all sides of a comparison, in reading order.

        Each side has an equal share. A sentence that two sides share is quoted once, between them.
        """
        share = self.sharing(len(sides))
        chooser = QuoteChooser(share.quotes, share.words, enough=1)
        shown: list[Quote] = []
        for side in sides:
            if self.outline:
                selection = share._outlined(side.evidence, side.words, tools)
            else:
                selection = self._by_score(side.evidence, side.words, chooser, tools)
            places = {(s.passage.row, s.begin) for quote in shown for s in quote.sentences}
            new = [
                quote
                for quote in selection.quotes
                if places.isdisjoint((s.passage.row, s.begin) for s in quote.sentences)
            ]
            shown += _with_shares(in_speaking_order(new))
        return sorted(shown, key=lambda quote: sides_quoted(quote.passages[0], quote.speaker, sides))

    def _outlined(self, evidence: Evidence, words: Wording, tools: Tools) -> QuoteSelection:
        """Choose the quotes for an outline.

        For an outline of a whole recording, choose the most typical quotes. Otherwise choose the quotes of
        each part that are nearest to the question.
        """
        if not self.outline or self._outlines_all(evidence):
            # leave out disclaimers, advertisements and goodbyes, unless there is nothing else
            names = {moment.recording for moment in evidence.moments}
            untold = {name: titles_of_kinds(name, UNSUMMARIZED_KINDS, tools.store) for name in names}
            on_topic = [m for m in evidence.moments if m.passages[m.peak].section not in untold[m.recording]]
            evidence = evidence.with_moments(tuple(on_topic)) if on_topic else evidence
            talk = Talk(evidence, _PARTS, tools.store, apart=True)
            return typical_quotes(talk, self.quotes, self.words, tools)
        talk = Talk(evidence, _PARTS, tools.store, apart=True)
        subject = subject_asked(evidence)
        scores = talk.hand_to_replies(judging.sentence_scores(subject, talk, words, tools), subject)
        judged = judging.judge_by_part(scores, talk, _OF_SOMETHING)
        return QuoteChooser(self.quotes, self.words, least=0, enough=np.inf).choose(judged, talk)

    # ---------------------------------------------------------------- by dialogue act

    def _of_act(self, basis: _Basis, act: ActMatcher) -> Answer:
        """Answer a question that asks only for a dialogue act with the quotes that perform it.

        If no quote performs it, return an outline of the talk under a heading that says so.
        """
        evidence, tools, messages = basis.evidence, basis.tools, basis.messages
        performing = self._performing(basis, act)
        if performing:
            quotes = in_speaking_order(sorted(performing, key=lambda quote: quote.moment))
            sure = quoted_acts.SURE_BY_READING if act.reads else quoted_acts.SURE_BY_EXAMPLE
        else:
            outline = replace(self, quotes=_INSTEAD)._outlined(evidence, basis.words, tools)
            quotes, sure = in_speaking_order(outline.quotes), NOTHING
        citations = basis.cite(quotes, sure)
        titles = list(dict.fromkeys(plain(c.recording.title) for c in citations)) if performing else []
        verdict = "nothing_found" if not citations else "answered" if performing else "low_relevance"
        owners = quoted_acts.owners(citations, act, messages) if performing else {}
        return Answer(
            question=evidence.question.text,
            heading=quoted_acts.heading(act, titles, basis.timeline, messages),
            text=quoted(citations, verdict, messages, labels_for(citations, (), not performing, owners)),
            verdict=verdict,
            citations=citations,
            evidence=evidence,
            confidence=sure,
        )

    def _with_act(self, answer: Answer, basis: _Basis, act: ActMatcher) -> Answer:
        """Return an answer about a subject with the quotes that perform an act, if it quotes one of them.

        Quotes that only perform the act are seldom about the subject: shown instead of others, they answered
        five of 34 questions worse, and none better. A subject that nobody mentions is not answered.
        """
        quotes = self._performing(basis, act)
        shown = {passage.row for citation in answer.citations for passage in citation.passages}
        quotes = quotes if any(p.row in shown for quote in quotes for p in quote.passages) else []
        citations = basis.cite(in_speaking_order(quotes), answer.confidence)
        if citations:
            owners = quoted_acts.owners(citations, act, basis.messages)
            labels = labels_for(citations, (), self.outline, owners)
            performed = replace(
                answer,
                heading=self._heading(answer.verdict, answer.confidence, citations, basis),
                text=quoted(citations, answer.verdict, basis.messages, labels),
                citations=citations,
                measured=False,
            )
            return self._with_notes(performed, len(quotes), basis)
        is_said = quoted_acts.is_subject_said(basis.evidence.question.text, basis.words)
        return self._doubted(answer, quoted_acts.DOUBTED if is_said else ANSWERED / 2, basis)

    def _performing(self, basis: _Basis, act: ActMatcher) -> list[Quote]:
        """Return the quotes that perform an act, best first."""
        chooser = QuoteChooser(self.quotes, self.words)
        return quoted_acts.performing(chooser, basis.evidence, act, basis.words, basis.tools)


def _answered(sides: Sequence[Side], confidences: Sequence[float]) -> list[Side]:
    """Return the sides that are answered, and beside these every side whose people say its subject.

    A word in a long turn is far from the question in meaning, but the speaker does say it.
    """
    if max(confidences, default=0.0) < ANSWERED:
        return []
    rated = zip(sides, confidences, strict=True)
    return [side for side, sure in rated if sure >= ANSWERED or side.is_subject_said]


def _with_shares(quotes: Sequence[Quote]) -> list[Quote]:
    """Return quotes with their shares of the chance that any of them answers. The shares add up to 1."""
    whole = sum([quote.score for quote in quotes])
    return [replace(quote, score=quote.score / whole if whole else 0.0) for quote in quotes]
