"""The speakers whom a question asks for: who is named, and whether as one who says something.

"What did Kelly say about Ortega?" asks what Kelly says; Ortega is what it is about. So a name makes a
filter only in the place of one who speaks, thinks or answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cache
from itertools import chain

from onrecord.retrieve.plan.asked import Asked, Span, Token, low, words_of
from onrecord.retrieve.plan.calendar_words import MONTHS, WEEKDAYS
from onrecord.retrieve.plan.kinds import KINDS
from onrecord.retrieve.plan.known import Known, Person, one_of
from onrecord.retrieve.plan.names import ANYBODY, FIRST_NAMES, ORDINARY, PARTICLES, ROLES, TITLES, titled
from onrecord.stores.words import STOP

_MOST = 60
"""Names read in one question."""
_ALIKE = 0.6
"""How alike a misspelt first name must be to the right one, 0..1 (difflib's ratio): Kris and Chris."""
_SLOT = 0xE000  # private use: stands for the first name in a question, the next number for the second


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a question, and whom it can mean. `near` where it is misspelt; `role` where it is what they
    are ("the guest")."""

    span: Span
    people: tuple[Person, ...]
    near: bool = False
    role: bool = False


@dataclass(frozen=True, slots=True)
class Speakers:
    """Mentions in a question: `asked_for` are of those who are to speak, `others` are what it is about; `who`
    is the role of whom the question wants the name."""

    asked_for: tuple[Mention, ...] = ()
    others: tuple[Mention, ...] = ()
    who: Mention | None = None


def speakers(asked: Asked, known: Known, anywhere: bool = False) -> Speakers:
    """Who is named in a question. With `anywhere` whoever is named is asked for: "And Ortega?"."""
    found = list(_whole(asked, mentions(asked, known), known))[:_MOST]
    if not found:
        return Speakers()
    slots = _with_slots(asked.low, found)
    roles = {at for match in _in_roles(slots) for at in match if not _is_a_thing(asked, found[at], known)}
    if anywhere:
        roles |= {at for at, m in enumerate(found) if not m.near or " " in asked.low[slice(*m.span)]}
    chosen = tuple(mention for at, mention in enumerate(found) if at in roles)
    others = tuple(m for at, m in enumerate(found) if at not in roles and not (m.near or m.role))
    who = next((m for m in found if m.role and _WHO_IS.fullmatch(asked.low[: m.span[0]])), None)
    return Speakers(chosen, others, who)


_WHO_IS = re.compile(
    r"(?:and |so |et )?(?:who(?:'s| is| was| are| were)|qui (?:est|etait)) (?:the |le |la |l')?"
)


def _is_a_thing(asked: Asked, mention: Mention, known: Known) -> bool:
    """Whether a part of a name is also one of an attribute's value: of a firm called after its founder."""
    if titled(asked, mention.span[0]):
        return False
    words = asked.low[slice(*mention.span)].split()
    return len(words) == 1 and words[0] in known.value_words and all(len(p.words) > 1 for p in mention.people)


# ---------------------------------------------------------------- names


_SMALL_WORDS = STOP - ORDINARY
"""Words that no name begins with, half of a text."""


def mentions(asked: Asked, known: Known) -> Iterator[Mention]:
    """Every name of a speaker in the text, as much of it as is written, and every role that has a speaker."""
    tokens = [_of_one(token) for token in asked.tokens()]
    small = not any(token.capital for token in tokens[1:])
    at = 0
    while at < len(tokens):
        found = None
        if tokens[at].low not in _SMALL_WORDS or tokens[at].low in known.by_role:
            found = _name_at(tokens, at, known, small, asked.low) or _role_at(tokens, at, known)
        if found:
            yield found[0]
        at = found[1] if found else at + 1


def _name_at(
    tokens: Sequence[Token], at: int, known: Known, small: bool, text: str
) -> tuple[Mention, int] | None:
    people, near = _called(tokens[at], known, small, first=at == 0)
    alone = bool(people)
    if not alone and tokens[at].low in ORDINARY:  # "pierre garnier", all in small letters
        people = known.by_name_word.get(tokens[at].low, ())
    if not people:
        return None
    end = at + 1
    while people and end < len(tokens) and text[tokens[end - 1].end : tokens[end].begin] in (" ", "-", ". "):
        exact = known.by_name_word.get(tokens[end].low, ())
        meant = frozenset(exact or _nearly(tokens[end], known))
        both = tuple(person for person in people if person in meant)
        if tokens[end].low in STOP and tokens[end].low not in PARTICLES:
            both = tuple(person for person in both if person.words == _words(tokens[at : end + 1]))  # PhD A
        if not both:
            break
        people, near, end = both, near or not exact, end + 1
    words = _words(tokens[at:end])
    if words <= ROLES | PARTICLES or all(len(word) == 1 for word in words):
        people = _in_role(words, people)
        while people and end < len(tokens) and tokens[end].low in ROLES:  # "the marketing expert"
            end += 1
    if not people or (not alone and end == at + 1):
        return None
    if near and end == at + 1 and _within_a_name(tokens, at, text):
        return None
    return Mention((tokens[at].begin, tokens[end - 1].end), people, near), end


def _whole(asked: Asked, found: Iterable[Mention], known: Known) -> Iterator[Mention]:
    """Mentions with a first name that is not theirs: "Kris Benson" is Chris Benson misspelt, if anybody, and
    not also the Kris who has another name."""
    tokens = asked.tokens()
    at = {token.begin: number for number, token in enumerate(tokens)}
    last: Mention | None = None
    for mention in found:
        number = at[mention.span[0]]
        first = tokens[number - 1] if number > 1 else None  # the first word has its capital anyway
        if (
            first
            and _stands_before(asked, first, tokens[number], mention)
            and _is_name(first, mention, known)
        ):
            if last and last.span == (first.begin, first.end):
                last = None
            mention = replace(mention, span=(first.begin, mention.span[1]), near=True)
        if last:
            yield last
        last = mention
    if last:
        yield last


def _stands_before(asked: Asked, first: Token, token: Token, mention: Mention) -> bool:
    """Whether a word stands right before a part of a name, and is written as one too."""
    alone = mention.span == (token.begin, token.end) and not mention.role
    return alone and first.capital and token.capital and asked.low[first.end : token.begin] == " "


def _is_name(word: Token, mention: Mention, known: Known) -> bool:
    """Whether a word is a first name, of somebody or like theirs, and no "Senator"."""
    if word.low in _NO_NAMES or any(len(person.words) < 2 for person in mention.people):
        return False
    theirs = {name for person in mention.people for name in person.words}
    like = any(SequenceMatcher(None, word.low, name).ratio() >= _ALIKE for name in theirs)
    return like or word.low in known.by_name_word or word.low in FIRST_NAMES


def _of_one(token: Token) -> Token:
    """A role in the plural as one of them: "customers" are Customer."""
    one = token.low.removesuffix("s")
    return token._replace(low=one) if one in ROLES else token


_ANY_OF = frozenset("which what any a an each every some no quel quelle un une chaque aucun aucune".split())


def _role_at(tokens: Sequence[Token], at: int, known: Known) -> tuple[Mention, int] | None:
    """A role, unless it is asked which of those who have it."""
    if at and tokens[at - 1].low in _ANY_OF:
        return None
    for words, people in known.by_role.get(tokens[at].low, ()):
        end = at + len(words)
        if words == tuple(token.low for token in tokens[at:end]):
            labelled = all(set(words) <= set(words_of(person.name)) for person in people)
            who = _as_one(frozenset(words), people) if labelled else people
            return Mention((tokens[at].begin, tokens[end - 1].end), who, role=True), end
    return None


def _words(tokens: Sequence[Token]) -> frozenset[str]:
    return frozenset(token.low for token in tokens)


def _in_role(words: frozenset[str], people: Sequence[Person]) -> tuple[Person, ...]:
    """Who goes by these words of a role: the label that they are ("Project Manager"), or all whose labels add
    no more than a letter or a number to them ("the professor" where Professor D and Professor F speak)."""
    labelled = tuple(person for person in people if person.words == words)
    if labelled or words & ANYBODY:
        return labelled
    return _as_one(words, [p for p in people if all(len(word) == 1 for word in p.words - words)])


def _as_one(words: frozenset[str], people: Sequence[Person]) -> tuple[Person, ...]:
    """Several whose names all have these words, as one by whose name all are found."""
    if len(people) < 2:
        return tuple(people)
    return (Person(" ".join(w for w in re.findall(r"\w+", people[0].name) if low(w) in words), words),)


_NO_NAMES = STOP | TITLES | ROLES | MONTHS.keys() | WEEKDAYS.keys()
"""Words with a capital that are no part of the name beside them: "Minister Ortega", "on Monday Ortega"."""


def _within_a_name(tokens: Sequence[Token], at: int, text: str) -> bool:
    """Whether a word stands beside another with a capital, as in "Conoco Phillips": then it is a part of that
    name, and no misspelling of somebody's."""
    beside = [
        (one, other, neighbour)
        for one, other, neighbour in ((at - 1, at, at - 1), (at, at + 1, at + 1))
        if 0 < neighbour < len(tokens)
    ]
    return any(
        text[tokens[one].end : tokens[other].begin] == " "
        and tokens[neighbour].capital
        and tokens[neighbour].low not in _NO_NAMES
        for one, other, neighbour in beside
    )


def _called(token: Token, known: Known, small: bool, first: bool) -> tuple[tuple[Person, ...], bool]:
    """Those of whose name this word is a part, and whether it is misspelt."""
    word = token.low
    if word in STOP or word.isdigit() or len(word) < 2 or word in PARTICLES:
        return (), False
    if not token.capital and word in ORDINARY:
        return (), False
    exact = known.by_name_word.get(word, ())
    if exact or word in ORDINARY or word in ROLES:
        return exact, False
    if not (token.capital and not first) and not (small and len(word) >= 5):
        return (), False
    return tuple(_nearly(token, known)), True


def _nearly(token: Token, known: Known) -> dict[Person, None]:
    """Those with a word in their name that this one is a misspelling of."""
    names = known.near_names(token.low)
    return dict.fromkeys(person for name in names for person in known.by_name_word[name])


# ---------------------------------------------------------------- roles

_P = f"[{chr(_SLOT)}-{chr(_SLOT + _MOST)}]"
_V, _U = "\ue100", "\ue101"
"""Stand for a verb of saying or thinking, English (which may be French too) and French only."""
_VERB = re.compile(
    r"\b(?:sa(?:y|id)|think|thought|tell|told|mention|beli|argu|expla|propos|suggest|recommend|ask|answer|"
    r"repl[yi]|respon|claim|state|note|describ|discuss|comment(?!\b)|report|announc|present|show|demonstrat|"
    r"predict|expect|forecast|plan(?=s?\b|ned\b)|promis|warn|worr|complain|criticis|criticiz|prais|support|oppos|reject|accept|"
    r"agree|disagree|differ|diverg|conced|admit|den(?:y|ied)|emphasi|stress|point|rais|talk|speak|spoke|feel|"
    r"felt|see|saw|view|consider|prefer|like|dislike|love|hate|want|hope|fear|conclu|decid|question|defend|"
    r"advis|mean|add|outlin|summari|review|address|cover|share|express|indicat|call|elaborat|react|reflect|"
    r"contribut|excit|introduc|learn|clarif|justif|observ|remark|debat|wonder|concern|highlight|insist|assert|"
    r"guess|reveal|jok|recall|remember)\w{0,5}\b|\b(?:comment on|put forward|bring up)\b"
)
_FRENCH_VERB = re.compile(
    r"\b(?:di(?:t|tes|re|s|sent|sai\w+)|(?:pens|croi|expliqu|demand|repond|affirm|declar|decri|montr|predi|"
    r"prom[ei]|averti|critiqu|souten|soutien|adme|admis|soulign|insist|evoqu|parl|racont|estim|juge|"
    r"trouv|aime|plain|plaign|"
    r"veu|voul|souhait|esper|crai|conseill|ajout|precis|abord|sugger)\w{0,6})\b"
)
_VIEW = (
    r"(?:opinions?|positions?|takes?|stances?|thoughts?|remarks?|concerns?|advice|perspectives?|ideas?|"
    r"words?|"
    r"reactions?|keynote|comments?|explanations?|evaluations?|assessments?|\ue100)"
)
_FRENCH_VIEW = (
    r"(?:avis|points? de vue|interventions?|remarques?|exposes?|idees?|arguments?|\w+tions?|\ue100|\ue101)"
)
_AND = r"(?:,? and |,? et |, | or | ou | & | vs\.? | versus )(?:(?:de |d'|du |of |celui de |celle de )?)"
_LIST = rf"((?:the )?{_P}(?:{_AND}{_P})*)"
_ADVERB = (
    r"(?:(?:both|also|ever|really|actually|already|then|just|not|have|has|had|to|exactly|specifically|first|"
    r"each|recently|else|last|once|again|often|always|never|usually|later|finally|initially|originally|even|still|"
    r"now|most|probably) )*"
)


@cache
def _roles() -> tuple[re.Pattern[str], ...]:
    """Compiled when the first question names somebody."""
    return tuple(
        re.compile(pattern)
        for pattern in (
            rf"\b(?:d(?:id|oes|o)|ha[sd]|have|would|will|can|could|should|is|was|are|were)(?:n't)? "
            rf"(?:both |either )?{_LIST} {_ADVERB}{_V}",
            rf"(?<!about )(?<!with )(?<!to )(?<!of )(?<!on ){_LIST} {_ADVERB}{_V}",
            rf"(?<!about )(?<!with )(?<!to )(?<!on ){_LIST}'s?(?: \w+){{0,2}}? {_VIEW}",
            rf"{_VIEW} (?:of|from|by) {_LIST}",
            rf"\b(?:according to|only|just|quoting|hear from|learn(?:ed|t)? from|compare|contrast|i mean|"
            rf"instead|(?:interview|conversation|chat|disagreement)s? (?:with|between)) {_LIST}",
            rf"[{_V}{_U}] (?:between|entre) {_LIST}",
            rf"(?:{_V}|\b(?:\w+ed|made|given|shown|presentation|keynote|speech)) by {_LIST}",
            rf"^{_LIST}(?: on| about| sur|[:,] )",
            rf"\b{KINDS} (?:is |are |were )?(?:with|featuring|by|avec) {_LIST}",
            rf"\b{KINDS} (?:is|was|are|were|does|did|has) {_LIST} (?:in|on|appear)",
            rf"^what (?:else )?(?:{_V}|(?:both|surpris|annoy|interest|motivat|inspir|disappoint)\w*) {_LIST}",
            rf"({_P} (?:vs\.?|versus) {_P})",
            rf"\b(?:qu'a|qu'ont|que?|qu'en|de quoi(?: se)?|comment|pourquoi|quand|ou|combien)(?: \w+)? "
            rf"[{_V}{_U}] {_LIST}",
            rf"(?<!sur )(?<!avec ){_LIST} "
            rf"(?:[nls]'|(?:a|se|ont|avait|en|y|le|la|les|ne|est|sont|ils?|elles?|t)[ -])*"
            rf"(?:bien |deja |aussi |donc )?(?:[{_V}{_U}]|en desaccord|d'accord)",
            rf"\b(?:selon|d'apres|seulement|uniquement|juste|desaccords? entre|"
            rf"entretien avec) {_LIST}",
            rf"(?:[{_V}{_U}]|\b\w+(?:ee?s?|its?|is|us?)) par {_LIST}",
            rf"{_FRENCH_VIEW} (?:de |d'|du ){_LIST}",
            rf"\bcompare[rz]?(?: \S+){{0,4}} (?:de |d'|du )?{_LIST}",
        )
    )


_TITLE = re.compile(rf"\b(?:l'|(?:the|les?|la|{'|'.join(sorted(TITLES))})\.? )(?={_P})")


_SPOKEN_OF = re.compile(
    rf"\b(?:is|was|are|were|be|been) {_P} (?:\w+ly )?(?:\w+ed|spoken|said|told|named|seen|shown)\b(?! to)"
)
"""Is mentioned, not one who mentions."""


def _with_slots(text: str, found: Sequence[Mention]) -> str:
    """The text with each name, and a title before it, replaced by one character that stands for it, and verbs
    by one that stands for all of them: so the patterns are short and quick."""
    parts, end = [], 0
    for at, mention in enumerate(found):
        parts += [text[end : mention.span[0]], chr(_SLOT + at)]
        end = mention.span[1]
    slots = "".join((*parts, text[end:]))
    slots = _SPOKEN_OF.sub("is somebody spoken of", _TITLE.sub("", slots))
    return _FRENCH_VERB.sub(_U, _VERB.sub(_V, slots))


def _in_roles(slots: str) -> Iterator[list[int]]:
    """The numbers of the names that stand in the place of one who speaks."""
    for pattern in _roles():
        for match in pattern.finditer(slots):
            yield [ord(c) - _SLOT for c in match[1] if _SLOT <= ord(c) <= _SLOT + _MOST]


_NAME = (
    rf"(?:(?:{'|'.join(sorted(title.title() for title in TITLES))})\.? )?"
    r"(?P<name>[A-ZÀ-Þ][\w-]+(?: [A-ZÀ-Þ][\w-]*)*)"
)
_SAYS = r"(?:say|think|mention|believe|explain|propose|suggest|answer|recommend|argue|talk|ask)"
_UNKNOWN = (
    re.compile(rf"\b(?:did|does) {_NAME}(?= {_SAYS}\b)"),
    re.compile(rf"\b(?:[Aa]ccording to|[Ss]elon|[Dd]'après|[Qq]u'a dit|[Qq]ue dit|[Qq]ue pense) {_NAME}"),
)


def stranger(asked: Asked, found: Speakers, taken: Sequence[Span]) -> str | None:
    """A name in the place of a speaker that nobody in the archive has; for a note."""
    read = [mention.span for mention in (*found.asked_for, *found.others)] + list(taken)
    for match in chain.from_iterable(pattern.finditer(asked.text) for pattern in _UNKNOWN):
        begin, end = match.span("name")
        if not any(first < end and begin < last for first, last in read):
            return match["name"]
    return None


def resolved(mention: Mention) -> Person | None:
    """The one person whom a mention means, or None where it could be several."""
    return one_of(mention.people)
