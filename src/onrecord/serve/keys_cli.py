"""``onrecord keys``: who may ask over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from onrecord.serve.options import Renamed, json_option

Command = Callable[..., Any]
FILE = click.option(
    "--file", type=click.Path(dir_okay=False), metavar="FILE", help="[default: the setting server.keys]"
)


@click.group()
def keys() -> None:
    """Keys of the server: each lets into one workspace, with some rights."""


@keys.command()
@click.option(
    "--name", metavar="NAME", help="What it is called in the file.  [default: workspace and rights]"
)
@click.option("--workspace", default="default", show_default=True, metavar="NAME", help="Where it lets in.")
@click.option(
    "--right",
    "--rights",
    "rights",
    cls=Renamed,
    default=("read",),
    show_default=True,
    multiple=True,
    type=click.Choice(["read", "write", "metrics"]),
    help="What it lets do; may be given several times.",
)
@FILE
def new(name: str | None, workspace: str, rights: tuple[str, ...], file: str | None) -> None:
    """Make a key, and print it: once, and nowhere else. Only its SHA-256 is kept."""
    from onrecord.serve.keys import new_key

    path = _file(file)
    name = name or _name(workspace, rights)
    click.echo(new_key(path, name, workspace, rights))
    click.echo(f"kept as {name!r} in {path}; this is the only time that the key is shown", err=True)


@keys.command("list")
@FILE
@json_option
def list_keys(file: str | None, as_json: bool) -> None:
    """The keys by name, with workspace and rights."""
    from onrecord.serve.keys import load_keys
    from onrecord.serve.show import print_json

    found = load_keys(_file(file)).keys
    if as_json:
        print_json([{"name": k.name, "workspace": k.workspace, "rights": list(k.rights)} for k in found])
        return
    for key in found:
        click.echo(f"{key.name:<24} {key.workspace:<16} {', '.join(key.rights)}")


@keys.command()
@click.argument("name", metavar="NAME")
@FILE
def remove(name: str, file: str | None) -> None:
    """Take a key out. A server that runs lets nobody in by it any more."""
    from onrecord.serve.keys import remove_key

    remove_key(_file(file), name)
    click.echo(f"removed {name}")


def _file(named: str | None) -> Path:
    from onrecord.errors import InputError
    from onrecord.settings import load

    path = Path(named) if named else load().server.keys
    if path is None:
        raise InputError("there is no file of keys: name one by --file, or in the setting server.keys")
    return path


def _name(workspace: str, rights: tuple[str, ...]) -> str:
    import re

    return re.sub(r"[^\w.@-]", "-", "-".join((workspace, *rights)))
