"""How a language model writes an answer: persona, tone, length, layout; how much it reads; and its brief."""

from __future__ import annotations

from dataclasses import dataclass

from onrecord.answer.quotes import CatalogFacts
from onrecord.models.prompts import block, prompt
from onrecord.models.roles import ModelRoles
from onrecord.types import Answer


@dataclass(frozen=True, slots=True)
class Manner:
    """How a language model writes, and how much of the evidence it reads.

    `instructions` come from the operator or from a user on their own machine, never from a recording.
    `markdown` allows headings and bold words. `length` is the approximate number of words. `scores` shows the
    model the scores of sources. `tokens` is the size of the sources in one call: the best sources, or,
    `in_full`, all of them, in several calls if one is not enough.
    """

    instructions: str = ""
    markdown: bool = False
    length: int | None = None
    scores: bool = False
    tokens: int = 4000
    in_full: bool = False

    def prompt(self, name: str, language: str | None) -> str:
        """Return the prompt `name` for answers, with these instructions in it."""
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


@dataclass(frozen=True, slots=True)
class Brief:
    """The brief for a language model that writes an answer.

    `stand_in` is the answer without a model. `facts` are facts of the catalog, which stand first.
    """

    stand_in: Answer
    roles: ModelRoles
    language: str | None
    facts: CatalogFacts | None
    manner: Manner
