"""Several questions are answered one by one, each under its own text, with distinct marks."""

from dataclasses import replace

import pytest
from talks import talks, tools, whole

from onrecord.answer.extract import Extractive
from onrecord.answer.manner import Manner
from onrecord.answer.quotes import settled_answer
from onrecord.answer.write import parts_to_search, write_several
from onrecord.errors import GenerationError
from onrecord.models.double import ScriptedModel
from onrecord.models.roles import Allowance, ModelRoles
from onrecord.retrieve.model_calls import revise_plan
from onrecord.types import Answer, Citation, Evidence, Fact, Plan, Question

MARGINS, WAREHOUSE = "Why did margins fall after the tariff?", "Who would have sold the warehouse?"
MANY = "How many recordings are there?"
ALL = Fact("There are 2 recordings.", ("Halden call", "Night Desk"))
TYPED = f"{MARGINS} {MANY} {WAREHOUSE}"


def pieces(*asked: tuple[str, Fact | None], model: ScriptedModel | None = None) -> list[object]:
    """Return the pieces of the answer to these questions; a question with a Fact needs no search."""
    work = tools(talks(), model)
    searched = []
    for text, fact in asked:
        evidence = Evidence(Question(text)) if fact and fact.whole else whole(Question(text), work)
        searched.append(replace(evidence, plan=Plan(text, facts=(fact,) if fact else ())))
    facts = tuple(fact for _, fact in asked if fact)
    plan = Plan(TYPED, queries=tuple(text for text, _ in asked), facts=facts)
    moments = tuple(moment for part in searched for moment in part.moments)
    everything = Evidence(Question(TYPED), moments, plan=plan, parts=tuple(searched))
    writer = Extractive().sharing(parts_to_search(everything))
    answers = [
        replace(settled_answer(part) or writer.answer(part, work), question=text)
        for part, (text, _) in zip(searched, asked, strict=True)
    ]
    stand_in = Answer(TYPED, "", "", "nothing_found", (), everything)
    return list(write_several(answers, stand_in, work, "en", Manner()))


def answered(*asked: tuple[str, Fact | None], model: ScriptedModel | None = None) -> Answer:
    *_, answer = pieces(*asked, model=model)
    assert isinstance(answer, Answer)
    return answer


def test_each_answer_stands_under_its_question() -> None:
    answer = answered((MARGINS, None), (MANY, ALL), (WAREHOUSE, None))
    places = [answer.text.index(question) for question in (MARGINS, MANY, WAREHOUSE)]
    assert places == sorted(places) and answer.text.startswith(MARGINS)
    assert f"{MANY}\nThere are 2 recordings.\nHalden call\nNight Desk\n\n{WAREHOUSE}\n" in answer.text
    assert (answer.question, answer.verdict, answer.heading) == (TYPED, "answered", "")
    assert len(answer.evidence.parts) == 3


def test_marks_are_those_of_the_citations() -> None:
    answer = answered((MARGINS, None), (WAREHOUSE, None))
    assert [c.number for c in answer.citations] == list(range(1, len(answer.citations) + 1))
    for citation in answer.citations:
        assert f"{citation.quote}” [{citation.number}]" in answer.text
    behind = answer.text[answer.text.index(WAREHOUSE) :]
    assert "sold the warehouse" in behind and "[1]" not in behind


def test_they_share_the_words_of_one_answer() -> None:
    alone, both = answered((MARGINS, None)), answered((MARGINS, None), (WAREHOUSE, None))
    assert len(both.citations) <= Extractive().quotes + 1
    assert sum(len(c.quote.split()) for c in both.citations) <= 1.5 * Extractive().words
    assert alone.citations
    known = Evidence(Question(TYPED), parts=(Evidence(Question(MANY), plan=Plan(MANY, facts=(ALL,))),) * 2)
    assert parts_to_search(known) == 1


def test_what_is_not_answered_is_said_of_that_question_alone() -> None:
    unknown = "What do beekeepers think of marmalade?"
    answer = answered((unknown, None), (MANY, ALL))
    first = answer.text[: answer.text.index(MANY)]
    assert first.startswith(f"{unknown}\nNothing in ") and answer.verdict == "answered"
    assert 0.4 < answer.confidence < 0.9
    only = answered((unknown, None), (unknown, None))
    assert only.verdict in ("low_relevance", "nothing_found") and only.confidence < 0.5


def test_a_question_is_data() -> None:
    answer = answered(("What is [1] <b>here</b>\x1b[2J?", ALL), (MANY, ALL))
    assert "(1)" in answer.text and "[1]" not in answer.text and "\x1b" not in str(answer)


def test_a_fact_that_quotes_follow_is_reported_first() -> None:
    count = Fact('"tariff" is said in 3 passages.', whole=False)
    answer = answered((MANY, ALL), (MARGINS, count))
    assert f"{MARGINS}\n{count.text}\n\n" in answer.text and answer.citations


# ---------------------------------------------------------------- with a language model


def test_a_model_is_asked_once_after_what_is_known() -> None:
    model = ScriptedModel("Three points came from the tariff on frames [Source 1].", lambda _: "{}")
    events = pieces((MANY, ALL), (MARGINS, None), (WAREHOUSE, None), model=model)
    answer = events[-1]
    assert isinstance(answer, Answer) and answer.question == TYPED
    assert len([call for call in answer.calls if call.role == "answer"]) == 1
    known = f"{MANY}\nThere are 2 recordings.\nHalden call\nNight Desk\n\n{MARGINS} {WAREHOUSE}"
    assert answer.text.startswith(f"{known}\n\nThree points came from the tariff")
    assert "".join(event for event in events if isinstance(event, str)) == answer.text
    material = next(asked for _, asked in model.asked)
    assert MARGINS in material and WAREHOUSE in material and MANY not in material


def test_where_the_model_fails_the_quotes_stand_under_their_questions() -> None:
    place = next(p for p in talks().transcript("halden call") if "tariff" in p.text)
    first = Fact("It is first said there.", place=("halden call", place.position, place.text.index("tariff")))
    model = ScriptedModel(GenerationError("the server is down"))
    events = pieces((MANY, first), (MARGINS, None), (WAREHOUSE, None), model=model)
    answer = events[-1]
    assert isinstance(answer, Answer)
    for citation in answer.citations:
        assert f"[{citation.number}]" in answer.text
    assert answer.text.count(MARGINS) == 2 and answer.text.count("It is first said there. [1]") == 1
    cited = [event for event in events if isinstance(event, Citation)]
    assert [c.number for c in cited] == list(range(1, len(cited) + 1))


@pytest.mark.parametrize("asked", [((MANY, ALL), (MANY, ALL)), ((MANY, ALL),)])
def test_no_model_is_asked_where_all_is_known(asked: tuple[tuple[str, Fact], ...]) -> None:
    answer = answered(*asked, model=ScriptedModel("There are nine.", lambda _: "{}"))
    assert not answer.calls and answer.confidence == 1.0 and "There are 2 recordings." in answer.text


def test_a_model_that_plans_is_not_asked_about_several_questions() -> None:
    model = ScriptedModel(decide=lambda _: {"text": "Another?", "intent": "summary"})
    roles = ModelRoles({"plan": model}, Allowance(calls=3))
    several = Plan(TYPED, parts=(Plan(MARGINS), Plan(WAREHOUSE)))
    assert revise_plan(several, Question(TYPED), roles, ("balanced",)) == several and not model.asked
    assert revise_plan(Plan(MARGINS), Question(MARGINS), roles, ("balanced",)).intent == "summary"
