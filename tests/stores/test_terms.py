"""Terms of texts and queries: normalization, plurals, stop words and folding."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from onrecord.stores.words import fold, query_terms, singular, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Cars, the car.", "the car the car"),
        ("Économie, ÜBER, straße, ﬁne", "economy uber strass fine"),
        ("R2-D2 in Q3", "r2 d2 r2d2 in q3"),
        ("C++ or C#, but issue#5", "c c++ or c c# but issue 5"),
        ("don't say we’ll see O’Brien's", "don dont say we see brien obrien"),
        ("1,200 or 1.200.000; 3.5 or 3,5; 1,2,3", "1200 or 1200000 3.5 or 3.5 1 2 3 123"),
        ("the U.S., AT&T, a Q&A, e-mail", "the us at att a qa mail email"),
        ("l'avion de l’État", "avion lavion de etat letat"),
        ("2024-03-05", "2024 03 05 20240305"),
        ("東京タワー and 한국어", "東京 京タ タワ ワー and 한국어"),
        ("a word_with_underscores", "a word with underscore wordwithunderscore"),
        ("... !? \x00 \ud800", ""),
    ],
)
def test_terms(text, expected):
    assert " ".join(dict.fromkeys(terms(text))) == " ".join(dict.fromkeys(expected.split()))


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("car", "cars"),
        ("box", "boxes"),
        ("church", "churches"),
        ("cache", "caches"),
        ("house", "houses"),
        ("class", "classes"),
        ("movie", "movies"),
        ("company", "companies"),
        ("tie", "ties"),
        ("virus", "virus"),
        ("question", "questions"),
    ],
)
def test_singular_and_plural_are_one(one, many):
    assert singular(one) == singular(many)


@pytest.mark.parametrize(
    ("one", "other"), [("new", "news"), ("bu", "bus"), ("thi", "this"), ("clas", "class")]
)
def test_what_is_no_plural_stays_apart(one, other):
    assert singular(one) != singular(other)


def test_stop_words_are_not_asked_for_unless_there_is_nothing_else():
    assert query_terms(["What", "did", "the", "Kellys", "say", "about", "la", "banque?"]) == [
        "kelly",
        "banque",
    ]
    assert query_terms(["to", "be,", "to be"]) == ["to", "be"]
    assert query_terms([]) == []


@given(st.text())
@example("_#")
@example("objective-c++ _c# a.b#")
def test_terms_are_parted_by_nothing_but_spaces(text):
    for term in terms(text):
        assert term == term.strip()
        assert term.split() == [term]
        assert all(c.isalnum() or c in ".+#" for c in term if c.isascii())


@given(st.text())
def test_folding_again_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_terms_are_the_same_folded(text):
    assert terms(fold(text)) == terms(text)
