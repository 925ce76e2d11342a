"""Draws the rates over the two thresholds, in the terminal and as a figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from onrecord.evaluate.chart import new_figure
from onrecord.evaluate.faq import LabelledMatch, measure_rates
from onrecord.stores.faq import Thresholds

Curves = Mapping[str, Sequence[float]]
"""Values in 0..1 by name, each at the same thresholds."""

STEPS = [step / 100 for step in range(101)]


def curves(matches: Sequence[LabelledMatch], chosen: Thresholds) -> tuple[Curves, Curves]:
    """Return the rates over the upper threshold, then over the lower one, at 0, 0.01, ..., 1.

    The other threshold stays as chosen. A share of no questions is NaN.
    """
    over_high = [measure_rates(matches, Thresholds(step, min(step, chosen.low))) for step in STEPS]
    over_low = [measure_rates(matches, Thresholds(max(step, chosen.high), step)) for step in STEPS]
    return (
        {
            "precision": [r.precision.value if r.precision.total else float("nan") for r in over_high],
            "answered": [r.answered.value for r in over_high],
            "stage two": [r.between.value for r in over_high],
        },
        {
            "asked back": [r.clarified.value for r in over_low],
            "wrongly so": [r.lost.value for r in over_low],
            "stage two": [r.between.value for r in over_low],
        },
    )


def plot_text(title: str, lines: Curves, threshold: float, width: int = 60, height: int = 12) -> str:
    """Draw curves in characters: each by the capital first letter of its name, the threshold as dots."""
    grid = [[" "] * width for _ in range(height)]
    for row in grid:
        row[round(threshold * (width - 1))] = "."
    for name, values in lines.items():
        for column in range(width):
            value = values[round(column / (width - 1) * (len(values) - 1))]
            if not isnan(value):
                grid[height - 1 - round(value * (height - 1))][column] = name[0].upper()
    scale = {0: "100% ", height // 2: " 50% ", height - 1: "  0% "}
    body = [scale.get(number, "     ") + "|" + "".join(row).rstrip() for number, row in enumerate(grid)]
    axis = "     +" + "-" * width
    numbers = "      0" + "0.5".center(width - 2) + "1"
    legend = "      " + "   ".join(f"{name[0].upper()} {name}" for name in lines)
    return "\n".join([title, *body, axis, numbers, legend])


def draw_figure(matches: Sequence[LabelledMatch], chosen: Thresholds) -> Any:
    """Draw both sets of curves. Raises InputError if matplotlib is not installed."""
    figure = new_figure(11, 4.5, layout="tight")
    titles = (f"upper threshold: {chosen.high:.3f}", f"lower threshold: {chosen.low:.3f}")
    sides = zip(
        figure.subplots(1, 2), curves(matches, chosen), titles, (chosen.high, chosen.low), strict=True
    )
    for axes, lines, title, threshold in sides:
        for name, values in lines.items():
            axes.plot(STEPS, values, label=name)
        axes.axvline(threshold, color="grey", linestyle="dotted")
        axes.set(title=title, xlabel="score", ylim=(0, 1.02), xlim=(0, 1))
        axes.legend()
    return figure
