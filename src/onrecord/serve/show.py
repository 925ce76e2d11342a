"""The display of results in a terminal, and as JSON.

Transcripts are not trusted: every text from them goes through `printable`, and never through markup.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from onrecord.stores import shown
from onrecord.types import clock, one_line, printable

if TYPE_CHECKING:
    from pathlib import Path

    from onrecord.archive import Archive
    from onrecord.archive.intake import Added
    from onrecord.archive.progress import Progress
    from onrecord.serve.views import View
    from onrecord.types import Recording, Scope


def print_json(value: Any) -> None:
    """Print one JSON value, with non-ASCII characters unescaped if the output is UTF-8."""
    plain = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    click.echo(json.dumps(value, ensure_ascii=plain, indent=2, default=str))


@contextmanager
def progress(quiet: bool) -> Iterator[Progress | None]:
    """Yield a progress function that draws a bar on standard error, or None if nobody would see it."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.fields[name]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, name="")

        def report(done: int, total: int, name: str) -> None:
            bar.update(task, completed=done, total=total, name=printable(name).replace("[", r"\["))

        yield report


def weights_line(what: str, share: float) -> None:
    """Show the progress of a download on one line of standard error that is overwritten."""
    if sys.stderr.isatty():
        click.echo(f"\r{what}: {share:4.0%}" + ("\n" if share >= 1 else ""), nl=False, err=True)


def save_picture(figure: Any, file: Path) -> None:
    """Save a figure to a file. Raises InputError if writing fails."""
    from onrecord.evaluate.chart import save

    save(figure, file)
    click.echo(f"chart written to {file}", err=True)


# ---------------------------------------------------------------- taking in


def added(report: Added, archive: Archive, as_json: bool) -> None:
    """Print the sources that were added, changed, unchanged, skipped and refused."""
    if as_json:
        print_json(
            {
                "archive": shown(archive.settings.archive_url),
                "workspace": archive.store.workspace,
                **{kind: [owned(r) for r in getattr(report, kind)] for kind in _DONE},
                "skipped": [{"source": name, "reason": why} for name, why in report.skipped],
                "refused": [
                    {"source": name, "code": e.code, "message": str(e)} for name, e in report.refused
                ],
                "twins": [{"source": name, "kept": owned(recording)} for name, recording in report.twins],
                "notes": list(report.notes),
            }
        )
        return
    for kind in ("added", "changed"):
        for r in getattr(report, kind):
            click.echo(f"{kind:>9}  {r.id}  {printable(r.title)}  ({_size(r)})")
    for name, recording in report.twins:
        click.echo(f"     twin  {one_line(name)}: the same words as {recording.id}, which is kept")
    _skipped(report.skipped)
    for name, error in report.refused:
        reason = str(error) if name in str(error) else f"{name}: {error}"
        click.echo(f"  refused  {one_line(reason)}", err=True)
    for note in report.notes:
        click.echo(f"     note  {one_line(note)}", err=True)
    kinds = (*_DONE, "skipped", "refused", *(["twins"] if report.twins else []))
    counts = [f"{len(getattr(report, kind))} {kind}" for kind in kinds]
    click.echo(f"{', '.join(counts)}  ->  {place(archive)}")


_DONE = ("added", "changed", "unchanged")
_MOST_SKIPPED = 10
"""The most skipped files that are named one by one; more are counted in one line."""


def _skipped(skipped: Sequence[tuple[str, str]]) -> None:
    """Print the skipped files with their reasons, or the number of files for each reason."""
    if len(skipped) <= _MOST_SKIPPED:
        for name, why in skipped:
            click.echo(f"  skipped  {one_line(name)}: {one_line(why)}")
        return
    counts = Counter(why.partition(":")[0].partition(";")[0] for _, why in skipped)
    each = "{0}" if len(counts) == 1 else "{0} ({1:,})"
    reasons = ", ".join(each.format(one_line(why), count) for why, count in counts.most_common(3))
    others = counts.total() - sum(count for _, count in counts.most_common(3))
    more = f", others ({others:,})" if others else ""
    click.echo(f"  skipped  {len(skipped):,} files: {reasons}{more} (--json names each)")


def nothing(archive: Archive, scope: Scope) -> None:
    """Print on standard error why the scope or the archive is empty.

    An empty archive may still have an FAQ, which the message then mentions.
    """
    from onrecord.serve.advice import empty_scope

    if archive.recordings():
        if not archive.recordings(scope):
            click.echo(f"onrecord: {empty_scope(archive, scope)}", err=True)
        return
    click.echo(f"The archive is empty ({place(archive)}). Fill it: onrecord add FOLDER", err=True)
    if entries := len(archive.faq.entries("live")):
        size = "1 entry" if entries == 1 else f"{entries:,} entries"
        click.echo(f"Its FAQ has {size}. Ask it: onrecord ask QUESTION", err=True)
    elif archive.faq.entries("draft"):
        click.echo("Its FAQ has drafts, which answer nothing until: onrecord faq promote --drafts", err=True)


def place(archive: Archive) -> str:
    workspace = archive.store.workspace
    beside = "" if workspace == "default" else f", workspace {workspace}"
    return shown(archive.settings.archive_url) + beside


def _size(recording: Recording) -> str:
    length = f", {clock(recording.seconds)}" if recording.seconds is not None else ""
    return f"{count_of(recording.words, 'word')}{length}, {recording.format}"


def count_of(count: int, noun: str) -> str:
    """Return a count with its noun: ``1 word``, ``1,200 words``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def owned(recording: Recording) -> View:
    """Return a recording as JSON, with all details that its owner may see."""
    from onrecord.serve.views import recording_view

    details = recording.details
    return {**recording_view(recording, details.link, details.media), "source": recording.source}
