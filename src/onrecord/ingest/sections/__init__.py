"""Sections of a recording, and what its passages are worth, from the words themselves."""

from onrecord.ingest.sections.kinds import KINDS
from onrecord.ingest.sections.make import Sectioner

__all__ = ["KINDS", "Sectioner"]
