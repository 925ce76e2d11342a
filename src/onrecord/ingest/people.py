"""People of a recording: the labels of each speaker, and roles such as "guest: Ann Lee"."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from onrecord.types import Details, Recording, Transcript, without_accents

Key = tuple[str, ...]
"""The words of a name, as `name_key` returns them."""

COURTESY_TITLES = frozenset(
    "dr m madam madame miss mlle mme monsieur mr mrs ms mx prof professor sir".split()
)
"""Titles before a name that are no part of it, without accents."""
_HONOURABLE = re.compile(
    r"^\s*(?:the\s+)?(?:(?:right|rt)\.?\s+hon\b|hon\.|(?:(?:right|rt)\.?\s+)?honou?rable\b)"
)
"""Styles of members of parliaments; not the given name Hon."""
OFFICES = frozenset(
    """
    adviser advisor agent analyst anchor animateur animatrice architect author caller ceo cfo chair
    chairman chairperson chairwoman clerk client cofounder coo coordinator correspondent counsel creator
    cto customer designer developer directeur director directrice doctor editor engineer expert founder
    guest head host interviewee interviewer invite invitee journalist journaliste judge lead leader maire
    manager mayor member minister ministre moderator narrator nurse officer operator partner patient
    presenter president producer professor rep reporter representative secretary speaker student support
    teacher technician treasurer vp witness
    """.split()
)
"""Words that mark a role, in contrast to a name or a remark such as "(remote)"."""
_WITH_OFFICES = frozenset(
    """
    acting assistant chief deputy design engineering executive finance financial industrial interface legal
    marketing medical operating operations panel product project research sales senior technical technology
    user vice
    """.split()
)
"""Words of ranks and fields of work, which stand beside a role or for it: "Project Manager", "Marketing"."""
UNNAMED = frozenset(
    """
    audience everyone female inconnu locuteur male man participant participants speaker speakers spk sprecher
    unidentified unknown user voice voices woman
    """.split()
)
"""Words for a speaker without a name."""
_ARTICLE = re.compile(r"^(?:the|le|la)\s+", re.IGNORECASE)
_MAX_LABEL = 120
"""The most characters of a label."""
_MAX_TEXT = 500
"""The most characters of a label that are examined."""
_ASIDE = re.compile(
    r"(?P<name>[^()\[\]{},]*\w)\s*"
    r"(?:[(\[{](?P<inside>[^()\[\]{}]+)[)\]}]\s*|(?:,|\s--?|\s[–—])\s+(?P<behind>[^()\[\]{}]+))"
)
_BRACKETED = re.compile(r"[(\[{][^)\]}\n]*([)\]}]?)")
_CODED = re.compile(r"(?P<name>[^()\s][^()]*[^()\s])\s*\((?P<code>\w[\w .#-]{0,39})\)")
_OWNER = re.compile(r"(.+?)['’]s?\s")
_NESTED = re.compile(r"(?<=[^\s(])\s*\([^()]*\)(?=[^()]*\))")


def split_label(label: str) -> tuple[str, str | None]:
    """Split a label into name and role: "Brendan Kelly (host)", "Agent (Rosa)".

    Returns the whole label and None if it has no role.
    """
    match = _ASIDE.fullmatch(_NESTED.sub("", label)) if len(label) <= _MAX_LABEL else None
    if not match:
        return label, None
    name, aside = match["name"], (match["inside"] or match["behind"]).strip()
    if not aside:
        return label, None
    if _words(aside) & OFFICES:
        return name, aside
    role = _ARTICLE.sub("", name)
    if match["inside"] and aside[0].isupper() and _words(role) <= OFFICES | _WITH_OFFICES:
        return aside, role
    return label, None


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


@lru_cache(8192)
def is_generic_label(label: str) -> bool:
    """Return whether a label names nobody, so that it may mean another person in each recording.

    It consists of words for roles and unnamed speakers: "Speaker 1", "The Chair", "Project Manager", "B".
    """
    words = set(re.findall(r"[^\W\d_]+", _ARTICLE.sub("", without_accents(label[:_MAX_TEXT]))))
    letters = {word for word in words if len(word) == 1 and word.isascii()}
    return bool(words) and words <= OFFICES | _WITH_OFFICES | UNNAMED | letters


def name_key(label: str) -> Key:
    """Return the same key for all labels of one person; empty without letters or digits.

    It has the words of the name without case, accents, titles, roles and punctuation, the first name first.
    """
    label, role = split_label(label[:_MAX_TEXT])
    label = (
        _BRACKETED.sub(lambda part: " " if part[1] else part[0], label)
        if re.match(r"\s*\w", label)
        else label
    )
    if role is None and label.count(",") == 1:
        last, first = label.split(",")
        label = f"{first} {last}"
    words = re.findall(r"[^\W_]+", _HONOURABLE.sub("", without_accents(label)))
    name = tuple(word for word in words if word not in COURTESY_TITLES)
    return name if any(len(word) > 1 for word in name) else tuple(words)  # "Professor D" is not D


def unify_names(labels: Iterable[str], people: Sequence[str] = ()) -> Mapping[str, str]:
    """Map every label to one name per speaker in this recording, without a role.

    Labels with equal `name_key` are one person. A label that is part of exactly one fuller name among the
    labels and the credited `people` ("Brendan" of "Brendan Kelly") is that person. So is a label in brackets
    behind exactly one name ("SPEAKER_00" of "Brendan Kelly (SPEAKER_00)"). A label that could be two people
    stays as it is: no speaker is guessed. So do labels without a common word that are parts of one name,
    because that may be a list: "Ann Lee, Bo Diaz, Cleo Marsh".
    """
    counts = Counter(labels)
    coded = _people_by_code([*people, *counts])
    known = _folded(counts)
    people = [_without_code(person, known) for person in people]
    chosen: dict[Key, str] = {}
    for label in [*people, *sorted(counts, key=lambda label: (_unusualness(label), -counts[label]))]:
        chosen.setdefault(name_key(label), _name_of(label))
    chosen.pop((), None)
    keys = {label: name_key(label) for label in counts}
    fuller_keys = _fuller_keys(set(keys.values()), chosen.keys() - _belongings([*people, *counts]))
    names = {}
    for label, key in keys.items():
        fuller = fuller_keys[key]
        key = coded.get(label.strip().casefold(), key)
        names[label] = chosen.get(fuller[0] if len(fuller) == 1 else key, label.strip())
    return names


def _belongings(labels: Sequence[str]) -> frozenset[Key]:
    """Return the keys of what a person owns whose name is also listed: "Wei Zhang's Presentation"."""
    keys = {name_key(label) for label in labels}
    owners = ((label, _OWNER.match(label[:_MAX_TEXT])) for label in labels)
    return frozenset(name_key(label) for label, owner in owners if owner and name_key(owner[1]) in keys)


def _name_of(label: str) -> str:
    """Return a label without a role or a remark on the speech: "Kramer" for "Kramer (quietly)"."""
    name = split_label(label)[0].strip()
    bare = _BRACKETED.sub(
        lambda part: "" if part[0][1:].lstrip()[:1].islower() else part[0], name[:_MAX_TEXT]
    )
    return " ".join(bare.split()) or name


def _people_by_code(labels: Iterable[str]) -> dict[str, Key]:
    """Map each code in brackets behind a name to the person's key: "lf" for "Lotte Fenn (LF)"."""
    matches = (_CODED.fullmatch(label) for label in labels if len(label) <= _MAX_LABEL)
    keys: dict[str, set[Key]] = {}
    for match in matches:
        if match:
            keys.setdefault(match["code"].casefold(), set()).add(name_key(match["name"]))
    return {code: next(iter(people)) for code, people in keys.items() if len(people) == 1}


def _folded(labels: Iterable[str]) -> frozenset[str]:
    return frozenset(map(str.casefold, labels))


def _without_code(person: str, codes: Collection[str]) -> str:
    """Return a person's name without the code in brackets, if it is one of the folded `codes`."""
    match = _CODED.fullmatch(person) if len(person) <= _MAX_LABEL else None
    return match["name"] if match and match["code"].casefold() in codes else person


def unify_speakers(transcript: Transcript) -> Transcript:
    """Give each speaker one name throughout a transcript.

    Roles in labels become attributes ("host": "Brendan Kelly"). Details may name the speaker of a label:
    "Brendan Kelly (SPEAKER_00)".
    """
    labels = [turn.speaker for turn in transcript.turns if turn.speaker]
    own = transcript.details
    names = unify_names(labels, own.people)
    turns = (
        replace(turn, speaker=names[turn.speaker]) if turn.speaker else turn for turn in transcript.turns
    )
    roles = attributes_by_role(
        (role, name) for label, name in names.items() if (role := split_label(label)[1])
    )
    known = _folded(labels)
    attributes = {
        name: "; ".join(_without_code(person, known) for person in text.split("; ")) if "(" in text else text
        for name, text in own.attributes.items()
    }
    people = tuple(dict.fromkeys(_without_code(person, known) for person in own.people))
    details = replace(own, people=people, attributes=attributes).over(Details(attributes=roles))
    return replace(transcript, turns=tuple(turns), details=details)


def attributes_by_role(people: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return attributes from pairs of role and name: {"guest": "Ann Lee; Bo Díaz"}."""
    names_by_role: dict[str, dict[str, None]] = {}
    for role, name in people:
        names_by_role.setdefault(role.lower(), {})[name] = None
    return {role: "; ".join(names) for role, names in names_by_role.items()}


def _unusualness(label: str) -> tuple[bool, bool]:
    """Return a sort key that puts unusual labels last.

    Examples are "KELLY, Brendan" and "Brendan Kelly (host)".
    """
    return any(c in label for c in ",([{_"), label.isupper() or label.islower()


def _fuller_keys(keys: Iterable[Key], names: Iterable[Key]) -> Mapping[Key, list[Key]]:
    """Return, for each key, the names with all of its words and others: brendan kelly for "kelly".

    A name of which keys without a common word are parts may be a list, and is left out.
    """
    names_by_word = _by_word(names)
    fuller = {key: _containing(key, names_by_word) for key in keys}
    parts: defaultdict[Key, list[Key]] = defaultdict(list)
    for key, others in fuller.items():
        for other in others:
            parts[other].append(key)
    return {
        key: [other for other in others if not any(set(each).isdisjoint(key) for each in parts[other])]
        for key, others in fuller.items()
    }


def _by_word(keys: Iterable[Key]) -> Mapping[str, set[Key]]:
    """Return the keys without numbers by each of their words: "speaker" is not part of "Speaker 1"."""
    keys_by_word: defaultdict[str, set[Key]] = defaultdict(set)
    for key in keys:
        if not any(map(str.isdigit, key)):
            for word in key:
                keys_by_word[word].add(key)
    return keys_by_word


def _containing(key: Key, names_by_word: Mapping[str, set[Key]]) -> list[Key]:
    holders = [names_by_word.get(word, set()) for word in key]
    return [name for name in set.intersection(*holders) if set(key) < set(name)] if holders else []


# ---------------------------------------------------------------- roles

_MAX_NAME = 200
"""The most characters of a name; an attribute may be a whole description."""
_MAX_ROLE_WORDS = 6
"""The most words of a role; a longer attribute is a description."""
NO_ROLES = frozenset("show podcast series emission serie company firm bank author publisher".split())
"""Attributes that may hold a person's name but are not a role in the recording."""
_SPEAKER_LISTS = frozenset("speaker speakers participant participants people voice voices name names".split())
_ABBREVIATIONS = frozenset("ceo cfo cio coo cto evp pdg phd svp vp".split())
"""Roles that are written in capital letters."""


def speaker_roles(recording: Recording) -> Iterator[tuple[str, Key]]:
    """Yield every attribute that names a speaker, with the speaker's `person_key`."""
    return _match_roles(recording, recording.speakers)


def _match_roles(recording: Recording, people: Iterable[str]) -> Iterator[tuple[str, Key]]:
    speakers = {person_key(name) for name in people} - {()}
    for attribute, value in recording.details.attributes.items():
        for person in value.split(";"):
            key = person_key(person)
            if key in speakers:
                yield attribute, key


def roles_of(recording: Recording) -> dict[str, str]:
    """Return the known role of each speaker, or of each credited person: {"Tobias Brandt": "CFO"}."""
    roles: dict[Key, list[str]] = {}
    people = (*recording.speakers, *recording.details.people)
    for attribute, key in _match_roles(recording, people):
        words = re.split(r"[\s_]+", attribute)
        if attribute in NO_ROLES or len(words) > _MAX_ROLE_WORDS or _SPEAKER_LISTS.issuperset(words):
            continue
        role = " ".join(word.upper() if word in _ABBREVIATIONS else word for word in words)
        if role:
            roles.setdefault(key, []).append(role)
    keys = {name: person_key(name) for name in people}
    return {name: ", ".join(roles[key]) for name, key in keys.items() if key in roles}


@lru_cache(8192)
def person_key(name: str) -> Key:
    """Return the same key for all spellings of a person's name; empty if it cannot be a name."""
    is_name = len(name) <= _MAX_NAME and any(map(str.isalpha, name))
    return tuple(sorted(name_key(name))) if is_name else ()
