"""What people think of answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from onrecord.types.questions import Exchange, Scope


@dataclass(frozen=True, slots=True)
class Quoted:
    """What an answer cited: verbatim words of a recording, by its id; seconds, None where it has none."""

    recording: str
    quote: str
    start: float | None = None
    end: float | None = None


@dataclass(frozen=True, slots=True)
class Feedback:
    """One person's judgement of one answer, with what it was an answer to and stood on.

    `good` is the thumb; `note` is free text. `scope` is what the question was put to before filters were
    read from it; of `history` the questions are kept. `strategy` was asked for, or chosen by chance where
    `trial` says so; `models` are those that found and wrote it, by their part. `made` is an ISO time in UTC.
    """

    id: str
    good: bool
    question: str
    made: str = ""
    note: str = ""
    history: tuple[Exchange, ...] = ()
    scope: Scope = field(default_factory=Scope)
    strategy: str = ""
    trial: bool = False
    verdict: str = ""
    text: str = ""
    evidence: tuple[Quoted, ...] = ()
    models: Mapping[str, str] = field(default_factory=dict)
