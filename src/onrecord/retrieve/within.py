"""What one person says, found with the help of what others say around it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from onrecord.retrieve.curves import narrowed
from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Evidence


@dataclass(frozen=True)
class Within(Stage):
    """Runs `stage` on all voices of the recordings in scope, then leaves on the curve only the speakers in
    scope. Without speakers in scope it is the stage and nothing else.

    An answer seldom repeats the words of its question: "what did Kelly say about tariffs" is told by "three
    things at once", after somebody asked. Scores must flow from there before the voices are parted.
    """

    stage: Stage

    def check(self, tools: Tools) -> None:
        self.stage.check(tools)

    def __call__(self, evidence: Evidence, tools: Tools) -> Evidence:
        """The steps are those of the stage; leaving voices out adds one of its own."""
        if evidence.question.scope.speakers:
            return super().__call__(evidence, tools)
        return self.stage(evidence, tools)

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        question = evidence.question
        everybody = replace(question, scope=replace(question.scope, speakers=()))
        found = self.stage(replace(evidence, question=everybody), tools)
        found = replace(found, question=question)
        curve = found.curve
        if curve is None:
            return found
        theirs = np.isin(curve.line.rows, tools.store.line(question.scope).rows)
        return replace(found, curve=narrowed(curve, np.flatnonzero(theirs)))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        return f"only {', '.join(before.question.scope.speakers)}"
