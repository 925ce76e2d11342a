// Tests of the page's modules without a browser. Run with node --test.

import assert from "node:assert/strict";
import { test } from "node:test";

const page = new URL("../../src/onrecord/serve/page/assets/", import.meta.url);
const from = (name) => import(new URL(name, page));

const { parts, StreamCut } = await from("stream.js");
const { blocks, pieces } = await from("markdown.js");
const { exchange, finish, messages, scopeValues, take, withoutFilters } = await from("state.js");
const { parse, questionHash, recordingHash } = await from("router.js");
const { locate, timeAt } = await from("places.js");
const { areaPath, pinLabel } = await from("curve.js");
const { stretched, summit } = await from("series.js");
const { flows } = await from("map.js");
const { clock, day, length, period, span, took } = await from("words.js");
const { inert, markdownAnswer, sourceLine } = await from("cite.js");
const { embed } = await from("embeds.js");
const { nextQuestions } = await from("suggest.js");
const { reading } = await from("understood.js");
const { beginnings } = await from("home.js");
const { isLocal } = await from("player.js");
const { webAddress } = await from("dom.js");
const { surroundings } = await from("surroundings.js");

/** Return a response body that arrives in pieces of `size` bytes. */
function body(text, size) {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(to) {
      for (let i = 0; i < bytes.length; i += size) to.enqueue(bytes.slice(i, i + size));
      to.close();
    },
  });
}

async function all(text, size = 7) {
  const found = [];
  for await (const part of parts(body(text, size))) found.push(part);
  return found;
}

test("a stream is read however it is cut, with either line ending, and ends at its mark", async () => {
  const text =
    'data: {"type":"start"}\n\n: a comment\n\ndata: {"type":"text-delta","delta":"déjà vu 🎙"}\r\n\r\ndata: [DONE]\n\n';
  for (const size of [1, 2, 3, 5, 8, 1000]) {
    assert.deepEqual(await all(text, size), [{ type: "start" }, { type: "text-delta", delta: "déjà vu 🎙" }]);
  }
});

test("a value that is taken out of a scope leaves the others", () => {
  const scope = { recordings: ["a", "b"], since: "2024", attributes: { show: "Night Desk", bank: "Elm" } };
  assert.deepEqual(scopeValues(scope), [
    { field: "recording", value: "a", rest: { ...scope, recordings: ["b"] } },
    { field: "recording", value: "b", rest: { ...scope, recordings: ["a"] } },
    { field: "since", value: "2024", rest: { recordings: scope.recordings, attributes: scope.attributes } },
    { field: "show", value: "Night Desk", rest: { ...scope, attributes: { bank: "Elm" } } },
    { field: "bank", value: "Elm", rest: { ...scope, attributes: { show: "Night Desk" } } },
  ]);
  assert.deepEqual(scopeValues(undefined), []);
});

test("a change of a recording names the workspace in its address alone", async () => {
  const sent = [];
  globalThis.location = { search: "?workspace=two" };
  globalThis.sessionStorage = { getItem: () => null };
  globalThis.fetch = async (path, { body }) => {
    sent.push([path, JSON.parse(body)]);
    return Response.json({});
  };
  const { patch, post } = await from("api.js?two");
  await patch("/api/recordings/a", { title: "Kites" });
  await post("/api/search", { words: "kite" });
  assert.deepEqual(sent, [
    ["/api/recordings/a?workspace=two", { title: "Kites" }],
    ["/api/search", { words: "kite", workspace: "two" }],
  ]);
});

test("questions begin with names, not with what a recognizer calls somebody", () => {
  const labels = { title: "Call", speakers: ["Speaker 1", "SPEAKER_00", "A", "Unknown Speaker"] };
  assert.deepEqual(beginnings([labels, labels]), ["Summarize Call"]);
  const named = { title: "Talk", date: "2024", speakers: ["Speaker 1", "Ann Bell", "Bo Díaz"] };
  assert.deepEqual(beginnings([labels, labels, named]), [
    "What did Ann Bell say about ",
    "What does Bo Díaz think of ",
    "Summarize Talk",
  ]);
});

test("a stream that breaks off, or cannot be read, is told apart from one that ends", async () => {
  await assert.rejects(all('data: {"type":"start"}\n\n'), StreamCut);
  await assert.rejects(all("data: {not json}\n\ndata: [DONE]\n\n"), StreamCut);
  await assert.rejects(all("data: 7\n\ndata: [DONE]\n\n"), StreamCut);
  await assert.rejects(all(""), StreamCut);
});

test("parts become what is known of an answer, and unknown ones are passed over", () => {
  const x = exchange("Why?");
  assert.equal(take(x, { type: "data-weather", data: 1 }), null);
  assert.equal(take(x, { type: "source-url", url: "https://a.example/" }), null);
  take(x, {
    type: "source-url",
    url: "https://a.example/",
    providerMetadata: { onrecord: { number: 2, quote: "q" } },
  });
  take(x, { type: "text-delta", delta: "Because" });
  take(x, { type: "text-delta", delta: " [2]" });
  finish(x);
  assert.equal(x.text, "Because [2]");
  assert.deepEqual(x.sources.get(2), { link: "https://a.example/", number: 2, quote: "q" });
  assert.equal(x.status, "done");
});

test("an error stays an error, and such a turn is not sent as history", () => {
  const bad = exchange("One?");
  take(bad, { type: "error", errorText: "gone" });
  finish(bad);
  assert.equal(bad.status, "failed");
  const cited = new Map([1, 2].map((number) => [number, { number, recording: "talk" }]));
  const good = { ...exchange("Two?"), status: "done", text: "Yes", sources: cited };
  assert.deepEqual(
    messages([bad, good], "Three?").map((m) => [m.role, m.parts[0].text]),
    [
      ["user", "Two?"],
      ["assistant", "Yes"],
      ["user", "Three?"],
    ],
  );
  const [, { parts }] = messages([good], "Three?");
  assert.deepEqual(
    parts.slice(1).map((part) => part.providerMetadata.onrecord),
    [{ recording: "talk" }],
  );
});

test("a filter that is taken away leaves the others of its field in force", () => {
  const filters = ["Ann", "Bob"].map((value) => ({ field: "speaker", value, said: value }));
  const x = { ...exchange("Ann or Bob?", { scope: { since: "2024" } }), plan: { filters } };
  assert.deepEqual(withoutFilters(x, [filters[0]]), {
    scope: { since: "2024", speakers: ["Bob"] },
    without: ["speaker"],
  });
  assert.deepEqual(withoutFilters({ ...x, options: {} }, filters), { without: ["speaker"] });
});

test("marks are read only where there is such a source", () => {
  const numbers = new Set([1, 2]);
  assert.deepEqual(
    pieces("a [1] b [Source 2] c [1, 2] d [3] e [x]", numbers).map((p) => p.number ?? p.text),
    ["a ", 1, " b ", 2, " c ", 1, 2, " d [3] e [x]"],
  );
});

test("what is said is left as it is spoken", () => {
  const [said] = pieces("“a *b* [1] `c`”", new Set([1]));
  assert.deepEqual(said, { kind: "said", text: "“a *b* [1] `c`”" });
});

test("a quotation within a quotation belongs to it, in French, too", () => {
  for (const text of ["“He said “no”, and left.”", "« Il a dit « non ». »"]) {
    assert.deepEqual(
      pieces(`${text} [1]`, new Set([1])).map((p) => p.kind),
      ["said", "text", "mark"],
    );
  }
});

test("Markdown is read as blocks, and links and HTML are not read at all", () => {
  const kinds = blocks("# T\n\none\ntwo\n\n- a\n- b\n\n1. c", new Set()).map((b) => b.kind);
  assert.deepEqual(kinds, ["h", "p", "ul", "ol"]);
  const [{ lines }] = blocks("[x](javascript:alert(1)) <b>y</b> ![z](http://a/)", new Set());
  assert.deepEqual(lines[0], [{ kind: "text", text: "[x](javascript:alert(1)) <b>y</b> ![z](http://a/)" }]);
});

test("any text is read without loss of its letters", () => {
  let seed = 7;
  const next = (n) => (seed = (seed * 48271) % 2147483647) % n;
  const signs = ["*", "**", "`", "[1]", "[", "]", "“", "”", "\\", "\n", "\n\n", "- ", "# ", "word", " ", "é"];
  for (let run = 0; run < 2000; run += 1) {
    const text = Array.from({ length: next(14) }, () => signs[next(signs.length)]).join("");
    const words = JSON.stringify(blocks(text, new Set([1]))).match(/word/g)?.length ?? 0;
    assert.equal(words, text.match(/word/g)?.length ?? 0, JSON.stringify(text));
  }
});

test("addresses say what they were made of", () => {
  const options = {
    scope: { speakers: ["Ann & Bob"], since: "2024", attributes: { show: "a=b" } },
    strategy: "direct",
    without: ["until"],
  };
  const question = "Why? 100% / #1";
  assert.deepEqual(parse(questionHash(question, ["Before?"], options)), {
    view: "q",
    question,
    after: ["Before?"],
    options,
  });
  assert.deepEqual(parse(recordingHash("a/b", 12.34, 20)), { view: "r", id: "a/b", t: 12.3, to: 20 });
  assert.deepEqual(parse("#/recordings?find=x+y"), { view: "recordings", find: "x y" });
  for (const other of ["", "#/", "#/q/", "#/nonsense", "#question"])
    assert.equal(parse(other).view, "ask", other);
  assert.equal(parse("#/r/x?t=-3").t, null);
  assert.equal(parse("#/q/%E0%A4%A").question, "%E0%A4%A");
});

const PASSAGES = [
  { position: 0, text: "Good evening. Thank you.", start: 0, end: 10, marks: [] },
  { position: 1, text: "It fell. Thank you. Good night.", start: 10, end: 40, marks: [[9, 30]] },
];

test("a quote is found where it was said at that time, across passages too", () => {
  const places = (wanted) => [...locate(PASSAGES, wanted)];
  assert.deepEqual(places({ quote: "Thank you.", start: 31 }), [[1, [[9, 19]]]]);
  assert.deepEqual(places({ quote: "Thank you.", start: 5 }), [[0, [[14, 24]]]]);
  assert.deepEqual(places({ quote: "Thank you. It fell." }), [
    [0, [[14, 24]]],
    [1, [[0, 8]]],
  ]);
  assert.deepEqual(places({}), []);
});

test("words that a quote leaves out are not marked", () => {
  const quote = "Good evening. [...] It fell. [...] Good night.";
  assert.deepEqual(
    [...locate(PASSAGES, { quote })],
    [
      [0, [[0, 13]]],
      [
        1,
        [
          [0, 8],
          [20, 31],
        ],
      ],
    ],
  );
});

test("without a quote it is the words between two seconds, or whole passages", () => {
  assert.deepEqual([...locate(PASSAGES, { quote: "never said", start: 31, end: 38 })], [[1, [[9, 31]]]]);
  assert.deepEqual(
    [...locate(PASSAGES, { start: 0, end: 40 })],
    [
      [0, [[0, 24]]],
      [1, [[0, 31]]],
    ],
  );
  assert.deepEqual([...locate(PASSAGES, { start: 12 })], []);
  assert.deepEqual([...locate(PASSAGES, { positions: [0, 1] })], [[0, [[0, 24]]]]);
});

test("a second is interpolated between marks", () => {
  assert.equal(timeAt(PASSAGES[1], 0), 10);
  assert.equal(timeAt(PASSAGES[1], 9), 30);
  assert.ok(timeAt(PASSAGES[1], 20) > 30 && timeAt(PASSAGES[1], 20) < 40);
  assert.equal(timeAt({ text: "x", start: null, end: null }, 0), null);
  assert.equal(timeAt({ text: "abc", start: 3, end: null }, 2), 3);
});

test("the curve never rises over its highest place nor leaves its box", () => {
  const path = areaPath(
    [
      [0, 10, 0.1],
      [10, 20, 1],
      [20, 30, 0.2],
      [30, 40, 0.9],
    ],
    40,
  );
  const heights = [...path.matchAll(/-?[\d.]+ (-?[\d.]+)/g)].map((m) => Number(m[1]));
  assert.ok(heights.length > 10 && heights.every((y) => y >= -0.01 && y <= 100), path);
  assert.equal(areaPath([], 40), "");
  assert.equal(areaPath([[null, null, 1]], 40), "");
});

test("a pin says what and when, and never a relevance that is no share", () => {
  assert.equal(pinLabel({ start: 36, score: 0.002, highest: true }, true), "The most relevant moment, at 0:36");
  assert.equal(pinLabel({ start: 36, score: 0.002 }, true), "A moment, at 0:36");
  assert.equal(pinLabel({ start: 7, score: 0.9 }, false), "A moment");
  assert.equal(pinLabel({ number: 2, start: 36, speaker: "Ann" }, true), "Source 2, Ann, at 0:36");
});

test("scores are stretched over all recordings alike, and a peak is where the curve is highest", () => {
  const [a, b] = stretched([
    {
      curve: [
        [0, 1, 0.5],
        [1, 2, 1],
      ],
    },
    { curve: [[0, 1, 0.75]] },
  ]);
  assert.equal(a.curve[1][2], 1);
  assert.ok(a.curve[0][2] < b.curve[0][2] && b.curve[0][2] < 1);
  assert.deepEqual(stretched([{ curve: [] }]), [{ curve: [] }]);
  assert.deepEqual(
    summit(
      [
        [0, 10, 0.1],
        [10, 20, 0.9],
        [20, 30, 1],
      ],
      0,
      20,
    ),
    [15, 0.9],
  );
  assert.equal(summit([], 0, 1), null);
});

test("small voices of a large crowd are one", () => {
  const speakers = Array.from({ length: 20 }, (_, i) => ({ name: `S${i}`, share: (20 - i) / 210 }));
  const found = flows([{ id: "a", score: 1, speakers }]);
  assert.equal(new Set(found.map((flow) => flow.name)).size, 9);
  assert.ok(Math.abs(found.reduce((sum, flow) => sum + flow.weight, 0) - 1) < 1e-9);
});

test("times and dates are written as people write them", () => {
  assert.deepEqual([0, 61.9, 3723, -1, null].map(clock), ["0:00", "1:01", "1:02:03", "0:00", "0:00"]);
  assert.deepEqual([span(1, 2), span(1, 1.5), span(null, null)], ["0:01–0:02", "0:01", ""]);
  assert.deepEqual(["2024", "2024-03", "2024-03-05", "soon", null].map(day), [
    "2024",
    "March 2024",
    "5 Mar 2024",
    "soon",
    "",
  ]);
  const periods = [
    ["2024-01-01", "2024-12-31"],
    ["2024-02-01", "2024-02-29"],
    ["2024-03-05", "2024-03-05"],
    ["2024", "2025-02"],
  ];
  assert.deepEqual(
    periods.map((ends) => period(...ends)),
    ["2024", "February 2024", "5 Mar 2024", "2024 – February 2025"],
  );
  assert.deepEqual([30, 90, 3600, 7500, null].map(length), ["30 s", "2 min", "1 h 00 min", "2 h 05 min", ""]);
  assert.deepEqual([0.31, 12.4, 1400].map(took), ["0.3 ms", "12 ms", "1.4 s"]);
});

test("exported Markdown cannot be made into a link, a heading, HTML or a list by what was said", () => {
  assert.equal(
    inert("<b>*x*</b> # [a](javascript:1) [1]"),
    "&lt;b&gt;\\*x\\*&lt;/b&gt; \\# \\[a\\]\\(javascript:1) [1]",
  );
  assert.equal(inert("1. one"), "1\\. one");
  assert.equal(inert("- one\n# two"), "\\- one \\# two");
  globalThis.location = new URL("http://127.0.0.1:8000/");
  const x = {
    ...exchange("Why # <i>?"),
    text: "**So** [1]\n\n- a",
    answer: { heading: "H", notes: ["n"], unsupported: ["u"] },
  };
  x.sources.set(1, {
    number: 1,
    recording: "r",
    title: "T](http://evil.example)",
    quote: "q <x>",
    start: 3,
    link: "javascript:alert(1)",
  });
  const text = markdownAnswer(x);
  assert.match(text, /^# Why \\# &lt;i&gt;\?\n/);
  assert.match(text, /\*\*So\*\* \[1\]\n\n- a/);
  assert.match(text, /\]\(<http:\/\/127\.0\.0\.1:8000\/#\/r\/r\?t=3>\)/);
  assert.ok(!text.includes("](http://evil") && !text.includes("javascript:"), text);
});

test("only players that are known are framed, and by their number alone", () => {
  assert.match(
    embed("https://youtu.be/abc_DEF-123?t=5").at(61.9),
    /^https:\/\/www\.youtube-nocookie\.com\/embed\/abc_DEF-123\?.*start=61$/,
  );
  assert.match(embed("https://www.youtube.com/watch?v=abc_DEF-123").at(0), /embed\/abc_DEF-123/);
  assert.match(
    embed("https://vimeo.com/700000001/abcdef12").at(9),
    /^https:\/\/player\.vimeo\.com\/video\/700000001\?.*h=abcdef12#t=9s$/,
  );
  for (const other of [
    "https://evil.example/watch?v=abc_DEF-123",
    "javascript:alert(1)",
    "https://www.youtube.com/watch?v=../../x",
    "https://vimeo.com/ondemand",
    "",
    null,
  ]) {
    assert.equal(embed(other), null, String(other));
  }
});

test("a file of this server is told from an address elsewhere", () => {
  assert.ok(isLocal("/api/recordings/a/media?x=1"));
  for (const other of ["//evil.example/x", "/\\evil.example", "https://a/", "x.mp3", null, 7])
    assert.ok(!isLocal(other), String(other));
  for (const bad of ["javascript:alert(1)", "data:text/html,x", "ftp://a/", "x", null])
    assert.equal(webAddress(bad), null);
});

test("what to ask next: what the server says, within what was asked for", () => {
  const x = { ...exchange("Why?", { strategy: "direct", scope: { since: "2024" } }) };
  x.answer = {
    follow_ups: [
      { text: "What does Bob say about this?", question: "Why?", scope: { speakers: ["Bob"] } },
      { text: "And then?", question: "What came then?", scope: {} },
      { text: " " },
      "Who?",
      null,
    ],
  };
  assert.deepEqual(nextQuestions(x), [
    {
      label: "What does Bob say about this?",
      question: "Why?",
      options: { strategy: "direct", scope: { since: "2024", speakers: ["Bob"] } },
    },
    { label: "And then?", question: "What came then?", options: { scope: { since: "2024" } } },
  ]);
  assert.deepEqual(nextQuestions(exchange("Why?")), []);
});

test("a source is told with what its speaker is, once", () => {
  const source = { title: "Night Desk 41", date: null, start: 36, end: 46 };
  assert.equal(sourceLine({ ...source, speaker: "Ann Lee", role: "CFO" }), "Ann Lee, CFO, Night Desk 41, 0:36–0:46");
  assert.equal(sourceLine({ ...source, speaker: "Ann (cfo)", role: "CFO" }), "Ann (cfo), Night Desk 41, 0:36–0:46");
  assert.equal(sourceLine({ ...source, speaker: null, role: null }), "Night Desk 41, 0:36–0:46");
});

test("clips become an edit list, a table and Markdown that hold whatever was said", async () => {
  const { clipsCsv, clipsEdl, clipsLength, clipsMarkdown } = await from("clipfiles.js");
  const talk = { recording: "talk-1", title: "A talk", speaker: "Ann", date: "2024", link: "https://a.example/?t=3" };
  const clips = [
    { ...talk, quote: "It was\nred.", start: 3.5, end: 5.02 },
    { ...talk, recording: "other", quote: '=HYPERLINK("x"), "y"', speaker: null, start: 60, end: null, link: "javascript:1" },
    { ...talk, quote: "No times.", start: null, end: null },
  ];
  const edl = clipsEdl(clips).split("\r\n");
  assert.equal(edl[3], "001  R001     AA/V  C        00:00:03:13 00:00:05:01 01:00:00:00 01:00:01:13");
  assert.equal(edl[5], "* COMMENT: Ann: It was red.");
  assert.match(edl[7], /^002 {2}R002 {5}AA\/V {2}C {8}00:01:00:00 00:01:01:00 01:00:01:13 01:00:02:13$/);
  assert.ok(edl.includes("* NO TIMES: Ann, A talk, 2024"));
  assert.equal(clipsLength(clips), "0:02");
  const [head, one, two] = clipsCsv(clips).split(/\r\n(?=\d)/);
  assert.equal(head, "number,quote,speaker,role,title,date,start,end,seconds,link,note");
  assert.ok(one.startsWith('1,"It was\nred.",Ann,,A talk,2024,3.50,5.02,1.52,https://a.example/?t=3,'));
  assert.ok(two.startsWith(`2,"'=HYPERLINK(""x""), ""y""",,,A talk,2024,60.00,,1.00,`));
  const markdown = clipsMarkdown(clips);
  assert.ok(markdown.includes("> It was red.") && !markdown.includes("javascript:"));
});

test("the newest clip is kept where the browser's storage is full, and what did not fit is told", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const stored = new Map();
  let room = 0;
  globalThis.sessionStorage = { getItem: () => null };
  globalThis.localStorage = {
    getItem: (name) => stored.get(name) ?? null,
    setItem: (name, text) => {
      if (text.length > room) throw new Error("full");
      stored.set(name, text);
    },
  };
  const { saveButton } = await from("clips.js");
  const told = [];
  const save = (quote) => {
    const live = { set textContent(text) { told.push(text); } };
    const here = { getElementById: () => live, querySelector: () => null, body: { append() {} } };
    const [node] = builtWithoutBrowser(() => saveButton(() => ({ quote, recording: "r", start: 1 })), here);
    builtWithoutBrowser(() => node.listeners.click(), here);
    return node.textContent;
  };
  const quotes = () => [...stored.values()].flatMap((text) => JSON.parse(text).map(({ quote }) => quote));
  assert.equal(save("none"), "Save");
  room = 500;
  assert.deepEqual(["one", "two", "three", "four"].map(save), ["Saved", "Saved", "Saved", "Saved"]);
  assert.equal(quotes().at(-1), "four");
  assert.ok(quotes().length < 4 && !quotes().includes("one"));
  assert.match(told[0], /^Not saved/);
  assert.equal(told[1], "Saved to the clips.");
  assert.match(told.at(-1), /no room for all, so \d older clips? had to go/);
  delete globalThis.localStorage;
});

test("a time code counts frames and never more than there are", async () => {
  const { clipsEdl } = await from("clipfiles.js");
  for (let start = 0; start < 20000; start += 377.03) {
    const edl = clipsEdl([{ recording: "r", title: "t", quote: "q", start, end: start + 7.777 }]);
    for (const [, hours, minutes, seconds, frames] of edl.matchAll(/(\d\d):(\d\d):(\d\d):(\d\d)/g))
      assert.ok(hours < 24 && minutes < 60 && seconds < 60 && frames < 25, edl);
  }
});

test("a follow-up says which words it carries over", () => {
  assert.equal(reading("And rates?", "And rates?"), "");
  assert.equal(reading("raising prices And rates?", "And rates?"), "“raising prices” is carried over");
  assert.equal(reading("rates in May", "And rates?"), "understood as “rates in May”");
});

/** Run `build` with a stand-in for `document` that can create nodes and receive clicks, and what `more` holds. */
function builtWithoutBrowser(build, more = {}) {
  const made = [];
  const createElement = () => {
    const node = { listeners: {}, style: { setProperty() {} }, attributes: {}, append() {} };
    node.setAttribute = (name, value) => (node.attributes[name] = value);
    node.addEventListener = (event, listener) => (node.listeners[event] = listener);
    made.push(node);
    return node;
  };
  globalThis.document = { createElement, createElementNS: (_, tag) => createElement(tag), ...more };
  build();
  delete globalThis.document;
  return made;
}

test("every line of what surrounds something plays its own quote, and one without a quote is no button", () => {
  const quote = (text) => ({ text, recording: "r", start: 1 });
  const about = {
    entity: { name: "ferry" },
    voices: [
      { speaker: "Ann", passages: 2, quote: quote("of Ann") },
      { speaker: "Bo", passages: 1, quote: quote("of Bo") },
      { speaker: "Cleo", passages: 1, quote: null },
    ],
    together: [{ subject: "ferry", object: "quay", inferred: true, count: 1, quotes: [quote("of both")] }],
  };
  const played = [];
  const made = builtWithoutBrowser(() => surroundings(about, { play: ({ text }) => played.push(text) }));
  made.filter(({ attributes }) => attributes.class === "edge").forEach(({ listeners }) => listeners.click?.());
  assert.deepEqual(played, ["of Ann", "of Bo", "of both"]);
});

test("a request that is refused after another one's key was entered is sent again with that key", async (t) => {
  const { fetch, sessionStorage } = globalThis;
  t.after(() => Object.assign(globalThis, { fetch, sessionStorage }));
  delete globalThis.sessionStorage;
  const { get, setKey } = await from("api.js");
  setKey("");
  const keys = [];
  globalThis.fetch = async (_, { headers }) => {
    keys.push(headers.authorization ?? "");
    if (keys.length > 1) return Response.json({ ok: true });
    setKey("the-key"); // entered while this request is on its way
    return new Response("{}", { status: 401 });
  };
  assert.deepEqual(await get("/api/recordings"), { ok: true });
  assert.deepEqual(keys, ["", "Bearer the-key"]);
  setKey("");
});
