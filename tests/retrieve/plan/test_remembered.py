"""What is remembered from question to question changes no answer, and is gone when something is written."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as some
from plan_world import TODAY, world

import onrecord.retrieve.plan.remembered as remembering
from onrecord.retrieve.plan import plan, well_spelt
from onrecord.retrieve.plan.asked import Asked
from onrecord.retrieve.plan.conversation import MOST_READ
from onrecord.retrieve.plan.dates import dates
from onrecord.retrieve.plan.names import Nearest, distance
from onrecord.retrieve.plan.remembered import remembered
from onrecord.retrieve.plan.spelling import spelled
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Exchange, Passage, Question, Recording

STORE = world()
LETTERS = some.text("abc", max_size=9)
TURNS = (
    "What did Kelly say about tariffs?",
    "And Moreau?",
    "Why?",
    "And in March 2024?",
    "Who speaks in episode 4 of Slow Signals?",
    "And about copper?",
)


def said(workspace: str, *texts: str) -> MemoryStore:
    store = MemoryStore(workspace)
    for at, text in enumerate(texts):
        store.add(Recording(f"r{at}", "s", "c", "made up", Details(), 1), [Passage(f"r{at}", 0, text)])
    return store


def test_a_word_is_looked_up_anew_after_a_write() -> None:
    store = said("default", "the margins fell")
    assert spelled("Which harbuor?", store).text == "Which harbuor?"
    assert spelled("Which harbuors?", store).text == "Which harbuors?"
    store.add(Recording("new", "s", "c", "made up", Details(), 1), [Passage("new", 0, "in the harbour")])
    assert spelled("Which harbuor?", store).text == "Which harbour?"
    store.remove("new")
    assert spelled("Which harbuor?", store).text == "Which harbuor?"


def test_workspaces_and_archives_of_one_name_know_nothing_of_each_other() -> None:
    here, there, other = said("one", "in the harbour"), said("two", "nothing"), said("one", "nothing")
    for _ in range(2):
        assert spelled("Which harbuor?", here).text == "Which harbour?"
        assert spelled("Which harbuor?", there).text == "Which harbuor?"
        assert spelled("Which harbuor?", other).text == "Which harbuor?"


def test_the_first_word_with_a_letter_and_later_ones_are_read_alike() -> None:
    slips = ("harbuor", "hadge", "hdege", "ahrbour", "harbuors", "hrabour")
    lone = [spelled(f"Which {slip}?", said("lone", "the harbour and the hedge")).text for slip in slips]
    store = said("many", "the harbour and the hedge")
    assert [spelled(f"Which {slip}?", store).text for slip in slips] == lone
    assert "Which harbour?" in lone


def test_so_much_is_remembered_of_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembering, "_MOST", 5)
    store = said("default", "nothing")
    kept = remembered(store)
    assert [kept.value(at, lambda at=at: at * at) for at in (*range(20), *range(20))] == [
        at * at for at in (*range(20), *range(20))
    ]
    assert len(kept.values) <= 5 and remembered(store) is kept
    for number in range(20):
        remembered(said(f"w{number}", "nothing"))
    assert len(remembering._remembered) <= 8 and remembered(store) is not kept


@given(some.lists(some.sampled_from(TURNS), max_size=5), some.sampled_from(TURNS))
def test_a_conversation_means_the_same_when_it_is_heard_before(before: list[str], text: str) -> None:
    question = Question(text, history=tuple(map(Exchange, before)))
    first = plan(question, STORE, TODAY)
    assert plan(question, STORE, TODAY) == first
    remembered(STORE).values.clear()
    assert plan(question, STORE, TODAY) == first


def test_what_turns_meant_depends_on_the_day_and_where_the_user_looks() -> None:
    question = Question("And about copper?", history=(Exchange("What did Kelly say last year?"),))
    found = [plan(question, STORE, day).scope.since for day in (date(2025, 1, 1), date(2026, 1, 1))]
    assert found == ["2024-01-01", "2025-01-01"]


def test_long_turns_are_looked_back_on_as_far_as_there_is_room() -> None:
    story = "It was a long day and much was said of it. " * 60
    far = plan(Question("And why?", history=(Exchange(TURNS[0]), Exchange(story))), STORE, TODAY)
    near = plan(Question("And why?", history=(Exchange(story), Exchange(TURNS[0]))), STORE, TODAY)
    assert len(story) > MOST_READ
    assert "tariffs" in near.text and "tariffs" not in far.text


def test_threads_share_what_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembering, "_MOST", 2)
    store = said("default", "the harbour and the hedge, freight and margins, prices and tariffs")
    slips = ("harbuor", "fregiht", "margns", "prcies", "tarfifs", "hegde", "none")
    texts = [f"Which {slip}?" for slip in slips] * 30
    alone = [
        spelled(text, said("alone", "the harbour and the hedge, freight and margins, prices and tariffs"))
        for text in texts[:7]
    ]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(lambda text: spelled(text, store), texts)) == alone * 30


def test_repeated_words_count_once() -> None:
    store = said("default", "the harbour and the margins")
    text = "gnorl " * 20 + "harbuor"
    read, told = well_spelt(Question(text), store)
    assert read.text.endswith("harbour") and told.notes


@given(some.lists(LETTERS.filter(bool), max_size=12), LETTERS.filter(bool), some.integers(1, 2))
def test_the_nearest_words_are_those_that_are_least_apart(words: list[str], word: str, most: int) -> None:
    apart = {other: distance(word, other, most) for other in words if other[0] == word[0]}
    least = min(apart.values(), default=most + 1)
    expected = {other for other, far in apart.items() if far == least <= most}
    nearest = Nearest(dict.fromkeys(words))
    assert set(nearest.to(word, most)) == expected == set(nearest.to(word, most))


@given(LETTERS, LETTERS, LETTERS, LETTERS)
def test_what_two_words_share_at_their_ends_does_not_part_them(
    one: str, other: str, before: str, behind: str
) -> None:
    assert distance(before + one + behind, before + other + behind, 2) == distance(one, other, 2)


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("am 14. März 2024", "2024-03-14", "2024-03-14"),
        ("am 14. März", "2025-03-14", "2025-03-14"),
        ("am 14. Dezember", "2024-12-14", "2024-12-14"),
        ("im Mai 87", "1987-05-01", "1987-05-31"),
        ("am 14. März 24", "2024-03-14", "2024-03-14"),
        ("im Februar 2024", "2024-02-01", "2024-02-29"),
        ("am 31. Juni 2024", "2024-06-01", "2024-06-30"),
        ("im Mai 123", "2024-05-01", "2024-05-31"),
        ("am 3. 4. Mai 2024", "2024-05-04", "2024-05-04"),
    ],
)
def test_days_and_months_in_german(text: str, since: str, until: str) -> None:
    found = dates(Asked.of(f"Was wurde {text} gesagt?"), date(2025, 4, 2), "de")
    assert (str(found.since), str(found.until)) == (since, until)


@given(some.lists(some.text("harbousé1", min_size=1, max_size=7), max_size=6))
def test_words_are_heard_in_a_list_as_in_the_store(words: list[str]) -> None:
    store = said("default", "harbours are ours, a bus ashore, rue de l'été, 1 hour, hb")
    kept = remembered(store)
    for _ in range(3):
        assert kept.heard(words, store) == store.heard(words)
        for word in words:
            kept.alike(word, store)
