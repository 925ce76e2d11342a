"""Settings: their definitions, and where each value comes from."""

from onrecord.settings.groups import Server, Settings
from onrecord.settings.loading import Described, described, load, names, unknown_variables

__all__ = ["Described", "Server", "Settings", "described", "load", "names", "unknown_variables"]
