// Remarks on one line: the first of them, and the others when the line is opened.

import { el } from "./dom.js";
import { count } from "./words.js";

const MOST = 50;

/** The elements for some remarks. */
export function remarks([first, ...others]) {
  if (!first) return [];
  if (!others.length) return [el("p", { class: "note", dir: "auto", text: first })];
  const summary = [
    el("span", { dir: "auto", text: first }),
    el("span", { class: "how", "aria-hidden": "true", text: ` +${others.length}` }),
    el("span", { class: "unseen", text: ` And ${count(others.length, "more remark")}` }),
  ];
  const rest = others.slice(0, MOST).map((text) => el("p", { dir: "auto", text }));
  return [el("details", { class: "note" }, el("summary", {}, summary), rest)];
}
