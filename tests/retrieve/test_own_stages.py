"""Mistakes in custom stages and strategies raise errors that name them, before or when they matter."""

from dataclasses import dataclass

import numpy as np
import pytest
from worlds import tools_of

from onrecord.errors import RetrievalError, SettingError
from onrecord.retrieve import Moments, Search, Stage
from onrecord.strategies import Strategy
from onrecord.types import Evidence, Question

TOOLS = tools_of({"a": ["the pump broke", "rain"]})


@dataclass(frozen=True)
class Forgetful(Stage):
    def run(self, evidence, tools):
        evidence.with_moments(())


@dataclass(frozen=True)
class Needy(Stage):
    needs = ("hammer",)

    def run(self, evidence, tools):
        return evidence


@pytest.mark.parametrize("stages", ["Search", Search, [Search(), Moments()], None])
def test_what_is_no_stage_is_refused_when_the_strategy_is_made(stages):
    with pytest.raises(SettingError, match=r"Strategy\.stages.* a stage, such as Search\(\) >> Moments\(\)"):
        Strategy("mine", stages)


@pytest.mark.parametrize("words", ["a", "1000", [1], (), {}, 0, -1, float("nan")])
def test_a_number_that_is_none_is_refused_by_its_name(words):
    with pytest.raises(SettingError, match=r"Moments\.words.* a number 1 or more"):
        Moments(words=words)


def test_numbers_of_numpy_are_numbers():
    assert Moments(words=np.int64(500)).words == 500


def test_a_stage_that_returns_nothing_is_reported():
    with pytest.raises(RetrievalError, match=r"Forgetful\(\) must return Evidence, not NoneType"):
        (Search() >> Forgetful())(Evidence(Question("pump")), TOOLS)


def test_a_tool_that_there_is_not_is_reported_before_anything_runs():
    with pytest.raises(SettingError, match=r"Needy\.needs.*hammer.* one of store, embedder, "):
        Strategy("mine", Search() >> Needy()).retrieve(Question("pump"), TOOLS)
