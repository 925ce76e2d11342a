"""Costs of a workspace by day, as plain values and in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from onrecord.serve.show import print_json
from onrecord.types import REFUSALS

if TYPE_CHECKING:
    from onrecord.archive import Archive
    from onrecord.retrieve.faq import Faq
    from onrecord.stores.ledger import Tally

_SUMMED = (
    "asked", "written", "reranked", "remembered", "sentences", "marked", "withheld",
    "calls", "prompt_tokens", "completion_tokens", "money", "embedded_tokens", "embedded_money",
)  # fmt: skip


def costs_view(archive: Archive) -> dict[str, Any]:
    """Return the costs of answering, embedding and the FAQ by day (UTC), in the currency of the settings."""
    return {
        "currency": archive.settings.llm.currency,
        "answers": days(archive.ledger.tallies()),
        "faq": faq_costs_view(archive.faq)["days"],
    }


def faq_costs_view(faq: Faq) -> dict[str, Any]:
    """Return the costs of the FAQ by day (UTC), in the currency of the settings."""
    return {"currency": faq.settings.currency, "days": [day.to_json() for day in faq.costs()]}


def days(tallies: Sequence[Tally]) -> list[dict[str, Any]]:
    """Return the figures of answers and embedding for each day, oldest first.

    `marked_rate` is a share of the written sentences; the other rates are shares of the answers. A rate is 0
    if there were none.
    """
    rows: list[dict[str, Any]] = []
    for day, group in groupby(tallies, key=lambda tally: tally.day):
        of_day = list(group)
        sums: dict[str, Any] = {field: sum(getattr(one, field) for one in of_day) for field in _SUMMED}
        refused = sum(one.asked for one in of_day if one.verdict in REFUSALS)
        asked, sentences = sums["asked"], sums["sentences"]
        rates = {
            "refusal_rate": refused / asked if asked else 0.0,
            "rerank_rate": sums["reranked"] / asked if asked else 0.0,
            "cache_rate": sums["remembered"] / asked if asked else 0.0,
            "marked_rate": sums["marked"] / sentences if sentences else 0.0,
        }
        rounded = {name: round(rate, 4) for name, rate in rates.items()}
        rows.append({"day": day, **sums, "refused": refused, **rounded})
    return rows


def show(archive: Archive, as_json: bool) -> None:
    """Print a table of answers, and one of the FAQ if it was used."""
    if as_json:
        print_json(costs_view(archive))
        return
    currency = archive.settings.llm.currency
    head = (*"day asked refused marked reranked cached calls tokens".split(), currency, "embedded")
    click.echo("{:<10} {:>8} {:>8} {:>7} {:>9} {:>7} {:>7} {:>10} {:>9} {:>10}".format(*head))
    for day in days(archive.ledger.tallies()):
        rates = f"{day['refusal_rate']:>8.1%} {day['marked_rate']:>7.1%} {day['rerank_rate']:>9.1%}"
        tokens = f"{day['calls']:>7,} {day['prompt_tokens'] + day['completion_tokens']:>10,}"
        money = f"{day['money'] + day['embedded_money']:>9.4f} {day['embedded_tokens']:>10,}"
        click.echo(f"{day['day']:<10} {day['asked']:>8,} {rates} {day['cache_rate']:>7.1%} {tokens} {money}")
    if archive.faq.costs():
        click.echo("\nthe FAQ")
        show_faq(archive.faq, as_json=False)


def show_faq(faq: Faq, as_json: bool) -> None:
    """Print calls, tokens, money and cache hits of the FAQ by day."""
    if as_json:
        print_json(faq_costs_view(faq))
        return
    currency = faq.settings.currency
    head = ("day", "asked", "cached", "stage two", "LLM calls", "tokens in", "tokens out", currency)
    click.echo("{:<10} {:>8} {:>7} {:>9} {:>9} {:>11} {:>11} {:>10}".format(*head))
    for day in faq.costs():
        rates = f"{day.asked:>8,} {day.cache_hit_rate:>7.1%} {day.rerank_rate:>9.1%}"
        tokens = f"{day.calls:>9,} {day.prompt_tokens:>11,} {day.completion_tokens:>11,}"
        click.echo(f"{day.day:<10} {rates} {tokens} {day.cost:>10.4f}")
