"""Detection of labels in captions that are probably terms of a lecture: "Theorem: every field is a ring"."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import takewhile

from onrecord.ingest.formats.labels import is_heading
from onrecord.ingest.formats.separators import take_turns
from onrecord.ingest.formats.terms import may_be_term

MIN_HEADINGS_SHARE = 0.25
"""The minimum share (0 to 1) of heading words ("Example") among labels that are perhaps not of a dialogue."""
MIN_LARGE_SHARE = 0.9
"""The minimum share (0 to 1) of sentences that begin with a capital in captions with capitals."""
MIN_LABELLED = 0.5
"""The minimum share (0 to 1) of sentences with labels in captions that may begin without one."""
MIN_SENTENCES = 2
"""The minimum number of sentences that show how sentences begin."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """The first words of a sentence in captions, and the words before a colon there, or an empty string."""

    label: str
    words: str

    @property
    def first(self) -> str:
        """The first character of the words behind quotation marks and parentheses."""
        return self.words.lstrip("“\"'(")[:1]


def doubtful_names(
    sentences: Sequence[Sentence], names: Collection[str], marked: Collection[str], small: Collection[str]
) -> frozenset[str]:
    """Return the names that are perhaps terms; `small` are the words that occur in lower case.

    Those that are `marked`, names in capitals, full names and roles are never terms.
    """
    open_to_doubt = {
        name for name in names if name not in marked and may_be_term(name) and not name.isupper()
    }
    if not open_to_doubt:
        return frozenset()
    defined = [sentence for sentence in sentences if sentence.label in open_to_doubt]
    others = [sentence for sentence in sentences if sentence.label not in open_to_doubt]
    begin_small = all(sentence.first.islower() for sentence in defined)
    if len(defined) >= MIN_SENTENCES and _have_capitals(others) and begin_small:
        return frozenset(open_to_doubt)
    if len(open_to_doubt) == len(names) and _is_within_speech(sentences, names):
        return frozenset(open_to_doubt)
    common = sum(name.lower() in small for name in open_to_doubt)
    if _have_capitals(sentences) and 2 * common > len(open_to_doubt):
        return frozenset(open_to_doubt)
    labels = [each.label for each in sentences if each.label in names or is_heading(each.label)]
    headings = sum(map(is_heading, labels))
    is_lecture = headings >= max(2, MIN_HEADINGS_SHARE * len(labels)) and not take_turns(labels, len(labels))
    return frozenset(open_to_doubt if is_lecture else ())


def _is_within_speech(sentences: Sequence[Sentence], names: Collection[str]) -> bool:
    """Return whether somebody speaks above the first name, and few names stand between other sentences."""
    labels = [each.label for each in sentences if each.label in names]
    above = takewhile(lambda each: each.label not in names, sentences)
    speaks = any(not each.label and each.words.lstrip("“\"'")[:1].isalnum() for each in above)
    return speaks and len(labels) < MIN_LABELLED * len(sentences) and not take_turns(labels, len(sentences))


def _have_capitals(sentences: Sequence[Sentence]) -> bool:
    """Return whether sentences begin with capitals; those that begin with another sign show nothing."""
    letters = [letter for each in sentences if (letter := each.first).isupper() or letter.islower()]
    return len(letters) >= MIN_SENTENCES and sum(map(str.isupper, letters)) >= MIN_LARGE_SHARE * len(letters)
