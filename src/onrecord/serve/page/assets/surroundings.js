// The picture of an entity's connections: its speakers on one side; names that occur with it or are similar to it on
// the other, and a line for each. It consists of rows, so that every name has its own line.

import { el, svg } from "./dom.js";
import { graphHash } from "./router.js";
import { list } from "./series.js";
import { voice } from "./voices.js";
import { count } from "./words.js";

const MOST = 24; // the most names on one side
const ROW = 44; // pixels

/** The picture. `actions`: play(quote), which every line calls with its own quote. */
export function surroundings(about, actions) {
  const { entity } = about;
  const others = edges(about);
  const voices = list(about.voices).slice(0, MOST);
  const high = Math.max(voices.length, others.length, 1) * ROW;
  const picture = el("div", { class: "around", style: { "--high": `${high}px` } });
  const left = voices.map((each, n) => voiceRow(each, n, actions));
  const right = others.map((each, n) => edgeRow(each, n, actions));
  picture.append(
    el("ul", { class: "ring from" }, left),
    rays("from", voices.map(({ passages, speaker }) => ({ count: passages, voice: voice(speaker) })), high),
    el("span", { class: "hub", "aria-hidden": "true", dir: "auto" }, el("span", { text: entity.name })),
    rays("to", others, high),
    el("ul", { class: "ring to" }, right),
  );
  lit(picture);
  const caption = `${count(voices.length, "person speaks", "people speak")} of ${entity.name}; ${count(others.length, "name stands", "names stand")} beside it. Solid lines are stated outright, dotted lines join names that come up together, or mean nearly the same. The wider a line, the more often.`;
  return el("figure", { class: "surroundings" }, el("figcaption", { class: "soft", dir: "auto", text: caption }), picture);
}

/** The entity's neighbors, each once: stated relations first, similar names last. */
function edges({ entity, relations, together, similar }) {
  const seen = new Set([entity.name]);
  const rows = [];
  for (const edge of [...list(relations), ...list(together), ...list(similar)]) {
    const other = edge.subject === entity.name ? edge.object : edge.subject;
    if (seen.has(other)) continue;
    seen.add(other);
    rows.push({ ...edge, other });
  }
  return rows.slice(0, MOST);
}

function voiceRow({ speaker, passages, quote }, n, actions) {
  const label = `speaks of it, ${count(passages, "time")}`;
  return el(
    "li",
    { "data-ray": `from${n}` },
    el("a", { href: graphHash(speaker), class: "node", "data-voice": voice(speaker), dir: "auto", text: speaker }),
    edgeNode(label, `${speaker} ${label}: hear it`, quote, actions),
  );
}

function edgeRow({ other, relation, subject, inferred, count: times, quotes }, n, actions) {
  const how = relation === "similar to" ? "similar" : inferred ? "named with it" : relation;
  const label = `${subject === other ? "← " : ""}${how}${times > 1 ? ` ×${times}` : ""}`;
  const quote = list(quotes)[0];
  return el(
    "li",
    { "data-ray": `to${n}` },
    el("a", { href: graphHash(other), class: "node", dir: "auto", text: other }),
    edgeNode(label, `${other}: ${label}, hear it`, quote, actions),
  );
}

/** The label of a line, which plays the line's quote. */
function edgeNode(label, spoken, quote, actions) {
  if (!quote) return el("span", { class: "edge", text: label });
  return el("button", {
    type: "button",
    class: "edge",
    title: quote.text,
    "aria-label": spoken,
    text: label,
    on: { click: () => actions.play(quote) },
  });
}

/** Lines from the rows of one side to the center. */
function rays(side, rows, high) {
  const most = Math.max(...rows.map(({ count: times }) => times), 1);
  const first = (high - rows.length * ROW) / 2 + ROW / 2;
  const [row, hub] = side === "from" ? [0, 100] : [100, 0];
  const lines = rows.map(({ count: times, voice: hue, inferred }, n) => {
    const y = first + n * ROW;
    const d = `M${row} ${y}C50 ${y} 50 ${high / 2} ${hub} ${high / 2}`;
    const drawn = svg("path", { d, class: inferred ? "ray dotted" : "ray", "vector-effect": "non-scaling-stroke" });
    drawn.style.setProperty("stroke-width", `${1.5 + (5 * times) / most}px`);
    const near = svg("path", { d, class: "touch", "vector-effect": "non-scaling-stroke" }); // easy to hit
    return svg("g", { "data-ray": `${side}${n}`, "data-voice": hue ?? null }, near, drawn);
  });
  return svg(
    "svg",
    { class: "rays", viewBox: `0 0 100 ${high}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    lines,
  );
}

/** Highlight a line and its row together; a click on the line acts as a click on the row's button. */
function lit(picture) {
  const mark = (event, on) => {
    const ray = event.target.closest?.("[data-ray]")?.dataset.ray;
    for (const node of ray ? picture.querySelectorAll(`[data-ray="${ray}"]`) : []) node.classList.toggle("on", on);
  };
  for (const [type, on] of Object.entries({ mouseover: true, mouseout: false, focusin: true, focusout: false }))
    picture.addEventListener(type, (event) => mark(event, on));
  picture.addEventListener("click", (event) => {
    const ray = event.target.closest?.("g[data-ray]")?.dataset.ray;
    if (ray) picture.querySelector(`li[data-ray="${ray}"] button`)?.click();
  });
}
