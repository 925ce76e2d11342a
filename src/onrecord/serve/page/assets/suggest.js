// What to ask next: what the server suggests, else the same question put to who and what was found beside.

import { list } from "./series.js";

const MOST = 3;
const NEAR = 0.35; // of the best recording's score: what is less is not worth asking
const LOUD = 0.2; // the share of a recording's moments from which on its speaker is worth asking

/** [{label, question, options}] */
export function nextQuestions(x) {
  const told = list(x.answer?.follow_ups).filter((q) => typeof q === "string" && q.trim());
  if (told.length)
    return told.slice(0, MOST + 1).map((question) => ({ label: question, question, options: carried(x) }));
  if (!x.sources.size) return [];
  return [...speakersBeside(x), ...recordingsBeside(x)].slice(0, MOST);
}

/** A follow-up stays within what was asked for, but reads its own filters. */
function carried({ options }) {
  return options.scope ? { scope: options.scope } : {};
}

function speakersBeside(x) {
  if (x.options.scope?.speakers) return [];
  const cited = new Set([...x.sources.values()].map((source) => source.speaker));
  const loud = near(x).flatMap((r) =>
    list(r.speakers).filter((s) => s.share > LOUD && s.name && !cited.has(s.name)),
  );
  const names = [...new Set(loud.map((s) => s.name))].slice(0, 2);
  return names.map((name) => narrowed(x, `What does ${name} say to this?`, { speakers: [name] }));
}

function recordingsBeside(x) {
  if (x.options.scope?.recordings) return [];
  const cited = new Set([...x.sources.values()].map((source) => source.recording));
  const beside = near(x)
    .filter((r) => !cited.has(r.id))
    .slice(0, 2);
  return beside.map((r) => narrowed(x, `What is said in ${r.title}?`, { recordings: [r.id] }));
}

/** The recordings that speak to the question about as much as the best one. */
function near({ recordings }) {
  const best = Math.max(...recordings.map((r) => r.score || 0));
  return recordings.filter((r) => (r.score || 0) >= NEAR * best);
}

function narrowed({ question, options }, label, scope) {
  return { label, question, options: { ...options, scope: { ...options.scope, ...scope } } };
}
