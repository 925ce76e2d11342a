"""Strategies in YAML files can be written and read back; errors name the place and the allowed values."""

from dataclasses import MISSING, fields
from math import inf
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from onrecord.errors import NotFoundError, SettingError
from onrecord.retrieve import Fuse, Keyword, Moments, Semantic, Sequence, Stage
from onrecord.retrieve.values import from_value, lines, stage_types, to_value
from onrecord.strategies import STRATEGIES, Strategy, from_yaml, named, read_strategies, to_yaml

MINE = """
about: Both ways, then what fits
stages:
  - Fuse:
      legs:
        - Keyword: {most: 50}
        - [Search, Smooth, Moments: {words: 900}]
      k: 30
  - Moments: {words: 1000}
  - Distinct
"""


def values_of(kind: type[Stage], name: str, hint: Any) -> st.SearchStrategy[Any]:
    """Return a Hypothesis strategy for the values of a stage's field."""
    if isinstance(hint, type) and issubclass(hint, Stage):
        return SIMPLE
    low, high = kind.ranges.get(name, (0, 50))
    high = min(high, 50)
    if hint is int:
        return st.integers(int(max(low, 1)), int(high))
    if hint is float:
        return st.floats(low, high)
    if get_args(hint)[1:] == (type(None),):
        return st.none() | values_of(kind, name, get_args(hint)[0])
    return st.nothing()


def stages(kind: type[Stage]) -> st.SearchStrategy[Stage]:
    """Return a Hypothesis strategy for stages of a type.

    Fields with simple types get any values; other fields keep their defaults.
    """
    hints = get_type_hints(kind)
    arguments = {f.name: values_of(kind, f.name, hints[f.name]) for f in fields(kind)}
    needed = {f.name: f.default is MISSING and f.default_factory is MISSING for f in fields(kind)}
    simple = {name: values for name, values in arguments.items() if needed[name] or not values.is_empty}
    return st.fixed_dictionaries(simple).map(lambda values: kind.of(**values))


BARE = [
    kind for name, kind in stage_types().items()
    if name not in ("Fuse", "Budget", "Route", "Threshold")
    and not any(f.default is MISSING and f.default_factory is MISSING for f in fields(kind))
]  # fmt: skip
SIMPLE = st.sampled_from(BARE).flatmap(stages)
HOLDING = st.sampled_from([stage_types()[name] for name in ("Sides", "Expand", "Iterate", "Correct")])
FUSED = st.lists(SIMPLE, min_size=1, max_size=3).map(lambda legs: Fuse(*legs, k=7))
ANY = st.lists(SIMPLE | HOLDING.flatmap(stages) | FUSED, min_size=1, max_size=4)


def in_sequence(listed: list[Stage]) -> Stage:
    """Return the stages as one sequence."""
    whole = listed[0]
    for each in listed[1:]:
        whole = whole >> each
    return whole


@settings(deadline=None)
@given(ANY, st.text(max_size=30))
def test_what_is_written_reads_back_equal(listed: list[Stage], about: str) -> None:
    """Any strategy is equal after it is written as YAML and read back."""
    strategy = Strategy("mine", in_sequence(listed), " ".join(about.split()), "outline")
    assert from_yaml(to_yaml(strategy)) == strategy


@pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=lambda s: s.name)
def test_every_preset_reads_back_equal(strategy: Strategy) -> None:
    assert from_yaml(to_yaml(strategy)) == strategy


def test_a_file_of_ones_own() -> None:
    """A file with nested stages is read as the stages that it describes."""
    mine = from_yaml(MINE, "mine")
    assert mine.name == "mine" and mine.about == "Both ways, then what fits" and mine.answer == "quotes"
    assert isinstance(mine.stages, Sequence) and len(mine.stages.stages) == 3
    fuse = mine.stages.stages[0]
    assert isinstance(fuse, Fuse) and fuse.k == 30 and fuse.legs[0] == Keyword(50)
    assert mine.stages.stages[1] == Moments(words=1000)
    assert [line.strip() for line in lines(mine.stages)][:3] == [
        "Fuse(method='rrf', k=30, weights=())",
        "Keyword(most=50)",
        "Search(dense=0.6, lexical=0.4, strip=True, whiten=False)",
    ]


@pytest.mark.parametrize(
    ("stages", "place", "allowed"),
    [
        ("[Moment]", "stages[0]", "a stage that exists: did you mean 'Moments'?"),
        ("[zzz]", "stages[0]", "a stage that exists: Acts, Balance, "),
        ("[Moments: {word: 3}]", "stages[0].Moments.word", "a field that exists: did you mean 'words'?"),
        ("[Moments: {words: many}]", "stages[0].Moments.words", "a whole number"),
        ("[Moments: {words: 1.5}]", "stages[0].Moments.words", "a whole number"),
        ("[Moments: {words: true}]", "stages[0].Moments.words", "a whole number"),
        ("[Moments: {words: .inf}]", "stages[0].Moments.words", "a whole number"),
        ("[Moments: {words: 1000000000000}]", "stages[0].Moments.words", "a whole number"),
        ("[Moments: 3]", "stages[0].Moments", "a mapping of fields"),
        ("[Search: {strip: 1}]", "stages[0].Search.strip", "true or false"),
        ("[Search: {dense: .nan}]", "stages[0].Search.dense", "a number"),
        ("[Search, Diverse: {diversity: 3}]", "stages[1].Diverse.diversity", "a number from 0 to 1"),
        ("[Budget]", "stages[0].Budget", "words or tokens, one of the two"),
        ("[Sides: {each: 2}]", "stages[0].Sides.stage", "a stage, or a list of stages"),
        ("[Sides: {stage: 2}]", "stages[0].Sides.stage", "the name of a stage"),
        ("[Fuse: {legs: []}]", "stages[0].Fuse.legs", "one stage or more"),
        ("[Fuse: {legs: Keyword}]", "stages[0].Fuse.legs", "a list, each a stage"),
        ("[Fuse: {legs: [Keyword], method: max}]", "stages[0].Fuse.method", "'rrf' or 'convex'"),
        ("[Fuse: {legs: [Keyword, Semantic: {x: 1}]}]", "stages[0].Fuse.legs[1].Semantic.x", "a field"),
        ("[[Search, [Nope]]]", "stages[0][1][0]", "a stage that exists"),
        ("[]", "stages", "the name of a stage"),
        ("{Search: {}, Smooth: {}}", "stages", "the name of a stage"),
        ("[Stage]", "stages[0]", "a stage that exists"),
        ("[__class__]", "stages[0]", "a stage that exists"),
    ],
)
def test_every_mistake_has_its_place_and_what_is_allowed(stages: str, place: str, allowed: str) -> None:
    """An invalid stage or field is refused with its place and the allowed values."""
    with pytest.raises(SettingError) as caught:
        from_yaml(f"stages: {stages}")
    assert caught.value.name == place
    assert caught.value.allowed.startswith(allowed)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a mapping with `stages`"),
        ("- Search", "a mapping with `stages`"),
        ("name: [x]\nstages: [Search]", "a text"),
        ("nmae: x\nstages: [Search]", "one of name, about, answer, reads, stages"),
        ("answer: poem\nstages: [Search]", "'quotes' or 'outline'"),
        ("stages: [", "YAML"),
        ("stages: !!python/object/apply:os.system ['true']", "YAML"),
        ("stages: &a [*a]", "20 deep at most"),
        ("a: &a [Cap,Cap,Cap,Cap,Cap,Cap,Cap,Cap,Cap,Cap]\nstages: [*a,*a]", "one of name"),
        (f"stages: [{'Cap, ' * 201}]", "200 stages at most"),
    ],
)
def test_what_is_no_strategy_is_refused(text: str, message: str) -> None:
    """A text that is no strategy, or is too deep or too long, is refused."""
    with pytest.raises(SettingError, match=message):
        from_yaml(text)


def test_nothing_in_a_file_is_run(tmp_path: Path) -> None:
    """YAML tags in a file cannot run code."""
    (tmp_path / "bad.yaml").write_text(f"stages: [!!python/object/apply:pathlib.Path.touch ['{tmp_path}/x']]")
    with pytest.raises(SettingError, match=r"bad\.yaml"):
        read_strategies(tmp_path)
    assert not (tmp_path / "x").exists()


def test_references_cannot_make_a_few_lines_into_billions() -> None:
    """Nested YAML references cannot expand to an unlimited number of stages."""
    levels = "\n".join(f"  - &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 12))
    with pytest.raises(SettingError, match="200 stages at most"):
        from_value(yaml.safe_load(f"- &l0 [Cap]\n{levels}".replace("  -", "-")))


def test_a_folder_of_them(tmp_path: Path) -> None:
    """All YAML files of a folder are read; other files are ignored."""
    (tmp_path / "one.yaml").write_text(MINE)
    (tmp_path / "two.yml").write_text("name: second\nstages: [Keyword]")
    (tmp_path / "notes.txt").write_text("not a strategy")
    own = read_strategies(tmp_path)
    assert list(own) == ["one", "second"]
    assert named("second", own).stages == Keyword() and named("balanced", own) is STRATEGIES["balanced"]
    with pytest.raises(NotFoundError, match="did you mean 'second'"):
        named("secnd", own)


@pytest.mark.parametrize("text", ["name: balanced\nstages: [Keyword]", "name: one\nstages: [Keyword]"])
def test_no_two_strategies_have_one_name(tmp_path: Path, text: str) -> None:
    """A strategy with the name of a preset or of another file is refused."""
    (tmp_path / "one.yaml").write_text("stages: [Search]")
    (tmp_path / "two.yaml").write_text(text)
    with pytest.raises(SettingError, match=r"two.yaml: name.*no other strategy has"):
        read_strategies(tmp_path)


@pytest.mark.parametrize("data", [b"", b"\xff\xfe\x00", b"#" * 70_000])
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "odd.yaml").write_bytes(data)
    with pytest.raises(SettingError, match=r"odd\.yaml"):
        read_strategies(tmp_path)
    with pytest.raises(NotFoundError, match="nowhere"):
        read_strategies(tmp_path / "nowhere")


def test_a_single_stage_is_not_a_list() -> None:
    assert from_value("Keyword") == from_value(["Keyword"]) == from_value({"Keyword": None}) == Keyword()
    assert to_value(Semantic(3)) == {"Semantic": {"most": 3}}
    assert inf not in [high for kind in BARE for low, high in kind.ranges.values() if low == high]
