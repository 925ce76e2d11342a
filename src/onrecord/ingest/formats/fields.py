"""Values of a JSON document that know where they stand, so that an error can name the place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from onrecord.errors import FormatError
from onrecord.ingest.formats.base import Source
from onrecord.ingest.formats.words import seconds, speaker_name
from onrecord.ingest.language import language_code
from onrecord.types import Details


class Field:
    """A value of a JSON document and its place ("segments[3].start").

    A key that is absent and a null are the same: a field without a value, whose `text` is "", whose
    `seconds` are None, and which has no items. A value of another kind than asked for is a FormatError.
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
        """Whether there is something: not null, not an empty text, list or object."""
        return self.value is not None and self.value not in ("", [], {})

    def __getitem__(self, key: str) -> Field:
        """The field of an object under `key`."""
        if self.value is None:
            return Field(self._source, None, self, key)
        if not isinstance(self.value, dict):
            raise self.error("an object")
        return Field(self._source, self.value.get(key), self, key)

    def __contains__(self, key: str) -> bool:
        return isinstance(self.value, dict) and self.value.get(key) is not None

    def first(self, *keys: str) -> Field:
        """The first of these keys that has a value; the first key, without one, where none has."""
        for key in keys:
            if key in self:
                return self[key]
        return self[keys[0]]

    def unwrap(self, key: str) -> Field:
        """The field under a key, where there is one; else this field."""
        return self[key] if key in self else self  # noqa: SIM401 - no dict

    def __iter__(self) -> Iterator[Field]:
        """The items of a list."""
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
        """A text that must be there, though it may be empty."""
        if self.value is None:
            raise self.error("text")
        return self.text

    @property
    def label(self) -> str | None:
        """A speaker's name or number, as `speaker_name` writes it."""
        if self.value is None:
            return None
        if isinstance(self.value, bool) or not isinstance(self.value, str | int):
            raise self.error("a speaker's name or number")
        return speaker_name(str(self.value))

    def with_value(self, value: Any) -> Field:
        """Another value in the same place, for what is told by a part of a text."""
        return Field(self._source, value, self._parent, self._key)

    def seconds(self, per_second: float = 1.0) -> float | None:
        """A time in seconds; `per_second` is 1000 where the document counts milliseconds."""
        if self.value is None or self.value == "":
            return None
        found = seconds(self.value, per_second)
        if found is None:
            raise self.error("a number from 0")
        return found

    def error(self, expected: str) -> FormatError:
        """The error for a field that does not hold what it should."""
        return self._source.error(self.place or "the document", expected, _shown(self.value))


def document(source: Source) -> Field:
    """The document as a field. Raises FormatError where the source is not JSON."""
    return Field(source, source.parse_json())


def details_of(language: Field, duration: Field) -> Details:
    """Details from a document's own language and length; either may be absent."""
    length = duration.seconds()
    attributes = {"duration": f"{length:.3f}".rstrip("0").rstrip(".")} if length else {}
    return Details(language=language_code(language.text), attributes=attributes)


def broken_json(source: Source, *keys: str) -> bool:
    """Whether the source is JSON that breaks off or has a fault, and has all these keys early on: it
    was meant to be a document of the format that has them."""
    if source.json is not None or source.text.lstrip()[:1] not in ("{", "["):
        return False
    head = source.text[:20_000]
    return all(f'"{key}"' in head for key in keys)


def first_object(value: Any) -> dict[str, Any]:
    """The first object of a list; an empty one where there is none."""
    if not isinstance(value, list):
        return {}
    return next((item for item in value[:20] if isinstance(item, dict)), {})


def _shown(value: Any) -> str:
    """A value as an error message shows it."""
    if isinstance(value, str):
        return repr(value[:80])
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "true", False: "false"}[value]
    return str(value)
