"""The form in which an answer is wanted: what whoever asks says of it, else the settings."""

from __future__ import annotations

from dataclasses import dataclass

from onrecord.answer.extract import Extractive
from onrecord.answer.formed import Look
from onrecord.answer.manner import Manner
from onrecord.answer.write import Room
from onrecord.settings import Settings
from onrecord.settings.groups import AnswerSettings, Llm
from onrecord.settings.loading import checked_group
from onrecord.types import Form


@dataclass(frozen=True, slots=True)
class Wanted:
    """How one question is answered: `answer` and `llm` are the settings with the form over them."""

    settings: Settings
    answer: AnswerSettings
    llm: Llm

    @classmethod
    def of(cls, settings: Settings, form: Form | None) -> Wanted:
        """Raises SettingError for a form with a value that the setting of that name may not have."""
        form = form or Form()
        answer = {name: getattr(form, name) for name in ("style", "context", "quotes", "words")}
        llm = {name: getattr(form, name) for name in ("temperature", "instructions", "length")}
        return cls(
            settings,
            checked_group("answer", settings.answer, answer),
            checked_group("llm", settings.llm, llm),
        )

    @property
    def look(self) -> Look:
        """What is done to the pieces of the answer as they come."""
        budgets, rerank = self.settings.budgets.model_dump(), self.settings.rerank.milliseconds
        seconds = {name: value / 1000 for name, value in {**budgets, "rerank": rerank}.items()}
        return Look(self.answer.style, self.answer.context, self.answer.suggestions, seconds)

    def room(self, whole: bool) -> Room:
        """How much a language model is shown: the best, or all of it, part by part where it must be."""
        llm = self.llm
        manner = Manner(llm.instructions, llm.markdown, llm.length, self.answer.scores)
        if whole:
            return Room(max(llm.window, self.answer.tokens), whole=True, manner=manner)
        return Room(self.answer.tokens, manner=manner)

    def extractive(self, outline: bool, whole: bool = False) -> Extractive:
        """Who writes without a language model."""
        limits = self.answer
        if outline:
            return Extractive(limits.outline_quotes, limits.outline_words, outline=True, whole=whole)
        return Extractive(quotes=limits.quotes, words=limits.words, answered=self.settings.reader.answered)
