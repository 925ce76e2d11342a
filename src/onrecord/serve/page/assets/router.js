// Addresses within the page. Every view has one, so that users can share it.
//
//   #/                                  ask, nothing asked yet
//   #/q/QUESTION?after=...&speaker=...  a question; `after` are those before it in the conversation
//   #/c/ID                              a conversation stored in this browser
//   #/recordings?find=WORDS             what there is
//   #/g, #/g/NAME?with=OTHER            topics; one topic, and its paths to another
//   #/saved, #/clips                    conversations and quotes stored in this browser
//   #/r/ID?t=183&to=197                 a recording, at a second

/** The fields of a scope with several values, by the name of one value. */
export const SCOPE = { recording: "recordings", speaker: "speakers", language: "languages", section: "sections" };

export function parse(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [head, ...rest] = path.split("/");
  const params = new URLSearchParams(query);
  const name = decoded(rest.join("/"));
  if (head === "q" && name.trim()) return questionRoute(name, params);
  if (head === "r" && name)
    return { view: "r", id: name, t: seconds(params.get("t")), to: seconds(params.get("to")) };
  if (head === "c" && name) return { view: "c", id: name };
  if (head === "g") return { view: "g", name: name.trim(), other: params.get("with") };
  if (head === "saved" || head === "clips") return { view: head };
  if (head === "recordings") return { view: "recordings", find: params.get("find") ?? "" };
  return { view: "ask" };
}

function questionRoute(question, params) {
  const options = {};
  const scope = readScope(params);
  if (Object.keys(scope).length) options.scope = scope;
  if (params.get("strategy")) options.strategy = params.get("strategy");
  if (params.has("without")) options.without = params.getAll("without");
  return { view: "q", question, after: params.getAll("after").slice(0, 20), options };
}

function readScope(params) {
  const scope = {};
  for (const [short, field] of Object.entries(SCOPE)) {
    if (params.has(short)) scope[field] = params.getAll(short);
  }
  for (const end of ["since", "until"]) if (params.get(end)) scope[end] = params.get(end);
  const where = params
    .getAll("where")
    .map((pair) => pair.split("="))
    .filter(([name, value]) => name && value);
  if (where.length)
    scope.attributes = Object.fromEntries(where.map(([name, ...value]) => [name, value.join("=")]));
  return scope;
}

export function questionHash(question, after = [], { scope = {}, strategy, without = [] } = {}) {
  const params = new URLSearchParams();
  for (const before of after) params.append("after", before);
  for (const [short, field] of Object.entries(SCOPE))
    for (const value of scope[field] ?? []) params.append(short, value);
  for (const end of ["since", "until"]) if (scope[end]) params.append(end, scope[end]);
  for (const [name, value] of Object.entries(scope.attributes ?? {}))
    params.append("where", `${name}=${value}`);
  if (strategy) params.append("strategy", strategy);
  for (const field of without) params.append("without", field);
  return withQuery(`#/q/${encodeURIComponent(question)}`, params);
}

export function graphHash(name, other = null) {
  return withQuery(`#/g/${encodeURIComponent(name)}`, new URLSearchParams(other ? { with: other } : {}));
}

export function recordingHash(id, t = null, to = null) {
  const params = new URLSearchParams();
  if (t !== null && t !== undefined) params.append("t", trimmed(t));
  if (to !== null && to !== undefined) params.append("to", trimmed(to));
  return withQuery(`#/r/${encodeURIComponent(id)}`, params);
}

function withQuery(path, params) {
  return params.size ? `${path}?${params}` : path;
}

function trimmed(seconds) {
  return String(Math.round(seconds * 10) / 10);
}

function seconds(text) {
  const value = text === null || text === "" ? NaN : Number(text);
  return Number.isFinite(value) && value >= 0 ? value : null;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
