"""Misspelt words of a question are read as those that are said; all others are left alone."""

from collections.abc import Collection
from dataclasses import dataclass, replace

import pytest

from onrecord.retrieve import Route, Search, Tools, Way
from onrecord.retrieve.plan.spelling import spelled, well_spelt
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Evidence, Exchange, Filter, Meant, Passage, Question, Recording


@dataclass(frozen=True)
class Words:
    """A vocabulary of a few words."""

    known: Collection[str]

    def has_word(self, word: str) -> bool:
        return word in self.known


ENGLISH = Words(
    "tariff price margin freight salmon spoon broth hedge loose form discuss import cots casual rent".split()
)


def store_of(**said: tuple[str, str, str]) -> MemoryStore:
    """Recordings by id: the language, who speaks, and what is said."""
    store = MemoryStore()
    for name, (language, speaker, text) in said.items():
        details = Details(title=f"Recording {name}", language=language)
        passages = [Passage(name, at, line, speaker) for at, line in enumerate(text.splitlines())]
        people = (speaker,)
        store.add(Recording(name, name, name, "test", details, len(passages), speakers=people), passages)
    return store


STORE = store_of(
    talk=(
        "en",
        "Brendan Kelly",
        "The tariffs on imported frames hurt our margins.\nInflation is lower than the mortgage rates.\n"
        "Freight from Leipzig is causal for prices, and the homelab of Marten is in the harbour.\n"
        "We qualify suppliers, and the economist adapted the recommendation about interest.",
    ),
    discours=("fr", "Léa Fontaine", "La chaleur des serveurs chauffe des logements.\nLe forage coûte cher."),
)


def read(text: str) -> str:
    return spelled(text, STORE, ENGLISH).text


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("Why did marigns fall?", "Why did margins fall?"),
        ("Marigns?", "Margins?"),
        ("abuot tarifs", "about tariffs"),
        ("how high are the tarrifs", "how high are the tariffs"),
        ("waht did kelly say abuot teh tarifs", "what did kelly say about the tariffs"),
        ("the freigt, and the mortage rates", "the freight, and the mortgage rates"),
        ("is the econmist's view known", "is the economist's view known"),
        ("sumarize what was sait about recomendation", "summarize what was sait about recommendation"),
        ("will inflaton fall", "will inflation fall"),
        ("what was importd in novmber 2024", "what was imported in november 2024"),
        ("on interrest; on supplirs", "on interest; on suppliers"),
        ("Que coûte la chaleru ?", "Que coûte la chaleur ?"),
        ("Quelles décisiosn la chaleur ?", "Quelles décisions la chaleur ?"),
        ("l'utilité du forrage", "l'utilité du forage"),
        ("quels sont les logemments chauffés", "quels sont les logements chauffés"),
    ],
)
def test_slips_are_read_as_what_was_meant(asked: str, meant: str) -> None:
    assert read(asked) == meant


@pytest.mark.parametrize(
    "text",
    [
        "What is said about salmon and spoons?",  # words of their own
        "casual talk of broth",  # one exchange from "causal"
        "hedgers, hedging and hedged hedges",  # derived from one
        "What about the lsoos?",  # nothing like it is said
        'what about "tarifs"?',  # quoted
        "what about “tarifs” and 'marigns'?",
        "Was Marigns asked? And Mr Frieght?",  # names
        "TARIFS and MARIGNS",
        "tarifs2 x-tarifs tarifs_a a.tarifs tarifs@home https://tarifs.example/marigns",
        "wouldn't couldn't",
        "the rats and the tarf",  # too short to tell
        "a home lab",  # said in one word
        "the tariffing of importers",
        "was ist mit den tarifs und der marigns gesagt",  # another language
        "",
        "?",
        "12 345",
        "\ud800 \x00 tarİfs",
    ],
)
def test_what_is_left_alone(text: str) -> None:
    assert read(text) == text


def test_a_mended_word_is_told_in_the_language_of_the_question() -> None:
    assert spelled("abuot the tarifs", STORE, ENGLISH).notes == (
        '"tarifs" is never said: "tariffs" was looked for in its place.',
    )
    assert spelled("Que dit-on de la chaleru ?", STORE, ENGLISH).notes == (
        "« chaleru » n'est jamais dit : « chaleur » a été cherché à sa place.",
    )


def test_what_asks_is_told_as_read_unless_it_is_a_function_word() -> None:
    assert spelled("sumarize it", STORE, ENGLISH).notes == ('"sumarize" was read as summarize.',)
    assert spelled("waht abuot it", STORE, ENGLISH).notes == ()


def test_words_of_one_language_do_not_stand_for_those_of_another() -> None:
    assert read("what about the chaleru") == "what about the chaleru"
    assert spelled("what do they combine, and who may enter", STORE).text.endswith(
        "combine, and who may enter"
    )
    assert read("que dit-on de la freihgt") == "que dit-on de la freihgt"


@pytest.mark.parametrize(
    ("asked", "proposed"),
    [
        ("what about leipizg", 'By "leipizg", did you mean Leipzig?'),  # a name
        ("who is from Leipizg", 'By "Leipizg", did you mean Leipzig?'),
        ("what about the harbzur", 'By "harbzur", did you mean harbour?'),  # no neighbour on the keyboard
        ("what about suppliera", 'By "suppliera", did you mean suppliers?'),  # could be another form
        ("Que dit-on du forabe ?", "Par « forabe », vouliez-vous dire forage ?"),  # no French vocabulary
    ],
)
def test_what_is_not_sure_is_proposed(asked: str, proposed: str) -> None:
    found = spelled(asked, STORE, ENGLISH)
    assert found.text == asked and found.told(()) == (proposed,)


def test_of_several_words_none_is_taken() -> None:
    store = store_of(a=("en", "Bo", "They lobster and they monster, the minster and the mobster."))
    found = spelled("what about the mnster", store, ENGLISH)
    assert found.text == "what about the mnster"
    assert found.told(()) == ('By "mnster", did you mean minster / monster?',)
    assert found.told((Filter("speaker", "Minster", "mnster"),)) == ()


def test_without_a_vocabulary_only_surer_slips_are_mended() -> None:
    """A neighbour on the keyboard makes a word of a word: "quality", where "qualify" is said."""
    assert spelled("about the quality", STORE).text == "about the quality"
    assert spelled("about the freihgt", STORE).text == "about the freight"
    assert spelled("about the recomendation", STORE).text == "about the recommendation"
    assert spelled("the salmno", STORE).text == "the salmno"


def test_nothing_is_mended_where_nothing_is_said() -> None:
    assert spelled("the tarifs", MemoryStore(), ENGLISH).text == "the tarifs"


def test_what_was_asked_before_is_read_in_the_same_way_and_told_once() -> None:
    question = Question("and Priya?", history=(Exchange("What of the marigns?", "Nothing."),))
    meant, found = well_spelt(question, STORE, ENGLISH)
    assert meant.history == (Exchange("What of the margins?", "Nothing."),) and found.told(()) == ()


def test_what_a_question_is_said_to_consist_of_is_read_too() -> None:
    question = Question("Frieght?", meant=Meant(queries=("Which marigns fell?", "Who?")))
    meant, found = well_spelt(question, STORE, ENGLISH)
    assert (meant.text, meant.meant.queries) == ("Freight?", ("Which margins fell?", "Who?"))
    assert [note.split()[0] for note in found.told(())] == ['"Frieght"', '"marigns"']


def test_words_are_read_in_the_language_that_is_given() -> None:
    text = "la chaleru"
    assert spelled(text, STORE, ENGLISH, "de").text == text
    assert spelled("chaleru", STORE, ENGLISH, "fr").text == "chaleur"
    assert well_spelt(Question("chaleru", meant=Meant(language="fr")), STORE)[0].text == "chaleur"


def test_a_question_is_planned_as_it_was_meant() -> None:
    route = Route((Way("balanced", Search()),))
    tools = Tools(STORE, vocabulary=ENGLISH)
    asked = Evidence(Question("waht did kelly say abuot teh marigns in novmber 2024"))
    plan = route.planned(asked, tools)
    assert "margins" in plan.text and '"marigns" is never said' in " ".join(plan.notes)
    assert [found.value for found in plan.filters if found.field == "speaker"] == ["Brendan Kelly"]
    found = route(asked, tools)
    assert found.curve is not None and found.curve.score[0] == found.curve.score.max() > 0
    plain = route.planned(asked, replace(tools, spelling=False))
    assert "marigns" in plain.text and "marigns" not in " ".join(plain.notes)


def test_a_month_that_was_read_is_told() -> None:
    found = spelled("the margins in Novmber", STORE, ENGLISH)
    assert found.text == "the margins in November"
    assert found.notes == ('"Novmber" was read as November.',)


def test_a_word_that_is_cut_where_no_more_is_read_is_no_slip() -> None:
    text = "the tariffs " * 166 + "the marigns and the tarifs"  # "the margin" are characters 1992 to 2002
    assert spelled(text, STORE, ENGLISH).text == text


def test_a_quote_that_does_not_end_is_none_and_a_word_is_told_once() -> None:
    found = spelled("«tarifs “tarifs ‘tarifs 'tarifs \"tarifs", STORE, ENGLISH)
    assert found.text == "«tariffs “tariffs ‘tariffs 'tarifs \"tariffs" and len(found.notes) == 1


def test_a_long_text_of_unknown_words_is_quickly_left() -> None:
    text = " ".join(f"wrod{letter}x{letter}z" for letter in "abcdefghijklmnopqrstuvwxyz" * 20)
    assert read(text) == text
