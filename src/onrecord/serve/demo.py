"""``onrecord demo``: ask the built-in examples several kinds of questions."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from importlib.resources import as_file, files
from pathlib import Path

import click

import onrecord.archive
from onrecord.archive import Archive
from onrecord.serve import answer_show, show

QUESTIONS = (
    ("a reason", "Why did margins fall?"),
    ("one person's words", "What did Ingrid Halden say about suppliers?"),
    ("a fact", "How much does the new gate cost the town?"),
    ("what was done in speaking", "What was decided?"),
    ("what the archive knows", "Who has been a guest?"),
    ("in French", "Combien a coûté le réseau de chaleur ?"),
    ("nobody spoke about it", "Who won the football world cup in 1998?"),
)


def run() -> None:
    """Add the examples to a temporary archive, ask, and say what to type next."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        examples = stack.enter_context(as_file(files("onrecord") / "examples"))
        archive = stack.enter_context(onrecord.archive.open(Path(folder) / "demo.db", workspace="default"))
        _add(archive, examples)
        for kind, question in QUESTIONS:
            _ask(archive, kind, question)
    click.secho("Your turn", bold=True)
    click.echo("  onrecord add FOLDER-OR-FILE ...     transcripts: .vtt .srt .json .md .txt, feeds")
    click.echo('  onrecord ask "..."                  --explain shows how it was found')
    click.echo("  onrecord search WORDS               --speaker, --since, --recording narrow it")


def _add(archive: Archive, examples: Path) -> None:
    click.echo("Five recordings of invented people: two podcast episodes, an earnings call, a council")
    click.echo("meeting and a talk in French.\n")
    with show.progress(quiet=False) as progress:
        report = archive.add(examples, progress=progress)
    for recording in report.added:
        click.echo(f"  added  {recording.title}")
    for note in report.notes:
        click.echo(f"  note   {note}", err=True)


def _ask(archive: Archive, kind: str, question: str) -> None:
    click.echo()
    click.secho(f'onrecord ask "{question}"', bold=True, nl=False)
    click.secho(f"   ({kind})\n", dim=True)
    answer_show.answer(archive.ask(question), archive, as_json=False, markdown=False, explain=False)
    click.echo()
