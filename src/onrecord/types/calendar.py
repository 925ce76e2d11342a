"""The names of months and days of the week, in English and French, in lower case and without accents."""

MONTHS = (
    ("january", "janvier", "jan", "janv"),
    ("february", "fevrier", "feb", "fevr"),
    ("march", "mars", "mar"),
    ("april", "avril", "apr", "avr"),
    ("may", "mai"),
    ("june", "juin", "jun"),
    ("july", "juillet", "jul", "juil"),
    ("august", "aout", "aug"),
    ("september", "septembre", "sep", "sept"),
    ("october", "octobre", "oct"),
    ("november", "novembre", "nov"),
    ("december", "decembre", "dec"),
)
"""The names of each month: the English one, the French one, and their abbreviations."""
WEEKDAYS = (
    ("monday", "lundi"),
    ("tuesday", "mardi"),
    ("wednesday", "mercredi"),
    ("thursday", "jeudi"),
    ("friday", "vendredi"),
    ("saturday", "samedi"),
    ("sunday", "dimanche"),
)
"""The names of each day of the week: the English one and the French one."""
ENGLISH_NAMES = frozenset(names[0] for names in (*MONTHS, *WEEKDAYS))
FULL_NAMES = ENGLISH_NAMES | frozenset(names[1] for names in (*MONTHS, *WEEKDAYS))
