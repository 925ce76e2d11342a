"""What the user is told beside an answer: why little was found, and what is missing from it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from onrecord.answer.confidence import SURE
from onrecord.answer.mentions import also_said_in
from onrecord.answer.phrases import English
from onrecord.retrieve.moments.order import elsewhere, spoken_in
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import Wording
from onrecord.stores.scope import names_speaker
from onrecord.types import FILTER_FIELDS, Answer, Citation, Filter, Line, one_line

_UNHEARD = 3
"""How many words that nobody says are told."""
_ELSEWHERE = 8
"""How many recordings are named that are not quoted."""
_POSSESSIVE = re.compile(r"['\u2019]s$")


def remarks(
    answer: Answer, words: Wording, line: Line, dropped: int, tools: Tools, said: English, sides: bool = False
) -> Iterator[str]:
    """Remarks on an answer to the question of `words`, put to the passages of a line: that a strategy ends
    with scores; words that nobody says; that only recordings in another language come near, or that one
    comes first; where else the words are said, where that is asked; who of those that were asked for is not
    quoted (an answer by `sides` tells that by itself); that no meaning was looked for; how many quotes are
    gone (`dropped`)."""
    doubted = answer.verdict != "answered"
    if nothing_cut(answer):
        yield said.nothing_cut
    if words.absent and (doubted or answer.confidence < SURE):
        yield said.unheard([_POSSESSIVE.sub("", one_line(word)) for word in words.absent[:_UNHEARD]])
    if doubted and (language := spoken_instead(answer, tools)):
        yield said.spoken_instead(language)
    if not doubted and (language := first_in_another(answer, tools)):
        yield said.first_in_another(language)
    if not doubted and (others := also_said_in(answer, words, line, tools.store)):
        yield said.also_said_in(others[:_ELSEWHERE], len(others[_ELSEWHERE:]))
    if not doubted and not sides and (missing := unquoted(answer)):
        yield said.unquoted(missing)
    if tools.embedder is None:
        yield said.words_alone
    if dropped:
        yield said.dropped(dropped)


def nothing_cut(answer: Answer) -> bool:
    """Whether passages were scored, and no moments are left of them: most likely the strategy cuts none."""
    curve = answer.evidence.curve
    return curve is not None and not answer.evidence.moments and float(curve.score.max(initial=0)) > 0


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
