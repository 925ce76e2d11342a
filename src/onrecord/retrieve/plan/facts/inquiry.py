"""Questions that the catalogue answers: how many recordings, which, how long, of when, who speaks in them.

One is read only where its words, without those of its conditions and names, are wholly of one of the forms in
`forms`: a word more, and it asks for what is said.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from onrecord.retrieve.plan.asked import GONE, Asked, Reading, Span, words_of
from onrecord.retrieve.plan.facts.forms import OTHER, PERSON, RECORDING, beginnings, forms, vocabulary
from onrecord.retrieve.plan.kinds import KIND
from onrecord.retrieve.plan.known import EPISODES, Known, Person
from onrecord.retrieve.plan.people import Mention, resolved
from onrecord.retrieve.plan.reading import Found
from onrecord.stores.words import singular
from onrecord.types import FILTER_FIELDS, Filter

_LONGEST_ASKED = 400
"""Characters of such a question."""
_LONGEST = 120
"""The same without its conditions and names."""
_OF_ALL = ("count", "list", "total", "appearances", "values", "outermost")
OUTERMOST = ("last", "first", "longest", "shortest")
_VERBS = {
    **dict.fromkeys(("hosts", "hosted", "presente", "anime"), "host"),
    **dict.fromkeys(("moderates", "moderated"), "moderator"),
    **dict.fromkeys(("chairs", "chaired", "preside"), "chair"),
}
_SAID_OUTERMOST = re.compile(
    r"\b(?:latest|last|newest|most recent|first|oldest|earliest|derniere?|plus recente?|premiere?)\b"
)


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What a question asks of the catalogue.

    `kind` is that of its form. `of` says which recordings: "named" by its filters, "last", "first", "longest"
    or "shortest" of them, "this" one alone, "" for all that fit. `thing` is what it calls recordings, `noun`
    the role or the attribute, `said` either as it is written; `people` are those it names; `within` are the
    filters that tell where to look.
    """

    kind: str
    of: str
    thing: str
    noun: str
    said: str
    people: tuple[Person, ...]
    within: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """A question of a conversation: what was read in it, and the filters that hold for it, some of them from
    questions before."""

    asked: Asked
    found: Found
    kept: tuple[Filter, ...]

    @property
    def own(self) -> list[Filter]:
        """The filters that it names itself."""
        read = [reading.filter for reading in self.found.readings]
        return [each for each in self.kept if each in read]


def inquiry(turn: Turn, earlier: Inquiry | None, known: Known) -> Inquiry | None:
    """What a question asks of the catalogue, after what the one before it asked of it; None where it asks for
    other things."""
    if len(turn.asked.low) > _LONGEST_ASKED:
        return None
    text = _plain(turn.asked, turn.found, turn.kept)
    if len(text) > _LONGEST:
        return None
    made = _of_form(text, turn, known) or _of_title(turn, known)
    if made and made.of == "this" and not made.within:
        return _of_that_one(made, earlier)
    if made or not earlier:
        return made
    if chosen := _ONE_OF_THEM.fullmatch(text):
        return _one_of_them(earlier, chosen, turn)
    return _going_on(earlier, text, turn) if _GOES_ON.fullmatch(text) else None


def _of_form(text: str, turn: Turn, known: Known) -> Inquiry | None:
    people = [*map(resolved, _named(turn.found)), *_before(text, turn, known)]
    words = beginnings(text)
    other = words - beginnings(known.nouns)
    if not words or not other <= vocabulary() or (PERSON in text and not people):
        return None
    for form in forms():
        match = form.match(text, other if form.of_noun else words)
        groups = match.groupdict() if match else {}
        made = _made(_chosen(form.kind, turn), groups, known) if match else None
        if made and all(people):
            kind, of, thing, noun = made
            said = _written(groups.get("role") or noun or thing, turn.asked)
            return Inquiry(kind, of, thing, noun, said, tuple(filter(None, people)), _within(kind, of, turn))
    return None


def _of_title(turn: Turn, known: Known) -> Inquiry | None:
    """The same of a question that names a recording by its title alone: "who speaks in Slack water?"."""
    tokens = turn.asked.tokens()
    written = tuple(token.low for token in tokens)
    for at, word in enumerate(written):
        titles = [t for t in known.by_first_word.get(word, ()) if written[at : at + len(t.main)] == t.main]
        if len(titles) == 1 and not any(each.field == "recording" for each in turn.kept):
            span = tokens[at].begin, tokens[at + len(titles[0].main) - 1].end
            named = Filter("recording", titles[0].recording.id, turn.asked.said(span))
            found = replace(turn.found, readings=(*turn.found.readings, Reading(named, span)))
            there = Turn(turn.asked, found, (*turn.kept, named))
            return _of_form(_plain(there.asked, there.found, there.kept), there, known)
    return None


def _chosen(kind: str, turn: Turn) -> str:
    """The kind of a question for recordings that meet a condition: "which recordings are in French?", "how
    many are of 2023?"; or that are called what they are within it: "how many French episodes are there?"; or
    what else is told of them: "in which sector is Halden Cycles?"."""
    if kind in ("those", "counted"):
        return {"those": "list", "counted": "count"}[kind] if turn.own else ""
    if kind == "valued":
        return "values" if any(each.field not in FILTER_FIELDS for each in turn.own) else ""
    if kind == "chosen":
        return "count" if any(re.search(KIND, Asked.of(each.said).low) for each in turn.own) else ""
    return kind


_ONE_OF_THEM = re.compile(
    r"(?:which(?: one)?(?: of them)?|what) (?:is|was) the (?:(?P<last>latest|newest|most recent|last)|"
    r"(?P<first>oldest|earliest|first)|(?P<longest>longest)|(?P<shortest>shortest))(?: one| of them)?|"
    r"l(?:equel|aquelle) est l[ea] plus (?:(?P<recent>recente?)|(?P<ancien>ancienne?)|(?P<long>long(?:ue)?)|"
    r"(?P<court>courte?))"
)
_IN_FRENCH = {"recent": "last", "ancien": "first", "long": "longest", "court": "shortest"}


def _one_of_them(earlier: Inquiry, chosen: re.Match[str], turn: Turn) -> Inquiry | None:
    """ "Which one is the longest?", after recordings were counted or listed."""
    if earlier.kind not in ("count", "list", "outermost") or turn.own:
        return None
    of = str(chosen.lastgroup)
    return replace(earlier, kind="outermost", of=_IN_FRENCH.get(of, of))


def _of_that_one(made: Inquiry, earlier: Inquiry | None) -> Inquiry:
    """ "Who speaks in it?" after "which is the longest?"."""
    if earlier is None or earlier.of not in (*OUTERMOST, "this") or (made.thing and earlier.of == "this"):
        return made
    return replace(made, of=earlier.of, thing=earlier.thing, within=earlier.within)


_GOES_ON = re.compile(
    r"(?:(?:(?:what|how) about|how many|which(?: ones)?|who|combien|lesquel(?:le)?s|qui|qu'en est-il|pour|"
    rf"avec|with|by|for) ?)?[{RECORDING}{PERSON}]?"
)
"""A question that has nothing of its own but conditions and names: "And in 2023?", "How many with Kelly?"."""


def _going_on(earlier: Inquiry, text: str, turn: Turn) -> Inquiry | None:
    """The same of other recordings or people; None where it was not of any, or where nothing is new."""
    people = tuple(filter(None, map(resolved, _named(turn.found))))
    own = [each for each in turn.own if each.field != "speaker"]
    if (_named(turn.found) and not (people and earlier.people)) or not (own or people):
        return None
    fields = {each.field for each in own}
    gone = fields | ({"since", "until"} if fields & {"since", "until"} else set())
    kept = [each for each in earlier.within if each.field not in gone]
    if RECORDING in text:
        kept = []
    of = "named" if RECORDING in text else earlier.of
    return replace(earlier, of=of, people=people or earlier.people, within=(*kept, *own))


def _made(kind: str, groups: dict[str, str | None], known: Known) -> tuple[str, str, str, str] | None:
    """The kind, the recordings, what they are called, and the noun of an inquiry; None where that is no role
    and no attribute."""
    of = next((name for name in OUTERMOST if groups.get(name)), "")
    if not of and groups.get("this"):
        of = "this"
    elif not of and groups.get("named"):
        of = "named"
    said = re.findall(KIND, groups.get("kinds") or groups.get(of) or "")
    thing, noun = said[-1] if said else "", ""  # "conference call"
    if kind in ("count", "list") and thing in known.attribute_nouns:  # "which shows are there?"
        kind, noun = "values", thing
    if groups.get("end") in ("least", "moins"):
        kind = "least"
    if "role" in groups or "verb" in groups:
        noun = _VERBS.get(groups.get("verb") or "", "") or " ".join(
            map(singular, words_of(groups["role"] or ""))
        )
        kind = _of_noun(kind, noun, known)
    return (kind, of, thing, noun) if kind else None


def _of_noun(kind: str, noun: str, known: Known) -> str:
    """What is asked for of a role or an attribute; empty for what is neither."""
    if noun in known.role_nouns and kind != "values":
        return kind
    return "values" if noun in known.attribute_nouns and kind in ("role", "roles", "values") else ""


def _within(kind: str, of: str, turn: Turn) -> tuple[Filter, ...]:
    """The filters that tell where to look: not who is asked about, nor the latest among all, nor, where all
    that there is is asked for, what the questions before were of."""
    alone = of in OUTERMOST or (not of and kind in _OF_ALL)
    chosen = [each for each in turn.own if of in OUTERMOST and _outermost(each)]
    held = turn.own if alone else turn.kept
    whose = kind == "values" and of == "this"  # "which bank is that?", after what somebody said
    return tuple(each for each in held if (whose or each.field != "speaker") and each not in chosen)


def _outermost(found: Filter) -> bool:
    return found.field == "recording" and bool(_SAID_OUTERMOST.search(Asked.of(found.said).low))


def _named(found: Found) -> tuple[Mention, ...]:
    return tuple(mention for mention in (*found.asked_for, *found.others) if not mention.role)


def _written(role: str, asked: Asked) -> str:
    """A role as the question writes it, in the singular."""
    at = asked.low.find(role)
    written = asked.text[at : at + len(role)] if at >= 0 else role
    return f"{written[:-3]}y" if written.endswith("anies") else written.removesuffix("s")


_PRONOUN = re.compile(r"\b(?:he|she)\b|(?<= )(?:il|elle)(?= )")


def _before(text: str, turn: Turn, known: Known) -> list[Person | None]:
    """Whom a pronoun means, where the questions before are of one person."""
    carried = [each for each in turn.kept if each.field == "speaker" and each not in turn.own]
    if PERSON not in text or _named(turn.found) or len(carried) != 1:
        return []
    return [known.person(carried[0].value)]


# ---------------------------------------------------------------- the question without what it names

_LEADING = re.compile(
    r"^(?:(?:and|so|but|ok|okay|now|also|then|please|hello|hi|et|mais|alors|bonjour)(?: |$))*"
    r"(?:(?:can|could|would|will) you (?:please )?(?:tell|show|give) me |tell me |do you know |"
    r"i(?: would|'d) like to know |i want to know |(?:peux-tu|pouvez-vous) (?:me )?dire |"
    r"di(?:s|tes)-moi |sais-tu |savez-vous )?"
    r"(?:please )?"
)
_TRAILING = re.compile(r"(?: (?:please|then|exactly|alors|s'il (?:te|vous) plait))+$")
_BEFORE = re.compile(
    rf"(?:\b(?:in|on|at|of|from|during|for|by|the|dans|de|du|des|a|au|pendant|lors|le|la) |\b[dl]')+"
    rf"(?=[{RECORDING}{GONE}])"
)
_NO_SIGNS = str.maketrans(dict.fromkeys((GONE, RECORDING, PERSON, OTHER), " "))
_SHORT = re.compile(r"\b(who|what|when|where|how)'s\b")


def _plain(asked: Asked, found: Found, kept: Sequence[Filter]) -> str:
    """The question in the way in which forms are written."""
    text, end = "", 0
    low = asked.low.translate(_NO_SIGNS)
    for (begin, last), sign in sorted(_signs(found, kept)):
        if begin >= end:
            text += f"{low[end:begin]} {sign} "
            end = last
    text = re.sub(r'[?!.,;:"]+', " ", text + low[end:])
    text = _SHORT.sub(r"\1 is", " ".join(text.split())).replace("est-ce que ", "")
    text = re.sub(rf"(?<!\w)' ({RECORDING}) '(?!\w)", r"\1", text).replace("' ", "'")
    text = _BEFORE.sub("", text).replace(GONE, " ")
    text = _TRAILING.sub("", _LEADING.sub("", " ".join(text.split())))
    one = len([each for each in kept if each.field == "speaker"]) == 1 and not _named(found)
    return _PRONOUN.sub(PERSON, text) if one else text


def _signs(found: Found, kept: Collection[Filter]) -> Iterator[tuple[Span, str]]:
    """What stands in place of the words of filters and names."""
    for reading in found.readings:
        if reading.filter in kept and (sign := _sign(reading.filter)) is not None:
            yield from ((span, sign) for span in (reading.span, *reading.also))
    for mention in _named(found):
        yield mention.span, PERSON


def _sign(found: Filter) -> str | None:
    """None for what stays as it is written."""
    if found.field == "speaker" or _outermost(found):
        return None
    if found.field == "recording" or found.field.lower() in EPISODES:
        return RECORDING
    return OTHER if found.field == "section" else GONE
