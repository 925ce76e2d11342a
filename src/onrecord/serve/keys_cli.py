"""The command ``onrecord keys``: keys for the server."""

from __future__ import annotations

import re
from pathlib import Path

import click

from onrecord.errors import InputError
from onrecord.serve.options import json_option
from onrecord.serve.show import print_json

FILE = click.option(
    "--file",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="The file of keys.  [default: the setting server.keys]",
)


@click.group()
def keys() -> None:
    """Create, list and remove keys for the server.

    Without keys the server answers this machine only. A key opens one workspace, to read, write or both.
    """


@keys.command()
@click.option("--name", metavar="NAME", help="Its name in the file.  [default: workspace and rights]")
@click.option("--workspace", default="default", show_default=True, metavar="NAME", help="What it opens.")
@click.option(
    "--right",
    "rights",
    default=("read",),
    show_default=True,
    multiple=True,
    type=click.Choice(["read", "write", "metrics"]),
    help="What it allows. Repeat it for more.",
)
@FILE
def new(name: str | None, workspace: str, rights: tuple[str, ...], file: str | None) -> None:
    """Create a key and print it.

    It is printed this once: the file holds only its SHA-256.
    """
    from onrecord.serve.keys import new_key

    path = _file(file)
    name = name or re.sub(r"[^\w.@-]", "-", "-".join((workspace, *rights)))
    click.echo(new_key(path, name, workspace, rights))
    click.echo(f"saved as {name!r} in {path}; the key is shown only this once", err=True)


@keys.command("list")
@FILE
@json_option
def list_keys(file: str | None, as_json: bool) -> None:
    """List the keys: name, workspace, rights."""
    from onrecord.serve.keys import load_keys

    listed = load_keys(_file(file)).keys
    if as_json:
        print_json([{"name": k.name, "workspace": k.workspace, "rights": list(k.rights)} for k in listed])
        return
    for key in listed:
        click.echo(f"{key.name:<24} {key.workspace:<16} {', '.join(key.rights)}")
    if not listed:
        click.echo("there are no keys; make one with: onrecord keys new", err=True)


@keys.command()
@click.argument("name", metavar="NAME")
@FILE
def remove(name: str, file: str | None) -> None:
    """Remove a key. A running server refuses it from then on."""
    from onrecord.serve.keys import remove_key

    remove_key(_file(file), name)
    click.echo(f"removed {name}")


def _file(named: str | None) -> Path:
    from onrecord.settings import load

    path = Path(named) if named else load().server.keys
    if path is None:
        raise InputError("there is no file of keys: name one with --file, or in the setting server.keys")
    return path
