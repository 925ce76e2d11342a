"""What the catalogue tells of people: who speaks, how much, with whom, and what they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from onrecord.types import Fact, Recording, clock
from onrecord.understand.catalog import same_roles
from onrecord.understand.catalog_queries import MOST, MOST_READ, Selection, counted, remarked
from onrecord.understand.lexicon import Phrase, plain


@dataclass(frozen=True)
class Speakers:
    """Who speaks; `counted` where it is asked how many."""

    counted: bool = False

    def run(self, on: Selection) -> Fact | None:
        if not on.chosen:
            return None
        if len(on.chosen) == 1:
            return self._of_one(on, on.chosen[0])
        voices = [on.catalog.voices[r.id] for r in on.chosen]
        nameless = on.catalog.nameless
        counts = Counter(name for names in voices for name in names if name not in nameless)
        unnamed = sum(not nameless.isdisjoint(names) for names in voices)
        silent = sum(not names for names in voices)
        if counts:
            text = on.say.say("voices", len(counts), recordings=on.say.recordings(len(voices) - silent))
        else:
            text = on.say.say("nobody_known", len(voices))
        lines = [counted(on, name, count) for name, count in counts.most_common()]
        return remarked(
            Fact(text, on.lines(lines)),
            on.say.say("unnamed", unnamed) if unnamed else "",
            on.say.say("unvoiced", silent) if silent and counts else "",
        )

    def _of_one(self, on: Selection, recording: Recording) -> Fact:
        title, names = plain(recording.title), on.catalog.voices[recording.id]
        if not names:
            credited = recording.details.people[:MOST]
            told = on.say.say("credited", names=on.say.listed(credited)) if credited else ""
            text = on.say.say("not_voiced", title=title)
            return remarked(Fact(text, recordings=(recording.id,)), told)
        if self.counted or len(names) > MOST:
            text = on.say.say("voices_in", len(names), title=title)
            return Fact(text, on.lines(list(map(plain, names))), (recording.id,))
        text = on.say.say("speak_in", len(names), names=on.say.listed(names), title=title)
        return Fact(text, recordings=(recording.id,))


@dataclass(frozen=True)
class Appearances:
    """In which recordings somebody speaks; of one recording whether they do."""

    name: str

    def run(self, on: Selection) -> Fact | None:
        if not on.chosen:
            return None
        there = [r for r in on.chosen if self.name in on.catalog.voices[r.id]]
        if len(on.chosen) == 1 and on.said:
            if not on.chosen[0].speakers:
                return Speakers().run(on)
            key, title = ("yes" if there else "no"), plain(on.chosen[0].title)
            return Fact(on.say.say(key, name=plain(self.name), title=title), recordings=(on.chosen[0].id,))
        silent = sum(not r.speakers for r in on.chosen)
        key = "speaks_in_the_one" if len(on.chosen) == 1 else "speaks_in"
        text = on.say.say(key, len(there), name=plain(self.name), of=len(on.chosen))
        return remarked(on.listing(text, there), on.say.say("unvoiced", silent) if silent else "")


@dataclass(frozen=True)
class Companions:
    """With whom somebody is heard."""

    name: str

    def run(self, on: Selection) -> Fact | None:
        there = [r for r in on.chosen if self.name in on.catalog.voices[r.id]]
        if not there:
            return Appearances(self.name).run(on)
        others = Counter(n for r in there for n in on.catalog.voices[r.id] if n != self.name)
        where = plain(there[0].title) if len(there) == 1 else on.say.recordings(len(there))
        key = "with" if others else "alone"
        text = on.say.say(key, len(others), name=plain(self.name), recordings=where)
        lines = [
            f"{plain(name)}: " + "; ".join(plain(r.title) for r in there if name in on.catalog.voices[r.id])
            for name, _ in others.most_common()
        ]
        return Fact(text, on.lines(lines), tuple(r.id for r in there[:MOST]))


@dataclass(frozen=True)
class Talk:
    """Who says most, or least; with a name, how much they say."""

    name: str = ""
    least: bool = False

    def run(self, on: Selection) -> Fact | None:
        there = [r for r in on.chosen if not self.name or self.name in on.catalog.voices[r.id]]
        if not there:
            return Appearances(self.name).run(on) if self.name else None
        if sum(r.passages for r in there) > MOST_READ:
            known = Appearances(self.name).run(on) if self.name else Speakers().run(on)
            return remarked(known, on.say.say("too_many", len(there))) if known else None
        said = _said(on, there)
        return self._of(on.of(there), said) if self.name else self._ranked(on, said)

    def _of(self, on: Selection, said: dict[str, tuple[int, float]]) -> Fact:
        part, seconds = said.get(self.name, (0, 0.0))
        total = sum(count for count, _ in said.values())
        timed = all(r.seconds is not None for r in on.chosen)
        values: dict[str, Any] = {"name": plain(self.name), "part": part, "of": total, "place": on.name}
        key = "says_for" if timed else "says"
        text = on.say.say(key, percent=_percent(part, total), length=clock(seconds), **values)
        return Fact(text, recordings=tuple(r.id for r in on.chosen[:MOST]))

    def _ranked(self, on: Selection, said: dict[str, tuple[int, float]]) -> Fact | None:
        several = len(on.chosen) > 1
        counts = Counter(
            {n: c for n, (c, _) in said.items() if n and not (several and n in on.catalog.nameless)}
        )
        if not counts:
            return Speakers().run(on)
        total = sum(count for count, _ in said.values())
        ranked = counts.most_common()[::-1] if self.least else counts.most_common()
        level = [name for name, count in ranked if count == ranked[0][1]]
        values: dict[str, Any] = {"part": ranked[0][1], "of": total, "place": on.name}
        if len(level) > 1:
            text = on.say.say("equally", names=on.say.listed(level[:MOST]), **values)
        else:
            key, share = ("speaks_least" if self.least else "speaks_most"), _percent(ranked[0][1], total)
            text = on.say.say(key, name=plain(level[0]), percent=share, **values)
        lines = [self._share(on, name, count, total) for name, count in ranked[len(level) :]]
        fact = Fact(text, on.lines(lines), tuple(r.id for r in on.chosen[:MOST]))
        unknown = total - counts.total()
        return remarked(
            fact, on.say.say("nobody_said", words=on.say.say("words", unknown)) if unknown else ""
        )

    def _share(self, on: Selection, name: str, count: int, total: int) -> str:
        told = on.say.say("words", count)
        return on.say.say("share", name=plain(name), words=told, percent=_percent(count, total))


def _percent(part: int, of: int) -> str:
    return f"{100 * part / of:.0f}" if of else "0"


def _said(on: Selection, recordings: Sequence[Recording]) -> dict[str, tuple[int, float]]:
    """How many words everybody says, and for how many seconds, by name; "" for nobody known."""
    found: dict[str, tuple[int, float]] = {}
    for passage in (p for r in recordings for p in on.reader.transcript(r.id)):
        begins = [begin for begin, _ in passage.voices] or [0]
        for begin, end in zip(begins, [*begins[1:], len(passage.text)], strict=True):
            label = passage.speaker_at(begin) or ""
            name = on.catalog.names.get(label, label)
            count, seconds = found.get(name, (0, 0.0))
            lasts = (passage.time_at(end) or 0.0) - (passage.time_at(begin) or 0.0)
            found[name] = count + len(passage.text[begin:end].split()), seconds + max(lasts, 0.0)
    return found


@dataclass(frozen=True)
class RoleHolders:
    """Who is the host, the guest, the CFO, by what recordings tell."""

    role: Phrase
    noun: str

    def run(self, on: Selection) -> Fact | None:
        held = [on.catalog.credits.get(way, {}) for way in same_roles(self.role)]
        found: dict[str, list[Recording]] = {}
        for recording in on.chosen:
            for name in dict.fromkeys(n for some in held for n in some.get(recording.id, ())):
                found.setdefault(name, []).append(recording)
        unknown = sum(not any(r.id in some for some in held) for r in on.chosen)
        said = on.say.quoted(self.noun)
        if not found:
            return self._unknown(on, said)
        remark = on.say.say("no_role_in", recordings=on.say.recordings(unknown), said=said) if unknown else ""
        ids = tuple(dict.fromkeys(r.id for some in found.values() for r in some))[:MOST]
        if len(found) == 1:
            ((name, there),) = found.items()
            place = on.of(there).name
            fact = Fact(
                on.say.say("role", noun=plain(self.noun), said=said, name=plain(name), place=place), (), ids
            )
        else:
            lines = [f"{plain(name)}, {on.of(there).name}" for name, there in found.items()]
            fact = Fact(on.say.say("role_of_several", len(found), said=said), on.lines(lines), ids)
        return remarked(fact, remark)

    def _unknown(self, on: Selection, said: str) -> Fact | None:
        """Somebody may say of themselves what they are: who speaks in the one recording is told beside."""
        if len(on.chosen) != 1 or not any(self.role in (k, *same_roles(k)) for k in on.catalog.credits):
            return None
        voices = Speakers().run(on)
        text = on.say.say("no_role", recordings=on.say.recordings(1), said=said)
        return Fact(f"{text} {voices.text if voices else ''}", (), (on.chosen[0].id,), whole=False)
