"""Removes a model's reasoning from its reply, so that nobody sees or cites it.

Some providers send reasoning in separate fields, which onrecord does not read. Others send it in the text,
between marks that models were trained to write. Some servers drop the opening mark. So if a closing mark has
no opening mark, all text before it is reasoning, too.

Nobody knows the marks of all models. So any tag at the very beginning of a reply opens reasoning, if the same
tag is closed before the end; and so does a line such as "Reasoning:", if one such as "Answer:" follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_THOUGHT = r"(?:think|thought|reason|reflect|scratch_?pad|monologue|analysis)"
_SIGNS = r"[|｜]?"
_MESSAGE = r"[^<>]{0,60}(?:<\|constrain\|>[^<>]{0,20})?<\|message\|>"
_MARK = re.compile(
    rf"(?P<final><\|channel\|>final{_MESSAGE}|assistantfinal)"
    rf"|(?P<open><\|channel\|>(?:analysis|commentary){_MESSAGE}|\[THINK\]|◁think▷|<unused94>|<\|inner_prefix\|>"
    rf"|<details\s[^<>]{{0,40}}type=.?reasoning[^<>]{{0,60}}>"
    rf"|<{_SIGNS}(?!end_)[a-z_:]{{0,12}}{_THOUGHT}[a-z_]{{0,12}}(?:\s[^<>]{{0,60}})?{_SIGNS}>"
    rf"|&lt;[a-z_:]{{0,12}}{_THOUGHT}[a-z_]{{0,12}}&gt;"
    rf"|(?P<fenced>(?:`{{3,40}}|~{{3,40}})[ \t]{{0,4}}{_THOUGHT}[a-z_]{{0,12}}[ \t]{{0,4}}\n))"
    rf"|(?P<close>\[/THINK\]|◁/think▷|<unused95>|<\|inner_suffix\|>"
    rf"|<(?:{_SIGNS}/{_SIGNS}|{_SIGNS}end_)[a-z_:]{{0,12}}{_THOUGHT}[a-z_]{{0,12}}\s{{0,4}}{_SIGNS}>"
    rf"|&lt;/[a-z_:]{{0,12}}{_THOUGHT}[a-z_]{{0,12}}&gt;)"
    r"|(?P<fence>`{3,40}|~{3,40})"
    r"|(?P<end><\|end\|>|</details>)"
    r"|(?P<special><[|｜](?!channel\|)[\w▁]{1,30}[|｜]>|</?(?:answer|response|solution|reply|output|final(?:_answer)?)>)",
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
    r"|&(?:l(?:t(?:;/?[a-z_:]{0,40}(?:&(?:g(?:t)?)?)?)?)?)?|(?:`{1,40}|~{1,40})[ \t]{0,4}[a-z_]{0,30}"
    r"[ \t]{0,4}"
    r"|(?:a|as|ass|assi|assis|assist|assista|assistan|assistant|assistantf|assistantfi|assistantfin|assistantfina))\Z",
    re.IGNORECASE,
)
"""The end of a text that may become a mark."""
_LONGEST = 160
"""Most characters of a mark."""
_TAG = re.compile(
    r"(?:<\s{0,3}\|?\s{0,3}(?P<tag>[^\W\d][\w:.-]{0,30})(?:\s[^<>|\n]{0,60})?>"
    r"|\[(?P<bracket>[^\W\d_]{2,20}(?: [^\W\d_]{1,20})?)\])"
)
"""Any tag at the beginning of a reply: ``<plan>``, ``<|channel>``, ``[thinking]``."""
_LAYOUT = frozenset(
    "a abbr b blockquote br center cite code dd del div dl dt em figure font h1 h2 h3 h4 h5 h6 hr i img ins"
    " kbd li mark ol p pre q s section small span strong sub sup table tbody td th thead tr u ul".split()
)
"""Elements of HTML that lay out an answer."""
_TITLE = re.compile(
    r"[#*_>\s]{0,8}(?:[^\W\d_]+(?:['’][^\W\d_]+)?\s){0,5}"
    r"(?:think|thought|reasoning|reflect|scratch_?pad|monologue|analysis)[^\W\d_]*(?:\s[^\W\d_]+){0,2}"
    r"(?:[*_]{0,3}\s?(?::|\.\.\.|…)|[*_]{0,3}\n)",
    re.IGNORECASE,
)
"""A title of reasoning at the beginning of a reply: "Here is my thought process:", "# Reasoning"."""
_NO_TITLE = re.compile(r"(?![<\[`~])[\w\s'’#*_>]*[^\w\s'’#*_>].{3}")
"""A beginning of a reply that no further text turns into a title or a tag."""
_ANSWERS = re.compile(
    r"(?:^[#*_ \t]{0,8}|\bhere(?:['’]s| is) )(?:my |the )?(?:final )?(?:answer|response|reply|réponse)"
    r"[*_]{0,3}(?:\s?:[*_]{0,3}|\n)|(?:\.\.\.|…)\s?done [a-z ]{0,20}\.?",
    re.IGNORECASE | re.MULTILINE,
)
"""The title of the answer after such reasoning: "Here is my response:", "**Answer:**"."""
_FIRST = 120
"""The most characters of a first line that opens reasoning, and of a mark that closes it."""
_BEYOND = 25  # the characters after a closing mark that may belong to it
_TOKENS = 400  # the most characters of control tokens at the end of a reply
_TAGS = re.compile(r"<[^<>]*>?")
_SENTENCE = re.compile(r"[.!?…。！？\n]")


class Reset:
    """A signal in a stream: all text before it was reasoning."""


RESET = Reset()


def strip_reasoning(pieces: Iterable[str]) -> Iterator[str | Reset]:
    """Yield the pieces of a text without the reasoning; RESET means that all text before was reasoning.

    The result does not depend on where the text is cut into pieces.
    """
    pending, reasoning = "", ""
    for piece in _after_opening(pieces):
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


# ---------------------------------------------------------------- unknown marks


@dataclass(frozen=True, slots=True)
class _Opening:
    """An unknown mark at the beginning of a reply, which may open reasoning.

    `mark` is the text to its end, and `closing` ends the reasoning. A `tag` may also enclose the answer.
    """

    mark: str
    closing: re.Pattern[str]
    tag: bool = False

    def answer(self, text: str, rest: Iterator[str]) -> str:
        """Return the reply without its reasoning as soon as this is closed, or else when the reply ends."""
        closed, tried = None, len(self.mark)
        while closed is None or not self._is_decided(text, closed):
            piece = next(rest, None)
            if piece is None:
                break
            text += piece
            closed = self.closing.search(text, closed.start() if closed else tried)
            tried = max(tried, len(text) - _FIRST)
        closed = self.closing.search(text, closed.start() if closed else len(self.mark))
        if closed is None:  # a tag that nothing closes is a token; a title belongs to the answer
            return text[len(self.mark) :] if self.tag and "<" in self.mark else text
        enclosed, after = text[len(self.mark) : closed.start()], text[closed.end() :]
        is_layout = after.lstrip().startswith(self.mark.strip())  # "<item>One.</item><item>Two.</item>"
        is_reasoning = _has_words(text, closed.end()) and _SENTENCE.search(enclosed) and not is_layout
        return after if is_reasoning or not self.tag else enclosed + after

    def _is_decided(self, text: str, closed: re.Match[str]) -> bool:
        """Return whether the text after a closing mark shows its end, and what it closed."""
        after = len(text) - closed.end()
        return after > _BEYOND and (not self.tag or after > _TOKENS or _has_words(text, closed.end()))


def _after_opening(pieces: Iterable[str]) -> Iterator[str]:
    """Yield the pieces of a reply without reasoning that an unknown mark opens at its beginning."""
    rest, text = iter(pieces), ""
    for piece in rest:
        text += piece
        first = text.lstrip()[:_FIRST]
        if len(first) == _FIRST or "\n" in first or _NO_TITLE.match(first):
            break
    begin = len(text) - len(text.lstrip())
    line, end, _ = text[begin : begin + _FIRST].partition("\n")
    opening = _opening(text[:begin], line + end)
    yield text if opening is None else opening.answer(text, rest)
    yield from rest


def _opening(blank: str, line: str) -> _Opening | None:
    """Return the unknown mark that begins a line, the first one of a reply after some white space."""
    if _MARK.match(line):
        return None
    tag = _TAG.match(line)
    if tag and (tag["tag"] or "").lower() not in _LAYOUT:
        name = re.escape(tag["tag"] or tag["bracket"])
        closing = rf"[<\[](?:[|\s]{{0,3}}/[|\s]{{0,3}}|\|?end_){name}\s{{0,3}}\|?[>\]]|<\s?{name}\s?\|>"
        return _Opening(blank + tag[0], re.compile(closing, re.IGNORECASE), tag=True)
    title = None if tag else _TITLE.match(line)
    return _Opening(blank + title[0], _ANSWERS) if title else None


def _has_words(text: str, begin: int) -> bool:
    """Return whether a text goes on from `begin` with more than tags and marks."""
    return re.search(r"\w", _TAGS.sub("", text[begin : begin + _TOKENS])) is not None
