"""Clauses of sentences: the names, denials, comparisons and causes in them, for English and French."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from onrecord.answer.opposites import root, roots
from onrecord.ingest.people import COURTESY_TITLES
from onrecord.retrieve.diversity.same import NOTS, denies
from onrecord.retrieve.quantities import Quantity, Token, measure_of, tokens
from onrecord.retrieve.sentences import is_question
from onrecord.retrieve.wording import stem
from onrecord.stores.words import STOP, fold, terms
from onrecord.types.calendar import FULL_NAMES

_CLAUSE_ENDS = frozenset(
    "and but or while whereas although though because since so as where when if that which who et mais ou "
    "tandis alors car que qui si quand".split()
)
_COMPLEMENTS = frozenset("that que".split())
"""Words that open a clause of which the words directly before it say that it is so, or that it is not."""
_BELIEFS = roots(
    "true case evidence proof believe think expect suppose vrai preuve croire crois croit croient penser "
    "pense pensons pensent"
)
_DISBELIEFS = roots(
    "doubt deny dispute false untrue wrong myth rumour rumor doute doutons doutent nier nie nient faux rumeur"
)
"""Words that affirm the clause after them, or deny it. Denied, the first ones deny it, the second affirm it.

What follows the factive "notice" or "forget" is so whether that is denied or not: "I did not notice that".
What follows "not clear" or "not sure" is open.
"""
_NOT = Token("not", "not")
_LISTS = frozenset(("and", "or", "et", "ou"))
SPEAKS = frozenset("i we us me ours mine je nous on j m".split())
OTHERS = frozenset("he she they it him her his them il elle ils elles lui".split())
STANDS_FOR = OTHERS | frozenset("one ones both mine hers theirs mien mienne sien sienne en".split())
"""Words that may stand for something that was named before."""
_BASE = frozenset("from against than where versus contre depuis".split())
"""Words before the figure that another figure is compared with: "from six", "instead of six"."""
_BASE_OF = frozenset(
    ("instead of", "rather than", "compared with", "compared to", "au lieu", "down from", "up from")
)
_BACK = ("because", "owing to", "due to", "thanks to", "on account of", "caused by", "as a result of",
         "parce que", "parce qu", "car", "a cause de", "grace a", "en raison de", "du fait")  # fmt: skip
_FORTH = ("so", "therefore", "that is why", "which is why", "led to", "leads to", "donc", "c est pourquoi")
_EDITING = frozenset("no wait sorry rather pardon correction non enfin plutot".split())
"""Editing terms, which take back the words before them when they follow a mark. "Well" and "so" do not."""
_REPAIRED = 6
"""The most tokens between a figure and the editing term, and between that term and the new figure."""
_PER = frozenset("a an per each every the par".split())
_PERIODS = {
    form: period
    for period, forms in (
        ("second", "second seconde"),
        ("minute", "minute"),
        ("hour", "hour hourly heure"),
        ("day", "day daily jour"),
        ("week", "week weekly semaine"),
        ("month", "month monthly mois"),
        ("year", "year yearly annum an"),
    )
    for form in forms.split()
}
DATES = roots(" ".join(FULL_NAMES))
TITLES = COURTESY_TITLES | frozenset("captain chef director doctor sergeant".split())
"""Words that stand before names and are no names by themselves."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence: its tokens and its speaker."""

    tokens: tuple[Token, ...]
    speaker: str = ""

    @property
    def words(self) -> list[str]:
        return [token.term for token in self.tokens if not token.mark]


@dataclass(frozen=True)
class Spoken:
    """A sentence and its speaker."""

    text: str
    speaker: str = ""

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        parts: list[list[Token]] = [[]]
        words = without_repairs(tokens(self.text))
        for at, token in enumerate(words):
            listing = token.term in _LISTS and all(one.quantity for one in words[at - 1 : at + 2 : 2])
            ends = token.term in _CLAUSE_ENDS and not listing
            # a conjunction ends a clause only if the words before it can stand by themselves
            if token.mark or (ends and any(one.quantity or one.term not in STOP for one in parts[-1])):
                parts.append([])
            if not token.mark:
                parts[-1].append(token)
        befores = [[], *parts]
        whole = (_with_denial(*both) for both in zip(befores, parts, strict=False))
        return tuple(Clause(tuple(part), self.speaker) for part in whole if part)

    @cached_property
    def affirmed(self) -> frozenset[str]:
        """The stems of the clauses that deny nothing."""
        return frozenset().union(*(stems_of(clause) for clause in self.clauses if not denied_in(clause)))

    @property
    def asks(self) -> bool:
        return is_question(self.text)

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset().union(*(stems_of(clause) for clause in self.clauses))


def _with_denial(before: Sequence[Token], clause: Sequence[Token]) -> Sequence[Token]:
    """Return a clause, with a "not" behind its subject if the clause before denies it: "nobody believes"."""
    if not before or not clause or clause[0].term not in _COMPLEMENTS:
        return clause
    last, is_denied = roots(before[-1].text), sum(map(denies, before)) % 2 == 1
    if last.isdisjoint(_BELIEFS if is_denied else _DISBELIEFS):
        return clause
    subjects = (
        at for at, token in enumerate(clause) if token.term in OTHERS | SPEAKS or content_roots([token])
    )
    verb = next(subjects, 0) + 1
    return (*clause[:verb], _NOT, *clause[verb:])


def without_repairs(words: Sequence[Token]) -> list[Token]:
    """Return the tokens without figures that the speaker corrects at once, and without the correcting words.

    "fourteen weeks of hire, no wait, fourteen days" loses the weeks. The form is that of W. J. M. Levelt,
    Monitoring and self-repair in speech, 1983: the part to repair, an editing term, the repair.
    """
    remaining: list[Token] = []
    at = 0
    while at < len(words):
        end = at + 1  # the end of a word, or of a mark with the marks and editing terms after it: "no wait"
        while words[at].mark and end < len(words) and (words[end].mark or words[end].term in _EDITING):
            end += 1
        is_editing = words[at].mark and not all(token.mark for token in words[at:end])
        repaired = reversed(remaining[-_REPAIRED:]) if is_editing else ()
        figure = next((token for token in repaired if token.quantity), None)
        if figure and any(token.quantity for token in words[end : end + _REPAIRED]):
            while remaining.pop() is not figure:
                pass
        else:
            remaining += words[at:end]
        at = end
    return remaining


def stems_of(clause: Clause) -> frozenset[str]:
    """Return the stems of a clause's content words, and its figures by their values."""
    return content_roots(clause.tokens)


def content_roots(words: Iterable[Token]) -> frozenset[str]:
    """Return the stems of content words, and figures by their values, however they are written."""
    stems: set[str] = set()
    for token in words:
        if token.quantity:
            stems |= set() if token.quantity.weak else {figure_of(token.quantity)}
        else:
            stems |= {root(term) for term in terms(token.text) if STOP.isdisjoint((term, token.term))}
    return frozenset(stems)


def figure_of(quantity: Quantity) -> str:
    return f"={quantity.value:g}"


def names_in(spoken: Spoken, known: frozenset[str]) -> Iterator[tuple[int, frozenset[str]]]:
    """Yield the names in a sentence, each with the number of its clause.

    A name is a run of capitalized words. The first word of the sentence counts only if it is `known` as a
    name or is a title.
    """
    first = True
    for number, clause in enumerate(spoken.clauses):
        name: set[str] = set()
        for token in (*clause.tokens, Token("", "")):
            capital = token.text[:1].isupper() and not token.quantity and len(token.text) > 1
            if capital and (not first or fold(token.text) in known or token.term in TITLES):
                name |= roots(" ".join(set(terms(token.text)) - TITLES))
            elif name:
                yield number, frozenset(name)
                name = set()
            first = False


def subject_of(clause: Clause) -> frozenset[str]:
    """Return the stems of a clause's first content word; empty if a pronoun or a figure comes before it."""
    for token in clause.tokens:
        if token.term in OTHERS | SPEAKS or token.quantity:
            break
        if named := content_roots((token,)):
            return named
    return frozenset()


def compared_in(spoken: Spoken) -> list[tuple[Quantity, bool]]:
    """Return the quantities of a sentence, each with whether another quantity is compared with it."""
    compared: list[tuple[Quantity, bool]] = []
    words: list[str] = []
    for token in tokens(spoken.text):
        if token.quantity:
            last = words[-3:]
            based = bool(_BASE & set(last)) or any(" ".join(last[at : at + 2]) in _BASE_OF for at in (0, 1))
            compared.append((token.quantity, based))
            words = []
        else:
            words.append(token.term)
    return compared


def rates_in(spoken: Spoken) -> list[tuple[Quantity, str]]:
    """Return the quantities of a sentence that are rates, each with its period or measure.

    Examples are "forty trams a week" and "ten minutes per acre".
    """
    rates: list[tuple[Quantity, str]] = []
    last: Quantity | None = None
    before = ""
    for token in tokens(spoken.text):
        period = _PERIODS.get(token.term) or (_PERIODS.get(stem(token.term)) if before in _PER else None)
        period = period or (measure_of(token.term) if before in ("per", "par") else None)
        if last and period and (before in _PER or token.term.endswith("ly")):
            rates.append((last, period))
        last = token.quantity or (None if token.mark else last)
        before = token.term
    return rates


def denied_in(clause: Clause) -> frozenset[str]:
    """Return the stems that a "not" in a clause denies.

    These are the stems of the next two content words; if none follow, the stems of the words before.
    """
    for at, token in enumerate(clause.tokens):
        if denies(token):
            after = [content_roots((one,)) for one in clause.tokens[at + 1 :]]
            named = list(filter(None, after))[:2] or [content_roots(clause.tokens[:at])]
            return frozenset().union(*named) - NOTS
    return frozenset()


@lru_cache(maxsize=1 << 12)
def effect_and_cause(text: str) -> tuple[str, str] | None:
    """Return the effect and the cause that a sentence gives; None if it gives none."""
    text_of_terms = f" {' '.join(token.term for token in tokens(text))} "
    for words in _BACK:
        before, cue, after = text_of_terms.partition(f" {words} ")
        if cue and after.strip():
            return before, after.removeprefix("of ")
    for words in _FORTH:
        before, cue, after = text_of_terms.partition(f" {words} ")
        if cue and before.strip() and after.strip():
            return after, before
    return None
