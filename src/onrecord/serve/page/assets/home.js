// The view before the first question.

import { el } from "./dom.js";
import { list } from "./series.js";
import { stock } from "./browse.js";
import { day, length } from "./words.js";

/** `library` is {recordings} or {error}; `adder` is the box that adds recordings, if the user may add. */
export function homeView(library, adder = null) {
  if (library.error) return unreachable(library.error);
  const { recordings, entries } = library;
  if (!recordings.length && !entries) return emptyArchive(adder);
  const [title, after] = recordings.length
    ? ["What was said?", "every answer points at who said it, and when."]
    : ["What would you like to know?", "if no answer fits, you are asked back."];
  return el(
    "div",
    { class: "home" },
    el("h1", { text: title }),
    el("p", { class: "soft", text: `${stock(library)}. Ask in your own words: ${after}` }),
  );
}

/** The part under the box: beginnings of questions, which `begin(text)` puts into the box, and the latest
 *  recordings. If there is only a FAQ, it is the box that adds recordings. */
export function belowView({ recordings, entries }, { begin, open, adder }) {
  if (!recordings?.length) return entries && adder ? [adder] : [];
  const starts = beginnings(recordings).map((text) =>
    el("button", {
      type: "button",
      class: "next",
      dir: "auto",
      title: text,
      on: { click: () => begin(text) },
    }, el("span", { text: text.endsWith(" ") ? `${text}…` : text })),
  );
  const latest = [...recordings].sort((a, b) => (b.date ?? "").localeCompare(a.date ?? "")).slice(0, 3);
  return [
    el("div", { class: "follow", role: "group", "aria-label": "Begin with" }, starts),
    el(
      "section",
      {},
      el("h2", { text: recordings.some(({ date }) => date) ? "Latest recordings" : "Recordings" }),
      el(
        "ul",
        { class: "latest" },
        latest.map((r) => card(r, open)),
      ),
    ),
  ];
}

function card(recording, open) {
  const names = list(recording.speakers).slice(0, 3).join(", ");
  const facts = [day(recording.date), length(recording.seconds)].filter(Boolean).join(" · ");
  return el(
    "li",
    {},
    el(
      "button",
      { type: "button", on: { click: () => open(recording.id) } },
      el("span", { class: "title", dir: "auto", text: recording.title }),
      el("span", { class: "facts", dir: "auto", text: names }),
      el("span", { class: "facts", text: facts }),
    ),
  );
}

/** Whether a label is a name to ask for. A recognizer's label ("Speaker 1", "Unknown speaker", "A") is not, because
 *  it means another person in each recording. */
export const isName = (label) => !/^.$|\d|_|^un(known|identified)\b/iu.test(label);

/** Beginnings of questions, made from the speakers and the newest recording. */
export function beginnings(recordings) {
  const times = new Map();
  const named = recordings.flatMap((r) => list(r.speakers)).filter(isName);
  for (const name of named) times.set(name, (times.get(name) ?? 0) + 1);
  const [[first] = []] = [...times].sort((a, b) => b[1] - a[1]);
  const newest = [...recordings].sort((a, b) => (b.date ?? "").localeCompare(a.date ?? ""))[0];
  const second = list(newest.speakers).find((name) => name !== first && isName(name));
  return [
    first ? `What did ${first} say about ` : null,
    second ? `What does ${second} think of ` : null,
    `Summarize ${newest.title}`,
  ].filter(Boolean);
}

function emptyArchive(adder) {
  return el(
    "div",
    { class: "home empty" },
    el("h1", { text: "Nothing is on record yet" }),
    adder ? opened(adder) : null,
    el("p", { class: "soft", text: adder ? "Or on the command line:" : "Add transcripts or feeds on the command line:" }),
    el("pre", { tabindex: "0" }, el("code", { text: "onrecord add talks/" })),
    el("p", { class: "soft", text: "Then load this page again." }),
  );
}

function opened(adder) {
  adder.open = true;
  return adder;
}

function unreachable(error) {
  const title =
    { gone: "The server is not there", key: "A key is needed" }[error.kind] ?? "The archive cannot be read";
  return el(
    "div",
    { class: "home empty", role: "alert" },
    el("h1", { text: title }),
    el("p", { text: error.message }),
    error.kind === "gone" ? el("pre", { tabindex: "0" }, el("code", { text: "onrecord serve" })) : null,
    el("button", {
      type: "button",
      class: "small",
      text: "Try again",
      on: { click: () => location.reload() },
    }),
  );
}
