"""The speakers of a twin: captions tell when each word is said, a text of the same talk who says it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby, pairwise

from onrecord.archive.twins import WORD, are_named, counterparts
from onrecord.ingest.passages import cut_turn
from onrecord.types import Section, Transcript, Turn

_FEW = 2
"""The most words that a twin may leave out for them to be a filler of whoever speaks around them."""
_SENTENCE_END = re.compile(r"[.!?…。！？]")


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of a transcript: case-folded, with its turn, and its characters `begin`..`end` there."""

    key: str
    turn: int
    begin: int
    end: int


def with_speakers_of(transcript: Transcript, twin: Transcript) -> Transcript | None:
    """Return a transcript with the speakers of its twin; None unless only the twin names most of them.

    A word has the speaker of the same word in the twin. Misheard words have the speaker of the twin's words
    in their place, a filler that of the words around it. Where this is not sure, a word has no speaker.
    """
    if are_named(transcript.turns) or not are_named(twin.turns):
        return None
    words = _words_of(transcript.turns)
    speakers = _whole_tokens(_speakers_of(words, transcript.turns, twin.turns), words, transcript.turns)
    of_turn: list[list[tuple[_Word, str | None]]] = [[] for _ in transcript.turns]
    for word, speaker in zip(words, speakers, strict=True):
        of_turn[word.turn].append((word, speaker))
    cut = [list(_cut_at_speakers(*each)) for each in zip(transcript.turns, of_turn, strict=True)]
    named = tuple(turn for turns in cut for turn in turns)
    if not are_named(named):
        return None
    details = transcript.details
    return replace(
        transcript,
        turns=named,
        details=replace(details, people=details.people or twin.details.people),
        sections=tuple(_moved(transcript.sections, [len(turns) for turns in cut])),
    )


def without_speakers(transcript: Transcript) -> Transcript:
    """Return a transcript in which nobody is named."""
    return replace(transcript, turns=tuple(replace(turn, speaker=None) for turn in transcript.turns))


def _words_of(turns: Sequence[Turn]) -> list[_Word]:
    return [
        _Word(match[0].casefold(), number, match.start(), match.end())
        for number, turn in enumerate(turns)
        for match in WORD.finditer(turn.text)
    ]


def _speakers_of(words: Sequence[_Word], turns: Sequence[Turn], twin: Sequence[Turn]) -> list[str | None]:
    """Return the speaker of each word of `turns` by the turns of their twin."""
    others = _words_of(twin)
    voices = [twin[word.turn].speaker for word in others]
    places = counterparts([word.key for word in words], [word.key for word in others])
    speakers = [None if at is None else voices[at] for at in places]
    matched = [(number, at) for number, at in enumerate(places) if at is not None]
    for (left, first), (right, last) in pairwise(matched):
        if right > left + 1:
            ends = [at - left for at in range(left, right) if _ends_sentence(words, at, turns)]
            speakers[left + 1 : right] = _speakers_of_gap(right - left - 1, voices[first : last + 1], ends)
    return speakers


def _speakers_of_gap(count: int, voices: Sequence[str | None], ends: Sequence[int]) -> Sequence[str | None]:
    """Return the speakers of `count` words that the twin lacks or spells otherwise; None where unsure.

    `voices` are the speakers of the twin's words there, with the matched word before and the one behind.
    Sentences end after so many words as `ends` say.
    """
    left, *inside, right = voices
    unsure = [None] * count
    runs = [(speaker, len(list(run))) for speaker, run in groupby(inside)]
    if not runs:  # the twin leaves the words out: a filler, or what somebody else put in
        stand_alone = 0 in ends and count in ends
        if count > _FEW or stand_alone:
            return unsure
        if left == right:
            return [left] * count
        return [left] * ends[0] + [right] * (count - ends[0]) if len(ends) == 1 else unsure
    if len(runs) == 1:
        ((speaker, most),) = runs
        return [speaker] * count if count <= most + _FEW * (left == speaker == right) else unsure
    if len(runs) == 2 and count == len(inside):
        return inside
    if len(runs) == 2 and len(ends) == 1 and 0 < ends[0] < count:
        sides = zip(runs, (ends[0], count - ends[0]), strict=True)
        if all(abs(length - most) <= 1 for (_, most), length in sides):
            return [runs[0][0]] * ends[0] + [runs[1][0]] * (count - ends[0])
    return unsure


def _whole_tokens(
    speakers: Sequence[str | None], words: Sequence[_Word], turns: Sequence[Turn]
) -> list[str | None]:
    """Give a word without a speaker that of the word that no space separates from it ("self-made")."""
    whole = list(speakers)
    for at, (before, after) in enumerate(pairwise(words)):
        text = turns[after.turn].text
        if before.turn == after.turn and not re.search(r"\s", text[before.end : after.begin]):
            whole[at] = whole[at] or whole[at + 1]
            whole[at + 1] = whole[at + 1] or whole[at]
    return whole


def _ends_sentence(words: Sequence[_Word], at: int, turns: Sequence[Turn]) -> bool:
    """Return whether a sentence ends between a word and the next one of its turn."""
    word, following = words[at], words[at + 1]
    end = following.begin if following.turn == word.turn else None
    return _SENTENCE_END.search(turns[word.turn].text[word.end : end]) is not None


def _cut_at_speakers(turn: Turn, words: Sequence[tuple[_Word, str | None]]) -> Iterator[Turn]:
    """Yield the parts of a turn by one speaker each. A turn with a speaker of its own stays whole."""
    if turn.speaker or not words:
        yield turn
        return
    cuts, speakers = [0], [words[0][1]]
    for (word, speaker), (following, next_speaker) in pairwise(words):
        if next_speaker != speaker:
            space = re.search(r"\s", turn.text[word.end : following.begin])
            cuts.append(word.end + space.start() if space else following.begin)
            speakers.append(next_speaker)
    for (begin, end), speaker in zip(pairwise([*cuts, len(turn.text)]), speakers, strict=True):
        yield replace(cut_turn(turn, begin, end), speaker=speaker)


def _moved(sections: Sequence[Section], counts: Sequence[int]) -> Iterator[Section]:
    """Yield sections with the positions of turns after each turn was cut into `counts` turns."""
    begins = [0, *accumulate(counts)]
    for section in sections:
        if section.first < 0:
            yield section
        else:
            yield replace(section, first=begins[section.first], last=begins[section.last + 1] - 1)
