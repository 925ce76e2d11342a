"""An answer that a language model writes, every sentence checked before anybody sees it.

The steps are draft, verify, refine and final. The draft is read sentence by sentence. A sentence that stands
is passed on at once. One that does not is left out. If a model has the role "check", the sentence and all
that follow it wait for the end of the draft instead; one call then judges and corrects all sentences in
doubt. So everything shown was checked, in the order in which it was written. Without a model, or if it fails,
the answer is made of quotes.

If a text asks several questions, each one is answered by itself, under its own words, because facts of the
catalog, dialogue acts and statements on a subject come from different places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from onrecord.answer.manner import Brief, Manner
from onrecord.answer.marks import renumber_marks, replace_marks
from onrecord.answer.quotes import CatalogFacts, catalog_facts, renumber
from onrecord.models.roles import ModelRoles
from onrecord.retrieve.stage import Tools
from onrecord.types import VERDICTS, Answer, Citation, Evidence, Heading, Nearest, one_line
from onrecord.understand.lexicon import messages_in

if TYPE_CHECKING:
    from onrecord.answer.draft import Piece


def write(stand_in: Answer, tools: Tools, language: str | None, manner: Manner) -> Iterator[Piece]:
    """Return the pieces of the answer as they are made.

    If a model writes, the Nearest quotes come first. Then come the Heading, if there is one, and the text
    piece by piece, each citation before the piece that cites it. The Answer comes last. Everything needed
    from the store is read before this function returns.

    Args:
        stand_in: the answer without a model. It is used if no model has the role "answer", if nothing worth
            asking about matched, and if the model fails. Facts that the plan of the question knows come
            before either.
    """
    facts = catalog_facts(stand_in.evidence, tools.store)
    plan = stand_in.evidence.plan
    if not tools.roles.is_filled("answer") or stand_in.verdict == "nothing_found" or (plan and plan.settled):
        whole = facts.prepend_to(stand_in, messages_in(language)) if facts else stand_in
        return as_stream(whole, tools.roles)
    return _written(Brief(stand_in, tools.roles, language, facts, manner), tools)


def _written(brief: Brief, tools: Tools) -> Iterator[Piece]:
    """Return the pieces of a language model's answer. Import the modules for it."""
    from onrecord.answer.context import context, contexts
    from onrecord.answer.draft import Draft
    from onrecord.answer.parts import InParts

    stand_in, manner = brief.stand_in, brief.manner
    shown = context(stand_in.evidence, tools, manner.tokens, manner.scores)
    if manner.in_full and (shown.cut or shown.missing):
        several = contexts(stand_in.evidence, tools, manner.tokens, manner.scores)
        draft: Draft = InParts(several, brief)
    else:
        draft = Draft(shown, brief)
    return _with_nearest(stand_in, draft.events())


def _with_nearest(stand_in: Answer, pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Yield the quotes of the answer without a model, then the pieces of the answer."""
    if stand_in.citations:
        yield Nearest(stand_in.citations)
    yield from pieces


def as_stream(answer: Answer, roles: ModelRoles) -> Iterator[Piece]:
    """Yield the pieces of an answer that is complete already."""
    if answer.heading:
        yield Heading(answer.heading)
    yield from answer.citations
    if answer.text:
        yield answer.text
    yield replace(answer, calls=roles.calls)


_LONGEST = 160
"""The most characters of a question that is shown above its answer."""


def parts_to_search(evidence: Evidence) -> int:
    """Return how many of several questions need a search, at least 1. They share the words of an answer."""
    return max(1, sum(not _settled(part) for part in evidence.parts))


def write_several(
    answers: Sequence[Answer], stand_in: Answer, tools: Tools, language: str | None, manner: Manner
) -> Iterator[Piece]:
    """Return the pieces of the answer to all questions of a text: see `onrecord.answer.write.write`.

    Args:
        answers: the answers without a model, in the order of the questions, without the facts of their plans.
        stand_in: the common basis of the answers: the text that was asked, and the evidence for all of it.

    A model is asked once, for all questions that need a search. Known facts come before its text.
    """
    facts_of_each = [catalog_facts(answer.evidence, tools.store) for answer in answers]
    open_ones = [answer for answer in answers if not _settled(answer.evidence)]
    if not tools.roles.is_filled("answer") or all(one.verdict == "nothing_found" for one in open_ones):
        messages = messages_in(language)
        pairs = zip(answers, facts_of_each, strict=True)
        complete = [facts.prepend_to(answer, messages) if facts else answer for answer, facts in pairs]
        return as_stream(_together(complete, stand_in), tools.roles)
    asked = " ".join(_heading(answer) for answer in open_ones)
    known = [(_heading(one), first) for one, first in zip(answers, facts_of_each, strict=True) if first]
    draft = replace(_together(open_ones, stand_in), question=asked)
    facts = _all_facts(known, asked) if known else None
    pieces = _written(Brief(draft, tools.roles, language, facts, manner), tools)
    own = stand_in.question
    return (replace(piece, question=own) if isinstance(piece, Answer) else piece for piece in pieces)


def _settled(evidence: Evidence) -> bool:
    """Return whether known facts already settle the question."""
    return bool(evidence.plan and evidence.plan.settled)


def _heading(answer: Answer) -> str:
    """Return the question to show above its answer, with citation marks neutralized."""
    text = replace_marks(one_line(answer.question), lambda match: f"({match[1]})")
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1].rstrip() + "…"


def _all_facts(known: Sequence[tuple[str, CatalogFacts]], asked: str) -> CatalogFacts:
    """Return the facts for each question under its words, then the questions that are still open."""
    texts: list[str] = []
    citations: tuple[Citation, ...] = ()
    for heading, first in known:
        texts.append(f"{heading}\n{renumber_marks(first.text, len(citations))}")
        citations += renumber(first.citations, len(citations))
    return CatalogFacts("\n\n".join((*texts, asked)), citations)


def _together(answers: Sequence[Answer], stand_in: Answer) -> Answer:
    """Return all answers as one, each under its question.

    The verdict is the best one of all, the confidence the mean of the confidences.
    """
    texts: list[str] = []
    citations: tuple[Citation, ...] = ()
    for answer in answers:
        above = "\n".join(filter(None, (_heading(answer), one_line(answer.heading))))
        text = renumber_marks(answer.text, len(citations))
        texts.append(f"{above}\n\n{text}" if answer.heading and text else f"{above}\n{text}".rstrip())
        citations += renumber(answer.citations, len(citations))
    return replace(
        stand_in,
        text="\n\n".join(texts),
        verdict=min((answer.verdict for answer in answers), key=VERDICTS.index),
        citations=citations,
        confidence=sum(answer.confidence for answer in answers) / len(answers),
        notes=tuple(dict.fromkeys(chain.from_iterable(answer.notes for answer in answers))),
        sections=tuple(dict.fromkeys(chain.from_iterable(answer.sections for answer in answers))),
    )
