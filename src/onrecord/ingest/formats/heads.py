"""The head of a line in a document: who speaks and when, before what is said.

``**Kelly:** text``, ``[00:01:02] Kelly: text``, ``Kelly (00:01):``, ``Kelly  0:12``, ``00:01:02 - Host``,
``[Kelly] 10:02:03`` and their like. Bold type comes as `BOLD` ... `END` around the words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from onrecord.ingest.formats.clock import CLOCK, seconds_of
from onrecord.ingest.formats.labels import Label, is_name, is_numbered, label_at
from onrecord.ingest.formats.lines import BOLD, END

_TO = r"(?:[-–—]|-+>|to)"
_BARE = (
    rf"(?<![\d:.])(?P<bare>{CLOCK})(?:\s?(?:[-–—]|-+>)\s?(?P<bare_until>{CLOCK}))?(?![\d:\w]|\s?[ap]\.?m\b)"
)
_BRACKETED = rf"[\[(]\s?(?P<time>{CLOCK})(?:(?:\s?{_TO}\s?|[\])]\s?{_TO}\s?[\[(])(?P<until>{CLOCK}))?\s?[\])]"
_STAMP = rf"(?:{_BRACKETED}|{_BARE})"
_NAME = r"(?P<name>[^\s\[\](){}<>|:;,.\x02-\x06][^\[\]{}<>|:\x02-\x06]{0,59}?)"
_LEADING = re.compile(rf"{_STAMP}:?\s?(?P<dash>[-–—|•·]\s)?")
_BEHIND_LABEL = re.compile(rf"[-–—|•·@,]?\s?{_STAMP}\s?:?\s?")
_COLON = re.compile(rf"{_NAME}\s?{_STAMP}\s?:(?=\s|\Z)\s?")
_HEADER = re.compile(rf"{_NAME}\s?[-–—|•·@,]?\s?{_STAMP}\Z")
_SCREEN_NAME = re.compile(rf"\[(?P<name>[^\[\]\d][^\[\]]{{0,59}})\]\s{_STAMP}\Z")
_SCREEN_LABEL = re.compile(rf"\[(?P<name>[^\[\]\d][^\[\]]{{0,59}})\]:?\s?(?=[\[(]){_STAMP}\s?:?\s?")
_TURN = re.compile(r"(?P<name>[QA])(?:\.|\s[-–—])\s")
_ANYWHERE = re.compile(_STAMP)
_HAS_SIGN = re.compile(rf"[:：;{BOLD}]|\[")
_BOLD = re.compile(rf"{BOLD}(?P<inner>[^{BOLD}{END}]{{1,90}}){END}\s?(?P<colon>:)?\s?")
_ROLE = re.compile(r"(?P<name>[^.!?]{1,50}?)\s?(?:--|[–—])\s(?P<role>[^.!?]{2,80})\Z")

_INSIDE = re.compile(rf"\[\s?(?P<square>{CLOCK})\s?\]|\((?P<round>\d{{1,4}}:\d\d:\d\d(?:[.,]\d{{1,9}})?)\)")


@dataclass(frozen=True, slots=True)
class Stamp:
    """A time written into a document, with the end of a range or None.

    `bare` has no brackets around it; `of_day` counts from midnight, not from the start of a recording.
    """

    second: float
    until: float | None = None
    bare: bool = False
    of_day: bool = False


@dataclass(frozen=True, slots=True)
class Head:
    """What stands before the words of a line.

    `words` is where they begin if there is no speaker's label. `label` may be one; whether it is, the
    whole document decides. `alone` says that the label fills the line and has neither colon nor time
    to it: it is a speaker only if it comes back, or if others do and it has a `role` ("Analyst").
    """

    words: int = 0
    label: Label | None = None
    stamp: Stamp | None = None
    alone: bool = False
    role: str = ""
    form: str = ""


def head_of(text: str, bare: bool) -> Head:
    """The head of a line that has single spaces; `bare` says whether times without brackets count."""
    if not _HAS_SIGN.search(text[:200]):
        return _turn(text, 0, bare) or _whole_line(text, 0, bare) or Head()
    if found := _SCREEN_NAME.match(text):
        stamp = replace(_stamp_of(found), bare=False, of_day=bool(found["bare"]))
        return Head(0, Label(found["name"].strip(), len(text), marked=True), stamp, form="screen")
    if found := _SCREEN_LABEL.match(text):
        return Head(
            0, Label(found["name"].strip(), found.end(), marked=True), _stamp_of(found), form="screen"
        )
    leading = _stamped(_LEADING, text, 0, bare)
    begin = leading.end() if leading else 0
    for find in (_bold, _timed, _colon, _header, _turn, _whole_line):
        if head := find(text, begin, bare):
            break
    else:
        head = Head()
    if leading:
        sure = not head.alone or bool(leading["dash"])
        if head.label and sure and is_name(head.label.name):
            head = replace(head, label=replace(head.label, marked=True), alone=False)
        head = replace(head, words=begin, stamp=_stamp_of(leading))
    return head


def extract_stamps(text: str) -> tuple[str, list[tuple[int, float]]]:
    """The text without the times in brackets inside it, and (offset in that text, second) for each.
    A remark, "[unintelligible 00:10:12]", stays as it is."""
    pieces: list[str] = []
    marks: list[tuple[int, float]] = []
    length = at = 0
    for found in [*_INSIDE.finditer(text), None]:
        piece = text[at : found.start() if found else len(text)]
        if not pieces or pieces[-1].endswith(" "):
            piece = piece.lstrip()
        if piece:
            pieces.append(piece)
            length += len(piece)
        if found:
            marks.append((length, seconds_of(found["square"] or found["round"])))
            at = found.end()
    words = "".join(pieces).rstrip()
    return words, [(min(offset, len(words)), second) for offset, second in marks]


def _stamped(pattern: re.Pattern[str], text: str, pos: int, bare: bool) -> re.Match[str] | None:
    found = pattern.match(text, pos)
    return None if found and found["bare"] and not bare else found


def _stamp_of(found: re.Match[str]) -> Stamp:
    until = found["until"] or found["bare_until"]
    second = seconds_of(found["bare"] or found["time"])
    return Stamp(second, seconds_of(until) if until else None, bare=bool(found["bare"]))


def _behind(text: str, end: int, bare: bool) -> tuple[int, Stamp | None]:
    """Where the words begin behind a label that ends at `end`, and the time in between."""
    found = _stamped(_BEHIND_LABEL, text, end, bare)
    return (found.end(), _stamp_of(found)) if found else (end, None)


def _bold(text: str, begin: int, bare: bool) -> Head | None:
    """``**Kelly:** text``, ``**Kelly** (0:12): text``, ``**[0:12] Kelly**: text``, ``**Kelly** -- CEO``"""
    found = _BOLD.match(text, begin)
    if found is None:
        return None
    inner = found["inner"]
    inside = _ANYWHERE.search(inner)
    name = (inner[: inside.start()] + inner[inside.end() :] if inside else inner).strip(" -–—|")
    end, stamp = _behind(text, found.end(), bare=True)
    if stamp and stamp.bare and not bare and end < len(text):
        end, stamp = found.end(), None
    stamp = _stamp_of(inside) if inside else stamp
    colon = bool(found["colon"]) or name.endswith(":") or text[end - 2 : end].strip() == ":"
    name = name.rstrip(": ")
    if not any(c.isalpha() for c in name):
        return None
    if colon or stamp:
        return Head(label=Label(name, end, marked=is_name(name)), stamp=stamp, form="bold")
    role = _role(_ROLE.fullmatch(f"{name} {text[end : end + 100]}"))
    if not role and end < len(text):
        return None
    return Head(label=Label(name, len(text)), alone=True, role=role, form="alone")


def _timed(text: str, begin: int, bare: bool) -> Head | None:
    """``Kelly (00:01): text``"""
    found = _stamped(_COLON, text, begin, bare)
    if found is None or not is_name(found["name"]):
        return None
    return Head(label=Label(found["name"], found.end(), marked=True), stamp=_stamp_of(found), form="timed")


def _colon(text: str, begin: int, bare: bool) -> Head | None:
    """``Kelly: text``, ``Kelly: [00:01] text``"""
    label = label_at(text, begin)
    if label is None:
        return None
    end, stamp = _behind(text, label.end, bare)
    return Head(
        label=replace(label, end=end, marked=label.marked or (bool(stamp) and is_name(label.name))),
        stamp=stamp,
        form="header" if stamp and end == len(text) else "colon",
    )


def _header(text: str, begin: int, bare: bool) -> Head | None:
    """``Kelly  0:12``, ``Kelly (00:12)``"""
    found = _stamped(_HEADER, text, begin, bare)
    if found is None or not is_name(found["name"]):
        return None
    return Head(label=Label(found["name"], len(text), marked=True), stamp=_stamp_of(found), form="header")


def _turn(text: str, begin: int, bare: bool) -> Head | None:
    """``Q - Why?``, ``A. Because.``"""
    found = _TURN.match(text, begin)
    return Head(label=Label(found["name"], found.end()), form="turn") if found else None


def _whole_line(text: str, begin: int, bare: bool) -> Head | None:
    """``Brendan Kelly``, ``Brendan Kelly -- Chief Executive Officer``"""
    line = text[begin : begin + 160]
    role = _ROLE.fullmatch(line)
    name = role["name"] if role else line
    if len(text) - begin > 150 or name.endswith((".", ",")) or not is_name(name):
        return None
    if is_numbered(name):
        return Head(label=Label(name, len(text), marked=True), form="header")
    return Head(label=Label(name, len(text)), alone=True, role=_role(role), form="alone")


def _role(found: re.Match[str] | None) -> str:
    """``Analyst`` of ``Jonas Weil -- Ostermark Securities -- Analyst``"""
    return re.split(r"\s(?:--|[–—])\s", found["role"])[-1].strip() if found else ""
