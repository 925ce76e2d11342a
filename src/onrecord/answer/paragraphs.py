"""Quotes in paragraphs, what stands above them, the sides that they are of, and remarks beside the answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

from onrecord.answer.judging import FEW, SURE
from onrecord.retrieve.loops.sides import SIDE, name_in, names_apart, voices_of, without_names
from onrecord.retrieve.moments.order import elsewhere, spoken_in
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import Wording, inflected, stem, subject, wording
from onrecord.stores.base import Reader
from onrecord.stores.scope import names_speaker
from onrecord.types import (
    FILTER_FIELDS,
    Answer,
    Citation,
    Evidence,
    Filter,
    Passage,
    PassageTimeline,
    Plan,
    Recording,
    one_line,
)
from onrecord.understand.intents import subject_words
from onrecord.understand.lexicon import Messages

_NOBODY: Mapping[int, str] = {}


def heading_for(
    verdict: str,
    sure: float,
    whole: bool,
    citations: Sequence[Citation],
    timeline: PassageTimeline,
    said: Messages,
) -> str:
    """What to think of it, in a line; `whole` where all of a recording was asked for. Without citations
    nothing was found, whatever the verdict."""
    titles = list(dict.fromkeys(one_line(c.recording.title) for c in citations))
    if verdict == "nothing_found" or not titles:
        return said.say("nothing_found", searched=said.say("searched", len(timeline.names)))
    if verdict == "low_relevance":
        return said.say("low_relevance", searched=said.say("searched", len(timeline.names)))
    if verdict == "low_diversity":
        return said.say("low_diversity", len(titles), times=len(citations))
    key = "outlined" if whole else "sure" if sure >= SURE else "likely"
    return said.say(key, len(titles), title=titles[0])


def quoted(
    citations: Sequence[Citation], verdict: str, said: Messages, labels: Mapping[int, str] | None = None
) -> str:
    """The quotes, each with its mark, in a paragraph for each of the `labels`, which are by the number of a
    citation, under its label, unless that is who says all of it; by default a paragraph a recording."""
    if verdict == "low_diversity":
        again = said.introduced(said.say("told_again"), " ".join(f"[{c.number}]" for c in citations[1:]))
        return "\n".join((*_lines(citations[:1], said), again))
    known = labels_for(citations, (), False) if labels is None else labels
    paragraphs = []
    for label, some in groupby(citations, key=lambda c: known[c.number]):
        group = list(some)
        told = not label or {one_line(c.speaker or "") for c in group} == {label}
        paragraphs.append("\n".join((*([] if told else [said.introduced(label)]), *_lines(group, said))))
    return "\n\n".join(paragraphs)


def labels_for(
    citations: Sequence[Citation], sides: Sequence[Side], outline: bool, owners: Mapping[int, str] = _NOBODY
) -> dict[int, str]:
    """What stands above each citation: the side of a comparison; the recording where there are several, and
    in an outline the section; of `owners` who is to do what is quoted."""
    if sides:
        return {number: one_line(label) for number, label in labels_of(citations, sides).items()}
    several = len({c.recording.id for c in citations}) > 1
    labels = {}
    for citation in citations:
        recording = [_dated(citation.recording)] if several else []
        section = [one_line(citation.section)] if outline and citation.section else []
        owner = [one_line(owners[citation.number])] if citation.number in owners else []
        labels[citation.number] = ", ".join(recording + section + owner)
    return labels


def _lines(citations: Iterable[Citation], said: Messages) -> list[str]:
    """``Ann Bell: “...” [1] “...” [2]``, a line for each change of speaker."""
    lines = []
    for speaker, group in groupby(citations, key=lambda c: c.speaker):
        quotes = " ".join(f"{said.quote(one_line(c.quote))} [{c.number}]" for c in group)
        lines.append(said.introduced(one_line(speaker), quotes) if speaker else quotes)
    return lines


def _dated(recording: Recording) -> str:
    title, date = one_line(recording.title), one_line(recording.details.date or "")
    return title if date in title else f"{title} ({date})"


# ---------------------------------------------------------------- sides


@dataclass(frozen=True, slots=True)
class Side:
    """`label` is what stands above it: the name that is compared, or the question; `evidence` is what was
    found for what is asked of it, without that name, and `words` are those of that question; `people` are
    those who speak for it, where it is of people."""

    label: str
    evidence: Evidence
    words: Wording
    people: tuple[str, ...] = ()

    @property
    def own(self) -> Evidence:
        """The evidence without passages in which none of its people speaks, where it is of people: what
        somebody else says of the matter does not tell that they do."""
        kept = [(m, [p for p in m.passages if self._speaks_in(p)]) for m in self.evidence.moments]
        moments = (replace(moment, passages=tuple(passages)) for moment, passages in kept if passages)
        return self.evidence.with_moments(tuple(moments))

    def _speaks_in(self, passage: Passage) -> bool:
        return not self.people or not set(self.people).isdisjoint(voices_of(passage))

    @property
    def rows(self) -> frozenset[int]:
        """Of the passages that were found for it."""
        return frozenset(p.row for moment in self.evidence.moments for p in moment.passages)


def sides_of(evidence: Evidence, timeline: PassageTimeline, store: Reader) -> list[Side]:
    """The sides, in the order in which the question names them; none where nothing was found for any. Their
    words are weighed on the line of the whole question."""
    if evidence.plan is None:
        return []
    numbers = range(len(evidence.plan.queries))
    sides = [_side(number, evidence, evidence.plan, timeline, store) for number in numbers]
    return sides if any(side.evidence.moments for side in sides) else []


def _side(number: int, evidence: Evidence, plan: Plan, timeline: PassageTimeline, store: Reader) -> Side:
    query = plan.queries[number]
    people = [kept.value for kept in plan.filters if kept.field == "speaker" and name_in(kept.said, query)]
    names = people or [name for name in names_apart(plan) if name_in(name, query)]
    moments = tuple(m for m in evidence.moments if f"{SIDE}{number}" in m.scores)
    voices = dict.fromkeys(name for m in moments for p in m.passages for name in voices_of(p))
    one = tuple(name for name in voices if name in people or name_in(name, query))
    apart = [kept.said for kept in plan.filters if _tells_apart(kept, query, plan)]
    question = replace(
        evidence.question,
        text=_of_them(query, [*names_apart(plan), *apart]),
        scope=replace(evidence.question.scope, speakers=one or evidence.question.scope.speakers),
    )
    names = names or [_named(kept) for kept in plan.filters if _tells_apart(kept, query, plan)]
    label = names[0] if len(names) == 1 else subject(query)
    words = wording(subject(question.text), timeline, store, FEW)
    return Side(label, replace(evidence, question=question, moments=moments, curve=None), words, one)


_OF_NOBODY = re.compile(
    r"^(\W*(?:what|how|when) (?:did|do|does|would)) |^(\W*que (?:disent|pensent)) ", re.IGNORECASE
)


def _of_them(query: str, names: Sequence[str]) -> str:
    """What a query asks of those it names: of "what did Ann say about salt", what is said about salt."""
    bare = without_names(query, names)
    whole = _OF_NOBODY.sub(lambda found: f"{found[1]} they " if found[1] else f"{found[2]}-ils ", bare)
    return whole if bare != query and subject(whole) != subject(bare) else bare


def _tells_apart(kept: Filter, query: str, plan: Plan) -> bool:
    """Whether a filter is of one side: its words stand in the query of that side, and not in all."""
    return name_in(kept.said, query) and not all(name_in(kept.said, other) for other in plan.queries)


def _named(kept: Filter) -> str:
    """What a filter is of, as a name: recordings by the question's words, everything else by its value."""
    return kept.said if kept.field == "recording" else kept.value


def of_whom(passage: Passage, speaker: str | None, sides: Sequence[Side]) -> tuple[int, ...]:
    """The numbers of the sides that a passage was found for; that of the speaker alone, where it is one."""
    found = [number for number, side in enumerate(sides) if passage.row in side.rows]
    own = tuple(number for number in found if sides[number].label == speaker)
    return own or tuple(found)


def labels_of(citations: Sequence[Citation], sides: Sequence[Side]) -> dict[int, str]:
    """The side of each citation, or the sides, by its number."""
    return {
        c.number: ", ".join(dict.fromkeys(sides[n].label for n in of_whom(c.passage, c.speaker, sides)))
        for c in citations
    }


def nothing_on(sides: Sequence[Side], met: Sequence[Side], said: Messages) -> Iterator[str]:
    """A line for each side that has no answer, where another has one."""
    answered = {side.label for side in met}
    for side in sides:
        if met and side.label not in answered:
            yield said.introduced(side.label, said.say("nothing_on_side"))


# ---------------------------------------------------------------- remarks


def also_said_in(answer: Answer, words: Wording, timeline: PassageTimeline, store: Reader) -> list[str]:
    """The titles of all other recordings in which somebody says, in one passage, all words of the subject of
    an exploratory question; most often said first. One look at the index of words for each."""
    plan = answer.evidence.plan
    if plan is None or plan.intent != "exploratory":
        return []
    asked = {stem(word) for word in subject_words(answer.question)} & words.weights.keys()
    if not asked or not len(timeline):
        return []
    said = np.ones(len(timeline), bool)
    for term in asked:
        said &= store.keyword(list(inflected(term)), timeline) > 0
    quoted = {citation.recording.id for citation in answer.citations}
    numbers, times = np.unique(timeline.recordings[said], return_counts=True)
    names = [timeline.names[n] for n in numbers[np.argsort(-times, kind="stable")].tolist()]
    found = [recording for name in names if name not in quoted and (recording := store.recording(name))]
    return [one_line(recording.title) for recording in found]


_UNHEARD = 3
"""How many words that nobody says are told."""
_ELSEWHERE = 8
"""How many recordings are named that are not quoted."""
_POSSESSIVE = re.compile(r"['\u2019]s$")


def remarks(
    answer: Answer,
    words: Wording,
    timeline: PassageTimeline,
    dropped: int,
    tools: Tools,
    said: Messages,
    sides: bool = False,
) -> Iterator[str]:
    """Remarks on an answer to the question of `words`, put to the passages of a line: that a strategy ends
    with scores; words that nobody says; that only recordings in another language come near, or that one
    comes first; where else the words are said, where that is asked; who of those that were asked for is not
    quoted (an answer by `sides` tells that by itself); that no meaning was looked for; how many quotes are
    gone (`dropped`)."""
    doubted = answer.verdict != "answered"
    curve = answer.evidence.curve
    if curve is not None and not answer.evidence.moments and float(curve.score.max(initial=0)) > 0:
        yield said.say("nothing_cut")
    if words.absent and (doubted or answer.confidence < SURE):
        some = [said.quote(_POSSESSIVE.sub("", one_line(word))) for word in words.absent[:_UNHEARD]]
        yield said.say("unheard", len(some), names=said.listed(some))
    if doubted and (language := spoken_instead(answer, tools)):
        yield said.say("spoken_instead", language=said.language_name(language))
    if not doubted and (language := first_in_another(answer, tools)):
        yield said.say("first_in_another", language=said.language_name(language))
    if not doubted and (others := also_said_in(answer, words, timeline, tools.store)):
        more = [said.say("others", len(others) - _ELSEWHERE)] if len(others) > _ELSEWHERE else []
        yield said.say("also_said_in", names=said.listed([*others[:_ELSEWHERE], *more]))
    if not doubted and not sides and (missing := unquoted(answer)):
        yield said.say("unquoted", len(missing), names=said.listed(missing))
    if tools.embedder is None:
        yield said.say("words_alone")
    if dropped:
        yield said.say("dropped", dropped)


def spoken_instead(answer: Answer, tools: Tools) -> str | None:
    """The language of all recordings that come near, by its code, where the question is in another one."""
    plan = answer.evidence.plan
    names = dict.fromkeys(moment.recording for moment in answer.evidence.moments)
    found = [recording for name in names if (recording := tools.store.recording(name))]
    languages = {(recording.details.language or "").split("-")[0] for recording in found}
    if plan is None or not plan.language or len(languages) != 1 or plan.language in languages:
        return None
    return languages.pop() or None


def first_in_another(answer: Answer, tools: Tools) -> str | None:
    """The language of what is quoted first, where something was found in that of the question as well."""
    if not answer.citations:
        return None
    language = elsewhere(answer.evidence, answer.citations[0].recording)
    names = {moment.recording for moment in answer.evidence.moments}
    found = [recording for name in names if (recording := tools.store.recording(name))]
    own = any(spoken_in(one) and not elsewhere(answer.evidence, one) for one in found)
    return language if language and own else None


def unquoted(answer: Answer) -> list[str]:
    """Of several speakers, firms or shows that the question asks of, those that no quote is of."""
    filters = answer.evidence.plan.filters if answer.evidence.plan else ()
    named = [kept for kept in filters if kept.field == "speaker" or kept.field not in FILTER_FIELDS]
    several = [kept for kept in named if sum(kept.field == other.field for other in named) > 1]
    missing = [kept.value for kept in several if not any(_is_of(c, kept) for c in answer.citations)]
    return list(dict.fromkeys(one_line(name) for name in missing))


def _is_of(citation: Citation, kept: Filter) -> bool:
    """Whether a citation is of the speaker, or of a recording with the attribute, that a filter names."""
    if kept.field == "speaker":
        return citation.speaker is not None and names_speaker(kept.value, citation.speaker)
    return citation.recording.details.attributes.get(kept.field) == kept.value
