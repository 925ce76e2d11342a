"""Tests of imports from tables and collections.

They use a real PostgreSQL server, Qdrant's local mode and Chroma.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import onrecord
from onrecord.archive import Archive
from onrecord.errors import FormatError, InputError, NotFoundError, OnRecordError
from onrecord.ingest.importing import ImportedTable, read_mapping
from onrecord.ingest.outcomes import Refused, TranscriptSource
from onrecord.ingest.passages import texts_to_embed
from onrecord.ingest.tables import open_table, value_at
from onrecord.models import open_embedder
from onrecord.serve.cli import main
from onrecord.types import Details, Passage

HASHING = {"model": "hashing"}
ROWS: list[dict[str, Any]] = [
    {"talk": "harvest", "who": "Ann", "said": "The barley came in late.", "at": 0, "until": 4, "no": 1},
    {
        "talk": "harvest",
        "who": "Bo",
        "said": "The rain kept us off the fields.",
        "at": 5,
        "until": 9,
        "no": 2,
    },
    {"talk": "cranes", "who": "Cleo", "said": "A crane takes a year to build.", "at": 0, "until": 3, "no": 1},
    {"talk": "harvest", "who": "Ann", "said": "", "at": 10, "until": 11, "no": 3},
    {"talk": None, "who": "Ann", "said": "This belongs to nothing.", "at": 0, "until": 1, "no": 1},
]
TITLES = {"harvest": "Harvest Home", "cranes": "Of Cranes"}
MAPPING = """
table: {table}
recording: talk
text: said
speaker: who
start: at
end: until
position: no
title: title
date: day
attributes: {{show: show}}
vector: {vector}
model: {model}
"""


def rows() -> list[dict[str, Any]]:
    """Return the rows in reverse order, each with its title and an embedding by the model ``hashing``."""
    vectors = open_embedder("hashing").embed([row["said"] or "none" for row in ROWS])
    table = [
        {**row, "title": TITLES.get(row["talk"] or ""), "day": "2024-03-05", "show": "Fields", "vec": vector}
        for row, vector in zip(ROWS, vectors, strict=True)
    ]
    return table[::-1]


def mapped(folder: Path, text: str = MAPPING, **values: str) -> Path:
    """Write a mapping file and return its path."""
    file = folder / "mapping.yaml"
    file.write_text(text.format(**{"table": "talks", "vector": "vec", "model": "hashing", **values}))
    return file


def opened(folder: Path, name: str = "talks.db") -> Archive:
    return onrecord.open(folder / name, embedding=HASHING)


# ---------------------------------------------------------------- PostgreSQL, Qdrant and Chroma


@pytest.fixture
def database(postgres_server: str):
    """Return the address of a PostgreSQL server with two tables.

    ``mine.talks`` holds the rows. The name and the columns of the other table need quoting.
    """
    import psycopg

    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        connection.execute("DROP SCHEMA IF EXISTS mine CASCADE; CREATE SCHEMA mine")
        connection.execute(
            "CREATE TABLE mine.talks (talk text, who text, said text, at int, until interval, no bigint,"
            " title text, day date, show text, vec vector(256), meta jsonb)"
        )
        for row in rows():
            vector = str(row["vec"].tolist())
            meta = json.dumps({"talk": row["talk"], "by": {"name": row["who"]}})
            values = [*list(row.values())[:4], f"{row['until']} seconds", row["no"], row["title"], row["day"]]
            connection.execute(
                "INSERT INTO mine.talks VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
                [row["talk"], row["who"], row["said"], row["at"], *values[4:], row["show"], vector, meta],
            )
        connection.execute('CREATE TABLE mine."odd ""name; DROP" ("a ""b"" %s" text, "c.d" text)')
        connection.execute("""INSERT INTO mine."odd ""name; DROP" VALUES ('one', 'It was a fine day.')""")
    return postgres_server


@pytest.fixture
def qdrant(tmp_path: Path) -> str:
    """Return the address of a Qdrant folder whose collection ``talks`` holds the rows."""
    models = pytest.importorskip("qdrant_client.models", reason="the package qdrant-client is missing")
    from qdrant_client import QdrantClient

    folder = tmp_path / "qdrant"
    client = QdrantClient(path=str(folder))
    size = len(rows()[0]["vec"])
    client.create_collection("talks", models.VectorParams(size=size, distance=models.Distance.COSINE))
    client.upsert(
        "talks",
        [
            models.PointStruct(
                id=number,
                vector=row["vec"].tolist(),
                payload={
                    **{k: v for k, v in row.items() if k not in ("vec", "who")},
                    "meta": {"by": row["who"]},
                },
            )
            for number, row in enumerate(rows())
        ],
    )
    client.close()
    return f"qdrant:///{folder}"


@pytest.fixture
def chroma(tmp_path: Path) -> str:
    """Return the address of a Chroma folder whose collection ``talks`` holds the rows."""
    chromadb = pytest.importorskip("chromadb", reason="the package chromadb is missing: it is no part of dev")
    folder = tmp_path / "chroma"
    client = chromadb.PersistentClient(str(folder), chromadb.Settings(anonymized_telemetry=False))
    collection = client.create_collection("talks", embedding_function=None)
    collection.add(
        ids=[str(number) for number in range(len(ROWS))],
        embeddings=[row["vec"].tolist() for row in rows()],
        documents=[row["said"] for row in rows()],
        metadatas=[
            {k: v for k, v in row.items() if k not in ("vec", "said") and v is not None} for row in rows()
        ],
    )
    return f"chroma:///{folder}"


def passages(archive: Archive) -> dict[str, list[Passage]]:
    """Return the passages of each recording by title."""
    return {r.title: archive.store.transcript(r.id) for r in archive.recordings()}


def check_imported(archive: Archive, report: onrecord.Added) -> None:
    """Check that the archive holds everything in the rows.

    Each row is a passage with the row's embedding.
    """
    assert sorted(r.title for r in report.added) == ["Harvest Home", "Of Cranes"] and not report.notes
    harvest = passages(archive)["Harvest Home"]
    assert [p.spoken for p in harvest] == [f"{row['who']}: {row['said']}" for row in ROWS[:2]]
    assert [(p.start, p.end) for p in harvest] == [(0, 4), (5, 9)]
    details = next(r.details for r in archive.recordings() if r.title == "Harvest Home")
    assert (details.date, dict(details.attributes)) == ("2024-03-05", {"show": "Fields"})
    own = open_embedder("hashing").embed([row["said"] for row in ROWS[:2]])
    np.testing.assert_allclose(archive.store.vectors([p.row for p in harvest]), own, atol=1e-4)


def test_a_table_of_postgresql_becomes_recordings(database: str, tmp_path: Path) -> None:
    mapping = mapped(tmp_path, table="mine.talks")
    with opened(tmp_path) as archive:
        check_imported(archive, archive.add(database, mapping=mapping))


def test_a_collection_of_qdrant_becomes_recordings(qdrant: str, tmp_path: Path) -> None:
    mapping = mapped(tmp_path, MAPPING.replace("speaker: who", "speaker: meta.by"), vector="vector")
    with opened(tmp_path) as archive:
        check_imported(archive, archive.add(qdrant, mapping=mapping))


def test_a_collection_of_chroma_becomes_recordings(chroma: str, tmp_path: Path) -> None:
    mapping = mapped(tmp_path, MAPPING.replace("text: said", "text: document"), vector="embedding")
    with opened(tmp_path) as archive:
        check_imported(archive, archive.add(chroma, mapping=mapping))
        assert len(archive.add(chroma, mapping=mapping).unchanged) == 2


def test_named_vectors_of_qdrant_are_columns(tmp_path: Path) -> None:
    models = pytest.importorskip("qdrant_client.models", reason="the package qdrant-client is missing")
    from qdrant_client import QdrantClient

    client = QdrantClient(path=str(tmp_path / "named"))
    size = models.VectorParams(size=4, distance=models.Distance.DOT)
    client.create_collection("two", {"small": size, "other": size})
    vectors = {"small": [0.0, 2.0, 0.0, 0.0], "other": [1.0, 0.0, 0.0, 0.0]}
    client.upsert("two", [models.PointStruct(id=1, vector=vectors, payload={"a": "x", "b": "Hello there."})])
    client.close()
    mapping = "collection: two\nrecording: a\ntext: b\nvector: small\nmodel: mine"
    table = ImportedTable(f"qdrant:///{tmp_path}/named", read_mapping(mapped(tmp_path, mapping)), Details())
    (source,) = table
    assert isinstance(source, TranscriptSource) and source.vectors is not None
    assert source.vectors.vectors.tolist() == [[0, 1, 0, 0]]


# ---------------------------------------------------------------- repeated imports and changed rows


def test_what_is_there_already_is_left_alone_and_a_changed_row_changes_its_recording(
    database: str, tmp_path: Path
) -> None:
    """Check that a repeated import changes only the recordings whose rows changed."""
    import psycopg

    mapping = mapped(tmp_path, table="mine.talks")
    with opened(tmp_path) as archive:
        archive.add(database, mapping=mapping)
        assert len(archive.add(database, mapping=mapping).unchanged) == 2
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(
                "UPDATE mine.talks SET said = 'A crane takes two years.' WHERE talk = 'cranes'"
            )
        report = archive.add(database, mapping=mapping)
        assert [r.title for r in report.changed] == ["Of Cranes"] and len(report.unchanged) == 1


def test_an_import_that_was_stopped_goes_on(database: str, tmp_path: Path) -> None:
    mapping = mapped(tmp_path, table="mine.talks")
    with opened(tmp_path) as archive:
        archive.add(database, mapping=mapping, stop=lambda: len(archive.recordings()) == 1)
        assert len(archive.recordings()) == 1
        report = archive.add(database, mapping=mapping)
        assert len(report.added) == len(report.unchanged) == 1


def test_several_processes_import_the_same(database: str, tmp_path: Path) -> None:
    """Check that an import with two workers gives the same archive."""
    mapping = mapped(tmp_path, table="mine.talks")
    with opened(tmp_path) as archive:
        check_imported(archive, archive.add(database, mapping=mapping, workers=2))


# ---------------------------------------------------------------- embeddings


def noted(database: str, folder: Path, **values: str) -> tuple[str, ...]:
    """Import rows whose embeddings are not used, check that they are embedded again, and return the notes."""
    with opened(folder) as archive:
        report = archive.add(database, mapping=mapped(folder, table="mine.talks", **values))
        (harvest,) = passages(archive)[
            "Harvest Home"
        ]  # without the rows' embeddings, the rows form one passage
        own = open_embedder("hashing").embed(texts_to_embed("Harvest Home", [harvest]))
        np.testing.assert_allclose(archive.store.vectors([harvest.row]), own, atol=1e-4)
        return report.notes


def test_vectors_of_another_model_are_not_taken_over(database: str, tmp_path: Path) -> None:
    """Check that embeddings of another model are replaced and that a note says why."""
    (note,) = noted(database, tmp_path, model="text-embedding-3-small")
    assert note.startswith("embedded anew by hashing") and "said to be of text-embedding-3-small" in note


def test_without_a_model_the_vectors_are_not_looked_at(database: str, tmp_path: Path) -> None:
    assert noted(database, tmp_path, model="") == ()


def test_vectors_under_a_wrong_name_are_not_taken_over(database: str, tmp_path: Path) -> None:
    """Check that embeddings that differ from the named model's output are replaced, with a note."""
    import psycopg

    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(
            "UPDATE mine.talks SET vec = (SELECT array_agg(i)::vector FROM generate_series(1, 256) i)"
        )
    (note,) = noted(database, tmp_path)
    assert "of the same text it makes others" in note


def test_vectors_of_another_width_are_not_taken_over(database: str, tmp_path: Path) -> None:
    import psycopg

    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("ALTER TABLE mine.talks ALTER vec TYPE vector(2) USING '[1,2]'::vector(2)")
    (note,) = noted(database, tmp_path)
    assert "they have 2 dimensions, not 256" in note


# ---------------------------------------------------------------- faults in a mapping


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- a", "names and columns"),
        ("text: said\ntable: t", "recording: expected the name of a column"),
        ("recording: talk\ntable: t", "text: expected the name of a column"),
        ("recording: talk\ntext: said", "table: expected the name of a table"),
        ("recording: talk\ntext: said\ntable: t\nspeeker: who", "did you mean 'speaker'"),
        ("recording: talk\ntext: [said]\ntable: t", "text: expected one text, found a list"),
        ("recording: talk\ntext: said\ntable: t\ntimes: minutes", "seconds or milliseconds"),
        ("recording: talk\ntext: said\ntable: t\nattributes: show", "attributes: expected names and columns"),
    ],
)
def test_a_broken_mapping_says_what_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_mapping(mapped(tmp_path, text))


def test_a_missing_column_names_those_that_are_there(database: str, qdrant: str, tmp_path: Path) -> None:
    mapping = read_mapping(
        mapped(tmp_path, MAPPING.replace("speaker: who", "speaker: whom"), table="mine.talks")
    )
    with pytest.raises(
        FormatError, match=r"speaker: expected a column of .*talk, who, said.*did you mean 'who'"
    ):
        ImportedTable(database, mapping, Details())
    mapping = read_mapping(mapped(tmp_path, vector="vector"))
    with pytest.raises(FormatError, match=r"speaker: expected a column of .*meta\.by"):
        ImportedTable(qdrant, mapping, Details())


def test_a_missing_table_names_those_that_are_there(database: str, qdrant: str, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"no table 'mine\.talk'.*did you mean 'mine\.talks'"):
        open_table(database, "mine.talk")
    with pytest.raises(NotFoundError, match=r"no collection 'talk'.*there are talks"):
        open_table(qdrant, "talk")


@pytest.mark.parametrize("address", ["mysql://host/db", "talks.csv", "qdrant", "chroma:host"])
def test_other_addresses_are_refused(address: str) -> None:
    with pytest.raises(InputError, match="not the address of a table: name postgresql"):
        open_table(address, "talks")


@pytest.mark.parametrize("kind", ["qdrant", "chroma"])
def test_a_folder_that_is_not_there_is_not_made(kind: str, tmp_path: Path) -> None:
    pytest.importorskip({"qdrant": "qdrant_client", "chroma": "chromadb"}[kind])
    with pytest.raises(NotFoundError, match="no such folder"):
        open_table(f"{kind}:///{tmp_path}/absent", "talks")
    assert not (tmp_path / "absent").exists()


# ---------------------------------------------------------------- untrusted names and values


def test_names_are_quoted_and_keys_within_json_are_columns(database: str, tmp_path: Path) -> None:
    """Check that odd names are quoted and that a dotted name reads a key inside a JSON column."""
    text = """
table: 'mine.odd "name; DROP'
recording: 'a "b" %s'
text: c.d
"""
    (source,) = ImportedTable(database, read_mapping(mapped(tmp_path, text)), Details())
    assert isinstance(source, TranscriptSource) and source.name == "one"
    text = "table: mine.talks\nrecording: meta.talk\ntext: said\nspeaker: meta.by.name\nposition: no"
    sources = list(ImportedTable(database, read_mapping(mapped(tmp_path, text)), Details()))
    assert [s.name for s in sources if isinstance(s, TranscriptSource)] == ["cranes", "harvest"]


def test_a_password_is_neither_kept_nor_shown(database: str, tmp_path: Path) -> None:
    address = database.replace("postgres:@", "postgres:secret@")
    assert "secret" in address
    with opened(tmp_path) as archive:
        archive.add(address, mapping=mapped(tmp_path, table="mine.talks"))
        assert not any("secret" in r.source for r in archive.recordings())
    for password in ("secret", "a%secret", "my secret", "a/secret", "[secret"):
        with pytest.raises(OnRecordError) as caught:
            open_table(f"postgresql://ann:{password}@127.0.0.1:1/talks", "talks")
        assert "secret" not in str(caught.value)


def test_rows_without_an_order_are_refused_and_one_row_needs_none(database: str, tmp_path: Path) -> None:
    text = "table: mine.talks\nrecording: talk\ntext: said"
    table = ImportedTable(database, read_mapping(mapped(tmp_path, text)), Details())
    cranes, harvest = table
    assert isinstance(cranes, TranscriptSource) and isinstance(harvest, Refused)
    assert "in what order" in str(harvest.error) and len(table) == 2


def test_a_value_that_cannot_be_refuses_its_recording_alone(database: str, tmp_path: Path) -> None:
    """Check that an invalid value refuses its recording and not the whole table."""
    text = MAPPING.replace("date: day", "date: who").replace("start: at", "start: said")
    table = ImportedTable(database, read_mapping(mapped(tmp_path, text, table="mine.talks")), Details())
    cranes, harvest = table
    assert isinstance(cranes, Refused) and isinstance(harvest, Refused)
    assert "start: expected seconds" in str(cranes.error)


def test_numbers_and_vectors_without_end_stop_no_import(database: str, tmp_path: Path) -> None:
    import psycopg

    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("CREATE TABLE mine.odd (talk text, said text, no jsonb, vec text)")
        for talk, number, vector in (("a", 10**400, "[1]"), ("a", 1, "[1]"), ("b", 1, "[" * 100_000)):
            row = (talk, "Yes.", f"{number}", vector)
            connection.execute("INSERT INTO mine.odd VALUES (%s, %s, %s, %s)", row)
    file = tmp_path / "mapping.yaml"
    file.write_text(
        "table: mine.odd\nrecording: talk\ntext: said\nposition: no\nvector: vec\nmodel: hashing\n"
    )
    refused, source = ImportedTable(database, read_mapping(file), Details())
    assert isinstance(refused, Refused) and "a number as position" in str(refused.error)
    assert isinstance(source, TranscriptSource) and source.vectors is None


def test_two_recordings_with_the_same_name_do_not_replace_each_other(database: str, tmp_path: Path) -> None:
    import psycopg

    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("CREATE TABLE mine.twins AS VALUES ('a', 'One.'), ('a ', 'Two.')")
    file = tmp_path / "mapping.yaml"
    file.write_text("table: mine.twins\nrecording: column1\ntext: column2\n")
    one, two = ImportedTable(database, read_mapping(file), Details())
    assert isinstance(one, TranscriptSource) and isinstance(two, Refused)
    assert "values that differ in more than spaces, found 'a '" in str(two.error)


def test_values_are_found_by_their_whole_name_first() -> None:
    row = {"a.b": 1, "a": {"b": 2, "c": {"d": 3}}}
    assert [value_at(row, name) for name in ("a.b", "a.c.d", "a.x", "b.c", "z")] == [1, 3, None, None, None]


# ---------------------------------------------------------------- the command line


def test_the_command_imports_and_says_what_it_did(database: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("ONRECORD_EMBEDDING__MODEL", "hashing")
    mapping = mapped(tmp_path, table="mine.talks")
    archive = ["--archive", str(tmp_path / "talks.db")]
    done = CliRunner().invoke(main, ["import", database, str(mapping), *archive])
    assert done.exit_code == 0 and "2 added" in done.output, done.output
    again = CliRunner().invoke(main, ["import", database, str(mapping), "--json", *archive])
    assert len(json.loads(again.stdout)["unchanged"]) == 2
    wrong = CliRunner().invoke(main, ["import", "talks.csv", str(mapping), *archive])
    assert wrong.exit_code == 1 and "not the address of a table" in wrong.output
