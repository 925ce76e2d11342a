"""Passages around answers, mined negatives, and the composition of batches."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from batches import Batches, Mined, Tiles, around, cut, mine, mine_all, vectors
from data import Question, Sentence, Window, act_questions, load_material
from onrecord.models import open_embedder

WORDS = st.lists(st.integers(1, 60), min_size=1, max_size=40)


def window_of(key, words):
    sentences = (Sentence("", " ".join(["so"] * count)) for count in words)
    return Window(key, ("talks", key), tuple(sentences))


def question_of(window, sentences=()):
    return Question(window, "Why?", "en", "why", frozenset(sentences), tuple(sorted(sentences))[:1])


@given(WORDS, st.data(), st.integers(1, 200), st.integers(0, 100))
def test_a_run_is_around_its_sentence_and_fits(words, drawn, size, lead):
    """A run contains its sentence and stays within its size, unless the sentence and its lead are larger."""
    at = drawn.draw(st.integers(0, len(words) - 1))
    run = around(words, at, size, lead)
    assert at in run and run[0] >= 0 and run[-1] < len(words)
    assert sum(words[n] for n in run) <= max(size, words[at] + lead)


@given(WORDS, st.data(), st.integers(1, 200), st.integers(0, 100))
def test_a_run_is_as_long_as_it_may_be(words, drawn, size, lead):
    """A run stops only at the ends of the text or where the next sentence would not fit."""
    at = drawn.draw(st.integers(0, len(words) - 1))
    run = around(words, at, size, lead)
    total = sum(words[n] for n in run)
    assert run[-1] + 1 == len(words) or total + words[run[-1] + 1] > size
    assert run[0] == 0 or total + words[run[0] - 1] > size


def test_a_run_begins_before_its_sentence_as_its_lead_says():
    assert around([10] * 20, 10, 50, 0) == range(10, 15)
    assert around([10] * 20, 10, 50, 25) == range(8, 13)
    assert around([10] * 20, 19, 50, 0) == range(15, 20)


@given(WORDS, st.integers(1, 200))
def test_a_cut_has_every_sentence_once_in_parts_that_fit(words, size):
    parts = cut(words, size)
    assert [n for part in parts for n in part] == list(range(len(words)))
    assert all(len(part) == 1 or sum(words[n] for n in part) <= size for part in parts)


def test_nothing_is_cut_into_nothing():
    assert cut([], 130) == []


@given(st.lists(WORDS, min_size=1, max_size=5), st.data())
def test_what_is_mined_does_not_answer(lengths, drawn):
    """Mined tiles of the question's own window contain no marked sentence."""
    windows = {str(key): window_of(str(key), words) for key, words in enumerate(lengths)}
    tiles = Tiles.of(windows, 60)
    key = drawn.draw(st.sampled_from(sorted(windows)))
    marked = drawn.draw(st.sets(st.integers(0, len(windows[key].sentences) - 1)))
    scores = np.array(drawn.draw(st.permutations(range(len(tiles.places)))), np.float32)
    mined = mine(question_of(key, marked), scores, tiles, limit=3)
    assert all(tiles.places[n][0] == key and not marked.intersection(tiles.places[n][1]) for n in mined.own)
    assert all(tiles.places[n][0] != key for n in mined.other)
    assert len(mined.other) == min(3, sum(owner != key for owner, _ in tiles.places))


@given(st.lists(WORDS, min_size=2, max_size=5), st.data())
def test_the_nearest_are_mined_first(lengths, drawn):
    windows = {str(key): window_of(str(key), words) for key, words in enumerate(lengths)}
    tiles = Tiles.of(windows, 60)
    scores = np.array(drawn.draw(st.permutations(range(len(tiles.places)))), np.float32)
    mined = mine(question_of("0"), scores, tiles, limit=3)
    for numbers in (mined.own, mined.other):
        assert list(numbers) == sorted(numbers, key=lambda n: -scores[n])
    left = set(range(len(scores))) - set(tiles.of_window["0"]) - set(mined.other)
    assert all(scores[n] < scores[m] for n in left for m in mined.other)


def test_vectors_are_read_again(tmp_path):
    embedder = open_embedder("hashing")
    first = vectors(embedder, ["one", "two"], tmp_path / "cache")
    (file,) = (tmp_path / "cache").iterdir()
    np.save(file, first + 1)
    assert (vectors(embedder, ["one", "two"], tmp_path / "cache") == first + 1).all()
    assert (vectors(embedder, ["two", "one"], tmp_path / "cache") == first[::-1]).all()


@pytest.fixture
def material(small_data, small_labels):
    return load_material(small_data, labels=small_labels)


@pytest.fixture
def make(material):
    def batches(**options):
        tiles = Tiles.of(material.windows, 12)
        return Batches(material, tiles, mine_all(material, tiles, open_embedder("hashing"), None), **options)

    return batches


def drawn(batches, times):
    """Return the examples of several batches."""
    return [example for _ in range(times) for example in batches.draw()]


def test_a_batch_has_the_shares_of_its_mix(make):
    (batch,) = [make(mix={"questions": 2, "pairs": 1, "squad": 1, "claims": 1}, size=10).draw()]
    assert len(batch) == 10
    assert sum(example.claim for example in batch) == 2
    assert sum(example.text.startswith("And ") for example in batch) == 2
    assert sum(example.text == "When was it built?" for example in batch) == 2


def test_a_source_that_is_none_is_refused(make):
    with pytest.raises(ValueError, match="novels"):
        make(mix={"novels": 1})


def test_a_source_without_anything_is_left_out(material):
    tiles = Tiles.of(material.windows)
    empty = replace(material, claims=[], questions=[])
    assert {example.claim for example in drawn(Batches(empty, tiles, []), 5)} == {False}


def test_every_question_comes_once_before_any_comes_again(make, material):
    batches = make(mix={"questions": 1}, size=len(material.questions))
    for _ in range(3):
        assert sorted(e.text for e in batches.draw()) == sorted(q.text for q in material.questions)


def test_the_first_passage_of_an_answerable_question_holds_its_core(make):
    for example in drawn(make(mix={"questions": 1}), 30):
        if example.text == "How long does bread bake?":
            first, *others = example.passages
            assert "My bread takes forty minutes." in first.sentences[example.core]
            assert example.core in first.relevant and first.answers
            assert not any(other.answers or other.relevant for other in others)


def test_both_readers_cores_are_learnt(make):
    examples = [e for e in drawn(make(mix={"questions": 1}), 40) if e.text == "Why was the bakery sold?"]
    cores = {example.passages[0].sentences[example.core] for example in examples}
    assert cores == {"ann: We sold the bakery in May.", "The ovens were too old."}


def test_a_near_miss_has_passages_of_its_own_window_and_none_that_answers(make):
    for example in drawn(make(mix={"questions": 1}), 30):
        if example.text == "Who bought the bakery?":
            assert len(example.passages) == 3 and example.core is None
            assert not any(passage.answers or passage.relevant for passage in example.passages)


def test_a_claim_comes_with_the_sentences_it_rests_on(make):
    (example,) = make(mix={"claims": 1}, size=1).draw()
    (passage,) = example.passages
    assert example.claim and not passage.answers
    assert [passage.sentences[n] for n in passage.relevant] == ["The ovens were too old."]


def test_nobody_knows_which_sentence_of_a_pair_answers(make):
    (example,) = make(mix={"pairs": 1}, size=1).draw()
    first, *others = example.passages
    assert first.answers and first.relevant is None and example.core is None
    assert len(others) == 2 and not any(other.answers for other in others)


def test_two_passages_of_a_discussion_answer(make):
    for example in drawn(make(mix={"discussions": 1}, size=1), 20):
        assert [passage.answers for passage in example.passages] == [True, True, False, False]
        assert len({passage.sentences for passage in example.passages}) == 4


def test_a_question_for_an_act_comes_with_the_sentences_that_perform_it(make):
    kinds = act_questions()
    examples = drawn(make(mix={"acts": 1}, size=20), 5)
    performed = [example for example in examples if example.core is not None]
    assert {example.text for example in performed} <= set(kinds["complaint"])
    for example in performed:
        first, *others = example.passages
        assert first.sentences[example.core].endswith(("old.", "repair them."))
        assert first.answers and example.core in first.relevant
        assert not any(other.answers or other.relevant for other in others)
    for example in set(examples) - set(performed):
        assert example.text not in kinds["complaint"]
        assert example.passages and not any(passage.answers for passage in example.passages)


def test_the_same_seed_draws_the_same(make):
    assert drawn(make(seed=7), 3) == drawn(make(seed=7), 3)


def test_a_window_alone_has_nothing_mined_elsewhere():
    tiles = Tiles.of({"a": window_of("a", [10, 10])}, 10)
    assert mine(question_of("a", {0}), np.array([0.1, 0.2]), tiles) == Mined((1,), ())
