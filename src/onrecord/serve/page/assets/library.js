// The recordings that there are, read once, and the words said in them.

import { ServerError, get, post } from "./api.js";
import { keyGiven } from "./keyring.js";
import { list } from "./series.js";

const PAGE = 2000; // recordings that are read at a time
const MOST = 20000;

/** What is known by now: `recordings` or `error`; neither before it was read. */
export const library = { recordings: null, error: null };

let reading = null;

/** Read it, unless that was done; with a key where one is wanted. */
export function readLibrary() {
  reading ??= read().finally(() => (reading = null));
  return reading;
}

async function read() {
  if (library.recordings) return null;
  try {
    Object.assign(library, { recordings: await allRecordings(), error: null });
  } catch (error) {
    if (await keyGiven(error)) return read();
    if (!(error instanceof ServerError)) throw error;
    library.error = error;
  }
  return null;
}

async function allRecordings() {
  const all = [];
  for (;;) {
    const found = await get("/api/recordings", { offset: all.length, limit: PAGE });
    all.push(...list(found.recordings));
    if (!list(found.recordings).length || all.length >= Math.min(found.total ?? 0, MOST)) return all;
  }
}

/** The title of a recording; its id where it is not known. */
export function titleOf(id) {
  return library.recordings?.find((recording) => recording.id === id)?.title ?? id;
}

/** The passages that speak to some words, best first, each with its recording. */
export async function search(words) {
  const { moments } = await post("/api/search", { words, limit: 30 });
  return list(moments).map((moment) => ({ ...moment, ...list(moment.passages)[moment.best ?? 0] }));
}
