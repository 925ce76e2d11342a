"""Tests of documents and captions that separate names from words without a plain colon."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading_texts import read_text, spoken_turns, times

from onrecord.types import Transcript

TALK = [
    ("Ann Bell", "Who keeps the lock now that the canal is closed?"),
    ("Bo Dea", "Nobody. The gates have not moved since spring."),
    ("Ann Bell", "And the water?"),
    ("Chidi Weil", "It runs over the top and takes the bank with it, a little more each year."),
    ("Bo Dea", "So the path is gone."),
    ("Ann Bell", "Will anyone repair it?"),
    ("Chidi Weil", "The council says so, but it has said so before."),
    ("Bo Dea", "Twice. I was at both meetings."),
]
FORMS = [
    "{} - {}",
    "{} — {}",
    "{} -- {}",
    "{} > {}",
    "{} | {}",
    "{}; {}",
    "{}. {}",
    "{}:: {}",
    "{}:{}",
    "({}) {}",
    "_{}:_ {}",
    "{}\t{}",
    "[{} 0:12] {}",
    "{} 00:12\n{}",
    "{}\n{}",
    "{}\n\n{}",
    "— {}: {}",
    "@{}: {}",
    "🎙 {}: {}",
]


def txt(text: str) -> Transcript:
    return read_text(text, "text", "talk.txt")


def md(text: str) -> Transcript:
    return read_text(text, "markdown", "talk.md")


def written(form: str) -> str:
    return "\n\n".join(form.format(*turn) for turn in TALK) + "\n"


@pytest.mark.parametrize("form", FORMS)
def test_the_sign_behind_names_that_take_turns_separates_them_from_the_words(form: str) -> None:
    """Check that any separator after alternating names divides names from text."""
    assert spoken_turns(txt(written(form))) == TALK


@pytest.mark.parametrize("form", FORMS)
def test_the_names_may_be_in_small_letters(form: str) -> None:
    talk = [(name.split()[0].lower() + "_99", words) for name, words in TALK]
    assert spoken_turns(txt("\n\n".join(form.format(*turn) for turn in talk))) == talk


@pytest.mark.parametrize("form", ["**{}** {}", "**{}.** {}", "**{}**\n{}", "**{}**\n\n{}", "**{}**<br>\n{}"])
def test_bold_names_need_no_sign(form: str) -> None:
    assert spoken_turns(md("# The lock\n\n" + written(form))) == TALK


def test_numbers_of_turns_are_no_part_of_the_names() -> None:
    text = "\n\n".join(f"{number}. {name}: {words}" for number, (name, words) in enumerate(TALK, 1))
    assert spoken_turns(txt(text)) == TALK


def test_a_time_between_the_name_and_the_words_is_read() -> None:
    text = "\n\n".join(f"[{name} 0:{10 + at}] {words}" for at, (name, words) in enumerate(TALK))
    assert [start for start, _ in times(txt(text))] == [10.0 + at for at in range(len(TALK))]


def test_a_speaker_goes_on_over_paragraphs() -> None:
    transcript = txt(written("{} > {}").replace("since spring.", "since spring.\n\nThey are rusted through."))
    assert spoken_turns(transcript)[1] == ("Bo Dea", TALK[1][1] + " They are rusted through.")


def test_another_name_with_the_sign_ends_the_words_even_if_it_occurs_once() -> None:
    """Check that a name that occurs once before the separator ends the turn above it."""
    text = written("{} > {}").replace(
        "Bo Dea > So the path", "the_warden > I closed it.\n\nBo Dea > So the path"
    )
    (speaker,) = [speaker for speaker, words in spoken_turns(txt(text)) if "I closed it" in words]
    assert speaker in (None, "the_warden")


@pytest.mark.parametrize(
    "lines",
    [
        ["Yeah. It does.", "Okay. So we go on.", "Yeah. And then?", "Okay. Now the gates."] * 4,
        ["Yes", "The gates are rusted, yes.", "No", "Then no boats.", "Yes", "As I say, no.", "No", "Well."]
        * 3,
        ["Well, the gates are shut.", "Right, and the path?", "Well, it is gone.", "Right, so be it."] * 3,
        [
            "Lock - a gate for boats",
            "Weir - a wall in the water",
            "Quay - a wall for boats",
            "Sluice - a gate",
        ]
        * 1,
        ["I saw it - once.", "He was there > me.", "They (all) went.", "Nobody; not one."] * 3,
    ],
)
def test_words_that_open_paragraphs_by_turns_name_nobody(lines: list[str]) -> None:
    """Check that recurring first words of paragraphs are not speakers."""
    assert {speaker for speaker, _ in spoken_turns(txt("\n\n".join(lines)))} == {None}


def test_colons_go_before_other_signs() -> None:
    """Check that the colon is the separator if other signs also occur."""
    text = written("{}: {}").replace("Nobody.", "Nobody - not one.")
    assert spoken_turns(txt(text))[1] == (
        "Bo Dea",
        "Nobody - not one. The gates have not moved since spring.",
    )


def test_words_below_the_last_turn_are_nobodys_where_every_turn_has_one_paragraph() -> None:
    turns = spoken_turns(txt(written("{}: {}") + "\nThe harbour archive keeps the tapes of this walk.\n"))
    assert turns == [*TALK, (None, "The harbour archive keeps the tapes of this walk.")]


@pytest.mark.parametrize("form", ["**{}** (0:{})\n\n{}", "{}  0:{}\n{}"])
def test_a_label_in_the_form_of_speakers_ends_the_words_of_the_one_before(form: str) -> None:
    """Check that a label in the speakers' form ends the turn above it, even if it occurs once."""
    talk = [("mara", "Is it shut?"), ("tinker", "It is."), ("mara", "Since when?"), ("tinker", "May.")] * 2
    talk.insert(5, ("odd one", "I have the key."))
    text = "\n\n".join(form.format(name, 10 + at, words) for at, (name, words) in enumerate(talk))
    key = next(speaker for speaker, words in spoken_turns(txt_or_md(text)) if "I have the key" in words)
    assert key not in ("mara", "tinker")


def txt_or_md(text: str) -> Transcript:
    return md(text) if "**" in text else txt(text)


def test_a_label_without_a_time_is_words_where_labels_have_times() -> None:
    """Check that a label without a timestamp is text if the other labels have timestamps."""
    lines = [f"[0:{10 + at}] {name}: {words}" for at, (name, words) in enumerate(TALK)]
    lines.insert(4, "Python: that is the snake on the old lock.")
    assert all(speaker != "Python" for speaker, _ in spoken_turns(txt("\n\n".join(lines))))


def test_a_few_times_do_not_show_that_all_labels_have_one() -> None:
    text = "Ann: [0:01] The tape turns.\n\nBo: It does, all night.\n\nAnn: [9:01] It stopped."
    assert [speaker for speaker, _ in spoken_turns(txt(text))] == ["Ann", "Bo", "Ann"]


@pytest.mark.parametrize("name", ["van den Berg", "de Vries"])
def test_a_surname_may_begin_in_small_letters(name: str) -> None:
    talk = [(name if speaker == "Bo Dea" else speaker, words) for speaker, words in TALK]
    assert (
        spoken_turns(
            txt("\n\n".join(f"{speaker}  0:{10 + at}\n{words}" for at, (speaker, words) in enumerate(talk)))
        )
        == talk
    )


NAMES = st.lists(
    st.sampled_from("Ann Bo Chidi Dana Emre Finn Gita Hugo".split()), min_size=2, max_size=5, unique=True
)
SENTENCES = st.sampled_from([words for _, words in TALK])


@given(
    NAMES, st.lists(st.tuples(st.integers(1, 4), SENTENCES), min_size=12, max_size=30), st.sampled_from(FORMS)
)
def test_whoever_speaks_says_what_stands_behind_the_name(
    names: list[str], steps: list[tuple[int, str]], form: str
) -> None:
    talk, at = [], 0
    for step, words in steps:
        at = (at + 1 + step % (len(names) - 1)) % len(names) if len(names) > 1 else at
        talk.append((names[at], words))
    turns = spoken_turns(txt("\n\n".join(form.format(*turn) for turn in talk)))
    wrong = [turn for turn in turns if turn[0] and turn not in talk]
    assert not wrong, "no words stand under a name that did not say them"


def captions(texts: list[str]) -> Transcript:
    times_ = [f"00:00:{at:02d},000 --> 00:00:{at:02d},900" for at in range(len(texts))]
    cues = zip(times_, texts, strict=True)
    return read_text(
        "\n".join(f"{at}\n{time}\n{text}\n" for at, (time, text) in enumerate(cues, 1)), "subrip", "a.srt"
    )


@pytest.mark.parametrize("form", ["[{}] {}", "({}) {}", "- [{}] {}", "[{}]\n{}", "- {}: {}"])
def test_names_in_brackets_that_take_turns_speak_in_captions(form: str) -> None:
    assert spoken_turns(captions([form.format(*turn) for turn in TALK])) == TALK


@pytest.mark.parametrize(
    "texts",
    [
        ["[Laughter] It is shut.", "So it is.", "I said so.", "[Applause] Thank you.", "No, I did.", "Well."]
        * 2,
        ["[Cheering]", "They are cheering at the gate.", "[Whistles]", "The lock whistles, they say."] * 3,
        ["So it is.", "[Chuckles] It is shut.", "I said so, twice.", "And who heard?", "[Sighs] No one."] * 3,
    ],
)
def test_sounds_in_brackets_do_not_speak(texts: list[str]) -> None:
    assert {speaker for speaker, _ in spoken_turns(captions(texts))} == {None}


def test_directions_in_brackets_behind_a_name_and_a_dot() -> None:
    lines = [
        f"{name.upper()}. {'(Aside.) ' if i % 3 == 1 else ''}{words}" for i, (name, words) in enumerate(TALK)
    ]
    turns = spoken_turns(read_text("\n\n".join(lines) + "\n", "text"))
    assert [name for name, _ in turns] == [name.upper() for name, _ in TALK]
    assert turns[1][1].endswith(TALK[1][1])


def test_a_mail_address_is_not_a_name_and_words() -> None:
    said = [(name.split()[0].lower(), words) for name, words in TALK]
    lines = [f"{name}@example.org (0:{t:02})\n{words}" for t, (name, words) in enumerate(said)]
    turns = spoken_turns(read_text("\n\n".join(lines) + "\n", "text"))
    assert not any("example" in words for speaker, words in turns if speaker)


@pytest.mark.parametrize("sign", [" - ", " – ", " > "])
@pytest.mark.parametrize("name", ["ATTY. ROSS", "Abg. Ross", "MS. Q. ROSS"])
def test_words_behind_the_sign_of_all_names_are_never_the_speakers_before(sign: str, name: str) -> None:
    """Check that a line with an unusual name before the document's sign does not continue a turn."""
    turns = [*TALK[:4], (name, "Objection, that was not asked."), *TALK[4:]]
    found = spoken_turns(read_text("\n\n".join(sign.join(turn) for turn in turns) + "\n", "text", "talk.txt"))
    assert [speaker for speaker, text in found if "Objection" in text] in ([None], [name])
    assert [turn for turn in found if "Objection" not in turn[1]] == TALK
