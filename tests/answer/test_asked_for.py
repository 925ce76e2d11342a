"""Only the requested speakers are quoted; another speaker's question leads to their answer."""

from dataclasses import replace

import numpy as np

from onrecord.answer.extract import Extractive
from onrecord.models.base import Reading
from onrecord.models.double import HashingEmbedder
from onrecord.retrieve import Tools
from onrecord.stores.memory import MemoryStore
from onrecord.strategies import BALANCED
from onrecord.types import Details, Passage, Plan, Question, Recording, Scope

HERS = "Tariffs on copper are a step for everybody who smelts it."
HIS = "A slope is what I see in tariffs, and it goes on for years."


def quoted(*speakers: str) -> set[str | None]:
    """Return the speakers quoted on tariffs if these speakers are requested."""
    store, embedder = MemoryStore(), HashingEmbedder()
    text = f"{HERS} {HIS}"
    passage = Passage("talk", 0, text, "Bo", voices=((0, "Ann"), (len(HERS) + 1, "Bo")))
    recording = Recording("talk", "t", "t", "test", Details(), 1, speakers=("Ann", "Bo"))
    store.add(recording, [passage], vectors=embedder.embed([passage.spoken]))
    tools = Tools(store, embedder)
    evidence = BALANCED.retrieve(Question("tariffs on copper", Scope(speakers=speakers)), tools)
    return {citation.speaker for citation in Extractive().answer(evidence, tools).citations}


def test_anybody_is_quoted_where_nobody_is_named() -> None:
    assert "Ann" in quoted()


def test_only_who_was_asked_for_is_quoted() -> None:
    assert quoted("Bo") == {"Bo"}
    assert quoted("ann") == {"Ann"}


def test_a_reader_that_points_at_the_question_leads_to_the_reply_of_who_was_asked_for() -> None:
    asked, reply = "Why did margins fall last year?", "Margins fell by the tariff that came in June."
    passages = [Passage("talk", 0, asked, "Mara"), Passage("talk", 1, reply, "Kelly")]

    class PointsAtTheQuestion:
        name = fingerprint = "points"

        def read(self, question: str, texts: list[list[str]]) -> list[Reading]:
            cores = [np.array([4.0 if asked in text else -4.0 for text in some]) for some in texts]
            return [Reading(core, np.zeros(len(core))) for core in cores]

    store, embedder = MemoryStore(), HashingEmbedder()
    recording = Recording("talk", "t", "t", "test", Details(), 2, speakers=("Mara", "Kelly"))
    store.add(recording, passages, vectors=embedder.embed([passage.spoken for passage in passages]))
    tools = replace(Tools(store, embedder), reader=PointsAtTheQuestion())
    evidence = BALANCED.retrieve(Question("Why did margins fall?", Scope(speakers=("Kelly",))), tools)
    answer = Extractive().answer(evidence, tools)
    assert [citation.quote for citation in answer.citations] == [reply]
    assert answer.verdict == "answered" and answer.confidence > 0.6


def test_a_question_of_who_was_asked_for_is_quoted_if_only_others_reply_to_it() -> None:
    asked = "Quiet lanterns on the bank. What's the point of that?"
    text = f"{asked} They spare the herons that breed there, and they are cheap."

    class PointsAtTheQuestion:
        name = fingerprint = "points"

        def read(self, question: str, texts: list[list[str]]) -> list[Reading]:
            cores = [np.array([9.0 if "Quiet" in text else -9.0 for text in some]) for some in texts]
            return [Reading(core, np.zeros(len(core))) for core in cores]

    store, embedder = MemoryStore(), HashingEmbedder()
    passage = Passage("talk", 0, text, "Gil", voices=((0, "Gil"), (len(asked) + 1, "Mara")))
    recording = Recording("talk", "t", "t", "test", Details(), 1, speakers=("Gil", "Mara"))
    store.add(recording, [passage], vectors=embedder.embed([passage.spoken]))
    tools = replace(Tools(store, embedder), reader=PointsAtTheQuestion())
    question = Question("What is the point of quiet lanterns?", Scope(speakers=("Gil",)))
    answer = Extractive().answer(BALANCED.retrieve(question, tools), tools)
    assert [citation.quote for citation in answer.citations] == [asked]
    assert answer.verdict == "answered"


def test_a_task_stands_under_the_name_of_whom_it_is_for() -> None:
    task = "Your task is to order the frames at the harbour, Bodo."
    recording = Recording("talk", "t", "t", "test", Details(), 1, speakers=("Ann", "Bodo"))
    store, embedder = MemoryStore(), HashingEmbedder()
    store.add(recording, [Passage("talk", 0, task, "Ann")], vectors=embedder.embed([task]))
    tools = Tools(store, embedder)
    plan = Plan("tasks", strategy="acts", act="task")
    evidence = replace(BALANCED.retrieve(Question("frames and harbour"), tools), plan=plan)
    answer = Extractive().answer(evidence, tools)
    assert answer.text.startswith("For Bodo:\nAnn: ")
    other = replace(evidence, plan=replace(plan, act="complaint"))
    assert "judged by the wording" in Extractive().answer(other, tools).heading
