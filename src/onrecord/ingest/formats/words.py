"""Timed words into readable turns: what all word lists have in common, whoever wrote them."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import pairwise

from onrecord.ingest.formats.base import Source
from onrecord.types import Details, Section, Transcript, Turn

SILENCE = 0.5
"""Seconds: a longer pause after a word is marked, so that nothing is taken to be said in it."""
PAUSE = 2.0
"""Seconds: a longer pause ends a turn where nobody knows who speaks."""
EXCHANGE = 1.0
"""Seconds: a longer pause ends a turn where several lines run side by side (a channel a speaker)."""
PACE = 0.4
"""Seconds a word: the most that is allowed for words without times (150 words a minute)."""
MAX_PAIRS = 4_000_000
"""Pairs of words: a longer turn is not compared with the words heard in it."""
MAX_SECONDS = 1e9
"""Seconds: no recording is longer (31 years)."""

_CLOCK = re.compile(r"(?:(\d{1,6}):)?(\d{1,3}):([0-5]\d(?:[.,]\d+)?)(?:[:;]\d\d)?", re.ASCII)
_NUMBER = re.compile(r"\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|-0+(?:\.0*)?", re.ASCII)
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ufeff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_REMARK = re.compile(r"<([^<>\s][^<>]*)>")
_JOINED_LEFT = re.compile(r"[.,!?;:…%)\]}’”»。，、！？；：]+|['’](?:s|re|ve|ll|d|m)|n['’]t", re.IGNORECASE)
_OPENING = tuple("([{“«¿¡")
_DECIMALS = re.compile(r"[.,]\d+")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of speech with one start and end: a word, or a whole segment.

    `joined` stands right behind the token before it, without a space; `opens` begins a new turn,
    whoever speaks.
    """

    text: str
    start: float | None = None
    end: float | None = None
    speaker: str | None = None
    joined: bool = False
    opens: bool = False


def tidy(text: str) -> str:
    """Text as a turn holds it: single spaces, no control characters, whole characters only."""
    text = _SURROGATE.sub("\ufffd", _UNPRINTABLE.sub(" ", text))
    return " ".join(text.split())


def speaker_name(label: str) -> str | None:
    """A source's label for a speaker as a name: a bare number N is "Speaker N", an empty label nobody,
    and any other stays as it is."""
    label = tidy(label)
    if label.isdecimal():
        return f"Speaker {label}"
    return label or None


def bracket_remark(text: str) -> str:
    """A token's text with a transcriber's remark as it is written in a text: "<inaudible>" is
    "[inaudible]"."""
    return _REMARK.sub(r"[\1]", text)


def per_second(texts: Iterable[str], length: float) -> float:
    """How many of a source's units make a second, 1 or 1000, where it does not say: these texts were
    spoken in `length` units, and nobody takes 20 seconds for every word (or five characters)."""
    words = sum(max(len(text.split()), len(text) // 5) for text in texts)
    return 1000.0 if length > 20.0 * words else 1.0


def seconds(value: object, per_second: float = 1.0) -> float | None:
    """A time of a source in seconds: a number, also one written as text, of which `per_second` make a
    second, or a clock time ("1:02:03.5"; frames, "1:02:03:12", are left out, as nobody knows how many
    make a second). None where it is neither, negative, or past all measure."""
    if isinstance(value, str):
        return _parse_seconds(value.strip(), per_second)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return _check_range(value / per_second) if abs(value) <= MAX_SECONDS * per_second else None


def space_words(words: Iterable[Token]) -> list[Token]:
    """The words of a list that has no text beside it, as they are spaced in writing.

    Where most words carry their own leading space, one without goes on with the word before. Else a word
    stands without a space behind the one before if it is a closing mark, a clitic ("'s"), the decimals
    of a number, or if both are Chinese or Japanese.
    """
    words = list(words)
    led = sum(word.text[:1].isspace() for word in words) * 2 > len(words)
    spaced, before = [], ""
    for word in words:
        joined = _joins_left(word.text, before)
        if led and not word.text[:1].isspace():
            joined = joined or before[-1:] not in ".?!,;:…"
        spaced.append(replace(word, joined=joined) if joined != word.joined else word)
        before = word.text.rstrip() or before
    return spaced


def align(text: str, words: Sequence[Token]) -> list[Token] | None:
    """The words as they stand in `text`, which is tidy: with its spaces, its punctuation and whatever
    else lies between them, so that the tokens together read as the text does.

    None where the text has other words than the list.
    """
    spans, at = [], 0
    for word in words:
        piece = tidy(word.text)
        begin = text.find(piece, at)
        if begin < 0 or any(c.isalnum() for c in text[at:begin]):
            return None
        at = begin + len(piece)
        spans.append((begin, at))
    if not words or any(c.isalnum() for c in text[at:]):
        return None
    edges = [0, *(_own_begin(text, end, begin) for (_, end), (begin, _) in pairwise(spans)), len(text)]
    return [
        replace(word, text=text[a:b].strip(), joined=a > 0 and not text[a - 1].isspace())
        for word, (a, b) in zip(words, pairwise(edges), strict=True)
    ]


def turn_tokens(text: str, words: Sequence[Token], whole: Token) -> Iterator[Token]:
    """A turn of this text by the speaker of `whole`: its words with their own times as far as they are those
    of the text, and with the times of `whole` at its edges."""
    text = tidy(text)
    heard = [word for word in words if word.text.strip()]
    tokens = (align(text, heard) or _match_most(text, heard)) if heard else None
    tokens = tokens or ([replace(whole, text=text)] if text else [])
    past = whole.start
    for number, token in enumerate(tokens):
        first, last = number == 0, number == len(tokens) - 1
        start, end = token.start, token.end
        if start is None and (first or last):
            start, end = past, whole.end if last else None
        past = end if end is not None else start if start is not None else past
        yield replace(token, start=start, end=end, speaker=token.speaker or whole.speaker, opens=first)


def _match_most(text: str, heard: Sequence[Token]) -> list[Token] | None:
    """The words of a text with the times of those that were heard in other letters ("good" for "Good"); None
    where it has mostly other words, or so many that comparing them would take long."""
    count = text.count(" ") + 1
    if count * len(heard) > MAX_PAIRS:
        return None
    tokens = match_words(text, heard)
    return tokens if sum(token.start is not None for token in tokens) * 2 >= count else None


def match_words(text: str, words: Sequence[Token]) -> list[Token]:
    """The words of `text`, which is tidy, with the times and speakers of those in the list that are the
    same, in the same order (longest common runs, `difflib`); the others follow the speaker before them.
    """
    tokens = [Token(word) for word in text.split()]
    spoken, heard = ([_key(token.text) for token in texts] for texts in (tokens, words))
    matcher = SequenceMatcher(None, spoken, heard)
    for here, there, size in matcher.get_matching_blocks():
        for at in range(size):
            tokens[here + at] = replace(words[there + at], text=tokens[here + at].text, joined=False)
    speaker = next((token.speaker for token in tokens if token.speaker), None)
    for at, token in enumerate(tokens):
        speaker = token.speaker or speaker
        tokens[at] = token if token.speaker == speaker else replace(token, speaker=speaker)
    return tokens


def _key(word: str) -> str:
    return "".join(c for c in word.casefold() if c.isalnum())


def _own_begin(text: str, end: int, begin: int) -> int:
    """Where a word found at `begin` really begins, the one before having ended at `end`: an opening mark
    belongs to the word it touches, as a closing one does."""
    space = text.rfind(" ", end, begin)
    return begin if space < 0 else space + 1


def transcript(
    source: Source,
    name: str,
    *lines: Iterable[Token],
    details: Details | None = None,
    sections: Sequence[Section] = (),
    part: str = "",
    warnings: Sequence[str] = (),
) -> Transcript:
    """A transcript of format `name` from one line of tokens, or from several that ran side by side.

    A turn ends where the speaker changes, where a token opens one, and at a pause: over `PAUSE` where
    nobody knows who speaks, over `EXCHANGE` where there are several lines. Raises FormatError where
    there are no words.
    """
    turns = _merge_lines([_turns(line, several=len(lines) > 1) for line in lines])
    if not turns:
        raise source.error("the whole of it", "a transcript with words", "no words")
    turns, moved = in_order(turns)
    notes = [*warnings, *([backwards_warning(moved)] if moved else [])]
    return Transcript(tuple(turns), name, details or Details(), tuple(sections), part, tuple(notes))


def backwards_warning(moved: int) -> str:
    """The warning for so many times that `in_order` had to move."""
    times = "one time" if moved == 1 else f"{moved} times"
    return f"{times} ran backwards, moved to the last one before"


def in_order(turns: Iterable[Turn]) -> tuple[list[Turn], int]:
    """The turns, as they follow one another, with times that never fall: not within a turn, nor from the
    start of one to the start of the next. A time that does is moved to the last one before it. Turns
    may overlap. Also how many times had to be moved (by more than half a millisecond).
    """
    ordered, floor, moved = [], 0.0, 0
    for turn in turns:
        if turn.start is None:
            ordered.append(turn)
            continue
        times = [turn.start, *(second for _, second in turn.marks)]
        times += [] if turn.end is None else [turn.end]
        risen = _rising(times, floor)
        late = [after - before > 0.0005 for before, after in zip(times, risen, strict=True)]
        moved += sum(late[1:] if turn.marks and turn.marks[0][0] == 0 else late)
        floor = risen[0]
        marks = tuple((at, second) for (at, _), second in zip(turn.marks, risen[1:], strict=False))
        ordered.append(replace(turn, start=floor, end=None if turn.end is None else risen[-1], marks=marks))
    return ordered, moved


def _rising(times: Sequence[float], floor: float) -> list[float]:
    risen = []
    for time in times:
        floor = max(floor, time)
        risen.append(floor)
    return risen


def _turns(line: Iterable[Token], *, several: bool) -> list[Turn]:
    tokens = list(_clean_tokens(line))
    begins = [at for at in range(len(tokens)) if at == 0 or _opens_turn(tokens[at - 1], tokens[at], several)]
    edges = [*begins, len(tokens)]
    tokens = _time_edges(tokens, edges)
    return [_turn(tokens[a:b]) for a, b in pairwise(edges)]


def _clean_tokens(tokens: Iterable[Token]) -> Iterator[Token]:
    """The tokens that have a text, tidy. Marks without times go with the word that they follow; a turn
    that a token without a text would open, the next one opens."""
    previous: Token | None = None
    opens = False
    for token in tokens:
        text = tidy(token.text)
        opens = opens or token.opens
        if not text:
            continue
        if (
            previous
            and token.joined
            and not opens
            and _is_mark(text, token)
            and token.speaker == previous.speaker
        ):
            previous = replace(previous, text=previous.text + text)
            continue
        if previous:
            yield previous
        same = text == token.text and opens == token.opens
        previous = token if same else replace(token, text=text, opens=opens)
        opens = False
    if previous:
        yield previous


def _is_mark(text: str, token: Token) -> bool:
    return token.start is None and token.end is None and not any(c.isalnum() for c in text)


def _opens_turn(before: Token, token: Token, several: bool) -> bool:
    """Whether a token begins a new turn."""
    if token.opens or token.speaker != before.speaker:
        return True
    if token.start is None or before.end is None or (token.speaker and not several):
        return False
    return token.start - before.end > (EXCHANGE if several else PAUSE)


def _time_edges(tokens: list[Token], edges: Sequence[int]) -> list[Token]:
    """The tokens, where those at the edges of turns that have no times are given some, between what is
    known before and after: a turn starts when its first word is said, be that word timed or not."""
    timed = [at for at, token in enumerate(tokens) if token.start is not None]
    if not timed or len(timed) == len(tokens):
        return tokens
    placed = list(tokens)
    for before, after in pairwise([-1, *timed, len(tokens)]):
        inside = edges[bisect_right(edges, before) : bisect_right(edges, after)]
        if after - before > 1 and inside:
            _place(placed, before, after, inside)
    return placed


def _place(tokens: list[Token], before: int, after: int, edges: Sequence[int]) -> None:
    """Times at these edges of turns, all within a run of untimed tokens that lies between two timed
    ones. Words that end a turn follow what was said before them, the others lead to what comes after."""
    first, pace = before + 1, PACE
    past = (tokens[before].end or tokens[before].start) if before >= 0 else None
    coming = tokens[after].start if after < len(tokens) else None
    if past is not None and coming is not None:
        pace = min(PACE, max(0.0, coming - past) / (after - first))
    for edge in edges:
        front = None if past is None else past + pace * (edge - first)
        back = front if coming is None else max(0.0, coming - pace * (after - edge))
        if edge > first:
            end = front if edge == edges[0] and front is not None else back
            tokens[edge - 1] = replace(tokens[edge - 1], end=end)
        if edge < after:
            tokens[edge] = replace(tokens[edge], start=back)


def _turn(tokens: Sequence[Token]) -> Turn:
    text: list[str] = []
    marks: list[tuple[int, float]] = []
    at = 0
    for number, token in enumerate(tokens):
        if text and not token.joined:
            text.append(" ")
            at += 1
        if token.start is not None:
            marks.append((at, token.start))
        text.append(token.text)
        at += len(token.text)
        if number + 1 < len(tokens):
            marks += _silence(token, tokens[number + 1], at)
    times = [time for token in tokens for time in (token.start, token.end) if time is not None]
    return Turn(
        text="".join(text),
        speaker=tokens[0].speaker,
        start=marks[0][1] if marks else None,
        end=max(times) if marks else None,
        marks=tuple(marks),
    )


def _silence(token: Token, following: Token, at: int) -> list[tuple[int, float]]:
    """The mark at the end of a token, `at`, that a pause follows. Offsets rise: where no space lies
    between the two tokens it stands before the last character."""
    if token.start is None or token.end is None or following.start is None:
        return []
    at -= following.joined
    if following.start - token.end <= SILENCE or (following.joined and len(token.text) < 2):
        return []
    return [(at, max(token.start, token.end))]


def _merge_lines(lines: Sequence[Sequence[Turn]]) -> list[Turn]:
    """The turns of several lines in the order of their starts; one without a time stays behind the one
    before it."""
    if len(lines) == 1:
        return list(lines[0])
    timed = []
    for line in lines:
        start = 0.0
        for turn in line:
            start = turn.start if turn.start is not None else start
            timed.append((start, turn))
    return [turn for _, turn in sorted(timed, key=lambda pair: pair[0])]


def _joins_left(text: str, before: str) -> bool:
    if _JOINED_LEFT.fullmatch(text) or before[-1:] in _OPENING:
        return True
    if _DECIMALS.fullmatch(text):
        return before[-1:].isdecimal()
    return bool(_UNSPACED.match(text[:1]) and _UNSPACED.match(before[-1:]))


def _parse_seconds(text: str, per_second: float) -> float | None:
    if clock := _CLOCK.fullmatch(text):
        hours, minutes, rest = clock.groups()
        return _check_range(int(hours or 0) * 3600 + int(minutes) * 60 + float(rest.replace(",", ".")))
    if _NUMBER.fullmatch(text):
        return _check_range(float(text) / per_second)
    return None


def _check_range(second: float) -> float | None:
    return max(0.0, second) if math.isfinite(second) and -1e-9 <= second <= MAX_SECONDS else None
