"""Twins: two files with the same talk become one recording, unless the user wants both."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

import onrecord
from onrecord.archive import Archive
from onrecord.serve.cli import main

WORDS = (
    "margin freight tariff bicycle frame harbour winter lantern quarter copper meadow signal thunder".split()
)


def sentences(seed: int, count: int = 30) -> list[str]:
    """Return sentences of random words; the same seed gives the same sentences."""
    draw = Random(seed)
    return [
        " ".join(f"{draw.choice(WORDS)}{draw.randrange(60)}" for _ in range(9)).capitalize() + "."
        for _ in range(count)
    ]


def captions(texts: list[str]) -> str:
    """Return WebVTT captions of the sentences, one a second."""
    times = [f"00:{at // 60:02}:{at % 60:02}" for at in range(len(texts))]
    cues = [f"{time}.000 --> {time}.900\n{words}" for time, words in zip(times, texts, strict=True)]
    return "WEBVTT\n\n" + "\n\n".join(cues) + "\n"


def text(texts: list[str]) -> str:
    """Return plain text of the sentences with one of the words in another form."""
    return "\n\n".join(texts).replace("frame", "frames") + "\n"


@pytest.fixture
def talks(tmp_path: Path) -> Path:
    folder = tmp_path / "talks"
    folder.mkdir()
    return folder


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return onrecord.open(tmp_path / "talks.db", embedding={"model": "hashing"})


@pytest.mark.parametrize("order", [("a.vtt", "a.txt"), ("a.txt", "a.vtt")])
def test_the_richer_of_two_files_is_kept(talks: Path, archive: Archive, order: tuple[str, str]) -> None:
    (talks / "a.vtt").write_text(captions(sentences(1)))
    (talks / "a.txt").write_text(text(sentences(1)))
    for name in order:
        report = archive.add(talks / name)
    ((source, richer),) = report.twins
    assert Path(source).name == "a.txt"
    assert [recording.format for recording in archive.recordings()] == ["webvtt"]
    assert richer.id == archive.recordings()[0].id
    again = archive.add(talks)
    assert (len(again.unchanged), len(again.twins), again.added) == (1, 1, ())


def test_feedback_that_cites_a_poorer_twin_leaves_with_it(talks: Path, archive: Archive) -> None:
    (talks / "a.txt").write_text(text(sentences(1)))
    (talks / "a.vtt").write_text(captions(sentences(1)))
    archive.add(talks / "a.txt")
    answer = archive.ask(sentences(1)[0].rstrip("."), "direct")
    assert archive.ledger.rate(answer, good=True).evidence
    assert archive.add(talks / "a.vtt").twins and archive.ledger.feedback() == []


def test_both_are_kept_where_both_are_wanted(talks: Path, archive: Archive) -> None:
    (talks / "a.vtt").write_text(captions(sentences(1)))
    (talks / "a.txt").write_text(text(sentences(1)))
    report = archive.add(talks, keep_both=True)
    assert (len(report.added), report.twins) == (2, ())


def test_other_talks_and_excerpts_are_recordings_of_their_own(talks: Path, archive: Archive) -> None:
    (talks / "a.vtt").write_text(captions(sentences(1)))
    (talks / "b.txt").write_text(text(sentences(2)))
    (talks / "part.txt").write_text(text(sentences(1)[:12]))
    assert len(archive.add(talks).added) == 3


def test_the_command_tells_of_a_twin(talks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (talks / "a.vtt").write_text(captions(sentences(1)))
    (talks / "a.txt").write_text(text(sentences(1)))
    monkeypatch.setenv("ONRECORD_EMBEDDING__MODEL", "hashing")
    args = ["add", str(talks), "--archive", str(tmp_path / "c.db")]
    shown = CliRunner().invoke(main, args)
    assert "twin" in shown.output and "the same words as" in shown.output and "1 twins" in shown.output
    shown = CliRunner().invoke(main, [*args, "--keep-both"])
    assert "1 added, 0 changed, 1 unchanged" in shown.output


def test_talk_without_a_word_that_is_said_once_has_a_twin(talks: Path, archive: Archive) -> None:
    """Twins are recognized even if every word occurs several times."""
    random = Random(4)
    words = "ferry crane dyke frost bell oven river canal mill roof tide lamp rope salt bridge".split()
    spoken = [" ".join(random.choices(words, k=14)) + "." for _ in range(40)]
    (talks / "litany.vtt").write_text(captions(spoken))
    (talks / "litany.txt").write_text(text(spoken))
    added = archive.add(talks / "litany.vtt", talks / "litany.txt")
    assert [name for name, _ in added.twins] == [str(talks / "litany.txt")]


NOTICE = """
Thank you for calling the harbour office. Before we begin I have to read you the following notice. This
conversation is recorded for quality and training, and the recording is kept for ninety days on a server of
the port authority. You may ask for a copy in writing, and you may object to the recording at any moment, in
which case we go on without it. Nothing that is said by the clerk binds the authority before it is confirmed
by letter. Complaints about a berth, a crane or a pilot are answered by the master of the port, whose decision
may be challenged before the chamber of commerce within three weeks.
"""
BRIEFING = """
Good morning and welcome to the monthly briefing of the harbour, which is given for {month} by the port master
{name}. As always the figures are provisional and will be audited at the end of the season. The port handled
{figure} thousand tonnes of grain in {month}, the cranes worked on every day of the week, and the ferry ran to
its timetable. The chamber of commerce has no remarks. The pilots ask all masters to keep their radio on the
working channel, to report before the outer buoy, and to leave the inner basin free. The office thanks all
crews for their patience while the quay is being mended. Questions may be sent to {name} in writing.
"""


def test_calls_that_share_a_notice_are_two_recordings(talks: Path, archive: Archive) -> None:
    grain = "A barge with grain lies at the northern quay and its owner owes two hundred and eleven crowns."
    pilot = "The pilot never came aboard, so the yacht ran aground and the insurer pays for a new keel."
    times = "WEBVTT\n\n" + "\n\n".join(
        f"00:00:{at:02}.000 --> 00:00:{at:02}.900\n{line}"
        for at, line in enumerate([*NOTICE.strip().splitlines(), pilot])
    )
    (talks / "q1.txt").write_text(NOTICE.strip() + "\n" + grain + "\n")
    (talks / "q2.vtt").write_text(times)
    assert len(archive.add(talks / "q1.txt").added) == 1
    report = archive.add(talks / "q2.vtt")
    assert (len(report.added), report.twins, len(archive.recordings())) == (1, (), 2)


def test_editions_of_a_form_are_recordings_of_their_own(talks: Path, archive: Archive) -> None:
    for month, name, figure in [("May", "Ada Quill", 40), ("June", "Ada Quill", 52), ("May", "Bo Marsh", 40)]:
        briefing = BRIEFING.format(month=month, name=name, figure=figure)
        (talks / f"{month}-{name}.txt").write_text(briefing)
    report = archive.add(talks)
    assert (len(report.added), report.twins) == (3, ())


@pytest.mark.parametrize(
    ("sentence", "instead"),
    [
        ("no remarks", "remarks"),
        ("forty", "sixty"),
        ("on every day", "on Sunday"),
        ("outer", "eastern"),
        ("May", "Iris"),
    ],
)
def test_one_word_of_another_meaning_makes_another_recording(
    talks: Path, archive: Archive, sentence: str, instead: str
) -> None:
    text = BRIEFING.format(month="May", name="Ada Quill", figure="forty")
    (talks / "a.txt").write_text(text)
    (talks / "b.txt").write_text(text.replace(sentence, instead))
    assert len(archive.add(talks).added) == 2


def test_transcribers_who_spell_and_skip_differently_wrote_one_talk(talks: Path, archive: Archive) -> None:
    text = BRIEFING.format(month="May", name="Ada Quill", figure="forty").strip()
    other = text.replace("timetable", "time-table")
    (talks / "a.txt").write_text(other.replace("mended", "um, mended").replace("outer buoy", "outerbuoy"))
    words = text.replace("forty", "40").splitlines()
    (talks / "a.vtt").write_text(captions(["Briefing of the port, written by a machine.", *words]))
    report = archive.add(talks)
    assert [Path(source).name for source, _ in report.twins] == ["a.txt"]


def test_file_with_words_that_a_richer_one_lacks_is_not_left_out(talks: Path, archive: Archive) -> None:
    (talks / "a.vtt").write_text(captions(NOTICE.strip().splitlines()))
    (talks / "b.txt").write_text(NOTICE.strip() + " The pilot came drunk.")
    assert len(archive.add(talks).added) == 2


@pytest.mark.parametrize(
    ("sentence", "instead"),
    [("one remark", "1 remark"), ("first of", "1st of"), ("two pilots", "2 pilots"), ("forty", "40")],
)
def test_how_figures_are_written_makes_no_other_recording(
    talks: Path, archive: Archive, sentence: str, instead: str
) -> None:
    text = BRIEFING.format(month="May", name="Ada Quill", figure="forty").strip()
    text = text.replace("no remarks", "one remark on the first of May").replace(
        "The pilots", "The two pilots"
    )
    assert text.count(sentence) == 1
    (talks / "a.txt").write_text(text.replace(sentence, instead))
    (talks / "a.vtt").write_text(captions(text.splitlines()))
    assert [Path(source).name for source, _ in archive.add(talks).twins] == ["a.txt"]


NOTE = """
Hello, this is the clerk of the northern quay. The barge with your grain came in at noon and owes two crowns
for its berth. Please ring {name} before {day}, or the crane goes to the ferry and you wait for a week.
"""


@pytest.mark.parametrize(
    ("note", "other", "twins"),
    [
        (NOTE.format(name="Johnson", day="Monday"), NOTE.format(name="Johnson", day="Monday"), 1),
        (NOTE, NOTE.replace("two", "2"), 1),
        (NOTE.format(name="Johnson", day="Monday"), NOTE.format(name="Johnston", day="Monday"), 0),
        (NOTE.format(name="Johnson", day="Monday"), NOTE.format(name="Johnson", day="Friday"), 0),
        (NOTE, NOTE.replace("two", "nine"), 0),
        (NOTE, NOTE.replace("of the northern quay", ""), 0),
        (NOTE, NOTE.strip() + " Bring a rope.", 0),
        ("This call is recorded. Please hold the line.", "This call is recorded. Please hold the line.", 0),
    ],
)
def test_short_recordings_are_twins_only_with_the_very_same_words(
    talks: Path, archive: Archive, note: str, other: str, twins: int
) -> None:
    (talks / "a.vtt").write_text(captions(note.strip().splitlines()))
    (talks / "b.txt").write_text(other)
    report = archive.add(talks)
    assert (len(report.added), len(report.twins)) == (2 - twins, twins)


ONSETS, RHYMES = (
    "b br d f g gr h k l m n p pl r s st t tr v w".split(),
    "an ell ire ock um eed ast ole ink".split(),
)
SMALL = "the a in it of and to is that we".split()


def long_talk(seed: int, count: int = 150) -> list[str]:
    """Return sentences of invented words among small words, about ten words each."""
    draw = Random(seed)

    def word() -> str:
        if draw.random() < 0.4:
            return draw.choice(SMALL)
        return "".join(draw.choice(ONSETS) + draw.choice(RHYMES) for _ in range(2))

    return [" ".join(word() for _ in range(10)).capitalize() + "." for _ in range(count)]


def misheard(said: list[str], share: float) -> list[str]:
    """Return sentences in which a share of the words is left out, cut short, or heard as a small word."""
    draw = Random(5)

    def heard(word: str) -> str:
        if draw.random() >= share:
            return word
        return draw.choice(["", f"um {word}", word[:-1] if len(word) > 3 else draw.choice(SMALL)])

    return [" ".join(filter(None, map(heard, sentence.split()))) for sentence in said]


def added_twins(archive: Archive, talks: Path, of_captions: list[str], of_text: list[str]) -> tuple[int, int]:
    """Add captions and a text, and return how many recordings and twins there are."""
    (talks / "a.vtt").write_text(captions(of_captions))
    (talks / "a.txt").write_text("\n\n".join(of_text) + "\n")
    report = archive.add(talks)
    return len(archive.recordings()), len(report.twins)


LETTERHEAD = ["The Night Desk 41", "Published 2020-02-01. Notes at https://example.com/desk/41"]
INTRO = [
    "In this episode we ask a guest why the old quay fell, and who paid for the new one that is there now."
]


@pytest.mark.parametrize(
    "captioned",
    [
        lambda said: misheard(said, 0.01),
        lambda said: misheard(said, 0.03),
        lambda said: [line.lower().strip(".") for line in said],
        lambda said: [line.replace("going to", "gonna").replace("do not", "don't") for line in said],
        lambda said: [line.replace("fifteen", "fifty") for line in said],
        lambda said: [*said, "That is all for today, so thank you for listening."],
    ],
)
@pytest.mark.parametrize("above", [[], LETTERHEAD, INTRO])
def test_captions_by_a_machine_and_a_text_by_hand_are_twins(
    talks: Path, archive: Archive, captioned: Callable[[list[str]], list[str]], above: list[str]
) -> None:
    said = long_talk(3)
    said[20] += " They were fifteen in all."
    for at in range(0, 150, 30):
        said[at] += " We are going to see that, and they do not."
    assert added_twins(archive, talks, captioned(said), [*above, *said]) == (1, 1)


def replaced(pairs: dict[str, str]) -> Callable[[list[str]], list[str]]:
    """Return a function that replaces whole words of sentences."""
    return lambda said: [" ".join(pairs.get(word, word) for word in line.split()) for line in said]


def another_take(said: list[str]) -> list[str]:
    """Return sentences in which one word of fifty is another word, as in a second take of a speech."""
    draw = Random(9)
    other = " ".join(long_talk(4)).split()
    return [
        " ".join(draw.choice(other) if draw.random() < 0.02 else w for w in line.split()) for line in said
    ]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(replaced({"May,": "June,", "Quill": "Marsh"}), id="another edition of a long form"),
        pytest.param(replaced({"forty": "sixty", "ten": "nine", "two": "six"}), id="other figures"),
        pytest.param(another_take, id="another take"),
        pytest.param(lambda said: [*said[:60], *long_talk(8, 8), *said[60:]], id="another advertisement"),
        pytest.param(lambda said: [*said[:60], *long_talk(8, 4), *said[64:]], id="another answer"),
        pytest.param(lambda said: [*said, *long_talk(8, 6)], id="more talk at the end"),
        pytest.param(
            lambda said: [*said[:60], *long_talk(8, 90)], id="another meeting with the same opening"
        ),
    ],
)
def test_long_talks_that_differ_in_what_counts_are_two_recordings(
    talks: Path, archive: Archive, other: Callable[[list[str]], list[str]]
) -> None:
    said = long_talk(3)
    said[5] += " This is the briefing for May, given by Ada Quill in person."
    said[70] += " In May, the port took forty barges, ten cranes and two ferries."
    said[140] += " That is it for May, and Ada Quill thanks you."
    assert added_twins(archive, talks, said, other(said)) == (2, 0)
