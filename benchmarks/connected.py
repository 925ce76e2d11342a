"""Questions that take several recordings or people: is every step of the answer cited?

    python benchmarks/connected.py [--misses] [--model minilm] [--data ../shared/data]

Asks the questions of `tests/graph/connected.yaml` of the built-in examples, and the questions of
`tests/graph/connected_shared.yaml`, by other people, of podcasts and committee meetings of the shared data. A
question is right if every required person is cited with the required words, and every citation stands
verbatim in its recording.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

import onrecord
from onrecord.evaluate import load
from onrecord.types import Answer
from shared import DATA

SUITES = Path(__file__).parent.parent / "tests" / "graph"
EXAMPLES = Path(onrecord.__file__).parent / "examples"
COMMITTEES = (
    "covid_2 covid_6 education_0 education_1 education_7 education_8 education_10 education_11 education_18"
    " education_24"
).split()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--model", default="minilm")
    parser.add_argument("--data", type=Path, default=DATA)
    options = parser.parse_args()
    settings: dict[str, Any] = {"embedding": {"model": options.model}}
    if options.model == "hashing":
        settings["reader"] = None
    suites = {"examples": (EXAMPLES, _read_suite("connected.yaml"))}
    with tempfile.TemporaryDirectory() as folder:
        if options.data.exists():
            shared = _read_suite("connected_shared.yaml")
            meetings = _write_meetings(options.data / "qmsum", Path(folder) / "committees")
            suites["podcasts"] = options.data / "changelog" / "raw", shared["podcasts"]
            suites["committees"] = meetings, shared["committees"]
        for name, (source, asked) in suites.items():
            with onrecord.open(Path(folder) / f"{name}.db", **settings) as archive:
                archive.add(source)
                answers = [archive.ask(each["text"]) for each in asked]
            right = [is_right(answer, each) for answer, each in zip(answers, asked, strict=True)]
            for answer, good in zip(answers, right, strict=True):
                if options.misses and not good:
                    print(f"{answer.evidence.question.text}\n{answer}\n")
            print(f"{name}: {sum(right)} of {len(right)} right")


def _read_suite(name: str) -> Any:
    return yaml.safe_load((SUITES / name).read_text())


def _write_meetings(dataset: Path, folder: Path) -> Path:
    """Write the meetings of the suite as Markdown files to a folder."""
    folder.mkdir()
    units = load(dataset).units
    for name in COMMITTEES:
        turns = (f"**{unit.speaker}:** {unit.text}\n" for unit in units[name])
        (folder / f"{name}.md").write_text("\n".join(turns))
    return folder


def is_right(answer: Answer, expected: Mapping[str, Any]) -> bool:
    cited = [(citation.speaker or "", citation.quote.casefold()) for citation in answer.citations]
    verbatim = all(
        all(part.strip() in " ".join(p.text for p in c.passages) for part in c.quote.split("[...]"))
        for c in answer.citations
    )
    return verbatim and all(_is_cited(cited, name, words) for name, words in expected["cites"])


def _is_cited(cited: Iterable[tuple[str, str]], name: str, words: str) -> bool:
    """Return whether a person is cited with words; a label may have a title or letters around the name."""
    return any(name in speaker and words.casefold() in quote for speaker, quote in cited)


if __name__ == "__main__":
    main()
