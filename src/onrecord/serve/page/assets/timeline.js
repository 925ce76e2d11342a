// Mentions over time: a bar for each period, divided by speaker. A bar plays a quote of its period.

import { get } from "./api.js";
import { el } from "./dom.js";
import { list } from "./series.js";
import { voice } from "./voices.js";
import { count, day } from "./words.js";

const PERIODS = ["day", "month", "year"];
const MOST = 60; // the most bars; if there are more periods, the latest

/** Draw the mentions of `name` into `box`, by day, month or year. */
export async function timeline(box, name, actions, by = "month") {
  const { points } = await get("/api/graph/timeline", { name, by });
  const dated = list(points).filter(({ period }) => period);
  const undated = list(points).find(({ period }) => !period);
  const most = Math.max(...dated.map(({ passages }) => passages), 1);
  const choose = PERIODS.map((each) =>
    el("button", {
      type: "button",
      class: "small",
      "aria-pressed": String(each === by),
      text: each,
      on: { click: () => timeline(box, name, actions, each) },
    }),
  );
  const bars = dated.slice(-MOST).map((point) => bar(point, most, actions));
  box.replaceChildren(
    el("div", { class: "tools", role: "group", "aria-label": "By day, month or year" }, choose),
    bars.length
      ? el("ol", { class: "bars" }, bars)
      : el("p", { class: "soft", text: "None of its recordings has a date." }),
    undated ? el("p", { class: "soft", text: `And ${count(undated.passages, "passage")} without a date.` }) : "",
  );
}

function bar({ period, passages, speakers, quote }, most, actions) {
  const parts = Object.entries(speakers ?? {}).sort((a, b) => b[1] - a[1]);
  const bySpeaker = parts.map(([name, n]) => `${name || "somebody"} ${n}`).join(", ");
  const stack = parts.map(([name, n]) =>
    el("span", { class: "share", "data-voice": voice(name), style: { "flex-grow": String(n) } }),
  );
  const attributes = { title: bySpeaker, class: "column" };
  const inside = [
    el("span", { class: "stack", style: { height: `${Math.max(6, (100 * passages) / most)}%` } }, stack),
    el("span", { class: "period", "aria-hidden": "true", text: period }),
    el("span", { class: "unseen", text: `${day(period)}: ${count(passages, "passage")}. ${bySpeaker}` }),
  ];
  return el(
    "li",
    {},
    quote
      ? el("button", { type: "button", ...attributes, on: { click: () => actions.play(quote) } }, inside)
      : el("span", attributes, inside),
  );
}
