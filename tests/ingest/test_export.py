"""Tests that an exported recording reads back the same."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counted_calls import python_calls
from onrecord.errors import InputError
from onrecord.ingest.details import split_front_matter
from onrecord.ingest.export import WRITERS, export, transcript_of
from onrecord.ingest.formats import read
from onrecord.ingest.passages import Cutter
from onrecord.types import Details, Passage, Recording, Section, Transcript, Turn

DETAILS = Details(
    title='Prices: "people" & co',
    date="2024-03-05",
    language="en",
    people=("Ann Lee", "Bo O'Neil"),
    link="https://example.com/talk?a=1&b=2",
    attributes={"show": "Night Desk", "episode": "007", "two words": "a: b # c"},
)
TALK = Transcript(
    turns=(
        Turn("Good day, and welcome.", "Ann Lee", 0.5, 2.25, ((0, 0.5), (10, 1.4))),
        Turn("Thank you. It is 5 < 6 & 7 > 6 --> so <b>it</b> is.", "Bo O'Neil", 2.3, 6.0),
        Turn("Really?", "Ann Lee", 6.1, 6.5),
        Turn("Yes. *Really* _so_, [he said] `then`: C:\\New #1 ~ &amp.", "Bo O'Neil", 7.0, 11.0),
    ),
    format="nlp",
    details=DETAILS,
    sections=(Section("Opening", 0.0, 6.05), Section("Why & how", 6.05)),
)


def stored(transcript: Transcript) -> tuple[Recording, list[Section], list[Passage]]:
    """Return a transcript in the form that an archive stores: recording, sections and passages."""
    passages, sections = Cutter().cut(transcript, "talk")
    return Recording("talk", "talk.nlp", "", transcript.format, transcript.details), sections, passages


def again(kind: str, transcript: Transcript) -> Transcript:
    """Export a transcript as ``kind`` and read the export."""
    recording, sections, passages = stored(transcript)
    (parsed,) = read(f"talk.{kind}", export(kind, recording, sections, passages).encode())
    return parsed


def by_word(transcript: Transcript) -> list[tuple[str, str | None]]:
    """Return every word with its speaker."""
    return [(word, turn.speaker) for turn in transcript.turns for word in turn.text.split()]


def starts(transcript: Transcript) -> dict[int, float | None]:
    """Return the start of each turn by the index of its first word."""
    seconds, count = {}, 0
    for turn in transcript.turns:
        seconds[count] = turn.start
        count += len(turn.text.split())
    return seconds


def ends(transcript: Transcript) -> dict[int, float | None]:
    """Return the end of each turn by the number of words up to its end."""
    seconds, count = {}, 0
    for turn in transcript.turns:
        count += len(turn.text.split())
        seconds[count] = turn.end
    return seconds


def assert_same(transcript: Transcript, expected: Transcript) -> None:
    """Assert that two transcripts have the same words by the same speakers.

    Where both begin or end a turn at the same word, the times agree to a millisecond.
    """
    assert by_word(transcript) == by_word(expected)
    for times in (starts, ends):
        here, there = times(transcript), times(expected)
        assert any(at in there for at in here)
        for at in here.keys() & there.keys():
            assert here[at] == pytest.approx(there[at], abs=0.0011)


@pytest.mark.parametrize("kind", WRITERS)
def test_words_speakers_and_times_come_back(kind: str) -> None:
    assert_same(again(kind, TALK), TALK)


def test_json_keeps_everything() -> None:
    recording, sections, passages = stored(TALK)
    (transcript,) = read("talk.json", export("json", recording, sections, passages).encode())
    assert transcript == transcript_of(recording, sections, passages)
    assert_same(transcript, TALK)
    assert [(s.title, s.start, s.first, s.last) for s in transcript.sections] == [
        ("Opening", 0.0, 0, 1),
        ("Why & how", 6.05, 2, 3),
    ]
    assert (transcript.details, transcript.format) == (DETAILS, "nlp")


def test_markdown_keeps_details_and_sections() -> None:
    text = export("md", *stored(TALK))
    details, _ = split_front_matter(text)
    assert details == DETAILS
    (transcript,) = read("talk.md", text.encode())
    assert [(s.title, s.first, s.last) for s in transcript.sections] == [
        ("Opening", 0, 1),
        ("Why & how", 2, 3),
    ]


def test_markdown_is_readable() -> None:
    text = export("md", *stored(replace(TALK, details=Details(title="A talk"))))
    assert text.startswith(
        '---\ntitle: "A talk"\n---\n\n## Opening\n\n'
        "**Ann Lee** [00:00:00.500 - 00:00:02.250]: Good day, and welcome.\n\n**Bo O'Neil** ["
    )


def test_sections_within_sections_stand_below_them() -> None:
    talk = replace(TALK, sections=())
    recording, _, passages = stored(talk)
    sections = [Section("All", first=0, last=0), Section("Part", first=0, last=0)]
    assert "## All\n\n### Part\n\n" in export("md", recording, sections, passages[:1])


@pytest.mark.parametrize("kind", WRITERS)
def test_work_grows_in_line_with_the_number_of_sections(kind: str) -> None:
    """Twice as many sections, some within others, take at most about twice the work."""

    def work(count: int) -> int:
        turns = tuple(Turn(f"Item {at}.", "Ann Lee", float(at), at + 0.9) for at in range(count))
        sections = tuple(Section(f"Part {at}", float(at), float(at + at % 3)) for at in range(count))
        talk = stored(Transcript(turns, "nlp", sections=sections))
        return python_calls(lambda: export(kind, *talk))

    assert work(400) < 2.2 * work(200)


def test_captions_are_escaped() -> None:
    text = export("vtt", *stored(TALK))
    assert text.startswith(
        "WEBVTT\nKind: captions\nLanguage: en\n\n00:00:00.500 --> 00:00:02.250\n<v Ann Lee>Good day"
    )
    assert text.count("-->") == text.count("\n\n")
    assert "&lt;b&gt;it&lt;/b&gt;" in text


def test_subrip_is_plain_but_for_what_would_be_markup() -> None:
    text = export("srt", *stored(TALK))
    assert text.startswith("1\n00:00:00,500 --> 00:00:02,250\nAnn Lee: Good day, and welcome.\n\n2\n")
    assert "It is 5 < 6 & 7 > 6 --&gt; so &lt;b>it&lt;/b> is." in text.replace("\n", " ")


@pytest.mark.parametrize(
    "name",
    [
        *(
            "SPEAKER_00",
            "a>b",
            "x & <y>",
            "ann",
            "Ann: Lee",
            "[Ann]",
            "9th man",
            "*Bo*",
            "Translator",
            "Note",
        ),
        *("(555) 123-4567", "4155551234", "#1", "1", "10:30", "42", "?", "@bo", "1. Cy", 'Ann "Bo" Webb'),
        *(
            "Music",
            "&lt;b&gt;",
            "&amp;",
            ">> Ann",
            "- Ann",
            "Ann:",
            "A -- B",
            "The Clerk of the Court " * 4 + "x",
        ),
    ],
)
@pytest.mark.parametrize("kind", WRITERS)
def test_any_name_comes_back(kind: str, name: str) -> None:
    talk = Transcript((Turn("Good day to you.", name, 0.0, 2.0), Turn("And you.", "Bo Díaz", 2.5, 3.0)), "x")
    assert by_word(again(kind, talk)) == by_word(talk)


@pytest.mark.parametrize("names", [("Ann", "+44 7700 900123"), ("A", "B"), ("Q", "A")])
@pytest.mark.parametrize("count", [2, 3, 7])
@pytest.mark.parametrize("kind", WRITERS)
def test_numbers_and_letters_of_speakers_come_back(kind: str, count: int, names: tuple[str, str]) -> None:
    turns = (Turn(f"hive {at} stands empty", names[at % 2], float(at), at + 0.9) for at in range(count))
    talk = Transcript(tuple(turns), "x")
    assert by_word(again(kind, talk)) == by_word(talk)


@pytest.mark.parametrize("name", ["4155551234", "Translator", "The Clerk of the Court " * 4 + "x", "Music"])
@pytest.mark.parametrize("kind", WRITERS)
def test_odd_name_between_sentences_of_somebody_else_comes_back(kind: str, name: str) -> None:
    """Check that nobody gets the words of a speaker whose name hardly looks like one."""
    said = (
        ("It is. Go ahead.", "Ann Lee"),
        ("I oppose: the bridge costs 40.", name),
        ("Next: you.", "Ann Lee"),
    )
    turns = (Turn(words, speaker, 4.0 * at, 4.0 * at + 3) for at, (words, speaker) in enumerate(said))
    talk = Transcript(tuple(turns), "x")
    assert by_word(again(kind, talk)) == by_word(talk)


@pytest.mark.parametrize("words", ["10:30", "12:15, or so.", "0:00:12", "3", "-", ":---", "1:"])
@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("speaker", ["Bo Díaz", None])
@pytest.mark.parametrize("kind", WRITERS)
def test_time_that_is_spoken_stays_words(kind: str, speaker: str | None, timed: bool, words: str) -> None:
    if kind in ("vtt", "srt") and not timed:
        return
    said = ("When do we start?", "Ann Lee"), (words, speaker), ("And the end?", "Ann Lee")
    turns = [
        Turn(text, name, *((4.0 * at, 4.0 * at + 3) if timed else (None, None)))
        for at, (text, name) in enumerate(said)
    ]
    transcript = again(kind, Transcript(tuple(turns), "x"))
    assert by_word(transcript) == by_word(Transcript(tuple(turns), "x"))
    assert [turn.start for turn in transcript.turns] == [turn.start for turn in turns]


def test_exported_subrip_that_somebody_changed_is_read_like_any_other() -> None:
    """Check that only the marked export is read exactly; colons elsewhere are weak evidence."""
    text = export("srt", *stored(TALK))
    (marked,) = [line for line in text.splitlines() if "onrecord" in line]
    assert marked.endswith(" onrecord:exact") and marked in text.splitlines()[-4:]
    added = text + "\n9\n00:01:00,000 --> 00:01:02,000\nWhich of the two: this one or that one?\n"
    (transcript,) = read("talk.srt", added.encode())
    assert transcript.turns[-1].speaker == "Bo O'Neil"


@pytest.mark.parametrize("kind", WRITERS)
def test_nobody_known(kind: str) -> None:
    talk = Transcript((Turn("= So it began.", None, 0.0, 2.0), Turn("# 1. It did.", None, 5.5, 7.0)), "x")
    assert_same(again(kind, talk), talk)


@pytest.mark.parametrize("kind", ["json", "md"])
def test_without_times(kind: str) -> None:
    talk = Transcript((Turn("1. So it - began.", None), Turn("- It did.", None), Turn("= # + no", None)), "x")
    assert by_word(again(kind, talk)) == by_word(talk)
    assert all(turn.start is None for turn in again(kind, talk).turns)


@pytest.mark.parametrize("kind", ["vtt", "srt"])
def test_captions_need_times(kind: str) -> None:
    with pytest.raises(InputError, match="has none: export it as json or md"):
        export(kind, *stored(Transcript((Turn("Hi there."),), "x")))


def test_an_unknown_kind() -> None:
    with pytest.raises(InputError, match="cannot export as 'docx': choose one of vtt, srt, json, md"):
        export("docx", *stored(TALK))


def test_overlapping_turns_keep_their_starts_in_markdown() -> None:
    recording = Recording("talk", "", "", "x", Details())
    passages = [
        Passage("talk", 0, "A long story.", "Ann Lee", 0.0, 9.0),
        Passage("talk", 1, "Yes.", "Bo Díaz", 4.0, 4.2),
    ]
    (transcript,) = read("talk.md", export("md", recording, [], passages).encode())
    assert [turn.start for turn in transcript.turns] == [0.0, 4.0]
    (transcript,) = read("talk.vtt", export("vtt", recording, [], passages).encode())
    assert [(turn.text, turn.start, turn.end) for turn in transcript.turns] == [
        ("A long", 0.0, 4.154),
        ("Yes.", 4.0, 4.2),
        ("story.", 4.846, 9.0),
    ]


def test_the_voices_of_a_passage_are_distinguished() -> None:
    passage = Passage(
        "talk",
        0,
        "Ready? Yes. Go.",
        "Ann",
        0.0,
        3.0,
        ((0, 0.0), (7, 1.0)),
        ((0, "Ann"), (7, "Bo"), (12, "Ann")),
    )
    transcript = transcript_of(Recording("talk", "", "", "x", Details()), [], [passage])
    assert [(t.speaker, t.text) for t in transcript.turns] == [
        ("Ann", "Ready?"),
        ("Bo", "Yes."),
        ("Ann", "Go."),
    ]
    assert transcript.turns[1].marks == ((0, 1.0),)


NAMES = [
    *(
        "Ann Lee",
        "Bo Díaz",
        None,
        "Translator",
        "Note",
        "Q",
        "(555) 123-4567",
        "4155551234",
        "#1",
        "1",
        "@bo",
    ),
    *(
        'Ann "Bo" Webb',
        "Music",
        "10:30",
        "Ann: CFO",
        "[Ann]",
        "1. Cy",
        "&amp;",
        "*x*",
        "🎙 Ann",
        "a --> b",
        ">> A",
    ),
    "The Right Honourable the Lord Archbishop of Canterbury and Primate",
]
SPOKEN = [
    "so",
    "we",
    "10:30",
    "0:12",
    "[0:12]",
    "1:",
    "Note:",
    "Ann:",
    "-->",
    "---",
    "12",
    "#1",
    ">>",
    "&lt;",
]
LETTERS = "abcXYZ019,.?!()'$%é你"
MARKUP = LETTERS + '-+=#*_[]{}<>&;:\\/`~|"@'
HEADS = [
    "",
    "[Speaker 1] ",
    "(Speaker 1): ",
    ">> ",
    ">> Talk: ",
    "- ",
    "– Ann: ",
    "[0:12] ",
    "(0:12) ",
    "Talk: ",
]


@st.composite
def talks(draw: st.DrawFn, letters: str) -> Transcript:
    """Draw talks whose turns begin with words that look like a label, a timestamp or markup."""
    words = st.sampled_from(SPOKEN) | st.text(letters, min_size=1, max_size=7)
    texts = st.lists(words, min_size=1, max_size=30).map(" ".join)
    turns: list[Turn] = []
    now = 0.0
    for number, words_said in enumerate(draw(st.lists(texts, min_size=1, max_size=5))):
        head = draw(st.sampled_from(HEADS))
        # The number makes each turn unique: captions that repeat each other can look like rolling captions.
        text = f"{head}Turn{number} {words_said}"
        start = now + draw(st.floats(0.01, 5))
        end = now = start + 0.3 * len(text.split())
        turns.append(Turn(text, draw(st.sampled_from(NAMES)), start, end))
    return Transcript(tuple(turns), "x")


@pytest.mark.parametrize("kind", WRITERS)
@given(talk=talks(MARKUP))
def test_any_talk_comes_back(kind: str, talk: Transcript) -> None:
    assert_same(again(kind, talk), talk)


@pytest.mark.parametrize("kind", WRITERS)
def test_one_who_is_named_before_others_who_are_not_keeps_the_words(kind: str) -> None:
    """Check that turns without a speaker stay so after a turn with a speaker."""
    speakers = ("Ann Lee", "Ann Lee", None, None, None)
    turns = (Turn(f"Turn{at} so", speaker, 4.0 * at, 4.0 * at + 1) for at, speaker in enumerate(speakers))
    talk = Transcript(tuple(turns), "x")
    assert_same(again(kind, talk), talk)


def test_an_opened_comment_is_said_like_any_other_word() -> None:
    """Check that spoken HTML comment marks survive a Markdown export."""
    talk = Transcript((Turn("Turn0 <!--", "Ann Lee"), Turn("Turn1 --> end", "Bo Díaz")), "x")
    assert_same(again("md", talk), talk)


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("speaker", [None, "Ann Lee"])
def test_words_before_a_colon_are_no_speaker(kind: str, speaker: str | None) -> None:
    words = ("Talk: we do that here.", "Then we go home.", "Talk: and we do it again.", "[Note]: Talk: no.")
    turns = (Turn(text, speaker, 4.0 * at, 4.0 * at + 3) for at, text in enumerate(words))
    talk = Transcript(tuple(turns), "x")
    assert by_word(again(kind, talk)) == by_word(talk)


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize(
    "words",
    [
        *("[Speaker 1] we saw it", "(Speaker 1) so", ">> Talk: now", ">>> news", "- Why?", "– [Ann] why"),
        *(
            "[0:12] yes",
            "Yes (0:00:12) so",
            "[SPEAKER_TURN] so",
            "&gt;&gt; ANN: so",
            "&#91;Ann] yes",
            "| a |",
        ),
    ],
)
def test_signs_of_a_speaker_that_are_spoken_stay_words(kind: str, words: str) -> None:
    """Check that text that looks like a label, timestamp or speaker change stays text."""
    for before, speaker, after in ((None, None, None), ("Ann Lee", None, "Bo Díaz"), ("Ann Lee",) * 3):
        texts = (("So we begin.", before), (words, speaker), ("That is it.", after))
        talk = Transcript(
            tuple(Turn(text, name, 3.0 * at, 3.0 * at + 2) for at, (text, name) in enumerate(texts)), "x"
        )
        assert by_word(again(kind, talk)) == by_word(talk)


@pytest.mark.data
@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize(
    "name",
    [
        "deepgram_json/dg_speakers.json",
        "rev_nlp/4443920.aligned.nlp",
        "podcasting2_html/example.html",
        "ctm/4320211.ctm",
    ],
)
def test_originals_come_back(data: Path, name: str, kind: str) -> None:
    file = data / "transcript_formats/raw" / name
    (transcript,) = read(file.name, file.read_bytes())
    recording, sections, passages = stored(transcript)
    (parsed,) = read(f"x.{kind}", export(kind, recording, sections, passages).encode())
    assert_same(parsed, transcript_of(recording, sections, passages))


@pytest.mark.parametrize("kind", WRITERS)
def test_what_is_said_twice_at_once_stays_twice(kind: str) -> None:
    talk = Transcript(tuple(Turn("Right.", "Ann Lee", 1.0, 1.0) for _ in range(4)), "x")
    assert by_word(again(kind, talk)) == by_word(talk)


@pytest.mark.parametrize("kind", WRITERS)
def test_nobody_is_known_to_speak_after_somebody(kind: str) -> None:
    """Check that a turn without a speaker stays so between named turns, although its text holds a label."""
    turns = (Turn("Good day.", "Ann Lee", 0.0, 1.0), Turn("(deep rumbling) MAN: Oh.", None, 2.0, 3.0))
    talk = Transcript((*turns, Turn("Yes.", "Ann Lee", 4.0, 5.0)), "x")
    assert by_word(again(kind, talk)) == by_word(talk)
