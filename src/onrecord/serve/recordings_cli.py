"""The commands ``onrecord add``, ``edit``, ``list``, ``show`` and others for one or many recordings."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from onrecord.errors import InputError, NotFoundError, did_you_mean, nearest
from onrecord.serve import show
from onrecord.serve.group import RESUMABLE, note_if_stopped
from onrecord.serve.options import (
    archive_options,
    intake_options,
    json_option,
    output_options,
    scope_options,
    seconds,
    set_option,
    strict_option,
)
from onrecord.stores import shown
from onrecord.stores.scope import names_section
from onrecord.types import clock, one_line, printable

if TYPE_CHECKING:
    from onrecord.archive import Archive
    from onrecord.archive.progress import Progress
    from onrecord.types import Passage, Recording, Scope, Section


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
    take_in(archive, paths, sets, as_json, **options)


def take_in(
    archive: Archive, sources: Sequence[str], sets: Sequence[str], as_json: bool, **options: Any
) -> None:
    """Add sources with details and print what was added. Exits with 1 if one was refused."""
    from onrecord.ingest.details import parse_set

    note_if_stopped(RESUMABLE)
    with show.progress(as_json) as progress:
        counted = _counted(progress)
        report = archive.add(*sources, details=parse_set(sets), progress=counted, **options)
    show.added(report, archive, as_json)
    if report.refused:
        sys.exit(1)


def _counted(progress: Progress | None) -> Progress:
    """Return a progress function that also updates the note shown if the command is stopped.

    The note says how many sources are left.
    """

    def report(done: int, of: int, name: str) -> None:
        note_if_stopped(f" with {of - done:,} of {of:,} left{RESUMABLE}")
        if progress:
            progress(done, of, name)

    return report


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
    from onrecord.archive.lookup import is_called

    recording = archive.find(rec)
    if not yes and not is_called(recording, rec):
        shown_as = f"{recording.id}  {printable(recording.title)}"
        if not at_a_terminal():
            raise InputError(f"{rec!r} is only a part of {shown_as}: name it in full, or add --yes")
        click.confirm(f"remove {shown_as}?", abort=True, err=True)
    archive.remove(recording.id)
    if as_json:
        show.print_json({"removed": show.owned(recording)})
    else:
        click.echo(f"removed {recording.id}  {printable(recording.title)}")


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
    _print_changed([changed], as_json)


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

    If NAME is a speaker already, the two become one person. "Speaker 1" may differ in each recording: if
    several have one, name the recording as well, with --recording.

    \b
    Example:
      onrecord rename "Speaker 1" "Priya Raman" --recording "Night Desk 42"
    """
    _print_changed(archive.rename(speaker, name, recordings), as_json)


# ---------------------------------------------------------------- looking


@click.command("list")
@json_option
@scope_options
@archive_options(make=False)
def list_recordings(archive: Archive, scope: Scope, as_json: bool) -> None:
    """List the recordings: date, length, title, speakers, id."""
    listed = archive.recordings(archive.resolved(scope))
    if as_json:
        show.print_json([show.owned(r) for r in listed])
        return
    if not listed:
        show.nothing(archive, scope)
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("date", "length", "title", "speakers", "id"):
        table.add_column(name, no_wrap=True, overflow="ellipsis", max_width=44)
    for r in listed:
        length = clock(r.seconds) if r.seconds is not None else show.count_of(r.words, "word")
        cells = (r.details.date or "", length, r.title, ", ".join(r.speakers), r.id)
        table.add_row(*(Text(printable(cell)) for cell in cells))
    Console(width=None if sys.stdout.isatty() else 400).print(table)


@click.command("show")
@click.argument("rec", metavar="RECORDING")
@click.option("--at", metavar="TIME", help="Only what is said around this time: 12:30, 1:02:03 or seconds.")
@click.option("--section", metavar="TITLE", help="Only what is said in the section of this title.")
@click.option("--sections", "only", is_flag=True, help="Only the sections: times, titles, summaries.")
@json_option
@archive_options(make=False)
def show_recording(
    archive: Archive, rec: str, at: str | None, section: str | None, only: bool, as_json: bool
) -> None:
    """Print a recording: its details, sections and words.

    RECORDING is an id or a title, or a part of one.
    """
    recording = archive.find(rec)
    sections = archive.store.sections(recording.id)
    passages = [] if only else archive.transcript(rec, None if at is None else seconds(at))
    if section is not None:
        passages = _in_section(section, passages, sections)
    if as_json:
        from onrecord.serve.views import passage_view, section_view

        whole = archive.transcript(recording.id)
        view = {**show.owned(recording), "sections": [section_view(s, whole) for s in sections]}
        show.print_json(view if only else {**view, "passages": [passage_view(p) for p in passages]})
        return
    click.secho(printable(recording.title), bold=True)
    if only:
        print_sections(sections)
        if not sections:
            click.echo("it has no sections")
    else:
        _print_transcript(recording, passages, sections)


@click.command()
@click.option(
    "--costs",
    "cost",
    is_flag=True,
    help="By day: what answers, embedding and the FAQ cost, and how often caches helped.",
)
@json_option
@archive_options(make=False)
def stats(archive: Archive, cost: bool, as_json: bool) -> None:
    """Count recordings, words and vectors, or show costs."""
    from onrecord.serve import costs
    from onrecord.serve.views import stats_view

    if cost:
        costs.show(archive, as_json)
        return
    figures = stats_view(archive)
    if as_json:
        show.print_json({"archive": shown(archive.settings.archive_url), **figures})
        return
    click.secho(show.place(archive), bold=True)
    caches, unnamed = figures.pop("caches"), figures.pop("unnamed")
    if unnamed:
        among = "1 recording" if unnamed == 1 else f"{unnamed:,} recordings"
        figures["speakers"] = f"{figures['speakers']:,}, and others without a name in {among}"
    for name, value in figures.items():
        click.echo(f"  {name:<12} {_readable(name, value)}")
    for name, cache in caches.items():
        rate = "not asked yet" if cache["rate"] is None else f"{cache['rate']:.0%} found in the cache"
        click.echo(f"  {name:<12} {rate}, {cache['kept']:,} kept ({_size_of(cache['bytes'])})")


@click.command()
@click.argument("rec", metavar="RECORDING")
@click.option("--format", type=click.Choice(["json", "vtt", "srt", "md"]), default="json", show_default=True)
@output_options("Write to this file instead of standard output.")
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


# ---------------------------------------------------------------- printing


def at_a_terminal() -> bool:
    """Return whether standard input is a terminal, so that a user can answer a question."""
    return sys.stdin.isatty()


def _print_changed(recordings: Sequence[Recording], as_json: bool) -> None:
    """Print the changed recordings in their new state."""
    if as_json:
        show.print_json({"changed": [show.owned(recording) for recording in recordings]})
        return
    for recording in recordings:
        who = f"  ({', '.join(recording.speakers)})" if recording.speakers else ""
        click.echo(f"changed {recording.id}  {printable(recording.title + who)}")


def _in_section(title: str, passages: Sequence[Passage], sections: Sequence[Section]) -> list[Passage]:
    """Return the passages in the sections of a title, or of a path such as "Questions > Freight".

    Raises NotFoundError for an unknown title.
    """
    named: list[Section] = []
    for form in (title, title.rpartition(" > ")[2]):
        named = named or [each for each in sections if names_section(form, each.title)]
    if not named:
        titles = [each.title for each in sections]
        hint = did_you_mean(nearest(title, titles), "; ") or ": onrecord show --sections lists them"
        raise NotFoundError(f"no section is called {title!r}{hint}")
    return [p for p in passages if any(each.first <= p.position <= each.last for each in named)]


def _print_transcript(recording: Recording, passages: Sequence[Passage], sections: Sequence[Section]) -> None:
    """Print a recording's details and passages, and its sections if all passages are shown."""
    details = recording.details
    lines = {
        "id": recording.id,
        "date": details.date,
        "language": details.language,
        "speakers": ", ".join(recording.speakers),
        "link": details.link,
        "media": details.media,
        **details.attributes,
        "from": f"{recording.source} ({recording.format})",
    }
    for name, value in lines.items():
        if value:
            click.echo(f"  {one_line(name)}: {one_line(value)}")
    if len(passages) == recording.passages:
        print_sections(sections)
    section = None
    for passage in passages:
        if passage.section != section and passage.section:
            click.secho(f"\n# {printable(passage.section)}", bold=True)
        section = passage.section
        click.echo(f"\n{_turns(passage)}")
    if not passages:
        ends = f": it ends at {clock(recording.seconds)}" if recording.seconds is not None else ""
        click.echo(f"\nnothing is said there{ends}")


def _turns(passage: Passage) -> str:
    """Return the speaker turns of a passage, one a line: ``[12:31] Brendan Kelly: ...``."""
    lines = []
    for begin, end, speaker in passage.turns:
        second = passage.time_at(begin) if begin else passage.start
        time = f"[{clock(second)}] " if second is not None else ""
        lines.append(time + (f"{speaker}: " if speaker else "") + passage.text[begin:end].strip())
    return "\n".join(map(printable, lines))


def print_sections(sections: Sequence[Section]) -> None:
    """Print one line for each section, with its summary below; inner sections follow their outer section."""
    for s in sections:
        indent = "    " if s.under else "  "
        times = clock(s.start) if s.start is not None else ""
        if s.end is not None:  # an end without a start must not look like a start
            times = f"{times}-{clock(s.end)}" if times else f"until {clock(s.end)}"
        kind = f"  ({s.kind})" if s.kind else ""
        click.echo(f"\n{indent}{times}  " if times else f"\n{indent}", nl=False)
        click.secho(printable(s.title), bold=True, nl=False)
        click.echo(kind)
        if s.summary:
            click.echo(textwrap.indent(textwrap.fill(printable(s.summary), 100), indent + "  "))


def _readable(name: str, value: Any) -> str:
    if name == "seconds":
        return f"{clock(value or 0)} of timed speech"
    if name == "bytes":
        return _size_of(value)
    if isinstance(value, dict):
        return ", ".join(map(str, value.values()))
    if value is None:
        return "none"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _size_of(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1_000_000 else f"{count / 1e3:.1f} kB"
