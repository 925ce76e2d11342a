"""What becomes of the things a user names: found, refused, or passed over."""

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
    """A vector of unit length for each turn of a transcript, and the name of the model that made them."""

    model: str
    vectors: Vectors


@dataclass(frozen=True, slots=True)
class TranscriptSource:
    """A source of transcripts.

    `source` is its identity: an absolute path or an address; several recordings of one source are told
    apart by `Transcript.part`. `name` is for the user. `checksum` is the SHA-256 of all that the
    transcripts are made of: words, details and chapters. `transcripts()` reads them, complete with
    details and sections; it raises FormatError. `vectors` are those of its only transcript, where there are
    any already.
    """

    source: str
    name: str
    checksum: str
    transcripts: Callable[[], tuple[Transcript, ...]] = field(repr=False, compare=False)
    vectors: TurnVectors | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Refused:
    """Something that was meant to be added and cannot be."""

    name: str
    error: OnRecordError


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that was not asked for by itself and is no transcript, or not one that may be read now."""

    name: str
    reason: str


Outcome = TranscriptSource | Refused | Skipped
