"""What a section without a name is called: by its kind, by who speaks, or by its most telling words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import log

from onrecord.ingest.sections.kinds import Span
from onrecord.ingest.sections.words import Words, content

_ENGLISH = {
    "opening": "Opening",
    "disclaimer": "Disclaimer",
    "discussion": "Management discussion",
    "remarks": "Remarks by {who}",
    "qa": "Questions and answers",
    "exchange": "Questions by {who}",
    "demo": "Demo",
    "advertisement": "Sponsor",
    "decision": "Decision",
    "closing": "Closing",
}
_FRENCH = {
    "opening": "Ouverture",
    "disclaimer": "Avertissement",
    "discussion": "Présentation de la direction",
    "remarks": "Intervention de {who}",
    "qa": "Questions et réponses",
    "exchange": "Questions de {who}",
    "demo": "Démonstration",
    "advertisement": "Partenaire",
    "decision": "Décision",
    "closing": "Clôture",
}
_PHRASES = 3
"""Telling phrases in a title at most."""
_LONGEST = 3
"""Words of a phrase at most."""


class Titles:
    """Gives titles, each once in a recording: the second is numbered."""

    def __init__(
        self, words: Words, language: str, taken: Iterable[str] = (), names: Iterable[str] = ()
    ) -> None:
        self._words = words
        self._known = _FRENCH if language.startswith("fr") else _ENGLISH
        self._taken = Counter(taken)
        self._names = {content(word) for name in names for word in name.split()}

    def of(self, span: Span) -> str:
        """The title of a part; "Part" where it has no telling words either."""
        pattern = self._known.get(span.kind or "", "")
        if "{who}" in pattern and not span.who:
            pattern = ""
        title = pattern.format(who=span.who) or telling(self._words, span, self._names) or "Part"
        self._taken[title] += 1
        return title if self._taken[title] == 1 else f"{title} ({self._taken[title]})"


def telling(words: Words, span: Span, without: Iterable[str] = ()) -> str:
    """The phrases that tell a part from the rest: "Freight costs, Lyon plant"; "" where none is said twice.

    A phrase is a run of up to three words that carry meaning, weighted by how often the part says it, how
    seldom the rest does, and how many words it has (Rose et al., Automatic Keyword Extraction from
    Individual Documents, 2010, with rarity in place of degree).
    """
    inside = range(span.first, span.last + 1)
    phrases: Counter[tuple[str, ...]] = Counter()
    written: dict[tuple[str, ...], Counter[str]] = {}
    banned = set(without)
    for at in inside:
        for run in _runs(words.said[at], banned):
            for phrase in _parts(run):
                key = tuple(plain for plain, _ in phrase)
                phrases[key] += 1
                written.setdefault(key, Counter())[" ".join(said for _, said in phrase)] += 1
    scores = {
        key: count * log(1 + count) * _weight(words, key, span) * len(key)
        for key, count in phrases.items()
        if count > 1
    }
    chosen: list[tuple[str, ...]] = []
    for key in sorted(scores, key=lambda key: (-scores[key], key)):
        if len(chosen) < _PHRASES and not any(set(key) & set(other) for other in chosen):
            chosen.append(key)
    title = ", ".join(written[key].most_common(1)[0][0] for key in chosen)
    return title[:1].upper() + title[1:]


def _runs(said: Sequence[str], without: set[str]) -> Iterator[list[tuple[str, str]]]:
    """Runs of words that carry meaning: what each stands for and how it is written."""
    run: list[tuple[str, str]] = []
    for word in said:
        plain = content(word)
        if plain and plain not in without:
            run.append((plain, word))
        elif run:
            yield run
            run = []
    if run:
        yield run


def _parts(run: Sequence[tuple[str, str]]) -> Iterator[Sequence[tuple[str, str]]]:
    for begin in range(len(run)):
        for end in range(begin + 1, min(begin + _LONGEST, len(run)) + 1):
            part = run[begin:end]
            if len({plain for plain, _ in part}) == len(part):
                yield part


def _weight(words: Words, key: Sequence[str], span: Span) -> float:
    """How much rarer the words are in the rest of the recording, from 0."""
    inside = sum(plain in words.counts[at] for at in range(span.first, span.last + 1) for plain in key)
    everywhere = sum(words.passages[plain] for plain in key)
    share, size = inside / max(everywhere, 1), (span.last - span.first + 1) / len(words)
    return max(0.05, share - size) + 0.1
