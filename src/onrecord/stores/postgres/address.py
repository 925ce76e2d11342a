"""The address of an archive in PostgreSQL."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from onrecord.errors import SettingError

_SCHEMA = re.compile(r"[a-z_][a-z0-9_]{0,47}")
DEFAULT = "onrecord"


@dataclass(frozen=True, slots=True)
class Address:
    """`conninfo` is for libpq, `schema` holds the archive's tables, `shown` is the address without its
    password."""

    conninfo: str
    schema: str
    shown: str


def address(url: str) -> Address:
    """Split ``postgresql://USER:PASSWORD@HOST/DATABASE?schema=NAME``. All other options are libpq's. Raises
    SettingError."""
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise SettingError("archive", "postgresql://...", f"an address of a server ({error})") from error
    options, host = parse_qsl(parts.query, keep_blank_values=True), parts.netloc.rpartition("@")
    schema = dict(options).get("schema", DEFAULT)
    if not _SCHEMA.fullmatch(schema):
        raise SettingError("archive", f"schema={schema}", "a schema of lower-case letters, digits and _")
    rest = urlencode([(name, value) for name, value in options if name != "schema"])
    user = host[0].partition(":")[0]
    shown = parts._replace(netloc=f"{user}{host[1]}{host[2]}", query=_plain(options))
    return Address(urlunsplit(parts._replace(query=rest)), schema, urlunsplit(shown))


def _plain(options: list[tuple[str, str]]) -> str:
    return urlencode([(n, "***" if "password" in n else value) for n, value in options])
