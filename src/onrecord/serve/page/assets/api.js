// The server, and what can go wrong with it in words for people. A key, where one is asked for, is kept for
// this tab only.

import { parts } from "./stream.js";

const KEY = "onrecord-key";

/** What the server refused or could not do. `kind`: "key", "gone", "refused", "busy" or "failed". */
export class ServerError extends Error {
  constructor(kind, message, status = 0) {
    super(message);
    Object.assign(this, { kind, status });
  }
}

export function key() {
  return sessionStorage.getItem(KEY);
}

export function setKey(value) {
  if (value) sessionStorage.setItem(KEY, value);
  else sessionStorage.removeItem(KEY);
}

/** The workspace that the page's own address names: "/?workspace=calls"; null for the server's first. */
const workspace = new URLSearchParams(globalThis.location?.search).get("workspace");

/** What a GET gives, as JSON. */
export async function get(path, query = {}) {
  const params = new URLSearchParams({ ...query, ...(workspace ? { workspace } : {}) });
  return json(await send(params.size ? `${path}?${params}` : path, {}));
}

export async function post(path, body) {
  return json(await send(path, posted(body)));
}

export async function remove(path) {
  const where = workspace ? `${path}?${new URLSearchParams({ workspace })}` : path;
  return json(await send(where, { method: "DELETE" }));
}

/** The parts of an answer, as they come. */
export async function* chat(body, signal) {
  const response = await send("/api/chat", posted(body, signal));
  yield* parts(response.body);
}

function posted(body, signal) {
  return {
    method: "POST",
    body: JSON.stringify(workspace ? { ...body, workspace } : body),
    headers: { "content-type": "application/json" },
    signal,
  };
}

async function send(path, { headers = {}, ...options }) {
  const all = key() ? { ...headers, authorization: `Bearer ${key()}` } : headers;
  let response;
  try {
    response = await fetch(path, { ...options, headers: all, credentials: "same-origin" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ServerError(
      "gone",
      "The server cannot be reached. It may have been stopped, or the network is down.",
    );
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

async function json(response) {
  try {
    return await response.json();
  } catch {
    throw new ServerError("failed", "The server sent something that cannot be read.", response.status);
  }
}

async function refusal(response) {
  const said = messageIn(await response.text().catch(() => ""));
  const { status } = response;
  if (status === 401) return new ServerError("key", said || "This server wants a key.", status);
  if (status === 429)
    return new ServerError(
      "busy",
      said || "Too many questions at once: wait a little, then ask again.",
      status,
    );
  const kind = status < 500 ? "refused" : "failed";
  return new ServerError(kind, said || `The server could not do this (status ${status}).`, status);
}

/** The message in an error's body: {error: {message}}, {error}, {message}, {detail} or plain text. */
function messageIn(body) {
  try {
    const value = JSON.parse(body);
    const said = value?.error?.message ?? value?.error ?? value?.message ?? value?.detail;
    return typeof said === "string" ? said : "";
  } catch {
    return body.startsWith("<") ? "" : body.slice(0, 300);
  }
}
