"""The texts that together cover the most frequent content."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from onrecord.retrieve.coverage import by_coverage, stem_weights

TEXTS = st.lists(st.frozensets(st.sampled_from("abcdefgh"), max_size=5), min_size=1, max_size=9)


@given(TEXTS, st.data())
def test_each_text_adds_most_to_those_before_it(texts: list[frozenset[str]], data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(1, 9), min_size=len(texts), max_size=len(texts)))
    weights, covered = stem_weights(texts), frozenset[str]()

    def gain(number: int) -> float:
        return sum(weights.get(stem, 0) for stem in texts[number] - covered) / sizes[number] ** 0.5

    chosen = list(by_coverage(texts, sizes, [1.0] * len(texts), weights))
    for number in chosen:
        assert gain(number) > 0
        assert all(gain(number) >= gain(other) - 1e-9 for other in range(len(texts)))
        covered |= texts[number]
    assert all(gain(number) <= 1e-9 for number in range(len(texts)))


def test_a_stem_of_several_texts_is_worth_something_and_one_of_a_single_text_only_where_all_are() -> None:
    weights = stem_weights([frozenset("ab"), frozenset("ac"), frozenset("d")])
    assert weights.keys() == {"a"} and weights["a"] > 0
    assert stem_weights([frozenset("ab"), frozenset("c")]) == {"a": 1.0, "b": 1.0, "c": 1.0}
