"""Questions of a new user about the built-in examples, with the embedded model and its real weights."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

import onrecord
from onrecord.archive import Archive
from onrecord.errors import WeightsError
from onrecord.models import open_embedder
from onrecord.types import Answer

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    """Open an archive of the examples, or skip the tests if the weights are missing."""
    try:
        open_embedder("minilm")
    except WeightsError as error:
        pytest.skip(f"needs the real weights: {error}")
    with onrecord.open(tmp_path_factory.mktemp("examples") / "examples.db", workspace="default") as opened:
        opened.add(Path(str(files("onrecord"))) / "examples")
        yield opened


def cited(answer: Answer) -> list[str]:
    """Return the titles of the cited recordings, each once."""
    return list(dict.fromkeys(citation.recording.title for citation in answer.citations))


def test_the_recording_that_answers_is_quoted_and_its_answer_comes_first(archive: Archive) -> None:
    """The first citation is the answer, from the right recording."""
    margins = archive.ask("Why did margins fall?")
    assert "41" in cited(margins)[0] and "Three things at once." in margins.citations[0].quote
    cost = archive.ask("How much does the new flood gate cost the town?")
    assert "Harbour" in cited(cost)[0] and "So the new gate costs the town" in cost.citations[0].quote


@pytest.mark.parametrize(
    ("question", "verdicts"),
    [
        ("What did Ingrid Halden say about prices?", "answered"),
        ("What did Ingrid Halden say about helmets?", "low_relevance nothing_found"),
        ("What did June Abara say about Northgate?", "low_relevance nothing_found"),
        ("What was said about freight in the Halden Cycles call?", "answered"),
        ("Why did Halden not fill its warehouses before the tariff?", "answered"),
        ("What did Claire Dumont and Sam Okafor ask about?", "answered"),
        ("What topics were discussed?", "answered"),
        ("Résume la conférence", "answered"),
        ("Who won the football world cup in 1998?", "nothing_found"),
    ],
)
def test_what_is_answered_and_what_is_refused(archive: Archive, question: str, verdicts: str) -> None:
    """Answerable questions are answered; questions about absent content are refused."""
    assert archive.ask(question).verdict in verdicts.split()


def test_a_pasted_link_says_where_to_look(archive: Archive) -> None:
    """A link limits the answer to its recording; an unknown link gets a note."""
    answer = archive.ask("What is said about rents in https://youtu.be/EXAMPLE0042?t=150")
    assert answer.verdict == "answered" and len(cited(answer)) == 1 and "42" in cited(answer)[0]
    assert cited(archive.ask("https://vimeo.com/700000001")) == ["La chaleur des serveurs"]
    unknown = archive.ask("https://youtu.be/Unknown0001")
    assert unknown.verdict == "nothing_found" and "Unknown0001" in " ".join(unknown.notes)


@pytest.mark.parametrize(
    ("question", "corrected_text"),
    [
        ("Why did marigns fall?", "margins"),
        ("waht is said abuot tarifs", "tariffs"),
        ("How high is the tarif on importd aluminium framess now?", "tariff on imported aluminium frames"),
        ("Quand commence le premier forrage ?", "forage"),
        ("Combien de logements la chaleru des serveurs chauffe-t-elle ?", "chaleur"),
    ],
)
def test_typos_are_corrected(archive: Archive, question: str, corrected_text: str) -> None:
    """Typos are corrected, unless the user switches off the correction."""
    answer = archive.ask(question)
    assert (
        answer.verdict == "answered" and answer.evidence.plan and corrected_text in answer.evidence.plan.text
    )
    assert archive.ask(question, without=["spelling"]).evidence.question.text == question


@pytest.mark.parametrize(
    "word", ["salmon", "mallet", "hedging", "container ship", "Bern", "contacts", "debug"]
)
def test_words_of_their_own_are_left_alone(archive: Archive, word: str) -> None:
    """Correct words that the examples do not contain are not changed to similar words."""
    plan = archive.plan(f"What is said about {word}?")
    assert plan.text == f"What is said about {word}?" and not plan.notes


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("What was decided?", ["we buy the emergency beams now"]),
        ("Quelles décisions ont été prises ?", ["we buy the emergency beams now"]),
        ("What was decided about the ice machine?", ["the town pays the other half"]),
        (
            "What did Kelly recommend?",
            ["I would have moved the welding"],
        ),
        ("What questions did the analysts ask?", ["why not raise prices?"]),
        (
            "What risks were mentioned about batteries?",
            ["If one of them"],
        ),
        ("What did Ingrid Halden promise?", ["raise the list price", "twelve by the end of 2026"]),
        ("What was left open in the Halden call?", ["expect to decide by April"]),
        ("Que recommande Léa Fontaine ?", ["d'exiger ce préavis"]),
        ("What was decided about the flood gate?", ["we decide on the new gate in December"]),
    ],
)
def test_what_is_done_in_speaking_is_quoted(archive: Archive, question: str, quoted: list[str]) -> None:
    """Decisions, recommendations, questions, risks and promises are quoted with speaker and time."""
    answer = archive.ask(question)
    quotes = " ".join(citation.quote for citation in answer.citations)
    assert answer.verdict == "answered" and all(words in quotes for words in quoted)
    assert all(citation.speaker and citation.start is not None for citation in answer.citations)


def test_what_nobody_decides_or_promises_is_no_answer(archive: Archive) -> None:
    """If nobody decides or promises what is asked, no confident answer is given."""
    for question in ("What was decided about the bridge?", "What did Priya Raman promise?"):
        assert archive.ask(question).verdict in ("low_relevance", "nothing_found")
    pool = archive.ask("What was decided about the swimming pool?")
    assert pool.confidence <= 0.45
