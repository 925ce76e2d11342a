"""Links that open a recording at a timestamp.

Details are untrusted. A result is None, an http(s) address without user name or password, a ``file:///``
address of an audio or video file, or a relative path to one, in printable ASCII without spaces, quotes or
angle brackets. Nothing is fetched, and no file is read.

A link may be a template for any player: ``{seconds}`` stands for whole seconds, ``{ms}`` for milliseconds and
``{hms}`` for hours, minutes and seconds (``1:02:03``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TypeGuard
from urllib.parse import SplitResult, quote, urlsplit

from onrecord.ingest.details import MEDIA
from onrecord.types import clock

_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_DRIVE = re.compile(r"[a-zA-Z]:[\\/]")
_TEMPLATE = re.compile(r"\{(seconds|ms|hms)\}")
_YOUTUBE_ID = re.compile(r"[A-Za-z0-9_-]{6,20}")
_URL_SAFE = "!#$%&()*+,-./:;=?@_~[]"  # reserved characters keep their meaning, "%" its encoding


def deep_link(link: str | None, media: str | None, seconds: float | None) -> str | None:
    """Return the address that opens a recording at `seconds`, rounded down so that no word is missed.

    Args:
        link: where people watch or listen: a page, a known player, or a template.
        media: an audio or video address or file, used if there is no usable link.
        seconds: from the start; None (or not a number) opens the recording at its beginning.

    Returns:
        None if neither `link` nor `media` may be shown.
    """
    at = max(0.0, seconds) if seconds is not None and math.isfinite(seconds) else None
    for target in (link, media):
        address = _link_at(target.strip(), at) if target else None
        if address is not None:
            return address
    return None


def is_web_link(link: str | None) -> TypeGuard[str]:
    """Return whether a result of `deep_link` is an address on the web, as opposed to a file or nothing."""
    return link is not None and link.startswith(("https://", "http://"))


def _link_at(place: str, at: float | None) -> str | None:
    if not place or any(ord(c) < 32 or ord(c) == 127 for c in place):
        return None
    scheme = _SCHEME.match(place)
    if _DRIVE.match(place):
        return _file_link("/" + place.replace("\\", "/"), at, prefix="file://")
    if scheme is None:
        return _file_link(place, at, prefix="file://" if place.startswith("/") else "")
    if scheme[1].lower() == "file":
        return _file_url_link(place, at)
    return _web_link(place, at) if scheme[1].lower() in ("http", "https") else None


def canonical_address(address: str) -> str | None:
    """Return one form for all addresses of a recording; None for a text that is not a web address.

    ``youtu.be/ID?t=90`` and ``https://www.youtube.com/embed/ID`` have the same form, because they open the
    same video.
    """
    place = address.strip()
    parts = _split(place if _SCHEME.match(place) else f"https://{place}")
    if parts is None or parts.scheme.lower() not in ("http", "https") or not parts.hostname:
        return None
    host = parts.hostname.lower().rstrip(".").removeprefix("www.").removeprefix("m.")
    folders = [folder for folder in parts.path.split("/") if folder]
    video = _video_name(host, folders, parts.query)
    if video:
        return video
    if host == "overcast.fm":  # the second folder of the path is a time
        folders = folders[:1]
    fields = (field for field in parts.query.split("&") if field)
    query = sorted(f for f in fields if not _START_FIELD.match(f) and not _TEMPLATE.search(f))
    page = "" if not parts.fragment or parts.fragment.startswith("t=") else f"#{parts.fragment}"
    return f"{host}/{'/'.join(folders)}{'?' if query else ''}{'&'.join(query)}{page}"


_START_FIELD = re.compile(r"(?:t|start|time|time_continue|si|feature|utm_\w+)=")
"""Query fields of an address that set the start time or identify who shared it."""


def _video_name(host: str, folders: list[str], query: str) -> str | None:
    """Return a canonical name of a video at YouTube or Vimeo, or None."""
    domain = ".".join(host.split(".")[-2:])
    if domain == "vimeo.com":
        return next((f"vimeo:{folder}" for folder in folders if folder.isdigit()), None)
    if domain == "youtu.be":
        name = folders[0] if folders else ""
    elif domain in ("youtube.com", "youtube-nocookie.com"):
        fields = dict(field.partition("=")[::2] for field in query.split("&"))
        path_name = folders[1] if len(folders) > 1 and folders[0] in ("embed", "shorts", "live", "v") else ""
        name = fields.get("v", "") if folders[:1] == ["watch"] else path_name
    else:
        return None
    return f"youtube:{name}" if _YOUTUBE_ID.fullmatch(name) else None


# ---------------------------------------------------------------- files


def _file_link(path: str, at: float | None, prefix: str) -> str | None:
    """Link to a path on disk. Only audio and video files are allowed: a click must not start a program."""
    elsewhere = path.startswith(("//", "\\"))  # a path on another host
    if elsewhere or not path.lower().endswith(MEDIA):
        return None
    drive = 3 if prefix and _DRIVE.match(path[1:]) else 0
    return prefix + path[:drive] + quote(path[drive:], safe="/", errors="replace") + _fragment(at)


def _file_url_link(place: str, at: float | None) -> str | None:
    parts = _split(place)
    if parts is None or parts.netloc not in ("", "localhost") or parts.path.startswith("//"):
        return None
    if not parts.path.startswith("/") or not parts.path.lower().endswith(MEDIA):
        return None
    return "file://" + _ascii(parts.path) + _fragment(at)


def _fragment(at: float | None) -> str:
    """Return the time as a W3C Media Fragment: https://www.w3.org/TR/media-frags/."""
    return "" if at is None else f"#t={int(at)}"


# ---------------------------------------------------------------- the web


def _web_link(place: str, at: float | None) -> str | None:
    template = _TEMPLATE.search(place)
    if template:
        place = _TEMPLATE.sub(lambda m: _TIMES[m[1]](at or 0.0), place)
    parts = _split(place)
    if parts is None or not parts.hostname or "@" in parts.netloc or "\\" in place:
        return None
    if not template and at is not None:
        parts = _player(parts)(parts, int(at))
    return _ascii(parts.geturl())


def _split(place: str) -> SplitResult | None:
    try:
        parts = urlsplit(place)
        _ = parts.port  # raises where it is no number
    except ValueError:
        return None
    return parts


def _ascii(address: str) -> str:
    return quote(address, safe=_URL_SAFE, errors="replace")


_TIMES: dict[str, Callable[[float], str]] = {
    "seconds": lambda at: str(int(at)),
    "ms": lambda at: str(int(at * 1000)),
    "hms": lambda at: f"{int(at) // 3600}:{int(at) // 60 % 60:02}:{int(at) % 60:02}",
}


# ---------------------------------------------------------------- players

Player = Callable[[SplitResult, int], SplitResult]


def _player(parts: SplitResult) -> Player:
    """Return the rule of a host, or of the nearest domain above it. Media files need no rule."""
    if parts.path.lower().endswith(MEDIA):
        return _page
    labels = (parts.hostname or "").rstrip(".").split(".")
    for i in range(len(labels) - 1):
        rule = _PLAYERS.get(".".join(labels[i:]))
        if rule is not None:
            return rule
    return _page


def _page(parts: SplitResult, at: int) -> SplitResult:
    """Add a media fragment to the address of any other page or file, unless it has a fragment."""
    mine = not parts.fragment or parts.fragment.startswith("t=")
    return parts._replace(fragment=f"t={at}") if mine else parts


def _query(key: str, *others: str, form: Callable[[int], str] = str) -> Player:
    """Return a rule that sets the query field `key` to the second.

    The fields `others` have the same meaning and are dropped.
    """

    def player(parts: SplitResult, at: int) -> SplitResult:
        stale = {key, *others}
        fields = [p for p in parts.query.split("&") if p and p.partition("=")[0] not in stale]
        fragment = "" if parts.fragment.startswith("t=") else parts.fragment
        return parts._replace(query="&".join([*fields, f"{key}={form(at)}"]), fragment=fragment)

    return player


def _youtube(parts: SplitResult, at: int) -> SplitResult:
    """Add `t` to watch, live and youtu.be addresses; embed and shorts become watch, which accepts it."""
    short = (parts.hostname or "").endswith("youtu.be")
    folders = [f for f in parts.path.split("/") if f]
    if folders[:1] in (["embed"], ["shorts"]) and len(folders) == 2 and _YOUTUBE_ID.fullmatch(folders[1]):
        query = "&".join(p for p in (f"v={folders[1]}", parts.query) if p)
        parts = parts._replace(netloc="www.youtube.com", path="/watch", query=query)
    elif not (folders and (short or folders[0] in ("watch", "live"))):
        return parts  # a channel or a playlist has no seconds
    return _query("t", "start", "time_continue")(parts, at)


def _overcast(parts: SplitResult, at: int) -> SplitResult:
    """Return https://overcast.fm/+EPISODE/12:34."""
    folders = [f for f in parts.path.split("/") if f]
    if not folders or not folders[0].startswith("+"):
        return parts
    return parts._replace(path=f"/{folders[0]}/{clock(at)}")


_PLAYERS: dict[str, Player] = {
    "archive.org": _query("start"),
    "dailymotion.com": _query("start"),
    "loom.com": _query("t"),
    "open.spotify.com": _query("t"),
    "overcast.fm": _overcast,
    "pca.st": _query("t"),
    "podcasts.apple.com": _query("t"),
    "soundcloud.com": lambda parts, at: parts._replace(fragment=f"t={clock(at)}"),
    "twitch.tv": _query("t", form=lambda at: f"{at // 3600}h{at // 60 % 60}m{at % 60}s"),
    "vimeo.com": lambda parts, at: parts._replace(fragment=f"t={at}s"),
    "youtu.be": _youtube,
    "youtube-nocookie.com": _youtube,
    "youtube.com": _youtube,
}
