"""Gold places: from times, quoted words and speakers to the gold words of an archive."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import onrecord
from onrecord.archive import Archive
from onrecord.errors import InputError
from onrecord.evaluate.places import Gold, Places, SpokenWords
from onrecord.evaluate.questions import EvalQuestion, Place
from onrecord.types import Citation, Passage

CALL = """\
WEBVTT

00:00:00.000 --> 00:00:04.000
<v Ann Bell>Why did the margins fall?

00:00:04.000 --> 00:00:08.000
<v Bob Roux>Freight, dear Ann: "freight" rose.

00:00:08.000 --> 00:00:10.000
<v Ann Bell>And freight rose again?
"""


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Archive:
    monkeypatch.setenv("ONRECORD_EMBEDDING__MODEL", "hashing")
    (tmp_path / "call.vtt").write_text(CALL)
    (tmp_path / "note.txt").write_text("Ann Bell: Freight rose. Nobody knows when.\n")
    archive = onrecord.open(tmp_path / "onrecord.db")
    archive.add(tmp_path / "call.vtt", tmp_path / "note.txt")
    return archive


def gold(archive: Archive, *places: Place) -> Gold:
    return Places(archive).gold(EvalQuestion("q", "Why?", gold=places))


def words(archive: Archive, gold_passages: Gold) -> list[str]:
    """Return the gold words of each recording as one text."""
    texts = []
    for name in gold_passages.recordings:
        spoken = " ".join(p.text for p in archive.transcript(name)).split()
        texts.append(
            " ".join(word for word, is_gold in zip(spoken, gold_passages.mask(name), strict=True) if is_gold)
        )
    return texts


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (Place("call", 4.0, 8.0), ['Freight, dear Ann: "freight" rose. And']),
        (Place("call", 0.0, 60.0, speaker="bob"), ['Freight, dear Ann: "freight" rose.']),
        (Place("call", speaker="Roux"), ['Freight, dear Ann: "freight" rose.']),
        (Place("call", words="FREIGHT rose"), ['"freight" rose. freight rose']),
        (Place("call", start=9.0, words="freight rose"), ["freight rose"]),
        (Place("call", words="freight rose", speaker="Ann"), ["freight rose"]),
        (Place("note", words="Freight — rose!"), ["Freight rose."]),
        (Place("note"), ["Freight rose. Nobody knows when."]),
    ],
)
def test_places_by_time_words_and_speaker(archive: Archive, place: Place, expected: list[str]) -> None:
    assert words(archive, gold(archive, place)) == expected


def test_words_without_a_recording_are_looked_for_everywhere(archive: Archive) -> None:
    places = gold(archive, Place(words="freight rose"))
    assert len(places.recordings) == 2 and len(places.places) == 3 and places.words == 6
    # The two places overlap; each word counts once.
    assert gold(archive, Place("call", words="freight rose"), Place("call", 6.0, 8.0)).words < 9


@pytest.mark.parametrize(
    ("place", "says"),
    [
        (Place("cal", 0.0, 1.0, where="q.yaml, line 2"), None),
        (Place("kall", where="q.yaml, line 2"), "q.yaml, line 2: no recording 'kall'.*did you mean"),
        (Place("call", words="freight fell"), "'freight fell' is not said in call; give words as"),
        (Place(words="freight fell", speaker="Bob"), "'freight fell' is not said by Bob in this archive"),
        (Place("call", 60.0, 70.0), "ends at 0:10, before 1:00"),
        (Place("call", 4.5, 8.0, speaker="Zoe"), "nothing is said by Zoe between 0:04 and 0:08 in call"),
        (Place("note", 0.0, 5.0), "Note has no times; name the words"),
        (Place("call", speaker="Zoe"), "nothing is said by Zoe in call"),
    ],
)
def test_what_is_not_there_is_reported(archive: Archive, place: Place, says: str | None) -> None:
    if says is None:
        assert gold(archive, place).words == 2  # the first letters of an id identify the recording
        return
    with pytest.raises(InputError, match=says):
        gold(archive, place)


def test_a_citation_is_gold_where_half_of_it_or_of_a_place_is_shared(archive: Archive) -> None:
    places = gold(archive, Place("call", words="Freight, dear Ann"))
    recording = archive.find("call")
    passages = tuple(archive.transcript(recording.id))

    def holds(quote: str, name: str = "call") -> bool:
        where = archive.find(name)
        return places.holds(Citation(1, where, quote, passages, None, 0.0, None, None, 1.0))

    assert holds('Freight, dear Ann: "freight" rose.')
    assert holds('Why did the margins fall? [...] dear Ann: "freight" rose.')
    assert not holds("Why did the margins fall?")
    assert not holds("these words are not there")
    assert not holds("Freight rose.", "note")


@given(st.lists(st.integers(1, 40), min_size=1, max_size=8), st.data())
def test_every_place_has_a_relevant_passage_and_no_passage_beyond_it(
    sizes: list[int], data: st.DataObject
) -> None:
    """Each gold place has at least one relevant passage, and every relevant passage shares words with it."""
    talk = SpokenWords([Passage("r", at, " ".join(["word"] * size)) for at, size in enumerate(sizes)])
    first = data.draw(st.integers(0, len(talk) - 1))
    last = data.draw(st.integers(first, len(talk) - 1))
    mask = np.zeros(len(talk), bool)
    mask[first : last + 1] = True
    relevant = Gold({"r": talk}, (("r", mask),)).relevant()
    touched = {f"r:{at}" for at in range(len(sizes)) if mask[talk.begins[at] : talk.begins[at + 1]].any()}
    assert relevant and relevant.keys() <= touched


def test_words_are_found_whole_and_in_order() -> None:
    talk = SpokenWords([Passage("r", 0, "The cart — a art: the car, the cart."), Passage("r", 1, "Art !")])
    assert [mask.nonzero()[0].tolist() for mask in talk.find("the cart")] == [[0, 1], [7, 8]]
    assert [mask.nonzero()[0].tolist() for mask in talk.find("cart art")] == [[8, 9]]
    assert [mask.nonzero()[0].tolist() for mask in talk.find("cart a ART")] == [[1, 2, 3, 4]]
    assert talk.find("?!") == talk.find("") == talk.find("carts") == []
    assert len(talk) == 11 and np.isnan(talk.seconds).all()
