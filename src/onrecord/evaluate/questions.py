"""Questions about an archive of one's own, with what a good answer to each has: values, and how they are
read from plain ones. Files are read by `onrecord.evaluate.question_files`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from onrecord.errors import FormatError, did_you_mean, nearest
from onrecord.ingest.formats.clock import CLOCK, seconds_of
from onrecord.ingest.plain import Plain, type_name
from onrecord.types import Exchange, Scope, printable

FIELDS = (
    *(
        "id",
        "text",
        "type",
        "gold",
        "wrong",
        "entities",
        "points",
        "unanswerable",
        "history",
        "scope",
        "note",
    ),
)
GOLD = ("recording", "from", "to", "words", "speaker")
_TIME = re.compile(rf"{CLOCK}|\d+(?:\.\d+)?")
_YES, _NO = ("true", "yes", "1"), ("false", "no", "0", "")
_LONGEST = 8000


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part of the answer is said. What is not given does not narrow.

    `recording` is an id or title; `start` and `end` are seconds; `words` are spoken there; `speaker` says
    it. Words without a recording are looked for everywhere; with `start`, the place nearest to it is meant.
    `where` is where this stands in the user's file, for messages.
    """

    recording: str = ""
    start: float | None = None
    end: float | None = None
    words: str = ""
    speaker: str = ""
    where: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and what a good answer to it has.

    `gold` is where the answer is said; `entities` are the names it must hold, and `points` what it must
    say, each as alternatives of which one is enough; `unanswerable` questions must be turned down; `wrong` is
    what somebody was shown and did not want; `history` is what was asked before, `scope` what the question is
    put to. `type` groups questions in reports.
    """

    id: str
    text: str
    type: str = ""
    gold: tuple[Place, ...] = ()
    entities: tuple[tuple[str, ...], ...] = ()
    points: tuple[tuple[str, ...], ...] = ()
    unanswerable: bool = False
    history: tuple[Exchange, ...] = ()
    wrong: tuple[Place, ...] = ()
    scope: Scope = field(default_factory=Scope)


@dataclass(frozen=True, slots=True)
class Fields:
    """Names and values at one place of a file, and the errors of what is wrong with them."""

    file: str
    where: str
    values: Mapping[str, Plain]

    def wrong(self, field: str, expected: str, found: str) -> FormatError:
        """The error that says what is wrong with a field; it is not raised here."""
        where = f"{self.where}, {field}" if field else self.where
        return FormatError(self.file, where, expected, printable(found))

    def check(self, allowed: Sequence[str]) -> None:
        """Refuse names that mean nothing here."""
        for name in self.values:
            if name not in allowed:
                hint = did_you_mean(nearest(name, allowed), ": ")
                raise self.wrong("", f"only {', '.join(allowed)}", repr(name) + hint)

    def text(self, field: str, needed: bool = False) -> str:
        """The text of a field on one line, empty where there is none. Raises FormatError."""
        value = self.values.get(field)
        if value is not None and not isinstance(value, str):
            raise self.wrong(field, "a text", type_name(value))
        text = " ".join((value or "").split())
        if needed and not re.search(r"\w", text):
            raise self.wrong(field, "a text with words", text or "nothing")
        if len(text) > _LONGEST:
            raise self.wrong(field, f"at most {_LONGEST:,} characters", f"{len(text):,}")
        return text

    def yes(self, field: str) -> bool:
        """Whether a field says yes. Raises FormatError."""
        said = self.text(field).casefold()
        if said not in _YES + _NO:
            raise self.wrong(field, "true or false", said)
        return said in _YES

    def second(self, field: str) -> float | None:
        """The second that a field tells, or None. Raises FormatError."""
        said = self.text(field)
        if said and not _TIME.fullmatch(said):
            raise self.wrong(field, "a time such as 0:36, 1:02:03 or 36.5", said)
        return (seconds_of(said) if ":" in said else float(said)) if said else None

    def choices(self, field: str) -> tuple[tuple[str, ...], ...]:
        """A list of which each item is a text, or several of which one is enough."""
        value = self.values.get(field)
        items = value if isinstance(value, list) else [value] if value else []
        return tuple(self._alternatives(f"{field} {n}", item) for n, item in enumerate(items, 1))

    def _alternatives(self, field: str, item: Plain) -> tuple[str, ...]:
        options = item if isinstance(item, list) else [item]
        if not options or not all(isinstance(one, str) and re.search(r"\w", one) for one in options):
            raise self.wrong(field, "a text with words, or a list of such", type_name(item))
        return tuple(" ".join(str(one).split()) for one in options)

    def parts(self, field: str) -> Iterator[Fields]:
        """The mappings of a list (or a single one), each with its own place."""
        value = self.values.get(field)
        items = value if isinstance(value, list) else [value] if value else []
        for number, item in enumerate(items, 1):
            if not isinstance(item, dict):
                raise self.wrong(f"{field} {number}", "names and values (recording: ...)", type_name(item))
            yield Fields(self.file, f"{self.where}, {field} {number}", item)


def asked(fields: Fields) -> Asked:
    """The question that these fields describe. Raises FormatError."""
    if "question" in fields.values and "text" not in fields.values:
        values = {"text" if name == "question" else name: value for name, value in fields.values.items()}
        fields = Fields(fields.file, fields.where, values)
    fields.check(FIELDS)
    made = Asked(
        id=fields.text("id"),
        text=fields.text("text", needed=True),
        type=fields.text("type"),
        gold=tuple(_place(part) for part in fields.parts("gold")),
        entities=fields.choices("entities"),
        points=fields.choices("points"),
        unanswerable=fields.yes("unanswerable"),
        history=tuple(_history(fields)),
        wrong=tuple(_place(part) for part in fields.parts("wrong")),
        scope=_scope(fields),
    )
    measurable = made.gold or made.entities or made.points or made.wrong
    if made.unanswerable and measurable:
        raise fields.wrong("unanswerable", "no gold, wrong, entities or points beside it", "some")
    if not made.unanswerable and not measurable:
        expected = "what to measure it by: gold, wrong, entities, points or unanswerable: true"
        raise fields.wrong("", expected, "none of them")
    return made


def _place(fields: Fields) -> Place:
    fields.check(GOLD)
    place = Place(
        recording=fields.text("recording"),
        start=fields.second("from"),
        end=fields.second("to"),
        words=fields.text("words"),
        speaker=fields.text("speaker"),
        where=f"{fields.file}, {fields.where}",
    )
    if not (place.recording or place.words or place.speaker):
        raise fields.wrong("", "a recording, words that are spoken there, or a speaker", "none of them")
    if place.start is not None and not place.recording:
        raise fields.wrong("", "the recording of these times", "no recording")
    if (place.start is None) != (place.end is None) and not (place.words and place.end is None):
        raise fields.wrong("", "both from and to", "one of them")
    if place.start is not None and place.end is not None and place.end <= place.start:
        raise fields.wrong("to", f"a time after {place.start:g} s", f"{place.end:g} s")
    return place


_LISTS = ("recordings", "speakers", "languages", "sections")
_DATES = ("since", "until")


def _scope(fields: Fields) -> Scope:
    """What a question is put to: ``scope: {speakers: [kelly], since: 2024}``."""
    found: dict[str, Any] = {}
    for part in fields.parts("scope"):
        part.check((*_LISTS, *_DATES, "attributes"))
        found |= {name: tuple(one for (one,) in part.choices(name)) for name in _LISTS if name in part.values}
        found |= {name: part.text(name) or None for name in _DATES if name in part.values}
        for given in part.parts("attributes"):
            found["attributes"] = {name: given.text(name) for name in given.values}
    return Scope(**found)


def _history(fields: Fields) -> Iterator[Exchange]:
    """What was asked before: questions, or questions with their answers."""
    value = fields.values.get("history")
    for number, item in enumerate(value if isinstance(value, list) else [value] if value else [], 1):
        if isinstance(item, str):
            item = {"question": item}
        if not isinstance(item, dict):
            raise fields.wrong(f"history {number}", "a question, or question and answer", type_name(item))
        part = Fields(fields.file, f"{fields.where}, history {number}", item)
        part.check(("question", "answer"))
        yield Exchange(part.text("question", needed=True), part.text("answer"))
