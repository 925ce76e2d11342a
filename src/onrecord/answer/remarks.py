"""What the user is told beside an answer: why little was found, what is missing, where else it is said."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from onrecord.answer.judging import SURE
from onrecord.retrieve.moments.order import elsewhere, spoken_in
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import Wording, inflected, stem
from onrecord.stores.base import Reader
from onrecord.stores.scope import names_speaker
from onrecord.types import FILTER_FIELDS, Answer, Citation, Filter, PassageTimeline, one_line
from onrecord.understand.intents import subject_words
from onrecord.understand.lexicon import Messages


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
