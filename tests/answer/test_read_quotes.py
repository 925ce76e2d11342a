"""Quotes and verdicts by a trained reader, with a stand-in for it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from talks import add, talks, tools

from onrecord.answer.extract import Extractive
from onrecord.answer.judging import Judged, QuoteChooser, judge
from onrecord.answer.talk import Talk
from onrecord.errors import ModelError
from onrecord.models.base import Reading
from onrecord.models.double import OverlapReader
from onrecord.retrieve import Moments, Search
from onrecord.types import Evidence, Moment, Passage, Question

ASKED = "Why did gross margin fall to twenty-six percent?"


class Fixed:
    """A reader that gives one sentence the given log-odds, and all others negligible ones."""

    name = fingerprint = "fixed"

    def __init__(self, words: str, odds: float) -> None:
        self._words, self._odds = words, odds

    def read(self, question, passages):
        return [self._reading(sentences) for sentences in passages]

    def _reading(self, sentences):
        core = np.array([self._odds if self._words in s else -9.0 for s in sentences], np.float32)
        return Reading(core, (core > -9).astype(np.float32))


class Broken(OverlapReader):
    def read(self, question, passages):
        raise ModelError("out of order")


def answered(reader, question=ASKED, **settings):
    work = replace(tools(talks()), reader=reader)
    evidence = (Search() >> Moments(words=400))(Evidence(Question(question)), work)
    return Extractive(**settings).answer(evidence, work)


def test_the_sentence_that_the_reader_points_at_is_quoted_first():
    answer = answered(Fixed("Freight doubled", 40.0))
    assert answer.verdict == "answered" and answer.confidence > 0.9
    assert "Freight doubled in August." in answer.citations[0].quote


def test_an_answer_that_is_unlikely_is_not_headed_as_one():
    answer = answered(Fixed("Freight doubled", -4.0))
    assert answer.verdict == "low_relevance" and answer.confidence < 0.2
    assert len(answer.citations) <= 3


def test_the_setting_says_from_where_on_it_is_an_answer():
    reader = Fixed("Three points", 1.5)
    sure = answered(reader).confidence
    assert answered(reader, answered=sure - 0.01).verdict == "answered"
    assert answered(reader, answered=sure + 0.01).verdict == "low_relevance"


def test_who_speaks_of_a_thing_does_not_speak_of_their_own():
    reader = Fixed("sold the warehouse", 1.0)
    assert answered(reader, "What about the warehouse?", answered=0.4).verdict == "answered"
    assert answered(reader, "What about Bo Lund's warehouse?", answered=0.4).verdict == "low_relevance"


def test_who_repeats_the_words_of_a_question_need_not_answer_it():
    answer = answered(Fixed("sold the warehouse", -3.0), "How many people sold the warehouse?", answered=0.3)
    assert answer.verdict == "low_relevance" and answer.citations[0].quote.startswith("I would have sold")


def test_an_answer_beside_a_word_that_nobody_says_is_not_of_the_kind_that_was_measured():
    reader = Fixed("Freight doubled", 40.0)
    assert answered(reader).measured
    beside = answered(reader, "Why did gross margin fall to twenty-six percent in Lisbon?")
    assert beside.verdict == "answered" and not beside.measured


def test_what_nobody_speaks_of_is_not_answered_however_sure_the_reader_is():
    answer = answered(Fixed("Freight doubled", 40.0), "Which vaccines protect zebras?")
    assert answer.verdict == "low_relevance" and answer.confidence < 0.11
    assert answer.citations and len(answer.citations) <= 3


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Which better help and other new place did the warehouse make possible?", "low_relevance"),
        ("Which better help and other new place did the yacht make possible?", "nothing_found"),
    ],
)
def test_a_subject_that_is_said_is_shown_however_unsure_the_answer_is(question, verdict):
    answer = answered(Fixed("sold the warehouse", -3.0), question)
    assert answer.verdict == verdict and answer.confidence < 0.11
    assert [citation.speaker for citation in answer.citations] == ["Bo Lund"] * (verdict == "low_relevance")


def test_without_a_reader_or_with_a_broken_one_words_and_vectors_choose():
    plain, broken = answered(None), answered(Broken())
    assert plain.citations and [c.quote for c in broken.citations] == [c.quote for c in plain.citations]


def talk_of(*sentences: str) -> tuple[Evidence, Talk]:
    work = tools(talks())
    spoken = Passage("r", 0, " ".join(sentences), "Ann")
    evidence = Evidence(Question(ASKED), (Moment((spoken,), 1.0),))
    return evidence, Talk(evidence, 1, work.store)


@given(st.lists(st.floats(-20, 20), min_size=3, max_size=3))
def test_chances_of_all_sentences_and_of_none_add_up_to_one(odds):
    evidence, talk = talk_of("The tariff came in June.", "It took three points.", "Dealers did not mind it.")

    class Given:
        name = fingerprint = "given"

        def read(self, question, passages):
            return [Reading(np.array(odds, np.float32), np.zeros(3, np.float32)) for _ in passages]

    judged = judge(ASKED, evidence, talk, Given(), tools(talks()))
    assert 0 <= judged.answered <= 1 + 1e-5
    assert judged.chance[np.argmax(odds)] == pytest.approx(judged.chance.max())


SENTENCES = [f"Number {n} was about freight and the tariff on frame {n}." for n in range(8)]
chances = st.lists(st.floats(0, 1).map(lambda chance: round(chance, 3)), min_size=8, max_size=8)


@given(chances, chances, st.integers(1, 5), st.integers(15, 120))
def test_quotes_keep_to_their_limits_and_say_nothing_twice(chance, relevant, quotes, words):
    _, talk = talk_of(*SENTENCES)
    whole = sum(chance) + 1
    judged = Judged(np.array(chance, np.float32) / whole, np.array(relevant, np.float32))
    chosen = QuoteChooser(quotes=quotes, words=words).choose(judged, talk).quotes
    assert len(chosen) <= quotes
    assert sum(quote.words for quote in chosen) <= max(words, 11)
    spoken = [(s.passage.position, s.begin) for quote in chosen for s in quote.sentences]
    assert len(spoken) == len(set(spoken))
    if max(chance) > 0:
        best = int(np.argmax(judged.chance))
        assert any(s.begin == talk.sentences[best].begin for s in chosen[0].sentences)


@pytest.mark.parametrize(
    ("language", "heading"), [("en", "Quai answers this."), ("fr", "Quai may answer this.")]
)
def test_an_answer_in_a_language_that_the_reader_does_not_read_is_never_sure(language, heading):
    store = talks()
    add(store, "quai", [("Ida Moe", "Le phare de Brenne compte douze lampes.")], language=language)
    work = replace(tools(store), reader=Fixed("douze lampes", 40.0))
    evidence = (Search() >> Moments(words=400))(Evidence(Question("lampes du phare de Brenne")), work)
    assert Extractive().answer(evidence, work).heading == heading


def test_a_neighbour_that_is_needed_is_quoted_with_the_answer():
    _, talk = talk_of(
        "The tariff on frames came in June.", "It took three points of margin.", "We went home."
    )
    judged = Judged(np.array([0.05, 0.8, 0.0], np.float32), np.array([0.9, 0.9, 0.0], np.float32))
    (quote, *_) = QuoteChooser(shortest=5).choose(judged, talk).quotes
    assert quote.text == "The tariff on frames came in June. It took three points of margin."


def test_a_neighbour_that_answers_nearly_as_likely_joins_the_quote():
    _, talk = talk_of("Three things at once.", "The tariff on frames came in June.", "We went home.")
    judged = Judged(np.array([0.3, 0.5, 0.01], np.float32), np.array([0.05, 0.9, 0.0], np.float32))
    chosen = QuoteChooser(shortest=1).choose(judged, talk).quotes
    assert [quote.text for quote in chosen] == ["Three things at once. The tariff on frames came in June."]


@pytest.mark.parametrize("share, count", [(0.5, 1), (1.0, 2)])
def test_no_more_is_quoted_than_holds_enough_of_the_chance(share, count):
    _, talk = talk_of("Freight doubled in August.", "The weather was fine.", "The tariff took three points.")
    judged = Judged(np.array([0.5, 0.0, 0.3], np.float32), np.zeros(3, np.float32))
    chosen = QuoteChooser(shortest=1, enough=share).choose(judged, talk).quotes
    assert len(chosen) == count
