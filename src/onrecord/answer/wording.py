"""The words of a question: see `onrecord.retrieve.wording`."""

from onrecord.retrieve.wording import Wording, named, rarity, stem, stems, wording

__all__ = ["Wording", "named", "rarity", "stem", "stems", "wording"]
