"""Saves figures, and draws a report: every measure with its interval, and the time of every stage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import isnan
from pathlib import Path
from typing import Any

from onrecord.errors import InputError, SettingError
from onrecord.evaluate.intervals import Estimate
from onrecord.evaluate.report import Report, in_order
from onrecord.types import printable

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F", "#000000")
"""Colors that color-blind people can distinguish, too (Okabe and Ito, Color universal design, 2008)."""
_MARKERS = "osD^vPX*"
_INK, _GRID = "#222222", "#DDDDDD"
_ROW, _GAP = 0.19, 0.14
"""Inches that a strategy takes in a row, and inches between two rows."""
_TITLES = {"found": "Is the gold shown?", "ranked": "Is it ranked first?", "answered": "Is the answer good?"}

Draw = Callable[[Any, float, str, str], None]
"""Draws one row of a panel: axes, height of the row, name of the row, strategy."""


def check(file: Path) -> None:
    """Raise SettingError or InputError if no picture can be saved to this file."""
    if file.suffix.lower() not in (".png", ".svg"):
        raise SettingError("--plot", str(file), "a file that ends in .png or .svg")
    if not file.absolute().parent.is_dir():
        raise InputError(f"cannot write {file}: there is no folder {file.parent}")
    new_figure(1, 1)


def save(figure: Any, file: Path) -> None:
    """Save a figure as a PNG or SVG file. Raises InputError if writing fails."""
    import matplotlib

    with matplotlib.rc_context({"svg.hashsalt": "onrecord", "svg.fonttype": "none"}):
        try:
            figure.savefig(file, dpi=150, metadata={"Date": None} if file.suffix.lower() == ".svg" else {})
        except OSError as error:
            raise InputError(f"cannot write {file}: {error.strerror}") from None


def new_figure(width: float, height: float, **options: Any) -> Any:
    """Return an empty figure, sized in inches. Raises InputError if matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError(
            "pictures are drawn by matplotlib, which is not installed: pip install 'onrecord[plot]'"
        ) from None
    return Figure(figsize=(width, height), **options)


def draw_figure(report: Report) -> Any:
    """Draw measures on the left, one panel for each kind, and times on the right."""
    measures = [m for m in report.measures if report.count(m.name)]
    kinds = {
        kind: [m for m in measures if m.kind == kind] for kind in dict.fromkeys(m.kind for m in measures)
    }
    stages = in_order(stage for seconds in report.seconds.values() for stage in seconds)
    by_type = _by_type(report)
    rows = [
        [len(panel_measures) for panel_measures in kinds.values()],
        [n for n in (len(by_type), len(stages)) if n],
    ]
    tallest = max(sum(side) + 2.5 * len(side) for side in rows)
    height = 1.2 + tallest * (_GAP + _ROW * len(report.strategies))
    figure = new_figure(13, max(4.0, height), layout="constrained", facecolor="white")
    left, right = figure.subfigures(1, 2, width_ratios=(1.2, 1), wspace=0.02)
    panels = left.subplots(len(kinds), 1, height_ratios=rows[0], squeeze=False)
    for axes, (kind, panel_measures) in zip(panels[:, 0], kinds.items(), strict=True):
        names = {m.name: f"{m.label}{'' if m.higher else '  (less is better)'}" for m in panel_measures}
        _estimates(axes, _TITLES.get(kind, kind), names, report, report.estimate)
    panels = right.subplots(len(rows[1]), 1, height_ratios=rows[1], squeeze=False)
    if by_type:
        _types(panels[0, 0], by_type, report)
    _times(panels[-1, 0], stages, report)
    _legend(figure, report)
    return figure


def _by_type(report: Report) -> dict[str, str]:
    """Return labels of the types of questions; empty unless there are several types."""
    counts = Counter(question.type for question in report.questions)
    if len(counts) < 2:
        return {}
    return {kind: f"{kind.replace('_', ' ') or '(none)'} ({n})" for kind, n in counts.items()}


def _types(axes: Any, labels: dict[str, str], report: Report) -> None:
    measure = "right" if report.count("right") else "R"
    parts = {kind: report.of_type(kind) for kind in labels}
    title = next(m.label for m in report.measures if m.name == measure)
    _estimates(
        axes,
        f"By type: {title}",
        labels,
        report,
        lambda strategy, kind: parts[kind].estimate(strategy, measure),
    )


def _estimates(
    axes: Any,
    title: str,
    labels: dict[str, str],
    report: Report,
    estimate: Callable[[str, str], Estimate],
) -> None:
    """Draw a panel of estimates in 0..1; `estimate` takes a strategy and a row's name."""

    def draw(axes: Any, y: float, name: str, strategy: str) -> None:
        value = estimate(strategy, name)
        if not isnan(value.mean):
            number = report.strategies.index(strategy)
            _dot(axes, y, (value.low, value.mean, value.high), number, f"{value.mean:.2f}")

    _panel(axes, title, labels, report, draw)
    axes.set(xlim=(-0.02, 1.1), xticks=[0, 0.25, 0.5, 0.75, 1])


def _times(axes: Any, stages: Sequence[str], report: Report) -> None:
    p50, p95 = ({s: report.percentile(s, share) for s in report.strategies} for share in (50, 95))

    def draw(axes: Any, y: float, name: str, strategy: str) -> None:
        if name in p50[strategy]:
            low, high = (1000 * max(percentiles[strategy][name], 1e-5) for percentiles in (p50, p95))
            label = f"{_short(low)} / {_short(high)}"
            _dot(axes, y, (low, low, high), report.strategies.index(strategy), label)

    _panel(axes, "Milliseconds a stage: median / 95 % are under", dict.fromkeys(stages), report, draw)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.minorticks_off()
    first, last = axes.get_xlim()
    axes.set_xlim(first, last * 6)  # room for the labels


def _short(milliseconds: float) -> str:
    return f"{milliseconds:.0f}" if milliseconds >= 10 else f"{milliseconds:.1f}"


def _panel(axes: Any, title: str, names: dict[str, Any], report: Report, draw: Draw) -> None:
    """Draw a panel with one row of dots for each name, one dot for each strategy."""
    count = len(report.strategies)
    pitch = _GAP + _ROW * count
    for row, name in enumerate(names):
        for at, strategy in enumerate(report.strategies):
            draw(axes, row * pitch + (at - (count - 1) / 2) * _ROW, name, strategy)
        if row:
            axes.axhline((row - 0.5) * pitch, color=_GRID, linewidth=0.6, zorder=0)
    labels = [printable(label or name) for name, label in names.items()]
    axes.set_yticks([row * pitch for row in range(len(names))], labels, fontsize=9.5, color=_INK)
    axes.set_ylim((len(names) - 0.5) * pitch, -0.5 * pitch)
    axes.set_title(title, loc="left", fontsize=11, fontweight="bold", color=_INK)
    axes.grid(axis="x", color=_GRID, linewidth=0.6)
    axes.tick_params(axis="both", length=0, labelcolor=_INK, labelsize=9.5)
    axes.set_axisbelow(True)
    for side in axes.spines.values():
        side.set_visible(False)


def _dot(axes: Any, y: float, ends: tuple[float, float, float], number: int, label: str) -> None:
    """Draw a dot with its interval and its label, in the color and shape of the strategy with this number."""
    low, middle, high = ends
    colour, marker = _look(number)
    axes.plot([low, high], [y, y], color=colour, linewidth=2, alpha=0.45, solid_capstyle="round", zorder=2)
    axes.plot([middle], [y], marker, color=colour, markersize=5.5, markeredgecolor="white", zorder=3)
    room = {"xytext": (6, 0), "textcoords": "offset points", "va": "center"}
    axes.annotate(label, (high, y), color=colour, fontsize=8, **room)


def _look(number: int) -> tuple[str, str]:
    """Return the color and shape of a strategy's dots; the first sixty-four strategies all differ."""
    turn, colour = divmod(number, len(COLOURS))
    return COLOURS[colour], _MARKERS[(colour + turn) % len(_MARKERS)]


def _legend(figure: Any, report: Report) -> None:
    from matplotlib.lines import Line2D

    looks = [_look(at) for at in range(len(report.strategies))]
    handles = [Line2D([], [], color=colour, marker=marker, linewidth=2) for colour, marker in looks]
    names = [printable(name) for name in report.strategies]
    title = f"{len(report.questions)} questions; lines: 95 % confidence intervals"
    columns = min(len(names), 6)
    figure.legend(
        handles, names, loc="outside upper left", ncols=columns, frameon=False, title=title, alignment="left"
    )
