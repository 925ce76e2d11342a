"""The answer without a language model: what was said, word for word, by whom and when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from onrecord.answer import judging, quoted_acts
from onrecord.answer.judging import (
    ANSWERED,
    FEW,
    NOTHING,
    SURE,
    Judged,
    QuoteChooser,
    confidence,
    confidence_by_reading,
    subject_asked,
    verdict_for,
)
from onrecord.answer.paragraphs import (
    Side,
    heading_for,
    labels_for,
    nothing_on,
    of_whom,
    quoted,
    remarks,
    sides_of,
)
from onrecord.answer.quotes import Quote, QuoteSelection, by_recording, cite_all, in_speaking_order
from onrecord.answer.talk import Talk
from onrecord.errors import ModelError
from onrecord.retrieve.candidates.acts import ActMatcher
from onrecord.retrieve.candidates.sections import EMPTY_KINDS, paths
from onrecord.retrieve.candidates.whole import asks_for_all
from onrecord.retrieve.moments.order import by_rank
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import Wording, wording
from onrecord.stores.base import Reader
from onrecord.types import Answer, Citation, Evidence, PassageTimeline, one_line
from onrecord.understand.lexicon import Messages, messages_in

_NEAREST = 3
"""How many quotes are shown where none is an answer."""
_INSTEAD = 5
"""The same where nobody does what is asked for, and what is said as a whole is shown."""
_TELLING = 2
"""How many quotes in which two people agree, or do not, stand before those of either side."""
_OF_ALL, _OF_SOMETHING = 0.3, 0.55
"""How good a quote of an outline is at least, beside the best: of all that was said, and about something."""
_PARTS = 60
"""How many moments an outline is made of."""
_MEANT, _PERHAPS_MEANT = 0.8, 0.5
"""How sure an outline of a recording is, where there is only one, and where another could have been meant."""


@dataclass(frozen=True, slots=True)
class _Basis:
    """What an answer is made of: evidence, best first; the question's words, weighed on the timeline of all
    that was searched; the path of each section, by recording and title; the phrases of a language."""

    evidence: Evidence
    words: Wording
    timeline: PassageTimeline
    section_paths: Mapping[tuple[str, str], str]
    tools: Tools
    messages: Messages

    def cite(self, quotes: Sequence[Quote], sure: float) -> tuple[Citation, ...]:
        """The quotes that stand in the store as it is now, as citations."""
        return cite_all(quotes, sure, self.section_paths, self.tools.store)


@dataclass(frozen=True, slots=True)
class Extractive:
    """Answers with the best sentences of the best moments, verbatim, grouped by recording.

    `quotes` and `words` are the most that is shown, chosen from sentences that a reader judges, where there
    is one, and a plain score elsewhere; `answered` is how sure a reader is at least of what it calls an
    answer. With `outline` it is one quote of each moment, in the order of talk,
    under the names of their sections. The sides of a comparison have equal shares, one after the other.
    An outline of the `whole` is of all that was found, whatever the question is about; else only where it
    asks for all.
    """

    quotes: int = 5
    words: int = 220
    outline: bool = False
    answered: float = 0.5
    whole: bool = False

    def sharing(self, among: int) -> Extractive:
        """The same with a share of the quotes and words, for one of several questions."""
        return replace(self, quotes=-(-self.quotes // among), words=-(-self.words // among))

    def answer(self, evidence: Evidence, tools: Tools, language: str | None = "en") -> Answer:
        """An answer whose every quote was checked against the store as it is now; `Answer.verdict` says
        what to think of it. Fixed phrases are in `language` (see `data/messages.yaml`)."""
        messages = messages_in(language)
        timeline = (
            evidence.curve.timeline if evidence.curve else tools.store.timeline(evidence.question.scope)
        )
        if not len(timeline):
            empty = messages.say("empty_scope" if evidence.question.scope else "empty_archive")
            return Answer(evidence.question.text, empty, "", "nothing_found", (), evidence)
        ranked = evidence.with_moments(by_rank(evidence.moments))
        words = wording(subject_asked(ranked), timeline, tools.store, FEW)
        basis = _Basis(ranked, words, timeline, _section_paths(ranked, tools.store), tools, messages)
        wanted = ActMatcher.of(ranked.plan) if ranked.plan and ranked.plan.act else None
        if wanted and quoted_acts.alone(ranked):
            answer = self._of_acts(basis, wanted)
        else:
            answer = self._of_moments(basis)
            answer = replace(self._doing(answer, basis, wanted), measured=False) if wanted else answer
        places = ((p.recording, p.section) for m in evidence.moments for p in m.passages if p.section)
        sections = (one_line(basis.section_paths.get(place, place[1])) for place in places)
        return replace(answer, evidence=evidence, sections=tuple(dict.fromkeys(sections)))

    def _of_moments(self, basis: _Basis) -> Answer:
        """The answer from moments that match what the question is about."""
        ranked, timeline, tools, messages = basis.evidence, basis.timeline, basis.tools, basis.messages
        sides = sides_of(ranked, timeline, tools.store)
        confidences = [self._confidence(side.own, side.words, timeline, tools) for side in sides]
        answered_sides = [
            side
            for side, side_confidence in zip(sides, confidences, strict=True)
            if side_confidence >= ANSWERED
        ]
        read = False
        if answered_sides:
            sure, verdict, quotes = max(confidences), "answered", self._of_sides(answered_sides, tools)
        else:
            most = max(confidences) if any(side.people for side in sides) else 1.0
            verdict, quotes, sure, read = self._quotes(basis, most)
        citations = basis.cite(quotes, sure)
        if not citations:
            verdict = "nothing_found"
        body = quoted(citations, verdict, messages, labels_for(citations, answered_sides, self.outline))
        answer = Answer(
            question=ranked.question.text,
            heading=heading_for(verdict, sure, self._whole(ranked), citations, timeline, messages),
            text="\n\n".join((body, *map(one_line, nothing_on(sides, answered_sides, messages)))),
            verdict=verdict,
            citations=citations,
            evidence=ranked,
            confidence=sure,
            measured=read and not sides and verdict == "answered",
        )
        dropped = len(quotes) - len(citations)
        whole = self._whole(ranked)  # then its words say what to do, and are looked for nowhere
        words = replace(basis.words, absent=()) if whole else basis.words
        return replace(
            answer,
            notes=tuple(remarks(answer, words, timeline, dropped, tools, messages, bool(answered_sides))),
        )

    def _of_acts(self, basis: _Basis, wanted: ActMatcher) -> Answer:
        """The answer to a question that asks only for a speech act, such as decisions: the quotes that do it.
        If none does, an outline of the talk, headed as no answer."""
        ranked, tools, messages = basis.evidence, basis.tools, basis.messages
        done = self._done(basis, wanted)
        quotes = in_speaking_order(sorted(done, key=lambda q: q.moment))
        if not done:
            quotes = in_speaking_order(
                self._outlined(ranked, basis.words, _INSTEAD, self.words, tools).quotes
            )
        sure = quoted_acts.SURE if done else NOTHING
        citations = basis.cite(quotes, sure)
        titles = list(dict.fromkeys(one_line(c.recording.title) for c in citations))
        verdict = "nothing_found" if not citations else "answered" if done else "low_relevance"
        labels = labels_for(citations, (), not done, quoted_acts.owners(citations, wanted) if done else {})
        return Answer(
            question=ranked.question.text,
            heading=quoted_acts.heading(wanted, titles if done else (), basis.timeline, messages),
            text=quoted(citations, verdict, messages, labels),
            verdict=verdict,
            citations=citations,
            evidence=ranked,
            confidence=sure,
        )

    def _doing(self, answer: Answer, basis: _Basis, wanted: ActMatcher) -> Answer:
        """An answer to a question for a speech act about a subject: with the quotes that do it, or the word
        that none does."""
        if answer.verdict not in ("answered", "low_relevance"):
            return answer
        sides = sides_of(basis.evidence, basis.timeline, basis.tools.store)
        if sides and quoted_acts.against(basis.evidence, wanted):
            return self._between(answer, sides, basis, wanted)
        done = self._done(basis, wanted)
        if not done:
            return self._doubted(answer, basis, wanted)
        sure = max(answer.confidence, quoted_acts.SPOKEN_OF)
        citations = basis.cite(in_speaking_order(done), sure)
        if not citations:  # none of them stands in the archive as it was found
            return self._doubted(answer, basis, wanted)
        whole = self._whole(basis.evidence)
        labels = labels_for(citations, (), self.outline, quoted_acts.owners(citations, wanted))
        return replace(
            answer,
            heading=heading_for("answered", sure, whole, citations, basis.timeline, basis.messages),
            text=quoted(citations, "answered", basis.messages, labels),
            verdict="answered",
            citations=citations,
            confidence=sure,
        )

    def _done(self, basis: _Basis, wanted: ActMatcher) -> list[Quote]:
        """The quotes that do what is asked for, best first."""
        choice = QuoteChooser(self.quotes, self.words)
        return quoted_acts.done(choice, basis.evidence, wanted, basis.words, basis.tools)

    def _between(self, answer: Answer, sides: Sequence[Side], basis: _Basis, wanted: ActMatcher) -> Answer:
        """The answer on two sides, with the quotes first in which one does it to the other."""
        labels = [side.label for side in sides]
        done = self._done(basis, wanted)
        telling = [q for q in done if quoted_acts.between(q, labels, basis.tools.store)][:_TELLING]
        first = basis.cite(in_speaking_order(telling), quoted_acts.SURE)
        if not first:
            return answer
        rest = [c for c in answer.citations if not any(one.quote in c.quote for one in first)]
        citations = tuple(replace(c, number=n) for n, c in enumerate((*first, *rest), 1))
        answered_sides = [side for side in sides if any(c.passage.row in side.rows for c in citations)]
        above = labels_for(citations, answered_sides, self.outline)
        above |= dict.fromkeys(range(1, len(first) + 1), basis.messages.act(wanted.act)[0])
        body = quoted(citations, "answered", basis.messages, above)
        text = "\n\n".join((body, *map(one_line, nothing_on(sides, answered_sides, basis.messages))))
        return replace(answer, text=text, citations=citations)

    def _doubted(self, answer: Answer, basis: _Basis, wanted: ActMatcher) -> Answer:
        """The same answer with less confidence, and a note that no quote does what is asked for. It is no
        answer if nobody says a word of the subject either."""
        spoken = quoted_acts.subject_said(basis.evidence.question.text, basis.words)
        sure = min(answer.confidence, quoted_acts.DOUBTED if spoken else ANSWERED / 2)
        verdict, none = verdict_for(basis.evidence, sure), basis.messages.act(wanted.act)[1]
        not_done = basis.messages.say("not_done", act=none)
        whole = self._whole(basis.evidence)
        if verdict == "answered":
            return replace(answer, heading=not_done, confidence=sure)
        heading = heading_for(verdict, sure, whole, answer.citations, basis.timeline, basis.messages)
        notes = (*answer.notes, not_done)
        return replace(answer, heading=heading, verdict=verdict, confidence=sure, notes=notes)

    def _confidence(
        self, evidence: Evidence, words: Wording, timeline: PassageTimeline, tools: Tools
    ) -> float:
        """How sure it is, without a reader, that the evidence answers; 0 without evidence. A question for all
        of a recording misses nothing, if the recording is the right one."""
        if not evidence.moments:
            return 0.0
        if self._whole(evidence):
            return _MEANT if len(set(timeline.recordings.tolist())) == 1 else _PERHAPS_MEANT
        calibration = tools.embedder.calibration if tools.embedder else None
        sure = confidence(evidence, words, len(timeline), calibration)
        overview = evidence.plan is not None and evidence.plan.strategy == "overview"
        return max(sure, SURE) if overview else sure

    def _whole(self, evidence: Evidence) -> bool:
        """Whether it is an outline of all that was said, and not of what was said about something."""
        return self.outline and (self.whole or asks_for_all(evidence))

    def _quotes(self, basis: _Basis, most: float) -> tuple[str, list[Quote], float, bool]:
        """The verdict, the quotes to show in reading order, the confidence, and whether a reader judged them.
        Without a reader the confidence is at most `most`. What the archive does not speak of is never
        answered, however sure the reader is."""
        ranked, words, tools = basis.evidence, basis.words, basis.tools
        if (judged := self._read(ranked, tools)) is not None:
            chosen = by_recording(QuoteChooser(self.quotes, self.words).choose(*judged).quotes)
            sure = confidence_by_reading(chosen, words)
            spoken_of = min(most, self._confidence(ranked, words, basis.timeline, tools))
            heard = verdict_for(ranked, spoken_of) != "nothing_found"
            if sure >= self.answered and heard:
                return "answered", _shared(chosen), sure, True
            if sure < self.answered and not heard:
                return "nothing_found", [], spoken_of, True
            nearest = _shared(chosen)[:_NEAREST]
            return "low_relevance", nearest, sure if heard else spoken_of, True
        sure = min(most, self._confidence(ranked, words, basis.timeline, tools))
        verdict = verdict_for(ranked, sure)
        if verdict == "nothing_found":
            return verdict, [], sure, False
        if self.outline:
            outline = self._outlined(ranked, words, self.quotes, self.words, tools)
            return verdict, in_speaking_order(outline.quotes), sure, False
        plainly = self._chosen(ranked, words, QuoteChooser(self.quotes, self.words), tools)
        duplicates = plainly.duplicates()
        if verdict == "answered" and duplicates:
            return "low_diversity", in_speaking_order(duplicates[: self.quotes]), sure, False
        shown = plainly.quotes if verdict == "answered" else plainly.quotes[:_NEAREST]
        return verdict, _shared(in_speaking_order(shown)), sure, False

    def _read(self, evidence: Evidence, tools: Tools) -> tuple[Judged, Talk] | None:
        """The sentences of the evidence as the reader judges them; None without a reader, if it fails, or for
        an outline."""
        if tools.reader is None or self.outline or not evidence.moments:
            return None
        talk = Talk(evidence, len(evidence.moments), tools.store, with_context=True)
        try:
            return judging.judge(evidence.question.text, evidence, talk, tools.reader, tools), talk
        except ModelError:
            return None

    def _chosen(
        self, evidence: Evidence, words: Wording, choice: QuoteChooser, tools: Tools
    ) -> QuoteSelection:
        """Quotes by the plain score of sentences."""
        talk = Talk(evidence, judging.MOMENTS, tools.store)
        return choice.choose(judging.judge_by_score(subject_asked(evidence), talk, words, tools), talk)

    def _of_sides(self, sides: Sequence[Side], tools: Tools) -> list[Quote]:
        """Quotes in reading order. Each side of a comparison has an equal share; what two sides have in
        common is quoted once, between them."""
        quotes, words = -(-self.quotes // len(sides)), -(-self.words // len(sides))
        choice = QuoteChooser(quotes, words, enough=1)
        read: list[Quote] = []
        for side in sides:
            if self.outline:
                chosen = self._outlined(side.evidence, side.words, quotes, words, tools)
            else:
                chosen = self._chosen(side.evidence, side.words, choice, tools)
            heard = {(s.passage.row, s.begin) for quote in read for s in quote.sentences}
            new = [
                q for q in chosen.quotes if heard.isdisjoint((s.passage.row, s.begin) for s in q.sentences)
            ]
            read += _shared(in_speaking_order(new))
        return sorted(read, key=lambda quote: of_whom(quote.passages[0], quote.speaker, sides))

    def _outlined(
        self, evidence: Evidence, words: Wording, quotes: int, most: int, tools: Tools
    ) -> QuoteSelection:
        """At most `quotes` quotes of `most` words in all, from each part of the evidence: the most typical
        for a question for all of a recording, else the nearest to the question."""
        talk = Talk(evidence, _PARTS, tools.store, apart=True)
        if all_ := not self.outline or self._whole(evidence):
            scores = judging.summary_scores(talk, _summaries(evidence, tools.store))
        else:
            scores = talk.hand_to_replies(
                judging.sentence_scores(subject_asked(evidence), talk, words, tools), subject_asked(evidence)
            )
        judged = judging.judge_by_part(scores, talk, _OF_ALL if all_ else _OF_SOMETHING)
        choice = QuoteChooser(quotes, most, least=0, enough=_PARTS)
        return choice.choose(judged, talk)


def _shared(quotes: Sequence[Quote]) -> list[Quote]:
    """Quotes with their shares of the chance that any of them answers, which add up to 1."""
    whole = sum(quote.score for quote in quotes)
    return [replace(quote, score=quote.score / whole if whole else 0.0) for quote in quotes]


def _summaries(evidence: Evidence, store: Reader) -> str:
    names = dict.fromkeys(moment.recording for moment in evidence.moments)
    sections = (section for name in names for section in store.sections(name))
    return "\n".join(section.summary for section in sections if section.kind not in EMPTY_KINDS) or "\n"


def _section_paths(evidence: Evidence, store: Reader) -> dict[tuple[str, str], str]:
    names = dict.fromkeys(moment.recording for moment in evidence.moments)
    return {
        (name, title): section_path
        for name in names
        for title, section_path in paths(store.sections(name)).items()
    }
