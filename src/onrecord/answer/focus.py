"""What a question asks of those it names: "salary" in "What is the salary of Ann Bell?".

That somebody who is named speaks, or is spoken of, does not tell what was asked of them. Where a question
asks for one thing (what is the ..., which ..., who, when, where, how many ...), an answer nearly always has
some of its other words, or others that mean the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from onrecord.answer.about import LOOKED_AT
from onrecord.answer.mentions import asks_where_said
from onrecord.answer.quotes import Quote
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import common, named, stems
from onrecord.stores.words import terms
from onrecord.types import Evidence

_VERB = (
    r"(?:do|does|did|is|are|was|were|has|have|had|can|could|would|should|will|may|might|must|else|about|if|to|"
    r"the|an?|i|you|we|they|he|she|it|come)\b"
)
_ONE_THING = re.compile(
    r"^\W*+(?:(?:and|so|but|for|in|at|by|on|up to|from|since|et|mais|à|dans|de|depuis) )*"
    r"(?:what(?:['\u2019]s| is| was) (?:the|his|her|their|its|your|(?:\S+ )?\S+['\u2019]s)\b|"
    rf"what (?!{_VERB})\w|how (?!{_VERB})\w|"
    r"(?:which|whose|whom?|when(?! \w+ing\b)|where|quel(?:le)?s?|combien|qui|où|quand)\b)",
    re.IGNORECASE,
)
# Words that say what kind of answer is wanted, and that answers do without.
_KIND = re.compile(
    r"\b(?:name|role|position|title|number|amount|term|word|kind|type|sort|share|percentage|rate|level|value|"
    r"cost|decision|conclusion|discussion|opinion|nom|rôle|poste|titre|nombre|montant|part|taux|niveau|valeur|"
    r"coût)s? (?:of|d[eu]s?)\b|"
    r"(?<=['\u2019]s )(?:name|role|position|title)\b|"
    r"^\W*(?:what|which|quel(?:le)?s?) (?:kind|type|sort|share|percentage|sorte|part)s?\b|"
    r"^\W*how (?:much|many|often|long|high|low|large|big|loud|far|deep|wide|fast|soon|tall|hot|cold|heavy|"
    r"small|strong)\b",
    re.IGNORECASE,
)
_TITLE = re.compile(r"^[A-ZÀ-Ý][a-zà-ÿ'\u2019.]*(?:[-'\u2019][A-ZÀ-Ý][a-zà-ÿ]+)*$|^\W*+\d")
"""How names are written, and numbers: "Kelly", "O'Neil", not "HMRC" and "Noisy-ORs"."""
_POSSESSIVE = re.compile("['\u2019]s$")


def focus(evidence: Evidence) -> str:
    """The words of a question for one thing, in order, without the names and the words that only ask; empty
    where it asks for more, or where something is spoken of, or nothing is left."""
    text = " ".join(evidence.question.text.split())
    if not _ONE_THING.match(text) or asks_where_said(text):
        return ""
    names = {term for name in _names(evidence) for term in terms(name)}
    words = [_POSSESSIVE.sub("", word.strip("?!.,")) for word in _KIND.sub(" ", text).split()]
    left = [
        word for word in words if named(word) and not (_TITLE.match(word) or names.issuperset(terms(word)))
    ]
    return " ".join([word for word in left if not common(word)] or left)


def _names(evidence: Evidence) -> Iterator[str]:
    """Of who speaks in the moments that quotes are chosen from, and what filters were read from."""
    for passage in (p for moment in evidence.moments[:LOOKED_AT] for p in moment.passages):
        yield passage.speaker or ""
        yield from (name or "" for _, name in passage.voices)
    if evidence.plan is not None:
        yield from (kept.said for kept in evidence.plan.filters)


def spoken_to(focus: str, quotes: Sequence[Quote], tools: Tools) -> float:
    """How much of a focus quotes speak to, in 0..1: the share of its words that they have, or how near their
    passages are to it. At most one embedding."""
    wanted = stems(focus)
    passages = [passage for quote in quotes for passage in quote.passages]
    share = len(wanted & stems(" ".join(passage.text for passage in passages))) / max(1, len(wanted))
    rows = [passage.row for passage in passages]
    if tools.embedder is None or share == 1 or not rows:
        return share
    vectors = tools.store.vectors(rows)
    cosine = float((vectors @ tools.embedder.embed_query(focus)).max()) if vectors.size else 0.0
    known = tools.embedder.calibration
    near = (cosine - known.floor) / (known.sure - known.floor)
    return max(share, min(near, 1.0))
