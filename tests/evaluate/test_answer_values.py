"""The measures of answers, against values computed by hand."""

from dataclasses import replace

import pytest

from onrecord.evaluate.answers import MEASURES, Examiner
from onrecord.evaluate.places import Gold, SpokenWords
from onrecord.evaluate.questions import EvalQuestion
from onrecord.models.double import HashingEmbedder
from onrecord.stores.memory import MemoryStore
from onrecord.types import Answer, Call, Citation, Details, Evidence, Passage, Question, Recording

TEXT = "Thank you. Freight rose by a third. Margins fell with it, said Ingrid Halden."
CALL = Recording("call", "call.txt", "", "plain", Details(title="The Call"))


@pytest.fixture
def store() -> MemoryStore:
    store = MemoryStore()
    store.add(CALL, [Passage("call", 0, TEXT, "Bob")])
    return store


@pytest.fixture
def gold(store: MemoryStore) -> Gold:
    talk = SpokenWords(store.transcript("call"))
    return Gold({"call": talk}, tuple(("call", mask) for mask in talk.find("Freight rose by a third.")))


def answered(
    store: MemoryStore, *quotes: str, verdict: str = "answered", text: str = "", unsupported=()
) -> Answer:
    """Return an answer that cites quotes; `text` and `unsupported` stand for what a language model wrote."""
    passages = tuple(store.transcript("call"))
    citations = tuple(
        Citation(n, CALL, quote, passages, "Bob", None, None, None, 1.0) for n, quote in enumerate(quotes, 1)
    )
    text = text or "\n".join(f"Bob: “{quote}” [{n}]" for n, quote in enumerate(quotes, 1))
    evidence = Evidence(Question("Why?"))
    return Answer("Why?", "", text, verdict, citations, evidence, unsupported=tuple(unsupported))


def values(store: MemoryStore, gold: Gold, answer: Answer, **asked: object) -> dict[str, float]:
    """Return an answer's measures by name; `asked` has further fields of the question."""
    measured = Examiner(store, HashingEmbedder()).measure(answer, EvalQuestion("q", "Why?", **asked), gold)
    assert measured.keys() <= {measure.name for measure in MEASURES}
    return measured


NO_GOLD = Gold({})


def test_citations_in_gold(store: MemoryStore, gold: Gold) -> None:
    metrics = values(store, gold, answered(store, "Freight rose by a third.", "Thank you."))
    assert (metrics["citation_accuracy"], metrics["hit"], metrics["right"]) == (0.5, 1, 1)
    missed = values(store, gold, answered(store, "Thank you."))
    assert (missed["citation_accuracy"], missed["hit"], missed["right"]) == (0, 0, 0)
    assert not {"citation_accuracy", "hit", "right"} & values(store, NO_GOLD, answered(store)).keys()


def test_a_refusal_of_what_is_answered_counts_as_nothing(store: MemoryStore, gold: Gold) -> None:
    refused = answered(store, "Freight rose by a third.", verdict="low_relevance")
    metrics = values(store, gold, refused, points=(("freight rose",),), entities=(("Halden",),))
    assert metrics == {
        "wrong_refusal": 1,
        "unsupported": 0,
        "hit": 0,
        "right": 0,
        "entity_coverage": 0,
        "completeness": 0,
        "completeness_meaning": 0,
    }


@pytest.mark.parametrize(
    ("verdict", "rejected"),
    [("nothing_found", 1), ("low_relevance", 1), ("answered", 0), ("low_diversity", 0)],
)
def test_what_nobody_speaks_about_must_be_refused(store: MemoryStore, verdict: str, rejected: int) -> None:
    metrics = values(store, NO_GOLD, answered(store, "Thank you.", verdict=verdict), unanswerable=True)
    assert metrics == {"rejection": rejected, "right": rejected, "unsupported": 0}


def test_entities_as_whole_words_by_any_of_their_names(store: MemoryStore) -> None:
    answer = answered(store, "Margins fell with it, said Ingrid Halden.")
    expected = (("ingrid-halden",), ("Hal", "margin"), ("nobody", "INGRID"), ("The Call",), ("Bob",))
    assert values(store, NO_GOLD, answer, entities=expected)["entity_coverage"] == 4 / 5


@pytest.mark.parametrize(
    ("point", "expected"),
    [
        ("freights rose", True),
        ("freight rose by thirds", True),
        ("freight fell", False),
        ("freight rose by a half", False),  # three of four words match, but the number differs
        ("freight rose by 3", False),
        ("costs, or: freight rose", False),
        ("the", False),
    ],
)
def test_points_by_words(store: MemoryStore, point: str, expected: bool) -> None:
    answer = answered(store, "Freight rose by a third.")
    assert values(store, NO_GOLD, answer, points=((point,),))["completeness"] == expected
    assert values(store, NO_GOLD, answer, points=((point, "freight rose"),))["completeness"] == 1


def test_points_by_meaning(store: MemoryStore) -> None:
    answer = answered(store, "Thank you.", "Freight rose by a third.", "Margins fell with it, said")
    points = (("freight was a third dearer",), ("bananas", "margins fell"), ("bananas",))
    assert values(store, NO_GOLD, answer, points=points)["completeness_meaning"] == pytest.approx(2 / 3)
    alone = Examiner(store).measure(answer, EvalQuestion("q", "Why?", points=points), NO_GOLD)
    assert "completeness_meaning" not in alone


@pytest.mark.parametrize(
    ("quotes", "text", "share"),
    [
        (["Thank you."], "", 0),
        (["Thanks a lot."], "", 1),  # not in the passage
        (["Thank you."], "They were thankful [1]. They were sorry [2].", 1 / 2),
        (["Thank you."], "They were thankful. [1] They were sorry. [1] [?] They sang! [1]", 1 / 3),
        (["Thank you."], "They were thankful [Source 1]. They sang.", 0),
        (["Thank you."], "- They were thankful. [1] [2]\n- They sang [1] [?]", 1),
        ([], "", None),
    ],
)
def test_sentences_without_support(
    store: MemoryStore, quotes: list[str], text: str, share: float | None
) -> None:
    answer = answered(store, *quotes, text=text)
    assert values(store, NO_GOLD, answer).get("unsupported") == share


def test_what_a_model_wrote_and_is_not_shown_is_withheld(store: MemoryStore) -> None:
    """`withheld` is the share of a model's sentences that the answer leaves out; it needs a model call."""
    text = "They were thankful. [1] They sang. [1] [?]"
    written = answered(store, "Thank you.", text=text, unsupported=["They sang.", "They danced."])
    written = replace(written, marked=1)
    assert "withheld" not in values(store, NO_GOLD, written)
    written = replace(written, calls=(Call("answer", "small-1", 0.1),))
    assert values(store, NO_GOLD, written)["withheld"] == pytest.approx(1 / 3)


def test_what_was_rejected_and_is_cited_again_is_reported(store: MemoryStore, gold: Gold) -> None:
    """`repeated` is 1 if an answer cites a place that users have marked as wrong."""
    examiner, asked = Examiner(store), EvalQuestion("q", "Why?")
    again = examiner.measure(answered(store, "Freight rose by a third."), asked, NO_GOLD, wrong=gold)
    other = examiner.measure(answered(store, "Thank you."), asked, NO_GOLD, wrong=gold)
    refused = answered(store, "Freight rose by a third.", verdict="nothing_found")
    assert (again["repeated"], other["repeated"]) == (1, 0)
    assert examiner.measure(refused, asked, NO_GOLD, wrong=gold)["repeated"] == 0
    assert "wrong_refusal" not in again, "whether there is an answer, nobody said"
    assert "repeated" not in examiner.measure(refused, asked, gold)
