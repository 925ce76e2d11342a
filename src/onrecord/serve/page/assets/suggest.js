// The next questions that the server suggests.

import { list } from "./series.js";

const MOST = 4;

/** [{label, question, options}]. The options of the question stay, unless the suggestion narrows them. */
export function nextQuestions({ answer, question, options }) {
  return list(answer?.follow_ups)
    .filter((next) => typeof next?.text === "string" && next.text.trim())
    .slice(0, MOST)
    .map((next) => ({
      label: next.text,
      question: typeof next.question === "string" ? next.question : next.text,
      options: narrowed(next.question === question ? options : scopeOnly(options), next.scope),
    }));
}

/** A rephrased question keeps the scope, but has its own filters. */
function scopeOnly({ scope }) {
  return scope ? { scope } : {};
}

function narrowed(options, scope) {
  return scope && Object.keys(scope).length ? { ...options, scope: { ...options.scope, ...scope } } : options;
}
