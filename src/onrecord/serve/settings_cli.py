"""The command ``onrecord settings``: every setting with its value, origin, meaning and allowed values."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from onrecord.errors import NotFoundError, did_you_mean, nearest
from onrecord.serve.options import json_option
from onrecord.serve.show import print_json
from onrecord.types import printable


@click.command("settings")
@click.argument("name", required=False)
@click.option("--changed", is_flag=True, help="Only those that differ from their defaults.")
@json_option
def settings(name: str | None, changed: bool, as_json: bool) -> None:
    """List settings: value, origin, meaning, range.

    NAME is one setting (llm.model) or a group (llm). Set them in onrecord.yaml, or by environment variables:
    ONRECORD_LLM__MODEL sets llm.model. An option wins over a variable, and a variable over the file.
    """
    from onrecord.settings import described

    matching = [one for one in described() if name is None or f"{one.name}.".startswith(f"{name}.")]
    if not matching:
        from onrecord.settings import names

        groups = {each.partition(".")[0] for each in names()}
        hint = did_you_mean(nearest(name or "", (*names(), *groups))) or "`onrecord settings` lists them"
        raise NotFoundError(f"there is no setting {name!r}: {hint}")
    shown = [one for one in matching if not changed or one.origin != "default"]
    if as_json:
        print_json([asdict(one) for one in shown])
        return
    for one in shown:
        click.secho(one.name, bold=True, nl=False)
        click.echo(f" = {printable(_as_yaml(one.value))}   ({printable(one.origin)})")
        click.echo(f"    {one.meaning} ({one.allowed})")
    if not shown:
        click.echo("all settings are at their defaults", err=True)


def _as_yaml(value: Any) -> str:
    """Return a value as YAML writes it."""
    if value is None or value in ("", []):
        return "(none)"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return " ".join(str(value).split())
