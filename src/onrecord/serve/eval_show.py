"""How an evaluation looks in a terminal, and as JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
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
    from onrecord.evaluate.report import Outcome

_BY_TYPE = {
    "R": "gold",
    "mrr": "MRR",
    "ndcg@10": "nDCG@10",
    "citation_accuracy": "cited",
    "completeness": "points",
    "wrong_refusal": "refused",
    "right": "right",
}


def report(found: Report, misses: int, as_json: bool) -> None:
    """Means with their intervals, differences, types of questions, times, and what went wrong."""
    if as_json:
        print_json(to_json(found))
        return
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else 160, highlight=False, markup=False)
    count = len(found.questions)
    console.print(f"{count} question{'s' * (count != 1)}; in brackets: 95 % confidence intervals\n")
    for title, table in (_means(found), *_differences(found), *_types(found), _times(found)):
        console.print(title, style="bold")
        console.print(table)
        console.print()
    for name in found.outcomes:
        if told := _cost(found, name):
            console.print(f"{printable(name)}: {told}\n")
    _missed(found, misses, console)


# ---------------------------------------------------------------- tables


Titled = tuple[str, "Table"]


def _table(*heads: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for number, head in enumerate(heads):
        table.add_column(printable(head), justify="left" if number == 0 else "right")
    return table


def _means(found: Report) -> Titled:
    table = _table("", *found.strategies, "n")
    kind = ""
    for measure in _known(found):
        if kind not in ("", measure.kind):
            table.add_section()
            table.add_row("")
        kind = measure.kind
        cells = [_estimate(found.estimate(name, measure.name)) for name in found.strategies]
        table.add_row(_label(measure), *cells, str(found.count(measure.name)))
    return "How good", table


def _differences(found: Report) -> Iterator[Titled]:
    base, *others = found.strategies
    if not others:
        return
    table = _table("", *others)
    for measure in _known(found):
        table.add_row(_label(measure), *(_difference(found, name, base, measure) for name in others))
    yield f"How much above {printable(base)} on the same questions (bold: more than chance)", table


def _types(found: Report) -> Iterator[Titled]:
    if len(found.types) < 2:
        return
    measures = [m.name for m in _known(found) if m.name in _BY_TYPE]
    table = _table("type", "n", "strategy", *(_BY_TYPE[name] for name in measures))
    table.columns[2].justify = "left"
    for column in table.columns:
        column.no_wrap = True
    for kind in found.types:
        part = found.of_type(kind)
        for name in found.strategies:
            cells = [_number(part.mean(name, measure)) for measure in measures]
            first = name == found.strategies[0]
            head = (printable(kind) or "(none)", str(len(part.questions))) if first else ("", "")
            table.add_row(*head, printable(name), *cells)
    yield "By type of question", table


def _times(found: Report) -> Titled:
    from onrecord.evaluate.report import in_order

    table = _table("", *found.strategies)
    p50, p95 = ({name: found.percentile(name, share) for name in found.strategies} for share in (50, 95))
    for stage in in_order(stage for of in found.seconds.values() for stage in of):
        cells = [
            f"{p50[name][stage] * 1000:.1f} / {p95[name][stage] * 1000:.1f}" if stage in p50[name] else ""
            for name in found.strategies
        ]
        table.add_row(printable(stage), *cells)
    return "Milliseconds: half of the questions took less / 95 % took less", table


def _cost(found: Report, name: str) -> str:
    """What a language model was asked for, where there is one."""
    calls = [call for outcome in found.outcomes[name] for call in outcome.calls]
    if not calls:
        return ""
    tokens = sum(call.prompt_tokens + call.completion_tokens for call in calls)
    money, failed = sum(call.money for call in calls), sum(1 for call in calls if call.failure)
    told = [f"{len(calls):,} calls of a language model", f"{tokens:,} tokens"]
    told += [f"{money:.4f} in money"] * bool(money) + [f"{failed} failed"] * bool(failed)
    return ", ".join(told)


def _known(found: Report) -> list[Measure]:
    return [measure for measure in found.measures if found.count(measure.name)]


def _label(measure: Measure) -> str:
    return measure.label if measure.higher else f"{measure.label} (less is better)"


def _number(value: float) -> str:
    return "" if isnan(value) else f"{value:.2f}"


def _estimate(estimate: Estimate) -> str:
    if isnan(estimate.mean):
        return ""
    return f"{estimate.mean:.3f} [{estimate.low:.2f}, {estimate.high:.2f}]"


def _difference(found: Report, name: str, base: str, measure: Measure) -> Text:
    from rich.text import Text

    difference = found.difference(name, base, measure.name)
    if isnan(difference.mean):
        return Text()
    better = (difference.mean > 0) == measure.higher
    style = ("bold green" if better else "bold red") if difference.certain else ""
    return Text(f"{difference.mean:+.3f} [{difference.low:+.2f}, {difference.high:+.2f}]", style)


# ---------------------------------------------------------------- what went wrong


def _missed(found: Report, most: int, console: Console) -> None:
    """Questions that the first strategy answered wrongly, and how."""
    from rich.text import Text

    name = found.strategies[0]
    wrong = list(_wrong(found, name)) if found.outcomes else []
    if not wrong or not most:
        return
    console.print(f"Look at these (by {printable(name)})", style="bold")
    for question, how in wrong[:most]:
        console.print(Text(f"  {printable(question.id)}: {printable(question.text)}  ({how})"))
    if len(wrong) > most:
        console.print(f"  and {len(wrong) - most} more: --misses {len(wrong)}")


def _wrong(found: Report, name: str) -> Iterator[tuple[Any, str]]:
    values = found.values[name]
    for at, question in enumerate(found.questions):
        if values["rejection"][at] == 0:
            yield question, "answered, though nobody speaks about it"
        elif values["wrong_refusal"][at] == 1:
            yield question, "turned down, though it is answered"
        elif values["hit"][at] == 0:
            yield question, "no citation stands where the answer is"
        elif values["completeness"][at] == 0:
            yield question, "none of the points is made"


# ---------------------------------------------------------------- JSON


def to_json(found: Report) -> dict[str, Any]:
    """The report as plain values; what is not known is null. Times are in seconds."""
    base = found.strategies[0]
    return {
        "questions": len(found.questions),
        "measures": {m.name: {"means": m.label, "higher_is_better": m.higher} for m in found.measures},
        "strategies": {name: _strategy(found, name) for name in found.strategies},
        "differences": {
            name: {"against": base, "measures": _differences_of(found, name, base)}
            for name in found.strategies[1:]
        },
        "by_question": [_question(found, at) for at in range(len(found.questions))],
    }


def _strategy(found: Report, name: str) -> dict[str, Any]:
    measures = [measure.name for measure in found.measures]
    p50, p95 = found.percentile(name, 50), found.percentile(name, 95)
    return {
        "measures": {m: {**_plain(found.estimate(name, m)), "n": found.count(m)} for m in measures},
        "types": {
            kind: {m: _or_none(found.of_type(kind).mean(name, m)) for m in measures} for kind in found.types
        },
        "seconds": {stage: {"p50": round(p50[stage], 6), "p95": round(p95[stage], 6)} for stage in p50},
    }


def _differences_of(found: Report, name: str, base: str) -> dict[str, Any]:
    return {m.name: _plain(found.difference(name, base, m.name)) for m in found.measures}


def _question(found: Report, at: int) -> dict[str, Any]:
    question = found.questions[at]
    return {
        "id": question.id,
        "text": question.text,
        "type": question.type,
        "strategies": {name: _answered(found, name, at) for name in found.strategies},
    }


def _answered(found: Report, name: str, at: int) -> dict[str, Any]:
    outcome = found.outcomes[name][at] if found.outcomes else None
    values: Sequence[tuple[str, Any]] = list(found.values[name].items())
    return {
        **(_outcome(outcome) if outcome else {}),
        "values": {measure: _or_none(float(of[at])) for measure, of in values},
        "seconds": _or_none(float(found.seconds[name]["total"][at])),
    }


def _outcome(outcome: Outcome) -> dict[str, Any]:
    calls = [{**asdict(call), "seconds": round(call.seconds, 6)} for call in outcome.calls]
    return {"verdict": outcome.verdict, "sources": list(outcome.sources), "calls": calls}


def _plain(estimate: Estimate) -> dict[str, float | None]:
    return {end: _or_none(getattr(estimate, end)) for end in ("mean", "low", "high")}


def _or_none(value: float) -> float | None:
    return None if isnan(value) else round(value, 6)
