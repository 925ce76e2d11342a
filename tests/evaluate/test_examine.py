"""Evaluation on a user's own archive: from the questions to the report and its picture."""

import sys
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import onrecord
from onrecord.archive import Archive
from onrecord.errors import InputError, SettingError
from onrecord.evaluate import Yardstick, chart
from onrecord.evaluate.examine import examine
from onrecord.evaluate.places import Places
from onrecord.evaluate.question_files import read_questions
from onrecord.evaluate.questions import EvalQuestion, Place
from onrecord.evaluate.report import Report
from onrecord.retrieve import Keyword
from onrecord.strategies import Strategy

EXAMPLES = Path(str(files("onrecord"))) / "examples"
WORDS = Strategy("words", Keyword(1))
ASKED = [
    EvalQuestion(
        "gate",
        "What does a new sector gate cost?",
        "fact",
        (Place("harbour", words="a sector gate, for seven million"),),
        points=(("seven million",),),
    ),
    EvalQuestion("moon", "Which astronauts walked on Saturn?", "none", unanswerable=True),
    EvalQuestion("kelly", "What does Brendan Kelly say of Porto?", "fact", entities=(("Kelly",),)),
]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    place = tmp_path_factory.mktemp("archive") / "onrecord.db"
    archive = onrecord.open(place, embedding={"model": "hashing"})
    archive.add(EXAMPLES)
    return archive


@pytest.fixture(scope="module")
def report(archive: Archive) -> Report:
    return examine(archive, ASKED, ["balanced", WORDS], yardstick=Yardstick(100, ndcg=3))


def test_what_the_archive_knows_is_an_answer(archive: Archive) -> None:
    """Answers from the catalogue and the graph are measured like other answers."""
    asked = [
        EvalQuestion("count", "How many episodes are there?", points=(("There are 5 recordings",),)),
        EvalQuestion("guests", "Who has been a guest?", entities=(("Brendan Kelly",), ("Priya Raman",))),
        EvalQuestion("cfo", "Who is the CFO of Halden Cycles?", entities=(("Tobias Brandt",),)),
        EvalQuestion(
            "first", "When was freight first mentioned?", gold=(Place("halden", words="half from freight"),)
        ),
    ]
    values = examine(archive, asked, ["auto"]).values["auto"]
    assert values["wrong_refusal"].tolist() == [0.0] * 4
    assert values["completeness"][0] == values["entity_coverage"][1] == values["entity_coverage"][2] == 1.0
    assert values["right"][3] == 1.0 and np.nanmax(values["unsupported"]) == 0.0


def test_each_measure_speaks_of_the_questions_it_can(report: Report) -> None:
    """A measure covers only the questions whose labels it needs; the other values are NaN."""
    assert report.strategies == ("balanced", "words")
    counts = {m.name: report.count(m.name) for m in report.measures}
    assert counts["R"] == counts["ndcg@3"] == counts["completeness"] == counts["rejection"] == 1
    assert counts["entity_coverage"] == 1 and counts["wrong_refusal"] == counts["right"] == 2
    assert report.mean("balanced", "recall@5") == 1
    assert np.isnan(report.values["words"]["R"][1:]).all()


def test_types_keep_their_own_questions(report: Report) -> None:
    """`of_type` restricts a report to the questions of one type."""
    assert report.types == ("fact", "none")
    none = report.of_type("none")
    assert [q.id for q in none.questions] == ["moon"]
    assert len(none.outcomes["words"]) == 1 and np.isnan(none.mean("words", "R"))
    assert report.outcomes["balanced"][1].verdict == none.outcomes["balanced"][0].verdict


def test_times_are_those_of_the_stages_that_ran(report: Report, archive: Archive) -> None:
    assert list(report.percentile("words")) == ["Keyword", "Answer", "total"]
    for seconds in report.seconds.values():
        parts = [np.nan_to_num(of) for name, of in seconds.items() if name != "total"]
        assert sum(parts) == pytest.approx(seconds["total"])
    assert list(report.percentile("balanced"))[-1] == "total"
    apart = examine(archive, ASKED, ["auto"]).of_type("none")
    assert set(apart.percentile("auto")) <= set(apart.seconds["auto"])
    assert report.percentile("words")["total"] >= report.percentile("words")["Keyword"] > 0


def test_known_searches_only_where_the_answer_stands(archive: Archive) -> None:
    """With `known`, a question is searched only in the recordings that contain its gold."""

    def sources(known: bool) -> set[str]:
        examined = examine(archive, ASKED[:1], [Strategy("all", Keyword(50))], known=known)
        return {source.split(",")[0] for source in examined.outcomes["all"][0].sources}

    everywhere = Keyword(50)
    assert examine(archive, ASKED[:1], [Strategy("all", everywhere)]).mean("all", "R") == 1
    assert sources(known=True) <= {"June Abara", "Rosa Meijer", "Bill Tranter", "Alderman Finch"}


def test_gold_that_is_not_there_is_reported_before_anything_is_asked(archive: Archive) -> None:
    lost = EvalQuestion("lost", "Where?", gold=(Place("harbour", words="a tunnel", where="q.yaml, line 9"),))
    messages: list[str] = []
    with pytest.raises(InputError, match=r"q\.yaml, line 9: 'a tunnel' is not said in harbour"):
        examine(
            archive, [ASKED[0], lost], ["balanced"], progress=lambda done, of, name: messages.append(name)
        )
    assert messages == []


def test_progress_is_reported(archive: Archive) -> None:
    progress: list[tuple[int, int, str]] = []
    examine(archive, ASKED[:2], [WORDS], progress=lambda *step: progress.append(step))
    assert progress == [(0, 2, "gate"), (1, 2, "moon"), (2, 2, "")]


def test_the_built_in_questions_stand_in_the_examples(archive: Archive) -> None:
    asked = read_questions(EXAMPLES / "questions.yaml")
    kinds = [question.type for question in asked]
    assert len(asked) >= 60
    assert {"simple", "multi_entity", "comparison", "causal", "cross_recording"} <= set(kinds)
    assert kinds.count("unanswerable") >= 10 and kinds.count("follow_up") >= 8
    places = Places(archive)
    for question in asked:
        gold = places.gold(question)
        assert question.unanswerable or (gold.words and question.text not in (p.words for p in question.gold))
        if question.type == "cross_recording":
            assert len(gold.recordings) > 1, question.id
        assert bool(question.history) == (question.type == "follow_up")
    french = archive.find("chaleur").id
    assert sum(places.gold(question).recordings == (french,) for question in asked) >= 12


# ---------------------------------------------------------------- the picture


@pytest.mark.parametrize("name", ["report.png", "report.svg"])
def test_a_picture_shows_every_measure_strategy_and_type(report: Report, tmp_path: Path, name: str) -> None:
    pytest.importorskip("matplotlib", reason="pictures need the extra plot")
    chart.save(chart.draw_figure(report), tmp_path / name)
    data = (tmp_path / name).read_bytes()
    if name.endswith(".png"):
        assert data.startswith(b"\x89PNG")
        return
    text = data.decode()
    shown = [m.label for m in report.measures if report.count(m.name)]
    for label in (*shown, "balanced", "words", "fact (2)", "none (1)", "Keyword", "total"):
        assert label in text
    chart.save(chart.draw_figure(report), tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_bytes() == data


def test_what_cannot_be_drawn_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingError, match=r"\.png or \.svg"):
        chart.check(tmp_path / "report.gif")
    with pytest.raises(InputError, match="cannot write"):
        chart.check(tmp_path / "no" / "report.png")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(InputError, match=r"onrecord\[plot\]"):
        chart.check(tmp_path / "report.png")
