"""Finds the words of an archive that question files describe by seconds, words or speakers."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from onrecord.archive import Archive
from onrecord.errors import InputError, NotFoundError
from onrecord.evaluate.questions import EvalQuestion, Place
from onrecord.stores.scope import names_speaker
from onrecord.stores.words import fold
from onrecord.types import Citation, Passage, Recording, clock, printable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Mask = NDArray[np.bool_]
    """Shape (words,): whether each word of a recording is part of the place."""

_RELEVANT_SHARE = 0.25
_CITED_SHARE = 0.5
_OMITTED = re.compile(r"\[(?:\.\.\.|…)\]")


class SpokenWords:
    """The words of a recording, in order.

    `begins` has the number of the first word of every passage, by position, followed by the number of all
    words. `seconds` has the time of each word (NaN if unknown), `speakers` its speaker.
    """

    def __init__(self, passages: Sequence[Passage]) -> None:
        words = [(p, m.start(), m[0]) for p in passages for m in re.finditer(r"\S+", p.text)]
        sizes = [len(passage.text.split()) for passage in passages]
        self.begins = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        self.seconds = np.array([p.time_at(at) for p, at, _ in words], np.float64)  # None becomes NaN
        self.speakers = [passage.speaker_at(at) for passage, at, _ in words]
        plain = [(number, _plain(word)) for number, (_, _, word) in enumerate(words)]
        self._numbers = [number for number, word in plain if word]
        self._text, self._starts = " ", []
        for _, word in plain:
            if word:
                self._starts.append(len(self._text))
                self._text += word + " "

    def __len__(self) -> int:
        return len(self.speakers)

    def find(self, quote: str) -> list[Mask]:
        """Return every place of a quote, regardless of case and punctuation."""
        words = [plain for word in quote.split() if (plain := _plain(word))]
        phrase, masks = " ".join(["", *words, ""]), []
        at = self._text.find(phrase) if words else -1
        while at >= 0:
            first = bisect_right(self._starts, at)
            mask = np.zeros(len(self), bool)
            mask[self._numbers[first] : self._numbers[first + len(words) - 1] + 1] = True
            masks.append(mask)
            at = self._text.find(phrase, at + 1)
        return masks

    def nearest(self, masks: Sequence[Mask], second: float) -> Mask:
        """Return the place that begins nearest to a second."""
        return min(masks, key=lambda mask: abs(np.nan_to_num(self.seconds[mask][0]) - second))


@dataclass(frozen=True, slots=True)
class Gold:
    """The words that answer a question: `places` are pairs of a recording's id and a mask of its words."""

    spoken: Mapping[str, SpokenWords]
    places: tuple[tuple[str, Mask], ...] = ()

    @property
    def recordings(self) -> tuple[str, ...]:
        """The ids of the recordings that have gold words."""
        return tuple(dict.fromkeys(name for name, _ in self.places))

    @property
    def words(self) -> int:
        """The number of gold words, each counted once."""
        return sum(int(self.mask(name).sum()) for name in self.recordings)

    def mask(self, recording: str) -> Mask:
        """Return which words of a recording are gold. The recording must have a gold word."""
        mask: Mask = np.logical_or.reduce([mask for name, mask in self.places if name == recording])
        return mask

    def mask_passage(self, passage: Passage) -> Mask:
        """Return which words of a passage are gold."""
        if passage.recording not in self.recordings:
            return np.zeros(len(passage.text.split()), bool)
        begins = self.spoken[passage.recording].begins
        return self.mask(passage.recording)[begins[passage.position] : begins[passage.position + 1]]

    def relevant(self) -> dict[str, float]:
        """Return the passages that answer, by key, with grade 1.

        A passage answers if it contains a quarter of a place's words, or if a quarter of its words belong to
        a place. Every place has at least one such passage.
        """
        keys: dict[str, float] = {}
        for name, mask in self.places:
            begins = self.spoken[name].begins
            counts = np.diff(np.concatenate(([0], np.cumsum(mask)))[begins])
            enough = counts >= _RELEVANT_SHARE * np.minimum(mask.sum(), np.diff(begins))
            keys.update((f"{name}:{at}", 1.0) for at in np.flatnonzero(enough & (counts > 0)).tolist())
        return keys

    def holds(self, citation: Citation) -> bool:
        """Return whether a quote is gold.

        It is if half of its words are in one place, or if it has half of a place's words. So a quote of three
        sentences, one of which answers, is right.
        """
        masks = [mask for name, mask in self.places if name == citation.recording.id]
        if not masks:
            return False
        spoken = self.spoken[citation.recording.id]
        quoted = np.zeros(len(spoken), bool)
        for matches in map(spoken.find, _OMITTED.split(citation.quote)):
            quoted |= spoken.nearest(matches, citation.start or 0.0) if matches else False
        shared = [(int((mask & quoted).sum()), int(min(mask.sum(), quoted.sum()))) for mask in masks]
        return any(common >= _CITED_SHARE * smaller > 0 for common, smaller in shared)


def key(passage: Passage) -> str:
    """Return the key of a passage in rankings."""
    return f"{passage.recording}:{passage.position}"


class Places:
    """Finds the places that questions refer to. Each transcript is read only once."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._recordings = archive.recordings()
        self._spoken: dict[str, SpokenWords] = {}

    def gold(self, question: EvalQuestion) -> Gold:
        """Return the words that answer a question.

        Raises InputError with the line of the place in the user's file, and the reason why the place is not
        in the archive.
        """
        return self._gold(question.gold)

    def wrong(self, question: EvalQuestion) -> Gold:
        """Return the words that an answer should not cite. Raises InputError as `gold` does."""
        return self._gold(question.wrong)

    def _gold(self, places: Sequence[Place]) -> Gold:
        gold: list[tuple[str, Mask]] = []
        for place in places:
            try:
                recordings = [self._archive.find(place.recording)] if place.recording else self._recordings
            except NotFoundError as error:
                raise InputError(f"{place.where}: {error}") from None
            before = len(gold)
            for recording in recordings:
                name = recording.id
                if name not in self._spoken:
                    self._spoken[name] = SpokenWords(self._archive.store.transcript(name))
                masks = _masks(place, recording, self._spoken[name])
                gold += [(name, mask) for mask in masks if mask.any()]
            if len(gold) == before:
                raise InputError(f"{place.where}: {_describe_missing(place)}")
        return Gold(self._spoken, tuple(gold))


def _masks(place: Place, recording: Recording, spoken: SpokenWords) -> list[Mask]:
    """Return the words of a recording at a place.

    Raises InputError for times that the recording does not have.
    """
    speaker_mask = np.ones(len(spoken), bool)
    if place.speaker:
        speaker_mask = np.array([names_speaker(place.speaker, name or "") for name in spoken.speakers], bool)
    if place.words:
        masks = [mask & speaker_mask for mask in spoken.find(place.words) if (mask & speaker_mask).any()]
        return [spoken.nearest(masks, place.start)] if masks and place.start is not None else masks
    if place.start is None or place.end is None:
        return [speaker_mask]
    title = printable(recording.title)
    if recording.seconds is None:
        raise InputError(f"{place.where}: {title} has no times; name the words that are spoken there")
    if place.start > recording.seconds:
        raise InputError(
            f"{place.where}: {title} ends at {clock(recording.seconds)}, before {clock(place.start)}"
        )
    return [(spoken.seconds >= place.start) & (spoken.seconds <= place.end) & speaker_mask]


def _describe_missing(place: Place) -> str:
    where = f"in {place.recording}" if place.recording else "in this archive"
    speaker = f" by {place.speaker}" if place.speaker else ""
    if place.words:
        return f"{place.words!r} is not said{speaker} {where}; give words as the transcript has them"
    if place.start is not None and place.end is not None:
        return f"nothing is said{speaker} between {clock(place.start)} and {clock(place.end)} {where}"
    return f"nothing is said{speaker} {where}; `onrecord list` shows who speaks"


def _plain(word: str) -> str:
    return re.sub(r"\W+", "", fold(word))
