"""Checks of a draft's sentences against the sources that they cite, before anybody sees them.

A sentence with a certain fault (`onrecord.answer.claims.claim_fault`) never stands; a model may only correct
it. Whether any other sentence says what its sources say is judged locally. If that is in doubt, a model in
the role "check" decides, if there is one. It may call the sentence supported or correct it. A correction has
to be one sentence that passes the same checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pydantic import BaseModel

from onrecord.answer.check import Checker, Support
from onrecord.answer.claims import Claim, claim, claim_fault, is_of_answer, strange_names
from onrecord.answer.clauses import TITLES
from onrecord.answer.context import Context, Source
from onrecord.answer.draft_sentences import split_stream
from onrecord.answer.figures import TextContent, content_of, merged
from onrecord.models.prompts import block, prompt
from onrecord.models.reasoning import without_reasoning
from onrecord.models.roles import ModelRoles
from onrecord.stores.words import fold, terms
from onrecord.types import printable


class StatementVerdict(BaseModel, defer_build=True):
    """What the check says of one statement."""

    number: int
    supported: bool
    correction: str = ""


class Verdicts(BaseModel, defer_build=True):
    """What the check says of all statements."""

    verdicts: list[StatementVerdict]


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence and the verdict on it. `verdict` is one of

    - "stands": its sources say it, as far as can be judged;
    - "doubtful": its sources may say it; it is shown with a mark;
    - "falls": its sources do not seem to say it; it is left out;
    - "wrong": it has a certain fault; it is left out, even if a model calls it supported.

    A sentence that states nothing stands without `support`. `doubts` are the parts of it that the sources
    state differently (see `onrecord.answer.grounds`).
    """

    claim: Claim
    support: Support | None = None
    verdict: str = "stands"
    doubts: tuple[str, ...] = ()

    @property
    def stands(self) -> bool:
        return self.verdict == "stands"

    @property
    def sure(self) -> bool:
        """Whether the sentence stands and no model needs to be asked about it."""
        return self.stands and (self.support is None or self.support.probability >= _SURE)


_SURE = 0.8
"""The least probability of support from which a standing sentence is not checked by a model."""
_NOUNS_LIKE_NAMES = ("de", "lb")  # languages that write all nouns with a capital


class Proof:
    """A judge of the sentences of an answer in `language` against its sources.

    A sentence may also repeat words of the `question`.
    """

    def __init__(
        self, context: Context, roles: ModelRoles, checker: Checker, question: str, language: str | None
    ) -> None:
        self.sources = {source.number: source for source in context.sources}
        self._roles, self._checker, self._language = roles, checker, language
        self._asked = content_of([question])

    @cached_property
    def _everything(self) -> TextContent:
        return merged((self._asked, *(source.content for source in self.sources.values())))

    @cached_property
    def _spoken(self) -> frozenset[str]:
        """The terms of all sources, without those of the question."""
        return merged(source.content for source in self.sources.values()).terms

    def of(self, sentence: Claim) -> Finding:
        """Judge a sentence locally."""
        if sentence.introduces(self._everything) and {"name"}.issuperset(self._doubts(sentence.text)):
            return Finding(sentence)  # an introduction may name anybody who speaks in what follows
        if claim_fault(sentence, self.sources):
            return Finding(sentence, verdict="wrong")
        support = self._checker.support(sentence.text, sentence.cited)
        cited = [self.sources[n] for n in sentence.cited or self.sources]
        if self._translates(sentence, cited):  # words alone cannot refute a translation
            return Finding(sentence, support, "stands" if support.verdict == "stands" else "doubtful")
        content = merged((self._asked, *(source.content for source in cited)))
        if self._language not in _NOUNS_LIKE_NAMES and strange_names(sentence.text, content):
            return Finding(sentence, support, "falls")
        doubts = self._doubts(sentence.text, sentence.cited)
        verdict = "doubtful" if doubts and support.verdict == "stands" else support.verdict
        return Finding(sentence, support, verdict, doubts)

    def _doubts(self, text: str, cited: Sequence[int] = ()) -> tuple[str, ...]:
        """Return which parts of a sentence the cited sources, or else all sources, state differently."""
        doubts = self._checker.doubts(text, cited, self._asked.terms)
        ignored = "name" if self._language in _NOUNS_LIKE_NAMES else ""
        return tuple(doubt for doubt in doubts if doubt != ignored)

    def _names_strangers(self, sentence: Claim) -> bool:
        """Return whether a sentence has a name that stands neither in the sources nor in the question.

        Titles and abbreviations may be the model's own.
        """
        cited = [self.sources[n] for n in sentence.cited or self.sources]
        if self._language in _NOUNS_LIKE_NAMES or self._translates(sentence, cited):
            return False
        strange = [word for word in strange_names(sentence.text, self._everything) if not word.isupper()]
        return not TITLES.issuperset(map(fold, strange))

    def _translates(self, sentence: Claim, cited: Sequence[Source]) -> bool:
        """Return whether a sentence is in another language than all of the sources that it cites.

        A model may write in the language of the sources, whatever it was asked for. Then they have most of
        the sentence's small words. Names and figures are the same in many languages.
        """
        spoken = {source.recording.details.language_code for source in cited}
        if not self._language or "" in spoken or self._language in spoken:
            return False
        small = terms(" ".join(word for word in sentence.text.split() if word.islower()))
        return 2 * sum(word in self._spoken for word in small) <= len(small)

    @property
    def can_refine(self) -> bool:
        """Whether a model may be asked about sentences in doubt."""
        return self._roles.is_filled("check") and self._roles.calls_left("check") > 0

    def refined(self, findings: Sequence[Finding]) -> Iterator[Finding]:
        """Yield the findings, with the doubtful ones revised by a model in one call, if one is available."""
        doubtful = {number: finding for number, finding in enumerate(findings, 1) if not finding.sure}
        judged = self._judged(doubtful) if doubtful and self.can_refine else {}
        for number, finding in enumerate(findings, 1):
            doubted = number in doubtful and number in judged
            yield self._revised(finding, judged[number]) if doubted else finding

    def _judged(self, doubtful: Mapping[int, Finding]) -> dict[int, StatementVerdict]:
        wanted = {n for finding in doubtful.values() for n in finding.claim.cited or self.sources}
        shown = Context(tuple(source for n, source in self.sources.items() if n in wanted))
        lines = [
            f"{number}. {finding.claim.text} " + "".join(f"(Source {n})" for n in finding.claim.cited)
            for number, finding in doubtful.items()
        ]
        material = f"{shown}\n\n{block('statements', lines)}"
        verdicts = self._roles.decide("check", prompt("answer", "check"), material, Verdicts)
        return {judged.number: judged for judged in verdicts.verdicts} if verdicts else {}

    def _revised(self, finding: Finding, judged: StatementVerdict) -> Finding:
        if judged.supported and finding.verdict != "wrong":
            return finding if self._names_strangers(finding.claim) else replace(finding, verdict="stands")
        correction = printable(without_reasoning(judged.correction)).strip()
        sentences = list(split_stream([correction]))
        if len(sentences) == 1 and is_of_answer(correction):
            corrected = claim(" ".join(correction.split()))
            again = self.of(replace(corrected, lead=finding.claim.lead))
            if again.stands and again.support:
                return again
        return finding if finding.verdict == "wrong" else replace(finding, verdict="falls")
