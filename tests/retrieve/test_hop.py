"""Asking onward, where passages stand alone."""

import numpy as np
import pytest
from worlds import curve_of, tools_of

from onrecord.retrieve import FollowOn, Tools
from onrecord.retrieve.candidates.search import Search
from onrecord.retrieve.curve.follow_on import onward
from onrecord.types import Evidence, Question

PAGES = {
    "film": ["Glass Harbour is a film by Ada Lindqvist, its maker."],
    "her": ["To marry the painter Jon Moe, Ada Lindqvist went to Rome."],
    "soup": ["Soup is eaten with a spoon."],
    "rope": ["A rope is made of hemp."],
}
ASKED = "who did the maker of Glass Harbour marry"


def searched(pages, question=ASKED):
    tools = tools_of(pages)
    return Search().run(Evidence(Question(question)), tools), tools


def test_what_is_left_to_ask_is_what_was_not_said_and_who_came_up():
    left = onward(ASKED, PAGES["film"][0], 6)
    assert "marry" in left and "Glass" not in left
    assert left.endswith("Ada Lindqvist")


@pytest.mark.parametrize(("names", "end"), [(0, "rivers"), (1, "Ada Moe"), (2, "Ada Moe Bo Li")])
def test_names_are_the_first_that_are_new(names, end):
    assert onward("rivers", "The Ada Moe met Bo Li and Cy Nu.".replace("The ", "the "), names).endswith(end)


def test_the_passage_that_the_best_one_leads_to_rises():
    before, tools = searched(PAGES)
    after = FollowOn(passages=1).run(before, tools)
    at = list(before.curve.timeline.names).index("her")
    gain = after.curve.score - before.curve.score
    assert gain.argmax() == at and gain[at] == pytest.approx(0.4)


def test_no_passage_leads_to_itself():
    before, tools = searched(PAGES)
    after = FollowOn(passages=1).run(before, tools)
    assert after.curve.parts["onward"][before.curve.score.argmax()] == 0


def test_talk_is_left_as_it_is():
    before, tools = searched({**PAGES, "talk": ["Ada Lindqvist spoke.", "She did."]})
    assert FollowOn().run(before, tools) is before


def test_without_an_embedder_nothing_is_asked():
    before, tools = searched(PAGES)
    assert FollowOn().run(before, Tools(tools.store)) is before


@pytest.mark.parametrize("pages", [{}, {"film": PAGES["film"]}])
def test_nothing_to_go_on_to(pages):
    before, tools = searched(pages)
    assert FollowOn().run(before, tools) is before


def test_a_curve_of_zeros_leads_nowhere():
    tools = tools_of(PAGES)
    before = curve_of(tools, np.zeros(4))
    assert FollowOn().run(before, tools) is before


def test_the_trail_says_that_it_was_asked():
    before, tools = searched(PAGES)
    assert FollowOn(passages=2)(before, tools).trace[-1].note == "asked onward from 2"
