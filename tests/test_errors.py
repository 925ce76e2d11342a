"""Suggestions in error messages for what the user may have meant."""

import pytest

from onrecord.errors import OnRecordError, SettingError, did_you_mean, nearest, nearest_named


def test_the_nearest_names_come_first_whatever_their_case():
    assert nearest("Blanced", ["direct", "balance", "Balanced"], 2) == ["Balanced", "balance"]
    assert nearest("TD bank", ["TD Bank", "BMO"]) == ["TD Bank"]
    assert nearest("xyzzy", ["direct", "balanced"]) == nearest("", ["direct"]) == []


@pytest.mark.parametrize(
    ("name", "other"), [("question", "sections"), ("session", "sections"), ("where", "serve"), ("did", "add")]
)
def test_names_that_only_share_letters_are_not_near(name, other):
    """Most letters of "question" are in "sections", but four of them differ."""
    assert nearest(name, [other]) == []


@pytest.mark.parametrize(("name", "meant"), [("ad", "add"), ("shwo", "show"), ("companies", "company")])
def test_a_third_of_the_letters_may_differ(name, meant):
    assert nearest(name, ["recordings", meant]) == [meant]


def test_a_part_of_a_name_is_enough_to_mean_it():
    """A misspelled part of a name suggests the whole name."""
    known = ["Brendan Kelly", "The Night Desk 41: An expensive spring", "Operator"]
    assert nearest_named("kely", known) == nearest_named("Kelly", known) == ["Brendan Kelly"]
    assert nearest_named("nigth desk", known) == ["The Night Desk 41: An expensive spring"]
    assert nearest_named("xyzzy", known) == nearest_named("", known) == nearest_named("Ann", []) == []


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([], ""),
        (["direct"], "; did you mean 'direct'?"),
        (["direct", "balanced"], "; did you mean 'direct' or 'balanced'?"),
        (["a\u202e\nb"], r"; did you mean 'a\u202e\nb'?"),
    ],
)
def test_what_may_be_meant_is_reported_in_one_way(names, message):
    """Suggestions have one wording, for none, one or several names."""
    assert did_you_mean(iter(names), "; ") == message
    assert did_you_mean(names) == message.removeprefix("; ")


def test_an_error_has_a_name_for_programs():
    """The code of an error is derived from the name of its class."""
    assert OnRecordError().code == "on_record_error"


def test_an_option_is_not_called_a_setting():
    """A message about a command-line option does not call it a setting."""
    assert str(SettingError("--plot", "x", "a .png")) == "--plot cannot be 'x': allowed is a .png"
    assert str(SettingError("workspace", "", "text")) == "setting 'workspace' cannot be '': allowed is text"
