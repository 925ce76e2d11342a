"""A stage's Step notes how the stage changed the top items."""

import numpy as np
import pytest
from worlds import curve_of, moment, tools_of

from onrecord.retrieve import Moments, RecordingPrior, Smooth
from onrecord.retrieve.stage import FIRST, changed
from onrecord.types import Evidence, Question

TOOLS = tools_of({"a": ["one"] * 20, "b": ["two"] * 20})


def ranked(*names: str) -> Evidence:
    return Evidence(Question("anything"), moments=tuple(moment(name, 0, 0) for name in names))


def test_passages_that_come_to_stand_first_are_counted() -> None:
    before = curve_of(TOOLS, np.linspace(1, 0, 40))
    moved = np.linspace(1, 0, 40)
    moved[[0, 1]] = 0
    assert changed(before, curve_of(TOOLS, moved)) == f"2 of the first {FIRST} are others"
    turned = curve_of(TOOLS, -np.linspace(1, 0, 40))
    assert changed(before, turned) == f"{FIRST} of the first {FIRST} are others"


def test_another_order_is_reported_and_none_is_not() -> None:
    before = curve_of(TOOLS, np.linspace(1, 0, 40))
    swapped = np.linspace(1, 0, 40)
    swapped[[0, 1]] = swapped[[1, 0]]
    assert changed(before, curve_of(TOOLS, swapped)) == "the first in another order"
    assert changed(before, curve_of(TOOLS, np.linspace(1, 0, 40) / 2)) == ""
    assert changed(before, before) == ""


def test_a_curve_is_not_compared_with_moments_nor_with_nothing() -> None:
    curve, nothing = curve_of(TOOLS, np.linspace(1, 0, 40)), Evidence(Question("anything"))
    assert changed(nothing, curve) == "" and changed(curve, ranked("a")) == ""
    assert changed(nothing, nothing) == ""


def test_steps_tell_it_before_what_they_have_to_say_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onrecord.retrieve.curve.layout.FULL", 1)  # twenty words are a long recording
    scores = np.zeros(40)
    scores[[3, 21, 22, 23]] = (1, 0.9, 0.9, 0.9)
    evidence = (Smooth(forward=5) >> RecordingPrior() >> Moments())(curve_of(TOOLS, scores), TOOLS)
    smooth, likely, moments = (step.note for step in evidence.trace)
    assert "of the first 10 are others" in smooth
    assert likely.endswith("; likeliest of 2: b") and "first" in likely
    assert moments == ""
