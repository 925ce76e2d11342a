"""Calls of language models during retrieval.

The roles are "plan", "expand", "filter", "sections", "rerank" and "grade". Unless documented otherwise, a
function returns None if its role has no model or the reply is not valid; the stage then decides without a
model. A model chooses among numbers that it was shown and names that exist; the rest of its reply is ignored.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, Field

from onrecord.models.prompts import block, conversation, prompt
from onrecord.models.roles import ModelRoles
from onrecord.types import Plan, Question, one_line

if TYPE_CHECKING:
    from onrecord.types import Scores

_MOST_QUERIES = 6
_LONGEST = 600
"""Most characters of a search text that a model returns."""


class Chosen(BaseModel, defer_build=True):
    """The numbers of the texts that a model chooses."""

    numbers: list[int]


class Graded(BaseModel, defer_build=True):
    """The relevance of each passage, and what all passages lack."""

    relevance: list[float]
    missing: list[str] = Field(default_factory=list)


class Understood(BaseModel, defer_build=True):
    """A question as a model understands it."""

    text: str
    intent: Literal["factual", "definition", "causal", "summary", "comparison", "exploratory", "multi_entity"]
    entities: list[str] = Field(default_factory=list)
    queries: list[str] = Field(default_factory=list)
    strategy: str = ""


class Reworded(BaseModel, defer_build=True):
    """A passage that might answer a question, and the question in other words."""

    passage: str = ""
    queries: list[str] = Field(default_factory=list)


def choose(role: str, question: str, texts: Sequence[str], roles: ModelRoles) -> list[int] | None:
    """Return the indexes of the texts that a model chooses, in its order, each once; None if it chooses none.

    The model's role is "filter", "sections" or "rerank".
    """
    if not texts or not roles.is_filled(role):
        return None
    reply = roles.decide(role, prompt("retrieve", role), _number(question, texts), Chosen)
    indexes = [n - 1 for n in reply.numbers if 0 < n <= len(texts)] if reply else []
    return list(dict.fromkeys(indexes)) or None


def rank(question: str, texts: Sequence[str], roles: ModelRoles) -> Scores | None:
    """Return a score in 0..1 for each text: 1 for the model's first, falling evenly, 0 for omitted texts."""
    import numpy as np

    order = choose("rerank", question, texts, roles)
    if order is None:
        return None
    scores = np.zeros(len(texts), np.float32)
    scores[order] = 1 - np.arange(len(order), dtype=np.float32) / len(texts)
    return scores


def grade(question: str, texts: Sequence[str], roles: ModelRoles) -> Graded | None:
    """Return the relevance of each text, in 0..1, and what all texts lack."""
    if not texts or not roles.is_filled("grade"):
        return None
    reply = roles.decide("grade", prompt("retrieve", "grade"), _number(question, texts), Graded)
    if reply is None or len(reply.relevance) != len(texts):
        return None
    return Graded(
        relevance=[min(1.0, max(0.0, share)) for share in reply.relevance], missing=reply.missing[:9]
    )


def reword(question: str, roles: ModelRoles) -> list[str]:
    """Return more texts to search for: a passage that might answer the question, then the question reworded.

    The passage that the model makes up is similar to passages with the answer (HyDE: Gao, Ma, Lin and Callan,
    Precise Zero-Shot Dense Retrieval without Relevance Labels, 2023). Empty without a model or a valid reply.
    """
    if not roles.is_filled("expand"):
        return []
    reply = roles.decide("expand", prompt("retrieve", "expand"), block("question", [question]), Reworded)
    replies = [reply.passage, *reply.queries[:3]] if reply else []
    texts = [one_line(text)[:_LONGEST].strip() for text in replies]
    return [text for text in dict.fromkeys(texts) if text and text != question]


def revise_plan(plan: Plan, question: Question, roles: ModelRoles, strategies: Collection[str]) -> Plan:
    """Return a plan improved by the model in the role "plan": text, intent, entities, queries and strategy.

    Filters stay as planned, because the archive is known to have the values that they name. Values that the
    user set (`Question.hints`) also stay. A plan of several questions, and a settled plan, are returned
    unchanged.
    """
    if plan.settled or plan.parts:
        return plan
    parts = (
        conversation(question.history),
        block("question", [question.text]),
        block("strategies", sorted(strategies)),
    )
    reply = roles.decide("plan", prompt("retrieve", "plan"), "\n\n".join(filter(None, parts)), Understood)
    if reply is None:
        return plan
    text, hints = " ".join(reply.text.split()), question.hints
    entities = tuple(dict.fromkeys((*plan.entities, *map(str.strip, reply.entities))))[:20]
    queries = tuple(query for query in reply.queries if query.strip())[:_MOST_QUERIES]
    is_route_chosen = reply.strategy in strategies and not (hints.intent or hints.queries)
    return replace(
        plan,
        text=text if question.history and 0 < len(text) <= 4 * len(question.text) + 200 else plan.text,
        intent=hints.intent or reply.intent,
        entities=hints.entities or entities,
        queries=hints.queries or queries,
        strategy=reply.strategy if is_route_chosen else plan.strategy,
    )


def _number(question: str, texts: Sequence[str]) -> str:
    lines = [f"{number}. {text}" for number, text in enumerate(texts, 1)]
    return f"{block('question', [question])}\n\n{block('parts', lines)}"
