"""A picture of a timeline: the passages of every period, by speaker."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from typing import Any

from onrecord.evaluate.chart import COLOURS, new_figure
from onrecord.graph.results import Point, Timeline
from onrecord.types import printable

_COLOURS = COLOURS[:6]


def draw_figure(timeline: Timeline) -> Any:
    """Draw a timeline. Raises InputError if matplotlib is not installed."""
    periods = [point.period or "undated" for point in timeline.points]
    totals = sum((Counter(point.speakers) for point in timeline.points), Counter[str]())
    shown = [name for name, _ in totals.most_common(len(_COLOURS) - 1)]
    figure = new_figure(max(4.0, 0.5 * len(periods) + 3), 3.2, layout="constrained")
    axes = figure.add_subplot()
    below = [0.0] * len(periods)
    for name, colour in zip((*shown, None), _COLOURS, strict=False):
        heights = [
            _share(point, {name} if name is not None else point.speakers.keys() - set(shown))
            for point in timeline.points
        ]
        if any(heights):
            label = "others" if name is None else printable(name) or "nobody named"
            axes.bar(periods, heights, bottom=below, color=colour, label=label.replace("$", r"\$"))
            below = [a + b for a, b in zip(below, heights, strict=True)]
    axes.set_title(printable(timeline.entity.name).replace("$", r"\$"), loc="left")
    axes.set_ylabel("passages")
    axes.tick_params(axis="x", rotation=60)
    figure.legend(frameon=False, fontsize=8, loc="outside right upper")
    return figure


def _share(point: Point, names: Set[str]) -> float:
    """Return the number of a period's passages that belong to some speakers.

    A passage in which several speakers name the entity counts once, divided among them.
    """
    mentions = sum(point.speakers.values())
    return point.passages * sum(point.speakers.get(name, 0) for name in names) / mentions if mentions else 0.0
