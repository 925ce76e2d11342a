"""Facts known to the archive come first, and are the answer, whatever is written after them."""

from dataclasses import replace

import pytest
from talks import talks, tools, whole

from onrecord.answer.extract import Extractive
from onrecord.answer.manner import Manner
from onrecord.answer.quotes import catalog_facts, settled_answer
from onrecord.answer.verify import citation_fault
from onrecord.answer.write import write
from onrecord.models.double import ScriptedModel
from onrecord.types import Answer, Citation, Evidence, Fact, Nearest, Plan, Question
from onrecord.understand.lexicon import messages_in

WHY = Question("Why did margins fall after the tariff?")
COUNT = Fact('"tariff" is said in 3 passages.', whole=False)
ALL = Fact("There are 2 recordings.", ("Halden call", "Night Desk"))


def pieces(*facts: Fact, model: ScriptedModel | None = None, verdict: str = "") -> list[object]:
    """Return the pieces of an answer to a question whose plan has these facts."""
    work = tools(talks(), model)
    whole_evidence = whole(WHY, work)
    evidence = replace(whole_evidence, plan=Plan(WHY.text, facts=facts))
    stand_in = settled_answer(evidence) or Extractive().answer(evidence, work)
    stand_in = replace(stand_in, verdict=verdict or stand_in.verdict)
    return list(write(stand_in, work, "en", Manner()))


def answered(*facts: Fact, **how: object) -> Answer:
    answer = pieces(*facts, **how)[-1]  # type: ignore[arg-type]
    assert isinstance(answer, Answer)
    return answer


def heard(word: str) -> Fact:
    """Return a fact about the first mention of a word."""
    store = talks()
    for recording in store.recordings():
        for passage in store.transcript(recording.id):
            if word in passage.text:
                place = (recording.id, passage.position, passage.text.index(word))
                return Fact(f'"{word}" is first said there.', place=place, whole=False)
    raise AssertionError(word)


def test_facts_alone_are_the_answer() -> None:
    answer = answered(ALL, Fact("They last 0:30."))
    assert answer.text == "There are 2 recordings.\nHalden call\nNight Desk\n\nThey last 0:30."
    assert (answer.verdict, answer.heading, answer.confidence) == ("answered", "", 1.0)
    assert not answer.citations
    assert str(answer).startswith("There are 2 recordings.\n")


def test_quotes_follow_under_what_they_are() -> None:
    plain = answered()
    answer = answered(COUNT)
    assert answer.text == f"{COUNT.text}\n\n{plain.heading}\n\n{plain.text}"
    assert answer.citations == plain.citations and not answer.heading


def test_where_it_is_said_is_cited_first() -> None:
    fact = heard("tariff")
    plain, answer = answered(), answered(COUNT, fact)
    first, *others = answer.citations
    assert answer.text.startswith(f"{COUNT.text}\n\n{fact.text} [1]\n\n")
    assert "tariff" in first.quote
    assert citation_fault(first, talks().passages([p.row for p in first.passages])) is None
    assert first.start == first.passage.time_at(first.passage.text.index(first.quote))
    assert [c.quote for c in others] == [c.quote for c in plain.citations]
    assert [c.number for c in answer.citations] == list(range(1, len(answer.citations) + 1))
    for citation in others:
        assert f"{citation.quote}” [{citation.number}]" in answer.text


def test_marks_within_quotes_stay_as_they_are_spoken() -> None:
    quote = Citation(1, talks().recordings()[0], "as in [1]", (), None, None, None, None, 0.5)
    reply = Answer("q", "H", "Ann: “as in [1]” [1]", "answered", (quote,), Evidence(WHY))
    first = catalog_facts(replace(Evidence(WHY), plan=Plan("q", facts=(heard("tariff"),))), talks())
    assert first is not None
    assert first.prepend_to(reply, messages_in("en")).text.endswith("H\n\nAnn: “as in [1]” [2]")


@pytest.mark.parametrize("verdict", ["low_relevance", "nothing_found"])
def test_nothing_found_is_never_said_beside_a_fact(verdict: str) -> None:
    answer = answered(COUNT, verdict=verdict)
    assert answer.verdict == "answered" and "Nothing" not in str(answer)
    assert ("The nearest passages:" in answer.text) == (verdict == "low_relevance")
    assert bool(answer.citations) == (verdict == "low_relevance")


def test_a_place_that_is_gone_is_not_cited() -> None:
    for place in (("nowhere", 0, 0), ("halden call", 999, 0)):
        answer = answered(Fact("It is said there.", place=place))
        assert answer.text == "It is said there." and not answer.citations


def test_a_model_writes_after_what_is_known() -> None:
    model = ScriptedModel("Three points came from the tariff on frames [Source 1].", lambda _: "{}")
    events = pieces(heard("tariff"), model=model)
    answer = events[-1]
    assert isinstance(answer, Answer) and answer.calls
    assert isinstance(events[0], Nearest)
    assert isinstance(events[1], Citation) and events[1].number == 1
    assert events[2] == '"tariff" is first said there. [1]'
    assert "".join(event for event in events if isinstance(event, str)) == answer.text
    assert answer.text.startswith('"tariff" is first said there. [1]\n\n')
    assert (answer.verdict, answer.heading) == ("answered", "")


def test_a_silent_model_leaves_what_is_known() -> None:
    answer = answered(COUNT, model=ScriptedModel("[No answer]", lambda _: "{}"))
    assert answer.verdict == "answered" and answer.text.startswith(f"{COUNT.text}\n\n")
    assert len(answer.text) > len(COUNT.text) + 2


def test_no_model_is_asked_where_all_is_known() -> None:
    answer = answered(ALL, model=ScriptedModel("There are nine recordings.", lambda _: "{}"))
    assert answer.text.startswith("There are 2 recordings.") and not answer.calls


def test_what_was_said_on_another_date_is_only_the_nearest() -> None:
    work = tools(talks())
    evidence = whole(WHY, work)
    asked = replace(evidence, plan=Plan(WHY.text, unmet_date="in May 2020"))
    assert Extractive().answer(replace(evidence, plan=Plan(WHY.text)), work).verdict == "answered"
    answer = Extractive().answer(asked, work)
    assert answer.verdict == "low_relevance" and answer.confidence < 0.2 and answer.citations
    assert answer.heading.endswith("The nearest passages:")
