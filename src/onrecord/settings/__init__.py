"""Settings: what can be set, and where each value comes from."""

from onrecord.settings.groups import Server, Settings
from onrecord.settings.loading import load, names, unknown_variables

__all__ = ["Server", "Settings", "load", "names", "unknown_variables"]
