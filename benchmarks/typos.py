"""Are typing errors corrected, and correctly spelled words left alone?

    python benchmarks/typos.py [--data ../shared/data] [--keep ARCHIVE] [--times 3] [--questions 100]

One typing error is made in one word of each question (four letters or more, no name, no function word): two
letters exchanged, one left out, one doubled, or a neighbor on the keyboard hit instead. Questions are asked
without errors, with them, and with them corrected. For each, it prints how many questions about the built-in
examples are correctly answered, and correctly refused, over `--times` draws of errors; and R and S of a
sample of QMSum (see benchmarks/qmsum.py; `--keep` is its archive), in the question's meeting and in all
meetings. Then, for each folder of data, it prints every unaltered question that is changed or gets a remark,
and the milliseconds of the check. Last come words that occur at least five times in the other folders, and
never in this one, and are mistaken for another word, with the model's vocabulary and without it.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter

import numpy as np

import onrecord
from onrecord.evaluate import Dataset, compare, examine, fill, load, read_questions
from onrecord.ingest.passages import Cutter
from onrecord.models import open_embedder
from onrecord.models.base import Embedder
from onrecord.retrieve import Tools
from onrecord.retrieve.stage import SPELLING
from onrecord.stores import open_store
from onrecord.stores.words import STOP, fold
from onrecord.strategies import AUTO
from onrecord.types import Question
from onrecord.understand.reading import corrected
from shared import DATA

FOLDERS = ("qmsum", "changelog", "earnings21", "earnings22", "hipporag_musique", "hipporag_hotpotqa")
KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
WORD = re.compile(r"(?<![\w'’-])[^\W\d_]{4,}(?![\w'’-])")
EXAMPLES = Path(onrecord.__file__).parent / "examples"


def typo(word: str, draw: random.Random) -> str:
    """Return a word with one typing error, after its first letter."""
    at = draw.randrange(1, len(word))
    kind = draw.choice(("exchanged", "left out", "doubled", "neighbour"))
    if kind == "exchanged":
        at = min(at, len(word) - 2)
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if kind == "neighbour":
        row = next((row for row in KEYS if fold(word[at]) in row), "")
        place = row.find(fold(word[at])) if row else 0
        beside = row[max(place - 1, 0) : place] + row[place + 1 : place + 2]
        return word[:at] + draw.choice(beside or word[at]) + word[at + 1 :]
    return word[:at] + (word[at] * 2 if kind == "doubled" else "") + word[at + 1 :]


def with_typo(text: str, draw: random.Random) -> str:
    """Return a text with one typing error in one of its words, or unchanged if no word can have one."""
    words = [m for m in WORD.finditer(text) if fold(m[0]) not in STOP and m[0].islower()]
    if not words:
        return text
    word = draw.choice(words)
    for _ in range(20):  # exchanging two equal letters changes nothing
        wrong = typo(word[0], draw)
        if wrong != word[0]:
            break
    return text[: word.start()] + wrong + text[word.end() :]


def of_examples(times: int) -> None:
    questions = [q for q in read_questions(EXAMPLES / "questions.yaml") if q.type != "misspelt"]
    unanswerable = np.array([question.unanswerable for question in questions])
    with tempfile.TemporaryDirectory() as folder:
        nothing_kept = {"embeddings": 0, "results": 0}
        archive = onrecord.open(Path(folder) / "examples.db", workspace="default", cache=nothing_kept)
        archive.add(EXAMPLES)
        mended, as_spelt = archive.ask, partial(archive.ask, without=["spelling"])

        def right(ask: object, texts: list[str]) -> tuple[float, float]:
            archive.ask = ask  # type: ignore[assignment, method-assign]
            asked = [replace(q, text=text) for q, text in zip(questions, texts, strict=True)]
            values = examine(archive, asked, ["auto"]).values["auto"]["right"]
            return float(values[~unanswerable].mean()), float(values[unanswerable].mean())

        clean = [question.text for question in questions]
        print(f"examples: {len(questions)} questions; of those answered there, and of the others, right")
        print("  without slips         {:.3f}  {:.3f}".format(*right(as_spelt, clean)))
        print("  without slips, read   {:.3f}  {:.3f}".format(*right(mended, clean)))
        drawn = [[with_typo(t, random.Random(f"{n} {t}")) for t in clean] for n in range(times)]
        for name, ask in (("with slips", as_spelt), ("with slips, read", mended)):
            both = np.mean([right(ask, texts) for texts in drawn], axis=0)
            print("  {:20}  {:.3f}  {:.3f}".format(name, *both))
        archive.close()


def of_meetings(data: Path, keep: Path | None, limit: int, embedder: Embedder) -> None:
    dataset = load(data / "qmsum")
    drawn = random.Random(3).sample(list(dataset.questions), min(limit, len(dataset.questions)))
    misspelt = [replace(q, text=with_typo(q.text, random.Random(q.text))) for q in drawn]
    with tempfile.TemporaryDirectory() as folder:
        file = keep or Path(folder) / "qmsum.db"
        built = file.exists()
        store = open_store(file)
        if not built:
            fill(store, dataset, embedder, Cutter())
        correcting = Tools(store, embedder, vocabulary=embedder)
        as_spelt = replace(correcting, without=(SPELLING,))
        for known, where in ((True, "their meeting"), (False, "all meetings")):
            print(f"qmsum, {len(drawn)} questions put to {where}: R, S")
            for name, tools, asked in (
                ("without slips", as_spelt, drawn),
                ("without slips, read", correcting, drawn),
                ("with slips", as_spelt, misspelt),
                ("with slips, read", correcting, misspelt),
            ):
                report = compare(tools, replace(dataset, questions=asked), [AUTO], known=known)
                print(f"  {name:20}  {report.mean('auto', 'R'):.3f}  {report.mean('auto', 'S'):.3f}")


def common_words(dataset: Dataset) -> set[str]:
    """Return the words of at least five letters that occur at least five times, in lower case."""
    counts = Counter(
        word for units in dataset.units.values() for unit in units for word in WORD.findall(unit.text)
    )
    return {
        word for word, n in counts.items() if n > 4 and len(word) > 4 and word.islower() and word not in STOP
    }


def of_folder(dataset: Dataset, embedder: Embedder, elsewhere: set[str]) -> None:
    """Print the corrections of a dataset's unaltered questions, a line for each that is not left alone."""
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "words.db")
        fill(store, dataset, None, Cutter())
        took, changed = [], []
        for question in dataset.questions:
            began = perf_counter()
            _, corrections = corrected(Question(question.text), store, embedder)
            took.append(1000 * (perf_counter() - began))
            if corrections:
                changed.append(f"  {question.id}: {' '.join(corrections.notes('en'))}")
        middle, p95 = np.percentile(took, (50, 95))
        unsaid = sorted(elsewhere - store.heard(elsewhere))
        drawn = random.Random(5).sample(unsaid, min(2000, len(unsaid)))
        asked = {word: f"what about the {word}" for word in drawn}
        print(f"{dataset.name}: of {len(took)} questions {len(changed)} not left alone;", end=" ")
        print(f"{middle:.1f} ms, p95 {p95:.1f} ms", *changed, sep="\n")
        for name, vocabulary in (("with", embedder), ("without", None)):
            corrected_texts = {
                w: corrected(Question(text), store, vocabulary)[0].text for w, text in asked.items()
            }
            replacements = [
                f"{word} -> {corrected_texts[word].split()[-1]}"
                for word in drawn
                if corrected_texts[word] != asked[word]
            ]
            print(
                f"  {name} a vocabulary {len(replacements)} of {len(drawn)} words not said:",
                ", ".join(replacements),
            )
        store.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--keep", type=Path, help="the archive of benchmarks/qmsum.py, kept")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--questions", type=int, default=100)
    options = parser.parse_args()
    embedder = open_embedder("minilm")
    of_examples(options.times)
    of_meetings(options.data, options.keep, options.questions, embedder)
    sets = [load(options.data / name) for name in FOLDERS]
    words = [common_words(dataset) for dataset in sets]
    for dataset, own in zip(sets, words, strict=True):
        of_folder(
            dataset, embedder, set().union(*(other_words for other_words in words if other_words is not own))
        )


if __name__ == "__main__":
    main()
