"""What a plan has to say to the user, in English and in French."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date


class Notes:
    """Remarks in English; the base of those in other languages."""

    def several(self, said: str, names: Sequence[str]) -> str:
        return f'"{said}" could be {self._or(names)}: say which one to narrow the search.'

    def who(self, said: str, names: Sequence[str]) -> str:
        return f'"{said}" is {self._or(names)}, by what is known of the recordings.'

    def near(self, said: str, name: str) -> str:
        return f'"{said}" was read as {name}.'

    def misspelt(self, said: str, word: str) -> str:
        return f'"{said}" is never said: "{word}" was looked for in its place.'

    def meant(self, said: str, words: Sequence[str]) -> str:
        return f'By "{said}", did you mean {self._or(words)}?'

    def stranger(self, name: str) -> str:
        return f'Nobody called "{name}" speaks in these recordings.'

    def as_a_whole(self, acts: Sequence[str]) -> str:
        return f'What counts as "{" ".join(acts)}" is yours to judge: this is what they say as a whole.'

    def counted(self, words: str, passages: int, recordings: int) -> str:
        places = (
            f"{passages} passage{'s' * (passages != 1)} of {recordings} recording{'s' * (recordings != 1)}"
        )
        return f'"{words}" is said in {places}.' if passages else f'"{words}" is never said here.'

    def placed(self, words: str, which: str, speaker: str | None, place: str) -> str:
        return f'"{words}" is {which} said {f"by {speaker} " if speaker else ""}in {place}.'

    def said_by(self, name: str, passages: int) -> str:
        who = name or "nobody known"
        return f"{who}: {passages} passage{'s' * (passages != 1)}"

    def uncounted(self, passages: int) -> str:
        return f"By whom was not counted in {passages} passages: name a recording or somebody."

    def undated(self, words: str, recordings: int) -> str:
        return f'"{words}" is said in {recordings} recordings, not all of which have a date to order them by.'

    def others(self, recordings: int) -> str:
        return f"{recordings} recordings have words for it: name one, or a time, for those not quoted here."

    def untold(self, said: str) -> str:
        return f'Who "{said}" means is not told by the recordings.'

    def unheard(self, said: str) -> str:
        return f'There is no "{said}" in the archive, so it was not used as a filter.'

    def sectionless(self, said: str) -> str:
        return f'No recording here has a section for "{said}": everything was searched.'

    def unlinked(self, address: str) -> str:
        return f"No recording here has the link {address}: it was not opened, and narrows nothing."

    def event(self, said: str, day: date) -> str:
        return f'"{said}" was taken as the one of {day.isoformat()}.'

    def day(self, said: str, taken: date, other: date) -> str:
        return f'"{said}" was read as {taken.isoformat()}; if {other.isoformat()} is meant, write that.'

    def episodes(self, said: str, count: int) -> str:
        return f'{count} recordings are "{said}": all of them were searched.'

    def loosened(self, said: Sequence[str], alone: bool) -> str:
        as_well = "" if alone else " as well"
        return f"Nothing fits {self._and(said)}{as_well}, so that was left out."

    def pronoun(self, said: str) -> str:
        return f'Whom "{said}" means is not clear from the questions before: everybody was searched.'

    def _and(self, said: Sequence[str]) -> str:
        return " + ".join(f'"{words}"' for words in dict.fromkeys(said))

    def _or(self, names: Sequence[str]) -> str:
        return " / ".join(names[:5]) + (" / ..." if len(names) > 5 else "")


class French(Notes):
    """The same in French."""

    def several(self, said: str, names: Sequence[str]) -> str:
        return f"« {said} » peut être {self._or(names)} : précisez pour restreindre la recherche."

    def who(self, said: str, names: Sequence[str]) -> str:
        return f"« {said} » : {self._or(names)}, d'après ce qu'on sait des enregistrements."

    def near(self, said: str, name: str) -> str:
        return f"« {said} » a été lu comme {name}."

    def misspelt(self, said: str, word: str) -> str:
        return f"« {said} » n'est jamais dit : « {word} » a été cherché à sa place."

    def meant(self, said: str, words: Sequence[str]) -> str:
        return f"Par « {said} », vouliez-vous dire {self._or(words)} ?"

    def stranger(self, name: str) -> str:
        return f"Personne du nom de « {name} » ne parle dans ces enregistrements."

    def as_a_whole(self, acts: Sequence[str]) -> str:
        return f"À vous de juger ce qui relève de « {' '.join(acts)} » : voici l'ensemble de leurs propos."

    def counted(self, words: str, passages: int, recordings: int) -> str:
        places = (
            f"{passages} passage{'s' * (passages > 1)} de {recordings} enregistrement{'s' * (recordings > 1)}"
        )
        return f"« {words} » est dit dans {places}." if passages else f"« {words} » n'est jamais dit ici."

    def placed(self, words: str, which: str, speaker: str | None, place: str) -> str:
        time = "dernière" if which == "last" else "première"
        return f"« {words} » est dit pour la {time} fois{f' par {speaker}' if speaker else ''} dans {place}."

    def said_by(self, name: str, passages: int) -> str:
        return f"{name or 'on ne sait pas qui'} : {passages} passage{'s' * (passages > 1)}"

    def uncounted(self, passages: int) -> str:
        return f"On n'a pas compté par qui dans {passages} passages : nommez un enregistrement ou quelqu'un."

    def undated(self, words: str, recordings: int) -> str:
        return f"« {words} » est dit dans {recordings} enregistrements, qui n'ont pas tous une date."

    def others(self, recordings: int) -> str:
        return f"{recordings} enregistrements en parlent : nommez-en un, ou une période, pour le reste."

    def untold(self, said: str) -> str:
        return f"Les enregistrements ne disent pas qui est visé par « {said} »."

    def unheard(self, said: str) -> str:
        return f"L'archive ne connaît pas « {said} » : ce n'est pas devenu un filtre."

    def sectionless(self, said: str) -> str:
        return f"Aucun enregistrement n'a de section « {said} » : tout a été parcouru."

    def unlinked(self, address: str) -> str:
        return f"Aucun enregistrement n'a le lien {address} : il n'a pas été ouvert et ne restreint rien."

    def event(self, said: str, day: date) -> str:
        return f"« {said} » a été compris comme celle du {day.isoformat()}."

    def day(self, said: str, taken: date, other: date) -> str:
        return f"« {said} » a été lu comme {taken.isoformat()} ; pour l'autre, écrivez {other.isoformat()}."

    def episodes(self, said: str, count: int) -> str:
        return f"{count} enregistrements sont « {said} » : tous ont été parcourus."

    def loosened(self, said: Sequence[str], alone: bool) -> str:
        as_well = "" if alone else " en plus"
        return f"Rien ne répond{as_well} à {self._and(said)} : cela a été laissé de côté."

    def pronoun(self, said: str) -> str:
        return f"Qui est « {said} » ne ressort pas des questions précédentes : tous ont été parcourus."

    def _and(self, said: Sequence[str]) -> str:
        return " + ".join(f"« {words} »" for words in dict.fromkeys(said))


def notes_in(language: str | None) -> Notes:
    """The remarks in a language; English where there are none in it."""
    return French() if language == "fr" else Notes()
