"""The commands ``onrecord import``, ``copy``, ``backup``, ``restore`` and ``doctor`` for whole archives."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from onrecord.serve import show
from onrecord.serve.options import (
    archive_option,
    archive_options,
    json_option,
    keep_both_option,
    set_option,
    strict_option,
    workspace_option,
)
from onrecord.serve.recordings_cli import take_in

if TYPE_CHECKING:
    from onrecord.archive import Archive


@click.command("import")
@click.argument("address", metavar="ADDRESS")
@click.argument("mapping", metavar="MAPPING", type=click.Path(dir_okay=False, exists=True, path_type=Path))
@set_option
@strict_option
@keep_both_option
@json_option
@archive_options(make=True)
def import_table(
    archive: Archive, address: str, mapping: Path, sets: tuple[str, ...], as_json: bool, **options: Any
) -> None:
    """Import recordings from PostgreSQL, Qdrant or Chroma.

    ADDRESS is postgresql://USER@HOST/DATABASE, qdrant://HOST:6333, chroma://HOST:8000, or a folder of either:
    qdrant:///FOLDER. MAPPING is a YAML file that says which column holds the recording, the text and the
    speaker (docs/importing.md). The source is only read. Run it again to import what is new.
    """
    take_in(archive, (address,), sets, as_json, mapping=mapping, **options)


@click.command()
@click.argument("source", metavar="SOURCE")
@click.argument("target", metavar="TARGET")
@click.option("--workspace", default="", metavar="NAME", help="Copy only this one.  [default: all]")
@click.option(
    "--mirror", is_flag=True, help="Also remove recordings, FAQ entries and feedback that SOURCE lacks."
)
@json_option
def copy(source: str, target: str, workspace: str, mirror: bool, as_json: bool) -> None:
    """Copy an archive into another, and verify the copy.

    SOURCE and TARGET are files or servers. The copy is verified by counts, by the checksum of every
    recording, and by 20 questions whose first 50 passages must be the same. After an interruption, run it
    again.

    \b
    Example:
      onrecord copy talks.db postgresql://user@host/talks
    """
    from onrecord.archive import backup

    with show.progress(as_json) as progress:
        done = backup.copy(source, target, progress, mirror=mirror, only=workspace)
    if as_json:
        show.print_json([asdict(one) for one in done])
        return
    for one in done:
        counts = f"{one.copied:,} recordings copied, {one.unchanged:,} there already"
        others = ((one.removed, "removed"), (one.faq, "FAQ entries"), (one.feedback, "judgements"))
        beside = "".join(f", {count:,} {name}" for count, name in others if count)
        click.echo(f"{one.workspace}: {counts}{beside}")
        click.echo(f"  verified: {one.passages:,} passages, checksum {one.checksum[:16]}")
        for note in one.notes:
            click.echo(f"  {note}")


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Overwrite FILE.")
@archive_option
@json_option
def backup(file: Path, url: str | None, force: bool, as_json: bool) -> None:
    """Back up the archive to one file, while others use it.

    FILE is an archive itself: you can open it with --archive.
    """
    from onrecord.archive import backup as backups

    with show.progress(as_json) as progress:
        backups.backup(_url(url), file, progress, force=force)
    if as_json:
        show.print_json({"file": str(file), "bytes": file.stat().st_size})
        return
    click.echo(f"{file}: {file.stat().st_size / 1e6:.1f} MB, whole and checked")


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, exists=True, path_type=Path))
@click.option("--force", is_flag=True, help="Replace what the archive holds now.")
@archive_option
@json_option
def restore(file: Path, url: str | None, force: bool, as_json: bool) -> None:
    """Restore the archive from a backup file."""
    from onrecord.archive import backup as backups
    from onrecord.stores import shown

    with show.progress(as_json) as progress:
        names = backups.restore(file, _url(url), progress, force=force)
    if as_json:
        show.print_json({"archive": shown(_url(url)), "workspaces": names})
        return
    click.echo(f"restored from {file} into {shown(_url(url))}: {', '.join(names) or 'nothing'}")


@click.command()
@archive_option
@workspace_option
@click.option(
    "--mend",
    is_flag=True,
    help="Write missing points to the index beside the archive, and delete surplus ones.",
)
@json_option
def doctor(url: str | None, workspace: str | None, mend: bool, as_json: bool) -> None:
    """Check that the archive and its models can be used.

    It says what is missing and how to get it. Without --mend it changes nothing. The exit code is 1 if
    something is missing.
    """
    from onrecord.archive.doctor import examine
    from onrecord.settings import load

    checks = examine(load(archive=url, workspace=workspace), mend=mend)
    if as_json:
        show.print_json([asdict(check) for check in checks])
    for check in [] if as_json else checks:
        colour = {"ok": "green", "note": "yellow", "missing": "red"}[check.state]
        click.echo(click.style(f"{check.state:8}", fg=colour) + f"{check.name:14}{check.said}")
        if check.advice:
            click.echo(" " * 22 + check.advice)
    if any(check.state == "missing" for check in checks):
        click.get_current_context().exit(1)


def _url(url: str | None) -> str:
    from onrecord.settings import load

    return load(archive=url).archive_url
