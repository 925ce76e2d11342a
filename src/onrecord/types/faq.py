"""Questions with ready answers."""

from __future__ import annotations

from dataclasses import dataclass


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
