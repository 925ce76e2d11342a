"""A parser for quantities: each number in a text, in digits or in words, as a value with a unit.

It reads English and French. "four point two million crowns" is 4,200,000 crowns, "$174 million" is
174,000,000 dollars, "twenty twenty-four" is the year 2024, and "soixante-dix-neuf pour cent" is 79 percent.
In "six to seventy-nine percent", both numbers are percentages. Each number is read as a whole: "seventy-nine"
yields neither 70 nor 9. "-5 percent", "minus five percent" and "(5) percent" are negative; the 7 of "5-7" is
not, nor the 19 of "covid-19".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from onrecord.retrieve.wording import stem
from onrecord.stores.words import STOP, fold, singular

_TOKEN = re.compile(
    r"(?P<digits>\d{1,3}(?:[,\u00a0\u202f'](?=\d{3}(?!\d))\d{3})++|\d{1,3}(?: (?=\d{3}(?!\d))\d{3})++|\d++)"
    r"(?P<part>[.,]\d++)?"
    r"|(?P<word>[^\W\d_]++)|(?P<sign>[%‰$€£])|(?P<minus>(?<![-+])[-‐‑−](?=[$€£]?\d))"
    r"|(?P<stop>[.,;:!?()\[\]“”«»\"–—/]|-(?=\s))"
)
_SCALES = {
    **dict.fromkeys(("hundred", "cent", "cents"), 1e2),
    **dict.fromkeys(("thousand", "thousands", "mille", "k"), 1e3),
    **dict.fromkeys(("million", "millions", "m", "mn", "mio"), 1e6),
    **dict.fromkeys(("billion", "billions", "milliard", "milliards", "bn"), 1e9),
    **dict.fromkeys(("trillion", "trillions"), 1e12),
}
_MOST_SCALED = 1e15
"""The value from which on no further scale multiplies a number. Recognizers may repeat a word without end."""
_CENTS = frozenset(("cent", "cents"))
_FRENCH = frozenset("deux trois quatre cinq sept huit neuf".split())
_SHORT = frozenset("k m mn mio bn".split())
"""Scale abbreviations that count as scales only directly after digits; elsewhere they have other meanings."""
_COUNTED = (
    (0, 1, "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"),
    (16, 1, "sixteen seventeen eighteen nineteen"),
    (20, 10, "twenty thirty forty fifty sixty seventy eighty ninety"),
    (0, 1, "zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"),
    (20, 10, "vingt trente quarante cinquante soixante"),
)
_WORDS = {
    **{word: first + step * n for first, step, words in _COUNTED for n, word in enumerate(words.split())},
    "vingts": 20,
    "une": 1,
}
_ORDERED = (
    (1, 1, "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"),
    (14, 1, "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"),
    (20, 10, "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth"),
    (1, 1, "premier deuxieme troisieme quatrieme cinquieme sixieme septieme huitieme neuvieme dixieme"),
    (11, 1, "onzieme douzieme treizieme quatorzieme quinzieme seizieme"),
    (20, 10, "vingtieme trentieme quarantieme cinquantieme soixantieme"),
)
_ORDINALS = {
    **{word: first + step * n for first, step, words in _ORDERED for n, word in enumerate(words.split())},
    "premiere": 1,
    "unieme": 1,
}
_TIMES = {"once": 1, "twice": 2, "thrice": 3}
_PER = frozenset("a an per each every".split())
_PARTS = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fifth": 5, "fifths": 5,
    "tenth": 10, "tenths": 10, "demi": 2, "demie": 2, "moitie": 2, "tiers": 3, "quart": 4, "quarts": 4,
}  # fmt: skip
_DOZEN = {"dozen": 12, "dozens": 12, "douzaine": 12}
_ONE = frozenset(("a", "an", "un", "une"))
_OF_ONE = _ONE | {"of", "de", "d"}
_AND = frozenset(("and", "et"))
_POINT = frozenset(("point", "virgule"))
PERCENT, PERMILLE, POINTS, PART = "percent", "permille", "point", "part"
_PER_WORDS = frozenset("per pour por pro".split())
_OF_POINTS = frozenset(("percentage", "basis"))
_POWERS = frozenset(("square", "cubic"))
_BEFORE_UNITS = _PER_WORDS | _OF_POINTS | _POWERS
"""Words that make another unit of the unit after them: "per cent", "basis points", "square feet"."""
_PER_WHOLE = {
    **dict.fromkeys(("cent", "cents", "ciento", "cento"), PERCENT),
    **dict.fromkeys(("mille", "mil"), PERMILLE),
}
_UNITS = {
    "%": PERCENT, "percent": PERCENT, "pourcent": PERCENT, "‰": PERMILLE, "promille": PERMILLE,
    "$": "dollar", "usd": "dollar", "€": "euro", "degre": "degree",
    "eur": "euro", "£": "pound", "gbp": "pound", "quid": "pound", "km": "kilometre", "kilometer": "kilometre",
    "meter": "metre", "centimeter": "centimetre", "cm": "centimetre", "millimeter": "millimetre",
    "mm": "millimetre", "feet": "foot", "inche": "inch",
    "kg": "kilo", "kilogram": "kilo", "kilogramme": "kilo", "ton": "tonne", "liter": "litre",
    "min": "minute", "hr": "hour", "sec": "second", "heure": "hour", "seconde": "second", "jour": "day",
    "semaine": "week", "mois": "month", "annee": "year", "an": "year", "livre": "pound",
}  # fmt: skip
_HALF_A_PERCENT = 0.5
_IN_HUNDREDTHS = frozenset(("dollar", "euro", "pound", "metre", "crown", "franc"))
MEASURES = frozenset(
    "percent permille point part dollar euro pound crown franc yen cent quarter half semester "
    "kilometre metre centimetre millimetre mile foot inch yard acre hectare kilo gram gramme tonne litre "
    "gallon degree second minute hour day week month year decade century "
    "watt kilowatt megawatt gigawatt volt byte gigabyte terabyte".split()
)
"""Units of measure. Two quantities in different units of measure are never the same quantity."""
_CURRENCIES = frozenset("$€£")
_HYPHENS = frozenset("-‐‑")
_SURE_MINUS = frozenset(("−", "minus"))
_MINUS = _SURE_MINUS | _HYPHENS | frozenset("– negative moins menos meno".split())
"""Signs and words that make the number after them negative. Most of them have other meanings as well."""
_NO_MINUS_AFTER = frozenset("or ou o au du al lo ao pelo".split())
"""Words before "minus" or "moins" in expressions like "plus or minus" and "au moins" (at least)."""
_SIGNED = frozenset((PERCENT, PERMILLE, POINTS, "degree", "dollar", "euro", "pound", "crown", "franc", "yen"))
"""Units in which amounts below zero are common."""
_OPENS = frozenset('([“«"')
_ENDS = frozenset(".!?")


def measures(unit: str) -> bool:
    """Return whether a unit is a unit of measure, as opposed to a thing that is counted."""
    return unit.rpartition(" ")[2] in MEASURES


def is_rounded(value: float, exact: float) -> bool:
    """Return whether a value is an exact one rounded to two digits or more: 2.1 billion for 2,143 million."""
    digits = len(f"{abs(value):.12e}".partition("e")[0].replace(".", "").rstrip("0"))
    return digits > 1 and float(f"{exact:.{digits - 1}e}") == value


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as a value.

    `unit` is a unit of measure, or the stem of the thing that is counted; it is empty if the next word is
    neither. `kind` is the stem of a word between the number and its unit of measure, as in "five business
    days" and "300 Canadian dollars". `weak` marks a number that may not count anything, as in "one of them"
    or "first of all". `negative` marks a number below zero, whose `value` is its distance from zero.
    """

    value: float
    unit: str = ""
    ordinal: bool = False
    weak: bool = False
    negative: bool = False
    kind: str = ""

    def same(self, other: Quantity) -> bool:
        """Return whether both quantities may be the same number of the same thing."""
        return self.equals(other) and self.negative == other.negative and not self.clashes(other)

    def equals(self, other: Quantity) -> bool:
        """Return whether both values are equal, whatever their units and signs.

        A part equals a percentage if it is that percentage to the nearest percent: a third is 33 percent.
        """
        if self.shares_with(other):
            return abs(self.percent - other.percent) < _HALF_A_PERCENT
        return abs(self.value - other.value) <= 1e-6 * max(abs(self.value), abs(other.value))

    def shares_with(self, other: Quantity) -> bool:
        """Return whether one is a part of a whole, such as "a quarter", and the other a percentage."""
        return {self.unit, other.unit} == {PART, PERCENT}

    @property
    def percent(self) -> float:
        """The value of a part or of a percentage, in percent."""
        return 100 * self.value if self.unit == PART else self.value

    def shortens(self, other: Quantity) -> bool:
        """Return whether this quantity may be a short form of another one, without its scale or century.

        Examples are "thirty" for 30,000 and "sixty-three" for 1963.
        """
        if self.ordinal or self.clashes(other) or not 1 <= self.value < 1e3:
            return False
        if other.is_year and not self.unit and self.value >= 10:
            return other.value % 100 == self.value
        return any(abs(self.value * scale - other.value) < 1e-6 * scale for scale in (1e3, 1e6, 1e9))

    def rounds(self, other: Quantity) -> bool:
        """Return whether this quantity is the other one, or that one rounded to two digits or more.

        Years and ordinal numbers are not rounded: 2020 is not 2019.
        """
        exact = self.ordinal or self.is_year or self.shares_with(other)
        return self.equals(other) or (not exact and is_rounded(self.value, other.value))

    @property
    def is_year(self) -> bool:
        """Whether the value may be a year of the 20th or 21st century."""
        return 1900 <= self.value < 2100 and self.value.is_integer() and not self.unit

    def clashes(self, other: Quantity) -> bool:
        """Return whether both quantities have units of measure, and these or their kinds differ."""
        measured = measures(self.unit) and measures(other.unit) and not self.shares_with(other)
        of_other_kind = bool(self.kind and other.kind) and self.kind != other.kind
        return measured and (self.unit != other.unit or of_other_kind)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a number of one or more words, or a punctuation mark that ends a part of a sentence.

    `text` is the token as written.
    """

    text: str
    term: str
    quantity: Quantity | None = None
    mark: bool = False


@lru_cache(maxsize=1 << 12)
def tokens(text: str) -> tuple[Token, ...]:
    """Return the words, quantities and punctuation marks of a text, in order."""
    return tuple(_Reader(_scan(text)).read())


def quantities(text: str) -> list[Quantity]:
    """Return the quantities in a text, in order."""
    return [token.quantity for token in tokens(text) if token.quantity is not None]


@dataclass(frozen=True, slots=True)
class _Raw:
    kind: str
    text: str
    term: str
    value: float = 0.0
    glued: bool = False


def in_digits(whole: str, part: str | None) -> float:
    """Return the value of a number from its digits before the last sign and its `part`, ".5" or ",345".

    A comma before three digits separates thousands; any other comma or point begins the decimals.
    """
    part = part or ""
    part = part[1:] if part.startswith(",") and len(part) == 4 else part.replace(",", ".")
    return float(re.sub(r"\D", "", whole) + part)


def _scan(text: str) -> list[_Raw]:
    tokens, end = [], -1
    for match in _TOKEN.finditer(text):
        kind, glued = match.lastgroup or "", match.start() == end
        if match["digits"]:
            tokens.append(
                _Raw("digits", match[0], match[0], in_digits(match["digits"], match["part"]), glued)
            )
        else:
            tokens.append(_Raw(kind, match[0], fold(match[0]), glued=glued))
        end = match.end()
    return tokens


class _Reader:
    """A parser that reads raw tokens from left to right."""

    def __init__(self, raw: Sequence[_Raw]) -> None:
        self._scan, self._at = raw, 0

    def read(self) -> list[Token]:
        tokens: list[Token] = []
        while self._at < len(self._scan):
            begin = self._at
            values = self._read_numbers()
            if values:
                self._append_numbers(tokens, begin, values)
                continue
            token = self._scan[begin]
            self._at = begin + 1
            if token.term in _CURRENCIES or token.kind == "minus":
                continue
            tokens.append(Token(token.text, token.term, mark=token.kind == "stop"))
        return _share_units(tokens)

    def _term(self, at: int) -> str:
        return self._scan[at].term if 0 <= at < len(self._scan) else ""

    def _kind(self, at: int) -> str:
        return self._scan[at].kind if 0 <= at < len(self._scan) else ""

    def _read_numbers(self) -> list[Quantity]:
        """Read the numbers that begin at the current token, and move past them."""
        at = self._at
        if self._kind(at) == "digits":
            self._at += 1
            is_glued = self._at < len(self._scan) and self._scan[self._at].glued
            if is_glued and self._term(self._at) in ("st", "nd", "rd", "th", "er", "e", "eme"):
                self._at += 1
                return [Quantity(self._scan[at].value, ordinal=True)]
            return [Quantity(self._add_fraction(self._scan[at].value))]
        term, after = self._term(at), self._term(at + 1)
        if term in _ONE and (
            after in _PARTS or after in _DOZEN or (after in _SCALES and after not in _SHORT)
        ):
            return [self._read_part()]
        if term in ("half", "demi", "moitie"):
            return [self._read_half()]
        if term in _WORDS:
            return self._read_words()
        if term in _TIMES and after in _PER:
            self._at += 1
            return [Quantity(float(_TIMES[term]), "time")]
        if term in _ORDINALS and not (term == "second" and self._kind(at - 1) == "digits"):
            self._at += 1
            return [Quantity(float(_ORDINALS[term]), ordinal=True, weak=_ORDINALS[term] < 3)]
        return []

    def _add_fraction(self, value: float) -> float:
        """Return a value plus a fraction that follows it, times its scales: "two and a half million"."""
        added = 0.0
        if self._term(self._at) in _AND:
            skip = 2 if self._term(self._at + 1) in _ONE else 1
            part = self._term(self._at + skip)
            if part in _PARTS:
                added, self._at = 1 / _PARTS[part], self._at + skip + 1
        value += added
        while (term := self._term(self._at)) in _SCALES:
            if not self._is_scale(term, value) or (self._kind(self._at - 1) == "word" and term in _SHORT):
                break
            value *= _SCALES[self._term(self._at)]
            self._at += 1
        return value

    def _is_scale(self, term: str, value: float) -> bool:
        """Return whether a word multiplies the value before it. "cents" does so only in French."""
        return value < _MOST_SCALED and (term not in _CENTS or self._term(self._at - 1) in _FRENCH)

    def _read_part(self) -> Quantity:
        """Read an expression like "a third", "a dozen" or "a million"."""
        self._at += 1
        term = self._term(self._at)
        if term in _PARTS:
            self._at += 1
            return self._made_part(1 / _PARTS[term])
        if term in _DOZEN:
            self._at += 1
            return Quantity(float(_DOZEN[term]))
        return Quantity(self._read_multiples(1.0))

    def _read_half(self) -> Quantity:
        self._at += 1
        if self._term(self._at) in _ONE and self._term(self._at + 1) in _SCALES:
            self._at += 1
            return Quantity(self._add_fraction(0.5))
        return self._made_part(0.5)

    def _made_part(self, value: float) -> Quantity:
        """Return a part of anything, or of a percent or a point: "half a percent", "a quarter of a point"."""
        begin = self._at
        while self._term(self._at) in _OF_ONE:
            self._at += 1
        if (unit := self._read_unit()) in (PERCENT, POINTS):
            return Quantity(value, unit)
        self._at = begin
        return Quantity(value, PART)

    def _read_words(self) -> list[Quantity]:
        """Read adjacent number words as the fewest numbers that they can form."""
        numbers: list[float] = []
        begin = self._at
        while self._term(self._at) in _WORDS:
            numbers.append(self._read_number_word())
            if len(numbers) > 1 and 13 <= numbers[-2] <= 21 and 10 <= numbers[-1] <= 99:
                numbers[-2:] = [100 * numbers[-2] + numbers[-1]]  # a year: nineteen eighty-four
        if len(numbers) == 1 and self._term(self._at) in _PARTS and numbers[0] < 10:
            self._at += 1
            return [self._made_part(numbers[0] / _PARTS[self._term(self._at - 1)])]
        if (ordinal := self._read_ordinal(numbers[-1])) is not None:
            return [*map(Quantity, numbers[:-1]), Quantity(ordinal, ordinal=True)]
        alone = self._at == begin + 1 and self._term(begin) in ("one", "un", "une")
        return [Quantity(value, weak=alone) for value in numbers]

    def _read_ordinal(self, tens: float) -> float | None:
        """Read the ordinal that ends a number in words: "thirty-first", "vingt et unième", "dix-septième".

        Return None if there is no such ordinal.
        """
        skip = 1 if self._term(self._at) == "et" else 0
        term = self._term(self._at + skip)
        if term == "second" and self._names_something(self._at + 1):
            return None  # "a thirty-second pause"
        last, value = tens % 100, _ORDINALS.get(term, 0)
        fits = (last >= 20 and last % 10 == 0 and 0 < value < 10) or (last == 10 and 7 <= value <= 9)
        if not fits and not (last in (60, 80) and 10 <= value < 20):
            return None
        self._at += skip + 1
        return tens + value

    def _names_something(self, at: int) -> bool:
        return self._kind(at) == "word" and self._term(at) not in STOP

    def _read_number_word(self) -> float:
        self._at += 1
        return self._read_multiples(float(_WORDS[self._term(self._at - 1)]))

    def _read_multiples(self, current: float) -> float:
        """Read a number that begins with the value `current`, with all following words that belong to it."""
        total = 0.0
        while True:
            term, after = self._term(self._at), self._term(self._at + 1)
            if term in _SCALES and term not in _SHORT and self._is_scale(term, current):
                if _SCALES[term] >= 1e3:
                    total, current = total + max(current, 1.0) * _SCALES[term], 0.0
                else:
                    current = max(current, 1.0) * _SCALES[term]
                self._at += 1
            elif (term in _AND and after in _WORDS and self._belongs_to_number(total, current)) or (
                term in _AND and after in ("un", "une", "onze") and current % 100 in (20, 30, 40, 50, 60)
            ):
                current, self._at = current + _WORDS[after], self._at + 2
            elif term in _WORDS and (more := _combine(current, _WORDS[term], term)) is not None:
                current, self._at = more, self._at + 1
            elif term in _WORDS and total and not current:
                current, self._at = float(_WORDS[term]), self._at + 1
            else:
                break
        value = total + current
        if self._term(self._at) in _POINT and self._term(self._at + 1) in _WORDS:
            value += self._read_decimals()
        return self._add_fraction(value)

    def _belongs_to_number(self, total: float, current: float) -> bool:
        """Return whether the word after "and" continues the number.

        It does not in "seven hundred and seven hundred".
        """
        another = current >= 100 and self._term(self._at + 2) in ("hundred", "cent", "cents")
        return current % 100 == 0 and bool(total or current) and not another

    def _read_decimals(self) -> float:
        self._at += 1
        digits = ""
        while self._term(self._at) in _WORDS and _WORDS[self._term(self._at)] < 10:
            digits += str(_WORDS[self._term(self._at)])
            self._at += 1
        if not digits:  # "deux virgule vingt-cinq"
            digits = str(int(self._read_number_word()))
        return float(f"0.{digits}")

    # ---- signs

    def _append_numbers(self, read: list[Token], begin: int, values: list[Quantity]) -> None:
        """Append numbers to the tokens that were read, the first one with its sign.

        After another number, "minus" and a dash are no sign: "ten minus five", "5% -7%". Nor are brackets:
        "seven (7) percent".
        """
        is_bracketed = self._pass_bracket(begin, values)
        first, *others = self._attach_unit(begin, values)
        start = begin - 1 if is_bracketed else self._sign_before(begin, first)
        end = len(read) - sum(self._kind(at) in ("word", "stop") for at in range(start, begin))
        follows_number = end > 0 and read[end - 1].quantity is not None
        if start < begin and first.quantity and not follows_number:
            del read[end:]
            text = " ".join([*(raw.text for raw in self._scan[start:begin]), first.text])
            below = replace(first.quantity, negative=first.quantity.value > 0, weak=False)
            first = Token(text, text.lower(), below)
        read += first, *others

    def _pass_bracket(self, begin: int, values: list[Quantity]) -> bool:
        """Move past the end of accounting brackets and the scale after it: "$(7) million", "(7) percent".

        Brackets around a unit as well are none: "a small part (7 percent)".
        """
        end = self._at
        in_brackets = self._term(begin - 1) == "(" and self._term(end) == ")"
        if not in_brackets or self._kind(begin) != "digits" or values[0].ordinal:
            return False
        self._at += 1
        value = self._add_fraction(values[0].value)
        scaled = self._at
        self._read_kind()
        if not self._currency_before(begin) and self._read_unit() not in _SIGNED:
            self._at = end
            return False
        values[0], self._at = Quantity(value), scaled
        return True

    def _sign_before(self, begin: int, number: Token) -> int:
        """Return where the minus of a number begins, or `begin` if it has none."""
        at = begin - 2 if self._term(begin - 1) in _CURRENCIES else begin - 1
        term, before = self._term(at), self._term(at - 1)
        if term not in _MINUS or not number.quantity or number.quantity.ordinal:
            return begin
        if self._kind(at) == "word":
            is_sign = before not in _NO_MINUS_AFTER
        else:
            apart = not self._scan[at].glued or before in _OPENS | _CURRENCIES
            is_sign = apart and all(raw.glued for raw in self._scan[at + 1 : begin + 1])
        if is_sign and term not in _SURE_MINUS and number.quantity.unit not in _SIGNED:
            # "a score of -5" and "of negative five", but not "covid -19", nor a dash that opens a turn
            within = before in STOP or (self._kind(at - 1) == "stop" and before not in _ENDS)
            counts = number.quantity.weak or (number.quantity.unit and term not in _HYPHENS)
            is_sign = within and not counts and not number.quantity.is_year
        return at if is_sign else begin

    def _currency_before(self, begin: int) -> str:
        """Return the currency whose sign stands before a number, or before its minus or bracket: "$-7"."""
        at = begin - 1
        between = self._term(at) == "(" or (self._term(at) in _MINUS and self._kind(at) != "word")
        if between and self._scan[at].glued and self._scan[begin].glued and self._kind(at - 2) != "digits":
            at -= 1
        return _UNITS[self._term(at)] if self._term(at) in _CURRENCIES else ""

    # ---- units

    def _attach_unit(self, begin: int, values: list[Quantity]) -> list[Token]:
        currency = self._currency_before(begin)
        kind = "" if currency else self._read_kind()
        unit = currency or self._read_unit()
        text = " ".join(raw.text for raw in self._scan[begin : self._at])
        made = [value if value.unit else replace(value, unit=unit, kind=kind) for value in values]
        if unit in _IN_HUNDREDTHS and len(made) == 1:
            made = [self._add_hundredths(made[0])]
        made = [replace(value, weak=value.weak and value.unit not in MEASURES) for value in made]
        return [Token(text, text.lower(), value) for value in made]

    def _add_hundredths(self, whole: Quantity) -> Quantity:
        """Add the hundredths that follow an amount without a unit of their own: "two pounds twenty"."""
        term = self._term(self._at)
        if term not in _WORDS or not 10 <= _WORDS[term] < 100 or not whole.value.is_integer():
            return whole
        at, more = self._at, self._read_number_word()
        if more >= 100 or _measure(self._term(self._at)) in MEASURES:
            self._at = at
            return whole
        return replace(whole, value=whole.value + more / 100)

    def _read_kind(self) -> str:
        """Return the stem of a word between a number and a unit of measure, and move past it."""
        term, after = self._term(self._at), self._term(self._at + 1)
        words = self._kind(self._at) == self._kind(self._at + 1) == "word"
        is_read = term in STOP or term in _BEFORE_UNITS or _measure(term) in MEASURES
        if not words or is_read or _measure(after) not in MEASURES:
            return ""
        self._at += 1  # "nautical miles"
        return stem(singular(term))

    def _read_unit(self) -> str:
        """Return the unit after a number.

        A unit of measure is consumed. A counted thing is returned as a stem, but its token stays unread.
        """
        term, after = self._term(self._at), self._term(self._at + 1)
        if term in _PER_WORDS and after in _PER_WHOLE:
            self._at += 2
            return _PER_WHOLE[after]
        if term in _OF_POINTS and singular(after) == POINTS:
            self._at += 2
            return POINTS
        if term in _POWERS and (of := _measure(after)) in MEASURES:
            self._at += 2
            return f"{term} {of}"
        unit = _measure(term)
        if unit in MEASURES and (self._kind(self._at) == "sign" or len(term) > 1):
            self._at += 1
            return unit
        return stem(singular(term)) if self._names_something(self._at) else ""


def measure_of(term: str) -> str:
    """Return the unit of measure that a word names, or an empty string if it names none."""
    unit = _measure(term)
    return unit if unit in MEASURES else ""


def _measure(term: str) -> str:
    return _UNITS.get(term) or _UNITS.get(singular(term)) or singular(term)


def _combine(current: float, value: int, term: str) -> float | None:
    """Return a number extended by the next number word, or None if that word begins another number."""
    last = current % 100
    if value == 20 and last == 4 and term.startswith("vingt"):
        return current + 76
    if last in (60, 80) and 10 <= value <= 19:  # soixante-dix, quatre-vingt-dix
        return current + value
    if last in (70, 90) and 7 <= value <= 9 and current >= 70:
        return current + value
    if last == 0 and current:
        return current + value
    if last >= 20 and last % 10 == 0 and 0 < value < 10:
        return current + value
    return current + value if last == 10 and value in (7, 8, 9) and term in ("sept", "huit", "neuf") else None


_RANGE = frozenset(("to", "and", "or", "a", "et", "ou", "-", "–"))
_SCALED = re.compile(rf"(?:\b|\d)(?:{'|'.join(_SCALES)})\b")


def _share_units(words: list[Token]) -> list[Token]:
    """Copy the unit and the scale of the second number of a range to the first.

    In "six to seventy-nine percent" both are percentages, and in "three to five million" both are millions.
    """
    for at in range(len(words) - 3, -1, -1):
        one, between, other = words[at : at + 3]
        if one.quantity and other.quantity and between.term in _RANGE and not one.quantity.unit:
            shared = other.quantity.unit if other.quantity.unit in MEASURES else ""
            value, most = one.quantity.value, other.quantity.value
            scales = (1e9, 1e6, 1e3) if _SCALED.search(other.term) else ()
            value = next((value * scale for scale in scales if value * scale <= most), value)
            words[at] = replace(one, quantity=replace(one.quantity, value=value, unit=shared, weak=False))
    return words
