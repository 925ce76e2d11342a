"""Follow-ups: a question that leans on the ones before it, made into one that stands by itself.

"And what did she say about rates?" takes its person from before, "why?" its subject, "et en 2023 ?" both. A
question leans on what was asked before where it opens like one ("and", "what about"), where a pronoun stands
before anything that it could mean within the question, or where it has no subject of its own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations

from onrecord.retrieve.plan.asked import GONE, Asked, Span, taken_out
from onrecord.retrieve.wording import standing_alone, stem
from onrecord.stores.words import STOP, terms
from onrecord.types import Filter

_COURTESY = re.compile(
    r"^(?:(?:thanks?(?: you)?(?: very much| a lot)?|ok(?:ay)?|great|good|i see|perfect|right|merci(?: "
    r"beaucoup)?|"
    r"d'accord|parfait|tres bien|super)\s*[.,!;:]+\s*)+"
)
_OPENING = re.compile(
    r"^(?:(?:and|but|so|or|also|then|et|mais|alors|ou|aussi)\b(?:,)?\s*)?"
    r"(?:(?:what|how) about|more(?: details?)? (?:on|about)|plus de details sur|and|but|also|only|just|"
    r"same for|i mean(?:t)?|et|mais|seulement|uniquement|juste|"
    r"qu'en est-il (?:de|du|des)|et pour|idem pour|je veux dire)?\b"
)
_SECOND_THOUGHT = re.compile(r"\b(?:i mean|i meant|je veux dire|je voulais dire)\b")
_PERSON = re.compile(
    r"\b(?P<one>he|she|him|her|his|hers)\b|-t-(?P<suffix>il|elle)\b|"
    r"\b(?P<french>elle|il(?! (?:y a|faut|est|pleut|fait|s'agit))|lui|celui-ci|celle-ci)\b|-(?P<dash>il|"
    r"elle)\b"
)
_PEOPLE = re.compile(r"\b(?:they|their|theirs|ils|elles|both of them|tous les deux)\b|-(?:ils|elles)\b")
_THING = re.compile(
    r"\b(?:it|they(?! (?:\w+ )?(?:say|said|think|thought|mention|talk|discuss|believe|want|mean|agree|"
    r"disagree|"
    r"ask|tell|propose))|that|this|those|these|them|ca|cela|ceci|celui|celle|ceux|celles|ces derniers)\b|"
    r"\bqu'en\b|"
    r"\by\b(?=.{0,12}\?)"
)
_PLACE = re.compile(r"\b(?:in it|in there|there(?= *[?.!]*$)|in this one|in that one|la-dedans|dedans)\b")
_THAT_ONE = re.compile(
    r"\b(?:that|this|cette|cet) (?:firm|company|business|bank|issuer|organi[sz]ation|entreprise|societe|"
    r"banque)\b|"
    r"^(?:et )?c'est quel|\b(?:s'agit-il|est-ce) ?\?*$"
)
"""Whoever the question before was asked of, wherever it stands."""
_MORE = re.compile(
    r"^(?:(?:please |can you |could you |peux-tu |pouvez-vous )*(?:tell me more|go on|continue|more(?: "
    r"details?)?|"
    r"elaborate|say more|explain|expand|be more specific|dis-m'en plus|dites-m'en plus|continue|encore|"
    r"precise[rz]?|"
    r"developpe[rz]?|explique[rz]?)|why(?: is that| not| so)?|how so|when(?: was that)?|who|where|how|"
    r"(?:(?:and|et),? )?(?:by whom|by who|par qui)|"
    r"really|pourquoi(?: ca| cela)?|"
    r"comment(?: ca)?|quand|qui|ou|vraiment)[ ?.!]*$"
)
_ASKS = frozenset(
    terms(
        "who what when where why how which whom did does do has have had was were is are say said tell "
        "told think "
        "thought mention mentioned talk talked speak explain explained ask asked answer answered agree "
        "agreed "
        "disagree disagreed decide decides decided like mean meant more also else about first there same "
        "only "
        "just work "
        "really happen happened go please can could would will should "
        "summarize summarise sum summary overview outline recap gist takeaway highlight key main point "
        "brief short "
        "quick give show describe cover covered discuss discussed discussion conversation debate present "
        "presented "
        "whole entire full all everything part episode recording talk meeting call interview podcast "
        "video session "
        "resumer resume fais faire donne apercu synthese cle essentiel enregistrement emission reunion "
        "entretien "
        "passe discute seance montre montrer "
        "qui que quoi quand ou pourquoi comment quel quelle quels quelles est-ce dit dire disait pense "
        "penser parle "
        "parler explique expliquer ajoute sert arrive aussi encore seulement propos sujet sur premier "
        "resumez synthetiser peux peut pouvez pourrais pourriez voudrais voulez donnez faites faut "
        "retenir retient agit aborde abordes aborder traite traiter raconte apprend contient contenu "
        "point grande ligne idee principal principale principaux theme thematique topic subject important "
        "conference conversation expose appel podcast conseil keynote lecture webinaire presentation "
        "webinar hearing panel exposition "
        "number figure result news speaker participant chiffre resultat nouvelle intervenant "
        "pendant durant lors long cet "
        "compare compares compared comparison contrast versus vs difference comparer comparez comparaison "
        "transcript transcription list enumerate lister liste "
        "don didn doesn isn wasn aren weren t s moi toi nous mr mrs ms"
    )
)
_ACTS = frozenset(
    map(
        stem,
        """
    advise announce argue assume believe claim complain conclude concern criticise criticize doubt emphasise
    emphasize excite expect fear forecast hope insist object plan praise predict promise propose recommend
    regret stress suggest surprise want warn wish worry worries worried annonce conclut conseille craint
    craignent critique critiquent croit croient deplore doute doutent espere esperent insiste inquiete
    inquietent plaint plaignent predit prevoit prevoient promet promettent promis proposent recommande
    recommandent redoute regrette regrettent souhaite souhaitent suggere suggerent veut veulent
    """.split(),
    )
)
"""What somebody does in speaking: of whom a question asks just that, all that they say may be the answer."""


@dataclass(frozen=True, slots=True)
class Before:
    """What a conversation has come to: the last question as it was understood (empty where it spoke of
    nothing), its filters, the people whom it named, asked for or not, and the names of those of whom the same
    was asked one after the other, which can be compared."""

    text: str
    filters: tuple[Filter, ...] = ()
    people: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lean:
    """How a question leans on what was before. `opened` by "and", "what about"; `person` and `people` are the
    pronouns for one and for several, `thing` the place of one for a thing; `empty` without a subject."""

    opened: bool = False
    person: str = ""
    people: bool = False
    thing: Span | None = None
    empty: bool = False

    def __bool__(self) -> bool:
        return self.opened or bool(self.person) or self.thing is not None or self.empty


def without_courtesy(asked: Asked) -> Asked:
    """The question behind "Thanks."."""
    found = _COURTESY.match(asked.low)
    return Asked.of(asked.text[found.end() :]) if found and found.end() < len(asked.text) else asked


def opens(asked: Asked) -> bool:
    """Whether a question begins as one that goes on: "and", "what about", "only"."""
    found = _OPENING.match(asked.low)
    return bool(found and found[0]) or bool(_SECOND_THOUGHT.search(asked.low))


_NOBODY = re.compile(r"\b(?:il )?y a(?:-t-il)?\b|\b(?:il faut|faut-il|s'agit-il|existe-t-il|reste-t-il)\b")
"""Where "il" and "y" stand for nothing."""


def refers(low: str) -> bool:
    """Whether a question, in small letters, has a pronoun, whatever it means."""
    text = _NOBODY.sub(" ", low)
    return any(pattern.search(text) for pattern in (_PERSON, _PEOPLE, _THING))


def leaning(asked: Asked, spans: Sequence[Span]) -> Lean:
    """How a question leans; `spans` are the places of its names and filters."""
    left = asked.without(spans)
    person = _first(_PERSON, left)
    thing = _first(_THING, left) or _PLACE.search(left.low)
    opening = _OPENING.match(asked.low)
    words = subject_words(left.low[opening.end() if opening else 0 :])
    return Lean(
        opened=opens(asked) or bool(_THAT_ONE.search(asked.low)),
        person=next((word for word in person.groups() if word), "") if person else "",
        people=bool(_first(_PEOPLE, left)),
        thing=thing.span() if thing else None,
        empty=bool(_MORE.match(asked.low)) or not words or (person is not None and _only_acts(words)),
    )


_WHO_DOES = re.compile(
    r"(?:(?:and|but|so|et|mais) )?(?:(?:who|what|which)(?: \w+){1,2}|"
    r"how (?:much|many|often)(?: times| words)? (?:did|does|do|has|have|is|was)|"
    r"combien de (?:fois|mots|temps)(?: \w+)?) "
)
"""What stands before a pronoun that means nothing in the question: "who uses it", "how often did he"."""


def _first(pattern: re.Pattern[str], asked: Asked) -> re.Match[str] | None:
    """The pronoun, unless something stands before it that it could mean: "does coffee keep its aroma"."""
    found = pattern.search(asked.low)
    before = asked.low[: found.start()] if found else ""
    return found if _WHO_DOES.fullmatch(before) or not subject_words(before) else None


_SUMMER = re.compile(r"(?:\b(?:en|cet|chaque|fin d')|\b[ld]')\s*ete\b")
"""Without its accents it is written as a form of "be", which is no subject."""
_IN_QUESTION = re.compile(r"\b(?:est|etait|sera|ete) +question\b")
"""Is spoken of: "de quoi est-il question ?"."""


_ABOUT_DOING = re.compile(r"\babout (\w+ing)\b")
"""What somebody does is a subject, as in "what did she say about interviewing", and no interview."""


def subject_words(text: str) -> list[str]:
    """The words of a text that could be what a question is about."""
    text = _SUMMER.sub(" estival ", text.replace(GONE, " "))
    plain = _IN_QUESTION.sub(" ", standing_alone(text))
    plain = " ".join(word for word in re.split(r"[\s'-]+", plain) if word not in STOP)
    doing = set(_ABOUT_DOING.findall(text.lower()))
    return [
        word
        for word in terms(plain)
        if word not in STOP and word not in _ASKS and (word in doing or stem(word) not in _ASKS)
    ]


def acts(words: Sequence[str], filters: Sequence[Filter]) -> Sequence[str]:
    """The subject words that a question has beside its filters, where they are only what somebody does in
    speaking: "What did Kelly recommend?"."""
    return words if any(found.field == "speaker" for found in filters) and _only_acts(words) else ()


def _only_acts(words: Sequence[str]) -> bool:
    return _ACTS.issuperset(map(stem, words))


# ---------------------------------------------------------------- made into one

_ABOUT = re.compile(
    r"\b(?:about|on|regarding|of|sur|a propos (?:de|du|des)|du|de la|de l'|des|de|d'|qu'un|qu'une|what "
    r"is an?|what is|"
    r"c'est quoi)(?:\s+|(?<='))(?P<topic>[^?.!,;]+?)\s*[?.!]*$"
)


def topic(text: str) -> str:
    """What a question is about, in its own words."""
    asked = Asked.of(text)
    found = None
    for start in re.finditer(r"\b\w", asked.low):
        found = _ABOUT.match(asked.low, start.start())
        if found:
            break
    if found and subject_words(found["topic"]):
        return asked.text[slice(*found.span("topic"))]
    words = [token for token in asked.tokens() if subject_words(token.low)]
    return asked.text[words[0].begin : words[-1].end] if words else asked.text.strip(" ?.!")


def joined(
    asked: Asked,
    lean: Lean,
    before: Before,
    names: Sequence[Span],
    kept: Sequence[str],
    new: Sequence[Filter] = (),
) -> str:
    """The question with what it leans on. `names` are the places of people in it, `kept` the people who are
    carried over from before, `new` the filters that it names itself."""
    text = asked.text
    if before.text and ((lean.empty and lean.thing is None) or _MORE.match(asked.low)):
        return _again(asked, before, names, new)
    if before.text and lean.thing is not None:
        begin, end = lean.thing
        about = topic(before.text)
        if about and asked.low[begin:end] in ("qu'en", "y"):  # "qu'en pense Benali ?" has no place for it
            bare = text[:begin] + ("que" if asked.low[begin] == "q" else "") + text[end:]
            return f"{bare.rstrip(' ?.!')} ({about})"
        about = about and _something(asked, lean.thing) + about
        return f"{text[:begin]}{about}{text[end:]}" if about else text
    if lean.person and len(kept) == 1:
        found = _PERSON.search(asked.low)
        if found and (found["one"] or found["french"]):
            begin, end = found.span()
            name = kept[0] + ("'s" if found["one"] in ("his", "hers") else "")
            return f"{text[:begin]}{name}{text[end:]}"
        if found:
            return f"{text[: found.start()]} {kept[0]}{text[found.end() :]}"
    return text


_SAY = re.compile(r"\b(?:sa(?:y|ys|id|ying)|(?P<dit>di(?:t|re|sait))) $")


def _something(asked: Asked, thing: Span) -> str:
    """What is said of a subject: "when did he say that", "when was that said"."""
    said = _SAY.search(asked.low[: thing[0]])
    if said and said["dit"]:
        return "quelque chose sur "
    return "something about " if said or asked.low.startswith(" said", thing[1]) else ""


_AGAIN = re.compile(
    r"(?:why|how|when|who|where|pourquoi|comment|quand|qui|"
    r"(?:(?:and|et),? )?(?:by (?:whom|who|which (?:speakers?|people))|par qui))\b"
)


def _again(asked: Asked, before: Before, names: Sequence[Span], new: Sequence[Filter]) -> str:
    """What was asked before once more, of the person and the values that are named now, behind the "why" of
    now."""
    text = before.text
    for found in new:
        for old in before.filters:
            if old.field == found.field and old.field != "speaker":
                text = text.replace(old.said, found.said) if old.said else text
    word = _AGAIN.match(asked.low)
    if names:
        name = asked.text[slice(*names[0])]
        text = _renamed(text, name, before)
    return f"{asked.text[: word.end()]}: {text}" if word else text


def _renamed(text: str, name: str, before: Before) -> str:
    """The text with the last person's name, or as much of it as stands there, replaced."""
    for person in before.people:
        words = person.split()
        spans = combinations(range(len(words) + 1), 2)
        for part in sorted((" ".join(words[i:j]) for i, j in spans), key=len, reverse=True):
            found = re.search(rf"\b{re.escape(part)}\b", text, re.IGNORECASE)
            if found:
                return text[: found.start()] + name + text[found.end() :]
    return f"{text.rstrip(' ?.!')} ({name})"


# ---------------------------------------------------------------- filters

_PLACES = ("recording", "since", "until")


def carried(
    new: Sequence[Filter], before: Before, lean: Lean, named: bool = False, gone: Collection[str] = ()
) -> tuple[list[Filter], list[str], bool]:
    """The filters of a leaning question with those that it keeps from before; the people who are carried
    over; and whether a pronoun could be several of them. `named` where it names somebody itself; people who
    are `gone` are not carried over."""
    fields = {found.field for found in new} | ({"speaker"} if named else set())
    dated = {"since", "until"} if fields & {"since", "until"} else set()
    replaced = fields | dated
    if fields - {"speaker", "since", "until", "section", "language"}:
        replaced |= {"recording"}
    if "recording" in fields:
        replaced |= dated_or_numbered(before.filters)
    kept = [found for found in before.filters if found.field not in replaced and found.field != "speaker"]
    people, unclear = _people(fields, before, lean)
    people = [name for name in people if name not in gone]
    said = [found for found in before.filters if found.field == "speaker" and found.value in people]
    known = {found.value for found in said}
    said += [Filter("speaker", name, name) for name in people if name not in known]
    return [*said, *kept, *new], people, unclear


def dated_or_numbered(filters: Sequence[Filter]) -> set[str]:
    """Fields that told the recording of before: another recording has its own."""
    return {found.field for found in filters if found.field in ("since", "until", "episode")}


def _people(fields: set[str], before: Before, lean: Lean) -> tuple[list[str], bool]:
    asked_for = [found.value for found in before.filters if found.field == "speaker"]
    if "speaker" in fields:
        return [], False
    if lean.person:
        return (list(before.people), False) if len(before.people) == 1 else ([], bool(before.people))
    return asked_for, False


def search_text(text: str, spans: Sequence[Span]) -> str:
    """The text without the words of filters, unless nothing that means something would be left."""
    short = taken_out(text, spans)
    return short if subject_words(Asked.of(short).low) or not subject_words(Asked.of(text).low) else text
