"""Synthetic recordings for the tests of sections: passages with known words."""

from onrecord.types import Passage

FREIGHT = (
    "The freight rates from Rotterdam doubled and every container waits a fortnight at the harbour crane."
)
PLANT = "In the Lyon plant the new press stamps aluminium frames, and the welders trained with steel before."
HOLIDAY = (
    "The summer party needs a tent, a barbecue and somebody who brings music and lanterns to the garden."
)


def recording(*lines: str, name: str = "call") -> list[Passage]:
    """Return one passage of nine seconds for every ``"Speaker: words"`` line.

    Passages start every ten seconds. A slash between spaces separates the voices within a passage.
    """
    passages = []
    for at, line in enumerate(lines):
        voices: list[tuple[int, str | None]] = []
        text = ""
        for share in line.split(" / "):
            speaker, _, words = share.partition(": ")
            text += " " if text else ""
            voices.append((len(text), speaker or None))
            text += words
        passages.append(
            Passage(
                name,
                at,
                text,
                voices[0][1],
                10.0 * at,
                10.0 * at + 9,
                voices=tuple(voices) if len(voices) > 1 else (),
            )
        )
    return passages


def on(topic: str, times: int, speaker: str = "Ann") -> list[str]:
    """Return ``times`` lines about one topic, each a rotation of the topic's words."""
    words = topic.split()
    return [f"{speaker}: {' '.join(words[i:] + words[:i])}" for i in range(times)]


CALL_IN_ENGLISH = recording(
    "Operator: Good morning and welcome to the second quarter earnings call. All lines are listen-only.",
    "Ines Roy: Before we begin, let me say that we make forward-looking statements, and actual results may "
    "differ. I now turn the call over to Ada Berg.",
    *on(FREIGHT, 3, "Ada Berg"),
    *on(PLANT, 3, "Bo Lind"),
    "Operator: We will now begin the question and answer session. Our first question comes from Cora "
    "Diaz with Northgate. / Cora Diaz: Thanks. Why do freight rates stay high?",
    "Ada Berg: The harbour in Rotterdam has had too few cranes since April, and nobody builds one in a year.",
    "Operator: The next question comes from Dev Ekman. / Dev Ekman: What did the press in Lyon cost you?",
    "Bo Lind: Four million, half of it this quarter, and the welders are trained by now, which was the rest.",
    "Operator: There are no further questions. This concludes today's call. You may now disconnect.",
)
CALL_IN_FRENCH = recording(
    "Opérateur: Bonjour et bienvenue à la conférence téléphonique sur les résultats semestriels.",
    "Inès Roy: Certains propos sont des déclarations prospectives. Je cède la parole à Ada Berg.",
    *on(
        "Le fret depuis Rotterdam coûte le double et chaque conteneur attend la grue du port.", 3, "Ada Berg"
    ),
    *on("La presse de Lyon emboutit des cadres en aluminium et les soudeurs sont formés.", 3, "Bo Lind"),
    "Opérateur: Nous passons à la séance de questions. / Cora Diaz: Pourquoi le fret reste-t-il cher ?",
    "Ada Berg: Il manque des grues au port, et personne n'en construit une en un an, même à ce prix.",
    "Opérateur: La prochaine question vient de Dev Ekman. / Dev Ekman: Combien coûte la presse de Lyon ?",
    "Bo Lind: Quatre millions, dont la moitié ce trimestre, et la formation des soudeurs en plus.",
    "Opérateur: Il n'y a plus de questions. Merci et au revoir.",
)
