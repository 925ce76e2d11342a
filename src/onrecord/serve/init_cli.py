"""The command ``onrecord init``: write a folder for one of five kinds of archives."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import click

from onrecord.errors import InputError, NotFoundError, did_you_mean, nearest
from onrecord.serve.options import json_option
from onrecord.serve.show import print_json

_RECIPES, _TALKS = files("onrecord") / "recipes", "talks"


@dataclass(frozen=True, slots=True)
class Recipe:
    """A recipe for a folder.

    `samples` are built-in examples to copy; `next` are the commands to type first.
    """

    name: str
    about: str
    samples: list[str]
    next: list[str]

    @property
    def documents(self) -> Mapping[str, bytes]:
        """The files to write, as bytes by path within the folder."""
        sources = dict(_files_in(_RECIPES / self.name, "")) | {"compose.yaml": _RECIPES / "compose.yaml"}
        sources |= {f"{_TALKS}/{name}": files("onrecord") / "examples" / name for name in self.samples}
        return {path: source.read_bytes() for path, source in sorted(sources.items())}


def recipes() -> Mapping[str, Recipe]:
    """Return all recipes, by name."""
    import yaml

    index: dict[str, dict[str, Any]] = yaml.safe_load((_RECIPES / "index.yaml").read_text("utf-8"))
    return {name: Recipe(name, **entry) for name, entry in index.items()}


def _files_in(folder: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    """Yield the path of each file below a folder, relative to the folder, and the file."""
    for entry in folder.iterdir():
        path = f"{prefix}{entry.name}"
        if entry.is_dir():
            yield from _files_in(entry, f"{path}/")
        else:
            yield path, entry


def write_recipe(recipe: Recipe, folder: Path) -> list[Path]:
    """Write the files of a recipe into a folder and return their paths.

    The folder is created if it does not exist. Raises InputError, before anything is written, if one of the
    files exists already.
    """
    documents = {folder / path: data for path, data in recipe.documents.items()}
    existing = [path for path in documents if path.exists() or path.is_symlink()]
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file: name a folder")
    if existing:
        names = ", ".join(str(path.relative_to(folder)) for path in existing[:5])
        raise InputError(f"{folder} already has {names}, which are not overwritten: name another folder")
    for path, data in documents.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return list(documents)


@click.command("init")
@click.argument("name", required=False, metavar="[podcast|talks|faq|research|earnings]")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@json_option
def init(name: str | None, folder: Path | None, as_json: bool) -> None:
    """Start a folder from a recipe: settings, samples, next steps.

    Without arguments it lists the recipes.

    There is a recipe for a podcast, conference talks, a FAQ, research over many recordings, and earnings
    calls. Comments in the files explain each figure. FOLDER is the working folder unless you name one.
    Nothing is overwritten.

    \b
    Example:
      onrecord init podcast my-podcast
    """
    known = recipes()
    if name is None:
        if as_json:
            about = [{"name": r.name, "about": r.about, "files": list(r.documents)} for r in known.values()]
            print_json(about)
            return
        width = max(map(len, known))
        for recipe in known.values():
            click.echo(f"{recipe.name:<{width}}  {recipe.about}")
        click.echo("\nonrecord init NAME FOLDER writes one", err=True)
        return
    if name not in known:
        hint = did_you_mean(nearest(name, known)) or "there are " + ", ".join(known)
        raise NotFoundError(f"there is no recipe {name!r}: {hint}")
    place = folder or Path()
    _print_next(known[name], place, write_recipe(known[name], place), as_json)


def _print_next(recipe: Recipe, folder: Path, paths: list[Path], as_json: bool) -> None:
    into = [] if folder == Path() else [f"cd {shlex.quote(str(folder))}"]
    steps = [*into, *recipe.next, "onrecord serve"]
    if as_json:
        print_json({"recipe": recipe.name, "files": list(map(str, paths)), "next": steps})
        return
    for path in paths:
        click.echo(f"  wrote  {path}")
    click.secho("\nNext", bold=True)
    for step in steps:
        click.echo(f"  {step}")
    if recipe.samples:
        click.echo(f"\nYour own recordings go beside the samples in {folder / _TALKS}/")
