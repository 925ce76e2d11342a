"""What every part of understanding is worth: one switched off at a time, over suites that run fast.

    python benchmarks/ablate.py [--only kinds --only dates]

Asks the built-in examples as `onrecord eval examples` does, with every part of `onrecord.understand` and with
one part after the other switched off. Prints the share of questions that are rightly answered or refused and
the share of gold words shown, beside the same with all parts. A part that costs nothing to leave out is to be
deleted.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from click.testing import CliRunner

from onrecord.serve.cli import main as command
from onrecord.understand.intents import Guess
from onrecord.understand.reading import Prior

PLANNER, LINKING = "onrecord.understand.planner", "onrecord.understand.linking"
PREFER = "onrecord.retrieve.curve.prefer.Prefer"
MEASURES = ("right", "R")


def nothing(*_: Any, **__: Any) -> None:
    return None


def same(question: Any, *_: Any) -> tuple[Any, None]:
    return question, None


PARTS: dict[str, tuple[str, Callable[..., Any]]] = {
    "kinds": (f"{PLANNER}._kind", lambda *_: "search"),
    "follow-ups": (f"{PLANNER}._prior", lambda *_: Prior()),
    "carried kinds": (f"{PLANNER}._carried", lambda reading, _: Guess("search", 0.0, 0.0)),
    "sides": (f"{PLANNER}.sides_of", lambda *_: ()),
    "several questions": (f"{PLANNER}.split_questions", lambda *_: ()),
    "spelling": ("onrecord.understand.spelling.corrected", same),
    "acts": ("onrecord.understand.intents.strength", lambda *_: 0.0),
    "names": (f"{LINKING}._names", nothing),
    "values": (f"{LINKING}._values", nothing),
    "titles": (f"{LINKING}.titles", nothing),
    "numbers": (f"{LINKING}.numbers", nothing),
    "dates": (f"{LINKING}._dates", nothing),
    "roles": (f"{LINKING}._roles", nothing),
    "sections": (f"{LINKING}._sections", nothing),
    "hints": (f"{LINKING}.hinted", nothing),
    "fuzzy names": (f"{LINKING}._fuzzy", nothing),
    "preferring": (f"{PREFER}.run", lambda self, evidence, tools: evidence),
}


@contextmanager
def without(part: str) -> Iterator[None]:
    """Understanding without one of its parts; with all where it is ""."""
    if not part:
        yield
        return
    place, instead = PARTS[part]
    with patch(place, instead):
        yield


def measured() -> dict[str, float]:
    """The means of the built-in suite by `auto`."""
    run = CliRunner().invoke(command, ["eval", "examples", "--no-model", "--json"], catch_exceptions=False)
    means = json.loads(run.stdout)["strategies"]["auto"]["measures"]
    return {name: float(means[name]["mean"]) for name in MEASURES}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", choices=PARTS, help="switch off this one; again for more")
    whole = measured()
    print(f"{'all parts':18}", *(f"{name} {whole[name]:.3f}" for name in MEASURES))
    for part in parser.parse_args().only or PARTS:
        with without(part):
            found = measured()
        print(
            f"{part:18}",
            *(f"{name} {found[name]:.3f} ({found[name] - whole[name]:+.3f})" for name in MEASURES),
        )


if __name__ == "__main__":
    main()
