"""Tests of speakers in documents: how the layout of the whole file decides labels and paragraphs."""
# ruff: noqa: E501 - files of others as they write them

import pytest
from reading_texts import read_text, spoken_turns

from onrecord.ingest.people import unify_speakers
from onrecord.types import Transcript

LECTURE = "We send blocks over the wire as fast as we can, and each of them is checked on its way. " * 4


def md(text: str) -> Transcript:
    return read_text(text, "markdown", "talk.md")


def txt(text: str) -> Transcript:
    return read_text(text, "text", "talk.txt")


def speakers(transcript: Transcript) -> set[str | None]:
    """Return the speakers of a transcript, with ``None`` if some turn has no speaker."""
    return {turn.speaker for turn in transcript.turns}


def lecture(*parts: str) -> str:
    """Return Markdown of a lecture without labels, with ``parts`` as paragraphs in the middle."""
    return "\n\n".join(["## Introduction", LECTURE, LECTURE, *parts, LECTURE]) + "\n"


def test_a_nickname_in_small_letters_is_a_speaker_where_the_file_marks_speakers_so() -> None:
    """Check that a lowercase name is a speaker if it has the same bold label as the other speakers."""
    transcript = md(
        "**Mara:** Welcome, tinker and bit().\n\nHow is it going?\n\n**tinker:** Well, thank you.\n\n"
        "We built a lot.\n\n**bit():** Likewise.\n\nAnd more is coming.\n\n**Mara:** Good.\n\n"
        "**tinker:** So it is.\n\n**bit():** Yes.\n"
    )
    assert spoken_turns(transcript)[:3] == [
        ("Mara", "Welcome, tinker and bit(). How is it going?"),
        ("tinker", "Well, thank you. We built a lot."),
        ("bit()", "Likewise. And more is coming."),
    ]
    assert transcript.warnings == ()


@pytest.mark.parametrize(
    "line",
    [
        "Slides: <https://x.test/slides.pdf>",
        "Slides: [the slides](https://x.test/slides.pdf)",
        "Video: https://x.test/video",
        "Meta: recorded in Prague",
        "Definition: a block is a list",
        "On Wednesday: the workshop goes on",
        "[Bitwarden: no longer free?](https://x.test/news)",
        "**[Bitwarden: no longer free?](https://x.test/news)**",
    ],
)
def test_what_stands_above_a_lecture_never_speaks(line: str) -> None:
    """Check that links and metadata with a colon are not labels, above or inside a lecture."""
    assert speakers(md(f"{line}\n\n{lecture()}")) == {None}
    assert speakers(md(lecture(line, LECTURE, line))) == {None}


def test_a_link_never_speaks_in_a_dialogue() -> None:
    """Check that a link between turns is neither a label nor part of a speaker's turn."""
    talk = "**Ann Lee:** Good day.\n\n**Bo:** Hello to you.\n\n" * 5
    transcript = md(
        f"{talk}[Bitwarden: no longer free?](https://x.test/news)\n\nSlides: https://x.test/a\n\n{talk}"
    )
    assert speakers(transcript) <= {"Ann Lee", "Bo", None}
    assert all(
        "free" not in text and "x.test" not in text for speaker, text in spoken_turns(transcript) if speaker
    )


@pytest.mark.parametrize(
    "asks", ["Q: {}", "Audience: {}", "Audience Member: {}", "Q - {}", "**Audience:** {}"]
)
def test_the_lecture_after_a_question_is_nobodys(asks: str) -> None:
    """Check that the lecture after a question has no speaker, and that a warning counts its paragraphs."""
    words = "How long does one block take on its way?"
    question = asks.format(words)
    transcript = md(lecture(question, LECTURE, question, LECTURE, question))
    assert [text for speaker, text in spoken_turns(transcript) if speaker] == [words] * 3
    assert sum(text == LECTURE.strip() for speaker, text in spoken_turns(transcript) if not speaker) == 5
    assert transcript.warnings == (
        "paragraphs below a speaker's words that somebody else may say: 3, first in line 9; "
        "they have no speaker",
    )


@pytest.mark.parametrize("gap", ["\n\n", "\n"])
def test_the_lecture_below_an_answer_is_nobodys_without_blank_lines_too(gap: str) -> None:
    talk = [LECTURE, LECTURE, "Q: How long?", "A: Two days.", LECTURE, "Q: And back?", "A: One.", LECTURE]
    found = spoken_turns(md(gap.join(part.strip() for part in talk) + "\n"))
    assert [turn for turn in found if turn[0]] == [
        ("Q", "How long?"),
        ("A", "Two days."),
        ("Q", "And back?"),
        ("A", "One."),
    ]


@pytest.mark.parametrize("name", ["Audience", "Audience member", "Q", "Question", "Moderator", "Mr. Novak"])
@pytest.mark.parametrize("label", ["{}: {}", "**{}:** {}"])
@pytest.mark.parametrize("gap", ["\n\n", "\n"])
@pytest.mark.parametrize(
    "question", ["How long does one block take?", "Et pour un vieux client ?", "Say more about the costs."]
)
def test_who_asks_does_not_say_the_lecture_of_one_named_once(
    name: str, label: str, gap: str, question: str
) -> None:
    """Check that a questioner gets the question alone, not the unlabeled lecture that follows."""
    asks = label.format(name, question)
    parts = [label.format("Nadia Brandt", LECTURE), LECTURE, asks, LECTURE, LECTURE, asks, LECTURE]
    transcript = md(gap.join(part.strip() for part in parts) + "\n")
    assert [text for speaker, text in spoken_turns(transcript) if speaker == name] == [question] * 2
    assert speakers(transcript) == {"Nadia Brandt", name, None}
    assert "somebody else may say: 2" in transcript.warnings[0]


@pytest.mark.parametrize("name", ["Audience {}", "Audience member {}", "Student {}", "Speaker {}"])
@pytest.mark.parametrize("label", ["{}: {}", "**{}:** {}", "[{}] {}"])
@pytest.mark.parametrize(
    "words", ["How long does one block take?", "Say more about the costs."], ids=["question", "comment"]
)
def test_listeners_with_numbers_do_not_say_the_lecture(name: str, label: str, words: str) -> None:
    """Check that labels that differ only in a number do not name the speakers of the lecture below them."""
    parts = ["Locks", "Hello everyone, and welcome to this lecture."]
    for number in (1, 2, 3):
        parts += [label.format(name.format(number), words), *[LECTURE.strip()] * 4]
    read = md if "**" in label else txt
    transcript = read("\n\n".join(parts) + "\n")
    said = [(name.format(number), words) for number in (1, 2, 3)]
    assert [turn for turn in spoken_turns(transcript) if turn[0]] == said
    assert "somebody else may say: 3" in transcript.warnings[0]


def test_the_first_of_several_listeners_may_ask_below_a_title() -> None:
    parts = ["Audience 1: How long?", *[LECTURE] * 3, "Audience 2: And back?", *[LECTURE] * 3]
    found = spoken_turns(md("# Locks\n\n" + "\n\n".join(parts) + "\n"))
    assert [turn for turn in found if turn[0]] == [("Audience 1", "How long?"), ("Audience 2", "And back?")]


def test_a_listener_below_the_lecturers_first_words_does_not_say_the_answer() -> None:
    """Check that a first question below speech without a label is answered by that speaker."""
    asks = ["**Audience:** How long?", "Two days.", LECTURE, "**Audience member 2:** And back?"]
    parts = ["# Locks", "Hello everyone. Today I speak of locks.", *asks, "**Speaker:** One.", "So it is."]
    transcript = md("\n\n".join(parts) + "\n")
    assert [turn for turn in spoken_turns(transcript) if turn[0]] == [
        ("Audience", "How long?"),
        ("Audience member 2", "And back?"),
        ("Speaker", "One. So it is."),
    ]
    assert "somebody else may say: 1" in transcript.warnings[0]


@pytest.mark.parametrize("label", ["{}: {}", "**{}:** {}"])
@pytest.mark.parametrize("title", ["# Locks", "# Locks\n\nThis is the panel of last week."])
def test_people_with_numbers_go_on_where_they_give_speeches(label: str, title: str) -> None:
    panel = [title]
    for name in ("Panelist 1", "Panelist 2", "Panelist 3"):
        panel += [label.format(name, LECTURE.strip()), *[LECTURE.strip()] * 4]
    speeches = [turn for turn in spoken_turns(md("\n\n".join(panel) + "\n")) if turn[0]]
    assert [len(text.split()) for _, text in speeches] == [5 * len(LECTURE.split())] * 3


@pytest.mark.parametrize("label", ["{}: {}", "**{}:** {}"])
def test_people_with_numbers_go_on_in_an_interview(label: str) -> None:
    turns = [label.format("Speaker 1", "How long?"), label.format("Speaker 2", "Two days."), "And one back."]
    parts = ["# Locks", "This is a talk of last week.", *turns * 4, label.format("Speaker 1", "Thanks.")]
    found = spoken_turns(md("\n\n".join(parts) + "\n"))
    assert found[1:-1] == [("Speaker 1", "How long?"), ("Speaker 2", "Two days. And one back.")] * 4


def test_a_lecturer_with_a_number_goes_on_up_to_the_first_question() -> None:
    lecturer = ["Speaker 1: Hello everyone.", *[LECTURE.strip()] * 3]
    asks = [part for n in (2, 3, 4) for part in (f"Speaker {n}: How long?", LECTURE.strip(), LECTURE.strip())]
    found = spoken_turns(txt("\n\n".join([*lecturer, *asks]) + "\n"))
    assert found[0] == ("Speaker 1", " ".join(["Hello everyone.", *[LECTURE.strip()] * 3]))
    assert [turn for turn in found[1:] if turn[0]] == [(f"Speaker {n}", "How long?") for n in (2, 3, 4)]


def test_who_asks_does_not_say_the_lecture_of_one_who_answers_once() -> None:
    """Check that a questioner gets only the questions if the lecturer has a label for one answer."""
    parts = [
        "**Ida Falk:** Welcome.",
        f"**Nadia Brandt:** {LECTURE}",
        LECTURE,
        "**Audience:** Why is that so?",
    ]
    parts += ["**Nadia Brandt:** It is late.", LECTURE, "**Audience:** And now?", LECTURE]
    transcript = md("\n\n".join([*parts, "**Audience:** I see. And then?", LECTURE]) + "\n")
    asked = [text for speaker, text in spoken_turns(transcript) if speaker == "Audience"]
    assert asked == ["Why is that so?", "And now?", "I see. And then?"]


def test_answers_without_a_label_are_not_the_words_of_who_asks() -> None:
    """Check that unlabeled answers are not part of the questioner's turns."""
    transcript = md(
        "**Q:** How do I begin?\n\nWith a box.\n\n**Q:** And then?\n\nThen you wait.\n\nIt is slow.\n"
    )
    assert [text for speaker, text in spoken_turns(transcript) if speaker] == ["How do I begin?", "And then?"]


def test_one_who_asks_himself_goes_on_where_others_answer_questions() -> None:
    """Check that a turn continues after a rhetorical question if labeled speakers answer other questions."""
    talk = "**Ida Falk:** How is it going?\n\n**Bo Dea:** It goes well.\n\nWe built a lot.\n\n" * 3
    transcript = md(f"{talk}**Bo Dea:** Why do I say that?\n\nI say it because we tried.\n\n{talk}")
    assert ("Bo Dea", "Why do I say that? I say it because we tried.") in spoken_turns(transcript)


def test_speeches_of_several_paragraphs_below_the_first_one_are_their_speakers() -> None:
    """Check that each paragraph of a long speech belongs to the label above it."""
    transcript = md(f"**Ida Falk:** {LECTURE}\n\n{LECTURE}\n\n**Bo Dea:** {LECTURE}\n\n{LECTURE}\n")
    assert speakers(transcript) == {"Ida Falk", "Bo Dea"}


def test_a_question_and_its_answer_speak_even_once() -> None:
    """Check that a single pair of ``Q:`` and ``A:`` labels inside a lecture names speakers."""
    transcript = md(lecture("Q: Which curve do you use?", "A: The usual one, with a twist."))
    assert ("Q", "Which curve do you use?") in spoken_turns(transcript)
    assert ("A", "The usual one, with a twist.") in spoken_turns(transcript)
    assert (None, LECTURE.strip()) == spoken_turns(transcript)[-1]


def test_somebody_who_speaks_once_between_others_is_named() -> None:
    """Check that a label that occurs once between turns of others names a speaker."""
    parts = [
        "Q: And how many are there?",
        "A: A few of them.",
        "wuille: It is a few hundred.",
        "A: Thank you.",
    ]
    transcript = md(lecture(*parts, "Q: Why so few?", "A: We do not know."))
    assert ("wuille", "It is a few hundred.") in spoken_turns(transcript)


def test_a_paragraph_without_a_label_is_nobodys_where_every_other_one_has_a_label() -> None:
    """Check that an unlabeled paragraph has no speaker if nearly all other paragraphs have a label."""
    talk = (
        "Ann Lee (AL): It went well.\n\nBo Dea (BD): It did.\n\n"
        + "AL: So it was.\n\nBD: Yes, it was.\n\n" * 20
    )
    transcript = md(
        f"## Talk\n\n{talk}(How many of them are there?)\n\nAL: There are four.\n\n## More\n\n{talk}"
    )
    assert (None, "(How many of them are there?)") in spoken_turns(transcript)


def test_a_heading_ends_what_a_label_before_a_colon_says() -> None:
    """Check that a turn with a plain label ends at a heading."""
    talk = "AL: So it was, and I mean it.\n\nIt was so.\n\nBD: Yes, it was.\n\n" * 9
    transcript = md(f"{talk}## The next part\n\nThis is what the slide says.\n\n{talk}")
    assert (None, "This is what the slide says.") in spoken_turns(transcript)
    assert ("AL", "So it was, and I mean it. It was so.") in spoken_turns(transcript)


def test_a_heading_of_what_nobody_says_ends_a_turn() -> None:
    """Check that a section without labels, such as an advertisement, has no speaker."""
    talk = "**Ida Falk:** How is it going?\n\n**Bo Dea:** It goes well.\n\nWe built a lot.\n\n" * 3
    transcript = md(f"{talk}## Sponsors\n\n{LECTURE}\n\n## The harbour\n\n{talk}")
    assert (None, LECTURE.strip()) in spoken_turns(transcript)


def test_labels_of_programs_speak_on_over_everything() -> None:
    """Check that a label with a timestamp stays in force across bare timestamps and headings."""
    transcript = md(
        "Ann Lee (00:00:01):\nIt is late.\n\n(00:00:09):\nWe go.\n\n## Home\n\n(00:00:19):\nAt last.\n\n"
        "Bo (00:00:21):\nYes.\n\nAnn Lee (00:00:25):\nGood.\n"
    )
    assert [speaker for speaker, _ in spoken_turns(transcript)] == ["Ann Lee", "Ann Lee", "Bo", "Ann Lee"]


def test_names_and_times_in_brackets_before_the_words() -> None:
    transcript = txt(
        "[Ann Lee] [00:00] How are you?\n[Bo Can] [00:03] Well: very well.\n[Ann Lee] [01:00] Good.\n"
    )
    assert spoken_turns(transcript) == [
        ("Ann Lee", "How are you?"),
        ("Bo Can", "Well: very well."),
        ("Ann Lee", "Good."),
    ]
    assert [turn.start for turn in transcript.turns] == [0.0, 3.0, 60.0]


def test_times_before_bold_names_in_text() -> None:
    transcript = read_text(
        "[00:28] **bit()**: Hello.\n[00:31] **tinker**: Hey.\n[00:32] **tinker**: It is late.\n"
        "[00:40] **bit()**: So.\n",
        "markdown",
        "talk.txt",
    )
    assert spoken_turns(transcript) == [
        ("bit()", "Hello."),
        ("tinker", "Hey. It is late."),
        ("bit()", "So."),
    ] or spoken_turns(transcript) == [
        ("bit()", "Hello."),
        ("tinker", "Hey."),
        ("tinker", "It is late."),
        ("bit()", "So."),
    ]


TALKS = {
    "asides": (
        "txt",
        "Jerry: What is this?\n\nElaine [to Jerry]: A pen.\n\nGeorge(entering): I am out!\n\nJerry: Out of what?\n\n"
        "Kramer (quietly): Me too.\n\nElaine: Who cares.\n\nGeorge: I do.\n",
        [
            ("Jerry", "What is this?"),
            ("Elaine", "A pen."),
            ("George", "I am out!"),
            ("Jerry", "Out of what?"),
            ("Kramer", "Me too."),
            ("Elaine", "Who cares."),
            ("George", "I do."),
        ],
    ),
    "a chat, with a picture in a name": (
        "txt",
        "[03/05/2024, 10:12:34] Ann: hi all\n[03/05/2024, 10:12:50] Bo 🚲: list:\n- milk\n"
        "[03/05/2024, 10:13:00] Ann: ok\nand eggs\n[03/05/2024, 10:14:00] Cy added Dee\n"
        "[03/05/2024, 10:14:20] Dee: thanks\n",
        [
            ("Ann", "hi all"),
            ("Bo 🚲", "list: - milk"),
            ("Ann", "ok and eggs"),
            (None, "Cy added Dee"),
            ("Dee", "thanks"),
        ],
    ),
    "a group with codes for names": (
        "txt",
        "MOD: What do you think?\n\nM1: Late.\n\nF2: Not always.\n\nM1: Always.\n\nF3: I cycle.\n\n"
        "MOD: And the price?\n\nF2: Too much.\n",
        [
            ("MOD", "What do you think?"),
            ("M1", "Late."),
            ("F2", "Not always."),
            ("M1", "Always."),
            ("F3", "I cycle."),
            ("MOD", "And the price?"),
            ("F2", "Too much."),
        ],
    ),
    "numbered lines": (
        "txt",
        "1   AAS: When did you come?\n2   LIND: In forty-six. By\n3   boat.\n4   AAS: With whom?\n"
        "5   LIND: My brother.\n",
        [
            ("AAS", "When did you come?"),
            ("LIND", "In forty-six. By boat."),
            ("AAS", "With whom?"),
            ("LIND", "My brother."),
        ],
    ),
    "headings that are names, and one that is none": (
        "md",
        "# Sync\n\n## Ann Bell\n\nWe shipped.\n\n## Bo Dea\n\nTwo bugs.\n\n## Ann Bell\n\nWhich?\n\n## Bo Dea\n\n"
        "The map.\n\n## Actions\n\nFix the map.\n",
        [
            ("Ann Bell", "We shipped."),
            ("Bo Dea", "Two bugs."),
            ("Ann Bell", "Which?"),
            ("Bo Dea", "The map."),
            (None, "Fix the map."),
        ],
    ),
    "a table": (
        "md",
        "# Sync\n\n| Time | Speaker | Text |\n| --- | :---: | --- |\n| 00:01 | Ann | Hello. |\n| 00:05 | **Bo** | Hi. |\n"
        "| 00:09 | Ann | Shall we? |\n",
        [("Ann", "Hello."), ("Bo", "Hi."), ("Ann", "Shall we?")],
    ),
    "words below a table": (
        "md",
        "| Speaker | Text |\n|---|---|\n| Ann | Hello. |\n| Bo | Hi. |\n| Ann | Shall we? |\n\nMinutes by the clerk.\n",
        [("Ann", "Hello."), ("Bo", "Hi."), ("Ann", "Shall we?"), (None, "Minutes by the clerk.")],
    ),
}


@pytest.mark.parametrize("kind", TALKS)
def test_layouts_that_people_have(kind: str) -> None:
    suffix, text, turns = TALKS[kind]
    transcript = {"txt": txt, "md": md}[suffix](text)
    assert spoken_turns(unify_speakers(transcript)) == turns


def test_numbers_that_do_not_count_lines_are_words() -> None:
    """Check that numbers at line starts stay in the text unless they count the lines."""
    text = "1 boat came in.\n2 boats went out.\n7 boats stayed.\n40 men watched.\n5 boats sank.\n"
    assert "40 men watched." in spoken_turns(txt(text))[0][1]


@pytest.mark.parametrize("label", ["**Ann Lee: ", "Ann Lee:** ", "**Ann Lee:* "])
def test_bold_that_is_never_closed(label: str) -> None:
    """Check that an unclosed bold label leaves no internal marker in names or text."""
    transcript = md(f"# Talk\n\n{label}Hello.\n\n**Bo:** Hi.\n\n**Ann Lee:** Yes.\n\n**Bo:** So.\n")
    assert not any(
        set(f"{speaker}{text}") & set("\x02\x03\x05\x06") for speaker, text in spoken_turns(transcript)
    )
    assert ("Bo", "Hi.") in spoken_turns(transcript)


def test_a_label_without_a_blank_behind_its_colon() -> None:
    transcript = md(
        "## Talk\n\n" + "AL: How is it?\n\nBD: It is so.\n\n" * 4 + "AL:Why is it so?\n\nBD: Because.\n"
    )
    assert spoken_turns(transcript)[-2:] == [("AL", "Why is it so?"), ("BD", "Because.")]


def test_what_only_one_point_of_a_list_has_is_no_label() -> None:
    """Check that a few list items with a colon do not make speakers."""
    points = "\n".join(f"- the {number}th point of ours goes like this" for number in range(9))
    assert speakers(
        md(f"# Notes\n\n{points}\n- Plan: go on\n- Why not: it is late\n- Plan: come back\n")
    ) == {None}


def test_an_introduction_does_not_say_the_lecture_below_it() -> None:
    """Check that a moderator's turn does not include the unlabeled lecture after the introduction."""
    parts = ["**Moderator:** Please welcome our guest.", *[LECTURE] * 9]
    transcript = md(
        "\n\n".join([*parts, "**Moderator:** Thank you.", "**Bo Dea:** It was nice.", "**Moderator:** Yes."])
    )
    assert ("Moderator", "Please welcome our guest.") in spoken_turns(transcript)
    assert (None, LECTURE.strip()) in spoken_turns(transcript)


def test_a_topic_and_a_place_above_a_dialogue_do_not_speak() -> None:
    """Check that metadata lines in Chinese above a dialogue are not speakers."""
    transcript = md(
        "主题：转发规则\n\n位置：Prague\n\n## 引言\n\n"
        + "你好，我是 Gloria。今天我讲规则。\n\n" * 9
        + "## 问答\n\n"
        "问：这是什么？\n\n答：这是规则。\n\n问：为什么？\n\n答：我不知道。\n"
    )
    assert speakers(transcript) == {None, "问", "答"}


TURNS = "**Ann Bell:** Is it raining?\n\n**Bo Dea:** It is.\n\n"


@pytest.mark.parametrize(
    "stray",
    [
        "*Thunder. A window bangs.*",
        "(The lamp goes out.)",
        "**Exercise 2.** Count the drops.",
        "> Rain is only late snow.",
        "---\n\nThe show is made by two people.",
        "## Credits\n\nMixed by a friend.",
        "— And tomorrow?",
        "Lighting: bring cue four forward.",
        "(unclear): And tomorrow?",
        "Ann Bell; And tomorrow?",
        "Ann Bell And tomorrow?",
        "Page 13 of 20",
    ],
)
def test_what_looks_like_no_turn_ends_the_words_of_the_speaker_before(stray: str) -> None:
    """Check that a paragraph unlike the turns ends the turn before it and has no speaker."""
    turns = spoken_turns(md(f"{TURNS * 3}{stray}\n\n{TURNS}"))
    assert {speaker for speaker, text in turns if text not in ("Is it raining?", "It is.")} == {None}
    assert sum(speaker is not None for speaker, _ in turns) == 8


def test_below_the_last_of_short_turns_nobody_speaks() -> None:
    """Check that a closing line without a label has no speaker if all turns are short."""
    talk = "Ann: Hi.\n\nBo: Hello.\n\n(Laughter.)\n\nAnn: Yes.\n\nBo: So be it.\n\nAnn: Good bye.\n\n"
    transcript = txt(f"{talk}The whole record lies in the library.\n")
    assert spoken_turns(transcript)[-1] == (None, "The whole record lies in the library.")


DEBATE = (
    "Ann Bell:\nGood morning. I open the debate.\n\nBo Dean:\nLast week I was in a school. There is a bucket in the hall.\n\n{}\n\n"
    "It has stood there for three years, and it will stay.\n\nAnn Bell:\nMay I ask a question?\n\n"
    "Bo Dean:\nGladly. Ask whatever you like.\n\nAnn Bell:\nHow many buckets?\n\nBo Dean:\nFewer.\n"
)


@pytest.mark.parametrize("note", ["(Laughter)", "[Applause on the left]", "(Laughter)\n\n(Applause)"])
def test_a_speaker_goes_on_below_a_note_in_brackets(note: str) -> None:
    """Check that a note in brackets has no speaker, and that the turn continues below it."""
    transcript = txt(DEBATE.format(note))
    turns = spoken_turns(transcript)
    assert ("Bo Dean", "It has stood there for three years, and it will stay.") in turns
    assert [text for speaker, text in turns if speaker is None] == note.split("\n\n")
    assert transcript.warnings == ()


@pytest.mark.parametrize("note", ["(A voice from the audience)", "(Bell rises.)", "*Laughter*"])
def test_below_a_note_that_may_name_who_speaks_nobody_speaks(note: str) -> None:
    turns = spoken_turns(md(DEBATE.format(note)))
    assert "It has stood" not in " ".join(text for speaker, text in turns if speaker)


@pytest.mark.parametrize(("title", "speaker"), [("prof.", "prof. Maria Cone"), ("mgr", None)])
def test_who_has_a_title_in_small_letters_is_not_the_speaker_before(title: str, speaker: str | None) -> None:
    """Check that a small title belongs to the name, and that nobody speaks below an unknown title."""
    more = "There is one more thing that I would like to say about this town tonight."
    asks = ["Host: Good evening.", more, "{}: Thank you. I walk about.", "Host: Any questions?", more]
    talk = "\n\n".join([*asks, "MC: You may ask.", more, "Host: Thank you.", "MC: Thank you.", more])
    turns = spoken_turns(txt(talk.format(f"{title} Maria Cone") + "\n"))
    assert [who for who, text in turns if "I walk" in text] == [speaker]
    assert sum(who == "Host" for who, _ in turns) == 3


def test_words_that_end_in_a_joining_word_name_nobody() -> None:
    guide = "What to eat: crab, in bread.\nBest for: people who like weather.\nWorst for: all others.\n"
    places = "Portreath: The harbour is the reason to come.\n\nZennor: There is a mermaid there.\n\n"
    assert speakers(txt(f"We took the line in May.\n\n{places}{guide}")).isdisjoint({"Best for", "Worst for"})


def test_a_name_among_the_entries_of_a_list_speaks_as_little_as_they() -> None:
    """Check that most labels decide for all where none recurs and many paragraphs have no label."""
    terms = ["Bosun", "Captain", "Cook", "Davy Jones", "Galley", "Mate", "Pilot", "Purser"]
    entries = [f"{term}: This is still heard on the quay. It is an old word." for term in terms]
    talk = [
        "These words are old.",
        "We have kept them short.",
        *entries,
        "There is a knot, too.",
        "That is all.",
    ]
    assert speakers(txt("\n\n".join(talk) + "\n")) == {None}


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
@pytest.mark.parametrize("small", [False, True])
def test_the_items_of_a_programme_are_no_speakers(gap: str, small: bool) -> None:
    """Check that no label behind a bare time speaks where none recurs."""
    items = [
        "10:00 Opening: {}he mayor cuts the ribbon.",
        "10:30 Choir: {}he old songs.",
        "11:15 Puppets: {}ales.",
    ]
    talk = gap.join(["Programme of the day", *items, "12:30 Contest: {}he jury meets at the well.\n"])
    assert speakers(txt(talk.replace("{}", "t" if small else "T"))) == {None}
    spoken = [
        "00:00 Ann: Good morning.",
        "00:04 Bo: Hello.",
        "00:09 Cy: Yes.",
        "00:12 Dee: No.",
        "00:20 Ann: So?",
    ]
    assert speakers(txt(gap.join(spoken) + "\n")) == {"Ann", "Bo", "Cy", "Dee"}


def test_a_direction_between_the_names_of_a_play_is_nobodys() -> None:
    """Check that sentences in parentheses, set off by blank lines, are no part of the turn above."""
    said = ["It was on the step.", "It isn't ours.", "It has our number on it.", "Read the name, then."]
    parts = [f"{('HAROLD', 'EDITH')[at % 2]}\n{words}" for at, words in enumerate(said * 2)]
    direction = "(A pause. HAROLD puts the parcel down very carefully. The radio crackles.)"
    turns = spoken_turns(txt("\n\n".join([*parts[:4], direction, *parts[4:]]) + "\n"))
    assert (None, direction) in turns
    assert [words for speaker, words in turns if speaker] == said * 2


def test_sentences_in_parentheses_below_a_bold_name_are_its_speakers() -> None:
    """Check that a bold name on a line of its own keeps an afterthought that blank lines set off."""
    aside = "(Do not tell the others that I said so, please. I never meant to say it at all!)"
    talk = f"**Ann:**\n\nThe lamp is lit.\n\n{aside}\n\n**Bo:**\n\nSo it is.\n\n"
    assert of("Ann", md(talk * 4)) == " ".join([f"The lamp is lit. {aside}"] * 4)


def test_another_line_among_turns_of_one_line_is_nobodys() -> None:
    """Check that a line of another form has no speaker if every turn fills one line."""
    talk = "Teo | 14:02 | Hello.\nGwen | 14:03 | The lamp hums.\n"
    turns = spoken_turns(txt(f"{talk * 2}-- Teo is typing --\n{talk}"))
    assert (None, "-- Teo is typing --") in turns and turns.count(("Gwen", "The lamp hums.")) == 3


def test_a_person_has_one_key_under_all_spellings() -> None:
    """Check that a misspelled label joins the speaker it resembles, and that initials stay separate."""
    transcript = txt(
        "Interviewer: Mrs. Novak?\n\nHelena Novak: Yes.\n\nInterveiwer: You sang.\n\nHelena Novak: I hummed.\n\n"
        "Interviewer: Why?\n\nHelena Nowak: It was cold.\n\nInterviewer: And then?\n\nH. Novak: Then it was warm.\n"
    )
    assert speakers(transcript) == {"Interviewer", "Helena Novak", "H. Novak"}


def test_names_that_differ_by_a_letter_stay_two_people_if_both_recur() -> None:
    transcript = txt("Marianne Bell: Hi.\n\nMariannne Bell: Hello.\n\n" * 2)
    assert speakers(transcript) == {"Marianne Bell", "Mariannne Bell"}


@pytest.mark.parametrize(
    ("usual", "once"),
    [
        ("Mr. Vasquez", "Ms. Vasquez"),
        ("Sr. Bellini", "Sra. Bellini"),
        ("Councillor Reed", "Councillor Reid"),
        ("Delegate Morgan", "Delegate Moran"),
        ("Prof. Lundgren", "Prof. Lindgren"),
        ("Sénatrice Morin", "Sénatrice Marin"),
        ("Lundgren", "Lindgren"),
    ],
)
def test_names_that_a_title_alone_joins_are_two_people(usual: str, once: str) -> None:
    """Check that similar names with equal, different or no titles stay two speakers."""
    transcript = txt(
        f"{usual}: The pump failed.\n\nChair: When?\n\n{usual}: At noon.\n\nChair: And you?\n\n"
        f"{once}: I heard it stop.\n\nChair: Thank you.\n\n{usual}: It was old.\n"
    )
    assert speakers(transcript) == {usual, once, "Chair"}


def test_who_answers_a_name_of_nearly_the_same_letters_is_somebody_else() -> None:
    """Check that a near-identical name that follows directly after the other is a second speaker."""
    transcript = txt(
        "Kirsten Vale: The pump failed.\n\nOdd Berg: When?\n\nKirsten Vale: At noon.\n\n"
        "Kristen Vale: I heard it stop.\n\nOdd Berg: Thank you.\n\nKirsten Vale: It was old.\n"
    )
    assert spoken_turns(transcript)[3] == ("Kristen Vale", "I heard it stop.")


@pytest.mark.parametrize("picture", ["👩\u200d🔬", "👩🏽\u200d🔬", "🧑🏿", "🏴\u200d☠️", "🇳🇴", "🎙️🎧"])
def test_a_picture_of_several_signs_stands_before_a_name(picture: str) -> None:
    """Check that an emoji of several code points before a name is not part of the name."""
    transcript = txt(
        f"🎙️ Host: Welcome.\n\n{picture} Dr. Lee: We grow moss.\n\n"
        f"🎙️ Host: Why moss?\n\n{picture} Dr. Lee: It is quiet.\n"
    )
    assert speakers(transcript) == {"Host", "Dr. Lee"}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("ANN: Was it raining? BO: It was (hard). ANN: I see.\n", ["ANN", "BO", "ANN"]),
        (
            "Ann: Is it raining?\n\nBo: It is. Dr. Lee: I see the sun.\n\nAnn: Where? Dr. Lee: Up there.\n",
            ["Ann", "Bo", "Dr. Lee", "Ann", "Dr. Lee"],
        ),
        ("Zoé : Il pleut ? Paul : Non. Zoé : Si.\nPaul : Ah.\n", ["Zoé", "Paul", "Zoé", "Paul"]),
        ("[0:01] Ann: Is it raining? [0:05] Bo: It is. [0:09] Ann: I see.\n", ["Ann", "Bo", "Ann"]),
        ("Host: Is it raining? Bo: It is.\nHost: Where? Bo: Up there.\n", ["Host", "Bo", "Host", "Bo"]),
    ],
)
def test_turns_on_one_line_are_several(text: str, names: list[str]) -> None:
    assert [speaker for speaker, _ in spoken_turns(txt(text))] == names


def test_bold_names_on_one_line_are_several_turns() -> None:
    transcript = md("**Ann:** Was it raining? **Bo:** It was.\n\n**Bo:** All day.\n\n**Ann:** I see.\n")
    assert spoken_turns(transcript)[:2] == [("Ann", "Was it raining?"), ("Bo", "It was.")]


def test_who_begins_no_line_is_quoted() -> None:
    """Check that labels in the middle of a line are quoted text if their names begin no line."""
    transcript = txt(
        "Ann: What did you read?\n\nBo: A play. King: Go. Queen: No.\n\nAnn: I see.\n\nBo: Note: it ends.\n"
    )
    assert spoken_turns(transcript)[1] == ("Bo", "A play. King: Go. Queen: No.")


def test_terms_before_definitions_are_nobody() -> None:
    """Check that bold terms of a glossary are not speakers."""
    transcript = md(
        "# Sails\n\n**Luff:** the edge in front.\n\n**Leech:** the edge behind.\n\n**Clew:** a corner.\n\n"
        "The luff is the one to watch. I look at it all the time.\n"
    )
    assert speakers(transcript) == {None}


def test_full_names_before_small_letters_speak() -> None:
    transcript = txt(
        "[0:00] Ann Lee: is it raining\n[0:01] Bo Dea: it is\n[0:02] Dr. Zoë de Vries: all day\n"
    )
    assert speakers(transcript) == {"Ann Lee", "Bo Dea", "Dr. Zoë de Vries"}


def test_places_and_roles_behind_a_name_are_no_part_of_it() -> None:
    transcript = md(
        "**Ann Bell, University of Oslo:** It melts.\n\n**Bo Dea - Bergen:** It does.\n\n"
        "**Ann Bell, University of Oslo:** From below.\n\n**Bo Dea - Bergen:** From above.\n"
    )
    assert speakers(transcript) == {"Ann Bell", "Bo Dea"}


@pytest.mark.parametrize(
    "turns",
    [
        "7. Ann — Hi.\n8. Old Bo — Hello.\n",
        "- **Ann**, design – Hi.\n- **Old Bo**, sales – Hello.\n",
        "🎤 **Ann** • 0:08\nHi.\n\n🐙 **Old Bo** • 0:09\nHello.\n\n",
        "| Ann | Hi. |\n| Old Bo | Hello. |\n",
        "**Ann** *(PPE), author.* – Hi.\n\n**Old Bo.** – Hello.\n\n",
        "ANN     Hi.\nOLD BO     Hello.\n",
    ],
)
def test_numbers_roles_pictures_and_cells_stand_around_names(turns: str) -> None:
    read = txt(turns * 4) if turns.startswith("ANN") else md(f"# Talk\n\n{turns * 4}")
    titled_turns = [((speaker or "").title(), text) for speaker, text in spoken_turns(read)]
    assert [pair for pair in titled_turns if pair[0]] == [("Ann", "Hi."), ("Old Bo", "Hello.")] * 4


def test_a_colon_in_a_cell_makes_no_name_of_the_cells_before() -> None:
    transcript = md("# Parts\n\n| No | Part |\n|---|---|\n| 1 | Bolt: the long one |\n| 2 | Nut: any |\n")
    assert speakers(transcript) == {None}


def test_cues_are_no_speakers() -> None:
    """Check that the label of a sound effect is not a speaker."""
    cue = "F/X: A DOOR SLAMS.\n\n"
    transcript = txt(f"{cue}ISLA: Is it open?\n\n{cue}BOB: It was.\n\nISLA: Close it.\n\n{cue}BOB: I will.\n")
    assert speakers(transcript) == {None, "ISLA", "BOB"}


@pytest.mark.parametrize("last", ["**About the author:** She knits.", "**Photos:** Dee"])
def test_a_label_below_the_talk_names_nobody(last: str) -> None:
    """Check that labels below a rule at the end of a talk are not speakers."""
    assert speakers(md(f"{TURNS * 2}---\n\n{last}\n")) == {"Ann Bell", "Bo Dea", None}


def test_a_role_before_a_speakers_full_name_is_metadata() -> None:
    """Check that a line that introduces a person by role and name is not a turn."""
    transcript = txt(
        "Interviewer: Ann Bell. A bird sings.\n\nBell: Hi.\n\nDea: Hello.\n\nBell: So.\n\nDea: So.\n"
    )
    assert speakers(transcript) == {"Bell", "Dea", None}


def test_a_sign_of_html_leaves_the_bold_type_of_its_line() -> None:
    """Check that an ampersand in a line does not stop bold names from being labels."""
    transcript = md("**Ann Bell** R&D is closed.\n\n**Bo Dea** It is.\n\n" * 3)
    assert speakers(transcript) == {"Ann Bell", "Bo Dea"}


def of(name: str | None, transcript: Transcript) -> str:
    """Return all words of one speaker."""
    return " ".join(text for speaker, text in spoken_turns(transcript) if speaker == name)


@pytest.mark.parametrize("notice", ["*** Bo has joined ***", "--- End of part one ---", "== Break =="])
def test_a_line_between_rows_of_a_sign_is_nobodys(notice: str) -> None:
    """Check that a notice between rows of asterisks, dashes or equals signs has no speaker."""
    transcript = txt(
        f"Ann: The door sticks.\n{notice}\nBo: I know.\nAnn: Since May.\nBo: Since April.\n{notice}\n"
    )
    assert speakers(transcript) == {"Ann", "Bo", None}
    assert (
        of("Ann", transcript) == "The door sticks. Since May."
        and of("Bo", transcript) == "I know. Since April."
    )


def test_brackets_that_hold_no_sentence_are_a_direction_and_others_an_afterthought() -> None:
    """Check that a parenthesis without a sentence is a stage direction, and one with a sentence is spoken."""
    transcript = txt(
        "Ann -- Light the lamp.\nBo -- It is lit.\n\n(a long silence in which everybody looks at the lamp again)\n\n"
        "Ann -- So it is.\n\n(I should say that I never liked that lamp very much at all.)\n\nBo -- Nor did I.\n"
    )
    assert of("Bo", transcript) == "It is lit. Nor did I."
    assert of("Ann", transcript).endswith("at all.)")


def test_lines_that_recur_with_another_number_are_nobodys() -> None:
    """Check that page numbers between turns have no speaker."""
    transcript = txt(
        "ANN: One of us must go.\n\nPage 1 of 3\n\nBO: I went last time.\n\nANN: You did.\n\nPage 2 of 3\n\nBO: So.\n"
    )
    assert (
        of("ANN", transcript) == "One of us must go. You did."
        and of("BO", transcript) == "I went last time. So."
    )


def test_the_head_of_a_page_names_nobody() -> None:
    """Check that a page header in the form of a label is not a speaker."""
    head = "Rowing Club -- 9 May\n\n"
    turns = "Ann -- Is the boat dry?\n\nBo -- It is not.\n\n"
    assert speakers(txt(f"{turns}{head}{turns}{head}{turns}")) == {"Ann", "Bo", None}


def test_reactions_below_a_message_are_nobodys() -> None:
    transcript = md("**Ann Bell** 9:02\nIt works.\n\n:tada: 3 :eyes: 1\n\n**Bo Dea** 9:03\nIt does.\n\n" * 2)
    assert of("Ann Bell", transcript) == "It works. It works."


def test_words_below_a_name_may_be_indented_and_others_are_nobodys() -> None:
    """Check that indented text below a name belongs to it, and that unindented text has no speaker."""
    transcript = txt(
        "Candidate\n    There was no bridge then.\n\nDr Orme\n    Are you sure?\n\nCandidate\n    Quite sure.\n"
        "    I asked twice.\n\nThe candidate showed a map.\n\nDr Orme\n    I see it.\n"
    )
    assert of("Candidate", transcript) == "There was no bridge then. Quite sure. I asked twice."
    assert of("Dr Orme", transcript) == "Are you sure? I see it."


def test_numbered_turns_have_their_speakers_in_a_column() -> None:
    transcript = txt(
        "T     teacher\nS1    a pupil\n\n101 T   who has a boat\n102 S1  i have\n        a small one\n    ((T nods))\n"
        "103 T   and who has none\n104 S2  me\n105 T   thank you\n106 S1  it leaks\n107 T   oh\n108 S2  it does\n"
    )
    assert of("T", transcript) == "who has a boat and who has none thank you oh"
    assert of("S1", transcript) == "i have a small one it leaks"


def test_a_question_may_have_its_number_before_a_bold_name() -> None:
    transcript = md(
        "Q31 **Chair:** Is it open?\n\n**Ann Bell:** It is.\n\nQ32 **Chair:** Since when?\n\n**Ann Bell:** May.\n\n"
        "Q33 **Chair:** Thank you.\n"
    )
    assert (
        of("Chair", transcript) == "Is it open? Since when? Thank you."
        and of("Ann Bell", transcript) == "It is. May."
    )


def test_a_legend_names_nobody() -> None:
    """Check that a legend of initials and full names gives no turns."""
    turns = "AB\tIs it raining again?\nBD\tIt is, and it will all week.\nAB\tThen we stay.\nBD\tWe do.\n"
    transcript = txt(f"AB\tAnn Bell, chair\nBD\tBo Dea, clerk\n\n{turns}")
    assert of("AB", transcript) == "Is it raining again? Then we stay."
    assert speakers(transcript) == {"AB", "BD", None}


def test_who_speaks_once_may_have_a_hanging_indent_as_well() -> None:
    """Check that a name above an indented text is a speaker even if it occurs once."""
    transcript = txt(
        "PASTOR ELLEN\n    Good morning.\n\nMR. GANT\n    The notices.\n\nPASTOR ELLEN\n    Thank you.\n\n"
        "CHILD AT FRONT\n    Is it real?\n\nMR. GANT\n    It is.\n\nPASTOR ELLEN\n    Very real.\n"
    )
    assert of("CHILD AT FRONT", transcript) == "Is it real?"


@pytest.mark.parametrize(("before", "step"), [("[{}] ", 1), ("3.{} ", 1), (">> ", 0), ("Q{} **", 1)])
def test_numbers_and_signs_before_names_are_no_part_of_them(before: str, step: int) -> None:
    end = "**" if before.endswith("*") else ""
    talk = [
        ("ANN BELL", "Is it late?"),
        ("BO DEA", "It is."),
        ("BO DEA", "It is dark."),
        ("ANN BELL", "Go."),
    ] * 2
    lines = [f"{before.format(at * step)}{name}:{end} {text}" for at, (name, text) in enumerate(talk, 1)]
    transcript = md("# Talk\n\n" + "\n\n".join(lines)) if end else txt("\n\n".join(lines))
    assert of("ANN BELL", transcript) == "Is it late? Go. Is it late? Go."
    assert of("BO DEA", transcript) == "It is. It is dark. It is. It is dark."


def test_a_hyphen_stands_before_the_role_of_a_speaker() -> None:
    transcript = txt(
        "Operator\nWelcome.\n\nAnn Bell - Chief Executive\nThank you.\n\nBo Dea - Ferry Bank - Analyst\nHow much?\n\n"
        "Ann Bell - Chief Executive\nNine.\n\nBo Dea - Ferry Bank - Analyst\nThank you.\n\nOperator\nGood-bye.\n"
    )
    assert (
        of("Ann Bell", transcript) == "Thank you. Nine."
        and of("Bo Dea", transcript) == "How much? Thank you."
    )
    assert of("Operator", transcript) == "Welcome. Good-bye."


def test_a_full_stop_behind_a_bold_name_is_no_part_of_it() -> None:
    """Check that a full stop after a bold name is not part of the name."""
    transcript = md(
        "# Conseil\n\n" + "**M. le maire.** – Bonjour.\n\n**Mme Roux.** – Bonjour à vous.\n\n" * 3
    )
    assert speakers(transcript) == {"M. le maire", "Mme Roux"}


def test_the_first_line_of_a_talk_whose_names_fill_lines_is_its_title() -> None:
    """Check that a first line in capitals is a title, although names also fill lines in capitals."""
    transcript = txt(
        "COASTLINE TONIGHT\nAs broadcast in May\n\nANN BELL\nThe dock is closed.\n\nBO DEA\nSince when?\n\n"
        "ANN BELL\nSince May.\n\nBO DEA\nThank you.\n"
    )
    assert speakers(transcript) == {None, "ANN BELL", "BO DEA"}


def test_a_telephone_number_may_be_a_sender() -> None:
    """Check that a phone number is a speaker in a chat export."""
    talk = [("Dilek", "Who is this?"), ("+44 7700 900318", "Joan! New phone."), ("Dilek", "Again?")] * 2
    transcript = txt(
        "".join(f"[02/12/2023, 18:1{at}:03] {name}: {text}\n" for at, (name, text) in enumerate(talk))
    )
    assert spoken_turns(transcript) == talk


NOTICES = (
    "\u200eimage omitted",
    "<Media omitted>",
    "\u200e<attached: 12-PHOTO.jpg>",
    "\u200eMissed voice call",
)


@pytest.mark.parametrize("notice", NOTICES)
@pytest.mark.parametrize("stamp", ["[02/12/2023, 18:1{}:03] ", "2/12/23, 6:1{}\u202fPM - "])
def test_the_notices_of_a_chat_app_are_nobodys_words(notice: str, stamp: str) -> None:
    """Check that a notice in a chat export has no speaker, even behind a sender's name."""
    talk = [
        ("Dilek", "Who is this?"),
        ("Joan Ray", "Joan, and"),
        ("Joan Ray", notice),
        ("Dilek", "Again?"),
    ] * 2
    transcript = txt("".join(f"{stamp.format(at)}{name}: {text}\n" for at, (name, text) in enumerate(talk)))
    said = notice.removeprefix("\u200e")
    assert spoken_turns(transcript) == [(None, said) if text == notice else (who, text) for who, text in talk]


def test_the_kind_of_a_quotation_is_no_part_of_a_name() -> None:
    """Check that the ``[!quote]`` mark of a Markdown callout is not part of the name."""
    quotes = "> [!quote] Ann Bell\n> Is it late?\n\n> [!quote] Bo Dea\n> It is.\n\n"
    assert speakers(md(f"# Day\n\n{quotes * 3}")) == {"Ann Bell", "Bo Dea"}


def test_many_who_speak_once_leave_the_others_their_hanging_indents() -> None:
    """Check that names above indented texts stay speakers if most of them occur once."""
    guests = "".join(f"GUEST {name}\n    I heard it.\n\n" for name in "ADA BEN CAL DEE EVE FAY GUS".split())
    hosts = "PASTOR ELLEN\n    Good morning.\n\nMR. GANT\n    The notices.\n\n" * 2
    assert len(speakers(txt(hosts + guests))) == 9


def test_an_aside_that_a_colon_stands_in_is_no_part_of_a_name() -> None:
    """Check that a colon within parentheses does not make a label."""
    text = "Tere Lal (Hindi: my red) is a film of 1988. It was made by Ann Bell.\n"
    assert spoken_turns(txt(text)) == [(None, text.strip())]
    assert speakers(md(f"# Tere Lal\n\n{text}")) == {None}
    talk = "Ann (host): Is it late?\n\nBo Dea (guest): It is.\n\n"
    assert len(speakers(txt(talk * 3))) == 2


TALK = "Ann: The boat leaves at nine, I am told.\nBo: Then we must hurry down the hill.\n" * 5


def test_a_notice_that_is_unlike_the_turns_is_nobodys() -> None:
    """Check that a last line unlike the turns has no speaker and that a warning says so."""
    transcript = txt(f"{TALK}Harbour Talks 12, page 3 of 40\n")
    assert transcript.turns[-1].speaker is None
    assert transcript.turns[-1].text == "Harbour Talks 12, page 3 of 40"
    assert any("somebody else may say" in warning for warning in transcript.warnings)


def test_a_doubtful_label_is_left_in_the_words_and_it_is_said() -> None:
    """Check that a doubtful label stays in the text."""
    transcript = txt(f"Boat: 12 m\n{TALK}")
    assert "Boat" not in {turn.speaker for turn in transcript.turns}
    assert transcript.turns[0].text == "Boat: 12 m"


@pytest.mark.parametrize("label", ["{}: {}", "**{}:** {}"])
@pytest.mark.parametrize("names", [["Audience"], ["Host", "Audience"], ["Ann Bell", "Bo Lund", "Cy Dean"]])
def test_names_that_speak_once_in_a_long_lecture_are_words_and_it_is_said(
    label: str, names: list[str]
) -> None:
    """Check that a warning tells which names are read as words because the file shows too little."""
    questions = [[label.format(name, "How long does one block take?"), *[LECTURE] * 6] for name in names]
    transcript = md("\n\n".join([LECTURE, *(part for parts in questions for part in parts)]) + "\n")
    assert speakers(transcript) == {None}
    assert transcript.warnings == (f"perhaps speakers, but read as words: {', '.join(map(repr, names))}",)


@pytest.mark.parametrize(
    "line", ["Slides: https://x.test/slides.pdf", "Location: Prague", "Note: blocks are small.", "Price: one"]
)
def test_what_is_surely_no_name_is_not_doubted(line: str) -> None:
    assert md(lecture(line, LECTURE)).warnings == ()


def test_where_every_line_has_a_label_in_bold_type_none_is_doubted() -> None:
    """Check that bold labels on all lines are speakers, even if each name occurs once."""
    names = ["Dr. Mia Weil", "Ann", "Bo", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida"]
    words = ["Hm", *["We went on to speak of the harbour and its gate"] * 9]
    text = "\n\n".join(f"**{name}:** {spoken}." for name, spoken in zip(names, words, strict=True))
    assert [speaker for speaker, _ in spoken_turns(read_text(text, "markdown", "talk.md"))] == names


@pytest.mark.parametrize("heading", ["Transcript", "Full transcript", "Transcription"])
@pytest.mark.parametrize(
    "summary",
    [
        "**Alice:** Supports the bridge, and pays half.\n\n**Bob:** Opposes it.",
        "Alice: supports the bridge and pays half.\nBob: opposes it.",
        "- Alice: send the plan\n- Bob: book the room\n- Alice: call the bank",
    ],
)
def test_names_above_the_heading_of_the_transcript_do_not_speak(summary: str, heading: str) -> None:
    """Check that the labels of a summary name nobody, and that the talk below has its speakers."""
    found = md(
        f"# Council\n\n## Key points\n\n{summary}\n\n## {heading}\n\n**Alice:** I support the bridge with all my heart.\n\n"
        "It is old.\n\n**Bob:** I do not, and I never will, whatever it costs.\n\n**Alice:** I pay half.\n\n**Bob:** Still no.\n"
    )
    named = [(speaker, words) for speaker, words in spoken_turns(found) if speaker]
    assert named == [
        ("Alice", "I support the bridge with all my heart. It is old."),
        ("Bob", "I do not, and I never will, whatever it costs."),
        ("Alice", "I pay half."),
        ("Bob", "Still no."),
    ]
    assert "Alice: " in spoken_turns(found)[0][1]


def test_answers_without_labels_are_nobodys_where_only_the_interviewer_has_labels() -> None:
    """Check an interview whose questions are mostly headings."""
    found = md(
        "# Three questions for Ines Marsh\n\n### How did you start?\n\nIn a garage in Leeds, with a borrowed lathe.\n\n"
        "**Rita Owens:** And what did you learn?\n\nThat cash is not profit.\n\n**Rita Owens:** Thank you.\n"
    )
    assert spoken_turns(found) == [
        (None, "In a garage in Leeds, with a borrowed lathe."),
        ("Rita Owens", "And what did you learn?"),
        (None, "That cash is not profit."),
        ("Rita Owens", "Thank you."),
    ]
    assert found.warnings


def test_speaker_who_has_most_of_the_words_goes_on() -> None:
    found = txt(
        "Ann: The bees are back, and nobody knows why.\n\nPerhaps the wind.\n\nAnn: Perhaps not, I would say.\n"
    )
    assert speakers(found) == {"Ann"}


TREES = [
    "Good afternoon. We go on with trees today.",
    "**Entropy:** {}a measure of disorder.",
    "**Student:** Is it the same as in physics?",
    "It is very close.",
    "**Gini:** {}another measure of disorder.",
    "**Student:** Which one is better?",
    "It hardly matters.",
]


@pytest.mark.parametrize("begin", ["", "That is "])
@pytest.mark.parametrize("title", ["", "# Trees\n\n"])
def test_terms_of_a_lecture_that_students_interrupt_are_nobody(begin: str, title: str) -> None:
    """Check that bold labels that occur once are no speakers if only a role recurs."""
    found = md(title + "\n\n".join(TREES).format(begin, begin) + "\n")
    assert speakers(found) == {None, "Student"}
    assert (None, f"Entropy: {begin}a measure of disorder.") in spoken_turns(found)
    assert "perhaps speakers, but read as words: 'Entropy', 'Gini'" in found.warnings


@pytest.mark.parametrize("bold", ["", "**"])
def test_labels_before_small_letters_are_terms_unlike_those_of_a_dialogue(bold: str) -> None:
    """Check that a label is doubtful if only the words after it begin in lower case."""
    talk = [
        "Kim: Let us compare the trains.",
        "Lou: The night train first.",
        "Pros: you sleep on the way.",
        "Cons: you sleep badly.",
    ]
    talk += [
        "Kim: And the day train?",
        "Lou: The same list.",
        "Pros: the view.",
        "Kim: So which one?",
        "Lou: The first.",
    ]
    found = md("\n\n".join(f"{bold}{line}".replace(":", f":{bold}") for line in talk) + "\n")
    assert speakers(found) == {None, "Kim", "Lou"}
    assert ("Lou", "The night train first.") in spoken_turns(found) and (
        None,
        "Pros: the view.",
    ) in spoken_turns(found)
    assert "perhaps speakers, but read as words: 'Pros', 'Cons'" in found.warnings


LESSON = [
    "Hoy vamos a ver los verbos irregulares, que son los que más se usan.",
    "Ojo: El verbo «ir» no se parece a ningún otro.",
    "Se aprende de memoria, como las canciones.",
    "Truco: Cantarlo en voz alta mientras se friega.",
    "Ahora los verbos con cambio de vocal.",
    "Ojo: La vocal cambia solo donde cae el acento.",
    "Y con esto termino por hoy.",
]


@pytest.mark.parametrize("terms", [("Ojo", "Truco"), ("Merke", "Beispiel"), ("Consider", "Crust")])
@pytest.mark.parametrize("bold", ["", "**"])
def test_terms_that_nobody_answers_in_a_talk_without_labels_are_nobody(
    terms: tuple[str, str], bold: str
) -> None:
    text = "\n\n".join(LESSON).replace("Ojo:", f"{bold}{terms[0]}:{bold}")
    found = md(text.replace("Truco:", f"{bold}{terms[1]}:{bold}"))
    assert speakers(found) == {None}
    assert any(repr(terms[0]) in warning for warning in found.warnings)


def test_listeners_who_ask_in_a_talk_without_labels_speak() -> None:
    talk = [
        "Good morning to all of you, and thank you.",
        "We begin with the bees of the city.",
        "Mira: Do they sleep?",
        "They do, at night, and some of them hold each other's feet.",
        "Then they wake up.",
        "Mira: At what time?",
        "Around six, when it is warm enough.",
        "Mira: Even in winter?",
        "In winter they stay in bed.",
    ]
    assert speakers(md("\n\n".join(talk).replace("Mira:", "**Mira:**"))) == {None, "Mira"}


def test_a_term_that_always_stands_within_the_turns_of_one_person_is_nobody() -> None:
    talk = [
        "Prof. Hallmann: Heute kommt das Angebot dazu.",
        "Merke: Das Angebot steigt mit dem Preis.",
        "Mira: Warum nicht bei der Arbeit?",
        "Prof. Hallmann: Weil man ab einem gewissen Lohn lieber frei hat.",
        "Merke: Menschen wollen auch Zeit.",
        "Mira: Kommt das in der Klausur dran?",
        "Prof. Hallmann: Alles kommt in der Klausur dran.",
    ]
    assert speakers(txt("\n\n".join(talk))) == {None, "Prof. Hallmann", "Mira"}
    answered = "\n\n".join([*talk[:5], talk[3], *talk[5:]])
    assert speakers(txt(answered)) == {"Prof. Hallmann", "Merke", "Mira"}


@pytest.mark.parametrize("first", ["SPEAKER_01", "Q"])
def test_a_person_who_always_follows_a_numbered_speaker_speaks(first: str) -> None:
    turns = [first, "Ann", "Bo", first, "Ann"]
    assert speakers(md("\n\n".join(f"**{name}:** It rains." for name in turns))) == {first, "Ann", "Bo"}


@pytest.mark.parametrize(("one", "two"), [("LA", "WL"), ("Liam", "Wen")])
def test_people_whom_the_introduction_names_are_no_terms(one: str, two: str) -> None:
    begin = "In this episode, Liam Aberg and Wen Li talk about what went wrong."
    turn = "{}: It was the rope, I think.\n\nAnd the hook, which was too small for it."
    talk = [turn.format(name) for name in (one, two, one, two)]
    assert speakers(txt("\n\n".join([begin, *talk]))) >= {one, two}
    assert speakers(txt("\n\n".join([begin.replace("Liam Aberg and Wen Li", "two friends"), *talk]))) == {
        None
    }


def test_a_topic_of_notes_that_occurs_twice_is_nobody() -> None:
    notes = (
        "Call notes\n\nAgenda: pricing, hiring, lunch\n\nPricing: We agreed that it goes up by two euros.\n\n"
        "Hiring: The second one is better.\n\nLunch: Postponed.\n\nPricing: Legal must look at it first.\n"
    )
    assert speakers(txt(notes)) == {None}


def test_a_topic_among_counted_items_is_nobody() -> None:
    notes = (
        "Punkt 1: Der Bürgermeister begrüßt die Zuhörer.\n\nPunkt 2: Der Kanal wird erneuert.\n\n"
        "Beschluss: Einstimmig angenommen.\n\nPunkt 3: Es fehlen vier Plätze.\n\nBeschluss: Der Antrag wird vertagt.\n"
    )
    assert speakers(txt(notes)) == {None}


def test_somebody_who_writes_small_speaks_among_others() -> None:
    """Check that a full name, a role or a frequent name speaks whatever its words begin with."""
    talk = [
        "Kim: Who is there?",
        "Bo Dea: me again.",
        "Kim: And who else?",
        "Caller: it is late.",
        "Kim: It is.",
    ]
    talk += ["Lou: yes.", "Kim: Why?", "Lou: so it goes.", "Kim: Is it?", "Lou: it is."]
    assert speakers(txt("\n\n".join(talk))) == {"Kim", "Bo Dea", "Caller", "Lou"}
    assert speakers(txt("Kim: Who is there?\n\nLou: me.\n\nKim: And who else?\n\nLou: nobody.\n")) == {
        "Kim",
        "Lou",
    }


def test_headings_that_recur_in_each_section_are_topics_and_no_speakers() -> None:
    parts = "## {}\n\n### {}\n\nWe paint it blue.\n\n### {}\n\nAgreed by all.\n\n"
    topics = ("Vorschlag", "Ergebnis")
    text = "# Council\n\n" + parts.format("Bridge", *topics) + parts.format("Mill", *topics)
    assert speakers(md(text)) == {None}
    assert speakers(md(text.replace("Vorschlag", "Ann Bell").replace("Ergebnis", "Bo Dea"))) == {
        "Ann Bell",
        "Bo Dea",
    }
    assert speakers(md(text.replace("## Mill\n\n", ""))) == set(topics)
    with_colons = text.replace("### Vorschlag", "### Ann:").replace("### Ergebnis", "### Bo:")
    assert speakers(md(with_colons)) == {"Ann", "Bo"}


MINUTES = (
    "Ann Bell: opened the item and reminded the group of the deadline. Nobody objected.",
    "Tom Reed: asked whether the operator had replied.",
    "Decision: wait until 20 June.",
    'Ines Moya: confirmed that a letter had arrived and read it out: "Is it safe?"',
    "Tom Reed: said that he was not convinced,\nand wanted to see the figures.",
)


def test_who_is_reported_in_minutes_is_not_quoted() -> None:
    """Check that a label before a sentence that goes on from the name, several times in a row, is no speaker."""
    minutes = txt("Steering group, 11 June\n\n" + "\n\n".join(line.replace('?"', '?".') for line in MINUTES))
    assert speakers(minutes) == {None}
    assert [turn.text for turn in minutes.turns if "Ann Bell" in turn.text] == [MINUTES[0]]
    assert "perhaps speakers, but read as words: 'Ann Bell', 'Tom Reed'" in minutes.warnings


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("reported it", "so I said it. and nobody came"),
        ("reported it", "who reported it? I never did"),
        ("reported it", "reported it ..."),
        ("Ann Bell", "ann_bell"),
        ("Tom Reed: went on", "Tom Reed: Went on"),
    ],
)
def test_who_writes_small_is_quoted(old: str, new: str) -> None:
    turns = ["Ann Bell: reported it.", "Tom Reed: went on with it.", "Ann Bell: had nothing to add."]
    text = "\n\n".join(turns * 2)
    assert speakers(txt(text)) == {None}
    assert None not in speakers(txt(text.replace(old, new)))


@pytest.mark.parametrize(
    "text",
    [
        "Symptom: The pump stalls.\nRemedy: Check the fuse.\n\nSymptom: No water comes.\nRemedy: Open the valve.\n\n"
        "Symptom: It drips.\nRemedy: Tighten the clamp.\n",
        "Visit 1\nFinding: It leaks.\nAdvice: Cover it.\nVisit 2\nFinding: It is wet.\nAdvice: Wait.\nVisit 3\n"
        "Finding: It is dry.\nAdvice: Go on.\n",
        "Before: The form had nine fields.\n\nAfter: It has two, and the clerk signs it after lunch.\n\n"
        "Before: It took a week.\n\nAfter: It takes a day.\n\nBefore: All met before it began.\n\nAfter: Nobody does.\n",
    ],
)
def test_two_fields_that_alternate_do_not_speak(text: str) -> None:
    assert speakers(txt(text)) == {None}


def test_two_people_who_alternate_speak() -> None:
    """Check that people who ask, or whose turns are not grouped in pairs, are no fields of a form."""
    turns = [
        "Anna: We have to call.\nBen: I did.",
        "Anna: Nobody came.\nBen: Nobody.",
        "Anna: Fine.\nBen: Good.",
    ]
    assert speakers(txt("\n".join(turns))) == {"Anna", "Ben"}
    assert speakers(txt("\n\n".join(turns).replace("came.", "came?"))) == {"Anna", "Ben"}
    assert speakers(txt("\n\n".join(turns).replace("Anna", "AB").replace("Ben", "CD"))) == {"AB", "CD"}


def test_a_term_is_no_speaker_where_names_are_in_capitals() -> None:
    talk = [
        "MARSDEN: We begin with queues today.",
        "HALE: Is there a book?",
        "MARSDEN: There is.",
        "Remark: The proof is long.",
        "HALE: Which page?",
        "MARSDEN: Page nine.",
    ]
    assert speakers(txt("\n\n".join(talk))) == {"MARSDEN", "HALE", None}
    assert "LIU" in speakers(txt("\n\n".join(talk).replace("Remark", "LIU")))
    assert "Remark" in speakers(txt("\n\n".join(talk).replace("HALE", "Hale")))


def test_a_comma_in_the_brackets_behind_a_name_is_no_end_of_it() -> None:
    turns = [
        "MOD: Who is next?",
        "P1 (F, 34): I am.",
        "MOD: Go on.",
        "P2 (M, 41): She is.",
        "P1 (F, 34): So I am.",
    ]
    assert speakers(txt("\n".join(turns))) == {"MOD", "P1 (F, 34)", "P2 (M, 41)"}
    assert spoken_turns(txt("\n".join([*turns, "P3?: [inaudible] me.", "MOD: Good."])))[-2:] == [
        (None, "P3?: [inaudible] me."),
        ("MOD", "Good."),
    ]


def test_a_time_may_stand_before_a_notice() -> None:
    call = ["[11:05:58] Customer: It is a question of patience.", "[11:06:30] *** Hold started ***"]
    call += ["[11:10:05] Customer: No, bye."]
    assert spoken_turns(txt("\n".join(call)))[1] == (None, "*** Hold started ***")


@pytest.mark.parametrize(
    "stray",
    ["The winter of the ice", "He pours another cup of tea.", "Figure 3: The pump house from the north"],
)
def test_the_only_second_line_of_many_turns_is_nobodys(stray: str) -> None:
    turns = ["Joan: What did the board say, and when?", "Ilse: Nothing was decided on a Tuesday."] * 6
    assert spoken_turns(txt("\n".join([*turns[:8], stray, *turns[8:]])))[8] == (None, stray)
    goes_on = ["Joan: What did the board\nsay?", "Ilse: Nothing was decided on a Tuesday,\nas you know."] * 6
    assert None not in speakers(txt("\n".join(goes_on)))


def test_words_behind_another_label_before_a_capital_are_nobodys() -> None:
    turns = ["Joan: What did the board say, and when?", "Ilse: Nothing was decided.\n\nNothing at all."] * 6
    stray = "Man in the audience: Speak up, we cannot hear you at the back!"
    assert (None, stray) in spoken_turns(txt("\n\n".join([*turns[:8], stray, *turns[8:]])))


def test_a_table_below_a_turn_is_nobodys() -> None:
    two = (
        "**Ilse:** Nothing was decided on a Tuesday.\n\nNobody had told me that the budget was already spent."
    )
    turns = [
        "**Joan:** What did the board say?",
        two,
        "**Joan:** And then?",
        "**Ilse:** We counted it by hand.",
    ]
    table = "| Year | People |\n|------|--------|\n| 1981 | eleven |\n| 1982 | forty |"
    spoken = spoken_turns(md("\n\n".join([*turns * 3, table, *turns * 3])))
    assert {speaker for speaker, text in spoken if "Year" in text} == {None}


def test_words_before_a_colon_in_a_script_without_capitals_are_no_name() -> None:
    turns = ["سامي: كيف بدأت الرحلة؟", "ليلى: بدأنا في غرفة صغيرة."] * 3
    aside = "كانت هناك ثلاثة أسباب: الكلفة والمسافة والعناد."
    assert (None, aside) in spoken_turns(txt("\n\n".join([*turns[:4], aside, *turns[4:]])))
    assert "مريم" in speakers(txt("\n\n".join([*turns[:4], "مريم: وأنا أيضاً.", *turns[4:]])))


@pytest.mark.parametrize("name", ["ملاحظة", "Postscript"])
def test_a_new_name_before_the_last_words_does_not_speak(name: str) -> None:
    turns = ["Sami: How did it all begin?", "Lila: We began in a small room."] * 3
    last = f"{name}: This conversation was printed in the harbour's paper in May."
    assert spoken_turns(txt("\n\n".join([*turns, last])))[-1] == (None, last)
