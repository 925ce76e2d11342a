"""The queries of the graph, each declared once for the command line, HTTP and agents.

A query is a function. Its name is the command, the path and the tool; its parameters, with their bounds and
help, are those of the command, the path and the tool; its docstring is the help that users read. `READS` need
the right to read, `WRITES` the right to write. Annotations are objects, not strings, so that `parameters_of`
can read them.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin

if TYPE_CHECKING:
    from onrecord.archive.graph import ArchiveGraph
    from onrecord.graph.results import About, Between, Causes, Common, Concept, Edge, Timeline
    from onrecord.types import Alias


Query = Callable[..., Any]
"""A function of an archive's graph and of parameters that are annotated with `Bounds`."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """A parameter's help text and bounds; None means no bound.

    `least` and `most` limit a number, the characters of a text, or the length of a list.
    """

    help: str
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a query; `default` is `Parameter.required` if the query has none."""

    name: str
    type: Any
    bounds: Bounds
    default: Any
    required = inspect.Parameter.empty


def parameters_of(query: Query) -> tuple[Parameter, ...]:
    """Return the parameters that a query declares with `Bounds`, in order."""
    declared = inspect.signature(query).parameters.values()
    annotated = [each for each in declared if get_origin(each.annotation) is Annotated]
    parts = [get_args(each.annotation) for each in annotated]
    return tuple(
        Parameter(each.name, kind, bounds, each.default)
        for each, (kind, bounds) in zip(annotated, parts, strict=True)
    )


Name = Annotated[str, Bounds("Of a person, an organization, a place, a concept.", 1, 300)]
Names = Annotated[list[str], Bounds("Two or more.", 2, 6)]
Origin = Annotated[str | None, Bounds("Only chains that begin with this one.", 1, 300)]
Reason = Annotated[str | None, Bounds("Why; it stays beside the change.", 1, 500)]
Steps = Annotated[int, Bounds("Edges of a path at most.", 1, 3)]
Lines = Annotated[int, Bounds("Lines of each list at most.", 1, 200)]
Paths = Annotated[int, Bounds("Paths at most.", 1, 100)]
Concepts = Annotated[int, Bounds("Concepts at most.", 1, 500)]
Across = Annotated[int, Bounds("Recordings at least.", 1, 1_000_000)]
Period = Annotated[Literal["day", "month", "year"], Bounds("What is counted together.")]
Unsure = Annotated[bool, Bounds("Also relations that are right too seldom to be shown.")]


def about(graph: "ArchiveGraph", name: Name, most: Lines = 12, unsure: Unsure = False) -> "About":
    """Who speaks of NAME, how often, since when and where; stated relations; names beside it; quotes."""
    return graph.about(name, most, unsure)


def similar(graph: "ArchiveGraph", name: Name, most: Lines = 12) -> "tuple[Edge, ...]":
    """Concepts that are similar to NAME in meaning, even if no passage names both.

    Each edge is inferred, and has a strength.
    """
    return graph.similar(name, most)


def between(
    graph: "ArchiveGraph", one: Name, other: Name, steps: Steps = 3, most: Paths = 5, unsure: Unsure = False
) -> "Between":
    """How ONE and OTHER are connected: paths, best first, with a quote for every step.

    An inferred step is not stated: the two are only named together, or near one another.
    """
    return graph.between(one, other, steps, most, unsure)


def causes(
    graph: "ArchiveGraph", name: Name, origin: Origin = None, steps: Steps = 3, most: Paths = 5
) -> "Causes":
    """The stated causes of NAME, step by step back, with a quote for every step."""
    return graph.causes(name, origin, steps, most)


def timeline(graph: "ArchiveGraph", name: Name, by: Period = "month") -> "Timeline":
    """Mentions of NAME over time, by speaker, oldest first."""
    return graph.timeline(name, by)


def common(graph: "ArchiveGraph", names: Names, most: Lines = 12) -> "Common":
    """What two or more people speak of, and what only one of them does, in quotes side by side.

    Whether they agree is for you to judge.
    """
    return graph.common(*names, most=most)


def concepts(graph: "ArchiveGraph", across: Across = 2, most: Concepts = 20) -> "tuple[Concept, ...]":
    """Concepts that several recordings speak of, with quotes: begin here to learn what there is."""
    return graph.concepts(across, most)


def aliases(graph: "ArchiveGraph", name: Name) -> "tuple[Alias, ...]":
    """All names of NAME, each with reason and score; a score of 0 keeps two names apart."""
    return graph.aliases(name)


def merge(graph: "ArchiveGraph", name: Name, into: Name, reason: Reason = None) -> "Alias":
    """Read NAME as INTO from now on. `split` undoes this; nothing is lost."""
    return graph.merge(name, into, reason)


def split(graph: "ArchiveGraph", name: Name, off: Name, reason: Reason = None) -> "Alias":
    """Do not read NAME as OFF any more. `merge` undoes this."""
    return graph.split(name, off, reason)


def alias(graph: "ArchiveGraph", name: Name, of: Name, reason: Reason = None) -> "Alias":
    """Make NAME, which nobody may have said yet, one more name of OF."""
    return graph.alias(name, of, reason)


READS: tuple[Query, ...] = (about, aliases, similar, between, causes, timeline, common, concepts)
WRITES: tuple[Query, ...] = (merge, split, alias)


def view(query: Query, graph: "ArchiveGraph", **values: Any) -> dict[str, Any]:
    """Return the result of a query as a JSON object; a list is under the name of the query."""
    from onrecord.graph.results import plain

    result = query(graph, **values)
    shown: dict[str, Any] = plain({query.__name__: result} if isinstance(result, tuple) else result)
    return shown
