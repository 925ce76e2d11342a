"""The group of all commands: its help in sections, its errors as one line, and its exit codes.

Exit codes: 0 done, 1 refused or failed, 2 mistyped, 130 stopped by Ctrl-C, 143 stopped by TERM.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from shlex import join
from typing import Any

import click

from onrecord.errors import OnRecordError, did_you_mean, nearest
from onrecord.serve.show import print_json
from onrecord.types import printable

HELP = ("--help", "-h")
MOVABLE = ("--archive", "--workspace")
"""Options of nearly all commands, which may also precede the command."""
RESUMABLE = "; what was done before is kept, and the same command goes on from there"
UNCHANGED = "; the archive is as it was, with the vectors that it had: the same command begins anew"


def note_if_stopped(note: str) -> None:
    """Set the note that the user reads if the running command is stopped.

    The note is `RESUMABLE`, `UNCHANGED` or another text; an empty text removes it.
    """
    click.get_current_context().meta["note"] = note


class Commands(click.Group):
    """A group that lists its commands in sections, and moves or reports misplaced arguments."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.sections: dict[str, list[str]] = {}

    def add_sections(self, sections: Mapping[str, Sequence[click.Command]]) -> None:
        """Add commands, each to its section of the help."""
        for title, commands in sections.items():
            for command in commands:
                self.add_command(command)
            self.sections[title] = [command.name or "" for command in commands]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = formatter.width - 6 - max(map(len, self.commands))
        for title, names in self.sections.items():
            rows = [(name.ljust(10), self.commands[name].get_short_help_str(width)) for name in names]
            with formatter.section(title):
                formatter.write_dl(rows)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, _behind_the_command(args))
        except click.NoSuchOption as error:
            name = error.option_name
            if any(name in option.opts for command in self.commands.values() for option in command.params):
                raise click.UsageError(
                    f"{name} stands after the command: onrecord ask ... {name}", ctx
                ) from None
            raise

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        first, *rest = args
        if first in ("help", "version"):
            ctx.fail(f"{first!r} is an option: onrecord --{first}")
        asks = " " in first or any(not word.startswith("-") for word in rest)
        if asks and first not in self.commands and not nearest(first, self.commands):
            ctx.fail(f"{first!r} is not a command. To ask a question: onrecord ask {printable(join(args))}")
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None and (words := _words_too_many(command, rest, ctx)):
            asked = printable(join([first, *words]))
            ctx.fail(f"{name!r} takes options only. To ask a question: onrecord ask {asked}")
        return name, command, rest

    def invoke(self, ctx: click.Context) -> Any:
        _replace_unprintable()
        if not set(HELP) & set(ctx.args):
            _warn_of_unknown_variables()
        try:
            with _ended_by_term():
                result = super().invoke(ctx)
            if not sys.stdout.closed:  # `onrecord mcp` may have closed it
                sys.stdout.flush()  # a full disk fails here, not when the interpreter exits
            return result
        except click.NoSuchOption as error:
            raise click.UsageError(_unknown_option(error), error.ctx) from None
        except OnRecordError as error:
            _print_error_as_json(ctx, error.code, str(error))
            click.echo(f"onrecord: {error}", err=True)
            ctx.exit(1)
        except (KeyboardInterrupt, _Terminated) as end:
            _print_stopped(ctx)
            ctx.exit(143 if isinstance(end, _Terminated) else 130)
        except BrokenPipeError:
            sys.stderr.close()  # the reader of the pipe is gone, so nobody would read a message
            ctx.exit(1)
        except OSError as error:
            message = f"cannot read or write {error.filename or 'the output'}: {error.strerror or error}"
            with suppress(OSError):  # the output itself may be what cannot be written
                _print_error_as_json(ctx, "system_error", message)
                sys.stdout.flush()
            _drop_output()
            click.echo(f"onrecord: {message}", err=True)
            ctx.exit(1)


def _words_too_many(command: click.Command, args: list[str], parent: click.Context) -> list[str]:
    """Return the positional words given to a command that takes none: they may be a question."""
    if isinstance(command, click.Group) or any(isinstance(each, click.Argument) for each in command.params):
        return []
    with suppress(click.UsageError):  # the command itself reports it
        context = click.Context(command, parent=parent, resilient_parsing=True)
        return command.make_parser(context).parse_args(list(args))[1]
    return []


def _behind_the_command(args: list[str]) -> list[str]:
    """Move options that may precede the command behind the command's own arguments."""
    start = 0
    while start < len(args) and args[start].partition("=")[0] in MOVABLE:
        start += 1 if "=" in args[start] else 2
    end = args.index("--") if "--" in args else len(args)
    return [*args[start:end], *args[:start], *args[end:]] if start < end else args


# ---------------------------------------------------------------- errors


def _unknown_option(error: click.NoSuchOption) -> str:
    """Return the message for an unknown option.

    The option may be the name of a detail; the message then suggests --set or --where.
    """
    params = error.ctx.command.get_params(error.ctx) if error.ctx else []
    options = {
        name.lstrip("-"): name
        for param in params
        if isinstance(param, click.Option)
        for name in param.opts
        if len(name) > 2
    }
    by_name = next((option for option in ("set", "where") if option in options), "")
    bare = error.option_name.lstrip("-")
    if near := nearest(bare, options):
        hint = f"Did you mean '{options[near[0]]}'?"
    elif by_name:
        hint = f"A detail of recordings is named so: --{by_name} {bare}=..."
    else:
        hint = "Its options are: " + ", ".join(sorted(options.values()))
    return f"No such option '{error.option_name}'. {hint}"


def _print_error_as_json(ctx: click.Context, code: str, message: str) -> None:
    """Print an error as JSON, if results are printed as JSON."""
    if ctx.meta.get("json"):
        print_json({"error": {"code": code, "message": message}})


def _print_stopped(ctx: click.Context) -> None:
    """Print that the command was stopped, and what remains of its work."""
    message = f"stopped{ctx.meta.get('note', '')}"
    _print_error_as_json(ctx, "stopped", message)
    if sys.stdout.isatty():
        click.echo()  # end the line that was being printed
    click.echo(f"onrecord: {message}", err=True)


def _drop_output() -> None:
    """Discard output that could not be written, so that the interpreter does not retry when it exits."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


# ---------------------------------------------------------------- signals, streams, variables


class _Terminated(BaseException):
    """The TERM signal arrived. The command ends as after Ctrl-C."""


@contextmanager
def _ended_by_term() -> Iterator[None]:
    """Make TERM raise `_Terminated` in this context, so that files are closed and the user is informed."""

    def end(number: int, frame: object) -> None:
        raise _Terminated

    try:
        before = signal.signal(signal.SIGTERM, end)
    except ValueError:  # not the main thread: its caller handles signals
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _replace_unprintable() -> None:
    """Print ? for characters that a terminal or pipe cannot encode, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors="replace")


def _warn_of_unknown_variables() -> None:
    """Warn about environment variables that look like settings but are none. They do no harm."""
    if not any(name.upper().startswith("ONRECORD_") for name in os.environ):
        return  # importing the settings takes a while
    from onrecord.settings import unknown_variables

    for name, near in unknown_variables(os.environ).items():
        hint = did_you_mean(near, ": ")
        click.echo(f"onrecord: nothing reads the environment variable {printable(name)}{hint}", err=True)
