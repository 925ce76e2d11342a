"""Detection of labels that are probably terms of a talk ("Entropy: a measure of disorder") and not speakers.

The words after a term begin in lower case, or the terms stand in a lecture that only listeners interrupt.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from onrecord.ingest.formats.labels import is_name, is_remark, is_role, is_usual
from onrecord.ingest.formats.shapes import MIN_SMALL_SHARE, Shape, Use, Uses

MAX_USES = 2
"""The maximum number of labels of a term; a person with more labels may write in lower case."""
MIN_TERMS = 2
"""The minimum number of terms before words that begin in lower case; a single label may be a person's."""
MAX_LABELLED = 0.8
"""The share (0 to 1) of paragraphs with labels from which on a text is a dialogue and no lecture."""


def terms_of(uses: Uses) -> frozenset[str]:
    """Return the keys of labels that look like speakers' labels but are probably terms.

    Full names, roles and labels with a time are never terms.
    """
    doubtful = {key: found for key, found in uses.by_key.items() if _is_open_to_doubt(found)}
    defined = {key for key, found in doubtful.items() if _is_defined(found)}
    shapes = {uses.by_key[key][0].shape for key in defined}  # few, while there may be thousands of labels
    differing = {shape for shape in shapes if _differs(uses, defined, shape)}
    unlike = {key for key in defined if uses.by_key[key][0].shape in differing}
    unlike = unlike if len(unlike) >= MIN_TERMS else set()
    once = {key for key, found in doubtful.items() if len(found) == 1}
    return frozenset(unlike | (once if _is_interrupted_lecture(uses) else set()))


def may_be_term(name: str) -> bool:
    """Return whether a label may be a term: it is no full name, no role and no remark."""
    return not (is_usual(name) or is_remark(name) or (" " in name and is_name(name)))


def _is_open_to_doubt(uses: Sequence[Use]) -> bool:
    return all(may_be_term(use.label.name) and not use.stamped for use in uses)


def _is_defined(uses: Sequence[Use]) -> bool:
    """Return whether a few labels in capitals stand before words that all begin in lower case."""
    return len(uses) <= MAX_USES and all(use.begins_small and use.label.name[0].isupper() for use in uses)


def _differs(uses: Uses, defined: Collection[str], shape: Shape) -> bool:
    """Return whether most labels of a shape are others than `defined`, and hardly any others begin small."""
    alike = [use for use in uses.plain if use.shape == shape and use.rest]
    others = [use for use in alike if use.key not in defined]
    small = sum(use.begins_small for use in others)
    return 2 * len(others) >= len(alike) and small < MIN_SMALL_SHARE * len(others)


def _is_interrupted_lecture(uses: Uses) -> bool:
    """Return whether many paragraphs have no label, and only one label recurs, which is a role."""
    recurring = {use.key: use.label.name for use in uses.recurring}
    are_roles = [is_role(name.split()[0]) for name in recurring.values()]
    return are_roles == [True] and len({use.unit for use in uses.plain}) < MAX_LABELLED * uses.units
