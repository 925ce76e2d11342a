"""The data for training and measuring the reader: windows of speech with questions and claims about them.

The labels in `training/labels` refer to units of the corpora in the data folder, and characters in them; the
text itself stays in that folder. Everything is split by recording: each recording is in one part only.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

from onrecord.ingest.language import sentence_spans

LABELS = Path(__file__).parent / "labels"
DATA = Path(__file__).parents[2] / "shared" / "data"
HELD_OUT, CHOOSING = "-4-", "-3-"
"""Marks in the ids of the windows in `questions`: recordings that are used neither for training nor for
choosing settings, and recordings for choosing settings."""
MEETINGS = "qmsum"
"""The set of `spoken_pairs` whose questions are about a meeting."""
UNREAD = "unread"
"""The value of `second` for a question that the second reader has not read."""

Recording = tuple[str, str]
"""The name of a set and the id of a recording in it."""
_LONGEST = 60  # words: a longer "sentence" is a text without punctuation
_SENTENCE_END = re.compile(r"(?<=[.?!])\s+")


@dataclass(frozen=True)
class Sentence:
    """A sentence and its speaker ("": unknown)."""

    speaker: str
    text: str

    @property
    def words(self) -> int:
        """The number of words."""
        return len(self.text.split())


def render(sentences: Iterable[Sentence]) -> list[str]:
    """Return sentences in the reader's input format: each new speaker's name precedes the sentence."""
    texts, last = [], None
    for sentence in sentences:
        new = sentence.speaker and sentence.speaker != last
        texts.append(f"{sentence.speaker}: {sentence.text}" if new else sentence.text)
        last = sentence.speaker
    return texts


@dataclass(frozen=True)
class Window:
    """A stretch of about 1,200 words of one recording."""

    id: str
    recording: Recording
    sentences: tuple[Sentence, ...]

    @cached_property
    def words(self) -> list[int]:
        """The number of words of each sentence."""
        return [sentence.words for sentence in self.sentences]

    def render(self, numbers: Iterable[int]) -> list[str]:
        """Return the sentences of these numbers in the reader's input format."""
        return render(self.sentences[number] for number in numbers)


@dataclass(frozen=True)
class Question:
    """A question about a window.

    `sentences` answer it or are needed to understand the answer (none for a near miss). `cores` hold the
    answer: the writer's choice, then the second reader's if it differs.
    """

    window: str
    text: str
    language: str
    kind: str
    sentences: frozenset[int]
    cores: tuple[int, ...]


@dataclass(frozen=True)
class Claim:
    """A sentence about a window, and whether the sentences that it would rest on support it."""

    window: str
    text: str
    supported: bool
    sentences: tuple[int, ...]


@dataclass(frozen=True)
class Acts:
    """The dialogue acts of a window's sentences, by kind, as in `act_questions.yaml`; empty if none."""

    window: str
    sentences: Mapping[str, frozenset[int]]


@dataclass(frozen=True)
class Pair:
    """A question asked in speech, or about a meeting, and the passages that answer it, as sentences.

    It is unknown which sentences answer.
    """

    question: str
    passages: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class SpokenQuestion:
    """A question of Spoken-SQuAD.

    It has a paragraph, the sentences in it with the answer's words, and other paragraphs of the same article.
    """

    question: str
    passage: tuple[str, ...]
    relevant: frozenset[int]
    others: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Material:
    """All training data."""

    windows: Mapping[str, Window]
    questions: Sequence[Question]
    claims: Sequence[Claim]
    acts: Sequence[Acts]
    pairs: Sequence[Sequence[Pair]]
    """Questions asked in speech, of each recording."""
    discussions: Sequence[Sequence[Pair]]
    """Questions about a meeting, which long stretches of it answer, of each recording."""
    spoken: Sequence[SpokenQuestion]


def lines(file: Path) -> Iterator[Any]:
    """Yield the values of a file with one JSON value on each line."""
    with file.open(encoding="utf-8") as content:
        yield from map(json.loads, content)


def shared_windows(data: Path) -> dict[str, Window]:
    """Return the windows of `questions`, by id."""
    return {
        window["id"]: Window(
            window["id"],
            (window["set"], window["recording_id"]),
            tuple(Sentence(s["speaker"] or "", s["text"]) for s in window["sentences"]),
        )
        for window in lines(data / "questions" / "windows.jsonl")
    }


def shared_questions(data: Path) -> list[Question]:
    """Return the questions of `questions`."""
    return [_question(line) for line in lines(data / "questions" / "questions.jsonl")]


def labelled_windows(data: Path, labels: Path = LABELS) -> dict[str, Window]:
    """Return the windows of our own labels, by id. Raises ValueError for sentences missing in the data."""
    corpora = _Corpora(data)
    return {line["id"]: _window(line, corpora) for line in lines(labels / "windows.jsonl")}


def is_first_half(document: str) -> bool:
    """Return whether a document of a set of claims is in the first half, by a hash of its name."""
    return hashlib.md5(document.encode()).digest()[0] % 2 == 0


def claim_windows(data: Path, labels: Path = LABELS) -> dict[str, Window]:
    """Return the windows that claims are about: windows of speech, and runs of encyclopedia paragraphs.

    A paragraph's title takes the place of its speaker.
    """
    corpora = _Corpora(data)
    paragraphs = (_window(line, corpora, "title") for line in lines(labels / "paragraphs.jsonl"))
    return labelled_windows(data, labels) | {window.id: window for window in paragraphs}


def split_text(text: str) -> list[str]:
    """Split an English text into sentences; long stretches without punctuation are cut."""
    texts = []
    for line in filter(str.strip, text.splitlines()):
        for begin, end in sentence_spans(line, "en"):
            words = line[begin:end].split()
            texts += [" ".join(words[at : at + _LONGEST]) for at in range(0, len(words), _LONGEST)]
    return texts


def labelled_questions(labels: Path = LABELS) -> list[Question]:
    """Return the questions of our own labels."""
    return [_question(line) for line in lines(labels / "questions.jsonl")]


def labelled_claims(labels: Path = LABELS) -> list[Claim]:
    """Return the claims of our own labels."""
    return [
        Claim(line["window"], line["text"], line["supported"], tuple(line["sentences"]))
        for line in lines(labels / "claims.jsonl")
    ]


def labelled_acts(labels: Path = LABELS) -> list[Acts]:
    """Return the dialogue acts of the sentences of windows."""
    return [
        Acts(line.pop("window"), {kind: frozenset(numbers) for kind, numbers in line.items()})
        for line in lines(labels / "acts.jsonl")
    ]


def act_questions() -> dict[str, list[str]]:
    """Return the questions of each kind of act."""
    text = (resources.files("onrecord.data") / "act_questions.yaml").read_text(encoding="utf-8")
    questions: dict[str, list[str]] = yaml.safe_load(text)
    return questions


def recordings_marked(windows: Iterable[Window], *marks: str) -> set[Recording]:
    """Return the recordings of the windows whose id has one of these marks.

    For windows of `questions` only: the ids of our own windows may contain the marks by chance.
    """
    return {window.recording for window in windows if any(mark in window.id for mark in marks)}


def spoken_pairs(
    data: Path, without: Collection[Recording] = (), longest: int = 12
) -> dict[str, list[list[Pair]]]:
    """Return questions by set and recording, of recordings with more than three.

    Of a passage they have the first `longest` sentences.
    """
    answered: defaultdict[Recording, defaultdict[str, list[tuple[str, ...]]]]
    answered = defaultdict(lambda: defaultdict(list))
    for line in lines(data / "spoken_pairs" / "pairs.jsonl"):
        recording = line["set"], line["recording_id"]
        if recording not in without:
            passage = tuple(split_sentences(line["passage"])[:longest])
            answered[recording][line["question"]].append(passage)
    by_set: dict[str, list[list[Pair]]] = defaultdict(list)
    for (name, _), questions in answered.items():
        pairs = [Pair(question, tuple(passages)) for question, passages in questions.items()]
        if len(pairs) > 3:
            by_set[name].append(pairs)
    return by_set


def spoken_squad(data: Path) -> list[SpokenQuestion]:
    """Return the questions of Spoken-SQuAD whose answer's words are in a sentence of their paragraph."""
    folder = data / "spoken_squad"
    texts, of_recording = {}, defaultdict(list)
    for unit in lines(folder / "corpus.jsonl"):
        texts[unit["id"]] = unit["text"]
        of_recording[unit["recording_id"]].append(unit["text"])
    grades = (line.split("\t") for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines())
    right = {query: unit for query, unit, *_ in grades}
    queries = lines(folder / "queries.jsonl")
    read = (_spoken(q, texts[right[q["id"]]], of_recording[q["recording_id"]]) for q in queries)
    return [spoken for spoken in read if spoken.relevant]


def split_sentences(text: str) -> list[str]:
    """Split a text without sentence marks after full stops, question marks and exclamation marks."""
    return [sentence for sentence in _SENTENCE_END.split(text) if sentence]


def load_material(
    data: Path, apart: Collection[str] = (HELD_OUT, CHOOSING), labels: Path = LABELS
) -> Material:
    """Load all data, except recordings whose windows in `questions` have one of the marks in `apart`."""
    shared, own = shared_windows(data), labelled_windows(data, labels)
    without = recordings_marked(shared.values(), *apart)
    windows = {key: w for key, w in (shared | own).items() if w.recording not in without}
    questions = [*shared_questions(data), *labelled_questions(labels)]
    pairs = spoken_pairs(data, without)
    return Material(
        windows,
        [question for question in questions if question.window in windows],
        [claim for claim in labelled_claims(labels) if claim.window in windows],
        [acts for acts in labelled_acts(labels) if acts.window in windows],
        [of_recording for name, those in pairs.items() if name != MEETINGS for of_recording in those],
        pairs.get(MEETINGS, []),
        spoken_squad(data),
    )


class _Corpora:
    """Units of the sets by id. A set's files are read at its first use."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._units: dict[str, dict[str, Any]] = {}

    def unit(self, name: str, key: str) -> dict[str, Any]:
        """Return a unit by its id. Raises ValueError if none of the set's files has it."""
        if name not in self._units:
            self._units[name] = {unit["id"]: unit for unit in self._read(name)}
        if key not in self._units[name]:
            raise ValueError(f"the labels name {key!r}, which {self._data / name} does not have")
        unit: dict[str, Any] = self._units[name][key]
        return unit

    def _read(self, name: str) -> Iterator[dict[str, Any]]:
        yield from lines(self._data / name / "corpus.jsonl")
        extra = self._data / "questions" / f"{name}.jsonl"
        if extra.exists():
            yield from lines(extra)


def _window(line: dict[str, Any], corpora: _Corpora, voice: str = "speaker") -> Window:
    sentences = []
    for key, offsets in line["units"]:
        unit = corpora.unit(line["set"], key)
        for begin, end in list(pairwise(offsets))[::2]:
            text = unit["text"][begin:end]
            if not text:
                raise ValueError(f"{key!r} has no characters {begin} to {end}: the labels are of other data")
            sentences.append(Sentence(unit[voice] or "", text))
    return Window(line["id"], (line["set"], line["recording"]), tuple(sentences))


def _question(line: dict[str, Any]) -> Question:
    cores = [line.get("core"), line.get("second")]
    return Question(
        line["window"],
        line["text"],
        line["language"],
        line["kind"],
        frozenset(line["sentences"]),
        tuple(dict.fromkeys(core for core in cores if isinstance(core, int))),
    )


def _spoken(query: dict[str, Any], text: str, article: Sequence[str]) -> SpokenQuestion:
    passage, answer = tuple(split_sentences(text)), query["answer"]
    return SpokenQuestion(
        query["text"],
        passage,
        frozenset(number for number, sentence in enumerate(passage) if answer in sentence),
        tuple(tuple(split_sentences(other)) for other in article if answer not in other),
    )
