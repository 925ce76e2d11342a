"""The base of JSON formats: fields that know their place in the document, so that errors can name it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any, NamedTuple

from onrecord.errors import FormatError
from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.words import Token, end_time, seconds, space_words, speaker_name, transcript
from onrecord.ingest.language import language_code
from onrecord.types import Details, Section, Transcript

Names = tuple[str, ...]
"""The names of one field in different versions of a format."""


class Field:
    """A value of a JSON document and its place ("segments[3].start").

    An absent key is the same as a null value: its `text` is "", its `seconds` are None, and it has no items.
    A value of the wrong type raises FormatError.
    """

    __slots__ = ("_key", "_parent", "_source", "value")

    def __init__(self, source: Source, value: Any, parent: Field | None = None, key: str | int = "") -> None:
        self.value = value
        self._source = source
        self._parent = parent
        self._key = key

    @property
    def place(self) -> str:
        if self._parent is None:
            return ""
        above = self._parent.place
        if isinstance(self._key, int):
            return f"{above}[{self._key}]"
        return f"{above}.{self._key}" if above else self._key

    def __bool__(self) -> bool:
        """Return whether the value is neither null nor an empty string, list or object."""
        return self.value is not None and self.value not in ("", [], {})

    def __getitem__(self, key: str) -> Field:
        """Return the field under `key`. Raise FormatError if this field is not an object."""
        if self.value is None:
            return Field(self._source, None, self, key)
        if not isinstance(self.value, dict):
            raise self.error("an object")
        return Field(self._source, self.value.get(key), self, key)

    def __contains__(self, key: str) -> bool:
        return isinstance(self.value, dict) and self.value.get(key) is not None

    def first(self, *keys: str) -> Field:
        """Return the first field of these keys that is not empty, or the field of `keys[0]`."""
        return next((field for key in keys if (field := self[key])), self[keys[0]])

    def unwrap(self, key: str) -> Field:
        """Return the field under `key` if it has a value, otherwise this field."""
        return self[key] if key in self else self  # noqa: SIM401 - no dict

    def __iter__(self) -> Iterator[Field]:
        """Yield the items of a list. Raise FormatError if this field is not a list."""
        if self.value is None:
            return
        if not isinstance(self.value, list):
            raise self.error("a list")
        for at, item in enumerate(self.value):
            yield Field(self._source, item, self, at)

    @property
    def text(self) -> str:
        if self.value is None:
            return ""
        if not isinstance(self.value, str):
            raise self.error("text")
        return self.value

    @property
    def words(self) -> str:
        """The text of a required field; it may be empty, but a missing field raises FormatError."""
        if self.value is None:
            raise self.error("text")
        return self.text

    @property
    def code(self) -> str | None:
        """The name or number of a speaker or a channel, as text; None if absent or empty."""
        if self.value is None:
            return None
        if isinstance(self.value, bool) or not isinstance(self.value, str | int):
            raise self.error("a name or a number")
        return str(self.value).strip() or None

    @property
    def label(self) -> str | None:
        """A speaker's name or number, as `speaker_name` writes it."""
        return speaker_name(self.code or "")

    def named(self, names: Mapping[str, str]) -> str | None:
        """Return the name of a speaker's code in a table of speakers, otherwise the code as a label."""
        return names.get(self.code or "") or self.label

    def with_value(self, value: Any) -> Field:
        """Return a field in the same place with another value, such as a part of its text."""
        return Field(self._source, value, self._parent, self._key)

    def seconds(self, per_second: float = 1.0) -> float | None:
        """Return a time in seconds, or None if absent; `per_second` is 1000 for milliseconds.

        Raises FormatError for any other value.
        """
        if self.value is None or self.value == "":
            return None
        second = seconds(self.value, per_second)
        if second is None:
            raise self.error("a number from 0")
        return second

    def error(self, expected: str, found: str = "") -> FormatError:
        """Return the error for a field with a wrong value, which `found` may describe."""
        return self._source.error(self.place or "the document", expected, found or _describe(self.value))

    def span(
        self,
        start: str | Names = "start",
        end: str | Names = "end",
        per_second: float = 1.0,
        length: str = "",
    ) -> tuple[float | None, float | None]:
        """Return the start and end of an object in seconds.

        `start` and `end` are keys, or tuples of keys of which the first with a value counts. `length` is the
        key of a duration, which counts if there is no end.
        """
        starts, ends = ((names,) if isinstance(names, str) else names for names in (start, end))
        begin, stop = self.first(*starts).seconds(per_second), self.first(*ends).seconds(per_second)
        lasts = self[length].seconds(per_second) if length and stop is None else None
        return begin, end_time(begin, stop, lasts)


def document(source: Source) -> Field:
    """Return the document as a field. Raises FormatError if the source is not JSON."""
    return Field(source, source.parse_json())


class Speech(NamedTuple):
    """The tokens of a document in one line or in parallel lines, with details, sections and warnings."""

    lines: Sequence[Iterable[Token]]
    details: Details = Details()
    sections: Sequence[Section] = ()
    warnings: Sequence[str] = ()


def json_format(
    name: str,
    is_own: Callable[[dict[str, Any]], bool],
    read: Callable[[Field], Speech],
    *broken: str,
    listed: str = "",
) -> Format:
    """Return a format of JSON objects with timed words.

    Args:
        name: the name of the format.
        is_own: recognizes an object of the format.
        read: returns the speech of a document.
        broken: sets of keys, separated by spaces; broken JSON with all keys of one set is of this format.
        listed: the key under which `is_own` receives a document that is a list.
    """

    def fits(source: Source) -> bool:
        value = source.json
        if listed and isinstance(value, list):
            value = {listed: value}
        if isinstance(value, dict):
            return is_own(value)
        return any(broken_json(source, *keys.split()) for keys in broken)

    def read_source(source: Source) -> tuple[Transcript, ...]:
        lines, details, sections, warnings = read(document(source))
        return (transcript(source, name, *lines, details=details, sections=sections, warnings=warnings),)

    return Format(name, (".json",), fits, read_source)


def details_of(language: Field, duration: Field | None = None) -> Details:
    """Return the language and the duration (in seconds) that a document states; either may be absent."""
    length = duration.seconds() if duration else None
    attributes = {"duration": f"{length:.3f}".rstrip("0").rstrip(".")} if length else {}
    return Details(language=language_code(language.text), attributes=attributes)


def speaker_table(entries: Field, code: str, *names: str) -> dict[str, str]:
    """Return the names in a list of speakers, by their codes; an entry has its name under one of `names`."""
    return {
        key: name for entry in entries if (key := entry[code].code) and (name := entry.first(*names).label)
    }


def by_channel(items: Iterable[Field], *keys: str) -> list[tuple[str | None, list[Field]]]:
    """Return the items of each channel with the channel's code, which is None if there are not several."""
    listed = list(items)
    channels: dict[str | None, list[Field]] = {}
    for item in listed:
        channels.setdefault(item.first(*keys).code, []).append(item)
    return list(channels.items()) if len(channels.keys() - {None}) > 1 else [(None, listed)]


def assign_speakers(words: Iterable[Token], turns: Iterable[tuple[Field, str | None]]) -> Iterator[Token]:
    """Yield spaced words with the speaker of the last turn that has begun, from (start, speaker) of turns.

    Raises FormatError for a turn without a start.
    """
    begun = []
    for start, speaker in turns:
        if (second := start.seconds()) is None:
            raise start.error("a number from 0")
        begun.append((second, speaker))
    begun.sort(key=itemgetter(0))
    before = -1
    for word in space_words(words):
        at = before if word.start is None else bisect_right(begun, word.start + 0.01, key=itemgetter(0)) - 1
        yield replace(word, speaker=begun[at][1] if at >= 0 else None, opens=at != before)
        before = at


def check_done(status: Field, reason: str = "") -> None:
    """Raise FormatError if a service states that a job is not done; `reason` says why it failed."""
    if status.text and status.text.lower() not in ("completed", "done"):
        raise status.error("a completed transcript", f"{status.text}: {reason}" if reason else status.text)


def broken_json(source: Source, *keys: str) -> bool:
    """Return whether the source is broken JSON with all these keys in its first 20,000 characters.

    Such a source is recognized as the format that has these keys, so that an error can name the fault.
    """
    if source.json is not None or source.text.lstrip()[:1] not in ("{", "["):
        return False
    head = source.text[:20_000]
    return all(f'"{key}"' in head for key in keys)


def first_object(value: Any) -> dict[str, Any]:
    """Return the first object among the first 20 items of a list, or an empty object."""
    if not isinstance(value, list):
        return {}
    return next((item for item in value[:20] if isinstance(item, dict)), {})


def _describe(value: Any) -> str:
    """Describe a value for an error message."""
    if isinstance(value, str):
        return repr(value[:80])
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "true", False: "false"}[value]
    return str(value)
