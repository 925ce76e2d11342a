"""Questions that take several recordings or people: is every step of the answer cited?

    python benchmarks/connected.py [--misses] [--model minilm]

Puts the questions of `tests/graph/connected.yaml` to the built-in examples. A question is right where
everybody who must be cited is, with the words that must be there, and every citation stands in its recording
word for word.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import yaml

import onrecord
from onrecord.types import Answer

SUITE = Path(__file__).parent.parent / "tests" / "graph" / "connected.yaml"
EXAMPLES = Path(onrecord.__file__).parent / "examples"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--model", default="minilm")
    options = parser.parse_args()
    asked: list[dict[str, Any]] = yaml.safe_load(SUITE.read_text())
    with tempfile.TemporaryDirectory() as folder:
        settings: dict[str, Any] = {"embedding": {"model": options.model}}
        if options.model == "hashing":
            settings["reader"] = None
        with onrecord.open(Path(folder) / "examples.db", **settings) as archive:
            archive.add(EXAMPLES)
            right = [is_right(archive.ask(each["text"]), each) for each in asked]
            for each, good in zip(asked, right, strict=True):
                if options.misses and not good:
                    print(f"{each['text']}\n{archive.ask(each['text'])}\n")
    print(f"{sum(right)} of {len(right)} right")


def is_right(answer: Answer, wanted: dict[str, Any]) -> bool:
    cited = [(citation.speaker, citation.quote) for citation in answer.citations]
    verbatim = all(
        all(part.strip() in " ".join(p.text for p in c.passages) for part in c.quote.split("[...]"))
        for c in answer.citations
    )
    return verbatim and all(
        any(speaker == name and words in quote for speaker, quote in cited) for name, words in wanted["cites"]
    )


if __name__ == "__main__":
    main()
