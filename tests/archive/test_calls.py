"""Selection of earnings calls by company, year and quarter, in Python, over HTTP and on the command line.

The recordings may use other names for these attributes, such as bank and fiscal_year.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

import onrecord
from onrecord.archive import Archive
from onrecord.errors import InputError
from onrecord.serve.cli import main
from onrecord.serve.http import Tenants, create_app
from onrecord.types import Scope


def call(folder: Path, name: str, **attributes: str) -> Path:
    """Write the transcript of a call with these attributes, and return its path."""
    head = "\n".join(f"{key}: {value}" for key, value in attributes.items())
    file = folder / f"{name}.md"
    file.write_text(f"---\ntitle: {name}\n{head}\n---\n\n**Ann Bell:** Credit losses in {name} were small.\n")
    return file


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    archive = onrecord.open(tmp_path / "calls.db", embedding={"model": "hashing"})
    for bank, year, quarter in (
        ("Northern Bank", "FY2023", "Q1"),
        ("Northern Bank", "FY2024", "Q1"),
        ("Northern Trust", "FY2024", "Q2"),
        ("Harbour Credit", "FY2024", "Q1"),
    ):
        name = f"{bank} {year} {quarter}"
        archive.add(call(tmp_path, name, bank=bank, fiscal_year=year, quarter=quarter))
    return archive


def titles(archive: Archive, **attributes: str) -> list[str]:
    return [r.title for r in archive.recordings(archive.resolved(Scope(attributes=attributes)))]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"company": "harbour"}, ["Harbour Credit FY2024 Q1"]),
        ({"company": "northern bank", "year": "2024"}, ["Northern Bank FY2024 Q1"]),
        ({"company": "Northern Trust", "quarter": "2"}, ["Northern Trust FY2024 Q2"]),
        ({"year": "2023"}, ["Northern Bank FY2023 Q1"]),
        ({"bank": "Harbour Credit", "quarter": "q1"}, ["Harbour Credit FY2024 Q1"]),
        ({"company": "Nobody"}, []),
        ({"year": "1999"}, []),
    ],
)
def test_a_call_is_meant_by_what_its_attributes_hold(  # type: ignore[no-untyped-def]
    archive: Archive, asked, expected
) -> None:
    """Company, year and quarter select the calls whose attributes have matching values."""
    assert titles(archive, **asked) == expected


def test_a_company_that_could_be_several_is_reported(archive: Archive) -> None:
    """An ambiguous company is refused, and the message names the candidates."""
    with pytest.raises(InputError, match="could be any of: Northern Bank, Northern Trust"):
        titles(archive, company="northern")


def test_fields_of_a_request_say_which_call(archive: Archive) -> None:
    client = TestClient(create_app(Tenants(("default",), lambda _: archive)))
    body = {"question": "What about credit losses?", "company": "northern bank", "year": 2024, "quarter": 1}
    response = client.post("/api/ask", json=body).json()
    assert {c["recording"]["title"] for c in response["citations"]} == {"Northern Bank FY2024 Q1"}
    assert response["section_tokens"] == {} or all(response["section_tokens"].values())
    words = {"words": "credit losses", "company": "harbour", "quarter": "Q1"}
    assert {m["title"] for m in client.post("/api/search", json=words).json()["moments"]} == {
        "Harbour Credit FY2024 Q1"
    }
    several = client.post("/api/ask", json={"question": "What about losses?", "company": "northern"})
    assert several.status_code == 400 and "could be any of" in several.json()["error"]["message"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"year": 2024.5}, "year must be a text or a whole number"),
        ({"quarter": True}, "quarter must be a text or a whole number"),
        ({"quarter": ["Q1"]}, "quarter must be a text or a whole number"),
        ({"company": ""}, "company is empty"),
        ({"year": " "}, "year is empty"),
        ({"company": ["harbour"]}, "company must be a text"),
        ({"quarter": "Q1", "scope": {"attributes": {"quarter": "Q2"}}}, "quarter 'Q1' and quarter 'Q2'"),
        ({"company": "harbour", "scope": {"attributes": {"bank": "Northern"}}}, "leave one of them out"),
    ],
)
def test_fields_that_cannot_be_are_refused(archive: Archive, fields: dict[str, object], message: str) -> None:
    client = TestClient(create_app(Tenants(("default",), lambda _: archive)))
    for path, body in (
        ("/api/ask", {"question": "What about credit losses?"}),
        ("/api/chat", {"messages": [{"role": "user", "content": "What about credit losses?"}]}),
        ("/v1/chat/completions", {"messages": [{"role": "user", "content": "What about credit losses?"}]}),
    ):
        refused = client.post(path, json={**body, **fields})
        assert refused.status_code == 400 and message in refused.text, path


def test_an_openai_client_says_which_call(archive: Archive) -> None:
    client = TestClient(create_app(Tenants(("default",), lambda _: archive)))
    body = {"messages": [{"role": "user", "content": "What about credit losses?"}], "company": "harbour"}
    response = client.post("/v1/chat/completions", json={**body, "year": 2024}).json()
    assert {source["title"] for source in response["onrecord"]["sources"]} == {"Harbour Credit FY2024 Q1"}


def test_the_command_line_refuses_two_values_and_none(archive: Archive, tmp_path: Path) -> None:
    ask = ["ask", "What about credit losses?", "--archive", str(tmp_path / "calls.db")]
    for options, message in (
        (["--company", ""], "company is empty"),
        (["--quarter", "Q1", "--where", "quarter=Q2"], "leave one of them out"),
    ):
        result = CliRunner().invoke(main, [*ask, *options])
        assert result.exit_code == 1 and message in result.output
