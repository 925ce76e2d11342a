"""The HTTP server: a chat protocol, an OpenAI-compatible protocol, REST, MCP, the FAQ and the page."""

from onrecord.serve.http.app import create_app
from onrecord.serve.http.tenants import Tenants

__all__ = ["Tenants", "create_app"]
