"""Facts of who speaks: where, as what, how much. And of what else recordings tell of themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from onrecord.retrieve.plan.asked import words_of
from onrecord.retrieve.plan.facts.place import MOST, Place, plain, remarked
from onrecord.retrieve.plan.known import Person
from onrecord.retrieve.plan.roles import OFTEN
from onrecord.types import Fact, Recording, clock

_MOST_READ = 400
"""Passages that are read to count how much each says; of more, one recording has to be asked for."""


def _counted(place: Place) -> Callable[[tuple[str, int]], str]:
    """A line of a name or value, and in how many recordings it is."""
    return lambda each: place.told.counted(plain(each[0]), each[1])


def _shown(names: Iterable[str]) -> list[str]:
    return [plain(name) for name in names]


# ---------------------------------------------------------------- who speaks


def speakers(place: Place) -> tuple[Fact, ...]:
    """Who speaks in a recording, or in all of them, most often first."""
    if len(place.recordings) == 1:
        return (_of_one(place, place.recordings[0]),)
    told = place.told
    voices = [place.known.voices[r.id] for r in place.recordings]
    counts = Counter(name for names in voices for name in names if name not in place.known.nameless)
    nameless = sum(not place.known.nameless.isdisjoint(names) for names in voices)
    silent = sum(not names for names in voices)
    text = told.voices(len(counts), len(voices) - silent) if counts else told.nobody_known(len(voices))
    return (
        remarked(
            Fact(text, place.lines(counts.most_common(), _counted(place))),
            told.unnamed(nameless) if nameless else "",
            told.unvoiced(silent) if silent and counts else "",
        ),
    )


def _of_one(place: Place, recording: Recording) -> Fact:
    title, names = plain(recording.title), _shown(place.known.voices[recording.id])
    if not names:
        text = place.told.not_voiced(title, _shown(recording.details.people)[:MOST])
    elif len(names) > MOST or place.inquiry.kind == "voices":
        return Fact(place.told.voices_in(len(names), title), place.lines(names, str), (recording.id,))
    else:
        text = place.told.speak_in(names, title)
    return Fact(text, recordings=(recording.id,))


def appearances(place: Place) -> tuple[Fact, ...]:
    """In which recordings each of those who are named speaks."""
    return tuple(_appears(place, person) for person in place.inquiry.people)


def _appears(place: Place, person: Person) -> Fact:
    there = [r for r in place.recordings if person.name in place.known.voices[r.id]]
    silent = sum(not r.speakers for r in place.recordings)
    text = place.told.speaks_in(plain(person.name), len(there), len(place.recordings))
    return remarked(place.listing(text, there), place.told.unvoiced(silent) if silent else "")


def present(place: Place) -> tuple[Fact, ...]:
    """Whether somebody speaks in a recording; of several, in which."""
    (person, *_), (recording, *others) = place.inquiry.people, place.recordings
    if others:
        return appearances(place)
    if not recording.speakers:
        return (_of_one(place, recording),)
    there = person.name in place.known.voices[recording.id]
    text = place.told.present(plain(person.name), plain(recording.title), there)
    return (Fact(text, recordings=(recording.id,)),)


# ---------------------------------------------------------------- how much each says


def most(place: Place) -> tuple[Fact, ...]:
    """Who says most words, or fewest, and how many each of the others."""
    said = _said(place, place.recordings)
    if said is None:
        return tuple(remarked(fact, place.told.too_many(len(place.recordings))) for fact in speakers(place))
    several = len(place.recordings) > 1
    named = [name for name in said if name and not (several and name in place.known.nameless)]
    words = Counter({name: said[name][0] for name in named})
    if not words:
        return speakers(place)
    total = sum(count for count, _ in said.values())
    unknown = total - words.total()
    least = place.inquiry.kind == "least"
    ranked = words.most_common()[::-1] if least else words.most_common()
    name, count = ranked[0]
    level = [other for other, n in ranked if n == count]
    text = place.told.most(plain(name), count, total, place.name, least)
    if len(level) > 1:
        text = place.told.equal(_shown(level[:MOST]), count, total, place.name)
    others = place.lines(ranked[len(level) :], lambda each: place.told.share(plain(each[0]), each[1], total))
    fact = Fact(text, others, tuple(r.id for r in place.recordings[:MOST]))
    return (remarked(fact, place.told.nobody_said(unknown) if unknown else ""),)


def talk(place: Place) -> tuple[Fact, ...]:
    """How many words somebody says, and for how long where there are times."""
    person = place.inquiry.people[0]
    there = [r for r in place.recordings if person.name in place.known.voices[r.id]]
    if not there:
        return appearances(place)
    said = _said(place, there)
    if said is None:
        return (remarked(_appears(place, person), place.told.too_many(len(there))),)
    words, seconds = said.get(person.name, (0, 0.0))
    total, timed = sum(count for count, _ in said.values()), all(r.seconds is not None for r in there)
    told = place.told.says(
        plain(person.name), words, total, place.at(there).name, clock(seconds) if timed else ""
    )
    return (Fact(told, recordings=tuple(r.id for r in there[:MOST])),)


def _said(place: Place, recordings: Sequence[Recording]) -> dict[str, tuple[int, float]] | None:
    """How many words everybody says, and for how many seconds, by name; "" for nobody known. None where too
    much would have to be read."""
    if sum(r.passages for r in recordings) > _MOST_READ:
        return None
    found: dict[str, tuple[int, float]] = {}
    for recording in recordings:
        for passage in place.reader.transcript(recording.id):
            begins = [begin for begin, _ in passage.voices] or [0]
            for begin, end in zip(begins, [*begins[1:], len(passage.text)], strict=True):
                label = passage.speaker_at(begin) or ""
                name = place.known.names.get(label, label)
                words, seconds = found.get(name, (0, 0.0))
                lasts = (passage.time_at(end) or 0.0) - (passage.time_at(begin) or 0.0)
                said = len(passage.text[begin:end].split())
                found[name] = words + said, seconds + max(lasts, 0.0)
    return found


# ---------------------------------------------------------------- what they are


def role(place: Place) -> tuple[Fact, ...]:
    """Who is what the question names, by what recordings tell; of one that does not, who speaks in it."""
    told, noun = place.told, plain(place.inquiry.said)
    words = place.known.role_nouns[place.inquiry.noun]
    found: dict[str, list[Recording]] = {}
    told_in = place.known.in_role.get(words, {})
    for recording in place.recordings:
        for name in told_in.get(recording.id, ()):
            found.setdefault(name, []).append(recording)
    unknown = sum(recording.id not in told_in for recording in place.recordings)
    if not found and len(place.recordings) > 1:
        return ()  # somebody may say of themselves what they are
    if not found:
        (who, *_) = speakers(place)
        text = f"{told.no_role(noun, len(place.recordings))} {who.text}"
        return (Fact(text, who.items, who.recordings, whole=False),)
    remark = told.no_role_in(noun, unknown) if unknown and words in OFTEN else ""
    ids = tuple(dict.fromkeys(r.id for some in found.values() for r in some))[:MOST]
    if len(found) == 1:
        ((name, there),) = found.items()
        fact = Fact(told.role(noun, plain(name), place.at(there).name), recordings=ids)
    else:
        lines = place.lines(list(found.items()), lambda each: f"{plain(each[0])}, {place.at(each[1]).name}")
        fact = Fact(told.roles(noun, len(found)), lines, ids)
    return (remarked(fact, remark),)


# ---------------------------------------------------------------- what else is told


def values(place: Place) -> tuple[Fact, ...]:
    """The values of an attribute: of the recordings that are named, or of all, the most frequent first."""
    told, noun = place.told, plain(place.inquiry.said)
    names = place.known.attribute_nouns[place.inquiry.noun]
    told_in = {r.id: r.details.attributes for r in place.recordings}
    given = {r: next((of[name] for name in names if of.get(name)), "") for r, of in told_in.items()}
    if len(place.recordings) == 1:
        title, value = plain(place.recordings[0].title), plain(given[place.recordings[0].id])
        text = told.value(noun, title, value) if value else told.no_value(noun, title)
        return (Fact(text, recordings=(place.recordings[0].id,)),)
    same: dict[tuple[str, ...], str] = {}  # however they are written
    counts = Counter(same.setdefault(words_of(value), value) for value in given.values() if value)
    unknown = len(given) - counts.total()
    fact = Fact(told.values(noun, len(counts)), place.lines(counts.most_common(), _counted(place)))
    return (remarked(fact, told.no_value_in(noun, unknown) if unknown else ""),)
