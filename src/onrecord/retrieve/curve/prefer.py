"""Prefers passages that meet the conditions of a question, and keeps only those where they answer it.

A mention may be misread, and the answer may be elsewhere, so a condition excludes nothing by itself. If the
best passage that meets all strong conditions (people, recordings, values, sections) reaches a share of the
best score of all, the curve is narrowed to what meets them: whoever asks what Kelly said of tariffs wants
Kelly's words. If not, the weakest condition no longer narrows but only lowers what does not meet it,

    score'(p) = score(p) * (1 - share * (1 - fit(p)))

where fit(p) is the share of such conditions that a passage meets. A date that is not said of the recording
never narrows, nor does a recording that nobody names and the answer before cites.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from onrecord.retrieve.curve.curves import narrowed, part_of
from onrecord.retrieve.stage import Stage, Tools
from onrecord.stores.base import Reader
from onrecord.types import Curve, Evidence, Filter, PassageTimeline, Scope

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Mask = NDArray[np.bool_]


_ORDER = ("speaker", "recording")
"""Conditions that are given up last."""
_WEAK = ("language", "section")
_UNNAMED = (*_WEAK, "date")
"""Conditions that name nobody and nothing that could speak of a subject."""
DATES = ("since", "until")


@dataclass(frozen=True)
class Prefer(Stage):
    """Narrows the curve to the preferences of the plan where its best there reaches `reach` of the best.

    Passages of people are raised by `raised`, and the `beside` passages before and after them stay, which
    lead to what they say. Where the curve is not narrowed, what does not meet the conditions loses up to
    `share`, and a note says so of whoever or whatever was named."""

    share: float = 0.4
    reach: float = 0.45
    beside: int = 2
    raised: float = 0.05
    prefers: ClassVar = True
    ranges: ClassVar = {
        "share": (0, 1),
        "reach": (0, 1),
        "beside": (0, inf),
        "raised": (0, 1),
    }

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        curve, groups = evidence.curve, preferences_by_field(evidence)
        if curve is None or not len(curve.timeline) or not groups:
            return evidence
        masks = {field: mask_of(group, curve.timeline, tools.store) for field, group in groups.items()}
        lent = {field for field, group in groups.items() if all(each.cited for each in group)} | {"date"}
        narrowing = self._fields_to_narrow(
            curve, {field: mask for field, mask in masks.items() if field not in lent}
        )
        others = [mask for field, mask in masks.items() if field not in narrowing]
        if others:
            fit = np.mean(others, axis=0)
            curve = replace(curve, score=(curve.score * (1 - self.share * (1 - fit))).astype(np.float32))
        for field in sorted(masks.keys() - {*narrowing, *_UNNAMED, *lent}):
            evidence = _not_by(evidence, groups[field])
        if not narrowing:
            return replace(evidence, curve=curve)
        return self._narrowed(evidence, curve, {field: masks[field] for field in narrowing}, groups)

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        if before.curve is None or after.curve is None or before.curve is after.curve:
            return ""
        is_narrowed = len(after.curve.timeline) < len(before.curve.timeline)
        conditions = ", ".join(
            f"{f.field} {f.value}" for group in preferences_by_field(before).values() for f in group
        )
        return f"{'only' if is_narrowed else 'preferring'} {conditions}"

    def _fields_to_narrow(self, curve: Curve, masks: dict[str, Mask]) -> list[str]:
        """The fields that the curve is narrowed to; the weakest are given up first."""
        fields = sorted(masks, key=strength)
        best = float(curve.score.max())
        while fields and best > 0:
            matches = np.logical_and.reduce([masks[field] for field in fields])
            if matches.any() and float(curve.score[matches].max()) >= self.reach * best:
                return fields
            fields.pop()
        return []

    def _narrowed(
        self, evidence: Evidence, curve: Curve, masks: dict[str, Mask], groups: dict[str, list[Filter]]
    ) -> Evidence:
        matches = np.logical_and.reduce(list(masks.values()))
        scope = evidence.question.scope
        if "speaker" in masks:
            names = tuple(dict.fromkeys(condition.value for condition in groups["speaker"]))
            scope = replace(scope, speakers=names)
            curve = replace(curve, score=(curve.score + self.raised * matches).astype(np.float32))
            people, recordings = matches, curve.timeline.recordings
            matches = people.copy()
            for step in range(1, min(self.beside, len(people) - 1) + 1):
                in_one_recording = recordings[step:] == recordings[:-step]
                matches[step:] |= people[:-step] & in_one_recording
                matches[:-step] |= people[step:] & in_one_recording
        question = replace(evidence.question, scope=scope)
        return replace(evidence, question=question, curve=narrowed(curve, np.flatnonzero(matches)))


def _not_by(evidence: Evidence, named: Sequence[Filter]) -> Evidence:
    """Evidence with a note that the speakers, recordings or series asked for hardly speak of the subject."""
    from onrecord.understand.lexicon import messages_in  # only where there is something to say

    plan = evidence.plan
    if plan is None:
        return evidence
    messages = messages_in(plan.language)
    names = [each.value if each.field == "speaker" else each.said for each in named]
    note = messages.say("not_by", names=messages.choices(list(dict.fromkeys(names))))
    return replace(evidence, plan=replace(plan, notes=tuple(dict.fromkeys((*plan.notes, note)))))


def prefers(stage: Stage) -> bool:
    """Whether a stage, or one that it holds, looks at the preferences of a plan."""
    return bool(getattr(stage, "prefers", False)) or any(map(prefers, stage.inner))


def strength(field: str) -> int:
    """The order of fields, the strongest first."""
    if field in _ORDER:
        return _ORDER.index(field)
    return 3 if field in _WEAK else 2


def preferences_by_field(evidence: Evidence) -> dict[str, list[Filter]]:
    """The preferences of the plan by field; both ends of a date are one. None of a field that is in scope."""
    plan = evidence.plan
    if plan is None:
        return {}
    scope = evidence.question.scope
    in_scope = {"speaker": scope.speakers, "recording": scope.recordings, "section": scope.sections}
    groups: dict[str, list[Filter]] = {}
    for condition in plan.preferences:
        if not in_scope.get(condition.field):
            field = "date" if condition.field in DATES else condition.field
            groups.setdefault(field, []).append(condition)
    return dict(sorted(groups.items()))


def mask_of(conditions: Sequence[Filter], timeline: PassageTimeline, reader: Reader) -> Mask:
    """Which passages of a timeline fit one of some conditions on a field; both ends of a date."""
    if all(condition.field in DATES for condition in conditions):
        ends = {condition.field: condition.value for condition in conditions}
        scopes = [Scope(since=ends.get("since"), until=ends.get("until"))]
    else:
        scopes = [scope_of(condition) for condition in conditions]
    mask = np.zeros(len(timeline), bool)
    for scope in scopes:
        mask |= np.isin(timeline.rows, reader.timeline(scope).rows)
    return mask


def scope_of(condition: Filter) -> Scope:
    """The scope that one condition makes."""
    field, value = condition.field, condition.value
    if field == "recording":
        return Scope(recordings=(value,))
    if field == "speaker":
        return Scope(speakers=(value,))
    if field == "language":
        return Scope(languages=(value,))
    if field == "section":
        return Scope(sections=(value,))
    return Scope(attributes={field: value})


def preferred_timeline(evidence: Evidence, reader: Reader) -> tuple[PassageTimeline, Scope]:
    """The passages in scope that meet all preferences, and the scope narrowed to them.

    If none meets all of them, the weakest are given up first.
    """
    scope, groups = evidence.question.scope, preferences_by_field(evidence)
    timeline = reader.timeline(scope)
    fields = sorted(groups, key=lambda field: 4 if field == "date" else strength(field))
    while fields and len(timeline):
        matches = np.logical_and.reduce([mask_of(groups[field], timeline, reader) for field in fields])
        if matches.any():
            people = tuple(person.value for person in groups["speaker"]) if "speaker" in fields else ()
            narrowed = matching(timeline, matches)
            recordings = narrowed.names if set(fields) - {"speaker"} else scope.recordings
            return narrowed, replace(scope, speakers=people or scope.speakers, recordings=recordings)
        fields.pop()
    return timeline, scope


def matching(timeline: PassageTimeline, mask: Mask) -> PassageTimeline:
    """The passages of a timeline in a mask, with the recordings that these are of."""
    numbers, recordings = np.unique(timeline.recordings[mask], return_inverse=True)
    names = tuple(timeline.names[number] for number in numbers.tolist())
    renumbered = recordings.astype(timeline.recordings.dtype)
    return replace(part_of(timeline, mask), recordings=renumbered, names=names)
