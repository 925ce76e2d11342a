"""How well the reader answers questions in people's own words, whose answering sentences are marked.

    python benchmarks/answering.py [--windows=-3-] [--strategy fast] [--keep ARCHIVE] [--language en]
    python benchmarks/answering.py --windows=-3- --fit

Puts all recordings of shared data `questions` into one archive (kept, and used again, with --keep) and asks
it the questions of some windows. Windows with -3- in their id are for choosing settings; windows with -4- are
for reporting only. For answerable questions it prints how often the core sentence is in the evidence, in the
quotes, in quotes with the heading of an answer, and in the first quote. It also prints the share of all
marked sentences that is quoted; how many near misses are not answered; and `right`, the share of all
questions whose core is quoted in an answer, or that are near misses and not answered. A sentence counts as
shown if 60 % of its word trigrams are. Intervals are percentiles of 1,000 samples of recordings. ECE is the
expected calibration error of the confidence, in ten bins, against whether a marked sentence is quoted.

--fit fits the constants of the probabilities (in `onrecord.retrieve.read`, and in the modules `judging` and
`confidence` of `onrecord.answer`).
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import onrecord
from onrecord.answer import judging as chances
from onrecord.retrieve import read as stage
from onrecord.types import Answer, Evidence
from shared import DATA, calibration_error, read_lines

SHOWN = 0.6
SAMPLES = 1000


@dataclass(frozen=True)
class Outcome:
    """A question and the measures of its answer; shares in 0..1. Intervals are drawn by `recording`."""

    recording: str
    answerable: bool
    evidence: bool
    core: bool
    first: bool
    coverage: float
    answered: bool
    confidence: float
    words: int
    seconds: float

    @property
    def right(self) -> bool:
        return self.core and self.answered if self.answerable else not self.answered


def build(data: Path, archive: Path) -> onrecord.Archive:
    """Put all recordings of the windows into one archive, or open the archive if it exists."""
    if not archive.exists():
        ids_by_set = defaultdict(set)
        for window in read_lines(data / "questions/windows.jsonl"):
            ids_by_set[window["set"]].add(window["recording_id"])
        with tempfile.TemporaryDirectory() as folder:
            for name, ids in ids_by_set.items():
                write_transcripts(data, name, ids, Path(folder))
            onrecord.open(archive).add(folder, manifest=Path(folder) / "manifest.csv")
    return onrecord.open(archive, make=False, cache={"results": 0})


def write_transcripts(data: Path, name: str, ids: set[str], folder: Path) -> None:
    """Write the recordings of a set as Podcasting 2.0 transcripts, and their titles to a manifest."""
    more = data / "questions" / f"{name}.jsonl"
    units = [u for file in (data / name / "corpus.jsonl", more) if file.exists() for u in read_lines(file)]
    recordings = defaultdict(dict)
    for unit in units:
        if unit["recording_id"] in ids:
            recordings[unit["recording_id"]][unit["id"]] = unit
    manifest = folder / "manifest.csv"
    rows = [manifest.read_text(encoding="utf-8").rstrip() if manifest.exists() else "file,title,show"]
    for key, turns in recordings.items():
        file = re.sub(r"[^\w.-]", "_", f"{name}-{key}.json")
        segments = [segment(unit) for unit in turns.values()]
        (folder / file).write_text(json.dumps({"version": "1.0.0", "segments": segments}), encoding="utf-8")
        title = (next(iter(turns.values()))["title"] or key).replace('"', "'")
        rows.append(f'{file},"{title}",{name}')
    manifest.write_text("\n".join(rows) + "\n", encoding="utf-8")


def segment(unit: dict[str, Any]) -> dict[str, Any]:
    times = {"startTime": unit.get("start"), "endTime": unit.get("end")}
    times_known = {name: value for name, value in times.items() if value is not None}
    return {"speaker": unit.get("speaker") or "", "body": unit["text"], **times_known}


def trigrams(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return set(zip(words, words[1:], words[2:], strict=False)) if len(words) > 2 else {tuple(words)}


def is_shown(sentence: str, within: set[tuple[str, ...]]) -> bool:
    expected = trigrams(sentence)
    return len(expected & within) >= SHOWN * len(expected)


def evidence_text(evidence: Evidence) -> str:
    return " ".join(passage.text for moment in evidence.moments for passage in moment.passages)


def measure(question: dict[str, Any], window: dict[str, Any], answer: Answer, seconds: float) -> Outcome:
    texts = [sentence["text"] for sentence in window["sentences"]]
    quotes = [citation.quote for citation in answer.citations]
    quoted, first = trigrams(" ".join(quotes)), trigrams(quotes[0] if quotes else "")
    marked = [texts[number] for number in question["sentences"]]
    core = texts[question["core"]] if marked else ""
    return Outcome(
        recording=window["recording_id"],
        answerable=bool(marked),
        evidence=bool(marked) and is_shown(core, trigrams(evidence_text(answer.evidence))),
        core=bool(marked) and is_shown(core, quoted),
        first=bool(marked) and is_shown(core, first),
        coverage=float(np.mean([is_shown(text, quoted) for text in marked])) if marked else 0.0,
        answered=answer.verdict == "answered",
        confidence=answer.confidence,
        words=sum(len(quote.split()) for quote in quotes),
        seconds=seconds,
    )


def ask_all(archive: onrecord.Archive, data: Path, options: argparse.Namespace) -> list[Outcome]:
    windows = {window["id"]: window for window in read_lines(data / "questions/windows.jsonl")}
    outcomes = []
    for question in select_questions(data, options):
        began = perf_counter()
        answer = archive.ask(question["text"], options.strategy)
        outcomes.append(measure(question, windows[question["window"]], answer, perf_counter() - began))
    return outcomes


def select_questions(data: Path, options: argparse.Namespace) -> list[dict[str, Any]]:
    questions = read_lines(data / "questions/questions.jsonl")
    matching = [q for q in questions if re.search(options.windows, q["window"])]
    return [q for q in matching if options.language in (None, q["language"])]


def interval(outcomes: Sequence[Outcome], figure: Callable[[Sequence[Outcome]], float]) -> str:
    """Return a figure with its 95 % interval over recordings."""
    by_recording = defaultdict(list)
    for outcome in outcomes:
        by_recording[outcome.recording].append(outcome)
    names, random = list(by_recording), np.random.default_rng(0)
    samples = [
        figure([outcome for name in random.choice(names, len(names)) for outcome in by_recording[name]])
        for _ in range(SAMPLES)
    ]
    low, high = np.percentile(samples, (2.5, 97.5))
    return f"{figure(outcomes):.3f} [{low:.3f}, {high:.3f}]"


def mean(name: str, answerable: bool | None = True) -> Callable[[Sequence[Outcome]], float]:
    def figure(outcomes: Sequence[Outcome]) -> float:
        selected = [outcome for outcome in outcomes if answerable in (None, outcome.answerable)]
        return float(np.mean([getattr(outcome, name) for outcome in selected])) if selected else float("nan")

    return figure


BANDS = (0.0, 0.4, 0.6, 0.8, 0.9, 1.01)
"""Ends of the bands of confidence for which outcomes are reported."""


def bands(outcomes: Sequence[Outcome]) -> None:
    """Print for each band of confidence the mean confidence, and the share that quotes a marked sentence."""
    for low, high in itertools.pairwise(BANDS):
        in_band = [outcome for outcome in outcomes if low <= outcome.confidence < high]
        if in_band:
            sure = float(np.mean([outcome.confidence for outcome in in_band]))
            share = interval(
                in_band, lambda sample: float(np.mean([outcome.coverage > 0 for outcome in sample]))
            )
            place = f"{low:.1f}-{min(high, 1):.1f}"
            print(
                f"  sure {place}: {len(in_band):3} answers, {sure:.2f} on average; {share} quote what answers"
            )


def show(outcomes: Sequence[Outcome]) -> None:
    answerable = [outcome for outcome in outcomes if outcome.answerable]
    print(f"{len(answerable)} answerable questions, {len(outcomes) - len(answerable)} near misses")
    for name in ("evidence", "core", "first", "coverage"):
        print(f"  {name:22} {interval(outcomes, mean(name))}")
    print(f"  {'core in an answer':22} {interval(answerable, mean('right'))}")
    print(f"  {'near misses refused':22} {interval(outcomes, mean('right', False))}")
    print(f"  {'right':22} {interval(outcomes, mean('right', None))}")
    print(f"  {'words shown':22} {mean('words', None)(outcomes):.0f}")
    sure = np.array([outcome.confidence for outcome in outcomes])
    holds = np.array([outcome.coverage > 0 for outcome in outcomes])
    even = np.full(len(outcomes), 1 / len(outcomes))
    print(f"  {'ECE':22} {calibration_error(sure, holds, even):.3f}")
    bands(outcomes)
    p50, p95 = np.percentile([outcome.seconds for outcome in outcomes], (50, 95))
    print(f"  {'seconds, p50 and p95':22} {p50:.3f} {p95:.3f}")


# ---------------------------------------------------------------- fitting

Candidates = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Three arrays over all sentences read: the reader's log-odds, ln(score on the curve / best score), and
whether the sentence is the core."""


def candidates(archive: onrecord.Archive, data: Path, options: argparse.Namespace) -> list[Candidates]:
    windows = {window["id"]: window for window in read_lines(data / "questions/windows.jsonl")}
    reader, rows = archive.models.reader, []
    assert reader is not None, "there is no reader to fit"
    for question in select_questions(data, options):
        evidence = archive.search(question["text"], options.strategy)
        stretches = [m for m in stage.cut(evidence) if "read" in m.scores]
        read = stage.read_in_context(evidence.question.text, stretches, reader, archive.store)
        spoken, readings = (
            [context.sentences[context.before :] for context in read],
            [context.own for context in read],
        )
        texts = windows[question["window"]]["sentences"]
        core = trigrams(texts[question["core"]]["text"]) if question["sentences"] else set()
        best = max((moment.score for moment in stretches), default=1.0)
        prior = [np.full(len(s), stage.prior(m, best, 1.0)) for m, s in zip(stretches, spoken, strict=True)]
        right = [
            len(core & trigrams(context.text)) >= SHOWN * len(core) > 0 for some in spoken for context in some
        ]
        odds = [np.zeros(0), *(reading.core for reading in readings)]
        rows.append((np.concatenate(odds), np.concatenate([np.zeros(0), *prior]), np.array(right, bool)))
    return rows


def surprise(weights: np.ndarray, rows: Sequence[Candidates]) -> float:
    """Return the mean negative log-likelihood of the core, or of "none" if it was not read."""
    total = 0.0
    for odds, prior, right in rows:
        logits = np.append(weights[0] * odds + weights[1] * prior - weights[2], 0.0)
        normalizer = np.logaddexp.reduce(logits)
        right_logits = logits[:-1][right] if right.any() else logits[-1:]
        total += normalizer - np.logaddexp.reduce(right_logits)
    return total / len(rows)


def fit_weights(loss: Callable[[np.ndarray], float], weights: np.ndarray) -> np.ndarray:
    """Return the weights of the lowest loss, by coordinate search with decreasing steps."""
    step = np.abs(weights) / 2 + 0.1
    while step.max() > 0.005:
        moves = [weights + sign * step * unit for unit in np.eye(len(weights)) for sign in (1, -1)]
        best = min(moves, key=loss)
        weights, step = (best, step) if loss(best) < loss(weights) else (weights, step / 2)
    return weights


def fit(archive: onrecord.Archive, data: Path, options: argparse.Namespace) -> None:
    rows = candidates(archive, data, options)
    weights = fit_weights(lambda w: surprise(w, rows), np.array([stage.SHARPNESS, stage.TRUST, chances.NONE]))
    print("SHARPNESS, TRUST, NONE:", np.round(weights, 2).tolist(), f"loss {surprise(weights, rows):.3f}")
    outcomes = ask_all(archive, data, options)
    sure = np.clip([outcome.confidence for outcome in outcomes], 1e-6, 1 - 1e-6)
    logits = np.log(sure / (1 - sure))
    holds = np.array([outcome.coverage > 0 for outcome in outcomes])

    def loss(platt: np.ndarray) -> float:
        signs = np.where(holds, 1.0, -1.0)
        return float(np.logaddexp(0, -signs * (platt[0] * logits + platt[1])).mean())

    print(
        "correction of the confidence (1, 0: none):",
        np.round(fit_weights(loss, np.array([1.0, 0.0])), 2).tolist(),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--windows", default="-3-", help="which windows, by a pattern of their ids")
    parser.add_argument("--language")
    parser.add_argument("--strategy", default="auto")
    parser.add_argument("--keep", type=Path, help="build the archive here, or use the one built before")
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        archive = build(options.data, options.keep or Path(folder) / "reading.db")
        if options.fit:
            fit(archive, options.data, options)
        else:
            show(ask_all(archive, options.data, options))


if __name__ == "__main__":
    main()
