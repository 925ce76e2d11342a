// A comparison: its sides next to each other where there is room.

import { el } from "./dom.js";

const MOST = 4; // sides that stand beside one another

/** The nodes of an answer; those of a comparison as columns. `prose()` gives a block for each side: the voices of
 *  one person, or of one recording. What is said of all of them stands before and after. */
export function inColumns({ x }, nodes) {
  if (x.plan?.intent !== "comparison" || x.answer?.verdict !== "answered") return nodes;
  const columns = nodes.filter((node) => node.matches?.(".voices"));
  if (columns.length < 2 || columns.length > MOST) return nodes;
  const [first, last] = [nodes.indexOf(columns[0]), nodes.indexOf(columns.at(-1))];
  const together = el("div", { class: "sides" }, nodes.slice(first, last + 1).filter((n) => columns.includes(n)));
  const between = nodes.slice(first, last + 1).filter((node) => !columns.includes(node));
  return [...nodes.slice(0, first), together, ...between, ...nodes.slice(last + 1)];
}
