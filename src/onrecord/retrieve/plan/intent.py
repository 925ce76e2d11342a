"""What kind of answer a question wants, and the questions that it is made of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from onrecord.retrieve.plan.asked import Asked
from onrecord.retrieve.plan.known import content

_COMPARISON = re.compile(
    r"\b(?:compar(?:e|ed|ing|ison)|contrast|differences? between|how (?:do|does|did) .{2,80} differ|"
    r"versus|vs\.?|"
    r"both sides|comparez?|comparer|comparaison|differences? entre|par rapport a|en quoi .{2,80} desaccord)\b"
)
_OF_SIDES = re.compile(
    r"\b(?:which \w+ (?:\w+ )?(?:\w+er|more|less)|chang\w*|differ\w*|disagree\w*|diverge\w*|agree\w*|than|"
    r"desaccords?|d'accord|plus \w+ que|moins \w+ que)\b"
)
"""Words of a comparison where a question also names the sides."""
_SUMMARY = re.compile(
    r"\b(?:summar(?:y|i[sz]e|ies)|sum(?:s|ming)? up|overview|recap|outline|tl;?dr|(?:key|main) "
    r"(?:points?|takeaways?|ideas?|messages?)|"
    r"takeaways?|highlights|gist|what (?:is|was) (?:this|it|the \w+|the \w+ \w+) about|"
    r"what happens in|resume(?:z|r)?|synthese|synthetise\w*|points? (?:cles?|principa\w+)|essentiel|"
    r"grandes lignes|"
    r"apercu|vue d'ensemble|de quoi (?:ca|cela|s'agit|traite))\b"
)
_CAUSAL = re.compile(
    r"\b(?:why|what (?:caused|causes|led|leads|drove|drives|explains|triggered|made)|causes? of|reasons? "
    r"(?:for|why|behind|that)|"
    r"how come|because of what|how (?:did|does|do|has|have|will|would) .{2,60} (?:affect|impact|"
    r"influence|lead to|cause|hurt|help)|"
    r"(?:effects?|impacts?|consequences?) of|pourquoi|causes? (?:de|du|des)|raisons? (?:de|du|pour|des)|"
    r"a cause de quoi|"
    r"qu'est-ce qui (?:explique|cause|a cause|provoque|a provoque|a conduit)|consequences? (?:de|du|des)|"
    r"effets? (?:de|du|des)|comment .{2,60} (?:affecte|influence))\b"
)
_EXPLORATORY = re.compile(
    r"\b(?:which (?:(?!(?:is|are|was|were|been) )\w+ ){1,3}(?:mention\w*|discuss\w*|talk\w*|speak)\b|"
    r"quel(?:le)?s? (?:\w+ ){1,2}(?:parlent|mentionnent|evoquent|discutent)\b|"
    r"(?:what|which) (?:topics?|themes?|subjects?|episodes|recordings|talks|meetings|calls|"
    r"interviews|speakers|guests)|"
    r"over time|changed since|how (?:has|have) .{2,60} (?:changed|evolved|shifted)|everything "
    r"about|tell me all about|"
    r"what do (?:people|they|speakers|guests|experts) (?:think|say|believe|feel)|across (?:all|the|"
    r"every)|explore|"
    r"different (?:views|opinions|perspectives)|list (?:all|every|the)|tell me about|"
    r"quels? (?:sont les )?(?:sujets?|themes?|episodes|enregistrements|reunions|conferences|invites)|"
    r"quelles? (?:reunions|conferences|emissions)|evolue\w*|change au fil|au fil du temps|tout ce qu|"
    r"que (?:pensent|disent)-ils|parle-moi)\b"
)
_DEFINITION = re.compile(
    r"^(?:so )?(?:what(?:'s| is| are) (?:an? )?(?!the|this|that|it\b|said|going|on\b|your|his|her|their|"
    r"our|my|new|wrong|best)"
    r"(?:[\w'-]+ ?){1,4}\??$|what does .{2,60} mean\b|what do you mean by|define |definition of|"
    r"what is meant by|(?:qu'est-ce qu(?:e |'))(?:un |une |le |la |l'|les |des )?(?:[\w'-]+ ?){1,4}\??$|"
    r"qu'est-ce que c'est que|c'est quoi\b|que (?:veut dire|signifie)|definition d|definis)"
)
_LONGEST = 40
"""Words of a question that is taken apart; a longer one is a story."""
_NO_SIDE = re.compile(r"\?|\b(?:or|and|ou|et)$")
_SIDE = 8
"""Words of one side of a comparison."""
_PARTS = re.compile(
    r"(?<=[?;])\s+(?=\S)|,?\s+(?:and|et)\s+(?=(?:what|why|how|who|when|where|which|did|does|pourquoi|comment|"
    r"combien|quand|qui|que|qu'|quel|quelle|quels|quelles)\b[ '])",
    re.IGNORECASE,
)


def intent(asked: Asked, named: int, sides: int, bare: bool) -> str:
    """The kind of question, by its words. `named` are the people and things it asks of, `sides` those of
    one kind; `bare` where it has no subject of its own, as in "what is this about?"."""
    text = asked.low
    why = re.match(r"(?:so |and |et |mais )?(?:why|how come|pourquoi)\b", text)
    if _COMPARISON.search(text) or (sides > 1 and _OF_SIDES.search(text) and not why):
        return "comparison"
    if _SUMMARY.search(text) or bare:
        return "summary"
    if _CAUSAL.search(text):
        return "causal"
    if _EXPLORATORY.search(text):
        return "exploratory"
    if not named and _DEFINITION.search(text.replace("\x00", " ").strip()):
        return "definition"
    return "multi_entity" if sides > 1 or named > 2 else "factual"


def parts(text: str) -> tuple[str, ...]:
    """The questions of a text that asks several: "What fell? And why did it fall?"; empty for one."""
    if len(text.split()) > _LONGEST:
        return ()
    found = [part.strip(" ,;") for part in _PARTS.split(text)]
    found = [part for part in found if len(part.split()) > 1]
    return tuple(found) if len(found) > 1 else ()


_QUESTION_END = re.compile(r"(?<=[?!;])\s+|\n+")


def said_once(text: str) -> str:
    """A text without the questions that stand in it before: one that was pasted twice is asked once. A single
    word ("Why?") may stand in it as often as it does."""
    words = text.split()
    half = len(words) // 2
    if half > 2 and _plain(words[:half]) == _plain(words[half:]):
        return " ".join(words[:half])
    questions = _QUESTION_END.split(text)
    said: dict[tuple[str, ...], str] = {}
    for at, question in enumerate(questions):
        words = question.split()
        said.setdefault(_plain(words) if len(words) > 1 else (str(at),), question)
    return " ".join(said.values()) if len(said) < len(questions) else text


def _plain(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word.strip(".,;:?!").casefold() for word in words)


_JOIN = r"(?:,? (?:and|with|to|versus|vs\.?|against|from|than|et|avec|contre|que|ou|or) )"
_ABOUT = r" (?:on|about|regarding|in terms of|sur|a propos de|en matiere de) .+"
_ON = rf"(?P<on>(?:{_ABOUT})?)"
_AHEAD = (
    r"(?:what (?:happen(?:s|ed)|came up|(?:is|was|has been) (?:said|discussed|argued|decided))"
    r"(?: (?:in|about|on|of|during|regarding))?|tell me about|summari[sz]e|explain|describe|"
    r"(?:the |le )?(?:debate|discussion|argument|debat) (?:about|on|over|between|of|sur|entre)) (?:the )?"
)
_DEBATE = (
    r" (?:debate|discussion|question|argument|controversy|dilemma|war|battle|fight|trade-?off|comparison)"
)
"""What stands around both sides of "the tabs versus spaces debate"."""
_SIDES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:compare|contrast|comparez?|comparer) (?P<a>.+?){_JOIN}(?P<b>.+?){_ON}",
        rf".*?\b(?:differences?) (?:between|entre) (?P<a>.+?) (?:and|et) (?P<b>.+?){_ON}",
        rf"(?:{_AHEAD})?(?P<a>.+?) (?:versus|vs\.?) (?P<b>.+?)(?:{_DEBATE})?(?P<on>(?:[:,] .+|{_ABOUT})?)",
        rf"(?:is|are|was|were) (?P<a>.+?) (?P<how>\w+er|worse|more \w+|less \w+) than (?P<b>.+?){_ON}",
    )
)


def sides(asked: Asked, named: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    """One question a side of a comparison: the question with only one of the names that stand beside each
    other at `named`, or the two sides that its words tell, each with what they are compared in."""
    named = sorted(_bare(asked, span) for span in named)
    if len(named) > 1:
        return _parted(asked, named) or tuple(_alone(asked.text, named, at) for at in range(len(named)))
    text = asked.text.strip(" ?.!")
    if len(text.split()) > _LONGEST:
        return ()
    for pattern in _SIDES:
        found = pattern.fullmatch(asked.low.strip(" ?.!"))
        if found:
            on = text[slice(*found.span("on"))].strip(" :,")
            how = text[slice(*found.span("how"))] + " " if "how" in found.groupdict() else ""
            both = [text[slice(*found.span(side))] for side in ("a", "b")]
            if all(len(side.split()) <= _SIDE and not _NO_SIDE.search(side) for side in both):
                return tuple(f"{side} {how}{on}".strip() for side in both)
    return ()


_VERSUS = re.compile(r",? (?:versus|vs\.?|compared (?:with|to)|against|contre|par rapport a) ")

_LEADING = re.compile(r"(?:[,(]\s*|(?:in|at|on|for|from|of|by|with|chez|dans|de|du|des) )*")


def _bare(asked: Asked, span: tuple[int, int]) -> tuple[int, int]:
    """A place without what leads to the name in it: "at "."""
    begin, end = span
    leading = _LEADING.match(asked.low, begin, end)
    return (leading.end() if leading and leading.end() < end else begin), end


def _parted(asked: Asked, named: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    """The sides of "the revenue of Ann in May versus Bob in June", where each has more than its name."""
    found = _VERSUS.search(asked.low)
    if found is None or len(named) != 2:
        return ()
    (begin, end), (then, _) = sorted(named)
    if not end <= found.start() < found.end() <= then or not content(asked.text[end : found.start()]):
        return ()
    return asked.text[: found.start()], asked.text[:begin] + asked.text[found.end() :]


_JOINS = re.compile(rf"^{_JOIN}|(?:{_JOIN}|(?:^|[ ,])(?:and|than|et|que|or|ou|with|avec)) ?$")


_OWN = re.compile(r"^['\u2019]s\b")
_OWNING = re.compile(r"['\u2019]s\b")


_A_TIME = re.compile(r"\b(?:[qt][1-4]|quarter|trimestre|20\d\d)\b", re.IGNORECASE)
_UNTIL_ANOTHER = (
    (re.compile(r"\b(?:between|from) (the |)$", re.IGNORECASE), "in "),
    (re.compile(r"\b(?:entre|du|de) (le |)$", re.IGNORECASE), "pendant "),
)


_ARTICLE = re.compile(r"(?:the|le) ", re.IGNORECASE)


def _within(text: str, one: str, first: str) -> str:
    """What stands before one of two times, of which `first` is the first: what changed between the first
    quarter and another changed in it."""
    if not _A_TIME.search(one):
        return text
    for pattern, word in _UNTIL_ANOTHER:
        text = pattern.sub(rf"{word}\1", text)
    article = _ARTICLE.match(first)
    return text + article[0] if article and not _ARTICLE.match(one) else text


def _alone(text: str, named: Sequence[tuple[int, int]], at: int) -> str:
    """The text with all names between the first and the last replaced by the one, and with what is said
    between two: "is Ann more hopeful than Bob"."""
    begin, end = min(named)[0], max(last for _, last in named)
    one = text[slice(*named[at])]
    if len(text[begin:end].split()) <= 6 * len(named):
        between = _JOINS.sub("", text[min(named)[1] : max(named)[0]]) if len(named) == 2 else ""
        between = between if content(between) else ""
        owned = _OWNING.search(one + between)  # "is Ann's hope greater than Bob's": once is enough
        behind = _OWN.sub("", text[end:]) if owned else text[end:]
        again = _OWN.sub("", between).strip()  # "Ann's hope with Bob's hope"
        if again and re.match(rf"\s*{re.escape(again)}\b", behind, re.IGNORECASE):
            own = _OWN.match(between)
            between = own[0] if own else ""
        return f"{_within(text[:begin], one, text[begin:end])}{one}{between}{behind}"
    for place in sorted((place for place in named if place != named[at]), reverse=True):
        text = text[: place[0]] + text[place[1] :]
    return " ".join(text.split())
