"""Facts, acts of speaking, dates and titles in one question: where one could be taken for another."""

from collections.abc import Sequence

import pytest
from plan_world import TODAY

from onrecord.retrieve.plan import plan
from onrecord.retrieve.plan.spelling import spelled
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Exchange, Passage, Plan, Question, Recording

Row = tuple[str, str | None, str, dict[str, str], Sequence[tuple[str, str]]]
WAYS = ("balanced", "factual", "overview", "summary", "acts")


def store_of(rows: Sequence[Row]) -> MemoryStore:
    """A store of recordings (title, date, language, attributes, what is said); ten seconds a passage."""
    store = MemoryStore()
    for number, (title, day, language, attributes, said) in enumerate(rows):
        name = f"r{number}"
        passages = [
            Passage(name, at, text, who, 10.0 * at, 10.0 * at + 10) for at, (who, text) in enumerate(said)
        ]
        details = Details(title, day, language, attributes=attributes)
        store.add(Recording(name, name, name, "test", details).counted(passages), passages)
    return store


CALLS = store_of(
    [
        (
            f"{firm}, {quarter}",
            day,
            "en",
            {"company": firm, "quarter": quarter},
            [
                ("Nora Flint", "Our margins fell, and the board agreed."),
                ("Ivo Lang", "Why did margins fall?"),
            ],
        )
        for firm, quarter, day in (
            ("Harrow Mills", "Q1 2020", "2020-05-14"),
            ("Selkirk Power", "Q3 2020", "2020-10-14"),
            ("Brae Foods", "Q3 2020", "2020-10-20"),
        )
    ]
)
VILLAGE = store_of(
    [
        ("Réunion de mai", "2024-05-14", "fr", {}, [("Anne Roy", "La mairie paie les tables.")]),
        ("Comité du marché", "2024-03-12", "fr", {}, [("Luc Petit", "Il faut demander à la mairie.")]),
    ]
)


def asked(text: str, store: MemoryStore = CALLS, *before: str) -> Plan:
    history = tuple(Exchange(earlier, "") for earlier in before)
    return plan(Question(text, history=history), store, TODAY, strategies=WAYS)


def told(text: str, store: MemoryStore = CALLS, *before: str) -> str:
    return " ".join(fact.text for fact in asked(text, store, *before).facts)


def test_who_is_asked_is_no_subject_and_does_not_speak() -> None:
    assert asked("What did Nora ask?").strategy == "acts"
    made = asked("What did Nora ask Ivo?")
    assert made.strategy == "acts" and len(made.filters) == 1 and len(made.entities) == 2
    assert asked("What did Nora ask Ivo about margins?").strategy != "acts"
    assert asked("What are the action items for Ivo?").strategy == "acts"


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("List the risks that Selkirk Power named", "risk"),
        ("What are the risks Selkirk Power has identified?", "risk"),
        ("What are the decisions that the board took?", "decision"),
        ("List the promises Nora made", "promise"),
        ("What were the questions that Ivo asked?", "question"),
        ("List the recommendations that Nora gave", "recommendation"),
        ("List all complaints that customers voiced", "complaint"),
    ],
)
def test_who_does_what_is_listed_is_no_subject(text: str, act: str) -> None:
    made = asked(text)
    assert (made.act, made.strategy) == (act, "acts")
    assert len(made.filters) == sum(name in text for name in ("Selkirk Power", "Nora", "Ivo"))


def test_what_is_listed_of_something_has_a_subject() -> None:
    assert asked("List the risks of copper that Selkirk Power named").strategy != "acts"
    assert asked("What are the risks that come with copper?").strategy != "acts"


@pytest.mark.parametrize(
    ("text", "quarters", "notes"),
    [
        ("What did they say about margins in Q3 2020?", ["Q3 2020"], 0),
        ("What did they say about margins in Q1?", ["Q1 2020"], 0),
        ("What did they say about margins in the third quarter?", ["Q3 2020"], 0),
        ("What did they say about margins in Q2?", [], 1),
        ("What did they say about margins in Q3 2021?", [], 1),
        ("What guidance was given for Q1?", [], 0),
        ("Will Q3 be better?", [], 0),
    ],
)
def test_a_quarter_with_its_year_is_one_value(text: str, quarters: list[str], notes: int) -> None:
    found = asked(text)
    assert [each.value for each in found.filters if each.field == "quarter"] == quarters
    assert len(found.notes) == notes


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("How long is the Harrow Mills call?", "Harrow Mills, Q1 2020 lasts"),
        ("What date was the Harrow Mills call?", "Harrow Mills, Q1 2020 is dated 2020-05-14."),
        ("How many speakers are in the Harrow Mills call?", "2 people speak in Harrow Mills, Q1 2020:"),
        ("How many recordings are from Q3 2020?", '2 of the 3 recordings fit "Q3 2020".'),
        ("How many companies are there?", 'There are 3 values of "company".'),
        ("Quel est l'enregistrement le plus long ?", "3 enregistrements sont les plus longs ensemble."),
        ("Quelle est la durée du plus long enregistrement ?", "3 enregistrements peuvent être ceux-là."),
    ],
)
def test_facts_of_what_is_named_by_an_attribute(text: str, fact: str) -> None:
    assert fact in told(text)


@pytest.mark.parametrize(
    "text",
    ["How many recordings are?", "How many speakers are worried?", "How many calls are about margins?"],
)
def test_what_only_begins_like_a_question_for_facts_is_none(text: str) -> None:
    assert not asked(text).facts


def test_a_word_is_leant_on_in_one_piece() -> None:
    assert " e is the" not in asked("why does that matter?", CALLS, "which one is the worst problem?").text


@pytest.mark.parametrize(
    "text",
    [
        "How many times did the CFO mention margins?",
        "How often do analysts talk about margins?",
        "How often were margins mentioned by the chairman?",
        "Combien de fois le président parle-t-il de margins ?",
    ],
)
def test_what_somebody_unknown_says_is_not_counted(text: str) -> None:
    assert not asked(text).facts and "margins" in asked(text).text


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("How many times did Nora Flint mention margins?", '"margins" is said in 3 passages'),
        ("How often do people talk about margins?", '"margins" is said in 6 passages'),
        ("How often have margins been mentioned?", '"margins" is said in 6 passages'),
        ("HOW OFTEN ARE MARGINS MENTIONED", '"margins" is said in 6 passages'),
    ],
)
def test_what_is_counted_is_told_as_it_is_written(text: str, fact: str) -> None:
    assert told(text).startswith(fact)


def test_what_is_counted_in_french_keeps_its_letters() -> None:
    assert told("Combien de fois parle-t-on de la mairie ?", VILLAGE).startswith("« mairie » est dit dans 2")


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("What did they say about margins in May?", "2020-05-01", "2020-05-31"),
        ("What did they say about margins on October 14?", "2020-10-14", "2020-10-14"),
        ("What did they say about margins between March and July?", "2020-03-01", "2020-07-31"),
        ("What did they say about margins in May 2020?", "2020-05-01", "2020-05-31"),
    ],
)
def test_a_month_without_its_year_is_one_of_an_old_archive(text: str, since: str, until: str) -> None:
    days = {found.field: found.value for found in asked(text).filters}
    assert days == {"since": since, "until": until}


def test_a_month_without_its_year_is_the_latest_where_recordings_go_on() -> None:
    said = [("Nora Flint", "Margins fell.")]
    store = store_of([("Spring", "2024-05-14", "en", {}, said), ("Winter", "2024-12-01", "en", {}, said)])
    assert told("How many recordings are there in May?", store).startswith("None of the 2 recordings fits")
    assert told("How many recordings are there in May?").startswith('1 of the 3 recordings fits "in May"')
    assert asked("What did they say about margins last May?").notes


def test_an_act_after_an_act_is_asked_for_by_itself() -> None:
    made = asked("Who disagreed?", CALLS, "What did they decide?")
    assert (made.strategy, made.act, made.text) == ("acts", "disagreement", "Who disagreed?")
    assert "margins" in asked("Who disagreed?", CALLS, "What did they decide about margins?").text


@pytest.mark.parametrize("text", ["How many times did she mention margins?", "how much did she speak"])
def test_a_pronoun_behind_how_much_is_whom_the_question_before_named(text: str) -> None:
    made = asked(text, CALLS, "What did Nora Flint say about margins?")
    assert ("speaker", "Nora Flint") in [(found.field, found.value) for found in made.filters]
    assert made.facts


def test_a_title_with_a_month_is_a_title() -> None:
    made = asked("Combien de temps dure la réunion de mai ?", VILLAGE)
    assert [found.field for found in made.filters] == ["recording"]
    assert told("Qui parle à la réunion de mai ?", VILLAGE) == "Anne Roy parle dans Réunion de mai."


def test_the_longest_call_where_nothing_is_called_a_call() -> None:
    assert told("What is the longest call?").startswith("3 recordings are the longest")
    assert not told("What is the longest interview?", VILLAGE)


def test_a_role_that_nobody_is_told_in_is_looked_for_in_what_is_said() -> None:
    assert not asked("Who is the chairman?").facts


def test_a_quarter_is_left_out_before_a_firm() -> None:
    made = asked("What did Harrow Mills expect in Q3 2020?")
    assert [found.value for found in made.filters] == ["Harrow Mills"]
    assert made.notes == ('Nothing fits "Q3 2020" as well, so that was left out.',)


def test_one_of_those_that_were_counted_and_who_speaks_in_it() -> None:
    said = [("Nora Flint", "Margins fell.")]
    other = [("Ivo Lang", "They rose."), ("Ivo Lang", "Twice.")]
    store = store_of([("Spring", "2024-05-14", "en", {}, said), ("Winter", "2024-12-01", "en", {}, other)])
    count, longest = "How many episodes are there?", "Which one is the longest?"
    assert told(longest, store, count) == "The longest recording is Winter, 2024-12-01, 0:20."
    assert told("Who speaks in it?", store, count, longest) == "Ivo Lang speaks in Winter."
    assert told("And how long is it?", store, "What is the shortest episode?").startswith("Spring lasts 0:10")
    assert not told(longest, store, "What did Nora Flint say about margins?")
    assert not told("Who speaks in it?", store, count)


def test_two_people_agree_where_both_speak() -> None:
    one, both = [("Nora Flint", "I agree.")], [("Nora Flint", "I agree."), ("Ivo Lang", "So do I.")]
    store = store_of([("Spring", None, "en", {}, one), ("Winter", None, "en", {}, both)])
    assert asked("Do Nora and Ivo agree?", store).scope.recordings == ("r1",)
    assert asked("Does Nora agree?", store).scope.recordings == ()


def test_a_name_that_is_a_function_word_is_not_passed_over() -> None:
    assert not told("and Will?", CALLS, "How often are margins mentioned?")
    assert told("and in 2020?", CALLS, "How often are margins mentioned?")


class _Words:
    """A vocabulary of a few words that are spelt right."""

    def has_word(self, word: str) -> bool:
        return word in ("costumer", "kettle")


def test_a_label_that_nobody_says_is_read_where_it_is_misspelt() -> None:
    said = [("Agent", "Good morning."), ("Customer", "My kettle is broken.")]
    store = store_of([("Kettle", "2024-06-03", "en", {}, said)])
    found = spelled("what did the custmer say about the kettle", store, _Words())
    assert found.text == "what did the customer say about the kettle"
    assert found.notes == ('"custmer" was read as customer.',)
    for text in ("what did the costumer say about the kettle", "what did the regent say about the kettle"):
        assert spelled(text, store, _Words()).text == text
    assert spelled("what did the custmer say", CALLS, _Words()).text == "what did the custmer say"
