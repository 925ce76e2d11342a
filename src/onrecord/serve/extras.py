"""What an extra brings, asked for before it is used."""

from __future__ import annotations

from importlib.util import find_spec

from onrecord.errors import InputError


def require(extra: str, *modules: str) -> None:
    """Raises InputError, which names the extra, where one of these modules is not installed."""
    for module in modules:
        if find_spec(module) is None:
            raise InputError(
                f"this needs a package that is not installed ({module}): pip install 'onrecord[{extra}]'"
            )
