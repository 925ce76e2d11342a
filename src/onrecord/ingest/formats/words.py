"""Shared code that builds speaker turns from timed words, for every format that lists words."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import accumulate, pairwise
from operator import itemgetter

from onrecord.ingest.formats.base import Source
from onrecord.types import Details, Section, Transcript, Turn, one_line

SILENCE = 0.5
"""The longest pause after a word, in seconds, that gets no mark.

A longer pause gets a mark at its start, so that time interpolation places no word in it.
"""
PAUSE = 2.0
"""The longest pause, in seconds, within a turn of an unknown speaker. A longer one ends the turn."""
EXCHANGE = 1.0
"""The longest pause, in seconds, within a turn if several lines run in parallel (one channel per speaker)."""
PACE = 0.4
"""The maximum duration of a word without times, in seconds (150 words a minute)."""
MAX_PAIRS = 4_000_000
"""The maximum number of word pairs to compare between a turn's text and its recognized words."""
MILLISECONDS = 1000.0
"""The number of milliseconds in a second."""
MAX_SECONDS = 1e9
"""The longest possible recording, in seconds (31 years)."""

_CLOCK = re.compile(r"(?:(\d{1,6}):)?(\d{1,3}):([0-5]\d(?:[.,]\d+)?)(?:[:;]\d\d)?", re.ASCII)
_NUMBER = re.compile(r"\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|-0+(?:\.0*)?", re.ASCII)
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")
_REMARK = re.compile(r"<([^<>\s][^<>]*)>")
_JOINED_LEFT = re.compile(r"[.,!?;:…%)\]}’”»。，、！？；：]+|['’](?:s|re|ve|ll|d|m)|n['’]t", re.IGNORECASE)
_OPENING = tuple("([{“«¿¡")
_DECIMALS = re.compile(r"[.,]\d+")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of speech with one start and one end: a word, or a whole segment.

    `start` and `end` are in seconds, or None if unknown. A `joined` token follows the previous token without
    a space. A token that `opens` begins a new turn.
    """

    text: str
    start: float | None = None
    end: float | None = None
    speaker: str | None = None
    joined: bool = False
    opens: bool = False


def tidy(text: str) -> str:
    """Return the printable text with single spaces, also for control characters between words."""
    return one_line(_CONTROLS.sub(" ", text))


def speaker_name(label: str, prefix: str = "") -> str | None:
    """Return a speaker's label as a name: "Speaker N" for a number N after `prefix`, None if it is empty."""
    label = tidy(label)
    number = label.removeprefix(prefix)
    return f"Speaker {number}" if number.isdecimal() else label or None


def with_channel(speaker: str | None, channel: str | None) -> str | None:
    """Return a speaker's name with the channel: "Ann, channel 1"; without a speaker, the channel's name."""
    if channel is None:
        return speaker
    if speaker:
        return f"{speaker}, channel {channel}"
    return f"Channel {channel}" if channel.isdecimal() else channel


def bracket_remark(text: str) -> str:
    """Replace angle brackets around a transcriber's remark: "<inaudible>" becomes "[inaudible]"."""
    return _REMARK.sub(r"[\1]", text)


def per_second(texts: Iterable[str], length: float) -> float:
    """Guess the time units per second of a source, 1 or 1000, from texts spoken in `length` units.

    Nobody takes 20 seconds for every word, or for every five characters. A slower pace means milliseconds.
    """
    words = sum(max(len(text.split()), len(text) // 5) for text in texts)
    return 1000.0 if length > 20.0 * words else 1.0


def seconds(value: object, per_second: float = 1.0) -> float | None:
    """Convert a number or a clock time to seconds, or return None.

    A number, which may be text, counts units of 1/`per_second` seconds. The frames of "1:02:03:12" are
    dropped, because their rate is unknown. Returns None for any other value, for a negative time, and for a
    time over `MAX_SECONDS`.
    """
    if isinstance(value, str):
        text = value.strip()
        if clock := _CLOCK.fullmatch(text):
            hours, minutes, rest = clock.groups()
            second = int(hours or 0) * 3600 + int(minutes) * 60 + float(rest.replace(",", "."))
        elif _NUMBER.fullmatch(text):
            second = float(text) / per_second
        else:
            return None
    elif isinstance(value, bool) or not isinstance(value, int | float):
        return None
    else:
        second = value / per_second if abs(value) <= MAX_SECONDS * per_second else math.inf
    return max(0.0, second) if math.isfinite(second) and -1e-9 <= second <= MAX_SECONDS else None


def end_time(start: float | None, end: float | None, length: float | None) -> float | None:
    """Return an end in seconds; without one, the start and the length give it, if both are known."""
    return start + length if end is None and start is not None and length is not None else end


def space_words(words: Iterable[Token]) -> list[Token]:
    """Set `joined` on the words of a list that has no text beside it, as in normal writing.

    A word joins the previous word if it is a closing mark, a clitic ("'s") or the decimals of a number, if
    the previous word ends in an opening mark, or if both are CJK. If most words have a leading space, a word
    without one joins the previous word too, unless that word ends in punctuation.
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
    """Align timed words with a tidy `text` and adopt its spaces and punctuation.

    The returned tokens, put together, equal the text. Returns None if the text and the list have different
    words.
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
    """Yield the tokens of a turn from its text and its recognized words.

    Words found in the text keep their times. If the first or the last token has no time, it gets the time of
    `whole`, and tokens without a speaker get the speaker of `whole`. The first token opens a turn if `whole`
    does.
    """
    heard = [word for word in words if word.text.strip()]
    tokens = _fit(tidy(text), heard, whole)
    past = whole.start if whole.start is not None or not heard else heard[0].start
    stop = whole.end if whole.end is not None or not heard else heard[-1].end
    for number, token in enumerate(tokens):
        first, last = number == 0, number == len(tokens) - 1
        start, end = token.start, token.end
        if start is None and (first or last):
            start, end = past, stop if last else None
        past = end if end is not None else start if start is not None else past
        opens = first and whole.opens
        yield replace(token, start=start, end=end, speaker=token.speaker or whole.speaker, opens=opens)


def _fit(text: str, heard: Sequence[Token], whole: Token) -> list[Token]:
    """Return the words of a tidy `text` with the times of recognized words that are spelled alike.

    A text of which most words differ becomes one token. The recognized words stand for themselves if there is
    no text, if it differs and several people speak, or if there are too many pairs of words to compare.
    """
    if tokens := align(text, heard):
        return tokens
    count = text.count(" ") + 1
    speakers = {word.speaker for word in heard}
    if not text or len(speakers) > 1 or count * len(heard) > MAX_PAIRS:
        return space_words(heard)
    tokens = match_words(text, heard)
    if sum(token.start is not None for token in tokens) * 2 >= count:
        return tokens
    only_speaker = speakers.pop() if count <= 2 * len(heard) else None  # who says far more words is unknown
    return [replace(whole, text=text, speaker=whole.speaker or only_speaker)]


def match_words(text: str, words: Sequence[Token]) -> list[Token]:
    """Give the words of a tidy `text` the times and speakers of the same words in a list.

    Matches the longest common runs (`difflib`). An unmatched word gets the speaker of the previous word.
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
    """Return the offset of the opening marks that touch the word at `begin`, not before `end`."""
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
    """Return a transcript of format `name` from one line of tokens, or from several parallel lines.

    A turn ends where the speaker changes, where a token opens a new turn, and at a long pause: over `PAUSE`
    seconds for an unknown speaker, over `EXCHANGE` seconds if there are several lines.

    Raises FormatError if there are no words.
    """
    timed = []
    for line in lines:
        start = 0.0
        for turn in _turns(line, several=len(lines) > 1):
            start = turn.start if turn.start is not None else start
            timed.append((start, turn))
    if len(lines) > 1:  # merge parallel lines; an untimed turn stays after the previous turn of its line
        timed.sort(key=itemgetter(0))
    turns = [turn for _, turn in timed]
    if not turns:
        raise source.error("the whole of it", "a transcript with words", "no words")
    turns, moved = in_order(turns)
    notes = [*warnings, *([backwards_warning(moved)] if moved else [])]
    return Transcript(tuple(turns), name, details or Details(), tuple(sections), part, tuple(notes))


def backwards_warning(moved: int) -> str:
    """Return the warning that tells how many timestamps `in_order` moved."""
    times = "one time" if moved == 1 else f"{moved} times"
    return f"{times} ran backwards, moved to the last one before"


def in_order(turns: Iterable[Turn]) -> tuple[list[Turn], int]:
    """Return the turns with timestamps that never decrease, and the number of timestamps moved.

    Timestamps never decrease within a turn, nor from the start of one turn to the start of the next. Turns
    may overlap. A timestamp that decreases is set to the previous one. The count ignores moves of up to half
    a millisecond.
    """
    ordered, floor, moved = [], 0.0, 0
    for turn in turns:
        if turn.start is None:
            ordered.append(turn)
            continue
        times = [turn.start, *(second for _, second in turn.marks)]
        times += [] if turn.end is None else [turn.end]
        risen = list(accumulate(times, max, initial=floor))[1:]
        late = [after - before > 0.0005 for before, after in zip(times, risen, strict=True)]
        moved += sum(late[1:] if turn.marks and turn.marks[0][0] == 0 else late)
        floor = risen[0]
        marks = tuple((at, second) for (at, _), second in zip(turn.marks, risen[1:], strict=False))
        ordered.append(replace(turn, start=floor, end=None if turn.end is None else risen[-1], marks=marks))
    return ordered, moved


def _turns(line: Iterable[Token], *, several: bool) -> list[Turn]:
    tokens = list(_clean_tokens(line))
    begins = [at for at in range(len(tokens)) if at == 0 or _opens_turn(tokens[at - 1], tokens[at], several)]
    edges = [*begins, len(tokens)]
    tokens = _time_edges(tokens, edges)
    return [_turn(tokens[a:b]) for a, b in pairwise(edges)]


def _clean_tokens(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield the tokens that have text, tidied, with untimed punctuation merged into the previous word.

    If a token without text opens a turn, the next token opens it instead.
    """
    previous: Token | None = None
    opens = False
    for token in tokens:
        text = tidy(token.text)
        opens = opens or token.opens
        if not text:
            continue
        is_mark = token.start is None and token.end is None and not any(c.isalnum() for c in text)
        if previous and token.joined and not opens and is_mark and token.speaker == previous.speaker:
            previous = replace(previous, text=previous.text + text)
            continue
        if previous:
            yield previous
        same = text == token.text and opens == token.opens
        previous = token if same else replace(token, text=text, opens=opens)
        opens = False
    if previous:
        yield previous


def _opens_turn(before: Token, token: Token, several: bool) -> bool:
    """Return whether a token begins a new turn."""
    if token.opens or token.speaker != before.speaker:
        return True
    if token.start is None or before.end is None or (token.speaker and not several):
        return False
    return token.start - before.end > (EXCHANGE if several else PAUSE)


def _time_edges(tokens: list[Token], edges: Sequence[int]) -> list[Token]:
    """Estimate the times of untimed tokens at the edges of turns from the timed tokens around them.

    A turn starts with its first word, whether or not that word has a time.
    """
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
    """Estimate times at the edges of turns within a run of untimed tokens between two timed tokens.

    Words that end a turn are timed forward from the previous time. The other words are timed backward from
    the next time.
    """
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
    """Return the mark for the end of a token, at offset `at`, if a pause follows.

    Offsets must increase. Without a space between the two tokens, the mark goes before the last character.
    """
    if token.start is None or token.end is None or following.start is None:
        return []
    at -= following.joined
    if following.start - token.end <= SILENCE or (following.joined and len(token.text) < 2):
        return []
    return [(at, max(token.start, token.end))]


def _joins_left(text: str, before: str) -> bool:
    if _JOINED_LEFT.fullmatch(text) or before[-1:] in _OPENING:
        return True
    if _DECIMALS.fullmatch(text):
        return before[-1:].isdecimal()
    return bool(_UNSPACED.match(text[:1]) and _UNSPACED.match(before[-1:]))
