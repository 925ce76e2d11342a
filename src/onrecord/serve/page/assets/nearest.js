// The nearest quotes, shown while a language model writes.

import { who } from "./cite.js";
import { el } from "./dom.js";
import { voice } from "./voices.js";
import { span } from "./words.js";

/** A list of quotes; each opens its recording at the quote. */
export function nearest(x, actions) {
  if (!x.nearest.length) return [];
  const rows = x.nearest.map((source) =>
    el(
      "li",
      {},
      el(
        "button",
        { type: "button", class: "near", on: { click: () => actions.openSource({ ...source, number: null }, x) } },
        el("span", { class: "said", dir: "auto", text: source.quote }),
        el("span", { class: "who", "data-voice": voice(source.speaker), dir: "auto", text: who(source) || "Someone" }),
        el("span", {
          class: "facts",
          dir: "auto",
          text: [source.title, span(source.start, source.end)].filter(Boolean).join(" · "),
        }),
      ),
    ),
  );
  return [el("ul", { class: "nearest" }, rows)];
}
