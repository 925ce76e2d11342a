"""Hints about a question: validation, use by custom strategies, and their part in cache keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import onrecord
from onrecord.archive import Archive
from onrecord.errors import InputError
from onrecord.retrieve import Keyword, Moments
from onrecord.types import Plan, QuestionHints

TRANSCRIPT = """\
Ann Bell: The gate will be painted green in May, because the old paint came off in the rain.

Bob Cray: The lock of the gate costs forty crowns, and the hedge grows by itself.
"""


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    (tmp_path / "garden.txt").write_text(TRANSCRIPT)
    # What the reader's limit cuts short is not cached, and a busy machine reaches the default limit.
    options = {"embedding": {"model": "hashing"}, "reader": {"milliseconds": 60_000}}
    with onrecord.open(tmp_path / "a.db", **options) as opened:
        opened.add(tmp_path / "garden.txt")
        yield opened


def planned(archive: Archive, **hints: object) -> Plan:
    return archive.plan("What of the gate?", hints=QuestionHints(**hints))  # type: ignore[arg-type]


def test_names_are_read_as_they_may_be_written(archive: Archive) -> None:
    for intent in ("multi_entity", "Multi-entity", " multi entity "):
        assert planned(archive, intent=intent).intent == "multi_entity"
    for language in ("fr", "FR", "fr-CA", "French"):
        assert planned(archive, language=language).language == "fr"
    assert planned(archive, entities=[" the\n gate ", "the gate", "rain"]).entities == ("the gate", "rain")
    assert planned(archive, entities="the gate").entities == ("the gate",)


@pytest.mark.parametrize(
    ("hints", "refusal"),
    [
        ({"intent": "sumary"}, "no intent 'sumary': did you mean 'summary'? there are factual, definition"),
        ({"intent": ""}, "no intent ''"),
        ({"language": "frnech"}, "known as 'frnech': did you mean 'fr'?"),
        ({"language": "xx"}, "give its code, such as en, fr or de"),
        ({"language": ""}, "no language is known as ''"),
        ({"queries": ("Why?", " \n")}, "a sub-question has no words"),
        ({"queries": ("?",)}, "a sub-question has no words"),
        ({"queries": [f"Why {n}?" for n in range(6)]}, "6 times a sub-question: at most 5"),
        ({"queries": ("x" * 9000,)}, "a sub-question has 9000 characters: at most 8000"),
        ({"entities": ("",)}, "a name that the question is about has no words"),
        ({"entities": [f"n{n}" for n in range(21)]}, "at most 20"),
        ({"entities": ("x" * 201,)}, "has 201 characters: at most 200"),
    ],
)
def test_what_cannot_be_is_refused(archive: Archive, hints: dict[str, object], refusal: str) -> None:
    """Invalid hints are refused, and the message names the problem."""
    with pytest.raises(InputError) as refused:
        planned(archive, **hints)
    assert refusal in str(refused.value)


def test_a_strategy_of_ones_own_hears_what_is_meant(archive: Archive) -> None:
    """A custom strategy uses the hints of a question."""
    own = onrecord.Strategy("own", Keyword(5) >> Moments(words=100))
    assert archive.ask("What of the gate?", own).evidence.plan is None
    hints = QuestionHints(queries=("What does the lock cost?", "When is it painted?"))
    for retrieved in (
        archive.ask("The gate?", own, hints=hints).evidence,
        archive.search("The gate?", own, hints=hints),
    ):
        assert (
            retrieved.plan is not None
            and retrieved.plan.queries == hints.queries
            and len(retrieved.parts) == 2
        )
    assert archive.search("The gate?", own, hints=QuestionHints("causal")).plan is not None


def test_what_is_remembered_depends_on_what_is_meant(archive: Archive) -> None:
    """A cached result is reused only for a question with the same hints."""

    def stages(hints: QuestionHints | None) -> set[str]:
        return {step.stage for step in archive.ask("What of the gate?", hints=hints).evidence.trace}

    others = [
        None,
        QuestionHints("causal"),
        QuestionHints(language="fr"),
        QuestionHints(entities=("rain",)),
        QuestionHints(queries=("Why?",)),
    ]
    for hints in others:
        assert "Remembered" not in stages(hints), hints
    for hints in others:
        assert "Remembered" in stages(hints), hints
    remembered = archive.ask("What of the gate?", hints=QuestionHints("causal", "fr", ("rain",))).evidence
    again = archive.ask("What of the gate?", hints=QuestionHints("causal", "fr", ("rain",))).evidence
    assert again.question == remembered.question and again.plan == remembered.plan
