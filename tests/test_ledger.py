"""The costs of answers and embeddings: kept by day and workspace, and shown in every interface."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

import onrecord
from model_server import model_server
from onrecord.archive import Archive
from onrecord.models.double import HashingEmbedder
from onrecord.serve.cli import main
from onrecord.serve.http import Tenants, create_app
from onrecord.stores.ledger import Tally, add_up
from onrecord.stores.memory import MemoryStore
from onrecord.types import FaqEntry
from server_world import EXAMPLES, World

WHY = "Why did margins fall?"
NOWHERE = "Who won the chess world cup on Saturn?"
DRAFT = (
    "The tariff on imported aluminium frames went from six to twenty-five percent [Source 1]. "
    "The company was sold for 99 billion dollars [Source 1]."
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a new archive."""
    return tmp_path / "talks.db"


def opened(path: Path, **settings: object) -> Archive:
    """Open the archive with the hashing embedder."""
    return onrecord.open(path, embedding={"model": "hashing"}, **settings)


class Metered(HashingEmbedder):
    """An embedder that counts one token for each text, like paid servers report."""

    tokens = 0

    def embed(self, texts: Sequence[str]):  # type: ignore[no-untyped-def]
        self.tokens += len(texts)
        return super().embed(texts)

    def spent(self) -> int:
        spent, self.tokens = self.tokens, 0
        return spent


def test_answers_are_counted_by_strategy_and_verdict_whoever_asks_next(path: Path) -> None:
    """Answers are counted by strategy and verdict, and the counts persist.

    Other workspaces do not see them.
    """
    with opened(path) as archive:
        archive.add(EXAMPLES)
        archive.ask(WHY)
        archive.ask(WHY)
        archive.ask(WHY, "direct")
        archive.ask(NOWHERE)
    with opened(path) as archive:
        by_strategy = {(one.strategy, one.verdict): one for one in archive.ledger.tallies()}
    again = by_strategy["auto", "answered"]
    assert (again.asked, again.remembered, again.written, again.calls) == (2, 1, 0, 0)
    assert again.seconds > 0 and again.squares > 0
    assert by_strategy["direct", "answered"].asked == by_strategy["auto", "nothing_found"].asked == 1
    with opened(path, workspace="other") as other:
        assert other.ledger.tallies() == []


def test_what_a_model_writes_costs_and_what_of_it_is_shown(path: Path) -> None:
    """Tokens, money and withheld sentences of written answers are counted."""

    def reply(body: dict[str, object]) -> str:
        return '{"verdicts": []}' if "tools" in body or "response_format" in body else DRAFT

    with model_server(reply) as server:
        llm = {"model": "small", "base_url": server.base_url, "prompt_price": 2.0, "completion_price": 3.0}
        with opened(path, llm=llm, strategy="balanced") as archive:
            archive.add(EXAMPLES)
            answer = archive.ask(WHY)
            (tally,) = archive.ledger.tallies()
    assert (tally.written, tally.sentences, tally.withheld) == (1, 1, 1)
    assert tally.calls == len(answer.calls) > 0
    assert tally.prompt_tokens == sum(call.prompt_tokens for call in answer.calls) > 0
    assert tally.money == pytest.approx(sum(call.money for call in answer.calls)) and tally.money > 0


def test_a_sentence_left_out_is_not_counted_as_marked_because_others_have_its_words(path: Path) -> None:
    """A doubtful sentence without a mark is withheld, even if its words stand in the answer."""
    draft = "The tariff on imported aluminium frames went from six to twenty-five percent [Source 1]. "
    draft += "The tariff on imported aluminium frames [Source 77]."
    with model_server(lambda body: draft) as server:
        llm = {"model": "small", "base_url": server.base_url, "roles": {"check": "off"}}
        with opened(path, llm=llm, strategy="balanced") as archive:
            archive.add(EXAMPLES)
            assert len(archive.ask(WHY).unsupported) == 1
            (tally,) = archive.ledger.tallies()
    assert (tally.written, tally.sentences, tally.marked, tally.withheld) == (1, 1, 0, 1)


def test_embedding_is_counted_when_it_is_paid_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Embedding tokens are counted, and their price if one is set."""
    monkeypatch.setattr("onrecord.archive.models.open_embedder", lambda *_, **__: Metered())
    with opened(path) as archive:
        archive.add(EXAMPLES)
        passages = archive.stats()["passages"]
        (adding,) = archive.ledger.tallies()
        assert (adding.strategy, adding.asked) == ("", 0) and adding.embedded_tokens >= passages
        archive.ask(WHY)
        assert sum(one.embedded_tokens for one in archive.ledger.tallies()) > adding.embedded_tokens
    price = {"model": "hashing", "price": 1_000_000}
    with onrecord.open(path, embedding=price) as archive:
        archive.ask("What about freight from Kaohsiung?")
        assert any(one.embedded_money >= 1 for one in archive.ledger.tallies())


def test_all_embedding_is_counted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new embedding, changes of names and the FAQ are counted, at the latest when the archive is closed."""
    monkeypatch.setattr("onrecord.archive.models.open_embedder", lambda *_, **__: Metered())

    def counted() -> int:
        with opened(path) as archive:
            return sum(one.embedded_tokens for one in archive.ledger.tallies())

    with opened(path) as archive:
        archive.add(EXAMPLES)
        passages = archive.stats()["passages"]
    added = counted()
    with opened(path) as archive:
        archive.embed(again=True)
    assert counted() == added + passages
    with opened(path) as archive:
        archive.faq.store.put([FaqEntry("hours", "How late?", "Until six.")])
        archive.faq.promote("hours")
    assert counted() == added + passages + 1
    with opened(path) as archive:
        changed = archive.rename(archive.recordings()[0].speakers[0], "Zoe Quill")
    assert counted() > added + passages + 1 and changed


def test_what_is_not_to_be_counted_is_not(path: Path) -> None:
    """Nothing is counted with ``account=False``, in memory, or for a missing archive.

    A question does not create an archive file.
    """
    with opened(path, account=False) as archive:
        archive.add(EXAMPLES)
        archive.ask(WHY)
        assert archive.ledger.tallies() == []
    with opened(path.with_name("empty.db")) as archive:
        archive.ask(WHY)
    assert not path.with_name("empty.db").exists(), "asking makes no archive"
    memory = Archive(MemoryStore())
    memory.ask(WHY)
    assert memory.ledger.tallies() == memory.ledger.feedback() == []


def test_costs_at_the_command_line_and_over_http(tmp_path: Path) -> None:
    """The command line and HTTP report the same costs."""
    world = World(tmp_path)
    client = TestClient(world.app())
    client.post("/api/ask", json={"question": WHY})
    client.post("/api/ask", json={"question": NOWHERE})
    (day,) = client.get("/api/costs").json()["answers"]
    assert (day["asked"], day["refused"], day["refusal_rate"], day["money"]) == (2, 1, 0.5, 0)
    run = CliRunner(env={"ONRECORD_EMBEDDING__MODEL": "hashing"})
    place = ("--archive", str(tmp_path / "talks.db"), "--workspace", "one")
    costs = json.loads(run.invoke(main, ["stats", "--costs", "--json", *place]).stdout)
    assert costs["answers"] == [day] and costs["currency"] == "USD" and costs["faq"] == []
    head, line = run.invoke(main, ["stats", "--costs", *place]).stdout.splitlines()
    assert head.split()[:3] == ["day", "asked", "refused"] and line.split()[1:3] == ["2", "50.0%"]


def test_only_who_may_see_metrics_sees_costs(tmp_path: Path) -> None:
    """Costs require a key with the ``metrics`` right."""
    world = World(tmp_path)
    keys, secrets = world.keys(one=("read",), two=("metrics",))
    client = TestClient(create_app(Tenants(("one", "two"), world.open), keys=keys))
    for name, status in (("one", 403), ("two", 200)):
        assert client.get("/api/costs", headers={"X-API-Key": secrets[name]}).status_code == status


def test_quality_is_exported(tmp_path: Path) -> None:
    """Prometheus metrics include cached answers, written answers and sentences."""
    client = TestClient(World(tmp_path).app())
    client.post("/api/ask", json={"question": WHY})
    client.post("/api/ask", json={"question": WHY})
    metrics = client.get("/metrics").text
    assert (
        "onrecord_answers_remembered_total 1.0" in metrics and "onrecord_answers_written_total 0.0" in metrics
    )
    assert 'onrecord_sentences_total{kind="marked"} 0.0' in metrics


days = st.sampled_from(["2024-11-01", "2024-11-02"])
tallies = st.builds(
    Tally,
    days,
    st.sampled_from("ab"),
    st.sampled_from("xy"),
    st.booleans(),
    st.integers(0, 9),
    money=st.just(0.5),
)


@given(st.lists(tallies), st.lists(tallies))
def test_adding_up_keeps_every_sum_and_each_key_once(one: list[Tally], other: list[Tally]) -> None:
    """Tallies can be added up in steps; each key occurs once, in order."""
    whole = add_up([*one, *other])
    assert add_up([*add_up(one), *add_up(other)]) == whole
    assert sum(tally.asked for tally in whole) == sum(tally.asked for tally in [*one, *other])
    keys = [(t.day, t.strategy, t.verdict, t.trial) for t in whole]
    assert keys == sorted(set(keys))
