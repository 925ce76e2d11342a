"""One speaker's words, found through the words of other speakers around them."""

from onrecord.models.double import HashingEmbedder
from onrecord.retrieve import Moments, Search, Smooth, Tools, Within
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Evidence, Passage, Question, Recording, Scope

TURNS = (
    ("Ann", "what do you say about tariffs on copper"),
    ("Bo", "three things at once and the last is worst"),
    ("Ann", "thank you"),
    ("Ann", "now the weather in spring"),
    ("Bo", "rain I suppose"),
)
STAGE = Within(Search() >> Smooth()) >> Moments(words=8, longest=0)


def tools() -> Tools:
    store, embedder = MemoryStore(), HashingEmbedder()
    passages = [Passage("talk", at, text, speaker) for at, (speaker, text) in enumerate(TURNS)]
    recording = Recording("talk", "t", "t", "test", Details(), len(TURNS), speakers=("Ann", "Bo"))
    store.add(recording, passages, vectors=embedder.embed([text for _, text in TURNS]))
    return Tools(store, embedder)


def test_an_answer_is_found_by_the_question_before_it() -> None:
    question = Question("tariffs on copper", Scope(speakers=("Bo",)))
    evidence = STAGE(Evidence(question), tools())
    assert [p.text for m in evidence.moments for p in m.passages] == [TURNS[1][1]]
    assert evidence.question == question and evidence.curve is not None and len(evidence.curve.timeline) == 2
    assert [step.stage.partition("(")[0] for step in evidence.trace] == [
        "Search",
        "Smooth",
        "Within",
        "Moments",
    ]
    assert evidence.trace[2].note == "only Bo"


def test_without_a_speaker_it_is_the_stage_alone() -> None:
    asked = Evidence(Question("tariffs on copper"))
    bare = (Search() >> Smooth() >> Moments(words=8, longest=0))(asked, tools())
    evidence = STAGE(asked, tools())
    assert evidence.moments == bare.moments and len(evidence.trace) == 3


def test_a_stage_without_a_curve_is_left_as_it_is() -> None:
    asked = Evidence(Question("tariffs", Scope(speakers=("Bo",))))
    assert Within(Moments())(asked, tools()).curve is None
