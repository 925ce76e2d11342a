"""Tests of how the bytes of a file become text: encodings, control characters and refused files."""

import pytest

from onrecord.errors import FormatError
from onrecord.ingest.formats import decode
from onrecord.ingest.formats.decode import LIMIT

TEXT = "Zoë: Où est-ce ?\nBo: Là – “déjà”…\n"


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        b"\xef\xbb\xbf" + TEXT.encode(),
        TEXT.encode("utf-16"),
        b"\xff\xfe" + TEXT.encode("utf-16-le"),
        b"\xfe\xff" + TEXT.encode("utf-16-be"),
        TEXT.encode("utf-16-le"),
        TEXT.encode("utf-16-be"),
        TEXT.encode("utf-32"),
    ],
    ids=["utf-8", "bom", "utf-16", "le bom", "be bom", "le", "be", "utf-32"],
)
def test_unicode_is_read_without_a_remark(data: bytes) -> None:
    source = decode("talk.txt", data)
    assert source.text == TEXT
    assert source.remarks == ()


def test_utf_16_of_another_script_is_recognized_by_its_line_ends() -> None:
    text = "1\n00:00:01,000 --> 00:00:02,000\n今日は\n\n"
    assert decode("talk.srt", text.encode("utf-16-le")).text == text


def test_what_is_not_utf_8_is_read_as_windows_1252_with_a_remark() -> None:
    source = decode("talk.txt", TEXT.encode("cp1252"))
    assert source.text == TEXT
    assert "Windows-1252" in source.remarks[0]


def test_a_byte_that_windows_1252_does_not_have_makes_it_latin_1() -> None:
    source = decode("talk.txt", b"caf\xe9 \x81 and so on")
    assert source.text == "café  and so on"
    assert "Latin-1" in source.remarks[0]


def test_a_broken_byte_does_not_spoil_a_utf_8_text() -> None:
    source = decode("talk.txt", "déjà ".encode() * 5 + b"\xff vu")
    assert source.text == "déjà " * 5 + "\ufffd vu"
    assert "1 bytes are not UTF-8" in source.remarks[0]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_file_cut_off_within_a_character_keeps_all_others(encoding: str) -> None:
    source = decode("talk.txt", "Ann: déjà".encode(encoding)[:-1])
    assert source.text == "Ann: déj"
    assert source.remarks == ("the file breaks off in the middle of a character",)


def test_an_encoding_that_cannot_be_detected_is_refused() -> None:
    with pytest.raises(FormatError, match="iconv"):
        decode("talk.srt", "Это было давно и неправда, вот что.".encode("cp1251"))


def test_line_ends_are_one_kind() -> None:
    assert decode("talk.txt", b"a\r\nb\rc\r\r\nd\ne").text == "a\nb\nc\nd\ne"


def test_what_cannot_be_seen_or_steers_a_terminal_is_left_out_but_tabs_stay() -> None:
    text = "a\x1b[31mb\u202ec\u200bd\te\ufeff"
    assert decode("talk.txt", text.encode()).text == "a[31mbcd\te"


@pytest.mark.parametrize("data", [b"", b" \n\t\r\n", b"\xef\xbb\xbf", b"\xff\xfe", "\u200b\n".encode()])
def test_an_empty_file_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError, match="expected a transcript"):
        decode("talk.txt", data)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"PK\x03\x04\x14\x00\x00\x00\x08\x00 bomb", "a ZIP archive"),
        (b"PK\x03\x04\x14\x00[Content_Types].xml...word/document.xml", ".docx"),
        (b"\x1f\x8b\x08\x00\x00\x00\x00\x00", "gzip"),
        (b"BZh91AY&SY", "bzip2"),
        (b"%PDF-1.7\n%", "PDF"),
        (b"{\\rtf1\\ansi Hello}", "RTF"),
        (b"ID3\x04\x00\x00\x00", "MP3"),
        (b"\xff\xfb\x90\x64\x00", "MP3"),
        (b"\x00\x00\x00\x20ftypM4A \x00", "MP4"),
        (b"RIFF\x24\x08\x00\x00WAVEfmt ", "WAV"),
        (b"OggS\x00\x02", "Ogg"),
        (b"\x89PNG\r\n\x1a\n", "PNG"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "JPEG"),
        (b"SQLite format 3\x00", "SQLite"),
        (b"talk" + bytes(300), "a zero byte"),
        (bytes(range(1, 9)) * 40, "a binary file"),
        (b"\xff\xfe" + bytes([0x00, 0xD8]) * 50, "broken characters"),
    ],
)
def test_what_is_no_text_is_refused_by_its_name(data: bytes, kind: str) -> None:
    with pytest.raises(FormatError, match=r"as text|text in UTF") as error:
        decode("talk.bin", data)
    assert kind in str(error.value)


def test_a_file_over_the_limit_is_refused() -> None:
    with pytest.raises(FormatError, match=r"at most 64 MiB of text, found 67,108,865 bytes"):
        decode("talk.txt", b"a" * (LIMIT + 1))


def test_a_stray_zero_byte_does_not_make_utf16_of_a_text() -> None:
    source = decode("talk.txt", b"Ann: Hello there.\n\0Bo: Good morning to you, and to all.\n")
    assert source.text == "Ann: Hello there.\nBo: Good morning to you, and to all.\n"
    assert source.remarks == ("dropped zero bytes: 1",)
    assert decode("talk.txt", "Grüße\n".encode("utf-16-le")).text == "Grüße\n"
    assert decode("talk.txt", "你好，世界。\n".encode("utf-16-le") * 9).text == "你好，世界。\n" * 9
