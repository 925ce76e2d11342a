"""Text that may be shown by a client that renders Markdown, without letting a transcript act there."""

from __future__ import annotations

import re

_ACTS = re.compile(r"(?<=!)(?=\[)|(?<=\])(?=[(:])|(?<=<)(?=[A-Za-z/!?])")
"""Between the two characters that begin an image (fetched unasked), a link, a link's definition, a tag."""


class Inert:
    """Parts, by a space, what would become an image, a link or HTML; also where it is cut into pieces."""

    def __init__(self) -> None:
        self._last = ""

    def __call__(self, piece: str) -> str:
        text = _ACTS.sub(" ", self._last + piece)[len(self._last) :]
        self._last = piece[-1:] or self._last
        return text
