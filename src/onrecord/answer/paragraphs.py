"""The text of an answer of quotes: heading, paragraphs, sides of a comparison, and notes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from onrecord.answer.confidence import SURE, best_coverage, heading_key
from onrecord.answer.judging import FEW
from onrecord.answer.quotes import Quote
from onrecord.retrieve.loops.sides import SIDE, name_in, names_apart, voices_of, without_names
from onrecord.retrieve.moments.order import other_language, spoken_in
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import Wording, inflected, stem, stems, subject, without, wording
from onrecord.stores.base import Snapshot
from onrecord.stores.scope import each_value, names_speaker
from onrecord.stores.words import FUNCTION_WORDS, terms
from onrecord.types import (
    FILTER_FIELDS,
    REFUSALS,
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
from onrecord.understand.intents import language_of, subject_words
from onrecord.understand.lexicon import Messages, plain

_NOBODY: Mapping[int, str] = {}
_COUNTS = 0.1
"""The least share of the best quote's confidence with which a quote's recording counts as answering."""
_OF_NOBODY = re.compile(
    r"^(\W*(?:what|how|when) (?:did|do|does|would)) |^(\W*que (?:disent|pensent)) ", re.IGNORECASE
)
"""The beginning of a query from which the name of a person was removed."""


def heading_for(
    verdict: str,
    sure: float,
    whole: bool,
    citations: Sequence[Citation],
    timeline: PassageTimeline,
    messages: Messages,
    spoken: tuple[str, int] | None = None,
) -> str:
    """Return the heading, one line that says how sure the answer is.

    `whole` is true if the question asks for all of a recording. Without citations the heading says that
    nothing matched, whatever the verdict. `spoken` is the code of the language of all recordings in scope and
    their number if the question is in another one: then the heading of a doubtful answer says so, and does
    not say that nothing matched.
    """
    titles = list(dict.fromkeys([plain(c.recording.title) for c in citations]))
    if verdict in REFUSALS or not titles:
        if spoken:
            code, count = spoken
            language, searched = messages.language_name(code), messages.say("searched", count)
            return messages.say("other_language", len(titles), searched=searched, language=language)
        key, searched = verdict if titles else "nothing_found", messages.say("searched", len(timeline.names))
        return messages.say(key, searched=searched)
    if verdict == "low_diversity":
        return messages.say("low_diversity", len(titles), times=len(citations))
    if whole:
        return messages.say("outlined", len(titles), title=titles[0])
    least = _COUNTS * max([citation.confidence for citation in citations])
    answering = dict.fromkeys([plain(c.recording.title) for c in citations if c.confidence >= least])
    return messages.say(heading_key(sure), len(answering), title=titles[0])


def quoted(
    citations: Sequence[Citation], verdict: str, messages: Messages, labels: Mapping[int, str] | None = None
) -> str:
    """Return the quotes, each with its mark, in one paragraph for each label.

    `labels` are keyed by the number of a citation. By default each recording has a paragraph. A label that
    only repeats the speaker of its quotes is left out.
    """
    if verdict == "low_diversity":
        again = messages.introduced(
            messages.say("told_again"), " ".join(f"[{c.number}]" for c in citations[1:])
        )
        return "\n".join((*_lines(citations[:1], messages), again))
    if labels is None:
        labels = labels_for(citations, (), False)
    groups: list[tuple[str, list[Citation]]] = []
    for citation in citations:
        label = labels[citation.number]
        if not groups or groups[-1][0] != label:
            groups.append((label, []))
        groups[-1][1].append(citation)
    paragraphs = []
    for label, group in groups:
        lines = _lines(group, messages)
        if label and {plain(citation.speaker or "") for citation in group} != {label}:
            lines.insert(0, messages.introduced(label))
        paragraphs.append("\n".join(lines))
    return "\n\n".join(paragraphs)


def labels_for(
    citations: Sequence[Citation], sides: Sequence[Side], outline: bool, owners: Mapping[int, str] = _NOBODY
) -> dict[int, str]:
    """Return the label of each citation, keyed by the citation's number.

    The label names the side of a comparison; without sides it names the recording, the section and the owner
    of a task. The recording is named if there are several, the section only in an outline. `owners` are the
    people who are to do a task, by citation number.
    """
    labels: dict[int, str] = {}
    if sides:
        for citation in citations:
            numbers = sides_quoted(citation.passage, citation.speaker, sides)
            names = dict.fromkeys(sides[number].label for number in numbers)
            labels[citation.number] = plain(", ".join(names))
        return labels
    recordings = dict.fromkeys([citation.recording.id for citation in citations])
    for citation in citations:
        parts = []
        if len(recordings) > 1:
            title, date = plain(citation.recording.title), plain(citation.recording.details.date or "")
            parts.append(title if date in title else f"{title} ({date})")
        if outline and citation.section:
            parts.append(plain(citation.section))
        if citation.number in owners:
            parts.append(plain(owners[citation.number]))
        labels[citation.number] = ", ".join(parts)
    return labels


def _lines(citations: Iterable[Citation], messages: Messages) -> list[str]:
    """Format quotes as ``Ann Bell: “...” [1] “...” [2]``, with a new line for each change of speaker."""
    lines: list[str] = []
    previous: Citation | None = None
    for citation in citations:
        quote = f"{messages.quote(one_line(citation.quote))} [{citation.number}]"
        if previous and previous.speaker == citation.speaker:
            lines[-1] += f" {quote}"
        else:
            speaker = citation.speaker
            lines.append(messages.introduced(plain(speaker), quote) if speaker else quote)
        previous = citation
    return lines


# ---------------------------------------------------------------- sides


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison.

    `label` is the name that is compared, or the subject of the side's query. `evidence` is the evidence for
    the question about this side, with the name removed from the question; `words` are the words of that
    question. `people` are the speakers that the side is about, if it is about people.
    """

    label: str
    evidence: Evidence
    words: Wording
    people: tuple[str, ...] = ()

    @property
    def own(self) -> Evidence:
        """The evidence in which the side's people speak. Other speakers do not show what these people say."""
        if not self.people:
            return self.evidence
        people, moments = set(self.people), []
        for moment in self.evidence.moments:
            passages = tuple(p for p in moment.passages if not people.isdisjoint(voices_of(p)))
            if passages:
                moments.append(replace(moment, passages=passages))
        return self.evidence.with_moments(tuple(moments))

    @property
    def is_subject_said(self) -> bool:
        """Whether the side's people say all words of its subject in one of the best passages."""
        return bool(self.people) and best_coverage(self.own, self.words) == 1

    @property
    def rows(self) -> frozenset[int]:
        """The rows of the passages that were retrieved for this side."""
        return frozenset(p.row for moment in self.evidence.moments for p in moment.passages)


def sides_of(evidence: Evidence, timeline: PassageTimeline, store: Snapshot) -> list[Side]:
    """Return the sides in the order in which the question names them; none if no side has evidence.

    The words of each side are weighted on the timeline of the whole question.
    """
    if evidence.plan is None or not evidence.plan.queries:
        return []
    numbers = range(len(evidence.plan.queries))
    sides = [_side(number, evidence, evidence.plan, timeline, store) for number in numbers]
    return sides if any(side.evidence.moments for side in sides) else []


def _side(number: int, evidence: Evidence, plan: Plan, timeline: PassageTimeline, store: Snapshot) -> Side:
    query = plan.queries[number]
    named = [condition for condition in plan.filters if name_in(condition.said, query)]
    people = [condition.value for condition in named if condition.field == "speaker"]
    moments = tuple(m for m in evidence.moments if f"{SIDE}{number}" in m.scores)
    voices = dict.fromkeys(name for m in moments for p in m.passages for name in voices_of(p))
    speakers = tuple(name for name in voices if name in people or name_in(name, query))
    own = [c for c in named if not all(name_in(c.said, other) for other in plan.queries)]
    # turn "what did Ann say about salt" into "what did they say about salt"
    text = without_names(query, [*names_apart(plan), *(condition.said for condition in own)])
    of_all = _OF_NOBODY.sub(lambda match: f"{match[1]} they " if match[1] else f"{match[2]}-ils ", text)
    if text != query and subject(of_all) != subject(text):
        text = of_all
    scope = replace(evidence.question.scope, speakers=speakers or evidence.question.scope.speakers)
    question = replace(evidence.question, text=text, scope=scope)
    names = [condition.value for condition in own if condition.field == "speaker"]
    names = names or [name for name in names_apart(plan) if name_in(name, query)]
    names = names or [c.said if c.field == "recording" else c.value for c in own]
    label = names[0] if len(names) == 1 else subject(query)
    words = wording(subject(question.text), timeline, store, FEW)
    return Side(label, replace(evidence, question=question, moments=moments, curve=None), words, speakers)


def sides_quoted(passage: Passage, speaker: str | None, sides: Sequence[Side]) -> tuple[int, ...]:
    """Return the numbers of the sides that a passage was retrieved for.

    If the passage's speaker is one of these sides, return that side alone.
    """
    numbers = [number for number, side in enumerate(sides) if passage.row in side.rows]
    own = tuple(number for number in numbers if sides[number].label == speaker)
    return own or tuple(numbers)


def nothing_on(sides: Sequence[Side], answered: Sequence[Side], messages: Messages) -> Iterator[str]:
    """Yield a line for each side without an answer, if another side has one."""
    if not answered:
        return
    for side in sides:
        if not any(side is other for other in answered):
            yield messages.introduced(side.label, messages.say("nothing_on_side"))


# ---------------------------------------------------------------- remarks


def also_said_in(answer: Answer, words: Wording, timeline: PassageTimeline, store: Snapshot) -> list[str]:
    """Return the titles of recordings that mention the subject of an exploratory question but are not quoted.

    One passage has to contain all words of the subject. The recording with the most such passages comes
    first.
    """
    plan = answer.evidence.plan
    if plan is None or plan.intent != "exploratory":
        return []
    asked = {stem(word) for word in subject_words(answer.question)} & words.weights.keys()
    if not asked or not len(timeline):
        return []
    matches = np.ones(len(timeline), bool)
    for term in asked:
        matches &= store.keyword(list(inflected(term)), timeline) > 0
    quoted = {citation.recording.id for citation in answer.citations}
    numbers, counts = np.unique(timeline.recordings[matches], return_counts=True)
    names = [timeline.names[n] for n in numbers[np.argsort(-counts, kind="stable")].tolist()]
    others = [recording for name in names if name not in quoted and (recording := store.recording(name))]
    return [one_line(recording.title) for recording in others]


_UNHEARD = 3
"""The most words that a note lists as said by nobody."""
_ELSEWHERE = 8
"""The most recordings that a note names as not quoted."""
_MOST_NAMED = 4
"""The most people that one word of a question may stand for if a note is to name the unquoted ones."""
_POSSESSIVE = re.compile(r"['\u2019]s$")


def remarks(
    answer: Answer,
    words: Wording,
    timeline: PassageTimeline,
    dropped: int,
    tools: Tools,
    messages: Messages,
    sides: bool = False,
) -> Iterator[str]:
    """Yield notes on an answer to the question of `words`, put to the passages of a timeline.

    The notes say, in this order: that the strategy ends with scores and makes no moments; that only
    recordings in another language match, or else which words nobody says; which people or recordings the
    question prefers, if others are quoted too; that a recording in another language comes first; where else
    the words are said, for an exploratory question; which of the people in the question are not quoted (an
    answer by `sides` says so itself); that no vectors were searched; and how many quotes no longer stand in
    the archive (`dropped`).
    """
    doubted = answer.verdict != "answered"
    curve = answer.evidence.curve
    if curve is not None and not answer.evidence.moments and float(curve.score.max(initial=0)) > 0:
        yield messages.say("nothing_cut")
    nearest = spoken_instead(answer, tools) if doubted else None
    if nearest:  # its speakers say none of the words
        yield messages.say("spoken_instead", language=messages.language_name(nearest))
    elif (doubted or answer.confidence < SURE) and (absent := unheard(answer, words, tools.store)):
        yield messages.say("unheard", len(absent), names=messages.listed([*map(messages.quote, absent)]))
    for key, names in () if sides else beside_preferred(answer, tools.store):
        yield messages.say(key, names=messages.choices(names))
    if not nearest and (language := first_in_another(answer, tools)):
        yield messages.say("first_in_another", language=messages.language_name(language))
    if not doubted and (others := also_said_in(answer, words, timeline, tools.store)):
        more = [messages.say("others", len(others) - _ELSEWHERE)] if len(others) > _ELSEWHERE else []
        yield messages.say("also_said_in", names=messages.listed([*others[:_ELSEWHERE], *more]))
    if not doubted and not sides and (missing := unquoted(answer)):
        yield messages.say("unquoted", len(missing), names=messages.listed(missing))
    if tools.embedder is None:
        yield messages.say("words_alone")
    if dropped:
        yield messages.say("dropped", dropped)


def unheard(answer: Answer, words: Wording, store: Snapshot) -> list[str]:
    """Return words of a question that no speaker of the recordings in scope says, even if one was searched.

    Left out are words that only ask, such as "according", and words of the plan's conditions: nobody needs to
    say the title of the recording that the question names.
    """
    if not words.absent:
        return []
    whole = store.timeline(replace(answer.evidence.question.scope, speakers=()))
    plan = answer.evidence.plan
    linked = [word for condition in plan.filters for word in condition.said.split()] if plan else []
    rest = without(linked, " ".join(filter(subject_words, words.absent)))
    absent = wording(rest, whole, store).absent[:_UNHEARD]
    return [_POSSESSIVE.sub("", one_line(word)) for word in absent]


def spoken_instead(answer: Answer, tools: Tools) -> str | None:
    """Return the code of the evidence's only language, if the question is in another language."""
    return _other_language(answer.evidence, _recordings_of(answer.evidence, tools))


def language_searched(evidence: Evidence, tools: Tools) -> tuple[str, int] | None:
    """Return the code of the only language of all recordings in scope, and how many they are.

    Return None if the question is in this language.
    """
    if evidence.moments and not _other_language(evidence, _recordings_of(evidence, tools)):
        return None  # all recordings need not be looked at
    recordings = tools.store.recordings(evidence.question.scope)
    language = _other_language(evidence, recordings)
    return (language, len(recordings)) if language else None


def _recordings_of(evidence: Evidence, tools: Tools) -> list[Recording]:
    """Return the recordings of the evidence's moments."""
    names = {moment.recording for moment in evidence.moments}
    return [recording for name in names if (recording := tools.store.recording(name))]


def _other_language(evidence: Evidence, recordings: Sequence[Recording]) -> str | None:
    """Return the code of the recordings' only language, if the question is in another one.

    Return None if either language is unknown.
    """
    languages = {spoken_in(recording) for recording in recordings}
    if evidence.plan is None or len(languages) != 1 or languages == {""}:
        return None
    # The language of the plan is that of the answer, which the question may ask to be another one.
    asked, (spoken,) = language_of(evidence.question.text), languages
    return spoken if asked and asked != spoken else None


def first_in_another(answer: Answer, tools: Tools) -> str | None:
    """Return the language of the first quote if it differs from the question's language.

    Return None if the question asks for that language or recording, and if the language of the question is
    not evident.
    """
    evidence, first = answer.evidence, answer.citations[0].recording if answer.citations else None
    language = other_language(evidence, first)
    if first is None or not language or _asks_for(evidence, first):
        return None
    recordings = _recordings_of(evidence, tools)
    own = any(spoken_in(each) and not other_language(evidence, each) for each in recordings)
    return language if own or _evident_language(evidence.question.text) not in (None, language) else None


def _asks_for(evidence: Evidence, recording: Recording) -> bool:
    """Return whether a question or its scope names a recording, or the language of it."""
    named = {"recording": recording.id, "language": spoken_in(recording)}
    filters = evidence.plan.filters if evidence.plan else ()
    is_named = any(each.value == named.get(each.field) and not each.cited for each in filters)
    return is_named or recording.id in evidence.question.scope.recordings


def _evident_language(question: str) -> str | None:
    """Return the code of a question's language; None if it has no function word of that language."""
    code = language_of(question)
    known = FUNCTION_WORDS.get(code or "")
    return code if known is None or not known.isdisjoint(terms(question)) else None


def beside_preferred(answer: Answer, store: Snapshot) -> Iterator[tuple[str, list[str]]]:
    """Yield the people or places that the question prefers, if others are quoted too.

    Each item is the key of a note and the names. Nothing is said of dates, languages and sections.
    """
    for field, conditions in _by_field(answer.evidence.plan, ("speaker", "recording")).items():
        preferred = [each for each in conditions if not (each.exact or each.cited)]
        by_others = (c for c in answer.citations if not any(_meets(c, each) for each in preferred))
        if preferred and any(by_others):
            names = dict.fromkeys(each.value for each in preferred)
            if field == "recording":
                names = dict.fromkeys(each.title for each in map(store.recording, names) if each)
            yield "not_by" if field == "speaker" else "not_in", list(names)


def quotes_of_named(quotes: Sequence[Quote], plan: Plan | None, store: Snapshot) -> list[Quote]:
    """Return the quotes from the recordings that a question names, and those that say the name.

    If the question names none, all are returned. "At Halden" is no part of the text that is searched for, so
    a reader cannot tell that a quote is about another firm.
    """
    groups = _by_field(plan, ("recording",)).values()
    named = [each for group in groups for each in group if not (each.exact or each.cited)]
    said = [stems(each.said) for each in named]

    def counts(quote: Quote) -> bool:
        recording, words = store.recording(quote.recording), stems(quote.text)
        is_there = recording is not None and any(_is_in(recording, condition) for condition in named)
        return is_there or any(name <= words for name in said)

    return [quote for quote in quotes if counts(quote)] if named else list(quotes)


def _by_field(plan: Plan | None, fields: Collection[str]) -> dict[str, list[Filter]]:
    """Return the conditions of a plan on some fields and on attributes, by field."""
    by_field: dict[str, list[Filter]] = {}
    for condition in plan.filters if plan else ():
        if condition.field in fields or condition.field not in FILTER_FIELDS:
            by_field.setdefault(condition.field, []).append(condition)
    return by_field


def _meets(citation: Citation, condition: Filter) -> bool:
    """Return whether a quote meets a condition on its speaker, its recording or an attribute."""
    if condition.field == "speaker":
        return citation.speaker is not None and names_speaker(condition.value, citation.speaker)
    return _is_in(citation.recording, condition)


def _is_in(recording: Recording, condition: Filter) -> bool:
    """Return whether a recording is the one that a condition names, or has its attribute."""
    if condition.field == "recording":
        return recording.id == condition.value
    held = recording.details.attributes.get(condition.field, "")
    return condition.value in (held, *each_value(held))


def unquoted(answer: Answer) -> list[str]:
    """Return the speakers, firms or shows without a quote, if the question asks for several of a kind."""
    missing: dict[str, None] = {}
    for conditions in _by_field(answer.evidence.plan, ("speaker",)).values():
        said = Counter(condition.said for condition in conditions)
        for condition in conditions if len(conditions) > 1 else ():
            is_quoted = any(_meets(citation, condition) for citation in answer.citations)
            # "everyone except Kelly" stands for many people and names none of them
            if not is_quoted and said[condition.said] <= _MOST_NAMED:
                missing[one_line(condition.value)] = None
    return list(missing)
