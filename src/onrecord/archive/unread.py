"""Which filters are not to be read from a question, because the user said so."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import partial

from onrecord.errors import InputError, did_you_mean, nearest
from onrecord.ingest.details import attribute_name
from onrecord.retrieve.stage import Tools
from onrecord.stores.base import Reader
from onrecord.types import FILTER_FIELDS

_ENDS = {"date": ("since", "until")}
_MOST_NAMED = 20


def unread(reader: Reader, names: Collection[str]) -> tuple[str, ...]:
    """The fields of filters that these names mean, without regard to case, in order; "date" means "since" and
    "until". Raises InputError for a name that is neither of `FILTER_FIELDS` nor an attribute here."""
    given = [attribute_name(name) for name in ([names] if isinstance(names, str) else names)]
    wanted = {field for name in given for field in _ENDS.get(name, (name,))}
    if wanted.issubset(FILTER_FIELDS):
        return tuple(sorted(wanted))
    attributes = sorted({name for r in reader.recordings() for name in r.details.attributes})
    known = {attribute_name(name): name for name in (*attributes, *FILTER_FIELDS)}
    for name in sorted(wanted.difference(known)):
        hint = did_you_mean(nearest(name, (*known, *_ENDS)), " ")
        there = ", ".join((*FILTER_FIELDS, *attributes[:_MOST_NAMED]))
        raise InputError(f"no filter is of {name[:100]!r}, so none can be left out:{hint} there are {there}")
    return tuple(sorted(known[name] for name in wanted))


def not_reading(tools: Tools, fields: tuple[str, ...]) -> Tools:
    """Tools whose planner reads no filters of these fields."""
    if not fields:
        return tools
    from onrecord.retrieve.plan import plan

    return replace(tools, planner=partial(plan, without=fields))
