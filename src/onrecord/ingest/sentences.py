"""Sentences, by their place in a text."""

from __future__ import annotations

_WITHIN_WORDS = ".?!:;\"'”’"
"""What ends no sentence where no space follows: ".NET", `project."`. Other scripts' full stops do."""


def sentence_spans(text: str, language: str = "en") -> list[tuple[int, int]]:
    """(begin, end) of every sentence, in characters, without white space around it, in order.

    `language` is an ISO 639 code; rules of a language that is not known are those of English.
    """
    from sentencex import get_sentence_boundaries

    spans: list[tuple[int, int]] = []
    for boundary in get_sentence_boundaries(language, text):
        begin, end = boundary["start_index"], boundary["end_index"]
        begin += len(text[begin:end]) - len(text[begin:end].lstrip())
        end = begin + len(text[begin:end].rstrip())
        if spans and begin == spans[-1][1] and text[begin - 1] in _WITHIN_WORDS:
            begin = spans.pop()[0]
        if end > begin:
            spans.append((begin, end))
    return spans
