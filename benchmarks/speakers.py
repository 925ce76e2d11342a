"""Are words assigned to the right speaker?

    python benchmarks/speakers.py [--data ../shared/data] [--all]

Reads documents as people write them (Markdown and text) and compares the speakers with marks made by hand, in
benchmarks/data/speakers.json: for each file, and each name as the file writes it, the lines from which on
that person speaks. "" is nobody, and "gleb|" means that no name is accepted as well. Prints the share of
words under the right name (or correctly under none), under none although the speaker is known, and under a
wrong one, over all files and for the files with a fault (`--all`: for each file); and the words that the
reader returns and the file does not contain. Last come the short files of tests/ingest/formats/layouts.txt,
which have marks in their text.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from onrecord.ingest.surroundings import FileContext
from shared import DATA

ROOT = Path(__file__).parent.parent
MARKS = ROOT / "benchmarks" / "data" / "speakers.json"
LAYOUTS = ROOT / "tests" / "ingest" / "formats" / "layouts.txt"
Word = tuple[str, frozenset[str]]
"""A word of a file, in lower case, with the names under which it may stand; "" is nobody."""
WORD = re.compile(r"[^\W_]+")
AHEAD = 400
"""Words of the file that the reader may leave out in one place: labels, links, front matter."""


@dataclass(frozen=True)
class Layout:
    """A file with marks in its text, such as ⟦Ann|Ann Bell⟧: the names for the words from there on."""

    name: str
    text: str
    words: tuple[Word, ...]


def layouts(path: Path | None = None) -> Iterator[Layout]:
    """Return the files of `LAYOUTS`, or of another path; names lose their roles in brackets."""
    for part in re.split(r"^=== ", (path or LAYOUTS).read_text(), flags=re.MULTILINE)[1:]:
        head, _, body = part.partition("\n")
        name, *options = head.split()
        pieces = re.split("⟦(.*?)⟧", body)
        marks = [frozenset({""}), *(frozenset(map(bare, mark.split("|"))) for mark in pieces[1::2])]
        words = [
            (word.casefold(), names)
            for piece, names in zip(pieces[::2], marks, strict=True)
            for word in WORD.findall(piece)
        ]
        text = "".join(pieces[::2])
        yield Layout(name, text.replace("\n", "\r\n") if "crlf" in options else text, tuple(words))


def bare(name: str) -> str:
    """Return a name in lower case without a role in brackets after it."""
    return re.sub(r"\s*\([^()]*\)$", "", name).casefold()


def spoken(name: str, content: bytes) -> list[tuple[str, str]]:
    """Return every word that the reader returns, with its speaker ("" for nobody)."""
    (transcript,) = FileContext().read(name, content)
    return [
        (word.casefold(), turn.speaker or "") for turn in transcript.turns for word in WORD.findall(turn.text)
    ]


def written(path: Path, marks: Mapping[str, str]) -> Iterator[Word]:
    """Yield every word of the file, with the names under which it may stand."""
    begins = {int(line): name for name, lines in marks.items() for line in lines.split()}
    names = frozenset({""})
    for number, line in enumerate(path.read_text("utf-8", "replace").split("\n"), 1):
        if number in begins:
            names = frozenset(begins[number].split("|"))
        for word in WORD.findall(line):
            yield word.casefold(), names


def judge_file(path: Path, marks: Mapping[str, str]) -> Counter[str]:
    return judge(list(written(path, marks)), spoken(path.name, path.read_bytes()))


def judge_layout(layout: Layout) -> Counter[str]:
    words = spoken(layout.name, layout.text.encode())
    return judge(layout.words, [(word, bare(speaker)) for word, speaker in words])


def judge(file: Sequence[Word], words: Sequence[tuple[str, str]]) -> Counter[str]:
    """Count the words that are "right", "unnamed" (the speaker is known), "wrong" and "lost"."""
    counts: Counter[str] = Counter()
    at = 0
    for word, speaker in words:
        ahead = next((i for i in range(at, min(at + AHEAD, len(file))) if file[i][0] == word), None)
        if ahead is None:
            counts["lost"] += 1
            continue
        names = file[ahead][1]
        counts["right" if speaker in names else "unnamed" if not speaker else "wrong"] += 1
        at = ahead + 1
    return counts


def shares(counts: Counter[str]) -> str:
    words = max(1, sum(counts[kind] for kind in ("right", "unnamed", "wrong")))
    parts = ", ".join(f"{kind} {100 * counts[kind] / words:.2f} %" for kind in ("right", "unnamed", "wrong"))
    return f"{parts} of {words:,} words" + (
        f"; {counts['lost']} words not of the file" if counts["lost"] else ""
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--all", action="store_true", help="print every file, not only those with a fault")
    args = parser.parse_args()
    marks: dict[str, dict[str, str]] = json.loads(MARKS.read_text())
    total: Counter[str] = Counter()
    for name, lines in marks.items():
        counts = judge_file(args.data / name, lines)
        total += counts
        if args.all or counts["unnamed"] or counts["wrong"] or counts["lost"]:
            print(f"{name}: {shares(counts)}")
    print(f"\n{len(marks)} files: {shares(total)}")
    counted = {layout.name: judge_layout(layout) for layout in layouts()}
    print(f"{len(counted)} short files: {shares(sum(counted.values(), Counter()))}")


if __name__ == "__main__":
    main()
