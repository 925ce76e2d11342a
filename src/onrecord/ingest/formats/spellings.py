"""Grouping of different spellings of a speaker's name in the labels of a document.

"K. Wolska", "Mrs. Wolska" and "Katarzyna Wolksa" are Katarzyna Wolska in a document with no other Wolska.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from onrecord.ingest.formats.labels import (
    is_heading,
    is_joining,
    is_name,
    is_role,
    is_title,
    without_asides,
)
from onrecord.ingest.people import name_key

_ROLE = re.compile(r",\s|\s(?:--?|[–—/|])\s")
MIN_TYPO = 8
"""The minimum length, in characters, of a name that may be misspelled: "Maria" and "Marta" are two people."""
MAX_NAMES = 300
"""The maximum number of names in a document whose spellings are grouped."""


def plain_key(label: str) -> str:
    """Return a key that is equal for labels that differ only in case, white space and text in brackets."""
    return " ".join(without_asides(label).casefold().split())


def parts_of(name: str) -> Iterator[str]:
    """Yield the keys of a name's parts: "ann", "ann bell" and "bell" for "Ann Bell"."""
    words = plain_key(name).split()
    for begin in range(len(words)):
        yield from (" ".join(words[begin:end]) for end in range(begin + 1, len(words) + 1))


def keys_of(labels: Iterable[str]) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the person's key for each label, and the usual spelling of each misspelled label.

    `labels` must be in document order: labels that directly follow each other are not spellings of one name,
    because people answer each other, but not themselves.
    """
    written = list(labels)
    counts = Counter(map(plain_key, written))
    shown = {key: label for label in reversed(written) if (key := plain_key(label))}
    names = [key for key in counts if len(key) > 1 and is_name(shown[key]) and not is_heading(shown[key])]
    usual: dict[str, str] = {}
    if len(names) <= MAX_NAMES:
        once = [key for key in names if counts[key] == 1 and not is_role(key)]
        often = [key for key in names if counts[key] > 1]
        answers = {pair for a, b in pairwise(map(plain_key, written)) for pair in ((a, b), (b, a))}
        usual = _match_each(
            once, often, lambda name, other: (name, other) not in answers and _is_misspelt(name, other)
        )
        persons = {
            key: name_key(shown[key])
            for key in names
            if key not in usual and not is_joining(key.split()[0])  # "And I'm Ann: ..."
        }
        usual |= _match_each(
            persons, persons, lambda short, full: _abbreviates(persons[short], persons[full])
        )
    plain = {label: plain_key(label) for label in set(written)}
    keys = {label: usual.get(key, key) for label, key in plain.items()}
    misspelt = {
        label: shown[usual[key]]
        for label, key in plain.items()
        if key in usual and _is_misspelt(key, usual[key])
    }
    return keys, misspelt | _without_roles(counts, plain)


def _without_roles(counts: Collection[str], plain: Mapping[str, str]) -> dict[str, str]:
    """Return the bare name for each label with a role or a place.

    For example, "Ann Bell" for "Ann Bell, host", "Ann Bell - Reuters" and "Ann Bell (Leeds) (Lab)". "Bell Li,
    Ann" is not changed, unless another label is "Bell Li" or a part of it.
    """
    names: dict[str, str] = {}
    for label, key in plain.items():
        name, *roles = _ROLE.split(label, maxsplit=1)
        if label.count("(") > 1:
            names[label] = without_asides(label)
        elif name.count("(") != name.count(")"):
            continue  # the brackets hold more than a role: "P1 (F, 34)"
        elif roles and " " in plain_key(name) and is_name(name):
            is_role_or_place = not is_name(roles[0]) or len(roles[0].split()) > 2 or "," not in label
            if is_role_or_place or any(part in counts and part != key for part in parts_of(name)):
                names[label] = name
    return names


def _match_each(
    names: Iterable[str], others: Iterable[str], fits: Callable[[str, str], bool]
) -> dict[str, str]:
    """Return for each name the other name that it fits, if it fits exactly one."""
    others = list(others)
    fitting = {name: [other for other in others if other != name and fits(name, other)] for name in names}
    return {name: matches[0] for name, matches in fitting.items() if len(matches) == 1}


def _is_misspelt(name: str, usual: str) -> bool:
    """Return whether one letter in a name is missing, added or changed, or two neighbors are swapped.

    The rest of the name must identify the person: "Ms. Reid" and "Ms. Reed" are two people. A misspelled role
    needs no other words.
    """
    if min(len(name), len(usual)) < MIN_TYPO or name == usual:
        return False
    if any(map(str.isdigit, name + usual)) or _ends(name) != _ends(usual):
        return False
    pairs = list(zip(name.split(), usual.split(), strict=True))
    slips = [pair for pair in pairs if pair[0] != pair[1]]
    if len(slips) > 1 or any(map(is_title, slips[0])):
        return False
    same = [word for word, other in pairs if word == other and len(word.strip(".")) > 1]
    if all(is_title(word) or is_joining(word) for word in same) and not is_role(slips[0][1]):
        return False
    from rapidfuzz.distance import OSA

    return OSA.distance(*slips[0], score_cutoff=1) == 1


def _ends(name: str) -> list[tuple[str, str]]:
    """Return the first and the last letter of each word, which are seldom misspelled."""
    return [(word[0], word[-1]) for word in name.split()]


def _abbreviates(short: Sequence[str], full: Sequence[str]) -> bool:
    """Return whether a name is part of a fuller name, or abbreviates some of its words to initials."""
    if not short or any(word.isdigit() for word in (*short, *full)):
        return False
    if set(short) < set(full):
        return True
    if len(short) != len(full) or len(full) < 2:
        return False
    alike = [a == b or (len(a) == 1 and b[0] == a) for a, b in zip(short, full, strict=True)]
    return all(alike) and short != full and any(len(a) < len(b) for a, b in zip(short, full, strict=True))
