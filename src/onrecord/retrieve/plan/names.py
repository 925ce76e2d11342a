"""How people are called: by a part of a name, by a nickname, misspelt."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from onrecord.ingest.people import OFFICES, parted
from onrecord.retrieve.plan.asked import Asked, words_of
from onrecord.retrieve.plan.kept import Kept
from onrecord.types import Filter

_NICKNAMES = """
abigail abby gail, alexander alex sandy xander, alexandra alex sandra, alexandre alex, andrew andy drew,
anthony tony, antoine toine, barbara barb barbie, benjamin ben benji, catherine cathy cat kate katie cate,
charles charlie chuck, christian chris, christine chris chrissy, christopher chris topher, daniel dan danny,
david dave davey, deborah deb debbie, donald don donnie, dorothy dot dottie, douglas doug, edward ed eddie
ted ned, elizabeth liz lizzie beth eliza betty, emmanuel manu, emmanuelle manu, eugene gene, frances fran,
francis frank, frederic fred fredo, frederick fred freddie, gabriel gabe, gerald gerry jerry, gregory greg,
guillaume guigui, henry hank harry, isabella bella izzy, jacob jake, james jim jimmy jamie, jeffrey jeff,
jennifer jen jenny, jessica jess, john johnny jack, jonathan jon, joseph joe joey, joshua josh, judith judy,
katherine kathy kate katie, kathleen kathy, kenneth ken kenny, kimberly kim, lawrence larry, leonard leo len,
margaret maggie peggy meg, matthew matt, matthieu mat, maximilian max, michael mike mick, michel mimi,
nathaniel nate nat, nicholas nick, nicolas nico, nicole nikki, pamela pam, patricia pat patty tricia,
patrick pat paddy, peter pete, philip phil, philippe phil, rebecca becky becca, raymond ray, richard rick
dick richie, robert bob bobby rob robbie bert, ronald ron ronnie, samantha sam, samuel sam sammy, sebastien
seb, sebastian seb, stephane steph, stephanie steph, stephen steve, steven steve, susan sue susie, suzanne
sue, theodore ted theo, thomas tom tommy, timothy tim, valerie val, veronique vero, victoria vicky tori,
vincent vince, virginie, walter walt, william bill billy will willy liam, zachary zach"""
FORMAL: dict[str, tuple[str, ...]] = {}
"""The names that each nickname stands for."""
for _name, *_nicks in (entry.split() for entry in _NICKNAMES.split(",")):
    for _nick in _nicks:
        FORMAL[_nick] = (*FORMAL.get(_nick, ()), _name)

FIRST_NAMES = FORMAL.keys() | {name for names in FORMAL.values() for name in names}
"""Those that have nicknames, and these."""

ORDINARY = frozenset(
    """
alder alma amber april art august autumn baker bank banks barber basil bay bell best bill bird bishop black
blanc blanche blue bond bourg bowl brook brown bush butler carter chance chase chef church city clair claire
clark clay clerc close coffee cole constant cook copper court crystal cross dale dawn day dean desire duke
earl east elder faith field fields fine fisher ford forest fort fox franc france frank free garden gold good
grace grand grant grass gray green grey hall hand hardy harper harmony heath hill holly hope house hunter
ice iris ivy jade jazz jet jewel job joy june juste justice king kitchen knight lac lake lane large laurel
law leblanc lee legrand lemaire levy lily little long love lucky major march mark market marin martin mason
may merci merry mill miller mills mont moon moore neige noble noel noir noire north olive page palmer paris
park parker patience pearl petit piece pierre pine place plant poet pope porter potter power price prince
quick rain ray red reed rice rich ridge river robin rock roi root rose roy ruby ruse sage salt sand sandy
sea shepherd short silver singer smart smith snow south spring star stern stone storm street strong summer
sun swan tanner temple terry thorn town turner vale victor ville violet walker wall ward water weaver weber
west white wild will win winter wise wolf wood woods work worth young yves
""".split()
)
"""Words that are names too: written small, they are taken for words."""

ROLES = OFFICES.union(
    """
assistant audience expert grad industrial interface intervenant machine marketing participant phd postdoc
project public recording staff system undergrad unknown user voice voix
""".split()
)
"""Words of labels such as "Project Manager": one of them alone names nobody."""

ANYBODY = frozenset(
    "audience expert intervenant member participant public recording speaker unknown user voice voix".split()
)
"""Those of them that may mean whoever speaks: "the speaker" is not Speaker 1 or Speaker 2."""

TAILS = frozenset(
    "bank banque inc corp corporation company co group groupe ltd plc sa ag show podcast".split()
)
"""Words of the names of firms and shows that may be left out."""

_ABBREVIATED = frozenset("mr mrs ms mx dr prof m mme mlle sr sra srta sig dott".split())
TITLES = _ABBREVIATED.union(
    """
    mister miss doctor professor sir monsieur madame mademoiselle docteur professeur maitre herr frau fraulein
    senor senora senorita signor signora
    """.split()
)
"""Titles of courtesy, without accents."""
_WORDS_TOO = frozenset("miss m maitre".split())
"""Those of them that are words, or letters, too: titles where they are written with a capital."""
_TITLED = re.compile(rf"(?<!['\u2019])\b({'|'.join(sorted(TITLES, key=len, reverse=True))})\.? $")


def titled(asked: Asked, begin: int) -> bool:
    """Whether a title of courtesy stands before the word that begins there: Ms Halden is somebody, whatever
    else goes by that name."""
    found = _TITLED.search(asked.low, max(0, begin - 20), begin)
    return found is not None and (found[1] not in _WORDS_TOO or asked.text[found.start()].isupper())


PARTICLES = frozenset(
    "al am ap bin da dal de del della den der di dos du el la las le les ben ibn los van von".split()
)
"""Small words within names: they name nobody either."""


_KEPT = 1024
"""Words of which what is nearest is kept."""


def distance(one: str, other: str, most: int) -> int:
    """How many letters apart two words are, one more, one less, another, or two neighbours exchanged counting
    one each (optimal string alignment distance, Damerau 1964); `most` + 1 where it is more than `most`."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    one, other = _without_ends(one, other)
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        above, before, row = before, row, [i]
        for j, b in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)


def _without_ends(one: str, other: str) -> tuple[str, str]:
    """Two words without the beginning and the ending that they share, by which they are no nearer."""
    first, last, shorter = 0, 0, min(len(one), len(other))
    while first < shorter and one[first] == other[first]:
        first += 1
    while last < shorter - first and one[-1 - last] == other[-1 - last]:
        last += 1
    return one[first : len(one) - last], other[first : len(other) - last]


class Nearest:
    """The words of a set that another is a misspelling of. Few of thousands are measured: those that begin
    alike, and of whose letters it lacks no more, and has no more besides, than they may be apart."""

    def __init__(self, words: Iterable[str]) -> None:
        self._by_first_letter: defaultdict[str, dict[str, frozenset[str]]] = defaultdict(dict)
        for word in words:
            self._by_first_letter[word[0]][word] = frozenset(word)
        self._found = Kept(_KEPT)

    def to(self, word: str, most: int) -> tuple[str, ...]:
        """Those that are the least letters apart from it, `most` or fewer."""
        return self._found.value((word, most), lambda: self._measured(word, most))

    def _measured(self, word: str, most: int) -> tuple[str, ...]:
        letters = frozenset(word)
        apart = {
            other: distance(word, other, most)
            for other, of_other in self._by_first_letter.get(word[0], {}).items()
            if len(letters - of_other) <= most and len(of_other - letters) <= most
        }
        best = min(apart.values(), default=most + 1)
        return tuple(other for other, far in apart.items() if far == best <= most)


_NAME = re.compile(
    r"(?<![.?!:]\s)(?<!^)(?<![¿¡])\b[A-ZÀ-Þ][\w&.'-]*\w(?:\s+(?:[A-ZÀ-Þ][\w&.'-]*\w|\d{1,4}))*"
)
"""A name, by its capitals; not at the beginning of a sentence."""


def entities(text: str, named: Sequence[str], kept: Sequence[Filter]) -> tuple[str, ...]:
    """The people and things that a question names: speakers, values of attributes, other names. `named` are
    the people in it who are not asked for, `kept` its filters, without whose words it is `text`."""
    of_filters = [
        found.value
        for found in kept
        if found.field not in ("since", "until", "recording", "language", "section")
        and not found.value.isdigit()
    ]
    names = [name.removesuffix("'s") for name in _NAME.findall(text)]
    told = {word for words in (*of_filters, *named, *(f.said for f in kept)) for word in words_of(words)}
    new = [name for name in names if not told & {*words_of(name)} and words_of(name)[0] not in _ABBREVIATED]
    return tuple(dict.fromkeys((*of_filters, *named, *new)))[:20]


def by_name(text: str, kept: Sequence[Filter]) -> str:
    """A text that asks for several people, with their surnames for other words ("the CFO", "Bill"). Passages
    are also found by who speaks in them: else those who are named would be found before those who are not."""
    people = [found for found in kept if found.field == "speaker" and found.said]
    for found in people if len(people) > 1 else ():
        if not {*words_of(found.said)} & {*words_of(found.value)}:
            called = rf"(?:\b(?:the|le|la) |\bl['\u2019])?\b{re.escape(found.said)}\b"
            place = re.search(called, text, re.IGNORECASE)
            surname = parted(found.value)[0].split()[-1]
            text = text[: place.start()] + surname + text[place.end() :] if place else text
    return text
