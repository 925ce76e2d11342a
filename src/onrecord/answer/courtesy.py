"""What is said to somebody and asks nothing: "hello", "thanks", "test". It gets a word back, not a search."""

from __future__ import annotations

import re
from collections.abc import Sequence

from onrecord.answer.phrases import phrases
from onrecord.stores.base import Reader
from onrecord.stores.words import fold
from onrecord.types import Answer, Evidence, Exchange, Question, one_line

_PHRASES = (
    (
        "en",
        "greeting",
        "hello/hi/hey/hiya/howdy/hello there/hi there/hey there/how are you/how are you doing",
    ),
    ("en", "greeting", "good morning/good afternoon/good evening/good day/what s up"),
    ("en", "thanks", "thanks/thank you/thx/many thanks/thanks a lot/thank you so much/thank you very much"),
    ("en", "parting", "bye/goodbye/bye bye/good night/see you"),
    ("en", "trial", "test/testing/this is a test/ping/hello world"),
    ("en", "help", "help/help me/what can you do/what can i ask/what can i ask you/what can i ask here"),
    ("fr", "greeting", "bonjour/bonsoir/salut/coucou/bonjour a tous/ca va/comment ca va/comment allez vous"),
    ("fr", "thanks", "merci/merci beaucoup/merci bien/un grand merci"),
    ("fr", "parting", "au revoir/bonne nuit/bonne journee/a bientot"),
    ("fr", "trial", "essai/ceci est un test/ceci est un essai"),
    ("fr", "help", "aide/aidez moi/aide moi/que peux tu faire/que pouvez vous faire/que puis je demander"),
)
_SAID = {phrase: (code, kind) for code, kind, told in _PHRASES for phrase in told.split("/")}
_MOST = max(len(phrase.split()) for phrase in _SAID)
_LONGEST = 60
"""Characters: what is longer asks something."""


def courtesy(text: str) -> tuple[str, str] | None:
    """The language and the kind of what is said out of courtesy, or to try whether somebody is there:
    ("en", "greeting") for "Hello!"; of several, those of the first. None for all that asks something."""
    words = re.findall(r"\w+", fold(text)) if len(text) <= _LONGEST else []
    first = None
    while words:
        sizes = range(min(_MOST, len(words)), 0, -1)
        size = next((n for n in sizes if " ".join(words[:n]) in _SAID), 0)
        if not size:
            return None
        first = first or _SAID[" ".join(words[:size])]
        words = words[size:]
    return first


def answered(question: Question, store: Reader) -> Answer | None:
    """The word back: what can be asked, with a recording in scope as the example, in its language if there is
    one. None where something is asked. Nothing was searched: there are no moments and no citations."""
    said = courtesy(question.text)
    if said is None:
        return None
    language, kind = said
    words, there = phrases(language), store.recordings(question.scope)
    told = words.empty_scope if question.scope else words.empty_archive
    if there:
        example = next((r for r in there if (r.details.language or "").startswith(language)), there[0])
        told = words.can_ask(len(there), one_line(example.title))
    heading = f"{words.replies[kind]} {told}"
    return Answer(question.text, heading, "", "nothing_found", (), Evidence(question))


def asking(history: Sequence[Exchange]) -> tuple[Exchange, ...]:
    """The turns of a conversation that ask something, which later ones may lean on."""
    return tuple(turn for turn in history if courtesy(turn.question) is None)
