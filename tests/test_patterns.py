"""No pattern of the package takes time that grows faster than the text it reads.

Each compiled pattern of each module, and each that is written into a call of `re`, is fed strings made to be
hostile to it: every part of it that may come again and again, repeated after what leads to it, with an end
that does not fit; and white space, digits and brackets without end.
"""

import ast
import importlib
import pkgutil
import re
import re._constants as ops
import re._parser as parser
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from time import perf_counter

import pytest

import onrecord

LEFT_OUT = ("onrecord.ingest",)
"""Rooms whose patterns are shown to be linear by a test of their own (tests/ingest)."""
LONGEST, SLOW = 16_000, 0.25
"""Characters of the longest string, and the seconds that reading it may take: what grows with the square
takes seconds, what grows with the length about a millisecond."""
ANY = (" ", "\n", "\t ", "a", "1", "a ", "1,", ".", "-", "(", "[", "<", "'", '"', "&", "é", "A", "Ab ", "x:")
CALLS = ("compile", "search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn")


# ---------------------------------------------------------------- the patterns


def modules() -> list[str]:
    found = [m.name for m in pkgutil.walk_packages(onrecord.__path__, "onrecord.")]
    return [name for name in found if not name.startswith(LEFT_OUT) and not name.endswith("__main__")]


def inside(value: object, depth: int = 4) -> Iterator[re.Pattern[str]]:
    """The patterns that a value of a module is, or holds."""
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
    elif depth and isinstance(value, dict):
        for pair in value.items():
            yield from inside(pair, depth - 1)
    elif depth and isinstance(value, tuple | list | set | frozenset):
        for each in value:
            yield from inside(each, depth - 1)
    elif depth and is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from inside(getattr(value, field.name, None), depth - 1)
    elif depth and isinstance(value, type) and value.__module__.startswith("onrecord"):
        yield from inside(list(vars(value).values()), depth - 1)


def written(source: str) -> Iterator[re.Pattern[str]]:
    """The patterns that stand as texts in calls of `re`."""
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        called, first = node.func, node.args[0]
        of_re = isinstance(called.value, ast.Name) and called.value.id == "re" and called.attr in CALLS
        if of_re and isinstance(first, ast.Constant) and isinstance(first.value, str):
            yield re.compile(first.value)


@cache
def elsewhere() -> frozenset[str]:
    """The patterns of the rooms that are left out, which others may have imported."""
    found = [m.name for m in pkgutil.walk_packages(onrecord.__path__, "onrecord.")]
    return frozenset(
        each.pattern for name in found if name.startswith(LEFT_OUT) for each in patterns_of(name)
    )


def patterns(module: str) -> list[re.Pattern[str]]:
    return [each for each in patterns_of(module) if each.pattern not in elsewhere()]


def patterns_of(module: str) -> list[re.Pattern[str]]:
    try:
        loaded = importlib.import_module(module)
    except ImportError:  # an extra that is not installed
        return []
    found = [pattern for value in vars(loaded).values() for pattern in inside(value)]
    found += written(Path(loaded.__file__ or "").read_text())
    return list({(each.pattern, each.flags): each for each in found}.values())


# ---------------------------------------------------------------- hostile strings


def of_set(items: list) -> str:
    if items and items[0][0] is ops.NEGATE:
        return next((c for c in "a 1,~\n" if not holds(items[1:], c)), "\u4e2d")
    for op, value in items:
        if op is ops.LITERAL:
            return chr(value)
        if op is ops.RANGE:
            return chr(value[0])
        if op is ops.CATEGORY:
            return category(value)
    return "a"


def holds(items: list, character: str) -> bool:
    code, known = (
        ord(character),
        {ops.CATEGORY_WORD: r"\w", ops.CATEGORY_DIGIT: r"\d", ops.CATEGORY_SPACE: r"\s"},
    )
    return any(
        (op is ops.LITERAL and value == code)
        or (op is ops.RANGE and value[0] <= code <= value[1])
        or (op is ops.CATEGORY and re.match(known.get(value, r"\W"), character) is not None)
        for op, value in items
    )


def category(value: object) -> str:
    if value is ops.CATEGORY_DIGIT:
        return "1"
    if value is ops.CATEGORY_SPACE:
        return " "
    return "," if value is ops.CATEGORY_NOT_WORD else "a"


def sample(tree: Iterable, most: int = 1) -> str:
    """Some text that a part of a pattern may match."""
    text = ""
    for op, value in tree:
        if op is ops.LITERAL:
            text += chr(value)
        elif op is ops.NOT_LITERAL or op is ops.ANY:
            text += "a"
        elif op is ops.IN:
            text += of_set(value)
        elif op in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT):
            text += sample(value[2]) * max(value[0], most)
        elif op is ops.SUBPATTERN:
            text += sample(value[3], most)
        elif op is ops.ATOMIC_GROUP:
            text += sample(value, most)
        elif op is ops.BRANCH:
            text += sample(value[1][0], most)
    return text


def repeated(tree: Iterable, before: str = "") -> Iterator[tuple[str, str]]:
    """What leads to each part of a pattern that may come any number of times, and what comes again then."""
    for item in tree:
        op, value = item
        if op in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT):
            if value[1] is ops.MAXREPEAT or value[1] > 50:
                yield before, sample(value[2]) or " "
                yield "", before + (sample(value[2]) or " ")
            yield from repeated(value[2], before)
        elif op is ops.SUBPATTERN:
            yield from repeated(value[3], before)
        elif op is ops.ATOMIC_GROUP:
            yield from repeated(value, before)
        elif op is ops.BRANCH:
            for branch in value[1]:
                yield from repeated(branch, before)
        before += sample([item])


def hostile(pattern: re.Pattern[str]) -> set[tuple[str, str]]:
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)
    return {("", unit) for unit in ANY} | set(repeated(tree))


def slow_at(pattern: re.Pattern[str]) -> str:
    """The string that a pattern takes too long for, in words; empty where there is none."""
    for before, unit in sorted(hostile(pattern)):
        length = 16
        while length <= LONGEST:
            text = before + unit * (length // len(unit)) + "\x00"
            began = perf_counter()
            pattern.fullmatch(text)
            for _ in pattern.finditer(text):
                pass
            took = perf_counter() - began
            if took > SLOW:
                return f"{before!r} + {unit!r} * {length // len(unit)}: {took:.2f} s"
            if took > SLOW / 4 and length < LONGEST / 2:
                return f"{before!r} + {unit!r} * {length // len(unit)}: {took:.2f} s, far from the longest"
            length *= 2
    return ""


@pytest.mark.parametrize("module", modules())
def test_every_pattern_takes_time_that_grows_with_the_length(module: str) -> None:
    slow = {each.pattern: told for each in patterns(module) if (told := slow_at(each))}
    assert not slow


def test_a_pattern_that_backtracks_is_told() -> None:
    for slow in (r"(a|aa)+b", r"\s+\s+$", r"x*y*x*z"):
        assert slow_at(re.compile(slow)), slow
    assert not slow_at(re.compile(r"\bfrom (\w{1,30}) to \d{4}\b"))
