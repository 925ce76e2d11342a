"""Which words before a colon are somebody's name."""

import pytest

from onrecord.ingest.formats.labels import ends_sentence, is_name, is_numbered, is_remark, label_at


@pytest.mark.parametrize(
    "name",
    [
        *(
            "Ann",
            "ANN LEE",
            "Dr. Anna de Vries",
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
    assert is_numbered("Speaker 12") and is_numbered("SPEAKER_00") and not is_numbered("Speaker of the House")
    assert is_remark("Break") and is_remark("Intro Music") and not is_remark("Ann") and not is_remark("")


def test_where_somebody_else_may_begin() -> None:
    assert all(map(ends_sentence, ["", "So.", "So?", 'He said "so."', "so…", "（笑）。", "[laughs]", "so -"]))
    assert not any(map(ends_sentence, ["so", "so,", "Mr", "10"]))
