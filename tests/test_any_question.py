"""Every question to an archive gets an answer or an error that the package raises on purpose."""

import json
import os
import random
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest

import onrecord
from onrecord.archive import Archive
from onrecord.errors import OnRecordError

SHUFFLES = int(os.environ.get("SHUFFLED_QUESTIONS", "600"))
"""The number of shuffled questions. 20,000 take most of an hour."""
MOST_WORDS = 40


def lines(path: Path) -> list[dict]:
    """Return the values of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text().splitlines()]


DATA = Path(__file__).parent.parent.parent / "shared" / "data"


def transcript(window: dict) -> dict:
    """Return a window of the questions as a transcript; consecutive sentences of a speaker are one turn."""
    turns = [
        {"speaker": speaker, "text": " ".join(sentence["text"] for sentence in sentences)}
        for speaker, sentences in groupby(window["sentences"], key=lambda sentence: sentence["speaker"])
    ]
    return {"onrecord": 1, "details": {"title": window["title"]}, "turns": turns}


@pytest.fixture(scope="module")
def windows(tmp_path_factory) -> Iterator[Archive]:
    """Open an archive of all windows that the questions were written for."""
    folder = tmp_path_factory.mktemp("windows")
    for window in lines(DATA / "questions" / "windows.jsonl"):
        (folder / f"{window['id']}.json").write_text(json.dumps(transcript(window)))
    cache = {"embeddings": 0, "results": 0}
    with onrecord.open(folder / "talks.db", embedding={"model": "hashing"}, cache=cache) as archive:
        report = archive.add(folder)
        assert not report.refused
        yield archive


def fails_at(archive: Archive, questions: list[str]) -> list[tuple[str, str]]:
    """Return the questions that end in an exception other than the package's own errors."""
    failed = []
    for question in questions:
        try:
            archive.ask(question)
        except OnRecordError:
            continue
        except Exception as error:
            failed.append((question, repr(error)))
    return failed


def asked(data: Path) -> list[str]:
    """Return the texts of all questions."""
    return [question["text"] for question in lines(data / "questions" / "questions.jsonl")]


@pytest.mark.data
@pytest.mark.slow
def test_every_question_has_an_answer_or_an_error_of_ours(windows, data):
    assert fails_at(windows, asked(data)) == []


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.timeout(max(300, SHUFFLES))  # seconds
def test_words_in_any_order_have_an_answer_or_an_error_of_ours(windows, data):
    """Random sequences of words from the questions cause no unexpected error."""
    chance = random.Random(13)
    words = [word for question in asked(data) for word in question.split()]
    texts = [" ".join(chance.sample(words, chance.randint(1, MOST_WORDS))) for _ in range(SHUFFLES)]
    assert fails_at(windows, texts) == []
