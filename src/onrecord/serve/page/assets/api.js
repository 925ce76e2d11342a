// Requests to the server, and their errors as messages for users. A key stays in this tab only.

import { place } from "./place.js";
import { parts } from "./stream.js";

const KEY = "onrecord-key";

/** An error of the server. `kind`: "key", "gone", "refused", "busy" or "failed". */
export class ServerError extends Error {
  constructor(kind, message, status = 0) {
    super(message);
    Object.assign(this, { kind, status });
  }
}

export function key() {
  return place("sessionStorage").getItem(KEY);
}

export function setKey(value) {
  if (value) place("sessionStorage").setItem(KEY, value);
  else place("sessionStorage").removeItem(KEY);
}

/** The workspace in the page's own address: "/?workspace=calls"; null for the server's first. */
export const workspace = new URLSearchParams(globalThis.location?.search).get("workspace");

/** Return the JSON value of a GET request. */
export async function get(path, query = {}) {
  return json(await send(within(path, query)));
}

/** Return the path within the workspace. */
function within(path, query = {}) {
  const params = new URLSearchParams({ ...query, ...(workspace ? { workspace } : {}) });
  return params.size ? `${path}?${params}` : path;
}

/** Send a POST with the workspace in its body. */
export async function post(path, body) {
  return json(await send(path, written("POST", inWorkspace(body))));
}

/** Send a POST with the workspace in the address, because its body has no such field. */
export async function act(path, body = {}) {
  return json(await send(within(path), written("POST", body)));
}

export async function patch(path, body) {
  return json(await send(within(path), written("PATCH", body)));
}

export async function remove(path, query = {}) {
  return json(await send(within(path, query), { method: "DELETE" }));
}

/** Add a file or the content of an address; returns the report. `onProgress(step)` gets the progress:
 *  {sent: 0..1}, then {done, of, name}. */
export function add(source, onProgress) {
  return withKey(() => upload(source, onProgress));
}

/** `path` has the folders in which a file was dropped. */
function upload({ file, path = file?.name, address, fetch = false }, onProgress) {
  const query = { ...(file ? { name: path } : { address }), ...(fetch && { fetch }) };
  const request = new XMLHttpRequest(); // fetch() does not report the progress of an upload
  request.open("POST", within("/api/recordings", query));
  request.setRequestHeader("accept", "application/x-ndjson");
  if (key()) request.setRequestHeader("authorization", `Bearer ${key()}`);
  request.upload.onprogress = ({ loaded, total }) => onProgress({ sent: total ? loaded / total : 1 });
  request.onprogress = () => {
    const step = lines(request.responseText).at(-1)?.progress;
    if (step) onProgress(step);
  };
  return new Promise((settle, fail) => {
    request.onerror = () => fail(unreachable());
    request.onload = () => {
      if (request.status >= 400) return fail(refusalOf(request.status, request.responseText));
      const last = lines(request.responseText).at(-1);
      if (last && !last.error && !last.progress) return settle(last);
      return fail(new ServerError("refused", last?.error?.message ?? "The server broke off."));
    };
    request.send(file ?? null);
  });
}

/** Return the complete lines of JSON in a text. */
function lines(text) {
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** Yield the parts of an answer as they arrive. */
export async function* chat(body, signal) {
  const response = await send("/api/chat", written("POST", inWorkspace(body), signal));
  yield* parts(response.body);
}

function written(method, body, signal) {
  return { method, body: JSON.stringify(body), headers: { "content-type": "application/json" }, signal };
}

function inWorkspace(body) {
  return workspace ? { ...body, workspace } : body;
}

function send(path, options = {}) {
  return withKey(() => sendOnce(path, options));
}

/** Return the result of `work`, and do it again whenever the server wants a key and the user enters one. */
async function withKey(work) {
  const sent = key();
  try {
    return await work();
  } catch (error) {
    if (error.kind !== "key") throw error;
    const { askForKey } = await import("./keyring.js"); // fetched on first use
    const entered = key() !== sent; // for another request, while this one was on its way
    if (entered || (await askForKey())) return withKey(work);
    throw error;
  }
}

async function sendOnce(path, { headers = {}, ...options }) {
  const all = key() ? { ...headers, authorization: `Bearer ${key()}` } : headers;
  let response;
  try {
    response = await fetch(path, { ...options, headers: all, credentials: "same-origin" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw unreachable();
  }
  if (!response.ok) throw refusalOf(response.status, await response.text().catch(() => ""));
  return response;
}

async function json(response) {
  try {
    return await response.json();
  } catch {
    throw new ServerError("failed", "The server sent something that cannot be read.", response.status);
  }
}

function unreachable() {
  return new ServerError(
    "gone",
    "The server cannot be reached. It may have been stopped, or the network is down.",
  );
}

function refusalOf(status, body) {
  const message = messageIn(body);
  if (status === 401) return new ServerError("key", message || "This server wants a key.", status);
  if (status === 429)
    return new ServerError(
      "busy",
      message || "Too many questions at once: wait a little, then ask again.",
      status,
    );
  const kind = status < 500 ? "refused" : "failed";
  return new ServerError(kind, message || `The server could not do this (status ${status}).`, status);
}

/** Return the message in an error's body: {error: {message}}, {error}, {message}, {detail} or plain text. */
function messageIn(body) {
  try {
    const value = JSON.parse(body);
    const message = value?.error?.message ?? value?.error ?? value?.message ?? value?.detail;
    return typeof message === "string" ? message : "";
  } catch {
    return body.startsWith("<") ? "" : body.slice(0, 300);
  }
}
