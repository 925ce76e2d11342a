"""The words around a date in other languages than English and French: what dateparser, which reads the date
itself, does not know. Without capitals and accents, as patterns."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Around:
    """What stands before a date: `since`, `after`, ... make a limit of it; `within` is "in"; after `for_` it
    is open whether something was said on those days ("the plan for May"). `the` may stand between, and `part`
    ("the end of"). `opening` and `joining` are those of "between ... and". `this` and `last` stand beside a
    unit; `many` are "days", "weeks", ..., of which "the last" are no certain stretch; `of` stands behind the
    last week of something. `numbers` are the words for 1 to 12, the forms of each with a "/"; `months` are
    forms of the months, if any, that dateparser does not know."""

    since: str
    after: str
    before: str
    until: str
    within: str
    for_: str
    the: str
    part: str
    opening: str
    joining: str
    this: str
    last: str
    many: str
    of: str
    numbers: str
    months: str = ""

    @cached_property
    def number(self) -> dict[str, int]:
        """The whole number that a word stands for."""
        each = enumerate(self.numbers.split(), 1)
        return {word: at for at, words in each for word in words.split("/")}

    @cached_property
    def month(self) -> dict[str, int]:
        """The number of the month that a word stands for."""
        return {word: at for at, word in enumerate(self.months.split(), 1)}

    def is_beside(self, word: str) -> bool:
        """Whether it is one of `this` and `last`."""
        return bool(re.fullmatch(f"{self.this}|{self.last}", word))


AROUND = {
    "de": Around(
        since="seit|ab",
        after="nach",
        before="vor",
        until="bis|bis zu|bis zum",
        within="in|im|am|vom|von|aus|wahrend|im laufe",
        for_="fur",
        the="dem|den|der|des|die|das|jahr|jahre|jahres|monat",
        part="anfang|mitte|ende",
        opening="zwischen|von|vom",
        joining="und|bis|bis zu|bis zum",
        this="dies(?:e[mnrs]?)?",
        last="(?:letzt|vergangen|vorig)e[nmrs]?",
        many="tagen?|wochen|monaten?|jahren?",
        of="des|der|vom|von",
        numbers="ein/eine/einem/einer/einen zwei drei vier funf sechs sieben acht neun zehn elf zwolf",
    ),
    "es": Around(
        since="desde|a partir de|a partir del",
        after="despues de|despues del|tras",
        before="antes de|antes del",
        until="hasta",
        within="en|durante",
        for_="para|por",
        the="el|la|los|las|ano|mes de|mes",
        part="(?:principios|comienzos|mediados|finales|fines) de",
        opening="entre|de|desde|del",
        joining="y|e|a|al|hasta",
        this="est[ea]",
        last="(?:ultim|pasad)[oa]s?",
        many="dias|semanas|meses|anos",
        of="de|del",
        numbers="un/una dos tres cuatro cinco seis siete ocho nueve diez once doce",
    ),
    "it": Around(
        since="da|dal|dall'|dalla|a partire da|a partire dal",
        after="dopo",
        before="prima di|prima del|prima dell'|prima della",
        until="fino a|fino al|fino all'|fino alla|entro",
        within="in|nel|nell'|nella|negli|nelle|durante|a|ad",
        for_="per",
        the="il|lo|la|gli|le|l'|anno",
        part="inizio|meta|fine",
        opening="tra|fra|da|dal|dall'",
        joining="e|ed|a|al|all'",
        this="quest(?:[oa]|')",
        last="(?:ultim|scors|passat)[oaie]",
        many="giorni|settimane|mesi|anni",
        of="di|del|dello|della|dei|degli|delle|dell'",
        numbers="un/uno/una due tre quattro cinque sei sette otto nove dieci undici dodici",
    ),
    "nl": Around(
        since="sinds|vanaf|sedert",
        after="na",
        before="voorafgaand aan",
        until="tot|tot en met|t/m",
        within="in|op|tijdens|gedurende|van",
        for_="voor",
        the="de|het|jaar|maand",
        part="begin|half|medio|eind",
        opening="tussen|van",
        joining="en|tot|tot en met|t/m",
        this="deze|dit",
        last="laatste|afgelopen|voorbije|vorige?|verleden",
        many="dagen|weken|maanden|jaren",
        of="van",
        numbers="een twee drie vier vijf zes zeven acht negen tien elf twaalf",
    ),
    "pt": Around(
        since="desde|a partir de|a partir do",
        after="depois de|depois do|apos",
        before="antes de|antes do",
        until="ate|ate ao",
        within="em|no|na|nos|nas|durante",
        for_="para|por",
        the="o|a|os|as|dia|ano de|mes de|ano",
        part="(?:inicio|comeco|meados|final|fim|fins) de",
        opening="entre|de|desde",
        joining="e|a|ate",
        this="n?est[ea]",
        last="(?:ultim|passad)[oa]s?",
        many="dias|semanas|meses|anos",
        of="de|do|da|dos|das",
        numbers="um/uma dois/duas tres quatro cinco seis sete oito nove dez onze doze",
    ),
    "ru": Around(
        since="с|со|начиная с",
        after="после",
        before="до",
        until="по",
        within="в|во|за|от",
        for_="на|к|о|об|для",
        the="конца|начала",
        part="начала|середины|конца",
        opening="с|со|между|от",
        joining="по|до|и",
        this="эт\\w+",
        last="(?:последн|прошл)\\w+",
        many="дн(?:и|еи|ях)|недель|неделях|месяц(?:ы|ев|ах)|лет|год(?:ы|ах)",
        of="(?!)",
        numbers="один/одну/одного два/две/двух три/трех четыре/четырех пять/пяти шесть/шести семь/семи "
        "восемь/восьми девять/девяти десять/десяти одиннадцать двенадцать",
        months="январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре",
    ),
}
"""By ISO 639-1 code."""
_STEMS = tuple(
    (
        "jan feb mar mrz apr mai jun jul aug sep okt nov dez tag woche monat jahr gestern vorgestern "
        "ene abr may ago set oct dic dia sem mes ano ayer ante "
        "gen mag giu lug ott giorn ann ieri dopo "
        "maa mrt mnd mei dec dag week weke maand jaar jare gisteren eergisteren "
        "fev out ontem "
        "янв фев мар апр маи мая мае июн июл авг сен окт ноя дек год лет нед мес ден дн сут вчера позавчера"
    ).split()
)
"""How the months, the units and the days without a number ("yesterday") begin in all of these languages."""


def may_name_a_day(low: str) -> bool:
    """Whether a text has a word that begins like one of a date: else dateparser need not be loaded."""
    return any(word.startswith(_STEMS) for word in re.findall(r"\w+", low))
