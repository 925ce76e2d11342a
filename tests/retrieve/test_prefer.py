"""Preferences: matching passages stand alone if they answer the question, and come first otherwise."""

from dataclasses import replace

import pytest

from onrecord.models.double import HashingEmbedder
from onrecord.retrieve import Branch, Moments, Overview, Prefer, Route, Search, Semantic, Stage, Tools
from onrecord.retrieve.curve.prefer import prefers
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Evidence, Filter, Passage, Plan, Question, Recording, Scope

TALKS = {
    "spring": [
        ("Ann", "what do you say about tariffs on copper"),
        ("Bo", "tariffs on copper are bad for all"),
        ("Ann", "thank you"),
        ("Ann", "now the weather"),
        ("Ann", "rain again"),
        ("Bo", "I like rain"),
    ],
    "autumn": [
        ("Cy", "tariffs on copper were lifted"),
        ("Cy", "bees fly to the roses"),
        ("Dee", "roses need bees"),
    ],
}
BO = Filter("speaker", "Bo", "Bo", exact=False)


@pytest.fixture(scope="module")
def tools() -> Tools:
    store, embedder = MemoryStore(), HashingEmbedder()
    for number, (name, turns) in enumerate(TALKS.items()):
        passages = [Passage(name, at, text, speaker) for at, (speaker, text) in enumerate(turns)]
        details = Details(name.title(), f"202{number}-05-01", attributes={"season": name})
        people = tuple(dict.fromkeys(speaker for speaker, _ in turns))
        recording = Recording(name, name, name, "test", details, len(turns), speakers=people)
        store.add(recording, passages, vectors=embedder.embed([text for _, text in turns]))
    return Tools(store, embedder)


def retrieved(text: str, tools: Tools, *filters: Filter, stage: Stage | None = None) -> Evidence:
    evidence = Evidence(Question(text), plan=Plan(text, filters=filters))
    return (Search() >> (stage or Prefer(beside=0)))(evidence, tools)


def voices(evidence: Evidence, tools: Tools) -> list[str | None]:
    assert evidence.curve is not None
    return [p.speaker for p in tools.store.passages(evidence.curve.timeline.rows)]


def test_who_speaks_of_it_is_shown_alone(tools: Tools) -> None:
    evidence = retrieved("tariffs on copper", tools, BO)
    assert set(voices(evidence, tools)) == {"Bo"} and evidence.question.scope.speakers == ("Bo",)
    assert "only speaker Bo" in evidence.trace[-1].note


def test_whom_only_earlier_turns_name_stays_among_others(tools: Tools) -> None:
    lent = replace(BO, cited=True)
    assert set(voices(retrieved("tariffs on copper", tools, lent), tools)) == {"Ann", "Bo", "Cy", "Dee"}
    asked = Evidence(Question("rain"), plan=Plan("rain", filters=(lent,)))
    assert {"Ann", "Bo"} <= {m.passages[0].speaker for m in Overview()(asked, tools).moments}


def test_who_does_not_speak_of_it_hides_nobody(tools: Tools) -> None:
    evidence = retrieved("bees and roses", tools, BO)
    assert set(voices(evidence, tools)) == {"Ann", "Bo", "Cy", "Dee"} and not evidence.question.scope
    assert "preferring speaker Bo" in evidence.trace[-1].note


def test_what_leads_to_their_words_stays(tools: Tools) -> None:
    evidence = retrieved("tariffs on copper", tools, BO, stage=Prefer(beside=1))
    assert evidence.curve is not None and evidence.curve.timeline.positions.tolist() == [0, 1, 2, 4, 5]


def test_a_date_only_raises(tools: Tools) -> None:
    plain = retrieved("tariffs on copper", tools)
    dated = retrieved("tariffs on copper", tools, Filter("since", "2021-01-01", "since 2021", exact=False))
    assert plain.curve is not None and dated.curve is not None
    assert len(dated.curve.timeline) == len(plain.curve.timeline)
    lowered = dated.curve.score < plain.curve.score
    assert [dated.curve.timeline.names[n] for n in dated.curve.timeline.recordings[lowered]] == [
        "spring"
    ] * int(lowered.sum())


def test_the_weakest_condition_is_given_up_first(tools: Tools) -> None:
    season = Filter("season", "autumn", "autumn", exact=False)
    evidence = retrieved("tariffs on copper", tools, BO, season)  # Bo does not speak in autumn
    assert set(voices(evidence, tools)) == {"Bo"}


def test_given_speakers_are_left_alone(tools: Tools) -> None:
    evidence = Evidence(Question("rain", Scope(speakers=("Ann",))), plan=Plan("rain", filters=(BO,)))
    preferred = (Search() >> Prefer())(evidence, tools)
    assert set(voices(preferred, tools)) == {"Ann"}


def test_without_a_curve_the_scope_is_narrowed(tools: Tools) -> None:
    asked = Evidence(Question("rain"), plan=Plan("rain", filters=(BO,)))
    assert {m.passages[0].speaker for m in Overview()(asked, tools).moments} == {"Bo"}

    def planner(*_: object, **__: object) -> Plan:
        return Plan("rain", filters=(BO,))

    route = Route((Branch("direct", Semantic(5)),))
    moments = route(Evidence(Question("rain")), replace(tools, planner=planner)).moments
    assert {m.passages[0].speaker for m in moments} == {"Bo"}


def test_a_stage_says_whether_it_prefers() -> None:
    assert prefers(Search() >> Prefer() >> Moments()) and prefers(Overview())
    assert not prefers(Search() >> Moments())


def test_both_ends_of_a_date_are_one_condition(tools: Tools) -> None:
    ends = (
        Filter("since", "2020-01-01", "2020", exact=False),
        Filter("until", "2020-12-31", "2020", exact=False),
    )
    evidence = retrieved("tariffs on copper", tools, *ends)
    plain = retrieved("tariffs on copper", tools)
    assert evidence.curve is not None and plain.curve is not None
    spring = [evidence.curve.timeline.names[n] == "spring" for n in evidence.curve.timeline.recordings]
    assert (evidence.curve.score[spring] == plain.curve.score[spring]).all()
