// A choice of the server's strategies; by default the server chooses by the question.

import { el } from "./dom.js";
import { get } from "./api.js";
import { list } from "./series.js";

const BEST = "auto";

/** Fill the <select> with the strategies, the default of the settings first; it stays hidden if there is only one. */
export async function fillStrategies(select) {
  let models = [];
  try {
    models = list((await get("/v1/models")).data);
  } catch {
    // the choice is optional: without it the server chooses
  }
  const strategy = (id) => /^onrecord\/(.+)$/.exec(id)?.[1];
  const first = models.map(({ root }) => strategy(root)).find(Boolean) ?? BEST;
  const others = models.map(({ id }) => strategy(id)).filter((name) => name && name !== first);
  select.replaceChildren(
    ...[first, ...others].map((name) =>
      el("option", { value: name === first ? "" : name, text: name.replaceAll("_", " ") }),
    ),
  );
  select.hidden = !others.length;
}
