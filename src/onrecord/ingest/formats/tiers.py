"""Conversion of linguists' annotation tiers to tokens: selection of tiers with words, and their speakers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from onrecord.ingest.formats.words import Token, speaker_name

_SUBTIER = re.compile(
    r"phon|phone|segment|syll|pos\b|gloss|tone|morph|lemma|note|comment|transl|lang", re.IGNORECASE
)
_WORD_TIER = re.compile(r"\bwords?\b|\bwort\b|\bmots?\b|\bort(?:-mau)?\b", re.IGNORECASE)
_GENERIC = re.compile(
    r"(?:utterances?|words?|sentences?|text|transcript(?:ion)?|orthograph(?:y|ic)|ort|speech|default|tier|"
    r"annotation|phrases?|ip|utt|trs|standard|silences?|ort-mau|kan|intervals?|labels?)[\s_-]*\d*",
    re.IGNORECASE,
)
_SILENCE = re.compile(
    r"(?:<[^<>]{0,20}>|\[?(?:sil|sp|spn|silence|pause|noise|xxx?|_+|#|-)\]?|\.+)?", re.IGNORECASE
)
_KIND = re.compile(
    r" ?[-_:] ?(?:words?|text|utterances?|transcription|orth?)$|^(?:words?|text) ?[-_:] ?", re.IGNORECASE
)
MAX_NAME = 200
"""The maximum number of characters of a tier's name that are read."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The words between two times in seconds, which are None if unknown."""

    text: str
    start: float | None
    end: float | None


Tier = tuple[str, str, Sequence[Interval]]
"""A tier's name, its speaker (empty if unknown), and its intervals."""


def tiers_to_tokens(tiers: Sequence[Tier]) -> list[list[Token]]:
    """Return a line of tokens for each tier of speech, without sounds, glosses and comments.

    If a speaker has a tier of utterances and a tier of single words, the tier of single words is skipped.
    """
    spoken = [tier for tier in tiers if not _SUBTIER.search(tier[0])] or list(tiers)
    whole = [tier for tier in spoken if not _WORD_TIER.search(tier[0])]
    whole_speakers = {_speaker(tier) for tier in whole if any(map(_is_speech, tier[2]))}
    distinct = [tier for tier in spoken if tier in whole or _speaker(tier) not in whole_speakers]
    lines = []
    for tier in distinct:
        speaker = _speaker(tier)
        if speaker is None and len(distinct) > 1:
            speaker = speaker_name(tier[0])
        lines.append([Token(i.text, i.start, i.end, speaker) for i in tier[2] if _is_speech(i)])
    return [line for line in lines if line]


def _speaker(tier: Tier) -> str | None:
    """Return the speaker of a tier, or the tier's name without its kind; None for a generic name."""
    name, who, _ = tier
    if who:
        return speaker_name(who)
    bare = _KIND.sub("", " ".join(name.split())[:MAX_NAME])
    return None if _GENERIC.fullmatch(bare) else speaker_name(bare)


def _is_speech(interval: Interval) -> bool:
    return not _SILENCE.fullmatch(interval.text.strip())
