"""What a question means, as whoever asks it says: looked through before anything is planned by it."""

from __future__ import annotations

import re
from collections.abc import Collection

from onrecord.errors import InputError, did_you_mean, nearest
from onrecord.types import INTENTS, QuestionHints, one_line

_MOST_QUERIES = 5
"""So many questions share the words of an answer."""
_MOST_NAMES, _LONGEST_NAME = 20, 200


def checked(hints: QuestionHints, longest: int) -> QuestionHints:
    """What was said, as it is planned by: intents and languages by their names ("Multi-entity", "fr-CA",
    "French"), texts as one line each, and each once.

    Raises InputError for an intent or a language that there is not, with the nearest; for a text without
    words, too many of them, or one that is too long; a question of more than `longest` characters is.
    """
    if not hints:
        return hints
    return QuestionHints(
        None if hints.intent is None else _intent(hints.intent),
        None if hints.language is None else _language(hints.language),
        _texts(hints.entities, "name that the question is about", _MOST_NAMES, _LONGEST_NAME),
        _texts(hints.queries, "sub-question", _MOST_QUERIES, longest),
    )


def _intent(said: str) -> str:
    name = re.sub(r"[\s-]+", "_", said.strip().lower())
    if name not in INTENTS:
        hint = did_you_mean(nearest(name, INTENTS), " ")
        raise InputError(f"there is no intent {said[:100]!r}:{hint} there are {', '.join(INTENTS)}")
    return name


def _language(said: str) -> str:
    from onrecord.ingest.formats.languages import CODES, language_code

    code = language_code(said)
    if code is None or code not in CODES.values():
        near = [CODES[name] for name in nearest(said.strip(), CODES)]
        hint = did_you_mean(near, " ")
        raise InputError(f"no language is known as {said[:100]!r}:{hint} give its code, such as en, fr or de")
    return code


def _texts(said: Collection[str], what: str, most: int, longest: int) -> tuple[str, ...]:
    texts = [one_line(text).strip() for text in ([said] if isinstance(said, str) else said)]
    if not all(re.search(r"\w", text) for text in texts):
        raise InputError(f"a {what} has no words: write it out, or leave it out")
    if any(len(text) > longest for text in texts):
        raise InputError(f"a {what} has {max(map(len, texts))} characters: at most {longest} are read")
    texts = list(dict.fromkeys(texts))
    if len(texts) > most:
        raise InputError(f"there are {len(texts)} times a {what}: at most {most} are taken")
    return tuple(texts)
