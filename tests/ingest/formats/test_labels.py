"""Tests of labels: which words before a colon are the name of a speaker."""

from collections.abc import Sequence

import pytest
from reading_texts import read_text, spoken_turns

from onrecord.ingest.formats.labels import ends_sentence, is_name, is_numbered, is_remark, label_at


@pytest.mark.parametrize(
    "name",
    [
        *(
            "Ann",
            "ANN LEE",
            "Dr. Anna de Vries",
            "prof. Anna de Vries",
            "captain Bell",
            "Ann Bell jr",
            "Uncle Al",
            "J. R. Lee",
            "Lee, Ann",
            "Francis deSouza",
            "Jean-Luc d'Arc",
            "O'Dea",
        ),
        *(
            "Ann (Host)",
            "Zoë (she/her)",
            "Speaker 1",
            "SPEAKER_00",
            "speaker b",
            "spk_0",
            "host",
            "Interviewer",
            "Q",
        ),
        *(
            "主持人",
            "Анна",
            "Martin Luther King Jr.",
            "Ann & Bo",
            "The Operator",
            "Guest 2",
            "Unknown Speaker",
        ),
    ],
)
def test_names(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Note",
            "note",
            "Example",
            "PS",
            "For example",
            "the rule",
            "one thing",
            "Chapter 3",
            "Step two",
            "Best for",
            "News from the",
            "10",
            "!",
        ),
        *(
            "Yeah. Um",
            "Thanks. I have three points",
            "What is it?",
            "I have only one thing left to say",
            "https",
        ),
        *("Translator", "Subtitles by Ann", "Monday", "First", "x" * 51, "Ann Lee Bo Dea Cy Fox Di Gee", ""),
    ],
)
def test_what_is_no_name(text: str) -> None:
    assert not is_name(text)


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("Ann: Hello.", "Ann", "Hello."),
        ("Ann : Hello.", "Ann", "Hello."),
        ("Ann:", "Ann", ""),
        ("主持人：你好", "主持人", "你好"),
        ("[Ann Lee]: Hello.", "Ann Lee", "Hello."),
        ("[SPEAKER_00] Hello.", "SPEAKER_00", "Hello."),
        ("(speaker 1) Hello.", "speaker 1", "Hello."),
    ],
)
def test_labels(text: str, name: str, words: str) -> None:
    label = label_at(text)
    assert label is not None
    assert (label.name, text[label.end :]) == (name, words)


@pytest.mark.parametrize(
    "text",
    [
        "Hello.",
        "https://x.test",
        "10:30 it is",
        "12: a",
        "[laughs] Yes.",
        "a" * 61 + ": b",
        ": b",
        '"So: he said"',
        "Ann:b",
    ],
)
def test_what_is_no_label(text: str) -> None:
    assert label_at(text) is None


def test_marks_of_programs() -> None:
    """Check which labels are numbered speakers and which are remarks."""
    assert is_numbered("Speaker 12") and is_numbered("SPEAKER_00") and not is_numbered("Speaker of the House")
    assert is_remark("Break") and is_remark("Intro Music") and not is_remark("Ann") and not is_remark("")


def test_where_somebody_else_may_begin() -> None:
    """Check which endings of a text allow another speaker to begin."""
    assert all(map(ends_sentence, ["", "So.", "So?", 'He said "so."', "so…", "（笑）。", "[laughs]", "so -"]))
    assert not any(map(ends_sentence, ["so", "so,", "Mr", "10"]))


QUARREL = [
    ("Ann", "the bees are gone"),
    ("Bob", "I never touched the hives"),
    ("Ann", "somebody opened them"),
    ("Cid", "perhaps it was the wind"),
    ("Bob", "there was no wind"),
]
BEES_IN_CHINESE = [
    ("主持人", "欢迎来到节目"),
    ("张伟", "谢谢邀请"),
    ("主持人", "今天谈什么"),
    ("张伟", "谈谈蜜蜂"),
]


def captioned(lines: Sequence[str], name: str) -> str:
    """Return a caption file in format ``name`` with one caption of one second per line."""
    times = [f"00:{at // 60:02}:{at % 60:02}" for at in range(len(lines) + 1)]
    if name == "lrc":
        return "\n".join(f"[{at[3:]}.00]{line}" for at, line in zip(times, lines, strict=False))
    point, head = (",", "") if name == "subrip" else (".", "WEBVTT\n\n")
    return head + "\n\n".join(
        f"{number}\n{start}{point}000 --> {end}{point}000\n{line}"
        for number, (start, end, line) in enumerate(zip(times, times[1:], lines, strict=False), 1)
    )


@pytest.mark.parametrize("name", ["subrip", "webvtt", "lrc"])
@pytest.mark.parametrize(("colon", "talk"), [(": ", QUARREL), ("：", BEES_IN_CHINESE)])
def test_captions_without_points_name_their_speakers(
    name: str, colon: str, talk: list[tuple[str, str]]
) -> None:
    """Check labels in captions whose sentences have no final punctuation."""
    lines = [f"{speaker}{colon}{words}" for speaker, words in talk]
    assert spoken_turns(read_text(captioned(lines, name), name)) == talk


def test_speakers_of_captions_without_points_go_on_until_another_begins() -> None:
    lines = [f"{'Ann' if at % 2 else 'Bob'}: hive {at}\nstands empty" for at in range(40)]
    lines = [line for pair in zip(lines, ["and nobody knows why"] * 40, strict=True) for line in pair]
    turns = spoken_turns(read_text(captioned(lines, "subrip"), "subrip"))
    assert [speaker for speaker, _ in turns] == ["Bob", "Ann"] * 20
    assert turns[1] == ("Ann", "hive 1 stands empty and nobody knows why")


@pytest.mark.parametrize("word", ["Myth", "Goal", "Lesson", "New York", "Vérité", "NASA"])
@pytest.mark.parametrize(("count", "places"), [(300, (40, 210)), (8, (2, 5)), (8, (0, 4)), (8, (5, 7))])
def test_word_before_a_colon_does_not_own_a_captioned_lecture(
    word: str, count: int, places: tuple[int, int]
) -> None:
    """Check that a common word before a colon is not the speaker of a lecture in captions."""
    lines = [f"Hive {at} stands empty." for at in range(count)]
    for at in places:
        lines[at] = f"{word}: hive {at} is full."
    ((speaker, words),) = spoken_turns(read_text(captioned(lines, "webvtt"), "webvtt"))
    assert speaker is None
    assert words.split() == " ".join(lines).split()


HEARING = [
    "Clerk Ruiz: The harbour is open.",
    "Mayor Holt: Who speaks first?",
    "{}: I was at the pier.",
    "and saw nothing.",
    "Mayor Holt: Thank you.",
    "Clerk Ruiz: Next, please.",
]


@pytest.mark.parametrize(
    "label",
    [
        *("4155551234", "(555) 123-4567", "#1", "Ann Webb | Acme", 'Ann "Bo" Webb', "TRANSLATOR", "Note"),
        "Deputy Assistant Secretary for International Harbours, Maria del Carmen Ortiz",
    ],
)
@pytest.mark.parametrize("name", ["subrip", "webvtt"])
def test_unknown_label_ends_the_speaker_in_captions_with_labels(name: str, label: str) -> None:
    """Check that words after a label of another shape are not the previous speaker's."""
    found = read_text(captioned([line.format(label) for line in HEARING], name), name)
    assert spoken_turns(found)[1:4] == [
        ("Mayor Holt", "Who speaks first?"),
        (None, f"{label}: I was at the pier. and saw nothing."),
        ("Mayor Holt", "Thank you."),
    ]
    assert [warning for warning in found.warnings if "label of somebody unknown: 1, first in line" in warning]


def test_unknown_label_in_capitals_ends_the_speaker_where_labels_are_in_capitals() -> None:
    """Check that few labels in capitals suffice, and that other words before a colon stay the speaker's."""
    lines = [
        "MR. HALL: Were you there?",
        "INTERPRETER: She was.",
        "MR. HALL: One thing matters:",
        "the time.",
    ]
    lines += ["And the place.", "Question: was it dark?", "TRANSLATOR: It was.", "It rained."] + ["So."] * 9
    found = spoken_turns(read_text(captioned(lines, "subrip"), "subrip"))
    assert found[2] == ("MR. HALL", "One thing matters: the time. And the place. Question: was it dark?")
    assert found[3][0] is None


def test_sentence_with_a_colon_stays_its_speakers_in_captions_with_labels() -> None:
    lines = ["Ann: Two things.", "So the first one is this: money.", "Bo: And the second?", "Ann: Time."]
    found = read_text(captioned(lines, "subrip"), "subrip")
    assert spoken_turns(found)[0] == ("Ann", "Two things. So the first one is this: money.")
    assert not found.warnings


ALGEBRA = [
    "Definition: a ring has a second operation.",
    "Example: the integers.",
    "Theorem: every field is a ring.",
    "Proof: look at the axioms.",
    "Example: the rationals.",
    "Definition: an ideal absorbs products.",
]


@pytest.mark.parametrize("capitals", [False, True])
@pytest.mark.parametrize("above", [[], ["Good morning, everyone.", "We go on with rings."]])
def test_terms_of_a_captioned_lecture_are_nobody(capitals: bool, above: list[str]) -> None:
    """Check that labels are doubtful among heading words, whatever the words after them begin with."""
    lines = [": ".join(part[:1].upper() + part[1:] for part in line.split(": ")) for line in ALGEBRA]
    lines = above + (lines if capitals else ALGEBRA)
    found = read_text(captioned(lines, "subrip"), "subrip")
    assert spoken_turns(found) == [(None, " ".join(lines))]
    assert "perhaps speakers, but read as words: 'Definition', 'Proof', 'Theorem'" in found.warnings


def test_terms_before_small_letters_end_the_listeners_words_in_captions() -> None:
    lines = [
        "Welcome back.",
        "Entropy: a measure of disorder.",
        "Student: Is it physics?",
        "Gini: another one.",
    ]
    lines += ["Student: Which is better?", "Pruning: cutting branches.", "Student: Why?"]
    found = read_text(captioned(lines, "webvtt"), "webvtt")
    assert {speaker for speaker, _ in spoken_turns(found)} == {None, "Student"}
    assert ("Student", "Is it physics?") in spoken_turns(found) and (
        None,
        "Gini: another one.",
    ) in spoken_turns(found)


def test_labels_above_their_words_speak_in_captions() -> None:
    lines = ["Ann:", "Where is it?", "Bo:", "Over there.", "Ann:", "Thank you."]
    found = read_text(captioned(lines, "subrip"), "subrip")
    assert spoken_turns(found) == [("Ann", "Where is it?"), ("Bo", "Over there."), ("Ann", "Thank you.")]


@pytest.mark.parametrize("style", ["subrip", "webvtt"])
@pytest.mark.parametrize(("term", "other"), [("Merke", "Tipp"), ("Ojo", "Truco"), ("Trick", "Care")])
def test_few_labels_below_the_words_of_a_captioned_lesson_are_nobody(
    style: str, term: str, other: str
) -> None:
    lines = ["Willkommen zur vierten Lektion.", "Heute kommt der Palstek.", f"{term}: Das Ende bleibt innen."]
    lines += ["Das Kaninchen kommt aus dem Loch.", f"{other}: Halten Sie es mit dem Daumen fest."]
    lines += ["Es läuft um den Baum.", "Und dann zurück ins Loch.", f"{term}: Niemals damit klettern."]
    found = read_text(captioned(lines, style), style)
    assert spoken_turns(found) == [(None, " ".join(lines))]
    assert any(repr(term) in warning for warning in found.warnings)
    sound = read_text(captioned(["[Wind]", *lines[2:]], style), style)
    assert {speaker for speaker, _ in spoken_turns(sound)} == {None, term, other}


@pytest.mark.parametrize("other", ["'", "漢", "5"])
def test_captions_without_capitals_show_no_terms(other: str) -> None:
    lines = ["Ann: a.", f"{other}.", "Zoë: a.", "Ann: a.", f"{other}."]
    found = read_text(captioned(lines, "subrip"), "subrip")
    assert [speaker for speaker, _ in spoken_turns(found)] == ["Ann", "Zoë", "Ann"]


def test_first_names_before_capitals_speak_in_captions() -> None:
    """Check that a name that is also a common word, and an interpreter, leave the speakers of a dialogue."""
    lines = [
        "Will: Who will speak?",
        "Ann: I do.",
        "Will: You will?",
        "Ann: The will is here.",
        "Bo: So it is.",
    ]
    assert {speaker for speaker, _ in spoken_turns(read_text(captioned(lines, "subrip"), "subrip"))} == {
        "Will",
        "Ann",
        "Bo",
    }
    lines = [
        "Kelly: Were you there?",
        "Translator: She was.",
        "Kelly: Alone?",
        "Translator: Alone.",
        "Kelly: Good.",
    ]
    found = spoken_turns(read_text(captioned(lines, "subrip"), "subrip"))
    assert [speaker for speaker, _ in found] == ["Kelly", None, "Kelly", None, "Kelly"]


def test_names_in_brackets_speak_in_captions_whatever_their_words_begin_with() -> None:
    lines = [
        "[Judge] At what time?",
        "[Interpreter] at noon, he says.",
        "[Judge] Thank you.",
        "[Judge] So.",
    ]
    lines += ["[Interpreter] for the bread.", "[Judge] Good."]
    assert {speaker for speaker, _ in spoken_turns(read_text(captioned(lines, "webvtt"), "webvtt"))} == {
        "Judge",
        "Interpreter",
    }
