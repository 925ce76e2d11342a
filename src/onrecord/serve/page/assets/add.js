// Add transcripts and feeds by dropping, choosing or naming an address, each with its progress.

import { add } from "./api.js";
import { announce, button, el } from "./dom.js";
import { updateLibrary } from "./library.js";
import { remarks } from "./remarks.js";
import { list } from "./series.js";

const NOT_FETCHED = "fetch=true"; // in a message of the server: the feed's transcripts are elsewhere
const MOST = 2000; // the most files in one drop

/** The box that adds recordings: {node, take(jobs)}. It calls `changed()` after each one, and `open(id)` to show one. */
export function adder({ changed, open }) {
  const rows = el("ul", { class: "arrivals" });
  const view = { rows, changed, open, queue: Promise.resolve() };
  const take = (jobs) => {
    node.open = true;
    enqueue(view, jobs);
  };
  const choose = el("input", { type: "file", multiple: true, hidden: true, "aria-hidden": "true", tabindex: "-1" });
  choose.addEventListener("change", () => {
    take([...choose.files].map((file) => ({ file })));
    choose.value = "";
  });
  const address = el("input", {
    type: "url",
    required: true,
    placeholder: "https://… of a feed or a transcript",
    "aria-label": "Address of a feed or a transcript",
  });
  const form = el(
    "form",
    { class: "by-address" },
    address,
    el("button", { type: "submit", class: "small", text: "Add" }),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    take([{ address: address.value.trim() }]);
    address.value = "";
  });
  const hint = "Drop transcripts or feeds anywhere on this page: WebVTT, SRT, Whisper, Word, RSS and more.";
  const pick = button("Choose files", () => choose.click(), { class: "small strong" });
  const inside = [el("p", { text: hint }), el("div", { class: "tools" }, pick, form), choose, rows];
  const node = el(
    "details",
    { class: "adder" },
    el("summary", { class: "small", text: "Add recordings" }),
    el("div", { class: "adder-inside" }, inside),
  );
  return { node, take };
}

function enqueue(view, jobs) {
  const waiting = jobs.slice(0, MOST).map((job) => ({ ...job, row: arrival(view, job) }));
  for (const job of waiting) view.queue = view.queue.then(() => run(view, job));
  if (waiting.length) view.queue = view.queue.then(() => announce("Adding has ended."));
}

// ---------------------------------------------------------------- one source

function arrival(view, { file, address }) {
  const bar = el("span", { style: { width: "0%" } });
  const state = el("span", { class: "state-word", text: "waiting" });
  const more = el("span", { class: "more-word", dir: "auto" });
  const meter = el("span", { class: "meter", "aria-hidden": "true" }, bar);
  const name = el("span", { class: "name", dir: "auto", text: file ? file.name : address });
  const node = el("li", {}, name, meter, state, more);
  view.rows.append(node);
  return { node, name, bar, state, more };
}

async function run(view, job) {
  const { row } = job;
  if (/^(audio|video)\//.test(job.file?.type ?? ""))
    return refused(row, "This is sound. Add its transcript: Whisper, for one, makes it.");
  row.more.textContent = "";
  try {
    const report = await add(job, (step) => progress(row, step));
    done(view, job, report);
  } catch (error) {
    refused(row, error.message);
    if (!job.fetch && error.message.includes(NOT_FETCHED)) offerToFetch(view, job);
  }
  return null;
}

function progress({ bar, state }, { sent, done, of, name }) {
  const share = sent === undefined ? 0.3 + (0.7 * done) / Math.max(of, 1) : 0.3 * sent;
  bar.style.setProperty("width", `${Math.round(100 * share)}%`);
  if (sent !== undefined) state.textContent = sent < 1 ? `sending, ${Math.round(100 * sent)} %` : "reading";
  else state.textContent = of > 1 ? `${done} of ${of}${name ? `: ${name}` : ""}` : "reading";
}

function done(view, job, report) {
  const { row } = job;
  const fresh = [...list(report.added), ...list(report.changed)];
  updateLibrary([...fresh, ...list(report.unchanged)]);
  row.node.classList.add("done");
  row.bar.style.setProperty("width", "100%");
  const parts = ["added", "changed", "unchanged"].map((kind) => [list(report[kind]).length, kind]);
  const outcome = parts.filter(([n]) => n).map(([n, kind]) => (n > 1 ? `${n} ${kind}` : kind));
  row.state.textContent = outcome.join(", ") || "nothing added";
  const troubles = [...list(report.refused), ...list(report.skipped)];
  const words = [...list(report.notes), ...troubles.map(({ name, message }) => `${name}: ${withoutName(name, message)}`)];
  row.more.replaceChildren(...remarks(words));
  const shown = [...fresh, ...list(report.unchanged)][0];
  if (shown) row.state.append(button("Open", () => view.open(shown.id), { class: "small quiet" }));
  if (!job.fetch && words.some((word) => word.includes(NOT_FETCHED))) offerToFetch(view, job);
  if (fresh.length) view.changed();
}

/** Return a message without the file's name, or its first byte, in front: both are shown above it. */
function withoutName(name, message) {
  const before = [`${name}, byte 0: `, `${name}, `, `${name}: `].find((start) => message.startsWith(start));
  return message.slice(before?.length ?? 0);
}

function refused({ node, name, state, more, bar }, message) {
  node.classList.add("refused");
  bar.style.setProperty("width", "0%");
  state.textContent = "not added";
  more.textContent = withoutName(name.textContent, message);
}

function offerToFetch(view, job) {
  const again = button("Fetch its transcripts", () => {
    job.row.node.remove();
    enqueue(view, [{ ...job, fetch: true }]);
  });
  again.className = "small";
  job.row.more.append(" ", again);
}

// ---------------------------------------------------------------- dropping

/** Pass files that are dropped anywhere to `take`, unless `allowed()` returns false. */
export function dropping({ allowed, take }) {
  const sign = el("div", { class: "drop-sign", hidden: true }, el("p", { text: "Drop to add" }));
  document.body.append(sign);
  let inside = 0;
  const carries = (event) => allowed() && [...(event.dataTransfer?.types ?? [])].includes("Files");
  const show = (by) => (sign.hidden = (inside = Math.max(0, inside + by)) === 0);
  document.addEventListener("dragenter", (event) => carries(event) && show(1));
  document.addEventListener("dragleave", (event) => carries(event) && show(-1));
  document.addEventListener("dragover", (event) => carries(event) && event.preventDefault());
  document.addEventListener("drop", async (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    show(-inside);
    take(await dropped(event.dataTransfer));
  });
}

/** Return the dropped files, including those in folders: [{file, path}]. */
async function dropped({ items, files }) {
  const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.some((entry) => entry.isDirectory)) return [...files].map((file) => ({ file }));
  return (await Promise.all(entries.map(filesIn))).flat().slice(0, MOST);
}

async function filesIn(entry) {
  if (entry.isFile) {
    const file = await new Promise((settle, fail) => entry.file(settle, fail));
    return [{ file, path: entry.fullPath.slice(1) }];
  }
  const reader = entry.createReader();
  const all = [];
  for (;;) {
    const entries = await new Promise((settle, fail) => reader.readEntries(settle, fail));
    if (!entries.length) break; // each call returns at most a hundred entries
    all.push(...entries);
  }
  const visible = all.filter(({ name }) => !name.startsWith("."));
  return (await Promise.all(visible.map(filesIn))).flat();
}
