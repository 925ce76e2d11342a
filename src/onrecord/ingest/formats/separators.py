"""Detection of signs that separate speakers' names from their words in a single document.

Examples: "Ann - words", "Ann > words", "(Ann) words", "[Ann 0:12] words", "**Ann** words", "ann_99 0:12", or
"Ann" alone on a line. Such a sign means something else in most documents. It separates names only if the
same few names alternate before it in many paragraphs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from onrecord.ingest.formats.clock import CLOCK, seconds_of
from onrecord.ingest.formats.heads import Head, Stamp
from onrecord.ingest.formats.labels import Label, is_abbreviation, is_clean, is_heading, is_name, is_titled
from onrecord.ingest.formats.lines import BOLD, END, TAB, Line
from onrecord.ingest.formats.spellings import keys_of

MIN_LABELS = 4
"""The minimum number of labels with recurring names."""
MIN_PLAIN_LABELS = 7
"""The minimum number of labels that fill a line or form a sentence."""
MIN_SHARE = 0.25
"""The minimum ratio of labels to paragraphs, counted from the first label on."""
MIN_TURNS = 0.8
"""The minimum share (0 to 1) of labels whose name differs from the name of the previous label."""
MIN_TIMED_TURNS = 0.5
"""The value of `MIN_TURNS` for labels with a time, as in a chat, where people send messages in a row."""
MAX_NAMES_SHARE = {True: 0.5, False: 0.4}
"""The maximum number of distinct names per label.

The key is True if all names are written like names, and False otherwise ("tinker").
"""
MIN_OPENING_SHARE = 0.9
"""The minimum share (0 to 1) of labels that open paragraphs at which all other labels are read as words."""
MAX_WORDS = 4
"""The maximum number of words in a name."""

_SIGN = r"[^\w\s,?!…'’\"“”=+/\\{}<$%^`()\[\]]|_"
_WORD = r"[^\W_][\w.'’-]{0,29}"
_TIME = rf"[\[(]?(?<![\d:]){CLOCK}[\])]?"
_BRACKETS = rf"\((?!{CLOCK})[^()]{{1,60}}\)"
_PLACES = rf"(?:\s{_BRACKETS}){{1,2}}"
_PHRASE = r"[^\W\d_][^\W_]{0,19}(?:[ -][^\W_]{1,19}){0,4}"
_ROLE = (
    rf"(?:\s{_BRACKETS}){{0,2}}"
    rf"(?:(?:,{END}?|{END}?,|{END}?{_PLACES},)\s(?:{_BRACKETS},?\s?)?(?:{_PHRASE})?|{END}{_PLACES})?"
    r"\.?(?=\s?[-–—:])"
)
"""The text between a name and the sign after it: "(Bo), author" or ", host"."""
_LABELS = [
    re.compile(
        rf"""
        (?P<before>\d{{1,4}}[.)]\s|(?!\.)(?:(?:{_SIGN}|[(\[])\s?){{0,4}})\s?
        (?P<name>{_WORD}(?:\s{_WORD}){{{words}}}(?:\s{_BRACKETS}(?!\s[^\W\d_]))?)(?<![.'’-])
        (?P<role>{_ROLE})?
        (?P<time>\s?{_TIME})?
        (?P<behind>(?:{_SIGN}|[)\]]){{1,3}}?(?:\s[-–—•·|{TAB}](?=\s))?|\s(?:{_SIGN}){{1,3}}(?=\s|\Z))?
        (?P<late>\s?{_TIME}(?:\s[|{TAB}–—-](?=\s))?)?
        (?:\s|\Z|(?<=[^\w\s@])(?=[^\W\d_]|[\[(.…"“'‘]))
        """,
        re.VERBOSE,
    )
    for words in range(MAX_WORDS)
]
_AROUND_TIME = f" []()|{TAB}–—-"
_NUMBER = re.compile(r"\d{1,4}(?=[.)])")
_PICTURE = re.compile(r"[\U0001f000-\U0001faff\u2600-\u27bf]")

_ITEM = re.compile(r"\d+|[ivxlc]+|[IVXLC]+")
_CODE = re.compile(r"\d[^\W\d]")
Sign = tuple[str, str, bool]
"""The sign before a name, the sign after it, and whether a time separates the name from the words.

Both signs are empty for a name alone on a line.
"""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A possible name at the beginning of the line `at`, and the head that the line would have."""

    at: int
    name: str
    head: Head


def separated_heads(lines: Sequence[Line], heads: Sequence[Head], most: int) -> list[Head] | None:
    """Return the heads with labels for the names that a document-specific sign separates from words.

    Returns None if no sign separates more than `most` labels.
    """
    separated = max(_separated(lines, heads), key=len, default=[])
    if len(separated) <= most:
        return None
    changed = list(heads)
    for candidate in separated:
        changed[candidate.at] = candidate.head
    return changed


def _separated(lines: Sequence[Line], heads: Sequence[Head]) -> Iterator[list[_Candidate]]:
    """Yield the candidates of each sign that separates names from words."""
    signs: dict[Sign, list[_Candidate]] = {}
    for at, (line, head) in enumerate(zip(lines, heads, strict=True)):
        if not line.level:
            for sign, candidate in _candidates(at, line, head):
                signs.setdefault(sign, []).append(candidate)
    for sign, candidates in signs.items():
        names = _recurring_names(candidates)
        opening = [label for label in candidates if lines[label.at].opens]
        if sum(label.name in names for label in opening) >= MIN_OPENING_SHARE * len(_of(names, candidates)):
            candidates, names = opening, _recurring_names(opening)
        if sign[:2] in (("", ""), ("", ".")) and _take_turns(candidates, names, lines):
            texts = (line.text.split()[MAX_WORDS:] for line in lines)  # skip words that may be a name
            small = {word for words in texts for word in words if word.islower()}
            # "Yes." is a sentence and "Yes" may fill a line: a word that occurs in lower case is no name.
            names = {name: names[name] for name in names if not small.issuperset(name.lower().split())}
            if len(_of(names, candidates)) < MIN_PLAIN_LABELS:
                continue
        if _take_turns(candidates, names, lines, _least_turns(sign, candidates)):
            yield [label for label in candidates if _may_be_name(label.name) or _is_capitalized(sign, label)]


def _least_turns(sign: Sign, candidates: Sequence[_Candidate]) -> float:
    """Return the minimum share of labels that follow another name, lower if the sign is clear evidence."""
    timed = sum(candidate.head.stamp is not None for candidate in candidates)
    both = bool(sign[0]) and ":" in sign[1]  # ">> Ann:"
    is_plain = both or sign[:2] == (TAB, TAB) or BOLD in sign[0] or 2 * timed > len(candidates)
    return MIN_TIMED_TURNS if is_plain else MIN_TURNS


def _of(names: Collection[str], candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """Return the candidates whose name is one of `names`."""
    return [candidate for candidate in candidates if candidate.name in names]


def _recurring_names(candidates: Sequence[_Candidate]) -> dict[str, str]:
    """Return the names of people who occur more than once, each with its person's key."""
    keys, _ = keys_of(candidate.name for candidate in candidates)
    counts = Counter(keys[candidate.name] for candidate in candidates)
    return {
        name: key
        for name, key in keys.items()
        if counts[key] > 1 and _may_be_name(name) and not is_heading(name)
    }


def _take_turns(
    candidates: Sequence[_Candidate],
    names: Mapping[str, str],
    lines: Sequence[Line],
    least: float = MIN_TURNS,
) -> bool:
    """Return whether the candidates with these names (mapped to person keys) take turns in the lines."""
    labels = _of(names, candidates)
    labelled = {label.at for label in labels}
    first = min(labelled, default=0)
    paragraphs = sum(line.opens or at in labelled for at, line in enumerate(lines[first:], first))
    spelt = {key: name for name, key in names.items()}
    return take_turns([spelt[names[label.name]] for label in labels], paragraphs, least)


def _candidates(at: int, line: Line, head: Head) -> Iterator[tuple[Sign, _Candidate]]:
    """Yield the names with which a line may begin, and the sign around each; the shortest name per sign."""
    text = line.text[: head.words + 200]
    signs: set[Sign] = set()
    for pattern in _LABELS:
        match = pattern.match(text, head.words)
        if match is None or is_abbreviation(match["name"]):
            continue
        if len(match["name"]) < 2 and (match["behind"] or "").strip() != TAB:
            continue
        time, rest = match["time"] or match["late"], line.text[match.end() :]
        if rest and not (match["behind"] or time):
            continue
        stamp = head.stamp or (Stamp(seconds_of(time.strip(_AROUND_TIME))) if time else None)
        behind = _alike(match["behind"] or "")
        sign = _alike(match["before"]), behind, bool(time) and behind in ("", ")", "]")
        if sign not in signs and (time or _is_balanced(*sign[:2])):
            signs.add(sign)
            form = "colon" if sign[:2] == ("", ":") else "sign" if rest or not stamp else "header"
            dot = sign[1].startswith(".") and max(map(len, match["name"].replace(".", " ").split())) == 1
            label = Label(match["name"] + "." * dot, match.end())
            yield sign, _Candidate(at, label.name, Head(head.words, label, stamp, form=form))


def _alike(sign: str) -> str:
    """Normalize a sign, so that numbers, emojis and the end of bold type do not distinguish labels."""
    sign = _PICTURE.sub("#", _NUMBER.sub("1", sign.replace(" ", "")))
    plain = sign.replace(END, "").replace(".", "").replace(",", "")
    return plain or (END if END in sign else sign)


def _may_be_name(name: str) -> bool:
    """Return whether a text may be a name, and not an item number ("1", "iv") or a code ("a7f3")."""
    if _ITEM.fullmatch(name) or _CODE.search(name):
        return False
    return is_name(name) or is_clean(name) or is_heading(name)


def _is_capitalized(sign: Sign, candidate: _Candidate) -> bool:
    """Return whether capitalized words before a sign may be an unusual name: "ATTY. ROSS - Objection."

    As words of the previous speaker they would stand under a wrong name; a label of nobody known is none.
    """
    name = candidate.name
    return sign[1] not in ("", ".") and is_titled(name) and not (_ITEM.fullmatch(name) or _CODE.search(name))


def _is_balanced(before: str, behind: str) -> bool:
    """Return whether brackets open only before a name, close only after it, and match."""
    if any(opening in behind or closing in before for opening, closing in ("()", "[]")):
        return False
    return all((opening in before) == (closing in behind) for opening, closing in ("()", "[]"))


def take_turns(names: Sequence[str], paragraphs: int, least: float = MIN_TURNS) -> bool:
    """Return whether a few names take turns in many of the paragraphs.

    `names` are the names of the labels in order, `paragraphs` is the number of paragraphs, and `least` is the
    minimum share (0 to 1) of labels whose name differs from the previous one.
    """
    most = MAX_NAMES_SHARE[all(map(is_name, names))] * len(names)
    if len(names) < MIN_LABELS or not 1 < len(set(names)) <= most:
        return False
    turns = sum(before != name for before, name in pairwise(names))
    return len(names) >= MIN_SHARE * paragraphs and turns >= least * (len(names) - 1)
