import io
import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from onrecord.answer.render import markdown, terminal, to_json
from onrecord.types import Answer, Citation, Details, Evidence, Passage, Question, Recording, Step, printable

RECORDING = Recording(
    "desk-12", "desk12.vtt", "", "webvtt", Details(title="Night Desk 12", date="2024-03-05")
)
PASSAGE = Passage("desk-12", 4, "Freight costs doubled. We could not pass that on.", "Ann Bell", 751.0, 778.4)
CITED = Citation(
    number=1,
    recording=RECORDING,
    quote="Freight costs doubled.",
    passages=(PASSAGE,),
    speaker="Ann Bell",
    start=751.0,
    end=778.4,
    link="https://youtu.be/aB3_-xYz901?t=751",
    confidence=0.87654,
)
ANSWER = Answer(
    question="Why did margins fall?",
    heading="Night Desk 12 answers this.",
    text="Ann Bell: “Freight costs doubled.” [1]",
    verdict="answered",
    citations=(CITED,),
    evidence=Evidence(Question("Why did margins fall?"), trace=(Step("Search()", 9, 3, 0.012, "fine"),)),
    confidence=0.9,
    notes=("Found by words alone.",),
)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)


def on_terminal(answer: Answer, width: int = 60) -> str:
    file = Terminal()
    terminal(answer, file, width)
    return file.getvalue()


def test_plain_text_is_prose_then_who_said_it_and_when() -> None:
    assert str(ANSWER) == (
        "Night Desk 12 answers this.\n\n"
        "Ann Bell: “Freight costs doubled.” [1]\n\n"
        "[1] Ann Bell, Night Desk 12, 12:31-12:58  https://youtu.be/aB3_-xYz901?t=751\n\n"
        "Found by words alone."
    )


def test_what_is_not_known_leaves_no_gap() -> None:
    bare = replace(CITED, speaker=None, start=None, end=None, link=None)
    assert str(bare) == "[1] Night Desk 12"
    assert replace(CITED, end=None).times == "12:31"
    assert replace(CITED, start=3723.9, end=3724.2).times == "1:02:03-1:02:04"
    assert replace(CITED, start=5.1, end=5.9).times == "0:05"


def test_where_there_is_no_terminal_text_is_plain() -> None:
    file = io.StringIO()
    terminal(ANSWER, file)
    assert file.getvalue() == f"{ANSWER}\n"


def test_a_terminal_gets_links_and_lines_of_its_width() -> None:
    long = replace(ANSWER, text="word " * 60 + "[1]")
    shown = on_terminal(long, width=40)
    assert re.search(r"\x1b\]8;[^;]*;https://youtu\.be/aB3_-xYz901\?t=751\x1b\\", shown)
    seen = re.sub(r"\x1b\[[0-9;]*m|\x1b\]8;[^\x1b]*\x1b\\", "", shown)
    lines = [line for line in seen.splitlines() if "https://" not in line]
    assert max(map(len, lines)) <= 40
    assert "https://youtu.be/aB3_-xYz901?t=751" in seen


def test_a_number_in_brackets_that_a_speaker_says_is_no_link() -> None:
    other = replace(CITED, number=2, link="https://other.example/")
    answer = replace(ANSWER, text="Ann Bell: “See [2] for that.” [1] “Other.” [2]", citations=(CITED, other))
    paragraph = markdown(answer).split("\n\n")[1]
    assert "“See \\[2\\] for that.”" in paragraph and paragraph.count("](https://other.example/)") == 1
    links = re.findall(r"\x1b\]8;[^;]*;(https://[^\x1b]*)\x1b", on_terminal(answer))
    assert links == [CITED.link, other.link] * 2  # in the text, then before the sources


EVIL = (
    "\x1b]8;;https://evil.example\x07click\x1b]8;;\x07 \x1b[2J\x9b31m \u202etxt.exe\u2066 \0\x08\u200b\ud800"
)


def everywhere(text: str, link: str | None = None) -> Answer:
    """Return an answer with this text in every field that details or transcripts fill."""
    recording = replace(RECORDING, details=Details(title=text, date=text), id=text)
    citation = replace(CITED, recording=recording, quote=text, speaker=text, link=link)
    return replace(ANSWER, heading=text, text=f"{text} [1]", citations=(citation,), notes=(text,))


def test_no_transcript_steers_the_terminal() -> None:
    answer = everywhere(EVIL, link=EVIL)
    for shown in (str(answer), re.sub(r"\x1b\[[0-9;]*m", "", on_terminal(answer))):
        assert not set(shown) & set("\x1b\x07\x9b\x00\x08\u202e\u2066\u200b\ud800")
        assert "txt.exe" in shown


@given(st.text())
def test_only_line_feeds_and_what_can_be_seen_are_printed(text: str) -> None:
    shown = printable(text)
    assert all(c == "\n" or ord(c) > 31 for c in shown)
    assert not set(shown) & {
        chr(c) for c in (*range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))
    }
    assert printable(shown) == shown
    shown.encode()


def test_markdown_links_its_marks_and_sources() -> None:
    assert markdown(ANSWER) == (
        "**Night Desk 12 answers this.**\n\n"
        "Ann Bell: “Freight costs doubled.” [\\[1\\]](https://youtu.be/aB3_-xYz901?t=751)\n\n"
        "- \\[1\\] [Ann Bell, Night Desk 12, 12:31-12:58](https://youtu.be/aB3_-xYz901?t=751)\n\n"
        "*Found by words alone.*\n"
    )


HOSTILE = [
    "<script>alert(1)</script>",
    "[click](javascript:alert(1))",
    "![x](https://evil.example/x.png)",
    "<https://evil.example>",
    "[ref]: https://evil.example",
    "# Heading",
    "- item",
    "1. item",
    "> quote",
    "```\ncode",
    "    code",
    "a | b\n--|--",
    "*bold* _it_ `code` ~~no~~",
    "&lt;b&gt; &amp;",
    "line\n===",
    "a\\",
    "]( https://evil.example",
    "      ",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_shows_hostile_text_as_it_is(text: str) -> None:
    page = MarkdownIt("commonmark").enable("table").enable("strikethrough").parse(markdown(everywhere(text)))
    inside = [token for block in page for token in [block, *(block.children or [])]]
    kinds = {token.type for token in inside}
    assert not kinds & {
        "html_block",
        "html_inline",
        "image",
        "code_inline",
        "fence",
        "code_block",
        "table_open",
    }
    assert not kinds & {"heading_open", "blockquote_open", "ordered_list_open", "link_open", "s_open"}
    assert "".join(text.split()) in "".join(t.content for t in inside if t.type == "text").replace(" ", "")


@given(st.text(st.sampled_from("ab1 *_`[]()<>!#&\\\n-+=.~|:/@$\"'w"), max_size=60))
def test_markdown_never_becomes_html_or_a_link(text: str) -> None:
    page = MarkdownIt("commonmark").enable("table").parse(markdown(everywhere(text)))
    kinds = {t.type for block in page for t in [block, *(block.children or [])]}
    assert not kinds & {
        "html_block",
        "html_inline",
        "image",
        "link_open",
        "heading_open",
        "fence",
        "code_block",
    }


def test_a_bare_address_in_a_transcript_is_not_made_a_link() -> None:
    shown = markdown(everywhere("see https://evil.example or www.evil.example or me@evil.example"))
    assert "://" not in shown
    assert "www." not in shown
    assert "@" not in shown


@pytest.mark.parametrize(
    "link", ["javascript:alert(1)", "https://a.b/ x", "https://a.b/\x1b", 'https://a"b', "https://é"]
)
def test_a_link_that_is_not_inert_is_not_made_one(link: str) -> None:
    answer = replace(ANSWER, citations=(replace(CITED, link=link),))
    assert "](" not in markdown(answer)
    assert "\x1b]8" not in on_terminal(answer)


@pytest.mark.parametrize(
    ("speaker", "role", "begins"),
    [
        ("Ann Bell", "CFO", "Ann Bell, CFO, Night Desk 12, "),
        ("Ann Bell (cfo)", "CFO", "Ann Bell (cfo), Night Desk 12, "),
        ("Ann Bell", None, "Ann Bell, Night Desk 12, "),
        (None, None, "Night Desk 12, "),
        ("Ann Bell", "CFO\x1b[31m\nof us", "Ann Bell, CFO"),
    ],
)
def test_a_source_tells_what_its_speaker_is_once(speaker: str | None, role: str | None, begins: str) -> None:
    source = replace(CITED, speaker=speaker, role=role).source
    assert source.startswith(begins) and source == printable(source) and "\n" not in source


def test_a_source_without_a_time_names_its_section() -> None:
    section = "Questions and answers > Freight costs"
    untimed = replace(CITED, section=section, start=None, end=None)
    assert untimed.source.endswith("Night Desk 12, “Freight costs”")
    assert "Freight" not in replace(CITED, section=section).source
    assert replace(untimed, section=None).source.endswith("Night Desk 12")


def test_json_has_a_stable_schema() -> None:
    assert json.loads(json.dumps(to_json(ANSWER))) == {
        "question": "Why did margins fall?",
        "heading": "Night Desk 12 answers this.",
        "text": "Ann Bell: “Freight costs doubled.” [1]",
        "verdict": "answered",
        "confidence": 0.9,
        "citations": [
            {
                "number": 1,
                "recording": {"id": "desk-12", "title": "Night Desk 12", "date": "2024-03-05"},
                "speaker": "Ann Bell",
                "role": None,
                "start": 751.0,
                "end": 778.4,
                "link": "https://youtu.be/aB3_-xYz901?t=751",
                "quote": "Freight costs doubled.",
                "passages": [4],
                "confidence": 0.8765,
                "section": None,
            }
        ],
        "suggestions": [],
        "retrieved": 0,
        "cited": 1,
        "sections": [],
        "section_tokens": {},
        "tokens": 0,
        "notes": ["Found by words alone."],
        "unsupported": [],
        "trace": [{"stage": "Search()", "taken": 9, "given": 3, "seconds": 0.012, "note": "fine"}],
        "plan": None,
        "grade": None,
        "calls": [],
        "seconds": {},
        "measured": False,
        "strategy": "",
        "trial": False,
    }
