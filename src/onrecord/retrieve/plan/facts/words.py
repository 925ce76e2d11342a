"""How facts are told, in English and in French. What is counted comes first; `of` is out of how many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def told_in(language: str | None) -> Told:
    """The words of a language; English where there are none in it."""
    return French() if language == "fr" else Told()


def _percent(part: int, of: int) -> str:
    return f"{100 * part / of:.0f} %" if of else "0 %"


class Told:
    """Facts in English; the base of those in other languages."""

    ends: Mapping[str, str] = {
        "last": "latest",
        "first": "oldest",
        "longest": "longest",
        "shortest": "shortest",
    }

    # ---- recordings

    def recordings(self, count: int) -> str:
        return "1 recording" if count == 1 else f"{count} recordings"

    def all_of_them(self, count: int) -> str:
        return f"the {count} recordings"

    def there_are(self, count: int) -> str:
        return f"There {'is' if count == 1 else 'are'} {self.recordings(count)}."

    def fitting(self, count: int, of: int, said: Sequence[str]) -> str:
        verb = "fit" if count > 1 else "fits"
        which = f"All {of}" if count == of > 1 else f"{count or 'None'} of the {of}"
        return f"{which} recordings {verb} {' + '.join(map(self.quoted, said))}."

    def called(self, count: int, noun: str) -> str:
        which = f"{count} of them {'has' if count == 1 else 'have'}" if count else "None of them has"
        return f"{which} {self.quoted(noun)} in title or attributes."

    def all_undated(self, count: int, said: Sequence[str]) -> str:
        fit = " + ".join(map(self.quoted, said))
        who = "the one there is has no date" if count == 1 else f"none of the {count} has a date"
        return f"How many recordings fit {fit} is not known: {who}."

    def line(self, title: str, date: str, length: str) -> str:
        return ", ".join(filter(None, (title, date or "without a date", length)))

    def words(self, count: int) -> str:
        return f"{count:,} words" if count != 1 else "1 word"

    def more(self, count: int) -> str:
        return f"and {count} more"

    def several(self, count: int) -> str:
        return f"{count} recordings could be meant."

    def outermost(self, which: str, line: str) -> str:
        return f"The {which} recording is {line}."

    def ties(self, which: str, count: int) -> str:
        return f"{count} recordings are the {which}:"

    def no_end(self, which: str, count: int, by_date: bool) -> str:
        lacks = "has no date" if by_date else "has no times"
        if count > 1:
            lacks = f"have no {'dates' if by_date else 'times'}"
        return f"Which recording is the {which} is not known: {self.recordings(count)} {lacks}."

    def titled(self, title: str) -> str:
        return f"Its title is {title}."

    def dated(self, title: str, date: str) -> str:
        return f"{title} is dated {date}."

    def not_dated(self, title: str) -> str:
        return f"The date of {title} is not known."

    def undated(self, count: int) -> str:
        return f"Of {self.recordings(count)} the date is not known."

    def lasts(self, title: str, length: str) -> str:
        return f"{title} lasts {length}, up to its last word."

    def not_measured(self, title: str, words: str) -> str:
        return f"How long {title} lasts is not known, as its transcript has no times. It has {words}."

    def unmeasured(self, count: int) -> str:
        return f"Of {self.recordings(count)} the length is not known."

    def lengths(self, count: int, total: str, mean: str) -> str:
        if count == 1:
            return f"1 recording lasts {total}."
        return f"{count} recordings last {total} in all, {mean} on average."

    # ---- people

    def people(self, count: int) -> str:
        return "1 person speaks" if count == 1 else f"{count} people speak"

    def speak_in(self, names: Sequence[str], title: str) -> str:
        return f"{self.listed(names)} {'speaks' if len(names) == 1 else 'speak'} in {title}."

    def voices_in(self, count: int, title: str) -> str:
        return f"{self.people(count)} in {title}:"

    def not_voiced(self, title: str, credited: Sequence[str]) -> str:
        told = f" Credited: {self.listed(credited)}." if credited else ""
        return f"Who speaks in {title} is not known, as its transcript names nobody.{told}"

    def voices(self, count: int, recordings: int) -> str:
        return f"{self.people(count)} in {self.recordings(recordings)}."

    def nobody_known(self, count: int) -> str:
        return f"Who speaks is not known of {self.recordings(count)}."

    def unnamed(self, count: int) -> str:
        return f"In {self.recordings(count)} somebody speaks whose name is not known."

    def unvoiced(self, count: int) -> str:
        return f"Of {self.recordings(count)} it is not known who speaks."

    def speaks_in(self, name: str, count: int, of: int) -> str:
        where = "the 1 recording" if of == 1 else f"the {of} recordings"
        return f"{name} speaks in {count or 'none'} of {where}."

    def present(self, name: str, title: str, there: bool) -> str:
        return f"Yes, {name} speaks in {title}." if there else f"No, {name} does not speak in {title}."

    def most(self, name: str, words: int, of: int, place: str, least: bool) -> str:
        end = "least" if least else "most"
        return f"{name} speaks {end} in {place}: {words:,} of {of:,} words ({_percent(words, of)})."

    def equal(self, names: Sequence[str], words: int, of: int, place: str) -> str:
        return f"{self.listed(names)} speak equally much in {place}: {words:,} of {of:,} words each."

    def share(self, name: str, words: int, of: int) -> str:
        return f"{name}, {self.words(words)} ({_percent(words, of)})"

    def nobody_said(self, words: int) -> str:
        return f"Of {self.words(words)} it is not known who says them."

    def says(self, name: str, words: int, of: int, place: str, length: str) -> str:
        told = f", for about {length}" if length else ""
        return f"{name} says {words:,} of the {of:,} words in {place} ({_percent(words, of)}){told}."

    def too_many(self, count: int) -> str:
        return f"How much is said by whom was not counted over {count} recordings: ask it of one of them."

    def role(self, noun: str, name: str, place: str) -> str:
        return f"The {noun} is {name}, by what is known of {place}."

    def roles(self, noun: str, count: int) -> str:
        return f"{count} people are known as {self.quoted(noun)} of a recording."

    def no_role(self, noun: str, count: int) -> str:
        return f"What is known of {self.recordings(count)} does not tell who is {self.quoted(noun)}."

    def no_role_in(self, noun: str, count: int) -> str:
        return f"Of {self.recordings(count)} no {self.quoted(noun)} is known."

    # ---- attributes

    def counted(self, value: str, count: int) -> str:
        return f"{value} ({self.recordings(count)})"

    def values(self, noun: str, count: int) -> str:
        return f"There {'is 1 value' if count == 1 else f'are {count} values'} of {self.quoted(noun)}."

    def value(self, noun: str, title: str, value: str) -> str:
        return f"{self.quoted(noun)} of {title} is {value}."

    def no_value(self, noun: str, title: str) -> str:
        return f"{self.quoted(noun)} of {title} is not known."

    def no_value_in(self, noun: str, count: int) -> str:
        return f"Of {self.recordings(count)} {self.quoted(noun)} is not known."

    # ---- parts of lines

    def quoted(self, words: str) -> str:
        return f'"{words}"'

    def listed(self, names: Sequence[str]) -> str:
        return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _grouped(count: int) -> str:
    """1 234, as French writes it."""
    return f"{count:,}".replace(",", " ")


class French(Told):
    """The same in French."""

    ends: Mapping[str, str] = {
        "last": "le plus récent",
        "first": "le plus ancien",
        "longest": "le plus long",
        "shortest": "le plus court",
    }

    def recordings(self, count: int) -> str:
        return f"{count} enregistrement{'s' * (count > 1)}"

    def all_of_them(self, count: int) -> str:
        return f"les {count} enregistrements"

    def there_are(self, count: int) -> str:
        return f"Il y a {self.recordings(count)}."

    def fitting(self, count: int, of: int, said: Sequence[str]) -> str:
        conditions = " + ".join(map(self.quoted, said))
        if not count:
            return f"Aucun des {of} enregistrements ne répond à {conditions}."
        if count == of > 1:
            return f"Tous les {of} enregistrements répondent à {conditions}."
        return f"{count} des {of} enregistrements répond{'ent' * (count > 1)} à {conditions}."

    def called(self, count: int, noun: str) -> str:
        which = f"{count} d'entre eux {'a' if count == 1 else 'ont'}" if count else "Aucun n'a"
        return f"{which} {self.quoted(noun)} dans le titre ou les attributs."

    def all_undated(self, count: int, said: Sequence[str]) -> str:
        fit = " + ".join(map(self.quoted, said))
        who = "le seul qu'il y a n'a pas" if count == 1 else f"aucun des {count} enregistrements n'a"
        return f"On ne sait pas combien répondent à {fit} : {who} de date."

    def line(self, title: str, date: str, length: str) -> str:
        return ", ".join(filter(None, (title, date or "sans date", length)))

    def words(self, count: int) -> str:
        return f"{_grouped(count)} mot{'s' * (count > 1)}"

    def more(self, count: int) -> str:
        return f"et {count} autre{'s' * (count > 1)}"

    def several(self, count: int) -> str:
        return f"{count} enregistrements peuvent être ceux-là."

    def outermost(self, which: str, line: str) -> str:
        return f"L'enregistrement {which} est {line}."

    def ties(self, which: str, count: int) -> str:
        return f"{count} enregistrements sont {which}s ensemble.".replace("le plus", "les plus")

    def no_end(self, which: str, count: int, by_date: bool) -> str:
        lacks = "n'a pas de" if count == 1 else "n'ont pas de"
        what = "date" if by_date else "durée connue"
        return f"On ne sait pas quel enregistrement est {which} : {self.recordings(count)} {lacks} {what}."

    def titled(self, title: str) -> str:
        return f"Le titre est {title}."

    def dated(self, title: str, date: str) -> str:
        return f"{title} est daté du {date}."

    def not_dated(self, title: str) -> str:
        return f"La date de {title} n'est pas connue."

    def undated(self, count: int) -> str:
        return f"La date de {self.recordings(count)} n'est pas connue."

    def lasts(self, title: str, length: str) -> str:
        return f"{title} dure {length}, jusqu'au dernier mot."

    def not_measured(self, title: str, words: str) -> str:
        return f"La durée de {title} n'est pas connue : sa transcription n'a pas de temps. Elle a {words}."

    def unmeasured(self, count: int) -> str:
        return f"La durée de {self.recordings(count)} n'est pas connue."

    def lengths(self, count: int, total: str, mean: str) -> str:
        if count == 1:
            return f"1 enregistrement dure {total}."
        return f"{count} enregistrements durent {total} en tout, {mean} en moyenne."

    def people(self, count: int) -> str:
        return "1 personne parle" if count == 1 else f"{count} personnes parlent"

    def speak_in(self, names: Sequence[str], title: str) -> str:
        return f"{self.listed(names)} parle{'nt' * (len(names) > 1)} dans {title}."

    def voices_in(self, count: int, title: str) -> str:
        return f"{self.people(count)} dans {title}."

    def not_voiced(self, title: str, credited: Sequence[str]) -> str:
        told = f" Sont crédités : {self.listed(credited)}." if credited else ""
        return f"On ne sait pas qui parle dans {title} : sa transcription ne nomme personne.{told}"

    def voices(self, count: int, recordings: int) -> str:
        return f"{self.people(count)} dans {self.recordings(recordings)}."

    def nobody_known(self, count: int) -> str:
        return f"On ne sait pas qui parle dans {self.recordings(count)}."

    def unnamed(self, count: int) -> str:
        return f"Dans {self.recordings(count)} parle quelqu'un dont le nom n'est pas connu."

    def unvoiced(self, count: int) -> str:
        return f"On ne sait pas qui parle dans {self.recordings(count)}."

    def speaks_in(self, name: str, count: int, of: int) -> str:
        if not count:
            return f"{name} ne parle dans aucun des {of} enregistrements."
        return f"{name} parle dans {count} des {of} enregistrements."

    def present(self, name: str, title: str, there: bool) -> str:
        return f"Oui, {name} parle dans {title}." if there else f"Non, {name} ne parle pas dans {title}."

    def most(self, name: str, words: int, of: int, place: str, least: bool) -> str:
        end = "le moins" if least else "le plus"
        return f"{name} parle {end} dans {place} : {self._of(words, of)} ({_percent(words, of)})."

    def equal(self, names: Sequence[str], words: int, of: int, place: str) -> str:
        return f"{self.listed(names)} parlent autant dans {place} : {self._of(words, of)} chacun."

    def nobody_said(self, words: int) -> str:
        return f"On ne sait pas qui dit {self.words(words)}."

    def says(self, name: str, words: int, of: int, place: str, length: str) -> str:
        told = f", pendant environ {length}" if length else ""
        return f"{name} dit {self._of(words, of)} dans {place} ({_percent(words, of)}){told}."

    def too_many(self, count: int) -> str:
        return f"Les mots de chacun n'ont pas été comptés dans {count} enregistrements : nommez-en un."

    def role(self, noun: str, name: str, place: str) -> str:
        return f"{self.quoted(noun)} : {name}, d'après ce qu'on sait de {place}."

    def roles(self, noun: str, count: int) -> str:
        return f"{self.quoted(noun)} : {count} personnes, d'après ce qu'on sait des enregistrements."

    def no_role(self, noun: str, count: int) -> str:
        return f"{self.quoted(noun)} : ce qu'on sait de {self.recordings(count)} ne dit pas qui."

    def no_role_in(self, noun: str, count: int) -> str:
        return f"{self.quoted(noun)} n'est pas connu dans {self.recordings(count)}."

    def values(self, noun: str, count: int) -> str:
        return f"{self.quoted(noun)} a {count} valeur{'s' * (count > 1)}."

    def value(self, noun: str, title: str, value: str) -> str:
        return f"{self.quoted(noun)} de {title} : {value}."

    def no_value(self, noun: str, title: str) -> str:
        return f"{self.quoted(noun)} de {title} n'est pas connu."

    def no_value_in(self, noun: str, count: int) -> str:
        return f"{self.quoted(noun)} n'est pas connu de {self.recordings(count)}."

    def quoted(self, words: str) -> str:
        return f"« {words} »"

    def listed(self, names: Sequence[str]) -> str:
        return " et ".join(filter(None, (", ".join(names[:-1]), names[-1])))

    def _of(self, words: int, of: int) -> str:
        return f"{_grouped(words)} des {self.words(of)}"
