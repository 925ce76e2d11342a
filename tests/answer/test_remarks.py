"""The remarks beside an answer."""

from dataclasses import replace

import numpy as np
import pytest
from talks import add

from onrecord.answer.extract import Extractive
from onrecord.answer.paragraphs import also_said_in, remarks, spoken_instead, unquoted
from onrecord.models.base import Reading
from onrecord.models.double import HashingEmbedder
from onrecord.retrieve import Moments, Search, Smooth, Stage, Tools
from onrecord.retrieve.wording import Wording
from onrecord.stores.memory import MemoryStore
from onrecord.strategies import AUTO
from onrecord.types import Answer, Evidence, Filter, Plan, Question
from onrecord.understand.lexicon import messages_in

TIMELINE = MemoryStore().timeline()


@pytest.fixture
def tools() -> Tools:
    store = MemoryStore()
    add(
        store,
        "halden",
        (
            ("Ann Bell", "Our gross margin fell by three points, as the tariff on frames rose in spring."),
            ("Bo Lund", "The margin on repairs fell too, for want of glue and of people who repair."),
        ),
        title="Halden call",
        language="en",
    )
    add(store, "garden", (("Ida Moe", "Roses need water in July, and more of it in August."),), language="en")
    return Tools(store, HashingEmbedder())


def answer(question: str, tools: Tools) -> Answer:
    return Extractive().answer(AUTO.retrieve(Question(question), tools), tools)


def asked_of(field: str, *values: str, quoted: str = "", tools: Tools) -> Answer:
    """Return an answer that quotes one speaker, to a question with filters on a field."""
    reply = answer("What was said about the margin?", tools)
    filters = tuple(Filter(field, value, value) for value in values)
    evidence = replace(reply.evidence, plan=Plan("the margin", filters=filters))
    return replace(
        reply, evidence=evidence, citations=tuple(c for c in reply.citations if c.speaker == quoted)
    )


def test_who_was_asked_for_and_is_not_quoted_is_reported(tools: Tools) -> None:
    both = asked_of("speaker", "Bo Lund", "Ida Moe", quoted="Bo Lund", tools=tools)
    assert both.citations and unquoted(both) == ["Ida Moe"]
    assert list(remarks(both, Wording({}), TIMELINE, 0, tools, messages_in("en"))) == [
        "Ida Moe is not quoted here: ask about Ida Moe alone to find more."
    ]
    assert list(remarks(both, Wording({}), TIMELINE, 0, tools, messages_in("en"), sides=True)) == []
    firms = asked_of("company", "Halden", "Northgate", quoted="Bo Lund", tools=tools)
    assert unquoted(firms) == ["Halden", "Northgate"]


def test_what_is_asked_for_alone_is_never_missed(tools: Tools) -> None:
    assert unquoted(asked_of("speaker", "Ida Moe", tools=tools)) == []
    assert unquoted(asked_of("recording", "halden", "garden", tools=tools)) == []


@pytest.mark.parametrize(
    ("field", "value", "note"),
    [
        ("speaker", "Ida Moe", "Ida Moe says little or nothing about this, so others are quoted too."),
        ("recording", "garden", "Little or nothing is said about this in Garden, so others are quoted too."),
        ("recording", "halden", None),
        ("speaker", "Bo Lund", None),
        ("since", "2030", None),
    ],
)
def test_quotes_of_others_than_the_question_prefers_are_reported(
    field: str, value: str, note: str | None, tools: Tools
) -> None:
    """Nothing is reported if nothing is quoted, or if the previous answer alone names the recording."""

    def notes(reply: Answer) -> list[str]:
        return list(remarks(reply, Wording({}), TIMELINE, 0, tools, messages_in("en")))

    plan = Plan("the margin", filters=(Filter(field, value, "said so", exact=False),))
    by_bo = asked_of(field, quoted="Bo Lund", tools=tools)
    reply = replace(by_bo, evidence=replace(by_bo.evidence, plan=plan))
    assert notes(reply) == ([note] if note else [])
    assert notes(replace(reply, citations=())) == []
    cited = replace(plan, filters=(replace(plan.filters[0], cited=True),))
    assert notes(replace(reply, evidence=replace(reply.evidence, plan=cited))) == []


def test_a_question_in_a_language_that_nobody_speaks_is_reported(tools: Tools) -> None:
    reply = answer("Pourquoi les marges de Halden ont-elles baissé ?", tools)
    assert spoken_instead(reply, tools) == "en"
    assert reply.verdict != "answered"
    assert any("are in English" in note for note in reply.notes)
    assert spoken_instead(answer("Why did the weather change?", tools), tools) is None


def test_no_language_is_reported_where_it_is_not_known(tools: Tools) -> None:
    assert spoken_instead(answer("Marges Halden", tools), tools) is None
    add(tools.store, "notes", (("Cy Ng", "Of repairs."),))
    assert spoken_instead(answer("Pourquoi les marges ont-elles baissé ?", tools), tools) is None


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("Pourquoi le prix du miel a-t-il doublé cet hiver ?", "The question is not in English"),
        ("Warum hat sich der Preis für Honig im Winter verdoppelt?", "The question is not in English"),
        ("Why did the price of honey double in winter?", "Nothing in the 2 recordings searched"),
    ],
)
def test_a_question_in_another_language_is_never_said_to_have_no_answer(
    question: str, heading: str, tools: Tools
) -> None:
    """Speakers of another language say none of the question's words, whatever they speak about."""
    reply = answer(question, tools)
    assert reply.verdict != "answered" and reply.heading.startswith(heading)
    foreign = heading.startswith("The question")
    assert foreign == any("a question in that language" in note for note in reply.notes)
    assert foreign == (not any("never said" in note for note in reply.notes))
    assert not foreign or reply.citations


def test_words_that_nobody_says_are_reported_without_their_ending(tools: Tools) -> None:
    reply = replace(answer("What was said about the margin?", tools), verdict="low_relevance")
    notes = list(remarks(reply, Wording({}, ("Delft's", "cycles")), TIMELINE, 0, tools, messages_in("en")))
    assert notes == ["“Delft” and “cycles” are never said in the recordings searched."]
    filters = (Filter("recording", "ab12", "AB12 call", exact=True),)
    named = replace(reply, evidence=replace(reply.evidence, plan=Plan("the margin", filters=filters)))
    notes = list(remarks(named, Wording({}, ("AB12", "cycles")), TIMELINE, 0, tools, messages_in("en")))
    assert notes == ["“cycles” is never said in the recordings searched."]


def test_where_else_the_words_are_said_is_reported_to_who_asks_where(tools: Tools) -> None:
    for number, times in enumerate((1, 3, 2)):
        turns = [("Cy Ng", f"Hydrogen is far off, as {word} says.") for word in ("Bo", "Ida", "Ann")[:times]]
        add(tools.store, f"call {number}", turns, language="en")
    reply = answer("Which calls mention hydrogen?", tools)
    timeline, words = tools.store.timeline(), Wording({"hydrogen": 1.0})
    quoted = {citation.recording.title for citation in reply.citations}
    assert reply.verdict == "answered" and quoted
    assert {*also_said_in(reply, words, timeline, tools.store), *quoted} == {"Call 0", "Call 1", "Call 2"}
    none = replace(reply, citations=())
    assert also_said_in(none, words, timeline, tools.store) == ["Call 1", "Call 2", "Call 0"]
    notes = list(remarks(none, words, timeline, 0, tools, messages_in("en")))
    assert notes == ["These words are also said in Call 1, Call 2 and Call 0."]
    firms = replace(none, question="Which firms mention hydrogen?")
    assert len(also_said_in(firms, Wording({"hydrogen": 1.0, "firm": 1.0}), timeline, tools.store)) == 3
    both = replace(none, question="Which calls mention hydrogen and margins?")
    assert also_said_in(both, Wording({"hydrogen": 1.0, "margin": 1.0}), timeline, tools.store) == []
    other = replace(answer("What did they say about hydrogen?", tools), citations=())
    assert also_said_in(other, words, timeline, tools.store) == []


@pytest.mark.parametrize("stages", [Search(), Moments() >> Search() >> Smooth()])
def test_a_strategy_that_takes_nothing_is_distinguished_from_an_archive_that_has_nothing(
    stages: Stage, tools: Tools
) -> None:
    evidence = stages(Evidence(Question("Why did the margin fall?")), tools)
    reply = Extractive().answer(evidence, tools)
    assert reply.verdict == "nothing_found" and messages_in("en").say("nothing_cut") in reply.notes
    assert messages_in("en").say("nothing_cut") not in answer("What is the price of bitcoin?", tools).notes


def test_notes_are_on_the_quotes_that_perform_the_act_asked_for() -> None:
    """Here the nearest quotes are in Spanish, and the one that is against the ferry is in French."""
    store = MemoryStore()
    against = "Moi je suis contre le bac, je le dis tout de suite."
    add(store, "port", (("Léa Morin", against),), language="fr")
    add(store, "puerto", (("Ana Ruiz", "El bac cuesta mucho, y el bac para en invierno."),), language="es")

    class PointsAtTheFerry:
        name = fingerprint = "points"

        def read(self, question: str, texts: list[list[str]]) -> list[Reading]:
            worth = {"El bac cuesta mucho, y el bac para en invierno.": 9.0, f"Léa Morin: {against}": 8.0}
            cores = [np.array([worth.get(text, -9.0) for text in some]) for some in texts]
            return [Reading(core, np.zeros(len(core))) for core in cores]

    tools = Tools(store, HashingEmbedder(), reader=PointsAtTheFerry())
    reply = answer("Qui est contre le bac ?", tools)
    assert [citation.quote for citation in reply.citations] == [against]
    assert not any("in Spanish" in note for note in reply.notes)


def test_a_quote_that_only_performs_the_act_asked_for_replaces_no_answer() -> None:
    store = MemoryStore()
    lamps = "Two lamps on the bridge cost more than the harbour earns in a year."
    settled = "The colour of the bridge is settled, and that is decided then."
    add(store, "harbour", (("Ann Bell", lamps), ("Bo Finch", "Yes, quite."), ("Cy Dale", settled)))

    class PointsAtTheLamps:
        name = fingerprint = "points"

        def read(self, question: str, texts: list[list[str]]) -> list[Reading]:
            cores = [np.array([9.0 if "lamps" in text else -9.0 for text in some]) for some in texts]
            return [Reading(core, np.zeros(len(core))) for core in cores]

    tools = Tools(store, HashingEmbedder(), reader=PointsAtTheLamps())
    reply = answer("What was decided about the lamps on the bridge?", tools)
    assert [citation.quote for citation in reply.citations] == [lamps]
    assert reply.heading == messages_in("en").say("may", 1, title="Harbour")


def test_a_quote_from_another_recording_than_the_question_names_is_no_answer() -> None:
    store = MemoryStore()
    add(store, "Halden Cycles spring call", (("Ann Bell", "Our dealers sold more frames than a year ago."),))
    add(store, "Sutton Works spring call", (("Bo Finch", "We pay a dividend of two euros a share."),))

    class PointsAtTheDividend:
        name = fingerprint = "points"

        def read(self, question: str, texts: list[list[str]]) -> list[Reading]:
            cores = [np.array([9.0 if "dividend" in text else -9.0 for text in some]) for some in texts]
            return [Reading(core, np.zeros(len(core))) for core in cores]

    tools = Tools(store, HashingEmbedder(), reader=PointsAtTheDividend())
    assert answer("How big is the dividend of Sutton Works?", tools).verdict == "answered"
    elsewhere = answer("How big is the dividend of Halden Cycles?", tools)
    assert elsewhere.verdict == "low_relevance" and elsewhere.citations
    assert any("Halden Cycles" in note for note in elsewhere.notes)
    add(store, "Night Desk", (("Cy Ng", "The dividend of Halden Cycles is one euro a share, I hear."),))
    assert answer("How big is the dividend of Halden Cycles?", tools).verdict == "answered"
