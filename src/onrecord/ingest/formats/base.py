"""What a transcript format is: how it is recognised by its content, and how it is read."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from onrecord.errors import FormatError
from onrecord.types import Transcript


class Source:
    """A file's text on its way through the readers.

    `name` is the file's name as the user gave it (for messages); `text` is decoded, without a byte
    order mark, with "\\n" line ends; `remarks` are what there is to say about the decoding, and become
    warnings of every transcript read from it.
    """

    def __init__(self, name: str, text: str, remarks: tuple[str, ...] = ()) -> None:
        self.name = name
        self.text = text
        self.remarks = remarks

    @cached_property
    def json(self) -> Any:
        """The parsed JSON value, or None where the text is not JSON (a broken one included)."""
        try:
            return self.parse_json()
        except FormatError:
            return None

    def parse_json(self) -> Any:
        """The JSON value. Raises FormatError with line and column where it breaks off."""
        try:
            return json.loads(self.text)
        except json.JSONDecodeError as error:
            found = self.text[error.pos : error.pos + 40] or "the end of the file"
            raise self.error(f"line {error.lineno}, column {error.colno}", "JSON", found) from None
        except RecursionError:
            raise self.error("line 1", "JSON nested at most 900 deep", "deeper nesting") from None
        except ValueError:  # Python refuses to read integers of more than 4300 digits
            raise self.error("line 1", "JSON numbers of a sensible length", "a longer one") from None

    def error(self, where: str, expected: str, found: object) -> FormatError:
        return FormatError(self.name, where, expected, str(found))


@dataclass(frozen=True, slots=True)
class Format:
    """One transcript format.

    `fits` tells by the content alone whether a source is of this format, cheaply and without raising;
    it should also accept broken files that were plainly meant to be of it, so that `read` can say where
    they break. `read` gives the recordings in the source (one, but for feeds and our own JSON) or
    raises FormatError. `suffixes` only settle what the content leaves open.
    """

    name: str
    suffixes: tuple[str, ...]
    fits: Callable[[Source], bool]
    read: Callable[[Source], tuple[Transcript, ...]]
