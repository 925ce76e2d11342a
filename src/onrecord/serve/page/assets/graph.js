// The graph: a picture of the connections of an entity, its mentions over time, and the paths between two entities.
// Every line of the picture has a quote that can be played.

import { get } from "./api.js";
import { button, el } from "./dom.js";
import { graphHash } from "./router.js";
import { list } from "./series.js";
import { surroundings } from "./surroundings.js";
import { timeline } from "./timeline.js";
import { count, day } from "./words.js";

const MOST = 14; // the most lines of each kind
const SIMILAR = 6;

/** The view of `name` and its paths to `other`; of all topics if there is no name. `actions`:
 *  play(quote), go(hash), begin(question). */
export function graphView({ name, other }, actions) {
  const box = el("div", { class: "browse graph" }, el("p", { class: "state", text: "Looking it up" }));
  const draw = async () => {
    try {
      box.replaceChildren(...(name ? await around(name, other, actions) : await topics(actions)));
      if (other) box.querySelector(".find").scrollIntoView();
    } catch (error) {
      box.replaceChildren(
        el("h1", { dir: "auto", text: name || "Topics" }),
        el("p", { class: "trouble", role: "alert", dir: "auto", text: error.message }),
        finder(actions),
      );
    }
  };
  draw();
  return box;
}

// ---------------------------------------------------------------- all topics

async function topics(actions) {
  const { concepts } = await get("/api/graph/concepts", { across: 1, most: 60 });
  const rows = list(concepts).map(({ entity, quotes }) =>
    el(
      "li",
      {},
      el(
        "a",
        { href: graphHash(entity.name) },
        el("span", { class: "title", dir: "auto", text: entity.name }),
        el("span", { class: "facts", text: extent(entity) }),
      ),
      quotes[0] ? quoteButton(quotes[0], actions) : null,
    ),
  );
  return [
    el("h1", { text: "Topics" }),
    el("p", { class: "soft", text: "People and things that come up again, each with a quote." }),
    finder(actions),
    rows.length
      ? el("ul", { class: "topics" }, rows)
      : el("p", { class: "soft" }, "Nothing is known yet. For recordings of older versions: ", el("code", { text: "onrecord graph build" })),
  ];
}

function extent({ kind, passages, recordings }) {
  return [kind, `${count(passages, "passage")} in ${count(recordings, "recording")}`].filter(Boolean).join(" · ");
}

/** A box that leads to an entity. */
function finder(actions) {
  const input = el("input", {
    type: "search",
    required: true,
    maxlength: 300,
    placeholder: "A person, a company, a thing",
    "aria-label": "Show what surrounds",
    dir: "auto",
  });
  const form = el(
    "form",
    { class: "find", role: "search" },
    input,
    el("button", { type: "submit", class: "small", text: "Show" }),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    actions.go(graphHash(input.value.trim()), true);
  });
  return form;
}

// ---------------------------------------------------------------- one topic

async function around(name, other, actions) {
  const [about, { similar }, causes, between] = await Promise.all([
    get("/api/graph/about", { name, most: MOST }),
    get("/api/graph/similar", { name, most: SIMILAR }).catch(() => ({})), // without a model there are none
    get("/api/graph/causes", { name }),
    other ? get("/api/graph/between", { one: name, other }) : null,
  ]);
  const { entity } = about;
  const named = list(about.aliases).map(({ alias }) => alias).filter((alias) => alias !== entity.key);
  const over = [day(about.since), day(about.until)].filter(Boolean);
  const facts = [extent(entity), [...new Set(over)].join(" – "), named.length ? `also ${named.slice(0, 4).join(", ")}` : ""];
  const when = el("div", {});
  timeline(when, entity.name, actions);
  return [
    el("p", { class: "crumb" }, el("a", { href: "#/g", text: "Topics" })),
    el("h1", { dir: "auto", text: entity.name }),
    el("p", { class: "soft", dir: "auto", text: facts.filter(Boolean).join(" · ") }),
    about.note ? el("p", { class: "note", dir: "auto", text: about.note }) : null,
    el(
      "div",
      { class: "tools" },
      button(`Ask about it`, () => actions.begin(`What is said about ${entity.name}?`), { class: "small" }),
    ),
    surroundings({ ...about, similar }, actions),
    list(causes.paths).length // stated causes are right less often than other relations, so they are shown on request
      ? el("details", { class: "more" }, el("summary", {}, "What led to it"), pathList(causes.paths, actions))
      : null,
    el("h2", { text: "When it came up" }),
    when,
    el("h2", { text: "How it connects with something else" }),
    pathForm(entity.name, other, actions),
    ...(between ? connections(between, actions) : []),
  ].filter(Boolean);
}

function pathForm(name, other, actions) {
  const input = el("input", {
    type: "search",
    required: true,
    value: other ?? "",
    maxlength: 300,
    placeholder: "Another person or thing",
    "aria-label": `Another person or thing, beside ${name}`,
    dir: "auto",
  });
  const form = el("form", { class: "find" }, input, el("button", { type: "submit", class: "small", text: "Find paths" }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    actions.go(graphHash(name, input.value.trim()), true);
  });
  return form;
}

function connections({ other, paths, note }, actions) {
  const nothing = `Nothing connects it with ${other.name} within three steps.`;
  return [
    note ? el("p", { class: "note", dir: "auto", text: note }) : null,
    list(paths).length ? pathList(paths, actions) : el("p", { class: "soft", dir: "auto", text: nothing }),
  ].filter(Boolean);
}

/** Paths step by step, each with a quote that can be played. */
function pathList(paths, actions) {
  const rows = paths.map(({ steps }) => el("li", {}, steps.map((step) => stepNode(step, actions))));
  return el("ol", { class: "ways" }, rows);
}

/** One quote shows both ends of a step; if they are `apart`, each end has its own. */
function stepNode({ subject, relation, object, quotes, apart }, actions) {
  const sentence = el("p", { dir: "auto" }, link(subject), el("span", { class: "soft", text: ` ${relation} ` }), link(object));
  const shown = list(quotes).slice(0, apart ? 2 : 1);
  return el("div", { class: "way" }, sentence, shown.map((quote) => quoteButton(quote, actions)));
}

function link(name) {
  return el("a", { href: graphHash(name), text: name });
}

/** A quote that a click plays. */
function quoteButton(quote, actions) {
  const where = [quote.speaker, quote.title, day(quote.date)].filter(Boolean).join(", ");
  return el(
    "button",
    { type: "button", class: "near", on: { click: () => actions.play(quote) } },
    el("span", { class: "said", dir: "auto", text: quote.text }),
    el("span", { class: "facts", dir: "auto", text: where }),
  );
}
