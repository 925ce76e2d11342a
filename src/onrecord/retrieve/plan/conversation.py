"""What one question means, as it is asked after those before it: a text that stands by itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import onrecord.retrieve.plan.follow as follow
import onrecord.retrieve.plan.in_turn as in_turn
import onrecord.retrieve.plan.links as links
import onrecord.retrieve.plan.parts as parts
from onrecord.retrieve.plan.asked import Asked, Span
from onrecord.retrieve.plan.attributes import each_named
from onrecord.retrieve.plan.facts import Inquiry, Turn, inquiry
from onrecord.retrieve.plan.follow import Before, Lean
from onrecord.retrieve.plan.intent import said_once
from onrecord.retrieve.plan.known import Known
from onrecord.retrieve.plan.reading import Background, Found, read, spans_side_by_side
from onrecord.retrieve.plan.remembered import remembered
from onrecord.retrieve.plan.wish import Wish, wish
from onrecord.types import Filter

MOST_READ = 1000
"""Characters of a question in which filters are looked for."""


@dataclass(frozen=True, slots=True)
class Understood:
    """A question with what it leans on, as a text that stands by itself. `aside` are the words of filters
    that can be taken out of it, by filter; `rest` is what is too long to be looked at; `named` are the
    people in it who are not asked for; `doing` are its words for what somebody does in speaking, where it has
    no others; `wish` is what is done in speaking that it asks for, and `acts` is true where it asks for
    nothing else; `alone` is the question without what it leans on, `found` what was read in it, `earlier`
    what the one before it asks of the catalogue, `sides` of whom it and those before it ask the same."""

    asked: Asked
    rest: str
    filters: tuple[Filter, ...]
    aside: tuple[tuple[Filter, str], ...]
    side_by_side: tuple[Span, ...]
    named: tuple[str, ...]
    notes: tuple[str, ...]
    bare: bool
    alone: Asked
    found: Found
    doing: tuple[str, ...] = ()
    wish: Wish | None = None
    acts: bool = False
    earlier: Inquiry | None = None
    sides: tuple[str, ...] = ()

    def before(self, inquires: bool) -> Before:
        """What the next question may lean on. Who `inquires` of the catalogue spoke of nothing: only where it
        looked, and whom it named, is kept."""
        people = [found.value for found in self.filters if found.field == "speaker"] or list(self.named)
        text = "" if inquires else self.search(self.filters)
        return Before(text, self.filters, tuple(dict.fromkeys(people)), self.sides)

    def inquires(self, kept: Sequence[Filter], known: Known) -> Inquiry | None:
        """What it asks of the catalogue, where these filters hold."""
        return inquiry(Turn(self.alone, self.found, tuple(kept)), self.earlier, known)

    def search(self, kept: Sequence[Filter]) -> str:
        """The text to search for: without the words of the filters that are kept."""
        text = self.asked.text
        spans = []
        for found, words in dict.fromkeys(self.aside):
            at = text.find(words)
            if found in kept and at >= 0:
                spans.append((at, at + len(words)))
        return follow.search_text(text, spans) + self.rest


def in_conversation(questions: Sequence[str], against: Background) -> Understood:
    """The last of some questions, as it is asked after the others. What it means is remembered, as the next
    turn may lean on it."""
    key = "turns", *questions, against.language, against.today, repr(against.within)
    return remembered(against.reader).value(key, lambda: _as_last(questions, against))


def _as_last(questions: Sequence[str], against: Background) -> Understood:
    *before, text = questions
    if not before:
        return _understood(text, None, against)
    last = in_conversation(before, against)
    asked = last.inquires(last.filters, against.known)
    now = _understood(text, last.before(asked is not None), against)
    return replace(now, earlier=asked)


def _understood(text: str, before: Before | None, against: Background) -> Understood:
    asked = each_named(follow.without_courtesy(Asked.of(said_once(text[:MOST_READ]))))
    wanted_language = parts.answer_language(asked)
    if wanted_language:
        begin, end = wanted_language[1]
        asked = Asked.of((asked.text[:begin] + " " + asked.text[end:]).strip() or asked.text)
    asked, linked, unlinked = links.read(asked, against.known, against.notes)
    anywhere = before is not None and (follow.opens(asked) or len(asked.tokens()) <= 2)
    earlier = [f for f in before.filters if f.field not in ("speaker", "recording")] if before else []
    company = before.people if before else ()
    found = read(asked, against, anywhere, earlier, company, linked)
    found = replace(found, notes=(*unlinked, *found.notes))
    rest = text[MOST_READ:]
    if before is not None and (whole := in_turn.compared(asked, before)):
        return _compared(_understood(whole.text, None, against), before)
    read_already = [*_filter_spans(found), *_name_spans(found)]
    if before is not None and (lean := follow.leaning(asked, read_already)):
        return _leaning(asked, found, rest, before, lean, against)
    return _alone(asked, found, rest)


def _compared(now: Understood, before: Before) -> Understood:
    """A comparison of those who were asked of before, where they were asked."""
    fields = {"speaker", *(found.field for found in now.filters)}
    kept = [found for found in before.filters if found.field not in fields and found.said not in before.sides]
    return replace(now, filters=(*now.filters, *kept))


def _leaning(
    asked: Asked, found: Found, rest: str, before: Before, lean: Lean, against: Background
) -> Understood:
    """A question with what it leans on."""
    new = [reading.filter for reading in found.readings]
    gone = [] if lean.person else in_turn.elsewhere(new, before, against.known)
    filters, people, unclear = follow.carried(new, before, lean, bool(found.asked_for), gone)
    own = wish(asked)
    renewed = lean.opened and lean.empty and _has_new_name(asked, found)
    again = not renewed and (own is None or lean.thing is not None or not _only_an_act(before))
    names = _name_spans(found)
    called = [asked.said(span) for span in names]
    if gone and not names:  # the firm is asked what they were asked
        names = [span for other in new if (span := _place(asked, other.said))]
    whole = Asked.of(follow.joined(asked, lean, before, names, people, new)) if again else asked
    aside = _aside(asked, found)
    left = whole.without(span for _, words in aside if (span := _place(whole, words)))
    words = follow.subject_words(left.low)
    wanted = wish(whole) if again else own  # what it leans on may be all that is left of its words
    return Understood(
        alone=asked,
        found=found,
        asked=whole,
        rest=rest,
        filters=tuple(filters),
        aside=aside,
        side_by_side=(),
        named=_others(found),
        notes=(*found.notes, against.notes.pronoun(lean.person)) if unclear else found.notes,
        bare=(not words and not renewed) or bool(follow.acts(words, filters)),
        wish=own or wanted,
        acts=wanted is not None and wanted.bare(left),
        sides=in_turn.sides(before, new, called, gone),
    )


_WITH_CAPITAL = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+")


def _has_new_name(asked: Asked, found: Found) -> bool:
    """Whether a word is written as a name, though it is one of function: "and Go?"."""
    return bool(_WITH_CAPITAL.search(asked.text)) and not found.readings and not _name_spans(found)


def _only_an_act(before: Before) -> bool:
    """Whether what was asked before had no subject for "who disagreed?": "what was decided?"."""
    asked = Asked.of(before.text)
    earlier = wish(asked)
    said = (_place(asked, found.said) for found in before.filters)
    return earlier is not None and earlier.bare(asked.without(span for span in said if span))


def _name_spans(found: Found) -> list[Span]:
    """Where people are named."""
    return [mention.span for mention in (*found.asked_for, *found.others)]


def _filter_spans(found: Found) -> list[Span]:
    """Where filters were read."""
    return [span for reading in found.readings for span in (reading.span, *reading.also)]


def _place(asked: Asked, words: str) -> Span | None:
    at = asked.text.find(words)
    return (at, at + len(words)) if at >= 0 else None


def _alone(asked: Asked, found: Found, rest: str) -> Understood:
    """A question that leans on nothing."""
    wanted = wish(asked)
    if wanted is not None:
        found = wanted.asked_of(asked, found)
    left = asked.without(_filter_spans(found))
    filters = tuple(reading.filter for reading in found.readings)
    words = follow.subject_words(left.low)
    doing = tuple(follow.acts(words, filters))
    beside = tuple(spans_side_by_side(found.readings))
    return Understood(
        alone=asked,
        found=found,
        asked=asked,
        rest=rest,
        filters=filters,
        aside=_aside(asked, found),
        side_by_side=beside,
        sides=tuple(
            said for _, said in sorted((r.span, r.filter.said) for r in found.readings if r.span in beside)
        ),
        named=_others(found),
        notes=found.notes,
        bare=(not words or bool(doing)) and not rest.strip(),
        doing=doing,
        wish=wanted,
        acts=wanted is not None
        and not rest.strip()
        and wanted.bare(left.without(m.span for m in found.others if wanted.does(m.span))),
    )


def _aside(asked: Asked, found: Found) -> tuple[tuple[Filter, str], ...]:
    """The words of filters that can be taken out; not of those that are compared."""
    compared = set(spans_side_by_side(found.readings))
    return tuple(
        (reading.filter, asked.text[slice(*span)])
        for reading in found.readings
        if reading.aside and reading.span not in compared
        for span in (reading.span, *reading.also)
    )


def _others(found: Found) -> tuple[str, ...]:
    return tuple(mention.people[0].name for mention in found.others if len(mention.people) == 1)
