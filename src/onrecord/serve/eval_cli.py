"""The command ``onrecord eval``: compare strategies on questions with known answers."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from onrecord.errors import InputError
from onrecord.serve.options import (
    archive_option,
    json_option,
    language_model,
    llm_option,
    no_model_option,
    plot_option,
    workspace_option,
)
from onrecord.serve.question_options import read_strategy
from onrecord.serve.show import progress, save_picture
from onrecord.stores import shown

if TYPE_CHECKING:
    from onrecord.archive import Archive
    from onrecord.archive.progress import Progress
    from onrecord.evaluate import Dataset, Report, Yardstick
    from onrecord.strategies import Strategy

Item = TypeVar("Item")

EXAMPLES = "examples"
NO_CACHE = {"embeddings": 0, "results": 0}
"""Caches are off, so that times are those of questions that are asked for the first time."""


@click.command("eval")
@click.argument("questions")
@click.option(
    "--strategy",
    "names",
    multiple=True,
    metavar="NAME-or-FILE",
    callback=read_strategy,
    help="A strategy to measure. Repeat it: each is compared with the first.  [default: the setting]",
)
@click.option("--known", is_flag=True, help="Search only the recordings that hold the answer.")
@click.option(
    "--words",
    type=click.IntRange(10, 100_000),
    metavar="N",
    help="Judge the first N words of the results.  [default: 1000; examples: 200]",
)
@click.option(
    "--top",
    type=click.IntRange(1, 1000),
    metavar="K",
    help="The K of Recall@K, Precision@K and nDCG@K.  [default: 5, 5 and 10]",
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Ask only N questions, drawn at random.")
@click.option("--seed", default=0, show_default=True, help="Seed of the draw and of the intervals.")
@plot_option
@click.option("--misses", default=5, show_default=True, type=click.IntRange(0), help="List so many failures.")
@llm_option
@no_model_option
@json_option
@archive_option
@workspace_option
def evaluate(
    questions: str,
    names: tuple[Strategy | str, ...],
    words: int | None,
    top: int | None,
    plot: Path | None,
    misses: int,
    as_json: bool,
    **options: Any,
) -> None:
    """Measure how well strategies find and answer.

    QUESTIONS is a file of questions about your archive with what a good answer contains (.yaml, .json, .jsonl
    or .csv). It can also be the word `examples`, for the built-in questions, or a folder with corpus.jsonl,
    queries.jsonl and qrels.tsv.

    \b
    Examples:
      onrecord eval examples --limit 5
      onrecord eval questions.yaml --strategy auto --strategy direct
    """
    if questions == EXAMPLES and (options["url"] or options["workspace"]):
        raise click.UsageError(
            "the examples have an archive of their own: leave --archive and --workspace out"
        )
    from onrecord.evaluate import Yardstick
    from onrecord.serve import eval_show

    yardstick = Yardstick.at(words or (200 if questions == EXAMPLES else 1000), top)
    with progress(as_json) as shown_progress:
        run = _Run(names, yardstick, shown_progress, **options)
        of_folder = questions != EXAMPLES and Path(questions).is_dir()
        report = run.of_folder(Path(questions)) if of_folder else run.of_questions(questions)
    if plot:
        from onrecord.evaluate.chart import draw_figure

        save_picture(draw_figure(report), plot)
    eval_show.print_report(report, misses, as_json)


@dataclass(frozen=True, slots=True)
class _Run:
    """One evaluation, as the options specify it."""

    names: Sequence[Strategy | str]
    yardstick: Yardstick
    progress: Progress | None
    url: str | None
    workspace: str | None
    limit: int | None
    seed: int
    known: bool
    llm: str | None
    no_model: bool

    def of_questions(self, questions: str) -> Report:
        """Evaluate questions about the user's archive, or about a temporary archive of the examples."""
        import onrecord.archive
        from onrecord.evaluate.examine import examine
        from onrecord.evaluate.question_files import read_questions
        from onrecord.serve.advice import known_workspace

        llm = language_model(self.llm, self.no_model)
        with ExitStack() as stack:
            if questions == EXAMPLES:
                archive, file = stack.enter_context(examples(llm))
                asked = read_questions(file)
            else:
                asked = read_questions(Path(questions))
                archive = stack.enter_context(
                    onrecord.archive.open(
                        self.url, make=False, workspace=self.workspace, llm=llm, cache=NO_CACHE, account=False
                    )
                )
                known_workspace(archive)
            return examine(archive, self._drawn(asked), self._strategies(archive), **self._how)

    def of_folder(self, folder: Path) -> Report:
        """Evaluate a folder with its own recordings, in the named archive or in a temporary one.

        No answers are written, so no language model has to be turned off.
        """
        import onrecord.archive
        from onrecord.evaluate import compare, load
        from onrecord.retrieve import Tools

        dataset = load(folder)
        with ExitStack() as stack:
            place = self.url or Path(stack.enter_context(tempfile.TemporaryDirectory())) / "evaluation.db"
            archive = stack.enter_context(onrecord.archive.open(place, workspace=self.workspace))
            _filled(archive, dataset, self.progress)
            dataset = replace(dataset, questions=self._drawn(dataset.questions))
            tools = Tools(archive.store, archive.embedder)
            return compare(tools, dataset, self._strategies(archive), **self._how)

    @property
    def _how(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("known", "yardstick", "progress", "seed")}

    def _strategies(self, archive: Archive) -> list[Strategy]:
        return [archive.strategy(name) for name in dict.fromkeys(self.names or (None,))]

    def _drawn(self, items: Sequence[Item]) -> list[Item]:
        """Return a random sample of as many items as the limit allows, in their order."""
        if not self.limit or self.limit >= len(items):
            return list(items)
        return [items[at] for at in sorted(random.Random(self.seed).sample(range(len(items)), self.limit))]


def _filled(archive: Archive, dataset: Dataset, progress: Progress | None) -> None:
    """Make sure that an archive holds a dataset and nothing else.

    Recordings are cut as `onrecord add` cuts them. If questions exclude units, each unit is a passage, so
    that excluding one hides nothing else. Raises InputError if the archive holds other recordings.
    """
    from onrecord.evaluate import fill
    from onrecord.ingest.passages import Cutter

    there = {recording.id for recording in archive.recordings()}
    if there and there != set(dataset.units):
        raise InputError(
            f"{shown(archive.settings.archive_url)} holds other recordings than {dataset.name}: leave "
            "--archive out, or name a file that does not exist yet"
        )
    if not there:
        whole = any(question.exclude for question in dataset.questions)
        fill(archive.store, dataset, cutter=None if whole else Cutter())
    if archive.embedder:
        archive.embed(progress)


@contextmanager
def examples(llm: dict[str, Any] | None, **settings: Any) -> Iterator[tuple[Archive, Path]]:
    """Yield a temporary archive of the built-in examples, and the file of questions about them."""
    from importlib.resources import as_file, files

    import onrecord.archive

    with (
        tempfile.TemporaryDirectory() as folder,
        as_file(files("onrecord") / "examples") as examples,
        onrecord.archive.open(
            Path(folder) / "examples.db", workspace="default", llm=llm, cache=NO_CACHE, **settings
        ) as archive,
    ):
        archive.add(examples)
        yield archive, examples / "questions.yaml"
