"""``onrecord add``, ``edit``, ``list``, ``show`` and the rest: recordings, one or many."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from onrecord.serve import show
from onrecord.serve.group import RESUMABLE, note_if_stopped
from onrecord.serve.options import (
    Renamed,
    archive_options,
    intake_options,
    json_option,
    output_option,
    scope_options,
    seconds,
    set_option,
    strict_option,
)

if TYPE_CHECKING:
    from onrecord.archive import Archive
    from onrecord.types import Scope


# ---------------------------------------------------------------- adding and changing


@click.command()
@intake_options
@strict_option
@click.option(
    "--workers",
    default=1,
    show_default=True,
    metavar="N",
    type=click.IntRange(1, 64),
    help="Read and embed in N processes.",
)
@click.option(
    "--ray", metavar="ADDRESS", help="A Ray cluster whose machines add: auto, ray://HOST:10001, local."
)
@json_option
@archive_options(make=True)
def add(
    archive: Archive, paths: tuple[str, ...], sets: tuple[str, ...], as_json: bool, **options: Any
) -> None:
    """Add transcripts: files, folders and feeds.

    onrecord recognizes WebVTT, SRT, Podcasting 2.0, RSS and Atom feeds, YouTube captions, Whisper, Deepgram,
    AssemblyAI, Word, HTML, Markdown, plain text and more. Sound and video are skipped: transcribe them first.
    Files that have not changed since they were added are left alone.

    \b
    Examples:
      onrecord add talks/
      onrecord add call.vtt --set title="Third quarter" --set date=2024-11-12
      onrecord add https://example.org/feed.xml --fetch
    """
    from onrecord.ingest.details import parse_set

    note_if_stopped(RESUMABLE)
    with show.progress(as_json) as progress:
        report = archive.add(*paths, details=parse_set(sets), progress=progress, **options)
    show.added(report, archive, as_json)
    if report.refused:
        sys.exit(1)


@click.command()
@click.argument("rec", metavar="RECORDING")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@json_option
@archive_options(make=False)
def remove(archive: Archive, rec: str, yes: bool, as_json: bool) -> None:
    """Remove a recording from the archive.

    RECORDING is an id or a title, as `onrecord list` shows them. If you give only a part of one, you are
    asked to confirm. Everything made from the recording goes too; the source file stays.
    """
    from onrecord.archive import is_called

    recording = archive.find(rec)
    if not yes and not is_called(recording, rec):
        show.confirm_removal(recording, rec)
    show.removed(archive.remove(recording.id), as_json)


@click.command()
@click.argument("rec", metavar="RECORDING")
@set_option
@click.option("--unset", multiple=True, metavar="NAME", help="Clear a detail, such as link.")
@json_option
@archive_options(make=False)
def edit(archive: Archive, rec: str, sets: tuple[str, ...], unset: tuple[str, ...], as_json: bool) -> None:
    """Change a recording's title, date, people, link or tags.

    Any other detail works too: --set episode=12. Your changes stay when the source is added again.

    \b
    Example:
      onrecord edit "Night Desk 41" --set title="An expensive spring" --unset link
    """
    from onrecord.ingest.details import texts_by_name

    changed = archive.edit(rec, {**dict.fromkeys(unset, ""), **texts_by_name(sets)})
    show.edited([changed], as_json)


@click.command()
@click.argument("speaker")
@click.argument("name")
@click.option(
    "--recording", "recordings", multiple=True, metavar="REC", help="Only there. Repeat it for more."
)
@json_option
@archive_options(make=False)
def rename(archive: Archive, speaker: str, name: str, recordings: tuple[str, ...], as_json: bool) -> None:
    """Rename SPEAKER to NAME, everywhere or in one recording.

    If NAME speaks already, the two become one person. "Speaker 1" is somebody else in each recording, so
    name the recording as well: --recording.

    \b
    Example:
      onrecord rename "Speaker 1" "Priya Raman" --recording "Night Desk 42"
    """
    show.edited(archive.rename(speaker, name, recordings), as_json)


# ---------------------------------------------------------------- looking


@click.command("list")
@json_option
@scope_options
@archive_options(make=False)
def list_recordings(archive: Archive, scope: Scope, as_json: bool) -> None:
    """List the recordings: date, length, title, speakers, id."""

    show.recordings(archive.recordings(archive.resolved(scope)), archive, as_json, scope)


@click.command("show")
@click.argument("rec", metavar="RECORDING")
@click.option("--at", metavar="TIME", help="Only what is said around this time: 12:30, 1:02:03 or seconds.")
@click.option("--sections", "only", is_flag=True, help="Only the sections: times, titles, summaries.")
@json_option
@archive_options(make=False)
def show_recording(archive: Archive, rec: str, at: str | None, only: bool, as_json: bool) -> None:
    """Print a recording: its details, sections and words.

    RECORDING is an id or a title, or a part of one.
    """
    if only:
        show.sections(archive.find(rec), archive, as_json)
        return
    second = None if at is None else seconds(at)
    show.transcript(archive.find(rec), archive.transcript(rec, second), archive, as_json)


@click.command()
@click.option(
    "--costs",
    "--cost",
    "cost",
    cls=Renamed,
    is_flag=True,
    help="By day: what answers, embedding and the FAQ cost, and how often caches helped.",
)
@json_option
@archive_options(make=False)
def stats(archive: Archive, cost: bool, as_json: bool) -> None:
    """Count recordings, words and vectors, or show costs."""
    from onrecord.serve import costs

    if cost:
        costs.show(archive, as_json)
    else:
        show.stats(archive, as_json)


@click.command()
@click.argument("rec", metavar="RECORDING")
@click.option("--format", type=click.Choice(["json", "vtt", "srt", "md"]), default="json", show_default=True)
@output_option("Write to this file instead of standard output.")
@archive_options(make=False)
def export(archive: Archive, rec: str, output: str | None, **options: str) -> None:
    """Write a recording as JSON, WebVTT, SRT or Markdown.

    JSON loses nothing. onrecord reads all four back.
    """
    from pathlib import Path

    text = archive.export(rec, **options)
    if output:
        Path(output).write_text(text, encoding="utf-8")
    else:
        click.echo(text, nl=not text.endswith("\n"))
