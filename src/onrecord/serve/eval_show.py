"""The display of an evaluation in a terminal, and as JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from math import isnan
from typing import TYPE_CHECKING, Any

from onrecord.serve.show import print_json
from onrecord.types import printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from onrecord.evaluate import Estimate, Measure, Report

_BY_TYPE = {
    "R": "gold",
    "mrr": "MRR",
    "ndcg@10": "nDCG@10",
    "citation_accuracy": "cited",
    "completeness": "points",
    "wrong_refusal": "refused",
    "right": "right",
}


def print_report(report: Report, misses: int, as_json: bool) -> None:
    """Print means with intervals, differences, question types, times, and failures."""
    if as_json:
        print_json(to_json(report))
        return
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else 160, highlight=False, markup=False)
    count = len(report.questions)
    console.print(f"{count} question{'s' * (count != 1)}; in brackets: 95 % confidence intervals\n")
    for title, table in (_means(report), *_differences(report), *_types(report), _times(report)):
        console.print(title, style="bold")
        console.print(table)
        console.print()
    for name in report.outcomes:
        if costs := _cost(report, name):
            console.print(f"{printable(name)}: {costs}\n")
    _missed(report, misses, console)


# ---------------------------------------------------------------- tables


Titled = tuple[str, "Table"]


def _table(*heads: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for number, head in enumerate(heads):
        table.add_column(printable(head), justify="left" if number == 0 else "right")
    return table


def _means(report: Report) -> Titled:
    table = _table("", *report.strategies, "n")
    kind = ""
    for measure in _known(report):
        if kind not in ("", measure.kind):
            table.add_section()
            table.add_row("")
        kind = measure.kind
        estimates = [report.estimate(name, measure.name) for name in report.strategies]
        cells = ["" if isnan(e.mean) else f"{e.mean:.3f} [{e.low:.2f}, {e.high:.2f}]" for e in estimates]
        table.add_row(_label(measure), *cells, str(report.count(measure.name)))
    return "How good", table


def _differences(report: Report) -> Iterator[Titled]:
    base, *others = report.strategies
    if not others:
        return
    table = _table("", *others)
    for measure in _known(report):
        table.add_row(_label(measure), *(_difference(report, name, base, measure) for name in others))
    yield f"How much above {printable(base)} on the same questions (bold: more than chance)", table


def _types(report: Report) -> Iterator[Titled]:
    if len(report.types) < 2:
        return
    measures = [m.name for m in _known(report) if m.name in _BY_TYPE]
    table = _table("type", "n", "strategy", *(_BY_TYPE[name] for name in measures))
    table.columns[2].justify = "left"
    for column in table.columns:
        column.no_wrap = True
    for kind in report.types:
        part = report.of_type(kind)
        for name in report.strategies:
            means = [part.mean(name, measure) for measure in measures]
            cells = ["" if isnan(mean) else f"{mean:.2f}" for mean in means]
            first = name == report.strategies[0]
            head = (printable(kind) or "(none)", str(len(part.questions))) if first else ("", "")
            table.add_row(*head, printable(name), *cells)
    yield "By type of question", table


def _times(report: Report) -> Titled:
    from onrecord.evaluate.report import in_order

    table = _table("", *report.strategies)
    p50, p95 = ({name: report.percentile(name, share) for name in report.strategies} for share in (50, 95))
    for stage in in_order(stage for of in report.seconds.values() for stage in of):
        cells = [
            f"{p50[name][stage] * 1000:.1f} / {p95[name][stage] * 1000:.1f}" if stage in p50[name] else ""
            for name in report.strategies
        ]
        table.add_row(printable(stage), *cells)
    return "Milliseconds: half of the questions took less / 95 % took less", table


def _cost(report: Report, name: str) -> str:
    """Return the calls of a language model in one line; empty if there were none."""
    calls = [call for outcome in report.outcomes[name] for call in outcome.calls]
    if not calls:
        return ""
    tokens = sum(call.prompt_tokens + call.completion_tokens for call in calls)
    money, failed = sum(call.money for call in calls), sum(1 for call in calls if call.failure)
    parts = [f"{len(calls):,} calls of a language model", f"{tokens:,} tokens"]
    parts += [f"{money:.4f} in money"] * bool(money) + [f"{failed} failed"] * bool(failed)
    return ", ".join(parts)


def _known(report: Report) -> list[Measure]:
    return [measure for measure in report.measures if report.count(measure.name)]


def _label(measure: Measure) -> str:
    return measure.label if measure.higher else f"{measure.label} (less is better)"


def _difference(report: Report, name: str, base: str, measure: Measure) -> Text:
    from rich.text import Text

    difference = report.difference(name, base, measure.name)
    if isnan(difference.mean):
        return Text()
    better = (difference.mean > 0) == measure.higher
    style = ("bold green" if better else "bold red") if difference.certain else ""
    return Text(f"{difference.mean:+.3f} [{difference.low:+.2f}, {difference.high:+.2f}]", style)


# ---------------------------------------------------------------- what went wrong


def _missed(report: Report, most: int, console: Console) -> None:
    """Print the questions that the first strategy answered wrongly, and how."""
    from rich.text import Text

    name = report.strategies[0]
    wrong = list(_wrong(report, name)) if report.outcomes else []
    if not wrong or not most:
        return
    console.print(f"Look at these (by {printable(name)})", style="bold")
    for question, how in wrong[:most]:
        console.print(Text(f"  {printable(question.id)}: {printable(question.text)}  ({how})"))
    if len(wrong) > most:
        console.print(f"  and {len(wrong) - most} more: --misses {len(wrong)}")


def _wrong(report: Report, name: str) -> Iterator[tuple[Any, str]]:
    values = report.values[name]
    for at, question in enumerate(report.questions):
        if values["rejection"][at] == 0:
            yield question, "answered, though nobody speaks about it"
        elif values["wrong_refusal"][at] == 1:
            yield question, "turned down, though it is answered"
        elif values["hit"][at] == 0:
            yield question, "no citation stands where the answer is"
        elif values["completeness"][at] == 0:
            yield question, "none of the points is made"


# ---------------------------------------------------------------- JSON


def to_json(report: Report) -> dict[str, Any]:
    """Return the report as plain values; unknown values are null. Times are in seconds."""
    base = report.strategies[0]
    by_type = {kind: report.of_type(kind) for kind in report.types}
    return {
        "questions": len(report.questions),
        "measures": {m.name: {"means": m.label, "higher_is_better": m.higher} for m in report.measures},
        "strategies": {name: _strategy(report, by_type, name) for name in report.strategies},
        "differences": {
            name: {
                "against": base,
                "measures": {m.name: _plain(report.difference(name, base, m.name)) for m in report.measures},
            }
            for name in report.strategies[1:]
        },
        "by_question": [
            {
                "id": question.id,
                "text": question.text,
                "type": question.type,
                "strategies": {name: _answered(report, name, at) for name in report.strategies},
            }
            for at, question in enumerate(report.questions)
        ],
    }


def _strategy(report: Report, by_type: Mapping[str, Report], name: str) -> dict[str, Any]:
    measures = [measure.name for measure in report.measures]
    p50, p95 = report.percentile(name, 50), report.percentile(name, 95)
    return {
        "measures": {m: {**_plain(report.estimate(name, m)), "n": report.count(m)} for m in measures},
        "types": {
            kind: {m: _or_none(part.mean(name, m)) for m in measures} for kind, part in by_type.items()
        },
        "seconds": {stage: {"p50": round(p50[stage], 6), "p95": round(p95[stage], 6)} for stage in p50},
    }


def _answered(report: Report, name: str, at: int) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    if report.outcomes:
        outcome = report.outcomes[name][at]
        calls = [{**asdict(call), "seconds": round(call.seconds, 6)} for call in outcome.calls]
        shown = {"verdict": outcome.verdict, "sources": list(outcome.sources), "calls": calls}
    return {
        **shown,
        "values": {measure: _or_none(float(of[at])) for measure, of in report.values[name].items()},
        "seconds": _or_none(float(report.seconds[name]["total"][at])),
    }


def _plain(estimate: Estimate) -> dict[str, float | None]:
    return {end: _or_none(getattr(estimate, end)) for end in ("mean", "low", "high")}


def _or_none(value: float) -> float | None:
    return None if isnan(value) else round(value, 6)
