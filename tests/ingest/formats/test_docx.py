"""Tests of the reader of Word documents from meeting tools and transcribers."""

import io
import zipfile
from importlib import import_module

import pytest
from reading_texts import assert_well_made, spoken_turns, times

from onrecord.errors import FormatError
from onrecord.ingest.formats import read
from onrecord.types import Transcript

SPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def run(text: str, bold: bool = False) -> str:
    style = "<w:rPr><w:b/></w:rPr>" if bold else ""
    inner = "<w:br/>".join(f'<w:t xml:space="preserve">{part}</w:t>' for part in text.split("\n"))
    return f"<w:r>{style}{inner}</w:r>"


def paragraph(*runs: str, style: str = "") -> str:
    named = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{named}{''.join(runs)}</w:p>"


def table(*rows: list[str]) -> str:
    cells = ("".join(f"<w:tc>{paragraph(run(cell))}</w:tc>" for cell in row) for row in rows)
    return "<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in cells) + "</w:tbl>"


def docx(*blocks: str) -> bytes:
    body = f'<w:document xmlns:w="{SPACE}"><w:body>{"".join(blocks)}<w:sectPr/></w:body></w:document>'
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", f'<?xml version="1.0" encoding="UTF-8"?>\n{body}')
    return data.getvalue()


def one(*blocks: str) -> Transcript:
    """Return the only transcript in a Word document with these blocks."""
    (transcript,) = read("talk.docx", docx(*blocks))
    assert transcript.format == "docx"
    assert_well_made(transcript)
    return transcript


TURNS = [("Ann Lee", "Why did margins fall?"), ("Bo Ray", "Tariffs: mostly."), ("Ann Lee", "So it is.")]


@pytest.mark.parametrize(
    "blocks",
    [
        [
            paragraph(run("Ann Lee", True), run("   0:01"), run("\nWhy did margins fall?")),
            paragraph(run("Bo Ray", True), run("   0:04"), run("\nTariffs: mostly.")),
            paragraph(run("Ann Lee", True), run("   0:09"), run("\nSo it is.")),
        ],
        [
            paragraph(run("Ann Lee  00:01\nWhy did margins fall?")),
            paragraph(run("Bo Ray  00:04\nTariffs: mostly.")),
            paragraph(run("Ann Lee  00:09\nSo it is.")),
        ],
        [
            paragraph(run("Ann Lee (00:00:01):")),
            paragraph(run("Why did margins fall?")),
            paragraph(run("Bo Ray (00:00:04):")),
            paragraph(run("Tariffs: mostly.")),
            paragraph(run("Ann Lee (00:00:09):")),
            paragraph(run("So it is.")),
        ],
        [
            paragraph(run("0:0:1.0 --&gt; 0:0:3.250\nAnn Lee\nWhy did margins fall?")),
            paragraph(run("0:0:4.0 --&gt; 0:0:5.250\nBo Ray\nTariffs: mostly.")),
            paragraph(run("0:0:9.0 --&gt; 0:0:9.500\nAnn Lee\nSo it is.")),
        ],
        [
            paragraph(run("A call"), style="Heading1"),
            table(["Duration", "9 s"], ["Speakers", "2"]),
            table(
                ["Start", "Dur.", "Speaker", "", "Transcription"],
                ["0:00:01", "2.0s", "Ann Lee", "", "Why did margins fall?"],
                ["0:00:04", "1.0s", "Bo Ray", "", "Tariffs: mostly."],
                ["0:00:09", "1.0s", "Ann Lee", "", "So it is."],
            ),
        ],
        [
            table(
                ["0:00:01", "Ann Lee", "Why did margins fall?"],
                ["0:00:04", "Bo Ray", "Tariffs: mostly."],
                ["0:00:09", "Ann Lee", "So it is."],
            )
        ],
    ],
    ids=["teams", "otter", "rev", "older teams", "amazon", "table"],
)
def test_who_says_what_and_when(blocks: list[str]) -> None:
    transcript = one(*blocks)
    assert spoken_turns(transcript) == TURNS
    assert [start for start, _ in times(transcript)] == [1.0, 4.0, 9.0]


def test_what_teams_writes_above_the_talk_is_no_talk() -> None:
    transcript = one(
        paragraph(run("Pumps weekly-20240305_100000-Meeting Recording")),
        paragraph(run("March 5, 2024, 10:00AM")),
        paragraph(run("12m 3s")),
        paragraph(run("Bo Ray started transcription")),
        paragraph(run("Ann Lee", True), run("   0:01"), run("\nWhy did margins fall?")),
        paragraph(run("Bo Ray", True), run("   0:04"), run("\nTariffs: mostly.")),
        paragraph(run("Ann Lee", True), run("   0:09"), run("\nSo it is.")),
        paragraph(run("Bo Ray stopped transcription")),
    )
    assert spoken_turns(transcript) == TURNS
    assert (transcript.details.title, transcript.details.date) == ("Pumps weekly", "2024-03-05")


def test_headings_are_sections() -> None:
    text = [paragraph(run("Ann:", True), run(" Hello.")), paragraph(run("Bo:", True), run(" Hi."))]
    transcript = one(paragraph(run("The day"), style="Heading2"), *text, *text)
    assert [section.title for section in transcript.sections] == ["The day"]
    assert spoken_turns(transcript)[0] == ("Ann", "Hello.")


def test_a_document_that_cannot_be_read_is_refused() -> None:
    whole = docx(paragraph(run("Ann: Hello.")))
    with pytest.raises(FormatError, match="an Office document"):
        read("talk.docx", whole[:200] + whole[260:])
    with pytest.raises(FormatError, match="no words"):
        read("talk.docx", docx(paragraph(run(" "))))


def test_a_bomb_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("onrecord.ingest.formats.decode"), "LIMIT", 10_000)
    with pytest.raises(FormatError, match=r"word/document\.xml"):
        read("talk.docx", docx(paragraph(run("a " * 50_000))))


def test_tables_that_hold_no_utterances_and_content_controls_are_read() -> None:
    control = f"<w:sdt><w:sdtContent>{paragraph(run('Rain fell.'))}</w:sdtContent></w:sdt>"
    transcript = one(
        paragraph(run("A talk"), style="Title"), table(["Item", "Price"], ["Rice", "two"]), control
    )
    assert [turn.text for turn in transcript.turns] == ["Item Price", "Rice two", "Rain fell."]
