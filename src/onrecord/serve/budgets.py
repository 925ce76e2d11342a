"""Time budgets: the time limit of each part of an answer, and the time it took."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from onrecord.types import Answer

PARTS = ("plan", "embed", "search", "rerank", "first_text", "total")
"""The parts of an answer that have a budget.

`plan` is understanding the question, `first_text` the time until the first words can be read. The limits are
the settings `budgets`, except for reranking, which `rerank.milliseconds` limits and cuts.
"""


@dataclass(frozen=True, slots=True)
class Budget:
    """The time limit of a part of an answer, and the time it took, in seconds."""

    stage: str
    limit: float
    taken: float

    @property
    def is_met(self) -> bool:
        return self.taken <= self.limit

    def __str__(self) -> str:
        """Return ``search 12 of 50 ms``, with an exclamation mark if the part took longer."""
        stage, late = self.stage.replace("_", " "), "" if self.is_met else "!"
        return f"{stage} {self.taken * 1000:.0f} of {self.limit * 1000:.0f} ms{late}"

    def to_json(self) -> dict[str, Any]:
        return {"stage": self.stage, "limit_ms": round(self.limit * 1000), "ms": round(self.taken * 1000, 2)}


def budgets(answer: Answer) -> list[Budget]:
    """Return the budgets of the parts that were measured."""
    return [
        Budget(stage, answer.budgets[stage], answer.seconds[stage])
        for stage in PARTS
        if stage in answer.seconds and stage in answer.budgets
    ]
