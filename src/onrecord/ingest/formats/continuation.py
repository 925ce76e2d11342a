"""Detection of the end of a speaker's turn in a document: whether a line without a label continues the turn.

A speaker continues over later paragraphs only in a file with labels from its beginning on. In a lecture with
questions in between, the paragraph below an answer belongs to the lecture again, even if the lecturer has a
label (`onrecord.ingest.formats.lectures`). A line that begins like another turn has no known speaker, nor has
a line that is probably not speech (`onrecord.ingest.formats.confidence`). Depending on the form of the
speaker's label and on the document's habits, such a line may be a link, a caption, a stage direction or
another label.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import takewhile

from onrecord.ingest.formats.confidence import Confidence
from onrecord.ingest.formats.labels import (
    ends_sentence,
    is_clean,
    is_heading,
    is_name,
    is_remark,
    is_titled,
)
from onrecord.ingest.formats.lectures import Lectures
from onrecord.ingest.formats.lines import Line, is_aside, is_caption, is_link, strip_marks
from onrecord.ingest.formats.shapes import MACHINE_MADE, STANDS_OUT, are_mostly
from onrecord.ingest.formats.turns import MIN_TURNS, Turns

MAX_PREAMBLE = 40
"""The maximum number of words above the first label that may be a title, a date or a greeting."""
MAX_PREAMBLE_SHARE = 0.04
"""The maximum share (0 to 1) of words above the first label in a file with labels from its beginning on."""
MAX_SUMMARY_SHARE = 0.15
"""The value of `MAX_PREAMBLE_SHARE` if a heading ("Transcript") stands directly above the first label."""
DASHES = ("—", "–")
"""Signs that begin a speaker's words in the dialogues of novels."""
NOT_SPOKEN = tuple("=>#|→⇒")
"""Signs that never begin a spoken paragraph, but a decision ("=> merged") or a list number ("#12")."""
MAX_CAPITALS_SHARE = 0.5
"""The maximum share (0 to 1) of lines in capitals in a file in which capitals mark captions."""
MAX_TITLE = 8
"""The maximum number of words in a stage direction in parentheses below a conspicuous label."""

MIN_UNWRAPPED = 160
"""The minimum length, in characters, of a line that is surely a whole paragraph and not wrapped."""


class Continuation:
    """A finder of the lines where a turn ends because nothing shows that its speaker continues."""

    def __init__(self, turns: Turns, confidence: Confidence) -> None:
        self._turns = turns
        self._confidence = confidence
        self._lectures = Lectures(turns)
        self._lines = turns.lines
        self._headings = [at for at, line in enumerate(self._lines) if line.level]
        self._remarks = [at for at in self._headings if is_remark(self._lines[at].words)]
        below = [(self._lines[at], self._lines[at + 1]) for at in turns.labels if at + 1 < len(self._lines)]
        self._hang = len(below) >= MIN_TURNS and all(line.hangs_over(next_) for line, next_ in below)
        """Whether the line below each label is indented and the label is not."""
        self._are_listed = are_mostly(self._lines[at].listed for at in turns.labels)
        """Whether most labels stand in lists, so that each list item is a turn or a note."""
        capitals = sum(line.words.isupper() for line in self._lines)
        self._have_small_letters = capitals < MAX_CAPITALS_SHARE * len(self._lines)

    def nobody(self) -> Iterator[int]:
        """Yield the lines from which on the speaker is unknown."""
        for begin, end in self._turns.runs:
            below = (at for at in self._below(begin, end) if at not in self.asides)
            if (at := next((at for at in below if not self._goes_on(begin, end, at)), None)) is not None:
                yield at

    @cached_property
    def asides(self) -> frozenset[int]:
        """The notes in brackets ("(Laughter)"), which nobody says and below which a turn may go on."""
        return frozenset(
            at
            for begin, end in self._turns.runs
            for at in self._below(begin, end)
            if self._is_note(at) and self._is_aside(begin, at)
        )

    def _below(self, begin: int, end: int) -> list[int]:
        """Return the lines with words below the first words of a turn."""
        worded = [at for at in range(begin + 1, end) if self._turns.words[at]]
        return worded[self._turns.is_bare(begin) :]

    def _is_note(self, at: int) -> bool:
        """Return whether a stage direction is in brackets and names nobody who may speak below it."""
        words = strip_marks(self._lines[at].text[self._turns.heads[at].words :])
        return words[:1] in ("(", "[") and not self._confidence.names_speaker(words)

    def _goes_on(self, begin: int, end: int, at: int) -> bool:
        """Return whether a line continues the turn that begins at a label."""
        if self._is_foreign(begin, at) or self._is_aside(begin, at):
            return False
        line, label = self._lines[at], self._lines[begin]
        if line.opens and (line.ruled or line.quoted != label.quoted):
            return False
        is_paragraph = line.opens or (len(line.text) >= MIN_UNWRAPPED and self._lectures.begins_paragraph(at))
        if is_paragraph and (not self._begins or self._interjects):
            return False
        if self._lectures.goes_on(begin, at) or self._is_below_heading(begin, at):
            return False
        above = self._lines[at - 1].words
        goes_on = above.endswith(":") or (line.words[:1].islower() and not ends_sentence(above))
        # A bracketed afterthought, the rest of a sentence, or a list after a colon continues the turn.
        if is_aside(line.words) or (goes_on and not line.opens):
            return True
        if self._confidence.is_exception(begin, at) and ends_sentence(above):
            return False
        return self._confidence.is_speech(begin, end, at)

    def _is_aside(self, begin: int, at: int) -> bool:
        """Return whether a line is a stage direction: entirely in brackets, or a paragraph in italics.

        A time may stand before a stage direction.
        """
        line = self._lines[at]
        # Below a conspicuous label, a long text in parentheses is an afterthought of the speaker; below a
        # plain name that fills its line, as in plays, only if no blank line sets it off.
        form = self._turns.form(begin)
        is_set_off = line.opens and form == "sign" and self._turns.is_bare(begin)
        if line.words[:1] == "(" and form in STANDS_OUT and not is_set_off:
            short = self._turns.words[at] <= MAX_TITLE or not ends_sentence(line.words.rstrip(") "))
            return short and is_aside(line.words)
        words = strip_marks(line.text[self._turns.heads[at].words :])
        return (line.slanted and line.opens) or is_aside(words)

    def _is_foreign(self, begin: int, at: int) -> bool:
        """Return whether a line begins like another turn, but without a known speaker.

        Such a line is not speech, such as a link, perhaps after a label ("**Links:** ..."). Or it has a label
        in the form of the speaker's label that names no speaker, or a capitalized label that fills the line,
        as in "Ann Bell, Chair:".
        """
        line, head, form = self._lines[at], self._turns.heads[at], self._turns.form(begin)
        label = None if head.alone else head.label
        if head.form == "header" and head.label is None:
            return True
        if head.stamp and head.stamp.of_day:  # another message, or a notice, of a chat
            return True
        if line.tabled or self._lines[begin].tabled or (line.listed and self._are_listed):
            return True
        if at in self._turns.numbered or (self._hang and not line.indented):
            return True
        if self._is_unspoken(begin, line):
            return True
        if label and label.end == len(line.text) and is_titled(label.name):
            return True
        if label is None or head.form != form:
            return form == "nick"
        if form in STANDS_OUT or is_heading(label.name) or is_link(line.text[label.end :]):
            return True
        name = label.name.rstrip("?")  # "P3?:" is perhaps P3
        may_be_titled = name[:1].isupper() or is_titled(name.partition(" ")[2])  # "mgr Bell" is perhaps Bell
        if is_name(name) or (line.opens and may_be_titled and line.text[label.end :][:1].isupper()):
            return True
        return is_clean(name) and not is_name(self._turns.labels[begin].name)

    def _is_unspoken(self, begin: int, line: Line) -> bool:
        """Return whether a line is a link or a caption ("END OF TAPE ONE"), or begins with a special sign."""
        words = line.words
        if is_link(line.text) or words[:1] in NOT_SPOKEN:
            return True
        if words[:1] in DASHES and self._lines[begin].words[:1] not in DASHES:
            return True
        title = is_caption(words) and not ends_sentence(words) and (line.opens or " " in words)
        return title and self._have_small_letters

    def _is_below_heading(self, begin: int, at: int) -> bool:
        """Return whether a heading between the label at `begin` and the line `at` ends the turn."""
        form = self._turns.form(begin)  # the turn of a conspicuous label may continue below a heading
        outlasts = not self._lines[begin].headed and (form in STANDS_OUT or form == "alone")
        ending = self._remarks if outlasts else self._headings  # "Sponsors" or "Break" ends any turn
        place = bisect_right(ending, begin)
        return place < len(ending) and ending[place] < at

    @cached_property
    def _interjects(self) -> bool:
        """Whether only one person has labels, more than one, and most words stand in other paragraphs.

        Others speak in these paragraphs: in an interview with questions as headings, for example, only some
        questions of the interviewer have a label.
        """
        begins = [begin for begin, _ in self._turns.runs]
        is_one = len(begins) > 1 and len(set(self._turns.keys.values())) == 1
        if not is_one or any(self._turns.form(begin) in MACHINE_MADE for begin in begins):
            return False
        own = 0
        for begin, end in self._turns.runs:
            first, *others = [at for at in range(begin, end) if self._turns.words[at]] or [begin]
            same = takewhile(lambda at: not self._lines[at].opens, others)
            own += sum(self._turns.words[at] for at in (first, *same))
        return 2 * own < sum(self._turns.words)

    @cached_property
    def _begins(self) -> bool:
        """Whether the document has labels from its beginning on.

        Few words may stand above the first label, or somewhat more if a heading follows them.
        """
        first = min(self._turns.labels, default=0)
        above = 0
        for at in range(first):
            label = self._turns.heads[at].label
            if not is_link(self._lines[at].text) and not (label and is_heading(label.name)):
                above += self._turns.words[at]  # lines that are not counted are metadata: "Date: ..."
        total = sum(self._turns.words)
        if above <= max(MAX_PREAMBLE, MAX_PREAMBLE_SHARE * total):
            return True
        headed = first > 0 and self._lines[first - 1].level > 0
        return headed and above <= MAX_SUMMARY_SHARE * total
