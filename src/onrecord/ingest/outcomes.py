"""The outcome of each file or address that a user adds: a transcript source, a refusal, or a skip."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from onrecord.errors import OnRecordError
from onrecord.types import Transcript

if TYPE_CHECKING:
    from onrecord.types import Vectors


@dataclass(frozen=True, slots=True, eq=False)
class TurnVectors:
    """Vectors of unit length, one per turn of a transcript, and their model.

    The shape of `vectors` is (turns, dimensions).
    """

    model: str
    vectors: Vectors


@dataclass(frozen=True, slots=True)
class TranscriptSource:
    """A source of transcripts.

    `source` identifies it: an absolute path or an address. `Transcript.part` distinguishes several recordings
    of one source. `name` is shown to the user. `checksum` is the SHA-256 of words, details and chapters.
    `transcripts()` reads the transcripts with details and sections, and raises FormatError. `vectors` belong
    to its only transcript, if the source has any.
    """

    source: str
    name: str
    checksum: str
    transcripts: Callable[[], tuple[Transcript, ...]] = field(repr=False, compare=False)
    vectors: TurnVectors | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Refused:
    """A file or address that the user named but onrecord cannot add."""

    name: str
    error: OnRecordError


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file or item in a folder or feed that is not a transcript, or may not be fetched."""

    name: str
    reason: str


Outcome = TranscriptSource | Refused | Skipped
