"""Conversion of linguists' annotation tiers to tokens: selection of tiers with words, and their speakers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
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
_IDENTIFIER = re.compile(r"\w+@\w+|[^\W_]+(?:[_.-]+[^\W_]+){2,}")
"""A tier's name with several parts, as programs write it: "A_phrase-gls-en", "tx@A"."""
_SEPARATORS = ("_", "@")
"""Signs between a speaker and the kind of a tier."""
MAX_COMPARED = 100
"""The maximum number of tiers with which each tier is compared, so that the time grows with their number."""
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
    spoken = [tier for tier in spoken if has_words(i.text for i in tier[2])] or spoken
    spoken = _without_renderings(spoken)
    whole = [tier for tier in spoken if not _WORD_TIER.search(tier[0])]
    whole_speakers = {_speaker(tier) for tier in whole}
    distinct = [tier for tier in spoken if tier in whole or _speaker(tier) not in whole_speakers]
    lines = []
    for tier, (name, who, intervals) in zip(distinct, _without_kinds(distinct), strict=True):
        speaker = _speaker((name, who, intervals))
        if speaker is None and len(distinct) > 1:
            speaker = speaker_name(tier[0])
        lines.append([Token(i.text, i.start, i.end, speaker) for i in intervals if _is_speech(i)])
    return [line for line in lines if line]


def has_words(texts: Iterable[str]) -> bool:
    """Return whether the texts of a tier are more than sounds and the numbers of segments ("Tale.001")."""
    return any(
        not _SILENCE.fullmatch(text) and (" " in text or not any(map(str.isdecimal, text)))
        for text in map(str.strip, texts)
    )


def _without_renderings(tiers: Sequence[Tier]) -> list[Tier]:
    """Return the tiers without those that render one of the `MAX_COMPARED` tiers kept before them."""
    kept: list[_Timed] = []
    for timed in map(_timed, tiers):
        if not any(timed.renders(other) for other in kept[-MAX_COMPARED:]):
            kept.append(timed)
    return [timed.tier for timed in kept]


@dataclass(frozen=True, slots=True)
class _Timed:
    """A tier with its speaker, the parts of its name, and the times of its speech.

    `names` says whether its name is that of a speaker, or written like one.
    """

    tier: Tier
    speaker: str | None
    names: bool
    parts: frozenset[str]
    spans: frozenset[tuple[float | None, float | None]]

    def renders(self, other: _Timed) -> bool:
        """Return whether this tier translates or describes another one: all its intervals have times of that.

        If the names show two people, it does not. A tier with a single interval must also share a part of its
        name with the other one.
        """
        if (None, None) in self.spans or not self.spans <= other.spans:
            return False
        known = self.names and other.names and None not in (self.speaker, other.speaker)
        if known and self.speaker != other.speaker:
            return False
        return len(self.spans) > 1 or not self.parts.isdisjoint(other.parts)


def _timed(tier: Tier) -> _Timed:
    name, who, intervals = tier
    return _Timed(
        tier,
        _speaker(tier),
        bool(who) or name[:1].isupper(),
        frozenset({who, *re.split("[_@]", name)} - {""}),
        frozenset((interval.start, interval.end) for interval in intervals if _is_speech(interval)),
    )


def _without_kinds(tiers: Sequence[Tier]) -> list[Tier]:
    """Return the tiers without the kind that all names share: "A" and "B" for "A_txt-en" and "B_txt-en"."""
    for sign in _SEPARATORS:
        parts = [name.partition(sign)[::2] for name, _, _ in tiers]
        first, last = zip(*parts, strict=True) if len(parts) > 1 else ((), ())
        for names, kinds in ((first, last), (last, first)):
            if len(set(kinds)) == 1 and all(kinds) and all(names):
                return [(name, who, each) for name, (_, who, each) in zip(names, tiers, strict=True)]
    return list(tiers)


def _speaker(tier: Tier) -> str | None:
    """Return the speaker of a tier, or the tier's name without its kind; None for a generic name."""
    name, who, _ = tier
    if who:
        return speaker_name(who)
    bare = _KIND.sub("", " ".join(name.split())[:MAX_NAME])
    return None if _GENERIC.fullmatch(bare) or _IDENTIFIER.fullmatch(bare) else speaker_name(bare)


def _is_speech(interval: Interval) -> bool:
    return not _SILENCE.fullmatch(interval.text.strip())
