"""Prints the patterns that the package compiles while it reads files and answers questions, as Python text.

`test_patterns.py` runs this file in a fresh process: a cache of an earlier test would hide what is compiled
at run time. Each item is the module, the line, the function of `re` that was called, the pattern and its
flags.
"""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

Used = tuple[str, int, str, "str | bytes", int]

FILES = {
    "quay.html": "<html><style>p {}</style><body><p>Ann Bell: The quay is dry.</p></body></html>",
    "lock.smi": "<SAMI><HEAD><STYLE><!-- .EN {Name: English; lang: en-US;} --></STYLE></HEAD><BODY>"
    "<SYNC Start=1000><P Class=EN>The lock is open.<SYNC Start=3000><P Class=EN>It is shut.</BODY></SAMI>",
    "Ostrava.md": "---\ntitle: Ostrava in May\ndate: 2024-05-02\nlink: https://talks.example/ostrava\n---\n\n"
    "**Ann Bell:** The harbour of Ostrava was closed, because of the ice.\n\n"
    "**Bob Cray:** The chief financial officer decided on it on Monday.\n",
}
QUESTIONS = (
    "What was said in May 2024 of the gate?",
    "What of the ice in Ostrava?",
    "Why was the harbuor closed?",
    "What did the CFO decide?",
    "In https://talks.example/ostrava, who spoke of ice?",
    'speaker:"Ann Bell" What of the harbour?',
    "When was the harbour closed while they were discussing the ice?",
    "Compare Ann Bell and Bob Cray on the harbour",
)


def record() -> dict[Used, None]:
    """Record each pattern given to a function of `re`, also where `re` has it in its cache."""
    used: dict[Used, None] = {}
    compiled = re._compile  # type: ignore[attr-defined]  # what each function of `re` calls

    def recording(pattern: Any, flags: int) -> Any:
        result, function = compiled(pattern, flags), sys._getframe(1)
        caller = function.f_back
        if isinstance(pattern, str | bytes) and function.f_code.co_filename == re.__file__ and caller:
            name = caller.f_globals.get("__name__", "")
            used[name, caller.f_lineno, function.f_code.co_name, pattern, result.flags] = None
        return result

    re._compile = recording  # type: ignore[attr-defined]
    return used


def use(folder: Path) -> None:
    """Read files and ask questions, and call what they do not reach."""
    import onrecord
    from onrecord.models.reasoning import without_reasoning

    for name, text in FILES.items():
        (folder / name).write_text(text)
    with onrecord.open(folder / "a.db", embedding={"model": "hashing"}) as archive:
        archive.add(folder)
        for question in QUESTIONS:
            archive.ask(question)
    without_reasoning("<musing>They may mean the quay.</musing>The quay is dry.")
    with suppress(ImportError):  # an optional dependency
        from onrecord.stores.postgres.server import translate

        translate("CREATE TABLE a (b INTEGER);")


if __name__ == "__main__":
    patterns = record()
    with TemporaryDirectory() as folder:
        use(Path(folder))
    print([each for each in patterns if each[0].startswith("onrecord")])
