"""Does an answer admit that there is none? Questions that an archive answers, and questions that it does not.

    python benchmarks/honesty.py [--data ../shared/data] [--archives 6] [--meetings 5] [--questions 12]

Each archive contains five meetings (`--meetings 1 --archives 30` for questions about one recording). It gets
questions that people wrote about one of them, and foreign questions: about podcasts, earnings calls, an
encyclopedia, or nothing in particular (below). Prints the verdicts, the area under the ROC curve of the
confidence (1: every answerable question above every other), and the expected calibration error in ten bins;
answerable and other questions have the same weight. Separate figures are for questions about a meeting that
is not in the archive, as the other meetings may well treat the same subject.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

import onrecord
from shared import DATA, calibration_error, read_lines

sys.path.append(str(Path(__file__).parent.parent / "training"))
from evaluate import area

INVENTED = (
    "What is the capital of Australia?",
    "How do I bake sourdough bread?",
    "Who won the football world cup in 2018?",
    "What are the symptoms of appendicitis?",
    "How many moons does Jupiter have?",
    "Why did the Roman Empire fall?",
    "What is the recipe for guacamole?",
    "How do I grow tomatoes on a balcony?",
    "Who was the first woman in space?",
    "Why do cats purr?",
    "What happened at Chernobyl?",
    "Which vaccines do I need for Kenya?",
)
ANOTHER = "another meeting"
ELSEWHERE = ("changelog", "earnings21", "hipporag_hotpotqa", "hipporag_musique")


def build(meetings: list[str], turns: dict[str, list[dict]], place: Path) -> onrecord.Archive:
    """Build an archive of these meetings."""
    folder = place / "meetings"
    folder.mkdir()
    for name in meetings:
        lines = (f"**{turn['speaker']}:** {turn['text']}\n" for turn in turns[name])
        (folder / f"{name}.md").write_text("\n".join(lines))
    archive = onrecord.open(place / "meetings.db", workspace="default")
    archive.add(folder)
    return archive


def measure(good: list[float], bad: list[float]) -> tuple[float, float]:
    """Return AUROC and calibration error of the confidence; both kinds of questions have the same weight."""
    sure, holds = np.array([*good, *bad]), np.arange(len(good) + len(bad)) < len(good)
    weight = np.where(holds, 0.5 / len(good), 0.5 / len(bad))
    return area(sure, holds, weight), calibration_error(sure, holds, weight)


def meetings_of(data: Path) -> tuple[dict[str, list[dict]], dict[str, list[str]]]:
    """Return the turns of every meeting, and the questions that people wrote about it."""
    turns, asked = defaultdict(list), defaultdict(list)
    for turn in read_lines(data / "qmsum" / "corpus.jsonl"):
        turns[turn["recording_id"]].append(turn)
    for question in read_lines(data / "qmsum" / "queries.jsonl"):
        if question["type"] == "specific":
            asked[question["recording_id"]].append(question["text"])
    return turns, asked


def report(answers: dict[str, list[onrecord.Answer]]) -> None:
    for kind, answers_of_kind in answers.items():
        verdicts = Counter(answer.verdict for answer in answers_of_kind)
        shares = "  ".join(f"{verdict} {count}" for verdict, count in verdicts.most_common())
        print(f"{kind:<20} mean confidence {np.mean([a.confidence for a in answers_of_kind]):.2f}   {shares}")
    good = [a.confidence for a in answers["qmsum"]]
    foreign = [answers_of_kind for kind, answers_of_kind in answers.items() if kind not in ("qmsum", ANOTHER)]
    bad = [a.confidence for answers_of_kind in foreign for a in answers_of_kind]
    under_curve, error = measure(good, bad)
    beside_another, _ = measure(good, [a.confidence for a in answers[ANOTHER]])
    print(f"area under the ROC curve     {under_curve:.3f}")
    print(f"expected calibration error   {error:.3f}")
    print(f"area beside another meeting  {beside_another:.3f}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--data", type=Path, default=DATA)
    options.add_argument("--archives", type=int, default=6)
    options.add_argument("--meetings", type=int, default=5)
    options.add_argument("--questions", type=int, default=12)
    chosen = options.parse_args()
    chance = random.Random(20)
    turns, asked = meetings_of(chosen.data)
    foreign = {
        name: [q["text"] for q in read_lines(chosen.data / name / "queries.jsonl")] for name in ELSEWHERE
    }
    size = chosen.meetings
    meetings = chance.sample(sorted(turns), chosen.archives * size)
    answers = defaultdict(list)
    for first in range(0, len(meetings), size):
        own = meetings[first : first + size]
        questions = {"qmsum": [q for name in own for q in asked[name]], "invented": list(INVENTED), **foreign}
        questions[ANOTHER] = [q for name in asked if name not in own for q in asked[name]]
        with tempfile.TemporaryDirectory() as place, build(own, turns, Path(place)) as archive:
            for kind, texts in questions.items():
                some = chance.sample(texts, min(chosen.questions, len(texts)))
                answers[kind] += [archive.ask(text) for text in some]
    report(answers)


if __name__ == "__main__":
    main()
