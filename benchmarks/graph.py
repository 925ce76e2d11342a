"""What the graph costs: its share of the time of adding, and how long questions to it take in a large
archive.

    python benchmarks/graph.py [--passages 200000] [--questions 200] [--keep ARCHIVE]
    python benchmarks/graph.py --adding [--data ../shared/data/changelog] [--recordings 10]
    python benchmarks/graph.py --draw 200 [--data FOLDER ...]
    python benchmarks/graph.py --concepts

The archive is invented: recordings of a hundred passages, whose people, firms, places and things are named as
often as in talk (a few everywhere, most in few places). It is read by the same code as real ones. `about` and
`between` are asked for names drawn by how often they are said; printed are the 50th and the 95th percentile
in milliseconds of the processor. `--adding` puts recordings of a labelled set into an archive with the
embedded model, and prints the processor's seconds of each part. `--draw` prints relations that were read,
drawn by chance, with their words, to be judged by a person. `--concepts` asks the built-in examples for
concepts in words that nobody says there (tests/graph/concepts.yaml).
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import yaml

import onrecord
from onrecord.errors import NotFoundError
from onrecord.evaluate import load
from onrecord.graph.extract import knowledge_of
from onrecord.graph.meaning import NEAR, nearest_concepts
from onrecord.graph.queries import Graph
from onrecord.ingest.passages import Cutter
from onrecord.ingest.people import unify_speakers
from onrecord.models import open_embedder
from onrecord.stores import open_store
from onrecord.types import Details, Passage, Recording, Transcript, Turn

SHARED = Path(__file__).parent.parent.parent / "shared" / "data"
SUITE = Path(__file__).parent.parent / "tests" / "graph" / "concepts.yaml"
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
    parser.add_argument("--draw", type=int, default=0)
    parser.add_argument("--concepts", action="store_true")
    parser.add_argument("--data", type=Path, action="append", help="folders of labelled sets")
    parser.add_argument("--recordings", type=int, default=10)
    options = parser.parse_args()
    if options.concepts:
        concepts()
    elif options.adding:
        adding(options.data or [SHARED / "changelog"], options.recordings)
    elif options.draw:
        draw(
            options.data or [SHARED / name for name in ("changelog", "earnings21", "hipporag_musique")],
            options.draw,
        )
    else:
        with tempfile.TemporaryDirectory() as folder:
            asking(options.keep or Path(folder) / "large.db", options.passages, options.questions)


# ---------------------------------------------------------------- asking


def invented(count: int) -> Iterator[tuple[Recording, list[Passage]]]:
    """Recordings of a hundred passages each."""
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


def asking(path: Path, count: int, questions: int) -> None:
    built = path.exists()
    store = open_store(path)
    began = perf_counter()
    if not built:
        for recording, passages in invented(count):
            store.add(recording, passages, knowledge=knowledge_of(recording, passages))
    print(
        f"{len(store.timeline()):,} passages, "
        f"{path.stat().st_size / 1e6:.0f} MB, {perf_counter() - began:.0f} s"
    )
    chance = random.Random(7)
    with store.snapshot() as now:
        rows = chance.sample(range(len(now.timeline())), 2 * questions)
        named = [
            m
            for p in now.passages(now.timeline().rows[rows])
            for m in now.graph.mentioned([(p.recording, p.position)])
        ]
        names = chance.sample([m.name for m in named], 2 * questions)

    def each(ask: Callable[[Graph, int], object]) -> list[float]:
        took = []
        for number in range(questions):
            with store.snapshot() as now:
                start = process_time()
                try:
                    ask(Graph(now.graph, now), number)
                except NotFoundError:
                    continue
                took.append(1000 * (process_time() - start))
        return took

    tell("about", each(lambda graph, n: graph.about(names[n])))
    pairs = [(names[2 * n], names[2 * n + 1]) for n in range(questions)]
    tell("between", each(lambda graph, n: pairs[n][0] != pairs[n][1] and graph.between(*pairs[n])))


def tell(name: str, took: list[float]) -> None:
    print(
        f"{name:8} {len(took)} asked, p50 {np.percentile(took, 50):.0f} ms,"
        f" p95 {np.percentile(took, 95):.0f} ms"
    )


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


# ---------------------------------------------------------------- adding and drawing


def recordings(folder: Path, most: int) -> Iterator[tuple[Recording, list[Passage]]]:
    """Recordings of a labelled set, cut as `onrecord add` does; single paragraphs as they are."""
    dataset = load(folder)
    for name, units in list(dataset.units.items())[:most]:
        turns = tuple(Turn(u.text, u.speaker, u.start, u.end) for u in units)
        passages = Cutter().cut(unify_speakers(Transcript(turns, "dataset")), name)[0]
        details = Details(title=units[0].title or name)
        yield Recording(name, name, "", "dataset", details).counted(passages), passages


def adding(folders: list[Path], most: int) -> None:
    embedder = open_embedder("minilm")
    embedder.embed(["warm"])
    spent: defaultdict[str, float] = defaultdict(float)
    with tempfile.TemporaryDirectory() as temporary:
        bare, full = (open_store(Path(temporary) / f"{name}.db") for name in ("bare", "full"))
        count = 0
        for folder in folders:
            for recording, passages in recordings(folder, most):
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


def draw(folders: list[Path], most: int) -> None:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for folder in folders:
        for recording, passages in recordings(folder, 10_000):
            for r in knowledge_of(recording, passages).relations:
                text = passages[r.position].text
                before, behind = text[max(0, r.begin - 60) : r.begin], text[r.end : r.end + 40]
                said = f"{before}[{text[r.begin : r.end]}]{behind}"
                found[r.relation].append(
                    f"{r.subject} | {r.relation} | {r.object} :: {' '.join(said.split())}"
                )
    chance = random.Random(23)
    each = most // max(1, len(found))
    for relation, some in sorted(found.items()):
        print(f"== {relation}: {len(some)} read")
        for line in chance.sample(some, min(len(some), each)):
            print(f"  {line}")


if __name__ == "__main__":
    main()
