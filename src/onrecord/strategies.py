"""Strategies: named sequences of stages that turn a question into evidence.

The constants are the presets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from onrecord.errors import NotFoundError, SettingError, did_you_mean, nearest
from onrecord.retrieve import (
    Acts,
    Balance,
    Branch,
    Cap,
    Correct,
    Distinct,
    Diverse,
    DropIrrelevant,
    Entries,
    Expand,
    FillGaps,
    Focus,
    FollowOn,
    Full,
    Graph,
    Grouped,
    Important,
    Iterate,
    Limits,
    Moments,
    Nearby,
    NeighbourMean,
    Neighbours,
    Overall,
    Overview,
    Passages,
    Prefer,
    Read,
    ReadingOrder,
    RecordingPrior,
    Rerank,
    Route,
    Search,
    Sections,
    Semantic,
    Sides,
    Smooth,
    Stage,
    Threshold,
    Tools,
    WideNeighbourMean,
    Within,
)
from onrecord.types import Evidence, Plan, Question

ANSWERS = ("quotes", "outline")
"""How an answer is composed without a language model.

"quotes" uses the best quotes. "outline" uses one quote from each part of the evidence, in order.
"""


@dataclass(frozen=True, slots=True)
class Strategy:
    """A named sequence of retrieval stages.

    Raises SettingError if `stages` is not a stage or `answer` is not in `ANSWERS`.

    Attributes:
        about: one line that says what the strategy is for.
        answer: one of `ANSWERS`.
        reads: whether the trained reader, if there is one, ranks passages and chooses quotes.
    """

    name: str
    stages: Stage
    about: str = ""
    answer: str = "quotes"
    reads: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.stages, Stage):
            raise SettingError("Strategy.stages", self.stages, "a stage, such as Search() >> Moments()")
        if self.answer not in ANSWERS:
            raise SettingError("Strategy.answer", self.answer, " or ".join(map(repr, ANSWERS)))

    def retrieve(self, question: Question, tools: Tools) -> Evidence:
        """Return the evidence for a question.

        Raises MissingToolError, before any stage runs, if a tool is missing.
        """
        self.stages.check(tools)
        return self.stages(Evidence(question), tools)


# ---------------------------------------------------------------- presets


def _flow(dense: float, lexical: float) -> Stage:
    """Return the stages that score every passage in scope and smooth the scores over time.

    Passages without neighbors, such as paragraphs of an encyclopedia, also gain from passages that lead to
    them.
    """
    return (
        Search(dense, lexical, whiten=True)
        >> Smooth(forward=300, backward=150, own=0.3, power=8)
        >> Nearby(share=0.5, forward=400, backward=180)
        >> NeighbourMean(share=0.2, lexical=0.05, forward=300, backward=150, turn=20)
        >> WideNeighbourMean(share=0.15, words=500, power=2, turn=20)
        >> Entries()
        >> FollowOn()
        >> Graph()
    )


def _curve(dense: float, lexical: float) -> Stage:
    """Return the stages of `_flow`, with a prior for the recordings that the question probably means."""
    return Within(_flow(dense, lexical) >> RecordingPrior(share=0.75, softness=0.06) >> Prefer())


CURVE = _curve(dense=0.8, lexical=0.2)

BALANCED = Strategy(
    "balanced",
    CURVE >> Moments(words=2400, longest=480) >> Read(),
    about="By meaning and by words, along the line of talk: good for most questions",
)
DIRECT = Strategy(
    "direct",
    Semantic(50) >> Threshold(most=50, least=3) >> Limits(factual=3, summary=50, unplanned=10) >> Grouped(),
    about="The passages nearest in meaning, and nothing else: the fastest",
    reads=False,
)
FAST = Strategy(
    "fast",
    CURVE >> Moments(words=1200, longest=480),
    about="As balanced, without the trained reader: words and vectors choose what is quoted",
    reads=False,
)
FACTUAL = Strategy(
    "factual",
    _curve(dense=0.7, lexical=0.3)
    >> Passages(20)
    >> Threshold(level="floor", most=20, least=5)
    >> Read(own=0)
    >> Rerank()
    >> Diverse(diversity=0.2, most=5),
    about="Five passages for a question that one line answers",
)
SUMMARY = Strategy(
    "summary",
    CURVE
    >> Focus(recordings=1)
    >> Overall()
    >> Moments(words=3000, longest=480)
    >> Diverse(diversity=0.1, most=15),
    about="One recording in depth, from its beginning to its end",
    answer="outline",
)
COMPARISON = Strategy(
    "comparison",
    Sides(
        CURVE
        >> Overall()
        >> Moments(words=1500, longest=240)
        >> Balance(each=3, most=10)
        >> Diverse(diversity=0.4, most=5),
        each=5,
    ),
    about="A search for each side, with equal shares",
)
EXPLORATORY = Strategy(
    "exploratory",
    Expand(Within(_flow(dense=0.8, lexical=0.2) >> Prefer()) >> Moments(words=2400, longest=240))
    >> Distinct(alike=0.95)
    >> Cap(3)
    >> Diverse(diversity=0.5, most=10),
    about="Asks in several ways, for as many different answers as there are",
)
THOROUGH = Strategy(
    "thorough",
    Correct(Iterate(CURVE >> Moments(words=2400, longest=480)), rounds=2) >> Rerank() >> Read(),
    about="Looks again for what is missing, and corrects what was asked where little was found",
)
SECTION = Strategy(
    "section",
    CURVE >> Sections(most=2),
    about="Whole sections, chosen by their titles and summaries",
    answer="outline",
)
FULL = Strategy(
    "full",
    CURVE >> Focus(recordings=1) >> Overall() >> Full(tokens=4000, recordings=1),
    about="All of a recording, in order, part by part",
    answer="outline",
)
EARNINGS = Strategy(
    "earnings",
    Semantic(20)
    >> DropIrrelevant()
    >> Important(10)
    >> Neighbours(over=0.7)
    >> ReadingOrder()
    >> FillGaps(smaller=5, tokens=4000),
    about="The most important passages with what surrounds them, as they were spoken",
)
OVERVIEW = Strategy(
    "overview",
    Overview(words=2000, recordings=12),
    about="What is said as a whole, for a question that names no subject",
    answer="outline",
)
ACTS = Strategy(
    "acts",
    Acts(OVERVIEW.stages, words=1500, most=600),
    about="What is done in speaking: decisions, tasks, promises, questions, risks, ...",
    answer="outline",
)

_BRANCHES = (BALANCED, FACTUAL, OVERVIEW, ACTS, SUMMARY, COMPARISON, EXPLORATORY, SECTION, FULL, EARNINGS)
AUTO = Strategy(
    "auto",
    Route(tuple(Branch(strategy.name, strategy.stages) for strategy in _BRANCHES)),
    about="Understands the question first, and takes the way that fits it",
)

STRATEGIES = {
    strategy.name: strategy
    for strategy in (
        AUTO,
        *(BALANCED, FAST, DIRECT, FACTUAL, SUMMARY, COMPARISON, EXPLORATORY),
        *(OVERVIEW, ACTS, THOROUGH, SECTION, FULL, EARNINGS),
    )
}


def two_stage_strategy(
    candidates: int = 20,
    keep: int = 5,
    dense: float = 0.7,
    lexical: float = 0.3,
    floor: float | None = None,
    least: int = 3,
    diversity: float = 0.3,
) -> Strategy:
    """Return the strategy of the settings `retrieval`: find candidates, then select from them.

    Candidates come from vectors and words. The selection drops passages below a cosine (by default that of
    the model's calibration), reranks if there is a reranker, and keeps passages that differ.
    """
    return Strategy(
        "retrieval",
        Search(dense, lexical)
        >> Passages(candidates)
        >> Threshold(floor, level="floor", most=candidates, least=least)
        >> Rerank(most=candidates)
        >> Diverse(diversity=diversity, most=keep),
        about="The two stages of the settings `retrieval`",
        reads=False,
    )


def configured_strategies(path: Path | None, figures: Mapping[str, Any] | None) -> Mapping[str, Strategy]:
    """Return the user's strategies by name.

    They are those of the file or folder `path`, and `two_stage_strategy` unless `figures` is None.
    """
    own = dict(read_strategies(path)) if path else {}
    return own if figures is None else {**own, "retrieval": two_stage_strategy(**figures)}


def default_strategy(chosen: str, own: Mapping[str, Strategy]) -> str:
    """Return the name of the strategy that answers a question which names none."""
    return chosen or ("retrieval" if "retrieval" in own else "auto")


def named(name: str, others: Mapping[str, Strategy] | None = None) -> Strategy:
    """Return the strategy with this name, from `others` or the presets. Raises NotFoundError."""
    strategies = {**STRATEGIES, **(others or {})}
    if name not in strategies:
        hint = did_you_mean(nearest(name, strategies)) or "there are " + ", ".join(strategies)
        raise NotFoundError(f"there is no strategy {name!r}: {hint}")
    return strategies[name]


def with_plan(strategy: Strategy) -> Strategy:
    """Return the strategy with a planning step before it, unless it has one, as `auto` does.

    The plan reads filters from the question and completes follow-ups.
    """
    if isinstance(strategy.stages, Route):
        return strategy
    return replace(strategy, stages=Route((Branch(strategy.name, strategy.stages),)))


def reads_in_full(strategy: Strategy, plan: Plan | None) -> bool:
    """Return whether the branch that the plan selects reads a whole recording."""
    stages = [strategy.stages]
    if isinstance(strategy.stages, Route):
        named = plan.strategy if plan else ""
        stages = [branch.stage for branch in strategy.stages.branches if branch.name == named]
    while stages:
        stage = stages.pop()
        if isinstance(stage, Full):
            return True
        stages += stage.inner
    return False


# ---------------------------------------------------------------- files

_FIELDS = ("name", "about", "answer", "reads", "stages")
_MOST_BYTES = 1 << 16


def read_strategies(path: str | Path) -> Mapping[str, Strategy]:
    """Read strategies from a YAML file, or from the YAML files of a folder. Return them by name.

    No code in a file runs. Raises NotFoundError, or SettingError with the location of a mistake and the
    allowed values.
    """
    path = Path(path)
    if not path.exists():
        raise NotFoundError(f"there is no file or folder of strategies {str(path)!r}")
    files = sorted(p for p in path.iterdir() if p.suffix in (".yaml", ".yml")) if path.is_dir() else [path]
    strategies: dict[str, Strategy] = {}
    for file in files:
        strategy = read_file(file)
        if strategy.name in {**STRATEGIES, **strategies, "retrieval": ()}:
            raise SettingError(f"{file.name}: name", strategy.name, "a name that no other strategy has")
        strategies[strategy.name] = strategy
    return strategies


def read_file(file: Path) -> Strategy:
    """Read one strategy from a YAML file. Raises NotFoundError and SettingError."""
    try:
        data = file.read_bytes()
        text = data.decode() if len(data) <= _MOST_BYTES else ""
    except FileNotFoundError:
        raise NotFoundError(f"there is no file of a strategy {str(file)!r}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingError(file.name, type(error).__name__, "a file of text that can be read") from None
    if not text:
        raise SettingError(file.name, f"{len(data)} bytes", f"a YAML file of 1 to {_MOST_BYTES} bytes")
    try:
        return from_yaml(text, file.stem)
    except SettingError as error:
        raise SettingError(f"{file.name}: {error.name}", error.value, error.allowed) from None


def to_yaml(strategy: Strategy) -> str:
    """Return a strategy as YAML text that `read_strategies` reads, with every field of every stage."""
    import yaml

    from onrecord.retrieve.values import to_value

    stages = to_value(strategy.stages)
    value = {
        "name": strategy.name,
        "about": strategy.about,
        "answer": strategy.answer,
        "reads": strategy.reads,
        "stages": stages if isinstance(stages, list) else [stages],
    }
    return yaml.safe_dump(value, sort_keys=False, allow_unicode=True, default_flow_style=None)


def from_yaml(text: str, name: str = "") -> Strategy:
    """Return the strategy that a YAML text describes. Raises SettingError.

    `name` is the strategy's name if the YAML has none.
    """
    import yaml

    from onrecord.retrieve.values import from_value

    try:
        value: Any = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        summary = " ".join(str(error).split())
        raise SettingError("strategy", text[:40], f"YAML ({summary[:160]})") from None
    if not isinstance(value, dict) or "stages" not in value:
        raise SettingError("strategy", value, "a mapping with `stages`")
    for field in value:
        if field not in _FIELDS:
            raise SettingError(str(field), value[field], f"one of {', '.join(_FIELDS)}")
        expected = bool if field == "reads" else str
        if field != "stages" and not isinstance(value[field], expected):
            raise SettingError(field, value[field], "true or false" if expected is bool else "a text")
    fields = {"name": name, **{field: value[field] for field in _FIELDS if field in value}}
    return Strategy(**{**fields, "stages": from_value(value["stages"])})
