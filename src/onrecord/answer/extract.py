"""The answer without a language model: what was said, word for word, by whom and when."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from onrecord.answer import honesty, quoted_acts
from onrecord.answer.about import about, asked, nearness
from onrecord.answer.cite import cited
from onrecord.answer.focus import focus, spoken_to
from onrecord.answer.likely import Likelihood
from onrecord.answer.paragraphs import heading_for, labels_for, quoted
from onrecord.answer.phrases import English, phrases
from onrecord.answer.quotes import Choice, Chosen, Quote, in_order, likeliest_first, telling
from onrecord.answer.reading import ReadChoice, confidence, judge
from onrecord.answer.remarks import remarks
from onrecord.answer.sides import Side, nothing_on, of_whom, sides_of
from onrecord.answer.talk import Talk
from onrecord.answer.told import named_in, told_by
from onrecord.answer.verify import fault
from onrecord.errors import ModelError
from onrecord.retrieve.acts import Wanted
from onrecord.retrieve.order import by_rank
from onrecord.retrieve.outline import paths
from onrecord.retrieve.overall import asks_for_all
from onrecord.retrieve.relevant import EMPTY_KINDS
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import Wording, wording
from onrecord.stores.base import Reader
from onrecord.types import Answer, Citation, Evidence, Line, one_line

_NEAREST = 3
"""How many quotes are shown where none is an answer."""
_INSTEAD = 5
"""The same where nobody does what is asked for, and what is said as a whole is shown."""
_TELLING = 2
"""How many quotes in which two people agree, or do not, stand before those of either side."""
_FAINT = 0.3
"""A quote is left out where it is less than this as likely as the best one."""

_OF_ALL, _OF_SOMETHING = 0.3, 0.55
"""How good a quote of an outline is at least, beside the best: of all that was said, and about something."""
_MEANT, _PERHAPS_MEANT = 0.8, 0.5
"""How sure an outline of a recording is, where there is only one, and where another could have been meant."""

Likely = tuple[Quote, float]
"""A quote, and how likely it is one that a person would point at, if the question is answered at all."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What an answer is made of: evidence, best first; the question's words, weighed on the line of all that
    was searched; the way to each section that was found, by recording and title."""

    evidence: Evidence
    words: Wording
    line: Line
    ways: Mapping[tuple[str, str], str]
    tools: Tools
    said: English

    def cited(self, quotes: Sequence[Likely], sure: float) -> tuple[Citation, ...]:
        """The quotes that stand in the store as it is now, as citations."""
        return _checked(_cited(quotes, sure, self.ways, self.tools.store), self.tools.store)


@dataclass(frozen=True, slots=True)
class Extractive:
    """Answers with the best sentences of the best moments, verbatim, grouped by recording.

    `quotes` and `words` are the most that is shown; `choice` says how sentences are chosen. With `outline`
    it is one quote of each moment, in the order of talk, under the names of their sections. The sides of a
    comparison have equal shares, one after the other. An outline of the `whole` is of all that was found,
    whatever the question is about; else only where it asks for all.
    """

    quotes: int = 5
    words: int = 220
    choice: Choice = field(default_factory=Choice)
    outline: bool = False
    read_choice: ReadChoice = field(default_factory=ReadChoice)
    answered: float = 0.5
    whole: bool = False

    def sharing(self, among: int) -> Extractive:
        """The same with a share of the quotes and words, for one of several questions."""
        return replace(self, quotes=-(-self.quotes // among), words=-(-self.words // among))

    def answer(self, evidence: Evidence, tools: Tools, language: str | None = "en") -> Answer:
        """An answer whose every quote was checked against the store as it is now; `Answer.verdict` says
        what to think of it. Fixed phrases are in `language` (English or French)."""
        said = phrases(language)
        line = evidence.curve.line if evidence.curve else tools.store.line(evidence.question.scope)
        if not len(line):
            empty = said.empty_scope if evidence.question.scope else said.empty_archive
            return Answer(evidence.question.text, empty, "", "nothing_found", (), evidence)
        ranked = evidence.with_moments(by_rank(evidence.moments))
        words = wording(about(ranked), line, tools.store, honesty.FEW)
        found = _Found(ranked, words, line, _ways(ranked, tools.store), tools, said)
        wanted = Wanted.of(ranked)
        if wanted and quoted_acts.alone(ranked):
            answer = self._of_acts(found, wanted)
        else:
            answer = self._of_moments(found)
            answer = self._doing(answer, found, wanted) if wanted else answer
        return replace(
            answer, evidence=evidence, sections=tuple(dict.fromkeys(_passed(evidence, found.ways)))
        )

    def _of_moments(self, found: _Found) -> Answer:
        """The answer from moments that were found for what they speak of."""
        ranked, line, tools, said = found.evidence, found.line, found.tools, found.said
        sure = self._confidence(ranked, found.words, line, tools)
        sides = sides_of(ranked, line, tools.store)
        known = [self._side_confidence(side, line, tools) for side in sides]
        met = [side for side, known_of in zip(sides, known, strict=True) if known_of >= honesty.ANSWERED]
        if met:
            sure, verdict, quotes = max(known), "answered", self._of_sides(met, tools)
        else:
            sure = min(sure, max(known)) if any(side.people for side in sides) else sure
            verdict, quotes, sure = self._quotes(ranked, found.words, sure, tools)
        citations = found.cited(quotes, sure)
        if not citations:
            verdict = "nothing_found"
        told = quoted(citations, verdict, said, labels_for(citations, met, self.outline))
        answer = Answer(
            question=ranked.question.text,
            heading=heading_for(verdict, sure, self._whole(ranked, tools), citations, line, said),
            text="\n\n".join((told, *map(one_line, nothing_on(sides, met, said)))),
            verdict=verdict,
            citations=citations,
            evidence=ranked,
            confidence=sure,
        )
        dropped = len(quotes) - len(citations)
        return replace(
            answer, notes=tuple(remarks(answer, found.words, line, dropped, tools, said, bool(met)))
        )

    def _of_acts(self, found: _Found, wanted: Wanted) -> Answer:
        """The answer to a question for what is done in speaking, and for nothing else: where it is done;
        where nobody does it, what is said as a whole, and that this is no answer."""
        ranked, tools, said = found.evidence, found.tools, found.said
        done = quoted_acts.done(self._within, ranked, wanted, found.words, tools)
        quotes = [(quote, quote.score) for quote in in_order(sorted(done, key=lambda q: q.moment))]
        if not done:
            told = _summaries(ranked, tools.store)
            few = replace(self._within, quotes=_INSTEAD)
            chosen = few.choose(ranked.question.text, ranked, found.words, tools, told)
            quotes = self._read(ranked, chosen.quotes)
        sure = quoted_acts.SURE if done else honesty.NOTHING
        citations = found.cited(quotes, sure)
        titles = list(dict.fromkeys(one_line(c.recording.title) for c in citations))
        verdict = "nothing_found" if not citations else "answered" if done else "low_relevance"
        labels = labels_for(citations, (), not done, quoted_acts.owners(citations, wanted) if done else {})
        return Answer(
            question=ranked.question.text,
            heading=said.acted(wanted.act, titles) if done else quoted_acts.nobody(wanted, found.line, said),
            text=quoted(citations, verdict, said, labels),
            verdict=verdict,
            citations=citations,
            evidence=ranked,
            confidence=sure,
        )

    def _doing(self, answer: Answer, found: _Found, wanted: Wanted) -> Answer:
        """An answer about something of which a question wants to know what is done in speaking: with the
        quotes in which it is done; where it is in none, it says so."""
        if answer.verdict not in ("answered", "low_relevance"):
            return answer
        sides = sides_of(found.evidence, found.line, found.tools.store)
        if sides and quoted_acts.against(found.evidence, wanted):
            return self._between(answer, sides, found, wanted)
        done = quoted_acts.done(self._within, found.evidence, wanted, found.words, found.tools)
        if not done:
            return self._doubted(answer, found, wanted)
        sure = max(answer.confidence, quoted_acts.SPOKEN_OF)
        citations = found.cited(self._read(found.evidence, done), sure)
        if not citations:  # none of them stands in the archive as it was found
            return self._doubted(answer, found, wanted)
        whole = self._whole(found.evidence, found.tools)
        labels = labels_for(citations, (), self.outline, quoted_acts.owners(citations, wanted))
        return replace(
            answer,
            heading=heading_for("answered", sure, whole, citations, found.line, found.said),
            text=quoted(citations, "answered", found.said, labels),
            verdict="answered",
            citations=citations,
            confidence=sure,
        )

    def _between(self, answer: Answer, sides: Sequence[Side], found: _Found, wanted: Wanted) -> Answer:
        """The answer on two sides, with the quotes first in which one does it to the other."""
        labels = [side.label for side in sides]
        done = quoted_acts.done(self._within, found.evidence, wanted, found.words, found.tools)
        telling = [q for q in done if quoted_acts.between(q, labels, found.tools.store)][:_TELLING]
        first = found.cited(self._read(found.evidence, telling), quoted_acts.SURE)
        if not first:
            return answer
        rest = [c for c in answer.citations if not any(one.quote in c.quote for one in first)]
        citations = tuple(replace(c, number=n) for n, c in enumerate((*first, *rest), 1))
        met = [side for side in sides if any(c.passage.row in side.rows for c in citations)]
        above = labels_for(citations, met, self.outline)
        above |= dict.fromkeys(range(1, len(first) + 1), found.said.acts[wanted.act][0])
        told = quoted(citations, "answered", found.said, above)
        text = "\n\n".join((told, *map(one_line, nothing_on(sides, met, found.said))))
        return replace(answer, text=text, citations=citations)

    def _doubted(self, answer: Answer, found: _Found, wanted: Wanted) -> Answer:
        """The same, less sure, with the word that nowhere in it what is asked for is done; no answer, where
        nobody says a word of the subject either."""
        spoken = quoted_acts.subject_said(found.evidence.question.text, found.words)
        sure = min(answer.confidence, quoted_acts.DOUBTED if spoken else honesty.ANSWERED / 2)
        verdict = honesty.verdict(found.evidence, sure)
        whole = self._whole(found.evidence, found.tools)
        if verdict == "answered":
            return replace(answer, heading=found.said.not_done(wanted.act), confidence=sure)
        heading = heading_for(verdict, sure, whole, answer.citations, found.line, found.said)
        notes = (*answer.notes, found.said.not_done(wanted.act))
        return replace(answer, heading=heading, verdict=verdict, confidence=sure, notes=notes)

    @property
    def _within(self) -> Choice:
        return replace(self.choice, quotes=self.quotes, words=self.words)

    def _confidence(self, evidence: Evidence, words: Wording, line: Line, tools: Tools) -> float:
        """How sure it is that what was found answers. Where all of a recording was asked for nothing could be
        missing, if it is the one that was meant."""
        if self._whole(evidence, tools):
            return _MEANT if len(set(line.recordings.tolist())) == 1 else _PERHAPS_MEANT
        calibration = tools.embedder.calibration if tools.embedder else None
        near = nearness(evidence, about(evidence), tools)
        sure = honesty.confidence(honesty.signs(evidence, words, calibration, len(line), near))
        overview = evidence.plan is not None and evidence.plan.strategy == "overview"
        return max(sure, honesty.SURE) if overview else sure

    def _whole(self, evidence: Evidence, tools: Tools) -> bool:
        """Whether it is an outline of all that was said, and not of what was said about something."""
        return self.outline and (self.whole or asks_for_all(evidence, tools.store))

    def _quotes(
        self, evidence: Evidence, words: Wording, sure: float, tools: Tools
    ) -> tuple[str, list[Likely], float]:
        """The verdict, the quotes to show for it, as they are read, and how sure it is after all."""
        if (read := self._by_reader(evidence, words, sure, tools)) is not None:
            return read
        verdict = honesty.verdict(evidence, sure)
        if verdict == "nothing_found":
            return verdict, [], sure
        chosen = self._chosen(evidence, words, self.quotes, self.words, tools)
        found = len(chosen.quotes) + len(chosen.echoes)
        if verdict == "answered" and honesty.all_alike(found, len(chosen.twins)):
            again = [chosen.quotes[0], *chosen.twins][: self.quotes]
            return "low_diversity", self._read(evidence, again), sure
        if self.outline:
            return verdict, self._read(evidence, chosen.quotes), sure
        likelihood = Likelihood.of(evidence, chosen.quotes)
        clear = _clear(chosen.quotes, likelihood)
        if verdict == "answered":
            wanted = focus(evidence)
            named = named_in(evidence.question.text, words, clear)
            most = told_by(evidence, clear, tools) if named else 0.0
            spoken = spoken_to(wanted, clear, tools) if wanted and most else most
            sure = honesty.of_one_thing(sure if most else honesty.ANSWERED, min(spoken, most))
            verdict = honesty.verdict(evidence, sure)
        if verdict != "answered":
            clear = _clear(telling(chosen.quotes), likelihood)[:_NEAREST]
        return verdict, self._read(evidence, clear, likelihood), sure

    def _by_reader(
        self, evidence: Evidence, words: Wording, spoken_of: float, tools: Tools
    ) -> tuple[str, list[Likely], float] | None:
        """The same by the reader: quotes likeliest first, and the chance that they hold the answer;
        `spoken_of` is how sure it is that anything speaks of the question's subject. None where there is no
        reader, it fails, or parts are outlined."""
        if tools.reader is None or self.outline or not evidence.moments:
            return None
        talk = Talk(evidence, len(evidence.moments), tools.store)
        try:
            judged = judge(evidence.question.text, evidence, talk, tools.reader, tools)
        except ModelError:
            return None
        choice = replace(self.read_choice, quotes=self.quotes, words=self.words)
        chosen = likeliest_first(choice.choose(judged, talk).quotes)
        sure, whole = confidence(chosen, words), sum(quote.score for quote in chosen)
        if sure < self.answered and honesty.verdict(evidence, spoken_of) == "nothing_found":
            return "nothing_found", [], spoken_of
        verdict = "answered" if sure >= self.answered else "low_relevance"
        shown = chosen if verdict == "answered" else chosen[:_NEAREST]
        return verdict, [(quote, quote.score / whole if whole else 0.0) for quote in shown], sure

    def _read(
        self, evidence: Evidence, quotes: Sequence[Quote], likelihood: Likelihood | None = None
    ) -> list[Likely]:
        """Quotes as they are read, each with how likely it is one to point at. In an outline neither the rank
        of its moment nor the recording says anything: each stands for a part."""
        if self.outline:
            return [(quote, honesty.quote_confidence(quote.score, 0)) for quote in in_order(quotes)]
        weigh = likelihood or Likelihood.of(evidence, quotes)
        return [(quote, weigh(quote)) for quote in in_order(quotes)]

    def _side_confidence(self, side: Side, line: Line, tools: Tools) -> float:
        """The same for one side of a comparison; 0 where nothing was found for it."""
        return self._confidence(side.own, side.words, line, tools) if side.own.moments else 0.0

    def _of_sides(self, sides: Sequence[Side], tools: Tools) -> list[Likely]:
        """Quotes as they are read, with equal shares of what may be shown for each side of a comparison; what
        two sides have in common is told once, between them."""
        quotes, words = -(-self.quotes // len(sides)), -(-self.words // len(sides))
        read: list[Likely] = []
        for side in sides:
            chosen = self._chosen(side.evidence, side.words, quotes, words, tools)
            heard = {(s.passage.row, s.begin) for quote, _ in read for s in quote.sentences}
            new = [
                q for q in chosen.quotes if heard.isdisjoint((s.passage.row, s.begin) for s in q.sentences)
            ]
            read += self._read(side.evidence, new)
        return sorted(read, key=lambda likely: of_whom(likely[0].passages[0], likely[0].speaker, sides))

    def _chosen(self, evidence: Evidence, about: Wording, quotes: int, words: int, tools: Tools) -> Chosen:
        text = asked(evidence)
        if not self.outline:
            return replace(self.choice, quotes=quotes, words=words).choose(text, evidence, about, tools)
        told = _summaries(evidence, tools.store) if self._whole(evidence, tools) else ""
        least = _OF_ALL if told else _OF_SOMETHING
        choice = self.choice.for_outline(quotes, words, len(evidence.moments), least)
        return choice.choose(text, evidence, about, tools, told)


def _clear(quotes: Sequence[Quote], likelihood: Likelihood) -> list[Quote]:
    """The quotes that are not much less likely than the best one, likeliest first."""
    likely = sorted(quotes, key=likelihood, reverse=True)
    return [quote for quote in likely if likelihood(quote) >= _FAINT * likelihood(likely[0])]


def _summaries(evidence: Evidence, store: Reader) -> str:
    names = dict.fromkeys(moment.recording for moment in evidence.moments)
    sections = (section for name in names for section in store.sections(name))
    return "\n".join(section.summary for section in sections if section.kind not in EMPTY_KINDS) or "\n"


def _ways(evidence: Evidence, store: Reader) -> dict[tuple[str, str], str]:
    names = dict.fromkeys(moment.recording for moment in evidence.moments)
    return {(name, title): way for name in names for title, way in paths(store.sections(name)).items()}


def _passed(evidence: Evidence, ways: Mapping[tuple[str, str], str]) -> Iterator[str]:
    for passage in (p for moment in evidence.moments for p in moment.passages):
        if passage.section:
            yield one_line(ways.get((passage.recording, passage.section), passage.section))


def _cited(
    quotes: Sequence[Likely], sure: float, ways: Mapping[tuple[str, str], str], store: Reader
) -> list[Citation]:
    """Quotes as citations, without those of recordings that are gone."""
    citations = []
    for number, (quote, likely) in enumerate(quotes, 1):
        recording = store.recording(quote.recording)
        if recording is None:
            continue
        way = ways.get((quote.recording, quote.passages[0].section or ""))
        citations.append(cited(quote, number, recording, sure * likely, way))
    return citations


def _checked(citations: Sequence[Citation], store: Reader) -> tuple[Citation, ...]:
    """The citations that stand in the store as it is now, numbered anew."""
    rows = list(dict.fromkeys(p.row for c in citations for p in c.passages))
    stored = {p.row: p for p in store.passages(rows)}
    sound: list[Citation] = []
    for citation in citations:
        passages = tuple(stored[p.row] for p in citation.passages if p.row in stored)
        if fault(citation, passages) is None:
            sound.append(replace(citation, number=len(sound) + 1, passages=passages))
    return tuple(sound)
