"""The command line: ``onrecord add``, ``ask``, ``search`` and the rest.

Results go to standard output, everything else to standard error. Exit codes: 0 done, 1 something was
refused or failed, 2 the command was mistyped. What a command needs is imported inside it: ``--help``
stays quick. An interrupted command exits with 130, one that is ended by TERM with 143.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from shlex import join
from typing import TYPE_CHECKING, Any

import click

from onrecord.errors import OnRecordError, did_you_mean, nearest
from onrecord.serve.calibrate_cli import calibrate
from onrecord.serve.chat_cli import chat
from onrecord.serve.eval_cli import evaluate
from onrecord.serve.faq_cli import faq
from onrecord.serve.feedback_cli import feedback
from onrecord.serve.graph_cli import graph
from onrecord.serve.init_cli import init
from onrecord.serve.keys_cli import keys
from onrecord.serve.mcp_cli import mcp
from onrecord.serve.moving_cli import backup, copy, doctor, import_table, restore
from onrecord.serve.options import (
    Renamed,
    archive_options,
    form_options,
    json_option,
    llm_option,
    no_model_option,
    question_options,
    scope_options,
    seconds,
)
from onrecord.serve.serve_cli import serve
from onrecord.serve.settings_cli import settings
from onrecord.serve.strategies_cli import strategies
from onrecord.serve.watch_cli import watch

if TYPE_CHECKING:
    from onrecord.archive import Archive
    from onrecord.types import Form, Scope

EXAMPLES = """\b
Examples:
  onrecord demo
  onrecord add talks/ show.xml call.vtt --set show="Night Desk"
  onrecord ask "Why did margins fall?"
  onrecord search tariffs --speaker kelly --since 2024-01
"""


_HELP = {"-h", "--help"}
_KEPT = "; what was done before is kept, and the same command goes on from there"
_AS_IT_WAS = "; the archive is as it was, with the vectors that it had: the same command begins anew"


class Main(click.Group):
    """Turns every error raised on purpose into one line and an exit code, and tells what was meant where
    something stands in the wrong place."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
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
        words = " " in first or any(not word.startswith("-") for word in rest)
        if words and not nearest(first, self.commands):
            from onrecord.types import printable

            ctx.fail(f"{first!r} is no command. To ask a question: onrecord ask {printable(join(args))}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        _print_anything()
        if _HELP.isdisjoint(ctx.args):
            _tell_of_unknown_variables()
        try:
            with _terminable():
                done = super().invoke(ctx)
            if not sys.stdout.closed:  # by the agent that was answered there
                sys.stdout.flush()  # a full disk is met here, not at the interpreter's end
            return done
        except OnRecordError as error:
            if ctx.meta.get("json"):
                from onrecord.serve.show import print_json

                print_json({"error": {"code": error.code, "message": str(error)}})
            click.echo(f"onrecord: {error}", err=True)
            ctx.exit(1)
        except (KeyboardInterrupt, _Terminated) as end:
            _stopped(ctx)
            ctx.exit(143 if isinstance(end, _Terminated) else 130)
        except BrokenPipeError:
            sys.stderr.close()  # the reader of a pipe went away: nothing to say, and nobody to say it to
            ctx.exit(1)
        except OSError as error:
            _unsaid()
            where = f" {error.filename}" if error.filename else " the output"
            click.echo(f"onrecord: cannot read or write{where}: {error.strerror or error}", err=True)
            ctx.exit(1)


class _Terminated(BaseException):
    """TERM came: what is under way is left as it is by Ctrl-C."""


@contextmanager
def _terminable() -> Iterator[None]:
    """In here TERM ends what is under way in its order: files are closed, and whoever waits is told."""

    def end(number: int, frame: object) -> None:
        raise _Terminated

    try:
        before = signal.signal(signal.SIGTERM, end)
    except ValueError:  # not the main thread: who runs us there handles signals
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _stopped(ctx: click.Context) -> None:
    """Say that the command was stopped, and what is kept of its work."""
    told = f"stopped{ctx.meta.get('kept', '')}"
    if ctx.meta.get("json"):
        from onrecord.serve.show import print_json

        print_json({"error": {"code": "stopped", "message": told}})
    if sys.stdout.isatty():
        click.echo()  # what was being written ends its line
    click.echo(f"onrecord: {told}", err=True)


def _print_anything() -> None:
    """Where a terminal or a pipe is not of UTF-8, print ? for what it cannot show instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors="replace")


def _tell_of_unknown_variables() -> None:
    """A variable that looks like a setting and is none is told, and does no harm."""
    if not any(name.upper().startswith("ONRECORD_") for name in os.environ):
        return  # the settings take a while to be imported
    from onrecord.settings import unknown_variables
    from onrecord.types import printable

    for name, near in unknown_variables(os.environ).items():
        hint = did_you_mean(near, ": ")
        click.echo(f"onrecord: nothing reads the environment variable {printable(name)}{hint}", err=True)


def _unsaid() -> None:
    """Forget what could not be written, so that the interpreter's end does not try again."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


@click.group(cls=Main, epilog=EXAMPLES, context_settings={"help_option_names": sorted(_HELP)})
@click.version_option(package_name="onrecord")
def main() -> None:
    """Ask archives of spoken word a question; get an answer you can check: who said it, where, at which
    second."""


# ---------------------------------------------------------------- taking in


@main.command()
@click.argument("paths", nargs=-1, required=True)
@click.option("--set", "sets", multiple=True, metavar="NAME=VALUE", help='Details of all: show="Night Desk".')
@click.option(
    "--manifest", type=click.Path(), metavar="FILE", help="CSV or YAML file of details by file name."
)
@click.option("--fetch", is_flag=True, help="Fetch the remote parts of feeds (http and https only).")
@click.option("--strict", is_flag=True, help="Stop at the first file that is refused.")
@click.option("--keep-both", is_flag=True, help="Keep two files of the same words as two recordings.")
@click.option(
    "--workers",
    default=1,
    show_default=True,
    metavar="N",
    type=click.IntRange(1, 64),
    help="Processes that read, cut and embed.",
)
@click.option(
    "--ray", metavar="ADDRESS", help="A Ray cluster whose machines add: auto, ray://HOST:10001, local."
)
@json_option
@archive_options(make=True)
def add(
    archive: Archive, paths: tuple[str, ...], sets: tuple[str, ...], as_json: bool, **options: Any
) -> None:
    """Add transcripts: files, folders, feeds.

    Reads WebVTT, SRT, Podcasting 2.0, RSS and Atom feeds, YouTube json3, Whisper, Deepgram, AssemblyAI,
    Rev, CTM, HTML, Markdown and plain text. What is there already and has not changed is left alone.
    """
    from onrecord.ingest.details import parse_set
    from onrecord.serve import show

    click.get_current_context().meta["kept"] = _KEPT
    with show.progress(as_json) as progress:
        report = archive.add(*paths, details=parse_set(sets), progress=progress, **options)
    show.added(report, archive, as_json)
    if report.refused:
        sys.exit(1)


@main.command()
@click.argument("rec", metavar="REC")
@click.option("--yes", is_flag=True, help="Do not ask where REC is only a part of an id or title.")
@json_option
@archive_options(make=False)
def remove(archive: Archive, rec: str, yes: bool, as_json: bool) -> None:
    """Remove a recording, by id or title. Nothing of it is left behind.

    Where REC is only a part of one, you are asked first.
    """
    from onrecord.archive import is_called
    from onrecord.serve import show

    recording = archive.find(rec)
    if not yes and not is_called(recording, rec):
        show.confirm_removal(recording, rec)
    show.removed(archive.remove(recording.id), as_json)


@main.command()
@click.argument("rec", metavar="REC")
@click.option("--set", "sets", multiple=True, metavar="NAME=VALUE", help='What it is: title="Freight".')
@click.option("--unset", multiple=True, metavar="NAME", help="What is not known any more: link.")
@json_option
@archive_options(make=False)
def edit(archive: Archive, rec: str, sets: tuple[str, ...], unset: tuple[str, ...], as_json: bool) -> None:
    """Change what is known about a recording: title, date, people, link, tags, or any other detail.

    Names and values are those of add. The changes hold when its source is added again.
    """
    from onrecord.ingest.details import texts_of
    from onrecord.serve import show

    changed = archive.edit(rec, {**dict.fromkeys(unset, ""), **texts_of(sets)})
    show.edited([changed], as_json)


@main.command()
@click.argument("speaker")
@click.argument("name")
@click.option("--recording", "recordings", multiple=True, metavar="REC", help="Only there; else everywhere.")
@json_option
@archive_options(make=False)
def rename(archive: Archive, speaker: str, name: str, recordings: tuple[str, ...], as_json: bool) -> None:
    """Call SPEAKER by another NAME, in every recording or in those named.

    Somebody who goes by NAME already becomes the same person. What recognizers call somebody ("Speaker 1") is
    another in each recording: name it with --recording.
    """
    from onrecord.serve import show

    show.edited(archive.rename(speaker, name, recordings), as_json)


@main.command()
@click.option(
    "--embedder",
    "--model",
    "embedder",
    cls=Renamed,
    metavar="NAME",
    help="minilm, openai:NAME, fastembed:NAME, sentence-transformers:NAME.",
)
@click.option("--again", is_flag=True, help="Embed everything anew, by this model from now on.")
@json_option
@archive_options(make=False)
def embed(archive: Archive, again: bool, as_json: bool) -> None:
    """Give vectors to recordings that have none; with --again to all.

    Recordings that were added by an older version also get their sections and summaries.
    """
    from onrecord.serve import show

    click.get_current_context().meta["kept"] = _AS_IT_WAS if again else _KEPT
    with show.progress(as_json) as progress:
        count = archive.embed(progress, again=again)
    show.embedded(count, archive, as_json)


@main.command()
@llm_option
@json_option
@archive_options(make=False)
def summarize(archive: Archive, as_json: bool) -> None:
    """Have a language model sum up the sections that it has not summed up yet.

    It goes on where it stopped, asks at most `llm.summary_calls` times in one run, and tells what it cost.
    """
    from onrecord.serve import show

    click.get_current_context().meta["kept"] = _KEPT
    with show.progress(as_json) as progress:
        made = archive.summarize(progress=progress)
    show.summarized(made, as_json)


@main.group()
def models() -> None:
    """The embedded model: fetch it ahead of time, see where it is."""


@models.command("fetch")
def fetch_model() -> None:
    """Fetch the weights of the embedded model (all-MiniLM-L6-v2, 80 MB), checked by their SHA-256."""
    from onrecord.models import fetch_weights
    from onrecord.serve import show

    click.echo(f"the embedded model is ready: {fetch_weights(progress=show.weights_line)}")


@models.command("list")
@json_option
def list_models(as_json: bool) -> None:
    """The models that can embed, and whether they are at hand."""
    from onrecord.serve import show

    show.models(as_json)


# ---------------------------------------------------------------- asking


@main.command()
@question_options("question")
@click.option(
    "--explain", is_flag=True, help="Print what was understood, what every stage did, and how long it took."
)
@click.option("--markdown", is_flag=True, help="Print the answer as Markdown.")
@form_options
@click.option(
    "--faq/--no-faq", default=None, help="Ask the FAQ first, and the archive where it has no answer."
)
@llm_option
@no_model_option
@json_option
@archive_options(make=False)
def ask(archive: Archive, asked: dict[str, Any], form: Form, faq: bool | None, **how: bool) -> None:
    """Answer QUESTION with quotes that can be checked.

    A language model, where one is named here or in the settings, writes the answer; every sentence is checked
    before it is shown.
    """
    from onrecord.serve import answer_show

    answer_show.answering(archive.stream(**asked, form=form, faq=faq), archive, **how)


@main.command()
@question_options("question")
@llm_option
@no_model_option
@json_option
@archive_options(make=False)
def plan(archive: Archive, asked: dict[str, Any], as_json: bool) -> None:
    """What is understood of QUESTION: its kind, the filters that it names, the way to its answer.

    Options come before what is read from the question: those that narrow the scope, --intent, --asked-in,
    --about and --sub-question; --without leaves a filter out.
    """
    from onrecord.answer.render import plan_json
    from onrecord.serve import plan_show, show

    made = archive.plan(**asked)
    if as_json:
        show.print_json(plan_json(made))
        return
    plan_show.terminal(made, archive, asked["scope"], asked["hints"])
    if asked["scope"]:
        show.nothing(archive, asked["scope"])


@main.command()
@question_options("words")
@click.option(
    "--limit",
    default=10,
    show_default=True,
    metavar="N",
    type=click.IntRange(1, 1000),
    help="Moments at most.",
)
@click.option(
    "--explain", is_flag=True, help="Print what was understood, what every stage did, and how long it took."
)
@llm_option
@no_model_option
@json_option
@archive_options(make=False)
def search(archive: Archive, asked: dict[str, Any], **how: Any) -> None:
    """Find the moments that speak to WORDS, without an answer."""
    from onrecord.serve import answer_show

    answer_show.moments(archive.search(**asked), archive, **how)


# ---------------------------------------------------------------- looking


@main.command("list")
@json_option
@scope_options
@archive_options(make=False)
def list_recordings(archive: Archive, scope: Scope, as_json: bool) -> None:
    """The recordings in the archive."""
    from onrecord.serve import show

    show.recordings(archive.recordings(archive.resolved(scope)), archive, as_json, scope)


@main.command("show")
@click.argument("rec", metavar="REC")
@click.option("--at", metavar="TIME", help="Only around this time: 12:30, 1:02:03 or seconds.")
@click.option("--sections", "only", is_flag=True, help="Only its sections: times, titles, summaries.")
@json_option
@archive_options(make=False)
def show_recording(archive: Archive, rec: str, at: str | None, only: bool, as_json: bool) -> None:
    """What a recording says, and what is known about it."""
    from onrecord.serve import show

    if only:
        show.sections(archive.find(rec), archive, as_json)
        return
    second = None if at is None else seconds(at)
    show.transcript(archive.find(rec), archive.transcript(rec, second), archive, as_json)


@main.command()
@click.option(
    "--costs",
    "--cost",
    "cost",
    cls=Renamed,
    is_flag=True,
    help="What answers, embedding and the FAQ cost, by the day, and how often each helped.",
)
@json_option
@archive_options(make=False)
def stats(archive: Archive, cost: bool, as_json: bool) -> None:
    """How much there is in the archive."""
    from onrecord.serve import costs, show

    if cost:
        costs.show(archive, as_json)
    else:
        show.stats(archive, as_json)


@main.command()
@click.argument("rec", metavar="REC")
@click.option("--format", type=click.Choice(["json", "vtt", "srt", "md"]), default="json", show_default=True)
@click.option(
    "--output", type=click.Path(dir_okay=False), metavar="FILE", help="A file instead of standard output."
)
@archive_options(make=False)
def export(archive: Archive, rec: str, output: str | None, **options: str) -> None:
    """A recording as a file that other tools read, and this one too."""
    from pathlib import Path

    text = archive.export(rec, **options)
    if output:
        Path(output).write_text(text, encoding="utf-8")
    else:
        click.echo(text, nl=not text.endswith("\n"))


@main.command()
def demo() -> None:
    """Try it: built-in examples, several questions, their answers."""
    from onrecord.serve.demo import run

    run()


main.add_command(backup)
main.add_command(calibrate)
main.add_command(chat)
main.add_command(copy)
main.add_command(doctor)
main.add_command(evaluate)
main.add_command(faq)
main.add_command(feedback)
main.add_command(graph)
main.add_command(import_table)
main.add_command(init)
main.add_command(keys)
main.add_command(mcp)
main.add_command(restore)
main.add_command(serve)
main.add_command(settings)
main.add_command(strategies)
main.add_command(watch)
