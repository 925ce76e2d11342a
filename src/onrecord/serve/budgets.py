"""Time budgets: what each part of an answer may take, and what it took."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from onrecord.types import Answer

PARTS = ("plan", "embed", "search", "rerank", "first_text", "total")
"""`plan` is understanding the question, `first_text` when the first words can be read. The limits of all but
reranking, which `rerank.milliseconds` cuts, are the settings `budgets`."""


@dataclass(frozen=True, slots=True)
class Budget:
    """`limit` and `taken` are seconds."""

    stage: str
    limit: float
    taken: float

    @property
    def kept(self) -> bool:
        return self.taken <= self.limit

    def __str__(self) -> str:
        """``search 12 of 50 ms``, with an exclamation mark where it took longer."""
        stage, late = self.stage.replace("_", " "), "" if self.kept else "!"
        return f"{stage} {self.taken * 1000:.0f} of {self.limit * 1000:.0f} ms{late}"

    def to_json(self) -> dict[str, Any]:
        return {"stage": self.stage, "limit_ms": round(self.limit * 1000), "ms": round(self.taken * 1000, 2)}


def budgets(answer: Answer) -> list[Budget]:
    """The budgets of the parts that were measured."""
    return [
        Budget(stage, answer.budgets[stage], answer.seconds[stage])
        for stage in PARTS
        if stage in answer.seconds and stage in answer.budgets
    ]
