"""The passages in which what is asked for is done, and what is found where nobody does it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from onrecord.answer.extract import Extractive
from onrecord.errors import SettingError
from onrecord.models.double import HashingEmbedder
from onrecord.retrieve import Acts, Overview, Tools
from onrecord.retrieve.acts.wanted import Wanted, owner
from onrecord.stores.memory import MemoryStore
from onrecord.strategies import ACTS, AUTO
from onrecord.types import Answer, Details, Evidence, Passage, Plan, Question, Recording, Section

TALK = (
    ("Dana Reyes", "Good morning. The lease of the bakery ends in May and the roof leaks."),
    ("Omar Field", "The roof costs nine thousand. I'm worried about the winter."),
    ("Dana Reyes", "Then we patch the roof first. Hands up. That is decided. Omar, can you call the roofer?"),
    ("Omar Field", "I'll send you his offer before Friday."),
    ("Dana Reyes", "Good. The oven we leave for now, we'll decide on it in March."),
)
CALL = (
    ("Operator", "Please prepare your questions now, thank you."),
    ("Ivo Kern", "Sales rose by four percent and the shops are full. We plan to open two more by 2031."),
    ("Operator", "The first question comes from Jana Bell."),
    ("Jana Bell", "How much do the two new shops cost?"),
    ("Ivo Kern", "About a million. Shall we go on?"),
)


def talk_of(name: str, lines: tuple[tuple[str, str], ...]) -> list[Passage]:
    return [
        Passage(name, at, text, speaker, at * 10.0, at * 10.0 + 9) for at, (speaker, text) in enumerate(lines)
    ]


@pytest.fixture
def tools() -> Tools:
    store, embedder = MemoryStore(), HashingEmbedder()
    for name, lines, sections in (
        ("meeting", TALK, []),
        (
            "call",
            CALL,
            [Section("Remarks", first=0, last=1), Section("Questions", first=2, last=4, kind="qa")],
        ),
    ):
        passages = talk_of(name, lines)
        recording = Recording(name, name, name, "test", Details(f"The {name}", language="en")).counted(
            passages
        )
        store.add(recording, passages, sections, embedder.embed([p.text for p in passages]))
    return Tools(store, embedder)


def answer(text: str, tools: Tools) -> Answer:
    return Extractive(10, 400, outline=True).answer(AUTO.retrieve(Question(text), tools), tools)


def quotes(found: Answer) -> list[str]:
    return [citation.quote for citation in found.citations]


@pytest.mark.parametrize(
    ("question", "words", "recordings"),
    [
        ("What was decided?", "That is decided.", {"meeting"}),
        ("Qu'est-ce qui a été décidé ?", "That is decided.", {"meeting"}),
        ("What are the action items?", "I'll send you his offer", {"meeting"}),
        ("What risks were mentioned?", "I'm worried about the winter.", {"meeting"}),
        ("What was left open?", "we'll decide on it in March", {"meeting"}),
        ("What did Ivo Kern promise?", "We plan to open two more by 2031.", {"call"}),
        ("What questions did the analysts ask?", "How much do the two new shops cost?", {"call"}),
    ],
)
def test_what_is_done_is_quoted_with_speaker_and_second(
    question: str, words: str, recordings: set[str], tools: Tools
) -> None:
    found = answer(question, tools)
    assert found.verdict == "answered" and words in " ".join(quotes(found))
    assert {citation.recording.id for citation in found.citations} == recordings
    assert all(citation.speaker and citation.start is not None for citation in found.citations)


def test_a_decision_is_quoted_with_what_leads_to_it(tools: Tools) -> None:
    assert quotes(answer("What was decided?", tools)) == [
        "Then we patch the roof first. Hands up. That is decided. Omar, can you call the roofer?"
    ]


def test_who_is_to_do_a_task_is_told_and_can_be_asked_for(tools: Tools) -> None:
    found = answer("What are the action items?", tools)
    assert "Omar Field:\nDana Reyes: " in found.text
    omar = answer("What is Omar supposed to do?", tools)
    assert {citation.speaker for citation in omar.citations} == {"Dana Reyes", "Omar Field"}
    assert answer("What is Dana supposed to do?", tools).verdict == "low_relevance"


def test_the_operator_and_the_hosts_own_questions_are_no_audience(tools: Tools) -> None:
    found = answer("What questions did the audience ask?", tools)
    assert {citation.speaker for citation in found.citations} == {"Jana Bell"}


def test_where_nobody_does_it_the_whole_is_shown_and_called_no_answer(tools: Tools) -> None:
    found = answer("What complaints were made?", tools)
    assert found.verdict == "low_relevance" and found.confidence < 0.4 and found.citations
    assert found.heading.startswith("Nothing is complained about in so many words in the 2 recordings")
    assert answer("De quoi se plaint-on ?", tools).verdict != "answered"


def test_about_a_subject_the_sentences_beside_it_are_quoted(tools: Tools) -> None:
    assert "That is decided." in " ".join(quotes(answer("What was decided about the roof?", tools)))
    oven = answer("What was decided about the oven?", tools)
    assert oven.heading == "Nothing of this is decided in so many words: these are the nearest."
    assert oven.verdict == "answered" and oven.confidence <= 0.45 and oven.citations


def test_a_subject_that_nobody_names_is_no_answer(tools: Tools) -> None:
    assert answer("What was decided about the zeppelin?", tools).verdict != "answered"


def test_without_a_plan_the_question_is_planned_and_an_act_may_be_given(tools: Tools) -> None:
    asked = Evidence(Question("What was decided?"))
    found = ACTS.stages(asked, tools)
    assert found.plan is not None and (found.plan.act, found.plan.strategy) == ("decision", "acts")
    assert [p.position for m in found.moments for p in m.passages] == [2]
    risks = Acts(Overview(), act="risk").run(Evidence(Question("anything")), tools)
    assert risks.plan is not None and risks.plan.act == "risk"
    assert [p.position for m in risks.moments for p in m.passages] == [1]
    with pytest.raises(SettingError, match="decision, task"):
        Acts(Overview(), act="juggling")


def test_of_large_archives_the_passages_with_words_of_it_are_read(tools: Tools) -> None:
    asked = replace(Evidence(Question("What was decided?")), plan=Plan("What was decided?", act="decision"))
    found = Acts(Overview(), most=1).run(asked, tools)
    assert [p.position for m in found.moments for p in m.passages] == [2]


PLANS = (
    ("paint every bench green", "Omar pays for brushes"),
    ("move the ferry landing north", "tickets stay cheap"),
    ("sell the empty school", "children take buses instead"),
    ("plant forty limes along Mill Street", "watering costs two hundred"),
)


def minutes(dates: Sequence[str]) -> Tools:
    """A council that meets on these days, "" for one that nobody noted, and decides twice each time."""
    store, embedder = MemoryStore(), HashingEmbedder()
    for at, day in enumerate(dates):
        one, other = PLANS[at % len(PLANS)]
        said = ("Good evening everybody.", f"We decided to {one}.", f"We agreed that {other}.")
        lines = tuple(("Dana Reyes", text) for text in said)
        passages = talk_of(f"council-{at}", lines)
        details = Details(f"Council {at}", date=day or None, language="en")
        recording = Recording(f"council-{at}", f"council-{at}", "c", "test", details).counted(passages)
        store.add(recording, passages, [], embedder.embed([p.text for p in passages]))
    return Tools(store, embedder)


def read(words: int, most: int, tools: Tools) -> Evidence:
    asked = replace(Evidence(Question("What was decided?")), plan=Plan("What was decided?", act="decision"))
    return Acts(Overview(), words=words, most=most).run(asked, tools)


def recordings(found: Evidence) -> list[str]:
    return list(dict.fromkeys(moment.recording for moment in found.moments))


def test_the_newest_come_first_and_those_without_a_date_last() -> None:
    tools = minutes(["2024-03-01", "", "2023-11-05", "2024-09-17"])
    assert recordings(read(1500, 600, tools)) == ["council-3", "council-0", "council-2", "council-1"]
    told = answer("What was decided?", tools).text
    assert told.index("Council 3") < told.index("Council 0") < told.index("Council 2")


def test_of_large_archives_no_more_recordings_are_read_than_are_shown() -> None:
    tools = minutes([f"2024-{month:02}-01" for month in range(1, 13)])
    found = read(20, 12, tools)
    assert recordings(found) == ["council-11", "council-10"]
    assert {moment.passages[0].position for moment in found.moments} <= {1, 2}
    assert found.plan is not None and found.plan.notes[0].startswith("12 recordings have words for it")
    assert not (read(1500, 600, tools).plan or Plan("")).notes


@pytest.mark.parametrize("act", ["decision", "question"])
def test_where_nobody_does_it_no_more_is_read_than_half(act: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store, embedder, read = MemoryStore(), HashingEmbedder(), list[int]()
    for at in range(40):
        texts = [f"What is decided, what is asked: question {n} of motion {at}." for n in range(3)]
        passages = talk_of(f"council-{at}", tuple(("Dana Reyes", text) for text in texts))
        recording = Recording(f"council-{at}", f"council-{at}", "c", "test", Details(f"Council {at}"))
        store.add(recording.counted(passages), passages, [], embedder.embed([p.text for p in passages]))
    kept = MemoryStore.passages

    def counted(self: MemoryStore, rows: Sequence[int]) -> list[Passage]:
        read.extend(rows)
        return kept(self, rows)

    monkeypatch.setattr(MemoryStore, "passages", counted)
    asked = replace(Evidence(Question("What?")), plan=Plan("What?", act=act))
    found = Acts(Overview(), most=30)._found(asked, Wanted(act), Tools(store, embedder))
    assert not found.moments
    assert 0 < len(read) <= 15 and len(set(read)) == len(read)


def test_where_the_newest_do_nothing_of_it_the_best_of_all_is_read() -> None:
    store, embedder = MemoryStore(), HashingEmbedder()
    for at in range(40):
        texts = (
            ["What was decided?", "Good evening."]
            if at
            else ["Decided: we decided to sell the decided pier."]
        )
        passages = talk_of(f"council-{at}", tuple(("Dana Reyes", text) for text in texts))
        details = Details(f"Council {at}", date=f"20{10 + at}-01-01")
        recording = Recording(f"council-{at}", f"council-{at}", "c", "test", details).counted(passages)
        store.add(recording, passages, [], embedder.embed([p.text for p in passages]))
    assert recordings(read(1500, 30, Tools(store, embedder))) == ["council-0"]


def test_an_empty_archive_is_borne() -> None:
    empty = Tools(MemoryStore(), HashingEmbedder())
    assert answer("What was decided?", empty).verdict == "nothing_found"


PORT = (
    ("Ana Bello", "A toll on the bridge keeps the lorries out of our streets, and it pays for the paint."),
    ("Karl Voss", "I disagree, Ana. A toll on the bridge ruins the bakers on the far side."),
    ("Ana Bello", "The bakers cross it once a week."),
    ("Karl Voss", "The toll would cost them four hundred a year, and the bridge is theirs too."),
)


def test_where_two_people_are_asked_about_what_one_says_to_the_other_comes_first() -> None:
    store, embedder = MemoryStore(), HashingEmbedder()
    passages = talk_of("port", PORT)
    recording = Recording("port", "port", "port", "test", Details("The port", language="en"))
    store.add(recording.counted(passages), passages, [], embedder.embed([p.text for p in passages]))
    found = answer("Do Ana Bello and Karl Voss agree about the toll?", Tools(store, embedder))
    assert found.text.startswith("Agreement and disagreement:\nKarl Voss: “I disagree, Ana.")
    assert [citation.number for citation in found.citations] == [*range(1, len(found.citations) + 1)]


def test_nobody_owes_what_is_not_said_to_be_theirs() -> None:
    people = ("Dana Reyes", "Omar Field")
    assert owner("Omar, can you call?", "Dana Reyes", people) == "Omar Field"
    assert owner("I'll call Omar.", "Dana Reyes", people) is None
    assert owner("Can you call?", "Dana Reyes", people) is None
