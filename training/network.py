"""The reader in torch: all-MiniLM-L6-v2 with two segments, and heads on sentences and on the passage.

Runs in bfloat16, on a processor with bfloat16 matrix multiplication (ten times as fast with AMX) or on a GPU.
onrecord runs the network `onrecord.models.minilm.reader_network`; `tests/training/test_network.py` compares
the two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from onrecord.models.base import Reading
from onrecord.models.minilm.deltas import merge, read_deltas
from onrecord.models.minilm.pairs import CLS, LONGEST, QUESTION, SEP
from onrecord.models.minilm.reader import UNREAD
from onrecord.models.minilm.weights import fetch_weights

WIDTH, LAYERS, HEADS, VOCABULARY, PLACES = 384, 6, 12, 30522, 512
CLAIM = 1
"""The token after [CLS] that marks a claim to check instead of a question ([unused0])."""
CLAIM_TOKENS, LONGEST_CLAIM = 80, 288
"""Most tokens of a claim, and of claim and passage together."""

Row = tuple[list[int], list[int], list[int]]
"""Tokens, types (0 question, 1 passage) and the sentence number of each token (-1: none)."""


def base_folder() -> Path:
    """Return the folder of the pinned base weights; fetch them if they are missing."""
    return fetch_weights()


def base_tensors(folder: Path) -> dict[str, Tensor]:
    """Return the base weights by name."""
    return load_file(str(folder / "model.safetensors"))


def _layer_names(layer: int) -> dict[str, str]:
    """Return parts of `Layer` by the names of the same parts in the base."""
    stem = f"encoder.layer.{layer}"
    return {
        f"{stem}.attention.output.dense": "mix",
        f"{stem}.attention.output.LayerNorm": "mixed",
        f"{stem}.intermediate.dense": "widen",
        f"{stem}.output.dense": "narrow",
        f"{stem}.output.LayerNorm": "narrowed",
    }


def _projections(layer: int) -> list[str]:
    return [f"encoder.layer.{layer}.attention.self.{part}" for part in ("query", "key", "value")]


BASE_NAMES = [
    f"{name}.{part}"
    for layer in range(LAYERS)
    for name in (*_projections(layer), *_layer_names(layer))
    for part in ("weight", "bias")
]
"""Names of the base tensors that training changes; embeddings stay as they are."""


class Layer(nn.Module):
    """One transformer layer of BERT (Devlin et al. 2019)."""

    def __init__(self) -> None:
        super().__init__()
        self.project = nn.Linear(WIDTH, 3 * WIDTH)
        self.mix, self.mixed = nn.Linear(WIDTH, WIDTH), nn.LayerNorm(WIDTH, eps=1e-12)
        self.widen, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.narrowed = nn.LayerNorm(WIDTH, eps=1e-12)

    def forward(self, state: Tensor, mask: Tensor) -> Tensor:
        """Compute a state of shape (rows, tokens, 384); `mask` is added to the attention's logits."""
        rows, tokens, _ = state.shape
        parts = self.project(state).view(rows, tokens, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        query, key, value = parts.unbind(0)
        logits = (query * (WIDTH // HEADS) ** -0.5) @ key.transpose(-1, -2) + mask
        heard = torch.softmax(logits, -1, dtype=query.dtype) @ value
        state = self.mixed(state + self.mix(heard.transpose(1, 2).reshape(rows, tokens, WIDTH)))
        done: Tensor = self.narrowed(state + self.narrow(functional.gelu(self.widen(state))))
        return done


class Reader(nn.Module):
    """A network with logits of each sentence (relevant, core) and each passage (answers), see `forward`."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(PLACES, WIDTH)
        self.types, self.normalise = nn.Embedding(2, WIDTH), nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.sentences, self.passage = nn.Linear(WIDTH, 2), nn.Linear(WIDTH, 1)
        for head in (self.sentences, self.passage):
            nn.init.normal_(head.weight, std=0.02)
            nn.init.zeros_(head.bias)
        self.take(base_tensors(folder))

    @torch.no_grad()
    def take(self, base: Mapping[str, Tensor]) -> None:
        """Copy weights by the base's names, and the heads if they are among them."""
        stem = "embeddings"
        self.words.weight.copy_(base[f"{stem}.word_embeddings.weight"])
        self.places.weight.copy_(base[f"{stem}.position_embeddings.weight"])
        self.types.weight.copy_(base[f"{stem}.token_type_embeddings.weight"])
        for part in ("weight", "bias"):
            getattr(self.normalise, part).copy_(base[f"{stem}.LayerNorm.{part}"])
            for number, layer in enumerate(self.layers):
                projected = torch.cat([base[f"{name}.{part}"] for name in _projections(number)])
                getattr(layer.project, part).copy_(projected)
                for name, own in _layer_names(number).items():
                    getattr(getattr(layer, own), part).copy_(base[f"{name}.{part}"])
            for name, head in (("heads.sentences", self.sentences), ("heads.passage", self.passage)):
                if f"{name}.{part}" in base:
                    getattr(head, part).copy_(base[f"{name}.{part}"])

    def by_base_names(self) -> dict[str, Tensor]:
        """Return the weights by the base's names, and the heads."""
        named: dict[str, Tensor] = {}
        for part in ("weight", "bias"):
            for number, layer in enumerate(self.layers):
                thirds = getattr(layer.project, part).detach().chunk(3)
                named |= {f"{n}.{part}": third for n, third in zip(_projections(number), thirds, strict=True)}
                for name, own in _layer_names(number).items():
                    named[f"{name}.{part}"] = getattr(getattr(layer, own), part).detach()
            named[f"heads.sentences.{part}"] = getattr(self.sentences, part).detach()
            named[f"heads.passage.{part}"] = getattr(self.passage, part).detach()
        return named

    def forward(self, rows: Sequence[Row], *, exact: bool = False) -> tuple[Tensor, Tensor, Tensor]:
        """Read rows; `exact`: in float32 throughout.

        Returns logits of sentences, (rows, sentences, 2); which of them are not padding, (rows, sentences);
        logits of passages, (rows,).
        """
        device = self.words.weight.device
        width = -(-max(len(tokens) for tokens, _, _ in rows) // 8) * 8
        tokens, types, owner = (
            _pad(rows, part, fill, width, device) for part, fill in ((0, 0), (1, 0), (2, -1))
        )
        present = torch.arange(width, device=device) < torch.tensor(
            [[len(r[0])] for r in rows], device=device
        )
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=not exact):
            state = self._states(tokens, types, present).float()
        return self._heads(state, owner)

    def _states(self, tokens: Tensor, types: Tensor, present: Tensor) -> Tensor:
        places = torch.arange(tokens.shape[1], device=tokens.device)
        state = self.normalise(self.words(tokens) + self.places(places) + self.types(types))
        mask = torch.zeros(present.shape, dtype=torch.bfloat16, device=tokens.device).masked_fill(
            ~present, -1e4
        )
        for layer in self.layers:
            state = layer(state, mask[:, None, None, :])
        done: Tensor = state
        return done

    def _heads(self, state: Tensor, owner: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        picked = functional.one_hot(owner + 1)[:, :, 1:].float()
        count = picked.sum(1)
        means = torch.einsum("rts,rtw->rsw", picked, state) / count.clamp(min=1)[..., None]
        return self.sentences(means), count > 0, self.passage(state[:, 0]).squeeze(-1)


def _pad(rows: Sequence[Row], part: int, fill: int, width: int, device: torch.device) -> Tensor:
    padded = np.full((len(rows), width), fill, np.int64)
    for number, row in enumerate(rows):
        padded[number, : len(row[part])] = row[part]
    return torch.from_numpy(padded).to(device)


class Encoder:
    """An encoder of texts into rows of tokens, as `onrecord.models.minilm.pairs` does.

    It encodes every text once.
    """

    def __init__(self, folder: Path) -> None:
        self._pieces = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._pieces.no_padding()
        self._pieces.no_truncation()
        self._cached_ids: dict[str, list[int]] = {}

    def _ids(self, text: str) -> list[int]:
        if text not in self._cached_ids:
            self._cached_ids[text] = self._pieces.encode(text, add_special_tokens=False).ids
        return self._cached_ids[text]

    def row(self, question: str, sentences: Sequence[str], *, claim: bool = False) -> Row:
        """Build [CLS] question [SEP] sentences [SEP]; a claim with its mark replaces the question."""
        mark, most, longest = ([CLAIM], CLAIM_TOKENS, LONGEST_CLAIM) if claim else ([], QUESTION, LONGEST)
        tokens = [CLS, *mark, *self._ids(question)[:most], SEP]
        owner = [-1] * len(tokens)
        types = [0] * len(tokens)
        for number, sentence in enumerate(sentences):
            ids = self._ids(sentence)[: max(0, longest - 1 - len(tokens))]
            tokens, types, owner = tokens + ids, types + [1] * len(ids), owner + [number] * len(ids)
        return [*tokens, SEP], [*types, 1], [*owner, -1]


class TrainedReader:
    """A trained network as an `onrecord.models.base.Reader`, to measure it."""

    name = "trained"

    def __init__(self, network: Reader, encoder: Encoder) -> None:
        self.fingerprint = "trained"
        self._network, self._encoder = network, encoder

    @torch.no_grad()
    def read(self, question: str, passages: Sequence[Sequence[str]]) -> list[Reading]:
        """See the protocol. Sentences that do not fit are `UNREAD`."""
        if not passages:
            return []
        self._network.eval()
        logits, present, _ = self._network([self._encoder.row(question, p) for p in passages])
        return [
            _reading(sentences, len(passage))
            for sentences, passage in zip(
                logits.masked_fill(~present[..., None], UNREAD).mT, passages, strict=True
            )
        ]


def _reading(sentences: Tensor, count: int) -> Reading:
    """Return the reading of a passage of `count` sentences.

    `sentences` has the logits of the sentences that fit, (2, sentences).
    """
    padded = functional.pad(sentences[:, :count], (0, max(0, count - sentences.shape[1])), value=UNREAD)
    relevant, core = padded.float().cpu()
    return Reading(core.numpy(), relevant.sigmoid().numpy())


def shipped_reader(device: torch.device) -> Reader:
    """Return the reader that onrecord ships, in float32."""
    base = {name: tensor.numpy() for name, tensor in base_tensors(base_folder()).items()}
    reader = Reader(base_folder())
    reader.take({name: torch.tensor(values) for name, values in merge(base, read_deltas()).items()})
    return reader.to(device)


def load_reader(files: Sequence[Path], device: torch.device) -> Reader:
    """Load the network that training saved, or the base with new heads if there is no file.

    Of several files it has the mean of their weights (Wortsman et al., Model soups, 2022).
    """
    reader = Reader(base_folder())
    if files:
        saved = [torch.load(file, map_location="cpu", weights_only=True) for file in files]
        reader.load_state_dict({name: sum(part[name] for part in saved) / len(saved) for name in saved[0]})
    return reader.to(device)


def choose_device(name: str) -> torch.device:
    """Return the device of this name; ``auto`` is a GPU if there is one."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    return torch.device(name)
