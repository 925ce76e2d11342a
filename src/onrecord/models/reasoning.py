"""Removes a model's reasoning from its reply, so that nobody sees or cites it.

Some providers send reasoning in separate fields, which onrecord does not read. Others send it in the text,
between marks that models were trained to write. Some servers drop the opening mark. So if a closing mark has
no opening mark, all text before it is reasoning, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_THOUGHT = r"(?:think|thought|reason|reflect|scratch_?pad|monologue|analysis)"
_SIGNS = r"[|｜]?"
_MESSAGE = r"[^<>]{0,60}(?:<\|constrain\|>[^<>]{0,20})?<\|message\|>"
_MARK = re.compile(
    rf"(?P<final><\|channel\|>final{_MESSAGE}|assistantfinal)"
    rf"|(?P<open><\|channel\|>(?:analysis|commentary){_MESSAGE}|\[THINK\]|◁think▷|<unused94>|<\|inner_prefix\|>"
    rf"|<details\s[^<>]{{0,40}}type=.?reasoning[^<>]{{0,60}}>"
    rf"|<{_SIGNS}(?!end_)[a-z_:]{{0,12}}{_THOUGHT}[a-z_]{{0,12}}(?:\s[^<>]{{0,60}})?{_SIGNS}>"
    rf"|&lt;[a-z_:]{{0,12}}{_THOUGHT}[a-z_]{{0,12}}&gt;"
    rf"|(?P<fenced>`{{3,40}}[ \t]{{0,4}}{_THOUGHT}[a-z_]{{0,12}}[ \t]{{0,4}}\n))"
    rf"|(?P<close>\[/THINK\]|◁/think▷|<unused95>|<\|inner_suffix\|>"
    rf"|<(?:{_SIGNS}/{_SIGNS}|{_SIGNS}end_)[a-z_:]{{0,12}}{_THOUGHT}[a-z_]{{0,12}}\s{{0,4}}{_SIGNS}>"
    rf"|&lt;/[a-z_:]{{0,12}}{_THOUGHT}[a-z_]{{0,12}}&gt;)"
    r"|(?P<fence>`{3,40})"
    r"|(?P<end><\|end\|>|</details>)"
    r"|(?P<special><[|｜](?!channel\|)[\w▁]{1,30}[|｜]>|</?(?:answer|response|solution)>)",
    re.IGNORECASE,
)
"""Reasoning marks that models are trained to write, grouped by their effect.

`final` and `close` end the reasoning; without an opening mark, all text before them was reasoning. `end` ends
reasoning that an opening mark began. `special` is a mark that users must not see. `fence` ends only reasoning
that `fenced` opened; elsewhere it stays in the text.
"""
_PARTIAL = re.compile(
    r"(?:<[/|｜]{0,3}(?:[\w:▁]{1,40}(?:\s[^<>]{0,100}|[|｜]?))?|<\|channel\|>[^<>]{0,60}"
    r"(?:<\|constrain\|>[^<>]{0,20})?(?:<[|a-z]{0,12})?|\[/?[a-z]{0,5}|◁/?[a-z]{0,5}"
    r"|&(?:l(?:t(?:;/?[a-z_:]{0,40}(?:&(?:g(?:t)?)?)?)?)?)?|`{1,40}[ \t]{0,4}[a-z_]{0,30}[ \t]{0,4}"
    r"|(?:a|as|ass|assi|assis|assist|assista|assistan|assistant|assistantf|assistantfi|assistantfin|assistantfina))\Z",
    re.IGNORECASE,
)
"""The end of a text that may become a mark."""
_LONGEST = 160
"""Most characters of a mark."""


class Reset:
    """A signal in a stream: all text before it was reasoning."""


RESET = Reset()


def strip_reasoning(pieces: Iterable[str]) -> Iterator[str | Reset]:
    """Yield the pieces of a text without the reasoning; RESET means that all text before was reasoning.

    The result does not depend on where the text is cut into pieces.
    """
    pending, reasoning = "", ""
    for piece in pieces:
        pending += piece
        output, pending, reasoning = _split(pending, reasoning, final=False)
        yield from output
    output, pending, reasoning = _split(pending, reasoning, final=True)
    yield from output


def without_reasoning(text: str) -> str:
    """Return a complete text without the reasoning in it."""
    reply = ""
    for piece in strip_reasoning([text]):
        reply = "" if isinstance(piece, Reset) else reply + piece
    return reply.strip() if reply != text else text


def _split(text: str, reasoning: str, final: bool) -> tuple[list[str | Reset], str, str]:
    """Split off the reply. Also return the end that waits for more text, and the state of the reasoning.

    `reasoning` is "marked" or "fenced" by its opening mark, and empty outside reasoning.
    """
    output: list[str | Reset] = []
    at = 0
    partial = None if final else _PARTIAL.search(text, max(0, len(text) - _LONGEST))
    end = partial.start() if partial else len(text)
    for mark in _MARK.finditer(text, 0, end):
        is_of_fence = bool(mark["fence"])
        # skip a code fence outside fenced reasoning, and any other mark inside it
        if is_of_fence != (reasoning == "fenced"):
            continue
        if not reasoning:
            output.append(text[at : mark.start()])
        at = mark.end()
        if mark["open"]:
            reasoning = reasoning or ("fenced" if mark["fenced"] else "marked")
        elif not reasoning and (mark["final"] or mark["close"]):
            output = [RESET]
        elif not mark["special"]:
            reasoning = ""
    if not reasoning and end > at:
        output.append(text[at:end])
    return [piece for piece in output if piece], text[max(at, end) :], reasoning
