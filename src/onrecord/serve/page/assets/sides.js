// A comparison: its sides next to each other if there is room.

import { el } from "./dom.js";

const MOST = 4; // the most sides beside one another

/** The nodes of an answer; the sides of a comparison become columns. `prose()` makes a block for each side: the
 *  quotations of one speaker, or of one recording. Text about all sides stands before and after. */
export function inColumns({ x }, nodes) {
  if (x.plan?.intent !== "comparison" || x.answer?.verdict !== "answered") return nodes;
  const columns = nodes.filter((node) => node.matches?.(".voices"));
  if (columns.length < 2 || columns.length > MOST) return nodes;
  const [first, last] = [nodes.indexOf(columns[0]), nodes.indexOf(columns.at(-1))];
  const together = el("div", { class: "sides" }, nodes.slice(first, last + 1).filter((n) => columns.includes(n)));
  const between = nodes.slice(first, last + 1).filter((node) => !columns.includes(node));
  return [...nodes.slice(0, first), together, ...between, ...nodes.slice(last + 1)];
}
