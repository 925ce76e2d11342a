"""The FAQ first, else the archive: one chain, with how sure each of them is."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from onrecord.errors import OnRecordError
from onrecord.ingest.language import language_of_question
from onrecord.types import Answer, Evidence, FaqHit, Question, one_line
from onrecord.understand.lexicon import messages_in

if TYPE_CHECKING:
    from onrecord.retrieve.faq import Faq, FaqReply

log = logging.getLogger(__name__)


def asked_first(faq: Faq, question: Question) -> tuple[FaqHit | None, Answer | None, str]:
    """What the FAQ says to a question: its best entry, the answer where it has one, and a note where it could
    not be asked, which is no reason not to ask the archive."""
    try:
        reply = faq.ask(question.text)
    except OnRecordError as error:
        log.warning("the FAQ could not be asked: %s", error)
        return None, None, f"The FAQ could not be asked ({error.code})."
    hit = _hit(reply)
    return hit, _answer(question, reply, hit) if hit.answered else None, ""


def _hit(reply: FaqReply) -> FaqHit:
    best = reply.candidates[0] if reply.candidates else None
    entry = reply.entry or best
    name, asked = (entry.id, entry.question) if entry else (None, None)
    return FaqHit(reply.stage, reply.score, name, asked, reply.answer is not None)


def _answer(question: Question, reply: FaqReply, hit: FaqHit) -> Answer:
    entry = reply.entry
    said = messages_in(language_of_question(question.text))
    link = f"\n\n{entry.link}" if entry and entry.link else ""
    return Answer(
        question.text,
        said.say("from_faq", question=one_line(hit.question or "")),
        f"{reply.answer}{link}",
        "answered",
        (),
        Evidence(question),
        confidence=reply.score,
        faq=hit,
    )
