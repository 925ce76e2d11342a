// The recording beside the answer: the player above, the transcript below.

import { button, el, icon, outward, webAddress } from "./dom.js";
import { get } from "./api.js";
import { citation, here, sourceLine } from "./cite.js";
import { saveButton } from "./clips.js";
import { curve, isFlat } from "./curve.js";
import { copyButton } from "./clipboard.js";
import { player } from "./player.js";
import { recordingHash } from "./router.js";
import { list } from "./series.js";
import { transcript } from "./transcript.js";
import { clock, count, day, known, length } from "./words.js";

/** The deck in `root`: {open(id, {start, end, quote, ...}, known), close(), isOpen()}. `actions`: close(),
 *  askAbout(recording). */
export function deck(root, actions) {
  const state = { root, actions, id: null, wanted: null, player: null, words: null };
  root.addEventListener("keydown", (event) => keys(state, event));
  return {
    open: (id, wanted, recording) => open(state, id, wanted, recording),
    close: () => close(state),
    isOpen: () => !root.hidden,
    reload: () => {
      const { id, wanted } = state;
      close(state);
      open(state, id, wanted);
    },
  };
}

function close(state) {
  state.player?.stop();
  Object.assign(state, { id: null, player: null, words: null, recording: null });
  delete state.root.dataset.recording;
  state.root.hidden = true;
  state.root.replaceChildren();
}

async function open(state, id, wanted, evidence) {
  state.wanted = wanted;
  state.root.hidden = false;
  if (state.id === id && state.words) {
    if (evidence) redrawCurve(state, evidence);
    return show(state);
  }
  state.player?.stop();
  Object.assign(state, { id, player: null, words: null, recording: null });
  state.root.dataset.recording = id;
  state.root.replaceChildren(
    titleBar(state, evidence?.title ?? ""),
    el("p", { class: "state", text: "Opening the recording" }),
  );
  const at = `/api/recordings/${encodeURIComponent(id)}`;
  try {
    const [recording, words] = await Promise.all([get(at), get(`${at}/transcript`)]);
    if (state.id === id) fill(state, { ...evidence, ...recording }, list(words.passages));
  } catch (error) {
    if (state.id === id) showError(state, error);
  }
  return null;
}

function showError(state, error) {
  const missing = error.status === 404;
  const words = missing ? "This recording is not in the archive (any more)." : error.message;
  state.root.replaceChildren(
    titleBar(state, missing ? "Not there" : "Cannot be opened"),
    el("p", { class: "state", role: "alert", text: words }),
  );
}

function redrawCurve(state, evidence) {
  const fresh = { ...state.recording, curve: evidence.curve, moments: evidence.moments };
  if (evidence.curve === state.recording.curve) return;
  const { node } = state.player;
  state.player.stop();
  state.recording = fresh;
  state.player = player(fresh, (second) => state.words.follow(second));
  node.replaceWith(state.player.node);
  drawLine(state);
}

/** Draw the curve if the player has none; its points open the transcript. */
function drawLine(state) {
  const { recording } = state;
  const drawn = !state.player.scrubs && recording.unit !== "passages" && !isFlat(recording);
  const peaks = list(recording.moments).filter((moment) => known(moment.start));
  state.line.replaceChildren(
    ...(drawn ? [curve(recording, peaks, ({ start, end }) => goTo(state, start, end))] : []),
  );
}

function goTo(state, start, end) {
  state.wanted = { start, end };
  show(state);
}

function fill(state, recording, passages) {
  state.recording = recording;
  state.player = player(recording, (second) => state.words?.follow(second));
  state.words = transcript(passages, { language: recording.language, play: (second) => play(state, second) });
  state.cited = el("div", { class: "cited" });
  const words = passages.length
    ? state.words.node
    : el("p", { class: "state", text: "This recording has no transcript." });
  state.line = el("div", { class: "line" });
  drawLine(state);
  state.root.replaceChildren(
    titleBar(state, recording.title),
    facts(recording),
    state.player.node,
    state.line,
    ...contents(state),
    state.cited,
    finder(state),
    words,
  );
  show(state);
}

function play(state, second) {
  state.player.seek(second, true);
  state.words.follow(second);
}

function show(state) {
  const { wanted } = state;
  state.words.show(wanted ?? {});
  state.player.seek(wanted?.start ?? 0, Boolean(wanted?.play));
  state.cited.replaceChildren(...citedRow(state));
  if (wanted?.focus) state.root.querySelector(".bar h2")?.focus({ preventScroll: true });
}

function citedRow(state) {
  const { wanted, recording } = state;
  const hash = recordingHash(recording.id, wanted?.start, wanted?.end);
  const parts = [];
  parts.push(copyButton("Copy quote", () => quoted(state)));
  parts.push(saveButton(() => chosen(state), { title: "Save the quote to the clips" }));
  parts.push(copyButton(known(wanted?.start) ? "Link to this moment" : "Link", () => here(hash)));
  if (webAddress(wanted?.link))
    parts.push(outward(wanted.link, `Open on ${siteOf(wanted.link)}`, { class: "small" }));
  return parts;
}

/** Return the selection in the transcript with its citation, else the cited text, else the recording. */
function quoted(state) {
  const { recording } = state;
  const source = chosen(state);
  return source
    ? citation(source)
    : sourceLine({ recording: recording.id, title: recording.title, date: recording.date });
}

/** Return the selected words, else the cited ones, as a source; null if there are neither. */
function chosen({ wanted, recording, words }) {
  const selected = words.selected() ?? (wanted?.quote ? wanted : null);
  const { id, title, date, link, media } = recording;
  return selected && { recording: id, title, date, link, media, ...selected };
}

function siteOf(link) {
  const address = webAddress(link);
  return address ? new URL(address).hostname.replace(/^www\./, "") : "its own page";
}

function titleBar(state, title) {
  return el(
    "div",
    { class: "bar" },
    el("h2", { tabindex: "-1", dir: "auto", text: title }),
    state.recording && state.actions.mayEdit()
      ? button("Edit this recording", () => state.actions.edit(state.recording), { class: "plain" }, icon("edit"))
      : null,
    button("Close the recording", () => state.actions.close(), { class: "plain" }, icon("close")),
  );
}

function facts(recording) {
  const parts = [
    day(recording.date),
    length(recording.seconds),
    list(recording.speakers).slice(0, 6).join(", "),
  ];
  return el("p", { class: "facts", dir: "auto", text: parts.filter(Boolean).join(" · ") });
}

/** The sections of a recording, as links; none if there are fewer than two. */
function contents(state) {
  const sections = list(state.recording.sections);
  if (sections.length < 2) return [];
  const summary = el("summary", { text: count(sections.length, "part") });
  return [
    el(
      "details",
      { class: "contents" },
      summary,
      el(
        "ul",
        {},
        sections.map((section) => el("li", {}, part(state, section))),
      ),
    ),
  ];
}

function part(state, { title, summary, start, first, last }) {
  const go = () => {
    state.wanted = known(start) ? { start } : { positions: [first, last + 1] };
    show(state);
  };
  return el(
    "button",
    { type: "button", on: { click: go } },
    el("span", { class: "time", text: known(start) ? clock(start) : "" }),
    el("span", { class: "name", dir: "auto", text: title }),
    summary ? el("span", { class: "gist", dir: "auto", text: summary }) : null,
  );
}

// ---------------------------------------------------------------- finding, and the keyboard

function finder(state) {
  const position = el("span", { class: "position", role: "status" });
  const input = el("input", {
    type: "search",
    placeholder: "Find in this recording",
    "aria-label": "Find in this recording",
    dir: "auto",
  });
  const showPosition = (n, all) =>
    (position.textContent = input.value.trim().length < 2 ? "" : all ? `${n} of ${all}` : "not said");
  let all = 0;
  const go = (by) => all && showPosition(state.words.step(by), all);
  input.addEventListener("input", () => {
    all = state.words.find(input.value);
    showPosition(1, all);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
  });
  return el(
    "div",
    { class: "finder", role: "search" },
    input,
    position,
    button("The one before", () => go(-1), { class: "plain" }, icon("up")),
    button("The next one", () => go(1), { class: "plain" }, icon("next")),
    button("Ask about it", () => state.actions.askAbout(state.recording), { class: "small" }),
  );
}

/** Keys within the deck, as in other players: k plays and pauses, j goes ten seconds back, l ten on. */
function keys(state, event) {
  if (event.target.matches("input") || event.ctrlKey || event.metaKey || event.altKey || !state.player)
    return;
  const does = {
    k: () => state.player.toggle(),
    j: () => state.player.skip(-10),
    l: () => state.player.skip(10),
  }[event.key];
  if (!does) return;
  event.preventDefault();
  does();
}
