"""The sections of a recording in a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from onrecord.types import clock, printable

if TYPE_CHECKING:
    from onrecord.types import Section


def contents(sections: Sequence[Section]) -> None:
    """Print a line for every section, inner ones below outer ones, each with its summary."""
    for s in sections:
        indent = "    " if s.under else "  "
        times = _times(s)
        kind = f"  ({s.kind})" if s.kind else ""
        click.echo(f"\n{indent}{times}  " if times else f"\n{indent}", nl=False)
        click.secho(printable(s.title), bold=True, nl=False)
        click.echo(kind)
        if s.summary:
            click.echo(textwrap.indent(textwrap.fill(printable(s.summary), 100), indent + "  "))


def _times(section: Section) -> str:
    """From when to when, as far as it is known: an end alone must not look like a start."""
    if section.start is None:
        return f"until {clock(section.end)}" if section.end is not None else ""
    return clock(section.start) + (f"-{clock(section.end)}" if section.end is not None else "")
