"""Is a claim supported by a text? The local checker and plain word overlap, on claims labeled by people.

    python benchmarks/claims.py           # figures
    python benchmarks/claims.py --fit     # and the weights, fitted anew on the first half

Sets: SummEdits (summaries with small edits, five domains) and WiCE (sentences of an encyclopedia against the
pages that they cite; partly supported claims count as unsupported). "elsewhere" has the supported claims of
both sets, each also paired with a text of another document, which does not support it.

Documents are put into halves by a hash of their name. Weights and thresholds come from the first half, all
figures from the second: area under the ROC curve (AUROC), and balanced accuracy (BA) with the threshold of
the set and with the product's threshold of 0.5. Intervals are percentiles of 1,000 samples of documents.
Below them are figures for sentences of recorded speech, verbatim, which cite the part of the recording that
they come from, and another part. Last come the claims of `training/labels` about the recordings for choosing
settings, with the sentences around the claims' evidence; no part of the checker was made with these. Needs
../shared/data.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from onrecord.answer.check import SUPPORTED, Checker, Signs, signs
from onrecord.answer.claims import claim
from onrecord.answer.clauses import Spoken
from onrecord.answer.context import Context, Source
from onrecord.answer.grounds import Ground
from onrecord.answer.proof import Finding, Proof
from onrecord.models.roles import ModelRoles
from onrecord.retrieve.sentences import sentences as cut
from onrecord.retrieve.wording import stems
from onrecord.types import Details, Moment, Passage, Recording

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT / "training"))
from data import (  # noqa: E402
    CHOOSING,
    DATA,
    claim_windows,
    is_first_half,
    labelled_claims,
    lines,
    recordings_marked,
    shared_windows,
    split_text,
)
from evaluate import area  # noqa: E402

SETS = ("summedits", "wice")
ELSEWHERE = "elsewhere"
TALKS = ("qmsum", "earnings21", "rev16")
VERDICTS = ("stands", "doubtful", "falls", "wrong")
SAMPLES = 1000
AROUND = 6
"""Sentences of speech before and after the sentences that a claim of `training/labels` rests on."""


@dataclass(frozen=True)
class Claim:
    of: str
    document: str
    supported: bool
    plain: float
    signs: Signs

    @property
    def first_half(self) -> bool:
        return is_first_half(self.document)


def items(name: str) -> Iterator[Claim]:
    """Yield the claims of a set, and its supported claims again, for "elsewhere"."""
    rows: list[dict[str, Any]] = list(lines(DATA / name / "items.jsonl"))
    texts = {item["context"]: split_text(item["context"]) for item in rows}
    documents = {item["context"]: item.get("group") or item["id"] for item in rows}
    order = list(texts)
    for item in rows:
        text, context = item["claim_or_response"], item["context"]
        supported, document = item["label"] == "supported", documents[context]
        scored_item = score_claim(name, document, supported, text, texts[context])
        yield scored_item
        if supported:
            after = order.index(context) + 1
            elsewhere = next(
                context_text for context_text in order[after:] + order if documents[context_text] != document
            )
            yield replace(scored_item, of=ELSEWHERE)
            yield score_claim(ELSEWHERE, document, False, text, texts[elsewhere])


def score_claim(set_name: str, document: str, supported: bool, text: str, source: list[str]) -> Claim:
    words = set(stems(text))
    heard = {stem for sentence in source for stem in stems(sentence)}
    plain = len(words & heard) / len(words) if words else 1.0
    return Claim(set_name, document, supported, plain, signs(text, source))


def balanced_accuracy(scores: np.ndarray, labels: np.ndarray, threshold: float) -> float:
    accepted = scores >= threshold
    return float((accepted[labels].mean() + (~accepted[~labels]).mean()) / 2)


def best_threshold(scores: np.ndarray, labels: np.ndarray) -> float:
    return float(max(np.unique(scores), key=lambda threshold: balanced_accuracy(scores, labels, threshold)))


def fit_weights(chosen: list[Claim]) -> np.ndarray:
    """Return the weights of a logistic regression by Newton's method; all sets and labels weigh the same."""
    inputs = np.array([(1.0, *astuple(item.signs)) for item in chosen], float)
    labels = np.array([item.supported for item in chosen])
    kinds = [(item.of, item.supported) for item in chosen]
    weight = np.array([1 / kinds.count(kind) for kind in kinds]) * len(chosen) / len(set(kinds))
    weights = np.zeros(inputs.shape[1])
    ridge = np.diag([0.0, *[1.0] * (len(weights) - 1)])
    for _ in range(30):
        share = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (weight * (labels - share)) - ridge @ weights
        curvature = (inputs * (weight * share * (1 - share))[:, None]).T @ inputs + ridge
        weights += np.linalg.solve(curvature, slope)
    return weights


def interval(chosen: list[Claim], scores: np.ndarray) -> tuple[float, float]:
    """Return the interval of the AUROC over samples of documents."""
    generator = np.random.default_rng(0)
    documents: dict[str, list[int]] = {}
    for at, item in enumerate(chosen):
        documents.setdefault(item.document, []).append(at)
    groups, labels = list(documents.values()), np.array([item.supported for item in chosen])
    values = []
    for _ in range(SAMPLES):
        picked = generator.integers(len(groups), size=len(groups))
        at = np.concatenate([groups[number] for number in picked])
        if 0 < labels[at].sum() < len(at):
            values.append(area(scores[at], labels[at], np.ones(len(at))))
    low, high = np.percentile(values, (2.5, 97.5))
    return float(low), float(high)


def print_talk(name: str) -> None:
    """Print figures for verbatim sentences that cite the part of the recording they are from, or another."""
    generator = np.random.default_rng(0)
    talks: dict[str, list[Passage]] = {}
    for turn in lines(DATA / name / "corpus.jsonl"):
        talk = talks.setdefault(turn["recording_id"], [])
        talk.append(Passage(turn["recording_id"], len(talk), turn["text"], turn.get("speaker")))
    verdicts: dict[str, list[str]] = {"its source": [], "another": []}
    for recording, talk in talks.items():
        third = len(talk) // 3
        if third < 6:
            continue
        details = Recording(recording, "", "", "", Details(language="en"))
        parts = (talk[at * third : at * third + 6] for at in range(3))
        sources = [Source(n, details, Moment(tuple(part), 0.5)) for n, part in enumerate(parts, 1)]
        proof = Proof(Context(tuple(sources)), ModelRoles(), Checker(sources), "", "en")
        spoken = [(s, sentence.text) for s in sources for p in s.passages for sentence in cut(p, "en")]
        spoken = [(s, text) for s, text in spoken if len(text.split()) >= 8 and not text.endswith("?")]
        for at in generator.permutation(len(spoken))[:10]:
            source, text = spoken[at]
            for kind, number in (("its source", source.number), ("another", source.number % 3 + 1)):
                verdicts[kind].append(proof.of(claim(f"{text} [Source {number}]")).verdict)
    for kind, verdicts_of_kind in verdicts.items():
        shares = ", ".join(f"{v} {verdicts_of_kind.count(v) / len(verdicts_of_kind):.2f}" for v in VERDICTS)
        print(f"{name:<12} cites {kind:<11} {len(verdicts_of_kind):>5} {shares}")


def print_doubts(name: str) -> None:
    """Print how many claims of the first half that pass the signs are in doubt, by label."""
    rows: list[dict[str, Any]] = list(lines(DATA / name / "items.jsonl"))
    shares: dict[bool, list[bool]] = {True: [], False: []}
    for item in rows:
        text, source = item["claim_or_response"], split_text(item["context"])
        scored_item = score_claim(
            name, item.get("group") or item["id"], item["label"] == "supported", text, source
        )
        if scored_item.first_half and scored_item.signs.probability >= SUPPORTED:
            shares[scored_item.supported].append(
                bool(Ground([Spoken(text_spoken) for text_spoken in source]).doubts(text))
            )
    for supported, doubts in shares.items():
        kind = "supported" if supported else "others"
        print(f"{name:<12} {kind:<10} {len(doubts):>5} stand, in doubt {sum(doubts) / len(doubts):.2f}")


def print_labelled() -> None:
    """Print how many claims about speech are marked or left out, and how many are decided without a model."""
    windows, apart = claim_windows(DATA), recordings_marked(shared_windows(DATA).values(), CHOOSING)
    findings: dict[bool, list[Finding]] = {True: [], False: []}
    for labelled in labelled_claims():
        if windows[labelled.window].recording not in apart:
            continue
        first, last = min(labelled.sentences), max(labelled.sentences)
        sentences = windows[labelled.window].sentences[max(0, first - AROUND) : last + AROUND + 1]
        talk = tuple(Passage("talk", at, one.text, one.speaker or None) for at, one in enumerate(sentences))
        source = Source(1, Recording("talk", "", "", "", Details(language="en")), Moment(talk, 0.5))
        proof = Proof(Context((source,)), ModelRoles(), Checker([source]), "", "en")
        findings[labelled.supported].append(proof.of(claim(f"{labelled.text} [Source 1]")))
    for supported, of_kind in findings.items():
        marked = sum(not finding.stands for finding in of_kind) / len(of_kind)
        unasked = sum(f.verdict == "wrong" if supported else f.sure for f in of_kind) / len(of_kind)
        what = "left out unasked" if supported else "shown unasked"
        kind = "supported" if supported else "others"
        print(
            f"labels       {kind:<10} {len(of_kind):>5} marked or left out {marked:.2f}, {what} {unasked:.3f}"
        )


def report(name: str, first: list[Claim], second: list[Claim]) -> None:
    for title, score in (
        ("plain overlap", lambda item: item.plain),
        ("local checker", lambda item: item.signs.probability),
    ):
        chosen, measured = (np.array([score(item) for item in half]) for half in (first, second))
        labels = np.array([item.supported for item in second])
        threshold = best_threshold(chosen, np.array([item.supported for item in first]))
        low, high = interval(second, measured)
        own = f"{balanced_accuracy(measured, labels, SUPPORTED):.3f}" if title == "local checker" else "    -"
        under_curve = area(measured, labels, np.ones(len(labels)))
        print(
            f"{name:<12} {title:<14} {len(second):>5} {under_curve:>6.3f} ({low:.3f}-{high:.3f}) "
            f"{balanced_accuracy(measured, labels, threshold):>6.3f} {own}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--fit", action="store_true", help="print the weights, fitted anew")
    arguments = parser.parse_args()
    all_items = [item for name in SETS for item in items(name)]
    if arguments.fit:
        weights = fit_weights([item for item in all_items if item.first_half])
        print("weights", ", ".join(f"{weight:.2f}" for weight in weights))
    print(f"{'set':<12} {'scored by':<14} {'items':>5} {'AUROC':>6} {'':<13} {'BA':>6} BA at {SUPPORTED}")
    for name in (*SETS, ELSEWHERE):
        halves = [[i for i in all_items if i.of == name and i.first_half == first] for first in (True, False)]
        report(name, *halves)
    print("\nin doubt by what is said otherwise")
    for name in SETS:
        print_doubts(name)
    print("\nsentences of talk, verbatim")
    for name in TALKS:
        print_talk(name)
    print("\nclaims about talk")
    print_labelled()


if __name__ == "__main__":
    main()
