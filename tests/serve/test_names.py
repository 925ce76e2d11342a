"""Consistent names of command-line options, and recordings and speakers named in part."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

import click
import pytest

from conftest import Shell
from onrecord.errors import InputError
from onrecord.serve.cli import main

WITHOUT_ARCHIVE = {  # these use no archive, or all workspaces of one
    "backup",
    "copy",
    "restore",
    "init",
    "settings",
    "models fetch",
    "models list",
    "demo",
    "keys new",
    "keys list",
    "keys remove",
    "strategies",
}
WITHOUT_JSON = {
    "models fetch",
    "export",
    "feedback export",
    "demo",
    "keys new",
    "keys remove",
    "mcp",
    "serve",
    "chat",
}


def commands(group: click.Group = main, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """Yield every command with its full name."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, f"{before}{name} ")
        else:
            yield before + name, command


def options() -> Iterator[tuple[str, click.Option]]:
    """Yield every option with the name of its command."""
    for name, command in commands():
        yield from ((name, each) for each in command.params if isinstance(each, click.Option))


def test_an_option_is_spelt_and_filled_in_one_way_everywhere() -> None:
    """An option has the same type and metavar in all commands, and all names follow one pattern."""
    uses = defaultdict(set)
    for name, option in options():
        spelt = option.opts[0]
        assert re.fullmatch(r"--[a-z]+(-[a-z]+)*", spelt), f"{name} {spelt}"
        uses[spelt].add((option.metavar or option.type.name, option.is_flag))
    assert {spelt: how for spelt, how in uses.items() if len(how) > 1} == {}


def test_each_option_has_one_long_name() -> None:
    for name, option in options():
        assert len([spelt for spelt in option.opts if spelt.startswith("--")]) == 1, f"{name} {option.opts}"


def test_every_command_of_an_archive_says_which_and_every_result_can_be_json() -> None:
    for name, command in commands():
        own = {each.opts[0] for each in command.params if isinstance(each, click.Option)}
        assert ({"--archive", "--workspace"} <= own) == (name not in WITHOUT_ARCHIVE), name
        assert ("--json" in own) == (name not in WITHOUT_JSON), name


def test_whoever_asks_may_name_the_model_or_none() -> None:
    """Exactly the commands that ask questions have both `--model` and `--no-model`."""
    asking = {"ask", "plan", "search", "eval", "serve", "chat", "feedback add"}
    for name, command in commands():
        own = {each.opts[0] for each in command.params if isinstance(each, click.Option)}
        assert ({"--model", "--no-model"} <= own) == (name in asking), name


# ---------------------------------------------------------------- unknown speakers and partial names


def test_a_speaker_whom_nobody_is_called_is_reported_beside_others(filled: Shell) -> None:
    """An unknown speaker is reported even if another speaker of the filter is known."""
    both = ("--speaker", "kelly", "--speaker", "zorro")
    says = "nobody called 'zorro' speaks here: there are Alderman Finch"
    for command in (("search", "margins"), ("ask", "Why did margins fall?")):
        assert says in filled(*command, *both).stderr
    assert "nobody called" not in filled("search", "margins", "--speaker", "kelly").stderr
    (note,) = filled.json("search", "margins", *both)["notes"]
    assert note.startswith(says)
    (note,) = filled.json("search", "margins", "--speaker", "zorro")["notes"]
    assert note.startswith(says)
    assert filled.json("search", "margins")["notes"] == []


def test_a_part_of_a_name_removes_nothing_without_being_asked(
    filled: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A partial name removes a recording only with `--yes`."""
    refused = filled("remove", "halden", code=1).stderr
    assert "'halden' is only a part of halden-cycles" in refused and "add --yes" in refused
    import onrecord

    with onrecord.open() as archive, pytest.raises(InputError, match="name what is to be removed in full"):
        archive.remove("halden")
    assert len(filled.json("list")) == 5
    filled("remove", "halden", "--yes")
    filled("remove", "the night desk 41: an expensive spring")
    (first, *_) = filled.json("list")
    filled("remove", first["id"])
    assert len(filled.json("list")) == 2


def test_a_person_is_asked_before_a_part_of_a_name_removes_anything(
    filled: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a terminal, a partial name asks for confirmation before it removes a recording."""
    asked = []

    def confirm(text: str, **_: object) -> None:
        asked.append(text)
        if len(asked) == 1:
            raise click.Abort

    monkeypatch.setattr("onrecord.serve.recordings_cli.at_a_terminal", lambda: True)
    monkeypatch.setattr(click, "confirm", confirm)
    filled("remove", "halden", code=1)
    assert len(filled.json("list")) == 5 and "Halden Cycles, third quarter" in asked[0]
    filled("remove", "halden")
    assert len(filled.json("list")) == 4


# ---------------------------------------------------------------- files


def test_the_files_of_a_manifest_are_looked_for_beside_it_and_in_the_working_folder(shell: Shell) -> None:
    talks, tables = shell.folder / "talks", shell.folder / "tables"
    talks.mkdir(), tables.mkdir()
    for name in ("a", "b"):
        (talks / f"{name}.txt").write_text(f"Ann: The {name} lamp is green, and so is the door beside it.\n")
    (tables / "mine.csv").write_text(
        "file,title\ntalks/a.txt,Seen from here\n../talks/b.txt,From the table\n"
    )
    shell("add", "talks", "--manifest", "tables/mine.csv")
    assert {r["title"] for r in shell.json("list")} == {"Seen from here", "From the table"}
    (tables / "mine.csv").write_text("file,title\ntalks/z.txt,Nowhere\n")
    assert "talks/z.txt is not there" in shell("add", "talks", "--manifest", "tables/mine.csv", code=1).stderr


def test_a_manifest_that_nobody_named_speaks_of_its_own_folder_alone(shell: Shell) -> None:
    """A manifest that is found in a folder resolves files only relative to that folder."""
    talks = shell.folder / "talks"
    talks.mkdir()
    (talks / "a.txt").write_text("Ann: The lamp is green, and so is the door beside it.\n")
    (talks / "manifest.csv").write_text("file,title\ntalks/a.txt,From elsewhere\n")
    assert "talks/a.txt is not there" in shell("add", "talks", code=1).stderr


def test_many_foreign_files_are_one_line(shell: Shell) -> None:
    """Skipped files are summarized in one line, and listed with `--json`."""
    folder = shell.folder / "things"
    folder.mkdir()
    for number in range(40):
        (folder / f"{number}.py").write_text(f"x = {number}\n")
        (folder / f"{number}.bin").write_bytes(b"\x00\x01\x02" * 9)
    (folder / "talk.txt").write_text("Ann: The lamp is green, and so is the door beside it.\n")
    out = shell("add", "things").stdout
    assert len(out.splitlines()) == 3, out
    assert "  skipped  80 files: a zero byte (40), " in out and "(--json names each)" in out
    assert len(shell.json("add", "things")["skipped"]) == 80
