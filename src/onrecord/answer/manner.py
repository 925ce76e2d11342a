"""The manner in which a written answer is wanted: who speaks, in which tone, how long, how it is laid out."""

from __future__ import annotations

from dataclasses import dataclass

from onrecord.models.prompts import block, prompt


@dataclass(frozen=True, slots=True)
class Manner:
    """`instructions` are of whoever runs this or asks on their own machine, never of a recording; `markdown`
    allows headings and bold words; `length` is in words, about; `scores` shows a model those of sources."""

    instructions: str = ""
    markdown: bool = False
    length: int | None = None
    scores: bool = False

    def prompt(self, name: str, language: str | None) -> str:
        """The instructions `name` of this room, with this manner in them."""
        layout = (
            "Headings that begin with ## and **bold** words are welcome" if self.markdown else "No headings"
        )
        length = f"Write about {self.length} words" if self.length else "Be brief: a few sentences"
        told = prompt("answer", name, language, layout=layout, length=length)
        if not self.instructions:
            return told
        lines = [line for line in self.instructions.splitlines() if line.strip()]
        return f"{told}\n\n{_BESIDES}\n{block('manner', lines)}"


_BESIDES = (
    "Whoever runs this wants it said in the manner below. It is about persona, tone and wording alone: where "
    "it would change a rule above, the rule holds."
)
