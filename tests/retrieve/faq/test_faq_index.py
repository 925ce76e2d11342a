"""Stage one: each part compared with a plain implementation, and all parts together on hand-made vectors."""

from collections import Counter
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onrecord.models.base import Calibration
from onrecord.models.double import HashingEmbedder
from onrecord.retrieve.faq import index as nearest_module
from onrecord.retrieve.faq.index import Classes, FaqIndex, Match, NearestEntries, Scale
from onrecord.retrieve.faq.text import Grams, Spelling
from onrecord.types import FaqEntry

EMBEDDER = HashingEmbedder()


def unit(rows: int, dimensions: int, seed: int = 0) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(size=(rows, dimensions)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


# ---------------------------------------------------------------- character n-grams


def grams_of(text: str) -> Counter[str]:
    words = [f" {word} " for word in text.split()]
    return Counter(w[i : i + n] for w in words for n in (2, 3, 4) for i in range(len(w) - n + 1))


def plain_likeness(texts: list[str], asked: str) -> list[float]:
    counted = [grams_of(text) for text in texts]
    times = sum(counted, Counter())
    idf = {gram: log((1 + len(texts)) / (1 + min(count, len(texts)))) + 1 for gram, count in times.items()}

    def weights(grams: Counter[str]) -> dict[str, float]:
        return {gram: n * idf.get(gram, log(1 + len(texts)) + 1) for gram, n in grams.items()}

    def product(one: dict[str, float], other: dict[str, float]) -> float:
        return sum(weight * other.get(gram, 0.0) for gram, weight in one.items())

    query = weights(grams_of(asked))
    scores = []
    for grams in counted:
        row = weights(grams)
        norm = (product(query, query) * sum(n * idf[g] ** 2 for g, n in grams.items())) ** 0.5
        scores.append(min(product(query, row) / norm, 1.0) if norm else 0.0)
    return scores


CORPUS = ["reset my password", "password password", "opening hours", "a b", "5 é", "", "日本語"]


@pytest.mark.parametrize("asked", [*CORPUS, "resett my pasword", "hours hours of opening", "b", "nothing"])
@pytest.mark.parametrize("texts", [CORPUS, CORPUS[:1], CORPUS[3:]], ids=len)
def test_letters_as_in_a_plain_implementation(texts: list[str], asked: str) -> None:
    got = Grams(texts).likeness(asked, np.arange(len(texts)))
    assert got == pytest.approx(plain_likeness(texts, asked), abs=1e-5)


def test_letters_see_through_misspelling() -> None:
    grams = Grams(["reset my password", "opening hours", "", "日本語"])
    likeness = grams.likeness("resett my pasword", np.array([2, 0, 1]))
    assert likeness[1] > 0.6 > 0.1 > likeness[2] >= likeness[0] == 0
    assert grams.likeness("", np.arange(4)).tolist() == [0, 0, 0, 0]


# ---------------------------------------------------------------- the classifier


def test_classes_as_in_a_plain_implementation() -> None:
    vectors = unit(60, 8)
    owners = np.repeat(np.arange(12), 5)
    means = np.stack([vectors[owners == e].mean(0) for e in range(12)]).astype(np.float64)
    common = means.sum(0) / (12 + 20)
    within = sum(np.outer(v - means[e], v - means[e]) for v, e in zip(vectors, owners, strict=True)) / 48
    shrunk = 48 / 56 * within + 8 / 56 * (1 - common @ common) / 8 * np.eye(8)
    inverse = np.linalg.inv(shrunk)
    asked = vectors[7] - common

    def angle(one: np.ndarray, other: np.ndarray) -> float:
        return one @ inverse @ other / ((one @ inverse @ one) * (other @ inverse @ other)) ** 0.5

    expected = [angle(asked, means[e] - common) for e in (3, 0, 11)]
    got = Classes(vectors, owners, 12).cosines(vectors[7], np.array([3, 0, 11]))
    assert got == pytest.approx(expected, abs=1e-4)


def test_classes_without_variants_are_centred_cosines() -> None:
    vectors = unit(3, 4)
    common = vectors.sum(0) / 23
    centred = vectors - common
    expected = centred @ centred[0] / (np.linalg.norm(centred, axis=1) * np.linalg.norm(centred[0]))
    got = Classes(vectors, np.arange(3), 3).cosines(vectors[0], np.arange(3))
    assert got == pytest.approx(expected, abs=1e-4)


# ---------------------------------------------------------------- the nearest


def test_the_nearest_by_a_rough_look_are_those_by_a_full_one(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = unit(3000, 64) + 0.3 * unit(1, 64, seed=1)
    vectors *= np.linspace(2, 0.1, 64, dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    owners = np.repeat(np.arange(600), 5)
    full = NearestEntries(vectors, owners)
    monkeypatch.setattr(nearest_module, "FEW", 100)
    monkeypatch.setattr(nearest_module, "HEAD", 32)
    rough = NearestEntries(vectors, owners)
    for vector in vectors[::300] + 0.02 * unit(10, 64, seed=2):
        assert rough.entries(vector, 10).tolist() == full.entries(vector, 10).tolist()


@given(st.integers(1, 30), st.integers(1, 40), st.integers(0, 5))
def test_best_variant_counts(entries: int, count: int, seed: int) -> None:
    sizes = np.random.default_rng(seed).integers(1, 4, entries)
    owners = np.repeat(np.arange(entries), sizes)
    vectors = unit(len(owners), 6, seed)
    best = [max(float(v @ vectors[0]) for v in vectors[owners == e]) for e in range(entries)]
    expected = sorted(range(entries), key=lambda e: -best[e])[:count]
    assert NearestEntries(vectors, owners).entries(vectors[0], count).tolist() == expected


# ---------------------------------------------------------------- spelling


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("Please cancle my ordr", "Please cancel my order"),
        ("cancell the order", "cancel the order"),
        ("Cancal order", "cancel order"),
        ("cancel my order", "cancel my order"),
        ("bancel my order", "bancel my order"),
        ("cnceal my order", "cnceal my order"),
        ("odr or ordrs2", "odr or ordrs2"),
        ("the 2024 order", "the 2024 order"),
    ],
)
def test_misspelt_words_give_way_to_known_ones(asked: str, expected: str) -> None:
    spelling = Spelling(["please cancel my order", "cancel the order", "orders of 2023"])
    assert spelling.correct(asked) == expected


# ---------------------------------------------------------------- together


def index(*entries: FaqEntry) -> FaqIndex:
    return FaqIndex(entries, EMBEDDER.embed([w for e in entries for w in e.wordings]), Scale.of(EMBEDDER))


def entry(name: str, question: str, *variants: str) -> FaqEntry:
    return FaqEntry(name, question, f"answer of {name}", variants)


def match(faq: FaqIndex, question: str) -> tuple[Match, ...]:
    return faq.match(EMBEDDER.embed_query(question), question)


PASSWORD = entry("password", "How can I reset the password?", "password forgotten", "change my password")
HOURS = entry("hours", "When does your shop open?", "opening hours of the shop")
DELETE = entry("delete", "How can I delete the account?", "close account")
FAQ = index(PASSWORD, HOURS, DELETE)


def test_the_entry_meant_comes_first_and_sure() -> None:
    matches = match(FAQ, "password forgotten")
    assert matches[0].entry.id == "password"
    assert matches[0].score > 0.9 > 0.1 > matches[1].score
    assert matches[0].lead > 0 > matches[1].lead
    assert [m.score for m in matches] == sorted((m.score for m in matches), reverse=True)


def test_what_no_entry_speaks_of_has_a_low_score() -> None:
    assert match(FAQ, "Which bands played yesterday evening?")[0].score < 0.1


def test_two_that_fit_alike_are_less_sure_than_one() -> None:
    twice = index(PASSWORD, entry("twin", "Password forgotten!"), HOURS)
    assert match(FAQ, "password forgotten")[0].score > 0.9
    assert [m.score < 0.9 for m in match(twice, "password forgotten")[:2]] == [True, True]
    same = index(entry("one", "Password forgotten!"), entry("two", "Password forgotten?"), HOURS)
    assert [m.score for m in match(same, "password forgotten")][:2] == pytest.approx([0.5, 0.5], abs=0.01)


def test_a_negation_that_the_entry_does_not_have_makes_less_sure() -> None:
    """The stand-in ignores words of three letters, so "not" changes only the negation penalty."""
    affirmed, negated = entry("join", "Joining contests"), entry("join", "Not joining contests")
    question, its_negation = "will joining fail tomorrow", "not joining fail tomorrow"
    losses = [
        match(index(one, HOURS), question)[0].score - match(index(one, HOURS), its_negation)[0].score
        for one in (affirmed, negated)
    ]
    assert losses[0] > 0.05 > losses[1]


def test_few_entries_and_none() -> None:
    assert match(FaqIndex((), np.zeros((0, 0), np.float32), Scale()), "anything") == ()
    alone = match(index(PASSWORD), "password forgotten")
    assert len(alone) == 1 and alone[0].score > 0.9
    assert match(index(PASSWORD), "Which bands played yesterday?")[0].score < 0.1


@settings(max_examples=30)
@given(st.text(max_size=40))
def test_any_question_has_scores(question: str) -> None:
    matches = match(FAQ, question)
    assert len(matches) == 3
    assert all(0 <= m.score <= 1 for m in matches)


def test_a_scale_keeps_order_and_maps_a_models_own_points() -> None:
    class Other(HashingEmbedder):
        name = "other"
        calibration = Calibration(floor=0.5, sure=0.7)

    scale = Scale.of(Other())
    assert scale.cosines(np.array([-1, 0.5, 0.7, 1], np.float32)) == pytest.approx([-1, 0.3, 0.6, 1])
    rising = scale.cosines(np.linspace(-1, 1, 50, dtype=np.float32))
    assert (np.diff(rising) > 0).all()
    assert (np.diff(scale.chances(rising, np.zeros(50, np.float32))) > 0).all()
    assert (np.diff(scale.chances(np.ones(50, np.float32), rising / 10)) > 0).all()
