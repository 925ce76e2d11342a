"""The tables of the graph in an archive file, and functions that add and delete a recording's knowledge."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from onrecord.stores.database import Connection, rows_among
from onrecord.types.graph import Alias, Knowledge, Mention

GRAPH = """
CREATE TABLE graph_recordings (          -- whose knowledge is there
    recording INTEGER PRIMARY KEY,
    capitals INTEGER NOT NULL            -- whether they tell names
);

CREATE TABLE graph_entities (
    id INTEGER PRIMARY KEY,
    workspace INTEGER NOT NULL,
    key TEXT NOT NULL,
    passages INTEGER NOT NULL,           -- that mention it
    recordings INTEGER NOT NULL,
    UNIQUE (workspace, key)
);

CREATE INDEX graph_entities_by_width ON graph_entities (workspace, recordings, passages);

CREATE TABLE graph_forms (               -- how an entity is written, and by what rule it is known
    id INTEGER PRIMARY KEY,
    entity INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    rule TEXT NOT NULL,
    passages INTEGER NOT NULL,
    UNIQUE (entity, name, kind, rule)
);

CREATE TABLE graph_words (               -- of names; phrases are not looked up by a word
    workspace INTEGER NOT NULL,
    word TEXT NOT NULL,
    entity INTEGER NOT NULL,
    PRIMARY KEY (workspace, word, entity)
) WITHOUT ROWID;

CREATE INDEX graph_words_by_entity ON graph_words (entity);

CREATE TABLE graph_mentions (
    entity INTEGER NOT NULL,
    recording INTEGER NOT NULL,
    position INTEGER NOT NULL,
    begin INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    form INTEGER NOT NULL,
    voice INTEGER,                       -- number of the speaker's label
    PRIMARY KEY (entity, recording, position, begin, "end", form)
) WITHOUT ROWID;

-- With the voice, this index has every column, so the mentions of a passage are read from it alone.
CREATE INDEX graph_mentions_by_place ON graph_mentions (recording, position, voice);

CREATE TABLE graph_relations (
    id INTEGER PRIMARY KEY,
    recording INTEGER NOT NULL,
    position INTEGER NOT NULL,
    begin INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    subject INTEGER NOT NULL,
    relation TEXT NOT NULL,
    object INTEGER NOT NULL,
    voice INTEGER,
    rule TEXT NOT NULL
);

CREATE INDEX graph_relations_by_subject ON graph_relations (subject);
CREATE INDEX graph_relations_by_object ON graph_relations (object);
CREATE INDEX graph_relations_by_recording ON graph_relations (recording);

CREATE TABLE graph_aliases (
    id INTEGER PRIMARY KEY,
    workspace INTEGER NOT NULL,
    recording INTEGER,                   -- that tells it; NULL: made by hand
    alias TEXT NOT NULL,                 -- keys
    entity TEXT NOT NULL,
    score REAL NOT NULL,
    reason TEXT NOT NULL
);

CREATE INDEX graph_aliases_by_alias ON graph_aliases (workspace, alias);
CREATE INDEX graph_aliases_by_entity ON graph_aliases (workspace, entity);
CREATE INDEX graph_aliases_by_recording ON graph_aliases (recording, alias);

CREATE TABLE graph_readings (            -- passages that a language model has read
    recording INTEGER NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (recording, position)
) WITHOUT ROWID;
"""


def insert_knowledge(connection: Connection, workspace: int, recording: int, knowledge: Knowledge) -> None:
    """Insert the knowledge of a recording. The tables must not contain any of it."""
    row = (recording, int(knowledge.capitals))
    connection.execute("INSERT INTO graph_recordings (recording, capitals) VALUES (?, ?)", row)
    mentions = knowledge.mentions
    entities = _insert_entities(connection, workspace, mentions)
    forms = _insert_forms(connection, entities, mentions)
    voices = _voices(connection, recording)
    connection.executemany(
        "INSERT INTO graph_mentions VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (
            (
                entities[m.entity], recording, m.position, m.begin, m.end,
                forms[entities[m.entity], m.name, m.kind, m.rule], voices.get(m.speaker),
            )
            for m in mentions
        ),
    )  # fmt: skip
    connection.executemany(
        "INSERT INTO graph_relations"
        ' (recording, position, begin, "end", subject, relation, object, voice, rule)'
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                recording, r.position, r.begin, r.end, entities[r.subject], r.relation, entities[r.object],
                voices.get(r.speaker), r.rule,
            )
            for r in knowledge.relations
            if r.subject in entities and r.object in entities
        ),
    )  # fmt: skip
    insert_aliases(connection, workspace, recording, knowledge.aliases)
    connection.executemany(
        "INSERT INTO graph_readings (recording, position) VALUES (?, ?)",
        ((recording, position) for position in knowledge.read),
    )


def insert_aliases(
    connection: Connection, workspace: int, recording: int | None, aliases: Iterable[Alias]
) -> None:
    """Insert the aliases of a recording, or (None) aliases made by hand."""
    connection.executemany(
        "INSERT INTO graph_aliases (workspace, recording, alias, entity, score, reason)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        ((workspace, recording, a.alias, a.entity, a.score, a.reason) for a in aliases),
    )


def delete_knowledge(connection: Connection, recording: int) -> None:
    """Delete the knowledge of a recording, and the entities that no other recording mentions."""
    counted = "SELECT count(DISTINCT position), {0} FROM graph_mentions WHERE recording = ? GROUP BY {0}"
    entities, forms = (
        connection.execute(counted.format(column), (recording,)).fetchall() for column in ("entity", "form")
    )
    sql = "UPDATE graph_entities SET passages = passages - ?, recordings = recordings - 1 WHERE id = ?"
    connection.executemany(sql, entities)
    connection.executemany("UPDATE graph_forms SET passages = passages - ? WHERE id = ?", forms)
    sql = "DELETE FROM graph_forms WHERE id = ? AND passages < 1"
    connection.executemany(sql, [(form,) for _, form in forms])
    for table in ("mentions", "relations", "aliases", "readings", "recordings"):
        connection.execute(f"DELETE FROM graph_{table} WHERE recording = ?", (recording,))  # noqa: S608
    gone = [(entity,) for _, entity in entities]
    named = "SELECT 1 FROM graph_forms WHERE graph_forms.entity = graph_words.entity AND rule != 'phrase'"
    sql = f"DELETE FROM graph_words WHERE entity = ? AND NOT EXISTS ({named})"  # noqa: S608 - our own words
    connection.executemany(sql, gone)
    connection.executemany("DELETE FROM graph_entities WHERE id = ? AND passages < 1", gone)


def _insert_entities(connection: Connection, workspace: int, mentions: Sequence[Mention]) -> dict[str, int]:
    """Count the mentions of a recording. Return the number of every entity, by key."""
    passages = Counter(key for key, _ in {(m.entity, m.position) for m in mentions})
    connection.executemany(
        "INSERT INTO graph_entities (workspace, key, passages, recordings) VALUES (?, ?, ?, 1)"
        " ON CONFLICT (workspace, key) DO UPDATE"
        " SET passages = graph_entities.passages + excluded.passages,"
        " recordings = graph_entities.recordings + 1",
        ((workspace, key, count) for key, count in passages.items()),
    )
    entities = entity_numbers(connection, workspace, passages)
    connection.executemany(
        "INSERT INTO graph_words (workspace, word, entity) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        {
            (workspace, word, entities[m.entity])
            for m in mentions
            if m.rule != "phrase"
            for word in m.entity.split()
        },
    )
    return entities


def _insert_forms(
    connection: Connection, entities: dict[str, int], mentions: Sequence[Mention]
) -> dict[tuple[int, str, str, str], int]:
    """Count the written forms of entities. Return the number of each form."""
    places: defaultdict[tuple[int, str, str, str], set[int]] = defaultdict(set)
    for m in mentions:
        places[entities[m.entity], m.name, m.kind, m.rule].add(m.position)
    connection.executemany(
        "INSERT INTO graph_forms (entity, name, kind, rule, passages) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (entity, name, kind, rule) DO UPDATE"
        " SET passages = graph_forms.passages + excluded.passages",
        ((*form, len(at)) for form, at in places.items()),
    )
    sql = "SELECT entity, name, kind, rule, id FROM graph_forms WHERE entity IN ({})"
    rows = rows_among(connection, sql, list(entities.values()))
    return {(row[0], row[1], row[2], row[3]): row[4] for row in rows}


def _voices(connection: Connection, recording: int) -> dict[str | None, int]:
    sql = "SELECT name, number FROM labels WHERE recording = ? AND kind = 'speaker'"
    return dict(connection.execute(sql, (recording,)).fetchall())


def entity_numbers(connection: Connection, workspace: int, keys: Iterable[str]) -> dict[str, int]:
    """Return the number of every key that has one."""
    sql = "SELECT key, id FROM graph_entities WHERE workspace = ? AND key IN ({})"
    return {row[0]: row[1] for row in rows_among(connection, sql, list(dict.fromkeys(keys)), workspace)}
