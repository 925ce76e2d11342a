"""How well the FAQ finds the right entry, and refuses questions that no entry answers.

    python benchmarks/faq.py [--data ../shared/data] [--without letters ...]

Three public sets with questions that no entry answers: clinc150 (150 entries of 100 variants), hint3 (three
shops' bots, each matched separately, real messages, misspelled) and stackfaq (100 entries without variants).
All use the same defaults. For each set it prints the accuracy of the best entry, and the AUROC of questions
that an entry answers against questions that none answers: for the nearest wording by TF-IDF and by cosine,
and for onrecord. Then the figures for questions answered at once, without a language model, by the default
thresholds and by thresholds calibrated for 95 % precision on one half and measured on the other. `--without`
leaves a part out, to show its effect.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from onrecord.evaluate.faq import (
    LabelledMatch,
    Rates,
    auroc,
    forecast_rates,
    match_labelled,
    measure_rates,
)
from onrecord.models import open_embedder
from onrecord.models.base import Embedder
from onrecord.retrieve.faq import Faq, index
from onrecord.retrieve.faq.index import Classes
from onrecord.retrieve.faq.judge import PASSED, apply_gates, local_reply
from onrecord.retrieve.faq.text import Grams, Spelling
from onrecord.stores.faq import MemoryFaqStore, Thresholds
from onrecord.types import FaqEntry

SETS = ("clinc150", "hint3", "stackfaq")
PARTS = ("letters", "classes", "lead", "negation", "spelling", "several")


@dataclass
class Part:
    """A set, or a part of it that is matched separately."""

    name: str
    entries: list[FaqEntry]
    labelled: list[tuple[str, str]]


class CachingEmbedder:
    """An embedder that embeds each text once."""

    def __init__(self, inner: Embedder) -> None:
        self.inner, self.vectors = inner, {}

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def embed(self, texts):
        new = [text for text in dict.fromkeys(texts) if text not in self.vectors]
        self.vectors |= dict(zip(new, self.inner.embed(new), strict=True))
        return np.stack([self.vectors[text] for text in texts])

    def embed_query(self, text):
        return self.embed([text])[0]


def read_parts(folder: Path) -> Iterator[Part]:
    """Yield a set's entries and questions, by the bot that they belong to."""
    entries = [json.loads(line) for line in (folder / "faq.jsonl").open()]
    questions = [json.loads(line) for line in (folder / "queries.jsonl").open()]
    topics = sorted({q["type"] for q in questions}) if folder.name == "hint3" else [None]
    for topic in topics:
        yield Part(
            topic or folder.name,
            [
                FaqEntry(e["id"], e["question"], e["answer"] or "-", tuple(e["variants"]))
                for e in entries
                if topic in (None, e["topic"] if topic else None)
            ],
            [
                (q["text"], "" if q["gold"] == "oos" else q["gold"])
                for q in questions
                if topic in (None, q["type"])
            ],
        )


# ---------------------------------------------------------------- three matchers


def match_by_onrecord(part: Part, embedder: Embedder) -> tuple[list[LabelledMatch], Faq]:
    faq = Faq(MemoryFaqStore(part.name), lambda: embedder)
    faq.add(*part.entries, live=True)
    return match_labelled(faq, part.labelled), faq


def match_by_cosine(part: Part, embedder: Embedder) -> list[LabelledMatch]:
    vectors = embedder.embed([wording for entry in part.entries for wording in entry.wordings])
    return _match_nearest(part, lambda question: vectors @ embedder.embed_query(question))


def match_by_letters(part: Part, _: Embedder) -> list[LabelledMatch]:
    wordings = [wording for entry in part.entries for wording in entry.wordings]
    grams, rows = Grams(wordings), np.arange(len(wordings))
    return _match_nearest(part, lambda question: grams.likeness(question, rows))


def _match_nearest(part: Part, score) -> list[LabelledMatch]:
    owners = [entry.id for entry in part.entries for _ in entry.wordings]
    matches = []
    for question, expected in part.labelled:
        scores = score(question)
        best = int(scores.argmax())
        matches.append(LabelledMatch(question, expected, owners[best], float(scores[best]), False))
    return matches


# ---------------------------------------------------------------- printed figures


def describe_ranking(title: str, by_part: list[list[LabelledMatch]]) -> str:
    matches = list(chain.from_iterable(by_part))
    inside = [match for match in matches if match.expected]
    accuracy = sum(match.right for match in inside) / len(inside)
    mean = np.mean([auroc(part) for part in by_part])
    of_parts = f"  (mean of parts {mean:.3f})" if len(by_part) > 1 else ""
    return f"  {title:<28} accuracy {accuracy:.3f}   AUROC {auroc(matches):.3f}{of_parts}"


def describe_rates(title: str, rates: Rates) -> str:
    shares = (rates.precision, rates.answered, rates.clarified, rates.between)
    names = ("right", "answered", "asked back", "stage two")
    figures = "   ".join(f"{name} {share.value:.3f}" for name, share in zip(names, shares, strict=True))
    low, high = rates.precision.interval
    return f"  {title:<28} {figures}   (right: {low:.3f}-{high:.3f})"


def describe_both_stages(by_faq: list[tuple[list[LabelledMatch], Faq]], thresholds: Thresholds) -> str:
    """Describe both stages, decided locally: the share of right answers, and of correctly answered questions.

    For questions asked back in stage two, also the share for which the expected entry is offered.
    """
    right = answered = offered = asked_back = inside = 0
    for labelled_matches, faq in by_faq:
        for labelled in labelled_matches:
            matches = faq.match(labelled.question)
            if labelled.score >= thresholds.high:
                pick = 0
            elif labelled.score < thresholds.low:
                pick = -1
            else:
                verdict = apply_gates(local_reply(matches), len(matches))
                pick = verdict.pick if verdict.gate == PASSED else -1
                asked_back += pick < 0 and labelled.expected != ""
                offered += pick < 0 and labelled.expected != "" and labelled.near
            answered += pick >= 0
            right += pick >= 0 and matches[pick].entry.id == labelled.expected
            inside += labelled.expected != ""
    shares = f"right {right / answered:.3f}   rightly answered {right / inside:.3f}"
    offers = f"of those asked back in between, the entry meant is offered in {offered / asked_back:.3f}"
    return f"  {'both stages, decided locally':<28} {shares}\n  {'':<28} {offers}"


def switch_off(names: list[str]) -> None:
    """Switch parts of the matching off."""
    if "letters" in names:
        index.GRAM_WEIGHT = 0.0
    if "classes" in names:
        index.CLASS_WEIGHT = 0.0
        Classes.cosines = lambda self, vector, entries: np.zeros(len(entries), np.float32)
    if "lead" in names:
        index.LEAD_WEIGHT = index.SLOPE_OF_LEAD = 0.0
    if "negation" in names:
        index.NEGATION = 0.0
    if "several" in names:
        index.TEMPERATURE = 0.001
    if "spelling" in names:
        Spelling.correct = lambda self, text: text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--without", nargs="*", choices=PARTS, default=[])
    arguments = parser.parse_args()
    switch_off(arguments.without)
    embedder = CachingEmbedder(open_embedder("minilm"))
    thresholds = Faq(MemoryFaqStore(), lambda: embedder).thresholds()
    print(
        f"default thresholds {thresholds.high} and {thresholds.low}; "
        f"the score's middle {index.MIDDLE}, slope {index.SLOPE}"
    )
    for name in SETS:
        measure_set(name, list(read_parts(arguments.data / name)), embedder, thresholds)


def measure_set(name: str, parts: list[Part], embedder: Embedder, thresholds: Thresholds) -> None:
    sizes = sum(len(part.entries) for part in parts), sum(len(part.labelled) for part in parts)
    print("\n{}: {} entries, {} questions".format(name, *sizes))
    rivals = {"nearest by letters (TF-IDF)": match_by_letters, "nearest by cosine": match_by_cosine}
    for title, match in rivals.items():
        print(describe_ranking(title, [match(part, embedder) for part in parts]))
    by_faq = [match_by_onrecord(part, embedder) for part in parts]
    by_part = [matches for matches, _ in by_faq]
    matches = list(chain.from_iterable(by_part))
    print(describe_ranking("onrecord", by_part))
    print(describe_rates("by default", measure_rates(matches, thresholds)))
    forecast = forecast_rates(matches)
    print(describe_rates("calibrated on the other half", forecast) if forecast else "  no half reaches 95 %")
    print(describe_both_stages(by_faq, thresholds))


if __name__ == "__main__":
    main()
