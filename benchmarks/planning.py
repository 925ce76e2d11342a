"""How long it takes to understand a question, beside the search that follows.

    python benchmarks/planning.py [--recordings 2000] [--times 15]

An archive of so many recordings is made up, of six passages each, with hosts, guests, banks and dates, whose
names have much in common. Prints the median and the longest of some plannings of each question, in
milliseconds, and the median as a share of the time that `balanced` takes for it afterwards. The first one of
each is not counted: it compiles patterns and reads what the archive knows.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

from onrecord.models.double import HashingEmbedder
from onrecord.retrieve import Tools
from onrecord.retrieve.plan import plan
from onrecord.stores import Store, open_store
from onrecord.strategies import STRATEGIES
from onrecord.types import Details, Passage, Question, Recording

TODAY = date(2025, 1, 1)
FIRST = "Ann Bo Cy Di Ed Fay Gus Hal Ida Jo".split()
LAST = [f"L{one}{other}ander" for one in "abcdefghij" for other in "klmnopqrst"]
SAID = "freight costs rose in the harbour while prices of copper fell and the crane stood still".split()
QUESTIONS = (
    "Why did prices rise?",
    "What did Ann Lakander say about freight?",
    "What did Ann Lakander of Bank of Lbmander say on freight in March 2024, and why did Bo Lcnander object?",
    "Compare Ann Lakander and Bo Lcnander on freight",
    "What did the guest say about freight?",
    "What was said about freight in episode 41 of Show?",
    "What was decided about the crane?",
    "What did Ann recommend?",
    "Why did prcies rise?",
    "How many episodes are there?",
    "How often is copper mentioned?",
    "Qu'a dit Ann Lakander sur le fret en mars 2024 ?",
    "Was sagte Ann Lakander im März 2024 über Kupfer?",
)


def fill(store: Store, recordings: int) -> None:
    draw, embedder = random.Random(1), HashingEmbedder()
    for number in range(recordings):
        people = tuple(f"{draw.choice(FIRST)} {draw.choice(LAST)}" for _ in range(6))
        told = {"show": "Show", "episode": str(number), "host": people[0], "guest": "; ".join(people[1:3])}
        told |= {"bank": f"Bank of {draw.choice(LAST)}", "quarter": "Q1 2024"}
        details = Details(f"Show {number}: Subject {number}", "2024-01-01", "en", attributes=told)
        texts = [" ".join(draw.choices(SAID, k=60)) for _ in people]
        passages = [Passage(f"r{number}", at, texts[at], who) for at, who in enumerate(people)]
        recording = Recording(f"r{number}", f"s{number}", "c", "made up", details, 6, 1, speakers=people)
        store.add(recording, passages, (), embedder.embed(texts))


def times(call: Callable[[], object], count: int) -> list[float]:
    call()
    taken = []
    for _ in range(count):
        began = time.perf_counter()
        call()
        taken.append(1000 * (time.perf_counter() - began))
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--recordings", type=int, default=2000)
    parser.add_argument("--times", type=int, default=15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "planning.db")
        fill(store, options.recordings)
        tools = Tools(store, HashingEmbedder())
        print(f"{options.recordings} recordings\n{'median':>8} {'longest':>8} {'of balanced':>12}   question")
        for text in QUESTIONS:
            with store.snapshot() as now:
                planning = times(lambda: plan(Question(text), now, TODAY), options.times)  # noqa: B023
                made = plan(Question(text), now, TODAY)
                asked = Question(made.text, made.scope)
                search = times(lambda: STRATEGIES["balanced"].retrieve(asked, tools), options.times)  # noqa: B023
            middle = statistics.median(planning)
            share = middle / statistics.median(search)
            print(f"{middle:8.2f} {max(planning):8.2f} {share:12.0%}   {text}")


if __name__ == "__main__":
    main()
