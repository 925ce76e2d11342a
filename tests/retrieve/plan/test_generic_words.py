"""Questions that name no subject, only the recording as such, want it as a whole."""

from datetime import date

import pytest
from plan_world import TODAY, world

from onrecord.retrieve.plan import plan
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Exchange, Passage, Question, Recording

STORE = MemoryStore()
STORE.add(
    Recording("r", "r.vtt", "", "webvtt", Details(title="Le sel"), speakers=("Léa Moreau",)),
    [Passage("r", 0, "Le prix du sel a doublé.", "Léa Moreau")],
)
WAYS = ("balanced", "overview", "factual", "exploratory")


@pytest.mark.parametrize(
    "text",
    [
        "Summarize the talk",
        "Résume la conférence",
        "Résumez cet enregistrement.",
        "De quoi parle l'épisode ?",
        "De quoi parle l’épisode ?",
        "De quoi s'agit-il ?",
        "De quoi est-il question dans cette émission ?",
        "Fais-moi un résumé de la réunion",
        "Peux-tu résumer l'appel ?",
        "Que retenir de l'entretien ?",
        "Donne-moi les grandes lignes de l'exposé",
        "C'est quoi le sujet du podcast ?",
        "Quels sont les thèmes principaux de la vidéo ?",
        "Qu'est-ce qui a été dit pendant la réunion ?",
        "Que s'est-il passé pendant la séance ?",
    ],
)
def test_a_question_about_the_recording_as_such_gets_an_overview(text: str) -> None:
    made = plan(Question(text), STORE, date(2026, 1, 1), strategies=WAYS)
    assert (made.intent, made.strategy) == ("summary", "overview")


@pytest.mark.parametrize(
    "text",
    [
        "Résume la conférence sur le prix du sel",
        "De quoi parle l'épisode sur la piscine ?",
        "Que dit-on du sel dans cette émission ?",
        "Quelle question a été posée sur le sel ?",
        "Qu'est-ce qui se passe en été ?",
        "Que font-ils l’été ?",
    ],
)
def test_a_question_that_names_a_subject_gets_none(text: str) -> None:
    assert plan(Question(text), STORE, date(2026, 1, 1), strategies=WAYS).strategy != "overview"


def test_a_generic_question_after_another_leans_on_it() -> None:
    question = Question("Fais-m'en un résumé", history=(Exchange("Que dit Moreau du prix du sel ?"),))
    assert "sel" in plan(question, world(), TODAY).text


@pytest.mark.parametrize("text", ["What happened in June 2019?", "Que s'est-il passé en juin 2019 ?"])
def test_a_time_that_no_recording_is_of_is_looked_for_in_what_is_said(text: str) -> None:
    made = plan(Question(text), world(), TODAY, strategies=WAYS)
    assert made.strategy != "overview" and "2019" in made.text and len(made.notes) == 1
    somebody = plan(Question("What did Kelly say in June 2019?"), world(), TODAY, strategies=WAYS)
    assert somebody.strategy == "overview" and [kept.field for kept in somebody.filters] == ["speaker"]


@pytest.mark.parametrize("text", ["What topics were discussed?", "What were the results?", "Any news?"])
def test_words_for_whatever_was_said_name_no_subject(text: str) -> None:
    assert plan(Question(text), STORE, TODAY, strategies=WAYS).strategy == "overview"
