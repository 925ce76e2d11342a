import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.retrieve.wording import named as words_named
from onrecord.retrieve.wording import normalized_idf, small_names, stem, stems, without, wording
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Passage, Recording


def store(*texts: str, speaker: str | None = None) -> MemoryStore:
    memory = MemoryStore()
    passages = [Passage("r", at, text, speaker) for at, text in enumerate(texts)]
    memory.add(Recording("r", "r.vtt", "", "webvtt", Details()), passages)
    return memory


TALK = store(
    "Margins fell in spring.", "Freight and margins.", "Freight, you know.", "Nothing.", speaker="Ann Bell"
)


@pytest.mark.parametrize(
    ("words", "same"),
    [
        (("margin", "margins"), "margin"),
        (("increase", "increases", "increased", "increasing"), "increas"),
        (("plan", "plans", "planned", "planning"), "plan"),
        (("sell", "selling"), "sell"),
        (("marge", "marges"), "marg"),
        (("bus",), "bus"),
        (("loss",), "loss"),
        (("ring",), "ring"),
        (("2024",), "2024"),
    ],
)
def test_endings_of_number_and_tense_do_not_count(words: tuple[str, ...], same: str) -> None:
    assert {stem(word) for word in words} == {same}


def test_function_words_and_the_frame_of_a_question_do_not_count() -> None:
    subject = wording("What did they say about the margin and it's freight?", TALK.timeline(), TALK)
    assert set(subject.weights) == {"margin", "freight"}
    assert subject.absent == ()


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    weights = wording("spring freight", TALK.timeline(), TALK).weights
    assert 0 < weights["freight"] < weights["spring"] < 1


def test_a_word_that_nobody_says_weighs_most_and_is_reported_as_it_was_spelled() -> None:
    subject = wording("Why did Zanzibar's freight win?", TALK.timeline(), TALK)
    assert subject.weights["zanzibar"] == 1.0
    assert subject.absent == ("Zanzibar's",)


def test_an_absent_word_is_named_without_the_marks_around_it() -> None:
    subject = wording("«¿Cuándo?» ¡Zanzíbar!", TALK.timeline(), TALK)
    assert subject.absent == ("Cuándo", "Zanzíbar")


def test_an_absent_word_is_named_without_what_french_writes_on_to_it() -> None:
    subject = wording("Que dit Bell de l'éléphant, et pourquoi barrit-il ?", TALK.timeline(), TALK)
    assert set(subject.absent) >= {"éléphant", "barrit"}
    assert not any("'" in word or "-" in word for word in subject.absent)


def test_a_speakers_name_is_not_unheard() -> None:
    assert wording("What did Bell say about freight?", TALK.timeline(), TALK).absent == ()


def test_other_forms_of_a_word_are_heard() -> None:
    assert wording("fell margin nothings", TALK.timeline(), TALK).absent == ()


@pytest.mark.parametrize("name", ["C++", "Acme Inc.", "Ann Bell", ".NET"])
def test_a_name_is_left_out_whatever_signs_it_begins_or_ends_with(name: str) -> None:
    assert without([name], f"how fast is {name}, and {name}’s price?") == "how fast is , and price?"
    assert without([name], f"x{name}x") == f"x{name}x"


def test_coverage_is_the_share_of_weight() -> None:
    subject = wording("spring freight", TALK.timeline(), TALK)
    whole = subject.weights["spring"] + subject.weights["freight"]
    assert subject.coverage("In springs like this, freight is dear.") == 1.0
    assert subject.coverage("Freight!") == pytest.approx(subject.weights["freight"] / whole)
    assert subject.coverage("") == 0.0


def test_a_question_of_function_words_alone_has_no_weight() -> None:
    subject = wording("is it?", TALK.timeline(), TALK)
    assert subject.coverage("it is") == 0.0


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_rarity_falls_with_what_holds_the_word(one: int, other: int) -> None:
    few, many = sorted((one, other))
    assert 0 < normalized_idf(many, 1000) <= normalized_idf(few, 1000) <= normalized_idf(0, 1000) == 1.0


@given(st.text())
def test_any_question_is_weighed(text: str) -> None:
    subject = wording(text, TALK.timeline(), TALK)
    assert all(0 < w <= 1 for w in subject.weights.values())
    assert 0 <= subject.coverage(" ".join(stems(text))) <= 1.0000001


@pytest.mark.parametrize(
    ("word", "named"),
    [
        ("l'appel", "appel"),
        ("L’eau", "eau"),
        ("coûte-t-il", "coute"),
        ("qu'est-ce", ""),
        ("a-t-elle", ""),
        ("dans", ""),
        ("does", ""),
        ("Dan", "dan"),
        ("don't", "don"),
        ("R2-D2", "r2 d2"),
        ("O'Brien", "brien obrien"),
    ],
)
def test_what_french_writes_on_to_a_word_names_no_subject(word: str, named: str) -> None:
    assert words_named(word) == tuple(named.split())


def test_how_many_is_nothing_that_must_be_said() -> None:
    assert set(wording("How many margins and how much freight?", TALK.timeline(), TALK).weights) == {
        "margin",
        "freight",
    }


def test_words_of_comparing_are_not_looked_for_in_what_is_said() -> None:
    subject = wording("How did freight move compared with margins?", TALK.timeline(), TALK)
    assert set(subject.weights) == {"freight", "margin", "move"}


def test_a_word_for_a_kind_of_thing_counts_only_where_it_is_said() -> None:
    reader = store("The app does not let me book.", "One risk is the price.")
    subject = wording("What problems does the app have?", reader.timeline(), reader)
    assert set(subject.weights) == {"app"} and subject.absent == ()
    assert set(wording("What risks has the app?", reader.timeline(), reader).weights) == {"app", "risk"}
    assert set(wording("What problems?", reader.timeline(), reader).weights) == {"problem"}
    for text in ("What percentage of it is the app?", "List the things named in the app"):
        subject = wording(text, reader.timeline(), reader)
        assert set(subject.weights) == {"app"} and subject.absent == ()


def test_what_one_of_few_passages_says_is_not_common() -> None:
    reader = store("One risk is the price.")
    assert wording("Which risk?", reader.timeline(), reader).weights["risk"] < 0.3
    assert wording("Which risk?", reader.timeline(), reader, 40).weights["risk"] > 0.7


GOPHERS = store(
    "Many people learn Go in a month.",
    "You go there and go back.",
    "I will write this in Go, not in Rust.",
    "Rust is new.",
)


def test_a_function_word_that_is_written_as_a_name_counts() -> None:
    asked = wording("What helps in learning Go?", GOPHERS.timeline(), GOPHERS)
    assert asked.weights["go"] > 0
    assert asked.coverage("I write most of it in Go.") > asked.coverage("I go there.") == 0
    assert "go" not in wording("Where do they go?", GOPHERS.timeline(), GOPHERS).weights


def test_one_that_the_archive_never_writes_so_does_not() -> None:
    assert "will" not in wording("What did you ask Will of Rust?", GOPHERS.timeline(), GOPHERS).weights
    assert wording("What did you ask Will of Rust?", GOPHERS.timeline(), GOPHERS).absent == ()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("We moved all of IT to the cloud with Will.", {"it", "will"}),
        ("Go is a language. Will you? May we?", set()),
        ("That is what I said, and then OK.", set()),
    ],
)
def test_small_names_stand_within_a_sentence(text: str, names: set[str]) -> None:
    assert small_names(text) == names
