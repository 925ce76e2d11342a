"""Passages that perform a dialogue act, detected by a reader or by comparison with examples."""

import numpy as np
import pytest

from onrecord.errors import ModelError
from onrecord.models.base import Reading
from onrecord.retrieve import Overview, Tools
from onrecord.retrieve.candidates.acts import ACT, ActMatcher, Acts
from onrecord.retrieve.read_acts import MODEL, act_questions, direction_of
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Evidence, Passage, Plan, Question, Recording

TALK = (
    ("Ann Bell", "What colour do we want?"),
    ("Bo Lund", "Then yellow rubber it is, and the lamp goes."),
    ("Ann Bell", "My sister has a yellow one."),
)
FRENCH = (("Ann Bell", "C'est décidé."), ("Bo Lund", "Il pleut sur le quai depuis ce matin."))


class ScriptedReader:
    """A reader that accepts sentences with a given word, and records the sentences that it reads."""

    name = "scripted"
    fingerprint = "scripted/1"

    def __init__(self, word: str, failing: bool = False) -> None:
        self.word, self.failing = word, failing
        self.questions: list[str] = []
        self.passages = 0

    def read(self, question, passages):
        if self.failing:
            raise ModelError("out of memory")
        self.questions.append(question)
        self.passages += len(passages)
        return [
            Reading(
                np.zeros(len(sentences), np.float32),
                np.array([0.8 if self.word in sentence else 0.1 for sentence in sentences], np.float32),
            )
            for sentences in passages
        ]


class DirectedEmbedder:
    """An embedder with vectors of the embedded model's width, so that the directions of acts apply."""

    name = "directed"
    fingerprint = f"{MODEL}test"
    dimensions = 384
    calibration = None


def store_of(*recordings, vectors=None):
    store = MemoryStore()
    for name, lines, language in recordings:
        passages = [Passage(name, at, words, speaker) for at, (speaker, words) in enumerate(lines)]
        details = Details(title=name.title(), language=language)
        store.add(Recording(name, name, name, "t", details, len(passages)), passages, vectors=vectors)
    return store


def found(tools, act="decision", **options):
    """Return the evidence for a question that asks for an act."""
    evidence = Evidence(
        Question("What was decided?"), (), plan=Plan("What was decided?", strategy="acts", act=act)
    )
    return Acts(Overview(), **options).run(evidence, tools)


def performing(tools, act="decision", **options):
    """Return the texts of the passages that perform an act, with their strengths."""
    moments = found(tools, act, **options).moments
    return {moment.passages[0].text: moment.scores[ACT] for moment in moments if ACT in moment.scores}


def cuts(evidence):
    """Return the notes of the steps that were cut short."""
    return [step.note for step in evidence.trace if step.cut]


def test_the_reader_says_what_performs_an_act():
    reader = ScriptedReader("rubber")
    tools = Tools(store_of(("design", TALK, "en")), reader=reader)
    assert performing(tools) == {TALK[1][1]: pytest.approx(0.8)}
    assert set(reader.questions) == {act_questions()["decision"][0]}


def test_an_act_that_the_reader_has_not_learnt_is_recognized_by_examples():
    reader = ScriptedReader("rubber")
    tools = Tools(store_of(("design", TALK, "en")), reader=reader)
    assert performing(tools, act="question") == {TALK[0][1]: 1.0}
    assert not reader.passages


def test_a_language_that_the_reader_does_not_read_is_recognized_by_examples():
    reader = ScriptedReader("pleut")
    tools = Tools(store_of(("quai", FRENCH, "fr"), ("design", TALK, "en")), reader=reader)
    assert performing(tools) == {"C'est décidé.": 1.0}
    assert reader.passages == len(TALK)


@pytest.mark.parametrize("reader", [None, ScriptedReader("yellow", failing=True)])
def test_without_a_reading_examples_tell(reader):
    turns = (("Ann Bell", "It is decided."), ("Bo Lund", "My yellow bicycle stands by the harbour wall."))
    assert performing(Tools(store_of(("design", turns, "en")), reader=reader)) == {"It is decided.": 1.0}


def test_of_many_passages_the_likeliest_are_read():
    turns = [("Ann Bell", f"Number {at} is yellow.") for at in range(40)]
    likely = {7, 8, 31}
    direction = direction_of("decision", DirectedEmbedder())
    vectors = np.array([direction if at in likely else -direction for at in range(40)], np.float32)
    reader = ScriptedReader("yellow")
    tools = Tools(store_of(("list", turns, "en"), vectors=vectors), DirectedEmbedder(), reader=reader)
    assert performing(tools, read=3).keys() == {turns[at][1] for at in likely}
    assert reader.passages == 3


def slow(store, reader):
    """Return tools with a clock on which a second passes from one look to the next."""
    seconds = iter(range(100))
    return Tools(store, reader=reader, reader_milliseconds=1500, clock=lambda: float(next(seconds)))


def test_no_more_is_read_than_there_is_time_for():
    turns = [("Ann Bell", f"Number {at} is yellow.") for at in range(40)]
    reader = ScriptedReader("yellow")
    store = store_of(("list", turns, "en"))
    assert performing(slow(store, reader)) == {words: pytest.approx(0.8) for _, words in turns[:8]}
    assert reader.passages == 8


@pytest.mark.parametrize("word", ["yellow", "purple"])  # a word of every passage, and of none
def test_what_was_not_read_is_cut(word):
    turns = [("Ann Bell", f"Number {at} is yellow.") for at in range(40)]
    store = store_of(("list", turns, "en"))
    assert cuts(found(slow(store, ScriptedReader(word)))) == ["the time was over after 8 of 40"]
    assert cuts(found(slow(store_of(("list", turns[:8], "en")), ScriptedReader(word)))) == []
    failing = ScriptedReader(word, failing=True)
    assert cuts(found(Tools(store, reader=failing))) == ["the reader failed: out of memory"]


def test_the_likeliest_are_of_what_is_read():
    """Passages in another language are compared with examples, whatever their vectors."""
    turns = [("Ann Bell", f"Number {at} is yellow.") for at in range(8)]
    direction = direction_of("decision", DirectedEmbedder())
    store = store_of(("list", turns, "en"), vectors=np.array([direction] * 8, np.float32))
    french = [Passage("quai", at, words, speaker) for at, (speaker, words) in enumerate(FRENCH)]
    details = Details(title="Quai", language="fr")
    store.add(Recording("quai", "quai", "quai", "t", details, 2), french, vectors=np.array([-direction] * 2))
    tools = Tools(store, DirectedEmbedder(), reader=ScriptedReader("yellow"))
    assert len(performing(tools, read=3)) == 4 and "C'est décidé." in performing(tools, read=3)


def test_every_act_has_a_question_and_a_direction():
    for act in act_questions():
        assert np.linalg.norm(direction_of(act, DirectedEmbedder())) == pytest.approx(1, abs=1e-2)
    assert direction_of("decision", None) is None


def test_tasks_are_those_of_who_is_named():
    turns = (
        ("Ann Bell", "I will send the minutes tonight."),
        ("Bo Lund", "I will send the drawings tonight."),
    )
    store = store_of(("design", turns, "en"))
    plan = Plan("What was decided?", strategy="acts", act="task", entities=("Ann Bell",))
    matcher = ActMatcher.of(plan, Tools(store, reader=ScriptedReader("send")))
    from onrecord.retrieve.read import sentences_of

    spoken = [sentence for passage in store.transcript("design") for sentence in sentences_of(passage, store)]
    assert matcher.strengths(spoken, matcher.read(spoken)) == [pytest.approx(0.8), 0.0]


def test_a_short_sentence_decides_with_those_before_it_in_its_turn():
    votes = "All in favour of the jetty? Six. Against? One. Carried."
    lines = (("Mo Tull", votes), ("Ida Moe", "The gulls were loud again."), ("Bo Lund", "Carried."))
    assert list(performing(Tools(store_of(("council", lines, "en"))))) == [votes]
