"""How results about the FAQ look in a terminal, and as JSON. What others wrote goes through `printable`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from onrecord.serve.show import print_json
from onrecord.types import printable

if TYPE_CHECKING:
    from onrecord.evaluate.faq import Judged, Proposal, Rates
    from onrecord.retrieve.faq import Faq, FaqAdded, FaqReply
    from onrecord.stores.faq import Thresholds
    from onrecord.types import FaqEntry


def progress(quiet: bool) -> Callable[[int, int], None] | None:
    """How far embedding is, on one line of standard error that is written over."""
    if quiet or not sys.stderr.isatty():
        return None

    def report(done: int, total: int) -> None:
        click.echo(f"\rembedding {done:,} of {total:,}" + "\n" * (done == total), nl=False, err=True)

    return report


# ---------------------------------------------------------------- entries


def added(report: FaqAdded, as_json: bool) -> None:
    """What was added, changed and left alone."""
    groups = {name: getattr(report, name) for name in ("added", "changed", "unchanged")}
    if as_json:
        print_json({name: [asdict(entry) for entry in entries] for name, entries in groups.items()})
        return
    for name in ("added", "changed"):
        _lines(groups[name], name)
    click.echo(", ".join(f"{len(entries)} {name}" for name, entries in groups.items()))
    drafts = sum(1 for entries in groups.values() for entry in entries if entry.status == "draft")
    if drafts:
        click.echo(
            f"{drafts} are drafts, which answer nothing until: onrecord faq promote --drafts", err=True
        )


def entries(found: Sequence[FaqEntry], as_json: bool) -> None:
    """One line an entry."""
    if as_json:
        print_json([asdict(entry) for entry in found])
        return
    _lines(found)
    if not found:
        click.echo("there are no entries; add some with: onrecord faq add FILE", err=True)


def entry(one: FaqEntry, as_json: bool) -> None:
    """All of one entry."""
    if as_json:
        print_json(asdict(one))
        return
    details = {"id": one.id, "status": one.status, "tags": ", ".join(one.tags), "link": one.link}
    lines = [one.question, *(f"  or: {way}" for way in one.variants), "", one.answer, ""]
    lines += [f"{name}: {value}" for name, value in details.items() if value]
    click.echo(printable("\n".join(lines)))


def changed(found: Sequence[FaqEntry], how: str, as_json: bool) -> None:
    """What was promoted, retired or removed."""
    if as_json:
        print_json({how: [asdict(entry) for entry in found]})
        return
    _lines(found, how)
    click.echo(f"{len(found)} {how}")


def _lines(found: Sequence[FaqEntry], how: str = "") -> None:
    for one in found:
        click.echo(f"{how or one.status:>8}  {printable(one.id)}  {printable(one.question)}")


# ---------------------------------------------------------------- questions


def reply(given: FaqReply, as_json: bool, explain: bool) -> None:
    """The answer, or the questions to choose from."""
    if as_json:
        print_json(given.to_json())
        return
    click.echo(printable(str(given)))
    if given.stage == "no_candidates":
        click.echo(
            "Add entries: onrecord faq add FILE --live. Drafts: onrecord faq promote --drafts", err=True
        )
    if given.entry is not None and given.entry.link:
        click.echo(printable(given.entry.link))
    if explain:
        _explained(given)


def _explained(given: FaqReply) -> None:
    click.echo(f"\nstage {given.stage}, score {given.score:.3f}, {given.retrieval_ms:.1f} ms")
    if given.reranked:
        who = given.model or "decided locally"
        click.echo(f"gate {given.gate}, {who}, {given.rerank_ms:.1f} ms: {printable(given.reason)}")
    for candidate in given.candidates:
        click.echo(f"  {candidate.score:.3f}  {printable(candidate.question)}  ({printable(candidate.id)})")


def costs(faq: Faq, as_json: bool) -> None:
    """The account of the workspace's FAQ, by the day."""
    days, currency = faq.costs(), faq.settings.currency
    if as_json:
        print_json([{**day.to_json(), "currency": currency} for day in days])
        return
    head = ("day", "asked", "cached", "stage two", "LLM calls", "tokens in", "tokens out", currency)
    click.echo("{:<10} {:>8} {:>7} {:>9} {:>9} {:>11} {:>11} {:>10}".format(*head))
    for day in days:
        rates = f"{day.asked:>8,} {day.cache_hit_rate:>7.1%} {day.rerank_rate:>9.1%}"
        tokens = f"{day.calls:>9,} {day.prompt_tokens:>11,} {day.completion_tokens:>11,}"
        click.echo(f"{day.day:<10} {rates} {tokens} {day.cost:>10.4f}")


# ---------------------------------------------------------------- thresholds

_TITLES = {
    "now": "thresholds now",
    "proposed": "proposed",
    "forecast": "forecast: chosen on one half, measured on the other",
}
_ROWS = {
    "precision": "right, of what is answered at once",
    "answered": "answered at once, of what an entry answers",
    "clarified": "asked back at once, of all",
    "lost": "asked back at once, of what an entry answers",
    "between": "left to stage two (the LLM rate), of all",
}


def calibrated(judged: Sequence[Judged], made: Proposal, as_json: bool) -> None:
    """What thresholds do on labelled questions: those now in force, those proposed, and a forecast."""
    from onrecord.evaluate.faq import auroc

    if as_json:
        print_json({"questions": len(judged), "auroc": auroc(judged), **made.to_json()})
        return
    if made.chosen is not None:
        _curves(judged, made.chosen)
    inside = sum(1 for one in judged if one.wanted)
    click.echo(f"{len(judged)} questions, {inside} of which an entry answers; AUROC {auroc(judged):.3f}")
    for name in _TITLES:
        rates: Rates | None = getattr(made, name)
        if rates is not None:
            click.echo(f"\n{_TITLES[name]}: {rates.thresholds.high:.3f} and {rates.thresholds.low:.3f}")
            for row, title in _ROWS.items():
                click.echo(f"  {title:<46} {getattr(rates, row)}")


def out_of_reach(made: Proposal, used: Thresholds, written: bool) -> None:
    """That the wanted precision cannot be had, on standard error, and what is done about it."""
    if made.forecast and made.chosen:
        held = f": on questions that it was not chosen on it is {made.forecast.precision.value:.0%}"
    else:
        held = ": no threshold is right as often"
    click.echo(
        f"a precision of {made.wanted:.0%} cannot be had{held}; add variants of real questions", err=True
    )
    back = "everything is asked back" if used.low >= 1 else "stage two decides, or it is asked back"
    said = f"nothing is answered at once, {back}" if written else f"with --write nothing is, {back}"
    click.echo(said, err=True)


def too_few(made: Proposal, used: Thresholds, wanted: bool) -> None:
    """Say on standard error that the questions do not show the proposed thresholds to hold. `wanted` says
    whether they were to be written."""
    count = made.proposed.precision.total if made.proposed else 0
    click.echo(
        f"too few questions: the proposed thresholds answer {count} of them at once, and it takes"
        f" {made.needed} to show a precision of {made.wanted:.0%}",
        err=True,
    )
    if wanted:
        click.echo(f"nothing is written: {used.high:g} and {used.low:g} stay in force", err=True)


def _curves(judged: Sequence[Judged], chosen: Thresholds) -> None:
    from onrecord.evaluate.faq_chart import curves, drawn

    over_high, over_low = curves(judged, chosen)
    click.echo(drawn(f"upper threshold: {chosen.high:.3f}", over_high, chosen.high) + "\n")
    click.echo(drawn(f"lower threshold: {chosen.low:.3f}", over_low, chosen.low) + "\n")


def thresholds(found: Thresholds, as_json: bool) -> None:
    """The two thresholds."""
    if as_json:
        print_json({"high": found.high, "low": found.low})
    else:
        click.echo(f"answers at once from {found.high:g} on, asks back at once under {found.low:g}")
