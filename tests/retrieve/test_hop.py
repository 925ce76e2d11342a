"""Two steps: from what the question names to what that leads to."""

import numpy as np
import pytest
from worlds import EMBEDDER, places, store_of, tools_of

from onrecord.retrieve import Hop, Moments, Search, Tools
from onrecord.retrieve.hop import new_names
from onrecord.types import Evidence, Question

FACTS = {
    "a": ["The founder of Halden Cycles is Ingrid Solberg, an engineer."],
    "b": ["Ingrid Solberg grew up in Tromsø, far in the north."],
    "c": ["The founder of the bakery lives above the shop."],
    "d": ["Roses need water in July."],
    "e": ["Bread needs an hour in the oven."],
}
QUESTION = "Where did the founder of Halden Cycles grow up?"
PLAIN = Search() >> Moments(words=100, longest=0)


@pytest.mark.parametrize("embedder", [EMBEDDER, None], ids=["meaning and names", "names alone"])
def test_what_the_first_passage_leads_to_is_found(embedder: object) -> None:
    tools = Tools(store_of(FACTS), embedder)  # type: ignore[arg-type]
    asked = Evidence(Question(QUESTION))
    alone = [name for name, _ in places(PLAIN(asked, tools).moments)]
    whole = Search() >> Hop(passages=1, share=0.5) >> Moments(words=100, longest=0)
    led = [name for name, _ in places(whole(asked, tools).moments)]
    assert alone[0] == led[0] == "a"
    assert "b" not in alone[:2] and led[1] == "b"


def test_by_hand() -> None:
    """score = (1 - share) s + share max s(p) h_p, s and h stretched; by names alone, from one passage."""
    tools = Tools(store_of(FACTS))
    before = Search()(Evidence(Question(QUESTION)), tools)
    assert before.curve is not None
    line, s = before.curve.line, before.curve.score
    best = int(s.argmax())
    names = new_names(FACTS["a"][0], QUESTION)
    assert names == ["Ingrid Solberg"]
    h = np.array(tools.store.keyword([f"{QUESTION} Ingrid Solberg"], line))
    h[best] = 0
    wanted = 0.75 * (s - s.min()) / (s.max() - s.min()) + 0.25 * h / h.max()
    after = Hop(passages=1, share=0.25).run(before, tools)
    assert after.curve is not None and after.curve.score.tolist() == pytest.approx(wanted.tolist(), abs=1e-6)
    assert after.curve.parts == before.curve.parts
    assert before.curve.score is s  # nothing of what was given is changed


def test_names_that_the_question_has_are_not_new() -> None:
    assert new_names("Anna Bell met the Prince of Wales in Oslo. Anna Bell left.", "Who is Anna Bell?") == [
        "Prince of Wales",
        "Oslo",
    ]
    assert new_names("no names here", "x") == []


def test_without_a_curve_or_passages_nothing_happens() -> None:
    tools = tools_of({})
    bare = Evidence(Question("x"))
    assert Hop().run(bare, tools) == bare
    assert (Search() >> Hop())(bare, tools).moments == ()
