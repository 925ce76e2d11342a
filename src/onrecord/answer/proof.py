"""Sentences of a draft held against the sources that they cite, before anybody sees them.

What is wrong for sure (`onrecord.answer.claims.fault`) nothing can change. Whether a sentence says what its
sources say is judged locally, and where that is in doubt by a model in the role "check", if one is there: it
may find it supported, or correct it; a correction has to stand like any other sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pydantic import BaseModel

from onrecord.answer.check import Checker, Support
from onrecord.answer.claims import Claim, claim, fault, strange_names
from onrecord.answer.clauses import TITLES
from onrecord.answer.context import Context, Source
from onrecord.answer.figures import TextContent, content_of, merged
from onrecord.models.prompts import block, prompt
from onrecord.models.roles import ModelRoles
from onrecord.stores.words import fold
from onrecord.types import printable


class Judged(BaseModel, defer_build=True):
    """What the check says of one statement."""

    number: int
    supported: bool
    correction: str = ""


class Verdicts(BaseModel, defer_build=True):
    """What the check says of all statements."""

    verdicts: list[Judged]


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence and what became of it. `verdict` is one of

    - "stands": its sources say it, as far as can be told;
    - "doubtful": they may; it is shown with a mark;
    - "falls": they do not seem to; it is left out;
    - "wrong": it is left out, whatever anybody thinks of its meaning.

    One that states nothing stands without `support`; `doubts` are what of it is said otherwise (see
    `onrecord.answer.grounds`).
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
        """Whether it stands, and no model needs to be asked about it."""
        return self.stands and (self.support is None or self.support.probability >= _SURE)


_SURE = 0.8
"""How likely it is supported, from where on a sentence that stands is not asked about."""
_SAME_ROOT = 4
"""So many letters in common make a name and a word that was said one."""
_NOUNS_LIKE_NAMES = ("de", "lb")  # languages that write all nouns with a capital


class Proof:
    """Judges sentences of an answer in `language` against its sources. `question` may be repeated."""

    def __init__(
        self, context: Context, roles: ModelRoles, checker: Checker, question: str, language: str | None
    ) -> None:
        self.sources = {source.number: source for source in context.sources}
        self._roles, self._checker, self._language = roles, checker, language
        self._asked = content_of([question])

    @cached_property
    def _everything(self) -> TextContent:
        return merged((self._asked, *(source.content for source in self.sources.values())))

    def of(self, sentence: Claim) -> Finding:
        """A sentence judged locally."""
        if sentence.introduces(self._everything):
            return Finding(sentence)
        if fault(sentence, self.sources):
            return Finding(sentence, verdict="wrong")
        support = self._checker.support(sentence.text, sentence.cited)
        cited = [self.sources[n] for n in sentence.cited or self.sources]
        if self._translates(cited):  # words alone cannot tell
            return Finding(sentence, support, "stands" if support.verdict == "stands" else "doubtful")
        content = merged((self._asked, *(source.content for source in cited)))
        if self._language not in _NOUNS_LIKE_NAMES and strange_names(sentence.text, content):
            return Finding(sentence, support, "falls")
        doubts = self._checker.doubts(sentence.text, sentence.cited, self._asked.terms)
        if self._language in _NOUNS_LIKE_NAMES:
            doubts = [doubt for doubt in doubts if doubt != "name"]
        verdict = "doubtful" if doubts and support.verdict == "stands" else support.verdict
        return Finding(sentence, support, verdict, tuple(doubts))

    def _names_strangers(self, sentence: Claim) -> bool:
        """Whether a sentence has a name that stands nowhere, neither in the sources nor in the question.

        Titles and abbreviations may be the model's own, and so may "Norwegian" where Norway was said.
        """
        cited = [self.sources[n] for n in sentence.cited or self.sources]
        if self._language in _NOUNS_LIKE_NAMES or self._translates(cited):
            return False
        begun = {term[:_SAME_ROOT] for term in self._everything.terms}
        strange = [word for word in strange_names(sentence.text, self._everything) if not word.isupper()]
        names = set(map(fold, strange)) - TITLES
        return any(name[:_SAME_ROOT] not in begun for name in names)

    def _translates(self, cited: Sequence[Source]) -> bool:
        """Whether the answer is in another language than all that it cites."""
        spoken = {(source.recording.details.language or "").split("-")[0] for source in cited}
        return bool(self._language) and "" not in spoken and self._language not in spoken

    @property
    def can_refine(self) -> bool:
        """Whether a model may be asked about what is in doubt."""
        return self._roles.is_filled("check") and self._roles.calls_left("check") > 0

    def refined(self, findings: Sequence[Finding]) -> Iterator[Finding]:
        """Those that are not sure as a model decides, in one call for all; or as they were."""
        doubtful = {number: finding for number, finding in enumerate(findings, 1) if not finding.sure}
        judged = self._judged(doubtful) if doubtful and self.can_refine else {}
        for number, finding in enumerate(findings, 1):
            doubted = number in doubtful and number in judged
            yield self._revised(finding, judged[number]) if doubted else finding

    def _judged(self, doubtful: Mapping[int, Finding]) -> dict[int, Judged]:
        wanted = {n for finding in doubtful.values() for n in finding.claim.cited or self.sources}
        shown = Context(tuple(source for n, source in self.sources.items() if n in wanted))
        lines = [
            f"{number}. {finding.claim.text} " + "".join(f"(Source {n})" for n in finding.claim.cited)
            for number, finding in doubtful.items()
        ]
        material = f"{shown}\n\n{block('statements', lines)}"
        verdicts = self._roles.decide("check", prompt("answer", "check"), material, Verdicts)
        return {judged.number: judged for judged in verdicts.verdicts} if verdicts else {}

    def _revised(self, finding: Finding, judged: Judged) -> Finding:
        if judged.supported and finding.verdict != "wrong":
            return finding if self._names_strangers(finding.claim) else replace(finding, verdict="stands")
        corrected = claim(" ".join(printable(judged.correction).split()))
        corrected = replace(corrected, lead=finding.claim.lead)
        again = self.of(corrected)
        if again.stands and again.support:
            return again
        return finding if finding.verdict == "wrong" else replace(finding, verdict="falls")
