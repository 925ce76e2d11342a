// One question and its answer on the page, kept up to date while parts come in.

import { announce, button, el, icon } from "./dom.js";
import { blocks } from "./markdown.js";
import { nextQuestions } from "./suggest.js";
import { list } from "./series.js";
import { count, day, known, length, percent, period, span, took } from "./words.js";
import { curve } from "./curve.js";
import { map } from "./map.js";
import { stageName, trail } from "./trail.js";
import { citation, fileName, here, markdownAnswer, plainAnswer } from "./cite.js";
import { copyButton, download } from "./clipboard.js";
import { voice } from "./voices.js";

const FIRST = 3; // recordings that are shown before "more"

/** A view of `x`. `actions`: openSource(source), openAt(recording, second, moment), ask(question),
 *  without(x, field), only(x, speaker), again(x), hashOf(x). */
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
    waiting: 0,
  };
  const question = el("h2", { class: "asked", dir: "auto", text: x.question, tabindex: "-1" });
  const said = el("div", { class: "said-side" }, view.lead, view.text, view.after);
  view.evidence.setAttribute("aria-label", "Where it was said");
  view.root.append(question, view.understood, el("div", { class: "both" }, said, view.evidence));
  view.root.addEventListener("click", (event) => citeClicked(view, event));
  lead(view);
  return { root: view.root, changed: (what) => changed(view, what) };
}

function changed(view, what) {
  const drawn = { plan: [understood], steps: [lead], evidence: [evidence, lead], sources: [evidenceSoon], text: [textSoon], answer: [lead] };
  for (const draw of drawn[what] ?? []) draw(view);
  if (what === "end") ended(view);
}

function ended(view) {
  const { x } = view;
  view.root.setAttribute("aria-busy", "false");
  for (const draw of [understood, lead, text, after, evidence]) draw(view);
  announce(x.error ? x.error.message : x.answer?.heading || (x.status === "stopped" ? "Stopped." : "The answer is there."));
}

/** Drawing waits for the next frame: a fast stream brings many parts in one. */
function soon(view, draw) {
  if (view.waiting) return;
  view.waiting = requestAnimationFrame(() => {
    view.waiting = 0;
    draw(view);
  });
}

function textSoon(view) {
  soon(view, (v) => [text, lead].forEach((draw) => draw(v)));
}

function evidenceSoon(view) {
  soon(view, (v) => [evidence, text, lead].forEach((draw) => draw(v)));
}

// ---------------------------------------------------------------- what was understood

function understood(view) {
  const { x, actions } = view;
  const chips = filterChips(list(x.plan?.filters)).map(({ filters, ...told }) => chip(told, () => actions.without(x, ...filters)));
  const back = list(x.options.without).map((field) =>
    button(`use the ${fieldName(field)} again`, () => actions.withAgain(x, field), { class: "chip off" }),
  );
  const scoped = scopeChips(x, actions);
  const how = [x.plan?.intent, x.plan?.strategy ?? x.options.strategy].filter(Boolean).map((word) => word.replaceAll("_", " "));
  const leans = x.plan?.text && x.plan.text !== x.question && x.before.length ? `understood as “${x.plan.text}”` : null;
  const words = [...new Set(how), leans].filter(Boolean).join(" · ");
  view.understood.replaceChildren(...scoped, ...chips, ...back, words ? el("span", { class: "how", dir: "auto", text: words }) : "");
  for (const note of list(x.plan?.notes)) view.understood.append(el("p", { class: "note", dir: "auto", text: note }));
}

const SCOPE = { recordings: "recording", speakers: "speaker", languages: "language", sections: "section" };

/** The scope that the question was put to, as chips: taking one away asks again without it. */
function scopeChips(x, actions) {
  const scope = x.options.scope ?? {};
  const pairs = Object.entries(scope).flatMap(([field, value]) => {
    if (field === "attributes") return Object.entries(value).map(([name, text]) => [name, text, { ...scope, attributes: without(value, name) }]);
    return [value].flat().map((one) => [SCOPE[field] ?? field, one, without(scope, field)]);
  });
  return pairs.map(([field, value, rest]) => {
    const shown = field === "recording" ? actions.titleOf(value) : value;
    return chip({ field, value: shown }, () => actions.within(x, rest));
  });
}

function without(object, name) {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}

const FIELDS = { since: "from", until: "up to" };

function fieldName(field) {
  return FIELDS[field] ?? String(field).replaceAll("_", " ");
}

/** What to show for the filters: one chip each, and one for a beginning and an end that were said as one. */
function filterChips(filters) {
  const since = filters.find((f) => f.field === "since");
  const until = filters.find((f) => f.field === "until" && f.said === since?.said);
  const dates = since && until ? [{ field: "date", value: period(since.value, until.value), said: since.said, filters: [since, until] }] : [];
  const others = filters.filter((f) => !dates.length || (f !== since && f !== until));
  return [...dates, ...others.map((f) => ({ ...f, filters: [f] }))];
}

function chip({ field, value, said }, remove) {
  const name = `${fieldName(field)}: ${value}`;
  return el(
    "span",
    { class: "chip", title: said ? `read from “${said}”` : null },
    el("span", { class: "key", text: `${fieldName(field)} ` }),
    el("span", { dir: "auto", text: ["since", "until"].includes(field) ? day(value) : value }),
    button(`Ask again without ${name}`, remove, {}, icon("close")),
  );
}

// ---------------------------------------------------------------- the first line, and the states

function lead(view) {
  const { x } = view;
  if (x.error) return view.lead.replaceChildren(trouble(view));
  if (x.status === "asking" || x.status === "streaming") return view.lead.replaceChildren(progress(x));
  const heading = x.answer?.heading ?? "";
  const kind = x.answer?.verdict ?? "";
  const stopped = x.status === "stopped" ? el("p", { class: "soft", text: "Stopped. What had come so far is kept." }) : null;
  const sure = heading && x.sources.size ? confidence(x.answer) : null;
  view.lead.replaceChildren(
    ...[heading ? el("p", { class: `heading ${kind}`, dir: "auto" }, badge(kind), heading) : null, sure, stopped].filter(Boolean),
  );
  return null;
}

function badge(verdict) {
  const words = { low_relevance: "Only the nearest", nothing_found: "Nothing found", low_diversity: "Said again and again" }[verdict];
  return words ? el("span", { class: "badge", text: words }) : "";
}

function confidence(answer) {
  if (!known(answer.confidence)) return null;
  const told = answer.confidence > 0.99 ? "over 99 % sure" : `${percent(answer.confidence)} sure`;
  const title = "How likely it is that what was found speaks to the question; calibrated, not a feeling";
  return el(
    "p",
    { class: "sure", title },
    el("span", { class: "meter", "aria-hidden": "true" }, el("span", { style: { width: percent(answer.confidence).replace(" ", "") } })),
    told,
  );
}

function progress(x) {
  const step = x.steps.at(-1);
  const found = x.recordings.length ? `Reading ${count(x.recordings.length, "recording")}` : null;
  const words = x.status === "streaming" ? "Answering" : found ?? (step ? stageName(step.stage) : "Asking");
  return el("p", { class: "progress" }, el("span", { class: "reel", "aria-hidden": "true" }, el("i"), el("i"), el("i"), el("i"), el("i")), words);
}

const ERRORS = { gone: "The server is not there", key: "A key is wanted", busy: "Too many questions", refused: "This cannot be asked", stream: "The answer was not finished", failed: "Something went wrong" };

function trouble({ x, actions }) {
  return el(
    "div",
    { class: "trouble", role: "alert" },
    el("strong", { text: ERRORS[x.error.kind] ?? ERRORS.failed }),
    el("p", { dir: "auto", text: x.error.message }),
    x.text ? el("p", { class: "soft", text: "What had come so far is kept, but was not checked to the end." }) : null,
    x.error.kind === "refused" ? null : button("Ask again", () => actions.again(x), { class: "small" }),
  );
}

// ---------------------------------------------------------------- the text

function text(view) {
  const { x } = view;
  const only = x.text === x.answer?.heading; // where nothing was found, the heading is all there is
  view.text.replaceChildren(...(only ? [] : blocks(x.text, x.sources).map((block) => blockNode(block, x))));
  view.text.lang = x.plan?.language ?? "";
}

function blockNode({ kind, lines, items }, x) {
  if (kind === "h") return el("h3", { dir: "auto" }, lines[0].map((piece) => pieceNode(piece, x)));
  if (kind !== "p") return el(kind, {}, items.map((item) => el("li", { dir: "auto" }, item.map((piece) => pieceNode(piece, x)))));
  if (lines.some((line) => attribution(line, x))) return el("div", { class: "voices" }, lines.map((line) => voiceLine(line, x)));
  const rows = lines.flatMap((line, n) => [n ? el("br") : null, ...line.map((piece) => pieceNode(piece, x))]);
  return el("p", { dir: "auto" }, rows);
}

/** Who says a line of the form "Brendan Kelly: “...” [2]", where that is the speaker of a source in it. */
function attribution([first, second], x) {
  if (first?.kind !== "text" || second?.kind !== "said") return null;
  const name = first.text.replace(/\s*:\s*$/, "");
  return name !== first.text && [...x.sources.values()].some((source) => flat(source.speaker) === name) ? name : null;
}

function flat(text) {
  return String(text ?? "").replace(/\s+/g, " ").trim();
}

/** A line of who says what; other lines of such a paragraph tell the recording that it is said in. */
function voiceLine(line, x) {
  const name = attribution(line, x);
  if (name) return el("p", { dir: "auto" }, el("b", { class: "speaker", "data-voice": voice(name), text: name }), " ", line.slice(1).map((piece) => pieceNode(piece, x)));
  const said = line.some((piece) => piece.kind === "said");
  return el("p", { class: said ? null : "origin", dir: "auto" }, line.map((piece) => pieceNode(piece, x)));
}

function pieceNode(piece, x) {
  if (piece.kind === "mark") return mark(x.sources.get(piece.number));
  if (piece.kind === "strong" || piece.kind === "em") return el(piece.kind, {}, piece.pieces.map((inner) => pieceNode(inner, x)));
  if (piece.kind === "code") return el("code", { text: piece.text });
  return piece.kind === "said" ? el("span", { class: "said", text: piece.text }) : piece.text;
}

function mark(source) {
  const title = [source.speaker, source.title, span(source.start, source.end)].filter(Boolean).join(", ");
  const attributes = { class: "mark", "data-cite": source.number, "aria-label": `Source ${source.number}: ${title}`, title };
  return el("button", { type: "button", ...attributes, text: `${source.number}` });
}

/** Marks in the text: one listener for all, as the text is drawn anew while it comes in. */
function citeClicked({ x, actions }, event) {
  const found = event.target.closest?.(".mark[data-cite]");
  if (found) actions.openSource(x.sources.get(Number(found.dataset.cite)), x, found);
}

// ---------------------------------------------------------------- after the text

function after(view) {
  const { x, actions } = view;
  const nodes = [];
  const doubtful = list(x.answer?.unsupported);
  if (doubtful.length) nodes.push(unsupported(doubtful));
  const fresh = list(x.answer?.notes).filter((note) => !list(x.plan?.notes).includes(note));
  for (const note of fresh) nodes.push(el("p", { class: "note", dir: "auto", text: note }));
  if (x.answer?.verdict === "nothing_found") nodes.push(nothing(view));
  if (x.answer || x.steps.length) nodes.push(...tools(view));
  const more = nextQuestions(x);
  if (more.length) nodes.push(followUps(more, x, actions));
  view.after.replaceChildren(...nodes);
}

function unsupported(sentences) {
  return el(
    "div",
    { class: "unsupported" },
    el("p", { text: "Not supported by what was said:" }),
    el("ul", {}, sentences.map((sentence) => el("li", { dir: "auto", text: sentence }))),
  );
}

function nothing({ x, actions }) {
  const tips = ["Say it in the words that people would have used.", "Name a person, a thing or a year."];
  const filters = list(x.plan?.filters);
  return el(
    "div",
    { class: "tips" },
    el("ul", {}, tips.map((tip) => el("li", { text: tip }))),
    filters.length ? button("Ask again without any filter", () => actions.without(x, ...filters), { class: "small" }) : null,
    el("a", { class: "small", href: "#/recordings", text: "See what there is" }),
  );
}

function tools({ x, actions }) {
  const did = el("div", { class: "did", id: `${x.id}-did`, hidden: true });
  const total = x.answer?.seconds?.total;
  const label = `What it did${known(total) ? ` · ${took(1000 * total)}` : ""}`;
  const opener = el("button", { type: "button", class: "small", text: label, "aria-expanded": "false", "aria-controls": did.id });
  opener.addEventListener("click", () => {
    did.hidden = !did.hidden;
    opener.setAttribute("aria-expanded", String(!did.hidden));
    if (!did.hidden) did.replaceChildren(trail(x));
  });
  const row = el("div", { class: "tools" });
  if (x.text) {
    row.append(
      copyButton("Copy", () => plainAnswer(x)),
      button("Markdown", () => download(fileName(x.question), markdownAnswer(x)), { class: "small", title: "Save the answer as a Markdown file" }),
    );
  }
  row.append(copyButton("Link", () => here(actions.hashOf(x))), opener);
  return [row, did];
}

function followUps(questions, x, actions) {
  const buttons = questions.map(({ label, question, options }) =>
    el("button", { type: "button", class: "next", dir: "auto", text: label, on: { click: () => (question === x.question ? actions.beside(x, options) : actions.ask(question, options)) } }),
  );
  return el("div", { class: "follow", role: "group", "aria-label": "Ask next" }, buttons);
}

// ---------------------------------------------------------------- where it was said

function evidence(view) {
  const { x, actions } = view;
  const groups = grouped(x);
  const open = view.evidence.querySelector("details.more")?.open ?? false;
  const cards = groups.map(({ recording, sources }) => recordingCard(recording, sources, view));
  const cited = groups.filter((g) => g.sources.length).length;
  const shown = Math.max(FIRST, cited);
  const rest = cards.splice(shown);
  if (x.answer?.verdict === "nothing_found") return view.evidence.replaceChildren(...(groups.length ? [nearest(groups, view, open)] : []));
  const picture = x.recordings.length ? map(x.recordings, { openRecording: (r) => openBest(r, actions), askSpeaker: (name) => actions.only(x, name) }) : null;
  view.evidence.replaceChildren(
    ...(cards.length ? [el("h3", { text: cited || !x.answer ? "Where it was said" : "The nearest there is" }), ...cards] : []),
    ...(rest.length ? [el("details", { class: "more", open }, el("summary", { text: `${count(rest.length, "more recording")}` }), ...rest)] : []),
    ...(picture ? [el("h3", { text: "Who speaks to it" }), picture] : []),
  );
  return null;
}

/** Where nothing speaks to the question: what came nearest is shown to those who ask for it, and is not bright. */
function nearest(groups, view, open) {
  const cards = groups.slice(0, FIRST).map(({ recording, sources }) => recordingCard(recording, sources, view));
  return el("details", { class: "more pale", open }, el("summary", { text: "What came nearest, though it is no answer" }), ...cards);
}

function openBest(recording, actions) {
  const best = [...list(recording.moments)].sort((a, b) => b.score - a.score)[0];
  actions.openAt(recording, best?.start ?? 0, best);
}

/** Recordings with their sources: those that are cited first, in the order of their first mark. */
function grouped(x) {
  const byId = new Map(x.recordings.map((recording) => [recording.id, { recording, sources: [] }]));
  for (const source of [...x.sources.values()].sort((a, b) => a.number - b.number)) {
    if (!byId.has(source.recording)) byId.set(source.recording, { recording: fromSource(source), sources: [] });
    byId.get(source.recording).sources.push(source);
  }
  const first = ({ sources }) => sources[0]?.number ?? Infinity;
  return [...byId.values()].sort((a, b) => first(a) - first(b) || (b.recording.score ?? 0) - (a.recording.score ?? 0));
}

function fromSource({ recording, title, date, media, link }) {
  return { id: recording, title, date, media, link, curve: [], moments: [] };
}

function recordingCard(recording, sources, { x, actions }) {
  const openPin = (pin) => (pin.source ? actions.openSource(pin.source, x) : actions.openAt(recording, pin.start, pin));
  const timed = recording.unit !== "passages"; // without times its places count passages
  const cited = timed ? sources.map((source) => ({ ...source, source })) : [];
  const peaks = list(recording.moments).filter((m) => known(m.start) && !cited.some((c) => within(c.start, m)));
  const facts = [day(recording.date), length(recording.seconds)].filter(Boolean).join(" · ");
  return el(
    "section",
    { class: "where", "data-recording": recording.id },
    el("h4", {}, button(recording.title, () => openBest(recording, actions), { class: "title", dir: "auto" })),
    facts ? el("p", { class: "facts", text: facts }) : null,
    list(recording.curve).length ? curve(recording, [...cited, ...peaks], openPin) : null,
    el("ul", { class: "sources" }, sources.map((source) => sourceRow(source, x, actions))),
  );
}

function within(second, { start, end }) {
  return known(second) && second >= start - 1 && second <= (end ?? start) + 1;
}

function sourceRow(source, x, actions) {
  const time = span(source.start, source.end);
  return el(
    "li",
    {},
    el(
      "button",
      { type: "button", class: "source", "data-source": source.number, on: { click: () => actions.openSource(source, x) } },
      el("span", { class: "number", text: source.number }),
      el("span", { class: "who", "data-voice": voice(source.speaker), dir: "auto", text: source.speaker || "Someone" }),
      el("span", { class: "time", text: time || "no times" }),
    ),
    copyButton("Copy", () => citation(source), { "aria-label": `Copy source ${source.number} with its citation`, class: "small quiet" }),
  );
}

