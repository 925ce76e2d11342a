"""Transcript formats: detection of a file's format, and reading of its transcripts."""

from onrecord.ingest.formats.decode import decode
from onrecord.ingest.formats.registry import FORMATS, detect, read, read_source

__all__ = ["FORMATS", "decode", "detect", "read", "read_source"]
