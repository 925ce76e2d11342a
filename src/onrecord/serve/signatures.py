"""Signatures for functions that a framework calls, made of the parameters of a query of the graph."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from pydantic import Field

from onrecord.serve.graph_queries import Parameter

Call = TypeVar("Call", bound=Callable[..., Any])


def annotation_of(parameter: Parameter, field: Callable[..., Any] = Field, **options: Any) -> Any:
    """The type of a parameter with its bounds and help, as Pydantic's Field or FastAPI's Query has them."""
    least, most = ("ge", "le") if parameter.type is int else ("min_length", "max_length")
    bounds = {least: parameter.bounds.least, most: parameter.bounds.most}
    return Annotated[parameter.type, field(description=parameter.bounds.help, **bounds, **options)]


def with_signature(
    call: Call,
    name: str,
    text: str | None,
    parameters: dict[str, tuple[Any, Any]],
    result: Any,
) -> Call:
    """The function itself, with what frameworks read off one: name, docstring, and for each parameter its
    type and default."""
    call.__name__, call.__doc__ = name, text
    call.__annotations__ = {each: annotation for each, (annotation, _) in parameters.items()}
    call.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(each, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)
            for each, (annotation, default) in parameters.items()
        ],
        return_annotation=result,
    )
    return call
