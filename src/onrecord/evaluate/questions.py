"""Questions about an archive, each with a description of a good answer, parsed from plain values.

`onrecord.evaluate.question_files` reads files of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from onrecord.errors import FormatError, did_you_mean, nearest
from onrecord.ingest.formats.clock import CLOCK, seconds_of
from onrecord.ingest.plain import Plain, type_name
from onrecord.types import Exchange, Scope, printable

FIELDS = tuple("id text type gold wrong entities points unanswerable history scope note".split())
GOLD = ("recording", "from", "to", "words", "speaker")
_TIME = re.compile(rf"{CLOCK}|\d+(?:\.\d+)?")
_YES, _NO = ("true", "yes", "1"), ("false", "no", "0", "")
_LONGEST = 8000


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a part of the answer. An empty field does not narrow the place.

    recording: its id or title. Words without a recording are looked up everywhere.
    start, end: seconds. Of several places with the same words, the place nearest to `start` counts.
    words: words that are spoken there.
    speaker: the speaker of the words.
    where: the line in the user's file, for messages.
    """

    recording: str = ""
    start: float | None = None
    end: float | None = None
    words: str = ""
    speaker: str = ""
    where: str = ""


@dataclass(frozen=True, slots=True)
class EvalQuestion:
    """A question, and the description of a good answer to it.

    type: the group of the question in reports.
    gold: where the answer is spoken.
    entities: names that the answer must contain, each as alternatives of which one is enough.
    points: statements that the answer must make, each as alternatives of which one is enough.
    unanswerable: whether the question must be refused.
    history: the earlier questions of the conversation.
    wrong: places that somebody was shown and rejected.
    scope: the scope of the question.
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
    """Names and values at one place of a file. Its errors name this place."""

    file: str
    where: str
    values: Mapping[str, Plain]

    def wrong(self, field: str, expected: str, actual: str) -> FormatError:
        """Return an error that describes what is wrong with a field, for the caller to raise."""
        where = f"{self.where}, {field}" if field else self.where
        return FormatError(self.file, where, expected, printable(actual))

    def check(self, allowed: Sequence[str]) -> None:
        """Raise FormatError for names that are not allowed."""
        for name in self.values:
            if name not in allowed:
                hint = did_you_mean(nearest(name, allowed), ": ")
                raise self.wrong("", f"only {', '.join(allowed)}", repr(name) + hint)

    def text(self, field: str, needed: bool = False) -> str:
        """Return the text of a field on one line, empty if it is missing. Raises FormatError."""
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
        """Return whether a field has a value that means yes. Raises FormatError."""
        text = self.text(field).casefold()
        if text not in _YES + _NO:
            raise self.wrong(field, "true or false", text)
        return text in _YES

    def second(self, field: str) -> float | None:
        """Return the value of a field in seconds, or None. Raises FormatError."""
        text = self.text(field)
        if text and not _TIME.fullmatch(text):
            raise self.wrong(field, "a time such as 0:36, 1:02:03 or 36.5", text)
        return (seconds_of(text) if ":" in text else float(text)) if text else None

    def choices(self, field: str) -> tuple[tuple[str, ...], ...]:
        """Return a list; each item is a text, or several alternatives of which one is enough.

        Raises FormatError.
        """
        choices = []
        for number, item in enumerate(self.items(field), 1):
            options = item if isinstance(item, list) else [item]
            if not options or not all(isinstance(text, str) and re.search(r"\w", text) for text in options):
                expected = "a text with words, or a list of such"
                raise self.wrong(f"{field} {number}", expected, type_name(item))
            choices.append(tuple(" ".join(str(text).split()) for text in options))
        return tuple(choices)

    def items(self, field: str) -> list[Plain]:
        """Return the items of a list, or a single value as a list of one; empty if it is missing."""
        value = self.values.get(field)
        return value if isinstance(value, list) else [value] if value else []

    def parts(self, field: str) -> Iterator[Fields]:
        """Yield the mappings of a list, or a single mapping, each with its place in the file.

        Raises FormatError.
        """
        for number, item in enumerate(self.items(field), 1):
            if not isinstance(item, dict):
                raise self.wrong(f"{field} {number}", "names and values (recording: ...)", type_name(item))
            yield Fields(self.file, f"{self.where}, {field} {number}", item)


def parse_question(fields: Fields) -> EvalQuestion:
    """Parse a question from its fields. Raises FormatError."""
    if "question" in fields.values and "text" not in fields.values:
        values = {"text" if name == "question" else name: value for name, value in fields.values.items()}
        fields = Fields(fields.file, fields.where, values)
    fields.check(FIELDS)
    question = EvalQuestion(
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
    measurable = question.gold or question.entities or question.points or question.wrong
    if question.unanswerable and measurable:
        raise fields.wrong("unanswerable", "no gold, wrong, entities or points beside it", "some")
    if not question.unanswerable and not measurable:
        expected = "what to measure it by: gold, wrong, entities, points or unanswerable: true"
        raise fields.wrong("", expected, "none of them")
    return question


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
    """Return the scope of a question: ``scope: {speakers: [kelly], since: 2024}``."""
    scope: dict[str, Any] = {}
    for part in fields.parts("scope"):
        part.check((*_LISTS, *_DATES, "attributes"))
        scope |= {
            name: tuple(name_option for (name_option,) in part.choices(name))
            for name in _LISTS
            if name in part.values
        }
        scope |= {name: part.text(name) or None for name in _DATES if name in part.values}
        for attributes in part.parts("attributes"):
            scope["attributes"] = {name: attributes.text(name) for name in attributes.values}
    return Scope(**scope)


def _history(fields: Fields) -> Iterator[Exchange]:
    """Yield the earlier turns: questions, or questions with their answers."""
    for number, item in enumerate(fields.items("history"), 1):
        if isinstance(item, str):
            item = {"question": item}
        if not isinstance(item, dict):
            raise fields.wrong(f"history {number}", "a question, or question and answer", type_name(item))
        part = Fields(fields.file, f"{fields.where}, history {number}", item)
        part.check(("question", "answer"))
        yield Exchange(part.text("question", needed=True), part.text("answer"))
