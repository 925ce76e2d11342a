"""`Ask`: a question and all options for its answer, as one value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import onrecord
from counted_calls import python_calls
from onrecord import Archive, Ask, Exchange, Scope
from onrecord.errors import InputError, NotFoundError
from onrecord.models.double import OverlapReader
from onrecord.stores.contract.world import passages, recording
from onrecord.types import Form, QuestionHints

TALK = """\
Ann Bell: The gate will be painted green in May, because the old paint came off in the rain.

Bob Cray: The lock of the gate costs forty crowns, and the hedge grows by itself.
"""
ANN = Scope(speakers=("ann",))


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    (tmp_path / "garden.txt").write_text(TALK)
    settings = {"embedding": {"model": "hashing"}, "cache": {"results": 0, "embeddings": 0}}
    with onrecord.open(tmp_path / "a.db", **settings) as opened:
        opened.add(tmp_path / "garden.txt")
        yield opened


def test_a_value_and_keywords_ask_the_same(archive: Archive) -> None:
    ask = Ask("What of the gate?", ANN, (Exchange("Hi"),), strategy="direct", form=Form(quotes=1))
    how = {"scope": ANN, "history": [Exchange("Hi")]}
    one, other = archive.ask(ask), archive.ask("What of the gate?", "direct", form=Form(quotes=1), **how)
    assert str(one) == str(other) and one.strategy == "direct" and len(one.citations) == 1
    evidence, same = archive.search(ask), archive.search("What of the gate?", "direct", **how)
    assert evidence.moments == same.moments and {p.speaker for m in evidence.moments for p in m.passages} == {
        "Ann Bell"
    }
    assert archive.plan(ask) == archive.plan("What of the gate?", "direct", **how)
    assert [type(event) for event in archive.stream(ask)][-1] is onrecord.Answer


def test_a_reader_reads_without_an_embedder(tmp_path: Path) -> None:
    (tmp_path / "garden.txt").write_text(TALK)
    settings = {"embedding": {"model": "none"}, "reader": {"model": "overlap"}}
    with onrecord.open(tmp_path / "a.db", **settings) as archive:
        archive.add(tmp_path / "garden.txt")
        steps = archive.search("What does the lock cost?", "balanced").trace
    assert [step.note for step in steps if step.stage.startswith("Read(")] == ["1 of these 1 were read"]


def test_keywords_come_before_the_value(archive: Archive) -> None:
    """Keyword arguments override the fields of an `Ask`."""
    ask = Ask("What of the gate?", ANN, strategy="direct")
    assert archive.ask(ask, "fast", scope=Scope(speakers=("bob",))).strategy == "fast"
    assert Ask.of(ask, "fast") == replace(ask, strategy="fast")
    assert Ask.of(ask, None, scope=None, hints=None) == ask, "what is None leaves the value as it is"


def test_what_cannot_be_asked_is_refused_as_a_value_too(archive: Archive) -> None:
    with pytest.raises(InputError, match="no words"):
        archive.ask(Ask(" ?! "))
    with pytest.raises(InputError, match=r"no filter is of 'spaeker'.*speaker"):
        archive.plan(Ask("The gate?", without=("spaeker",)))
    with pytest.raises(NotFoundError, match="direkt"):
        archive.search(Ask("The gate?", strategy="direkt"))
    with pytest.raises(TypeError, match="scop"):
        archive.ask("The gate?", scop=ANN)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("question", "options", "message"),
    [
        (None, {}, "the question must be a text, not None"),
        (["The gate?"], {}, "the question must be a text, not \\['The gate"),
        ("The gate?", {"form": {}}, "form must be a Form, not {}"),
        ("The gate?", {"scope": {"speakers": "Ann"}}, "scope must be a Scope, not {'speakers'"),
        ("The gate?", {"hints": {}}, "hints must be a QuestionHints, not {}"),
        ("The gate?", {"history": ["x"]}, "history must be a list of Exchanges, not .*'x'"),
        ("The gate?", {"history": 3}, "history must be a list of Exchanges, not 3"),
        ("The gate?", {"without": [3]}, "without must be a list of texts, not .*3"),
        ("The gate?", {"strategy": 3}, "strategy must be a Strategy or a text, not 3"),
        ("The gate?", {"faq": "yes"}, "faq must be True or False, not 'yes'"),
    ],
)
def test_a_value_of_a_wrong_type_is_refused_in_words(
    archive: Archive, question: Any, options: dict[str, Any], message: str
) -> None:
    for method in (archive.ask, archive.search, archive.plan):
        with pytest.raises(InputError, match=message):
            method(question, **options)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Scope(since=2024), "since must be a text, not 2024"),  # type: ignore[arg-type]
        (lambda: Scope(speakers=3), "speakers must be a list of texts, not 3"),  # type: ignore[arg-type]
        (lambda: Scope(attributes=["a"]), "attributes must be a Mapping"),  # type: ignore[arg-type]
        (lambda: Exchange(None), "question must be a text, not None"),  # type: ignore[arg-type]
        (lambda: QuestionHints(intent=3), "intent must be a text, not 3"),  # type: ignore[arg-type]
    ],
)
def test_a_part_of_a_question_of_a_wrong_type_is_refused_in_words(
    make: Callable[[], object], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        make()


@given(
    st.text(),
    st.lists(st.builds(Exchange, st.text(), st.text()), max_size=3),
    st.lists(st.text(max_size=9), max_size=3),
    st.builds(QuestionHints, st.none() | st.text(max_size=9)),
    st.none() | st.booleans(),
)
def test_keywords_make_the_value(
    text: str, history: list[Exchange], without: list[str], hints: QuestionHints, faq: bool | None
) -> None:
    ask = Ask.of(text, history=history, without=without, hints=hints, faq=faq)
    assert ask == Ask(text, history=tuple(history), hints=hints, without=tuple(without), faq=faq)
    assert Ask.of(ask) == ask == Ask.of(text, **{n: getattr(ask, n) for n in _OPTIONS})
    assert Ask.of(text, without="date").without == ("date",)


BADGERS = """\
Bob Cray: What about the badgers that come every night? Badgers dug up the lawn.

Ann Bell: Yes.
"""


def test_a_follow_up_looks_beyond_the_speaker_before(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the speaker of the previous question says nothing about this, others are quoted, with a note."""
    (tmp_path / "badgers.txt").write_text(BADGERS)
    archive.add(tmp_path / "badgers.txt")
    monkeypatch.setattr(archive.models, "reader", OverlapReader())
    answer = archive.ask("What about badgers?", history=[Exchange("What did Ann say about the gate?")])
    assert {citation.speaker for citation in answer.citations} == {"Bob Cray"}
    assert "Ann Bell says little or nothing about this, so others are quoted too." in answer.notes
    alone = archive.ask("What did Ann say about badgers?")
    assert {citation.speaker for citation in alone.citations} <= {"Ann Bell"}


_OPTIONS = ("strategy", "scope", "history", "without", "hints", "form", "faq")


def test_a_direct_question_takes_no_more_work_in_a_larger_archive(tmp_path: Path) -> None:
    """Four times as many passages need less than 1.5 times as many Python calls.

    Passages are scored as whole arrays, not one by one.
    """
    numbers = np.random.default_rng(7)
    words = np.array(
        [f"{a}{b}{c}" for a in "bdfgklmn" for b in ("an", "el", "ir", "os") for c in "abcdefghij"]
    )
    settings = {"embedding": {"model": "hashing"}, "cache": {"results": 0}}
    work = []
    for recordings in (5, 20):
        with onrecord.open(tmp_path / f"{recordings}.db", make=True, **settings) as archive:
            for name in (f"talk-{number}" for number in range(recordings)):
                texts = tuple(" ".join(numbers.choice(words, 45)) for _ in range(100))
                vectors = numbers.standard_normal((100, archive.embedder.dimensions)).astype(np.float32)
                vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
                archive.store.add(recording(name, passages=100), passages(name, texts), vectors=vectors)
            archive.ask("Who said banc, or felj?", "direct")  # reads what later questions reuse
            work.append(python_calls(lambda: archive.ask("Who said gira, dosb or lelh?", "direct")))
    assert work[1] < 1.5 * work[0]


def test_an_answer_has_the_seconds_of_its_parts_and_of_all_of_it(archive: Archive) -> None:
    *pieces, answer = archive.stream("What of the gate?")
    assert any(isinstance(piece, str) for piece in pieces)
    assert {"plan", "embed", "search"} < answer.seconds.keys()
    assert 0 < answer.seconds["search"] < answer.seconds["first_text"] <= answer.seconds["total"]
