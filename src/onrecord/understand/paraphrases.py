"""The kind of a question by its meaning, where its form says too little.

`onrecord.understand.intents` compares the forms of questions. A paraphrase has words that no example has
("the gist of ...", "who did most of the talking"), so it is compared by meaning as well: the question is
embedded with plain words in place of what it mentions, and so are the examples. `scripts/intent_vectors`
makes the vectors of the examples with the embedded model. They are used with that model alone: cosines of
another one mean something else.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from onrecord.errors import ModelError
from onrecord.models.base import Embedder
from onrecord.understand.intents import (
    BRACES,
    COURTESY,
    DATE,
    KEY,
    PERSON,
    SIGNS,
    SUBJECT,
    WHERE,
    Guess,
    Shape,
    example_words,
    kinds,
    shape_of_example,
    sign_of,
)
from onrecord.understand.lexicon import DATA, lexicon, read_derived
from onrecord.understand.mentions import Linked, Mention

if TYPE_CHECKING:
    from onrecord.types import Vectors

VECTORS = DATA / "intent_vectors.npz"
LEAST, AHEAD, FORM = 0.7, 0.07, 0.25
"""The least score of the nearest kind; how far it must be ahead of the next one; what likeness of form adds
to the cosine. Chosen on the examples, each compared with the others."""
BY_MEANING = 0.8
"""The likeness of a kind that was told by meaning."""
_ALIKE = {"overview": "summary", "one_line": "search", "definition": "search", "causal": "search"}
"""Kinds that need not be told apart, by the one that stands for both."""
_NOT_BY_MEANING = (*COURTESY, "followup", "values")
_STAND_INS = {
    PERSON: ("Anna", "Ben", "Carl"),
    WHERE: ("the episode",),
    DATE: ("March",),
    KEY: ("topics",),
    SUBJECT: ("something", "something else"),
}
_MOST_SUBJECTS = 2
_LONGEST = 40
"""Words of a question that is still compared: who says more tells a story."""


@dataclass(frozen=True, slots=True, eq=False)
class Meanings:
    """Examples with their kinds, their unit vectors of shape (examples, dimensions), and all their words."""

    kinds: Sequence[str]
    texts: Sequence[str]
    vectors: Vectors
    words: frozenset[str]


def kind_by_meaning(linked: Linked, shape: Shape, embedder: Embedder) -> tuple[Guess, Shape] | None:
    """The kind of a question, and the shape of the example that it is read as; None where no kind is near
    enough, or the embedder is not the one whose vectors are stored."""
    meanings = stored_meanings(embedder.fingerprint)
    if meanings is None or not 0 < len(linked.tokens) <= _LONGEST:
        return None
    question, subjects = plain_question(linked, meanings.words)
    if subjects > _MOST_SUBJECTS:
        return None
    try:
        cosines = meanings.vectors @ embedder.embed_query(question)
    except ModelError:
        return None
    best = _best_kind(meanings, cosines, kinds().near(shape))
    example = _nearest(meanings, cosines, best.kind, subjects) if best else None
    return (best, shape_of_example(example)) if best and example else None


def _best_kind(meanings: Meanings, cosines: Vectors, forms: Mapping[str, float]) -> Guess | None:
    scores: defaultdict[str, float] = defaultdict(float)
    for kind, cosine in zip(meanings.kinds, cosines.tolist(), strict=True):
        scores[kind] = max(scores[kind], cosine + FORM * forms.get(kind, 0.0))
    kind = max(scores, key=scores.__getitem__)
    others = (score for other, score in scores.items() if _group(other) != _group(kind))
    margin = scores[kind] - max(others, default=0.0)
    is_sure = scores[kind] >= LEAST and margin >= AHEAD and _group(kind) != "search"
    return Guess(kind, BY_MEANING, margin) if is_sure else None


def _group(kind: str) -> str:
    return _ALIKE.get(kind, kind)


def _nearest(meanings: Meanings, cosines: Vectors, kind: str, subjects: int) -> str | None:
    """The nearest example of a kind, if it has as many subjects as the question: who names more than is asked
    for in examples asks for something else."""
    of_kind = [number for number, other in enumerate(meanings.kinds) if _group(other) == _group(kind)]
    text = meanings.texts[max(of_kind, key=lambda number: float(cosines[number]))]
    return text if text.count("{x}") == subjects else None


# ---------------------------------------------------------------- plain words for what is mentioned


def plain_question(linked: Linked, words: Collection[str]) -> tuple[str, int]:
    """A question with plain words in place of the people, places and dates that it mentions, and of its
    subjects, which are not among the `words` of the examples; and how many subjects it has."""
    text, stand_in = linked.text, _stand_ins()
    pieces: list[str] = []
    at, sign_before, subjects = 0, "", 0
    for place, token in enumerate(linked.tokens):
        mention = linked.at.get(place)
        if mention is None:
            sign = "" if token.word in words else SUBJECT
        else:
            sign = "" if _is_plain(mention, linked) else sign_of(mention.field)
        if sign and (sign != sign_before or (mention and mention.first == place)):
            pieces += (text[at : token.begin], stand_in(sign))
            subjects += sign == SUBJECT
        if sign:
            at = token.end
        sign_before = sign
    return "".join((*pieces, text[at:])), subjects


def plain_example(text: str) -> str:
    """An example with plain words in place of its braces."""
    stand_in = _stand_ins()
    return BRACES.sub(lambda braces: stand_in(SIGNS[braces[1]]), text)


def _stand_ins() -> Callable[[str], str]:
    """What gives the plain word for a sign; of people and subjects another one each time."""
    used: defaultdict[str, int] = defaultdict(int)

    def stand_in(sign: str) -> str:
        of_sign = _STAND_INS.get(sign, ("it",))
        used[sign] += 1
        return of_sign[min(used[sign], len(of_sign)) - 1]

    return stand_in


def _is_plain(mention: Mention, linked: Linked) -> bool:
    """Whether a mention has plain words itself: "the host", "the latest episode"."""
    first = linked.tokens[mention.first].word
    return mention.field == "role" or any(first in words for words in lexicon().ends.values())


# ---------------------------------------------------------------- the examples


def examples_by_meaning() -> list[tuple[str, str]]:
    """The kind and the text of every example that is compared by meaning: those whose form counts as well,
    and those of ``data/paraphrases.yaml``."""

    def of_forms(data: Mapping[str, Mapping[str, Iterable[str]]]) -> list[tuple[str, str]]:
        compared = {kind: of_kind for kind, of_kind in data.items() if kind not in _NOT_BY_MEANING}
        return [(kind, text) for kind, by in compared.items() for texts in by.values() for text in texts]

    def of_paraphrases(data: Mapping[str, Iterable[str]]) -> list[tuple[str, str]]:
        return [(kind, text) for kind, texts in data.items() for text in texts]

    forms = read_derived("intents.yaml", "by-meaning", of_forms)
    paraphrases = read_derived("paraphrases.yaml", "by-meaning", of_paraphrases)
    return [(kind, text) for kind, text in (*forms, *paraphrases)]


def digest(examples: Iterable[tuple[str, str]]) -> str:
    """What tells whether vectors are those of the examples."""
    plain = "\n".join(f"{kind}\t{plain_example(text)}" for kind, text in examples)
    return hashlib.sha256(plain.encode()).hexdigest()


@cache
def stored_meanings(fingerprint: str) -> Meanings | None:
    """The examples with their stored vectors; None where those are of other examples or another embedder."""
    examples = examples_by_meaning()
    with np.load(VECTORS) as stored:
        if str(stored["fingerprint"]) != fingerprint or str(stored["digest"]) != digest(examples):
            return None
        vectors = stored["vectors"].astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    texts = [text for _, text in examples]
    words = {word for text in texts for word in example_words(text)} | lexicon().sets["recordings"]
    return Meanings([kind for kind, _ in examples], texts, vectors, frozenset(words))


def store_meanings(embedder: Embedder) -> int:
    """Make and store the vectors of the examples, in 8 bits a number. Returns how many there are."""
    examples = examples_by_meaning()
    vectors = embedder.embed([plain_example(text) for _, text in examples])
    scaled = np.round(vectors * (127 / np.abs(vectors).max())).astype(np.int8)
    np.savez_compressed(
        VECTORS, vectors=scaled, fingerprint=np.array(embedder.fingerprint), digest=np.array(digest(examples))
    )
    return len(examples)
