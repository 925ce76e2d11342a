"""How long it takes to understand a question: everyday questions compared with their search, and the worst.

    python benchmarks/planning.py [--recordings 2000] [--passages 20] [--times 40] [--keep ARCHIVE]

An archive is invented with this number of recordings, of this number of passages each. It has hosts, guests,
banks and dates with similar names, and words as frequent as in speech (Zipf's law), which have many neighbors
at a distance of one typing error. A planning is all the work before the search: misspelled words are
corrected, then the question is understood.

Prints the processor milliseconds of some plannings: median, 95th percentile, longest, and the first, which
compiles patterns and reads the archive's catalog. Everyday questions are planned anew every time; their
median is also given as a share of the time that `balanced` takes afterwards. For each of the worst kinds a
new question is drawn for every planning, so that none is cached. Their median is given as a multiple of the
first everyday question's, a ratio that is comparable between machines. The line before them has the cost that
is paid once after each write: listing the spoken words that begin with a letter. Last, in new processes: the
first plans.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from string import ascii_lowercase

import numpy as np

from onrecord.models import open_embedder
from onrecord.models.base import Vocabulary
from onrecord.models.double import HashingEmbedder
from onrecord.retrieve import Tools
from onrecord.stores import Snapshot, Store, open_store
from onrecord.strategies import STRATEGIES
from onrecord.types import Details, Exchange, Passage, Plan, Question, Recording
from onrecord.understand.planner import plan
from onrecord.understand.reading import corrected
from store import word
from typos import typo

TODAY = date(2025, 1, 1)
PLANNED = ("balanced", "factual", "comparison", "exploratory", "overview", "acts", "section", "full")
FIRST = "Ann Bo Cy Di Ed Fay Gus Hal Ida Jo".split()
LAST = [f"L{one}{other}ander" for one in "abcdefghij" for other in "klmnopqrst"]
MONTHS = "January February March April May June July August September October November December".split()
SPOKEN_WORDS = (
    "freight prices copper tariffs harbour margins energy council budget forecast storage weather".split()
)
RARE = [word(rank) for rank in range(40_000)]
QUESTIONS = (
    "Why did prices rise?",
    "What did Ann Lakander say about freight?",
    "What did Ann Lakander of Bank of Lbmander say on freight in March 2024, and why did Bo Lcnander object?",
    "Compare Ann Lakander and Bo Lcnander on freight",
    "What did the guest say about freight?",
    "What was said about freight in episode 41 of Show?",
    "What was decided about the budget?",
    "What did Ann recommend?",
    "Why did prcies rise?",
    "How many episodes are there?",
    "How often is copper mentioned?",
    "Who speaks most in episode 41?",
    "Qu'a dit Ann Lakander sur le fret en mars 2024 ?",
    "Was sagte Ann Lakander im März 2024 über Kupfer?",
)
CONVERSATION = (
    "What did {who} say about {what}?",
    "And {other}?",
    "And in {month} 2024?",
    "Why?",
    "What about {thing}?",
    "And what did she say about {what}?",
    "How often did he mention it?",
    "What about episode {number} of Show?",
    "Who speaks in it?",
    "What was decided about {thing}?",
    "And about {what}?",
)
MAIL = (
    "I was reading my notes of the meeting with {who} yesterday evening, and I could not remember what had "
    "been decided about {what}. {other} of Bank of {last} objected, or so I thought, in {month} 2024, when "
    "we also spoke about {thing}, the budget for next year and episode {number} of Show. "
)

FIVE = (
    "What did {who} say about {what}? How often is {thing} mentioned? Who speaks in episode {number} of "
    "Show? What was decided about {thing}? Compare {who} and {other} on {what}"
)


class Draw:
    """Draws questions that were never asked before."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def person(self) -> str:
        return f"{self.random.choice(FIRST)} {self.random.choice(LAST)}"

    def word(self) -> str:
        return self.random.choice((*SPOKEN_WORDS, *self.random.choices(RARE, k=20)))

    def misspelt(self) -> str:
        """Return a word of the archive with a typing error; at least five letters."""
        return typo(
            self.random.choice([w for w in self.random.choices(RARE, k=40) if len(w) > 5]), self.random
        )

    def unsaid(self) -> str:
        return "".join(self.random.choices("bcdfglmnprst", k=6)) + self.random.choice(
            ("ing", "er", "al", "ous")
        )

    def near(self) -> str:
        """Return a surname with a letter that does not occur in it, which makes it similar to many."""
        name = self.random.choice(LAST)
        return name[:3] + self.random.choice("uvwxz") + name[4:]

    def fill_in(self, text: str) -> str:
        return text.format(
            who=self.person(),
            other=self.person(),
            what=self.word(),
            thing=self.word(),
            last=self.random.choice(LAST),
            month=self.random.choice(MONTHS),
            number=self.random.randrange(2000),
        )

    def figures(self) -> str:
        return f"{self.random.randint(1, 28)}/{self.random.randint(1, 12)}/20{self.random.randint(10, 25)}"

    def several(self, draw: Callable[[], str], count: int) -> str:
        return ", ".join(draw() for _ in range(count))

    def day(self, months: Sequence[str] = MONTHS, point: str = "") -> str:
        month, year = self.random.choice(months), self.random.randint(10, 25)
        return f"{self.random.randint(1, 28)}{point} {month} 20{year}"

    def mail(self, words: int) -> str:
        text = ""
        while len(text.split()) < words:
            text += self.fill_in(MAIL)
        return " ".join(text.split()[:words]) + "?"

    def with_slips(self, text: str) -> str:
        """Return a text with a typing error in every third of its longer words."""
        words = text.split()
        for at in range(0, len(words), 3):
            if words[at].isalpha() and words[at].islower() and len(words[at]) > 4:
                words[at] = typo(words[at], self.random)
        return " ".join(words)

    def turns(self, count: int) -> Question:
        texts = [self.fill_in(CONVERSATION[at % len(CONVERSATION)]) for at in range(count)]
        return Question(texts[-1], history=tuple(map(Exchange, texts[:-1])))


WORST: dict[str, Callable[[Draw], str | Question]] = {
    "a misspelt word": lambda draw: f"Why did {draw.misspelt()} rise?",
    "four misspelt words": lambda draw: f"What about {draw.several(draw.misspelt, 4)}?",
    "ten misspelt words": lambda draw: f"What about {draw.several(draw.misspelt, 10)}?",
    "ten words nobody says": lambda draw: f"What about {draw.several(draw.unsaid, 10)}?",
    "ten misspelt, in French": lambda draw: f"Que dit le conseil sur {draw.several(draw.misspelt, 10)} ?",
    "a mail of 200 words": lambda draw: draw.mail(200),
    "a mail of 200, misspelt": lambda draw: draw.with_slips(draw.mail(200)),
    "a text of 1,000 words": lambda draw: draw.mail(1000),
    "the 12th turn": lambda draw: draw.turns(12),
    "the 30th turn": lambda draw: draw.turns(30),
    "five questions in one text": lambda draw: draw.fill_in(FIVE),
    "five, after eleven turns": lambda draw: replace(draw.turns(12), text=draw.fill_in(FIVE)),
    "names near 50 others": lambda draw: (
        f"What did {draw.near()}, Bo {draw.near()} and Ed {draw.near()} say?"
    ),
    "thirty names": lambda draw: f"What did {draw.several(draw.person, 30)} say about {draw.word()}?",
    "five filters": lambda draw: draw.fill_in(
        "What did {who} of Bank of {last} say in episode {number} of Show in Q1 2024 after {month} 2024?"
    ),
    "a title with a slip": lambda draw: f'What was said in "Sbuject {draw.random.randrange(2000)}"?',
    "twenty days in figures": lambda draw: f"What about {draw.several(draw.figures, 20)}?",
    "twenty days in words": lambda draw: f"What about {draw.several(draw.day, 20)}?",
    "ten days in German": lambda draw: (
        "Was geschah am "
        f"{draw.several(lambda: draw.day(['März', 'April', 'Mai', 'Juni', 'Oktober'], '.'), 10)}?"
    ),
    "how often is a word said": lambda draw: f"How often is {draw.random.choice(SPOKEN_WORDS)} mentioned?",
    "when first": lambda draw: f"When was {draw.word()} first mentioned?",
    "when two words first": lambda draw: f"When were {draw.word()} and {draw.word()} first mentioned?",
}


def fill(store: Store, recordings: int, passages: int) -> None:
    draw, numbers, embedder = random.Random(1), np.random.default_rng(1), HashingEmbedder()
    words = [*SPOKEN_WORDS, *RARE]
    weights = 1 / (np.arange(len(words)) + 3.7) ** 1.1
    steps = np.cumsum(weights / weights.sum())
    for number in range(recordings):
        people = tuple(f"{draw.choice(FIRST)} {draw.choice(LAST)}" for _ in range(6))
        attributes = {
            "show": "Show",
            "episode": str(number),
            "host": people[0],
            "guest": "; ".join(people[1:3]),
        }
        attributes |= {"bank": f"Bank of {draw.choice(LAST)}", "quarter": "Q1 2024"}
        day = date.fromordinal(date(2022, 1, 1).toordinal() + number % 1000)
        details = Details(f"Show {number}: Subject {number}", day.isoformat(), "en", attributes=attributes)
        ranks = np.minimum(np.searchsorted(steps, numbers.random((passages, 60))), len(words) - 1)
        texts = [" ".join(words[rank] for rank in row) for row in ranks]
        spoken = [Passage(f"r{number}", at, text, people[at % 6]) for at, text in enumerate(texts)]
        recording = Recording(
            f"r{number}", f"s{number}", "c", "made up", details, passages, 1, speakers=people
        )
        store.add(recording, spoken, (), embedder.embed(texts))


def plan_question(question: Question, reader: Snapshot, vocabulary: Vocabulary) -> Plan:
    """Plan a question as `Route` does, without a language model."""
    spelt, _ = corrected(question, reader, vocabulary)
    return plan(spelt, reader, TODAY, strategies=PLANNED)


def milliseconds(call: Callable[[], object]) -> float:
    """Return the processor milliseconds of a call.

    Planning waits for nothing, and wall-clock time would include other work of the machine.
    """
    began = time.process_time()
    call()
    return 1000 * (time.process_time() - began)


def line(durations: list[float], *more: str) -> str:
    middle, often = statistics.median(durations), float(np.percentile(durations, 95))
    return f"{middle:8.2f} {often:8.2f} {max(durations):8.2f} {more[0]:>12} {more[1]:>8}   {more[2]}"


def everyday(store: Store, vocabulary: Vocabulary, times: int) -> float:
    """Print a line for each everyday question; return the median of the first."""
    tools, yardstick = Tools(store, HashingEmbedder()), 0.0
    print(f"{'median':>8} {'p95':>8} {'longest':>8} {'of balanced':>12} {'first':>8}   question")
    for text in QUESTIONS:
        with store.snapshot() as now:
            asked = Question(text)
            first = milliseconds(lambda: plan_question(asked, now, vocabulary))  # noqa: B023
            durations = []
            for _ in range(times):
                durations.append(milliseconds(lambda: plan_question(asked, now, vocabulary)))  # noqa: B023
            plan_of_text = plan_question(asked, now, vocabulary)
        sought = Question(plan_of_text.text, plan_of_text.scope)
        balanced = STRATEGIES["balanced"]
        balanced.retrieve(sought, tools)
        search = [milliseconds(lambda: balanced.retrieve(sought, tools)) for _ in range(times)]  # noqa: B023
        middle = statistics.median(durations)
        yardstick = yardstick or middle
        print(line(durations, f"{middle / statistics.median(search):.0%}", f"{first:.1f}", text))
    return yardstick


def worst(store: Store, vocabulary: Vocabulary, times: int, yardstick: float) -> None:
    print(f"\n{'median':>8} {'p95':>8} {'longest':>8} {'of the first':>12} {'first':>8}   new each time")
    slow = []
    with store.snapshot() as now:
        pairs = [f"Why did {letter}uxxom{end} rise?" for letter in ascii_lowercase for end in ("a", "o")]
        durations = [milliseconds(lambda: plan_question(Question(text), now, vocabulary)) for text in pairs]  # noqa: B023
    # the second question with a letter, not the first, makes the archive list that letter's words
    once = durations[1::2]
    print(
        line(
            once,
            f"{statistics.median(once) / yardstick:.1f} x",
            f"{durations[0]:.1f}",
            "(once) a letter's words",
        )
    )
    for name, make in WORST.items():
        draw, durations = Draw(len(name)), []
        for _ in range(times + 1):
            drawn = make(draw)
            asked = drawn if isinstance(drawn, Question) else Question(drawn)
            with store.snapshot() as now:
                durations.append(milliseconds(lambda: plan_question(asked, now, vocabulary)))  # noqa: B023
        first, *durations = durations
        print(line(durations, f"{statistics.median(durations) / yardstick:.1f} x", f"{first:.1f}", name))
        slow += [name] if np.percentile(durations, 95) > 10 else []
    print(f"p95 over 10 ms: {', '.join(slow) or 'none'}")


COLD = """
import sys, time
from datetime import date
began = time.process_time()
from onrecord.understand.planner import plan
from onrecord.stores import open_store
from onrecord.types import Question
store, taken = open_store(sys.argv[1]), []
store.recordings()
taken.append(time.process_time() - began)
for text in sys.argv[2:]:
    began = time.process_time()
    plan(Question(text), store, date(2025, 1, 1))
    taken.append(time.process_time() - began)
print(*(1000 * one for one in taken))
"""


def cold(archive: Path, times: int) -> None:
    texts = (QUESTIONS[1], QUESTIONS[2], QUESTIONS[-1], QUESTIONS[-1].replace("2024", "2023"))
    outputs = [
        subprocess.run(
            [sys.executable, "-c", COLD, str(archive), *texts], capture_output=True, text=True, check=True
        ).stdout.split()
        for _ in range(times)
    ]
    middle = np.median(np.array(outputs, float), axis=0)
    names = ("imports, and the archive opened", *texts)
    print(f"\n{'median':>8}   in a new process, one after the other")
    print(*(f"{took:8.1f}   {name}" for took, name in zip(middle, names, strict=True)), sep="\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--recordings", type=int, default=2000)
    parser.add_argument("--passages", type=int, default=20, help="of each recording")
    parser.add_argument("--times", type=int, default=40)
    parser.add_argument("--keep", type=Path, help="the archive, made where there is none, to be kept")
    options = parser.parse_args()
    vocabulary = open_embedder("minilm")
    with tempfile.TemporaryDirectory() as folder:
        archive = options.keep or Path(folder) / "planning.db"
        built = archive.exists()
        store = open_store(archive)
        if not built:
            fill(store, options.recordings, options.passages)
        stats = store.stats()
        print(f"{stats['recordings']} recordings, {stats['passages']} passages")
        yardstick = everyday(store, vocabulary, options.times)
        worst(store, vocabulary, options.times, yardstick)
        store.close()
        cold(archive, min(options.times, 5))


if __name__ == "__main__":
    main()
