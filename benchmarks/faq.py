"""How well the FAQ finds the right entry, and tells what it has no answer to.

    python benchmarks/faq.py [--data ../shared/data] [--without letters ...]

Three public sets with questions that no entry answers: clinc150 (150 entries of 100 variants), hint3 (three
shops' bots, matched within each, real messages, misspelt) and stackfaq (100 entries without variants). One
set of defaults for all. For each: accuracy of the best entry and AUROC of questions that an entry answers
against those that none does, for the nearest way of asking by TF-IDF and by cosine, and for `onrecord`;
then what is answered at once, without an LLM, by the default thresholds, and by thresholds calibrated for
95 % precision on one half and measured on the other. `--without` leaves a part out, to see what it is for.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from onrecord.evaluate.faq import Judged, Rates, auroc, held_out, judge, rates
from onrecord.models import open_embedder
from onrecord.models.base import Embedder
from onrecord.retrieve.faq import Faq, index
from onrecord.retrieve.faq.index import Classes
from onrecord.retrieve.faq.judge import PASSED, local_reply, through_gates
from onrecord.retrieve.faq.text import Grams, Spelling
from onrecord.stores.faq import MemoryFaqStore, Thresholds
from onrecord.types import FaqEntry

SETS = ("clinc150", "hint3", "stackfaq")
PARTS = ("letters", "classes", "lead", "negation", "spelling", "several")


@dataclass
class Part:
    """A set, or the part of it that is matched within itself."""

    name: str
    entries: list[FaqEntry]
    labelled: list[tuple[str, str]]


class Remembering:
    """An embedder that embeds each text once."""

    def __init__(self, inner: Embedder) -> None:
        self.inner, self.known = inner, {}

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def embed(self, texts):
        new = [text for text in dict.fromkeys(texts) if text not in self.known]
        self.known |= dict(zip(new, self.inner.embed(new), strict=True))
        return np.stack([self.known[text] for text in texts])

    def embed_query(self, text):
        return self.embed([text])[0]


def parts(folder: Path) -> Iterator[Part]:
    """A set's entries and questions, by the bot that they belong to."""
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


# ---------------------------------------------------------------- the three ways


def by_onrecord(part: Part, embedder: Embedder) -> tuple[list[Judged], Faq]:
    faq = Faq(MemoryFaqStore(part.name), lambda: embedder)
    faq.add(*part.entries, live=True)
    return judge(faq, part.labelled), faq


def by_cosine(part: Part, embedder: Embedder) -> list[Judged]:
    ways = [way for entry in part.entries for way in entry.ways]
    vectors = embedder.embed(ways)
    return _nearest(part, lambda question: vectors @ embedder.embed_query(question))


def by_letters(part: Part, _: Embedder) -> list[Judged]:
    grams = Grams([way for entry in part.entries for way in entry.ways])
    rows = np.arange(sum(len(entry.ways) for entry in part.entries))
    return _nearest(part, lambda question: grams.likeness(question, rows))


def _nearest(part: Part, score) -> list[Judged]:
    owners = [entry.id for entry in part.entries for _ in entry.ways]
    judged = []
    for question, wanted in part.labelled:
        scores = score(question)
        best = int(scores.argmax())
        judged.append(Judged(question, wanted, owners[best], float(scores[best]), False))
    return judged


# ---------------------------------------------------------------- what is printed


def joined(judged: list[list[Judged]]) -> list[Judged]:
    return [one for part in judged for one in part]


def ranking(title: str, judged: list[Judged], by_part: list[list[Judged]]) -> str:
    inside = [one for one in judged if one.wanted]
    accuracy = sum(one.right for one in inside) / len(inside)
    mean = np.mean([auroc(part) for part in by_part])
    each = f"  (mean of parts {mean:.3f})" if len(by_part) > 1 else ""
    return f"  {title:<28} accuracy {accuracy:.3f}   AUROC {auroc(judged):.3f}{each}"


def answering(title: str, found: Rates) -> str:
    shares = (found.precision, found.answered, found.clarified, found.between)
    names = ("right", "answered", "asked back", "stage two")
    told = "   ".join(f"{name} {share.value:.3f}" for name, share in zip(names, shares, strict=True))
    low, high = found.precision.interval
    return f"  {title:<28} {told}   (right: {low:.3f}-{high:.3f})"


def in_all(judged: list[Judged], faqs: list[tuple[Faq, list[Judged]]], at: Thresholds) -> str:
    """Both stages by the defaults, decided locally: how much of all answers is right, how much is answered,
    and how often the entry meant is offered where it is asked back."""
    right = answered = offered = asked_back = 0
    for faq, ones in faqs:
        for one in ones:
            matches = faq.match(one.question)
            if one.score >= at.high:
                pick = 0
            elif one.score < at.low:
                pick = -1
            else:
                verdict = through_gates(local_reply(matches), len(matches))
                pick = verdict.pick if verdict.gate == PASSED else -1
                asked_back += pick < 0 and one.wanted != ""
                offered += pick < 0 and one.wanted != "" and one.near
            answered += pick >= 0
            right += pick >= 0 and matches[pick].entry.id == one.wanted
    inside = sum(1 for one in judged if one.wanted)
    shares = f"right {right / answered:.3f}   rightly answered {right / inside:.3f}"
    offers = f"of those asked back in between, the entry meant is offered in {offered / asked_back:.3f}"
    return f"  {'both stages, decided locally':<28} {shares}\n  {'':<28} {offers}"


def without(names: list[str]) -> None:
    """Leave parts out."""
    if "letters" in names:
        index.LETTERS = 0.0
    if "classes" in names:
        index.BELONGING = 0.0
        Classes.cosines = lambda self, vector, entries: np.zeros(len(entries), np.float32)
    if "lead" in names:
        index.LEAD = index.SLOPE_OF_LEAD = 0.0
    if "negation" in names:
        index.NEGATION = 0.0
    if "several" in names:
        index.TEMPERATURE = 0.001
    if "spelling" in names:
        Spelling.corrected = lambda self, text: text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--without", nargs="*", choices=PARTS, default=[])
    arguments = parser.parse_args()
    without(arguments.without)
    embedder = Remembering(open_embedder("minilm"))
    at = Faq(MemoryFaqStore(), lambda: embedder).thresholds()
    print(
        f"default thresholds {at.high} and {at.low}; the score's middle {index.MIDDLE}, slope {index.SLOPE}"
    )
    for name in SETS:
        found = list(parts(arguments.data / name))
        sizes = sum(len(p.entries) for p in found), sum(len(p.labelled) for p in found)
        print("\n{}: {} entries, {} questions".format(name, *sizes))
        for title, way in (("nearest by letters (TF-IDF)", by_letters), ("nearest by cosine", by_cosine)):
            judged = [way(part, embedder) for part in found]
            print(ranking(title, joined(judged), judged))
        pairs = [by_onrecord(part, embedder) for part in found]
        judged = [one for one, _ in pairs]
        every = joined(judged)
        print(ranking("onrecord", every, judged))
        print(answering("by default", rates(every, at)))
        calibrated = held_out(every)
        print(
            answering("calibrated on the other half", calibrated) if calibrated else "  no half reaches 95 %"
        )
        print(in_all(every, [(faq, ones) for ones, faq in pairs], at))


if __name__ == "__main__":
    main()
