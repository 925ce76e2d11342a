"""Signatures, made from the parameters of a graph query, for functions that a framework calls."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from pydantic import Field

from onrecord.serve.graph_queries import Parameter

Call = TypeVar("Call", bound=Callable[..., Any])


def annotation_of(parameter: Parameter, field: Callable[..., Any] = Field, **options: Any) -> Any:
    """Return a parameter's type with its bounds and help, in Pydantic's Field or FastAPI's Query."""
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
    """Set the attributes of a function that frameworks read, and return the function.

    They are the name, the docstring, and the type and default of each parameter.
    """
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
