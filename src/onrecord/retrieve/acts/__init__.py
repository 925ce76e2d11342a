"""What is done in speaking, and by which words that is told: see `onrecord.retrieve.acts.performed`."""

from onrecord.retrieve.acts.acts import ACT, Acts
from onrecord.retrieve.acts.performed import ACTS, LEAST, strength
from onrecord.retrieve.acts.wanted import Wanted

__all__ = ["ACT", "ACTS", "LEAST", "Acts", "Wanted", "strength"]
