"""What an answer has besides quotes: a reply to a courtesy, and suggestions what to ask next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, zip_longest

from onrecord.retrieve.candidates.sections import EMPTY_KINDS, titles_of_kinds
from onrecord.retrieve.profile import Profile, profiles
from onrecord.stores.base import Reader
from onrecord.types import Answer, Evidence, Exchange, Question, Recording, Scope, one_line
from onrecord.understand.lexicon import Messages, messages_in

_LONGEST = 60
"""Characters: what is longer asks something."""


def courtesy(text: str) -> tuple[str, str] | None:
    """The language and the kind of a courtesy, such as ("en", "greeting") for "Hello!".

    Of several courtesies, those of the first. None for a text that asks something.
    """
    from onrecord.understand.intents import courtesies  # examples take a while: only where somebody asks
    from onrecord.understand.lexicon import words

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


def reply_to_courtesy(question: Question, store: Reader) -> Answer | None:
    """The reply to a courtesy: what can be asked, with a recording in scope as the example.

    None for a question. Nothing was searched: there are no moments and no citations.
    """
    match = courtesy(question.text)
    if match is None:
        return None
    language, kind = match
    messages, recordings = messages_in(language), store.recordings(question.scope)
    offer = messages.say("empty_scope" if question.scope else "empty_archive")
    if recordings:
        in_language = [r for r in recordings if (r.details.language or "").startswith(language)]
        title = one_line((in_language or recordings)[0].title)
        offer = messages.say("can_ask", len(recordings), example=messages.say("ask_place", title=title))
    heading = f"{messages.reply(kind)} {offer}"
    return Answer(question.text, heading, "", "nothing_found", (), Evidence(question))


def without_courtesies(history: Sequence[Exchange]) -> tuple[Exchange, ...]:
    """The turns of a conversation that ask something, which later ones may lean on."""
    return tuple(turn for turn in history if courtesy(turn.question) is None)


MOST = 3
_OF_A_KIND = 2
_NEAR = 0.35
"""Of the best score: what is less is not worth asking."""
_LOUD = 0.2
"""The share of what was found in a recording from which on its speaker is worth asking."""


@dataclass(frozen=True, slots=True)
class FollowUp:
    """`text` is how it is put to people, in one line; `question` is asked, in `scope` besides the scope of
    the question before."""

    text: str
    question: str
    scope: Scope


def follow_ups(answer: Answer, store: Reader) -> tuple[FollowUp, ...]:
    """At most `MOST` suggestions: people, recordings and sections with good moments but no quote.

    None of a kind that the question names, and none for several questions. If nothing answers, sections of
    the nearest recordings. In the question's language.
    """
    plan = answer.evidence.plan
    messages = messages_in(plan.language if plan else None)
    if answer.verdict in ("low_relevance", "nothing_found"):
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


def _sections_nearby(answer: Answer, store: Reader, messages: Messages) -> Iterator[FollowUp]:
    """The FAQ's nearest questions, then sections of the recordings that come nearest, one of each in turn."""
    for option in answer.faq.options if answer.faq else ():
        yield FollowUp(option, option, Scope())
    scope = answer.evidence.question.scope
    near = [store.recording(name) for name in dict.fromkeys(m.recording for m in answer.evidence.moments)]
    newest = sorted(store.recordings(scope), key=lambda r: r.details.date or "", reverse=True)
    recordings = [recording for recording in (*near, *newest) if recording is not None]
    by_id = {recording.id: recording for recording in recordings}
    places: list[list[tuple[Recording, str]]] = []  # of each its first primary sections with content, or all
    for recording in islice(by_id.values(), MOST):
        sections = store.sections(recording.id)
        told = dict.fromkeys(s.title for s in sections if not s.under and s.kind not in EMPTY_KINDS)
        places.append([(recording, title) for title in islice(told, MOST)] or [(recording, "")])
    for recording, title in filter(None, chain.from_iterable(zip_longest(*places))):
        question = messages.say("ask_place", title=messages.quote(title) if title else recording.title)
        scope = Scope((recording.id,), sections=(title,) if title else ())
        yield FollowUp(one_line(question), one_line(question), scope)


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


def _sections(answer: Answer, store: Reader, messages: Messages) -> Iterator[tuple[str, Scope]]:
    """Sections of the quoted recording, if only one is quoted: a title alone does not name its recording."""
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
