"""The commands ``onrecord ask``, ``search``, ``plan`` and ``demo``: questions about the recordings."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from onrecord.serve import show
from onrecord.serve.options import (
    archive_options,
    explain_option,
    json_option,
    limit_option,
    llm_option,
    no_model_option,
)
from onrecord.serve.question_options import form_options, question_options

if TYPE_CHECKING:
    from onrecord.archive import Archive, Ask
    from onrecord.types import Form


@click.command()
@question_options("question")
@explain_option
@click.option("--markdown", is_flag=True, help="Print the answer as Markdown.")
@form_options
@click.option(
    "--faq/--no-faq", default=None, help="Ask the FAQ first, and the recordings if it has no answer."
)
@llm_option
@no_model_option
@json_option
@archive_options(make=False)
def ask(archive: Archive, asked: Ask, form: Form, faq: bool | None, explain: bool, **how: bool) -> None:
    """Answer a question with quotes you can check.

    Every quote shows who said it, in which recording and at which second. If nobody spoke about it, the
    answer says so. With --model a language model writes the answer, and onrecord checks each sentence
    against the quotes before it shows it.

    \b
    Examples:
      onrecord ask "Why did margins fall?"
      onrecord ask "What did they decide?" --speaker kelly --since 2024-11
      onrecord ask "And what does she think?" --after "What did Kelly say about tariffs?"
    """
    from onrecord.serve import answer_show

    events = archive.stream(asked, form=form, faq=faq, explain=explain)
    answer_show.answering(events, archive, explain=explain, **how)


@click.command()
@question_options("question")
@llm_option
@no_model_option
@json_option
@archive_options(make=False)
def plan(archive: Archive, asked: Ask, as_json: bool) -> None:
    """Show how a question is understood, without searching.

    It prints the kind of question, the filters read from it (speaker, date, recording) and the strategy that
    would answer it. Your options win over what is read: --speaker, --intent, --asked-in, --about and
    --sub-question. --without leaves a filter out.
    """
    from onrecord.answer.render import plan_json
    from onrecord.serve import answer_show

    made = archive.plan(asked)
    if as_json:
        show.print_json(plan_json(made))
        return
    answer_show.print_plan(made, archive, asked.scope, asked.hints)
    if asked.scope:
        show.nothing(archive, asked.scope)


@click.command()
@question_options("words")
@limit_option(10, 1000, "Show at most N moments.")
@explain_option
@llm_option
@no_model_option
@json_option
@archive_options(make=False)
def search(archive: Archive, asked: Ask, explain: bool, **how: Any) -> None:
    """List the moments that match, best first, without an answer.

    \b
    Example:
      onrecord search tariffs --speaker kelly --limit 3
    """
    from onrecord.serve import answer_show

    answer_show.moments(archive.search(asked, explain=explain), archive, explain=explain, **how)


_DEMO_QUESTIONS = (
    ("a reason", "Why did margins fall?"),
    ("one person's words", "What did Ingrid Halden say about suppliers?"),
    ("a fact", "How much does the new gate cost the town?"),
    ("what was done in speaking", "What was decided?"),
    ("what the archive knows", "Who has been a guest?"),
    ("in French", "Combien a coûté le réseau de chaleur ?"),
    ("nobody spoke about it", "Who won the football world cup in 1998?"),
)


@click.command()
def demo() -> None:
    """Try onrecord: ask the built-in examples several questions."""
    from importlib.resources import as_file, files

    import onrecord.archive
    from onrecord.serve import answer_show

    with (
        TemporaryDirectory() as folder,
        as_file(files("onrecord") / "examples") as examples,
        onrecord.archive.open(Path(folder) / "demo.db", workspace="default") as archive,
    ):
        click.echo("Five recordings of invented people: two podcast episodes, an earnings call, a council")
        click.echo("meeting and a talk in French.\n")
        with show.progress(quiet=False) as progress:
            report = archive.add(examples, progress=progress)
        for recording in report.added:
            click.echo(f"  added  {recording.title}")
        for note in report.notes:
            click.echo(f"  note   {note}", err=True)
        for kind, question in _DEMO_QUESTIONS:
            click.secho(f'\nonrecord ask "{question}"', bold=True, nl=False)
            click.secho(f"   ({kind})\n", dim=True)
            answer_show.answer(archive.ask(question), archive, as_json=False, markdown=False, explain=False)
            click.echo()
    click.secho("Your turn", bold=True)
    click.echo("  onrecord add FOLDER-OR-FILE ...     transcripts: .vtt .srt .json .md .txt, feeds")
    click.echo('  onrecord ask "..."                  --explain shows how it was found')
    click.echo("  onrecord search WORDS               --speaker, --since, --recording narrow it")
