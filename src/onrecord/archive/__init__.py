"""Archives of spoken word: open one, add to it, ask it."""

from onrecord.archive.archive import Archive, open  # noqa: A004 - onrecord.open(...)
from onrecord.archive.asking import Ask, AskOptions

__all__ = ["Archive", "Ask", "AskOptions", "open"]
