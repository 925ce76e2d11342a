"""Are words assigned to the right speaker, in layouts drawn at random?

    python benchmarks/layouts.py [--data ../shared/data] [--first 0] [--count 1000] [--all]

Writes turns of real speech (shared data `qmsum` and `changelog`) under other names in random layouts: one of
about sixty forms of labels, names in full, in capitals, initials or numbers, times, metadata above the
speech, a footer below it, stage directions, headings, paragraphs that begin with a colon of their own,
wrapped lines. One form in twenty has no names at all. Prints the share of words under the right name (or
correctly under none), under none although the speaker is known, and under a wrong one: for each form, then as
means over documents with 95 % intervals. `--first` is the first seed: use different seeds for choosing and
for reporting. `--all` lists the documents with a wrong word.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from onrecord.evaluate.intervals import bootstrap
from shared import DATA
from speakers import WORD, Layout, bare, judge_layout

KINDS = ("right", "unnamed", "wrong")
Talk = list[tuple[str, str]]
"""Turns: the speaker, and the words."""

FORMS = """
    {n}: {w}|{n}:/{w}|{n} : {w}|{n}:{w}|{n}:: {w}|{n}：{w}|**{n}:** {w}|**{n}**: {w}|**{n}** {w}|**{n}.** {w}
    |**{n}**/{w}|**{n}**//{w}|**{n}**<br>/{w}|**{n}** — {w}|*{n}*: {w}|_{n}:_ {w}|<b>{n}:</b> {w}
    |<strong>{n}</strong>: {w}|### {n}//{w}|#### {n}://{w}|{n}/{w}|{n}//{w}|{n} - {w}|{n} — {w}|{n} > {w}
    |({n}) {w}|{n}; {w}|{n}. {w}|{n}>{w}|[{n}] {w}|[{n}]: {w}|<{n}> {w}|>> {n}: {w}|@{n}: {w}|#{n}: {w}
    |🎙 {n}: {w}|— {n}: {w}|- **{n}**: {w}|- {n}: {w}|* {n}: {w}|{i}. {n}: {w}|> {n}: {w}|> **{n}:** {w}
    |{n} ({t})/{w}|{n}  {t}/{w}|{n} [{t}]/{w}|{n} - {t}/{w}|[{t}] {n}: {w}|{t} {n}: {w}|({t}) {n}: {w}
    |{t} - {n}: {w}|{t} {n}/{w}|{n} [{t}]: {w}|{n} ({t}): {w}|{n}: [{t}] {w}|{t}/{n}: {w}|{t}/{n}/{w}
    |**[{t}] {n}:** {w}|[{t}] **{n}**: {w}|**{n}** [{t}]/{w}|**{n}** ({t})//{w}|### {n} ({t})//{w}
    |[{t} --> {t}] {n}: {w}|{t} - {t}/{n}/{w}|[{n} {t}] {w}|{w}|[{t}] {w}|- {w}
"""
TABBED = ("{n}\t{w}", "{n}:\t{w}", "{t} | {n} | {w}", "{n} | {w}")
FIRST = "Ann Bo Marta Jonas Priya Yusuf Elena Tomasz Grace Liam Noor Chidi Wen Sofia Björn Zoë Mateo".split()
LAST = (
    "Bell,Dea,Silva,Weil,Nair,Demir,Petrova,O'Dea,Haddad,Li,Åberg,van den Berg,de Vries,McKenna,García López"
)
ROLES = "Host Guest Interviewer Interviewee Moderator Chair Professor Student Agent Judge Witness".split()
NUMBERED = ("Speaker {}", "SPEAKER_0{}", "Participant {}", "S{}", "P{}", "spk_{}")
ABOVE = (
    "Date: 4 May 2021",
    "Location: Prague, Hotel Europa",
    "Duration: 00:48:12",
    "Episode 41: The long way home",
    "Host: {0}",
    "Participants: {0}; {1}",
    "Present: {0}, {1}",
    "Project: Oral histories of the harbour",
    "Transcribed by: Dana White",
    "URL: https://example.org/ep/41",
    "Interview conducted by {0}",
    "{0} is the founder of a small firm in Leeds and has spent ten years on ropes.",
    "In this episode, {0} and {1} talk about what went wrong.",
    "Copyright: 2020 The Archive",
    "Status: draft",
)
BELOW = (
    "Transcript provided by the Archive.",
    "Links: https://example.org/a",
    "Copyright 2020 The Harbour Archive. All rights reserved.",
    "END OF TRANSCRIPT",
    "Music: Night Walk by The Pilots",
    "Thanks to our sponsor: Brightline",
    "Editor: Dana White",
    "Next episode: the canal",
)
ASIDES = ("[laughter]", "(applause)", "[Music]", "*laughs*", "(pause)", "* * *")
HEADINGS = ("## Introduction", "## How it began", "## Questions", "### Costs")
COLONS = (
    *(
        "Note: ",
        "One more thing: ",
        "First: ",
        "Example: ",
        "My view: ",
        "Python: ",
        "Google: ",
        "Step one: ",
    ),
    *("Bottom line: ", "Full disclosure: ", "Fun fact: ", "Reason two: ", "What I tell people: "),
)


@dataclass(frozen=True, slots=True)
class Document:
    """A layout with marks, as in `tests/ingest/formats/layouts.txt`, and the form of its labels."""

    form: str
    layout: Layout


def forms() -> list[str]:
    """Return the forms of labels; "/" is the end of a line."""
    written = [form.strip("\n ").replace("/", "\n") for form in re.split(r"\s*\|", FORMS.strip())]
    return [*(form.replace("<\nb>", "</b>").replace("<\nstrong>", "</strong>") for form in written), *TABBED]


def talks(data: Path) -> list[Talk]:
    """Return the turns of recordings with several speakers."""
    recordings: defaultdict[str, Talk] = defaultdict(list)
    for name in ("qmsum", "changelog"):
        for line in (data / name / "corpus.jsonl").read_text("utf-8").splitlines():
            passage = json.loads(line)
            words = " ".join(passage["text"].split())
            if passage["speaker"] and words:
                turns = recordings[name + passage["recording_id"]]
                if turns and turns[-1][0] == passage["speaker"]:
                    words = f"{turns.pop()[1]} {words}"
                turns.append((passage["speaker"], words))
    return [turns for turns in recordings.values() if len(turns) > 20]


def draw_names(rng: random.Random, count: int) -> tuple[list[str], list[str]]:
    """Return the names as labels have them, all in one style, and in full."""
    first, last = rng.sample(FIRST, count), rng.sample(LAST.split(","), count)
    full = [" ".join(names) for names in zip(first, last, strict=True)]
    numbered = rng.choice(NUMBERED)
    styles = [
        *(full, full, first, last, [name.upper() for name in full], [name.lower() for name in first]),
        *(rng.sample(ROLES, count), [numbered.format(number) for number in range(1, count + 1)]),
        ["".join(part[0] for part in re.split(r"[ -]", name) if part[0].isupper()) for name in full],
        [name.lower() + rng.choice(["", "_x", "99"]) for name in first],
        [f"{name} ({rng.choice(['host', 'CEO', 'Analyst'])})" for name in full],
        [f"{rng.choice(['Mr.', 'Ms.', 'Dr.'])} {name}" for name in last],
    ]
    labels = rng.choice(styles)
    return (labels, full) if len(set(labels)) == count else (full, full)


def draw_document(seed: int, recordings: Sequence[Talk], kinds: Sequence[str]) -> Document:
    """Return a document drawn at random."""
    rng = random.Random(seed)
    recording, form = rng.choice(recordings), rng.choice(kinds)
    begin = rng.randrange(len(recording) - 6)
    talk = recording[begin : begin + rng.choice([6, 10, 16, 25, 40, 60])]
    people = list(dict.fromkeys(name for name, _ in talk))
    labels, full = draw_names(rng, max(2, min(8, len(people))))
    number_of = {name: at % len(labels) for at, name in enumerate(people)}
    is_markdown = bool(re.search(r"^###|<[bs]", form)) or (rng.random() < 0.6 and "\t" not in form)
    pieces: list[tuple[Sequence[str], str]] = [([""], "# The harbour tapes\n\n" if is_markdown else "")]
    if rng.random() < 0.6:
        above = (line.format(*full) for line in rng.sample(ABOVE, rng.randrange(1, 6)))
        pieces.append(([""], "".join(line + rng.choice(["\n", "\n\n"]) for line in above) + "\n"))
    pieces += _turns(rng, [(number_of[name], words) for name, words in talk], form, labels, full, is_markdown)
    if rng.random() < 0.35:
        pieces.append(([""], "\n" + "\n\n".join(rng.sample(BELOW, rng.randrange(1, 4)))))
    marked = [
        (word.casefold(), frozenset(map(bare, names)))
        for names, text in pieces
        for word in WORD.findall(text)
    ]
    text = "".join(text for _, text in pieces)
    return Document(form, Layout(f"talk{seed}.{'md' if is_markdown else 'txt'}", text, tuple(marked)))


def _turns(
    rng: random.Random,
    talk: Sequence[tuple[int, str]],
    form: str,
    labels: Sequence[str],
    full: Sequence[str],
    is_markdown: bool,
) -> Iterator[tuple[Sequence[str], str]]:
    """Yield the text of each turn with the names it may stand under; paragraphs are divided at random."""
    divides, wraps, colons, asides, headed = (rng.random() < share for share in (0.6, 0.2, 0.35, 0.3, 0.2))
    between = "\n\n" if wraps or rng.random() < 0.8 else "\n"
    starts, headings, second = list(COLONS) if colons else [], list(HEADINGS), rng.randrange(100)
    for number, (speaker, words) in enumerate(talk, 1):
        allowed = [labels[speaker], full[speaker]] if "{n}" in form else [""]
        first, *others = _paragraphs(rng, words) if divides else [words]
        time = f"{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}"
        text = form.format(n=labels[speaker], t=time, i=number, w="\0").replace(
            "\0", _wrap(first) if wraps else first
        )
        for paragraph in others:
            start = starts.pop(rng.randrange(len(starts))) if starts and rng.random() < 0.5 else ""
            quoted = "> " if form.startswith(">") and not form.startswith(">>") else ""
            text += f"\n\n{quoted}{start}{_wrap(paragraph) if wraps else paragraph}"
        yield allowed, text + between
        if asides and rng.random() < 0.15:
            yield [*allowed, ""], rng.choice(ASIDES) + between
        if headings and headed and is_markdown and rng.random() < 0.1:
            yield [""], f"\n{headings.pop(rng.randrange(len(headings)))}\n\n"
        second += 2 + len(words.split()) // 2


def _paragraphs(rng: random.Random, words: str) -> list[str]:
    pieces = words.split()
    if len(pieces) <= 40:
        return [words]
    cuts = sorted(rng.sample(range(10, len(pieces)), min(3, len(pieces) // 40)))
    return [" ".join(pieces[begin:end]) for begin, end in zip([0, *cuts], [*cuts, None], strict=True)]


def _wrap(text: str) -> str:
    return "\n".join(textwrap.wrap(text, 72))


def shares(counts: Sequence[Counter[str]]) -> np.ndarray:
    """Return the shares of right, unnamed and wrong words of each document, in percent."""
    counts_of_kinds = np.array([[count[kind] for kind in KINDS] for count in counts], float)
    return np.asarray(100 * counts_of_kinds / np.maximum(1, counts_of_kinds.sum(axis=1, keepdims=True)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=1000, help="how many documents")
    parser.add_argument("--all", action="store_true", help="list the documents with a wrong word")
    args = parser.parse_args()
    recordings, kinds = talks(args.data), forms()
    counts: list[Counter[str]] = []
    by_form: defaultdict[str, list[Counter[str]]] = defaultdict(list)
    for seed in range(args.first, args.first + args.count):
        document = draw_document(seed, recordings, kinds)
        counts.append(judge_layout(document.layout))
        by_form[document.form].append(counts[-1])
        if args.all and counts[-1]["wrong"]:
            print(f"seed {seed}: {counts[-1]['wrong']} words of {document.form!r}")
    for form, outcomes in sorted(by_form.items(), key=lambda item: -shares(item[1])[:, 2].mean()):
        right, unnamed, wrong = shares(outcomes).mean(axis=0)
        print(f"{right:6.1f} right {unnamed:6.1f} unnamed {wrong:6.1f} wrong  {len(outcomes):4d}  {form!r}")
    for kind, values in zip(KINDS, shares(counts).T, strict=True):
        share = bootstrap(values, 1000)
        print(f"{kind}: {share.mean:.2f} % [{share.low:.2f}, {share.high:.2f}] of {len(counts)} documents")


if __name__ == "__main__":
    main()
