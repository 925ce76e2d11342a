"""The graph routes: entities, relations, timelines, paths, aliases and citations of relations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from httpx import Response
from starlette.testclient import TestClient

import onrecord
from model_server import model_server
from onrecord.serve.cli import main
from onrecord.serve.http import Tenants, create_app
from server_world import World, free_of_paths


@pytest.fixture(scope="module")
def client(world: World) -> TestClient:
    return TestClient(world.app(), raise_server_exceptions=False)


def test_what_surrounds_something(client: TestClient, world: World) -> None:
    about = client.get("/api/graph/about", params={"name": "freight", "most": 3}).json()
    assert about["entity"]["name"] == "freight" and about["entity"]["recordings"] == 2
    assert {voice["speaker"] for voice in about["voices"]} == {"Brendan Kelly", "Tobias Brandt"}
    edges = [*about["relations"], *about["together"]]
    assert edges and all(quote["text"] for edge in edges for quote in edge["quotes"])
    known = {r["id"] for r in client.get("/api/recordings").json()["recordings"]}
    assert {quote["recording"] for edge in edges for quote in edge["quotes"]} <= known
    assert free_of_paths(str(about), world.folder)


def test_over_time_and_between(client: TestClient) -> None:
    points = client.get("/api/graph/timeline", params={"name": "tariff", "by": "year"}).json()["points"]
    assert [point["period"] for point in points] == ["2024"] and sum(points[0]["speakers"].values()) > 1
    asked = {"one": "Brendan Kelly", "other": "freight", "steps": 1}
    first = client.get("/api/graph/between", params=asked).json()["paths"][0]["steps"][0]
    assert first["relation"] == "speaks of" and "freight" in first["quotes"][0]["text"]
    concepts = client.get("/api/graph/concepts", params={"most": 5}).json()["concepts"]
    assert len(concepts) == 5 and all(each["quotes"] for each in concepts)
    pair = {"name": ["Brendan Kelly", "Tobias Brandt"]}
    assert client.get("/api/graph/common", params=pair).json()["shared"]


def test_names_are_made_one_and_two_again(tmp_path: Path) -> None:
    """Names can be merged, split and given aliases with the right `write`."""
    world = World(tmp_path)
    keys, secrets = world.keys(one_w=("read", "write"), one_r=("read",))
    client = TestClient(world.app(keys=keys), raise_server_exceptions=False)

    def post(path: str, who: str = "one_w", **body: str) -> Response:
        headers = {"Authorization": f"Bearer {secrets[who]}"}
        return client.post(f"/api/graph/{path}", json=body, headers=headers)

    def aliases(name: str) -> dict[str, float]:
        headers = {"Authorization": f"Bearer {secrets['one_r']}"}
        rows = client.get("/api/graph/aliases", params={"name": name}, headers=headers).json()["aliases"]
        return {row["alias"]: row["score"] for row in rows}

    merged = post("merge", name="tariff", into="freight", reason="both are costs")
    assert merged.json() == {**merged.json(), "alias": "tariff", "entity": "freight", "score": 1.0}
    assert merged.json()["reason"] == "both are costs" and aliases("freight")["tariff"] == 1.0
    assert post("split", name="tariff", off="freight").status_code == 200
    assert aliases("freight").get("tariff", 0) == 0
    assert post("alias", name="cargo rate", of="freight").json()["alias"] == "cargo rate"
    assert aliases("freight")["cargo rate"] == 1.0
    assert post("merge", name="nobody's word", into="freight").status_code == 404
    assert post("split", name="tariff", off="welder").status_code == 400
    assert post("merge", who="one_r", name="tariff", into="freight").status_code == 403


TALK = (
    "Ann Lee: The drought caused a shortage of wheat.\n\n"
    "Bo Lund: The shortage led to a strike.\n\n"
    "Cy Moreau: The strike led to a delay. The harbour is closed.\n"
)


@pytest.fixture
def works(tmp_path: Path) -> Path:
    """Return a transcript whose speakers state a chain of causes."""
    file = tmp_path / "works.md"
    file.write_text(TALK)
    return file


def test_causes_and_what_is_similar(works: Path) -> None:
    with onrecord.open(works.with_suffix(".db"), embedding={"model": "hashing"}) as archive:
        archive.add(works)
        client = TestClient(create_app(Tenants(("default",), lambda name: archive)))
        asked = {"name": "delay", "origin": "shortage"}
        chains = client.get("/api/graph/causes", params=asked).json()["paths"]
        assert [step["subject"] for step in chains[0]["steps"]] == ["shortage", "strike"], chains
        assert all(step["quotes"] for step in chains[0]["steps"])
        similar = client.get("/api/graph/similar", params={"name": "strike"}).json()["similar"]
        assert all(edge["inferred"] and 0 < edge["strength"] <= 1 for edge in similar)


def test_what_is_right_too_seldom_is_shown_when_asked_for(tmp_path: Path) -> None:
    """Relations of low precision are returned only with `unsure`."""
    (tmp_path / "valves.md").write_text("Ann Lee: I like the pumps. The valves improved the pumps.\n")
    with onrecord.open(tmp_path / "a.db", embedding={"model": "hashing"}) as archive:
        archive.add(tmp_path / "valves.md")
        client = TestClient(create_app(Tenants(("default",), lambda name: archive)))
        asked = {"name": "pumps"}
        assert client.get("/api/graph/about", params=asked).json()["relations"] == []
        (edge,) = client.get("/api/graph/about", params={**asked, "unsure": True}).json()["relations"]
        assert (edge["subject"], edge["relation"]) == ("valves", "improves")
        shown = CliRunner().invoke(
            main, ["graph", "about", "pumps", "--unsure", "--archive", str(tmp_path / "a.db")]
        )
        assert "valves improves pumps" in shown.stdout


@pytest.mark.parametrize("with_model", [False, True])
def test_answers_cite_what_the_graph_knows(works: Path, with_model: bool) -> None:
    """An answer from the graph cites the quote of each relation, with and without a model."""
    with model_server("Nobody knows. [9]") as model:
        llm = {"model": "small", "base_url": model.base_url} if with_model else {}
        settings = {"embedding": {"model": "hashing"}, "reader": None, "llm": llm}
        with onrecord.open(works.with_suffix(".db"), **settings) as archive:
            archive.add(works)
            client = TestClient(create_app(Tenants(("default",), lambda name: archive)))
            asked = {"question": "What led to the delay?"}
            by_http = client.post("/api/ask", json=asked).json()["citations"]
            chat = {"model": "onrecord", "messages": [{"role": "user", "content": asked["question"]}]}
            by_chat = client.post("/v1/chat/completions", json=chat).json()["onrecord"]["sources"]
            options = ["--archive", str(works.with_suffix(".db")), "--json"]
            from_terminal = json.loads(CliRunner().invoke(main, ["ask", asked["question"], *options]).stdout)
        drought = {
            "type": "relation",
            "entity": "drought",
            "relation": "causes",
            "object": "shortage",
            "description": "drought causes shortage.",
        }
        for citations in (by_http, by_chat, from_terminal["citations"]):
            assert citations[0]["graph"] == drought
            assert "drought caused a shortage" in citations[0]["quote"]
            assert [each["graph"]["entity"] for each in citations] == ["drought", "shortage", "strike"]
        assert by_http[0]["passages"] == [0] and by_http[0]["recording"]["id"]
        assert f"drought causes shortage. [1]\nAnn Lee: “{by_http[0]['quote']}”" in from_terminal["text"]


def test_an_explanation_shows_which_edges_raised_which_passages(works: Path) -> None:
    """The trace has the edges at every door, each time, but only for a question that asks to explain."""
    asked, path = {"question": "What led to the delay?"}, works.with_suffix(".db")
    with onrecord.open(path, embedding={"model": "hashing"}, reader=None) as archive:
        archive.add(works)
        client = TestClient(create_app(Tenants(("default",), lambda name: archive)))
        plain, explained, again = (
            client.post("/api/ask", json={**asked, **explain}).json()["trace"]
            for explain in ({}, {"explain": True}, {"explain": True})
        )
        found = archive.ask(**asked, explain=True).evidence.trace
    assert not any("raised" in step for step in plain)
    (raised, *_) = explained[0]["raised"]
    assert explained[0]["raised"] == again[0]["raised"] and len(found[0].raised) == len(again[0]["raised"])
    assert (raised["position"], raised["place"], raised["without"]) == (0, 1, None)
    assert raised["edges"][0]["source"]["description"] == "drought causes shortage."

    def shown(*words: str) -> str:
        return CliRunner().invoke(main, ["ask", asked["question"], *words, "--archive", str(path)]).stdout

    assert json.loads(shown("--json", "--explain"))["trace"][0]["raised"][0]["edges"]
    assert "raised" not in shown("--json")
    text = shown("--explain")
    assert "    raised Works, passage 1, to place 1, found by the graph alone\n      drought causes" in text


def test_a_search_of_entries_explains_what_rose(tmp_path: Path) -> None:
    """Passages of entries name the edges over which they rose, over HTTP and in the terminal."""
    pages = {
        "Hello Harbour": "Hello Harbour is a song by Hank Oster.",
        "Hank Oster": "He lived in Vellmark.",
        "Vellmark": "It has eleven bakeries.",
        "Soup": "The town where the singer lived is known for soup.",
        "Tarn": "A town known for where the singer lived.",
    }
    for title, text in pages.items():
        (tmp_path / f"{title}.md").write_text(f"---\ntitle: {title}\n---\n\n{text}\n")
    words = "What is the town where the Hello Harbour singer lived known for?"
    path = tmp_path / "a.db"
    with onrecord.open(path, embedding={"model": "hashing"}, reader=None) as archive:
        archive.add(tmp_path)
        client = TestClient(create_app(Tenants(("default",), lambda name: archive)))
        steps = client.post("/api/search", json={"words": words, "explain": True}).json()["trace"]
    (raised,) = (each for step in steps for each in step.get("raised", ()))
    assert raised["title"] == "Hello Harbour" and raised["place"] < raised["without"]
    said = [edge["source"]["description"] for edge in raised["edges"]]
    assert said[0] == "mentions Hello Harbour, which the question names"
    assert said[1] == "mentions Hank Oster, as does Hank Oster, passage 1"
    assert raised["edges"][0]["via"] is None and raised["edges"][1]["via"][1] == 0
    shown = CliRunner().invoke(main, ["search", words, "--explain", "--json", "--archive", str(path)]).stdout
    assert any(said[0] in line for line in json.loads(shown)["trace"])


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("about?name=submarine", 404),
        ("about?name=%20", 400),
        ("about", 400),
        ("timeline?name=tariff&by=hour", 400),
        ("between?one=freight", 400),
        ("common?name=freight", 400),
        ("about?name=freight&workspace=two", 404),
        ("about?nmae=freight", 400),
    ],
)
def test_what_cannot_be_is_reported(client: TestClient, address: str, status: int) -> None:
    """A wrong graph request gets a status and a message."""
    reply = client.get(f"/api/graph/{address}")
    assert (reply.status_code, bool(reply.json()["error"]["message"])) == (status, True), reply.text


def test_paths_of_this_machine_stay_here(tmp_path: Path) -> None:
    """Links to media contain no path of the server."""
    (tmp_path / "tape.mp3").write_bytes(b"sound")
    talk = "---\nmedia: tape.mp3\n---\n\nAnn [0:01]: The freight of kites was dear.\n"
    (tmp_path / "tape.md").write_text(talk)
    with onrecord.open(tmp_path / "a.db", embedding={"model": "hashing"}) as archive:
        archive.add(tmp_path / "tape.md")
        client = TestClient(create_app(Tenants(("default",), lambda name: archive)))
        response = client.get("/api/graph/about", params={"name": "kites"})
    assert response.json()["quotes"] and str(tmp_path) not in response.text
    assert response.json()["quotes"][0]["link"].startswith("/api/recordings/")
