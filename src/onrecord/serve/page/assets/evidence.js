// The evidence: each recording with its curve and citations, and the speakers who match the question.

import { button, el } from "./dom.js";
import { citation, who } from "./cite.js";
import { copyButton } from "./clipboard.js";
import { saveButton } from "./clips.js";
import { curve, isFlat } from "./curve.js";
import { map } from "./map.js";
import { list } from "./series.js";
import { voice } from "./voices.js";
import { count, day, known, length, span } from "./words.js";

const FIRST = 3; // recordings shown before "more" if none is cited

/** Draw the recordings that match the question of `view` into `view.evidence`. */
export function drawEvidence(view) {
  const { x, actions } = view;
  const groups = grouped(x);
  const open = view.evidence.querySelector("details.more")?.open ?? false;
  const cards = groups.map(({ recording, sources }) => recordingCard(recording, sources, view));
  const cited = groups.filter((g) => g.sources.length).length;
  const rest = cards.splice(cited || FIRST);
  if (x.answer?.verdict === "nothing_found")
    return view.evidence.replaceChildren(...(groups.length ? [nearest(groups, view, open)] : []));
  const picture = x.recordings.length
    ? map(x.recordings, {
        openRecording: (r) => openBest(r, actions),
        askSpeaker: (name) => actions.only(x, name),
      })
    : null;
  view.evidence.replaceChildren(
    ...(cards.length
      ? [el("h3", { text: cited || !x.answer ? "Where it was said" : "The nearest there is" }), ...cards]
      : []),
    ...(rest.length
      ? [
          el(
            "details",
            { class: "more", open },
            el("summary", { text: `${count(rest.length, "more recording")}` }),
            ...rest,
          ),
        ]
      : []),
    ...(picture ? [el("h3", { text: "Who speaks about it" }), picture] : []),
  );
  return null;
}

/** The nearest recordings if nothing matches the question, in a pale box that users can open. */
function nearest(groups, view, open) {
  const cards = groups
    .slice(0, FIRST)
    .map(({ recording, sources }) => recordingCard(recording, sources, view));
  return el(
    "details",
    { class: "more pale", open },
    el("summary", { text: "The nearest passages, which are no answer" }),
    ...cards,
  );
}

function openBest(recording, actions) {
  const best = [...list(recording.moments)].sort((a, b) => b.score - a.score)[0];
  actions.openAt(recording, best?.start ?? 0, best);
}

/** Recordings with their sources: cited ones first, in the order of their first mark. */
function grouped(x) {
  const byId = new Map(x.recordings.map((recording) => [recording.id, { recording, sources: [] }]));
  for (const source of [...x.sources.values()].sort((a, b) => a.number - b.number)) {
    if (!byId.has(source.recording))
      byId.set(source.recording, { recording: fromSource(source), sources: [] });
    byId.get(source.recording).sources.push(source);
  }
  const first = ({ sources }) => sources[0]?.number ?? Infinity;
  return [...byId.values()].sort(
    (a, b) => first(a) - first(b) || (b.recording.score ?? 0) - (a.recording.score ?? 0),
  );
}

function fromSource({ recording, title, date, media, link }) {
  return { id: recording, title, date, media, link, curve: [], moments: [] };
}

function recordingCard(recording, sources, { x, actions }) {
  const openPin = (pin) =>
    pin.source ? actions.openSource(pin.source, x) : actions.openAt(recording, pin.start, pin);
  const timed = recording.unit !== "passages"; // without times, positions count passages
  const cited = timed ? sources.map((source) => ({ ...source, source })) : [];
  const peaks = list(recording.moments).filter(
    (m) => known(m.start) && !cited.some((c) => within(c.start, m)),
  );
  const drawn = !isFlat(recording) || (timed && known(recording.seconds) && cited.length);
  const facts = [day(recording.date), length(recording.seconds)].filter(Boolean).join(" · ");
  return el(
    "section",
    { class: "where", "data-recording": recording.id },
    el(
      "h4",
      {},
      button(recording.title, () => openBest(recording, actions), { class: "title", dir: "auto" }),
    ),
    facts ? el("p", { class: "facts", text: facts }) : null,
    drawn ? curve(recording, [...cited, ...peaks], openPin) : null,
    el(
      "ul",
      { class: "sources" },
      sources.map((source) => sourceRow(source, x, actions)),
    ),
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
      {
        type: "button",
        class: "source",
        "data-source": source.number,
        on: { click: () => actions.openSource(source, x) },
      },
      el("span", { class: "number", text: source.number }),
      el("span", {
        class: "who",
        "data-voice": voice(source.speaker),
        dir: "auto",
        text: who(source) || "Someone",
      }),
      el("span", { class: "time", text: time || "no times" }),
    ),
    copyButton("Copy", () => citation(source), {
      "aria-label": `Copy source ${source.number} with its citation`,
      class: "small quiet",
    }),
    saveButton(() => source, { "aria-label": `Save source ${source.number} to the clips`, class: "small quiet" }),
  );
}

/** Highlight the mark of the open source, in the text and under the recording. */
export function lightSource(wanted) {
  for (const node of document.querySelectorAll(".chosen")) node.classList.remove("chosen");
  if (!wanted?.number) return;
  for (const node of document.querySelectorAll(
    `[data-cite="${wanted.number}"], [data-source="${wanted.number}"]`,
  ))
    node.classList.add("chosen");
}
