"""Options that several commands have."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from onrecord.errors import InputError, SettingError

if TYPE_CHECKING:
    from onrecord.archive import Ask
    from onrecord.types import QuestionHints, Scope

Command = Callable[..., Any]


def _remembered(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
    """Remember that results are wanted as JSON, for errors too."""
    ctx.meta["json"] = ctx.meta.get("json") or value
    return value


json_option = click.option(
    "--json", "as_json", is_flag=True, callback=_remembered, help="Print results as JSON, for programs."
)


class Renamed(click.Option):
    """An option that had another name before, given after the new one: it works, and is not shown."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        names, self.opts = self.opts, self.opts[:1]
        try:
            return super().get_help_record(ctx)
        finally:
            self.opts = names


# ---------------------------------------------------------------- which archive


def _named(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """An empty name, as of a variable that is not set, is not taken for the default archive."""
    if value == "":
        raise click.BadParameter("it is empty: name a file, or leave the option out")
    return value


archive_option = click.option(
    "--archive",
    "url",
    metavar="PATH-or-URL",
    callback=_named,
    help="[default: ONRECORD_ARCHIVE, else onrecord.db in your data folder]",
)
workspace_option = click.option("--workspace", metavar="NAME", help="Whose recordings.  [default: default]")


def archive_options(make: bool) -> Callable[[Command], Command]:
    """``--archive`` and ``--workspace``; the command gets the opened archive as its first argument.
    `make` says whether it begins a new archive or workspace where there is none."""

    def with_options(command: Command) -> Command:
        @archive_option
        @workspace_option
        @wraps(command)
        def opened(url: str | None, workspace: str | None, **others: Any) -> Any:
            import onrecord.archive
            from onrecord.serve.advice import known_workspace

            model = others.pop("embedder", None)
            chosen = {
                "embedding": {"model": model} if model else None,
                "llm": language_model(others.pop("llm", None), others.pop("no_model", False)),
            }
            with onrecord.archive.open(url, make=make, workspace=workspace, **chosen) as archive:
                if not make:
                    known_workspace(archive)
                return command(archive, **others)

        return opened

    return with_options


llm_option = click.option(
    "--model", "llm", metavar="NAME", help="Who writes: openai:, anthropic:, ollama:NAME."
)
no_model_option = click.option("--no-model", is_flag=True, help="Quotes alone, whatever the settings say.")


def language_model(name: str | None, none: bool) -> dict[str, Any] | None:
    """The settings that name a language model, or that leave every role empty."""
    if name and none:
        raise click.UsageError("--model names a language model and --no-model wants none: choose one")
    if none:
        return no_models()
    return {"model": name} if name else None


def no_models() -> dict[str, Any]:
    """The settings that leave no role to a language model."""
    from onrecord.models.roles import MODEL_ROLES

    return {"roles": dict.fromkeys(MODEL_ROLES, "off")}


# ---------------------------------------------------------------- which passages


def since_option(command: Command) -> Command:
    """``--since``: the command gets an ISO date of any precision, or None."""

    @click.option(
        "--since", metavar="DATE", help="From this day, month or year on: 2024-03-05, 2024-03, 2024."
    )
    @wraps(command)
    def dated(*args: Any, since: str | None, **options: Any) -> Any:
        return command(*args, since=_date("--since", since), **options)

    return dated


def scope_options(command: Command) -> Command:
    """Options that say which passages are meant; the command gets them as one `scope`."""

    @click.option("--recording", multiple=True, metavar="REC", help="Only this recording (id or title).")
    @click.option("--speaker", multiple=True, metavar="NAME", help="Only what this speaker says.")
    @since_option
    @click.option("--until", metavar="DATE", help="Up to and with this day, month or year.")
    @click.option(
        "--language", multiple=True, metavar="CODE", help="Only recordings in this language: en, fr."
    )
    @click.option("--section", multiple=True, metavar="TITLE", help="Only this section of recordings.")
    @click.option(
        "--where", multiple=True, metavar="NAME=VALUE", help='Only this attribute: show="Night Desk".'
    )
    @click.option("--company", metavar="NAME", help="Only calls of this company or bank.")
    @click.option("--year", metavar="YEAR", help="Only calls of this fiscal year.")
    @click.option("--quarter", metavar="Q", help="Only calls of this quarter: Q3, 3.")
    @wraps(command)
    def scoped(*args: Any, **options: Any) -> Any:
        return command(*args, scope=_scope(options), **options)

    return scoped


def _scope(options: dict[str, Any]) -> Scope:
    from onrecord.types import Scope

    return Scope(
        recordings=options.pop("recording"),
        speakers=options.pop("speaker"),
        since=options.pop("since"),
        until=_date("--until", options.pop("until")),
        languages=options.pop("language"),
        sections=options.pop("section"),
        attributes={**_attributes(options.pop("where")), **_call(options)},
    )


_NO_ATTRIBUTES = {
    "title": "--recording",
    "link": "--recording",
    "media": "--recording",
    "date": "--since and --until",
    "language": "--language",
    "people": "--speaker",
}


def _call(options: dict[str, Any]) -> dict[str, str]:
    """A company, a year and a quarter, as far as they are given."""
    given = {name: options.pop(name) for name in ("company", "year", "quarter")}
    return {name: value for name, value in given.items() if value}


def _attributes(pairs: Sequence[str]) -> Mapping[str, str]:
    """What ``--where`` names. Raises InputError for another form, and for what no attribute holds: a
    condition that is given is never left out."""
    from onrecord.ingest.details import attribute_name, parse_set

    for pair in pairs:
        name = attribute_name(pair.partition("=")[0])
        if name in _NO_ATTRIBUTES:
            raise InputError(f"--where {name}=...: {name} is no attribute; use {_NO_ATTRIBUTES[name]}")
    return parse_set(pairs, "--where").attributes


def _date(option: str, text: str | None) -> str | None:
    """An ISO date of any precision, as given to an option. Raises SettingError."""
    if text is None or re.fullmatch(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?", text):
        return text
    raise SettingError(option, text, "a date such as 2024-03-05, 2024-03 or 2024")


def seconds(text: str) -> float:
    """The second that "12:30", "1:02:03", "12m30s" or "750.5" means. Raises BadParameter."""
    clock = re.fullmatch(r"(?:(\d{1,4}):)?(\d{1,3}):(\d{1,2}(?:\.\d+)?)", text)
    units = re.fullmatch(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s?)?", text)
    found = clock or (units if text else None)
    if not found:
        raise click.BadParameter(f"{text!r} is no time: write 12:30, 1:02:03, 12m30s or seconds")
    hours, minutes, rest = (float(part or 0) for part in found.groups())
    return hours * 3600 + minutes * 60 + rest


# ---------------------------------------------------------------- how a question is asked


def read_strategy(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """The strategy in a YAML file that an option names; a name stays a name. Several values likewise."""
    if isinstance(value, tuple):
        return tuple(read_strategy(context, parameter, each) for each in value)
    if value is None or not value.endswith((".yaml", ".yml")):
        return value
    from onrecord.strategies import read_file

    return read_file(Path(value))


def strategy_option(command: Command) -> Command:
    """``--strategy``: the command gets a name, or the strategy that a file describes."""
    option = click.option(
        "--strategy",
        metavar="NAME-or-FILE",
        callback=read_strategy,
        help="How evidence is found: a name of `onrecord strategies`, or a YAML file.  [default: auto]",
    )
    return option(command)


def hint_options(command: Command) -> Command:
    """Options that say what a question means; the command gets them as one `hints`."""

    @click.option(
        "--intent",
        metavar="KIND",
        help="What the question wants, whatever its words: factual, definition, causal, summary, comparison, "
        "exploratory or multi_entity.",
    )
    @click.option("--asked-in", metavar="CODE", help="The language that the question is in: en, fr.")
    @click.option(
        "--about",
        multiple=True,
        metavar="NAME",
        help="Who or what the question is about, in place of the names in it; again for more. To search only "
        "what somebody says: --speaker.",
    )
    @click.option(
        "--sub-question",
        multiple=True,
        metavar="TEXT",
        help="A question to ask by itself, in place of those that it consists of, or a side of a comparison; "
        "again for more.",
    )
    @wraps(command)
    def with_meaning(*args: Any, **options: Any) -> Any:
        return command(*args, hints=_hints(options), **options)

    return with_meaning


def _hints(options: dict[str, Any]) -> QuestionHints:
    from onrecord.types import QuestionHints

    return QuestionHints(
        intent=options.pop("intent"),
        language=options.pop("asked_in"),
        entities=options.pop("about"),
        queries=options.pop("sub_question"),
    )


def form_options(command: Command) -> Command:
    """Options that say how an answer is to look; the command gets them as one `form`."""

    @click.option(
        "--style", type=click.Choice(["numbers", "sources"]), help="Mark citations as [1], or as [Source 1]."
    )
    @click.option(
        "--context", type=click.IntRange(0, 200), metavar="N", help="Words before and after each quote."
    )
    @click.option("--quotes", type=click.IntRange(1, 20), metavar="N", help="Quotes at most.")
    @click.option("--words", type=click.IntRange(20, 2000), metavar="N", help="Words of all quotes at most.")
    @click.option("--temperature", type=click.FloatRange(0, 2), help="Of an answer that a model writes.")
    @click.option("--instructions", metavar="TEXT", help="Persona, tone and manner of a written answer.")
    @click.option(
        "--length", type=click.IntRange(10, 5000), metavar="N", help="Words of a written answer, about."
    )
    @wraps(command)
    def with_form(*args: Any, **options: Any) -> Any:
        from onrecord.types import Form

        names = ("style", "context", "quotes", "words", "temperature", "instructions", "length")
        return command(*args, form=Form(**{name: options.pop(name) for name in names}), **options)

    return with_form


def question_options(name: str) -> Callable[[Command], Command]:
    """The question, an argument of this `name`, and the options that say how it is asked; the command gets
    them as one `asked`, an `Ask`."""

    def with_options(command: Command) -> Command:
        @click.argument(name, nargs=-1, required=True)
        @click.option(
            "--after",
            multiple=True,
            metavar="QUESTION",
            help="What was asked before this; again for more, in order.",
        )
        @click.option(
            "--without",
            multiple=True,
            metavar="FIELD",
            help="Read no filter of this field from the question: speaker, recording, date, ...; spelling: "
            "take every word as it is spelt.",
        )
        @strategy_option
        @hint_options
        @scope_options
        @wraps(command)
        def with_question(*args: Any, **options: Any) -> Any:
            return command(*args, asked=_asked(name, options), **options)

        return with_question

    return with_options


def _asked(name: str, options: dict[str, Any]) -> Ask:
    from onrecord.archive import Ask
    from onrecord.types import Exchange

    return Ask(
        " ".join(options.pop(name)),
        options.pop("scope"),
        tuple(Exchange(question) for question in options.pop("after")),
        options.pop("hints"),
        options.pop("strategy"),
        options.pop("without"),
    )
