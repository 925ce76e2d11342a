"""Judging evidence, searching again and rewording, within limits of rounds and time."""

from dataclasses import dataclass, field, replace
from time import sleep

import pytest
from hypothesis import given
from hypothesis import strategies as st
from worlds import EMBEDDER, places

from onrecord.errors import MissingToolError
from onrecord.models.loading import loading
from onrecord.retrieve import (
    Correct,
    Expand,
    Grade,
    Iterate,
    Keyword,
    Moments,
    Search,
    Semantic,
    Stage,
    Tools,
)
from onrecord.retrieve.loops.expand import bare_words, company, feedback, telling_terms
from onrecord.retrieve.loops.grade import entities_of, grade_evidence
from onrecord.retrieve.moments.moments import fused
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Evidence, Moment, Passage, Plan, Question, Recording

TALK = (
    ("Ingrid Halden", "margins fell because freight costs rose in spring"),
    ("Ingrid Halden", "freight and shipping costs doubled on the northern route"),
    ("Brendan Kelly", "shipping on the northern route takes forty days"),
    ("Brendan Kelly", "my neighbour keeps bees and sells honey"),
    ("Ingrid Halden", "we opened a workshop in Norway last year"),
    (None, "the weather was fine and nobody minded"),
    (None, "the northern route is closed in winter"),
)
SINGLE = Search() >> Moments(words=30, longest=0)


@pytest.fixture
def tools() -> Tools:
    store = MemoryStore()
    passages = [Passage("call", at, text, speaker) for at, (speaker, text) in enumerate(TALK)]
    names = ("Ingrid Halden", "Brendan Kelly")
    details = Details(title="The spring call", people=names)
    recording = Recording("call", "c", "c", "t", details, len(TALK), speakers=names)
    store.add(recording, passages, vectors=EMBEDDER.embed([p.spoken for p in passages]))
    return Tools(store, EMBEDDER)


def bare_store() -> MemoryStore:
    """The same talk without speakers."""
    store = MemoryStore()
    passages = [Passage("call", at, text) for at, (_, text) in enumerate(TALK)]
    store.add(Recording("call", "c", "c", "t", Details()), passages)
    return store


def asked(text: str, *entities: str, intent: str = "factual", queries: tuple[str, ...] = ()) -> Evidence:
    return Evidence(Question(text), plan=Plan(text, intent, entities=entities, queries=queries))


def with_moments(evidence: Evidence, tools: Tools, *positions: int, dense: float = 0.9) -> Evidence:
    moments = [
        Moment(tuple(tools.store.transcript("call", at, at)), 1.0, {"dense": dense}) for at in positions
    ]
    return evidence.with_moments(tuple(moments))


# ---------------------------------------------------------------- judging


def test_good_evidence_needs_no_second_look(tools: Tools) -> None:
    evidence = grade_evidence(
        with_moments(asked("why did margins fall: freight costs?", "Halden"), tools, 0, 1), tools
    )
    assert evidence.coverage == {"Halden": 1.0} and evidence.gaps == () and not evidence.retry
    assert 0.8 < evidence.quality <= 1 and evidence.relevance[0] > evidence.relevance[1]


@pytest.mark.parametrize(
    ("evidence", "positions", "cause", "gaps"),
    [
        (asked("freight"), (), "nothing found", ()),
        (
            asked("what did Kelly say of honey", "Kelly", "honey"),
            (0,),
            "entity not found",
            ("Kelly", "honey"),
        ),
        (asked("tulips and roses"), (5,), "low relevance", ()),
        (asked("freight and Norway", "freight", "Norway", intent="causal"), (1, 4), "relation missing", ()),
        (
            asked("freight", queries=("freight", "bees, honey")),
            (1,),
            "aspect missing",
            ("bees, honey",),
        ),
    ],
)
def test_what_is_wrong_has_a_name(
    tools: Tools, evidence: Evidence, positions: tuple[int, ...], cause: str, gaps: tuple[str, ...]
) -> None:
    dense = 0.1 if cause == "low relevance" else 0.9
    judged = grade_evidence(with_moments(evidence, tools, *positions, dense=dense), tools)
    assert (judged.cause, judged.gaps) == (cause, gaps)
    assert judged.retry and cause in str(judged)


@given(
    st.lists(st.integers(0, 5), max_size=6, unique=True),
    st.floats(-1, 1),
    st.sampled_from(["freight", "x y"]),
)
def test_quality_is_a_share(positions: list[int], dense: float, text: str) -> None:
    store = bare_store()
    tools = Tools(store, EMBEDDER)
    evidence = grade_evidence(with_moments(asked(text, "Norway"), tools, *positions, dense=dense), tools)
    assert 0 <= evidence.quality <= 1 and all(0 <= share <= 1 for share in evidence.relevance)
    assert len(evidence.relevance) == len(positions)


def test_a_name_may_be_spelt_a_little_differently(tools: Tools) -> None:
    assert grade_evidence(with_moments(asked("Haldan", "Haldan"), tools, 0), tools).coverage == {
        "Haldan": 1.0
    }
    assert grade_evidence(with_moments(asked("Kelly", "belly"), tools, 2), tools).coverage == {"belly": 0.0}


def test_without_a_plan_names_are_read_from_the_question() -> None:
    assert entities_of(Evidence(Question('Why did Ingrid Halden praise "northern route" in Oslo?'))) == [
        "northern route",
        "Ingrid Halden",
        "Oslo",
    ]
    assert entities_of(Evidence(Question("Why did it fall?"))) == []


def test_the_stage_says_what_it_thinks_and_drops_what_is_irrelevant(tools: Tools) -> None:
    start = with_moments(asked("freight costs"), tools, 1, 5)
    start = start.with_moments((start.moments[0], replace(start.moments[1], scores={"dense": 0.0})))
    assert places(Grade(least=0.5).run(start, tools).moments) == [("call", [1])]
    assert Grade()(start, tools).trace[0].note.startswith("quality 0.")
    worst = start.with_moments(start.moments[1:])
    graded = Grade(least=1).run(worst, tools)
    assert places(graded.moments) == places(worst.moments)
    assert graded.grade and [m.scores["relevance"] for m in graded.moments] == list(graded.grade.relevance)


# ---------------------------------------------------------------- other words


def test_terms_are_weighed_by_how_much_they_tell() -> None:
    """By hand: both texts have "shipping" and 2 of 7 passages do: w = ln(7/2); "northern": ln(7/3)."""
    store = bare_store()
    texts = [TALK[1][1], TALK[2][1]]
    assert telling_terms(texts, {"rout"}, store.timeline(), store, 5) == ["shipping", "northern"]
    assert telling_terms(texts, {"rout"}, store.timeline(), store, 1) == ["shipping"]


def test_other_words_come_from_the_archive_itself(tools: Tools) -> None:
    timeline = tools.store.timeline()
    moments = with_moments(asked("x"), tools, 1, 2).moments
    assert feedback("costs", moments, timeline, tools.store, 9) == ["shipping", "northern", "route"]
    assert "shipping" in company(Question("northern"), timeline, tools.store, 3)
    assert (
        bare_words(Question("the freight and the costs")) == ["freight cost"]
        and bare_words(Question("freight")) == []
    )


def test_a_question_is_asked_in_several_ways_and_reported_once(tools: Tools) -> None:
    stage = Expand(Keyword(3), queries=2)
    evidence = stage(Evidence(Question("shipping")), tools)
    positions = [at for _, run in places(evidence.moments) for at in run]
    assert len(positions) == len(set(positions)) and set(positions) == {1, 2, 6}  # the last has not the word
    notes = [step.note for step in evidence.trace if "also asked" in step.note]
    assert len(notes) == 1 and "northern" in notes[0]
    plain = Expand(Keyword(3), queries=0).run(Evidence(Question("shipping")), tools)
    assert plain.moments == fused([Keyword(3).run(Evidence(Question("shipping")), tools).moments])
    assert evidence.question.text == "shipping"


def test_nothing_to_add_adds_nothing(tools: Tools) -> None:
    assert Expand(Keyword(3)).run(Evidence(Question("tulips")), tools).moments == ()


# ---------------------------------------------------------------- searching again


@dataclass
class Clock:
    """A clock on which every search takes 100 ms."""

    now: float = 0.0

    def __call__(self) -> float:
        self.now += 0.1
        return self.now


@dataclass(frozen=True)
class First(Stage):
    """A stage that returns position 0 for the question, and keyword matches for other queries."""

    dense: float = 0.9
    looks: list[str] = field(default_factory=list)

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        self.looks.append(evidence.question.text)
        if len(self.looks) == 1:
            return evidence.with_moments(with_moments(evidence, tools, 0, dense=self.dense).moments)
        return Keyword(5).run(evidence, tools)


def test_what_is_missing_is_looked_for(tools: Tools) -> None:
    start = asked("what of margins, and of Norway", "margins", "Norway")
    first = First()
    evidence = Iterate(first)(start, tools)
    assert places(evidence.moments) == [("call", [0]), ("call", [4])]
    assert len(first.looks) == 2 and "Norway" in first.looks[1]
    assert [step.note for step in evidence.trace if step.stage == "Iterate, pass 2"] == ["Norway: 1 found"]


def test_an_aspect_is_asked_for_by_itself(tools: Tools) -> None:
    first = First()
    start = asked("margins and bees", queries=("why margins fell", "who keeps bees"))
    evidence = Iterate(first).run(start, tools)
    assert first.looks[1:] == ["who keeps bees"]
    assert ("call", [3]) in places(evidence.moments)


def test_looking_again_is_bounded_in_rounds_and_time(tools: Tools) -> None:
    start = asked("tulips and daffodils", "tulips", "daffodils")
    first = First()
    Iterate(first, rounds=5).run(start, tools)
    assert len(first.looks) == 3  # both gaps once: nothing is tried twice
    late = First()
    Iterate(late, milliseconds=50).run(start, replace(tools, clock=Clock()))
    assert len(late.looks) == 1
    none = First()
    Iterate(none, rounds=0).run(start, tools)
    assert len(none.looks) == 1


@dataclass(frozen=True)
class Loading(First):
    """The same stage in a new process: every search loads something slow."""

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        with loading():
            sleep(0.06)
        return super().run(evidence, tools)


@pytest.mark.parametrize("again", [Iterate, Correct])
def test_loading_takes_none_of_the_time_to_look_again(tools: Tools, again: type[Iterate | Correct]) -> None:
    first = Loading(dense=0.1)
    evidence = again(first, rounds=1, milliseconds=40)(asked("northern tulips", "tulips"), tools)
    assert len(first.looks) > 1 and not any(step.cut for step in evidence.trace)


@pytest.mark.parametrize("again", [Iterate, Correct])
def test_what_was_cut_short_is_reported(tools: Tools, again: type[Iterate | Correct]) -> None:
    slow = replace(tools, clock=Clock())
    evidence = again(First(dense=0.1), milliseconds=50)(asked("northern tulips", "tulips"), slow)
    assert [step.note for step in evidence.trace if step.cut] == ["left out: the time was over"]


# ---------------------------------------------------------------- correcting


def test_a_misspelt_name_is_corrected_by_the_archive(tools: Tools) -> None:
    start = asked("what does Brendon Kelley sell", "Brendon Kelley")
    evidence = Correct(First(), enough=0.95)(start, tools)
    assert any(p.speaker == "Brendan Kelly" for m in evidence.moments for p in m.passages)
    (note,) = (step.note for step in evidence.trace if step.stage == "Correct, round 1")
    assert "entity not found" in note and "Brendan Kelly" in note


def test_little_relevance_is_asked_in_other_words(tools: Tools) -> None:
    first = First(dense=0.1)
    Correct(first).run(asked("northern"), tools)
    assert len(first.looks) >= 2 and "shipping" in first.looks[1]


def test_entities_apart_are_asked_for_together(tools: Tools) -> None:
    first = First()
    start = asked("does honey cost margins", "margins", "freight", "bees", intent="causal")
    Correct(first, enough=1).run(start, tools)
    assert first.looks == [
        "does honey cost margins",
        "bees",
        "margins freight",
        "margins bees",
        "freight bees",
    ]


def test_what_does_not_help_is_not_kept(tools: Tools) -> None:
    evidence = Correct(First(), enough=1.0)(asked("zzz", "zzz"), tools)
    assert places(evidence.moments) == [("call", [0])]
    assert "no better, left as it was" in evidence.trace[-2].note


@pytest.mark.parametrize("bound", [{"rounds": 0}, {"enough": 0.0}, {"milliseconds": 50}])
def test_correcting_is_bounded(tools: Tools, bound: dict[str, float]) -> None:
    first = First()
    slow = replace(tools, clock=Clock())
    Correct(first, **bound).run(asked("zzz", "zzz"), slow)
    assert len(first.looks) == 1


def test_correcting_never_makes_it_worse(tools: Tools) -> None:
    for text in ("margins", "northern honey", "zzz", "Norway and bees"):
        start = asked(text, *text.split())
        before, after = SINGLE(start, tools), Correct(SINGLE, rounds=3, enough=1.0)(start, tools)
        assert grade_evidence(after, tools).quality >= grade_evidence(before, tools).quality - 1e-6


@pytest.mark.parametrize("stage", [Correct(Semantic()), Iterate(Semantic()), Expand(Semantic())])
def test_a_stage_within_is_refused_without_its_tool(stage: Stage, tools: Tools) -> None:
    with pytest.raises(MissingToolError, match="embedder"):
        stage.check(Tools(tools.store))


@pytest.mark.parametrize(
    "stage", [Expand(SINGLE), Expand(Semantic(3)), Correct(SINGLE, enough=1.0), Iterate(SINGLE)]
)
def test_how_near_it_is_is_judged_by_the_question_as_it_was_asked(stage: Stage, tools: Tools) -> None:
    """Similarity to another wording does not make a passage a better answer to the question."""
    start = asked("northern tulips", "tulips", "shipping")
    evidence = stage(start, tools)
    assert len(evidence.moments) > 1
    cosines = tools.store.dense(EMBEDDER.embed_query("northern tulips"), tools.store.timeline())
    if evidence.curve is not None:
        assert evidence.curve.parts["dense"].tolist() == pytest.approx(cosines.tolist(), abs=1e-6)
    for moment in evidence.moments:
        nearest = max(float(cosines[p.position]) for p in moment.passages)
        assert moment.scores.get("dense", nearest) == pytest.approx(nearest, abs=1e-6)
