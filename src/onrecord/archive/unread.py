"""What a planner is not to read from a question, or not to tell."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import partial
from typing import Any

from onrecord.errors import InputError, did_you_mean, nearest
from onrecord.ingest.details import attribute_name
from onrecord.retrieve.stage import Tools
from onrecord.stores.base import Reader
from onrecord.types import FILTER_FIELDS, Plan

SPELLING = "spelling"
"""Names, beside the fields of filters, that misspelt words are not to be read as others."""
_UNREAD = (*FILTER_FIELDS, SPELLING)
_ENDS = {"date": ("since", "until")}
_MOST_NAMED = 20


def unread(reader: Reader, names: Collection[str]) -> tuple[str, ...]:
    """The fields of filters that these names mean, without regard to case, in order; "date" means "since" and
    "until". Raises InputError for a name that is none of `FILTER_FIELDS`, "spelling" and the attributes
    here."""
    given = [attribute_name(name) for name in ([names] if isinstance(names, str) else names)]
    wanted = {field for name in given for field in _ENDS.get(name, (name,))}
    if wanted.issubset(_UNREAD):
        return tuple(sorted(wanted))
    attributes = sorted({name for r in reader.recordings() for name in r.details.attributes})
    known = {attribute_name(name): name for name in (*attributes, *_UNREAD)}
    for name in sorted(wanted.difference(known)):
        hint = did_you_mean(nearest(name, (*known, *_ENDS)), " ")
        there = ", ".join((*_UNREAD, *attributes[:_MOST_NAMED]))
        raise InputError(f"no filter is of {name[:100]!r}, so none can be left out:{hint} there are {there}")
    return tuple(sorted(known[name] for name in wanted))


def not_reading(tools: Tools, fields: tuple[str, ...]) -> Tools:
    """Tools whose planner reads no filters of these fields, and every word as it is spelt where they name
    spelling."""
    filters = tuple(field for field in fields if field != SPELLING)
    tools = replace(tools, spelling=tools.spelling and filters == fields)
    if not filters:
        return tools
    from onrecord.understand.planner import plan

    return replace(tools, planner=partial(plan, without=filters))


def without_facts(tools: Tools) -> Tools:
    """Tools whose planner tells no facts, so that what is said is searched for all the same."""
    from onrecord.understand.planner import plan

    planner = tools.planner or plan

    def planned(*asked: Any, **settings: Any) -> Plan:
        made = planner(*asked, **settings)
        return replace(made, facts=(), parts=tuple(replace(part, facts=()) for part in made.parts))

    return replace(tools, planner=planned)
