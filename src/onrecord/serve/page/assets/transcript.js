// The transcript of a recording, by speaker and time. A click on a word plays it; cited words are marked.

import { el } from "./dom.js";
import { clock, known } from "./words.js";
import { locate, occurrences, runs, timeAt } from "./places.js";
import { list } from "./series.js";
import { voice } from "./voices.js";

const RIGHT_TO_LEFT = new Set("ar arc ckb dv fa he ps sd syr ug ur yi".split(" "));
const SENTENCE = /[^.!?…。]+(?:[.!?…。]+["”»’)]*|$)\s*/gu;

/** The transcript: {node, show({quote, start, end}), follow(second), find(words), step(by), selected()}.
 *  `play(second)` is called when the user clicks words. */
export function transcript(passages, { language, play }) {
  const dir = RIGHT_TO_LEFT.has(language?.split("-")[0]) ? "rtl" : null;
  const node = el("div", { class: "words", lang: language || null, dir });
  const view = { node, passages, spans: [], now: null, hits: [], hit: -1, held: 0 };
  draw(view, new Map());
  node.addEventListener("click", (event) => playClicked(event, play));
  node.addEventListener("keydown", moveByArrow);
  for (const type of ["wheel", "touchmove"])
    node.addEventListener(type, () => (view.held = Date.now()), { passive: true });
  return {
    node,
    show: (source) => show(view, source),
    follow: (second) => follow(view, second),
    find: (words) => find(view, words),
    step: (by) => step(view, by),
    selected: () => selected(view),
  };
}

function draw(view, marked) {
  view.spans = [];
  let [section, speaker] = [null, undefined];
  const nodes = [];
  for (const [i, passage] of view.passages.entries()) {
    if (passage.section && passage.section !== section)
      nodes.push(el("h4", { class: "chapter", dir: "auto", text: passage.section }));
    for (const run of runs(passage)) {
      const changed = run.speaker !== speaker || passage.section !== section;
      nodes.push(paragraph(view, passage, run, marked.get(i), changed));
      [section, speaker] = [passage.section, run.speaker];
    }
  }
  view.node.replaceChildren(...nodes);
  view.node.querySelector(".when")?.setAttribute("tabindex", "0"); // arrow keys reach the other times
}

function paragraph(view, passage, run, ranges, changed) {
  const second = timeAt(passage, run.from);
  const spoken = el("p", { class: "spoken", dir: "auto" }, pieces(view, passage, run, ranges));
  const when = known(second)
    ? el("button", {
        type: "button",
        class: "when",
        tabindex: "-1",
        "data-second": second,
        "aria-label": `Play from ${clock(second)}`,
        text: clock(second),
      })
    : null;
  const who =
    changed && run.speaker
      ? el("p", { class: "who", "data-voice": voice(run.speaker), dir: "auto", text: run.speaker })
      : null;
  return el("div", { class: `run${changed ? " turn" : ""}` }, when, el("div", { class: "body" }, who, spoken));
}

/** The sentences of a run, each a span with its second; marked words are in their own <mark>. */
function pieces(view, passage, run, ranges) {
  const cuts = new Set([run.from, run.to]);
  for (const match of passage.text.slice(run.from, run.to).matchAll(SENTENCE))
    cuts.add(run.from + match.index);
  for (const at of list(ranges).flat()) if (at > run.from && at < run.to) cuts.add(at);
  const ordered = [...cuts].sort((a, b) => a - b);
  return ordered.slice(0, -1).map((from, i) => {
    const inside = list(ranges).some((range) => from >= range[0] && from < range[1]);
    const second = timeAt(passage, from);
    const node = el(inside ? "mark" : "span", {
      "data-second": second,
      text: passage.text.slice(from, ordered[i + 1]),
    });
    if (known(second)) view.spans.push({ second, node });
    return node;
  });
}

function show(view, source) {
  draw(view, locate(view.passages, source));
  view.node.classList.toggle("stretches", !source.quote); // a moment gets a line at its side, a quotation a highlight
  const first = view.node.querySelector("mark") ?? nearest(view, source.start)?.node;
  if (first && first.tagName !== "MARK") follow(view, source.start);
  center(first);
  const when = first?.closest(".run")?.querySelector(".when");
  if (when) setTabStop(view.node, when);
}

/** Scroll an element to the center; again in the next frame, when hidden runs have their real height. */
function center(node) {
  node?.scrollIntoView({ block: "center" });
  requestAnimationFrame(() => node?.isConnected && node.scrollIntoView({ block: "center" }));
}

function nearest(view, second) {
  if (!known(second)) return null;
  return view.spans.findLast((span) => span.second <= second + 0.05) ?? view.spans[0];
}

/** Highlight the sentence that is being spoken, and keep it visible unless the user has just scrolled. */
function follow(view, second) {
  const span = nearest(view, second);
  if (!span || span.node === view.now) return;
  view.now?.classList.remove("now");
  view.now = span.node;
  view.now.classList.add("now");
  if (Date.now() - view.held > 4000) keepInView(view);
}

function keepInView({ node, now }) {
  const [box, line] = [node.getBoundingClientRect(), now.getBoundingClientRect()];
  if (line.top < box.top + 24 || line.bottom > box.bottom - 48) {
    node.scrollTo({
      top: node.scrollTop + line.top - box.top - box.height / 3,
      behavior: calm() ? "auto" : "smooth",
    });
  }
}

function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function playClicked(event, play) {
  if (!getSelection().isCollapsed) return; // the user is selecting words, not clicking them
  const chosen = event.target.closest?.("[data-second]");
  if (chosen) play(Number(chosen.dataset.second));
}

/** The arrow keys up and down move between times; Tab reaches only one of them. */
function moveByArrow(event) {
  if (!event.target.matches?.(".when")) return;
  const all = [...event.currentTarget.querySelectorAll(".when")];
  const at = all.indexOf(event.target);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
  if (to === undefined || !all[to]) return;
  event.preventDefault();
  setTabStop(event.currentTarget, all[to]);
  all[to].focus();
}

/** The selected words, as a citation: {quote, speaker, start}; null if none are selected. */
function selected({ node }) {
  const selection = getSelection();
  if (selection.isCollapsed || !node.contains(selection.anchorNode) || !node.contains(selection.focusNode))
    return null;
  const range = selection.getRangeAt(0);
  const words = [...node.querySelectorAll(".spoken [data-second], .spoken span, .spoken mark")];
  const first = words.find((word) => range.intersectsNode(word));
  if (!first) return null;
  return { quote: spokenIn(range, node), speaker: speakerOf(first), start: second(first.dataset.second) };
}

/** The selected words without the times and names beside them. */
function spokenIn(range, node) {
  const parts = [...node.querySelectorAll(".spoken")].filter((spoken) => range.intersectsNode(spoken));
  const texts = parts.map((spoken) => {
    const inside = new Range();
    inside.selectNodeContents(spoken);
    if (inside.compareBoundaryPoints(Range.START_TO_START, range) < 0)
      inside.setStart(range.startContainer, range.startOffset);
    if (inside.compareBoundaryPoints(Range.END_TO_END, range) > 0)
      inside.setEnd(range.endContainer, range.endOffset);
    return inside.toString().trim();
  });
  return texts.filter(Boolean).join(" ");
}

/** The speaker of a word: the name above its run, or above an earlier run. */
function speakerOf(word) {
  for (let run = word.closest(".run"); run; run = run.previousElementSibling) {
    const who = run.querySelector?.(".who");
    if (who) return who.textContent;
  }
  return null;
}

function second(text) {
  return text ? Number(text) : null;
}

function setTabStop(node, to) {
  for (const when of node.querySelectorAll('.when[tabindex="0"]')) when.setAttribute("tabindex", "-1");
  to.setAttribute("tabindex", "0");
}

// ---------------------------------------------------------------- finding words

/** Highlight words in the transcript without changing its elements; returns the number of occurrences. */
function find(view, words) {
  view.hits = words.trim().length > 1 ? ranges(view.node, words.trim().toLowerCase()) : [];
  view.hit = -1;
  if (globalThis.Highlight) CSS.highlights.set("found", new Highlight(...view.hits));
  if (view.hits.length) step(view, 1);
  else if (globalThis.Highlight) CSS.highlights.delete("found-here");
  return view.hits.length;
}

function ranges(node, wanted) {
  const matches = [];
  for (const spoken of node.querySelectorAll(".spoken")) {
    const nodes = [...spoken.children].map((child) => child.firstChild).filter(Boolean);
    for (const at of occurrences(spoken.textContent.toLowerCase(), wanted)) {
      const range = new Range();
      range.setStart(...pointAt(nodes, at));
      range.setEnd(...pointAt(nodes, at + wanted.length));
      matches.push(range);
    }
  }
  return matches;
}

function pointAt(nodes, offset) {
  let rest = offset;
  for (const node of nodes) {
    if (rest <= node.length) return [node, rest];
    rest -= node.length;
  }
  const end = nodes.at(-1);
  return [end, end.length];
}

/** Go to the next match, or the previous one; returns its number, from 1. */
function step(view, by) {
  if (!view.hits.length) return 0;
  view.hit = (view.hit + by + view.hits.length) % view.hits.length;
  const range = view.hits[view.hit];
  if (globalThis.Highlight) CSS.highlights.set("found-here", new Highlight(range));
  range.startContainer.parentElement.scrollIntoView({ block: "center" });
  return view.hit + 1;
}
