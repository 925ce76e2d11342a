"""The fixed phrases of an answer, in English and in French. Other languages get the English ones.

`titles` are those of the recordings quoted, most relevant first; `n` counts recordings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def phrases(language: str | None) -> English:
    """The phrases for an ISO 639 code, whatever its region."""
    return French() if (language or "").lower().split("-")[0] == "fr" else English()


class English:
    counts = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    empty_archive = "There is no recording here yet, so there was nothing to search."
    empty_scope = "No recording fits what was asked for, so there was nothing to search."
    told_again = "The same again"
    nothing_on_side = "nothing that was found clearly speaks to this."
    nearest = "The nearest that was said:"
    nothing_cut = "Passages were scored, and none was taken: does the strategy end with Moments or Passages?"
    no_answer = "The language model sees no answer in what was found. The nearest that was said:"
    none_stands = "none of its sentences is supported by what was said"
    shortened = "The answer ends where it became too long (setting llm.tokens)."
    acts: Mapping[str, tuple[str, str]] = {
        "decision": ("Decisions", "is decided"),
        "task": ("Tasks", "is given or taken on as a task"),
        "promise": ("Promises and plans", "is promised"),
        "question": ("Questions", "is asked"),
        "open": ("What was left open", "is left open"),
        "risk": ("Risks and problems", "is called a risk or a problem"),
        "disagreement": ("Disagreement", "is disagreed with"),
        "agreement": ("Agreement and disagreement", "is agreed or disagreed with"),
        "recommendation": ("Recommendations", "is recommended"),
        "complaint": ("Complaints", "is complained about"),
    }
    """What is done in speaking: what stands above quotes of it, and how it is told that there are none."""
    languages: Mapping[str, str] = {
        "ar": "Arabic",
        "de": "German",
        "en": "English",
        "es": "Spanish",
        "fr": "French",
        "it": "Italian",
        "nl": "Dutch",
        "pt": "Portuguese",
    }
    """What languages are called; others are told by their codes."""
    words_alone = "Found by words alone: the same thing said in other words may have been missed."
    replies: Mapping[str, str] = {
        "greeting": "Hello.",
        "thanks": "You are welcome.",
        "parting": "Goodbye.",
        "trial": "This works.",
        "help": "Answers here are what was said, word for word, with who said it and when.",
    }

    def from_faq(self, question: str) -> str:
        return f"The FAQ answers this: {question}"

    def sure(self, titles: Sequence[str]) -> str:
        if len(titles) == 1:
            return f"{titles[0]} speaks to this."
        return f"{self._count(len(titles)).capitalize()} recordings speak to this, {titles[0]} most directly."

    def likely(self, titles: Sequence[str]) -> str:
        if len(titles) == 1:
            return f"{titles[0]} seems to speak to this."
        return f"{self._count(len(titles)).capitalize()} recordings seem to speak to this, {titles[0]} first."

    def outlined(self, titles: Sequence[str]) -> str:
        if len(titles) == 1:
            return f"{titles[0]}, in the order in which it was said:"
        return f"{self._count(len(titles)).capitalize()} recordings, each in the order in which it was said:"

    def acted(self, act: str, titles: Sequence[str]) -> str:
        where = titles[0] if len(titles) == 1 else f"{self._count(len(titles))} recordings, {titles[0]} first"
        return f"{self.acts[act][0]} in {where}, by the words in which they were spoken:"

    def not_acted(self, act: str, n: int) -> str:
        return (
            f"Nothing {self.acts[act][1]} in so many words in {self._searched(n)}. What is said as a whole:"
        )

    def none_of(self, who: str, n: int) -> str:
        told = f"Of {self.quoted(who)}, nobody is known to do so in {self._searched(n)}."
        return f"{told} What is said as a whole:"

    def not_done(self, act: str) -> str:
        return f"Nothing of this {self.acts[act][1]} in so many words: these are the nearest."

    def low_relevance(self, n: int) -> str:
        return f"Nothing in {self._searched(n)} clearly answers this. The nearest that was said:"

    def low_diversity(self, times: int, n: int) -> str:
        where = "in one recording" if n == 1 else f"in {self._count(n)} recordings"
        return f"The same is said {times} times {where}, in nearly the same words. Here it is once."

    def nothing_found(self, n: int) -> str:
        return f"Nothing in {self._searched(n)} speaks to this."

    def unwritten(self, why: str) -> str:
        return f"No language model wrote this, these are quotes: {why}."

    def broken_off(self, why: str) -> str:
        return f"The language model did not finish, and quotes follow: {why}."

    def undecided(self, seat: str, why: str) -> str:
        return f"Decided without a language model ({seat}): {why}."

    def unchecked(self, marked: int, removed: int, why: str) -> str:
        """All that there is to say of sentences that were to be checked by a model which failed."""
        kinds = [
            f"{self._count(n)} {word}" for n, word in ((marked, "marked [?]"), (removed, "left out")) if n
        ]
        told = f" ({self.listed(kinds)})" if kinds else ""
        return f"The sentences were checked without a language model{told}: {why}."

    def removed(self, n: int) -> str:
        told = "One sentence was" if n == 1 else f"{n} sentences were"
        return f"{told} left out: what was said does not support {'it' if n == 1 else 'them'}."

    def uncovered(self, names: Sequence[str]) -> str:
        return f"Nothing is said here about {self.listed([self.quoted(name) for name in names])}."

    def missing(self, text: str) -> str:
        return f"Not told by the sources, as the language model sees it: {text}"

    def unread(self, n: int, of: int) -> str:
        return (
            f"Of {of} parts the language model read {of - n}: a few words of their own stand for the others."
        )

    def marked(self, n: int) -> str:
        told = "One sentence, marked [?], is" if n == 1 else f"{n} sentences, marked [?], are"
        return f"{told} not surely supported by what was said."

    def left_out(self, cut: int, missing: int) -> str:
        parts = [f"{self._count(cut)} in part"] * bool(cut) + [f"{self._count(missing)} not at all"] * bool(
            missing
        )
        return f"Of the moments found, the language model was shown {self.listed(parts)}: more does not fit."

    def unheard(self, words: Sequence[str]) -> str:
        verb = "is" if len(words) == 1 else "are"
        return f"{self.listed([self.quoted(w) for w in words])} {verb} never said in what was searched."

    def spoken_instead(self, language: str) -> str:
        name = self.languages.get(language, language)
        return f"What comes nearest is in {name}: a question in that language may find more."

    def first_in_another(self, language: str) -> str:
        name = self.languages.get(language, language)
        return f"What comes first is in {name}: nothing in the language of the question is as near."

    def also_said_in(self, titles: Sequence[str], more: int) -> str:
        return f"These words are also said in {self.listed([*titles, *([f'{more} more'] if more else [])])}."

    def unquoted(self, names: Sequence[str]) -> str:
        verb = "is" if len(names) == 1 else "are"
        return f"{self.listed(names)} {verb} not quoted here: a question for one alone may find more."

    def dropped(self, n: int) -> str:
        told = "One quote was" if n == 1 else f"{n} quotes were"
        return f"{told} left out: the words no longer stand in the archive as they were found."

    def can_ask(self, n: int, title: str) -> str:
        where = "the recording" if n == 1 else f"the {n} recordings"
        return f"Ask what was said in {where} here, for example: {self.ask_place(title)}"

    def ask_speaker(self, name: str) -> str:
        return f"What does {name} say to this?"

    def ask_place(self, title: str) -> str:
        return f"What is said in {title}?"

    def quoted(self, text: str) -> str:
        return f"“{text}”"

    def introduced(self, name: str, text: str = "") -> str:
        return f"{name}: {text}".rstrip()

    def listed(self, parts: Sequence[str]) -> str:
        return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))

    def _count(self, n: int) -> str:
        return self.counts[n] if n < len(self.counts) else str(n)

    def _searched(self, n: int) -> str:
        return "the one recording searched" if n == 1 else f"the {n} recordings searched"


class French(English):
    counts = ("aucun", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix")
    empty_archive = "Il n'y a encore aucun enregistrement ici : il n'y avait rien à consulter."
    empty_scope = "Aucun enregistrement ne correspond à la demande : il n'y avait rien à consulter."
    told_again = "De même"
    nothing_on_side = "rien de ce qui a été trouvé n'y répond clairement."
    nearest = "Ce qui s'en approche le plus :"
    nothing_cut = (
        "Des passages ont été évalués, aucun retenu : la stratégie finit-elle par Moments ou Passages ?"
    )
    no_answer = "Le modèle de langage ne voit pas de réponse. Voici ce qui s'en approche :"
    none_stands = "rien de ce qui a été dit n'appuie ses phrases"
    shortened = "La réponse s'arrête où elle devenait trop longue (réglage llm.tokens)."
    acts: Mapping[str, tuple[str, str]] = {
        "decision": ("Décisions", "n'est décidé"),
        "task": ("Tâches", "n'est confié ni pris en charge"),
        "promise": ("Promesses et projets", "n'est promis"),
        "question": ("Questions", "n'est demandé"),
        "open": ("Ce qui reste ouvert", "n'est laissé ouvert"),
        "risk": ("Risques et problèmes", "n'est présenté comme un risque ou un problème"),
        "disagreement": ("Désaccords", "n'est contesté"),
        "agreement": ("Accords et désaccords", "n'est approuvé ni contesté"),
        "recommendation": ("Recommandations", "n'est recommandé"),
        "complaint": ("Plaintes", "n'est l'objet d'une plainte"),
    }
    languages: Mapping[str, str] = {
        "ar": "arabe",
        "de": "allemand",
        "en": "anglais",
        "es": "espagnol",
        "fr": "français",
        "it": "italien",
        "nl": "néerlandais",
        "pt": "portugais",
    }
    words_alone = "Trouvé par les mots seuls : la même chose dite autrement a pu échapper."
    replies: Mapping[str, str] = {
        "greeting": "Bonjour.",
        "thanks": "Avec plaisir.",
        "parting": "Au revoir.",
        "trial": "Cela fonctionne.",
        "help": "Les réponses sont ce qui a été dit, mot pour mot, avec qui l'a dit et quand.",
    }

    def from_faq(self, question: str) -> str:
        return f"La FAQ y répond : {question}"

    def sure(self, titles: Sequence[str]) -> str:
        if len(titles) == 1:
            return f"{titles[0]} en parle."
        return f"{self._count(len(titles)).capitalize()} enregistrements en parlent, surtout {titles[0]}."

    def likely(self, titles: Sequence[str]) -> str:
        if len(titles) == 1:
            return f"{titles[0]} semble en parler."
        told = self._count(len(titles)).capitalize()
        return f"{told} enregistrements semblent en parler, d'abord {titles[0]}."

    def outlined(self, titles: Sequence[str]) -> str:
        if len(titles) == 1:
            return f"{titles[0]}, dans l'ordre où cela a été dit :"
        return f"{self._count(len(titles)).capitalize()} enregistrements, chacun dans l'ordre :"

    def acted(self, act: str, titles: Sequence[str]) -> str:
        where = (
            titles[0]
            if len(titles) == 1
            else f"{self._count(len(titles))} enregistrements, {titles[0]} d'abord"
        )
        return f"{self.acts[act][0]} dans {where}, aux mots qui les disent :"

    def not_acted(self, act: str, n: int) -> str:
        told = f"Rien {self.acts[act][1]} en toutes lettres dans {self._searched(n)}."
        return f"{told} Ce qui s'y dit dans l'ensemble :"

    def none_of(self, who: str, n: int) -> str:
        told = f"De {self.quoted(who)}, on ne sait de personne qui le fasse dans {self._searched(n)}."
        return f"{told} Ce qui s'y dit dans l'ensemble :"

    def not_done(self, act: str) -> str:
        return f"À ce sujet, rien {self.acts[act][1]} en toutes lettres : voici ce qui s'en approche."

    def low_relevance(self, n: int) -> str:
        return f"Rien dans {self._searched(n)} n'y répond clairement. Voici ce qui s'en approche :"

    def low_diversity(self, times: int, n: int) -> str:
        where = "dans un enregistrement" if n == 1 else f"dans {self._count(n)} enregistrements"
        return f"La même chose est dite {times} fois {where}, presque mot pour mot. La voici une fois."

    def nothing_found(self, n: int) -> str:
        return f"Rien dans {self._searched(n)} n'en parle."

    def unwritten(self, why: str) -> str:
        return f"Sans modèle de langage, voici des citations : {why}."

    def broken_off(self, why: str) -> str:
        return f"Le modèle de langage n'a pas terminé, des citations suivent : {why}."

    def undecided(self, seat: str, why: str) -> str:
        return f"Décidé sans modèle de langage ({seat}) : {why}."

    def unchecked(self, marked: int, removed: int, why: str) -> str:
        """All that there is to say of sentences that were to be checked by a model which failed."""
        kinds = [f"{self._count(n)} {word}" for n, word in ((marked, "avec [?]"), (removed, "en moins")) if n]
        told = f" ({self.listed(kinds)})" if kinds else ""
        return f"Les phrases ont été vérifiées sans modèle de langage{told} : {why}."

    def removed(self, n: int) -> str:
        told = "Une phrase a été omise" if n == 1 else f"{n} phrases ont été omises"
        return f"{told} : ce qui a été dit ne l'appuie pas."

    def uncovered(self, names: Sequence[str]) -> str:
        return f"Rien n'est dit ici de {self.listed([self.quoted(name) for name in names])}."

    def missing(self, text: str) -> str:
        return f"Absent des sources, selon le modèle de langage : {text}"

    def unread(self, n: int, of: int) -> str:
        return (
            f"Le modèle de langage a lu {of - n} des {of} parties : quelques mots tiennent lieu des autres."
        )

    def marked(self, n: int) -> str:
        told = "Une phrase, marquée [?], n'est" if n == 1 else f"{n} phrases, marquées [?], ne sont"
        return f"{told} pas sûrement appuyée{'s' * (n > 1)} par ce qui a été dit."

    def left_out(self, cut: int, missing: int) -> str:
        parts = [f"{cut} en partie"] * bool(cut) + [f"{missing} pas du tout"] * bool(missing)
        return (
            f"Le modèle de langage a vu {self.listed(parts)} des passages trouvés : le reste n'y tient pas."
        )

    def unheard(self, words: Sequence[str]) -> str:
        verb = "n'est jamais dit" if len(words) == 1 else "ne sont jamais dits"
        return f"{self.listed([self.quoted(w) for w in words])} {verb} dans ce qui a été consulté."

    def spoken_instead(self, language: str) -> str:
        name = self.languages.get(language, language)
        return f"Ce qui s'en approche est en {name} : une question dans cette langue peut trouver davantage."

    def first_in_another(self, language: str) -> str:
        name = self.languages.get(language, language)
        return f"Ce qui vient d'abord est en {name} : rien dans la langue de la question n'en est aussi près."

    def also_said_in(self, titles: Sequence[str], more: int) -> str:
        rest = [f"{more} autres" if more > 1 else "un autre"] if more else []
        return f"Ces mots sont aussi dits dans {self.listed([*titles, *rest])}."

    def unquoted(self, names: Sequence[str]) -> str:
        verb = "n'est pas cité" if len(names) == 1 else "ne sont pas cités"
        return f"{self.listed(names)} {verb} ici : une question pour un seul peut trouver davantage."

    def dropped(self, n: int) -> str:
        told = "Une citation a été écartée" if n == 1 else f"{n} citations ont été écartées"
        return f"{told} : ces mots ne sont plus dans l'archive tels qu'ils ont été trouvés."

    def can_ask(self, n: int, title: str) -> str:
        where = "l'enregistrement" if n == 1 else f"les {n} enregistrements"
        return f"Demandez ce qui a été dit dans {where}, par exemple : {self.ask_place(title)}"

    def ask_speaker(self, name: str) -> str:
        return f"Qu'en dit {name} ?"

    def ask_place(self, title: str) -> str:
        return f"Qu'en dit-on dans {title} ?"

    def quoted(self, text: str) -> str:
        return f"« {text} »"

    def introduced(self, name: str, text: str = "") -> str:
        return f"{name} : {text}".rstrip()

    def listed(self, parts: Sequence[str]) -> str:
        return " et ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))

    def _searched(self, n: int) -> str:
        return "le seul enregistrement consulté" if n == 1 else f"les {n} enregistrements consultés"
