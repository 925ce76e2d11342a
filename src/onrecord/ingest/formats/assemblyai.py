"""Reader of AssemblyAI's JSON: `utterances` with words, or a flat list of `words`; times in milliseconds.

It also reads the responses of the endpoints /sentences and /paragraphs. Chapters become sections.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from onrecord.ingest.formats.fields import Field, Speech, check_done, details_of, first_object, json_format
from onrecord.ingest.formats.words import MILLISECONDS, Token, tidy, turn_tokens, with_channel
from onrecord.types import Section

_OWN = frozenset(
    "acoustic_model audio_duration audio_url auto_chapters chapters language_model speaker_labels "
    "speech_model utterances webhook_url".split()
)
_HOLDERS = ("utterances", "words", "sentences", "paragraphs", "text")


def is_own(value: dict[str, Any]) -> bool:
    if not any(holder in value for holder in _HOLDERS) or "segments" in value:
        return False
    # Other services name the word "word", or give words a "type" and count seconds.
    return bool(_OWN & value.keys()) and not {"word", "type"} & first_object(value.get("words")).keys()


def read(root: Field) -> Speech:
    check_done(root["status"], root["error"].text)
    details = details_of(root["language_code"], root["audio_duration"])
    tokens, sections = _tokens(root), []
    for chapter in root["chapters"]:
        span = chapter.span(per_second=MILLISECONDS)
        if title := tidy(chapter.first("gist", "headline", "summary").text):
            sections.append(Section(title, *span))
    return Speech([tokens], details, sections)


FORMAT = json_format("assemblyai", is_own, read, "audio_url text", "words confidence text")


def _tokens(root: Field) -> list[Token]:
    for holder in ("utterances", "paragraphs", "sentences"):
        if root[holder]:
            return list(_spoken(root[holder], opens=holder == "utterances"))
    return list(turn_tokens(root["text"].text, list(_words(root["words"], None)), Token("")))


def _spoken(utterances: Field, *, opens: bool) -> Iterator[Token]:
    for utterance in utterances:
        speaker = _speaker(utterance)
        whole = Token("", *utterance.span(per_second=MILLISECONDS), speaker, opens=opens)
        words = list(_words(utterance["words"], speaker))
        text = utterance["text"].text if words else utterance["text"].words
        yield from turn_tokens(text, words, whole)


def _words(words: Field, speaker: str | None) -> Iterator[Token]:
    for word in words:
        yield Token(word["text"].words, *word.span(per_second=MILLISECONDS), speaker or _speaker(word))


def _speaker(item: Field) -> str | None:
    """Return the speaker's label, or the channel if there is none (an utterance may name both)."""
    return item["speaker"].label or with_channel(None, item["channel"].code)
