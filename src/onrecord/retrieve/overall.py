"""Questions that ask for all of a recording, and not for a subject in it: "Summarize the call"."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import ClassVar

import numpy as np

from onrecord.retrieve.question import subject
from onrecord.retrieve.stage import Stage, Tools
from onrecord.retrieve.wording import standing_alone
from onrecord.stores.base import Reader
from onrecord.stores.words import STOP, terms
from onrecord.types import Evidence

_TALK = frozenset(
    terms(
        "what summarize summarise summary sum overview recap outline gist highlight takeaway main key "
        "important point idea topic theme everything whole entire complete full all content detail brief "
        "short quick call meeting episode recording talk discussion conversation podcast interview show "
        "presentation session keynote hearing transcript happen happened discuss discussed said tell give "
        "about please "
        "resume resumer synthese essentiel principal principaux reunion appel enregistrement "
        "entretien emission conférence exposé séance vidéo sujet thème point idée résumé parle "
        "transcription tout ensemble grandes lignes"
    )
)


@dataclass(frozen=True)
class Overall(Stage):
    """Where the question asks for all of a recording, the curve is how much each passage says (its
    importance), and nothing else: what is near to the words "the call" tells nothing of the call.

    Scopes of more than `most` passages, and passages that nobody has judged, are left as they are.
    """

    most: int = 5000
    ranges: ClassVar = {"most": (0, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        curve = evidence.curve
        if curve is None or not 0 < len(curve.line) <= self.most or not asks_for_all(evidence, tools.store):
            return evidence
        worth = [passage.importance for passage in tools.store.passages(curve.line.rows)]
        if len(worth) != len(curve.line) or None in worth:
            return evidence
        return replace(evidence, curve=replace(curve, score=np.array(worth, np.float32)))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        return "all of it is asked for" if before.curve is not after.curve else ""


def asks_for_all(evidence: Evidence, store: Reader) -> bool:
    """Whether nothing is left of a question but words for talk, and for the titles of the recordings that it
    is put to, or that were found for it."""
    words = set(terms(standing_alone(subject(evidence.question.text)))) - STOP - _TALK
    if not words:
        return True
    names = evidence.question.scope.recordings or {moment.recording for moment in evidence.moments}
    titles = [recording.title for name in names if (recording := store.recording(name))]
    return len(titles) == 1 and words <= set(terms(titles[0]))
