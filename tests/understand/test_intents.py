"""The kind of a question, by its similarity to examples."""

from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plan_world import TODAY, world

from onrecord.types import Exchange, Plan, Question
from onrecord.understand.intents import (
    KINDS,
    Examples,
    connections,
    kinds,
    language_of,
    mask,
    part_of,
    strength,
)
from onrecord.understand.lexicon import Tokens, read_data
from onrecord.understand.planner import plan

STORE = world()
STRATEGY_NAMES = ("balanced", "factual", "overview", "acts", "comparison", "exploratory", "section", "full")


def planned(text: str, *before: str) -> Plan:
    """Return the plan for a question after earlier questions."""
    history = tuple(Exchange(turn) for turn in before)
    return plan(Question(text, history=history), STORE, TODAY, strategies=STRATEGY_NAMES)


@pytest.mark.parametrize(
    ("text", "strategy"),
    [
        ("Can you summarize episode 4 of Slow Signals in detail?", "overview"),
        ("Could you sum up the housing ladder episode for me?", "overview"),
        ("Peux-tu résumer l'épisode 4 de Slow Signals ?", "overview"),
        ("Bring me up to speed on Slow Signals 4", "overview"),
        ("How do heat pumps and boilers differ?", "comparison"),
        ("How do Kelly and Ortega approach copper differently?", "comparison"),
        ("En quoi Kelly et Ortega diffèrent-ils sur le cuivre ?", "comparison"),
        ("What were the next steps?", "acts"),
        ("Which episodes mention copper?", "exploratory"),
        ("What did Kelly say about copper?", "balanced"),
        ("Why did copper get so expensive?", "balanced"),
        ("Is the copper price fair to small workshops?", "balanced"),
    ],
)
def test_everyday_paraphrases_take_their_way(text: str, strategy: str) -> None:
    """Everyday wordings of a question select the right strategy."""
    assert planned(text).strategy == strategy


@pytest.mark.parametrize(
    "text",
    [
        "How many episodes of Slow Signals are there?",
        "How many Slow Signals episodes are there?",
        "How many episodes does Slow Signals have?",
        "Combien d'épisodes compte Slow Signals ?",
    ],
)
def test_a_count_may_be_asked_in_many_ways(text: str) -> None:
    """Different wordings of a question for a count give the same fact."""
    (fact,) = planned(text).facts
    assert fact.text.startswith("6 ")


@pytest.mark.parametrize(
    "text", ["Who was on the show with Marisol Ortega?", "Who else was there with Marisol Ortega?"]
)
def test_who_was_there_with_somebody_is_reported(text: str) -> None:
    """A fact lists the people who speak in a recording with a person."""
    (fact,) = planned(text).facts
    assert fact.text == "2 people speak in 2 recordings." and fact.items[0] == "Brendan Kelly (2 recordings)"


@pytest.mark.parametrize("text", ["Who attended Slow Signals 4?", "Who was at Slow Signals 4?"])
def test_who_attended_is_reported(text: str) -> None:
    """A question for the people who attended a recording gets its speakers."""
    (fact,) = planned(text).facts
    assert fact.text == "Brendan Kelly and Marisol Ortega speak in Slow Signals 4: Tariffs and trade."


def test_every_kind_has_examples() -> None:
    """The table of kinds and the files of examples have the same kinds."""
    assert KINDS.keys() == {*kinds().kinds, *connections().kinds}


def test_what_the_catalogue_cannot_say_is_searched() -> None:
    """Questions for counts and people outside the catalog are searched for, without a note."""
    for text in ("How many ships wait outside the port?", "Who attended the wedding in the village?"):
        question_plan = planned(text)
        assert (
            not question_plan.facts
            and not question_plan.notes
            and question_plan.strategy in ("balanced", "factual")
        )


def test_a_shape_is_matched_whatever_its_subject() -> None:
    """A question is compared with examples after its subject is masked."""
    examples = Examples.of({"why": ["why did {x} fall"], "who": ["who is {x}"]})
    shape = mask(Tokens("Why did the copper price fall?"), {}, examples.known)
    assert shape == ("why", "did", "x", "fall") and examples.guess(shape).likeness == 1.0
    assert examples.guess(mask(Tokens("Why did the copper price rise?"), {}, examples.known)).kind == "why"
    assert examples.guess(("nothing", "like", "it")).likeness < 0.3


def test_every_kind_has_examples_in_both_languages() -> None:
    """Every kind of question or courtesy has examples in English and French."""
    for kind, by in (read_data("intents.yaml") | read_data("courtesies.yaml")).items():
        assert set(by) == {"en", "fr"}, kind
        assert all(isinstance(text, str) for some in by.values() for text in some), kind


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("hi there, can you tell me who was on Slow Signals 4?", "who was on Slow Signals 4?"),
        ("any idea how long Slow Signals 4 is", "how long Slow Signals 4 is"),
        ("Thanks! How many recordings are there please", "How many recordings are there"),
        ("ok so summarize Slow Signals 4 pls", "summarize Slow Signals 4"),
        ("stp, qui était l'invité de Slow Signals 4", "qui était l'invité de Slow Signals 4"),
        ("tu sais de quoi parle Slow Signals 4, s'il te plaît", "de quoi parle Slow Signals 4"),
    ],
)
def test_courtesies_around_a_question_do_not_change_how_it_is_read(text: str, bare: str) -> None:
    with_courtesies, without = planned(text), planned(bare)
    assert [fact.text for fact in with_courtesies.facts] == [fact.text for fact in without.facts]
    assert (with_courtesies.strategy, with_courtesies.scope) == (without.strategy, without.scope)


def test_follow_ups_may_begin_with_courtesies() -> None:
    names = planned("ok and who was there?", "Tell me about Slow Signals 4").facts
    assert names == planned("and who was there?", "Tell me about Slow Signals 4").facts != ()
    assert "Slow Signals 5" in planned("ok thanks, and 5?", "summarize Slow Signals 4").text


def test_every_example_is_of_its_own_kind() -> None:
    """Nearly all examples are recognized as their own kind."""
    examples = kinds()
    wrong = [
        (kind, shape, examples.exact[shape])
        for kind, shape in zip(examples.kinds, examples.shapes, strict=True)
        if examples.exact[shape] != kind
    ]
    assert len(wrong) < 20, wrong  # a shape that two kinds share belongs to the first kind


def test_the_part_of_a_name_is_recognized_by_what_stands_around_it() -> None:
    """The words around a name tell whether it is the speaker or the subject."""
    for text, part in (
        ("What did Kelly say about rates?", "voice"),
        ("What was said about Kelly?", "subject"),
        ("Selon Kelly, que vaut le cuivre ?", "voice"),
    ):
        some = Tokens(text)
        at = next(n for n, token in enumerate(some) if token.text == "Kelly")
        assert part_of("person", some, {at: "P"}, (at,)) == part


def test_a_follow_up_keeps_what_was_before() -> None:
    """A follow-up keeps the previous subject; an independent question does not."""
    question_plan = planned("And Ortega?", "What did Kelly say about tariffs?")
    assert [f.value for f in question_plan.filters] == ["Marisol Ortega"] and "tariffs" in question_plan.text
    question_plan = planned("How long does coffee keep its aroma?", "What did Kelly say about tariffs?")
    assert not question_plan.filters and "tariffs" not in question_plan.text


def test_a_question_like_an_example_is_of_its_kind_in_every_process() -> None:
    """Every example has a similarity of exactly 1, in every process."""
    for examples in (kinds(), connections()):
        assert {examples.guess(tuple(shape.split())).likeness for shape in examples.shapes} == {1.0}


def grams(shape: str) -> set[str]:
    """Return the character n-grams of a shape with its outer spaces, for n from 2 to 4."""
    text = f" {shape} "
    return {text[at : at + size] for size in (2, 3, 4) for at in range(len(text) - size + 1)}


@given(st.lists(st.text("abcx", min_size=1, max_size=6), min_size=1, max_size=5))
def test_the_likeness_is_the_cosine_of_n_grams_by_their_idf(words: list[str]) -> None:
    """Similarities equal those of a direct computation: the cosine of IDF-weighted character n-grams."""
    texts = {"one": "who did {x} call", "two": "who called", "three": "a b c"}
    examples = Examples.of({kind: [text] for kind, text in texts.items()})
    sets = [grams(shape) for shape in examples.shapes]
    idf = {
        gram: log(1 + 3 / max(sum(gram in each for each in sets), 1))
        for gram in set().union(*sets, grams(" ".join(words)))
    }
    expected = [
        sum(idf[gram] ** 2 for gram in each & grams(" ".join(words)))
        / sqrt(sum(idf[gram] ** 2 for gram in each))
        / max(1.0, sqrt(sum(idf[gram] ** 2 for gram in grams(" ".join(words)))))
        for each in sets
    ]
    near = examples.near(tuple(words))
    assert [near.get(kind, (0.0, 0))[0] for kind in texts] == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    "text",
    [
        "I see that the members agree, so we will adjourn until noon.",
        "Item 3, then, is a motion under Rule 9 to resolve to close the gallery.",
        "I therefore declare that Ola Berg has been appointed acting treasurer.",
        "It is resolved that the ferry runs on Sundays.",
        "Je déclare Ola Berg élue.",
        "Tout le monde est d'accord, donc nous fermons le quai.",
    ],
)
def test_what_a_meeting_resolves_is_decided(text: str) -> None:
    """Formal wordings of resolutions are decisions."""
    assert strength(text, "decision")


@pytest.mark.parametrize(
    "text", ["They have appointed two inspectors.", "Everybody is on the ferry.", "The dispute was resolved."]
)
def test_what_is_reported_of_others_is_not_decided(text: str) -> None:
    """Reports of other people's decisions are not decisions."""
    assert not strength(text, "decision")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Could quiz players skip their own question?", "en"),
        ("Comment puis-je rembourser ma commande ?", "fr"),
        ("Puis-je changer d'adresse ?", "fr"),
        ("refund", "en"),
        ("Wie kann ich morgen zahlen?", "de"),
        ("Was ist das?", "de"),
        ("¿Qué se decidió sobre el presupuesto?", "es"),
        ("¿Qué se decidió?", "es"),
        ("¿Cómo puedo cambiar la dirección de la entrega?", "es"),
        ("O que foi decidido sobre o orçamento?", "pt"),
        ("Che cosa dice Anna della scuola?", "it"),
        ("Wat is er besloten over het budget?", "nl"),
        ("Hvad blev der besluttet om budgettet?", None),
        ("Что решили о бюджете в марте?", None),
    ],
)
def test_the_language_of_a_question_about_anything(text: str, language: str | None) -> None:
    assert language_of(text) == language
