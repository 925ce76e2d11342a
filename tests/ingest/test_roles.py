"""Tests of the roles that a recording's attributes give to its speakers."""

import pytest

from onrecord.ingest.people import person_key, roles_of, speaker_roles
from onrecord.types import Details, Recording


def recording(*speakers, **attributes):
    return Recording("r", "r", "r", "text", Details(attributes=attributes), speakers=speakers)


def test_speakers_are_what_attributes_call_them():
    call = recording(
        "Tobias Brandt",
        "Ann Lee",
        "Bo Díaz",
        "Rosa",
        cfo="Tobias Brandt",
        guest="Bo Diaz; LEE, Ann",
        show="Rosa",
    )
    assert roles_of(call) == {"Tobias Brandt": "CFO", "Ann Lee": "guest", "Bo Díaz": "guest"}
    assert [attribute for attribute, _ in speaker_roles(call)] == ["cfo", "guest", "guest", "show"]


def test_who_is_several_things_is_all_of_them():
    """Check that a speaker with several roles gets all of them."""
    both = {"host": "Dr. Ann Lee", "chair_of_the_board": "Ann Lee"}
    assert roles_of(recording("Ann Lee", "Bo", **both)) == {"Ann Lee": "host, chair of the board"}


@pytest.mark.parametrize(
    "attributes",
    [
        {},
        {"host": "Cy Young"},
        {"company": "Ann Lee"},
        {"speaker": "Ann Lee"},
        {"host": "Ann Lee, who has been with us since the first of all evenings"},
        {"the one who wrote all of this down": "Ann Lee"},
        {"episode": "41", "host": ""},
    ],
    ids=str,
)
def test_what_names_no_speaker_or_no_role_is_none(attributes):
    """Check that attributes without a known speaker or a plausible role give no role."""
    assert roles_of(recording("Ann Lee", "41", **attributes)) == {}


def test_a_person_has_one_key_and_a_number_none():
    """Check that spellings of a name share one key, and that numbers and overlong text have none."""
    assert person_key("Lee, Ann") == person_key("dr. ann LEE (host)") == ("ann", "lee")
    assert person_key("41") == person_key("a" * 500) == ()


def test_people_known_to_take_part_have_roles_where_the_talk_names_nobody():
    """Check that people from the details get roles if no turn has a speaker."""
    details = Details(people=("Ann Lee", "Bo Díaz"), attributes={"host": "Ann Lee", "guest": "Bo Díaz"})
    assert roles_of(Recording("a", "a", "", "webvtt", details)) == {"Ann Lee": "host", "Bo Díaz": "guest"}
