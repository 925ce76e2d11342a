"""No regular expression of the package takes time that grows faster than the length of its text.

Every compiled pattern, and each pattern in a call of `re`, reads hostile strings: a lead that reaches one of
its repetitions, then text that the repetition matches, many times, then a character that matches nothing. If
a pattern is used for searches, the lead is repeated as well. A string of twice the length may take about
twice the time. The source of the package shows whether a pattern is used for searches or matched at one
place. Patterns that are put together at run time are recorded by `patterns_used.py`; each call that does so
has to be reached there.
"""

from __future__ import annotations

import ast
import re
import re._constants as ops
import re._parser as parser
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache, reduce
from importlib import import_module
from operator import or_
from pathlib import Path
from pkgutil import walk_packages
from time import process_time
from typing import Any

import pytest

import onrecord
from patterns_used import Used

SHORTEST, LONGEST = 16, 32_000
"""The shortest and longest hostile strings, in characters. The length is doubled from step to step."""
GROWTH = 3.0
"""The maximum growth of time if the length doubles: between linear (2) and quadratic (4)."""
ENOUGH, PLENTY = 0.02, 0.1
"""Times in seconds: up to `ENOUGH` is never a fault; after `PLENTY`, no longer string is tried."""
ANCHORED = frozenset({"match", "fullmatch"})
SEARCHING = frozenset({"search", "finditer", "findall", "split", "sub", "subn"})
SIGNS = " a0\t\n-.:<([\"'*_/,;A{#>)]}é你\\|=&@“«”»"
ALWAYS = (
    " ",
    "\n",
    "\t ",
    "a",
    "1",
    "a ",
    "1,",
    ".",
    "-",
    "(",
    "[",
    "<",
    "'",
    '"',
    "&",
    "é",
    "A",
    "Ab ",
    "x:",
    "“ ",
    "« ",
)
NO_SIGN = "\ufdd0"

Key = tuple[str | bytes, int]


# ---------------------------------------------------------------- the patterns


def modules() -> list[str]:
    """Return the names of all modules of the package."""
    return [
        "onrecord",
        *(m.name for m in walk_packages(onrecord.__path__, "onrecord.") if "__main__" not in m.name),
    ]


@cache
def patterns() -> dict[str, dict[Key, tuple[str, set[str]]]]:
    """Return the patterns of each top-level package.

    They are keyed by text and flags; each has its place and the methods that are called on it.
    """
    rooms: dict[str, dict[Key, tuple[str, set[str]]]] = {}
    for name in modules():
        try:
            module = import_module(name)
        except ImportError:  # an optional dependency that is not installed
            continue
        room = rooms.setdefault(".".join(name.split(".")[:2]), {})
        tree = ast.parse(Path(module.__file__ or "").read_text())
        methods = called_methods(tree)
        for attribute, value in vars(module).items():
            for pattern in inside(value):
                _, uses = room.setdefault((pattern.pattern, pattern.flags), (f"{name}.{attribute}", set()))
                uses |= methods.get(attribute, set())
        for line, method, pattern in written(tree, vars(module)):
            _, uses = room.setdefault((pattern.pattern, pattern.flags), (f"{name}, line {line}", set()))
            uses |= {method} - {"compile"}
    for name, line, method, text, flags in used():
        room = rooms.setdefault(".".join(name.split(".")[:2]), {})
        _, uses = room.setdefault((text, flags), (f"{name}, line {line}", set()))
        uses |= {method} - {"compile"}
    return rooms


@cache
def used() -> list[Used]:
    """Return the patterns that a fresh process compiles while it reads files and answers questions."""
    program = [sys.executable, str(Path(__file__).with_name("patterns_used.py"))]
    done = subprocess.run(program, capture_output=True, text=True, timeout=120, check=True)
    recorded: list[Used] = ast.literal_eval(done.stdout)
    return recorded


def inside(value: object, depth: int = 4) -> Iterator[re.Pattern[Any]]:
    """Yield the patterns that a value of a module is or contains."""
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, dict):
        for each in (*value, *value.values()):
            yield from inside(each, depth - 1)
    elif depth and isinstance(value, tuple | list | set | frozenset):
        for each in value:
            yield from inside(each, depth - 1)
    elif depth and is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from inside(getattr(value, field.name, None), depth - 1)
    elif depth and isinstance(value, type) and value.__module__.startswith("onrecord"):
        yield from inside(list(vars(value).values()), depth - 1)


def called_methods(tree: ast.Module) -> dict[str, set[str]]:
    """Return the methods that a module calls on each name.

    A method counts if it is called on the name, on an item that a loop takes from it, or in a function of the
    module that receives it. A name that is passed to another module may be used with any method.
    """
    sources, unknown = aliases(tree)
    methods = {name: set(ANCHORED | SEARCHING) for name in unknown}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in ANCHORED | SEARCHING:
            for name in names_in(node.value):
                for source in (name, *sources.get(name, ())):
                    methods.setdefault(source, set()).add(node.attr)
    return methods


def aliases(tree: ast.Module) -> tuple[dict[str, set[str]], set[str]]:
    """Return the names behind loop variables and parameters, and the names passed to other modules."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    parameters = {node.name: [argument.arg for argument in node.args.args] for node in functions}
    sources: dict[str, set[str]] = {}
    unknown: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.comprehension):
            for name in names_in(node.target):
                sources.setdefault(name, set()).update(names_in(node.iter))
        elif isinstance(node, ast.Call):
            names = parameters.get(node.func.id, []) if isinstance(node.func, ast.Name) else []
            for position, argument in enumerate(node.args):
                if isinstance(argument, ast.Name) and position < len(names):
                    sources.setdefault(names[position], set()).add(argument.id)
                elif isinstance(argument, ast.Name):
                    unknown.add(argument.id)
    return sources, unknown


def names_in(tree: ast.AST) -> set[str]:
    """Return the names that occur in a syntax tree."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def calls(tree: ast.Module) -> Iterator[tuple[ast.Call, str]]:
    """Yield the calls of `re` that take a pattern, with the names of the functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            owner, method = node.func.value, node.func.attr
            takes_pattern = method in ANCHORED | SEARCHING | {"compile"}
            if takes_pattern and isinstance(owner, ast.Name) and owner.id == "re":
                yield node, method


def written(tree: ast.Module, names: dict[str, Any]) -> Iterator[tuple[int, str, re.Pattern[Any]]]:
    """Yield the patterns in calls of `re` that are literals or made of a module's `names`.

    Each has the line and the method that is called.
    """
    direct = {id(node.value): node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node, method in calls(tree):
        text = text_of(node.args[0], names)
        if text is not None:
            named = [getattr(re, n.attr, None) for n in ast.walk(node) if isinstance(n, ast.Attribute)]
            set_flags = reduce(or_, (flag for flag in named if isinstance(flag, re.RegexFlag)), 0)
            yield node.lineno, direct.get(id(node), method), re.compile(text, set_flags)


def text_of(node: ast.expr, names: dict[str, Any]) -> str | bytes | None:
    """Return the text that an expression has if it depends on a module's names alone, else None."""
    code = compile(ast.Expression(node), "pattern", "eval")
    try:
        text = eval(code, dict(names))
    except NameError:
        return None
    return text if isinstance(text, str | bytes) else None


# ---------------------------------------------------------------- hostile strings


def attacks(pattern: re.Pattern[Any], searched: bool) -> Iterator[tuple[str, str]]:
    """Yield the lead and the repeated text of each hostile string."""
    pairs = dict.fromkeys(("", sign) for sign in ALWAYS)
    for lead, units in repetitions(list(parser.parse(pattern.pattern, pattern.flags)), ""):
        for unit in filter(None, units):
            pairs[lead, unit] = None
            if searched:
                pairs["", lead + unit] = None
    yield from pairs


def repetitions(nodes: list[Any], lead: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the lead of each repetition, and texts that it may repeat."""
    for op, value in nodes:
        if op in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT):
            least, most, inner = value
            if most > 20:
                yield lead, units_of(list(inner)) or [sample(inner)]
            yield from repetitions(list(inner), lead)
            lead += sample(inner) * max(least, 1 if most else 0)
            continue
        for part in parts_of(op, value):
            yield from repetitions(part, lead)
        lead += sample([(op, value)])


def parts_of(op: Any, value: Any) -> Iterator[list[Any]]:
    """Yield the alternatives or contents of a group."""
    if op is ops.SUBPATTERN:
        yield list(value[3])
    elif op is ops.BRANCH:
        yield from (list(part) for part in value[1])
    elif op in (ops.ASSERT, ops.ASSERT_NOT):
        yield list(value[1])
    elif op is ops.ATOMIC_GROUP:
        yield list(value)
    elif op is ops.GROUPREF_EXISTS:
        yield from (list(part) for part in value[1:] if part)


def units_of(nodes: list[Any]) -> list[str]:
    """Return several texts that a repetition may match.

    For a single character class, these are up to six different kinds of characters.
    """
    if len(nodes) == 1 and nodes[0][0] in (ops.IN, ops.NOT_LITERAL, ops.ANY, ops.LITERAL):
        return [sign for sign in SIGNS if fits(nodes[0], sign)][:6] or [sample(nodes)]
    if len(nodes) == 1 and nodes[0][0] in (ops.SUBPATTERN, ops.BRANCH):
        units = [unit for part in parts_of(*nodes[0]) for unit in units_of(part)]
        return list(dict.fromkeys(units))[:8]
    return [sample(nodes)]


def fits(node: Any, sign: str) -> bool:
    """Return whether a node for a single character matches a character."""
    op, value = node
    if op is ops.ANY:
        return sign != "\n"
    if op in (ops.LITERAL, ops.NOT_LITERAL):
        return (chr(value) == sign) == (op is ops.LITERAL)
    negated = value[0][0] is ops.NEGATE
    return negated != any(in_class(each, sign) for each in value)


def in_class(item: Any, sign: str) -> bool:
    """Return whether an item of a character class matches a character."""
    op, value = item
    if op is ops.LITERAL:
        return bool(chr(value) == sign)
    if op is ops.RANGE:
        return bool(value[0] <= ord(sign) <= value[1])
    if op is ops.CATEGORY:
        name = str(value).lower()
        kind = r"\s" if "space" in name else r"\d" if "digit" in name else r"\w"
        return bool(re.match(kind, sign)) != ("not_" in name)
    return False


def sample(nodes: Iterable[Any]) -> str:
    """Return a text that the nodes roughly match: it only has to lead to the next node."""
    pieces = []
    for op, value in nodes:
        if op is ops.LITERAL:
            pieces.append(chr(value))
        elif op in (ops.NOT_LITERAL, ops.ANY, ops.IN):
            pieces.append(next((sign for sign in "a0" + SIGNS if fits((op, value), sign)), first_of(value)))
        elif op in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT):
            pieces.append(sample(value[2]) * min(value[0], 100))
        elif op in (ops.BRANCH, ops.SUBPATTERN, ops.ATOMIC_GROUP, ops.GROUPREF_EXISTS):
            pieces.append(sample(next(parts_of(op, value), [])))
    return "".join(pieces)


def first_of(value: Any) -> str:
    """Return the first character of a class that contains none of the usual characters."""
    for op, each in value if isinstance(value, list) else []:
        if op is ops.LITERAL:
            return chr(each)
        if op is ops.RANGE:
            return chr(each[0])
    return "a"


# ---------------------------------------------------------------- growth of time


def slow(pattern: re.Pattern[Any], methods: set[str]) -> str:
    """Return a description of a string that takes too long, or an empty text."""
    methods = methods or set(ANCHORED | SEARCHING)
    for searched in {method in SEARCHING for method in methods}:
        run = (
            search_all(pattern)
            if searched
            else pattern.fullmatch
            if "fullmatch" in methods
            else pattern.match
        )
        for lead, unit in attacks(pattern, searched):
            if growth := growing(run, lead, unit, isinstance(pattern.pattern, bytes)):
                return f"{lead!r} + {unit!r} over and over: {growth}"
    return ""


def search_all(pattern: re.Pattern[Any]) -> Callable[[Any], object]:
    """Return a function that finds all matches of a pattern."""
    return lambda text: [None for _ in pattern.finditer(text)]


def growing(run: Callable[[Any], object], lead: str, unit: str, encode: bool) -> str:
    """Return a description of the growth of time if it exceeds the limit, or an empty text."""

    def seconds() -> float:
        began = process_time()
        run(hostile)
        return process_time() - began

    before, length = 0.0, SHORTEST
    while length <= LONGEST and before < PLENTY:
        text = lead + (unit * (length // len(unit) + 1))[:length] + NO_SIGN
        hostile = text.encode("latin-1", "replace") if encode else text
        taken = seconds()
        for _ in range(4):
            if (
                before and ENOUGH < taken < 1 and taken > GROWTH * before
            ):  # measure again: other processes may have taken the time
                taken = min(taken, seconds())
        if before and taken > max(ENOUGH, GROWTH * before):
            return f"{length} signs take {1000 * taken:.1f} ms, half as many {1000 * before:.1f} ms"
        before, length = taken, 2 * length
    return ""


@pytest.mark.parametrize("room", sorted({".".join(name.split(".")[:2]) for name in modules()}))
def test_every_pattern_takes_time_that_grows_with_the_length(room: str) -> None:
    of_room = patterns().get(room, {})
    faults = {
        f"{place} {text!r}": fault
        for (text, flags), (place, methods) in of_room.items()
        if (fault := slow(re.compile(text, flags), methods))
    }
    assert not faults


def test_every_pattern_made_at_run_time_is_tried() -> None:
    """A call whose pattern is not seen in the source is one that `patterns_used.py` reaches."""
    reached = {(name, line) for name, line, *_ in used()}
    missed = []
    for name in modules():
        try:
            module = import_module(name)
        except ImportError:  # an optional dependency that is not installed
            continue
        for node, _ in calls(ast.parse(Path(module.__file__ or "").read_text())):
            if text_of(node.args[0], vars(module)) is None and (name, node.lineno) not in reached:
                missed.append(f"{name}, line {node.lineno}: {ast.unparse(node)}")
    assert not missed


@pytest.mark.parametrize("pattern", [r"\s+\s+$", r"x*y*x*z", r"\s*\)", r"\[[^\]]*\]\(", r"“[^”]*”"])
def test_a_pattern_that_backtracks_is_slow(pattern: str) -> None:
    """The test detects patterns with quadratic time."""
    assert slow(re.compile(pattern), {"sub"})


def test_a_linear_pattern_is_not_slow() -> None:
    assert not slow(re.compile(r"\bfrom (\w{1,30}) to \d{4}\b"), set())


def test_methods_are_read_off_the_source() -> None:
    source = "A.match(x)\nfor a, b in B: a.fullmatch(x)\nany(c.search(x) for c in (C, D))\n"
    source += "f(E)\ng(F)\ndef g(h): h.match(x)"
    methods = called_methods(ast.parse(source))
    assert {name: methods[name] for name in "ABCDF"} == {
        "A": {"match"},
        "B": {"fullmatch"},
        "C": {"search"},
        "D": {"search"},
        "F": {"match"},
    }
    assert methods["E"] == ANCHORED | SEARCHING
