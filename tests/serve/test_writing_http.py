"""Adding, editing, renaming, removing and restoring recordings over HTTP, and who may do it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from onrecord.serve.http import Tenants
from onrecord.serve.http.guard import LOOPBACK
from onrecord.settings import Server
from server_world import World, free_of_paths

HOST = "http://localhost:8000"
TALK = b"---\ntitle: Kites\n---\n\nAnn: The kite flew over the harbour wall.\n\nBob: It was a red kite.\n"
FEED = """<?xml version="1.0"?><rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel>
<title>Night ferry</title>{items}</channel></rss>"""
ITEM = """<item><title>Episode {n}</title><guid>e{n}</guid><description>Kites</description>
<podcast:transcript url="{url}" type="text/vtt"/></item>"""
THINGS = (
    "ketch dory sloop yawl punt wherry barge trawler lugger cutter coracle lighter tender schooner".split()
)


class Small(World):
    """Archives with two short talks in each of two workspaces."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.llm, self.opened = folder, {}, {}
        for name in ("one", "two"):
            for talk in ("tide", "moon"):
                (folder / f"{talk}-{name}.txt").write_text(f"Mara Lind: The {talk} rose.\n\nCy: It fell.\n")
            with self.open(name) as archive:
                archive.add(*sorted(folder.glob(f"*-{name}.txt")))
        self.tenants = Tenants(("one", "two"), self.open)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return Small(tmp_path)


@pytest.fixture
def local(world: World) -> Iterator[TestClient]:
    """Yield a client on the machine of a server that has no keys."""
    app = world.app(Server(rate=""), hosts=LOOPBACK)
    with TestClient(app, base_url=HOST, client=("127.0.0.1", 5), raise_server_exceptions=False) as client:
        yield client


def add(client: TestClient, name: str = "kites.md", content: bytes = TALK, **options: Any) -> Any:
    """Send a file to `POST /api/recordings`."""
    return client.post("/api/recordings", params={"name": name, **options}, content=content)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"name": "talk.mp3"}, "talk.mp3: audio or video: transcribe it and add the transcript"),
        ({"name": "talk.vtt", "date": "2024-99"}, "date must be a date such as 2024-03-05"),
        ({"name": "talk.vtt", "link": "foo"}, "the detail link=foo: expected an address"),
        ({"address": "ftp://example.org/feed.xml"}, "address must begin with http:// or https://"),
    ],
    ids=str,
)
def test_what_cannot_be_added_is_reported_by_its_own_name(
    local: TestClient, asked: Any, expected: str
) -> None:
    """The error names the file or the field that is wrong."""
    message = local.post("/api/recordings", params=asked, content=b"ID3\4").json()["error"]["message"]
    assert message.startswith(expected)


def titles(client: TestClient) -> list[str]:
    """Return the titles of the recordings."""
    return [r["title"] for r in client.get("/api/recordings").json()["recordings"]]


# ---------------------------------------------------------------- permissions


def test_whoever_is_at_this_machine_may_write(local: TestClient) -> None:
    assert "write" in local.get("/api/recordings").json()["rights"]
    assert add(local).status_code == 201
    (added,) = add(local).json()["unchanged"]
    assert local.patch(f"/api/recordings/{added['id']}", json={"title": "Red kites"}).status_code == 200
    assert "Red kites" in titles(local)


@pytest.mark.parametrize(
    ("headers", "client", "settings", "status"),
    [
        ({"origin": "https://evil.example"}, "127.0.0.1", {}, 403),
        ({"origin": "null"}, "127.0.0.1", {}, 403),
        ({"origin": HOST}, "127.0.0.1", {}, 201),
        ({"origin": "https://a.example"}, "127.0.0.1", {"origins": ("https://a.example",)}, 403),
        ({"x-forwarded-for": "203.0.113.7"}, "127.0.0.1", {}, 403),
        ({"via": "1.1 proxy"}, "127.0.0.1", {}, 403),
        ({}, "192.168.0.7", {}, 403),
        ({}, "127.0.0.1", {"local_writes": False}, 403),
        ({"host": "evil.example"}, "127.0.0.1", {}, 421),
    ],
    ids=str,
)
def test_nobody_else_may_without_a_key(
    world: World, headers: dict[str, str], client: str, settings: dict[str, Any], status: int
) -> None:
    """Without keys, writes from other origins, proxies and machines are refused."""
    app = world.app(Server(rate="", **settings), hosts=LOOPBACK)
    asking = TestClient(app, base_url=HOST, client=(client, 5), headers=headers)
    assert add(asking).status_code == status
    if status == 403:
        body = {"speaker": "Mara Lind", "name": "Eve"}
        assert asking.post("/api/speakers/rename", json=body).status_code == 403
    readable = TestClient(app, base_url=HOST, client=(client, 5)).get("/api/recordings").json()
    assert ("Kites" in [r["title"] for r in readable["recordings"]]) == (status == 201)


WRITES = [
    ("POST", "/api/recordings?name=a.txt", {"content": b"Ann: Hello there."}),
    ("PATCH", "/api/recordings/{id}", {"json": {"title": "x"}}),
    ("DELETE", "/api/recordings/{id}", {}),
    ("POST", "/api/recordings/{id}/restore", {}),
    ("POST", "/api/speakers/rename", {"json": {"speaker": "a", "name": "b"}}),
]


@pytest.mark.parametrize(("method", "address", "sent"), WRITES, ids=str)
def test_a_key_needs_the_right_and_the_workspace(
    world: World, method: str, address: str, sent: dict[str, Any]
) -> None:
    keys, secrets = world.keys(one=("read",), two_writer=("read", "write"))
    asking = TestClient(world.app(Server(rate=""), keys), raise_server_exceptions=False)
    with world.open("one") as one:
        path = address.format(id=one.recordings()[0].id)
    for who, status in (("one", {403}), ("two_writer", {404} if "{id}" in address else {201, 404})):
        headers = {"Authorization": f"Bearer {secrets[who]}"}
        assert asking.request(method, path, headers=headers, **sent).status_code in status
    assert asking.request(method, path, **sent).status_code == 401
    with world.open("one") as one:
        assert len(one.recordings()) == 2 and one.recordings()[0].title != "x"


# ---------------------------------------------------------------- adding


def lines(reply: Any) -> list[dict[str, Any]]:
    """Return the JSON values of a reply of JSON lines."""
    return [json.loads(line) for line in reply.text.splitlines()]


def test_progress_is_reported_step_by_step(local: TestClient, world: World) -> None:
    accept = {"accept": "application/x-ndjson"}
    reply = local.post("/api/recordings?name=kites.md", content=TALK, headers=accept)
    assert reply.headers["content-type"] == "application/x-ndjson"
    *steps, last = lines(reply)
    assert [step["progress"]["done"] for step in steps] == [0, 1] and steps[0]["progress"][
        "name"
    ] == "kites.md"
    assert [r["title"] for r in last["added"]] == ["Kites"]
    broken = local.post("/api/recordings?name=a.vtt", content=b"\x00\x01", headers=accept)
    assert lines(broken)[-1]["error"]["code"] and free_of_paths(broken.text + reply.text, world.folder)
    misnamed = local.post("/api/recordings?name=..", content=TALK, headers=accept)
    assert misnamed.status_code == 400


def test_a_feed_is_added_and_nothing_is_fetched_unless_it_is_wanted(local: TestClient, world: World) -> None:
    here = "http://127.0.0.1:9/a.vtt"
    feed = FEED.format(items="".join(ITEM.format(n=n, url=here) for n in (1, 2))).encode()
    reply = add(local, "feed.xml", feed)
    assert reply.status_code == 400 and ": fetch=true downloads it" in reply.json()["error"]["message"]
    response = add(local, "feed.xml", feed, fetch="true").json()
    assert len(response["refused"]) == 2
    assert all("must not, be fetched" in each["message"] for each in response["refused"])
    assert free_of_paths(json.dumps(response), world.folder)


def test_files_of_one_name_in_two_folders_are_two_recordings(local: TestClient) -> None:
    first = add(local, "spring/captions.md").json()["added"][0]["id"]
    other = add(local, "autumn/captions.md", b"Bo: The boats stayed in.\n").json()["added"][0]["id"]
    assert other != first
    again = add(local, "../spring\\captions.md", TALK + b"\nAnn: And one more thing.\n").json()
    assert [changed["id"] for changed in again["changed"]] == [first]


def test_what_a_file_replaces_is_reported_without_its_folder(local: TestClient, world: World) -> None:
    """A note on a duplicate names the file without its folder on the server."""
    words = " ".join(f"The {thing} lay off the harbour wall until the tide came in." for thing in THINGS)
    (world.folder / "plain.txt").write_text(f"{words}\n")
    with world.open("one") as archive:
        archive.add(world.folder / "plain.txt")
    response = add(local, "named.md", f"Ann Bell [0:05]: {words}\n".encode(), workspace="one").json()
    assert response["notes"] == [f"plain.txt: the same words as {response['added'][0]['id']}, which is kept"]


def test_a_feed_with_several_troubles_names_each(local: TestClient) -> None:
    urls = ("https://a.example/one.vtt", "beside.vtt")
    feed = FEED.format(items="".join(ITEM.format(n=n, url=url) for n, url in enumerate(urls))).encode()
    reply = add(local, "feed.xml", feed)
    assert reply.status_code == 200 and "beside.vtt" in reply.json()["refused"][0]["message"]
    assert ": fetch=true downloads it" in reply.json()["skipped"][0]["message"]


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/a.vtt", "http://[::1]/feed.xml", "http://10.0.0.1/"])
def test_no_address_of_this_network_is_fetched(local: TestClient, address: str) -> None:
    """Addresses of this machine or a private network are not fetched."""
    reply = local.post("/api/recordings", params={"address": address})
    assert reply.status_code == 422 and "must not, be fetched" in reply.text
    assert local.post("/api/recordings", params={"address": "file:///etc/passwd"}).status_code == 400
    both = local.post("/api/recordings", params={"address": address, "name": "a.txt"})
    assert both.status_code == 400


# ---------------------------------------------------------------- editing


def test_details_are_edited(local: TestClient) -> None:
    known = add(local).json()["added"][0]["id"]
    body = {
        "date": "2024-05",
        "people": ["Ann Lee", "Bob"],
        "tags": ["kites", "wind"],
        "link": "https://a.example/",
    }
    edited = local.patch(f"/api/recordings/{known}", json={**body, "attributes": {"show": "Harbour"}}).json()
    assert edited["attributes"] == {"tags": "kites; wind", "show": "Harbour"}
    assert (edited["date"], edited["people"], edited["title"]) == ("2024-05", ["Ann Lee", "Bob"], "Kites")
    cleared = local.patch(
        f"/api/recordings/{known}", json={"date": None, "attributes": {"show": None}}
    ).json()
    assert cleared["date"] is None and cleared["attributes"] == {"tags": "kites; wind"}
    scope = {"attributes": {"tags": "wind"}}
    moments = local.post("/api/search", json={"words": "kite", "scope": scope}).json()["moments"]
    assert {moment["recording"] for moment in moments} == {known}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "name what is to be changed"),
        ({"titel": "x"}, "did you mean 'title'"),
        ({"date": "someday"}, "date must be a date"),
        ({"link": "javascript:alert(1)"}, "https://"),
        ({"attributes": {"media": "/etc/passwd.mp3"}}, "'media' is not an attribute"),
        ({"attributes": {" Media ": "https://example.org/tape.mp3"}}, "' Media ' is not an attribute"),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused(local: TestClient, body: dict[str, Any], message: str) -> None:
    known = add(local).json()["added"][0]["id"]
    reply = local.patch(f"/api/recordings/{known}", json=body)
    assert reply.status_code == 400 and message in reply.json()["error"]["message"]
    assert local.patch("/api/recordings/nowhere", json={"title": "x"}).status_code == 404


def test_a_speaker_is_renamed(local: TestClient) -> None:
    changed = local.post("/api/speakers/rename", json={"speaker": "Mara Lind", "name": "Mara L."}).json()
    assert len(changed["changed"]) == 2 and all("Mara L." in r["speakers"] for r in changed["changed"])
    one = changed["changed"][0]["id"]
    body = {"speaker": "Mara L.", "name": "M", "recordings": [one]}
    assert len(local.post("/api/speakers/rename", json=body).json()["changed"]) == 1
    assert local.post("/api/speakers/rename", json={"speaker": "Nobody", "name": "M"}).status_code == 404


# ---------------------------------------------------------------- removing and restoring


def test_what_was_removed_comes_back(local: TestClient) -> None:
    known = add(local).json()["added"][0]["id"]
    before = local.get(f"/api/recordings/{known}/transcript").json()
    assert local.delete(f"/api/recordings/{known}?undo=60").json() == {"removed": known}
    assert "Kites" not in titles(local)
    assert local.post(f"/api/recordings/{known}/restore").json()["id"] == known
    assert local.get(f"/api/recordings/{known}/transcript").json() == before
    assert local.post(f"/api/recordings/{known}/restore").status_code == 404


def test_nothing_is_kept_unless_it_is_wanted_and_not_for_longer(local: TestClient) -> None:
    """A removed recording can be restored only with `undo`, and only for that many seconds."""
    known = add(local).json()["added"][0]["id"]
    local.delete(f"/api/recordings/{known}")
    assert local.post(f"/api/recordings/{known}/restore").status_code == 404
    add(local)
    local.delete(f"/api/recordings/{known}?undo=0.05")
    time.sleep(0.3)
    assert local.post(f"/api/recordings/{known}/restore").status_code == 404
    add(local)
    assert local.delete(f"/api/recordings/{known}?undo=99999").status_code == 400
