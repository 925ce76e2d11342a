"""The command ``onrecord strategies``: list strategies, or show one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from onrecord.serve.options import json_option
from onrecord.serve.show import print_json

if TYPE_CHECKING:
    from onrecord.strategies import Strategy


@click.command("strategies")
@click.argument("name", required=False)
@click.option("--yaml", "as_yaml", is_flag=True, help="Print it as YAML, to start your own from.")
@json_option
def strategies(name: str | None, as_yaml: bool, as_json: bool) -> None:
    """List search strategies, or show the stages of one.

    A strategy is a list of stages that turns a question into evidence. Use it with --strategy NAME. Your own
    come from the setting `strategies`: a YAML file or a folder of them.
    """
    if as_yaml and (name is None or as_json):
        raise click.UsageError("--yaml prints one strategy: name it, and leave --json out")
    from onrecord.retrieve.values import lines
    from onrecord.settings import load
    from onrecord.strategies import STRATEGIES, configured_strategies, default_strategy, named, to_yaml

    settings = load()
    own = configured_strategies(settings.strategies, settings.retrieval.figures)
    if name is None:
        known, default = {**STRATEGIES, **own}, default_strategy(settings.strategy, own)
        if as_json:
            print_json([_described(strategy) for strategy in known.values()])
            return
        width = max(map(len, known))
        for strategy in known.values():
            about = strategy.about + (" (the default)" if strategy.name == default else "")
            click.echo(f"{strategy.name:<{width}}  {about}")
        return
    chosen = named(name, own)
    if as_yaml:
        click.echo(to_yaml(chosen), nl=False)
    elif as_json:
        print_json(_described(chosen))
    else:
        click.secho(chosen.name, bold=True, nl=False)
        click.echo(f"  {chosen.about}" if chosen.about else "")
        for line in lines(chosen.stages):
            click.echo(f"  {line}")


def _described(strategy: Strategy) -> dict[str, Any]:
    from onrecord.retrieve.values import to_value

    stages = to_value(strategy.stages)
    return {
        "name": strategy.name,
        "about": strategy.about,
        "answer": strategy.answer,
        "stages": stages if isinstance(stages, list) else [stages],
    }
