"""The value of every part of question understanding: each part is switched off in turn, over two fast suites.

    python benchmarks/ablate.py [--only kinds --only dates]

Runs two suites with every part of `onrecord.understand`, then with one part after the other switched off:

- the built-in examples, as `onrecord eval examples` asks them: `right`, the share of questions that are
  correctly answered or refused, and `R`, the share of gold words shown;
- the linking suite in tests/understand: the shares of questions whose mentions and whose kind are right, and
  of follow-ups that are understood.

If a part can be left out without a loss, it should be deleted.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from click.testing import CliRunner

from onrecord.serve.cli import main as command
from onrecord.understand.followups import Prior
from onrecord.understand.intents import KINDS

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "understand"))
from test_linking_suite import SUITES, share_right

PLANNER, LINKING = "onrecord.understand.planner", "onrecord.understand.linking"
PREFER = "onrecord.retrieve.curve.prefer.Prefer"
MEASURES = ("right", "R")


def nothing(*_: Any, **__: Any) -> None:
    return None


def same(question: Any, *_: Any) -> tuple[Any, None]:
    return question, None


PARTS: dict[str, tuple[str, Callable[..., Any]]] = {
    "kinds": (f"{PLANNER}._kind", lambda *_: KINDS["search"]),
    "follow-ups": (f"{PLANNER}.prior_of", lambda *_: Prior()),
    "carried kinds": (f"{PLANNER}.carried", lambda reading, _: reading),
    "sides": (f"{PLANNER}.sides_of", lambda *_, **__: ()),
    "several questions": (f"{PLANNER}.split_questions", lambda text, *_: [text]),
    "spelling": ("onrecord.retrieve.route.corrected", same),
    "acts": ("onrecord.retrieve.candidates.acts.strength", lambda *_: 0.0),
    "names": (f"{LINKING}._parts_of_names", nothing),
    "values": (f"{LINKING}._values", nothing),
    "titles": (f"{LINKING}.titles", nothing),
    "numbers": (f"{LINKING}.numbers", nothing),
    "dates": (f"{LINKING}._dates", nothing),
    "roles": (f"{LINKING}._roles", nothing),
    "sections": (f"{LINKING}._sections", nothing),
    "preferring": (f"{PREFER}.run", lambda self, evidence, tools: evidence),
}


def measure_suites() -> dict[str, float]:
    """Return the measures of both suites; the strategy for the built-in suite is `auto`."""
    run = CliRunner().invoke(command, ["eval", "examples", "--no-model", "--json"], catch_exceptions=False)
    means = json.loads(run.stdout)["strategies"]["auto"]["measures"]
    linking = {suite: sum(share_right(suite, half)[0] for half in ("odd", "even")) / 2 for suite in SUITES}
    return {name: float(means[name]["mean"]) for name in MEASURES} | linking


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", choices=PARTS, help="switch off this one; again for more")
    chosen = parser.parse_args().only or PARTS
    measure_suites()  # load models first, as loading would use up the time limits of the first answers
    baseline = measure_suites()
    print(f"{'':18}", *(f"{name:>9}" for name in baseline))
    print(f"{'all parts':18}", *(f"{value:9.3f}" for value in baseline.values()))
    for part in chosen:
        with patch(*PARTS[part]):
            changes = {name: value - baseline[name] for name, value in measure_suites().items()}
        print(f"{part:18}", *(f"{change:+9.3f}" for change in changes.values()), flush=True)


if __name__ == "__main__":
    main()
