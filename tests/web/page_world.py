"""Servers for the tests of the page: archives, and a server that replays scripted answers."""

from __future__ import annotations

import json
import math
import shutil
import time
import wave
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse

import onrecord
from onrecord.archive import Archive
from onrecord.serve.http import Tenants, create_app
from onrecord.serve.http.guard import LOOPBACK
from onrecord.serve.keys import Keys, load_keys, new_key
from onrecord.serve.page import mount
from onrecord.settings import Server
from onrecord.types import FaqEntry
from server_world import EXAMPLES, running

KEY = "the-right-key"
HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=2</script>'


# ---------------------------------------------------------------- archives


def examples(folder: Path) -> Archive:
    """Return an archive of the built-in examples, one of them with a sound file."""
    talks = Path(shutil.copytree(EXAMPLES, folder / "talks"))
    tone(talks / "night-desk-41.wav", 228)
    manifest = talks / "manifest.yaml"
    link = "  link: https://www.youtube.com/watch?v=EXAMPLE0041\n"
    text = manifest.read_text()
    assert link in text
    manifest.write_text(text.replace(link, link + "  media: night-desk-41.wav\n"))
    return filled(folder / "examples.db", talks)


def filled(path: Path, *sources: Path) -> Archive:
    """Return an archive at the path, with the sources added."""
    archive = onrecord.open(path, embedding={"model": "hashing"}, make=True)
    if sources:
        assert archive.add(*sources).added
    return archive


def with_causes(folder: Path) -> Archive:
    """Return an archive of a talk that states causes and a talk that names a similar entity."""
    talk = folder / "works.md"
    talk.write_text(
        "Ann Lee: The drought caused a shortage of wheat.\n\n"
        "Bo Lund: The shortage led to a strike.\n\n"
        "Cy Moreau: The strike led to a delay. The wheat price is high.\n"
    )
    other = folder / "bakery.md"
    other.write_text("Dee Ray: We sold all of the wheat bread.\n")
    return filled(folder / "causes.db", talk, other)


def ready_answers(path: Path) -> Archive:
    """Return an archive with a FAQ and no recordings."""
    archive = filled(path)
    archive.faq.add(FaqEntry("reset", "How can I reset my password?", "Follow the mail."), live=True)
    archive.faq.add(FaqEntry("open", "When does the shop open?", "At nine."), live=True)
    return archive


def tone(path: Path, seconds: int, rate: int = 8000) -> None:
    """Write a quiet 200 Hz tone to a WAV file."""
    second = bytes(round(128 + 6 * math.sin(2 * math.pi * 200 * i / rate)) for i in range(rate))
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(1)
        file.setframerate(rate)
        file.writeframes(second * seconds)


def hostile(folder: Path) -> Archive:
    """Return an archive in which every text would run a script if the page read it as HTML."""
    words = (
        f'Why did margins fall? {HOSTILE} Margins fell "><svg onload=window.hacked=3>. '
        "[click](javascript:window.hacked=4) margins </textarea></title><script>window.hacked=5</script>"
    )
    turns = [
        {"speaker": f"Eve {HOSTILE}", "start": 1.0, "end": 9.0, "text": words},
        {"speaker": "' onmouseover='window.hacked=6", "start": 9.0, "end": 20.0, "text": f"{words} Again."},
    ]
    source = folder / "hostile.json"
    details = {"title": f"Margins {HOSTILE}", "link": f"https://example.org/?{HOSTILE}", "date": "2024-11-14"}
    source.write_text(json.dumps({"segments": turns}))
    (folder / "manifest.yaml").write_text(json.dumps([{"file": source.name, **details}]))
    return filled(folder / "hostile.db", source)


LONG = "Minutes of the extraordinary general meeting of the harbour and ferry users of the northern islands"
ARABIC = "كانت الأمواج عالية جدا في الميناء"


def strange(folder: Path) -> Archive:
    """Return an archive of unusual recordings.

    They have a long title, a title without a space, no times, no speaker, or text from right to left.
    """
    line = "The waves in the harbour were high"
    tags = "; ".join(f"harbour matter {n}" for n in range(9))
    texts = {
        "long.md": f"---\ntitle: {LONG}, {LONG.lower()}\ntags: {tags}\n---\n\n"
        f"Ann [0:01]: {line}, no ferry went.\n",
        "unbroken.md": f"---\ntitle: {'ferryharbour' * 12}\ndate: 2024\n---\n\nAnn: {line}, a metre or so.\n",
        "nobody.txt": f"{line}, two metres or more, and nobody said who spoke.\n",
        "right.md": "---\ntitle: أخبار الميناء\nlanguage: ar\n---\n\n"
        f"سلمى [0:01]: {ARABIC}.\n\nعمر [0:09]: {ARABIC} waves harbour.\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    return filled(folder / "strange.db", folder)


# ---------------------------------------------------------------- scripted answers

Part = dict[str, Any]
RECORDING = {
    "id": "talk", "title": "A talk", "date": "2024-03-05", "language": "en", "link": None, "media": None,
    "speakers": ["Ann Bell", "Bob Carr"], "seconds": 100.0, "words": 12, "passages": 2, "attributes": {},
}  # fmt: skip
WORDS = ("We went by train because it snowed.", "The train was late, and warm.")
PASSAGES = [
    {"position": 0, "speaker": "Ann Bell", "voices": [], "start": 0.0, "end": 50.0, "section": None},
    {"position": 1, "speaker": "Bob Carr", "voices": [], "start": 50.0, "end": 100.0, "section": None},
]


def evidence(**changes: Any) -> Part:
    """Return an evidence part of one recording, with changed fields."""
    recording = {
        **RECORDING,
        "unit": "seconds",
        "score": 1.0,
        "speakers": [{"name": "Ann Bell", "share": 0.7}, {"name": "Bob Carr", "share": 0.3}],
        "curve": [[0, 25, 0.2], [25, 50, 1.0], [50, 75, 0.4], [75, 100, 0.1]],
        "moments": [{"start": 25, "end": 50, "score": 1.0}, {"start": 60, "end": 80, "score": 0.4}],
        **changes,
    }
    return {"type": "data-evidence", "data": {"recordings": [recording]}}


def source(number: int, **changes: Any) -> Part:
    """Return a source part for a quote, with changed fields."""
    citation = {
        "number": number, "recording": "talk", "title": "A talk", "date": "2024-03-05", "speaker": "Ann Bell",
        "start": 10.0, "end": 20.0, "quote": WORDS[0], "confidence": 0.8, **changes,
    }  # fmt: skip
    return {
        "type": "source-document",
        "sourceId": f"source-{number}",
        "title": "A talk",
        "mediaType": "text/plain",
        "providerMetadata": {"onrecord": citation},
    }


def text_parts(text: str) -> list[Part]:
    """Return the parts that start a text and send it."""
    return [{"type": "text-start", "id": "t"}, {"type": "text-delta", "id": "t", "delta": text}]


def answer(verdict: str = "answered", heading: str = "A talk answers this.", **more: Any) -> Part:
    """Return the part that ends an answer."""
    known = {"verdict": verdict, "heading": heading, "confidence": 0.9, "notes": [], "unsupported": []}
    data = {**known, "seconds": {"total": 0.5}, "budgets": [], "calls": [], "follow_ups": [], **more}
    return {"type": "data-answer", "data": data}


def model_answer() -> list[Part]:
    """Return the parts of an answer that a language model wrote."""
    lines = ("## In short", "", "They went **by train** [1].", "", "- It *snowed* [Source 1, 2]")
    text = "\n".join((*lines, "- The train was warm [2]", "- They slept [?]"))
    call = {"role": "answer", "model": "small-1", "seconds": 0.4, "prompt_tokens": 900}
    return [
        evidence(),
        source(1),
        source(2, speaker="Bob Carr", start=55.0, end=60.0, quote=WORDS[1]),
        *text_parts(text),
        answer(
            notes=["Answered from one recording."],
            unsupported=["They all had tea."],
            budgets=[
                {"stage": "search", "limit_ms": 50, "ms": 12},
                {"stage": "total", "limit_ms": 400, "ms": 500},
            ],
            calls=[
                {**call, "completion_tokens": 80, "money": 0.002, "failure": ""},
                {**call, "role": "check", "failure": "the model did not give what it was asked for " * 4},
            ],
            follow_ups=[{"text": "Who was late?", "question": "Who was late?", "scope": {}}],
        ),
    ]


def filtered(body: Part) -> list[Part]:
    """Return an answer whose plan has filters, except those that the request removes."""
    filters = [
        {"field": "speaker", "value": "Ann Bell", "said": "Ann"},
        {"field": "since", "value": "2024-03", "said": "since March 2024"},
    ]
    remaining = [f for f in filters if f["field"] not in body.get("without", [])]
    plan = {
        "intent": "factual",
        "strategy": "balanced",
        "text": "the train",
        "filters": remaining,
        "notes": [],
    }
    return [{"type": "data-plan", "data": plan}, *model_answer()]


def hostile_parts() -> list[Part]:
    """Return an answer in which every text is an attack, as from an untrusted server."""
    bad, link = HOSTILE, "javascript:window.hacked=8"
    plan = {"intent": bad, "strategy": bad, "text": bad, "notes": [bad]}
    edge = {"source": {"description": bad}, "quote": bad}
    raised = [{"title": bad, "position": 0, "place": 1, "without": 2, "edges": [edge]}]
    step = {"stage": bad, "name": bad, "ms": 1, "taken": 1, "given": 1, "note": bad, "raised": raised}
    speakers = [{"name": bad, "share": 0.6}, {"name": "Bob Carr", "share": 0.4}]
    return [
        {"type": "data-plan", "data": {**plan, "filters": [{"field": bad, "value": bad, "said": bad}]}},
        {"type": "data-step", "data": step},
        evidence(title=bad, date=bad, link=link, media=link, speakers=speakers),
        source(1, title=bad, date=bad, speaker=bad, quote=bad, link=link, media=link),
        *text_parts(f"{bad} “{bad}” [1] **{bad}** [x]({link}) `{bad}`\n\n# {bad}\n\n- {bad}"),
        answer(
            heading=bad,
            notes=[bad],
            unsupported=[bad],
            follow_ups=[{"text": bad, "question": bad, "scope": {"speakers": [bad]}}],
            budgets=[{"stage": bad, "limit_ms": 1, "ms": 2}],
            calls=[{"role": bad, "model": bad, "seconds": 1, "failure": bad}],
        ),
    ]


def compared() -> list[Part]:
    """Return an answer that compares two speakers."""
    plan = {"intent": "comparison", "strategy": "comparison", "text": "compare", "notes": []}
    preferred = [
        {"field": "speaker", "value": name, "said": name, "exact": False} for name in ("Ann Bell", "Bob Carr")
    ]
    return [
        {"type": "data-plan", "data": {**plan, "filters": preferred}},
        evidence(),
        source(1),
        source(2, speaker="Bob Carr", start=55.0, end=60.0, quote=WORDS[1]),
        *text_parts(f"Ann Bell: “{WORDS[0]}” [1]\n\nBob Carr: “{WORDS[1]}” [2]\n\nNothing on Cy."),
        answer(notes=["One.", "Two.", "Three."], measured=True, confidence=0.83),
    ]


SCRIPTS: dict[str, Callable[[Part], list[Part]]] = {
    "model": lambda body: model_answer(),
    "filters": filtered,
    "compare": lambda body: compared(),
    "hostile": lambda body: hostile_parts(),
    "nothing": lambda body: [evidence(), *text_parts("Nothing."), answer("nothing_found", "Nothing.")],
    "low": lambda body: [
        evidence(),
        source(1),
        *text_parts(f"“{WORDS[0]}” [1]"),
        answer("low_relevance", "The nearest:"),
    ],
    "broken": lambda body: [*text_parts("It was "), {"type": "error", "errorText": "the model went away"}],
    "again": lambda body: model_answer() if AGAIN.pop("asked", None) else failing(),
}
AGAIN: dict[str, bool] = {}


def failing() -> list[Part]:
    """Return an error, and let the next request of the script "again" succeed."""
    AGAIN["asked"] = True
    return [{"type": "error", "errorText": "the archive is being written to: try again in a moment"}]


def scripted() -> Starlette:
    """Return a server that selects a script by the first word of the question."""
    app = Starlette()

    async def chat(request: Request) -> Response:
        body = await request.json()
        name = body["messages"][-1]["parts"][0]["text"].split()[0].strip(":")
        if name == "key" and request.headers.get("authorization") != f"Bearer {KEY}":
            return PlainTextResponse("a key is needed", 401)
        refused = {
            "busy": (429, "slow down"),
            "failed": (500, "the server could not do this: try again later"),
        }
        if name in refused:
            return PlainTextResponse(refused[name][1], refused[name][0])
        return StreamingResponse(stream(name, body), media_type="text/event-stream")

    def recordings(request: Request) -> Response:
        return JSONResponse({"total": 1, "recordings": [RECORDING]})

    def models(request: Request) -> Response:
        own = {"id": "onrecord", "root": "onrecord/night_desk"}
        names = ("onrecord/auto", "onrecord/direct", "onrecord/night_desk")
        return JSONResponse({"data": [own, *({"id": name} for name in names)]})

    def recording(request: Request) -> Response:
        exists = request.path_params["id"] == "talk"
        return JSONResponse(
            RECORDING if exists else {"error": {"message": "no such recording"}}, 200 if exists else 404
        )

    def transcript(request: Request) -> Response:
        spoken = [{**passage, "text": text} for passage, text in zip(PASSAGES, WORDS, strict=True)]
        return JSONResponse({"recording": RECORDING, "passages": spoken})

    app.add_route("/api/chat", chat, methods=["POST"])
    app.add_route("/v1/models", models)
    app.add_route("/api/recordings", recordings)
    app.add_route("/api/recordings/{id}", recording)
    app.add_route("/api/recordings/{id}/transcript", transcript)
    mount(app)
    return app


def stream(name: str, body: Part) -> Iterator[str]:
    """Yield the events of a script; some scripts pause or end early."""
    yield encoded({"type": "start", "messageId": "m"})
    if name == "slow":
        yield "".join(map(encoded, text_parts("One")))
        for _ in range(200):
            time.sleep(0.05)
            yield encoded({"type": "text-delta", "id": "t", "delta": " more"})
    if name == "nearest":
        near = source(1)["providerMetadata"]["onrecord"]
        yield encoded({"type": "data-nearest", "data": {"sources": [near]}, "transient": True})
        time.sleep(1.5)
    if name == "cut":
        yield "".join(map(encoded, text_parts("It was")))
        return
    yield "".join(map(encoded, SCRIPTS.get(name, SCRIPTS["model"])(body)))
    yield "data: [DONE]\n\n"


def encoded(part: Part) -> str:
    """Return a part as a server-sent event."""
    return f"data: {json.dumps(part)}\n\n"


# ---------------------------------------------------------------- servers


@contextmanager
def servers(folder: Path) -> Iterator[dict[str, str]]:
    """Run the servers; yield their addresses by name, and under "key" the key of the server with keys."""
    bad, odd = folder / "bad", folder / "odd"
    bad.mkdir()
    odd.mkdir()
    archives = {
        "examples": examples(folder),
        "causes": with_causes(folder),
        "hostile": hostile(bad),
        "strange": strange(odd),
        "empty": filled(folder / "empty.db"),
        "faq": ready_answers(folder / "faq.db"),
    }
    apps: dict[str, Starlette] = {name: served(archive) for name, archive in archives.items()}
    key = new_key(folder / "keys.yaml", "reader", "default", ("read",))
    apps["keyed"] = served(filled(folder / "examples.db"), load_keys(folder / "keys.yaml"))
    apps["mine"] = served(filled(folder / "mine.db", EXAMPLES / "night-desk-42.vtt"), hosts=LOOPBACK)
    apps["fresh"] = served(filled(folder / "fresh.db"), hosts=LOOPBACK)
    apps["scripted"] = scripted()
    with ExitStack() as stack:
        addresses = {name: stack.enter_context(running(app)) for name, app in apps.items()}
        yield {**addresses, "key": key}


def served(archive: Archive, keys: Keys | None = None, **options: Any) -> Starlette:
    """Return a server of one archive without a rate limit."""
    tenants = Tenants(("default",), lambda name: archive)
    return create_app(tenants, Server(rate=""), keys=keys, **options)
