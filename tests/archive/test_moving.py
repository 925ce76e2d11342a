"""Copies, backups and the doctor's checks, for an archive in a file and on a PostgreSQL server.

Tests with a server are skipped if the package that starts one is missing.
"""

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import onrecord
from onrecord.archive import backup
from onrecord.archive.doctor import examine
from onrecord.archive.moving import copy_workspace
from onrecord.errors import InputError, ModelMismatchError, NotFoundError, StoreError
from onrecord.serve.cli import main
from onrecord.settings import load
from onrecord.stores import open_faq_store, open_store, workspaces
from onrecord.stores.contract import VECTORS, passages, recording
from onrecord.stores.ledger import ledger_store
from onrecord.types import FaqEntry, Feedback, Quoted, Section

EXAMPLES = Path(onrecord.__file__).parent / "examples"
ENTRY = FaqEntry("hours", "When are you open?", "From nine to five.", ("opening hours",), status="live")


@pytest.fixture
def talks(tmp_path: Path) -> str:
    """Return the path of an archive with two workspaces, a FAQ, a metadata value and a judgment."""
    url = str(tmp_path / "talks.db")
    with onrecord.open(url, embedding={"model": "hashing"}) as archive:
        archive.add(EXAMPLES)
        archive.ledger.rate(archive.ask("Why did margins fall?", "direct"), good=True)
        archive.store.set_meta("note", {"of": "mine"})
    with closing(open_faq_store(url)) as faq:
        faq.put([ENTRY], VECTORS[:2], "m")
        faq.put([replace(ENTRY, id="later", status="draft")])
    with closing(open_store(url, "second")) as store:
        store.add(recording("call"), passages("call"), vectors=VECTORS)
    return url


@pytest.fixture(params=["file", pytest.param("server", marks=pytest.mark.slow)])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return the address of an empty archive in a file or on a server."""
    yield str(tmp_path / "copy.db") if request.param == "file" else request.getfixturevalue("postgres")


def test_a_copy_has_everything_and_proves_it(talks: str, target: str) -> None:
    first = backup.copy(talks, target)
    assert [(one.workspace, one.copied, one.unchanged) for one in first] == [
        ("default", 5, 0),
        ("second", 1, 0),
    ]
    assert first[0].faq == 2 and first[0].feedback == 1
    again = backup.copy(talks, target)
    assert [(one.copied, one.unchanged, one.feedback) for one in again] == [(0, 5, 0), (0, 1, 0)]
    assert [one.checksum for one in again] == [one.checksum for one in first]
    options = {"embedding": {"model": "hashing"}}
    with onrecord.open(talks, **options) as here, onrecord.open(target, **options) as there:
        question = "Why did margins fall?"
        assert str(there.ask(question, "balanced")) == str(here.ask(question, "balanced"))
        assert there.store.metas() == here.store.metas()
        assert there.ledger.feedback() == here.ledger.feedback()
        assert there.store.graph.learnt() == here.store.graph.learnt()
        assert there.store.graph.widest(1, 50) == here.store.graph.widest(1, 50)
    with closing(open_faq_store(talks)) as mine, closing(open_faq_store(target)) as theirs:
        assert theirs.entries() == mine.entries()
        assert theirs.live().vectors.tolist() == mine.live().vectors.tolist()


def test_a_copy_that_was_stopped_goes_on_and_a_mirror_takes_out(talks: str, tmp_path: Path) -> None:
    """A stopped copy continues where it ended, and a mirror removes recordings that the source lacks."""

    def stop(done: int, total: int, name: str) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with closing(open_store(talks)) as source, closing(open_store(tmp_path / "copy.db")) as target:
        with pytest.raises(KeyboardInterrupt):
            copy_workspace(source, target, stop)
        assert len(target.timeline().names) == 3
        target.add(recording("stranger", 1), passages("stranger", ("Nobody knows me.",)))
        ledger_store(target).give(
            feedback := Feedback("one", True, "Who?", evidence=(Quoted("stranger", "Nobody"),))
        )
        assert (copy_workspace(source, target).copied, len(target.timeline().names)) == (2, 6)
        assert ledger_store(target).find("one") == feedback
        assert (copy_workspace(source, target, mirror=True).removed, len(target.timeline().names)) == (1, 5)
        assert ledger_store(target).find("one") is None
        changed = source.timeline().names[0]
        target.set_sections(changed, target.transcript(changed), [Section("Odd", None, None, 0, 0)])
        assert copy_workspace(source, target).copied == 1


def test_a_mirror_and_a_restored_server_keep_nothing_of_their_own(talks: str, target: str) -> None:
    """Mirroring and restoring remove FAQ entries and feedback that the source lacks, in all workspaces."""
    backup.copy(talks, target)
    expected = _beside(talks)

    def spoil(*names: str) -> None:
        for name in names:
            with closing(open_store(target, name)) as store, closing(open_faq_store(target, name)) as faq:
                store.add(recording("stranger", 1), passages("stranger", ("Nobody knows me.",)))
                store.set_meta("model", store.meta("model") or {"name": "other"})
                ledger_store(store).give(
                    Feedback("one", True, "Who?", evidence=(Quoted("stranger", "Nobody"),))
                )
                faq.put([replace(ENTRY, id="own")], VECTORS[:2], "another")

    spoil("default")
    backup.copy(talks, target, mirror=True)
    assert _beside(target) == expected
    spoil("default", "third")
    backup.restore(Path(talks), target, force=True)
    assert _beside(target) == expected and _beside(target, "third") == ((), [], [], {})


def _beside(url: str, name: str = "default") -> tuple[object, ...]:
    """Return the ids, the metadata values, the feedback and the FAQ of a workspace."""
    with closing(open_store(url, name)) as store, closing(open_faq_store(url, name)) as faq:
        return store.timeline().names, ledger_store(store).feedback(), faq.entries(), store.metas()


def test_a_copy_into_another_model_is_refused(talks: str, tmp_path: Path) -> None:
    with closing(open_store(talks)) as source, closing(open_store(tmp_path / "copy.db")) as target:
        target.set_meta("model", {"name": "other"})
        target.add(recording("call"), passages("call"), vectors=VECTORS)
        with pytest.raises(ModelMismatchError, match="other"):
            copy_workspace(source, target)


def test_a_target_that_loses_something_is_found_out(
    talks: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy compares the target with the source, and raises StoreError if something is missing."""
    with closing(open_store(talks)) as source, closing(open_store(tmp_path / "copy.db")) as target:
        add = target.add
        monkeypatch.setattr(target, "add", lambda *parts: add(*parts[:2], (), *parts[3:]))
        with pytest.raises(StoreError, match="is not in the target as it is in the source"):
            copy_workspace(source, target)


def test_a_backup_is_one_state_while_others_write(talks: str, tmp_path: Path) -> None:
    stop, file = threading.Event(), tmp_path / "backup.db"

    def write() -> None:
        with closing(open_store(talks, "second")) as store:
            number = 0
            while not stop.is_set():
                number += 1
                store.add(recording(f"late-{number % 5}"), passages(f"late-{number % 5}"), vectors=VECTORS)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(3):
            backup.backup(talks, file, force=True)
            with closing(open_store(file, "second")) as store:
                for name in store.timeline().names:
                    assert [passage.text for passage in store.transcript(name)] == [
                        p.text for p in passages(name)
                    ]
    finally:
        stop.set()
        writer.join()
    assert sorted(path.name for path in tmp_path.glob("*backup*") if "-" not in path.name) == ["backup.db"]
    with pytest.raises(InputError, match="--force"):
        backup.backup(talks, file)


def test_what_was_backed_up_is_restored(talks: str, target: str, tmp_path: Path) -> None:
    file = tmp_path / "backup.db"
    backup.backup(talks, file)
    assert backup.restore(file, target) == ["default", "second"]
    with closing(open_store(target)) as store:
        before = store.timeline().names
        version = store.version
        store.remove(before[0])
        with pytest.raises(InputError, match="--force"):
            backup.restore(file, target)
        backup.restore(file, target, force=True)
        assert set(store.timeline().names) == set(before) and store.version > version
        assert len(store.passages(store.timeline().rows)) == len(store.timeline())


def test_a_server_is_backed_up_into_a_file(talks: str, postgres: str, tmp_path: Path) -> None:
    backup.copy(talks, postgres)
    file = backup.backup(postgres, tmp_path / "backup.db")
    assert workspaces(str(file)) == ["default", "second"]
    assert [one.copied for one in backup.copy(talks, str(file))] == [0, 0]


def test_a_damaged_backup_is_refused(talks: str, tmp_path: Path) -> None:
    file = backup.backup(talks, tmp_path / "backup.db")
    data = bytearray(file.read_bytes())
    data[8192:40960] = b"\xff" * 32768
    file.write_bytes(data)
    with pytest.raises(StoreError, match="damaged"):
        backup.restore(file, str(tmp_path / "new.db"))
    assert not (tmp_path / "new.db").exists()


def test_where_a_backup_cannot_be_written_the_target_is_named(
    talks: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "token_hex", lambda size: "now")
    (tmp_path / ".backup.db.now").symlink_to(tmp_path / "nowhere" / "at all")  # nothing can be written there
    with pytest.raises(StoreError, match=r"^cannot back up to \S*/backup\.db: ") as caught:
        backup.backup(talks, tmp_path / "backup.db")
    assert talks not in str(caught.value)
    with pytest.raises(NotFoundError, match=r"there is no folder \S*nowhere"):
        backup.backup(talks, tmp_path / "nowhere" / "backup.db")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(StoreError, match=r"^cannot make \S*backup\.db: the folder \S* cannot be written"):
        backup.backup(talks, tmp_path / "backup.db")


def test_a_damaged_archive_is_named_when_it_is_backed_up(talks: str, tmp_path: Path) -> None:
    file = Path(talks)
    data = bytearray(file.read_bytes())
    data[-8192:] = b"\xff" * 8192
    file.write_bytes(data)
    with pytest.raises(StoreError, match=rf"{talks}\b.*damaged"):
        backup.backup(talks, tmp_path / "backup.db")
    assert not (tmp_path / "backup.db").exists()


def test_what_cannot_be_copied_is_reported(talks: str, tmp_path: Path) -> None:
    """A copy onto itself, of a missing archive or of an unknown workspace is refused."""
    with pytest.raises(InputError, match="onto itself"):
        backup.copy(talks, f"sqlite:///{talks}")
    (tmp_path / "link.db").symlink_to(talks)
    for same in (tmp_path / "link.db", tmp_path / "sub" / ".." / "talks.db"):
        with pytest.raises(InputError, match="onto itself"):
            backup.copy(talks, str(same))
        with pytest.raises(InputError, match="the archive itself"):
            backup.restore(Path(talks), str(same), force=True)
    with pytest.raises(NotFoundError):
        backup.copy(str(tmp_path / "none.db"), str(tmp_path / "copy.db"))
    with pytest.raises(NotFoundError, match="no workspace 'third'"):
        backup.copy(talks, str(tmp_path / "copy.db"), only="third")
    assert not (tmp_path / "copy.db").exists()


def test_the_doctor_says_what_is_missing(talks: str, tmp_path: Path) -> None:
    checks = {check.name: check for check in examine(load(archive=talks, embedding={"model": "none"}))}
    assert (checks["archive"].state, checks["workspace"].state) == ("ok", "ok")
    assert "5 recordings" in checks["workspace"].said
    assert examine(load(archive=str(tmp_path / "none.db")))[0].state == "note"
    away = examine(load(archive="postgresql://ann:hunter2@127.0.0.1:1/talks"))[0]
    assert away.state == "missing" and "hunter2" not in away.said
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE other (name TEXT)")
    assert examine(load(archive=str(tmp_path / "other.db")))[0].state == "missing"


@pytest.mark.parametrize(
    ("settings", "name", "message"),
    [
        ({"llm": {"model": "opnai:gpt"}}, "model", "did you mean 'openai'?"),
        ({"llm": {"model": "openai:gpt-5-mini"}}, "model", "OPENAI_API_KEY"),
        ({"llm": {"model": "ollama:qwen3", "roles": {"check": "maybe"}}}, "model", "'llm.roles.check'"),
        ({"embedding": {"model": "miniml"}}, "embedding", "did you mean 'minilm'?"),
        ({"embedding": {"model": "openai:text-embedding-3-small"}}, "embedding", "OPENAI_API_KEY"),
        ({"rerank": {"model": "fastembed:"}}, "reranking", "'fastembed:'"),
        ({"strategy": "balancd"}, "strategy", "did you mean 'balanced'?"),
    ],
)
def test_the_doctor_says_what_cannot_be_opened(
    talks: str, monkeypatch: pytest.MonkeyPatch, settings: dict[str, object], name: str, message: str
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    chosen = {"embedding": {"model": "none"}, **settings}
    faults = [check for check in examine(load(archive=talks, **chosen)) if check.state == "missing"]
    assert [check.name for check in faults] == [name] and message in faults[0].said


def test_the_doctor_names_each_model_with_its_roles(talks: str) -> None:
    roles = {"plan": "on", "check": "ollama:small"}
    llm = {"model": "ollama:qwen3", "roles": roles}
    checks = examine(load(archive=talks, embedding={"model": "none"}, llm=llm))
    models = [check for check in checks if check.name == "model"]
    assert {(check.state, check.said) for check in models} == {
        ("ok", "ollama:qwen3: answer, plan"),
        ("ok", "ollama:small: check"),
    }


def test_the_doctor_looks_at_a_server(talks: str, postgres: str) -> None:
    assert [check.name for check in examine(load(archive=postgres))][:3] == ["server", "pgvector", "tables"]
    backup.copy(talks, postgres)
    states = {
        check.name: check.state for check in examine(load(archive=postgres, embedding={"model": "none"}))
    }
    assert {states[name] for name in ("server", "pgvector", "rights", "workspace")} == {"ok"}


def test_the_doctor_mends_an_index(talks: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONRECORD_EMBEDDING__MODEL", "hashing")
    monkeypatch.setenv("ONRECORD_VECTORS__URL", str(tmp_path / "points"))

    def index(*options: str) -> str:
        result = CliRunner().invoke(main, ["doctor", "--archive", talks, *options])
        assert result.exit_code == 0, result.output
        return next(line for line in result.output.splitlines() if line.split()[1:2] == ["index"])

    with closing(open_store(talks)) as store:
        count = len(store.timeline())
    assert f"{count} passages wait to be written" in index() and "note" in index()
    assert index("--mend").startswith("ok") and index().endswith(f"onrecord in {tmp_path / 'points'}")
    with onrecord.open(talks, vectors={"url": str(tmp_path / "points"), "indexed": 0}) as archive:
        direct = archive.ask("Why did margins fall?", "direct")
        archive.store.neighbours.points.delete_points(
            archive.store.vectors([1]).shape[1],
            [(stamp, row) for _, stamp, row in archive.store.neighbours.points.scroll(_tenant(archive))][:2],
        )
    monkeypatch.setenv("ONRECORD_VECTORS__URL", "")
    with onrecord.open(talks) as plain:
        assert plain.ask("Why did margins fall?", "direct").text == direct.text
    monkeypatch.setenv("ONRECORD_VECTORS__URL", str(tmp_path / "points"))
    assert "2 passages lack their point" in index() and "mended: 2 passages" in index("--mend")
    result = CliRunner().invoke(main, ["doctor", "--archive", talks, "--mend", "--json"])
    assert '"name": "index"' in result.output and '"advice": ""' in result.output


def _tenant(archive: onrecord.Archive) -> str:
    with archive.store.database.reading() as connection:
        sql = "SELECT tenant FROM workspaces WHERE name = ?"
        return connection.execute(sql, (archive.store.workspace,)).fetchone()[0]


def test_the_commands(talks: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONRECORD_EMBEDDING__MODEL", "hashing")
    run = CliRunner().invoke
    for command in (
        ["copy", talks, str(tmp_path / "copy.db")],
        ["backup", str(tmp_path / "backup.db"), "--archive", talks],
        ["restore", str(tmp_path / "backup.db"), "--archive", str(tmp_path / "new.db")],
        ["doctor", "--archive", talks],
    ):
        result = run(main, command)
        assert result.exit_code == 0, (command, result.output, result.exception)
    result = run(main, ["copy", talks, str(tmp_path / "copy.db"), "--json"])
    assert '"unchanged": 5' in result.output
    result = run(main, ["doctor", "--archive", str(tmp_path), "--json"])
    assert result.exit_code == 1 and '"state": "missing"' in result.output
