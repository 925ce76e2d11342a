"""``onrecord eval``: strategies side by side on questions whose answers are known."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from onrecord.errors import InputError
from onrecord.serve.options import archive_option, empty_seats, json_option, read_strategy, workspace_option

if TYPE_CHECKING:
    from onrecord.archive import Archive
    from onrecord.evaluate import Dataset, Report, Yardstick
    from onrecord.strategies import Strategy

Item = TypeVar("Item")

EXAMPLES = "examples"
NO_CACHE = {"embeddings": 0, "results": 0}
"""Times are to be those of questions that are asked for the first time."""


@click.command("eval")
@click.argument("questions")
@click.option(
    "--strategy",
    "names",
    multiple=True,
    metavar="NAME-or-FILE",
    callback=read_strategy,
    help="How evidence is found; give several to compare them with the first.  [default: the setting]",
)
@click.option("--known", is_flag=True, help="Search only the recordings that the answer stands in.")
@click.option(
    "--words",
    type=click.IntRange(10, 100_000),
    help="How many words of what is found are looked at.  [default: 1000; examples: 200]",
)
@click.option(
    "--at",
    type=click.IntRange(1, 1000),
    metavar="K",
    help="The K of Recall@K, Precision@K and nDCG@K.  [default: 5, 5 and 10]",
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only N questions, drawn by chance.")
@click.option("--seed", default=0, show_default=True, help="Of that draw, and of the intervals.")
@click.option("--plot", type=click.Path(dir_okay=False), metavar="FILE", help="Draw to a .png or .svg file.")
@click.option("--misses", default=5, show_default=True, type=click.IntRange(0), help="How many to list.")
@click.option("--no-model", is_flag=True, help="No language model, whatever the settings say.")
@json_option
@archive_option
@workspace_option
def evaluate(
    questions: str,
    names: tuple[Strategy | str, ...],
    plot: str | None,
    misses: int,
    as_json: bool,
    **options: Any,
) -> None:
    """Measure how well strategies find and answer.

    QUESTIONS is a file of questions about your archive, with what a good answer has (.yaml, .json, .jsonl,
    .csv), or "examples" for the built-in suite, or a folder with corpus.jsonl, queries.jsonl and qrels.tsv.
    """
    from onrecord.serve import eval_show

    if plot:
        from onrecord.evaluate import chart

        chart.check(Path(plot))
    report = _report(questions, names, as_json, **options)
    if plot:
        chart.picture(Path(plot), report)
        click.echo(f"drawn to {plot}", err=True)
    eval_show.report(report, misses, as_json)


def _report(
    questions: str,
    names: Sequence[Strategy | str],
    quiet: bool,
    words: int | None,
    at: int | None,
    **options: Any,
) -> Report:
    from onrecord.evaluate import Yardstick
    from onrecord.serve.show import progress

    yardstick = Yardstick(words or (200 if questions == EXAMPLES else 1000))
    if at:
        yardstick = replace(yardstick, recall=at, precision=at, ndcg=at)
    with progress(quiet) as told:
        options["progress"] = told
        if questions != EXAMPLES and Path(questions).is_dir():
            return _of_folder(Path(questions), names, yardstick, **options)
        return _of_questions(questions, names, yardstick, **options)


def _of_questions(
    questions: str,
    names: Sequence[Strategy | str],
    yardstick: Yardstick,
    *,
    url: str | None,
    workspace: str | None,
    limit: int | None,
    seed: int,
    no_model: bool,
    **how: Any,
) -> Report:
    """Of questions about an archive: the user's, or one of the examples that is thrown away."""
    import onrecord.archive
    from onrecord.evaluate.examine import examine
    from onrecord.evaluate.question_files import read_questions

    llm = empty_seats() if no_model else None
    with ExitStack() as stack:
        if questions == EXAMPLES:
            archive, file = stack.enter_context(_examples(llm))
            asked = read_questions(file)
        else:
            asked = read_questions(Path(questions))
            archive = stack.enter_context(
                onrecord.archive.open(url, make=False, workspace=workspace, llm=llm, cache=NO_CACHE)
            )
        asked, strategies = _drawn(asked, limit, seed), _strategies(names, archive)
        return examine(archive, asked, strategies, yardstick=yardstick, seed=seed, **how)


def _of_folder(
    folder: Path,
    names: Sequence[Strategy | str],
    yardstick: Yardstick,
    *,
    url: str | None,
    workspace: str | None,
    limit: int | None,
    seed: int,
    progress: Any,
    known: bool,
    no_model: bool,
) -> Report:
    """Of a folder with its own recordings, put into the archive named, or into one that is thrown away. No
    answers are written, so there is no language model to leave out."""
    import onrecord.archive
    from onrecord.evaluate import compare, load
    from onrecord.retrieve import Tools

    dataset = load(folder)
    with ExitStack() as stack:
        place = url or Path(stack.enter_context(tempfile.TemporaryDirectory())) / "evaluation.db"
        archive = stack.enter_context(onrecord.archive.open(place, workspace=workspace))
        _filled(archive, dataset, progress)
        dataset = replace(dataset, questions=_drawn(dataset.questions, limit, seed))
        tools = Tools(archive.store, archive.embedder)
        strategies = _strategies(names, archive)
        return compare(
            tools, dataset, strategies, known=known, yardstick=yardstick, progress=progress, seed=seed
        )


def _filled(archive: Archive, dataset: Dataset, progress: Any) -> None:
    """See that an archive holds a dataset and nothing else. Its recordings are cut as `onrecord add` does;
    where questions exclude units, each unit is a passage, so that nothing else is hidden with it."""
    from onrecord.evaluate import fill
    from onrecord.ingest.passages import Cutter

    there = {recording.id for recording in archive.recordings()}
    if there and there != set(dataset.units):
        raise InputError(
            f"{archive.settings.archive_url} holds other recordings than {dataset.name}: leave --archive "
            "out, or name a file that does not exist yet"
        )
    if not there:
        whole = any(question.exclude for question in dataset.questions)
        fill(archive.store, dataset, cutter=None if whole else Cutter())
    if archive.embedder:
        archive.embed(progress)


@contextmanager
def _examples(llm: dict[str, Any] | None) -> Iterator[tuple[Archive, Path]]:
    """An archive of the built-in examples, and the questions about them."""
    from importlib.resources import as_file, files

    import onrecord.archive

    with (
        tempfile.TemporaryDirectory() as folder,
        as_file(files("onrecord") / "examples") as examples,
        onrecord.archive.open(
            Path(folder) / "examples.db", workspace="default", llm=llm, cache=NO_CACHE
        ) as archive,
    ):
        archive.add(examples)
        yield archive, examples / "questions.yaml"


def _strategies(names: Sequence[Strategy | str], archive: Archive) -> list[Strategy]:
    return [archive.strategy(name) for name in dict.fromkeys(names or (archive.settings.strategy,))]


def _drawn(items: Sequence[Item], limit: int | None, seed: int) -> list[Item]:
    """So many items, drawn by chance, in their order."""
    if not limit or limit >= len(items):
        return list(items)
    return [items[at] for at in sorted(random.Random(seed).sample(range(len(items)), limit))]
