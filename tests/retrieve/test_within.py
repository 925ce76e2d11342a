"""What one person says, found with the help of what others say around it."""

from onrecord.models.double import HashingEmbedder
from onrecord.retrieve import Moments, Search, Smooth, Tools, Within
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Evidence, Filter, Passage, Plan, Question, Recording, Scope

SAID = (
    ("Ann", "what do you say about tariffs on copper"),
    ("Bo", "three things at once and the last is worst"),
    ("Ann", "thank you"),
    ("Ann", "now the weather in spring"),
    ("Bo", "rain I suppose"),
)
STAGE = Within(Search() >> Smooth()) >> Moments(words=8, longest=0)


def tools() -> Tools:
    store, embedder = MemoryStore(), HashingEmbedder()
    passages = [Passage("talk", at, text, speaker) for at, (speaker, text) in enumerate(SAID)]
    recording = Recording("talk", "t", "t", "test", Details(), len(SAID), speakers=("Ann", "Bo"))
    store.add(recording, passages, vectors=embedder.embed([text for _, text in SAID]))
    return Tools(store, embedder)


def test_an_answer_is_found_by_the_question_before_it() -> None:
    question = Question("tariffs on copper", Scope(speakers=("Bo",)))
    found = STAGE(Evidence(question), tools())
    assert [p.text for m in found.moments for p in m.passages] == [SAID[1][1]]
    assert found.question == question and found.curve is not None and len(found.curve.line) == 2
    assert [step.stage.partition("(")[0] for step in found.trail] == ["Search", "Smooth", "Within", "Moments"]
    assert found.trail[2].note == "only Bo"


def test_without_a_speaker_it_is_the_stage_alone() -> None:
    asked = Evidence(Question("tariffs on copper"))
    bare = (Search() >> Smooth() >> Moments(words=8, longest=0))(asked, tools())
    found = STAGE(asked, tools())
    assert found.moments == bare.moments and len(found.trail) == 3


def test_a_stage_without_a_curve_is_left_as_it_is() -> None:
    asked = Evidence(Question("tariffs", Scope(speakers=("Bo",))))
    assert Within(Moments())(asked, tools()).curve is None


def test_who_was_read_from_the_question_keeps_what_stands_beside() -> None:
    plan = Plan("tariffs on copper", filters=(Filter("speaker", "Bo", "Bo"),))
    asked = Evidence(Question("tariffs on copper", Scope(speakers=("Bo",))), plan=plan)
    near = Within(Search() >> Smooth(), beside=1)(asked, tools())
    assert near.curve is not None and near.curve.line.positions.tolist() == [0, 1, 2, 3, 4]
    alone = Within(Search() >> Smooth(), beside=0)(asked, tools())
    assert alone.curve is not None and alone.curve.line.positions.tolist() == [1, 4]
    assert near.trail[-1].note == "Bo, and what is said beside" and alone.trail[-1].note == "only Bo"


def test_what_stands_beside_is_of_the_same_recording_and_theirs_is_raised() -> None:
    store = MemoryStore()
    for name, speaker in (("one", "Ann"), ("two", "Bo"), ("three", "Ann")):
        said = Recording(name, name, name, "test", Details(), 1, speakers=(speaker,))
        store.add(said, [Passage(name, 0, "tariffs", speaker)])
    plan = Plan("tariffs", filters=(Filter("speaker", "Bo", "Bo"),))
    asked = Evidence(Question("tariffs", Scope(speakers=("Bo",))), plan=plan)
    found = Within(Search(), raised=0.5)(asked, Tools(store))
    assert found.curve is not None and len(found.curve.line) == 1
    plain = Within(Search(), raised=0)(asked, Tools(store))
    assert plain.curve is not None and found.curve.score[0] == plain.curve.score[0] + 0.5
