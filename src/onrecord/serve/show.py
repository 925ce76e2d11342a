"""How results look in a terminal, and as JSON.

Transcripts are not trusted: every text of theirs goes through `printable`, and never through markup.
"""

from __future__ import annotations

import json
import sys
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from onrecord.errors import InputError, OnRecordError
from onrecord.stores import shown
from onrecord.types import clock, one_line, printable

if TYPE_CHECKING:
    from onrecord.archive import Added, Archive, Progress
    from onrecord.archive.summarizing import Summarized
    from onrecord.serve.views import View
    from onrecord.types import Passage, Recording, Scope, Section


def print_json(value: Any) -> None:
    """Print one JSON value, with characters of every script as they are if the output can hold them."""
    plain = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    click.echo(json.dumps(value, ensure_ascii=plain, indent=2, default=str))


@contextmanager
def progress(quiet: bool) -> Iterator[Progress | None]:
    """A progress bar on standard error, or None if nobody would see it."""
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
    """Show how far a download is, on one line of standard error that is overwritten."""
    if sys.stderr.isatty():
        click.echo(f"\r{what}: {share:4.0%}" + ("\n" if share >= 1 else ""), nl=False, err=True)


# ---------------------------------------------------------------- taking in


def added(report: Added, archive: Archive, as_json: bool) -> None:
    """Print what was added, changed, left alone, skipped and refused."""
    if as_json:
        print_json(
            {
                "archive": shown(archive.settings.archive_url),
                "workspace": archive.store.workspace,
                **{kind: [_recording(r) for r in getattr(report, kind)] for kind in _DONE},
                "skipped": [{"source": name, "reason": why} for name, why in report.skipped],
                "refused": [
                    {"source": name, "code": e.code, "message": str(e)} for name, e in report.refused
                ],
                "twins": [
                    {"source": name, "kept": _recording(recording)} for name, recording in report.twins
                ],
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
        click.echo(f"  refused  {one_line(_refusal(name, error))}", err=True)
    for note in report.notes:
        click.echo(f"     note  {one_line(note)}", err=True)
    kinds = (*_DONE, "skipped", "refused", *(["twins"] if report.twins else []))
    counts = [f"{len(getattr(report, kind))} {kind}" for kind in kinds]
    click.echo(f"{', '.join(counts)}  ->  {_place(archive)}")


_DONE = ("added", "changed", "unchanged")
_MOST_SKIPPED = 10
"""So many skipped files are named one by one; more of them become one line."""


def _skipped(skipped: Sequence[tuple[str, str]]) -> None:
    """Print the skipped files with their reasons, or how many for which reason."""
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


def _refusal(name: str, error: OnRecordError) -> str:
    return str(error) if name in str(error) else f"{name}: {error}"


def at_a_terminal() -> bool:
    """Whether somebody is at the terminal to answer a question."""
    return sys.stdin.isatty()


def confirm_removal(recording: Recording, name: str) -> None:
    """Ask whether to remove a recording that only a part of a name selects. Raises Abort if not, and
    InputError if nobody is at the terminal."""
    shown_as = f"{recording.id}  {printable(recording.title)}"
    if not at_a_terminal():
        raise InputError(f"{name!r} is only a part of {shown_as}: name it in full, or add --yes")
    click.confirm(f"remove {shown_as}?", abort=True, err=True)


def removed(recording: Recording, as_json: bool) -> None:
    if as_json:
        print_json({"removed": _recording(recording)})
    else:
        click.echo(f"removed {recording.id}  {printable(recording.title)}")


def edited(recordings: Sequence[Recording], as_json: bool) -> None:
    """Print the changed recordings as they are now."""
    if as_json:
        print_json({"changed": [_recording(recording) for recording in recordings]})
        return
    for recording in recordings:
        who = f"  ({', '.join(recording.speakers)})" if recording.speakers else ""
        click.echo(f"changed {recording.id}  {printable(recording.title + who)}")


def embedded(count: int, archive: Archive, as_json: bool) -> None:
    model = archive.store.meta("model")
    if as_json:
        print_json({"embedded": count, "model": model})
    else:
        click.echo(f"{count} recordings embedded by {model['name']}  ->  {_place(archive)}")


def models(as_json: bool) -> None:
    from onrecord.models import describe

    known = describe()
    if as_json:
        print_json(known)
        return
    for model in known:
        click.echo(f"{model['name']:<28} {model['state']}")


# ---------------------------------------------------------------- looking


def nothing(archive: Archive, scope: Scope) -> None:
    """Say on standard error why the archive or the scope is empty."""
    from onrecord.serve.advice import empty_scope

    if not archive.recordings():
        _empty(archive)
    elif not archive.recordings(scope):
        click.echo(f"onrecord: {empty_scope(archive, scope)}", err=True)


def _empty(archive: Archive) -> None:
    """Say that there are no recordings, and point to the FAQ if it has entries."""
    click.echo(f"The archive is empty ({_place(archive)}). Fill it: onrecord add FOLDER", err=True)
    if entries := len(archive.faq.entries("live")):
        size = "1 entry" if entries == 1 else f"{entries:,} entries"
        click.echo(f"Its FAQ has {size}. Ask it: onrecord ask QUESTION", err=True)
    elif archive.faq.entries("draft"):
        click.echo("Its FAQ has drafts, which answer nothing until: onrecord faq promote --drafts", err=True)


def recordings(listed: list[Recording], archive: Archive, as_json: bool, scope: Scope) -> None:
    """Print a table of the recordings in scope."""
    if as_json:
        print_json([_recording(r) for r in listed])
        return
    if not listed:
        nothing(archive, scope)
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("date", "length", "title", "speakers", "id"):
        table.add_column(name, no_wrap=True, overflow="ellipsis", max_width=44)
    for r in listed:
        length = clock(r.seconds) if r.seconds is not None else _words(r)
        cells = (r.details.date or "", length, r.title, ", ".join(r.speakers), r.id)
        table.add_row(*(Text(printable(cell)) for cell in cells))
    Console(width=None if sys.stdout.isatty() else 400).print(table)


def transcript(recording: Recording, passages: list[Passage], archive: Archive, as_json: bool) -> None:
    """Print a recording: its details, sections and words."""
    sections = archive.store.sections(recording.id)
    if as_json:
        from onrecord.serve.views import passage_view, section_view

        whole = archive.transcript(recording.id)
        print_json(
            {
                **_recording(recording),
                "sections": [section_view(s, whole) for s in sections],
                "passages": [passage_view(p) for p in passages],
            }
        )
        return
    click.secho(printable(recording.title), bold=True)
    for name, value in _detail_lines(recording).items():
        click.echo(f"  {one_line(name)}: {one_line(value)}")
    if len(passages) == recording.passages:
        contents(sections)
    section = None
    for passage in passages:
        if passage.section != section and passage.section:
            click.secho(f"\n# {printable(passage.section)}", bold=True)
        section = passage.section
        click.echo(f"\n{spoken(passage)}")
    if not passages:
        ends = f": it ends at {clock(recording.seconds)}" if recording.seconds is not None else ""
        click.echo(f"\nnothing is said there{ends}")


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


def summarized(made: Summarized, as_json: bool) -> None:
    """Print how many sections a language model summarized, and what that cost."""
    if as_json:
        money = sum(call.money for call in made.calls)
        counts = {"made": made.made, "refused": made.refused, "left": made.left, "money": money}
        print_json({**counts, "calls": len(made.calls)})
        return
    click.echo(str(made))
    for failure in dict.fromkeys(made.failures):
        click.echo(f"onrecord: {failure}", err=True)


def sections(recording: Recording, archive: Archive, as_json: bool) -> None:
    """Print the sections of a recording: times, titles and summaries."""
    parts = archive.store.sections(recording.id)
    if as_json:
        from onrecord.serve.views import section_view

        print_json(
            {
                **_recording(recording),
                "sections": [section_view(s, archive.transcript(recording.id)) for s in parts],
            }
        )
        return
    click.secho(printable(recording.title), bold=True)
    contents(parts)
    if not parts:
        click.echo("it has no sections")


def stats(archive: Archive, as_json: bool) -> None:
    """Print counts and sizes."""
    from onrecord.serve.views import stats_view

    figures = stats_view(archive)
    if as_json:
        print_json({"archive": shown(archive.settings.archive_url), **figures})
        return
    click.secho(_place(archive), bold=True)
    caches = figures.pop("caches")
    for name, value in figures.items():
        click.echo(f"  {name:<12} {_readable(name, value)}")
    for name, cache in caches.items():
        rate = "not asked yet" if cache["rate"] is None else f"{cache['rate']:.0%} found in the cache"
        click.echo(f"  {name:<12} {rate}, {cache['kept']:,} kept ({_size_of(cache['bytes'])})")


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


def _place(archive: Archive) -> str:
    workspace = archive.store.workspace
    beside = "" if workspace == "default" else f", workspace {workspace}"
    return shown(archive.settings.archive_url) + beside


def _detail_lines(recording: Recording) -> dict[str, str]:
    details = recording.details
    known = {
        "id": recording.id,
        "date": details.date,
        "language": details.language,
        "speakers": ", ".join(recording.speakers),
        "link": details.link,
        "media": details.media,
        **details.attributes,
        "from": f"{recording.source} ({recording.format})",
    }
    return {name: value for name, value in known.items() if value}


def spoken(passage: Passage) -> str:
    """``[12:31] Brendan Kelly: ...``, with every change of speaker."""
    time = f"[{clock(passage.start)}] " if passage.start is not None else ""
    return time + printable(passage.spoken)


def _size(recording: Recording) -> str:
    length = f", {clock(recording.seconds)}" if recording.seconds is not None else ""
    return f"{_words(recording)}{length}, {recording.format}"


def _words(recording: Recording) -> str:
    return f"{recording.words:,} {'word' if recording.words == 1 else 'words'}"


def _recording(recording: Recording) -> View:
    """A recording with everything that its owner may see."""
    from onrecord.serve.views import recording_view

    details = recording.details
    return {**recording_view(recording, details.link, details.media), "source": recording.source}
