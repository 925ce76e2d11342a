"""How many of the graph's edges are right: draws a random sample, and counts a person's judgments of it.

    python benchmarks/edges.py --draw 200 --seed 1 [--shown] [--data FOLDER]
    python benchmarks/edges.py [--data FOLDER]

Extracts the graph from the shared data: meetings, calls, podcasts, conversations, recognized speech,
articles, two encyclopedias. `--draw` prints edges, about as many of each relation, with the id, the passage,
and the words that state the edge in brackets. It draws from all stated edges, including edges that are not
shown by default, and from "speaks of": somebody names something ("unsure" if its last word is mostly not a
noun in its set). `--shown` draws by chance from the edges that are shown by default, as frequent as they are
and whether or not somebody judged them. `--fresh` draws only from originals in other formats, and from
answers and claims: no cue was adjusted on these.

Judgments are in benchmarks/data/edges.tsv: id, relation, seed of the draw, 1 if the passage states exactly
that, else 0. Without `--draw` they are counted by relation and seed, with Wilson's interval. Edges that are
no longer extracted are left out and counted separately.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha1
from itertools import chain, groupby
from pathlib import Path
from typing import NamedTuple

from onrecord.errors import FormatError
from onrecord.evaluate.datasets import load, recordings
from onrecord.evaluate.intervals import Share
from onrecord.graph.cues import cues
from onrecord.graph.extract import knowledge_of
from onrecord.graph.linking import is_noun
from onrecord.graph.nouns import words_in
from onrecord.graph.paths import SPEAKS
from onrecord.ingest import formats
from onrecord.ingest.passages import Cutter
from onrecord.ingest.people import unify_speakers
from onrecord.types import Details, Passage, Recording
from onrecord.types.graph import PHRASE_KINDS, Mention
from shared import DATA

LABELS = Path(__file__).parent / "data" / "edges.tsv"
LABELLED = (
    "changelog earnings21 earnings22 friendsqa locomo qmsum rev16 spoken_squad"
    " hipporag_musique hipporag_hotpotqa"
).split()
TEXTS = {
    "spoken_pairs/pairs.jsonl": ("recording_id", "passage"),
    "summedits/items.jsonl": ("id", "context"),
    "wice/items.jsonl": ("id", "context"),
}
"""Files of single texts: the field that tells the recording, and the text's."""
FRESH_TEXTS = {
    "qmsum/queries.jsonl": ("recording_id", "answer"),
    "summedits/items.jsonl": ("id", "original_summary"),
    "wice/items.jsonl": ("id", "claim_or_response"),
    "stackfaq/faq.jsonl": ("id", "answer"),
}
FRESH_FOLDERS = ("formats_more/documents", "formats_more/vendors", "transcript_formats/raw")
AROUND = 160
"""Characters of a passage that are printed before and after the words of an edge."""


class DrawnEdge(NamedTuple):
    id: str
    subject: str
    relation: str
    object: str
    words: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draw", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shown", action="store_true")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--data", type=Path, default=DATA)
    options = parser.parse_args()
    by_relation: defaultdict[str, list[DrawnEdge]] = defaultdict(list)
    sources = [fresh_recordings(options.data)]
    if not options.fresh:
        sources.append(all_recordings(options.data))
    # An edge from a recording that exists in several formats counts once.
    for edge in {edge[1:]: edge for edge in edges_of(chain(*sources))}.values():
        by_relation[edge.relation].append(edge)
    if options.draw and options.shown:
        draw_shown(by_relation, options.draw, options.seed)
    elif options.draw:
        draw(by_relation, options.draw, options.seed)
    else:
        count_judgements(by_relation)


# ---------------------------------------------------------------- reading


def edges_of(texts: Iterable[tuple[str, Recording, list[Passage]]]) -> Iterator[DrawnEdge]:
    for name, recordings_of_set in groupby(texts, key=lambda each: each[0]):
        spoken: list[tuple[DrawnEdge, Mention]] = []
        named, counts, count = Counter[str](), Counter[str](), 0
        for _, recording, passages in recordings_of_set:
            knowledge = knowledge_of(recording, passages)
            for r in knowledge.relations:
                yield drawn(name, r.subject, r.relation, r.object, passages[r.position], r.begin, r.end)
            count += len(passages)
            counts.update(key for p in passages for key in {word.key for word in words_in(p.text)})
            named.update(key for key, _ in {(m.entity, m.position) for m in knowledge.mentions})
            spoken += spoken_of(name, passages, knowledge.mentions)
        for edge, mention in spoken:
            head = edge.object.rpartition(" ")[2]
            phrase = mention.kind in PHRASE_KINDS and named[head]
            shown = not phrase or is_noun(named[head], counts[head], count)
            yield edge if shown else edge._replace(relation=f"{SPEAKS}, unsure")


def spoken_of(
    name: str, passages: Sequence[Passage], mentions: Iterable[Mention]
) -> Iterator[tuple[DrawnEdge, Mention]]:
    """Yield the edges "speaks of" from speakers to the entities that they name, each with its mention."""
    speakers: defaultdict[int, list[Mention]] = defaultdict(list)
    for mention in mentions:
        if mention.rule == "speaker":
            speakers[mention.position].append(mention)
    for m in mentions:
        who = [s for s in speakers[m.position] if s.begin <= m.begin < s.end]
        if m.rule != "speaker" and m.begin >= 0 and who:
            yield drawn(name, who[0].entity, SPEAKS, m.entity, passages[m.position], m.begin, m.end), m


def drawn(
    name: str, subject: str, relation: str, other: str, passage: Passage, begin: int, end: int
) -> DrawnEdge:
    key = (name, passage.recording, passage.position, begin, end, subject, relation, other)
    text = passage.text
    before, behind = text[max(0, begin - AROUND) : begin], text[end : end + AROUND]
    words = f"{passage.speaker_at(begin) or ''}: {before}[{text[begin:end]}]{behind}"
    return DrawnEdge(
        sha1(repr(key).encode()).hexdigest()[:12], subject, relation, other, " ".join(words.split())
    )


def all_recordings(folder: Path) -> Iterator[tuple[str, Recording, list[Passage]]]:
    for name in LABELLED:
        for recording, passages in recordings(load(folder / name), Cutter()):
            yield name, recording, passages
    yield from single_texts(folder, TEXTS)


def fresh_recordings(folder: Path) -> Iterator[tuple[str, Recording, list[Passage]]]:
    yield from single_texts(folder, FRESH_TEXTS)
    for name in FRESH_FOLDERS:
        for file in sorted(path for path in (folder / name).rglob("*") if path.is_file()):
            try:
                transcripts = formats.read(file.name, file.read_bytes())
            except FormatError:
                continue
            for transcript in transcripts:
                passages = Cutter().cut(unify_speakers(transcript), f"{file.name}{transcript.part}")[0]
                key = f"{file.name}{transcript.part}"
                recording = Recording(key, key, "", "file", replace(transcript.details, language="en"))
                yield name, recording.counted(passages), passages


def single_texts(
    folder: Path, files: Mapping[str, tuple[str, str]]
) -> Iterator[tuple[str, Recording, list[Passage]]]:
    for name, (source, field) in files.items():
        texts: defaultdict[str, dict[str, None]] = defaultdict(dict)
        seen: set[str] = set()
        for row in map(json.loads, (folder / name).read_text().splitlines()):
            text = row.get(field)
            if text and text not in seen:
                seen.add(text)
                texts[str(row[source])][text] = None
        for key, some in texts.items():
            passages = [Passage(key, at, text) for at, text in enumerate(some)]
            details = Details(title=key, language="en")
            yield name, Recording(key, key, "", "text", details).counted(passages), passages


# ---------------------------------------------------------------- drawing and counting


def draw(by_relation: dict[str, list[DrawnEdge]], most: int, seed: int) -> None:
    """Print edges that nobody has judged yet, about as many of each relation."""
    chance, judged = random.Random(seed), {row[0] for row in judgements()}
    left = {name: [e for e in edges if e.id not in judged] for name, edges in by_relation.items()}
    share, open_ones = 0, most
    while open_ones > 0 and any(len(edges) > share for edges in left.values()):
        open_ones -= sum(len(edges) > share for edges in left.values())
        share += 1
    for name, edges in sorted(left.items(), key=lambda item: item[0]):
        print(f"== {name}: {len(by_relation[name])} read")
        for edge in chance.sample(sorted(edges), min(share, len(edges))):
            show(edge)


def draw_shown(by_relation: dict[str, list[DrawnEdge]], most: int, seed: int) -> None:
    """Print edges that are shown by default, drawn by chance."""
    names = {SPEAKS, *(name for name, rule in cues().rules.items() if rule.shown)}
    edges = sorted(edge for name in names for edge in by_relation[name])
    for edge in random.Random(seed).sample(edges, min(most, len(edges))):
        show(edge)


def show(edge: DrawnEdge) -> None:
    print(f"{edge.id} {edge.subject} | {edge.relation} | {edge.object}\n    {edge.words}")


def judgements() -> list[tuple[str, str, int, bool]]:
    """Return id, relation, seed, and whether the edge is right."""
    if not LABELS.exists():
        return []
    rows = (line.split("\t") for line in LABELS.read_text().splitlines() if not line.startswith("#"))
    return [(key, relation, int(seed), right == "1") for key, relation, seed, right in rows]


def count_judgements(by_relation: dict[str, list[DrawnEdge]]) -> None:
    read = {edge.id: edge.relation for edges in by_relation.values() for edge in edges}
    counts: defaultdict[tuple[str, int], list[bool]] = defaultdict(list)
    gone: defaultdict[tuple[str, int], int] = defaultdict(int)
    for key, relation, seed, right in judgements():
        if key in read:
            counts[read[key], seed].append(right)
        else:
            gone[relation, seed] += 1
    for relation, seed in sorted({*counts, *gone}):
        rights = counts[relation, seed]
        no_longer = f"; {gone[relation, seed]} no longer read" if gone[relation, seed] else ""
        print(f"{relation:15} seed {seed}: {Share(sum(rights), len(rights))}{no_longer}")


if __name__ == "__main__":
    main()
