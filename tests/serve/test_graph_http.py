"""The graph over HTTP."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

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


def test_causes_and_what_is_similar(tmp_path: Path) -> None:
    import onrecord
    from onrecord.serve.http import Tenants, create_app

    (tmp_path / "works.md").write_text(
        "Ann Lee: The drought caused a shortage of wheat.\n\n"
        "Bo Lund: The shortage led to a strike.\n\n"
        "Cy Moreau: The strike led to a delay. The harbour is closed.\n"
    )
    with onrecord.open(tmp_path / "a.db", embedding={"model": "hashing"}) as archive:
        archive.add(tmp_path / "works.md")
        client = TestClient(create_app(Tenants(("default",), lambda name: archive)))
        chains = client.get("/api/graph/causes", params={"name": "delay", "origin": "shortage"}).json()[
            "paths"
        ]
        assert [step["subject"] for step in chains[0]["steps"]] == ["shortage", "strike"], chains
        assert all(step["quotes"] for step in chains[0]["steps"])
        similar = client.get("/api/graph/similar", params={"name": "strike"}).json()["similar"]
        assert all(edge["inferred"] and 0 < edge["strength"] <= 1 for edge in similar)


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
def test_what_cannot_be_is_told(client: TestClient, address: str, status: int) -> None:
    reply = client.get(f"/api/graph/{address}")
    assert (reply.status_code, bool(reply.json()["error"]["message"])) == (status, True), reply.text


def test_paths_of_this_machine_stay_here(tmp_path: Path) -> None:
    import onrecord
    from onrecord.serve.http import Tenants, create_app

    (tmp_path / "tape.mp3").write_bytes(b"sound")
    talk = "---\nmedia: tape.mp3\n---\n\nAnn [0:01]: The freight of kites was dear.\n"
    (tmp_path / "tape.md").write_text(talk)
    with onrecord.open(tmp_path / "a.db", embedding={"model": "hashing"}) as archive:
        archive.add(tmp_path / "tape.md")
        client = TestClient(create_app(Tenants(("default",), lambda name: archive)))
        told = client.get("/api/graph/about", params={"name": "kites"})
    assert told.json()["quotes"] and str(tmp_path) not in told.text
    assert told.json()["quotes"][0]["link"].startswith("/api/recordings/")
