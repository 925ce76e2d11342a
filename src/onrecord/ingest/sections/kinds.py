"""Kinds of sections: an opening, the questions of one analyst, a demonstration."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from onrecord.ingest.sections.genres import DECISION, EARNINGS, MEETING, Genre
from onrecord.ingest.sections.words import DATA
from onrecord.types import Passage

KINDS = {
    "opening": "greetings, who is there, what it will be about",
    "disclaimer": "what lawyers want said before an earnings call",
    "discussion": "the management's prepared remarks",
    "remarks": "those of one speaker among them",
    "qa": "questions and answers",
    "exchange": "one questioner's among them",
    "talk": "a topic of a talk",
    "demo": "something is shown",
    "interview": "a topic of a podcast",
    "advertisement": "a word from the sponsor",
    "item": "a topic of a meeting",
    "decision": "what was decided",
    "closing": "thanks, farewells, what comes next",
}
"""Every kind of section, with a description."""


@dataclass(frozen=True, slots=True)
class Span:
    """Passages `first`..`last`, inclusive.

    `who` is the speaker or questioner of the span; `parts` are the spans within it.
    """

    first: int
    last: int
    kind: str | None = None
    who: str | None = None
    parts: tuple[Span, ...] = ()


def outline(passages: Sequence[Passage], begins: Sequence[int], genre: Genre | None) -> list[Span]:
    """Divide all passages into consecutive spans. `begins` are the positions where topics begin."""
    if genre is None or len(passages) < 4:
        return _topics(len(passages), begins, [None] * len(passages), None)
    if genre is EARNINGS:
        return _earnings_call(passages)
    topics = _topics(len(passages), begins, _mark_kinds(passages, genre), genre.topic)
    return [_with_decisions(span, passages) for span in topics] if genre is MEETING else topics


def _topics(count: int, begins: Sequence[int], kinds: Sequence[str | None], topic: str | None) -> list[Span]:
    """Return runs of passages of one kind; passages without a kind are split where topics begin.

    A single passage left over from a topic joins the next topic.
    """
    starts = set(begins)
    spans: list[Span] = []
    for at in range(count):
        last = spans[-1] if spans else None
        new = last is None or kinds[at] != kinds[at - 1] or (kinds[at] is None and at in starts)
        short = last is not None and last.kind == topic and last.first == last.last and kinds[at] is None
        if new and not (short and kinds[at - 1] is None):
            spans.append(Span(at, at, kinds[at] or topic))
        else:
            spans[-1] = Span(spans[-1].first, at, spans[-1].kind)
    return spans


# ---------------------------------------------------------------- talks, podcasts, meetings


def _mark_kinds(passages: Sequence[Passage], genre: Genre) -> list[str | None]:
    """Return the kind of each passage that its words indicate, else None."""
    count = len(passages)
    kinds: list[str | None] = [None] * count
    for kind, phrases in genre.parts.items():
        for at, passage in enumerate(passages):
            if phrases.search(passage.text):
                kinds[at] = kind
    _join_demos(kinds)
    _mark_questions(kinds, passages)
    for at in range(min(2, count // 4)):
        if genre.opening.search(passages[at].text):
            kinds[: at + 1] = ["opening"] * (at + 1)
    for at in range(max(count - 2, 3 * count // 4), count):
        if genre.closing.search(passages[at].text):
            kinds[at:] = ["closing"] * (count - at)
            break
    return kinds


def _join_demos(kinds: list[str | None]) -> None:
    """Extend a demonstration between two marks with at most two passages between them.

    Single marks are dropped, because they are mere mentions.
    """
    marks = [at for at, kind in enumerate(kinds) if kind == "demo"]
    for at in marks:
        kinds[at] = None
    for first, last in pairwise(marks):
        if last - first <= 3:
            kinds[first : last + 1] = ["demo"] * (last + 1 - first)


def _mark_questions(kinds: list[str | None], passages: Sequence[Passage]) -> None:
    """Mark the questions at the end of a talk.

    They begin at their announcement in the second half of the talk, if people other than the speaker then
    ask.
    """
    half = len(kinds) // 2
    first = next((at for at in range(half, len(kinds)) if kinds[at] == "qa"), len(kinds))
    kinds[:] = [None if kind == "qa" else kind for kind in kinds]
    asked = sum("?" in passage.text for passage in passages[first:])
    if asked >= 2 and len({passage.speaker for passage in passages[first:]}) > 1:
        kinds[first:] = ["qa"] * (len(kinds) - first)


def _with_decisions(span: Span, passages: Sequence[Passage]) -> Span:
    """Return a span of a meeting with its decisions as parts."""
    if span.kind in ("opening", "closing"):
        return span
    at = [i for i in range(span.first, span.last + 1) if DECISION.search(passages[i].text)]
    return Span(span.first, span.last, span.kind, parts=tuple(Span(i, i, "decision") for i in at))


# ---------------------------------------------------------------- earnings calls

_QUESTIONS, _NEXT, _DISCLAIMER = (
    re.compile(DATA["earnings_call"][name], re.IGNORECASE) for name in ("questions", "next", "disclaimer")
)
_WELCOME = re.compile(r"\b(?:welcome|bienvenue)\b", re.IGNORECASE)
_OPENING = 8
"""The most passages of an earnings call's opening."""


def _earnings_call(passages: Sequence[Passage]) -> list[Span]:
    """Divide an earnings call into opening, prepared remarks, questions and answers, and closing."""
    count = len(passages)
    questions = _first_match(passages, _QUESTIONS, max(3, count // 10), count)
    openings = [at for at in range(min(_OPENING, count // 3)) if EARNINGS.opening.search(passages[at].text)]
    has_welcome = _WELCOME.search(passages[0].text) is not None and passages[0].speaker != passages[1].speaker
    discussion = min(openings[-1] + 1 if openings else int(has_welcome), questions)
    closing = _first_match(passages, EARNINGS.closing, max(questions + 1, count - 6), count)
    if questions == count:
        closing = _first_match(passages, EARNINGS.closing, max(discussion + 1, count - 3), count)
    middle = min(questions, closing)
    spans = [
        Span(0, discussion - 1, "opening", parts=_disclaimers(passages[:discussion])),
        Span(discussion, middle - 1, "discussion", parts=_remarks(passages, discussion, middle)),
        Span(questions, closing - 1, "qa", parts=tuple(_exchanges(passages, questions, closing))),
        Span(closing, count - 1, "closing"),
    ]
    return [span for span in spans if span.first <= span.last]


def parts_of(kind: str | None, passages: Sequence[Passage], first: int, last: int) -> tuple[Span, ...]:
    """Return the parts of a source's own section in an earnings call."""
    if kind == "discussion":
        return _remarks(passages, first, last + 1)
    return tuple(_exchanges(passages, first, last + 1)) if kind == "qa" else ()


def _first_match(passages: Sequence[Passage], phrase: re.Pattern[str], begin: int, end: int) -> int:
    """Return the position of the first passage from `begin` on with the phrase, or `end`."""
    return next((at for at in range(begin, end) if phrase.search(passages[at].text)), end)


def _disclaimers(opening: Sequence[Passage]) -> tuple[Span, ...]:
    at = [i for i, passage in enumerate(opening) if _DISCLAIMER.search(passage.text)]
    return (Span(at[0], at[-1], "disclaimer"),) if at else ()


def _remarks(passages: Sequence[Passage], begin: int, end: int) -> tuple[Span, ...]:
    """Return the remarks, one span per speaker; a single passage joins the speaker before."""
    spans: list[Span] = []
    for at in range(begin, end):
        if spans and (
            passages[at].speaker == spans[-1].who
            or (at + 1 < end and passages[at + 1].speaker != passages[at].speaker)
        ):
            spans[-1] = Span(spans[-1].first, at, "remarks", spans[-1].who)
        else:
            spans.append(Span(at, at, "remarks", passages[at].speaker))
    several = len({span.who for span in spans if span.who}) > 1
    return tuple(spans) if several else ()


def _exchanges(passages: Sequence[Passage], begin: int, end: int) -> Iterator[Span]:
    """Yield one span per questioner.

    A new span begins where the operator calls a questioner, or where somebody from outside the management
    begins to speak.
    """
    hosts = {name for p in passages[:begin] for name in _names(p)} | _operators(passages[begin:end])
    starts: list[tuple[int, str | None]] = []
    for at in range(begin, end):
        asker = next((name for name in _names(passages[at]) if name not in hosts), None)
        called = bool(_NEXT.search(passages[at].text))
        last, who = starts[-1] if starts else (begin - 2, None)
        if asker and who is None and at - last <= 1 and starts:
            starts[-1] = (last, asker)  # the operator called this person just before
        elif asker and asker != who and at > last:
            starts.append((at, asker))
        elif called and asker is None and at - last > 1:
            starts.append((at, None))
    for (first, who), (following, _) in pairwise([*starts, (end, None)]):
        yield Span(first, following - 1, "exchange", who)


def _operators(passages: Sequence[Passage]) -> set[str | None]:
    """Return the speakers who call questioners."""
    calls = ((passage, _NEXT.search(passage.text)) for passage in passages)
    return {passage.speaker_at(call.start()) for passage, call in calls if call}


def _names(passage: Passage) -> list[str]:
    """Return the named speakers of a passage, in order."""
    return [name for *_, name in passage.turns if name]


# ---------------------------------------------------------------- kinds by title

_TITLES = {
    "qa": r"q ?(?:&|and|\+|/) ?a|questions?(?: and answers| et réponses|[- ]réponses)?",
    "opening": r"intro(?:duction)?|opening|welcome|ouverture|accueil|bienvenue|cold open",
    "closing": r"outro|closing|conclusion|wrap[- ]?up|goodbye|farewell|clôture|au revoir|credits|fin",
    "demo": r"(?:live )?demo(?:nstration)?|démo(?:nstration)?",
    "advertisement": r"(?:ad|sponsor|advert|advertisement|our sponsor|publicité|partenaire)s?",
    "discussion": r"(?:management|prepared) (?:discussion|remarks|presentation)|présentation de la direction",
    "decision": r"decisions?|décisions?|votes?",
}
_KINDS = {
    kind: re.compile(rf"(?:the |la |le |les )?(?:{titles})", re.IGNORECASE)
    for kind, titles in _TITLES.items()
}


def kind_of(title: str) -> str | None:
    """Return the kind that a title names, also before a colon or "with"; else None.

    "Sponsor: Acme" is an advertisement; "Why demos fail" has no kind.
    """
    name = re.split(r"[:\u2013\u2014|(]| - | with | from | avec | de ", title, maxsplit=1)[0].strip(
        " .!#0123456789"
    )
    return next((kind for kind, titles in _KINDS.items() if titles.fullmatch(name)), None)
