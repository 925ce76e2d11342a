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
    from onrecord.evaluate.faq import LabelledMatch, Proposal, Rates
    from onrecord.retrieve.faq import Faq, FaqAdded, FaqReply
    from onrecord.stores.faq import Thresholds
    from onrecord.types import FaqEntry


def progress(quiet: bool) -> Callable[[int, int], None] | None:
    """Show how far embedding is, on one line of standard error that is overwritten."""
    if quiet or not sys.stderr.isatty():
        return None

    def report(done: int, total: int) -> None:
        click.echo(f"\rembedding {done:,} of {total:,}" + "\n" * (done == total), nl=False, err=True)

    return report


# ---------------------------------------------------------------- entries


def added(report: FaqAdded, as_json: bool) -> None:
    """Print what was added, changed and left alone."""
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


def entries(listed: Sequence[FaqEntry], as_json: bool) -> None:
    """Print one line for each entry."""
    if as_json:
        print_json([asdict(entry) for entry in listed])
        return
    _lines(listed)
    if not listed:
        click.echo("there are no entries; add some with: onrecord faq add FILE", err=True)


def entry(one: FaqEntry, as_json: bool) -> None:
    """Print one entry in full."""
    if as_json:
        print_json(asdict(one))
        return
    details = {"id": one.id, "status": one.status, "tags": ", ".join(one.tags), "link": one.link}
    lines = [one.question, *(f"  or: {way}" for way in one.variants), "", one.answer, ""]
    lines += [f"{name}: {value}" for name, value in details.items() if value]
    click.echo(printable("\n".join(lines)))


def changed(changed_entries: Sequence[FaqEntry], how: str, as_json: bool) -> None:
    """Print what was promoted, retired or removed."""
    if as_json:
        print_json({how: [asdict(entry) for entry in changed_entries]})
        return
    _lines(changed_entries, how)
    click.echo(f"{len(changed_entries)} {how}")


def _lines(entries: Sequence[FaqEntry], how: str = "") -> None:
    for entry in entries:
        click.echo(f"{how or entry.status:>8}  {printable(entry.id)}  {printable(entry.question)}")


# ---------------------------------------------------------------- questions


def reply(reply: FaqReply, as_json: bool, explain: bool) -> None:
    """Print the answer, or the questions to choose from."""
    if as_json:
        print_json(reply.to_json())
        return
    click.echo(printable(str(reply)))
    if reply.stage == "no_candidates":
        click.echo(
            "Add entries: onrecord faq add FILE --live. Drafts: onrecord faq promote --drafts", err=True
        )
    if reply.entry is not None and reply.entry.link:
        click.echo(printable(reply.entry.link))
    if explain:
        _explained(reply)


def _explained(reply: FaqReply) -> None:
    click.echo(f"\nstage {reply.stage}, score {reply.score:.3f}, {reply.retrieval_ms:.1f} ms")
    if reply.reranked:
        who = reply.model or "decided locally"
        click.echo(f"gate {reply.gate}, {who}, {reply.rerank_ms:.1f} ms: {printable(reply.reason)}")
    for candidate in reply.candidates:
        click.echo(f"  {candidate.score:.3f}  {printable(candidate.question)}  ({printable(candidate.id)})")


def costs(faq: Faq, as_json: bool) -> None:
    """Print calls, tokens, money and cache hits by day."""
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


def calibrated(judged: Sequence[LabelledMatch], made: Proposal, as_json: bool) -> None:
    """Print what thresholds do on labelled questions: the present ones, the proposed ones, and a forecast."""
    from onrecord.evaluate.faq import auroc

    if as_json:
        print_json({"questions": len(judged), "auroc": auroc(judged), **made.to_json()})
        return
    if made.chosen is not None:
        _curves(judged, made.chosen)
    inside = sum(1 for one in judged if one.expected)
    click.echo(f"{len(judged)} questions, {inside} of which an entry answers; AUROC {auroc(judged):.3f}")
    for name in _TITLES:
        rates: Rates | None = getattr(made, name)
        if rates is not None:
            click.echo(f"\n{_TITLES[name]}: {rates.thresholds.high:.3f} and {rates.thresholds.low:.3f}")
            for row, title in _ROWS.items():
                click.echo(f"  {title:<46} {getattr(rates, row)}")


def out_of_reach(made: Proposal, used: Thresholds, written: bool) -> None:
    """Say on standard error that the precision cannot be reached, and what happens instead."""
    if made.forecast and made.chosen:
        held = f": on questions that it was not chosen on it is {made.forecast.precision.value:.0%}"
    else:
        held = ": no threshold is right as often"
    click.echo(
        f"a precision of {made.precision:.0%} cannot be reached{held}; add variants of real questions",
        err=True,
    )
    back = "everything is asked back" if used.low >= 1 else "stage two decides, or it is asked back"
    consequence = f"nothing is answered at once, {back}" if written else f"with --write nothing is, {back}"
    click.echo(consequence, err=True)


def too_few(made: Proposal, used: Thresholds, wanted: bool) -> None:
    """Say on standard error that the questions do not show the proposed thresholds to hold. `wanted` says
    whether they were to be written."""
    count = made.proposed.precision.total if made.proposed else 0
    click.echo(
        f"too few questions: the proposed thresholds answer {count} of them at once, and it takes"
        f" {made.needed} to show a precision of {made.precision:.0%}",
        err=True,
    )
    if wanted:
        click.echo(f"nothing is written: {used.high:g} and {used.low:g} stay in force", err=True)


def _curves(judged: Sequence[LabelledMatch], chosen: Thresholds) -> None:
    from onrecord.evaluate.faq_chart import curves, plot_text

    over_high, over_low = curves(judged, chosen)
    click.echo(plot_text(f"upper threshold: {chosen.high:.3f}", over_high, chosen.high) + "\n")
    click.echo(plot_text(f"lower threshold: {chosen.low:.3f}", over_low, chosen.low) + "\n")


def thresholds(pair: Thresholds, as_json: bool) -> None:
    """Print the two thresholds."""
    if as_json:
        print_json({"high": pair.high, "low": pair.low})
    else:
        click.echo(f"answers at once from {pair.high:g} on, asks back at once under {pair.low:g}")
