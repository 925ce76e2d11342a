"""What a question is about, without the words that only ask.

"Summarize the discussion about battery life" is about battery life; the other words would pull towards
every place where somebody sums something up.
"""

from __future__ import annotations

import re

_TALK = (
    r"(?:discussions?|conversations?|debates?|talks?|meetings?|episodes?|calls?|interviews?|opinions?|"
    r"(?:main |key )?points?|views?|ideas?|thoughts?|part|details?|content)"
)
_ABOUT = r"(?:about|on|of|regarding|concerning|around|over)"
_TALK_ABOUT = rf"(?:(?:the |all |whole )*{_TALK} {_ABOUT} )"
_WHO = (
    r"(?:they|people|we|everyone|anyone|somebody|someone|the (?:group|team|meeting|speakers?|"
    r"participants?|guests?|hosts?|panel|members|committee|others))"
)
_SAY = (
    r"(?:say|said|think|thought|talk|talked|discuss|discussed|mention|mentioned|feel|debate|debated|"
    r"conclude|concluded|decide|decided)"
)
_SUR = r"(?:sur|[àa] propos d(?:e|u|es)|autour d(?:e|u|es)|concernant|d(?:e|u|es))"
_PLACES = r"(?:episode|recording|podcast|talk|meeting|call|interview|show|video|conversation|speaker|guest)s?"
_SPEAK = r"(?:talks?|speaks?|tells?|mentions?|discuss(?:es)?|covers?|deals? with|touch(?:es)? on)"
_LIEUX = (
    r"(?:[ée]pisodes?|enregistrements?|[ée]missions?|r[ée]unions?|conf[ée]rences?|vid[ée]os?|invit[ée]e?s?)"
)
_PARLENT = r"(?:parlent?|traitent?|[ée]voquent?|abordent?|mentionnent?)"
_FRAMES = (
    r"(?:please|could you|can you|would you|i(?:'d| would) like to know|tell me(?: about)?|do you know),? ",
    rf"(?:summari[sz]e|sum up|outline|recap|describe|explain|go over) "
    rf"(?:what (?:was|were|is) said {_ABOUT} |{_TALK_ABOUT}|the )?",
    rf"(?:give|show)(?: me)? (?:an? |the )?(?:short |brief |quick )?"
    rf"(?:summary|overview|recap|outline) {_ABOUT} {_TALK_ABOUT}?",
    r"(?:give|show|find|list|read)(?: me)? (?:all |some |the |an? |one |two |three |four |five |\d+ )*"
    rf"(?:quotes?|quotations?|passages?|statements?|mentions?|moments?) {_ABOUT} ",
    r"(?:list|name|enumerate|liste[rz]?|[ée]num[èe]re[rz]?)(?: me| us|-moi)? "
    r"(?:(?:all|some|any|the|of|every|tous|toutes|les|des) )+",
    rf"what (?:is|was|were|are)(?: the)? (?:summary|conclusions?|outcome|overview) {_ABOUT} {_TALK_ABOUT}?",
    rf"what(?: else)? (?:was|were|is|ha[sd] been) (?:being )?(?:{_SAY}|suggested) {_ABOUT} ",
    rf"what (?:did|do|does|would) {_WHO} {_SAY}(?: {_ABOUT})? ",
    rf"(?:how|when) did {_WHO} {_SAY} {_ABOUT} ",
    rf"(?:which|what)(?: (?:of the|other))? {_PLACES} {_SPEAK} (?:{_ABOUT} )?",
    rf"in (?:which|what)(?: other)? {_PLACES} (?:do|does|did) {_WHO} {_SAY} (?:{_ABOUT} )?",
    rf"quel(?:le)?s? {_LIEUX} {_PARLENT} (?:{_SUR} )?",
    rf"(?:dans|sur) quel(?:le)?s? {_LIEUX} (?:parle-t-on|est-il question|parlent-ils) {_SUR} ",
    r"(?:pourriez-vous|pouvez-vous|peux-tu|dis-moi|dites-moi|s'il (?:vous|te) pla[iî]t),? ",
    r"(?:r[ée]sume[rz]?|d[ée]cri(?:s|re|vez)|explique[rz]?)(?:-moi)? "
    r"(?:(?:la |le |les |l')?(?:discussion|conversation|d[ée]bat|[ée]change|r[ée]union|[ée]pisode)s? "
    rf"{_SUR} )?",
    r"(?:qu'est-ce qu(?:i |e |')|qu')(?:ils? ont|on a|a [ée]t[ée]|ont-ils|a-t-on) "
    rf"(?:dit|discut[ée]) {_SUR} ",
    rf"que (?:disent-ils|dit-on|pensent-ils) {_SUR} ",
)
_OCCASION = re.compile(
    r",? (?:(?:when|while|as) (?:(?:they|he|she|we|people|everyone|the \w+) (?:was |were |had been )?)?"
    r"(?:discuss|talk|debat|present|reflect|speak|evaluat|review|introduc|describ|consider)(?:ing|ed)\b|"
    rf"(?:during|in|within|throughout) (?:the |their |a )?{_TALK} {_ABOUT}\b).*$",
    re.IGNORECASE,
)
_FRAME = re.compile("|".join(f"(?:{frame})" for frame in _FRAMES), re.IGNORECASE)


def subject(text: str) -> str:
    """The question without its frame; the whole question where little would be left (it is asked of the
    meeting as a whole, say)."""
    rest = " ".join(text.split())
    while match := _FRAME.match(rest):
        rest = rest[match.end() :]
    rest = rest.strip(" ?.!,;:")
    return rest if any(len(word) > 2 for word in rest.split()) else " ".join(text.split())


def point(text: str) -> str:
    """The subject without the occasion on which it came up: "why did Ann doubt the valve when they were
    talking about costs" asks for the valve, and the costs would pull towards all else that was said of them.
    Where the occasion is (nearly) all there is, the subject."""
    bare = _OCCASION.sub("", " ".join(text.split()).rstrip(" ?.!"))
    return subject(bare if len(bare.split()) > 3 else text)
