"""The command ``onrecord watch``: add new sources in folders and feeds until the user stops it."""

from __future__ import annotations

import json
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

import click

from onrecord.serve import show
from onrecord.serve.options import archive_options, intake_options
from onrecord.types import one_line

if TYPE_CHECKING:
    from onrecord.archive import Archive
    from onrecord.archive.intake import Added
    from onrecord.archive.watching import Watcher

Stop = SimpleQueue[int]
"""A queue that gets the number of the signal that ends the watch.

Its `put` may be called from a signal handler.
"""


@click.command()
@intake_options
@click.option(
    "--every",
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    type=click.FloatRange(0.1, 86400),
    help="Look again after so many seconds; at addresses at most every 15 minutes.",
)
@click.option("--once", is_flag=True, help="Stop when everything is added and no file grows any more.")
@click.option("--json", "as_json", is_flag=True, help="Print each event as a line of JSON, for programs.")
@archive_options(make=True)
def watch(
    archive: Archive,
    paths: tuple[str, ...],
    every: float,
    once: bool,
    sets: tuple[str, ...],
    as_json: bool,
    **options: Any,
) -> None:
    """Keep adding what appears or changes in folders and feeds.

    It runs until you press Ctrl-C. A file that is still being written waits until it stops growing. A file
    that cannot be read is reported once, and tried again when it changes. Files that disappear stay in the
    archive.
    """
    from onrecord.archive.watching import Watcher
    from onrecord.ingest.details import parse_set

    watcher = Watcher(archive, paths, details=parse_set(sets), still=every, **options)
    counts: Counter[str] = Counter()
    with _stopping() as stop:
        _run(watcher, stop, every, once, as_json, counts)
        stopped = not stop.empty()
    _print({"event": "stopped" if stopped else "done", **{kind: counts[kind] for kind in _COUNTED}}, as_json)
    if once and (stopped or counts["refused"]):
        sys.exit(1)


_COUNTED = ("added", "changed", "refused")


def _run(watcher: Watcher, stop: Stop, every: float, once: bool, as_json: bool, counts: Counter[str]) -> None:
    """Look for changes again and again. When a signal arrives, the current recording is finished."""
    while stop.empty():
        with show.progress(as_json) as progress:
            report = watcher.look(progress, stop=lambda: not stop.empty())
        for event in _events(report):
            counts[event["event"]] += 1
            _print(event, as_json)
        if once and not watcher.growing:
            return
        with suppress(Empty):
            stop.put(stop.get(timeout=every))  # put back, so that `stop.empty()` stays false


@contextmanager
def _stopping() -> Iterator[Stop]:
    """Put the first Ctrl-C or TERM into a queue; the second one ends the process at once."""
    stop: Stop = SimpleQueue()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def end(number: int, frame: object) -> None:
        stop.put(number)
        _restore(before)

    with suppress(ValueError):  # not the main thread: its caller handles signals
        for number in before:
            signal.signal(number, end)
    try:
        yield stop
    finally:
        _restore(before)


def _restore(handlers: dict[signal.Signals, Any]) -> None:
    with suppress(ValueError):  # not the main thread
        for number, handler in handlers.items():
            signal.signal(number, handler)


# ---------------------------------------------------------------- events


def _events(report: Added) -> Iterator[dict[str, Any]]:
    """Yield one event for each source and note."""
    for kind in ("added", "changed"):
        for r in getattr(report, kind):
            yield {"event": kind, "source": r.source, "id": r.id, "title": r.title, "words": r.words}
    for name, twin in report.twins:
        yield {"event": "twin", "source": name, "kept": twin.id}
    for name, reason in report.skipped:
        yield {"event": "skipped", "source": name, "reason": reason}
    for name, error in report.refused:
        yield {"event": "refused", "source": name, "code": error.code, "message": str(error)}
    for note in report.notes:
        yield {"event": "note", "message": note}


_LINES = {
    "added": "{id}  {title}  ({words:,} words)",
    "changed": "{id}  {title}  ({words:,} words)",
    "twin": "{source}: the same words as {kept}, which is kept",
    "skipped": "{source}: {reason}",
    "refused": "{source}: {message}",
    "note": "{message}",
    "stopped": "{added:,} added, {changed:,} changed, {refused:,} refused",
    "done": "{added:,} added, {changed:,} changed, {refused:,} refused",
}
_TO_STANDARD_ERROR = ("refused", "note")


def _print(event: dict[str, Any], as_json: bool) -> None:
    """Print an event as a line, and flush it, because a program may wait for it."""
    if as_json:
        click.echo(json.dumps(event))
    else:
        line = one_line(_LINES[event["event"]].format(**event))
        click.echo(f"{event['event']:>9}  {line}", err=event["event"] in _TO_STANDARD_ERROR)
    sys.stdout.flush()
