"""What an extra brings, asked for before it is used."""

from __future__ import annotations

from importlib.util import find_spec

from onrecord.errors import SettingError


def require(extra: str, *modules: str) -> None:
    """Raises SettingError, which names the extra, where one of these modules is not installed."""
    for module in modules:
        if find_spec(module) is None:
            raise SettingError(extra, f"without {module}", f"possible with: pip install 'onrecord[{extra}]'")
