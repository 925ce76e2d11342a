"""The base of all formats: the source of text, and the functions that recognize and read a format."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from onrecord.errors import FormatError
from onrecord.types import Transcript


class Source:
    """The text of a file, as input for the readers.

    `name` is the file's name, for messages. `text` is decoded, has no byte order mark, and ends lines with
    "\\n". `remarks` about the decoding become warnings of every transcript read from the source.
    """

    def __init__(self, name: str, text: str, remarks: tuple[str, ...] = ()) -> None:
        self.name = name
        self.text = text
        self.remarks = remarks

    @cached_property
    def json(self) -> Any:
        """The parsed JSON value, or None if the text is not valid JSON."""
        try:
            return self.parse_json()
        except FormatError:
            return None

    def parse_json(self) -> Any:
        """Return the JSON value.

        Raises FormatError with the line and column of a fault, and for JSON that is nested too deeply or has
        integers of more than 4300 digits.
        """
        try:
            return json.loads(self.text)
        except json.JSONDecodeError as error:
            found = self.text[error.pos : error.pos + 40] or "the end of the file"
            raise self.error(f"line {error.lineno}, column {error.colno}", "JSON", found) from None
        except RecursionError:
            raise self.error("line 1", "JSON nested at most 900 deep", "deeper nesting") from None
        except ValueError:  # Python refuses to read integers of more than 4300 digits
            raise self.error("line 1", "JSON numbers of at most 4300 digits", "a longer one") from None

    def error(self, where: str, expected: str, found: object) -> FormatError:
        return FormatError(self.name, where, expected, str(found))


@dataclass(frozen=True, slots=True)
class Format:
    """A transcript format.

    `fits` recognizes a source by its content, cheaply and without raising. It also accepts broken files that
    are plainly of the format, so that `read` can report the place of the fault. `read` returns the
    transcripts of a source (several only for CTM, RTTM and onrecord's own JSON) or raises FormatError.
    `suffixes` are file name suffixes, which decide only if the content does not.
    """

    name: str
    suffixes: tuple[str, ...]
    fits: Callable[[Source], bool]
    read: Callable[[Source], tuple[Transcript, ...]]


def faq_hint(names: Collection[str]) -> str:
    """Return a hint on adding a FAQ if `names` are the fields of a FAQ, otherwise an empty string."""
    return " (a FAQ: add it with onrecord faq add)" if {"question", "answer"} <= {*names} else ""
