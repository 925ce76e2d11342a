"""Whatever a recording is called, it is called so everywhere."""

import pytest
from plan_world import TODAY
from test_facts import ROWS, tidal

from onrecord.retrieve.plan import plan
from onrecord.retrieve.plan.kinds import BODIES, GENERIC, RECORDINGS
from onrecord.types import Plan, Question

STORE = tidal([*ROWS, ("Tides and locks", "2025-01-02", {}, [("Ann Bell", "The lock is shut.")], True)])
FRENCH = frozenset("enregistrement emission transcription reunion seance entretien expose appel".split())


def asked(text: str) -> Plan:
    return plan(Question(text), STORE, TODAY, strategies=("balanced", "factual", "overview"))


@pytest.mark.parametrize("kind", sorted(RECORDINGS - FRENCH - {"show"}))
def test_in_english(kind: str) -> None:
    assert asked(f"How many {kind}s are there?").facts[0].text.startswith("There are 4 recordings.")
    assert asked(f"How long is the {kind}?").settled
    assert asked(f"Is Ann Bell in the {kind} 2?").filters[0].value == "r1"
    assert [f.value for f in asked(f"What is said of tides in the English {kind}s?").filters] == ["en"]
    assert [f.value for f in asked(f"Which {kind}s by Kofi Mensah are on tides?").filters] == ["Kofi Mensah"]
    assert asked(f"What is said of floods in the {kind} on locks?").filters[0].value == "r3"


@pytest.mark.parametrize("kind", sorted(FRENCH | {"podcast", "episode", "conference"}))
def test_in_french(kind: str) -> None:
    assert asked(f"Combien de {kind}s y a-t-il ?").facts[0].text.startswith("Il y a 4 enregistrements.")
    assert asked(f"Quelle est la durée de cette {kind} ?").settled


def test_the_show_is_what_it_is_an_episode_of() -> None:
    assert asked("Who hosts the show?").facts[0].text.startswith("The host is Ann Bell")
    assert asked("Which shows are there?").facts[0].items == ("Tidal (2 recordings)",)


def test_they_are_written_as_rules_read_them() -> None:
    assert all(word.isascii() and word.islower() for word in RECORDINGS | BODIES)
    assert GENERIC < RECORDINGS and not RECORDINGS & BODIES
