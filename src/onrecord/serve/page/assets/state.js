// The state of one question and its answer while the answer arrives: plain data, no elements.

import { SCOPE } from "./router.js";
import { list, stretched } from "./series.js";

let made = 0;

/** A new exchange for a question. `options`: {scope, strategy, without}, as they are sent to the server. */
export function exchange(question, options = {}) {
  return {
    id: `x${(made += 1)}`,
    question,
    options,
    before: [], // the exchanges that it follows
    ...unanswered(),
  };
}

/** Reset the answer, because the question is asked again. */
export function restart(x) {
  Object.assign(x, unanswered());
}

function unanswered() {
  return {
    status: "asking", // then "streaming", and "done", "failed" or "stopped"
    plan: null,
    steps: [],
    recordings: [],
    sources: new Map(), // by number
    nearest: [], // the quotes to show while a language model writes
    text: "",
    answer: null,
    error: null, // {kind, message}
  };
}

/** Add one part of the stream; returns the kind of change: "plan", "steps", "evidence", "sources", "text", ... */
export function take(x, part) {
  const taker = TAKERS[part.type];
  return taker ? taker(x, part) : null;
}

const TAKERS = {
  "data-plan": (x, { data }) => {
    x.plan = data;
    return "plan";
  },
  "data-step": (x, { data }) => {
    x.steps.push(data);
    return "steps";
  },
  "data-evidence": (x, { data }) => {
    x.recordings = stretched(list(data?.recordings));
    return "evidence";
  },
  "data-nearest": (x, { data }) => {
    x.nearest = list(data?.sources);
    return "nearest";
  },
  "source-url": source,
  "source-document": source,
  "text-delta": (x, { delta }) => {
    x.status = "streaming";
    x.text += delta ?? "";
    return "text";
  },
  "data-answer": (x, { data }) => {
    x.answer = data;
    return "answer";
  },
  error: (x, { errorText }) => {
    fail(x, "stream", errorText || "The answer could not be finished.");
    return "error";
  },
  abort: (x) => {
    x.status = "stopped";
    return "error";
  },
};

function source(x, part) {
  const details = part.providerMetadata?.onrecord;
  if (!details || !Number.isInteger(details.number)) return null;
  x.sources.set(details.number, { link: part.url ?? null, ...details });
  return "sources";
}

export function fail(x, kind, message) {
  x.status = "failed";
  x.error = { kind, message };
}

/** Finish the answer after its last part. An answer that failed stays failed. */
export function finish(x) {
  if (x.status === "asking" || x.status === "streaming") x.status = "done";
}

/** Options to ask again without some of the filters read from the question. Other filters of the same field
 *  stay: they go into the scope, because the field is no longer read. */
export function withoutFilters({ plan, options }, filters) {
  const fields = new Set(filters.map((filter) => filter.field));
  const scope = { ...options.scope };
  for (const { field, value } of list(plan?.filters).filter(
    (f) => fields.has(f.field) && !filters.includes(f),
  )) {
    if (SCOPE[field]) scope[SCOPE[field]] = [...list(scope[SCOPE[field]]), value];
  }
  const without = [...new Set([...list(options.without), ...fields])];
  return { ...options, without, ...(Object.keys(scope).length ? { scope } : {}) };
}

const SINGULAR = Object.fromEntries(Object.entries(SCOPE).map(([one, many]) => [many, one]));

/** The values of a scope: [{field, value, rest}]; `rest` is the scope without that value. */
export function scopeValues(scope = {}) {
  return Object.entries(scope).flatMap(([field, values]) => {
    if (field === "attributes")
      return scopeValues(values).map(({ rest, ...each }) => ({ ...each, rest: { ...scope, attributes: rest } }));
    return [values].flat().map((value) => {
      const { [field]: _, ...others } = scope;
      const left = list(values).filter((other) => other !== value);
      return { field: SINGULAR[field] ?? field, value, rest: left.length ? { ...others, [field]: left } : others };
    });
  });
}

/** Options to ask again with these preferred values as conditions. */
export function onlyFilters({ options }, filters) {
  const scope = { ...options.scope };
  for (const { field, value } of filters) {
    if (SCOPE[field]) scope[SCOPE[field]] = [value];
    else if (field === "since" || field === "until") scope[field] = value;
    else scope.attributes = { ...scope.attributes, [field]: value };
  }
  return { ...options, scope };
}

/** The conversation in the server's format: every finished turn before, then the question. */
export function messages(before, question) {
  const turn = (role, text, n, sources = []) => ({
    id: `${role}-${n}`,
    role,
    parts: [{ type: "text", text }, ...sources],
  });
  const cited = (x) =>
    [...new Set([...x.sources.values()].map(({ recording }) => recording))].map((recording) => ({
      type: "source-document",
      sourceId: recording,
      providerMetadata: { onrecord: { recording } },
    }));
  const turns = before
    .filter((x) => x.status === "done")
    .flatMap((x, n) => [turn("user", x.question, n), turn("assistant", x.text, n, cited(x))]);
  return [...turns, turn("user", question, before.length)];
}
