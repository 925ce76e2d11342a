"""Tests of speakers' names: labels that name one person, and names without titles and roles."""

from time import process_time

import pytest

from onrecord.ingest.people import is_generic_label, name_key, split_label, unify_names, unify_speakers
from onrecord.types import Details, Transcript, Turn


@pytest.mark.parametrize(
    "labels",
    [
        ["Brendan Kelly", "brendan kelly", "KELLY, Brendan", "Brendan Kelly (host)", "Mr. Brendan Kelly"],
        ["Ann Lee", "Hon. Ann Lee", "Right Hon. Ann Lee (Oakmoor, Lib.)", "The Rt Hon Ann Lee"],
        ["Zoë Møller", "ZOË MØLLER", "Zoe\u0308 Møller"],
        ["Speaker 00", "SPEAKER_00", "speaker-00"],
    ],
)
def test_labels_that_differ_only_in_form_are_one_person(labels):
    assert set(unify_names(labels).values()) == {labels[0]}


def test_a_title_is_no_name_and_a_name_no_title():
    labels = ["Professor D", "PhD D", "D", "Hon Lam", "Wei Lam"]
    assert unify_names(labels) == {label: label for label in labels}


def test_a_part_of_exactly_one_fuller_name_is_that_person():
    """Check that a partial name joins the only full name that contains it."""
    assert unify_names(["Kelly", "Brendan Kelly"])["Kelly"] == "Brendan Kelly"
    assert unify_names(["Kelly"], people=["Brendan Kelly"])["Kelly"] == "Brendan Kelly"


def test_a_part_of_two_names_is_never_guessed():
    names = unify_names(["Jo", "Jo Smith", "Jo Black"])
    assert names == {"Jo": "Jo", "Jo Smith": "Jo Smith", "Jo Black": "Jo Black"}


def test_labels_without_a_common_word_are_not_one_person():
    """Check that several names in one text do not become one speaker."""
    labels = ["Ann Lee", "Bo Diaz", "Cleo Marsh"]
    people = ["Ann Lee (CFO), Bo Diaz, Cleo Marsh, Dev Osei"]
    assert unify_names(labels, people) == {label: label for label in labels}
    assert unify_names(["Ann", "Bo"], ["Ann, Bo"]) == {"Ann": "Ann", "Bo": "Bo"}


@pytest.mark.parametrize("thing", ["Wei Zhang's Presentation", "Wei Zhang’s iPhone"])
def test_what_somebody_owns_is_no_fuller_name(thing):
    """Check that a possessive form of a name, as meetings list screens, never names the person."""
    assert unify_names(["Wei Zhang"], people=["Wei Zhang", thing]) == {"Wei Zhang": "Wei Zhang"}
    assert unify_names(["Wei", thing], people=["Wei Zhang"]) == {"Wei": "Wei Zhang", thing: thing}
    assert unify_names(["Jones"], people=["Jones", "Jones' iPad"]) == {"Jones": "Jones"}


def test_many_speakers_take_little_time():
    labels = [f"Ann{i} Lee{i}" for i in range(5000)]
    people = [f"{label} (S{i})" for i, label in enumerate(labels)]
    turns = tuple(Turn("Yes.", f"S{i}") for i in range(5000))
    began = process_time()
    assert unify_names(labels) == {label: label for label in labels}
    transcript = unify_speakers(Transcript(turns, "text", Details(people=tuple(people))))
    assert process_time() - began < 5
    assert [turn.speaker for turn in transcript.turns] == labels


def test_numbered_speakers_stay_apart():
    labels = ["Speaker 1", "Speaker 10", "Speaker", "1"]
    assert unify_names(labels) == {label: label for label in labels}


def test_labels_without_letters_stay():
    assert unify_names(["???", "..."]) == {"???": "???", "...": "..."}
    assert name_key("!!") == ()


def test_what_a_label_says_that_somebody_is_is_kept():
    """Check that a role in a label becomes an attribute of the recording."""
    labels = [
        "Ann Lee (host)",
        "Bo Ek, Chief Financial Officer",
        "Bo Ek",
        "Cy Ng -- Analyst",
        "Di Oh (remote)",
    ]
    turns = tuple(Turn("Hello.", label) for label in [*labels, "Ed Ru -- Analyst", "Kelly, Brendan"])
    named = unify_speakers(Transcript(turns, "text", Details(attributes={"show": "Desk"})))
    assert named.turns[1].speaker == named.turns[2].speaker == "Bo Ek"
    assert named.details.attributes == {
        "show": "Desk",
        "host": "Ann Lee",
        "chief financial officer": "Bo Ek",
        "analyst": "Cy Ng; Ed Ru",
    }


def test_a_name_has_neither_a_role_nor_what_is_done_in_speaking():
    """Check that roles and stage directions are removed from a speaker's name."""
    labels = ["Marta Silva, CEO", "Jerry(says to himself)", "Jerry", "Elaine (quietly)", "Lotte Fenn (LF)"]
    named = unify_speakers(Transcript(tuple(Turn("Hello.", label) for label in labels), "text"))
    assert [turn.speaker for turn in named.turns] == [
        "Marta Silva",
        "Jerry",
        "Jerry",
        "Elaine",
        "Lotte Fenn (LF)",
    ]
    assert named.details.attributes == {"ceo": "Marta Silva"}


def test_a_name_may_stand_beside_what_somebody_is():
    """Check that a label of a role with a name in parentheses gives the name and the role."""
    labels = ["Agent (Rosa)", "Agent (Tom)", "Customer", "The Chair (Hon. Ann Lee (Oakmoor, Lib.))", "Rosa"]
    turns = tuple(Turn("Hello.", label) for label in labels)
    named = unify_speakers(Transcript(turns, "text"))
    assert [turn.speaker for turn in named.turns] == ["Rosa", "Tom", "Customer", "Hon. Ann Lee", "Rosa"]
    assert named.details.attributes == {"agent": "Rosa; Tom", "chair": "Hon. Ann Lee"}
    assert name_key(labels[3]) == ("ann", "lee")
    assert split_label("Guest (remote)") == ("Guest (remote)", None)
    assert split_label("Ann Lee (Financial Times)") == ("Ann Lee (Financial Times)", None)


def test_turns_get_the_one_name():
    turns = (Turn("Hello.", "kelly"), Turn("Hi.", None), Turn("Bye.", "KELLY"))
    named = unify_speakers(Transcript(turns, "text", Details(people=("Brendan Kelly",))))
    assert [turn.speaker for turn in named.turns] == ["Brendan Kelly", None, "Brendan Kelly"]


def test_a_short_form_that_a_label_tells_is_that_person():
    """Check that initials given in one label join that speaker, unless two labels give the same."""
    assert unify_names(["Lotte Fenn (LF)", "LF", "Jo Pell (JP)", "JP", "XY"]) == {
        "Lotte Fenn (LF)": "Lotte Fenn (LF)",
        "LF": "Lotte Fenn (LF)",
        "Jo Pell (JP)": "Jo Pell (JP)",
        "JP": "Jo Pell (JP)",
        "XY": "XY",
    }
    both = unify_names(["Lotte Fenn (LF)", "Leo Frey (LF)", "LF"])
    assert both["LF"] == "LF"


@pytest.mark.parametrize("label", ["SPEAKER_00", "Speaker 1", "host1", "A", "Host"])
def test_details_give_a_label_its_name(label: str) -> None:
    turns = (Turn("Who keeps the lock?", label), Turn("Nobody.", "SPEAKER_07"), Turn("So?", label.upper()))
    attributes = {"speakers": f"Ann Lee ({label}); Bo Dea (x9)", "show": "The lock (part 2)"}
    people = (f"Ann Lee ({label})", "Bo Dea (x9)")
    named = unify_speakers(Transcript(turns, "text", Details(people=people, attributes=attributes)))
    assert [turn.speaker for turn in named.turns] == ["Ann Lee", "SPEAKER_07", "Ann Lee"]
    assert named.details.people == ("Ann Lee", "Bo Dea (x9)")
    assert named.details.attributes == {"speakers": "Ann Lee; Bo Dea (x9)", "show": "The lock (part 2)"}


def test_a_label_of_two_people_stays() -> None:
    """Check that a label that the details give to two people stays unchanged."""
    turns = (Turn("Who keeps the lock?", "Host"),)
    named = unify_speakers(Transcript(turns, "text", Details(people=("Ann Lee (Host)", "Bo Dea (Host)"))))
    assert named.turns[0].speaker == "Host"


GENERIC = (
    "Speaker 1, SPEAKER_00, spk0, The Chair, Operator, Project Manager, User Interface, Marketing, Host, "
    "Professor B, Vice Chair, Male voice 2, La directrice, B"
)
NAMED = "Ann Lee, Mike Judge, Le, Ann B., Dr. Lee (host), 王, +44 7700 900123"


@pytest.mark.parametrize("label", GENERIC.split(", "))
def test_a_label_of_a_role_is_generic(label: str) -> None:
    assert is_generic_label(label)


@pytest.mark.parametrize("label", NAMED.split(", "))
def test_a_label_with_a_name_is_not_generic(label: str) -> None:
    assert not is_generic_label(label)


def test_a_label_with_empty_brackets_stays():
    assert split_label("Ann ( )") == ("Ann ( )", None)
