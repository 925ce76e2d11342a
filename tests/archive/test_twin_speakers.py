"""Speakers of a twin: captions without names take them from a text of the same talk."""

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import onrecord
from onrecord.archive import Archive
from onrecord.archive.twin_speakers import with_speakers_of
from onrecord.types import Details, Section, Transcript, Turn

WORDS = (
    "margin freight tariff bicycle frame harbour winter lantern quarter copper meadow signal thunder".split()
)
PEOPLE = ("Ann Lee", "Bo Díaz", "Cy Park")


def talk(seed: int, count: int = 24) -> list[tuple[str, str]]:
    """Return turns: who speaks, and one to four sentences of words that hardly recur."""
    draw = Random(seed)

    def sentence() -> str:
        words = (f"{draw.choice(WORDS)}{draw.randrange(900)}" for _ in range(draw.randrange(2, 12)))
        return " ".join(words).capitalize() + "."

    return [
        (PEOPLE[at % 2 if at % 7 else 2], " ".join(sentence() for _ in range(draw.randrange(1, 5))))
        for at in range(count)
    ]


def text(turns: list[tuple[str, str]]) -> str:
    return "\n\n".join(f"{name}: {said}" for name, said in turns) + "\n"


def cues(words: list[str], each: int) -> str:
    """Return captions of `each` words, one a second, wherever sentences or turns end."""
    lines = [" ".join(words[at : at + each]) for at in range(0, len(words), each)]
    times = [f"00:{at // 60:02}:{at % 60:02}" for at in range(len(lines))]
    shown = (f"{at}.000 --> {at}.900\n{line}" for at, line in zip(times, lines, strict=True))
    return "WEBVTT\n\n" + "\n\n".join(shown) + "\n"


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return onrecord.open(tmp_path / "talks.db", embedding={"model": "hashing"}, reader=None)


@pytest.mark.parametrize("order", [("a.vtt", "a.txt"), ("a.txt", "a.vtt")])
def test_captions_without_names_take_them_from_a_text(
    tmp_path: Path, archive: Archive, order: tuple[str, str]
) -> None:
    turns = talk(1)
    (tmp_path / "a.txt").write_text(text(turns))
    (tmp_path / "a.vtt").write_text(cues(" ".join(said for _, said in turns).split(), 7))
    for name in order:
        report = archive.add(tmp_path / name)
    assert [Path(name).name for name, _ in report.twins] == ["a.txt"]
    assert len(report.notes) == 1 and "a.txt" in report.notes[0] and "its speakers" in report.notes[0]
    (recording,) = archive.recordings()
    passages = archive.transcript(recording.id)
    assert recording.format == "webvtt" and set(recording.details.people or PEOPLE) == set(PEOPLE)
    said = [
        (speaker, passage.text[begin:end].strip())
        for passage in passages
        for begin, end, speaker in passage.turns
    ]
    assert spoken(said) == spoken(turns)
    assert all(passage.start is not None for passage in passages)
    again = archive.add(*(tmp_path / name for name in order))
    assert (len(again.unchanged), len(again.twins), again.notes) == (1, 1, ())
    assert {speaker for p in archive.transcript(recording.id) for *_, speaker in p.turns} == set(PEOPLE)


def write_talk(folder: Path, turns: list[tuple[str, str]], text_name: str, captions_name: str) -> None:
    (folder / text_name).write_text(text(turns))
    (folder / captions_name).write_text(cues(" ".join(said for _, said in turns).split(), 7))


def names_in(archive: Archive) -> set[str | None]:
    (recording,) = archive.recordings()
    return {speaker for passage in archive.transcript(recording.id) for *_, speaker in passage.turns}


@pytest.mark.parametrize("names", [("a.txt", "b.vtt"), ("b.txt", "a.vtt")])
def test_corrected_captions_keep_the_speakers(
    tmp_path: Path, archive: Archive, names: tuple[str, str]
) -> None:
    talks, captions = tmp_path / "talks", names[1]
    talks.mkdir()
    write_talk(talks, talk(2), *names)
    archive.add(talks)
    (talks / captions).write_text((talks / captions).read_text().replace("00:00:03.000", "00:00:03.100"))
    assert len(archive.add(talks).changed) == 1
    assert names_in(archive) == set(PEOPLE)


def test_corrected_names_reach_the_captions(tmp_path: Path, archive: Archive) -> None:
    talks = tmp_path / "talks"
    talks.mkdir()
    write_talk(talks, talk(2), "a.txt", "b.vtt")
    archive.add(talks)
    archive.rename("Ann Lee", "Anne Leigh")
    (talks / "a.txt").write_text(text(talk(2)).replace("Bo Díaz", "Bo Dias"))
    assert len(archive.add(talks).changed) == 1
    assert names_in(archive) == {"Anne Leigh", "Bo Dias", "Cy Park"}
    assert archive.add(talks).changed == ()


def test_captions_with_speakers_of_their_own_keep_them(tmp_path: Path, archive: Archive) -> None:
    talks = tmp_path / "talks"
    talks.mkdir()
    write_talk(talks, talk(2), "a.txt", "b.vtt")
    archive.add(talks)
    voices = re.sub(
        r"\n(?=[A-Z][a-z]+\d)", "\n<v Zoe Quist>", cues(" ".join(s for _, s in talk(2)).split(), 7)
    )
    (talks / "b.vtt").write_text(re.sub(r"(000|900)\n(?!<v)", r"\1\n<v Zoe Quist>", voices))
    archive.add(talks)
    archive.add(talks)
    assert names_in(archive) == {"Zoe Quist"}


def test_edits_of_a_text_pass_on_to_the_captions(tmp_path: Path, archive: Archive) -> None:
    write_talk(tmp_path, talk(2), "a.txt", "b.vtt")
    archive.add(tmp_path / "a.txt")
    archive.edit(archive.recordings()[0].id, {"title": "Harbour talk", "date": "2024-05-01"})
    archive.add(tmp_path / "b.vtt")
    (recording,) = archive.recordings()
    assert (recording.details.title, recording.details.date) == ("Harbour talk", "2024-05-01")


BEFORE, AFTER = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu",
    "nu xi omicron pi rho sigma tau upsilon phi chi psi omega",
)


@pytest.mark.parametrize(
    ("captions", "twin", "speakers"),
    [
        # a reply that is spelled otherwise, or that the text leaves out, is not the words of who asked
        (f"{BEFORE} right. {AFTER}", [("Ann", f"{BEFORE}."), ("Bo", f"Write. {AFTER}")], {"right.": "Bo"}),
        (f"{BEFORE}? Yes. {AFTER}.", [("Ann", f"{BEFORE}? {AFTER}.")], {"Yes.": None}),
        (f"{BEFORE}? I did so. {AFTER}.", [("Ann", f"{BEFORE}?"), ("Bo", f"{AFTER}.")], {"did": None}),
        (
            f"{BEFORE} right. {AFTER}",
            [("Ann", f"{BEFORE} day."), ("Bo", f"Write. {AFTER}")],
            {"right.": None},
        ),
        # a filler is of the person around it
        (f"{BEFORE} um {AFTER}.", [("Ann", f"{BEFORE} {AFTER}.")], {"um": "Ann"}),
        (f"{BEFORE}. Um, {AFTER}.", [("Ann", f"{BEFORE}."), ("Bo", f"{AFTER}.")], {"Um,": "Bo"}),
        (f"{BEFORE}, um. {AFTER}.", [("Ann", f"{BEFORE}."), ("Bo", f"{AFTER}.")], {"um.": "Ann"}),
        (f"{BEFORE} um {AFTER}.", [("Ann", f"{BEFORE}"), ("Bo", f"{AFTER}.")], {"um": None}),
    ],
)
def test_words_that_the_twin_lacks_have_a_speaker_only_where_it_is_sure(
    captions: str, twin: list[tuple[str, str]], speakers: dict[str, str | None]
) -> None:
    named = with_speakers_of(
        Transcript((Turn(captions, start=0.0, end=9.0),), "webvtt", Details()),
        Transcript(tuple(Turn(said, name) for name, said in twin), "text", Details()),
    )
    assert named is not None
    got = {word: turn.speaker for turn in named.turns for word in turn.text.split()}
    assert {word: got[word] for word in speakers} == speakers


def spoken(turns: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return each word with its speaker."""
    return [(speaker, word) for speaker, said in turns for word in said.split()]


@given(st.integers(0, 9999), st.integers(2, 30), st.integers(0, 3))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_no_word_gets_the_name_of_another(seed: int, each: int, noise: int) -> None:
    """Words that the text lacks, and words it spells otherwise, have their speaker or none."""
    draw, turns = Random(seed), talk(seed)
    heard = []  # words of the captions, with their speakers
    for speaker, word in spoken(turns):
        if draw.randrange(100) < noise:
            heard.append((speaker, draw.choice(("um", "er", "hm"))))
        if draw.randrange(100) >= noise:
            heard.append((speaker, f"{word[:-2]}x." if draw.randrange(100) < noise else word))
    captions = [
        Turn(" ".join(word for _, word in heard[at : at + each]), start=float(at), end=at + 0.9)
        for at in range(0, len(heard), each)
    ]
    twin = Transcript(tuple(Turn(said, speaker) for speaker, said in turns), "text", Details())
    named = with_speakers_of(Transcript(tuple(captions), "webvtt", Details()), twin)
    assert named is not None
    words = [(turn.speaker, word) for turn in named.turns for word in turn.text.split()]
    assert [word for _, word in words] == [word for _, word in heard]
    wrong = [
        pair
        for (name, word), pair in zip(words, heard, strict=True)
        if name not in (None, pair[0]) and re.search(r"\d", word)
    ]
    assert not wrong
    assert sum(name is not None for name, _ in words) >= 0.9 * len(words)


def test_sections_keep_their_words() -> None:
    one, two = "Alpha beta gamma delta epsilon zeta.", "Eta theta iota kappa lambda mu."
    captions = Transcript(
        (Turn(f"{one} {two}", start=0.0), Turn("Nu xi omicron pi.", start=9.0)),
        "webvtt",
        Details(),
        (Section("Start", first=0, last=0), Section("End", first=1, last=1), Section("Later", start=9.0)),
    )
    twin = Transcript((Turn(one, "Ann"), Turn(f"{two} Nu xi omicron pi.", "Bo")), "text", Details())
    named = with_speakers_of(captions, twin)
    assert named is not None
    assert [(turn.speaker, turn.text) for turn in named.turns] == [
        ("Ann", one),
        ("Bo", two),
        ("Bo", "Nu xi omicron pi."),
    ]
    assert [(s.title, s.first, s.last) for s in named.sections] == [
        ("Start", 0, 1),
        ("End", 2, 2),
        ("Later", -1, -1),
    ]


def test_only_a_transcript_without_names_takes_them() -> None:
    said = "Alpha beta gamma delta epsilon zeta."
    nameless, ann, bo = (Transcript((Turn(said, name),), "text", Details()) for name in (None, "Ann", "Bo"))
    assert with_speakers_of(ann, bo) is None
    assert with_speakers_of(nameless, nameless) is None
    assert with_speakers_of(nameless, ann) == ann
