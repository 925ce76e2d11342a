"""Details of a recording as people write them: front matter, sidecar files, ``--set``, file names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath

from onrecord.errors import FormatError, InputError
from onrecord.ingest.dates import iso_date
from onrecord.ingest.language import language_code
from onrecord.ingest.people import attributes_by_role
from onrecord.ingest.plain import Plain, read_json, read_yaml, type_name
from onrecord.types import Details, one_line

KNOWN = ("title", "date", "language", "people", "link", "media")
"""Names of details with a field of their own; every other name is an attribute."""
ROLES_OF_PEOPLE = frozenset(
    "speaker speakers guest guests host hosts moderator moderators panelist panelists presenter presenters "
    "interviewer interviewee participants".split()
)
"""Names that list participants, used if `people` is missing; also in combination, such as "guest host"."""

MEDIA_TYPES = {
    ".mp3": "audio/mpeg", ".m4a": "audio/mp4", ".m4b": "audio/mp4", ".aac": "audio/aac",
    ".flac": "audio/flac", ".oga": "audio/ogg", ".ogg": "audio/ogg", ".opus": "audio/ogg",
    ".wav": "audio/wav", ".weba": "audio/webm", ".wma": "audio/x-ms-wma", ".aiff": "audio/aiff",
    ".mp4": "video/mp4", ".m4v": "video/mp4", ".webm": "video/webm", ".mkv": "video/x-matroska",
    ".mov": "video/quicktime", ".ogv": "video/ogg", ".avi": "video/x-msvideo", ".mpg": "video/mpeg",
    ".mpeg": "video/mpeg", ".wmv": "video/x-ms-wmv",
}  # fmt: skip
"""The media types of audio and video files, by suffix."""
MEDIA = tuple(MEDIA_TYPES)

_WEB = re.compile(r"https?://[^\s/?#]+", re.IGNORECASE)
_LANGUAGE_OR_MEDIA = re.compile(
    rf"(?<=.)\.(?:[a-z]{{2}}(?:-[A-Za-z]{{2,8}})?|{'|'.join(end[1:] for end in MEDIA)})$"
)
_AND = re.compile(r" (?:and|&|et|und|y) ")
_FULL_NAME = re.compile(r"[^\W\d_a-z][\w.'’-]*(?:\s[^\W\d_a-z][\w.'’-]*){1,4}")
"""Two to five words that begin with a capital, or are of a script without capitals."""
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:", re.IGNORECASE)
_FRONT = re.compile(
    r"\ufeff?---[ \t]*\n"
    r"(?P<block>[^\s:#'\"*\[{-][^\n:]*:(?:[ \t][^\n]*)?\n(?:.*\n)*?)"
    r"---[ \t]*(?:\n|\Z)"
)


# ---------------------------------------------------------------- values of one name


def language(text: str) -> str:
    """Return the ISO 639 code of "en", "en-US" or "English". Raises ValueError."""
    code = language_code(text)
    if code is None:
        raise ValueError("a language code such as en, fr or pt-BR")
    return code


def lists_people(name: str) -> bool:
    """Return whether a detail of this name lists people: "guests", "co-host", "guest speaker"."""
    words = re.split(r"[\s_-]+", re.sub(r"\Aco[\s_-]*", "", name))
    return name == "people" or ROLES_OF_PEOPLE.issuperset(words)


def names_in(text: str) -> list[str]:
    """Split "Ann Lee; Bo Díaz" or "Ann Lee | Bo Díaz" into names; "Kelly, Brendan" is one name."""
    return [name for name in map(one_line, re.split(r"[;|]", text)) if name]


def web_address(text: str) -> str:
    """Return an http(s) address. Raises ValueError for anything else (``javascript:`` and the like)."""
    if not _WEB.match(text):
        raise ValueError("an address that begins with https:// or http://")
    return text


def media_place(text: str) -> str:
    """Return an http(s) address, or the path of an audio or video file. Raises ValueError."""
    if _WEB.match(text):
        return text
    if _SCHEME.match(text) or not text.lower().endswith(MEDIA):
        raise ValueError("an https:// address, or the path of an audio or video file")
    return text


_READERS: Mapping[str, Callable[[str], str]] = {
    "title": str,
    "date": iso_date,
    "language": language,
    "link": web_address,
    "media": media_place,
}


class _BadValueError(ValueError):
    """An invalid value: its name, the expected form, and the actual value."""

    def __init__(self, name: str, expected: str, found: str) -> None:
        super().__init__(expected)
        self.name, self.expected, self.found = name, expected, found


def _details(texts: Mapping[str, Sequence[str]]) -> Details:
    """Build details from the texts of each name; a name without texts is unknown."""
    fields: dict[str, str] = {}
    people: list[str] = []
    participants: list[str] = []
    attributes: dict[str, str] = {}
    for name, values in texts.items():
        cleaned = [text for text in map(one_line, values) if text]
        if lists_people(name):
            cleaned = [each for text in cleaned for whole in names_in(text) for each in _split_at_and(whole)]
        if name == "people":
            people = cleaned
        elif cleaned and name in _READERS:
            fields[name] = _read_one(name, cleaned)
        elif cleaned:
            attributes[name] = "; ".join(cleaned)
        if name != "people" and lists_people(name):
            participants += cleaned
    people = people or participants
    return Details(**fields, people=tuple(dict.fromkeys(people)), attributes=attributes)


def _split_at_and(text: str) -> list[str]:
    """Split full names ("Ann Lee and Bo Díaz"), but not "Simon and Garfunkel" or "Ann, Arts and Letters"."""
    parts = _AND.split(text)
    return parts if len(parts) > 1 and all(map(_FULL_NAME.fullmatch, parts)) else [text]


def _read_one(name: str, texts: Sequence[str]) -> str:
    if len(texts) > 1:
        raise _BadValueError(name, "one text", f"{len(texts)}: {', '.join(texts)}")
    try:
        return _READERS[name](texts[0])
    except ValueError as error:
        raise _BadValueError(name, str(error), texts[0]) from None


def attribute_name(text: str) -> str:
    """Fold the name of a detail, so that "Show" in a table equals "show" in a feed."""
    return one_line(text).lower()


# ---------------------------------------------------------------- from plain values


def details_from(values: Plain, file: str, where: str = "") -> Details:
    """Return the details in a mapping of names to texts or lists of texts.

    Args:
        values: from YAML, JSON or a table's row; None and names without a value are ignored.
        file, where: for messages: the file's name, and the place in it ("row 3") if it holds several.

    Raises FormatError for a value of the wrong type, and for an invalid date, language or address.
    """
    prefix = f"{where}, " if where else ""
    if values is None:
        return Details()
    if not isinstance(values, dict):
        raise FormatError(file, where or "line 1", "names and values (title: ...)", type_name(values))
    texts: dict[str, list[str]] = {}
    roles: list[tuple[str, str]] = []
    for key, value in values.items():
        name = attribute_name(key)
        if not name or name in texts:
            raise FormatError(file, f"{prefix}{key!r}", "each name once, and none empty", repr(key))
        try:
            texts[name] = _texts_of_value(name, value)
        except _BadValueError as error:
            raise FormatError(file, prefix + name, error.expected, error.found) from None
        if lists_people(name):
            roles += _roles(value)
    try:
        details = _details(texts)
    except _BadValueError as error:
        raise FormatError(file, prefix + error.name, error.expected, error.found) from None
    return details.over(Details(attributes=attributes_by_role(roles)))


def _roles(people: Plain) -> Iterator[tuple[str, str]]:
    """Yield role and name from a list of {name: ..., role: ...}."""
    for person in people if isinstance(people, list) else [people]:
        if isinstance(person, dict):
            role, name = person.get("role"), person.get("name")
            if isinstance(role, str) and isinstance(name, str) and one_line(role):
                yield from ((one_line(role), each) for each in _split_at_and(one_line(name)))


def _texts_of_value(name: str, value: Plain) -> list[str]:
    if value is None:
        return []
    items = value if isinstance(value, list) else [value]
    if lists_people(name):
        items = [person for item in items for person in _people_of_value(item)]
    for item in items:
        if not isinstance(item, str):
            raise _BadValueError(name, "a text, or a list of texts", type_name(item))
    return [item for item in items if isinstance(item, str)]


def _people_of_value(item: Plain) -> list[Plain]:
    """Return people as texts from a name, {name: ..., label: ...}, or {label: name, label: name}."""
    if not isinstance(item, dict):
        return [item]
    pairs = [(item.get("label"), item["name"])] if "name" in item else item.items()
    return [f"{name} ({label})" if label and isinstance(name, str) else name for label, name in pairs]


def parse_set(pairs: Iterable[str], option: str = "--set") -> Details:
    """Read the details of `--set`, NAME=VALUE texts: ``["show=Night Desk", "date=2024-03-05"]``.

    Raises InputError, which names the `option`, for a text of another form, a repeated name (except people)
    and a bad value.
    """
    texts = _texts_by_pair(pairs, option)
    try:
        return _details(texts)
    except _BadValueError as error:
        raise InputError(f"{option} {error.name}={error.found}: expected {error.expected}") from None


def texts_by_name(pairs: Iterable[str]) -> dict[str, str]:
    """Split NAME=VALUE texts without interpreting the values; joins people.

    Raises InputError like `parse_set`.
    """
    return {name: "; ".join(texts) for name, texts in _texts_by_pair(pairs, "--set").items()}


def _texts_by_pair(pairs: Iterable[str], option: str) -> dict[str, list[str]]:
    texts: dict[str, list[str]] = {}
    for pair in pairs:
        key, _, value = pair.partition("=")
        name = attribute_name(key)
        if not name or not one_line(value):
            raise InputError(f'{option} needs NAME=VALUE, such as {option} show="Night Desk"; not {pair!r}')
        if name in texts and name != "people":
            raise InputError(f"{option} {name}=... is given twice: give it once")
        texts.setdefault(name, []).append(value)
    return texts


# ---------------------------------------------------------------- from files


def read_sidecar(file: str, text: str) -> Details:
    """Read the details in a sidecar file, YAML or (by its name) JSON. Raises FormatError."""
    read = read_json if file.lower().endswith(".json") else read_yaml
    return details_from(read(file, text), file)


def is_details(values: Plain) -> bool:
    """Check whether a JSON value holds details rather than a transcript.

    Details map names to texts and lists of texts only.
    """
    if not isinstance(values, dict) or not values:
        return False
    try:
        return all(
            value is None or _texts_of_value(attribute_name(name), value) for name, value in values.items()
        )
    except _BadValueError:
        return False


def split_front_matter(text: str, file: str = "front matter") -> tuple[Details, str]:
    """Split a text into the details of its YAML front matter and the text after it.

    The block begins on the first line with ``---``, its first entry follows at once, and another ``---`` ends
    it. Any other text has no front matter, for example one that begins with a Markdown rule. Blank lines
    replace the block, so that line numbers stay. Nested values that a site generator writes under an unknown
    name (``podcast: {mp3: ...}``) are ignored. Raises FormatError for a block that is not YAML, and for a bad
    value.
    """
    text = text.replace("\r\n", "\n")
    match = _FRONT.match(text)
    if match is None:
        # Details without their closing line would be read as speech.
        if re.match(rf"\ufeff?---[ \t]*\n({'|'.join(KNOWN)}):", text):
            raise FormatError(file, "line 1", "a line --- that ends the details begun here", "none")
        return Details(), text
    head = match.group()
    values = read_yaml(file, "\n" + match["block"])
    if isinstance(values, dict):
        values = {name: value for name, value in values.items() if _is_read(attribute_name(name), value)}
    return details_from(values, file), "\n" * head.count("\n") + text[len(head) :]


def _is_read(name: str, value: Plain) -> bool:
    """Check whether a value of front matter is read: texts and people, but no nested data of a generator."""
    nested = [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, dict)]
    if name != "people" and lists_people(name) and isinstance(value, dict):
        return all(isinstance(person, str) for person in value.values())
    return name in KNOWN or not nested or (lists_people(name) and all("name" in item for item in nested))


def stems(file: str) -> list[str]:
    """Return a file's name without its suffix, then also without a language or media suffix before it.

    "talk.en" and "talk" for talk.en.vtt; "talk.mp3" and "talk" for talk.mp3.json.
    """
    names = [PurePath(file).stem]
    while (shorter := _LANGUAGE_OR_MEDIA.sub("", names[-1])) != names[-1]:
        names.append(shorter)
    return names


def guess_from_name(file: str) -> Details:
    """Guess title and date from a file's name. A date is recognized only at the beginning.

    "2024-03-05_night-desk_ep-12.en.vtt" is "Night desk ep 12" of 2024-03-05.
    """
    stem = one_line(stems(file)[-1])
    match = re.match(r"((?:19|20)\d\d[-_.]?[01]\d[-_.]?[0-3]\d)(?:[-_ .]+|$)", stem)
    date = None
    if match:
        try:
            date = iso_date(match[1].replace("_", "-"))
            stem = stem[match.end() :]
        except ValueError:
            pass
    words = " ".join(re.split(r"[\s_]+|(?<=\w)-+(?=\w)", stem)).strip(" -.")
    return Details(title=words[:1].upper() + words[1:] or None, date=date)
