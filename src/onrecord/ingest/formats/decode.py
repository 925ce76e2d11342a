"""Detection of a file's encoding, and rejection of files that are not text."""

from __future__ import annotations

import codecs
import io
import re
import zlib
from contextlib import suppress

from onrecord.errors import FormatError
from onrecord.ingest.formats.base import Source
from onrecord.types import printable

LIMIT = 64 * 2**20
"""The maximum size of a file in bytes; a day of talk takes about 1 MB."""

_UNPACK = "unpack it and add the files in it"
_TRANSCRIBE = "transcribe it and add the transcript"
_WORDS = "write down what it shows and add that"
_SAVE_AS_TEXT = "save it as plain text or Markdown and add that"
_MAGIC = (
    (b"PK\x03\x04", "a ZIP archive", _UNPACK),
    (b"PK\x05\x06", "an empty ZIP archive", _UNPACK),
    (b"\x1f\x8b", "a gzip archive", _UNPACK),
    (b"BZh", "a bzip2 archive", _UNPACK),
    (b"\xfd7zXZ\x00", "an xz archive", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive", _UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", _UNPACK),
    (b"Rar!\x1a\x07", "a RAR archive", _UNPACK),
    (b"%PDF-", "a PDF document", _SAVE_AS_TEXT),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document (.doc)", _SAVE_AS_TEXT),
    (b"{\\rtf", "an RTF document", _SAVE_AS_TEXT),
    (b"OggS", "Ogg audio", _TRANSCRIBE),
    (b"fLaC", "FLAC audio", _TRANSCRIBE),
    (b"\x1a\x45\xdf\xa3", "Matroska or WebM video", _TRANSCRIBE),
    (b"\x89PNG", "a PNG image", _WORDS),
    (b"\xff\xd8\xff", "a JPEG image", _WORDS),
    (b"GIF8", "a GIF image", _WORDS),
    (b"850STL25", "EBU STL subtitles", "convert them to SubRip"),
    (b"850STL30", "EBU STL subtitles", "convert them to SubRip"),
    (b"437STL25", "EBU STL subtitles", "convert them to SubRip"),
    (b"SQLite format 3\x00", "an SQLite database", "open it with --archive if it is an archive"),
)
_MAGIC_PATTERNS = (
    (re.compile(rb"ID3[\x00-\x08]|\xff[\xe2-\xe7\xf2-\xf7\xfa\xfb]"), "MP3 audio", _TRANSCRIBE),
    (re.compile(rb"....ftyp", re.DOTALL), "MP4 audio or video", _TRANSCRIBE),
    (re.compile(rb"RIFF....WAVE", re.DOTALL), "WAV audio", _TRANSCRIBE),
    (re.compile(rb"RIFF....(?:AVI |WEBP)", re.DOTALL), "a video or an image", _TRANSCRIBE),
    (re.compile(rb".{257}ustar", re.DOTALL), "a tar archive", _UNPACK),
)
_OFFICE = (
    (b"word/", ".docx"),
    (b"xl/", ".xlsx"),
    (b"ppt/", ".pptx"),
    (b"mimetypeapplication/", ".odt, .epub"),
)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: its mark begins with the mark of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
MAX_ZEROS = 20
"""The minimum number of bytes per stray zero byte.

With more zero bytes, the encoding is neither ASCII nor UTF-8, or the file is not text.
"""
_CONTROLS = bytes([*range(0x09), *range(0x0E, 0x1B), *range(0x1C, 0x20), 0x7F])
_ASCII = bytes(range(0x80))
_CUT_OFF = "the file breaks off in the middle of a character"
_NOTICE = re.compile(
    r"^\u200e?(\[?\d[\d./-]{4,10},?\s\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:\s[AaPp]\.?\s?[Mm]\.?)?(?:\]|:|\s-)\s)"
    r"[^:\n]{1,60}:\s(?:\u200e|(?=<[^<>\n]{1,60}>$))",
    re.MULTILINE,
)
"""The time and the sender before a notice of a chat app.

WhatsApp begins its notices with U+200E ("image omitted") or encloses them in "<" and ">" ("<Media omitted>").
"""


def decode(name: str, data: bytes) -> Source:
    """Decode a file into a source for the readers.

    A byte order mark indicates UTF-8, UTF-16 or UTF-32. Zero bytes indicate UTF-16 without a mark. All other
    files are decoded as UTF-8 or, failing that, as Windows-1252 or Latin-1 with a remark. The only compressed
    files that are unpacked are Word documents.

    Raises FormatError for an empty file, for a file over `LIMIT` bytes, and for a file that is not text: an
    archive, a document, audio, an image, or text in an unknown encoding.
    """
    if len(data) > LIMIT:
        raise FormatError(name, "its size", f"at most {LIMIT >> 20} MiB of text", f"{len(data):,} bytes")
    if document := _word_document(name, data):
        data = document
    _refuse_by_magic(name, data)
    text, remarks = _decode_text(name, data)
    text = text.replace("\r\r\n", "\n").replace("\r\n", "\n").replace("\r", "\n")
    text = _NOTICE.sub(r"\1", text)  # its sender did not say it
    text = "\t".join(map(printable, text.split("\t")))
    if not text.strip():
        raise FormatError(name, "byte 0", "a transcript", "blanks only" if data else "an empty file")
    return Source(name, text, remarks)


def _word_document(name: str, data: bytes) -> bytes | None:
    """Return the XML of a Word document, or None for any other file.

    Raises FormatError if the unpacked document is larger than `LIMIT` bytes.
    """
    if not data.startswith(b"PK\x03\x04") or b"word/" not in data:
        return None
    from zipfile import BadZipFile, ZipFile  # imported here because only Word documents need it

    try:
        with ZipFile(io.BytesIO(data)) as archive, archive.open("word/document.xml") as part:
            document = part.read(LIMIT + 1)
    except (KeyError, BadZipFile, RuntimeError, ValueError, EOFError, OSError, zlib.error):
        return None  # not a document, or a locked or broken one: `_refuse_by_magic` rejects it as an archive
    if len(document) > LIMIT:
        raise FormatError(name, "word/document.xml", f"at most {LIMIT >> 20} MiB of text", "more")
    return document


def _refuse_by_magic(name: str, data: bytes) -> None:
    match = next((m[1:] for m in _MAGIC if data.startswith(m[0])), None) or next(
        (m[1:] for m in _MAGIC_PATTERNS if m[0].match(data)), None
    )
    if match is None:
        return
    kind, advice = match
    if data.startswith(b"PK\x03\x04"):
        for sign, suffix in _OFFICE:
            if sign in data[: 1 << 16]:
                kind, advice = f"an Office document ({suffix})", _SAVE_AS_TEXT
    raise FormatError(name, "byte 0", f"a transcript as text ({advice})", kind)


def _decode_text(name: str, data: bytes) -> tuple[str, tuple[str, ...]]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decode_unicode(name, data[len(mark) :], encoding)
    if zeros := data.count(0):
        return _decode_with_zeros(name, data, zeros)
    controls = len(data) - len(data.translate(None, _CONTROLS))
    if controls > len(data) / 20:
        raise FormatError(name, "byte 0", "a transcript as text", "a binary file")
    try:
        return data.decode("utf-8"), ()
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data":
            return data[: error.start].decode("utf-8"), (_CUT_OFF,)
    return _decode_other(name, data)


def _decode_with_zeros(name: str, data: bytes, zeros: int) -> tuple[str, tuple[str, ...]]:
    """Decode text with zero bytes: ASCII or UTF-8 with a few stray zeros, or UTF-16 without a mark.

    In UTF-16, half of the bytes of Latin letters are zero, all at odd or all at even offsets. Other letters
    have no zero bytes, but their bytes are not valid UTF-8.
    """
    with suppress(UnicodeDecodeError):
        stripped = data.replace(b"\0", b"")
        if zeros <= max(1, len(data) / MAX_ZEROS) and stripped.decode("utf-8"):
            text, remarks = _decode_text(name, stripped)
            return text, (f"dropped zero bytes: {zeros}", *remarks)
    even, odd = data[::2].count(0), data[1::2].count(0)
    if odd >= len(data) / 40 and even == 0:
        return _decode_unicode(name, data, "utf-16-le")
    if even >= len(data) / 40 and odd == 0:
        return _decode_unicode(name, data, "utf-16-be")
    raise FormatError(name, f"byte {data.index(0)}", "a transcript as text", "a zero byte: a binary file")


def _decode_unicode(name: str, data: bytes, encoding: str) -> tuple[str, tuple[str, ...]]:
    """Decode text in a known encoding, and replace broken characters.

    Raises FormatError if more than about 1% of the characters are broken: the encoding is another one.
    """
    width = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding[:6]]
    whole = len(data) - len(data) % width
    remarks = (_CUT_OFF,) if whole < len(data) else ()
    text = data[:whole].decode(encoding, "replace")
    broken = text.count("\ufffd")
    if "\x00" in text:
        raise FormatError(name, "byte 0", "a transcript as text", "zero bytes: a binary file")
    if broken > len(text) / 100 + 1:
        raise FormatError(name, "byte 0", f"text in {encoding.upper()}", f"{broken} broken characters")
    if broken:
        remarks = (f"{broken} broken characters were replaced by \ufffd", *remarks)
    return text, remarks


def _decode_other(name: str, data: bytes) -> tuple[str, tuple[str, ...]]:
    """Decode text that is not valid UTF-8: damaged UTF-8, or a Western encoding.

    The text is damaged UTF-8 if it has more valid non-ASCII characters than broken ones. Raises FormatError
    for an unknown encoding.
    """
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    sound = len(text) - len(text.encode("ascii", "ignore")) - broken
    if sound > broken:
        return text, (f"{broken} bytes are not UTF-8 and were replaced by \ufffd",)
    beyond_ascii = len(data.translate(None, _ASCII))
    if beyond_ascii > 20 and beyond_ascii > 0.3 * len(data):  # no Western language has that many accents
        expected = "text in UTF-8 (convert it: iconv -f ITS-ENCODING -t UTF-8)"
        raise FormatError(name, "byte 0", expected, "text in an unknown encoding")
    try:
        text, encoding = data.decode("cp1252"), "Windows-1252"
    except UnicodeDecodeError:
        text, encoding = data.decode("latin-1"), "Latin-1"
    return text, (f"not UTF-8: read as {encoding}; if accents look wrong, convert the file to UTF-8",)
