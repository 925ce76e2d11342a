"""Answers from a small archive of invented talk."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.answer.extract import Extractive
from onrecord.answer.talk import is_empty
from onrecord.answer.verify import verbatim
from onrecord.models.double import HashingEmbedder
from onrecord.retrieve import Moments, Search, Smooth, Tools
from onrecord.stores.memory import MemoryStore
from onrecord.types import Answer, Details, Evidence, Moment, Passage, Question, Recording, Scope

Said = tuple[str, str]  # speaker, words
Ask = Callable[..., Answer]

CALL: Sequence[Said] = (
    ("Operator", "Good morning and welcome. All lines are muted, and this call is being recorded for later."),
    (
        "Ann Bell",
        "Our gross margin fell to twenty-six percent. Three points of that came from the tariff on frames.",
    ),
    ("Claire Dumont", "Why did you not raise prices after the tariff?"),
    (
        "Ann Bell",
        "Yeah, exactly. Our dealers asked us not to. A full shop sells less when prices rise, not more.",
    ),
    (
        "Bo Lund",
        "Electric bicycles were thirty-eight percent of revenue. But they need batteries from two suppliers.",
    ),
    ("Operator", "There are no further questions, and that closes the call for today. Goodbye everybody."),
)
DESK: Sequence[Said] = (
    (
        "Mara Linde",
        "You are listening to the desk. Tonight we speak with a buyer of parts about an odd spring.",
    ),
    ("Mara Linde", "Why did margins fall at the bicycle makers?"),
    (
        "Bo Lund",
        "Freight doubled in August. And the tariff on frames took three points of margin in one night.",
    ),
    ("Mara Linde", "What would you have done with the warehouse in the harbour?"),
    ("Bo Lund", "I would have sold the warehouse in spring. The harbour rents it back to you by the month."),
)


def recording(name: str, **details: str) -> Recording:
    return Recording(name, f"{name}.vtt", "", "webvtt", Details(**{"title": name.title(), **details}))


def passages(name: str, turns: Sequence[Said]) -> list[Passage]:
    return [
        Passage(name, at, words, speaker, at * 20.0, at * 20.0 + 18.0)
        for at, (speaker, words) in enumerate(turns)
    ]


def add(store: MemoryStore, name: str, turns: Sequence[Said], **details: str) -> None:
    talk = passages(name, turns)
    vectors = HashingEmbedder().embed([p.spoken for p in talk])
    store.add(recording(name, **details), talk, (), vectors)


@pytest.fixture
def store() -> MemoryStore:
    memory = MemoryStore()
    add(memory, "halden call", CALL, date="2024-11-12", link="https://youtu.be/aB3_-xYz901")
    add(memory, "night desk", DESK, date="2024-11-14")
    return memory


def retrieve(store: MemoryStore, question: str, scope: Scope, embedder: HashingEmbedder | None) -> Evidence:
    stages = Search() >> Smooth(forward=15, backward=15) >> Moments(words=300, floor=0.5)
    return stages(Evidence(Question(question, scope)), Tools(store, embedder))


@pytest.fixture
def ask(store: MemoryStore) -> Ask:
    def asked(
        question: str,
        scope: Scope = Scope(),  # noqa: B008 - frozen
        embedder: HashingEmbedder | None = HashingEmbedder(),  # noqa: B008 - keeps nothing
        language: str = "en",
        **settings: int,
    ) -> Answer:
        evidence = retrieve(store, question, scope, embedder)
        return Extractive(**settings).answer(evidence, Tools(store, embedder), language=language)

    return asked


HOW_MUCH = "How much margin came from the tariff on frames?"


def test_an_answer_quotes_who_said_it_when_and_where(ask: Ask) -> None:
    answer = ask(HOW_MUCH)
    assert answer.verdict == "answered"
    first = next(c for c in answer.citations if c.recording.id == "halden call")
    assert (
        first.quote
        == "Our gross margin fell to twenty-six percent. Three points of that came from the tariff on frames."
    )
    assert (first.speaker, first.start, first.end) == ("Ann Bell", 20.0, 38.0)
    assert first.link == "https://youtu.be/aB3_-xYz901?t=20"
    assert [c.number for c in answer.citations] == list(range(1, len(answer.citations) + 1))
    assert all(f"[{c.number}]" in answer.text for c in answer.citations)
    assert 0.4 <= answer.confidence <= 1
    assert all(0 < c.confidence <= 1 for c in answer.citations)


def test_every_quote_stands_in_the_store(ask: Ask, store: MemoryStore) -> None:
    for question in (HOW_MUCH, "batteries", "Who sold the warehouse in the harbour?", "tariff"):
        for citation in ask(question).citations:
            span = verbatim(citation.quote, store.transcript(citation.recording.id), citation.start)
            assert span is not None
            assert span.speaker == citation.speaker
            assert citation.passages == span.passages


def test_quotes_are_grouped_by_recording_in_the_order_in_which_they_were_spoken(ask: Ask) -> None:
    answer = ask("tariff on frames")
    recordings = [c.recording.id for c in answer.citations]
    assert sorted(set(recordings), key=recordings.index) == [
        r for i, r in enumerate(recordings) if r not in recordings[:i]
    ]
    assert len(set(recordings)) == 2
    for one, other in zip(answer.citations, answer.citations[1:], strict=False):
        assert one.recording != other.recording or (one.start or 0) < (other.start or 0)
    assert "Halden Call (2024-11-12):" in answer.text


def test_what_answers_a_question_ranks_above_the_question(ask: Ask) -> None:
    answer = ask("Why did you not raise prices?")
    best = max(answer.citations, key=lambda c: c.confidence)
    assert best.speaker == "Ann Bell"
    assert "dealers asked us not to" in best.quote


def test_what_says_nothing_is_never_quoted_for_itself(ask: Ask) -> None:
    assert all(c.quote != "Yeah, exactly." for c in ask("Yeah, exactly, prices").citations)


@pytest.mark.parametrize(
    ("assent", "empty"), [("Ab- absolutely.", True), ("Absolutely, prices rose.", False)]
)
def test_a_word_that_breaks_off_is_no_content(assent: str, empty: bool) -> None:
    assert is_empty(assent) == empty


def test_a_sentence_that_leans_on_another_takes_it_along(ask: Ask) -> None:
    (citation,) = ask("batteries from suppliers", quotes=1).citations
    assert citation.quote.startswith("Electric bicycles were thirty-eight percent of revenue. But they need")


def test_no_more_is_shown_than_was_asked_for(ask: Ask) -> None:
    assert len(ask("tariff", quotes=1).citations) == 1
    shown = ask("tariff margin frames", words=25).citations
    assert sum(len(c.quote.split()) for c in shown) <= 25 or len(shown) == 1


# ---------------------------------------------------------------- verdicts


@pytest.mark.parametrize(
    "question", ["Which penguins hatch in winter?", "Who painted the cathedral in Zanzibar?"]
)
def test_what_nobody_spoke_about_is_not_found(ask: Ask, question: str) -> None:
    answer = ask(question)
    assert answer.verdict == "nothing_found"
    assert answer.heading == "Nothing in the 2 recordings searched is about this."
    assert answer.citations == ()
    assert answer.text == ""
    assert answer.confidence < 0.15
    assert any("never said in the recordings searched" in note for note in answer.notes)


def test_what_is_only_near_is_shown_as_that(ask: Ask) -> None:
    answer = ask("Did Rembrandt ever paint the harbour of Delft?")
    assert answer.verdict == "low_relevance"
    assert answer.heading.startswith("Nothing in the 2 recordings searched clearly answers this.")
    assert any("harbour" in c.quote for c in answer.citations)
    assert "“Rembrandt”, “paint” and “Delft” are never said in the recordings searched." in answer.notes


def test_a_word_that_nobody_says_is_reported_where_the_answer_is_not_sure(store: MemoryStore) -> None:
    moment = Moment((store.transcript("night desk")[4],), 1.0, {"dense": 0.35})
    evidence = Evidence(Question("Who sold the warehouse in the harbour of Delft?"), (moment,))
    answer = Extractive().answer(evidence, Tools(store, HashingEmbedder()))
    assert answer.verdict == "answered" and answer.confidence < 0.75
    assert answer.notes == ("“Delft” is never said in the recordings searched.",)


SPONSOR = "This programme is brought to you by Copper Kettle, the slow tea for people in a hurry."


def test_the_same_words_everywhere_are_reported_once(store: MemoryStore) -> None:
    for number in range(4):
        host = f"Welcome to part {number} of our series, where we look at one odd thing at a time."
        add(store, f"kettle {number}", (("Host", SPONSOR), ("Host", host)))
    evidence = retrieve(store, "Who brings you Copper Kettle tea?", Scope(), HashingEmbedder())
    answer = Extractive().answer(evidence, Tools(store, HashingEmbedder()))
    assert answer.verdict == "low_diversity"
    assert (
        answer.heading
        == "4 quotes in four recordings say the same in nearly the same words. Here is one of them."
    )
    assert answer.text.count("Copper Kettle") == 1
    assert answer.text.endswith("The same again: [2] [3] [4]")
    assert len({c.recording.id for c in answer.citations}) == 4


def test_other_figures_in_the_same_words_are_each_reported(store: MemoryStore) -> None:
    for number, revenue in enumerate((137, 174, 211, 248)):
        statement = (
            f"In this quarter our revenue was {revenue} million dollars, and we are pleased with that."
        )
        add(
            store, f"quarter {number}", (("Operator", "Good morning, and welcome."), ("Dana Osei", statement))
        )
    evidence = retrieve(store, "How much revenue was there?", Scope(), HashingEmbedder())
    answer = Extractive().answer(evidence, Tools(store, HashingEmbedder()))
    assert answer.verdict == "answered" and "said 4 times" not in answer.heading
    assert all(str(revenue) in answer.text for revenue in (137, 174, 211, 248))


def test_an_empty_archive_says_so() -> None:
    evidence = retrieve(MemoryStore(), HOW_MUCH, Scope(), None)
    answer = Extractive().answer(evidence, Tools(MemoryStore()))
    assert answer.verdict == "nothing_found"
    assert answer.heading == "The archive has no recordings yet."


def test_an_empty_scope_says_so(ask: Ask) -> None:
    answer = ask(HOW_MUCH, scope=Scope(since="2031"))
    assert answer.verdict == "nothing_found"
    assert answer.heading == "No recording matches the filters."


# ---------------------------------------------------------------- missing parts


def test_without_an_embedder_words_alone_answer_and_the_answer_says_so(ask: Ask) -> None:
    answer = ask("tariff on frames", embedder=None)
    assert answer.verdict == "answered"
    assert any("by words only" in note for note in answer.notes)
    assert ask("penguins hatching Zanzibar", embedder=None).verdict == "nothing_found"


def test_evidence_without_a_curve_is_answered_too(store: MemoryStore) -> None:
    (talk,) = [p for p in store.transcript("halden call") if "dealers" in p.text]
    evidence = Evidence(Question("Why not raise prices? dealers"), (Moment((talk,), 0.8, {"dense": 0.8}),))
    answer = Extractive().answer(evidence, Tools(store, HashingEmbedder()))
    assert answer.verdict == "answered"
    assert "dealers" in answer.citations[0].quote


def test_words_that_were_removed_meanwhile_are_not_quoted(store: MemoryStore) -> None:
    evidence = retrieve(store, HOW_MUCH, Scope(), HashingEmbedder())
    tools = Tools(store, HashingEmbedder())
    assert "halden call" in {c.recording.id for c in Extractive().answer(evidence, tools).citations}
    store.remove("halden call")
    assert "halden call" not in {c.recording.id for c in Extractive().answer(evidence, tools).citations}


def test_words_that_were_changed_meanwhile_are_not_quoted_and_that_is_reported(store: MemoryStore) -> None:
    evidence = retrieve(store, HOW_MUCH, Scope(), HashingEmbedder())
    changed = [(who, text.replace("gross margin fell", "gross margin rose")) for who, text in CALL]
    add(store, "halden call", changed)
    answer = Extractive().answer(evidence, Tools(store, HashingEmbedder()))
    assert "halden call" not in {c.recording.id for c in answer.citations}
    assert any("removed" in note for note in answer.notes)


def test_fixed_phrases_are_in_the_language_of_the_question(ask: Ask) -> None:
    assert "parle" in ask(HOW_MUCH, language="fr").heading
    assert "« Our gross margin fell" in ask(HOW_MUCH, language="fr-CA").text
    assert (
        ask("Qui a gagné à Zanzibar ?", language="fr").heading
        == "Rien dans les 2 enregistrements consultés n'en parle."
    )
    assert "answer this" in ask(HOW_MUCH, language="de").heading


WORDS = st.sampled_from(
    [
        "margin",
        "tariff",
        "why",
        "did",
        "the",
        "fall",
        "?",
        ".",
        ",",
        "yeah",
        "\x1b[31m",
        "“",
        "[1]",
        "[...]",
        "26",
    ]
)


@given(
    st.lists(WORDS, max_size=12), st.lists(st.lists(WORDS, min_size=1, max_size=30), min_size=1, max_size=5)
)
def test_whatever_is_said_and_asked_quotes_are_verbatim(asked: list[str], talk: list[list[str]]) -> None:
    store = MemoryStore()
    add(store, "any", [(f"S{i % 2}", " ".join(words)) for i, words in enumerate(talk)])
    evidence = retrieve(store, " ".join(asked), Scope(), HashingEmbedder())
    answer: Answer = Extractive().answer(evidence, Tools(store, HashingEmbedder()))
    for citation in answer.citations:
        assert verbatim(citation.quote, store.transcript("any"), citation.start) is not None
    assert "\x1b" not in str(answer)
