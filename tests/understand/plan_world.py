"""A small invented archive for tests of plans: two podcasts, earnings calls, talks and a council.

The recordings are in English and French. All people and organizations are fictional.
"""

from collections.abc import Sequence
from datetime import date

from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Passage, Recording, Section

TODAY = date(2025, 6, 18)
"""The date of all questions, a Wednesday."""

QA = ("Questions and answers", "qa")
DEMO = ("Live demo", "demo")

_SLOW = {"show": "Slow Signals"}
_KITCHEN = {"show": "Kitchen Physics"}
_PORT = {"show": "Les voix du port"}


def _call(bank: str, year: int, quarter: int) -> dict[str, str]:
    return {"bank": bank, "fiscal year": str(year), "quarter": f"Q{quarter}"}


def _talk(year: int, track: str) -> dict[str, str]:
    return {"event": f"Fjordconf {year}", "track": track}


Row = tuple[str, str, str, str, tuple[str, ...], dict[str, str], tuple[tuple[str, str], ...]]
_ALDER = ("Robert Halloran", "Catherine Meunier", "William Tran")
_TD = ("Gregory Stanfield", "Kelvin Okafor", "William Tran")
_COUNCIL = ("Jean-Baptiste Moreau", "Pierre Garnier", "Nadia Benali")
ROWS: Sequence[Row] = (
    ("ss-1", "Slow Signals 1: The copper question", "2023-03-07", "en",
     ("Brendan Kelly", "Marisol Ortega"), {**_SLOW, "episode": "1"}, ()),
    ("ss-2", "Slow Signals 2: Ports under pressure", "2023-09-19", "en",
     ("Brendan Kelly", "Tomasz Zielinski"), {**_SLOW, "episode": "2"}, ()),
    ("ss-3", "Slow Signals 3: Election special", "2024-11-06", "en",
     ("Brendan Kelly", "Priya Raman"), {**_SLOW, "episode": "3"}, ()),
    ("ss-4", "Slow Signals 4: Tariffs and trade", "2024-12-10", "en",
     ("Brendan Kelly", "Marisol Ortega"), {**_SLOW, "episode": "4"}, ()),
    ("ss-5", "Slow Signals 5: A winter of heat pumps", "2025-02-11", "en",
     ("Brendan Kelly", "Ingrid Solberg"), {**_SLOW, "episode": "5"}, ()),
    ("ss-6", "Slow Signals 6: The housing ladder", "2025-05-20", "en",
     ("Brendan Kelly", "Priya Raman"), {**_SLOW, "episode": "6"}, ()),
    ("kp-1", "Why bread rises", "2024-01-15", "en",
     ("Aoife Byrne", "Samuel Whitlock"), {**_KITCHEN, "season": "1", "episode": "1"}, ()),
    ("kp-2", "The chemistry of coffee", "2024-04-22", "en",
     ("Aoife Byrne", "Samuel Whitlock"), {**_KITCHEN, "season": "1", "episode": "2"}, ()),
    ("kp-3", "Salt, sugar and patience", "2024-08-30", "en",
     ("Aoife Byrne", "Declan Byrne"), {**_KITCHEN, "season": "2", "episode": "3"}, ()),
    ("ab-q4-23", "Alder Bank Q4 2023 earnings call", "2024-01-25", "en", _ALDER,
     _call("Alder Bank", 2023, 4), (QA,)),
    ("ab-q1-24", "Alder Bank Q1 2024 earnings call", "2024-04-25", "en", _ALDER,
     _call("Alder Bank", 2024, 1), (QA,)),
    ("ab-q2-24", "Alder Bank Q2 2024 earnings call", "2024-07-25", "en", _ALDER,
     _call("Alder Bank", 2024, 2), (QA,)),
    ("td-q1-24", "TD Bank Q1 2024 earnings call", "2024-02-29", "en", _TD,
     _call("TD Bank", 2024, 1), (QA,)),
    ("td-q2-24", "TD Bank Q2 2024 earnings call", "2024-05-23", "en", _TD,
     _call("TD Bank", 2024, 2), (QA,)),
    ("fj-1", "Tuning SQLite for a million users", "2023-10-05", "en",
     ("Ingrid Solberg",), _talk(2023, "Databases"), (DEMO, QA)),
    ("fj-2", "Typed Python at scale", "2023-10-05", "en",
     ("Tomasz Zielinski",), _talk(2023, "Languages"), (QA,)),
    ("fj-3", "Debugging the unseen", "2024-10-03", "en",
     ("Mark Liu",), _talk(2024, "Operations"), (DEMO,)),
    ("fj-4", "Graphes et mémoire", "2024-10-03", "fr",
     ("Hélène Dufour",), _talk(2024, "Databases"), (DEMO, QA)),
    ("vp-1", "Les voix du port 1 : Marées basses", "2024-03-12", "fr",
     ("Camille Lefèvre", "Jean-Baptiste Moreau"), {**_PORT, "episode": "1"}, ()),
    ("vp-2", "Les voix du port 2 : Le prix du sel", "2024-09-24", "fr",
     ("Camille Lefèvre", "Hélène Dufour"), {**_PORT, "episode": "2"}, ()),
    ("cm-1", "Conseil municipal de Brévane, 15 janvier 2025", "2025-01-15", "fr", _COUNCIL, {}, ()),
    ("cm-2", "Conseil municipal de Brévane, 12 mars 2025", "2025-03-12", "fr", _COUNCIL, {}, ()),
)  # fmt: skip


def world(rows: Sequence[Row] = ROWS, workspace: str = "default") -> MemoryStore:
    """Return a store with these recordings.

    Every section of a recording has two passages of each speaker; the opening is the first section.
    """
    store = MemoryStore(workspace)
    for name, title, day, language, speakers, attributes, sections in rows:
        parts = [("Opening", None), *sections]
        passages: list[Passage] = []
        for part, _ in parts:
            for speaker in speakers * 2:
                words = "nous parlons de ce sujet" if language == "fr" else "we speak of this matter"
                at = len(passages)
                passages.append(Passage(name, at, words, speaker, 10.0 * at, 10.0 * at + 9, section=part))
        each = 2 * len(speakers)
        cut = [
            Section(part, first=at * each, last=at * each + each - 1, kind=kind)
            for at, (part, kind) in enumerate(parts)
        ]
        details = Details(title=title, date=day, language=language, attributes=attributes)
        recording = Recording(
            name, f"{name}.json", name, "test", details, len(passages), 5 * len(passages), speakers=speakers
        )
        store.add(recording, passages, cut)
    return store
