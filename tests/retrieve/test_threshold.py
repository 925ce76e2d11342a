"""The adaptive threshold: the moments that are similar enough, or else the most similar."""

from worlds import EMBEDDER, moment, store_of

from onrecord.retrieve import Threshold, Tools
from onrecord.types import Evidence, Question

RANKED = tuple(
    moment("a", 2 * at, 2 * at, score, "dense") for at, score in enumerate([0.9, 0.7, 0.65, 0.5, 0.4])
)
TOOLS = Tools(store_of({}), EMBEDDER)


def remaining(stage: Threshold) -> list[float]:
    return [m.score for m in stage.run(Evidence(Question("x"), RANKED), TOOLS).moments]


def test_what_is_near_enough_is_kept() -> None:
    assert remaining(Threshold(floor=0.6)) == [0.9, 0.7, 0.65]
    assert remaining(Threshold(floor=0.45, most=2)) == [0.9, 0.7]


def test_too_few_fall_back_to_the_best_whatever_their_score() -> None:
    assert remaining(Threshold(floor=0.8)) == [0.9, 0.7, 0.65]
    assert remaining(Threshold(floor=0.99, least=2)) == [0.9, 0.7]
    assert remaining(Threshold(floor=0.8, least=1)) == [0.9]


def test_the_model_knows_its_own_floor() -> None:
    assert EMBEDDER.calibration.sure == 0.3
    assert remaining(Threshold()) == [0.9, 0.7, 0.65, 0.5, 0.4]


def test_the_note_says_what_was_near() -> None:
    step = Threshold(floor=0.8)(Evidence(Question("x"), RANKED), TOOLS).trace[0]
    assert step.note == "1 of cosine 0.8 or more; the nearest are kept"
