"""A stage that prefers passages that meet the conditions of a question.

A mention may be misread, and the answer may be elsewhere, so a condition excludes nothing by itself. The
strong conditions are people, recordings, values and sections. If the best passage that meets all of them
reaches a given share of the best score, the curve is narrowed to passages that meet them: a user who asks
what Kelly said about tariffs wants Kelly's words. Otherwise, the weakest condition no longer narrows the
curve, but only lowers the passages that do not meet it,

    score'(p) = score(p) * (1 - share * (1 - fit(p)))

where fit(p) is the share of such conditions that a passage meets. A preferred date never narrows, nor does a
person or recording that the question does not name (`cited`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from onrecord.retrieve.curve.curves import narrowed, part_of
from onrecord.retrieve.stage import Stage, Tools
from onrecord.stores.base import Snapshot
from onrecord.types import Curve, Evidence, Filter, PassageTimeline, Scope

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Mask = NDArray[np.bool_]


_ORDER = ("speaker", "recording")
"""Conditions that are dropped last."""
_WEAK = ("language", "section")
DATES = ("since", "until")
_RAISED = 0.05  # gain of a preferred speaker's passages over those beside them


@dataclass(frozen=True)
class Prefer(Stage):
    """A stage that narrows the curve to the plan's preferences if a passage there scores high enough.

    Its score must be at least `reach` times the best score of all. If speakers are preferred, their passages
    are raised a little, and the `beside` passages before and after them stay, because they lead to the
    speaker's words. If the curve is not narrowed, passages that do not meet the conditions lose up to `share`
    of their score.
    """

    share: float = 0.4
    reach: float = 0.45
    beside: int = 2
    prefers: ClassVar = True
    ranges: ClassVar = {
        "share": (0, 1),
        "reach": (0, 1),
        "beside": (0, inf),
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
        """Return the fields that the curve is narrowed to; the weakest fields are dropped first."""
        best = float(curve.score.max())
        for fields, matches in strongest(masks) if best > 0 else ():
            if float(curve.score[matches].max()) >= self.reach * best:
                return fields
        return []

    def _narrowed(
        self, evidence: Evidence, curve: Curve, masks: dict[str, Mask], groups: dict[str, list[Filter]]
    ) -> Evidence:
        matches = np.logical_and.reduce(list(masks.values()))
        scope = evidence.question.scope
        if "speaker" in masks:
            names = tuple(dict.fromkeys(condition.value for condition in groups["speaker"]))
            scope = replace(scope, speakers=names)
            curve = replace(curve, score=(curve.score + _RAISED * matches).astype(np.float32))
            people, recordings = matches, curve.timeline.recordings
            matches = people.copy()
            for step in range(1, min(self.beside, len(people) - 1) + 1):
                in_one_recording = recordings[step:] == recordings[:-step]
                matches[step:] |= people[:-step] & in_one_recording
                matches[:-step] |= people[step:] & in_one_recording
        question = replace(evidence.question, scope=scope)
        return replace(evidence, question=question, curve=narrowed(curve, np.flatnonzero(matches)))


def prefers(stage: Stage) -> bool:
    """Return whether a stage, or one of its nested stages, applies the preferences of a plan."""
    return bool(getattr(stage, "prefers", False)) or any(map(prefers, stage.inner))


def strongest(masks: Mapping[str, Mask]) -> Iterator[tuple[list[str], Mask]]:
    """Yield fields and the passages that meet all of them, first for all fields, then without the weakest.

    Combinations of fields that no passage meets are left out.
    """

    def weakness(field: str) -> int:
        if field in _ORDER:
            return _ORDER.index(field)
        return 4 if field == "date" else 3 if field in _WEAK else 2

    fields = sorted(masks, key=weakness)
    for count in range(len(fields), 0, -1):
        matches = np.logical_and.reduce([masks[field] for field in fields[:count]])
        if matches.any():
            yield fields[:count], matches


def preferences_by_field(evidence: Evidence) -> dict[str, list[Filter]]:
    """Return the preferences of the plan by field, without fields that the scope already sets.

    Both ends of a date are one group.
    """
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


def mask_of(conditions: Sequence[Filter], timeline: PassageTimeline, store: Snapshot) -> Mask:
    """Return a mask of the passages of a timeline that meet any of the conditions on one field.

    For dates, both ends must be met.
    """
    of_date = all(condition.field in DATES for condition in conditions)
    mask = np.zeros(len(timeline), bool)
    for together in [conditions] if of_date else [[condition] for condition in conditions]:
        mask |= np.isin(timeline.rows, store.timeline(Scope().narrowed(together)).rows)
    return mask


def preferred_timeline(evidence: Evidence, store: Snapshot) -> tuple[PassageTimeline, Scope]:
    """Return the passages in scope that meet all preferences, and the scope narrowed to them.

    If no passage meets all of them, the weakest preferences are dropped first.
    """
    scope, groups = evidence.question.scope, preferences_by_field(evidence)
    timeline = store.timeline(scope)
    if all(each.cited for each in groups.get("speaker", ())):
        groups.pop("speaker", None)  # people whom only earlier turns name exclude nobody
    masks = {field: mask_of(groups[field], timeline, store) for field in groups if len(timeline)}
    for fields, matches in strongest(masks):
        people = tuple(person.value for person in groups["speaker"]) if "speaker" in fields else ()
        narrowed = matching(timeline, matches)
        recordings = narrowed.names if set(fields) - {"speaker"} else scope.recordings
        return narrowed, replace(scope, speakers=people or scope.speakers, recordings=recordings)
    return timeline, scope


def matching(timeline: PassageTimeline, mask: Mask) -> PassageTimeline:
    """Return the passages of a timeline in a mask, with only the recordings that have such passages."""
    numbers, recordings = np.unique(timeline.recordings[mask], return_inverse=True)
    names = tuple(timeline.names[number] for number in numbers.tolist())
    renumbered = recordings.astype(timeline.recordings.dtype)
    return replace(part_of(timeline, mask), recordings=renumbered, names=names)
