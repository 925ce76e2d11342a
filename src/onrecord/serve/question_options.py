"""Options that specify a question and the form of its answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from onrecord.serve.options import Command, gathered, scope_options
from onrecord.types import Exchange, Form, QuestionHints

if TYPE_CHECKING:
    from onrecord.archive import Ask


def read_strategy(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Return the strategy of a YAML file that an option names; return a name unchanged.

    A tuple of values is read element by element.
    """
    if isinstance(value, tuple):
        return tuple(read_strategy(context, parameter, each) for each in value)
    if value is None or not value.endswith((".yaml", ".yml")):
        return value
    from onrecord.strategies import read_file

    return read_file(Path(value))


strategy_option = click.option(
    "--strategy",
    metavar="NAME-or-FILE",
    callback=read_strategy,
    help="How to search: a name from `onrecord strategies`, or a YAML file.  [default: auto]",
)
"""The option ``--strategy``; the command gets a name, or the strategy that a file describes."""


def _hints(options: dict[str, Any]) -> QuestionHints:
    return QuestionHints(
        intent=options.pop("intent"),
        language=options.pop("asked_in"),
        entities=options.pop("about"),
        queries=options.pop("sub_question"),
    )


hint_options = gathered(
    "hints",
    _hints,
    click.option(
        "--intent",
        metavar="KIND",
        help="Kind of question: factual, definition, causal, summary, comparison, exploratory or "
        "multi_entity.",
    ),
    click.option("--asked-in", metavar="CODE", help="Language of the question: en, fr."),
    click.option(
        "--about",
        multiple=True,
        metavar="NAME",
        help="Who or what the question is about, instead of the names in it. Repeat it for more. To hear "
        "one person only, use --speaker.",
    ),
    click.option(
        "--sub-question",
        multiple=True,
        metavar="TEXT",
        help="One part of the question, or one side of a comparison, to search for by itself. Repeat it for "
        "more.",
    ),
)
"""Options that state what a question is about instead of a guess; the command gets them as `hints`."""

_FORM = ("style", "context", "quotes", "words", "temperature", "instructions", "length")
form_options = gathered(
    "form",
    lambda options: Form(**{name: options.pop(name) for name in _FORM}),
    click.option(
        "--style", type=click.Choice(["numbers", "sources"]), help="Mark citations as [1] or as [Source 1]."
    ),
    click.option(
        "--context", type=click.IntRange(0, 200), metavar="N", help="Show N words around each quote."
    ),
    click.option("--quotes", type=click.IntRange(1, 20), metavar="N", help="Use at most N quotes."),
    click.option("--words", type=click.IntRange(20, 2000), metavar="N", help="Quote at most N words in all."),
    click.option(
        "--temperature",
        type=click.FloatRange(0, 2),
        metavar="T",
        help="How freely the language model writes.",
    ),
    click.option("--instructions", metavar="TEXT", help="Tone and style for the language model."),
    click.option(
        "--length",
        type=click.IntRange(10, 5000),
        metavar="N",
        help="Ask the language model for about N words.",
    ),
)
"""Options for the form of an answer; the command gets them as one `form`."""


def question_options(name: str) -> Callable[[Command], Command]:
    """Return the argument `name`, which is the question, and its options; the command gets one `Ask`."""

    def ask(options: dict[str, Any]) -> Ask:
        from onrecord.archive import Ask

        return Ask(
            " ".join(options.pop(name)),
            options.pop("scope"),
            tuple(Exchange(question) for question in options.pop("after")),
            options.pop("hints"),
            options.pop("strategy"),
            options.pop("without"),
        )

    return gathered(
        "asked",
        ask,
        click.argument(name, nargs=-1, required=True),
        click.option(
            "--after",
            multiple=True,
            metavar="QUESTION",
            help="What you asked before, for a follow-up such as `and when?`. Repeat it, in order, for more.",
        ),
        click.option(
            "--without",
            multiple=True,
            metavar="FIELD",
            help="Ignore a filter read from the question: speaker, recording, date, ... With `spelling`, "
            "search for every word as it is spelt.",
        ),
        strategy_option,
        hint_options,
        scope_options,
    )
