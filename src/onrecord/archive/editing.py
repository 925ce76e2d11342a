"""Changes to recordings: their details, their speakers' names, removal and restoration.

The archive remembers users' changes, and applies them when the source is read again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from onrecord.archive.contents import EDITS, SPEAKERS, SUMMARIES, Contents, load_contents, meta_key
from onrecord.errors import InputError, NotFoundError, did_you_mean, nearest_named
from onrecord.graph.extract import knowledge_of
from onrecord.graph.statements import with_readings_of
from onrecord.ingest.details import KNOWN, attribute_name, lists_people, names_in, parse_set
from onrecord.ingest.passages import texts_to_embed
from onrecord.ingest.people import NO_ROLES, is_generic_label
from onrecord.models.base import Embedder
from onrecord.stores import Store
from onrecord.stores.base import Snapshot
from onrecord.stores.ledger import ledger_store
from onrecord.types import Details, Passage, Recording, Transcript, one_line

OpenEmbedder = Callable[[], Embedder | None]
"""Returns the archive's embedder; None if only words can be searched. Raises ModelMismatchError."""
_OPTION = "the detail"
"""The term for a name with its value in messages."""
LONGEST_NAME = 200
"""The most characters of a speaker's name."""


@dataclass(frozen=True, slots=True)
class Edits:
    """The changes that users made to one recording.

    `details` are texts by name; an empty text makes the detail unknown. `names` are the new names of
    speakers, keyed by the names in the source.
    """

    details: Mapping[str, str]
    names: Mapping[str, str]

    def of_details(self, details: Details) -> Details:
        """Return details with these changes. Raises InputError for an invalid value."""
        edited = parse_set([f"{name}={text}" for name, text in self.details.items() if text], _OPTION)
        if "people" not in self.details:
            # remove people whose roles are all changed: a new "guest" replaces the previous one
            stay, gone = set[str](), set[str]()
            for role in filter(lists_people, details.attributes):
                (gone if role in self.details else stay).update(names_in(details.attributes[role]))
            people = [name for name in details.people if name in stay or name not in gone]
            edited = replace(edited, people=tuple(dict.fromkeys([*people, *edited.people])))
            details = replace(details, people=())
        unknown = {name for name, text in self.details.items() if not text}
        blank: dict[str, Any] = {name: () if name == "people" else None for name in unknown & set(KNOWN)}
        rest = {name: value for name, value in details.attributes.items() if name not in unknown}
        return _with_names(edited.over(replace(details, attributes=rest, **blank)), self.names)

    def of_transcript(self, transcript: Transcript) -> Transcript:
        """Return a transcript, just read, with these changes."""
        if not (self.details or self.names):
            return transcript
        turns = tuple(
            replace(t, speaker=self.names.get(t.speaker or "", t.speaker)) for t in transcript.turns
        )
        return replace(transcript, turns=turns, details=self.of_details(transcript.details))

    def then(self, details: Mapping[str, str], names: Mapping[str, str]) -> Edits:
        """Return these changes combined with later ones."""
        earlier = {old: names.get(new, new) for old, new in self.names.items()}
        return Edits({**self.details, **details}, {**names, **earlier})


@dataclass(frozen=True, slots=True)
class Removed:
    """A removed recording, with everything needed to restore it.

    `model` identifies the embedder that made its vectors. `metas` are the values kept for it.
    """

    contents: Contents
    model: Any
    metas: Mapping[str, Any]

    @property
    def recording(self) -> Recording:
        return self.contents.recording


# ---------------------------------------------------------------- remembering changes


def edits_of(store: Store, recording: str) -> Edits:
    """Return the changes that users made to a recording."""
    saved = store.meta(meta_key(EDITS, recording)) or {}
    return Edits(saved.get("details", {}), saved.get("names", {}))


def remember_edits(store: Store, recording: str, edits: Edits) -> None:
    """Remember the changes that users made to a recording."""
    saved = {"details": dict(edits.details), "names": dict(edits.names)}
    store.set_meta(meta_key(EDITS, recording), saved)


# ---------------------------------------------------------------- details


def edit(store: Store, embedder: OpenEmbedder, recording: Recording, details: Mapping[str, str]) -> Recording:
    """Change the details of a recording: see `Archive.edit`."""
    changes = {attribute_name(name): one_line(text) for name, text in details.items()}
    if "" in changes or not changes:
        raise InputError("name what is to be changed: title, date, people, link, tags or any other detail")
    changed = replace(recording, details=Edits(changes, {}).of_details(recording.details))
    with store.snapshot() as snapshot:
        before = _load(snapshot, recording)
    _rewrite(store, embedder, before, replace(before, recording=changed), Edits(changes, {}))
    return changed


def _with_names(details: Details, names: Mapping[str, str]) -> Details:
    """Return details with new names of people, also in attributes such as "guest: Ann Lee"."""
    if not names:
        return details
    people = tuple(dict.fromkeys(names.get(name, name) for name in details.people))
    attributes = {
        name: value
        if name in NO_ROLES
        else "; ".join(dict.fromkeys(names.get(one, one) for one in value.split("; ")))
        for name, value in details.attributes.items()
    }
    return replace(details, people=people, attributes=attributes)


# ---------------------------------------------------------------- speakers


def rename(
    store: Store, embedder: OpenEmbedder, speaker: str, name: str, recordings: Sequence[Recording] = ()
) -> list[Recording]:
    """Rename a speaker of these recordings, or everywhere: see `Archive.rename`."""
    new = one_line(name)
    if not new or len(new) > LONGEST_NAME:
        raise InputError(f"a speaker's name has 1 to {LONGEST_NAME} characters")
    among = recordings or store.recordings()
    old = _speaker_name(speaker, among)
    if new == old:
        raise InputError(f"the speaker is called {new!r} already")
    affected = [r for r in among if old in r.speakers or old in r.details.people]
    if not recordings and len(affected) > 1 and is_generic_label(old):
        each = f"another person in each of {len(affected)} recordings"
        raise InputError(f"{old!r} may be {each}: name the recordings in which {new!r} speaks")
    return [_rename_in(store, embedder, recording, {old: new}) for recording in affected]


def _speaker_name(name: str, recordings: Sequence[Recording]) -> str:
    """Return the name of a speaker as the recordings spell it. Raises NotFoundError."""
    names = dict.fromkeys(speaker for r in recordings for speaker in (*r.speakers, *r.details.people))
    if name in names:
        return name
    same = [speaker for speaker in names if speaker.casefold() == one_line(name).casefold()]
    if len(same) == 1:
        return same[0]
    hint = did_you_mean(nearest_named(name, names)) or "`onrecord list` shows who speaks where"
    raise NotFoundError(f"nobody is called {name[:LONGEST_NAME]!r} there: {hint}")


def _rename_in(
    store: Store, embedder: OpenEmbedder, recording: Recording, names: Mapping[str, str]
) -> Recording:
    """Rename speakers in one recording."""
    with store.snapshot() as snapshot:
        before = _load(snapshot, recording)
    passages = [_with_speakers(passage, names) for passage in before.passages]
    details = _with_names(recording.details, names)
    changed = replace(recording, details=details).counted(passages)
    after = replace(before, recording=changed, passages=passages)
    _rewrite(store, embedder, before, after, Edits({}, names))
    return changed


def _with_speakers(passage: Passage, names: Mapping[str, str]) -> Passage:
    """Return the passage with new names of speakers. The passage's speaker is the one who says most of it."""
    if not passage.voices:
        return replace(passage, speaker=names.get(passage.speaker or "", passage.speaker))
    voices = [(at, names.get(name or "", name)) for at, name in passage.voices]
    merged = [voices[0], *(voice for last, voice in pairwise(voices) if voice[1] != last[1])]
    words: Counter[str | None] = Counter()
    for (begin, name), (end, _) in pairwise([*merged, (len(passage.text), None)]):
        words[name] += len(passage.text[begin:end].split())
    most = max(words, key=lambda name: words[name])
    return replace(passage, speaker=most, voices=tuple(merged) if len(merged) > 1 else ())


# ---------------------------------------------------------------- removing and restoring


def take_out(store: Store, recording: Recording) -> Removed:
    """Remove a recording from the archive. Return the values that restore it."""
    with store.snapshot() as snapshot:
        contents, metas = _load(snapshot, recording), _metas(snapshot, recording.id)
        removed = Removed(contents, snapshot.meta("model"), metas)
    remove_recording(store, recording.id)
    return removed


def remove_recording(store: Store, name: str) -> None:
    """Remove a recording by its id, with the feedback that cites it and the values kept for it."""
    if ledger := ledger_store(store):
        ledger.forget(name)
    for key in _metas(store, name):
        store.set_meta(key, None)
    store.remove(name)  # last, because this also overwrites what was deleted before


def _metas(snapshot: Snapshot, recording: str) -> dict[str, Any]:
    keys = [meta_key(kind, recording) for kind in (EDITS, SUMMARIES, SPEAKERS)]
    return {key: value for key in keys if (value := snapshot.meta(key)) is not None}


def put_back(store: Store, removed: Removed) -> Recording:
    """Restore a removed recording, without its vectors if the archive now has another model.

    Raises InputError if a recording with that id was added in the meantime.
    """
    recording = removed.recording
    if store.recording(recording.id) is not None:
        raise InputError(f"there is a recording {recording.id!r} again: it was added meanwhile")
    vectors = removed.contents.vectors if removed.model == store.meta("model") else None
    for key, value in removed.metas.items():
        store.set_meta(key, value)
    _write(store, replace(removed.contents, vectors=vectors))
    return recording


# ---------------------------------------------------------------- reading and writing


def _rewrite(store: Store, embedder: OpenEmbedder, before: Contents, after: Contents, edits: Edits) -> None:
    """Write a changed recording, and remember the changes.

    Speakers' names, and the title of a single passage, are a part of the embedded text. So the passages whose
    text changes are embedded anew.
    """
    old, new = (texts_to_embed(each.recording.details.title, each.passages) for each in (before, after))
    places = [at for at, text in enumerate(new) if text != old[at]]
    vectors = before.vectors
    model = embedder() if vectors is not None and places else None
    if vectors is not None and model is not None:
        vectors = vectors.copy()
        vectors[places] = model.embed([new[at] for at in places])
    name = before.recording.id
    remember_edits(store, name, edits_of(store, name).then(edits.details, edits.names))
    _write(store, replace(after, vectors=vectors))


def _load(snapshot: Snapshot, recording: Recording) -> Contents:
    """Return the contents of a recording. Raises NotFoundError if it is gone by now."""
    contents = load_contents(snapshot, recording.id, snapshot.without_vectors())
    if contents is None:
        raise NotFoundError(f"there is no recording {recording.id!r} any more")
    return contents


def _write(store: Store, contents: Contents) -> None:
    """Write a recording with its part of the graph, which also has the names of its people.

    Its passages have the same words as before, so relations that a model extracted from them stay.
    """
    knowledge = knowledge_of(contents.recording, contents.passages)
    replace(contents, knowledge=with_readings_of(knowledge, contents.knowledge)).write(store)
