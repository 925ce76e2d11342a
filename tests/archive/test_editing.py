"""Edits of recordings by users: details, names of speakers, removal and restoration."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import onrecord
from onrecord.archive.editing import rename
from onrecord.errors import InputError, NotFoundError
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Passage, Recording, Scope

TALK = """---
title: Freight
date: 2024-03-05
guest: Bo Diaz
show: Harbour
---

Ann: Why did freight cost so much that year, and who had to pay for it in the end?

Bo Diaz: Containers were short, so every boat was dear, and the shops had to pay.

Speaker 1: I paid for mine.
"""
OTHER = "Ann: The harvest was late.\n\nSpeaker 1: It was late because of the rain.\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "talk.md").write_text(TALK)
    (tmp_path / "other.txt").write_text(OTHER)
    return tmp_path


@pytest.fixture
def archive(folder):
    with onrecord.open(folder / "talks.db", embedding={"model": "hashing"}) as opened:
        opened.add(folder / "talk.md", folder / "other.txt")
        yield opened


def state(archive):
    """Return everything that is stored of each recording, except row numbers."""
    state_by_table = {}
    for recording in archive.recordings():
        with archive.store.snapshot() as reader:
            passages = reader.transcript(recording.id)
            vectors = reader.vectors([p.row for p in passages]).round(3).tolist()
            plain = [(p.text, p.speaker, p.voices, p.start, p.importance, p.section) for p in passages]
            state_by_table[recording.id] = (recording, plain, vectors, reader.sections(recording.id))
    return state_by_table


# ---------------------------------------------------------------- details


def test_details_change_and_nothing_else_does(archive):
    talk = archive.find("Freight")
    before = state(archive)
    new = {
        "title": "Dear boats",
        "people": "Ann Lee; Bo Diaz",
        "tags": "freight; boats",
        "date": "",
        "show": "",
    }
    changed = archive.edit("Freight", new)
    assert archive.find(talk.id) == changed and changed.title == "Dear boats"
    details = changed.details
    assert (details.date, details.people) == (None, ("Ann Lee", "Bo Diaz"))
    assert details.attributes == {"guest": "Bo Diaz", "tags": "freight; boats"}
    after = state(archive)
    assert [after[talk.id][at] for at in (1, 3)] == [before[talk.id][at] for at in (1, 3)]
    assert [r.id for r in archive.recordings(Scope(attributes={"Tags": "Boats"}))] == [talk.id]


def test_a_new_guest_is_one_of_the_people_and_takes_the_place_of_the_one_before(archive):
    other = archive.recordings()[0].id
    assert archive.edit(other, {"guest": "Cy Moe", "host": "Ida Roe"}).details.people[-2:] == (
        "Cy Moe",
        "Ida Roe",
    )
    assert "Cy Moe" not in archive.edit(other, {"guest": "Ida Roe"}).details.people
    assert "Ida Roe" in archive.edit(other, {"guest": ""}).details.people
    assert "Ida Roe" not in archive.edit(other, {"host": ""}).details.people


def test_an_attribute_that_names_somebody_does_not_replace_the_people(archive):
    archive.edit("Freight", {"people": "Ann Lee; Bo Diaz"})
    assert archive.edit("Freight", {"host": "Ann Lee"}).details.people == ("Ann Lee", "Bo Diaz")


def test_changes_hold_when_the_source_is_read_again(archive, folder):
    archive.edit("Freight", {"title": "Dear boats", "link": "https://example.org/a"})
    archive.rename("Ann", "Ann Lee")
    archive.rename("Ann Lee", "Ann Leigh")
    (folder / "talk.md").write_text(TALK.replace("dear", "very dear"))
    (changed,) = archive.add(folder / "talk.md").changed
    assert changed.title == "Dear boats" and changed.details.link == "https://example.org/a"
    assert changed.speakers == ("Ann Leigh", "Bo Diaz", "Speaker 1")
    archive.remove(changed.id)
    (fresh,) = archive.add(folder / "talk.md").added
    assert fresh.title == "Freight" and fresh.speakers[0] == "Ann", "what was removed is forgotten"


@pytest.mark.parametrize(
    ("details", "message"),
    [
        ({}, "name what is to be changed"),
        ({" ": "x"}, "name what is to be changed"),
        ({"date": "someday"}, "date=someday"),
        ({"link": "javascript:alert(1)"}, "an address that begins with https://"),
        ({"language": "klingonish"}, "a language code"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(archive, details, message):
    before = state(archive)
    with pytest.raises(InputError, match=message):
        archive.edit("Freight", details)
    assert state(archive) == before


# ---------------------------------------------------------------- speakers


def test_a_speaker_is_renamed_everywhere(archive):
    changed = archive.rename("ann", "  Ann   Leigh ")
    assert sorted(r.title for r in changed) == ["Freight", "Other"]
    assert all("Ann Leigh" in r.speakers and "Ann" not in r.speakers for r in archive.recordings())
    assert archive.search("Leigh", "direct").moments, "the word index has the new name"
    timeline = archive.store.timeline(Scope(speakers=("Leigh",)))
    assert len(timeline.recordings) == 2


def test_the_guest_is_named_by_the_new_name_and_the_show_keeps_its_own(archive):
    """A renamed speaker is renamed as guest and in the people, but a show of the same name is not."""
    archive.edit("Freight", {"show": "Bo Diaz", "people": "Ann; Bo Diaz"})
    (talk,) = archive.rename("Bo Diaz", "Bo Díaz")
    assert talk.details.attributes == {"guest": "Bo Díaz", "show": "Bo Diaz"}
    assert talk.details.people == ("Ann", "Bo Díaz")


def test_a_label_of_a_recognizer_is_renamed_in_one_recording(archive):
    (changed,) = archive.rename("Speaker 1", "Zoe", "Other")  # one title is not its letters
    assert changed.title == "Other" and set(changed.speakers) == {"Ann", "Zoe"}
    assert "Speaker 1" in archive.find("Freight").speakers


def test_a_label_that_names_nobody_is_not_renamed_in_several_recordings_at_once(archive):
    with pytest.raises(InputError, match="another person in each of 2 recordings"):
        archive.rename("speaker 1", "Zoe")
    assert all("Zoe" not in recording.speakers for recording in archive.recordings())
    assert len(archive.rename("Speaker 1", "Zoe", ["Freight", "Other"])) == 2


def test_a_label_of_a_single_recording_is_renamed_without_naming_it(archive):
    archive.rename("Speaker 1", "Zoe", ["Other"])
    (changed,) = archive.rename("Speaker 1", "Yan")
    assert changed.title == "Freight"


def test_two_names_become_one_person(archive):
    archive.rename("Speaker 1", "Bo Diaz", ["Freight"])
    talk = archive.find("Freight")
    assert talk.speakers == ("Ann", "Bo Diaz")
    (passage,) = archive.transcript(talk.id)
    assert [name for _, name in passage.voices] == ["Ann", "Bo Diaz"]


def test_what_changed_is_embedded_anew(archive, folder):
    """After changes of names and titles, the vectors are those of a new embedding."""
    (folder / "long.md").write_text(f"# Long\n\n{TALK[TALK.index('Ann:') :] * 12}")
    archive.add(folder / "long.md")
    before = state(archive)
    archive.rename("Ann", "Ann Leigh", ["Freight", "Long"])
    renamed = state(archive)
    for name, (_, _, vectors, _) in renamed.items():
        assert (vectors == before[name][2]) == name.startswith("other")
    archive.edit("Long", {"title": "Longer", "show": "Quay"})
    assert state(archive)[archive.find("Longer").id][2] == renamed[archive.find("Longer").id][2]
    archive.edit("Freight", {"title": "Prices at sea"})
    edited = {name: vectors for name, (_, _, vectors, _) in state(archive).items()}
    archive.embed(again=True)
    for name, (_, _, vectors, _) in state(archive).items():
        assert np.allclose(vectors, edited[name], atol=2e-3)


@pytest.mark.parametrize(
    ("old", "new", "error", "message"),
    [
        ("Anne", "Ann Lee", NotFoundError, "did you mean 'Ann'"),
        ("Ann", " ", InputError, "1 to 200 characters"),
        ("Ann", "x" * 201, InputError, "1 to 200 characters"),
        ("Ann", "Ann", InputError, "already"),
    ],
)
def test_a_name_that_cannot_be_is_refused(archive, old, new, error, message):
    with pytest.raises(error, match=message):
        archive.rename(old, new)


NAMES = st.sampled_from(["Ann", "Bo", "Cy", None])


@given(st.lists(st.tuples(NAMES, st.integers(1, 5)), min_size=1, max_size=6), st.sampled_from(["Bo", "Dee"]))
def test_whoever_speaks_speaks_on(turns, new):
    """After a rename, every word belongs to the same person under the new name.

    No two neighboring voices are the same speaker.
    """
    text, voices, speakers = "", [], []
    for speaker, words in turns:
        voices.append((len(text) + 1 if text else 0, speaker))
        text = f"{text} {'word ' * words}".strip()
        speakers += [speaker] * words
    voices = [v for at, v in enumerate(voices) if at == 0 or voices[at - 1][1] != v[1]]
    passage = Passage(
        "r", 0, text, max(speakers, key=speakers.count), voices=tuple(voices) if len(voices) > 1 else ()
    )
    store = MemoryStore()
    recording = Recording("r", "r.txt", "0", "plain", Details()).counted([passage])
    store.add(recording, [passage])
    if "Ann" not in recording.speakers:
        return
    rename(store, lambda: None, "Ann", new, store.recordings())
    (after,) = store.transcript("r")
    starts = [0, *(at + 1 for at, c in enumerate(text) if c == " ")]
    expected = [new if name == "Ann" else name for name in speakers]
    assert [after.speaker_at(at) for at in starts] == expected
    assert expected.count(after.speaker) == max(map(expected.count, expected))
    assert all(a[1] != b[1] for a, b in zip(after.voices, after.voices[1:], strict=False))


def test_the_graph_knows_what_was_changed(archive):
    archive.rename("Ann", "Ann Leigh")
    archive.edit("Freight", {"title": "Dear boats"})
    archive.put_back(archive.take_out("Dear boats"))
    assert archive.graph.missing == 0
    voices = {voice.speaker for voice in archive.graph.about("freight").voices}
    assert voices == {"Ann Leigh"}


# ---------------------------------------------------------------- removal and restoration


def test_what_was_taken_out_comes_back_as_it_was(archive, folder):
    archive.rename("Ann", "Ann Leigh")
    before = state(archive)
    removed = archive.take_out("Freight")
    assert [r.title for r in archive.recordings()] == ["Other"]
    assert archive.put_back(removed).title == "Freight"
    assert state(archive) == before
    with pytest.raises(InputError, match="added meanwhile"):
        archive.put_back(removed)
    (folder / "talk.md").write_text(TALK.replace("dear", "very dear"))
    assert archive.add(folder / "talk.md").changed[0].speakers[0] == "Ann Leigh", "what was changed holds"


def test_vectors_of_another_model_do_not_come_back(archive):
    removed = archive.take_out("Freight")
    archive.store.set_meta("model", {"name": "another"})
    archive.put_back(removed)
    assert archive.store.without_vectors() == [removed.recording.id]
