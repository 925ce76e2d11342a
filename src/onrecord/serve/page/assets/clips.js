// Saved quotes: a list of clips that users can order, play, and export as a file.

import { newId, storedList } from "./storage.js";
import { clipsCsv, clipsEdl, clipsLength, clipsMarkdown, lasts } from "./clipfiles.js";
import { who } from "./cite.js";
import { download } from "./clipboard.js";
import { announce, button, el, flash, icon } from "./dom.js";
import { toast } from "./toast.js";
import { voice } from "./voices.js";
import { count, day, known, span } from "./words.js";

const clips = storedList("clips", "last");
const FIELDS = "quote speaker role recording title date start end link".split(" ");

const same = (one, other) =>
  one.recording === other.recording && one.quote === other.quote && one.start === other.start;

/** A button that saves a quote or removes it. `sourceOf()` returns the source; null if no words are chosen. */
export function saveButton(sourceOf, props = {}) {
  const saved = () => {
    const source = sourceOf();
    return source && clips.all().find((clip) => same(clip, source));
  };
  const node = el("button", { type: "button", class: "small", ...props });
  const show = () => {
    node.textContent = saved() ? "Saved" : "Save";
    node.setAttribute("aria-pressed", String(Boolean(saved())));
  };
  node.addEventListener("click", () => {
    const [clip, source] = [saved(), sourceOf()];
    if (!source) {
      announce("Select words of the transcript first.");
      return flash(node, "Select words first", show);
    }
    if (clip) clips.drop(clip.id);
    const trouble = clip ? "" : saveClip(source);
    if (trouble) toast(trouble);
    else announce(clip ? "Taken out of the clips." : "Saved to the clips.");
    return show();
  });
  show();
  return node;
}

/** Add a clip as the last, because clips are played one after the other. Returns what did not fit, in words. */
function saveClip(source) {
  const fields = Object.fromEntries(FIELDS.map((name) => [name, source[name] ?? null]));
  const all = [...clips.all(), { id: newId(), ...fields }];
  const lost = all.length - clips.replace(all);
  if (lost === all.length) return "Not saved: this browser has no room left for clips.";
  return lost ? `Saved. This browser had no room for all, so ${count(lost, "older clip")} had to go.` : "";
}

// ---------------------------------------------------------------- the view

const FILES = [
  ["Markdown", "clips.md", "text/markdown", clipsMarkdown],
  ["CSV", "clips.csv", "text/csv", clipsCsv],
  ["EDL", "clips.edl", "text/plain", clipsEdl],
];

/** Return the list of clips. `open(clip)` shows a clip in its recording. */
export function clipsView({ open }) {
  const box = el("div", { class: "saved-list" });
  const draw = () => box.replaceChildren(...contents(draw, open));
  draw();
  return box;
}

function contents(draw, open) {
  const all = clips.all();
  if (!all.length)
    return [el("p", { class: "soft", text: "No quote is saved yet. Press “Save” beside a quote to put it here." })];
  const files = FILES.map(([label, name, type, write]) =>
    button(label, () => download(name, write(all), type), { class: "small", title: `Save the clips as ${name}` }),
  );
  const put = (items) => {
    clips.replace(items);
    draw();
  };
  const dropAll = () => {
    put([]);
    toast("Removed all clips.", { undo: () => put(all), seconds: 20 });
  };
  const drop = button("Remove all", dropAll, { class: "small bad" });
  return [
    el("p", { class: "soft", text: `${count(all.length, "clip")}, ${clipsLength(all)} in all` }),
    el("div", { class: "tools" }, files, drop),
    el(
      "ol",
      { class: "clips" },
      all.map((clip, at) => row(clip, at, all, draw, open)),
    ),
  ];
}

function row(clip, at, all, draw, open) {
  const facts = [clip.title, day(clip.date)].filter(Boolean).map((fact) => `${fact} · `);
  const time = known(lasts(clip)) ? span(clip.start, clip.end) : "no times";
  const move = (by) => () => {
    const order = [...all];
    order.splice(at + by, 0, ...order.splice(at, 1));
    clips.replace(order);
    draw();
    document.querySelectorAll(".clips li")[at + by]?.querySelector(by < 0 ? ".earlier" : ".later")?.focus();
  };
  const remove = () => {
    clips.drop(clip.id);
    draw();
  };
  return el(
    "li",
    {},
    el(
      "button",
      { type: "button", class: "clip", on: { click: () => open(clip) } },
      el("span", { class: "said", dir: "auto", text: clip.quote }),
      el("span", { class: "who", "data-voice": voice(clip.speaker), dir: "auto", text: who(clip) || "Someone" }),
      el("span", { class: "facts", dir: "auto" }, facts, el("span", { class: "time", text: time })),
    ),
    el(
      "span",
      { class: "order" },
      button("Earlier", move(-1), { class: "plain earlier", disabled: at === 0 }, icon("up")),
      button("Later", move(1), { class: "plain later", disabled: at === all.length - 1 }, icon("next")),
      button("Remove this clip", remove, { class: "plain" }, icon("close")),
    ),
  );
}
