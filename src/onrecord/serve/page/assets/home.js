// What is seen before anything is asked.

import { el } from "./dom.js";
import { list } from "./series.js";
import { stock } from "./browse.js";

/** `library` is {recordings} or {error}; `begin(text)` puts the beginning of a question into the box. */
export function homeView(library, { begin, open }) {
  if (library.error) return unreachable(library.error);
  if (!library.recordings.length) return emptyArchive();
  const box = el("div", { class: "home" }, el("h1", { text: "What was said?" }), el("p", { class: "soft", text: `${stock(library.recordings)}. Ask in your own words; every answer points at who said it, and when.` }));
  const starts = beginnings(library.recordings).map((text) =>
    el("button", { type: "button", class: "next", dir: "auto", text, on: { click: () => begin(text) } }),
  );
  const latest = [...library.recordings].sort((a, b) => (b.date ?? "").localeCompare(a.date ?? "")).slice(0, 3);
  box.append(el("div", { class: "follow", role: "group", "aria-label": "Begin with" }, starts));
  box.append(el("h2", { text: "Latest" }), el("ul", { class: "latest" }, latest.map((r) => tape(r, open))));
  return box;
}

function tape(recording, open) {
  const name = el("button", { type: "button", class: "title", dir: "auto", text: recording.title, on: { click: () => open(recording.id) } });
  return el("li", {}, name);
}

/** Beginnings of questions, made of whom and what there is. */
function beginnings(recordings) {
  const names = recordings.flatMap((r) => list(r.speakers).map((s) => (typeof s === "string" ? s : s.name)));
  const often = [...Map.groupBy(names.filter(Boolean), (name) => name)].sort((a, b) => b[1].length - a[1].length);
  const [first, second] = often.map(([name]) => name);
  const newest = [...recordings].sort((a, b) => (b.date ?? "").localeCompare(a.date ?? ""))[0];
  return [
    first ? `What did ${first} say about ` : null,
    second ? `Where do ${first} and ${second} differ on ` : null,
    `Summarize ${newest.title}`,
  ].filter(Boolean);
}

function emptyArchive() {
  return el(
    "div",
    { class: "home empty" },
    el("h1", { text: "Nothing is on record yet" }),
    el("p", { text: "This archive has no recordings. Add transcripts of any origin: WebVTT, SRT, YouTube captions, Podcasting 2.0, feeds, Whisper, Markdown, plain text." }),
    el("pre", { tabindex: "0" }, el("code", { text: "onrecord add talks/" })),
    el("p", { class: "soft", text: "Then load this page again." }),
  );
}

function unreachable(error) {
  const title = { gone: "The server is not there", key: "A key is wanted" }[error.kind] ?? "The archive cannot be read";
  return el(
    "div",
    { class: "home empty", role: "alert" },
    el("h1", { text: title }),
    el("p", { text: error.message }),
    error.kind === "gone" ? el("pre", { tabindex: "0" }, el("code", { text: "onrecord serve" })) : null,
    el("button", { type: "button", class: "small", text: "Try again", on: { click: () => location.reload() } }),
  );
}
