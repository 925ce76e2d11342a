"""Relations that a language model extracts for the graph.

The tests cover checks against the passage, budgets, continuation after a stop, and removal with a recording.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import onrecord
from model_server import model_server
from onrecord.archive import Archive
from onrecord.errors import InputError
from onrecord.graph.extract import knowledge_of
from onrecord.graph.statements import Statement, Statements, check
from onrecord.serve.cli import main
from onrecord.types import Details, Passage, Recording

SMALL_TALK = " We spoke of the weather for a while, and nothing came of it." * 7
"""Filler that makes a speaker turn long enough to be a passage of its own."""
TALK = f"""---
title: The repair shop
---
Ann Lee: Our repair shop is run by the Harbour Trust. The new valves keep the pumps dry.{SMALL_TALK}

Bo Díaz: The Harbour Trust pays for the tools. Does the trust own the pumps?{SMALL_TALK}

Ann Lee: The tools never broke the pumps. Dry pumps save us a week of work.{SMALL_TALK}
"""
TRUE = {
    "subject": "the new valves",
    "relation": "improves",
    "object": "the pumps",
    "quote": "The new valves keep the pumps dry.",
}


def stating(*relations: dict[str, str]) -> str:
    return json.dumps({"relations": list(relations)})


def opened(path: Path, url: str, role: str = "off", **llm: Any) -> Archive:
    settings = {"model": "small", "base_url": url, "roles": {"extract": role}, "decision_seconds": 60, **llm}
    return onrecord.open(path, embedding={"model": "hashing"}, reader=None, llm=settings)


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    file = tmp_path / "shop.md"
    file.write_text(TALK)
    return file


def read(archive: Archive) -> list[tuple[str, str, str]]:
    """Return the subject, relation and object of each relation that the model read in the only recording."""
    (recording,) = archive.recordings()
    known = archive.store.graph.knowledge(recording.id)
    return [(r.subject, r.relation, r.object) for r in known.relations if r.rule == "model"] if known else []


# ---------------------------------------------------------------- checks of statements

PASSAGE = Passage(
    "r",
    0,
    TALK.split("Ann Lee: ")[1].strip()
    + " Do the valves fit? They do not fit. Nobody believes that the valves caused the leak."
    " The tools might fit the pipe.",
    "Ann Lee",
)


def checked(*statements: dict[str, str]) -> Any:
    recording = Recording("r", "r", "", "test", Details(), 1, speakers=("Ann Lee",))
    known = knowledge_of(recording, [PASSAGE])
    shape = Statements(relations=[Statement(**each) for each in statements])
    return check(shape, PASSAGE, known.mentions, known.capitals)


def test_what_stands_on_words_of_its_passage_is_taken() -> None:
    """A statement that the words of its passage support becomes a relation with their span."""
    facts = checked(TRUE)
    (relation,) = facts.relations
    assert (relation.subject, relation.relation, relation.object) == ("valve", "improves", "pump")
    assert PASSAGE.text[relation.begin : relation.end] == "valves keep the pumps"
    assert relation.speaker == "Ann Lee" and relation.rule == "model" and facts.dropped == 0


@pytest.mark.parametrize(
    "change",
    [
        {"quote": "The new valves ruin the pumps."},  # not in the passage
        {"subject": "the old valves"},  # not in the quote
        {"object": "the harbour"},
        {"object": "valves"},  # part of the subject
        {"relation": "adores"},  # not a known relation
        {"subject": "the"},
        {"quote": "Do the valves fit?", "subject": "valves", "object": "fit"},  # a question
        {"quote": "They do not fit.", "subject": "They", "object": "fit"},  # a denial
        {"subject": "", "quote": ""},
        {"quote": "valves caused the leak", "subject": "valves", "object": "leak"},  # denied before the quote
        {"quote": "tools might fit the pipe", "subject": "tools", "object": "pipe"},  # supposed
        {"relation": "works at"},  # neither a person nor an organization
        {"subject": "valves keep the pumps dry Our repair shop", "quote": TALK},
    ],
)
def test_what_does_not_is_dropped(change: dict[str, str]) -> None:
    """A statement that the words of its passage do not support is dropped and counted."""
    facts = checked({**TRUE, **change})
    assert (facts.relations, facts.mentions, facts.dropped) == ((), (), 1)


def related(*turns: str, quote: str, **ends: str) -> list[str]:
    """Return the quoted words of the relation "causes", if it stands on words of two people's turns."""
    begins = [len(" ".join(turns[:at])) + bool(at) for at in range(len(turns))]
    voices = tuple((begin, ("Ann Lee", "Bo Lund")[at % 2]) for at, begin in enumerate(begins))
    passage = Passage("r", 0, " ".join(turns), "Ann Lee", voices=voices)
    statement = Statement(relation="causes", quote=quote, **ends)
    found = check(Statements(relations=[statement]), passage, (), capitals=False).relations
    return [passage.text[relation.begin : relation.end] for relation in found]


@pytest.mark.parametrize(
    ("quote", "subject", "object_"),
    [
        ("The new valves did not cause the leak. The pump is fine.", "valves", "leak"),
        ("Does the drought cause hunger? The town is small.", "drought", "hunger"),
        ("If the tax rose, prices would fall. Ana knows it.", "tax", "prices"),
        ("The tax is high. It never raised the rent. The poor left.", "tax", "poor"),
        ("We lost the harvest, and the tax caused nothing.", "tax", "harvest"),
        ("None of the rains caused the flood.", "rains", "flood"),
        ("La taxe cause rien, et la crise dure.", "taxe", "crise"),
        ("The mill raised the rent", "mill", "rent"),
    ],
)
def test_no_sentence_from_one_end_to_the_other_asks_denies_or_supposes(
    quote: str, subject: str, object_: str
) -> None:
    """A quote that runs into the next sentence, or breaks off, makes no statement of a doubtful sentence."""
    text = quote if quote.endswith(".") else f"{quote}, unless Ana is wrong."
    assert related(text, quote=quote, subject=subject, object=object_) == []


def test_a_relation_is_stated_within_one_turn() -> None:
    """The two ends of a relation are words of one speaker's turn, in one sentence or several."""
    ends = {"subject": "frost", "object": "harvest"}
    apart, both = ("We had a frost", "We lost the harvest."), "We had a frost. We lost the harvest."
    assert related(*apart, quote=" ".join(apart), **ends) == []
    assert related(both, "I see.", quote=both, **ends) == ["frost. We lost the harvest"]
    assert related("Is it so?", both, "Is it?", quote=f"Is it so? {both} Is it?", **ends) != []


def test_a_relation_is_read_where_its_ends_are_nearest() -> None:
    """A doubtful sentence that names one of the ends does not take away the statement beside it."""
    text = "Was it the frost? The frost took the harvest. We did not see the harvest."
    assert related(text, quote=text, subject="frost", object="harvest") == ["frost took the harvest"]


words = st.lists(st.sampled_from([*PASSAGE.text.split(), "zebra", "<script>", "[1]", "", "'"]), max_size=8)


@given(
    words.map(" ".join),
    st.sampled_from(("causes", "uses", "likes")),
    words.map(" ".join),
    words.map(" ".join),
)
def test_whatever_a_model_says_only_words_of_the_passage_come_in(
    subject: str, relation: str, object_: str, quote: str
) -> None:
    facts = checked({"subject": subject, "relation": relation, "object": object_, "quote": quote})
    for mention in facts.mentions:
        assert PASSAGE.text[mention.begin : mention.end] == mention.name
    assert all(r.relation != "likes" and r.subject != r.object for r in facts.relations)


# ---------------------------------------------------------------- runs


def test_it_reads_what_is_added_where_the_role_is_on(tmp_path: Path, talk: Path) -> None:
    """With the role `extract` on, adding a recording sends its passages to the model."""
    with model_server(stating(TRUE)) as server, opened(tmp_path / "a.db", server.base_url, "on") as archive:
        report = archive.add(talk)
        assert len(server.asked) == archive.recordings()[0].passages == 3
        assert (
            "3 passages read by the model, 1 relations" in report.notes[0] and "2 dropped" in report.notes[0]
        )
        assert read(archive) == [("valve", "improves", "pump")]
        (edge,) = archive.graph.about("valves").relations
        assert edge.relation == "improves" and "keep the pumps dry" in edge.quotes[0].text
        assert "<passage>" in server.prompts[0] and "Harbour Trust" in server.prompts[0]


def test_what_a_model_read_leaves_with_its_recording(tmp_path: Path, talk: Path) -> None:
    with model_server(stating(TRUE)) as server, opened(tmp_path / "a.db", server.base_url) as archive:
        archive.add(talk)
        before = archive.store.graph.entities(["valve", "pump"])
        assert archive.graph.extract().relations == 1
        archive.remove("The repair shop")
        assert archive.store.graph.relations(["valve", "pump"]) == []
        assert archive.store.graph.entities(["valve", "pump"]) == {}
        archive.add(talk)
        assert read(archive) == [] and archive.store.graph.entities(["valve", "pump"]) == before


def test_what_a_model_read_outlives_rules_names_and_undoing(tmp_path: Path, talk: Path) -> None:
    """Extracted relations survive a rebuilt graph, a renamed speaker, and removal with restoration."""
    with model_server(stating(TRUE)) as server, opened(tmp_path / "a.db", server.base_url) as archive:
        archive.add(talk)
        archive.graph.extract()
        archive.graph.build(again=True)
        archive.rename("Ann Lee", "Anna Lee")
        archive.put_back(archive.take_out("The repair shop"))
        assert read(archive) == [("valve", "improves", "pump")]
        assert archive.graph.extract().calls == () and len(server.asked) == 3  # no passage is sent twice


def test_a_changed_recording_is_read_anew(tmp_path: Path, talk: Path) -> None:
    with model_server(stating(TRUE)) as server, opened(tmp_path / "a.db", server.base_url) as archive:
        archive.add(talk)
        archive.graph.extract()
        talk.write_text(TALK.replace("dry.", "wet."))
        archive.add(talk)
        assert read(archive) == []
        assert archive.graph.extract().dropped == 3


def test_a_recording_that_is_removed_while_it_is_read_stays_removed(tmp_path: Path, talk: Path) -> None:
    def reply(body: dict[str, Any]) -> str:
        with onrecord.open(tmp_path / "a.db", embedding={"model": "hashing"}, reader=None) as other:
            other.remove("The repair shop")
        return stating(TRUE)

    with model_server(reply) as server, opened(tmp_path / "a.db", server.base_url) as archive:
        archive.add(talk)
        archive.graph.extract()
        assert archive.recordings() == [] and archive.store.graph.learnt() == {}


def test_a_run_keeps_to_its_calls_and_the_next_goes_on(tmp_path: Path, talk: Path) -> None:
    with model_server(stating(TRUE)) as server:
        with opened(tmp_path / "a.db", server.base_url, extract_calls=2) as archive:
            archive.add(talk)
            first = archive.graph.extract()
            assert (first.passages, first.left, len(server.asked)) == (2, 1, 2)
            second = archive.graph.extract()
            assert (second.passages, second.left, len(server.asked)) == (1, 0, 3)
        with opened(tmp_path / "a.db", server.base_url, extract_calls=0) as archive:
            assert archive.graph.extract().left == 0


def test_a_run_keeps_to_its_money(tmp_path: Path, talk: Path) -> None:
    # 1.2 for each call, which might cost 3.3 by the length of its prompt
    prices = {"prompt_price": 10_000, "completion_price": 0, "extract_money": 5}
    with (
        model_server(stating(TRUE)) as server,
        opened(tmp_path / "a.db", server.base_url, **prices) as archive,
    ):
        archive.add(talk)
        run = archive.graph.extract()
        assert (run.passages, run.left) == (2, 1) and run.money == pytest.approx(2.4)
        assert "2.4000 spent" in str(run)


@pytest.mark.parametrize("fault", ["broken", "limit", "nonsense", "cut", "html", "refusal", "empty"])
def test_a_model_that_fails_leaves_the_passages_for_another_run(
    tmp_path: Path, talk: Path, fault: str
) -> None:
    path = tmp_path / "a.db"
    with model_server(stating(TRUE), fault=fault) as server, opened(path, server.base_url) as archive:
        archive.add(talk)
        run = archive.graph.extract()
        assert (run.passages, run.left) == (0, 3) and read(archive) == []
        assert all(call.failure for call in run.calls) and "3 left for another run, 3 calls failed" in str(
            run
        )
        server.fault = "none"
        assert archive.graph.extract().left == 0


def test_killed_in_the_middle_it_goes_on_where_it_was(tmp_path: Path, talk: Path) -> None:
    path = tmp_path / "a.db"
    script = (
        "import sys, onrecord\n"
        "llm = {'model': 'small', 'base_url': sys.argv[2], 'decision_seconds': 60}\n"
        "onrecord.open(sys.argv[1], embedding={'model': 'hashing'}, reader=None, llm=llm).graph.extract()\n"
    )
    started: list[subprocess.Popen[bytes]] = []

    def reply(body: dict[str, Any]) -> str:
        if len(server.asked) == 2:  # while the second passage is read
            os.kill(started[0].pid, signal.SIGKILL)
        return stating(TRUE)

    with model_server(reply) as server:
        with opened(path, server.base_url) as archive:
            archive.add(talk)
        started.append(subprocess.Popen([sys.executable, "-c", script, str(path), server.base_url]))
        assert started[0].wait(60) == -signal.SIGKILL
        with opened(path, server.base_url) as archive:
            (recording,) = archive.recordings()
            known = archive.store.graph.knowledge(recording.id)
            assert known is not None and known.read == (0,)
            assert archive.graph.extract().passages == 2
            assert read(archive) == [("valve", "improves", "pump")]
    assert len(server.asked) == 4  # only the interrupted passage is sent again


def test_without_a_model_it_says_what_to_set(tmp_path: Path) -> None:
    archive = onrecord.open(tmp_path / "a.db", embedding={"model": "hashing"}, reader=None)
    with pytest.raises(InputError, match=r"llm\.model"):
        archive.graph.extract()


def test_the_command_reads_and_says_what_it_cost(tmp_path: Path, talk: Path, monkeypatch: Any) -> None:
    with model_server(stating(TRUE)) as server:
        with opened(tmp_path / "a.db", server.base_url) as archive:
            archive.add(talk)
        monkeypatch.setenv("ONRECORD_LLM__MODEL", "small")
        monkeypatch.setenv("ONRECORD_LLM__BASE_URL", server.base_url)
        run = CliRunner().invoke(
            main, ["graph", "build", "--with-model", "--json", "--archive", str(tmp_path / "a.db")]
        )
        assert run.exit_code == 0, run.output
        usage = json.loads(run.stdout)["model"]
        assert (usage["passages"], usage["left"], usage["calls"]) == (3, 0, 3)
