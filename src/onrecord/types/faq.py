"""Questions with ready answers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FaqHit:
    """What the FAQ said to a question that an archive was asked: where it was decided (`stage`), the `score`
    of its best entry in 0..1, that entry's id and question, and whether its answer is the one given."""

    stage: str
    score: float
    entry: str | None = None
    question: str | None = None
    answered: bool = False


@dataclass(frozen=True, slots=True)
class FaqEntry:
    """A question with its answer, and the other ways in which it is asked.

    `status` is "draft" (kept, not found), "live" (answers questions) or "retired" (kept, no longer found).
    """

    id: str
    question: str
    answer: str
    variants: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    link: str | None = None
    status: str = "draft"

    @property
    def ways(self) -> tuple[str, ...]:
        """Every way in which it is asked: the question itself, then the variants."""
        return (self.question, *self.variants)
