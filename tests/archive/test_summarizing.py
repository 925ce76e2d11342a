"""Summaries of sections by a language model: checks, budgets, and continuation by the next run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import onrecord
from model_server import model_server
from onrecord.archive import Archive
from onrecord.errors import InputError

EXAMPLES = Path(onrecord.__file__).parent / "examples"
CALL = EXAMPLES / "halden-cycles-q3-2024.md"
GOOD = "They speak of dealers, of tariffs and of margins."


def says(*summaries: str) -> Any:
    """Return a reply function that returns the summaries in turn and then repeats the last one."""
    waiting = list(summaries)

    def reply(body: dict[str, Any]) -> str:
        return json.dumps({"summary": waiting.pop(0) if len(waiting) > 1 else waiting[0]})

    return reply


def opened(path: Path, url: str, role: str = "on", **llm: Any) -> Archive:
    roles = {"summarize": role}
    settings = {"model": "small", "base_url": url, "roles": roles, "decision_seconds": 60, **llm}
    return onrecord.open(path, embedding={"model": "hashing"}, llm=settings)


def summaries(archive: Archive) -> list[str]:
    (recording,) = archive.recordings()
    return [section.summary for section in archive.store.sections(recording.id)]


def test_sections_are_summed_up_when_a_recording_is_added(tmp_path: Path) -> None:
    with model_server(says(GOOD)) as server, opened(tmp_path / "a.db", server.base_url) as archive:
        report = archive.add(CALL)
        first_summaries = summaries(archive)
        assert set(first_summaries) == {GOOD} and len(server.asked) == len(first_summaries)
        assert report.notes == (f"{len(first_summaries)} sections summed up",)
        assert not archive.add(CALL).notes and len(server.asked) == len(
            first_summaries
        )  # no section is sent twice
        assert "Halden" in server.prompts[0] and "<section>" in server.prompts[0]


def test_without_the_role_sections_keep_their_own_words(tmp_path: Path) -> None:
    with model_server(says(GOOD)) as server, opened(tmp_path / "a.db", server.base_url, "off") as archive:
        archive.add(CALL)
        assert GOOD not in summaries(archive) and not server.asked
        assert archive.summarize().made == len(summaries(archive))  # an explicit call needs no role
        assert set(summaries(archive)) == {GOOD}


def test_a_run_keeps_to_its_budget_and_the_next_goes_on(tmp_path: Path) -> None:
    with model_server(says(GOOD)) as server:
        with opened(tmp_path / "a.db", server.base_url, summary_calls=3, prompt_price=1000) as archive:
            archive.add(CALL)
            count = len(summaries(archive))
            assert summaries(archive).count(GOOD) == 3 and count > 3
        with opened(tmp_path / "a.db", server.base_url, summary_calls=2) as archive:
            again = archive.summarize()
            assert (again.made, again.left) == (2, count - 5)
        with opened(tmp_path / "a.db", server.base_url, summary_calls=0) as archive:
            assert archive.summarize().made == 0
        with opened(tmp_path / "a.db", server.base_url) as archive:
            assert archive.summarize().left == 0 and set(summaries(archive)) == {GOOD}
    assert len(server.asked) == count


def test_a_run_keeps_to_its_money(tmp_path: Path) -> None:
    with model_server(says(GOOD)) as server:
        with opened(tmp_path / "a.db", server.base_url, summary_money=0.6, prompt_price=1000) as archive:
            report = archive.add(CALL)
            count = len(server.asked)
            assert 1 <= summaries(archive).count(GOOD) == count < len(summaries(archive))
            again = archive.summarize()  # another run has its own
            assert again.made and again.left and sum(call.money for call in again.calls) <= 0.6
            assert "failed" not in f"{report.notes[0]} {again}"
        with opened(tmp_path / "a.db", server.base_url, summary_money=0.001, prompt_price=1000) as archive:
            assert archive.summarize().calls == ()  # one call would exceed it
        with opened(tmp_path / "a.db", server.base_url, summary_money=0) as archive:
            assert archive.summarize().made == 0


@pytest.mark.parametrize(
    "wrong",
    ["Revenue was 777 million euros.", "Then Zebedee Quux sang.", "See https://evil.example now.", "x " * 90],
)
def test_a_summary_with_what_was_not_said_is_not_taken(tmp_path: Path, wrong: str) -> None:
    """A summary with figures, names or addresses that the section lacks, or of too many words, is refused."""
    with model_server(says(wrong)) as server, opened(tmp_path / "a.db", server.base_url) as archive:
        report = archive.add(CALL)
        assert wrong.strip() not in summaries(archive) and all(summaries(archive)[1:3])
        assert "left in their own words" in report.notes[0]
        assert archive.summarize().calls == ()  # the same sections are not sent again


def test_nothing_of_a_summary_stays_when_its_recording_is_removed(tmp_path: Path) -> None:
    """What the archive remembers of summaries leaves with the recording, and comes back with it."""
    with model_server(says(GOOD)) as server, opened(tmp_path / "a.db", server.base_url) as archive:
        archive.add(CALL)
        (recording,) = archive.recordings()
        removed = archive.take_out(recording.id)
        assert archive.store.metas().keys() == {"model"}
        assert not [file for file in tmp_path.glob("a.db*") if b"tariff" in file.read_bytes().lower()]
        archive.put_back(removed)
        assert archive.summarize().calls == () and set(summaries(archive)) == {GOOD}


def test_a_model_that_is_not_there_is_not_asked_again_and_again(tmp_path: Path) -> None:
    """A run stops after three failed calls and leaves its sections for another run."""
    with model_server(says(GOOD), fault="broken") as server:
        with opened(tmp_path / "a.db", server.base_url) as archive:
            (note,) = archive.add(CALL).notes
            assert len(server.asked) == 3 and GOOD not in summaries(archive)
            assert "left for another run" in note and "3 calls failed" in note and "127.0.0.1" not in note
        server.fault = "none"
        with opened(tmp_path / "a.db", server.base_url) as archive:
            assert archive.summarize().left == 0


def test_without_a_model_it_says_what_to_set(tmp_path: Path) -> None:
    archive = onrecord.open(tmp_path / "a.db", embedding={"model": "hashing"})
    with pytest.raises(InputError, match=r"llm\.model"):
        archive.summarize()
