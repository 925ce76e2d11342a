"""Strategies: named ways from a question to its evidence. The presets are the constants below."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches

from onrecord.errors import NotFoundError
from onrecord.retrieve import Moments, Search, Semantic, Smooth, Stage, Threshold, Tools
from onrecord.types import Evidence, Question


@dataclass(frozen=True, slots=True)
class Strategy:
    """Stages under a name."""

    name: str
    stages: Stage

    def retrieve(self, question: Question, tools: Tools) -> Evidence:
        """Evidence for a question. Raises RetrievalError, before anything runs, where a stage lacks a
        tool that it needs."""
        self.stages.check(tools)
        return self.stages(Evidence(question), tools)


BALANCED = Strategy(
    "balanced",
    Search(dense=0.6, lexical=0.4)
    >> Smooth(forward=400, backward=180, own=0.2, power=6)
    >> Moments(words=1200, longest=480),
)
DIRECT = Strategy("direct", Semantic(50) >> Threshold(most=10, least=3))

STRATEGIES = {strategy.name: strategy for strategy in (BALANCED, DIRECT)}


def named(name: str) -> Strategy:
    """The preset of that name. Raises NotFoundError."""
    if name not in STRATEGIES:
        near = get_close_matches(name, STRATEGIES, 1)
        hint = f"did you mean {near[0]!r}?" if near else "there are " + ", ".join(STRATEGIES)
        raise NotFoundError(f"there is no strategy {name!r}: {hint}")
    return STRATEGIES[name]
