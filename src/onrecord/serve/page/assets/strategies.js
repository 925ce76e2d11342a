// The strategies of the server, to choose one; by default it chooses by the question.

import { el } from "./dom.js";
import { get } from "./api.js";
import { list } from "./series.js";

const BEST = "auto";

/** Fill the <select> with the strategies; it stays hidden if there is only one. */
export async function fillStrategies(select) {
  let names = [];
  try {
    const { data } = await get("/v1/models");
    names = list(data)
      .map(({ id }) => /^onrecord\/(.+)$/.exec(id)?.[1])
      .filter(Boolean);
  } catch {
    // the choice is a convenience: without it the server chooses
  }
  const [first, ...others] = names.includes(BEST)
    ? [BEST, ...names.filter((name) => name !== BEST)]
    : ["", ...names];
  select.replaceChildren(
    ...[first, ...others].map((name) =>
      el("option", { value: name === first ? "" : name, text: (name || BEST).replaceAll("_", " ") }),
    ),
  );
  select.hidden = !others.length;
}
