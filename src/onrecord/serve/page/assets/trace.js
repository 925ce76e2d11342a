// The trace: every stage with its time, the budgets, and the calls of language models.

import { button, el } from "./dom.js";
import { list } from "./series.js";
import { count, known, took } from "./words.js";

const STAGES = {
  Route: "Read the question and chose a strategy",
  Branch: "Followed the strategy",
  Search: "Scored every passage, by meaning and by words",
  Keyword: "Searched for the words",
  Semantic: "Searched for the meaning",
  Fuse: "Joined the rankings",
  Sparse: "Weighed words by a learned model",
  Smooth: "Let relevance flow along the talk",
  Nearby: "Counted what is spoken of nearby",
  NeighbourMean: "Compared neighbouring passages",
  WideNeighbourMean: "Compared whole regions",
  Prefer: "Preferred what the question names",
  RecordingPrior: "Compared the recordings",
  Within: "Kept to the chosen speakers",
  Entries: "Compared entries and titles",
  FollowOn: "Searched onward from the best",
  Graph: "Followed names through the graph",
  Acts: "Looked for decisions, promises, questions",
  Read: "Read the best passages with the question",
  Grouped: "Grouped by recording",
  Moments: "Cut out the moments",
  Threshold: "Dropped what is not near enough",
  Diverse: "Avoided repetitions",
  Distinct: "Dropped what is said twice",
  Cap: "Took so many of each recording",
  Budget: "Cut to the budget",
  Limits: "Took as many as the question asks for",
  Balance: "Gave every speaker a share",
  Sides: "Searched for each side",
  Overview: "Took something of every part",
  Overall: "Looked at whole recordings",
  Focus: "Chose the recordings to read in depth",
  Full: "Took everything, in order",
  Passages: "Took single passages",
  Sections: "Chose the sections that fit",
  DropIrrelevant: "Dropped what does not belong",
  Important: "Preferred what says most",
  Weigh: "Weighed meaning, words and importance",
  Rerank: "Read the best once more",
  Neighbours: "Added the passages around",
  ReadingOrder: "Put them in the order of talk",
  FillGaps: "Filled small gaps",
  Expand: "Searched in other words too",
  Grade: "Judged the results",
  Correct: "Corrected the search",
  Iterate: "Searched again for what was missing",
};

/** The name of a stage in words; in code it is "Smooth(forward=400, ...)". */
export function stageName(stage) {
  const name = /^\w+/.exec(stage ?? "")?.[0] ?? "";
  return STAGES[name] ?? (name || "A stage");
}

/** The full trace of an answer. `explain()` asks again for what the graph raised. */
export function trace(x, explain) {
  const box = el("div", { class: "trace" });
  const facts = { "Kind of question": x.plan?.intent, strategy: x.plan?.strategy ?? x.options.strategy };
  const how = Object.entries(facts)
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}: ${value.replaceAll("_", " ")}`);
  if (how.length) box.append(el("p", { class: "how", text: how.join(" · ") }));
  if (x.steps.length) box.append(el("h4", { text: "Stages" }), steps(x.steps));
  if (x.answer && !x.options.explain) box.append(button("Show what the graph raised", explain, { class: "small" }));
  const budgets = list(x.answer?.budgets).filter((b) => known(b.ms));
  if (budgets.length) box.append(el("h4", { text: "Time against budget" }), ...budgets.map(budget));
  box.append(el("h4", { text: "Language model" }), calls(list(x.answer?.calls)));
  return box;
}

function steps(all) {
  const longest = Math.max(...all.map((s) => s.ms || 0), 0.001);
  return el(
    "ol",
    { class: "steps" },
    all.map((step) => stepRow(step, longest)),
  );
}

function stepRow({ stage, ms, taken, given, note, raised }, longest) {
  return el(
    "li",
    { title: stage },
    el("span", { class: "what", text: stageName(stage) }),
    el("span", { class: "flow", text: taken > 0 || given > 0 ? `${taken} → ${given}` : "" }),
    meter((ms || 0) / longest),
    el("span", { class: "ms", text: took(ms) }),
    note ? el("span", { class: "note", text: note }) : null,
    list(raised).length ? el("ul", { class: "note raised" }, raised.map(raisedRow)) : null,
  );
}

/** A passage that the graph raised, with the edges that raised it. */
function raisedRow({ title, position, place, without, edges }) {
  const from = known(without) ? `from place ${without} to ${place}` : "found by the graph alone";
  const shown = edges.map(({ source, quote }) => (quote ? `${source.description}: “${quote}”` : source.description));
  return el("li", { dir: "auto", text: `${title}, passage ${position + 1}, ${from}: ${shown.join("; ")}` });
}

function budget({ stage, limit_ms: limit, ms }) {
  const over = known(limit) && ms > limit;
  const time = known(limit) ? `${took(ms)} of ${took(limit)}` : took(ms);
  return el(
    "div",
    { class: `budget${over ? " over" : ""}` },
    el("span", { class: "what", text: stage.replaceAll("_", " ") }),
    meter(known(limit) ? ms / limit : 1),
    el("span", { class: "ms", text: over ? `${time}, over` : time }),
  );
}

function meter(share) {
  const full = `${Math.max(0.5, 100 * Math.min(1, share))}%`;
  return el("span", { class: "meter", "aria-hidden": "true" }, el("span", { style: { width: full } }));
}

function calls(all) {
  if (!all.length)
    return el("p", {
      class: "soft",
      text: "No language model was used: the answer consists of quotes, and cost nothing.",
    });
  const rows = all.map((call) =>
    el(
      "tr",
      {},
      ...[
        call.role,
        call.model,
        took(1000 * call.seconds),
        tokens(call),
        money(call.money),
        call.failure || "used",
      ].map((text) => el("td", { text })),
    ),
  );
  const head = ["for", "model", "time", "tokens in, out", "cost", ""].map((text) =>
    el("th", { text, scope: "col" }),
  );
  const total = all.reduce((sum, call) => sum + (call.money || 0), 0);
  const sum = `${count(all.length, "call")}, ${money(total) || "no price set"}`;
  return el(
    "div",
    { class: "wide", tabindex: "0", role: "region", "aria-label": "Calls of the language model" },
    el("table", {}, el("caption", { text: sum }), el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows)),
  );
}

function tokens({ prompt_tokens: read, completion_tokens: written }) {
  return `${read || 0}, ${written || 0}`;
}

function money(value) {
  return value ? value.toFixed(value < 0.01 ? 4 : 2) : "";
}
