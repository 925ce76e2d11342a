"""Archives of spoken word: open one, add to it, ask it."""

from onrecord.archive.archive import Archive, open  # noqa: A004 - onrecord.open(...)
from onrecord.archive.ask import Ask, AskOptions
from onrecord.archive.editing import Removed
from onrecord.archive.intake import Added, Progress
from onrecord.archive.ledger import MOST_NOTE, MOST_QUOTES, MOST_TEXT, tally_of
from onrecord.archive.looking import is_called
from onrecord.archive.models import WITHOUT_MEANINGS
from onrecord.archive.watching import Watcher

__all__ = [
    "MOST_NOTE",
    "MOST_QUOTES",
    "MOST_TEXT",
    "WITHOUT_MEANINGS",
    "Added",
    "Archive",
    "Ask",
    "AskOptions",
    "Progress",
    "Removed",
    "Watcher",
    "is_called",
    "open",
    "tally_of",
]
