"""Removes a model's reasoning from its reply, so that nobody sees or cites it.

Some providers send reasoning in fields of its own, which onrecord does not read. Others send it in the text,
between marks that models were trained to write. Some servers drop the opening mark: then everything before a
closing mark without an opening one is reasoning, too.
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
    """A signal in a stream: all text before it was reasoning."""


RESET = Reset()


def strip_reasoning(pieces: Iterable[str]) -> Iterator[str | Reset]:
    """Yield the pieces of a text without the reasoning; RESET means that all text before was reasoning.

    The result does not depend on how the text is cut into pieces.
    """
    pending, reasoning = "", False
    for piece in pieces:
        pending += piece
        output, pending, reasoning = _split(pending, reasoning, final=False)
        yield from output
    output, pending, reasoning = _split(pending, reasoning, final=True)
    yield from output


def without_reasoning(text: str) -> str:
    """A whole text without the reasoning in it."""
    reply = ""
    for piece in strip_reasoning([text]):
        reply = "" if isinstance(piece, Reset) else reply + piece
    return reply.strip() if reply != text else text


def _split(text: str, reasoning: bool, final: bool) -> tuple[list[str | Reset], str, bool]:
    """Split off the reply; also return the end that waits for more text, and whether it is reasoning."""
    output: list[str | Reset] = []
    at = 0
    while True:
        opening = None if reasoning else _OPEN.search(text, at)
        closing = _CLOSE.search(text, at)
        if not reasoning and closing and (opening is None or closing.start() < opening.start()):
            output, at = [RESET], closing.end()
        elif reasoning and closing:
            at, reasoning = closing.end(), False
        elif opening:
            output += [text[at : opening.start()]]
            at, reasoning = opening.end(), True
        else:
            break
    end = len(text) if final else _possible_mark(text, at)
    if not reasoning and end > at:
        output.append(text[at:end])
    return output, text[end:], reasoning


def _possible_mark(text: str, begin: int) -> int:
    """Where the end of a text begins that could become a mark; the text's length if it could not."""
    for start in _BEGINS.finditer(text, max(begin, len(text) - _LONGEST)):
        if any(mark.startswith(text[start.start() :].lower()) for mark in _MARKS):
            return start.start()
    return len(text)


_MARKS = tuple(
    [f"<{slash}{name}>" for name in _NAMES.split("|") for slash in ("", "/")]
    + ["[think]", "[/think]", "◁think▷", "◁/think▷", "<|end|>"]
    + [f"<|channel|>{name}<|message|>" for name in ("analysis", "commentary", "final")]
)
