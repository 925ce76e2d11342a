"""Archives of spoken word: open one, add to it, ask it."""

from onrecord.archive.archive import Archive, open  # noqa: A004 - onrecord.open(...)
from onrecord.archive.editing import Removed
from onrecord.archive.intake import Added, Progress
from onrecord.archive.looking import is_called
from onrecord.archive.models import WITHOUT_MEANINGS

__all__ = ["WITHOUT_MEANINGS", "Added", "Archive", "Progress", "Removed", "is_called", "open"]
