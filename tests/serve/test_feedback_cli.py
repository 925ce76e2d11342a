"""The command `onrecord feedback`: add, list, export for `eval`, and compare trials."""

from __future__ import annotations

import json

import pytest

import onrecord
from conftest import Shell
from onrecord.errors import InputError, NotFoundError
from onrecord.types import Scope

GOOD = "What was decided about the gate?"
BAD = "What did Brendan Kelly say about tariffs?"
ELSEWHERE = "Who won the chess world cup on Saturn?"


@pytest.fixture
def rated(filled: Shell) -> Shell:
    """Return a shell with three ratings: a good answer, a bad answer and a correct refusal."""
    assert "saved as" in filled("feedback", "add", GOOD, "--good").stderr
    filled("feedback", "add", BAD, "--speaker", "kelly", "--bad", "--note", "Halden says it better")
    filled("feedback", "add", ELSEWHERE, "--good")
    return filled


def test_a_judgement_is_kept_with_question_evidence_and_settings(rated: Shell) -> None:
    good, bad, refusal = rated.json("feedback", "list")
    assert (good["question"], good["good"], good["note"]) == (GOOD, True, "")
    assert (
        good["evidence"][0]["recording"].startswith("harbour")
        and good["evidence"][0]["quote"] in good["text"]
    )
    assert good["strategy"] == "auto" and good["models"]["embedding"].startswith("hashing")
    assert (bad["note"], bad["scope"]["speakers"]) == ("Halden says it better", ["kelly"])
    assert refusal["verdict"] == "nothing_found" and refusal["evidence"] == []
    assert len({one["id"] for one in (good, bad, refusal)}) == 3 and good["made"].endswith("+00:00")
    assert [one["good"] for one in rated.json("feedback", "list", "--bad")] == [False]
    listed = rated("feedback", "list").stdout
    assert f"bad   {BAD}" in listed and "Halden says it better" in listed


def test_a_question_without_a_rating_is_not_stored(filled: Shell) -> None:
    refused = filled("feedback", "add", GOOD, code=2)
    assert "--good" in refused.stderr and "--bad" in refused.stderr and not refused.stdout
    assert filled.json("feedback", "list") == []


def test_feedback_becomes_a_file_of_questions_that_eval_runs(rated: Shell) -> None:
    for name in ("mine.yaml", "mine.json"):
        assert f"wrote 3 questions to {name}" in rated("feedback", "export", "--output", name).stderr
        results = rated.json("eval", name, "--no-model")["strategies"]["auto"]
        means = {measure: value["mean"] for measure, value in results["measures"].items()}
        assert means["hit"] == means["right"] == means["rejection"] == 1
        assert means["repeated"] == 1, "the same is cited again, to the same speaker"
    text = (rated.folder / "mine.yaml").read_text()
    assert "speakers:" in text and "note: Halden says it better" in text
    assert rated("feedback", "export").stdout == text


def test_measuring_counts_nothing(rated: Shell) -> None:
    """Exporting and evaluating feedback do not count as questions."""

    def asked() -> int:
        with onrecord.open() as archive:
            return sum(tally.asked for tally in archive.ledger.tallies())

    before = asked()
    rated("feedback", "export", "--output", "mine.yaml")
    rated("eval", "mine.yaml")
    assert asked() == before == 3


def test_what_cannot_be_measured_is_left_out_and_named(rated: Shell) -> None:
    """The export skips a rating without a known answer and names it."""
    filled = rated
    filled("feedback", "add", "Who walked on Saturn first?", "--bad", "--note", "it was in the evening show")
    error_output = filled("feedback", "export", "--output", "mine.yaml").stderr
    assert "left out: Who walked on Saturn first?: where the answer stands is not known" in error_output


def test_a_later_thumb_up_makes_gold_of_what_another_did_not_want(rated: Shell) -> None:
    """A later good rating of the same answer overrides a bad one."""
    rated("feedback", "add", BAD, "--speaker", "kelly", "--good")
    rated("feedback", "export", "--output", "mine.json")
    questions = json.loads((rated.folder / "mine.json").read_text())["questions"]
    (both,) = [question for question in questions if question["text"] == BAD]
    assert both["gold"] and "wrong" not in both and both["type"] == "liked"


def test_a_recording_takes_the_feedback_that_quotes_it_with_it(rated: Shell) -> None:
    """Removing a recording also removes the feedback that quotes it, even from the bytes of the file."""
    name = rated.json("feedback", "list")[0]["evidence"][0]["recording"]
    rated("remove", name)
    assert GOOD not in rated("feedback", "list").stdout
    assert len(rated.json("feedback", "list")) == 2
    data = b"".join(path.read_bytes() for path in rated.folder.glob("onrecord.db*"))
    assert GOOD.encode() not in data


def test_a_judgement_is_taken_back_by_its_id(rated: Shell) -> None:
    first, *_ = rated.json("feedback", "list")
    assert rated.json("feedback", "remove", first["id"]) == {"removed": first["id"]}
    assert len(rated.json("feedback", "list")) == 2
    assert "onrecord feedback list" in rated("feedback", "remove", first["id"], code=1).stderr


def test_another_workspace_sees_nothing_of_it(rated: Shell) -> None:
    rated("add", "talks/night-desk-41.vtt", "--workspace", "other")
    assert rated.json("feedback", "list", "--workspace", "other") == []


def test_from_python_an_answer_is_rated_and_quotes_are_checked(filled: Shell) -> None:
    """Feedback from Python is stored only if its quotes are in the recordings."""
    with onrecord.open() as archive:
        answer = archive.ask(BAD, scope=Scope(speakers=("kelly",)))
        judgement = archive.ledger.rate(answer, good=True, note="n" * 9999)
        assert archive.ledger.feedback() == [judgement] and len(judgement.note) == 2000
        assert (
            judgement.scope == Scope(speakers=("kelly",)) and judgement.strategy == answer.strategy == "auto"
        )
        from dataclasses import replace

        (first, *rest) = judgement.evidence
        forged = replace(
            judgement, evidence=(replace(first, quote="Margins never fell at all, ever."), *rest)
        )
        with pytest.raises(InputError, match="quote 1 does not stand"):
            archive.ledger.give(forged)
        with pytest.raises((InputError, NotFoundError)):
            archive.ledger.give(replace(judgement, evidence=(replace(first, recording="no-such"),)))
        many = (*[first] * 60, *[replace(first, quote="This is not looked up.")] * 2)
        assert len(archive.ledger.give(replace(judgement, evidence=many)).evidence) == 60


# ---------------------------------------------------------------- trials


def test_chance_gives_questions_to_the_strategy_on_trial_and_their_thumbs_are_compared(filled: Shell) -> None:
    """A trial assigns questions to strategies at random and compares their ratings.

    A question asked again gets the same strategy. A question with an explicit strategy is not part of
    the trial.
    """
    with onrecord.open(trial={"strategy": "direct", "share": 0.5}) as archive:
        answers = [archive.ask(f"What was said about thing number {n}?") for n in range(24)]
        assert archive.ask("What was said about thing number 3?").strategy == answers[3].strategy
        assert archive.ask("What was said about freight?", "balanced").trial is False
        for answer in answers:
            archive.ledger.rate(answer, good=answer.strategy == "direct")
    names = [answer.strategy for answer in answers]
    assert all(answer.trial for answer in answers) and set(names) == {"auto", "direct"}
    assert 4 <= names.count("direct") <= 20
    (filled.folder / "onrecord.yaml").write_text("trial: {strategy: direct}\n")
    report = filled.json("feedback", "compare")
    by_name = {arm["strategy"]: arm for arm in report["arms"]}
    assert by_name["direct"]["asked"] + by_name["auto"]["asked"] == 25
    assert by_name["direct"]["good"]["value"] == 1 and by_name["auto"]["good"]["value"] == 0
    difference = report["differences"]["good"]
    assert difference["mean"] == 1 and 0 < difference["low"] < 1 == difference["high"]
    text = filled("feedback", "compare").stdout
    assert "thumbs up" in text and "direct is +1.000" in text
    assert (
        "sentences marked  none yet" in text and "nan" not in text and "marked" not in report["differences"]
    )
    assert filled.json("feedback", "compare", "--since", "2999")["arms"] == []


def test_without_a_trial_there_is_nothing_to_compare(filled: Shell) -> None:
    filled("ask", BAD)
    assert "set trial.strategy" in filled("feedback", "compare").stderr


def test_where_there_is_no_feedback_the_whole_command_is_shown(filled: Shell) -> None:
    assert "onrecord feedback add QUESTION --good" in filled("feedback", "list").stderr
