"""Compounds written as one word and as two."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.retrieve import Keyword, Search, Tools
from onrecord.retrieve.wording import parts, with_compounds, wording
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Evidence, Passage, Question, Recording, Scope

SENTENCES = (
    "Everything in my home lab runs on one old laptop.",
    "The homelabs of my friends are louder than mine, and my sourdough is flat.",
    "The lab stands far from home, and the lap of honour was run at the top of the hill.",
    "We baked bread, and a database fell over.",
)


@pytest.fixture(scope="module")
def store() -> MemoryStore:
    memory = MemoryStore()
    for name, talk in (("one", SENTENCES[:1]), ("others", SENTENCES[1:])):
        passages = [Passage(name, at, text, "Ann Bell") for at, text in enumerate(talk)]
        memory.add(Recording(name, f"{name}.vtt", "", "webvtt", Details(title=name)), passages)
    return memory


def texts_found(store: MemoryStore, words: str, names: tuple[str, ...] = ()) -> list[str]:
    evidence = Keyword()(Evidence(Question(words, Scope(recordings=names))), Tools(store))
    return [moment.text for moment in evidence.moments]


def test_two_words_find_what_is_written_in_one(store: MemoryStore) -> None:
    assert texts_found(store, "data base") == [SENTENCES[3]]
    assert SENTENCES[1] in texts_found(store, "home lab")


def test_one_word_finds_what_is_written_in_two(store: MemoryStore) -> None:
    assert texts_found(store, "oldlaptop") == [SENTENCES[0]]
    curve = Search()(Evidence(Question("homelab")), Tools(store)).curve
    assert curve is not None and (curve.score > 0).tolist() == [False, True, False, False]  # said as asked


def test_parts_are_those_that_are_said_side_by_side(store: MemoryStore) -> None:
    timeline = store.timeline()
    assert parts("homelab", timeline, store) == ("home", "lab")
    assert parts("laptop", timeline, store) is None  # lap and top are in one passage, far from each other
    assert parts("labhome", timeline, store) is None
    assert parts("zeppelin", timeline, store) is None
    assert parts("lab", timeline, store) is None


def test_nothing_is_made_of_small_words_and_numbers(store: MemoryStore) -> None:
    timeline = store.timeline()
    for text in ("in the home", "what about 42 home", ""):
        assert with_compounds(text, timeline, store) == [text]
    assert with_compounds("sourdough bread", timeline, store) == ["sourdough bread", "sourdoughbread"]


def test_what_is_said_in_two_words_is_not_called_unheard(store: MemoryStore) -> None:
    alone = store.timeline(Scope(recordings=("one",)))
    words = wording("homelab", alone, store)
    assert words.absent == () and words.coverage(SENTENCES[0]) == 1
    assert wording("zeppelin", alone, store).absent == ("zeppelin",)


@given(st.text(max_size=80))
def test_any_text_may_be_asked(text: str) -> None:
    store = MemoryStore()
    store.add(Recording("r", "r.vtt", "", "webvtt", Details()), [Passage("r", 0, SENTENCES[0])])
    assert all(isinstance(compound, str) for compound in with_compounds(text, store.timeline(), store))
