"""What a model thinks before it speaks, taken out of what it says: nobody is shown it, nothing cites it.

Providers that part the two send thinking in fields of its own, which nobody reads. Others send it in the
text, between marks that models were trained to write. Some servers take the first mark away, and the text
begins in the middle of a thought: what stands before a second mark without a first is no answer either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_NAMES = "think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad"
_OPEN = re.compile(
    rf"<(?:{_NAMES})>|\[THINK\]|◁think▷|<\|channel\|>(?:analysis|commentary)<\|message\|>", re.IGNORECASE
)
_CLOSE = re.compile(
    rf"</(?:{_NAMES})>|\[/THINK\]|◁/think▷|<\|end\|>|<\|channel\|>final<\|message\|>", re.IGNORECASE
)
_BEGINS = re.compile(r"[<\[◁]")
_LONGEST = 40
"""Characters of a mark at most."""


class Reset:
    """What was said so far was thought, and not said."""


RESET = Reset()


def strip_reasoning(pieces: Iterable[str]) -> Iterator[str | Reset]:
    """The pieces of a text without what is thought in between; RESET where all before was thought, too. How
    the text is cut into pieces makes no difference to what is left of it."""
    waiting, thinking = "", False
    for piece in pieces:
        waiting += piece
        said, waiting, thinking = _parted(waiting, thinking, final=False)
        yield from said
    said, waiting, thinking = _parted(waiting, thinking, final=True)
    yield from said


def without_reasoning(text: str) -> str:
    """A whole text without what is thought in it."""
    said = ""
    for piece in strip_reasoning([text]):
        said = "" if isinstance(piece, Reset) else said + piece
    return said.strip() if said != text else text


def _parted(text: str, thinking: bool, final: bool) -> tuple[list[str | Reset], str, bool]:
    """What a text says, what of it is to be looked at with what comes next, and whether that is thought."""
    said: list[str | Reset] = []
    at = 0
    while True:
        opened = None if thinking else _OPEN.search(text, at)
        closed = _CLOSE.search(text, at)
        if not thinking and closed and (opened is None or closed.start() < opened.start()):
            said, at = [RESET], closed.end()
        elif thinking and closed:
            at, thinking = closed.end(), False
        elif opened:
            said += [text[at : opened.start()]]
            at, thinking = opened.end(), True
        else:
            break
    end = len(text) if final else _undecided(text, at)
    if not thinking and end > at:
        said.append(text[at:end])
    return said, text[end:], thinking


def _undecided(text: str, begin: int) -> int:
    """Where the last of a text begins that more could make a mark of; its end where nothing could."""
    for mark in _BEGINS.finditer(text, max(begin, len(text) - _LONGEST)):
        if _may_become_a_mark(text[mark.start() :].lower()):
            return mark.start()
    return len(text)


_MARKS = tuple(
    [f"<{slash}{name}>" for name in _NAMES.split("|") for slash in ("", "/")]
    + ["[think]", "[/think]", "◁think▷", "◁/think▷", "<|end|>"]
    + [f"<|channel|>{name}<|message|>" for name in ("analysis", "commentary", "final")]
)


def _may_become_a_mark(text: str) -> bool:
    return any(mark.startswith(text) for mark in _MARKS)
