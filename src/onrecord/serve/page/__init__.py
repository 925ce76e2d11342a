"""The chat page: its own HTML, CSS and JavaScript, no build step and no third-party code."""

from onrecord.serve.page.files import mount

__all__ = ["mount"]
