"""The cost of the graph: its share of the time of adding, and its questions in a large archive.

    python benchmarks/graph.py [--passages 200000] [--questions 200] [--keep ARCHIVE]
    python benchmarks/graph.py --adding [--data ../shared/data/changelog] [--recordings 10]
    python benchmarks/graph.py --concepts
    python benchmarks/graph.py --talk [--data ../shared/data/qmsum ...] [--questions 40] [--recordings 12]

The archive is invented: recordings of a hundred passages, in which people, firms, places and things are named
as often as in speech (a few everywhere, most in few places), about twenty in each passage, which is more than
people name; vectors are random. It is read by the same code as real archives. `about` and `between` are
called for names drawn by their frequency. Then `auto`, without embedding and reader, answers questions for
the search and questions for the graph, alternately with and without the stages that the graph serves. Prints
the 50th and the 95th percentile, in milliseconds of processor and wall-clock time.

`--adding` adds recordings of a labeled set to an archive with the embedded model, and prints the processor
seconds of each part. `--concepts` asks the built-in examples for concepts in words that nobody there uses
(tests/graph/concepts.yaml). `--talk` asks recordings of labeled sets their own questions with and without the
stages that the graph serves. It counts how many questions get exactly the same results, and how many are
answered from the graph instead of searched.
"""

from __future__ import annotations

import argparse
import gc
import random
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import date
from itertools import islice
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
import yaml

import onrecord
from onrecord.errors import NotFoundError
from onrecord.evaluate.datasets import fill, load, recordings
from onrecord.graph.extract import knowledge_of
from onrecord.graph.meaning import NEAR, nearest_concepts
from onrecord.graph.queries import Graph
from onrecord.ingest.passages import Cutter
from onrecord.models import open_embedder
from onrecord.retrieve import Stage, Tools
from onrecord.retrieve.values import from_value, to_value
from onrecord.stores import Store, open_store
from onrecord.strategies import STRATEGIES
from onrecord.types import Details, Passage, Question, Recording
from onrecord.understand.planner import plan
from search import Vectors
from shared import DATA
from store import Clock, Talk

SUITE = Path(__file__).parent.parent / "tests" / "graph" / "concepts.yaml"
TALK = ("earnings21", "earnings22", "changelog", "qmsum", "friendsqa", "locomo")
OF_GRAPH = {"Entries", "FollowOn", "Graph"}
"""Stages that the graph serves, or that rank by the graph."""
WARMING = 3
"""Questions that fill the caches before any question is timed."""
SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bran cler dost frim glan".split()
FRAMES = (
    "I think the {thing} in {place} was the reason, and {person} said so to {firm} last year.",
    "We spoke with {person} about the {thing}, because {firm} had a {thing} of its own.",
    "The {thing} caused a {thing}, and nobody at {firm} had expected the {thing}.",
    "And then in {place} they opened the {thing}, which is a {thing} that {person} had planned.",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--passages", type=int, default=200_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--keep", type=Path, help="keep the archive here, and use the one built before")
    parser.add_argument("--adding", action="store_true")
    parser.add_argument("--concepts", action="store_true")
    parser.add_argument("--talk", action="store_true")
    parser.add_argument("--data", type=Path, action="append", help="folders of labelled sets")
    parser.add_argument("--recordings", type=int, default=10)
    options = parser.parse_args()
    if options.concepts:
        concepts()
    elif options.talk:
        for folder in options.data or [DATA / name for name in TALK]:
            talk(folder, options.recordings, options.questions)
    elif options.adding:
        adding(options.data or [DATA / "changelog"], options.recordings)
    else:
        with tempfile.TemporaryDirectory() as folder:
            asking(options.keep or Path(folder) / "large.db", options.passages, options.questions)


# ---------------------------------------------------------------- asking


def invented(count: int) -> Iterator[tuple[Recording, list[Passage]]]:
    """Yield recordings of a hundred passages each."""
    chance = random.Random(5)

    def word() -> str:
        return "".join(chance.choices(SYLLABLES, k=chance.choice((2, 3))))

    people = [f"{word().title()} {word().title()}" for _ in range(2000)]
    firms = [f"{word().title()} {chance.choice(('Capital', 'Group', 'Institute'))}" for _ in range(3000)]
    places = [word().title() for _ in range(3000)]
    things = [f"{word()} {word()}" if chance.random() < 0.5 else word() for _ in range(12_000)]

    def one(some: list[str]) -> str:
        return some[min(len(some) - 1, int(len(some) ** chance.random()) - 1)]  # Zipf

    for number in range(max(1, count // 100)):
        voices = [one(people) for _ in range(3)]
        passages = [
            Passage(
                f"r{number}",
                at,
                " ".join(
                    frame.format(thing=one(things), place=one(places), person=one(people), firm=one(firms))
                    for frame in chance.choices(FRAMES, k=4)
                ),
                voices[at % 3],
                10.0 * at,
                10.0 * at + 9,
            )
            for at in range(100)
        ]
        details = Details(
            title=f"Talk {number}", date=f"20{10 + number % 15}-0{1 + number % 9}-11", language="en"
        )
        yield Recording(f"r{number}", f"r{number}", "", "invented", details).counted(passages), passages


def build(path: Path, count: int) -> None:
    """Put invented speech with its graph, and random vectors, into an archive."""
    store, talk = open_store(path), Talk(5)
    for recording, passages in invented(count):
        vectors, knowledge = talk.vectors(len(passages)), knowledge_of(recording, passages)
        store.add(recording, passages, vectors=vectors, knowledge=knowledge)


def asking(path: Path, count: int, questions: int) -> None:
    if not path.exists():
        began = perf_counter()
        build(path, count)
        print(f"built in {perf_counter() - began:.0f} s")
    store = open_store(path)
    print(f"{len(store.timeline()):,} passages, {path.stat().st_size / 1e6:.0f} MB")
    names = drawn_names(store, 2 * questions)
    pairs = [pair for pair in zip(names[::2], names[1::2], strict=True) if pair[0] != pair[1]]
    about, between = Times("about"), Times("between")
    gc.collect()
    gc.freeze()  # as `onrecord serve` does before its first question
    for name, pair in zip(names, pairs, strict=False):
        with store.snapshot() as now, about:
            Graph(now.graph, now).about(name)
        with store.snapshot() as now, between:
            Graph(now.graph, now).between(*pair)
    print(about, between, sep="\n")

    bare = replace(STRATEGIES["auto"], stages=without(STRATEGIES["auto"].stages))
    asked = {
        "search": [f"Why was the {one} a reason for the {other}?" for one, other in pairs],
        "graph": [f"How is {one} connected with {other}?" for one, other in pairs],
    }
    embedder = Vectors(Clock(), Talk(3), model=False)
    for form, texts in asked.items():
        times = {
            strategy: Times(f"{strategy.name}, questions for the {form}{label}")
            for strategy, label in ((STRATEGIES["auto"], ""), (bare, ", its stages left out"))
        }
        for number, text in enumerate(texts):
            turn = 1 if number % 2 else -1  # the second one finds what the first one has read
            for strategy, clock in list(times.items())[::turn]:
                with store.snapshot() as now:
                    tools = Tools(now, embedder)
                    if number < WARMING:
                        strategy.retrieve(Question(text), tools)
                        continue
                    with clock:
                        strategy.retrieve(Question(text), tools)
        print(*times.values(), sep="\n")


def drawn_names(store: Store, count: int) -> list[str]:
    """Draw names by their frequency in the archive, for entities that the graph knows."""
    chance = random.Random(7)
    with store.snapshot() as now:
        rows = chance.sample(range(len(now.timeline())), min(count, len(now.timeline())))
        places = [(p.recording, p.position) for p in now.passages(now.timeline().rows[rows])]
        names = [m.name for m in now.graph.mentioned(places)]
        linker = Graph(now.graph, now).linker
        known = []
        for name in chance.sample(names, len(names)):
            with suppress(NotFoundError):
                known.append(linker.read(name).entity.name)
            if len(known) == count:
                break
    return known


def without(stage: Stage) -> Stage:
    """Return a stage without the stages that the graph serves."""

    def pruned(value: Any) -> Any:
        if isinstance(value, list):
            return [pruned(each) for each in value if not OF_GRAPH.intersection(each)]
        return {name: pruned(each) for name, each in value.items()} if isinstance(value, dict) else value

    return from_value(pruned(to_value(stage)))


class Times:
    """Milliseconds of processor time and of wall-clock time."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.processor: list[float] = []
        self.clock: list[float] = []

    def __enter__(self) -> None:
        self._began = process_time(), perf_counter()

    def __exit__(self, *_: object) -> None:
        for times, began, now in zip(
            (self.processor, self.clock), self._began, (process_time(), perf_counter()), strict=True
        ):
            times.append(1000 * (now - began))

    def __str__(self) -> str:
        shown = (
            f"{name} p50 {np.percentile(times, 50):.0f} p95 {np.percentile(times, 95):.0f} ms"
            for name, times in (("processor", self.processor), ("clock", self.clock))
        )
        return f"{self.name}, {len(self.clock)} asked: {', '.join(shown)}"


# ---------------------------------------------------------------- concepts in other words


def concepts() -> None:
    asked = yaml.safe_load(SUITE.read_text())
    with tempfile.TemporaryDirectory() as folder, onrecord.open(Path(folder) / "examples.db") as archive:
        archive.add(Path(onrecord.__file__).parent / "examples")
        embedder = archive.embedder
        assert embedder is not None
        embedder.embed(["warm"])
        with archive.store.snapshot() as now:
            took, ranks, sure = [], [], []
            for each in asked:
                start = process_time()
                near = nearest_concepts(each["asked"], now.graph, now, embedder)
                took.append(1000 * (process_time() - start))
                keys = [entity.key for entity, _ in near]
                ranks.append(next((n for n, key in enumerate(keys) if key in each["means"]), len(keys)))
                sure.append(bool(near) and near[0][1] >= NEAR)
    for name, part in (
        ("all", slice(None)),
        ("chosen on", slice(0, None, 2)),
        ("kept apart", slice(1, None, 2)),
    ):
        some = np.array(ranks[part])
        answered = np.array(sure[part])
        first, three = np.mean(some < 1), np.mean(some < 3)
        right = f"answered {answered.sum()}, right {np.sum(answered & (some < 1))}"
        print(f"{name:10} {len(some)} asked: first {first:.2f}, among three {three:.2f}; {right}")
    print(f"{np.percentile(took, 50):.0f} ms of the processor, p95 {np.percentile(took, 95):.0f} ms")


# ---------------------------------------------------------------- effect on recorded speech


def talk(folder: Path, most: int, questions: int) -> None:
    dataset = load(folder)
    embedder = open_embedder("hashing")
    bare = replace(STRATEGIES["auto"], stages=without(STRATEGIES["auto"].stages))
    units = dict(list(dataset.units.items())[:most])
    there = {unit.id for some in units.values() for unit in some}
    asked = [question for question in dataset.questions if there.intersection(question.grades)]
    some = random.Random(3).sample(asked, min(questions, len(asked)))
    with tempfile.TemporaryDirectory() as temporary:
        store = open_store(Path(temporary) / "talk.db")
        fill(store, replace(dataset, units=units), embedder, Cutter())
        with store.snapshot() as now:
            tools = Tools(now, embedder)
            moments = [
                [strategy.retrieve(Question(each.text), tools).moments for each in some]
                for strategy in (STRATEGIES["auto"], bare)
            ]
            plans = [plan(Question(each.text), now, date(2024, 6, 1)) for each in asked]
    same = sum(one == other for one, other in zip(*moments, strict=True))
    answered = sum(any(fact.graph for fact in each.facts) for each in plans)
    print(
        f"{dataset.name}, {len(units)} recordings: {same} of {len(some)} questions find just the same;"
        f" {answered} of {len(asked)} are answered from the graph"
    )


# ---------------------------------------------------------------- adding


def adding(folders: list[Path], most: int) -> None:
    embedder = open_embedder("minilm")
    embedder.embed(["warm"])
    spent: defaultdict[str, float] = defaultdict(float)
    with tempfile.TemporaryDirectory() as temporary:
        bare, full = (open_store(Path(temporary) / f"{name}.db") for name in ("bare", "full"))
        count = 0
        for folder in folders:
            for recording, passages in islice(recordings(load(folder), Cutter()), most):
                count += len(passages)
                marks = [process_time()]
                vectors = embedder.embed([passage.spoken for passage in passages])
                marks.append(process_time())
                bare.add(recording, passages, vectors=vectors)
                marks.append(process_time())
                knowledge = knowledge_of(recording, passages)
                marks.append(process_time())
                full.add(recording, passages, vectors=vectors, knowledge=knowledge)
                marks.append(process_time())
                for part, a, b in zip(
                    ("embed", "store", "read", "store with graph"), marks, marks[1:], strict=False
                ):
                    spent[part] += b - a
    for part, seconds in spent.items():
        print(f"{part:18} {seconds:7.2f} s of the processor, {1000 * seconds / count:.2f} ms a passage")
    graph = spent["read"] + spent["store with graph"] - spent["store"]
    print(
        f"graph: {graph / (spent['embed'] + spent['store']):.1%} on top of embedding and storing"
        f" {count} passages"
    )


if __name__ == "__main__":
    main()
