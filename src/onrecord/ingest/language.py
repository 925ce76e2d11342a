"""The language of a recording, told from its words."""

from __future__ import annotations

from collections.abc import Iterable

_ENOUGH = 2000
"""Characters looked at: more changes nothing."""


def language_of(texts: Iterable[str]) -> str | None:
    """ISO 639-1 code of the language most of the first words are in; None where there are too few
    words to tell. The same texts always give the same answer (py3langid)."""
    sample = ""
    for text in texts:
        sample = f"{sample} {text}"
        if len(sample) > _ENOUGH:
            break
    if len(sample.split()) < 3:
        return None
    from py3langid import classify  # over 1 s to load its model: only when it is asked

    return str(classify(sample[:_ENOUGH])[0])
