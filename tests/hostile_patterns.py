"""Shows that patterns take linear time: every compiled pattern of a package is fed hostile strings.

A hostile string is made of the pattern itself: what leads to one of its repetitions, then what that repeats,
over and over, and at the end a sign that fits nothing. Where a pattern is searched for, what leads there is
repeated as well. Time must not grow much faster than the length. How a pattern is used (`search`, `match`)
is read off the package's source; patterns that only ever see a bounded piece of a text are named with their
bound.
"""

from __future__ import annotations

import ast
import pkgutil
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from re import _constants as sre  # type: ignore[attr-defined]
    from re import _parser as sre_parse  # type: ignore[attr-defined]

SHORTEST, LONGEST = 250, 8000
"""Signs of the strings compared: from one to the other their length is doubled."""
GROWTH = 3.0
"""How many times as long a string of twice the length may take: between linear (2) and squared (4)."""
ENOUGH, TOO_LONG = 0.004, 0.1
"""Seconds that are no fault in any case, and those that are one whatever came before."""
ANCHORED = frozenset({"match", "fullmatch"})
SEARCHING = frozenset({"search", "finditer", "findall", "split", "sub", "subn"})
NO_SIGN = "\ufdd0"


@dataclass(frozen=True)
class PatternUse:
    """A pattern of a module, by its name there, and the methods that the package calls on it."""

    module: str
    name: str
    pattern: re.Pattern[str]
    methods: frozenset[str]

    @property
    def place(self) -> str:
        return f"{self.module}.{self.name}"


def patterns_of(package: str, methods: Mapping[str, str] | None = None) -> list[PatternUse]:
    """Every compiled pattern of text that a module of the package has, and those written into calls of `re`.
    `methods` tells how those are used that the source calls by another name (in a loop), by their place."""
    root = import_module(package)
    names = [package, *(each.name for each in pkgutil.walk_packages(root.__path__, f"{package}."))]
    found: dict[tuple[str, int], PatternUse] = {}
    for name in names:
        module = import_module(name)
        source = Path(module.__file__ or "").read_text()
        tree = ast.parse(source)
        used = dict(_methods(tree))
        for attribute, value in vars(module).items():
            for number, pattern in enumerate(_inside(value)):
                if isinstance(pattern.pattern, str) and _is_own(tree, attribute):
                    place = attribute if number == 0 else f"{attribute}[{number}]"
                    told = (methods or {}).get(f"{name}.{attribute}")
                    by = frozenset({told}) if told else used.get(attribute, SEARCHING | ANCHORED)
                    found.setdefault((pattern.pattern, pattern.flags), PatternUse(name, place, pattern, by))
        for line, method, text, flags in _written(tree):
            pattern = re.compile(text, flags)
            found.setdefault(
                (text, pattern.flags), PatternUse(name, f"line {line}", pattern, frozenset({method}))
            )
    return sorted(found.values(), key=lambda each: each.place)


def slow(found: PatternUse, bounds: Mapping[str, int]) -> str | None:
    """What makes a pattern slow, as the start of a string; None where nothing does. `bounds` tells how long a
    text some patterns ever see is, by their place."""
    bound = bounds.get(found.place, LONGEST)
    for anchored in {method in ANCHORED for method in found.methods}:
        run = found.pattern.search
        if anchored:
            run = found.pattern.fullmatch if "fullmatch" in found.methods else found.pattern.match
        for make in _attacks(found.pattern, search=not anchored):
            if told := _growing(run, make, bound):
                return f"{make(40)!r}: {told}"
    return None


def _growing(run: Any, make: Any, bound: int) -> str | None:
    """How time grows where it grows faster than the length, doubled step by step up to a bound."""
    before, length = 0.0, SHORTEST
    while length <= bound:
        taken = _seconds(run, make(length))
        if taken > TOO_LONG or (taken > ENOUGH and before and taken > GROWTH * before):
            again = _seconds(run, make(length)) if taken < TOO_LONG else taken
            if again > GROWTH * before and again > ENOUGH:
                return f"{length} signs take {1000 * again:.1f} ms, half as many {1000 * before:.1f} ms"
        before, length = taken, 2 * length
    return None


def _seconds(run: Any, text: str) -> float:
    began = process_time()
    run(text)
    return process_time() - began


# ---------------------------------------------------------------- which patterns there are


def _inside(value: Any) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, tuple | list | frozenset | set):
        for each in value:
            yield from _inside(each)
    elif isinstance(value, dict):
        for each in (*value, *value.values()):
            yield from _inside(each)


def _is_own(tree: ast.Module, name: str) -> bool:
    """Whether a name is given in the module, not imported into it."""
    for node in tree.body:
        targets = (
            node.targets
            if isinstance(node, ast.Assign)
            else [node.target]
            if isinstance(node, ast.AnnAssign)
            else []
        )
        if any(
            isinstance(each, ast.Name) and each.id == name for target in targets for each in ast.walk(target)
        ):
            return True
    return False


def _methods(tree: ast.Module) -> Iterator[tuple[str, frozenset[str]]]:
    """The methods that a module names of each of its names."""
    used: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.attr in ANCHORED | SEARCHING
        ):
            used.setdefault(node.value.id, set()).add(node.attr)
    passed = {
        each.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for each in node.args
        if isinstance(each, ast.Name)
    }
    for name, methods in used.items():
        yield name, frozenset(methods | (set(ANCHORED | SEARCHING) if name in passed else set()))


def _written(tree: ast.Module) -> Iterator[tuple[int, str, str, int]]:
    """Patterns written as texts into calls of `re`: line, method, pattern, flags."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        owner, method = node.func.value, node.func.attr
        if not (isinstance(owner, ast.Name) and owner.id == "re" and method in ANCHORED | SEARCHING):
            continue
        text = node.args[0]
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            named = ast.dump(node)
            flags = sum(
                flag for flag in (re.IGNORECASE, re.MULTILINE, re.DOTALL) if f"attr='{flag.name}'" in named
            )
            yield node.lineno, method, text.value, flags


# ---------------------------------------------------------------- what is hostile to one


def _attacks(pattern: re.Pattern[str], search: bool) -> Iterator[Any]:
    """Functions that make a hostile string of about a given length."""
    tree = sre_parse.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    seen = set()
    for lead, units in _repetitions(list(tree), ""):
        for unit in units:
            for pump, head in ((unit, lead), *(((lead + unit, ""),) if search else ())):
                if pump and (head, pump) not in seen and len(seen) < 60:
                    seen.add((head, pump))
                    yield (
                        lambda length, head=head, pump=pump: (
                            head + (pump * (length // len(pump) + 1))[:length] + NO_SIGN
                        )
                    )


def _repetitions(nodes: list[Any], lead: str) -> Iterator[tuple[str, list[str]]]:
    """What leads to each repetition, and what it may repeat."""
    for op, value in nodes:
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            least, most, inner = value
            sample = _sample(list(inner))
            if most > 20:
                yield lead, _units(list(inner)) or [sample]
            yield from _repetitions(list(inner), lead)
            lead += sample * max(least, 1 if most and least else 0)
            continue
        for part in _parts(op, value):
            yield from _repetitions(part, lead)
        lead += _sample([(op, value)])


def _parts(op: Any, value: Any) -> Iterator[list[Any]]:
    if op is sre.SUBPATTERN:
        yield list(value[3])
    elif op is sre.BRANCH:
        yield from (list(part) for part in value[1])
    elif op in (sre.ASSERT, sre.ASSERT_NOT):
        yield list(value[1])
    elif op is sre.ATOMIC_GROUP:
        yield list(value)


def _units(nodes: list[Any]) -> list[str]:
    """Several things that the inside of a repetition may be: for one sign, one of each kind that fits."""
    if len(nodes) == 1 and nodes[0][0] in (sre.IN, sre.NOT_LITERAL, sre.ANY, sre.LITERAL):
        return [sign for sign in _SIGNS if _fits(nodes[0], sign)][:6] or [_sample(nodes)]
    if len(nodes) == 1 and nodes[0][0] in (sre.SUBPATTERN, sre.BRANCH):
        units = [unit for part in _parts(*nodes[0]) for unit in _units(part)]
        return list(dict.fromkeys(units))[:8]
    return [_sample(nodes)]


_SIGNS = " a0\t\n-.:<([\"'*_/,;A{#>)]}é你\\|=&@"


def _fits(node: Any, sign: str) -> bool:
    op, value = node
    if op is sre.LITERAL:
        return bool(chr(value) == sign)
    if op is sre.NOT_LITERAL:
        return bool(chr(value) != sign)
    if op is sre.ANY:
        return sign != "\n"
    negated = value[0][0] is sre.NEGATE
    return negated != any(_in_class(each, sign) for each in value)


def _in_class(item: Any, sign: str) -> bool:
    op, value = item
    if op is sre.LITERAL:
        return bool(chr(value) == sign)
    if op is sre.RANGE:
        return bool(value[0] <= ord(sign) <= value[1])
    if op is sre.CATEGORY:
        name = str(value).lower()
        kind = (
            sign.isspace()
            if "space" in name
            else sign.isdigit()
            if "digit" in name
            else sign.isalnum() or sign == "_"
        )
        return kind != ("not_" in name)
    return False


def _sample(nodes: Iterable[Any]) -> str:
    """A string that the nodes would match, roughly: what matters is that it leads on."""
    pieces = []
    for op, value in nodes:
        if op is sre.LITERAL:
            pieces.append(chr(value))
        elif op in (sre.NOT_LITERAL, sre.ANY, sre.IN):
            pieces.append(next((sign for sign in "a0" + _SIGNS if _fits((op, value), sign)), _first(value)))
        elif op is sre.BRANCH:
            pieces.append(_sample(list(value[1][0])))
        elif op is sre.SUBPATTERN:
            pieces.append(_sample(list(value[3])))
        elif op is sre.ATOMIC_GROUP:
            pieces.append(_sample(list(value)))
        elif op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            pieces.append(_sample(list(value[2])) * min(value[0], 100))
    return "".join(pieces)


def _first(value: Any) -> str:
    """The first sign of a class none of the usual ones is in."""
    for op, each in value if isinstance(value, list) else []:
        if op is sre.LITERAL:
            return chr(each)
        if op is sre.RANGE:
            return chr(each[0])
    return "a"
