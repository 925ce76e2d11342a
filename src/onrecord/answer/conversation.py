"""What is said besides answers: a word back to a courtesy, and what to ask or open next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, zip_longest

from onrecord.retrieve.candidates.sections import EMPTY_KINDS
from onrecord.retrieve.profile import Profile, profiles
from onrecord.stores.base import Reader
from onrecord.types import Answer, Evidence, Exchange, Question, Scope, one_line
from onrecord.understand.lexicon import Messages, messages_in

_LONGEST = 60
"""Characters: what is longer asks something."""


def courtesy(text: str) -> tuple[str, str] | None:
    """The language and the kind of what is said out of courtesy, or to try whether somebody is there:
    ("en", "greeting") for "Hello!"; of several, those of the first. None for all that asks something."""
    from onrecord.understand.intents import courtesies  # examples take a while: only where somebody asks
    from onrecord.understand.lexicon import words

    left = words(text) if len(text) <= _LONGEST else ()
    known, first = courtesies(), None
    most = max(map(len, known))
    while left:
        size = next((n for n in range(min(most, len(left)), 0, -1) if left[:n] in known), 0)
        if not size:
            return None
        first = first or known[left[:size]]
        left = left[size:]
    return first


def answered(question: Question, store: Reader) -> Answer | None:
    """The word back: what can be asked, with a recording in scope as the example, in its language if there is
    one. None where something is asked. Nothing was searched: there are no moments and no citations."""
    said = courtesy(question.text)
    if said is None:
        return None
    language, kind = said
    words, there = messages_in(language), store.recordings(question.scope)
    told = words.say("empty_scope" if question.scope else "empty_archive")
    if there:
        example = next((r for r in there if (r.details.language or "").startswith(language)), there[0])
        told = words.say("can_ask", len(there), example=words.say("ask_place", title=one_line(example.title)))
    heading = f"{words.reply(kind)} {told}"
    return Answer(question.text, heading, "", "nothing_found", (), Evidence(question))


def asking(history: Sequence[Exchange]) -> tuple[Exchange, ...]:
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
    """At most `MOST`: of people, recordings and sections much was found and nothing quoted. None of a kind
    that the question names, and none where several were asked. Where nothing answers the question, what is
    spoken of in the recordings that come nearest. In French where the question is, else in English."""
    plan = answer.evidence.plan
    said = messages_in(plan.language if plan else None)
    if answer.verdict in ("low_relevance", "nothing_found"):
        nearest_last = reversed(tuple(_instead(answer, store, said)))
        once = {each.text: each for each in nearest_last}  # several recordings have a section of one title
        return tuple(once.values())[: -MOST - 1 : -1]
    if not answer.citations or answer.evidence.parts:
        return ()
    found = profiles(replace(answer.evidence, curve=None), store)
    near = [profile for profile in found if profile.score >= _NEAR * found[0].score]
    asked = answer.evidence.question.scope
    others: list[tuple[str, Scope]] = []
    if not asked.speakers:
        others += islice(_speakers(answer, near, said), _OF_A_KIND)
    if not asked.recordings:
        others += islice(_recordings(answer, near, said), _OF_A_KIND)
    if not asked.sections:
        others += islice(_sections(answer, store, said), _OF_A_KIND)
    return tuple(FollowUp(one_line(text), answer.question, scope) for text, scope in others[:MOST])


def _instead(answer: Answer, store: Reader, said: Messages) -> Iterator[FollowUp]:
    """The FAQ's nearest questions, then sections of the recordings that come nearest, one of each in turn."""
    for option in answer.faq.options if answer.faq else ():
        yield FollowUp(option, option, Scope())
    scope = answer.evidence.question.scope
    near = [store.recording(name) for name in dict.fromkeys(m.recording for m in answer.evidence.moments)]
    newest = sorted(store.recordings(scope), key=lambda r: r.details.date or "", reverse=True)
    recordings = [recording for recording in (*near, *newest) if recording is not None]
    known = {recording.id: recording for recording in recordings}
    titles = [[(r, title) for title in _titles(r.id, store)] for r in islice(known.values(), MOST)]
    for recording, title in filter(None, chain.from_iterable(zip_longest(*titles))):
        question = said.say("ask_place", title=said.quote(title) if title else recording.title)
        sections = (title,) if title else ()
        yield FollowUp(one_line(question), one_line(question), Scope((recording.id,), sections=sections))


def _titles(recording: str, store: Reader) -> list[str]:
    """Of its primary sections that say something; an empty one for all of it, where there is none."""
    sections = (s.title for s in store.sections(recording) if not s.under and s.kind not in EMPTY_KINDS)
    return [*islice(dict.fromkeys(sections), MOST)] or [""]


def _speakers(answer: Answer, near: Sequence[Profile], said: Messages) -> Iterator[tuple[str, Scope]]:
    quoted = {citation.speaker for citation in answer.citations}
    loud = (name for profile in near for name, share in profile.speakers if share > _LOUD)
    for name in dict.fromkeys(loud):
        if name not in quoted:
            yield said.say("ask_speaker", name=name), Scope(speakers=(name,))


def _recordings(answer: Answer, near: Sequence[Profile], said: Messages) -> Iterator[tuple[str, Scope]]:
    quoted = {citation.recording.id for citation in answer.citations}
    for recording in (profile.recording for profile in near):
        if recording.id not in quoted:
            yield said.say("ask_place", title=recording.title), Scope(recordings=(recording.id,))


def _sections(answer: Answer, store: Reader, said: Messages) -> Iterator[tuple[str, Scope]]:
    """Of the recording that is quoted, where there is one alone: titles are not told apart otherwise."""
    recording, *others = {citation.recording.id for citation in answer.citations}
    if others:
        return
    left = {passage.section for citation in answer.citations for passage in citation.passages}
    left |= {section.title for section in store.sections(recording) if section.kind in EMPTY_KINDS}
    moments = [moment for moment in answer.evidence.moments if moment.recording == recording]
    best = max((moment.score for moment in moments), default=0.0)
    near = (moment.passages[moment.peak] for moment in moments if moment.score >= _NEAR * best)
    for title in dict.fromkeys(passage.section for passage in near):
        if title and title not in left:
            yield (
                said.say("ask_place", title=said.quote(title)),
                Scope(recordings=(recording,), sections=(title,)),
            )
