"""What a sentence does in speaking: decides, promises, asks, warns, ..., by the nearest example.

Dialogue acts as annotators of meetings call them (Core and Allen's DAMSL; "decision", "action item" and
"suggestion" of the AMI corpus), told by example sentences in ``data/acts.yaml``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from onrecord.understand.intents import Examples, mask
from onrecord.understand.lexicon import read_made
from onrecord.understand.tokens import tokens

LEAST = 0.45
"""How alike its nearest example is, at least, for a sentence to do what that does."""
_COMMA = re.compile(r"[,;:] ")
_CLAUSE = 5
"""Words of a clause that may do something by itself."""
_TELLING = 10.0
"""How much a sentence must tell: "For once." is like many an example, and says next to nothing."""
_AHEAD = 0.03
"""How much more alike than an example in which nothing is done."""


_STATED = ("decision", "promise", "agreement", "disagreement")
"""Acts that a question does not perform, but for those that an example has: "No objections?"."""
_PUT = 0.9


@cache
def _examples() -> Examples:
    def make(data: Mapping[str, Mapping[str, Sequence[str]]]) -> dict[str, Any]:
        return Examples.of(
            {act: [t for some in by.values() for t in some] for act, by in data.items()}
        ).plain()

    return Examples.kept(read_made("acts.yaml", "shapes", make))


@lru_cache(1 << 14)
def _near(text: str) -> dict[str, float]:
    examples = _examples()
    return examples.near(mask(tokens(text), {}, examples.known), _TELLING)


def strength(text: str, act: str) -> float:
    """How surely a sentence does what an act is, in 0..1; 0 where it does not."""
    if act == "question" and text.rstrip("\"'”’») ").endswith("?"):
        return 1.0
    return max(_strength(part, act) for part in (text, *_clauses(text)))


def _clauses(text: str) -> list[str]:
    """The parts of a long sentence: of "we ask for the money, and we decide in May" either may do it."""
    parts = [part.strip() for part in _COMMA.split(text)]
    return [part for part in parts if len(part.split()) >= _CLAUSE] if len(parts) > 1 else []


def _strength(text: str, act: str) -> float:
    near = _near(text)
    likeness = near.get(act, 0.0)
    if act in _STATED and text.rstrip().endswith("?") and likeness < _PUT:
        return 0.0
    return likeness if likeness >= max(LEAST, near.get("none", 0.0) + _AHEAD) else 0.0
