"""Speakers of one recording: labels that differ only in form are one person."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from onrecord.types import Details, Transcript

_TITLES = {"dr", "mr", "mrs", "ms", "mx", "prof", "professor", "sir", "m", "mme", "mlle"}
_HONOURABLE = re.compile(
    r"^\s*(?:the\s+)?(?:(?:right|rt)\.?\s+hon\b|hon\.|(?:(?:right|rt)\.?\s+)?honou?rable\b)"
)
"""As members of parliaments are styled; not the given name Hon."""


OFFICES = frozenset(
    """
    adviser advisor agent analyst anchor animateur animatrice caller ceo cfo chair chairman chairperson
    chairwoman clerk client cofounder coo coordinator correspondent counsel cto customer designer
    developer directeur director directrice doctor editor engineer founder guest head host interviewee
    interviewer invite invitee journalist journaliste judge lead leader maire manager mayor member
    minister ministre moderator narrator nurse officer operator partner patient presenter president
    producer professor rep reporter representative secretary speaker student support teacher technician
    treasurer vp witness
    """.split()
)
"""Words that tell what somebody is from a name, and from "(remote)"."""
_WITH_OFFICES = frozenset(
    "acting chief deputy executive financial operating technology vice the le la".split()
)
_LONGEST = 120
"""Characters of a label; what is longer is no label."""
_ANY = 500
"""Characters of whatever stands where a label should."""
_ASIDE = re.compile(
    r"(?P<name>[^()\[\]{},]*\w)\s*"
    r"(?:[(\[{](?P<inside>[^()\[\]{}]+)[)\]}]\s*|(?:,|\s--?|\s[–—])\s+(?P<behind>[^()\[\]{}]+))"
)
_SHORT = re.compile(r"(?P<name>[^()\s][^()]*[^()\s])\s*\((?P<short>\w{2,5})\)")
_NESTED = re.compile(r"(?<=[^\s(])\s*\([^()]*\)(?=[^()]*\))")


def parted(label: str) -> tuple[str, str | None]:
    """A speaker's name and what the label says that they are: "Brendan Kelly" and "host" of "Brendan Kelly
    (host)", "Rosa" and "Agent" of "Agent (Rosa)". The whole label and None where it says no such thing."""
    found = _ASIDE.fullmatch(_NESTED.sub("", label)) if len(label) <= _LONGEST else None
    if not found:
        return label, None
    name, aside = found["name"], (found["inside"] or found["behind"]).strip()
    if _words(aside) & OFFICES:
        return name, aside
    if found["inside"] and aside[0].isupper() and _words(name) <= OFFICES | _WITH_OFFICES:
        return aside, name.removeprefix("The ")
    return label, None


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def name_key(label: str) -> tuple[str, ...]:
    """What two labels of one person have in common: their words without case, accents, titles, roles,
    punctuation and order of "Kelly, Brendan". Empty for a label without letters or digits."""
    label, role = parted(label[:_ANY])
    label = re.sub(r"[(\[{].*?[)\]}]", " ", label) if re.match(r"\s*\w", label) else label
    if role is None and label.count(",") == 1:
        last, first = label.split(",")
        label = f"{first} {last}"
    plain = unicodedata.normalize("NFKD", label.casefold())
    plain = _HONOURABLE.sub("", "".join(c for c in plain if not unicodedata.combining(c)))
    words = re.findall(r"[^\W_]+", plain)
    named = tuple(word for word in words if word not in _TITLES)
    return named if any(len(word) > 1 for word in named) else tuple(words)  # "Professor D" is not D


def one_name_each(labels: Iterable[str], people: Sequence[str] = ()) -> Mapping[str, str]:
    """For every label the one name its speaker goes by in this recording.

    Labels with equal `name_key` are one person. A label that is part of exactly one fuller name, of a
    label or of `people` credited ("Brendan" of "Brendan Kelly"), is that person; one that could be two
    people stays as it is: a speaker is never guessed.
    """
    counts = Counter(labels)
    short = _short_forms([*people, *counts])
    best: dict[tuple[str, ...], str] = {}
    for label in [*people, *sorted(counts, key=lambda label: (_oddness(label), -counts[label]))]:
        best.setdefault(name_key(label), label.strip())
    best.pop((), None)
    names = {}
    for label in counts:
        key = name_key(label)
        fuller = [k for k in best if _is_part(key, k)]
        key = short.get(label.strip(), key)
        names[label] = best.get(fuller[0] if len(fuller) == 1 else key, label.strip())
    return names


def _short_forms(labels: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The short forms that labels tell of themselves, with the key of whose they are: "LF" of "Lloyd Fournier
    (LF)"."""
    found = (_SHORT.fullmatch(label) for label in labels if len(label) <= _LONGEST)
    keys: dict[str, set[tuple[str, ...]]] = {}
    for each in found:
        if each:
            keys.setdefault(each["short"], set()).add(name_key(each["name"]))
    return {short: next(iter(some)) for short, some in keys.items() if len(some) == 1}


def with_one_name_each(transcript: Transcript) -> Transcript:
    """The transcript with every speaker's label replaced by the one name that the speaker goes by, and with
    the roles that labels tell among its attributes ("host": "Brendan Kelly")."""
    labels = [turn.speaker for turn in transcript.turns if turn.speaker]
    names = one_name_each(labels, transcript.details.people)
    turns = (
        replace(turn, speaker=names[turn.speaker]) if turn.speaker else turn for turn in transcript.turns
    )
    roles = by_role((role, name) for label, name in names.items() if (role := parted(label)[1]))
    details = transcript.details.over(Details(attributes=roles))
    return replace(transcript, turns=tuple(turns), details=details)


def by_role(people: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Attributes that tell who is what, of roles and names: {"guest": "Ann Lee; Bo Díaz"}."""
    found: dict[str, dict[str, None]] = {}
    for role, name in people:
        found.setdefault(role.lower(), {})[name] = None
    return {role: "; ".join(names) for role, names in found.items()}


def _oddness(label: str) -> tuple[bool, bool]:
    """How far a label is from the way a name is written: "KELLY, Brendan", "Brendan Kelly (host)"."""
    return any(c in label for c in ",([{_"), label.isupper() or label.islower()


def _is_part(key: tuple[str, ...], fuller: tuple[str, ...]) -> bool:
    """Whether `key` is fewer, but whole, words of `fuller`: "kelly" of Brendan Kelly, never "speaker" of
    "Speaker 1" or a mere number."""
    if not key or any(word.isdigit() for word in (*key, *fuller)):
        return False
    return set(key) < set(fuller)
