"""Tests of manifests: tables of the details of files, in CSV and YAML."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onrecord.errors import FormatError, OnRecordError
from onrecord.ingest.manifests import Row, read_manifest
from onrecord.types import Details

CSV = """file,Title,date,people,Quarter
a.vtt,"Margins, again",2024-03-05,Ann Lee; Bo,Q1

sub/../b.vtt,,March 2024,,
"""


def test_a_csv_table() -> None:
    assert read_manifest("manifest.csv", CSV.encode()) == (
        Row(
            "row 2",
            "a.vtt",
            Details("Margins, again", "2024-03-05", people=("Ann Lee", "Bo"), attributes={"quarter": "Q1"}),
        ),
        Row("row 4", "b.vtt", Details(date="2024-03")),
    )


@pytest.mark.parametrize(
    "data",
    [
        CSV.replace("\n", "\r\n").encode("utf-8-sig"),
        CSV.encode("utf-16"),
        CSV.replace(";", "|").replace(",", ";").replace('"Margins; again"', "Margins, again").encode(),
        CSV.replace('"Margins, again"', "Margins; again")
        .replace(",", "\t")
        .replace("gins;", "gins,")
        .encode(),
    ],
    ids=["windows", "utf-16", "semicolons", "tabs"],
)
def test_what_spreadsheets_make_of_it(data: bytes) -> None:
    assert read_manifest("manifest.csv", data) == read_manifest("manifest.csv", CSV.encode())


@pytest.mark.parametrize(
    "text",
    [
        "- {file: a.vtt, title: 'Margins', date: 2024-03-05}\n- file: b.vtt\n",
        "a.vtt:\n  title: Margins\n  date: 2024-03-05\nb.vtt:\n",
    ],
)
def test_a_yaml_table(text: str) -> None:
    rows = read_manifest("manifest.yaml", text.encode())
    assert [(row.file, row.details) for row in rows] == [
        ("a.vtt", Details("Margins", "2024-03-05")),
        ("b.vtt", Details()),
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a.vtt,x,soon", "m.csv, row 2, date: expected a date such as"),
        ("a.vtt,x,2024,more", "m.csv, row 2: expected a cell for each column (quote one that"),
        (",x,2024", "m.csv, row 2, file: expected the file's name, found nothing"),
    ],
)
def test_a_bad_row_does_not_stop_the_next(line: str, message: str) -> None:
    bad, good = read_manifest("m.csv", f"file,title,date\n{line}\nb.vtt,Fine,2024\n".encode())
    assert message in str(bad.error)
    assert good == Row("row 3", "b.vtt", Details("Fine", "2024"))


def test_a_file_named_twice() -> None:
    first, second = read_manifest("m.csv", b"file,title\na.vtt,One\n./a.vtt,Two\n")
    assert first.details.title == "One"
    assert str(second.error) == "m.csv, row 3: expected each file once, but row 2 names it too, found a.vtt"


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("m.csv", b"", "m.csv, row 1: expected a column named file, found nothing"),
        ("m.csv", b"name,title\n", "m.csv, row 1: expected a column named file, found name, title"),
        ("m.csv", b"file,a,A\n", "m.csv, row 1: expected each column once, found a"),
        ("m.csv", b'file,title\na.vtt,"x"y\n', "m.csv, line 2: expected CSV"),
        ("m.csv", b"file,title\na.vtt,caf\xe9\n", "m.csv, byte 20: expected UTF-8 text (save it as UTF-8)"),
        ("m.csv", b"file\n" + b"x" * 200_000, "m.csv, line 2: expected CSV, found field larger"),
        (
            "m.yaml",
            b"just words",
            "m.yaml, line 1: expected a list of entries, each with its file, found text",
        ),
        ("m.yaml", b"- [", "m.yaml, line 1"),
    ],
)
def test_a_broken_table(name: str, data: bytes, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_manifest(name, data)
    assert message in str(caught.value)


def test_bad_entries_of_yaml() -> None:
    rows = read_manifest("m.yaml", b"- words\n- title: x\n- {file: a.vtt, Title: x, title: y}\n")
    assert [str(row.error) for row in rows] == [
        "m.yaml, entry 1: expected names and values, found text",
        "m.yaml, entry 2, file: expected the file's name, found nothing",
        "m.yaml, entry 3, 'title': expected each name once, and none empty, found 'title'",
    ]


@settings(deadline=None)  # the first example takes longer: it imports yaml
@given(
    st.binary(max_size=60),
    st.sampled_from(["m.csv", "m.yaml"]),
    st.sampled_from([b"", b"file,x\n", b"- file: "]),
)
def test_any_bytes_are_rows_or_an_error(data: bytes, name: str, head: bytes) -> None:
    try:
        rows = read_manifest(name, head + data)
    except OnRecordError as error:
        assert str(error).startswith(f"{name}, ")
    else:
        assert all(row.where and (row.file or row.error) for row in rows)
