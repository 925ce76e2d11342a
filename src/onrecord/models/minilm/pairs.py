"""Turns a question and a passage into one input of the reader, with segments and sentence spans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

CLS, SEP = 101, 102
"""Numbers of the separators in the vocabulary that the reader was trained with."""
QUESTION, LONGEST = 48, 232
"""Most tokens of a question, and of question and passage together, as in training."""
LONGEST_TEXT = 4_096
"""Most characters of a question or sentence, more than the tokens can hold."""


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """A question with a passage.

    `tokens` and `types` (0 question, 1 passage) have the shape (tokens,), `spans` (sentences, tokens), as in
    `onrecord.models.minilm.reader_network`. A sentence without tokens has a row of zeros.
    """

    tokens: Array
    types: Array
    spans: Array

    def inputs(self) -> Mapping[str, Array]:
        """Return the inputs of the network, by name."""
        return {"tokens": self.tokens, "types": self.types, "spans": self.spans}


class PairTokenizer:
    """A tokenizer that makes pairs with the vocabulary of the embedder."""

    def __init__(self, file: Path) -> None:
        from tokenizers import Tokenizer as WordPieces

        self._pieces = WordPieces.from_file(str(file))
        self._pieces.no_padding()
        self._pieces.no_truncation()
        self._cls, self._sep = (self._pieces.token_to_id(name) for name in ("[CLS]", "[SEP]"))

    def pair(self, question: str, sentences: Sequence[str]) -> Pair:
        """Build [CLS] question [SEP] sentences [SEP], cut at `LONGEST` tokens."""
        import numpy as np

        # a lone surrogate has no UTF-8 encoding, and the tokenizer would raise an error
        clean = [text[:LONGEST_TEXT].encode("utf-8", "replace").decode() for text in (question, *sentences)]
        encoded = self._pieces.encode_batch_fast(clean, add_special_tokens=False)
        question_ids, *sentence_ids = (encoding.ids for encoding in encoded)
        tokens = [self._cls, *question_ids[:QUESTION], self._sep]
        opening = len(tokens)
        borders = [opening]
        for ids in sentence_ids:
            tokens += ids[: max(0, LONGEST - 1 - len(tokens))]
            borders.append(len(tokens))
        tokens.append(self._sep)
        types = np.ones(len(tokens), np.int64)
        types[:opening] = 0
        # the product of a row with the states of all tokens is the mean state of the sentence's tokens
        spans = np.zeros((len(sentences), len(tokens)), np.float32)
        for row, (begin, end) in zip(spans, pairwise(borders), strict=True):
            row[begin:end] = 1 / max(1, end - begin)
        return Pair(np.array(tokens, np.int64), types, spans)
