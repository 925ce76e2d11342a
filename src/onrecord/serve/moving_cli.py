"""``onrecord copy``, ``backup``, ``restore`` and ``doctor``: whole archives, moved, kept and looked over."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from onrecord.serve.options import archive_option, json_option, workspace_option

if TYPE_CHECKING:
    from onrecord.archive.moving import Copied


@click.command()
@click.argument("source", metavar="SOURCE")
@click.argument("target", metavar="TARGET")
@click.option("--workspace", default="", metavar="NAME", help="Only this one.  [default: all]")
@click.option("--mirror", is_flag=True, help="Also take out of TARGET what SOURCE does not have.")
@json_option
def copy(source: str, target: str, workspace: str, mirror: bool, as_json: bool) -> None:
    """Copy an archive into another one, each a path or URL, and prove it: counts, the checksum of every
    recording, and the same first 50 passages for 20 questions. Run it again to go on after a stop."""
    from onrecord.archive import backup
    from onrecord.serve import show

    with show.progress(as_json) as progress:
        done = backup.copy(source, target, progress, mirror=mirror, only=workspace)
    if as_json:
        show.print_json([asdict(one) for one in done])
    for one in [] if as_json else done:
        click.echo(_told(one))


def _told(one: Copied) -> str:
    removed = f", {one.removed:,} removed" if one.removed else ""
    beside = "".join(
        f", {count:,} {name}"
        for count, name in ((one.faq, "FAQ entries"), (one.feedback, "judgements"))
        if count
    )
    done = f"{one.copied:,} recordings copied, {one.unchanged:,} there already{removed}{beside}"
    lines = [
        f"{one.workspace}: {done}",
        f"  proved: {one.passages:,} passages, checksum {one.checksum[:16]}",
    ]
    return "\n".join(lines + [f"  {note}" for note in one.notes])


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Overwrite FILE.")
@archive_option
@json_option
def backup(file: Path, url: str | None, force: bool, as_json: bool) -> None:
    """Write the whole archive, as it is now, to FILE, which is an archive file itself. Others may go on
    writing."""
    from onrecord.archive import backup as backups
    from onrecord.serve import show

    with show.progress(as_json) as progress:
        backups.backup(_url(url), file, progress, force=force)
    if as_json:
        show.print_json({"file": str(file), "bytes": file.stat().st_size})
        return
    click.echo(f"{file}: {file.stat().st_size / 1e6:.1f} MB, whole and checked")


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, exists=True, path_type=Path))
@click.option("--force", is_flag=True, help="Replace what the archive holds.")
@archive_option
@json_option
def restore(file: Path, url: str | None, force: bool, as_json: bool) -> None:
    """Put the backup FILE in place of the archive."""
    from onrecord.archive import backup as backups
    from onrecord.serve import show
    from onrecord.stores import shown

    with show.progress(as_json) as progress:
        names = backups.restore(file, _url(url), progress, force=force)
    if as_json:
        show.print_json({"archive": shown(_url(url)), "workspaces": names})
        return
    click.echo(f"{shown(_url(url))} holds what {file} holds: {', '.join(names) or 'nothing'}")


@click.command()
@archive_option
@workspace_option
@click.option("--mend", is_flag=True, help="Put right what an index beside the archive has otherwise.")
@json_option
def doctor(url: str | None, workspace: str | None, mend: bool, as_json: bool) -> None:
    """Say whether the archive and the models that the settings name can be used, and what is missing. Exit
    code 1 where something is."""
    from onrecord.archive.doctor import examined
    from onrecord.serve import show
    from onrecord.settings import load

    found = examined(load(archive=url, workspace=workspace), mend=mend)
    if as_json:
        show.print_json([asdict(check) for check in found])
    for check in [] if as_json else found:
        colour = {"ok": "green", "note": "yellow", "missing": "red"}[check.state]
        click.echo(click.style(f"{check.state:8}", fg=colour) + f"{check.name:14}{check.said}")
        if check.advice:
            click.echo(" " * 22 + check.advice)
    if any(check.state == "missing" for check in found):
        click.get_current_context().exit(1)


def _url(url: str | None) -> str:
    from onrecord.settings import load

    return load(archive=url).archive_url
