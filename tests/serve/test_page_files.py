"""How the files of the page are served, and what they must not contain."""

import re
from importlib.resources import files

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from onrecord import retrieve
from onrecord.serve.page import mount

ASSETS = sorted(f.name for f in files("onrecord.serve.page").joinpath("assets").iterdir())
SCRIPTS = [name for name in ASSETS if name.endswith(".js")]


def text_of(name: str) -> str:
    """Return the text of a file of the page."""
    return files("onrecord.serve.page").joinpath("assets", name).read_text()


@pytest.fixture(scope="module")
def client() -> TestClient:
    app = Starlette()
    mount(app)
    return TestClient(app)


def test_every_stage_has_words_on_the_page() -> None:
    """The page has a description of every retrieval stage."""
    stages = {name for name in retrieve.__all__ if isinstance(getattr(retrieve, name), type)}
    stages = {name for name in stages if issubclass(getattr(retrieve, name), retrieve.Stage)}
    words = set(re.findall(r'^  (\w+): "', text_of("trace.js"), re.MULTILINE))
    assert words == stages - {"Stage", "Sequence"}


def test_the_page_is_at_the_root(client: TestClient) -> None:
    reply = client.get("/")
    assert reply.status_code == 200
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert reply.text == text_of("index.html")


@pytest.mark.parametrize("name", ASSETS)
def test_every_file_is_served_as_what_it_is(client: TestClient, name: str) -> None:
    kinds = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "html": "text/html"}
    reply = client.get(f"/page/{name}")
    assert reply.text == text_of(name)
    assert reply.headers["content-type"].startswith(kinds[name.rpartition(".")[2]])
    assert reply.headers["x-content-type-options"] == "nosniff"


def test_the_policy_lets_nothing_in_from_elsewhere_unasked(client: TestClient) -> None:
    """The content security policy allows only own files and the frames of two video players."""
    policy = dict(
        rule.split(" ", 1) for rule in client.get("/").headers["content-security-policy"].split("; ")
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-src"] == "https://www.youtube-nocookie.com https://player.vimeo.com"
    assert policy["base-uri"] == policy["form-action"] == policy["frame-ancestors"] == "'none'"
    assert policy["require-trusted-types-for"] == "'script'"
    assert not any("unsafe" in rule for rule in policy.values())


def test_the_page_is_light(client: TestClient) -> None:
    """All files of the page, compressed, are below 100,000 bytes.

    The sum includes files that are loaded only on demand.
    """
    sizes = {}
    for name in ASSETS:
        with client.stream("GET", f"/page/{name}", headers={"Accept-Encoding": "gzip"}) as reply:
            sizes[name] = len(b"".join(reply.iter_raw()))
            assert reply.headers["content-encoding"] == "gzip" and reply.headers["vary"] == "Accept-Encoding"
    assert sum(sizes.values()) < 100_000, sizes
    assert all(len(text_of(name).splitlines()) <= 400 for name in SCRIPTS)
    plain = client.get("/page/app.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers and plain.text == text_of("app.js")


def test_what_has_not_changed_is_not_sent_again(client: TestClient) -> None:
    """A request with the current ETag gets status 304."""
    first = client.get("/page/app.js")
    again = client.get("/page/app.js", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert client.get("/page/app.js", headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.parametrize(
    "name", ["nothing.js", "files.py", "../files.py", "..%2ffiles.py", "%2e%2e/__init__.py"]
)
def test_nothing_but_its_files_is_served(client: TestClient, name: str) -> None:
    assert client.get(f"/page/{name}").status_code == 404


def test_head_is_answered(client: TestClient) -> None:
    assert client.head("/").status_code == 200


def test_nothing_in_the_html_needs_inline_script_or_style() -> None:
    html = text_of("index.html")
    assert not re.search(r"\sstyle=|\son\w+=|<style|<script(?! type=\"module\" src=\"/page/)", html)


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_script_turns_text_into_markup(name: str) -> None:
    banned = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc|\beval\(|new Function"
    assert not re.search(banned, text_of(name))


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_import_only_one_another(name: str) -> None:
    imported = re.findall(r"from\s+\"([^\"]+)\"|import\s+\"([^\"]+)\"", text_of(name))
    assert {"".join(imported_name).removeprefix("./") for imported_name in imported} <= set(SCRIPTS)
