"""All errors that this package raises on purpose, each below the kind of error that it is.

Every message says what happened, to what, and what to do about it. `status` is the HTTP status
that a server answers with; `code` is a stable name for programs.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import ClassVar


class OnRecordError(Exception):
    """Base of all errors raised on purpose by this package."""

    status: ClassVar[int] = 500

    @property
    def code(self) -> str:
        """A stable machine-readable name, e.g. ``format_error``."""
        name = type(self).__name__
        return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


class InputError(OnRecordError):
    """The caller asked for something that cannot be."""

    status = 400


class SettingError(InputError):
    """A setting has a bad value, or an option of a command: ``--plot``."""

    def __init__(self, name: str, value: object, allowed: str, origin: str = "") -> None:
        self.name, self.value, self.allowed = name, value, allowed
        super().__init__(f"{_subject(name, origin)} cannot be {value!r}: allowed is {allowed}")


class UnknownSettingError(SettingError):
    """There is no setting of a name."""

    def __init__(self, name: str, value: object, hint: str, origin: str = "") -> None:
        self.name, self.value, self.allowed = name, value, ""
        InputError.__init__(self, f"{_subject(name, origin)} does not exist: {hint}")


def _subject(name: str, origin: str) -> str:
    """The setting and what sets it, for a message. An option is named as it is."""
    subject = name if name.startswith("--") else f"setting {name!r}"
    return f"{subject} ({origin})" if origin not in ("", "argument") else subject


class NotFoundError(InputError):
    """No such recording, workspace, file or strategy."""

    status = 404


class IngestError(OnRecordError):
    """A source could not be added to the archive."""

    status = 422


class FormatError(IngestError):
    """A transcript file is broken.

    Args:
        file: name of the file, as the user gave it.
        where: the place in it: ``"line 12"``, ``"byte 2048"``, ``"segments[3].start"``.
        expected: what should be there.
        found: what is there (shortened to 60 characters).
    """

    def __init__(self, file: str, where: str, expected: str, found: str) -> None:
        self.file, self.where, self.expected = file, where, expected
        self.found = found if len(found) <= 60 else found[:57] + "..."
        super().__init__(f"{file}, {where}: expected {expected}, found {self.found}")


class FetchError(IngestError):
    """A remote part of a feed could not be fetched, or must not be."""


class StoreError(OnRecordError):
    """The archive could not do what the caller requested."""


class NotAnArchiveError(StoreError):
    """The file is not an onrecord archive."""


class NewerArchiveError(StoreError):
    """The archive was written by a newer version of onrecord."""


class LockedError(StoreError):
    """Another process is writing to the archive."""

    status = 503


class DiskFullError(StoreError):
    """There is no room left to write to the archive."""

    status = 507


class UnusableError(StoreError):
    """The file of an archive is closed to writers or damaged, or its disk fails."""


class ModelMismatchError(StoreError):
    """The archive's vectors were made by another model than the question's."""

    status = 409


class ModelError(OnRecordError):
    """A model could not do its work."""

    status = 503


class WeightsError(ModelError):
    """A model's weights are missing, or are not the ones expected."""


class EmbeddingError(ModelError):
    """Texts could not be embedded."""


class RerankError(ModelError):
    """Passages could not be reranked."""


class GenerationError(ModelError):
    """A language model could not write or decide.

    No message of this family repeats what a server said: that may hold a key or the words of a transcript.
    """


class GenerationTimeoutError(GenerationError):
    """A model did not answer in time."""

    status = 504


class GenerationCutError(GenerationError):
    """A reply broke off before its end."""


class GenerationPageError(GenerationError):
    """A server replied with a web page: a proxy, a login, a wrong address."""


class GenerationReplyError(GenerationError):
    """A reply does not follow the protocol, or does not have the requested structure."""


class GenerationRefusedError(GenerationError):
    """The model, or its provider's filter, refuses to answer this."""


class GenerationLimitError(GenerationError):
    """A limit of requests, or the credit, is used up."""


class GenerationKeyError(GenerationError):
    """The key is missing, or was refused."""


class GenerationUnreachableError(GenerationError):
    """Nobody answers at the model's address."""


class RetrievalError(OnRecordError):
    """A retrieval stage could not run."""


# ---------------------------------------------------------------- similar names


def nearest(name: str, names: Iterable[str], n: int = 1) -> list[str]:
    """At most `n` of the `names` that are spelt like a name, the most similar first.

    The difflib ratio of similar names is at least 0.6, ignoring case.
    """
    folded = {full.casefold(): full for full in names}
    return [folded[near] for near in get_close_matches(name.casefold(), folded, n)]


def nearest_named(name: str, names: Iterable[str]) -> list[str]:
    """As `nearest`, but parts of `names` with as many words as the name also count."""
    run, by_part = len(name.split()) or 1, dict[str, str]()
    for full in names:
        words = full.split()
        parts = (" ".join(words[at : at + run]) for at in range(len(words) - run + 1))
        for part in (full, *parts):
            by_part.setdefault(part.casefold(), full)
    return list(dict.fromkeys(by_part[part] for part in nearest(name, by_part, 3)))


def did_you_mean(names: Iterable[str], before: str = "") -> str:
    """``did you mean 'direct' or 'balanced'?`` after the text `before`, for messages; empty without names."""
    listed = " or ".join(map(repr, names))
    return f"{before}did you mean {listed}?" if listed else ""
