"""Words that turn a sentence into its contrary: negations and opposites, English and French."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache

from onrecord.graph.nouns import data
from onrecord.retrieve.diversity.same import denies
from onrecord.retrieve.quantities import Token
from onrecord.stores.words import terms

_FORMS = """
be is are was were been, become became, begin began begun, bet, bind bound, bite bit bitten, bleed bled,
blow blew blown, break broke broken, bring brought, build built, burn burnt, buy bought, catch caught,
choose chose chosen, come came, cost, creep crept, cut, deal dealt, dig dug, draw drew drawn, drink drank
drunk, drive drove driven, eat ate eaten, fall fell fallen, feed fed, feel felt, fight fought, find
found, flee fled, fly flew flown, forbid forbade forbidden, forget forgot forgotten, freeze froze frozen,
get got gotten, give gave given, go goes went gone, grow grew grown, hang hung, have has had, hear heard,
hide hid hidden, hit, hold held, keep kept, know knew known, lay laid, lead led, lean leant, learn
learnt, leave left, lend lent, let, lie lay lain, lose lost, make made, mean meant, meet met, pay paid,
put, quit, read, ride rode ridden, ring rang rung, rise rose risen, run ran, say said, see saw seen, seek
sought, sell sold, send sent, shake shook shaken, shine shone, shoot shot, show shown, shrink shrank
shrunk, shut, sing sang sung, sink sank sunk, sit sat, sleep slept, slide slid, speak spoke spoken, spend
spent, split, spread, spring sprang sprung, stand stood, steal stole stolen, stick stuck, strike struck,
swear swore sworn, swim swam swum, swing swung, take took taken, teach taught, tear tore torn, tell told,
think thought, throw threw thrown, understand understood, wake woke woken, wear wore worn, win won,
withdraw withdrew withdrawn, write wrote written
"""
_BASE = {form: verb.split()[0] for verb in _FORMS.split(",") for form in verb.split()[1:]}
_NOUNS = frozenset("found rose lay left saw felt ground bound bit lead".split())
"""Forms of irregular verbs that are just as often words of their own."""


def base(term: str) -> str:
    """Return the base form of an irregular verb, and any other word unchanged."""
    return term if term in _NOUNS else _BASE.get(term, term)


_DOWNWARD = ("fall", "loss", "negative", "below")
"""A word at each end of an axis that is `downward`."""
_DENYING = frozenset(
    terms("""
cant dont doesnt didnt isnt wasnt arent werent wont wouldnt shouldnt couldnt hasnt havent hadnt fail failed
lack lacks lacking unable unlikely refuse refused denied deny aucune
""")
)


def denials(words: Iterable[Token]) -> frozenset[str]:
    """Return the terms of the words that deny: "not", "sans", "dont", "lacks"."""
    return frozenset(term for word in words for term in terms(word.text) if term in _DENYING or denies(word))


@lru_cache(maxsize=1 << 15)
def root(term: str) -> str:
    """Return one form for all endings of a word, and for all forms of an irregular verb.

    The stemmer is Snowball's for English.
    """
    import snowballstemmer

    # a stemmer may be used by one thread only, so make one for each call
    return str(snowballstemmer.stemmer("english").stemWord(base(term)))


def roots(text: str) -> frozenset[str]:
    """Return the roots of all words of a text."""
    return frozenset(map(root, terms(text)))


@cache
def axes() -> Mapping[str, Mapping[int, int]]:
    """Return the axes of opposites (``data/opposites.yaml``) of each root.

    An axis is given by its number, with the end, 1 or -1, at which the root lies.
    """
    table: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for axis, line in enumerate(data("opposites.yaml")["axes"]):
        for end, words in zip((1, -1), line.split(" / "), strict=True):
            for word in terms(words):
                # Add the comparative and the superlative. Those of a verb are no words and do no harm.
                short = word[:-1] + "i" if word.endswith("y") else word.removesuffix("e")
                for form in (word, short + "er", short + "est"):
                    table[root(form)][axis] = end
    return table


@cache
def downward() -> frozenset[tuple[int, int]]:
    """Return the ends of axes whose words make a figure negative without a sign: "fell by 5"."""
    return frozenset(end for word in _DOWNWARD for end in axes()[root(word)].items())


def is_contrary(stated: AbstractSet[str], said: AbstractSet[str]) -> bool:
    """Return whether a statement has a root whose opposite was said.

    The root lies at one end of an axis, and the roots that were said lie only at the other end.
    """
    ends = {(axis, end) for word in said for axis, end in axes().get(word, {}).items()}
    own = {(axis, end) for word in stated - said for axis, end in axes().get(word, {}).items()}
    return any((axis, -end) in ends and (axis, end) not in ends for axis, end in own)
