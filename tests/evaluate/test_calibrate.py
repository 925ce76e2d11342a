"""Calibration of cosines on questions with known answers.

The result is stored with the archive and its embedding model.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import onrecord
from onrecord.archive import Archive
from onrecord.errors import EmbeddingError, InputError
from onrecord.evaluate.calibrate import CalibrationReport, Probe, measure_calibration
from onrecord.evaluate.intervals import Share
from onrecord.evaluate.questions import EvalQuestion, Place
from onrecord.serve.cli import main

THINGS = (
    *("tariff", "freight", "welding", "mortgage", "harbour", "battery", "warehouse", "drainage"),
    *("lettuce", "violin", "compass", "glacier", "orchard", "lantern", "saddle", "ferry"),
)
QUESTIONS = [
    *(
        EvalQuestion(thing, f"the {thing} costs", gold=(Place(words=f"The {thing} costs"),))
        for thing in THINGS
    ),
    *(EvalQuestion(f"no {n}", f"zzz{n} qqq{n}", unanswerable=True) for n in range(8)),
]


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    for at, thing in enumerate(THINGS):  # each file is one passage
        (tmp_path / f"{thing}.txt").write_text(f"Ann: The {thing} costs {at} euros, they say.\n")
    archive = onrecord.open(tmp_path / "a.db", embedding={"model": "hashing"})
    archive.add(*(tmp_path / f"{thing}.txt" for thing in THINGS), keep_both=True)
    return archive


def test_what_is_near_answers_and_what_is_far_does_not(archive: Archive) -> None:
    measured = measure_calibration(archive, QUESTIONS, precision=0.9)
    calibration = measured.calibration
    assert calibration is not None and -1 <= calibration.floor < calibration.sure <= 1
    assert measured.answered(calibration.sure).value >= 0.9
    assert measured.falls_back(1.01).value == 1 and measured.falls_back(-1.01).value == 0
    assert measured.to_json()["calibration"] == {"floor": calibration.floor, "sure": calibration.sure}


def test_where_a_precision_cannot_be_had_there_is_no_figure() -> None:
    probes = tuple(Probe(0.5 + n / 1000, n % 2 == 0, 0.4) for n in range(100))
    measured = CalibrationReport(0.5, 0.3, 0.95, Share(25, 50), probes)
    assert not measured.within_reach and measured.calibration is None


def test_too_few_questions_are_reported(archive: Archive) -> None:
    with pytest.raises(InputError, match="10 are needed"):
        measure_calibration(archive, QUESTIONS[:5])


def test_without_a_model_there_is_nothing_to_calibrate(tmp_path: Path) -> None:
    archive = onrecord.open(tmp_path / "b.db", embedding={"model": "none"})
    with pytest.raises(EmbeddingError, match="no embedding model"):
        measure_calibration(archive, QUESTIONS)


def test_what_is_written_counts_until_it_is_reset(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ONRECORD_ARCHIVE", str(tmp_path / "a.db"))
    monkeypatch.setenv("ONRECORD_EMBEDDING__MODEL", "hashing")
    lines = [
        {"text": q.text, "gold": {"words": q.gold[0].words}}
        if q.gold
        else {"text": q.text, "unanswerable": True}
        for q in QUESTIONS
    ]
    (tmp_path / "questions.json").write_text(json.dumps(lines))
    result = CliRunner().invoke(main, ["calibrate", "questions.json", "--write", "--json"])
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)["calibration"]
    with onrecord.open() as opened:
        assert opened.embedder is not None
        assert (opened.embedder.calibration.floor, opened.embedder.calibration.sure) == tuple(
            figures.values()
        )
    refused = CliRunner().invoke(main, ["calibrate", "questions.json", "--reset"])
    assert refused.exit_code == 2 and "--reset stands alone" in refused.stderr
    result = CliRunner().invoke(main, ["calibrate", "--reset", "--json"])
    assert result.exit_code == 0 and json.loads(result.stdout)["calibration"]["sure"] == 0.3
    with onrecord.open() as opened:
        assert opened.embedder is not None and opened.embedder.calibration.sure == 0.3


def test_where_a_precision_cannot_be_had_the_command_says_what_to_try(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ONRECORD_EMBEDDING__MODEL", "hashing")
    result = CliRunner().invoke(main, ["calibrate", "--precision", "1"])
    assert result.exit_code == 1
    assert "ask for less (--precision), or set another embedding.model" in result.stderr
