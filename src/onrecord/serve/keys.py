"""Keys: which workspace a sender may ask, and what a sender may do there.

Keys are listed in a YAML file. The file never contains a key, only its SHA-256, or the name of the
environment variable that holds it::

    - name: page
      workspace: default
      rights: [read]
      sha256: 8c0f...
    - name: nightly
      workspace: desk
      rights: [read, write]
      variable: NIGHTLY_KEY

Keys are 256 random bits, so a plain SHA-256 reveals nothing about the key.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import os
import re
import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

import yaml

from onrecord.errors import InputError, NotFoundError, SettingError

log = logging.getLogger("onrecord.serve")

READ, WRITE, METRICS = "read", "write", "metrics"
RIGHTS = (READ, WRITE, METRICS)
_PREFIX = "onr_"
_FIELDS = {"name", "workspace", "rights", "sha256", "variable"}


@dataclass(frozen=True, slots=True)
class Key:
    """A key as the file holds it: `digest` is its SHA-256, in hexadecimal."""

    name: str
    workspace: str
    rights: tuple[str, ...]
    digest: str


class Keys:
    """A list of keys."""

    def __init__(self, keys: Sequence[Key]) -> None:
        self.keys = tuple(keys)

    def removals(self, workspace: str) -> int:
        """Return how many keys of a workspace were removed since the keys were first read."""
        return 0

    @property
    def workspaces(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(key.workspace for key in self.keys))

    def find(self, secret: str) -> Key | None:
        """Return the key with this secret, or None.

        Every key is compared, each in constant time.
        """
        digest = _digest(secret)
        match = None
        for key in self.keys:
            if hmac.compare_digest(key.digest, digest):
                match = key
        return match


class KeyFile(Keys):
    """The keys in a file, read again whenever the file changes.

    A key that is removed from the file stops working. Keys of workspaces that were not served at the start
    are ignored. If the file cannot be read or is invalid, nobody is let in, because its intended content is
    unknown. May be used from several threads.
    """

    def __init__(self, path: Path, workspaces: Sequence[str] = ()) -> None:
        super().__init__(load_keys(path).keys)
        if not self.keys:
            raise SettingError("server.keys", str(path), "a file with at least one key: onrecord keys new")
        self._path, self._served = path, tuple(workspaces) or self.workspaces
        self._seen, self._removals = _state(path), Counter[str]()
        self._lock = Lock()

    def find(self, secret: str) -> Key | None:
        self._refresh()
        return super().find(secret)

    def removals(self, workspace: str) -> int:
        self._refresh()
        return self._removals[workspace]

    def _refresh(self) -> None:
        with self._lock:
            now = _state(self._path)
            if now == self._seen:
                return
            self._seen, before = now, self.keys
            try:
                left = load_keys(self._path).keys
            except SettingError as error:
                log.warning("nobody is let in until the file of keys is right: %s", error)
                left = ()
            self.keys = tuple(key for key in left if key.workspace in self._served)
            self._removals.update(key.workspace for key in before if key not in self.keys)


def _state(path: Path) -> tuple[int, ...]:
    """Return values that change whenever the file does; empty if there is no file."""
    try:
        status = path.stat()
    except OSError:
        return ()
    return status.st_mtime_ns, status.st_size, status.st_ino


def load_keys(path: Path) -> Keys:
    """Read the keys in a file. Raises SettingError for a file or an entry that is invalid."""
    entries = _read(path)
    keys = [_key(entry, f"entry {number} of {path}") for number, entry in enumerate(entries, 1)]
    for what in ("name", "digest"):
        values = [getattr(key, what) for key in keys]
        twice = next((key.name for key in keys if values.count(getattr(key, what)) > 1), None)
        if twice:
            raise SettingError("server.keys", twice, f"a key whose {what} no other entry of {path} has")
    return Keys(keys)


def new_key(path: Path, name: str, workspace: str, rights: Sequence[str]) -> str:
    """Add a key to a file and return it. The key is stored nowhere else.

    A file that does not exist is created, readable only by its owner. Raises InputError if the name is taken.
    """
    entries = _read(path) if path.exists() else []
    if any(isinstance(entry, dict) and entry.get("name") == name for entry in entries):
        raise InputError(f"there is a key {name!r} in {path} already: choose another name")
    secret = _PREFIX + secrets.token_urlsafe(32)
    entry = {"name": name, "workspace": workspace, "rights": list(rights), "sha256": _digest(secret)}
    _key(entry, "the new key")
    _write(path, [*entries, entry])
    return secret


def remove_key(path: Path, name: str) -> None:
    """Remove a key from a file. Raises NotFoundError."""
    entries = _read(path)
    left = [entry for entry in entries if not (isinstance(entry, dict) and entry.get("name") == name)]
    if len(left) == len(entries):
        raise NotFoundError(f"there is no key {name!r} in {path}")
    _write(path, left)


def _read(path: Path) -> list[Any]:
    try:
        entries = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        reason = getattr(error, "strerror", None) or "it is not YAML"
        raise SettingError("server.keys", str(path), f"a YAML file of keys ({reason})") from None
    if entries is None:
        return []
    if not isinstance(entries, list):
        raise SettingError("server.keys", str(path), "a YAML file that holds a list of keys")
    return entries


def _write(path: Path, entries: Sequence[Any]) -> None:
    """Replace the file in one step, so that a server that starts meanwhile reads the old or the new file."""
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    beside.touch(mode=0o600)
    beside.write_text(yaml.safe_dump(list(entries), sort_keys=False, allow_unicode=True), encoding="utf-8")
    beside.replace(path)


def _key(entry: Any, where: str) -> Key:
    """Return the key of an entry. Raises SettingError, which never shows the value of `sha256`."""
    if not isinstance(entry, dict) or not set(entry) <= _FIELDS:
        raise SettingError("server.keys", where, f"a mapping of {', '.join(sorted(_FIELDS))} only")
    name, workspace, rights = entry.get("name"), entry.get("workspace", "default"), entry.get("rights")
    if not isinstance(name, str) or not re.fullmatch(r"[\w.@-]{1,100}", name):
        raise SettingError("server.keys", where, "a key with a name of letters, digits, and any of . _ @ -")
    if not isinstance(workspace, str) or not workspace:
        raise SettingError("server.keys", f"workspace of {name}", "the name of a workspace")
    if not isinstance(rights, list) or not rights or not set(map(str, rights)) <= set(RIGHTS):
        raise SettingError("server.keys", f"rights of {name}", f"a list of {', '.join(RIGHTS)}")
    return Key(name, workspace, tuple(map(str, rights)), _digest_of(entry, name))


def _digest_of(entry: dict[str, Any], name: str) -> str:
    variable, digest = entry.get("variable"), entry.get("sha256")
    if (variable is None) == (digest is None):
        raise SettingError("server.keys", name, "a key with either sha256 or variable")
    if variable is not None:
        secret = os.environ.get(str(variable), "")
        if len(secret) < 20:
            raise SettingError(
                "server.keys", name, f"a key of at least 20 characters in the variable {variable}"
            )
        return _digest(secret)
    if not isinstance(digest, str) or not re.fullmatch(r"[0-9a-f]{64}", digest):
        raise SettingError("server.keys", f"sha256 of {name}", "64 hexadecimal digits")
    return digest


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()
