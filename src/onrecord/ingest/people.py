"""People of a recording: the labels that name one speaker, and roles such as "guest: Ann Lee"."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from onrecord.types import Details, Recording, Transcript

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
"""Words that distinguish a role from a name, and from "(remote)"."""
_WITH_OFFICES = frozenset(
    "acting chief deputy executive financial operating technology vice the le la".split()
)
_LONGEST = 120
"""The most characters of a label."""
_ANY = 500
"""The most characters that are looked at in place of a label."""
_ASIDE = re.compile(
    r"(?P<name>[^()\[\]{},]*\w)\s*"
    r"(?:[(\[{](?P<inside>[^()\[\]{}]+)[)\]}]\s*|(?:,|\s--?|\s[–—])\s+(?P<behind>[^()\[\]{}]+))"
)
_BRACKETED = re.compile(r"[(\[{].*?[)\]}]")
_SHORT = re.compile(r"(?P<name>[^()\s][^()]*[^()\s])\s*\((?P<short>\w{2,5})\)")
_NESTED = re.compile(r"(?<=[^\s(])\s*\([^()]*\)(?=[^()]*\))")


def split_label(label: str) -> tuple[str, str | None]:
    """Split a label into name and role: "Brendan Kelly (host)", "Agent (Rosa)".

    Returns the whole label and None if it has no role.
    """
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
    """Return the same key for all labels of one person; empty without letters or digits.

    It has the words of the name without case, accents, titles, roles and punctuation, the first name first.
    """
    label, role = split_label(label[:_ANY])
    label = _BRACKETED.sub(" ", label) if re.match(r"\s*\w", label) else label
    if role is None and label.count(",") == 1:
        last, first = label.split(",")
        label = f"{first} {last}"
    plain = unicodedata.normalize("NFKD", label.casefold())
    plain = _HONOURABLE.sub("", "".join(c for c in plain if not unicodedata.combining(c)))
    words = re.findall(r"[^\W_]+", plain)
    named = tuple(word for word in words if word not in _TITLES)
    return named if any(len(word) > 1 for word in named) else tuple(words)  # "Professor D" is not D


def unify_names(labels: Iterable[str], people: Sequence[str] = ()) -> Mapping[str, str]:
    """Map every label to the one name that its speaker goes by in this recording.

    Labels with equal `name_key` are one person. A label that is part of exactly one fuller name among the
    labels and the credited `people` ("Brendan" of "Brendan Kelly") is that person. A label that could be
    two people stays as it is: no speaker is guessed.
    """
    counts = Counter(labels)
    short = _short_forms([*people, *counts])
    best: dict[tuple[str, ...], str] = {}
    for label in [*people, *sorted(counts, key=lambda label: (_unusualness(label), -counts[label]))]:
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
    """Map each short form that a label defines to the key of its person: "LF" of "Lotte Fenn (LF)"."""
    found = (_SHORT.fullmatch(label) for label in labels if len(label) <= _LONGEST)
    keys: dict[str, set[tuple[str, ...]]] = {}
    for each in found:
        if each:
            keys.setdefault(each["short"], set()).add(name_key(each["name"]))
    return {short: next(iter(some)) for short, some in keys.items() if len(some) == 1}


def unify_speakers(transcript: Transcript) -> Transcript:
    """Give each speaker one name throughout a transcript.

    Roles in labels become attributes ("host": "Brendan Kelly").
    """
    labels = [turn.speaker for turn in transcript.turns if turn.speaker]
    names = unify_names(labels, transcript.details.people)
    turns = (
        replace(turn, speaker=names[turn.speaker]) if turn.speaker else turn for turn in transcript.turns
    )
    roles = attributes_by_role(
        (role, name) for label, name in names.items() if (role := split_label(label)[1])
    )
    details = transcript.details.over(Details(attributes=roles))
    return replace(transcript, turns=tuple(turns), details=details)


def attributes_by_role(people: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return attributes for pairs of role and name: {"guest": "Ann Lee; Bo Díaz"}."""
    found: dict[str, dict[str, None]] = {}
    for role, name in people:
        found.setdefault(role.lower(), {})[name] = None
    return {role: "; ".join(names) for role, names in found.items()}


def _unusualness(label: str) -> tuple[bool, bool]:
    """Rate how unlike an ordinary name a label is: "KELLY, Brendan", "Brendan Kelly (host)"."""
    return any(c in label for c in ",([{_"), label.isupper() or label.islower()


def _is_part(key: tuple[str, ...], fuller: tuple[str, ...]) -> bool:
    """Return whether `key` is some of the words of `fuller`: "kelly" of Brendan Kelly.

    "speaker" of "Speaker 1", or a number alone, never counts.
    """
    if not key or any(word.isdigit() for word in (*key, *fuller)):
        return False
    return set(key) < set(fuller)


# ---------------------------------------------------------------- roles

_LONGEST_PERSON = 200
"""The most characters of a name; an attribute may also be a whole description."""
_LONGEST_ROLE = 6
"""The most words of a role; longer attributes are descriptions."""
NO_ROLES = frozenset("show podcast series emission serie company firm bank author publisher".split())
"""Attributes that may hold a person's name and yet are no role in the recording."""
_WHOEVER_SPEAKS = frozenset(
    "speaker speakers participant participants people voice voices name names".split()
)
_LETTERS = frozenset("ceo cfo cio coo cto evp pdg phd svp vp".split())
"""Roles written in capital letters."""


def speaker_roles(recording: Recording) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield every attribute that names a speaker, with the `person_key` of each speaker named."""
    yield from _roles_named(recording, recording.speakers)


def credited_roles(recording: Recording) -> Iterator[tuple[str, str]]:
    """Yield attribute and name of each credited person, for a recording without named speakers."""
    people = () if recording.speakers else recording.details.people
    names = {person_key(name): name for name in people}
    yield from ((attribute, names[key]) for attribute, key in _roles_named(recording, people))


def _roles_named(recording: Recording, people: Iterable[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    speakers = {person_key(name) for name in people} - {()}
    for attribute, value in recording.details.attributes.items():
        for person in value.split(";"):
            key = person_key(person)
            if key in speakers:
                yield attribute, key


def roles_of(recording: Recording) -> dict[str, str]:
    """Return the known role of each speaker, or of each credited person: {"Tobias Brandt": "CFO"}."""
    roles: dict[tuple[str, ...], list[str]] = {}
    people = recording.speakers or recording.details.people
    for attribute, key in _roles_named(recording, people):
        if role := _readable_role(attribute):
            roles.setdefault(key, []).append(role)
    keys = {name: person_key(name) for name in people}
    return {name: ", ".join(roles[key]) for name, key in keys.items() if key in roles}


def _readable_role(attribute: str) -> str:
    """Return a role as people write it; empty if the attribute is no role."""
    words = re.split(r"[\s_]+", attribute)
    if attribute in NO_ROLES or len(words) > _LONGEST_ROLE or _WHOEVER_SPEAKS.issuperset(words):
        return ""
    return " ".join(word.upper() if word in _LETTERS else word for word in words)


@lru_cache(8192)
def person_key(name: str) -> tuple[str, ...]:
    """Return the same key for all spellings of a name; empty if it is no name."""
    named = len(name) <= _LONGEST_PERSON and any(map(str.isalpha, name))
    return tuple(sorted(name_key(name))) if named else ()
