"""The speakers of a twin: captions tell when each word is said, a text of the same talk who says it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby, pairwise

from onrecord.archive.twins import RUN_WORDS, WORD, are_named, counterparts
from onrecord.ingest.passages import cut_turn
from onrecord.types import Section, Transcript, Turn

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

    A word has the speaker of the same word in the twin. A few words that the twin lacks have the speaker of
    the words around them; between two speakers, the only sentence end divides them. Other words have none.
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


def _words_of(turns: Sequence[Turn]) -> list[_Word]:
    return [
        _Word(match[0].casefold(), number, match.start(), match.end())
        for number, turn in enumerate(turns)
        for match in WORD.finditer(turn.text)
    ]


def _speakers_of(words: Sequence[_Word], turns: Sequence[Turn], twin: Sequence[Turn]) -> list[str | None]:
    """Return the speaker of each word of `turns` by the turns of their twin."""
    others = _words_of(twin)
    places = counterparts([word.key for word in words], [word.key for word in others])
    speakers = [None if at is None else twin[others[at].turn].speaker for at in places]
    matched = [(number, at) for number, at in enumerate(places) if at is not None]
    for (left, first), (right, last) in pairwise(matched):
        if left + 1 < right <= left + (last - first) + RUN_WORDS:
            beside = [
                speaker
                for speaker, _ in groupby(twin[word.turn].speaker for word in others[first : last + 1])
            ]
            ends = [at for at in range(left, right) if _ends_sentence(words, at, turns)]
            if len(beside) == 1:
                speakers[left + 1 : right] = beside * (right - left - 1)
            elif len(beside) == 2 and len(ends) == 1:
                before = ends[0] - left
                speakers[left + 1 : right] = beside[:1] * before + beside[1:] * (right - left - 1 - before)
    return speakers


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
