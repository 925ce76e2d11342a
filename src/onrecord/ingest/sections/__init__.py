"""Sections of a recording, and the importance of its passages, computed from their words."""

from onrecord.ingest.sections.kinds import KINDS
from onrecord.ingest.sections.make import make_sections

__all__ = ["KINDS", "make_sections"]
