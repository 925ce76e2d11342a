"""The head of a line in a document: the speaker's label and the timestamp before the words.

Examples: ``**Kelly:** text``, ``[00:01:02] Kelly: text``, ``Kelly (00:01):``, ``Kelly  0:12``,
``00:01:02 - Host`` and ``[Kelly] 10:02:03``. Bold words are enclosed in `BOLD` and `END`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Flag, auto

from onrecord.ingest.formats.clock import CLOCK, seconds_of
from onrecord.ingest.formats.labels import (
    Label,
    is_clean,
    is_name,
    is_numbered,
    is_phone_number,
    is_remark,
    is_turn_word,
    label_at,
    without_ornament,
)
from onrecord.ingest.formats.lines import BOLD, END

_TO = r"(?:[-–—]|-+>|to)"
_HALF = r"\s?(?:[aApP]\.?[mM]\b\.?|Uhr\b)"
_BARE = rf"(?<![\d:.])(?P<bare>{CLOCK})(?:\s?(?:[-–—]|-+>)\s?(?P<bare_until>{CLOCK}))?(?![\d:\w]|{_HALF})"
_DAY = (
    r"(?:\d{1,4}[./-]\d{1,2}[./-]\d{2,4}|\d{1,2}\.?\s[^\W\d_]{3,9}\.?,?\s\d{4}"
    r"|[^\W\d_]{3,9}\.?\s\d{1,2},?\s\d{4})"
)
"""A day in digits or with the name of its month: "12.03.2024", "12 March 2024", "Mar 12, 2024"."""
_DATED = rf"(?:{_DAY}(?:,?\s|T){CLOCK}(?:{_HALF}|Z\b)?|{CLOCK}(?:{_HALF})?,\s{_DAY})"
_BRACKETED = rf"[\[(]\s?(?P<time>{CLOCK})(?:(?:\s?{_TO}\s?|[\])]\s?{_TO}\s?[\[(])(?P<until>{CLOCK}))?\s?[\])]"
_STAMP = (
    rf"(?:{_BRACKETED}|[\[(](?P<dated>{_DATED}|{CLOCK}{_HALF})[\])]|(?<!\d)(?P<bare_dated>{_DATED})|{_BARE})"
)
_OF_DAY = rf"(?<!\d)(?P<of_day>{CLOCK}{_HALF})"
_NAME = r"(?P<name>[^\s\[\](){}<>|:;,.\x02-\x06][^\[\]{}<>|:\x02-\x06]{0,59}?)"
_EXACT_TIME = re.compile(rf"{_BRACKETED}\s?")
_EXACT_LABEL = re.compile(rf"{BOLD}(?P<name>[^{BOLD}{END}]+){END}(?:\s?{_BRACKETED}\s?:?|(?P<colon>:))?\s?")
_LEADING = re.compile(rf"(?:{_STAMP}|{_OF_DAY}):?\s?(?P<dash>[-–—|•·]\s)?")
_BEHIND_LABEL = re.compile(rf"[-–—|•·@,]?\s?{_STAMP}(?(bare)(?![.,;!?…]))\s?:?\s?")
"""A time behind a label; a time without brackets before punctuation ("Bo: 10:30.") is spoken."""
_COLON = re.compile(rf"{_NAME}\s?{_STAMP}\s?:(?=\s|\Z)\s?")
_HEADER = re.compile(rf"{_NAME}\s?[-–—|•·@,]?\s?(?:{_STAMP}|{_OF_DAY})\Z")
_LAST = re.compile(rf"(?P<before>\S.{{0,200}}?)\s(?:{_STAMP}|{_OF_DAY})\s?:?\Z")
_DAY_CLOCK = re.compile(rf"(?<!\d)(?P<clock>{CLOCK})(?:\s?(?P<half>[aApP])\.?[mM]\b)?")
_SCREEN_NAME = re.compile(rf"\[(?P<name>[^\[\]\d][^\[\]]{{0,59}})\]\s{_STAMP}\Z")
_SCREEN_LABEL = re.compile(rf"\[(?P<name>[^\[\]\d][^\[\]]{{0,59}})\]:?\s?(?=[\[(]){_STAMP}\s?:?\s?")
_CHAT = re.compile(r"From (?P<name>[^:]{1,60}?)(?: to [^:]{1,60}:| :)(?:\s|\Z)")
"""A sender in a chat saved by Zoom: "From Ann to Everyone:", or, in older versions, "From Ann :"."""
_NICK = re.compile(
    rf"(?P<bold>{BOLD})?<\s?[@+%&~]?(?P<name>[^\s<>@/!\\\x02-\x06][^<>\x02-\x06]{{0,39}}?)>:?(?(bold){END})(?:\s|\Z)"
)
_SQUARE = re.compile(r"\[(?P<name>[^\W\d_][^\[\]:\x02-\x06]{0,39})\]\s(?=\S)")
_DASH = re.compile(r"[-–—]{1,2}\s+(?=\S)")
_TURN = re.compile(r"(?P<name>[QA](?=\.|\s[-–—])|Q(?=\s[A-Z]))(?:\.|\s[-–—])?\s")
_ANYWHERE = re.compile(_STAMP)
_SIDE = re.compile(r"[QA]\s?[-–—]\s?(?=[^\W\d_])")
"""The mark of a participant who asks (Q) or answers (A) in a call: "Q - Ann Bell"."""
_HAS_SIGN = re.compile(rf"[:：;<{BOLD}]|\[")
_TURN_NUMBER = re.compile(
    rf"(?:(?:Q\.? ?)?\d{{1,4}}[.)]? (?={BOLD})|\[\d{{1,4}}\] |\d{{1,3}}(?:\.\d{{1,3}}){{1,2}}\.? )(?=\S)"
)
"""A turn number before a name, as in hearings: "Q31 **Ann:**", "[31] Ann:", "3.1 Ann:"."""
_BOLD = re.compile(rf"{BOLD}(?P<inner>[^{BOLD}{END}]{{1,90}}){END}\s?(?P<colon>:)?\s?")
_ROLE = re.compile(r"(?P<name>[^.!?]{1,50}?)(?:\s?(?:--|[–—])\s|\s-\s)(?P<role>[^.!?]{2,80})\Z")

_INSIDE = re.compile(
    rf"\[\s?(?P<square>{CLOCK})\s?\]|\((?P<round>\d{{1,4}}:\d\d:\d\d(?:[.,]\d{{1,9}})?)\)"
    r"|#(?P<hash>\d{1,2}:\d\d:\d\d)-\d#"
)
"""A time within words; between hash signs, as f4 writes it, with tenths of a second."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """A timestamp in a document, in seconds; `until` is the end of a time range, or None.

    A `bare` timestamp has no brackets. If `of_day` is True, the time counts from midnight, otherwise from
    the start of the recording.
    """

    second: float
    until: float | None = None
    bare: bool = False
    of_day: bool = False


@dataclass(frozen=True, slots=True)
class Head:
    """The part of a line before its words.

    `words` is the offset at which the words begin if the line has no label. `label` may name a speaker; the
    whole document decides. If the label is `alone`, it fills its line and has no colon or time. Such a label
    names a speaker only if it recurs, or if other labels recur and it has a `role` ("Analyst"). `form` names
    the notation: "bold", "colon", "header", "nick", "screen", "sign", "square", "timed", "turn" or "alone".
    """

    words: int = 0
    label: Label | None = None
    stamp: Stamp | None = None
    alone: bool = False
    role: str = ""
    form: str = ""


class Bare(Flag):
    """The places where a time without brackets is a timestamp; behind a colon it is often spoken."""

    NOWHERE = 0
    BESIDE_NAMES = auto()
    BEHIND_COLONS = auto()
    ANYWHERE = BESIDE_NAMES | BEHIND_COLONS


def head_of(text: str, bare: Bare) -> Head:
    """Return the head of a line with single spaces; `bare` tells which timestamps have no brackets."""
    if not _HAS_SIGN.search(text[:200]):
        return _match_turn(text, 0, bare) or _match_whole_line(text, 0, bare) or Head()
    if match := _SCREEN_NAME.match(text):
        stamp = replace(_read_stamp(match), bare=False, of_day=bool(match["bare"]))
        return Head(0, Label(match["name"].strip(), len(text), marked=True), stamp, form="screen")
    if match := _SCREEN_LABEL.match(text):
        return Head(
            0, Label(match["name"].strip(), match.end(), marked=True), _read_stamp(match), form="screen"
        )
    leading = _match_stamped(_LEADING, text, 0, bare)
    number = None if leading else _TURN_NUMBER.match(text)
    begin = leading.end() if leading else number.end() if number else 0
    if leading and (match := _CHAT.match(text, begin)):  # a meeting's saved chat
        label = Label(match["name"], match.end(), marked=True)
        return Head(begin, label, replace(_read_stamp(leading), of_day=True), form="timed")
    for matcher in (
        _match_nick,
        _match_bold,
        _match_timed,
        _match_turn,
        _match_colon,
        _match_square,
        _match_header,
        _match_whole_line,
    ):
        if head := matcher(text, begin, bare):
            break
    else:
        head = Head()
    if leading and leading["of_day"] and begin < len(text) and not head.label:
        return Head()  # a time of day without brackets may begin a sentence: "9:02 AM is too early"
    if leading:
        sure = not head.alone or bool(leading["dash"])
        if head.label and sure and is_name(head.label.name):
            head = replace(head, label=replace(head.label, marked=True), alone=False)
        head = replace(head, words=begin, stamp=_read_stamp(leading))
    return head


def header_stamp(text: str) -> tuple[str, Stamp] | None:
    """Return the time at the end of a line that begins with other words, and the form of the time.

    The form is the same for "(0:12):" and "(10:03):".
    """
    match = _LAST.match(text)
    if match is None:
        return None
    return re.sub(r"\d+(?::\d+)*", "0", text[match.end("before") :].strip()), _read_stamp(match)


def exact_head(text: str) -> Head:
    """Return the head of a line in a document that names every speaker in bold type.

    The head is a bold label, a timestamp in brackets, or empty. A name is read as it stands, whatever it is.
    """
    if match := _EXACT_LABEL.match(text):
        name = match["name"].strip()
        if match["time"]:
            return Head(label=Label(name, match.end(), marked=True), stamp=_read_time(match), form="bold")
        if match["colon"] or name.endswith(":"):
            name = name if match["colon"] else name[:-1].rstrip()
            return Head(label=Label(name, match.end(), marked=True), form="bold")
        return Head()
    time = _EXACT_TIME.match(text)
    return Head(time.end(), stamp=_read_time(time)) if time else Head()


def extract_stamps(text: str) -> tuple[str, list[tuple[int, float]]]:
    """Return the text without its bracketed timestamps, and each timestamp as (offset, second).

    Offsets count characters of the returned text. A remark such as "[unintelligible 00:10:12]" stays in the
    text.
    """
    pieces: list[str] = []
    marks: list[tuple[int, float]] = []
    length = at = 0
    for match in [*_INSIDE.finditer(text), None]:
        piece = text[at : match.start() if match else len(text)]
        if not pieces or pieces[-1].endswith(" "):
            piece = piece.lstrip()
        if piece:
            pieces.append(piece)
            length += len(piece)
        if match:
            marks.append((length, seconds_of(match["square"] or match["round"] or match["hash"])))
            at = match.end()
    words = "".join(pieces).rstrip()
    return words, [(min(offset, len(words)), second) for offset, second in marks]


def _match_stamped(pattern: re.Pattern[str], text: str, pos: int, bare: Bare) -> re.Match[str] | None:
    match = pattern.match(text, pos)
    return None if match and match["bare"] and not bare else match


def _read_stamp(match: re.Match[str]) -> Stamp:
    groups = match.groupdict()
    if written := groups["dated"] or groups["bare_dated"] or groups.get("of_day"):
        return Stamp(_second_of_day(written), of_day=True)
    if match["time"]:
        return _read_time(match)
    until = match["bare_until"]
    return Stamp(seconds_of(match["bare"]), seconds_of(until) if until else None, bare=True)


def _read_time(match: re.Match[str]) -> Stamp:
    """Return the timestamp of a match of `_BRACKETED`."""
    until = match["until"]
    return Stamp(seconds_of(match["time"]), seconds_of(until) if until else None)


def _second_of_day(written: str) -> float:
    """Return the second of the day of "9:02 AM", "5/12/2023, 7:03 PM" or "03/11/2024 18:22"."""
    match = _DAY_CLOCK.search(written)
    if match is None:
        return 0.0
    second = seconds_of(match["clock"]) * (60 if match["clock"].count(":") == 1 else 1)
    half = (match["half"] or "").lower()
    return second % 43200 + 43200 * (half == "p") if half else second


def _stamp_after(text: str, end: int, bare: Bare) -> tuple[int, Stamp | None]:
    """Return the offset of the words after a label that ends at `end`, and the timestamp in between."""
    match = _match_stamped(_BEHIND_LABEL, text, end, bare)
    return (match.end(), _read_stamp(match)) if match else (end, None)


def _match_nick(text: str, begin: int, bare: Bare) -> Head | None:
    """Match ``<kelly> text``, as in a saved chat."""
    match = _NICK.match(text, begin)
    return Head(label=Label(match["name"], match.end(), marked=True), form="nick") if match else None


def _match_bold(text: str, begin: int, bare: Bare) -> Head | None:
    """Match ``**Kelly:**``, ``**Kelly** (0:12):``, ``**[0:12] Kelly**:`` and ``**Kelly** -- CEO``."""
    match = _BOLD.match(text, begin)
    if match is None or _is_within_bold(match):
        label = label_at(text, begin + 1) if text.startswith(BOLD, begin) else None
        return Head(label=replace(label, name=without_ornament(label.name)), form="colon") if label else None
    inner = match["inner"]
    inner_stamp = _ANYWHERE.search(inner)
    name = (inner[: inner_stamp.start()] + inner[inner_stamp.end() :] if inner_stamp else inner).strip(
        " -–—|"
    )
    end, stamp = _stamp_after(text, match.end(), Bare.ANYWHERE)
    ends_in_colon = bool(match["colon"]) or name.endswith(":")
    is_allowed = bare & Bare.BEHIND_COLONS if ends_in_colon else bare or end == len(text)
    if stamp and stamp.bare and not is_allowed:
        end, stamp = match.end(), None
    stamp = _read_stamp(inner_stamp) if inner_stamp else stamp
    colon = ends_in_colon or text[end - 2 : end].strip() == ":"
    name = without_ornament(name.rstrip(": "))
    if not name or not (is_phone_number(name) or any(c.isalpha() for c in name)):
        return None
    if colon or stamp or (end < len(text) and is_turn_word(name.rstrip("."))):
        name = name.rstrip(".") if is_turn_word(name.rstrip(".")) else name
        return Head(label=Label(name, end, marked=is_name(name)), stamp=stamp, form="bold")
    role = _role(_ROLE.fullmatch(f"{name} {text[end : end + 100]}"))
    if not role and end < len(text):
        dash = _DASH.match(text, end)
        name = name.removesuffix(".") if " " in name else name
        return Head(label=Label(name, dash.end(), marked=True), form="sign") if dash else None
    side = _SIDE.match(name)
    name = name[side.end() :] if side else name
    return Head(
        label=Label(name, len(text), marked=bool(side)),
        alone=not side,
        role=role,
        form="header" if side else "alone",
    )


def _is_within_bold(match: re.Match[str]) -> bool:
    """Return whether the bold type covers a label and the words after it: ``**Q: Why?**``."""
    inner = match["inner"]
    _, stamp = _stamp_after(match.string, match.end(), Bare.ANYWHERE)
    if match["colon"] or stamp or inner.endswith(":"):
        return False
    label = label_at(inner)
    return label is not None and label.end < len(inner) and not _ANYWHERE.search(inner)


def _match_timed(text: str, begin: int, bare: Bare) -> Head | None:
    """Match ``Kelly (00:01): text``."""
    match = _match_stamped(_COLON, text, begin, bare)
    if match is None or not is_name(match["name"]):
        return None
    return Head(label=Label(match["name"], match.end(), marked=True), stamp=_read_stamp(match), form="timed")


def _match_colon(text: str, begin: int, bare: Bare) -> Head | None:
    """Match ``Kelly: text`` and ``Kelly: [00:01] text``."""
    label = label_at(text, begin)
    if label is None:
        return None
    end, stamp = _stamp_after(text, label.end, bare & Bare.BEHIND_COLONS)
    name = without_ornament(label.name)
    return Head(
        label=replace(label, name=name, end=end, marked=label.marked or (bool(stamp) and is_name(name))),
        stamp=stamp,
        form="header" if stamp and end == len(text) else "colon",
    )


def _match_square(text: str, begin: int, bare: Bare) -> Head | None:
    """Match ``[Kelly] text``."""
    match = _SQUARE.match(text, begin)
    if match is None or is_remark(match["name"]):
        return None
    return Head(label=Label(match["name"], match.end()), form="square")


def _match_header(text: str, begin: int, bare: Bare) -> Head | None:
    """Match ``Kelly  0:12`` and ``Kelly (00:12)``."""
    match = _match_stamped(_HEADER, text, begin, bare)
    if match is None:
        return None
    stamp = _read_stamp(match)
    # Chats, which have times of day, also use nicknames.
    if not is_name(match["name"]) and not (stamp.of_day and is_clean(match["name"])):
        return None
    return Head(label=Label(match["name"], len(text), marked=True), stamp=stamp, form="header")


def _match_turn(text: str, begin: int, bare: Bare) -> Head | None:
    """Match ``Q - Why?`` and ``A. Because.``."""
    match = _TURN.match(text, begin)
    return Head(label=Label(match["name"], match.end()), form="turn") if match else None


def _match_whole_line(text: str, begin: int, bare: Bare) -> Head | None:
    """Match ``Brendan Kelly`` and ``Brendan Kelly -- Chief Executive Officer``."""
    line = text[begin : begin + 160]
    role = _ROLE.fullmatch(line)
    name = role["name"] if role else line
    if len(text) - begin > 150 or name.endswith((".", ",")) or not is_name(name):
        return None
    if is_numbered(name):
        return Head(label=Label(name, len(text), marked=True), form="header")
    return Head(label=Label(name, len(text)), alone=True, role=_role(role), form="alone")


def _role(match: re.Match[str] | None) -> str:
    """Return the last part after a dash: ``Analyst`` in ``Jonas Weil -- Ostermark Securities -- Analyst``."""
    return re.split(r"\s(?:--|[–—-])\s", match["role"])[-1].strip() if match else ""
