"""The messages to users, which agree in all languages."""

from collections.abc import Iterator
from string import Formatter
from typing import Any

import pytest

from onrecord.understand.lexicon import messages_in, read_data

ALL: dict[str, dict[str, Any]] = read_data("messages.yaml")


def texts(value: Any) -> Iterator[str]:
    """Yield all texts of a message, however deeply they are nested."""
    if isinstance(value, str):
        yield value
    else:
        for inside in value.values() if isinstance(value, dict) else value:
            yield from texts(inside)


def fields(value: Any) -> set[str]:
    """Return the lowercase placeholders of a message, without those for counts."""
    names = {name for text in texts(value) for _, name, _, _ in Formatter().parse(text) if name}
    return {name.lower() for name in names} - {"n", "count"}


@pytest.mark.parametrize("language", ALL.keys() - {"en"})
def test_another_language_says_the_same_of_the_same(language: str) -> None:
    """Every message of another language exists in English and has no other placeholders."""
    own = ALL[language]
    assert own.keys() <= ALL["en"].keys()
    for key, value in own.items():
        assert fields(value) <= fields(ALL["en"][key]) | {"said"}, key  # the words of the question


def test_a_count_chooses_the_form_and_is_written_in_words() -> None:
    """A count selects singular or plural; small counts are spelled out."""
    say = messages_in("en").say
    assert say("sure", 1, title="The call") == "The call answers this."
    assert say("sure", 3, title="The call") == "Three recordings answer this, The call most directly."
    assert say("sure", 12, title="The call").startswith("12 recordings")
    assert messages_in("fr-CA").say("sure", 2, title="X") == "Deux enregistrements en parlent, surtout X."
    assert messages_in("de") == messages_in("en")


def test_what_was_said_stays_as_it_is_in_every_language() -> None:
    """Quotation marks depend on the language; the quoted words are unchanged."""
    text = "It cost 1,200 {euros} [1]."
    for language, quoted in (("en", f"“{text}”"), ("fr", f"« {text} »")):
        assert messages_in(language).quote(text) == quoted
        assert text in messages_in(language).introduced("Ann", text)
