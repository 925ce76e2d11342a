"""Words of the calendar, English and French, without accents."""

from __future__ import annotations

from collections.abc import Iterable

_MONTHS = (
    "january jan janvier janv",
    "february feb fevrier fevr",
    "march mars",
    "april apr avril avr",
    "may mai",
    "june jun juin",
    "july jul juillet juil",
    "august aug aout",
    "september sept sep septembre",
    "october oct octobre",
    "november nov novembre",
    "december dec decembre",
)
MONTHS = {word: at for at, words in enumerate(_MONTHS, 1) for word in words.split()}
_DAYS = ("monday lundi", "tuesday mardi", "wednesday mercredi", "thursday jeudi", "friday vendredi")
WEEKDAYS = {
    word: at
    for at, words in enumerate((*_DAYS, "saturday samedi", "sunday dimanche"))
    for word in words.split()
}
SEASONS = {
    **dict.fromkeys(("spring", "printemps"), 3),
    **dict.fromkeys(("summer", "ete"), 6),
    **dict.fromkeys(("autumn", "fall", "automne"), 9),
    **dict.fromkeys(("winter", "hiver"), 12),
}
"""The month in which each meteorological season begins."""
UNITS = {
    **dict.fromkeys(("day", "days", "jour", "jours"), "day"),
    **dict.fromkeys(("week", "weeks", "semaine", "semaines"), "week"),
    **dict.fromkeys(("month", "months", "mois"), "month"),
    **dict.fromkeys(("quarter", "quarters", "trimestre", "trimestres"), "quarter"),
    **dict.fromkeys(("year", "years", "an", "ans", "annee", "annees"), "year"),
}
FEASTS = {
    **dict.fromkeys(("christmas", "christmas day", "noel"), (12, 25)),
    **dict.fromkeys(("christmas eve", "la veille de noel"), (12, 24)),
    **dict.fromkeys(("new year", "new year's day", "le nouvel an", "nouvel an"), (1, 1)),
    **dict.fromkeys(("new year's eve", "la saint-sylvestre"), (12, 31)),
    "halloween": (10, 31),
}
"""Month and day of those that are the same each year."""
_COUNTED = (
    "a an one un une",
    "two deux couple",
    "three trois few quelques",
    "four quatre",
    "five cinq",
    "six",
    "seven sept",
    "eight huit",
    "nine neuf",
    "ten dix",
    "eleven onze",
    "twelve douze",
)
NUMBERS = {word: at for at, words in enumerate(_COUNTED, 1) for word in words.split()}
ORDINALS = {
    word: at
    for at, words in enumerate(
        (
            "first 1st premier premiere 1er 1ere 1",
            "second 2nd deuxieme 2e 2eme 2",
            "third 3rd troisieme 3e 3eme 3",
            "fourth 4th quatrieme 4e 4eme 4",
        ),
        1,
    )
    for word in words.split()
}


def number(word: str) -> int:
    """The whole number that digits or a word stand for."""
    return int(word) if word.isdecimal() else NUMBERS[word]


def either(words: Iterable[str]) -> str:
    """A pattern for any of these words, the longest first."""
    return "(?:" + "|".join(sorted(words, key=len, reverse=True)) + ")"
