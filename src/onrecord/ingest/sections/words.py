"""The words of passages: which carry meaning, how often, how rare, and which announce a new topic."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import log
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from onrecord.types import Passage

if TYPE_CHECKING:
    from onrecord.types import Vectors

_TOKEN = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_SOUND = (
    r"(?:(?:audience|crowd|background|all|both|everyone|le public|tous) )?"
    r"(?:laugh(?:s|ing|ter)?|chuckl(?:es?|ing)|giggl(?:es?|ing)|applau(?:se|ds)|applaudissements?|clapping|"
    r"cheer(?:s|ing)|music|jingle|crosstalk|inaudible|unintelligible|indistinct|silence|pause|beep(?:s|ing)?|"
    r"cough(?:s|ing)?|sigh(?:s|ing)?|sniffs?|gasps?|noise|rires?|rit|musique|bruit|toux|soupirs?)"
    r"[.!]?(?: [\d:.]+)?"
)
_SOUNDS = re.compile(
    rf"\[(?:(?-i:[a-z])[^\[\]]{{0,40}}|{_SOUND})\](?!\()|\{{[^{{}}]{{1,40}}\}}|<[^<>]{{1,40}}>|\({_SOUND}\)|"
    rf"\*{_SOUND}\*",
    re.IGNORECASE,
)
"""Sounds that transcribers note: "[win sound]", "(applause)", "<disfmarker>".

Other words in round brackets, or a name or link in square ones, may be spoken."""
_ACCENTS = re.compile("[\u0300-\u036f]+")
_ELIDED = re.compile("^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu)['\u2019]")
_BUCKETS = 1024
"""Words are hashed to this many numbers: two that share one do little harm in a mean of hundreds."""

_ENGLISH = """
'cause a able about above absolutely across actually after afternoon again against ago all almost along
already alright also although always am among an and another answer any anybody anyone anything anyway are
aren't around as ask asked at away back basically be became because been before being below best better
between big billion bit both but by came can can't cannot case cent certainly clearly come comes coming cos
could couldn't couple course day days did didn't different do does doesn't doing dollar dollars don't done
down during each either else end enough especially euro euros even ever every everybody everyone everyone's
everything exactly example fact far few fifty fine first folks for foreign forty forward from further gave
general gentlemen get gets getting give given gives giving go goes going gone gonna good got gotta great
guess guys had happen happened has hasn't have haven't having he he's hear heard hello her here here's hers
hi him his hmm hope hour hours how however hundred i i'd i'll i'm i've if important in inaudible indeed
inside instead into is isn't it it'd it'll it's its itself just keep kind kinda know known ladies last later
least left less let let's like likely little long look looking lot lots made mainly make makes making many
may maybe me mean means mhm might million mine minute minutes mm mm-hmm mmhmm month months more morning most
mostly much must my myself near need needs never next nice no nobody none nor not nothing now number
obviously of off often oh ok okay on once one ones only onto or other others our ours out over own part
particular people per percent perhaps place please pleased point possible pretty probably put question
questions quick quickly quite rather really reason regard regarding right said same saw say saying says
second see seems seen sense set several shall she she's should show side simply since sixty so some somebody
someone something sometimes somewhat soon sorry sort sounds still stuff such sure take taken takes taking
talk talked talking tell terms than thank thanks that that's the their them themselves then there there's
therefore these they they'll they're they've thing things think thinking third thirty this those though
thought thousand three through throughout time times to today together told too took towards tried true try
trying turn twenty two type uh uh-huh um under understand until up upon us use used using usually various
very wanna want wanted wants was wasn't way ways we we'd we'll we're we've week weeks welcome well went were
weren't what what's whatever when where whether which while who who's whole why will with within without
won't wonder wondering word words work working would wouldn't yeah year years yep yes yet you you'd you'll
you're you've your yours yourself
"""
_FRENCH = """
ai ainsi ait alors annee annees apres as assez au aucun aujourd'hui auquel aura aurait aussi autant autre
autres aux avait avant avec avez avoir avons bah beaucoup ben bien bon bonjour bonsoir bref car ce ceci cela
celle celles celui cent cependant certain ces cet cette ceux chacun chaque chez chose choses ci combien
comme comment concernant contre d'abord d'accord dans de deja depuis des desormais dessous dessus deux
devant devrait dire dit dois doit donc dont droit du durant elle elles en encore enfin ensuite entre envers
environ est est-ce et etaient etait etant ete etes etre eu euh eux evidemment faire fait faites fallait
faudrait faut finalement fois font forcement hein heure hier hors ici il ils importante jamais je jour jours
jusque juste la la-bas laquelle le lequel les lesquels leur leurs lors lorsque lui ma madame mais malgre
meme memes merci mes mesdames messieurs met mettre mieux milliard milliards million millions minute minutes
moi moins mois moment mon monsieur ne ni non nos notre nous nouveau on ont ou ouais oui par parce parfois
parler parmi part partir pas passer pendant personne petit peu peut peut-etre peuvent plus plutot point pour
pourquoi pourtant pouvait pouvez pouvoir pouvons premier pres presque puis puisque quand quant que quel
quelle quelles quelqu'un quelque quelques quels question questions qui quoi reponse rien sa sais sait sans
savez se semaine semaines sera serait ses seulement si sinon soit sommes son sont sous souvent suis suivant
sujet sur surtout ta tant te tel tellement temps tes toi ton toujours tous tout toute toutes tres trois trop
tu un une unes va vais vers veut veux viens vient voici voila voir vont vos votre voulez vouloir vous vrai
vraiment y
"""
COMMON = frozenset(f"{_ENGLISH} {_FRENCH}".split())
"""Words that tell little about a topic, English and French, without accents."""


@lru_cache(50_000)  # the same words come over and over
def fold(word: str) -> str:
    """Fold case and accents of a word: "L\u2019Économie" becomes "l'economie"."""
    if word.isascii():
        return word.lower()
    plain = unicodedata.normalize("NFKD", word.replace("\u2019", "'").casefold())
    return _ACCENTS.sub("", plain)


@lru_cache(50_000)
def content_stem(word: str) -> str:
    """Return the stem of a word: economie for both "L'économie" and "économies", "" for a common word."""
    plain = fold(word)
    if plain in COMMON:
        return ""
    plain = _ELIDED.sub("", plain)
    plain = plain.partition("'")[0]
    if len(plain) < 3 or plain in COMMON or not plain[0].isalpha():
        return ""
    return plain[:-1] if len(plain) > 3 and plain.endswith("s") and not plain.endswith("ss") else plain


class Words:
    """The words of passages: `tokens` as spoken, `counts` of their stems; noted sounds are no words."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.tokens = [_TOKEN.findall(_SOUNDS.sub(" ", passage.text)) for passage in passages]
        self.counts = [Counter(filter(None, map(content_stem, tokens))) for tokens in self.tokens]
        self.passages = Counter(word for counts in self.counts for word in counts)

    def __len__(self) -> int:
        return len(self.tokens)

    def rarity(self, word: str) -> float:
        """Return ln(n / how many of the n passages have the word); 0 if none has."""
        return log(len(self) / self.passages[word]) if word in self.passages else 0.0

    def matrix(self) -> Vectors:
        """Return hashed unit rows of words in several passages, (1 + ln count) * rarity; shape (n, 1024)."""
        rows = np.zeros((len(self), _BUCKETS), np.float32)
        weights = {
            w: (crc32(w.encode()) % _BUCKETS, self.rarity(w)) for w, n in self.passages.items() if n > 1
        }
        for row, counts in zip(rows, self.counts, strict=True):
            for word, count in counts.items():
                if word in weights:
                    bucket, rarity = weights[word]
                    row[bucket] += (1 + log(count)) * rarity
        return unit_rows(rows)


def unit_rows(rows: Vectors) -> Vectors:
    """Scale rows to unit length; rows of zeros stay."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), np.float32)


# ---------------------------------------------------------------- phrases of a change of topic

GROUPS = (
    "move on|moving on|moved on|passons|passer a|on passe|enchainons",
    "next|prochain|prochaine|suivant|suivante|ensuite",
    "let's talk|let's move|let's go|let's turn|let's look|let's start|let's get|let's discuss|let's see|"
    "let's continue|let's switch|let's begin|let us|parlons|commencons|continuons|regardons|revenons",
    "turn to|turning to|come to|come back|coming to|coming back|go to|going to|go back|going back|get to|"
    "venons|revenir|on en vient|on arrive",
    "thank you|thanks|merci",
    "question|questions",
    "talk about|talking about|discuss|discussion|discussing|speak about|speak on|parler de|discuter",
    "agenda|today|minutes|presentation|meeting|topic|item|ordre du jour|aujourd'hui|reunion|sujet",
    "first|second|third|last|final|finally|lastly|premier|deuxieme|troisieme|dernier|derniere|enfin",
    "anything else|that's it|that's all|any comments|any other|autre chose|c'est tout|d'autres",
    "over to|go ahead|your turn|i'll start|i will start|you ready|do you want|la parole|allez-y|a vous",
)
"""Phrases that announce a new topic; each group is one sign, however often and in whatever words."""

_OPENERS = frozenset(
    "okay ok kay right alright all now so well um uh yeah good great bon alors donc bien voila euh".split()
)


def _by_first() -> dict[str, list[tuple[tuple[str, ...], int]]]:
    phrases_by_word: defaultdict[str, list[tuple[tuple[str, ...], int]]] = defaultdict(list)
    for group, phrases in enumerate(GROUPS):
        for phrase in phrases.split("|"):
            first, *rest = phrase.split()
            phrases_by_word[first].append((tuple(rest), group))
    return dict(phrases_by_word)


_PHRASES = _by_first()


def count_cues(tokens: Sequence[str]) -> int:
    """Count the different signs of a new topic in these words."""
    return len(set(_groups([fold(word) for word in tokens])))


def is_opener(tokens: Sequence[str]) -> bool:
    """Return whether words begin like those of a new topic: "Okay. So ..."."""
    return len(tokens) > 1 and fold(tokens[0]) in _OPENERS and fold(tokens[1]) in _OPENERS


def _groups(words: Sequence[str]) -> Iterator[int]:
    for at, word in enumerate(words):
        for rest, group in _PHRASES.get(word, ()):
            if tuple(words[at + 1 : at + 1 + len(rest)]) == rest:
                yield group
