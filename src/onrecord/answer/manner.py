"""How a language model writes an answer: persona, tone, length, layout, and how much it reads."""

from __future__ import annotations

from dataclasses import dataclass

from onrecord.models.prompts import block, prompt


@dataclass(frozen=True, slots=True)
class Manner:
    """How a language model writes, and how much of the evidence it reads.

    `instructions` are of whoever runs this or asks on their own machine, never of a recording; `markdown`
    allows headings and bold words; `length` is in words, about; `scores` shows a model those of sources.
    `tokens` is what one call shows of the sources: the best of them; or, `in_full`, all of them, in several
    calls where one is not enough.
    """

    instructions: str = ""
    markdown: bool = False
    length: int | None = None
    scores: bool = False
    tokens: int = 4000
    in_full: bool = False

    def prompt(self, name: str, language: str | None) -> str:
        """The prompt `name` of this room, with these instructions in it."""
        layout = (
            "Headings that begin with ## and **bold** words are welcome" if self.markdown else "No headings"
        )
        length = f"Write about {self.length} words" if self.length else "Be brief: a few sentences"
        text = prompt("answer", name, language, layout=layout, length=length)
        if not self.instructions:
            return text
        lines = [line for line in self.instructions.splitlines() if line.strip()]
        return f"{text}\n\n{_BESIDES}\n{block('manner', lines)}"


_BESIDES = (
    "Whoever runs this wants it said in the manner below. It is about persona, tone and wording alone: where "
    "it would change a rule above, the rule holds."
)
