"""Do summaries match people's own? Quotes of whole meetings, compared with summaries by people.

    python benchmarks/summaries.py [--meetings 68] [--keep ARCHIVE]

Adds meetings of QMSum as `onrecord add` does (kept, and used again, with --keep), and asks for a summary of
each. Prints two shares of word stems, in 0..1, that the quotes contain: of a person's summary, and of this
summary together with the answers to all other questions about the meeting. For comparison, it prints the same
for as many words of turns drawn at random (the mean of ten draws), with intervals of 95 % over meetings, and
for two halves of the meetings.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import onrecord
from answering import write_transcripts
from onrecord.evaluate.intervals import bootstrap
from onrecord.retrieve.wording import stems
from shared import DATA, read_lines

QUESTION = "Summarize the meeting."
DRAWS, SHORTEST, SAMPLES = 10, 8, 1000
"""Random summaries of each meeting, words of a turn that may be drawn, and samples for intervals."""
Shares = tuple[float, float, float, float]
"""Shares of the summary and of all answers, by the quotes and by random turns."""


def build(meetings: Sequence[str], archive: Path) -> onrecord.Archive:
    """Put the meetings into one archive, or open the archive if it exists."""
    if not archive.exists():
        with tempfile.TemporaryDirectory() as folder:
            write_transcripts(DATA, "qmsum", set(meetings), Path(folder))
            onrecord.open(archive).add(folder, manifest=Path(folder) / "manifest.csv")
    return onrecord.open(archive, make=False, cache={"results": 0})


def share(expected: frozenset[str], text: str) -> float:
    """Return the share of stems that a text contains."""
    return len(expected & stems(text)) / len(expected)


def drawn(turns: Sequence[str], words: int, seed: int) -> str:
    """Return random turns with this number of words in all."""
    chosen: list[str] = []
    for turn in random.Random(seed).sample(turns, len(turns)):
        size = len(turn.split())
        if SHORTEST <= size <= words:
            chosen.append(turn)
            words -= size
    return " ".join(chosen)


def show(name: str, rows: Sequence[Shares]) -> None:
    print(f"{name}, {len(rows)} meetings")
    for what, own, chance in (("of the summary", 0, 2), ("of all answers", 1, 3)):
        shares = np.array(rows)
        quotes, random_turns, gain = (
            bootstrap(values, SAMPLES)
            for values in (shares[:, own], shares[:, chance], shares[:, own] - shares[:, chance])
        )
        print(f"  {what:15} quotes {quotes}  random {random_turns}  gain {gain}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--meetings", type=int, default=68)
    parser.add_argument("--keep", type=Path, help="build the archive here, or use the one built before")
    options = parser.parse_args()
    summaries, answers = {}, defaultdict(list)
    for query in read_lines(DATA / "qmsum" / "queries.jsonl"):
        answers[query["recording_id"]].append(query["answer"])
        if query["type"] == "general":
            summaries[query["recording_id"]] = query["answer"]
    meetings = sorted(summaries)[: options.meetings]
    turns = defaultdict(list)
    for unit in read_lines(DATA / "qmsum" / "corpus.jsonl"):
        turns[unit["recording_id"]].append(unit["text"])
    with tempfile.TemporaryDirectory() as folder:
        archive = build(meetings, options.keep or Path(folder) / "summaries.db")
        by_title = {recording.title: recording.id for recording in archive.recordings()}
        rows: list[Shares] = []
        for meeting in meetings:
            title = next(title for title in by_title if title.endswith(meeting))
            answer = archive.ask(QUESTION, scope=onrecord.Scope(recordings=(by_title[title],)))
            text = " ".join(citation.quote for citation in answer.citations)
            chance = [drawn(turns[meeting], len(text.split()), seed) for seed in range(DRAWS)]
            about = stems(summaries[meeting]), stems(" ".join(answers[meeting]))
            means = (float(np.mean([share(some, each) for each in chance])) for some in about)
            rows.append((share(about[0], text), share(about[1], text), *means))
    show("all", rows)
    show("odd", rows[::2])
    show("even", rows[1::2])


if __name__ == "__main__":
    main()
