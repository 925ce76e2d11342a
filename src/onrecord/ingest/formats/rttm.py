"""Reader of NIST RTTM, which records who spoke when.

Only its LEXEME lines hold words, and most files have none.
"""

from __future__ import annotations

from itertools import islice

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.ctm import data_rows, line_span, recordings
from onrecord.ingest.formats.words import Token, bracket_remark, speaker_name
from onrecord.types import Transcript

_KINDS = frozenset(
    "A/P CB EDIT FILLER IP LEXEME NOSCORE NON-LEX NON-SPEECH NORT_REGION NO_RT_METADATA SEGMENT SPEAKER "
    "SPKR-INFO SU".split()
)
_WORDLESS = "a transcript (this file says who spoke when, not what; add the transcript it belongs to instead)"


def fits(source: Source) -> bool:
    first = [cells for _, cells in islice(data_rows(source), 5)]
    return bool(first) and all(cells[0] in _KINDS and 9 <= len(cells) <= 10 for cells in first)


def read(source: Source) -> tuple[Transcript, ...]:
    words = []
    for number, cells in data_rows(source):
        if cells[0] == "LEXEME" and len(cells) >= 8:
            span = line_span(source, number, cells[3], cells[4])
            speaker = speaker_name(cells[7].replace("<NA>", ""))
            words.append((cells[1], cells[2], Token(bracket_remark(cells[5]), *span, speaker)))
    if not words:
        raise source.error("the whole of it", _WORDLESS, "RTTM speaker times without words")
    return recordings(source, FORMAT.name, words)


FORMAT = Format("rttm", (".rttm",), fits, read)
