"""Typos are corrected to words that the recordings contain; all other words stay unchanged."""

from collections.abc import Collection
from dataclasses import dataclass

import pytest

from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Passage, Question, Recording
from onrecord.understand.reading import corrected


@dataclass(frozen=True)
class Words:
    """A vocabulary of a few words."""

    known: Collection[str]

    def has_word(self, word: str) -> bool:
        return word in self.known


ENGLISH = Words("tariff price margin freight salmon spoon broth hedge loose form import casual rent".split())
STORE = MemoryStore()
for name, language, speaker, lines in (
    ("talk", "en", "Brendan Kelly",
     ("The tariffs on imported frames hurt our margins.", "They announce a rule, as they announced others.",
      "Inflation is lower than the mortgage rates.",
      "We qualify suppliers, and the economist adapted the recommendation about interest.")),
    ("discours", "fr", "Léa Fontaine",
     ("La chaleur des serveurs chauffe des logements.", "Le forage coûte cher.")),
):  # fmt: skip
    STORE.add(
        Recording(
            name, name, name, "test", Details(name, language=language), len(lines), speakers=(speaker,)
        ),
        [Passage(name, at, line, speaker) for at, line in enumerate(lines)],
    )


def read(text: str) -> str:
    """Return the corrected text of a question."""
    return corrected(Question(text), STORE, ENGLISH)[0].text


@pytest.mark.parametrize(
    ("typed", "corrected_text"),
    [
        ("Why did marigns fall?", "Why did margins fall?"),
        ("what did kelly say abuot tarifs", "what did kelly say about tariffs"),
        ("how high are the tarrifs", "how high are the tariffs"),
        ("what about the mortage rates", "what about the mortgage rates"),
        ("is the inflaton lower", "is the inflation lower"),
        ("Quelle est la chaluer des serveurs ?", "Quelle est la chaleur des serveurs ?"),
        ("which rules were announcd", "which rules were announced"),
        ("Combien coûte le forrage ?", "Combien coûte le forage ?"),
        ("wich rules did they announce", "which rules did they announce"),
        ("Wy did margins fall?", "Why did margins fall?"),
        ("hw many recordings are there", "how many recordings are there"),
        ("waht is the mortgage rate", "what is the mortgage rate"),
        ("qels enregistrements y a-t-il ?", "quels enregistrements y a-t-il ?"),
    ],
)
def test_typos_are_read_as_what_is_said(typed: str, corrected_text: str) -> None:
    """A misspelled word is replaced with the similar word that is spoken."""
    assert read(typed) == corrected_text


@pytest.mark.parametrize(
    "text",
    [
        "What is said about salmon and spoons?",
        "Qui préside le comité ?",
        "who chairs the comite",
        "que dit-on des droits du port ?",
        'what about "tarifs"?',
        "what about “tarifs” and «marigns»?",
        "TARIFS and MARIGNS",
        "see https://tarifs.example/marigns or tarifs@home",
        "the rats and the tarf",
        "was ist mit den tarifs und der marigns gesagt worden",
        "",
        "?",
        "12 345",
        "\ud800 \x00",
    ],
)
def test_what_is_no_typo_is_left_alone(text: str) -> None:
    """Known words, names, quoted words, capitals and addresses are not corrected.

    Neither are questions in a language that no recording has.
    """
    assert read(text) == text


@pytest.mark.parametrize("text", ["Wha on margins", "Whn did margins fall?", "wih margins"])
def test_a_name_of_the_archive_is_no_typo(text: str) -> None:
    """Parts of the names of speakers, and words of titles, are not corrected, though nobody says them."""
    store = MemoryStore()
    details = Details("Wih harbour", language="en")
    recording = Recording("t", "t", "t", "test", details, 1, speakers=("Moss Wha", "Whn Lee"))
    store.add(recording, [Passage("t", 0, "Margins fell.", "Moss Wha")])
    assert corrected(Question(text), store, ENGLISH) == (Question(text), None)


def test_what_was_read_is_reported_in_the_language_of_the_question() -> None:
    """A note says which word was corrected."""
    question, corrections = corrected(Question("abuot the marigns"), STORE, ENGLISH)
    assert question.text == "about the margins" and corrections is not None
    assert list(corrections.notes("en")) == ['"marigns" is never said: searched for "margins" instead.']
    assert next(iter(corrections.notes("fr"))).startswith("« marigns » n'est jamais dit")


def test_only_questions_in_a_language_that_is_spoken_are_corrected() -> None:
    """A question is corrected only if a recording is in its language."""
    store = MemoryStore()
    details = Details("Talk", language="en")
    store.add(Recording("t", "t", "t", "test", details, 1), [Passage("t", 0, "The project has a function.")])
    text = "Quelle est la fonction du projet ?"
    assert corrected(Question(text), store, None) == (Question(text), None)
    assert (
        corrected(Question("What is the funtcion of it?"), store, None)[0].text
        == "What is the function of it?"
    )


def test_an_empty_archive_has_nothing_to_read() -> None:
    """An empty archive corrects nothing."""
    assert corrected(Question("the tarifs"), MemoryStore(), ENGLISH)[1] is None
