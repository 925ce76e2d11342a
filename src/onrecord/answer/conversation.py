"""Parts of an answer besides quotes: the reply to a courtesy, and suggestions for the next question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, zip_longest

from onrecord.retrieve.candidates.sections import EMPTY_KINDS, titles_of_kinds
from onrecord.retrieve.moments.order import by_rank
from onrecord.retrieve.profile import Profile, profiles
from onrecord.stores.base import Snapshot
from onrecord.types import Answer, Evidence, Exchange, Question, Scope, one_line
from onrecord.understand.intents import courtesies
from onrecord.understand.lexicon import Messages, messages_in, words

_LONGEST = 60
"""The most characters of a courtesy: a longer text asks something."""


def courtesy(text: str) -> tuple[str, str] | None:
    """Return the language and the kind of a courtesy, such as ("en", "greeting") for "Hello!".

    Of several courtesies, the first one counts. Return None for a text that asks something.
    """
    rest = words(text) if len(text) <= _LONGEST else ()
    phrases, first = courtesies(), None
    longest = max(map(len, phrases))
    while rest:
        for size in range(min(longest, len(rest)), 0, -1):
            if rest[:size] in phrases:
                break
        else:
            return None
        first = first or phrases[rest[:size]]
        rest = rest[size:]
    return first


def reply_to_courtesy(question: Question, store: Snapshot) -> Answer | None:
    """Return the reply to a courtesy: what can be asked, with a recording in scope as the example.

    Return None for a question. Nothing is searched, so the reply has no moments and no citations.
    """
    match = courtesy(question.text)
    if match is None:
        return None
    language, kind = match
    messages, recordings = messages_in(language), store.recordings(question.scope)
    offer = messages.say("empty_scope" if question.scope else "empty_archive")
    if recordings:
        in_language = [r for r in recordings if r.details.language_code == language]
        title = one_line((in_language or recordings)[0].title)
        offer = messages.say("can_ask", len(recordings), example=messages.say("ask_place", title=title))
    heading = f"{messages.reply(kind)} {offer}"
    return Answer(question.text, heading, "", "nothing_found", (), Evidence(question))


def without_courtesies(history: Sequence[Exchange]) -> tuple[Exchange, ...]:
    """Return the exchanges of a conversation that ask something. Later questions may refer to them."""
    return tuple(turn for turn in history if courtesy(turn.question) is None)


MOST = 3
_OF_A_KIND = 2
_NEAR = 0.35
"""The least share of the best score with which a recording or section is worth suggesting."""
_LOUD = 0.2
"""The least share of a speaker in a recording's matches with which the speaker is worth suggesting."""


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A suggested next question.

    `text` is the wording for the user, in one line. `question` is the question to ask, in `scope` in addition
    to the scope of the previous question.
    """

    text: str
    question: str
    scope: Scope


def follow_ups(answer: Answer, store: Snapshot) -> tuple[FollowUp, ...]:
    """Return at most `MOST` suggestions: people, recordings and sections with good moments but no quote.

    Nothing of a kind that the question's scope names is suggested, and nothing for several questions in one
    text. If nothing answers, suggest the sections of the nearest passages. Suggestions are in the question's
    language.
    """
    plan = answer.evidence.plan
    messages = messages_in(plan.language if plan else None)
    if answer.refuses:
        nearest_last = reversed(tuple(_sections_nearby(answer, store, messages)))
        by_text = {one.text: one for one in nearest_last}  # several recordings have a section of one title
        return tuple(by_text.values())[: -MOST - 1 : -1]
    if not answer.citations or answer.evidence.parts:
        return ()
    ranked = profiles(replace(answer.evidence, curve=None), store)
    near = [profile for profile in ranked if profile.score >= _NEAR * ranked[0].score]
    asked = answer.evidence.question.scope
    others: list[tuple[str, Scope]] = []
    if not asked.speakers:
        others += islice(_speakers(answer, near, messages), _OF_A_KIND)
    if not asked.recordings:
        others += islice(_recordings(answer, near, messages), _OF_A_KIND)
    if not asked.sections:
        others += islice(_sections(answer, store, messages), _OF_A_KIND)
    return tuple(FollowUp(one_line(text), answer.question, scope) for text, scope in others[:MOST])


def _sections_nearby(answer: Answer, store: Snapshot, messages: Messages) -> Iterator[FollowUp]:
    """Yield the FAQ's nearest questions, then the sections of the nearest passages, the nearest first.

    A recording without sections, or one that is near only in a section such as its opening, is suggested as a
    whole. If nothing was retrieved, suggest the first sections of the newest recordings.
    """
    for option in answer.faq.options if answer.faq else ():
        yield FollowUp(option, option, Scope())
    places = _nearest_places(answer.evidence) or _newest_places(answer.evidence.question.scope, store)
    for name, title in places:
        recording = store.recording(name)
        if recording is None:
            continue
        if title in titles_of_kinds(name, EMPTY_KINDS, store):
            title = ""
        question = messages.say("ask_place", title=messages.quote(title) if title else recording.title)
        scope = Scope((name,), sections=(title,) if title else ())
        yield FollowUp(one_line(question), one_line(question), scope)


def _nearest_places(evidence: Evidence) -> Sequence[tuple[str, str]]:
    """Return the recording and section of each near moment, the nearest first."""
    moments = by_rank(evidence.moments)
    best = max((moment.score for moment in moments), default=0.0)
    near = (moment for moment in moments if moment.score >= _NEAR * best)
    return tuple(dict.fromkeys((m.recording, m.passages[m.peak].section or "") for m in near))


def _newest_places(scope: Scope, store: Snapshot) -> Iterator[tuple[str, str]]:
    """Yield the first primary sections of the newest recordings, one of each recording in turn."""
    newest = sorted(store.recordings(scope), key=lambda r: r.details.date or "", reverse=True)
    places: list[list[tuple[str, str]]] = []
    for recording in newest[:MOST]:
        sections = [s for s in store.sections(recording.id) if not s.under and s.kind not in EMPTY_KINDS]
        titles = dict.fromkeys(section.title for section in sections)
        places.append([(recording.id, title) for title in islice(titles, MOST)] or [(recording.id, "")])
    return filter(None, chain.from_iterable(zip_longest(*places)))


def _speakers(answer: Answer, near: Sequence[Profile], messages: Messages) -> Iterator[tuple[str, Scope]]:
    quoted = {citation.speaker for citation in answer.citations}
    talkative = (name for profile in near for name, share in profile.speakers if share > _LOUD)
    for name in dict.fromkeys(talkative):
        if name not in quoted:
            yield messages.say("ask_speaker", name=name), Scope(speakers=(name,))


def _recordings(answer: Answer, near: Sequence[Profile], messages: Messages) -> Iterator[tuple[str, Scope]]:
    quoted = {citation.recording.id for citation in answer.citations}
    for recording in (profile.recording for profile in near):
        if recording.id not in quoted:
            yield messages.say("ask_place", title=recording.title), Scope(recordings=(recording.id,))


def _sections(answer: Answer, store: Snapshot, messages: Messages) -> Iterator[tuple[str, Scope]]:
    """Yield sections of the quoted recording, if only one is quoted.

    With several, the title of a section alone would not name its recording.
    """
    recording, *others = {citation.recording.id for citation in answer.citations}
    if others:
        return
    excluded = {passage.section for citation in answer.citations for passage in citation.passages}
    excluded |= titles_of_kinds(recording, EMPTY_KINDS, store)
    moments = [moment for moment in answer.evidence.moments if moment.recording == recording]
    best = max((moment.score for moment in moments), default=0.0)
    near = (moment.passages[moment.peak] for moment in moments if moment.score >= _NEAR * best)
    for title in dict.fromkeys(passage.section for passage in near):
        if title and title not in excluded:
            yield (
                messages.say("ask_place", title=messages.quote(title)),
                Scope(recordings=(recording,), sections=(title,)),
            )
