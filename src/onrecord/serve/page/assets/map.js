// The speakers who match the question, and their recordings: ribbons between them, as wide as their relevance.

import { el, svg } from "./dom.js";
import { list } from "./series.js";
import { day, percent } from "./words.js";
import { voice } from "./voices.js";

const MOST = 9; // speakers; the others share one ribbon
const ROOM = { recording: 50, speaker: 26 }; // pixels that a name needs
const GAP = 10;
const [LINE, DATE] = [16.5, 15]; // the heights of a line of a name, and of the date under it
const OTHERS = "others";

/** The ribbons' weights: [{recording, name, weight}], largest speakers first; small ones become "others". */
export function flows(recordings) {
  const all = recordings.flatMap((recording) =>
    list(recording.speakers)
      .filter((s) => s.name && s.share > 0)
      .map((s) => ({ recording, name: s.name, weight: s.share * Math.max(0.02, recording.score || 0) })),
  );
  const names = [...totals(all, (flow) => flow.name)].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  const named = new Set(names.length > MOST ? names.slice(0, MOST - 1) : names);
  return all.map((flow) => (named.has(flow.name) ? flow : { ...flow, name: OTHERS }));
}

function totals(items, keyOf) {
  const sums = new Map();
  for (const item of items) sums.set(keyOf(item), (sums.get(keyOf(item)) ?? 0) + item.weight);
  return sums;
}

/** The weight of all ribbons, of which one ribbon has a share. */
function total(all) {
  return all.reduce((sum, { weight }) => sum + weight, 0) || 1;
}

/** The map, or null if there is nothing to compare. A click on a side calls `openRecording(recording)` or
 *  `askSpeaker(name)`. */
export function map(recordings, { openRecording, askSpeaker }) {
  const all = flows(recordings);
  const shown = [...recordings]
    .filter((r) => all.some((flow) => flow.recording === r))
    .sort((a, b) => (a.date ?? "9").localeCompare(b.date ?? "9"));
  const speakers = opposite(all, shown);
  if (speakers.length < 2) return null;
  const weights = totals(all, (flow) => flow.recording);
  const high = Math.max(shown.length * (ROOM.recording + GAP), speakers.length * (ROOM.speaker + GAP)) + 32;
  const left = stacked(
    shown.map((r) => [r, weights.get(r)]),
    high,
    ROOM.recording,
  );
  const right = stacked(speakers, high, ROOM.speaker);
  const picture = el("div", { class: "map" });
  picture.append(
    side("from", left, high, (r) => recordingEnd(r, openRecording, picture)),
    ribbons(all, left, right, high),
    side("to", right, high, (name) => speakerEnd(name, askSpeaker, picture)),
  );
  return el(
    "figure",
    { class: "mapped" },
    picture,
    el("figcaption", { class: "unseen", text: describe(all) }),
  );
}

/** Sort [speaker, weight] in an order that crosses few ribbons: each by the mean place of its recordings (the
 *  barycenter heuristic of Sugiyama, Tagawa & Toda 1981), the larger first among equals. */
function opposite(all, shown) {
  const placed = totals(
    all.map((flow) => ({ ...flow, weight: flow.weight * shown.indexOf(flow.recording) })),
    (flow) => flow.name,
  );
  const weights = totals(all, (flow) => flow.name);
  const mean = (name) => (name === OTHERS ? Infinity : placed.get(name) / weights.get(name));
  return [...weights].sort((a, b) => (mean(a[0]) === mean(b[0]) ? b[1] - a[1] : mean(a[0]) - mean(b[0])));
}

/** The position of each name: {top, size, used}. Sizes follow the weights; none is smaller than a name needs. */
function stacked(weighted, high, least) {
  const room = high - GAP * (weighted.length - 1) - least * weighted.length;
  const sum = weighted.reduce((total, [, weight]) => total + weight, 0) || 1;
  let top = 0;
  return new Map(
    weighted.map(([name, weight]) => {
      const size = least + (Math.max(0, room) * weight) / sum;
      const place = { top, size, weight, used: 0 };
      top += size + GAP;
      return [name, place];
    }),
  );
}

function side(which, places, high, make) {
  const box = el("div", { class: `side ${which}`, style: { height: `${high}px` } });
  for (const [name, place] of places) {
    const end = make(name);
    end.style.setProperty("top", `${place.top}px`);
    end.style.setProperty("height", `${place.size}px`);
    end.style.setProperty("--lines", String(Math.max(1, Math.floor((place.size - DATE) / LINE))));
    box.append(end);
  }
  return box;
}

function recordingEnd(recording, open, picture) {
  const on = { click: () => open(recording), ...lighting(picture, "recording", recording.id) };
  return el(
    "button",
    { type: "button", class: "end", title: recording.title, on },
    el("span", { class: "name", dir: "auto", text: recording.title }),
    recording.date ? el("span", { class: "date", text: day(recording.date) }) : null,
  );
}

function speakerEnd(name, ask, picture) {
  const on = lighting(picture, "speaker", name);
  const words = el("span", { class: "name", dir: "auto", text: name });
  if (name === OTHERS) return el("span", { class: "end", on }, words);
  const title = `Ask again, ${name} only`;
  return el(
    "button",
    { type: "button", class: "end", title, "data-voice": voice(name), on: { click: () => ask(name), ...on } },
    words,
  );
}

/** Hovering over one end, or focusing it, dims the ribbons of the others. */
function lighting(picture, kind, value) {
  const light = () => {
    picture.classList.add("lit");
    for (const path of picture.querySelectorAll("path"))
      path.classList.toggle("on", path.dataset[kind] === value);
  };
  const dim = () => picture.classList.remove("lit");
  return { pointerenter: light, pointerleave: dim, focus: light, blur: dim };
}

function ribbons(all, left, right, high) {
  const [rows, columns] = [[...left.keys()], [...right.keys()]];
  const across = [...all].sort((a, b) => columns.indexOf(a.name) - columns.indexOf(b.name));
  const from = new Map(across.map((flow) => [flow, slice(left.get(flow.recording), flow)]));
  const down = [...all].sort((a, b) => rows.indexOf(a.recording) - rows.indexOf(b.recording));
  const whole = total(all);
  const paths = down.map((flow) => ribbon(flow, whole, from.get(flow), slice(right.get(flow.name), flow)));
  const box = {
    class: "ribbons",
    viewBox: `0 0 100 ${high}`,
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  };
  return svg("svg", { ...box, style: { height: `${high}px` } }, paths);
}

/** The next free part of an end, as large as the flow's share of it. */
function slice(place, flow) {
  const size = (place.size * flow.weight) / (place.weight || 1);
  const top = place.top + place.used;
  place.used += size;
  return [top, top + size];
}

function ribbon({ recording, name, weight }, whole, [a0, a1], [b0, b1]) {
  const d = `M0 ${a0}C50 ${a0} 50 ${b0} 100 ${b0}L100 ${b1}C50 ${b1} 50 ${a1} 0 ${a1}Z`;
  const label = `${name} in ${recording.title}: ${percent(weight / whole)}`;
  const colour = name === OTHERS ? null : voice(name);
  return svg(
    "path",
    { d, "data-voice": colour, "data-recording": recording.id, "data-speaker": name },
    svg("title", { text: label }),
  );
}

function describe(all) {
  const sums = [...totals(all, (flow) => flow.name)].sort((a, b) => b[1] - a[1]);
  const whole = total(all);
  const shares = sums.map(([name, weight]) => {
    const where = [...new Set(all.filter((flow) => flow.name === name).map((flow) => flow.recording.title))];
    return `${name}, ${percent(weight / whole)}, in ${where.join(" and ")}`;
  });
  return `Who speaks to the question. ${shares.join("; ")}.`;
}
