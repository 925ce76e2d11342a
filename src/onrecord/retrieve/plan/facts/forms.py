"""The forms of questions that the catalogue answers, English and French.

They are read as a whole, in small letters, without accents, punctuation and what leads to a question ("and",
"tell me"). The words of conditions ("in 2023", "of TD Bank") have been taken out, and one character stands
for each recording and for each person that is named.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from onrecord.retrieve.plan.calendar_words import either
from onrecord.retrieve.plan.kinds import KIND, RECORDINGS

RECORDING, PERSON, OTHER = "\ue200", "\ue201", "\ue202"
"""Stand for recordings that are named, for somebody's name, for a condition that is not of recordings."""

_SORT = "((earnings|conference|podcast|council|board|team) )?"
_HERE = (
    "( (((of|on|in) )?(the|this|your) (show|podcast|series)|in total|in all|altogether|"
    "overall|so far|here|available|by now|en tout|au total|ici|disponibles|"
    "(in|on|dans) (the|this|your|my|our|l'|cette|la) ?(archive|library|collection|workspace|catalogue?|"
    "bibliotheque)))*"
)
_THERE = (
    "((are|is|were) there|there (are|is|were)|"
    "(are|is|sont) (in|dans) (the|this|your|my|our|l'|cette|la) ?(archive|library|collection|workspace)|"
    "(do|did|does|have|has) ((you|we|i|they) )?(have|had|got|hold|know|record|publish|release|make)|"
    "(are|is|were|have been) (available|here|indexed|stored|known|recorded|published|released|held|made)|"
    "exist|came out|aired|took place|y a-t-il|il y a|avez-vous|as-tu|existe-t-il|"
    "(sont|ont ete) (disponibles|la|ici|enregistree?s|publiee?s))"
)
_THIS = (
    "(?P<this>it|this one|that one|that|il|elle|y|celui-ci|celle-ci|"
    f"((the|this|that|le|la|l'|cet|cette|ce) ?)?{_SORT}{either(RECORDINGS - {'show'})})"
)
"""One recording that is not named; the show is what it is an episode of."""
_OUTERMOST = (
    "(the |le |la |l'|your |our )?("
    "(?P<last>(very )?(latest|last|newest|most recent|derni(er|ere)) {sort}{kind}|"
    "{kind} (le |la )?plus recente?)|"
    "(?P<first>(very )?(first|oldest|earliest|premi(er|ere)) {sort}{kind}|{kind} (le |la )?plus ancienne?)|"
    "(?P<longest>longest {sort}{kind}|{kind} (le |la )?plus long(ue)?|plus long(ue)? {kind})|"
    "(?P<shortest>shortest {sort}{kind}|{kind} (le |la )?plus courte?|plus courte? {kind}))"
)
_PARTS = {
    "kinds": f"{_SORT}(?P<kinds>{KIND}s)",
    "here": _HERE,
    "there": _THERE,
    "now": f"( {_THERE})?{_HERE}",
    "the": "(the |this |your |our |all |all the |all of the |les |vos |tous les |toutes les |le |la |l')?",
    "which": "(what|which|quels|quelles)",
    "who": "(who|qui)",
    "show": "(list|show|name|enumerate|give|listez?|lister|montrez?-moi|donnez?-moi)( me)?",
    "outermost": _OUTERMOST,
    "one": f"((in|on|at|of|from|dans|de|du|a|pendant) )?(?P<named>{RECORDING}|{_OUTERMOST}|{_THIS})",
    "named": f"(?P<named>{RECORDING})",
    "somebody": PERSON,
    "people": f"{PERSON}((,? (and|or|et|ou) |,? ){PERSON})*",
    "speakers": "(speakers|participants|panelists|attendees|voices|intervenants|orateurs|locuteurs|voix)",
    "anybody": "(people|persons|personnes|gens)",
    "speak": (
        "(speaks?|spoke|talks?|talked|(is|are) (speaking|talking|heard)|appears?|appeared|participates?|"
        "participated|takes? part|took part|can be heard|parle|parlent|parlait|intervient|interviennent|"
        "participe|participent|s'exprime|s'expriment|(prend|prennent) la parole|a parle|est intervenu)"
    ),
    "made": (
        "(recorded|published|released|aired|broadcast|made|held|uploaded|posted|filmed|enregistree?|publiee?|"
        "diffusee?|mise? en ligne|tournee?|sortie?|parue?)"
    ),
    "role": "(?P<role>[a-z][a-z '-]{2,40}?)",
    "owner": (
        "(?P<this>((this|that|the|cette|cet|ce|la|le|l') ?)(firm|company|business|bank|issuer|"
        "organi[sz]ation|entreprise|societe|banque))"
    ),
    "prep": "((in|at|of|for|from|on|with|dans|de|a|pour|chez|sur) )?",
    "sort": _SORT,
    "kind": KIND,
}
_FORMS = """
count: how many (different )?{kinds}{now}
count: (what is )?(the )?(total )?number of {kinds}{now}
count: combien ({there} )?(d'|de ){kinds}{now}
count: (quel est )?(le )?nombre (total )?(d'|de |des ){kinds}{now}
list: {which} {kinds} {there}{here}
counted: how many (different )?{kinds} (are|were)
counted: combien (d'|de ){kinds} (sont|etaient)
chosen: how many (are|were) there{here}
chosen: combien (y a-t-il|il y a){here}
those: {which} {kinds}( (are|is|were|sont|etaient))?
list: {which} (are|sont) {the}{kinds}{now}
list: {which} (are|were|sont) (the |les )?((two|three|four|five|ten|[0-9]+|deux|trois|quatre|cinq|dix) )?\
(latest|last|newest|most recent|dernie(rs|res))( (two|three|four|five|ten|[0-9]+))? {kinds}
list: what (do you have|is (there )?in (the|this|your) (archive|library|collection))
list: {show} ((a|the|la) )?((list of|liste de|liste des) |liste d')?{the}(available )?{kinds}{now}
list: (a |the |la )?(list of|liste de|liste des) {the}{kinds}{now}
outermost: (what|which|quel|quelle) (is|was|est|etait) {outermost}
outermost: c'est quoi {outermost}
outermost: (which|what) {kind} (is|was) (the )?((?P<last>latest|newest|most recent)|\
(?P<first>oldest|earliest)|(?P<longest>longest)|(?P<shortest>shortest))
title: what (is|was) {one} (called|titled)
title: comment s'appelle {one}
title: (what is|quel est) (the|le) (title|name|titre|nom) {one}
length: how long (is|was|does|did) {one}( last| run| take| go on)?( in total)?
length: how long {one} (is|was|lasts?|lasted|runs?|ran)
length: (what is|what was|quelle est) (the|la) (length|duration|running time|runtime|duree|longueur) {one}
length: how many (minutes|hours) (long )?(is|was|does|did) {one}( last| run| long)?
length: combien de (temps|minutes|heures) (dure|fait|a dure) {one}
length: {one} (dure|fait) combien de (temps|minutes|heures)
length: combien de temps (?P<this>dure-t-(il|elle))
total: how long (are|were) {the}{kinds}( in total| in all| altogether| together| on average)*
total: how (many (hours|minutes)|much) (of )?(audio|recordings?|talk|speech|material){now}
total: how many (hours|minutes) (long )?(are|do) {the}{kinds}( last| long| in total| in all)*
total: combien (d'heures|de minutes|de temps)( durent {the}{kinds}| (d'|de )(audio|enregistrements?))?{now}
total: (what is|quelle est) (the|la) ((total|average) )?(length|duration|duree)( totale| moyenne)? \
(of|de|des) {the}{kinds}
date: when (was|is|did) {one} ({made}|from|of|dated|air|come out|take place|happen)
date: when (was|is) ({named}|{outermost})
date: when {one} (was|is) {made}
date: (from when|how old|how recent) is {one}
date: (what|which) (date|day|year|month) (is|was) {one}( {made}| from)?
date: what (is|was) the ((recording|publication|release|air) )?date {one}
date: quelle est la date (d'enregistrement |de publication )?{one}
date: (quand|a quelle date) (a ete|est|fut) {made} {one}
date: (quand|a quelle date) (a eu lieu|date) {one}
date: (quand|a quelle date) {one} (a-t-il|a-t-elle|est-il|est-elle|a|est) (ete )?({made}|eu lieu)
date: (quand|a quelle date) (?P<this>a-t-(il|elle) ete) {made}
date: de quand (date|est) {one}
date: de quand (?P<this>date-t-(il|elle))
speakers: {who}( else| all)? {speak}( {one})?{here}
speakers: qui (?P<this>y) {speak}
speakers: {who} (is|are|was|were|est|sont|etait)( heard| featured| present)? {named}
speakers: {who} (is|are|was|were|est|sont) (in|on|dans) {one}
speakers: {who} (is|are|were|sont|etaient) {the}{speakers}( {one})?{here}
speakers: {which} ({speakers}|{anybody}) ({speak}|{there})( {one})?{here}
speakers: {show} ((the|la) )?((list of|liste de|liste des) )?{the}{speakers}( {one})?{here}
voices: how many (different )?{speakers}( {speak}| {there}| are| were)?( {one})?{here}
voices: how many (different )?{anybody} {speak}( {one})?{here}
voices: how many (different )?{anybody} (are|were)( there)? {one}
voices: combien (y a-t-il )?(d'|de )({speakers}|{anybody}) ({speak}|{there}){here}( {one})?
voices: combien (y a-t-il )?(d'|de ){speakers}( {one})?{here}
most: (who|which speaker) (speaks|spoke|talks|talked|says|said|has spoken) (the )?(?P<end>most|least)( {one})?
most: who (has|had) (the )?(?P<end>most|least) (to say|words|airtime|(speaking|talk|talking) time)( {one})?
most: qui (parle|intervient|a parle|s'exprime) le (?P<end>plus|moins)( longtemps)?( {one})?
most: qui a le (?P<end>plus|moins) parle( {one})?
talk: how (long|much) (does|did|has|is) {somebody} (speak|talk|say|spoken|speaking|talking)( for)?( {one})?
talk: combien de temps (parle|a parle|intervient) {somebody}( {one})?
talk: combien de temps {somebody} (parle|(a-t|parle-t)-(il|elle)( parle)?)( {one})?
appearances: (in |on )?(what|which|how many) {kinds}( {there})? (feature|features|featured|featuring|have|\
include|includes|with|are with|were with|is|are|was|were|do|does|did|has) {people}\
( (in|on|been in|been on|(speak|speaking|spoken|talk|appear|appeared|heard|featured|participate|take part)\
( (in|on))?))?
appearances: (is|are|do you have|have you|y a-t-il|avez-vous)( there)? (an? |any |un |une |des |d')?{kind}s? \
(with|featuring|avec) {people}
appearances: where (does|did|do|is|has) {people} (speak|talk|appear|heard|spoken|appeared)( in)?
appearances: {show} {the}{kinds} (with|of|featuring|avec|de) {people}
appearances: (dans |sur )?(quels |quelles |combien d'|combien de ){kinds} (parle(nt)?|apparait|\
apparaissent|interviennent|\
intervient|est|sont|y a-t-il|avec|sont avec|il y a)( avec)? {people}
appearances: (dans )?(quels |quelles |combien d'|combien de ){kinds} {people} (parle(nt)?|apparait|\
intervient|interviennent|est|sont)(-t)?(-il|-elle|-ils|-elles)?
present: (is|was|does|did|has) {somebody} ((speak|talk|appear|spoken|been|heard|featured) )?{named}
present: (est-ce que )?{somebody} (parle|intervient|est|apparait)(-t)?(-il|-elle)? {named}
role: {who} (is|was|are|were|has been|have been|est|etait|sont|etaient|a ete|ont ete) \
(a |an |the |any |your |our |un |une |l'|le |la |les |vos )?{role}( {one})?{here}
role: {who} (?P<verb>hosts|hosted|moderates|moderated|chairs|chaired|presente|anime|preside)( {one})?{here}
role: ({which}|{show}|list all)( are| were| sont)?( the| les| your| vos)? {role}\
( {there}| have been( on)?| were on| {speak})?\
( {one})?{here}
roles: how many (different )?{role}( {there}| have been( on)?| were on| {speak})?( {one})?{here}
roles: combien (y a-t-il )?(d'|de ){role}( {there}| {speak})?( {one})?{here}
values: {which} (is|was|est) (the |le |la |l')?{role} {one}
values: {prep}{which} {role} (is|was|est|a) {one}( from| in| of| about)?
values: {prep}{which} {role} (is|was|does|did) {owner}( from| in| of| belong to| operate in| work in)?
values: {prep}(quel|quelle) {role} (est|etait|a|fait partie)(-ce)? {owner}
values: {prep}(quel|quelle) {role} (est )?(?P<this>est-ce|c'est|s'agit-il|celui-ci|celle-ci)
values: (?P<this>c'est|il s'agit de) (quel|quelle) {role}
values: {which} (is|was|est) {owner}'?s? {role}
values: (what|which|quel|quelle) (is|was|est|etait) (the |le |la |l')?{role} (of|de) {owner}
valued: {prep}(what|which|quel|quelle) {role} (is|was|does|did|est|etait)\
( from| in| of| belong to| operate in)?
valued: (what|quel|quelle) (is|was|est|etait) (the|le|la|l') ?{role}( of| de| for| pour)?
values: {which} {role} ({there}|are covered|are there){here}
values: how many (different )?{role} ({there}|are covered){here}
"""


_BEGINNING = 4
"""Letters by which a word is looked for among those of a form, whose endings are written in several ways."""


@dataclass(frozen=True)
class Form:
    """What is asked for, and how. `words` are the first letters of all words that it may have; `pattern` is
    compiled when a question is made of them."""

    kind: str
    text: str
    words: frozenset[str]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(re.sub(r"\((?!\?)", "(?:", self.text))

    @property
    def of_noun(self) -> bool:
        """Whether it names a role or an attribute."""
        return "(?P<role>" in self.text

    def match(self, text: str, words: frozenset[str]) -> re.Match[str] | None:
        """The whole text in this form; `words` are the beginnings of its words, without those of a role."""
        return self.pattern.fullmatch(text) if words <= self.words else None


@lru_cache(256)
def beginnings(text: str) -> frozenset[str]:
    """The first letters of the words of a text."""
    return frozenset(word[:_BEGINNING] for word in re.findall("[a-z]+", text))


@cache
def vocabulary() -> frozenset[str]:
    """The first letters of all words that any form has."""
    return frozenset().union(*(form.words for form in forms()))


_NAMED = re.compile(r"{(\w+)}")


@cache
def forms() -> tuple[Form, ...]:
    """All of them; what a question fits first is what it asks for."""
    lines = (line.partition(": ") for line in _FORMS.strip().splitlines())
    parts = {name: _put_in(part, {"sort": _SORT, "kind": KIND}) for name, part in _PARTS.items()}
    words = {name: beginnings(part) for name, part in parts.items()}
    return tuple(
        Form(
            kind,
            _put_in(form, parts),
            beginnings(form).union(*(words[name] for name in _NAMED.findall(form))),
        )
        for kind, _, form in lines
    )


def _put_in(form: str, parts: Mapping[str, str]) -> str:
    for name, part in parts.items():
        form = form.replace(f"{{{name}}}", part)
    return form
