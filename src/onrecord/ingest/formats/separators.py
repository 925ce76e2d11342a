"""Signs of a document's own between its speakers' names and their words.

"Ann - words", "Ann > words", "(Ann) words", "[Ann 0:12] words", "**Ann** words", "ann_99 0:12", or "Ann" on a
line of its own. Such a sign means something else in most documents. It separates names only where the same
few names stand before it, by turns, in most paragraphs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from onrecord.ingest.formats.clock import CLOCK, seconds_of
from onrecord.ingest.formats.heads import Head, Stamp
from onrecord.ingest.formats.labels import Label, is_abbreviation, is_clean, is_heading, is_name
from onrecord.ingest.formats.lines import Line

MIN_LABELS = 4
"""The fewest labels of names that recur."""
MIN_PLAIN_LABELS = 7
"""The same of labels that are a line or a sentence of their own."""
MIN_SHARE = 0.25
"""The least share of paragraphs with a label, from the first one on."""
MIN_TURNS = 0.8
"""The least share of labels whose name is another than that of the label before."""
MAX_NAMES_SHARE = {True: 0.5, False: 0.4}
"""The most names for each label; False: if some are not written like names ("tinker")."""
MIN_OPENING_SHARE = 0.9
"""If this share of labels opens paragraphs, others are words."""
MAX_WORDS = 4
"""The most words of a name."""

_SIGN = r"[^\w\s,?!…'’\"“”=+/\\{}<$%^`]|_"
_WORD = r"[^\W_][\w.'’-]{0,29}"
_TIME = rf"[\[(]?(?<![\d:]){CLOCK}[\])]?"
_LABELS = [
    re.compile(
        rf"""
        (?P<before>(?:(?!\.)(?:{_SIGN})){{0,3}})\s?
        (?P<name>{_WORD}(?:\s{_WORD}){{{words}}}(?:\s\((?!\d)[^()]{{1,40}}\))?)(?<![.'’-])
        (?P<time>\s?{_TIME})?
        (?P<behind>(?:{_SIGN}){{1,3}}?|\s(?:{_SIGN}){{1,3}}(?=\s|\Z))?
        (?P<late>\s?{_TIME})?
        (?:\s|\Z|(?<=[^\w\s])(?=[^\W\d_]|[\[(.…"“'‘]))
        """,
        re.VERBOSE,
    )
    for words in range(MAX_WORDS)
]

_ITEM = re.compile(r"\d+|[ivxlc]+|[IVXLC]+")
_CODE = re.compile(r"\d[^\W\d]")
Sign = tuple[str, str, bool]
"""What stands before a name and behind it, and whether a time does; nothing stands behind a name alone."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A line with a possible name, and the head it would have."""

    at: int
    name: str
    head: Head


def separated_heads(lines: Sequence[Line], heads: Sequence[Head], most: int) -> list[Head] | None:
    """Return the heads with the names that a sign of the document's own separates from words.

    None if no sign has more than `most` names before it.
    """
    separated = max(_separated(lines, heads), key=len, default=[])
    if len(separated) <= most:
        return None
    changed = list(heads)
    for candidate in separated:
        changed[candidate.at] = candidate.head
    return changed


def _separated(lines: Sequence[Line], heads: Sequence[Head]) -> Iterator[list[_Candidate]]:
    """Yield the lines with a name, for each sign that separates names from words."""
    signs: dict[Sign, list[_Candidate]] = {}
    for at, (line, head) in enumerate(zip(lines, heads, strict=True)):
        if not line.level:
            for sign, candidate in _candidates(at, line, head):
                signs.setdefault(sign, []).append(candidate)
    for sign, candidates in signs.items():
        names = _recurring_names(candidates)
        opening = [label for label in candidates if lines[label.at].opens]
        if sum(label.name in names for label in opening) >= MIN_OPENING_SHARE * names.total():
            candidates, names = opening, _recurring_names(opening)
        if sign[:2] in (("", ""), ("", ".")) and _take_turns(candidates, names.keys(), lines):
            small = _small_words(lines)  # "Yes." is a sentence, and "Yes" may be a line
            names = Counter(
                {name: names[name] for name in names if not small.issuperset(name.lower().split())}
            )
            if names.total() < MIN_PLAIN_LABELS:
                continue
        if _take_turns(candidates, names.keys(), lines):
            yield [label for label in candidates if _may_be_name(label.name)]


def _recurring_names(candidates: Sequence[_Candidate]) -> Counter[str]:
    """Return how often each name occurs that does so more than once."""
    counts = Counter(candidate.name for candidate in candidates)
    return Counter(
        {
            name: count
            for name, count in counts.items()
            if count > 1 and _may_be_name(name) and not is_heading(name)
        }
    )


def _take_turns(candidates: Sequence[_Candidate], names: Collection[str], lines: Sequence[Line]) -> bool:
    """Return whether these names of candidates take turns in the lines."""
    labels = [candidate for candidate in candidates if candidate.name in names]
    labelled = {label.at for label in labels}
    first = min(labelled, default=0)
    paragraphs = sum(line.opens or at in labelled for at, line in enumerate(lines[first:], first))
    return take_turns([label.name for label in labels], paragraphs)


def _small_words(lines: Sequence[Line]) -> frozenset[str]:
    """Return the words that the document has in small letters, behind those that may be a name."""
    return frozenset(word for line in lines for word in line.text.split()[MAX_WORDS:] if word.islower())


def _candidates(at: int, line: Line, head: Head) -> Iterator[tuple[Sign, _Candidate]]:
    """Yield the names that a line may begin with, with the sign around each: for each sign the shortest."""
    text = line.text[: head.words + 200]
    signs: set[Sign] = set()
    for pattern in _LABELS:
        match = pattern.match(text, head.words)
        if match is None or is_abbreviation(match["name"]):
            continue
        time, rest = match["time"] or match["late"], line.text[match.end() :]
        if rest and not (match["behind"] or time):
            continue
        stamp = head.stamp or (Stamp(seconds_of(time.strip(" []()"))) if time else None)
        sign = match["before"], match["behind"] or "", bool(time)
        if sign not in signs and (time or _is_balanced(*sign[:2])):
            signs.add(sign)
            form = "colon" if sign[:2] == ("", ":") else "sign" if rest or not stamp else "header"
            label = Label(match["name"], match.end())
            yield sign, _Candidate(at, label.name, Head(head.words, label, stamp, form=form))


def _may_be_name(name: str) -> bool:
    """Return whether a text may be a name, and is no item's number ("1", "b", "iv") nor a code ("a7f3")."""
    if len(name) < 2 or _ITEM.fullmatch(name) or _CODE.search(name):
        return False
    return is_name(name) or is_clean(name) or is_heading(name)


def _is_balanced(before: str, behind: str) -> bool:
    """Return whether brackets open only before a name, and close behind it."""
    if any(opening in behind or closing in before for opening, closing in ("()", "[]")):
        return False
    return all((opening in before) == (closing in behind) for opening, closing in ("()", "[]"))


def take_turns(names: Sequence[str], paragraphs: int) -> bool:
    """Return whether these names of labels, in order, are a few that take turns in most of the paragraphs."""
    most = MAX_NAMES_SHARE[all(map(is_name, names))] * len(names)
    if len(names) < MIN_LABELS or not 1 < len(set(names)) <= most:
        return False
    turns = sum(before != name for before, name in pairwise(names))
    return len(names) >= MIN_SHARE * paragraphs and turns >= MIN_TURNS * (len(names) - 1)
