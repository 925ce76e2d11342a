// The archive's content: recordings in order of date, and the passages in which some words are spoken.

import { button, el, icon } from "./dom.js";
import { list } from "./series.js";
import { clock, count, day, known, length, plain } from "./words.js";
import { runs } from "./places.js";
import { voice } from "./voices.js";

/** Return the view of all recordings: {node, update(recordings)}. `actions`: open(id, second), find(words),
 *  search(words) -> moments, edit(recording) if the user may edit, ticked(): the ids of the recordings to ask,
 *  tick(recordings, whether). */
export function browseView(words, actions) {
  let recordings = [];
  const input = el("input", {
    type: "search",
    value: words,
    placeholder: "A title, a person, or words",
    "aria-label": "Find",
    dir: "auto",
  });
  const extent = el("p", { class: "soft" });
  const results = el("div", { class: "found" });
  const rows = el("div", { class: "shelf" });
  const all = tickAll(actions);
  const narrow = () => all.among(shelve(rows, recordings, input.value, actions));
  const form = el(
    "form",
    { class: "find", role: "search" },
    input,
    el("button", { type: "submit", class: "small", text: "Search what was said" }),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    actions.find(input.value.trim());
  });
  input.addEventListener("input", narrow);
  if (words) showMatches(results, words, actions);
  const node = el(
    "div",
    { class: "browse" },
    el("h1", { text: "Recordings" }),
    extent,
    el("p", {}, el("a", { href: "#/g", text: "Topics: people and things" })),
    actions.adder,
    form,
    results,
    all.node,
    rows,
  );
  const update = (current) => {
    recordings = current;
    extent.textContent = stock({ recordings });
    narrow();
  };
  return { node, update };
}

/** "5 recordings, 14 speakers, 17 min of timed speech"; "5 ready answers" if there is only a FAQ. */
export function stock({ recordings, entries }) {
  if (!recordings.length) return entries ? count(entries, "ready answer") : "nothing yet";
  const seconds = recordings.reduce((sum, r) => sum + (r.seconds || 0), 0);
  const names = new Set(recordings.flatMap((r) => list(r.speakers)));
  const parts = [
    count(recordings.length, "recording"),
    names.size ? count(names.size, "speaker") : "",
    seconds ? `${length(seconds)} of timed speech` : "",
  ];
  return parts.filter(Boolean).join(", ");
}

function shelve(rows, recordings, words, actions) {
  const wanted = plain(words);
  const fits = (r) => plain([r.title, r.date, ...list(r.speakers)].join(" ")).includes(wanted);
  const shown = wanted ? recordings.filter(fits) : recordings;
  const newest = [...shown].sort(
    (a, b) => (b.date ?? "").localeCompare(a.date ?? "") || a.title.localeCompare(b.title),
  );
  const longest = Math.max(...recordings.map((r) => r.seconds || 0), 1);
  const years = Map.groupBy(newest, (r) => (r.date ?? "").slice(0, 4) || "No date");
  const groups = [...years].map(([year, some]) =>
    el(
      "section",
      { class: "year" },
      el("h2", { text: year }),
      el(
        "ul",
        {},
        some.map((r) => row(r, longest, actions)),
      ),
    ),
  );
  rows.replaceChildren(
    ...(groups.length
      ? groups
      : [el("p", { class: "soft", text: "No recording has this in its title or its people." })]),
  );
  return shown;
}

/** The participants; the first five by name. */
function named(people) {
  if (!people.length) return "nobody named";
  return people.slice(0, 5).join(", ") + (people.length > 5 ? ` and ${people.length - 5} more` : "");
}

/** A box that ticks all shown recordings: {node, among(recordings)}. */
function tickAll(actions) {
  let shown = [];
  const box = el("input", { type: "checkbox", class: "tick" });
  box.addEventListener("change", () => {
    actions.tick(shown, box.checked);
  });
  const text = el("span");
  const node = el("label", { class: "tick-all" }, box, text);
  const among = (recordings) => {
    shown = recordings;
    node.hidden = recordings.length < 2;
    text.textContent = `Ask only these ${recordings.length}`;
    box.checked = recordings.length > 0 && recordings.every(({ id }) => actions.ticked().has(id));
  };
  return { node, among };
}

function tick(recording, actions) {
  const box = el("input", {
    type: "checkbox",
    class: "tick",
    value: recording.id,
    checked: actions.ticked().has(recording.id),
    "aria-label": `Ask ${recording.title}`,
    title: "Ask only what is ticked",
  });
  box.addEventListener("change", () => actions.tick([recording], box.checked));
  return box;
}

function row(recording, longest, actions) {
  const people = list(recording.speakers).length ? list(recording.speakers) : list(recording.people);
  const tags = String(recording.attributes?.tags ?? "").split("; ").filter(Boolean);
  const share = `${Math.max(1, (100 * (recording.seconds || 0)) / longest)}%`;
  return el(
    "li",
    {},
    tick(recording, actions),
    el(
      "button",
      {
        type: "button",
        class: "tape",
        "data-recording": recording.id,
        on: { click: () => actions.open(recording.id) },
      },
      el("span", { class: "title", dir: "auto", text: recording.title }),
      el("span", {
        class: "people",
        dir: "auto",
        text: named(people),
      }),
      tags.length ? el("span", { class: "tags", dir: "auto", text: tags.join(" · ") }) : null,
      el("span", { class: "date", text: day(recording.date) }),
      el(
        "span",
        { class: "length" },
        recording.seconds
          ? el("span", { class: "bar", "aria-hidden": "true" }, el("span", { style: { width: share } }))
          : null,
        length(recording.seconds) || "no times",
      ),
    ),
    actions.edit
      ? button(`Edit ${recording.title}`, () => actions.edit(recording), { class: "plain" }, icon("edit"))
      : null,
  );
}

// ---------------------------------------------------------------- passages with some words

async function showMatches(box, words, actions) {
  box.replaceChildren(el("p", { class: "soft", text: "Searching" }));
  let moments;
  try {
    moments = await actions.search(words);
  } catch (error) {
    box.replaceChildren(el("p", { class: "trouble", role: "alert", text: error.message }));
    return;
  }
  const wanted = words
    .split(/\s+/)
    .filter((word) => word.length > 2)
    .map(plain);
  const head = moments.length ? `Said about “${words}”` : `Nobody says “${words}”`;
  box.replaceChildren(
    el("h2", { dir: "auto", text: head }),
    el(
      "ul",
      {},
      moments.map((match) => moment(match, wanted, actions)),
    ),
  );
}

/** Return the speakers' words in a passage, from its first run with one of the words. */
function spoken(passage, wanted) {
  const all = runs(passage).map(({ speaker, from, to }) => ({ speaker, text: passage.text.slice(from, to) }));
  const first = Math.max(
    0,
    all.findIndex(({ text }) => wanted.some((word) => plain(text).includes(word))),
  );
  return all
    .slice(first)
    .flatMap(({ speaker, text }) => [
      speaker ? el("b", { "data-voice": voice(speaker), text: speaker }) : null,
      ...marked(text, wanted),
      " ",
    ]);
}

/** Put words that begin with a search word into <mark>. */
function marked(text, wanted) {
  return text
    .split(/(\p{L}[\p{L}\p{N}'’-]*)/u)
    .map((piece, i) =>
      i % 2 && wanted.some((word) => plain(piece).startsWith(word)) ? el("mark", { text: piece }) : piece,
    );
}

function moment(match, wanted, actions) {
  return el(
    "li",
    {},
    el(
      "button",
      {
        type: "button",
        class: "moment",
        on: { click: () => actions.open(match.recording, match.start, match.end) },
      },
      el("span", { class: "said", dir: "auto" }, spoken(match, wanted)),
      el("span", {
        class: "facts",
        dir: "auto",
        text: [match.title, known(match.start) ? clock(match.start) : ""].filter(Boolean).join(" · "),
      }),
    ),
  );
}
