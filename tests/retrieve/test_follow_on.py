"""Searching onward from isolated passages."""

import numpy as np
import pytest
from worlds import EMBEDDER, curve_of, tools_of

from onrecord.retrieve import Entries, FollowOn, Graph, RecordingPrior, Tools
from onrecord.retrieve.candidates.search import Search
from onrecord.retrieve.curve.curves import minmax
from onrecord.retrieve.curve.entries import onward
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Evidence, Passage, Question, Recording

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
    after = FollowOn(passages=1, hops=1, lexical=0).run(before, tools)
    at = list(before.curve.timeline.names).index("her")
    gain = after.curve.score - before.curve.score
    assert gain[at] == gain.max() == pytest.approx(0.6)


def test_a_path_counts_for_both_of_its_ends():
    before, tools = searched(PAGES)
    onward = FollowOn(passages=1, hops=1).run(before, tools).curve.parts["onward"]
    first, her = before.curve.score.argmax(), list(before.curve.timeline.names).index("her")
    assert onward[first] == onward[her] == onward.max() > 0


def test_a_second_hop_reaches_what_the_first_leads_to():
    pages = {**PAGES, "rome": ["Ada Lindqvist's Rome: a city of seven hills, the Via Ledra among them."]}
    before, tools = searched(pages)
    at = list(before.curve.timeline.names).index("rome")
    once, twice = (FollowOn(passages=2, hops=hops).run(before, tools).curve.score[at] for hops in (1, 2))
    assert twice > once


def test_words_of_a_title_raise_an_entry_that_leaves_them_out():
    store = MemoryStore()
    texts = {"Glass Harbour": "Shot on an island, by night.", "Night": "Shot on an island, by night."}
    for title, text in texts.items():
        recording = Recording(title, title, "", "test", Details(title=title), 1)
        store.add(recording, [Passage(title, 0, text)], vectors=EMBEDDER.embed([text]))
    tools = Tools(store, EMBEDDER)
    before = Search().run(Evidence(Question("where was Glass Harbour shot")), tools)
    gain = Entries(dense=0, lexical=1, title=0.5).run(before, tools).curve.score
    assert gain[list(before.curve.timeline.names).index("Glass Harbour")] == gain.max() > gain.min()


def test_entries_take_each_passage_by_itself():
    before, tools = searched(PAGES)
    curve = Entries(dense=0, lexical=1, title=0).run(before, tools).curve
    assert curve.score == pytest.approx(minmax(curve.parts["lexical"]))


def test_talk_is_left_as_it_is():
    before, tools = searched({name: ["Ada Lindqvist spoke.", "She did.", "Who?", "Ada."] for name in PAGES})
    for stage in (Entries(), FollowOn(), Graph()):
        assert stage.run(before, tools) is before


def test_no_entry_speaks_of_something_again_and_again():
    before, tools = searched(PAGES)
    assert RecordingPrior().run(before, tools) is before


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


def test_the_trace_says_that_it_was_asked():
    before, tools = searched(PAGES)
    assert FollowOn(passages=2)(before, tools).trace[-1].note == "asked onward from 2"
