"""Reader of ELAN (.eaf): tiers of annotations between time slots, one tier per speaker.

Tiers that depend on a tier with words (translations, glosses) repeat its words and are skipped.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.tiers import Interval, has_words, tiers_to_tokens
from onrecord.ingest.formats.words import transcript
from onrecord.ingest.formats.xml_source import find_all, parse_xml, read_seconds, root_name, text_of
from onrecord.types import Transcript

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


def fits(source: Source) -> bool:
    return root_name(source) == "annotation_document"


def read(source: Source) -> tuple[Transcript, ...]:
    root = parse_xml(source)
    slots = _slots(source, root)
    worded = {
        tier.get("TIER_ID", "")
        for tier in find_all(root, "TIER")
        if has_words(text_of(annotation) for annotation in find_all(tier, "ANNOTATION_VALUE"))
    }
    tiers = []
    for tier in find_all(root, "TIER"):
        if tier.get("PARENT_REF") in worded:
            continue
        intervals = []
        for annotation in find_all(tier, "ALIGNABLE_ANNOTATION"):
            start = slots.get(annotation.get("TIME_SLOT_REF1", ""))
            end = slots.get(annotation.get("TIME_SLOT_REF2", ""))
            intervals.append(Interval(text_of(annotation), start, end))
        tiers.append((tier.get("TIER_ID", ""), tier.get("PARTICIPANT", ""), intervals))
    return (transcript(source, FORMAT.name, *tiers_to_tokens(tiers)),)


FORMAT = Format("elan", (".eaf",), fits, read)


def _slots(source: Source, root: Element) -> Mapping[str, float | None]:
    """Return the second of each time slot, by its identifier.

    Slots without a time are spaced evenly between their neighbors with a time.
    """
    slots = list(find_all(root, "TIME_SLOT"))
    times = [read_seconds(source, slot, "TIME_VALUE") for slot in slots]
    known = [at for at, time in enumerate(times) if time is not None]
    if known:
        times[known[-1] :] = [times[known[-1]]] * (len(times) - known[-1])
    for before, after in pairwise(known):
        first, last = times[before] or 0.0, times[after] or 0.0
        for at in range(before + 1, after):
            times[at] = round(first + (at - before) / (after - before) * (last - first), 3)
    return {slot.get("TIME_SLOT_ID", ""): time for slot, time in zip(slots, times, strict=True)}
