"""Transcript text made safe for clients that render Markdown."""

from __future__ import annotations

import re

_ACTS = re.compile(r"(?<=!)(?=\[)|(?<=\])(?=[(:])|(?<=<)(?=[A-Za-z/!?])")
"""Between the two characters that begin an image (fetched unasked), a link, a link's definition, a tag."""


class Inert:
    """Breaks up, with a space, what would become an image, a link or HTML, even across pieces of a stream."""

    def __init__(self) -> None:
        self._last = ""

    def __call__(self, piece: str) -> str:
        text = _ACTS.sub(" ", self._last + piece)[len(self._last) :]
        self._last = piece[-1:] or self._last
        return text
