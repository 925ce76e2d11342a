// One question and its answer on the page, redrawn while parts arrive.

import { announce, button, el } from "./dom.js";
import { fileName, here, markdownAnswer, plainAnswer } from "./cite.js";
import { copyButton, download } from "./clipboard.js";
import { drawEvidence } from "./evidence.js";
import { thumbs } from "./feedback.js";
import { prose } from "./prose.js";
import { remarks } from "./remarks.js";
import { list } from "./series.js";
import { nearest } from "./nearest.js";
import { inColumns } from "./sides.js";
import { nextQuestions } from "./suggest.js";
import { stageName, trace } from "./trace.js";
import { understood } from "./understood.js";
import { count, known, took } from "./words.js";

/** Return a view of `x`. `actions`: openSource(source), openAt(recording, second, moment), ask(question),
 *  without(x, ...filters), afresh(x), only(x, speaker), again(x), explain(x), hashOf(x). */
export function answerView(x, actions) {
  const part = (name, tag = "div") => el(tag, { class: name });
  const view = {
    x,
    actions,
    root: el("article", { class: "exchange", "aria-busy": "true", id: x.id }),
    understood: part("understood"),
    lead: part("lead"),
    text: part("text"),
    after: part("after"),
    evidence: part("evidence", "section"),
    waiting: new Set(), // the functions that draw in the next frame
    frame: 0,
  };
  const question = el("h2", { class: "asked", dir: "auto", text: x.question, tabindex: "-1" });
  const written = el("div", {}, view.lead, view.text, view.after);
  view.evidence.setAttribute("aria-label", "Where it was said");
  view.root.append(question, view.understood, el("div", { class: "both" }, written, view.evidence));
  view.root.addEventListener("click", (event) => citeClicked(view, event));
  drawLead(view);
  return { root: view.root, changed: (what) => changed(view, what) };
}

const DRAWN = {
  plan: [drawFilters],
  steps: [drawLead],
  evidence: [drawEvidence, drawLead],
  nearest: [drawText, drawLead],
  sources: [drawEvidence, drawText, drawLead],
  text: [drawText, drawLead],
  answer: [drawLead],
};

function changed(view, what) {
  if (what === "end") finish(view);
  else schedule(view, DRAWN[what] ?? []);
}

/** Draw in the next frame, because a fast stream brings many parts in one frame. */
function schedule(view, draws) {
  for (const draw of draws) view.waiting.add(draw);
  view.frame ||= requestAnimationFrame(() => drawAll(view, [...view.waiting]));
}

function finish(view) {
  const { x } = view;
  cancelAnimationFrame(view.frame);
  drawAll(view, [drawFilters, drawLead, drawText, drawAfter, drawEvidence]);
  view.root.setAttribute("aria-busy", "false");
  announce(
    x.error
      ? x.error.message
      : x.answer?.heading || firstLine(x) || (x.status === "stopped" ? "Stopped." : "The answer is there."),
  );
}

/** Return the first line of the text. Facts from the archive come first, without a heading. */
function firstLine(x) {
  return x.answer ? x.text.split("\n", 1)[0] : "";
}

/** Draw parts again, and restore the focus within them. */
function drawAll(view, draws) {
  view.waiting.clear();
  view.frame = 0;
  const held = view.root.contains(document.activeElement) ? sameAs(document.activeElement) : null;
  for (const draw of draws) draw(view);
  if (held && !view.root.contains(document.activeElement)) view.root.querySelector(held)?.focus();
}

/** Return a selector for the element that will replace this one. */
function sameAs({ dataset, classList }) {
  const kind = classList[0] ? `.${CSS.escape(classList[0])}` : "";
  const [name] = ["cite", "source"].filter((key) => dataset[key]);
  return name ? `${kind}[data-${name}="${CSS.escape(dataset[name])}"]` : null;
}

function drawFilters(view) {
  view.understood.replaceChildren(...understood(view.x, view.actions));
}

function drawText(view) {
  const { x, actions } = view;
  const waits = !x.text && (x.status === "asking" || x.status === "streaming");
  view.text.replaceChildren(...(waits ? nearest(x, actions) : inColumns(view, prose(x))));
  view.text.lang = view.x.plan?.language ?? "";
}

// ---------------------------------------------------------------- the first line, and the states

function drawLead(view) {
  const { x } = view;
  if (x.error) return view.lead.replaceChildren(errorBox(view));
  if (x.status === "asking" || x.status === "streaming") return view.lead.replaceChildren(progress(x));
  const heading = x.answer?.heading ?? "";
  const kind = x.answer?.verdict ?? "";
  const stopped =
    x.status === "stopped"
      ? el("p", { class: "soft", text: "Stopped. The text so far stays." })
      : null;
  const sure = heading && x.sources.size && x.answer.measured ? confidence(x.answer) : null;
  view.lead.replaceChildren(
    ...[
      heading ? el("p", { class: `heading ${kind}`, dir: "auto" }, badge(kind), heading) : null,
      sure,
      stopped,
    ].filter(Boolean),
  );
  return null;
}

function badge(verdict) {
  const words = {
    low_relevance: "Only the nearest",
    nothing_found: "Nothing found",
    low_diversity: "Said again and again",
  }[verdict];
  return words ? el("span", { class: "badge", text: words }) : "";
}

/** How often answers of each confidence contain the requested answer, as measured on held-out recordings
 *  (docs/models.md). The page does not show the confidence itself, because it promised too much. */
const MEASURED = [
  { from: 0.6, often: "About 2 of 3 such answers are right", share: "67%" },
  { from: 0.3, often: "About half of such answers are right", share: "50%" },
];

function confidence(answer) {
  const band = MEASURED.find(({ from }) => answer.confidence >= from);
  if (!known(answer.confidence) || !band) return null;
  return el(
    "p",
    { class: "sure", title: "Measured with questions about recordings that were held out" },
    el("span", { class: "meter", "aria-hidden": "true" }, el("span", { style: { width: band.share } })),
    band.often,
  );
}

function progress(x) {
  if (x.nearest.length && !x.text) return working("The nearest quotes, while the answer is being written");
  const step = x.steps.at(-1);
  if (x.status === "streaming") return working("Answering");
  if (x.recordings.length) return working(`Reading ${count(x.recordings.length, "recording")}`);
  return working(step ? stageName(step.stage) : "Asking");
}

function working(words) {
  return el(
    "p",
    { class: "progress" },
    el("span", { class: "reel", "aria-hidden": "true" }, el("i"), el("i"), el("i"), el("i"), el("i")),
    words,
  );
}

const ERRORS = {
  gone: "The server is not there",
  key: "A key is needed",
  busy: "Too many questions",
  refused: "This cannot be asked",
  stream: "The answer was not finished",
  failed: "Something went wrong",
};

function errorBox({ x, actions }) {
  return el(
    "div",
    { class: "trouble", role: "alert" },
    el("strong", { text: ERRORS[x.error.kind] ?? ERRORS.failed }),
    el("p", { dir: "auto", text: x.error.message }),
    x.text
      ? el("p", { class: "soft", text: "The text so far stays, but was not checked to the end." })
      : null,
    x.error.kind === "refused" ? null : button("Ask again", () => actions.again(x), { class: "small" }),
  );
}

/** Open the source of a clicked mark. One listener, because the text is redrawn while it arrives. */
function citeClicked({ x, actions }, event) {
  const mark = event.target.closest?.(".mark[data-cite]");
  if (mark) actions.openSource(x.sources.get(Number(mark.dataset.cite)), x, mark);
}

// ---------------------------------------------------------------- after the text

function drawAfter(view) {
  const { x, actions } = view;
  const nodes = [];
  const doubtful = list(x.answer?.unsupported);
  if (doubtful.length) nodes.push(unsupported(doubtful));
  nodes.push(...remarks(list(x.answer?.notes).filter((note) => !list(x.plan?.notes).includes(note))));
  if (x.answer?.verdict === "nothing_found") nodes.push(nothingFound(view));
  if (x.answer || x.steps.length) nodes.push(...tools(view));
  const more = nextQuestions(x);
  if (more.length) nodes.push(followUps(more, x, actions));
  view.after.replaceChildren(...nodes);
}

function unsupported(sentences) {
  return el(
    "div",
    { class: "unsupported" },
    el("p", { text: "Not clearly supported by what was said:" }),
    el(
      "ul",
      {},
      sentences.map((sentence) => el("li", { dir: "auto", text: sentence })),
    ),
  );
}

function nothingFound({ x, actions }) {
  if (x.answer?.faq) return null; // the FAQ asks back, and its nearest questions are shown below
  const tips = ["Say it in the words that people would have used.", "Name a person, a thing or a year."];
  const filters = list(x.plan?.filters);
  return el(
    "div",
    { class: "tips" },
    el(
      "ul",
      {},
      tips.map((tip) => el("li", { text: tip })),
    ),
    filters.length
      ? button("Ask again without any filter", () => actions.without(x, ...filters), { class: "small" })
      : null,
    el("a", { class: "small", href: "#/recordings", text: "See what there is" }),
  );
}

function tools({ x, actions }) {
  const did = el("div", { class: "did", id: `${x.id}-did`, hidden: !x.options.explain });
  const total = x.answer?.seconds?.total;
  const label = `What it did${known(total) ? ` · ${took(1000 * total)}` : ""}`;
  const opener = el("button", {
    type: "button",
    class: "small",
    text: label,
    "aria-controls": did.id,
  });
  const draw = () => {
    opener.setAttribute("aria-expanded", String(!did.hidden));
    if (!did.hidden) did.replaceChildren(trace(x, () => actions.explain(x)));
  };
  opener.addEventListener("click", () => {
    did.hidden = !did.hidden;
    draw();
  });
  draw();
  const row = el("div", { class: "tools" });
  if (x.text) {
    row.append(
      copyButton("Copy", () => plainAnswer(x)),
      button("Markdown", () => download(fileName(x.question), markdownAnswer(x)), {
        class: "small",
        title: "Save the answer as a Markdown file",
      }),
    );
  }
  row.append(
    copyButton("Link", () => here(actions.hashOf(x))),
    opener,
  );
  if (x.answer) row.append(thumbs(x));
  return [row, did];
}

function followUps(questions, x, actions) {
  const buttons = questions.map(({ label, question, options }) =>
    el("button", {
      type: "button",
      class: "next",
      dir: "auto",
      title: label,
      on: {
        click: () => (question === x.question ? actions.beside(x, options) : actions.ask(question, options)),
      },
    }, el("span", { text: label })),
  );
  return el("div", { class: "follow", role: "group", "aria-label": "Ask next" }, buttons);
}
