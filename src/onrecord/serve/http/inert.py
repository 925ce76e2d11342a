"""Transcript text made safe for clients that render Markdown."""

from __future__ import annotations

import re

_ACTS = re.compile(r"(?<=!)(?=\[)|(?<=\])(?=[(:])|(?<=<)(?=[A-Za-z/!?])")
"""Matches between two characters that begin an image, a link, a link's definition or a tag.

Clients fetch images without the user's consent.
"""


class Inert:
    """Inserts a space where text would become an image, a link or HTML, even across pieces of a stream."""

    def __init__(self) -> None:
        self._last = ""

    def __call__(self, piece: str) -> str:
        text = _ACTS.sub(" ", self._last + piece)[len(self._last) :]
        self._last = piece[-1:] or self._last
        return text
