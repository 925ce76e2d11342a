"""Options that several commands share, each declared once."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from onrecord.errors import InputError

if TYPE_CHECKING:
    from onrecord.types import Scope

Command = Callable[..., Any]


def _errors_too(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
    """Record that results are printed as JSON, so that errors are too."""
    ctx.meta["json"] = ctx.meta.get("json") or value
    return value


json_option = click.option(
    "--json", "as_json", is_flag=True, callback=_errors_too, help="Print results as JSON, for programs."
)
explain_option = click.option(
    "--explain",
    is_flag=True,
    help="Also print what was understood, what each step did, its time, and what the graph raised.",
)


def _picture(ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    """Check, before any work, that a picture can be saved to a file. Raises SettingError or InputError."""
    if value is not None:
        from onrecord.evaluate.chart import check

        check(value)
    return value


plot_option = click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    callback=_picture,
    help="Draw to this file: .png or .svg.",
)
reset_option = click.option("--reset", is_flag=True, help="Go back to the figures that the model comes with.")


def _forced(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    """Record that a file may be overwritten."""
    ctx.meta["force"] = value


def _text_file(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Refuse, before any work, a file that exists, or, even with ``--force``, one that is a database.

    A database may be the archive that the command reads.
    """
    if value is not None:
        from onrecord.stores.file import is_database

        if is_database(Path(value)):
            raise InputError(f"{value} is an SQLite database, perhaps an archive: name another file")
        if Path(value).is_file() and not ctx.meta["force"]:
            raise InputError(f"{value} is there already: name another file, or overwrite it with --force")
    return value


def together(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Return several options as one decorator; the help shows them in this order."""

    def with_options(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return with_options


def output_options(help: str) -> Callable[[Command], Command]:  # noqa: A002 - click's name
    """Return ``--output``, a file, or None for standard output; and ``--force``, for `_text_file` alone."""
    file = click.Path(dir_okay=False)
    return together(
        click.option("--output", type=file, metavar="FILE", callback=_text_file, help=help),
        click.option(
            "--force",
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_forced,
            help="Overwrite FILE.",
        ),
    )


def listening_options(port: int, host: str) -> Callable[[Command], Command]:
    """Return ``--host``, with a help text, and ``--port``, with its default."""
    ports, free = click.IntRange(0, 65535), "Port to listen on; 0 takes a free one."
    return together(
        click.option("--host", default="127.0.0.1", show_default=True, help=host),
        click.option("--port", default=port, show_default=True, type=ports, help=free),
    )


def calibration_options(
    precision: tuple[float, str], lost: tuple[float, str]
) -> Callable[[Command], Command]:
    """Return ``--precision`` and ``--lost``, each with a default and a help text, and ``--write``."""

    def share(name: str, least: float, most: float, default: float, help: str) -> Any:  # noqa: A002
        return click.option(
            name, default=default, show_default=True, type=click.FloatRange(least, most), help=help
        )

    return together(
        share("--precision", 0.5, 1, *precision),
        share("--lost", 0, 0.5, *lost),
        click.option("--write", is_flag=True, help="Use the thresholds found from now on."),
    )


def limit_option(default: int, highest: int, help: str) -> Callable[[Command], Command]:  # noqa: A002
    """Return ``--limit``, which gives the argument `most`, from 1 to `highest`."""
    span = click.IntRange(1, highest)
    return click.option(
        "--limit", "most", default=default, show_default=True, metavar="N", type=span, help=help
    )


# ---------------------------------------------------------------- which archive


def _not_empty(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Refuse an empty name, which an unset shell variable gives: it must not mean the default archive."""
    if value == "":
        raise click.BadParameter("it is empty: name a file, or leave the option out")
    return value


archive_option = click.option(
    "--archive",
    "url",
    metavar="PATH-or-URL",
    callback=_not_empty,
    help="File or server.  [default: ONRECORD_ARCHIVE, else onrecord.db in your data folder]",
)
workspace_option = click.option(
    "--workspace", metavar="NAME", help="A part of the archive with its own recordings.  [default: default]"
)


def archive_options(make: bool) -> Callable[[Command], Command]:
    """Return ``--archive`` and ``--workspace``; the command gets the opened archive as its first argument.

    `make` creates an archive or workspace that does not exist yet.
    """

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
    "--model", "llm", metavar="NAME", help="Language model: openai:NAME, anthropic:NAME or ollama:NAME."
)
no_model_option = click.option(
    "--no-model", is_flag=True, help="Use no language model, whatever the settings say."
)


def language_model(name: str | None, none: bool) -> dict[str, Any] | None:
    """Return the settings that name a language model, or that turn every role off; None for neither."""
    if name and none:
        raise click.UsageError("--model names a language model and --no-model wants none: choose one")
    if not none:
        return {"model": name} if name else None
    from onrecord.models.roles import MODEL_ROLES

    return {"roles": dict.fromkeys(MODEL_ROLES, "off")}


# ---------------------------------------------------------------- what is added

set_option = click.option(
    "--set",
    "sets",
    multiple=True,
    metavar="NAME=VALUE",
    help='A detail: title="Freight", date=2024-11, show="Night Desk". Repeat it for more.',
)
strict_option = click.option("--strict", is_flag=True, help="Stop at the first source that cannot be read.")
keep_both_option = click.option(
    "--keep-both", is_flag=True, help="Keep two sources of the same words as two recordings."
)


intake_options = together(
    click.argument("paths", nargs=-1, required=True),
    set_option,
    click.option(
        "--manifest", type=click.Path(), metavar="FILE", help="CSV or YAML file with details by file name."
    ),
    click.option("--fetch", is_flag=True, help="Download addresses and what feeds link to (http, https)."),
    keep_both_option,
)
"""The paths of sources, and the options for reading them, of `add` and `watch`."""


# ---------------------------------------------------------------- which passages


def gathered(
    name: str, gather: Callable[[dict[str, Any]], Any], *options: Callable[[Command], Command]
) -> Callable[[Command], Command]:
    """Return options that a command gets as one argument `name`.

    `gather` removes their values from the other values and returns the argument.
    """

    def with_options(command: Command) -> Command:
        @wraps(command)
        def run(*args: Any, **values: Any) -> Any:
            return command(*args, **{name: gather(values)}, **values)

        return together(*options)(run)

    return with_options


def _date(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Check an ISO date of any precision; None is allowed. Raises SettingError."""
    from onrecord.stores.scope import check_date

    check_date(param.opts[0], value)
    return value


since_option = click.option(
    "--since",
    metavar="DATE",
    callback=_date,
    help="From this day, month or year on: 2024-03-05, 2024-03 or 2024.",
)


def _scope(options: dict[str, Any]) -> Scope:
    from onrecord.archive.lookup import narrowed_to_call
    from onrecord.types import Scope

    scope = Scope(
        recordings=options.pop("recording"),
        speakers=options.pop("speaker"),
        since=options.pop("since"),
        until=options.pop("until"),
        languages=options.pop("language"),
        sections=options.pop("section"),
        attributes=_attributes(options.pop("where")),
    )
    return narrowed_to_call(scope, *(options.pop(name) for name in ("company", "year", "quarter")))


_NO_ATTRIBUTES = {
    "title": "--recording",
    "link": "--recording",
    "media": "--recording",
    "date": "--since and --until",
    "language": "--language",
    "people": "--speaker",
}


def _attributes(pairs: Sequence[str]) -> Mapping[str, str]:
    """Return the attributes of ``--where NAME=VALUE``.

    Raises InputError for another form, and for a detail that has its own option.
    """
    from onrecord.ingest.details import attribute_name, parse_set

    for pair in pairs:
        name = attribute_name(pair.partition("=")[0])
        if name in _NO_ATTRIBUTES:
            raise InputError(f"--where {name}=...: {name} is not an attribute; use {_NO_ATTRIBUTES[name]}")
    return parse_set(pairs, "--where").attributes


scope_options = gathered(
    "scope",
    _scope,
    click.option("--recording", multiple=True, metavar="REC", help="Only this recording (id or title)."),
    click.option("--speaker", multiple=True, metavar="NAME", help="Only what this speaker says."),
    since_option,
    click.option("--until", metavar="DATE", callback=_date, help="Until this day, month or year, inclusive."),
    click.option(
        "--language", multiple=True, metavar="CODE", help="Only recordings in this language: en, fr."
    ),
    click.option("--section", multiple=True, metavar="TITLE", help="Only the section with this title."),
    click.option(
        "--where",
        multiple=True,
        metavar="NAME=VALUE",
        help='Only recordings with this detail: show="Night Desk".',
    ),
    click.option("--company", metavar="NAME", help="Only earnings calls of this company."),
    click.option("--year", metavar="YEAR", help="Only earnings calls of this fiscal year."),
    click.option("--quarter", metavar="Q", help="Only earnings calls of this quarter: Q3 or 3."),
)
"""Options that limit a command to some recordings or passages, which it gets as one `scope`."""


def seconds(text: str) -> float:
    """Return the seconds of "12:30", "1:02:03", "12m30s" or "750.5". Raises BadParameter."""
    clock = re.fullmatch(r"(?:(\d{1,4}):)?(\d{1,3}):(\d{1,2}(?:\.\d+)?)", text)
    units = re.fullmatch(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s?)?", text)
    match = clock or (units if text else None)
    if not match:
        raise click.BadParameter(f"{text!r} is not a time: write 12:30, 1:02:03, 12m30s or seconds")
    hours, minutes, rest = (float(part or 0) for part in match.groups())
    return hours * 3600 + minutes * 60 + rest
