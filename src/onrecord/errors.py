"""All errors that this package raises on purpose, each a subclass of its category.

Every message says what happened, what it happened to, and what to do about it. `status` is the HTTP status of
a server's reply; `code` is a stable name for programs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar


class OnRecordError(Exception):
    """The base class of all errors that this package raises on purpose."""

    status: ClassVar[int] = 500

    @property
    def code(self) -> str:
        """The stable machine-readable name of the error, such as ``format_error``."""
        name = type(self).__name__
        return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


class InputError(OnRecordError):
    """The caller's request is invalid."""

    status = 400


class SettingError(InputError):
    """A setting, or an option of a command (``--plot``), has an invalid value."""

    def __init__(self, name: str, value: object, allowed: str, origin: str = "") -> None:
        self.name, self.value, self.allowed = name, value, allowed
        super().__init__(f"{_subject(name, origin)} cannot be {value!r}: allowed is {allowed}")


class UnknownSettingError(SettingError):
    """A setting of this name does not exist."""

    def __init__(self, name: str, value: object, hint: str, origin: str = "") -> None:
        self.name, self.value, self.allowed = name, value, ""
        InputError.__init__(self, f"{_subject(name, origin)} does not exist: {hint}")


def _subject(name: str, origin: str) -> str:
    """Return the setting and its origin, for a message. A name that begins with ``--`` is an option."""
    subject = name if name.startswith("--") else f"setting {name!r}"
    return f"{subject} ({origin})" if origin not in ("", "argument") else subject


class NotFoundError(InputError):
    """A recording, workspace, file or strategy does not exist."""

    status = 404


class MissingToolError(InputError):
    """The strategy needs a tool, such as an embedder, that the archive's settings leave out."""


class IngestError(OnRecordError):
    """A source could not be added to the archive."""

    status = 422


class FormatError(IngestError):
    """A transcript file is malformed.

    Args:
        file: name of the file, as the user gave it.
        where: the location in the file: ``"line 12"``, ``"byte 2048"``, ``"segments[3].start"``.
        expected: the content that was expected there.
        found: the actual content (shortened to 60 characters).
    """

    def __init__(self, file: str, where: str, expected: str, found: str) -> None:
        self.file, self.where, self.expected = file, where, expected
        self.found = found if len(found) <= 60 else found[:57] + "..."
        super().__init__(f"{file}, {where}: expected {expected}, found {self.found}")


class FetchError(IngestError):
    """A remote part of a feed could not be downloaded, or must not be."""


class StoreError(OnRecordError):
    """The archive could not carry out the caller's request."""


class NotAnArchiveError(StoreError):
    """The file is not an onrecord archive."""


class NewerArchiveError(StoreError):
    """The archive was written by a newer version of onrecord."""


class LockedError(StoreError):
    """Another process is writing to the archive."""

    status = 503


class DiskFullError(StoreError):
    """The disk has no space left to write to the archive."""

    status = 507


class UnusableError(StoreError):
    """The archive's file is read-only or damaged, or its disk fails."""


class ModelMismatchError(StoreError):
    """The archive's vectors and the question's vector come from different models."""

    status = 409


class ModelError(OnRecordError):
    """A model could not do its work."""

    status = 503


class WeightsError(ModelError):
    """A model's weights are missing, or are not the expected ones."""


class EmbeddingError(ModelError):
    """Texts could not be embedded."""


class RerankError(ModelError):
    """Passages could not be reranked."""


class GenerationError(ModelError):
    """A language model could not write text or make a decision.

    No message of this family repeats a server's reply: the reply may contain a key or a transcript's text.
    """


class GenerationTimeoutError(GenerationError):
    """A language model did not answer in time."""

    status = 504


class GenerationCutError(GenerationError):
    """A language model's reply broke off before its end."""


class GenerationPageError(GenerationError):
    """A server replied with a web page, as a proxy, a login page or a wrong address does."""


class GenerationReplyError(GenerationError):
    """A reply does not follow the protocol, or lacks the requested structure."""


class GenerationRefusedError(GenerationError):
    """The model, or its provider's filter, refuses to answer."""


class GenerationLimitError(GenerationError):
    """The rate limit was reached, or the credit is used up."""


class GenerationKeyError(GenerationError):
    """The API key is missing, or was refused."""


class GenerationUnreachableError(GenerationError):
    """No server responds at the model's address."""


class RetrievalError(OnRecordError):
    """A retrieval stage could not run."""


# ---------------------------------------------------------------- similar names


def nearest(name: str, names: Iterable[str], n: int = 1) -> list[str]:
    """Return at most `n` of the `names` that are spelled like `name`, the most similar first.

    Similar names differ in at most every third letter (Damerau 1964), ignoring case.
    """
    from rapidfuzz import process  # imported late, because most runs report no error
    from rapidfuzz.distance import OSA

    folded = {full.casefold(): full for full in names}
    matches = process.extract(
        name.casefold(), list(folded), scorer=OSA.normalized_similarity, score_cutoff=0.66, limit=n
    )
    return [folded[near] for near, *_ in matches]


def nearest_named(name: str, names: Iterable[str]) -> list[str]:
    """Return at most 3 similar names, as `nearest` does, but also compare parts of `names`.

    A part has as many words as `name`. A match returns the full name.
    """
    run, by_part = len(name.split()) or 1, dict[str, str]()
    for full in names:
        words = full.split()
        parts = (" ".join(words[at : at + run]) for at in range(len(words) - run + 1))
        for part in (full, *parts):
            by_part.setdefault(part.casefold(), full)
    return list(dict.fromkeys(by_part[part] for part in nearest(name, by_part, 3)))


def did_you_mean(names: Iterable[str], before: str = "") -> str:
    """Return ``did you mean 'direct' or 'balanced'?`` after the text `before`, for messages.

    Empty without names.
    """
    listed = " or ".join(map(repr, names))
    return f"{before}did you mean {listed}?" if listed else ""
