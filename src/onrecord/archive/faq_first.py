"""The FAQ in front of the archive: its answer to a question, or its question back."""

from __future__ import annotations

import logging

from onrecord.archive.asking import Ask, AskableArchive
from onrecord.errors import OnRecordError
from onrecord.retrieve.faq import FaqReply
from onrecord.types import Answer, Evidence, FaqHit, Question, one_line
from onrecord.understand.intents import language_of
from onrecord.understand.lexicon import messages_in

log = logging.getLogger(__name__)


def ask_faq(
    archive: AskableArchive, ask: Ask, question: Question, notes: list[str], is_empty: bool
) -> tuple[FaqHit | None, Answer | None]:
    """Return the FAQ's best match for a question, and the answer if the FAQ answers.

    If the archive `is_empty` of recordings, the FAQ is asked too, and asks back if it has no answer. If the
    FAQ fails, a note names the error, and the archive is asked.
    """
    first = archive.settings.faq.first if ask.faq is None else ask.faq
    try:
        if not (first or archive.faq.entries("live")):
            return None, None
        reply = archive.faq.ask(question.text)
    except OnRecordError as error:
        log.warning("the FAQ could not be asked: %s", error)
        notes += [f"The FAQ could not be asked ({error.code})."] * first
        return None, None
    entry = reply.entry or (reply.candidates[0] if reply.candidates else None)
    name, asked = (entry.id, entry.question) if entry else (None, None)
    options = tuple(option.question for option in reply.clarify.options) if reply.clarify else ()
    hit = FaqHit(reply.stage, reply.score, name, asked, reply.answer is not None, options)
    if not (hit.answered or (is_empty and reply.candidates)):
        return hit, None
    return hit, _answer_of(question, reply, hit)


def _answer_of(question: Question, reply: FaqReply, hit: FaqHit) -> Answer:
    """Return the answer of the entry, or the FAQ's question back."""
    if reply.clarify:
        heading, text = reply.clarify.message, ""
    else:
        messages = messages_in(language_of(question.text))
        heading = messages.say("from_faq", question=one_line(hit.question or ""))
        text = "\n\n".join(filter(None, (reply.answer, reply.entry.link if reply.entry else "")))
    return Answer(
        question.text,
        heading,
        text,
        "nothing_found" if reply.clarify else "answered",
        (),
        Evidence(question),
        confidence=0.0 if reply.clarify else reply.score,
        suggestions=hit.options,
        faq=hit,
    )
