"""Check that the packages of an extra are installed."""

from __future__ import annotations

from importlib.util import find_spec

from onrecord.errors import InputError


def require(extra: str, *modules: str) -> None:
    """Raise InputError, naming the extra, if one of these modules is not installed."""
    for module in modules:
        if find_spec(module) is None:
            raise InputError(
                f"this needs a package that is not installed ({module}): pip install 'onrecord[{extra}]'"
            )
