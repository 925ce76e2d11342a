"""Words that turn a sentence into its contrary: negations and opposites, English and French."""

from __future__ import annotations

from collections import defaultdict

from onrecord.retrieve.wording import stem
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
"""Forms that are words of their own as often."""


def base(term: str) -> str:
    """The form under which an irregular verb is listed; any other word as it is."""
    return term if term in _NOUNS else _BASE.get(term, term)


_PAIRS = """
increase decrease, rise fall, rose fell, grow shrink, grew shrank, gain loss, gained lost, win lose, won
lost, up down, higher lower, high low, more less, more fewer, most least, before after, early late,
earlier later, begin end, began ended, start stop, started stopped, open close, opened closed, accept
reject, accepted rejected, accept refuse, agree disagree, agreed disagreed, allow forbid, allowed banned,
include exclude, positive negative, good bad, better worse, best worst, strong weak, stronger weaker,
large small, larger smaller, big small, long short, longer shorter, old new, first last, easy difficult,
easy hard, easier harder, cheap expensive, success failure, succeed fail, succeeded failed, support
oppose, supported opposed, love hate, like dislike, satisfied disappointed, confident doubtful,
optimistic pessimistic, safe dangerous, public private, buy sell, bought sold, hire fire, hired fired,
arrive leave, arrived left, join leave, joined left, remember forget, always never, often rarely, all
none, everyone nobody, many few, same different, simple complex, fast slow, faster slower, inside
outside, internal external, above below, over under, possible impossible, able unable, likely unlikely,
certain uncertain, known unknown, clear unclear, common rare, correct wrong, true false, available
unavailable, expand contract, expanded reduced, improve worsen, improved worsened, improved declined,
raise lower, raised lowered, raise cut, add remove, added removed, build destroy, encourage discourage,
approve reject, approved rejected, confirm deny, confirmed denied, admit deny, admitted denied, praise
criticize, benefit harm, help hurt, profit loss, surplus deficit, majority minority, maximum minimum,
voluntary mandatory, temporary permanent, partial full, direct indirect, active inactive, present absent,
past future, previous next, domestic foreign, local global, urban rural, north south, east west,
outperform underperform, accelerate slow, accelerated slowed, strengthen weaken, strengthened weakened,
tighten loosen, exceed miss, exceeded missed, beat missed, growth decline, asset liability, revenue cost,
income expense, debt equity, victory defeat, hope fear, trust distrust, rich poor, empty full, together
apart, formal informal, minor major, upper lower, import export, send receive, sent received, give take,
gave took, hausse baisse, augmenter diminuer, monter descendre, plus moins, avant après, toujours jamais,
fort faible, gagner perdre, accepter refuser, ouvrir fermer, meilleur pire, acheter vendre, possible
impossible, doubled halved, double halve, longer shorter, widen narrow, hausse diminution, doublé divisé
"""
_NEGATIONS = """
not no never none nobody nothing neither nor without cannot cant dont doesnt didnt isnt wasnt arent
werent wont wouldnt shouldnt couldnt hasnt havent hadnt fail failed lack lacks lacking unable unlikely
refuse refused denied deny ne pas jamais aucun aucune personne rien sans ni
"""
NEGATIONS = frozenset(terms(_NEGATIONS))


def _table() -> dict[str, frozenset[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for pair in _PAIRS.split(","):
        one, other = (stem(base(term)) for term in terms(pair))
        found[one].add(other)
        found[other].add(one)
    return {word: frozenset(contrary) for word, contrary in found.items()}


OPPOSITES = _table()
"""The opposites of a stem."""
