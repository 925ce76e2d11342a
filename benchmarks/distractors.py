"""What is lost if not every passage is scored exactly: real questions, with their meetings among distractors.

    python benchmarks/qmsum.py --keep qmsum.db
    python benchmarks/answering.py --keep questions.db
    python benchmarks/distractors.py qmsum.db questions.db --keep large.db [--passages 200000]
        [--questions 200] [--vectors 1,4,8,16]

Puts the recordings of some archives into one archive, and adds distractors until it has the requested number
of passages. A distractor mixes two stretches of 100 passages: each passage has shares of the words of two
passages, and their vectors mixed in the same shares, with noise. Questions are drawn at random, half from
QMSum and half from `questions`. Prints the shares of the exact curve's first passage, and of its first 50,
that remain on the curve of `balanced`

- if scores are rounded, as in archives of this size, and
- if recordings are chosen first, and the curve is computed within them (two levels). The choice uses a few
  vectors of each recording and the best BM25 of its passages. The chosen recordings hold a twentieth, a tenth
  or a fifth of all passages.

Two-level figures are given for the two halves of the questions: the first half is for choosing settings, the
second for reporting.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import process_time

import numpy as np

from onrecord.models import open_embedder
from onrecord.models.caching import CachedEmbedder
from onrecord.retrieve import Tools
from onrecord.retrieve.curve.curves import convex
from onrecord.retrieve.wording import by_words, point, subject
from onrecord.stores import matrix, open_store
from onrecord.stores.ranking import top
from onrecord.strategies import CURVE
from onrecord.types import Details, Evidence, Passage, PassageTimeline, Question, Recording, Scope
from shared import DATA, read_lines

FIRST, STRETCH, NOISE = 50, 100, 0.25
SHARES = (0.05, 0.1, 0.2)
"""Shares of the passages that are scored once recordings are chosen."""


def build(file: Path, archives: list[Path], passages: int) -> None:
    random, texts, vectors = np.random.default_rng(1), [], []
    store = open_store(file)
    for archive in archives:
        with open_store(archive).snapshot() as source:
            for recording in source.recordings():
                own = source.transcript(recording.id)
                texts += [passage.text.split() for passage in own]
                vectors.append(source.vectors([passage.row for passage in own]))
                store.add(recording, own, source.sections(recording.id), vectors[-1])
    real = np.concatenate(vectors)
    for number in range(-(-(passages - len(real)) // STRETCH)):
        name, share = f"distractor-{number}", random.uniform(0.5, 0.8)
        one, other = random.integers(0, len(real) - STRETCH, 2)
        mixed = share * real[one : one + STRETCH] + (1 - share) * real[other : other + STRETCH]
        mixed += NOISE / real.shape[1] ** 0.5 * random.standard_normal(mixed.shape).astype(np.float32)
        own = [
            Passage(
                name, at, _mix(texts[one + at], texts[other + at], share), "Ann", 30.0 * at, 30.0 * at + 29
            )
            for at in range(STRETCH)
        ]
        recording = Recording(name, name, name, "webvtt", Details(title=name), STRETCH).counted(own)
        store.add(recording, own, vectors=mixed / np.linalg.norm(mixed, axis=1, keepdims=True))
    store.close()


def _mix(one: list[str], other: list[str], share: float) -> str:
    return " ".join(one[: int(share * len(one)) + 1] + other[int(share * len(other)) :])


def questions(count: int) -> list[str]:
    """Draw questions, half from QMSum and half from `questions`, in random order."""
    files = (DATA / "qmsum" / "queries.jsonl", DATA / "questions" / "questions.jsonl")
    texts = [[row["text"] for row in read_lines(file)] for file in files]
    random = np.random.default_rng(2)
    drawn = [text for some in texts for text in random.choice(some, count // 2, replace=False)]
    return [str(text) for text in random.permutation(drawn)]


def shares(exact: list[np.ndarray], others: list[np.ndarray]) -> str:
    pairs = list(zip(exact, others, strict=True))
    first = np.mean([len(other) > 0 and one[0] == other[0] for one, other in pairs])
    return f"{first:.3f} / {np.mean([len(set(one) & set(other)) / len(one) for one, other in pairs]):.4f}"


def best_of(text: str, tools: Tools, scope: Scope) -> np.ndarray:
    """Return the rows of the first passages on the curve."""
    curve = CURVE(Evidence(Question(text, scope)), tools).curve
    return curve.timeline.rows[top(curve.score, FIRST)]


def segment_means(
    vectors: np.ndarray, timeline: PassageTimeline, count: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return at most `count` vectors of each recording, and the recording of each vector.

    The vectors are means of stretches of equal length.
    """
    sizes = np.bincount(timeline.recordings, minlength=len(timeline.names))
    part = timeline.positions * np.minimum(count, sizes)[timeline.recordings] // sizes[timeline.recordings]
    firsts = np.flatnonzero(np.diff(timeline.recordings * (count + 1) + part, prepend=-1))
    means = np.add.reduceat(vectors, firsts)
    return means / np.linalg.norm(means, axis=1, keepdims=True), timeline.recordings[firsts]


def chosen(scores: np.ndarray, timeline: PassageTimeline, share: float) -> tuple[str, ...]:
    """Return the best recordings, until they have this share of the passages."""
    sizes = np.bincount(timeline.recordings, minlength=len(timeline.names))
    order = np.argsort(-scores, kind="stable")
    enough = int(np.searchsorted(np.cumsum(sizes[order]), share * len(timeline))) + 1
    return tuple(timeline.names[at] for at in order[:enough])


def two_levels(texts: list[str], tools: Tools, exact: list[np.ndarray], counts: list[int]) -> None:
    timeline = tools.store.timeline()
    vectors = tools.store.vectors(timeline.rows)
    halves = slice(0, None, 2), slice(1, None, 2)
    for count in counts:
        means, owners = segment_means(vectors, timeline, count)
        firsts = np.flatnonzero(np.diff(owners, prepend=-1))
        for share in SHARES:
            answers, began = [], process_time()
            for text in texts:
                near = np.maximum.reduceat(means @ tools.embedder.embed_query(point(text)), firsts)
                words = np.zeros(len(timeline.names), np.float32)
                np.maximum.at(words, timeline.recordings, by_words(subject(text), timeline, tools.store))
                scores = convex([(0.8, near), (0.2, words)])
                answers.append(best_of(text, tools, Scope(recordings=chosen(scores, timeline, share))))
            took = 1000 * (process_time() - began) / len(texts)
            figures = ", ".join(shares(exact[half], answers[half]) for half in halves)
            print(f"{count} vectors choose {share:.0%} of the passages: {figures}; {took:.0f} ms", flush=True)


def embedder_with_cache() -> CachedEmbedder:
    """Return an embedder that embeds each question once."""
    return CachedEmbedder(open_embedder("minilm"), lambda keys: {})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("archives", type=Path, nargs="*", help="of QMSum and of `questions`")
    parser.add_argument("--passages", type=int, default=200_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--keep", type=Path, required=True, help="build it here, or use what is here")
    parser.add_argument("--vectors", default="1,4,8,16", help="how many of a recording choose it")
    parser.add_argument("--one-level", action="store_true", help="only what rounding costs")
    options = parser.parse_args()
    if not options.keep.exists():
        build(options.keep, options.archives, options.passages)
    with open_store(options.keep).snapshot() as store:
        tools, texts = Tools(store, embedder_with_cache()), questions(options.questions)
        print(
            f"{len(store.timeline()):,} passages, {len(texts)} questions; first / first {FIRST} that remain"
        )
        rounded = [best_of(text, tools, Scope()) for text in texts]
        whole = matrix.EXACT
        matrix.EXACT = len(store.timeline())
        exact = [best_of(text, tools, Scope()) for text in texts]
        print(f"rounded but for the best {matrix.REFINED:,}: {shares(exact, rounded)}")
        matrix.EXACT, refined = whole, matrix.REFINED
        matrix.REFINED = 64
        print(f"rounded: {shares(exact, [best_of(text, tools, Scope()) for text in texts])}", flush=True)
        matrix.REFINED = refined
        if not options.one_level:
            two_levels(texts, tools, exact, [int(count) for count in options.vectors.split(",")])


if __name__ == "__main__":
    main()
