"""Recognition of speakers in captions: voice tags, "NAME:", ">> NAME:", "[NAME]" and dialogue dashes."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from onrecord.ingest.formats.caption_terms import Sentence, doubtful_names
from onrecord.ingest.formats.labels import (
    Label,
    ends_sentence,
    has_label_shape,
    is_name,
    is_remark,
    is_role,
    label_at,
    opening_at,
    speaker_names,
)
from onrecord.ingest.formats.markup import Caption, Words, written
from onrecord.ingest.formats.separators import take_turns
from onrecord.types import Marks

MIN_SENTENCES = 0.25
"""The minimum share (0 to 1) of captions that end a sentence in a file with punctuation.

In a file without punctuation, a speaker may begin after any words.
"""
MIN_LABELLED = 0.5
"""The minimum share (0 to 1) of captions with labels at which the labels need no more evidence."""
MIN_UNNAMED = 0.2
"""The minimum ratio of dialogues without names to labels at which a label is no longer than its sentence."""
MAX_FIRST = 3
"""The index, counted from 0, of the last caption in which the first of several speakers may begin."""

_CHEVRONS = re.compile(r"(?<!\S)>>+[ \t]*|\[SPEAKER_TURN\]\s*")
_BRACKETED = re.compile(r"(?:\[(?P<square>[^\[\]:]{1,40})\]|\((?P<round>[^():]{1,40})\)):?\s*")
_WORD = re.compile(r"[^\W\d_]+")
_DASH = re.compile(r"[-–—‐−](?P<blank> ?)(?=[^\s\d>–—-])")


@dataclass(frozen=True, slots=True)
class Cue:
    """The words of one speaker in a caption, with `start` and `end` in seconds.

    `marks` are word times as (offset in `text`, second). Both values increase and stay within the cue. No
    mark stands at the first character, which is spoken at `start`. At a cue that `opens`, another speaker
    begins, whether known or not.
    """

    text: str
    speaker: str | None
    start: float
    end: float
    marks: Marks = ()
    opens: bool = False


@dataclass(frozen=True, slots=True)
class Beginning:
    """A place in a line where a speaker may begin.

    `at` is the offset of its sign, such as a dash, and `words` is the offset after the sign. At a `sure`
    place, another speaker does begin, whether named or not.
    """

    at: int
    words: int
    sure: bool = False


@dataclass(frozen=True, slots=True)
class _Part:
    words: Words
    speaker: str | None
    opens: bool = False


class Voices:
    """The speakers of captions, found by their labels and signs.

    A speaker continues until another speaker begins, or until a caption begins like another label, but
    without a known speaker. A voice tag names the speaker of the tagged words only.
    """

    def __init__(self, captions: Sequence[Caption]) -> None:
        self._captions = captions
        small = _small_words(captions)
        self._small = bool(small)
        self._unpointed = _are_unpointed(captions)
        self._bracketed = _bracketed_names(captions, small)
        labels = list(_labels(captions, self._bracketed, self._unpointed))
        names = _speakers(labels, len(captions), small)
        marked = {label.name for label in labels if label.marked}
        self._doubtful = doubtful_names(_sentences(captions), names, marked, small)
        self._names = names - self._doubtful

    def cues(self) -> Iterator[Cue]:
        """Split the captions into cues where the speaker changes.

        The time of a caption is divided among its speakers in proportion to their characters.
        """
        speaker, before = None, ""
        for caption in self._captions:
            parts: list[_Part] = []
            dialogue = _is_dialogue(caption)
            if self._names_some and ends_sentence(before):
                speaker = None
            for line in caption.lines:
                for number, words in enumerate(line):
                    if words.voice is not None:
                        parts.append(_Part(words, words.voice))
                    else:
                        places = beginnings(
                            words.text, number == 0, dialogue or self._is_dash_of_speaker(words.text, before)
                        )
                        parts += self._split_words(words, places, speaker, before)
                    speaker = parts[-1].speaker if words.voice is None else None
                    before = words.text
            yield from _time_parts(caption, _join_parts(parts))

    def warnings(self) -> list[str]:
        """Return warnings if captions begin with the label of an unknown speaker or with likely terms."""
        terms = ", ".join(map(repr, sorted(self._doubtful)[:5]))
        doubt = [f"perhaps speakers, but read as words: {terms}"] if terms else []
        if self._names_some:
            doubt.append(
                "some speakers have a dash and no name: a name counts only up to the end of a sentence"
            )
        found = dict.fromkeys(
            unit
            for unit, text, place, before in _places(self._captions)
            if self._is_unknown(text, place, before)
        )
        if not found:
            return doubt
        first = self._captions[next(iter(found))].place
        return [
            f"captions that begin like a label of somebody unknown: {len(found)}, first in {first}; "
            "they have no speaker",
            *doubt,
        ]

    def _split_words(
        self, words: Words, places: Sequence[Beginning], speaker: str | None, before: str
    ) -> Iterator[_Part]:
        """Split a run of words at the places where a speaker may begin.

        `speaker` is the current speaker, and `before` is the previous text.
        """
        ends = [*(place.at for place in places), len(words.text)]
        if ends[0] > 0 or not places:
            yield _Part(words.part(0, ends[0]), speaker)
        for beginning, end in zip(places, ends[1:], strict=True):
            label = _label(words.text, beginning.words, self._bracketed)
            begin = beginning.words
            if label and label.name in self._names:
                speaker = None if is_remark(label.name) else label.name
                begin = label.end if speaker else begin  # "Intro: Ann reads the news." is said as it is
            elif (
                beginning.sure
                or self._is_unknown(words.text, beginning, before)
                or (ends_sentence(before) and self._directs_another(speaker, words.text[begin:]))
            ):
                speaker = None
            yield _Part(words.part(begin, end), speaker, opens=beginning.sure)

    def _directs_another(self, speaker: str | None, text: str) -> bool:
        """Return whether a stage direction about another known speaker begins a text: "(ANN SIGHS)"."""
        match = _BRACKETED.match(text)
        if match is None:
            return False
        inside = (match["square"] or match["round"]).casefold()
        return any(inside.startswith(f"{name.casefold()} ") for name in self._names - {speaker})

    def _is_dash_of_speaker(self, text: str, before: str) -> bool:
        """Return whether a dash at the head of a line begins a reply or precedes a speaker's label."""
        dash = _DASH.match(text)
        if dash is None:
            return False
        if not self._names and dash["blank"] and ends_sentence(before):
            return True
        label = _label(text, dash.end(), self._bracketed)
        return label is not None and label.name in self._names

    @cached_property
    def _names_some(self) -> bool:
        """Whether dialogues with dashes show that only some of the speakers have labels."""
        named = 0
        unnamed = {unit for unit, caption in enumerate(self._captions) if _is_dialogue(caption)}
        for unit, text, place, _ in _places(self._captions):
            label = _label(text, place.words, self._bracketed)
            if label and label.name in self._names:
                named += 1
                unnamed.discard(unit)
        return named > 0 and len(unnamed) >= MIN_UNNAMED * named

    # ---------------------------------------------------------------- labels of unknown speakers

    def _is_unknown(self, text: str, place: Beginning, before: str) -> bool:
        """Return whether a sentence begins like the labels of the file, but names no known speaker.

        Such words before a colon may be a telephone number, a role or a long name. In a file with labels in
        capitals, they are in capitals, too.
        """
        if place.sure or not (self._unpointed or ends_sentence(before)):
            return False
        opening = opening_at(text, place.words)
        if opening is None or opening.name in self._names:
            return False
        if self._have_capitals:
            is_alike = opening.name == opening.name.upper()
            return is_alike and (opening.name.isupper() or self._are_labelled)
        return self._are_labelled and has_label_shape(opening.name)

    @cached_property
    def _have_capitals(self) -> bool:
        """Whether all names are in capitals, unlike the words."""
        return self._small and bool(self._names) and all(map(str.isupper, self._names))

    @cached_property
    def _are_labelled(self) -> bool:
        """Whether most captions begin with a known speaker's label or with words of the same form."""
        plain, units = 0, set[int]()
        for unit, text, place, before in _places(self._captions):
            label = _label(text, place.words, self._bracketed)
            if label and label.name in self._names:
                plain += not place.sure
                units.add(unit)
                continue
            opening = opening_at(text, place.words)
            if opening and ends_sentence(before) and has_label_shape(opening.name):
                units.add(unit)
        return plain > 0 and len(units) >= MIN_LABELLED * len(self._captions)


def _speakers(found: Sequence[Label], captions: int, small: frozenset[str]) -> frozenset[str]:
    """Return those of the labels found in a number of captions that name speakers.

    A colon alone is weak evidence, as in "Myth: ...". Several names in capitals, a marked label or a role are
    enough. All other labels name speakers only if they cover the file, begin it, or take turns. In the last
    two cases, at least one label must not also occur in the file in lower case, as one of the `small` words.
    """
    names = speaker_names(found, captions)
    labels = [label for label in found if label.name in names]
    capitals = {name for name in names if small and name.isupper()}
    if len(capitals) > 1 or any(label.marked or is_role(label.name) for label in labels):
        return names
    if not labels or len({label.unit for label in labels}) >= MIN_LABELLED * captions:
        return names
    first = labels[0].unit
    begins = first <= MAX_FIRST if len(names) > 1 else first == 0 and len(labels) == 1
    is_trusted = begins or take_turns([label.name for label in labels], captions - first)
    return names if is_trusted and not small.issuperset(map(str.lower, names)) else frozenset()


def _is_dialogue(caption: Caption) -> bool:
    """Return whether at least two lines of a caption begin with a dash."""
    return sum(bool(_DASH.match(line[0].text)) for line in caption.lines) > 1


def _are_unpointed(captions: Sequence[Caption]) -> bool:
    """Return whether hardly any caption ends a sentence."""
    ended = sum(ends_sentence(caption.texts[-1]) for caption in captions)
    return ended < MIN_SENTENCES * len(captions)


def _sentences(captions: Sequence[Caption]) -> list[Sentence]:
    """Return the beginnings of the sentences, with words or a label, that begin where a speaker may begin."""
    found = []
    for _, text, place, before in _places(captions):
        opening = label_at(text, place.words)
        if place.sure or ends_sentence(before):
            begin = opening.end if opening else place.words
            found.append(Sentence(opening.name if opening else "", text[begin : begin + 20]))
    return [sentence for sentence in found if sentence.label or any(map(str.isalnum, sentence.words))]


def _small_words(captions: Sequence[Caption]) -> frozenset[str]:
    """Return the words that occur in the captions in lower case."""
    texts = (text for caption in captions for text in caption.texts)
    return frozenset(word for text in texts for word in _WORD.findall(text) if word.islower())


def _labels(captions: Sequence[Caption], bracketed: frozenset[str], unpointed: bool) -> Iterator[Label]:
    """Yield all possible speakers' labels in the captions, which are `unpointed` if few end a sentence."""
    for unit, text, beginning, before in _places(captions):
        if label := _label(text, beginning.words, bracketed):
            opens = beginning.sure or unpointed or ends_sentence(before)
            marked = label.marked or (beginning.sure and is_name(label.name))
            yield replace(label, unit=unit, opens=opens, marked=marked)


def _label(text: str, at: int, bracketed: frozenset[str]) -> Label | None:
    """Return a possible speaker's label at an offset; `bracketed` are the accepted names in brackets."""
    label = label_at(text, at)
    if label or not bracketed:
        return label
    match = _BRACKETED.match(text, at)
    name = _bracketed_name(text, at)
    return Label(name, match.end(), marked=True) if match and name in bracketed else None


def _bracketed_name(text: str, at: int) -> str:
    """Return a possible name in brackets at an offset ("[Ann] So"), or an empty string."""
    match = _BRACKETED.match(text, at)
    name = (match["square"] or match["round"]).strip() if match else ""
    return name if is_name(name) and not is_remark(name) else ""


def _bracketed_names(captions: Sequence[Caption], small: frozenset[str]) -> frozenset[str]:
    """Return the names in brackets before words if they name speakers, else an empty set.

    They do if they begin the file and take turns, and if the file has no labels with colons. A name does not
    also occur in lower case, as one of the `small` words.
    """
    names = []
    for _, text, beginning, _ in _places(captions):
        if label_at(text, beginning.words):
            return frozenset()
        names.append(_bracketed_name(text, beginning.words))
    if not names or not names[0]:  # a file with named speakers names the first one; a sound may come later
        return frozenset()
    counts = Counter(name for name in names if name.lower() not in small)  # "[Cheering]" is no name
    recurring = [name for name in names if name and counts[name] > 1]
    return frozenset(filter(None, counts)) if take_turns(recurring, len(captions)) else frozenset()


def _places(captions: Sequence[Caption]) -> Iterator[tuple[int, str, Beginning, str]]:
    """Yield the places where speakers may begin: caption index, text, place, and previous text."""
    before = ""
    for unit, caption in enumerate(captions):
        for line in caption.lines:
            for number, words in enumerate(line):
                for beginning in beginnings(words.text, number == 0, True) if words.voice is None else ():
                    yield unit, words.text, beginning, before
                before = words.text


def beginnings(text: str, line_begins: bool, dashes: bool) -> list[Beginning]:
    """Return the places in a line, or in a part of a line, where a speaker may begin.

    `line_begins` tells whether the text stands at the beginning of its line. If `dashes` is True, a dash at
    that beginning marks a speaker.
    """
    places = [Beginning(m.start(), m.end(), True) for m in _CHEVRONS.finditer(text)]
    if line_begins and not (places and places[0].at == 0):
        dash = _DASH.match(text) if dashes else None
        places.insert(0, Beginning(0, dash.end() if dash else 0, bool(dash)))
    return places


def _join_parts(parts: Sequence[_Part]) -> list[_Part]:
    """Join the words of a speaker on several lines of a caption, and drop parts without words."""
    groups: list[list[_Part]] = []
    for part in parts:
        if groups and not part.opens and part.speaker == groups[-1][0].speaker:
            groups[-1].append(part)
        else:
            groups.append([part])
    joined = []
    for group in groups:
        texts, marks, length = [], [], 0
        for words in (part.words for part in group if part.words.text):
            marks += [(at + length, second) for at, second in words.marks]
            texts.append(words.text)
            length += len(words.text) + 1
        if texts:
            joined.append(replace(group[0], words=Words(" ".join(texts), group[0].words.voice, tuple(marks))))
    return joined


def _time_parts(caption: Caption, parts: Sequence[_Part]) -> Iterator[Cue]:
    """Yield a cue for each part of a caption, timed by characters between the plausible word times."""
    begins = [0]
    for part in parts:
        begins.append(begins[-1] + len(part.words.text) + 1)
    points = [(0, caption.start)]
    times = [(at + base, s) for part, base in zip(parts, begins, strict=False) for at, s in part.words.marks]
    for at, second in [*times, (begins[-1], caption.end)]:
        if at > points[-1][0] and points[-1][1] <= second <= caption.end:
            points.append((at, second))
    for part, base, end in zip(parts, begins, begins[1:], strict=False):
        first, last = (bisect_left(points, (at,), 1, len(points) - 1) for at in (base + 1, end))
        marks = tuple((at - base, s) for at, s in points[first:last])
        start, stop = _second_at(points, base), _second_at(points, end)
        text = written(part.words.text)
        yield Cue(text, part.speaker, start, stop, marks, part.opens)


def _second_at(points: Sequence[tuple[int, float]], at: int) -> float:
    i = bisect_right(points, (at, float("inf")))
    (before, start), (after, end) = points[max(i - 1, 0)], points[min(i, len(points) - 1)]
    share = (at - before) / (after - before) if after > before else 0.0
    return round(start + share * (end - start), 3)
