"""The questions about people that the catalogue answers: who speaks, how much, with whom, in which role."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import Any

from onrecord.types import Fact, Recording, clock
from onrecord.understand.catalog import same_roles
from onrecord.understand.catalog_queries import MOST, MOST_READ, Selection
from onrecord.understand.lexicon import Phrase, plain


@dataclass(frozen=True)
class Speakers:
    """Who speaks; `counted` where it is asked how many."""

    counted: bool = False

    def run(self, on: Selection) -> Fact:
        if len(on.chosen) == 1:
            return self._of_one(on, on.chosen[0])
        voices = [on.catalog.voices[r.id] for r in on.chosen]
        nameless = on.catalog.people.nameless
        counts = Counter(name for names in voices for name in names if name not in nameless)
        unnamed = sum(not nameless.isdisjoint(names) for names in voices)
        silent = sum(not names for names in voices)
        heard_in = on.say.recordings(len(voices) - silent)
        known = on.say.say("voices", len(counts), recordings=heard_in)
        return on.fact(
            known if counts else on.say.say("nobody_known", len(voices)),
            on.counts(counts),
            on.remark("unnamed", unnamed),
            on.remark("unvoiced", silent) if counts else "",
            of=(),
        )

    def _of_one(self, on: Selection, recording: Recording) -> Fact:
        title, names = plain(recording.title), on.catalog.voices[recording.id]
        if not names:
            people = recording.details.people[:MOST]
            credited = on.say.say("credited", names=on.say.listed(people)) if people else ""
            return on.fact(on.say.say("not_voiced", title=title), (), credited)
        if self.counted or len(names) > MOST:
            return on.fact(on.say.say("voices_in", len(names), title=title), on.lines(names, plain))
        return on.fact(on.say.say("speak_in", len(names), names=on.say.listed(names), title=title))


@dataclass(frozen=True)
class Appearances:
    """In which recordings somebody speaks; of one recording whether they do."""

    name: str

    def run(self, on: Selection) -> Fact:
        there, name = [r for r in on.chosen if self.name in on.catalog.voices[r.id]], plain(self.name)
        if len(on.chosen) == 1 and on.said:
            if not on.chosen[0].speakers:
                return Speakers().run(on)
            key, title = ("yes" if there else "no"), plain(on.chosen[0].title)
            return on.fact(on.say.say(key, name=name, title=title))
        key = "speaks_in_the_one" if len(on.chosen) == 1 else "speaks_in"
        text = on.say.say(key, len(there), name=name, of=len(on.chosen))
        return on.listing(text, there, on.remark("unvoiced", sum(not r.speakers for r in on.chosen)))


@dataclass(frozen=True)
class RoleOf:
    """In which recordings somebody is the host, the guest, the CFO; `noun` is what the question calls it."""

    name: str
    role: Phrase
    noun: str

    def run(self, on: Selection) -> Fact:
        holders = _holders(self.role, on)
        if not any(holders.values()):
            return Appearances(self.name).run(on)
        there = [r for r in on.chosen if self.name in holders[r.id]]
        values: dict[str, Any] = {"name": plain(self.name), "said": on.say.quoted(self.noun)}
        if len(on.chosen) == 1:
            return on.fact(on.say.say("role_in", len(there), place=on.name, **values))
        unknown = sum(not names for names in holders.values())
        recordings = on.say.recordings(unknown)
        remark = on.remark("no_role_in", unknown, recordings=recordings, said=values["said"])
        return on.listing(
            on.say.say("role_in_several", len(there), of=len(on.chosen), **values), there, remark
        )


def _holders(role: Phrase, on: Selection) -> dict[str, list[str]]:
    """Who holds a role in each of the chosen recordings, by the recording's id."""
    held = [on.catalog.credits.get(same, {}) for same in same_roles(role)]
    return {r.id: list(dict.fromkeys(n for there in held for n in there.get(r.id, ()))) for r in on.chosen}


@dataclass(frozen=True)
class Identity:
    """Who somebody is: where they speak and in what role, beside what is said of them."""

    name: str

    def run(self, on: Selection) -> Fact | None:
        if len(on.chosen) < 2:
            return None
        fact, roles = Appearances(self.name).run(on), on.catalog.roles(self.name)
        if roles:
            named = on.say.say("named_as", name=plain(self.name), roles=on.say.listed(roles))
            fact = replace(fact, text=f"{fact.text} {named}")
        return replace(fact, whole=False)


@dataclass(frozen=True)
class Companions:
    """With whom somebody is heard."""

    name: str

    def run(self, on: Selection) -> Fact:
        there = [r for r in on.chosen if self.name in on.catalog.voices[r.id]]
        if not there:
            return Appearances(self.name).run(on)
        titles: defaultdict[str, list[str]] = defaultdict(list)
        for recording in there:
            for name in on.catalog.voices[recording.id]:
                titles[name].append(plain(recording.title))
        del titles[self.name]
        others = sorted(titles, key=lambda name: -len(titles[name]))
        where = plain(there[0].title) if len(there) == 1 else on.say.recordings(len(there))
        name = plain(self.name)
        text = on.say.say("with" if others else "alone", len(others), name=name, recordings=where)
        lines = on.lines(others, lambda name: f"{plain(name)}: {'; '.join(titles[name])}")
        return on.fact(text, lines, of=there)


@dataclass(frozen=True)
class Talk:
    """Who says most, or least; with a name, how much they say."""

    name: str = ""
    least: bool = False

    def run(self, on: Selection) -> Fact | None:
        there = [r for r in on.chosen if not self.name or self.name in on.catalog.voices[r.id]]
        other = Appearances(self.name) if self.name else Speakers()
        if not there:
            return other.run(on)
        if sum(r.passages for r in there) > MOST_READ:
            fact = other.run(on)
            return replace(fact, text=f"{fact.text} {on.say.say('too_many', len(there))}")
        on = on.of(there)
        shares = _shares(on)
        total = sum(count for count, _ in shares.values())
        return self._of(on, shares, total) if self.name else self._ranked(on, shares, total)

    def _of(self, on: Selection, shares: Shares, total: int) -> Fact:
        part, seconds = shares.get(self.name, (0, 0.0))
        values: dict[str, Any] = {"name": plain(self.name), "part": part, "of": total, "place": on.name}
        key = "says_for" if all(r.seconds is not None for r in on.chosen) else "says"
        return on.fact(on.say.say(key, percent=_percent(part, total), length=clock(seconds), **values))

    def _ranked(self, on: Selection, shares: Shares, total: int) -> Fact | None:
        unnamed = on.catalog.people.nameless if len(on.chosen) > 1 else ()
        counts = Counter({n: count for n, (count, _) in shares.items() if n and n not in unnamed})
        if not counts:
            return Speakers().run(on)
        ranked = counts.most_common()[::-1] if self.least else counts.most_common()
        level = [name for name, count in ranked if count == ranked[0][1]]
        values: dict[str, Any] = {"part": ranked[0][1], "of": total, "place": on.name}
        if len(level) > 1:
            text = on.say.say("equally", names=on.say.listed(level[:MOST]), **values)
        else:
            key, percent = ("speaks_least" if self.least else "speaks_most"), _percent(ranked[0][1], total)
            text = on.say.say(key, name=plain(level[0]), percent=percent, **values)

        def share(item: tuple[str, int]) -> str:
            said, percent = on.say.say("words", item[1]), _percent(item[1], total)
            return on.say.say("share", name=plain(item[0]), words=said, percent=percent)

        unknown = total - counts.total()
        remark = on.remark("nobody_said", unknown, words=on.say.say("words", unknown))
        return on.fact(text, on.lines(ranked[len(level) :], share), remark)


def _percent(part: int, of: int) -> str:
    return f"{100 * part / of:.0f}" if of else "0"


Shares = dict[str, tuple[int, float]]
"""How many words everybody says, and for how many seconds, by name; "" for nobody known."""


def _shares(on: Selection) -> Shares:
    """What everybody says in the chosen recordings."""
    shares: Shares = {}
    for passage in (p for r in on.chosen for p in on.reader.transcript(r.id)):
        begins = [begin for begin, _ in passage.voices] or [0]
        for begin, end in zip(begins, [*begins[1:], len(passage.text)], strict=True):
            label = passage.speaker_at(begin) or ""
            name = on.catalog.people.names.get(label, label)
            count, seconds = shares.get(name, (0, 0.0))
            lasts = (passage.time_at(end) or 0.0) - (passage.time_at(begin) or 0.0)
            shares[name] = count + len(passage.text[begin:end].split()), seconds + max(lasts, 0.0)
    return shares


@dataclass(frozen=True)
class RoleHolders:
    """Who is the host, the guest, the CFO, by labels and attributes; `noun` is what the question calls it."""

    role: Phrase
    noun: str

    def run(self, on: Selection) -> Fact | None:
        said, by_recording = on.say.quoted(self.noun), _holders(self.role, on)
        holders: dict[str, list[Recording]] = {}
        for recording in on.chosen:
            for name in by_recording[recording.id]:
                holders.setdefault(name, []).append(recording)
        if not holders:
            return self._unknown(on, said)
        known = {r.id: r for there in holders.values() for r in there}
        unknown = len(on.chosen) - len(known)
        remark = on.remark("no_role_in", unknown, recordings=on.say.recordings(unknown), said=said)
        if len(holders) > 1:
            lines = on.lines(list(holders), lambda name: f"{plain(name)}, {on.of(holders[name]).name}")
            return on.fact(
                on.say.say("role_of_several", len(holders), said=said), lines, remark, of=known.values()
            )
        ((name, there),) = holders.items()
        place = on.of(there).name
        text = on.say.say("role", noun=plain(self.noun), said=said, name=plain(name), place=place)
        return on.fact(text, (), remark, of=known.values())

    def _unknown(self, on: Selection, said: str) -> Fact | None:
        """Who speaks in the one recording: somebody may say of themselves what they are."""
        if len(on.chosen) != 1:
            return None
        voices = Speakers().run(on)
        text = on.say.say("no_role", recordings=on.say.recordings(1), said=said)
        return replace(on.fact(text, voices.items, voices.text), whole=False)
