// The list of recordings, read once, and the search in their transcripts.

import { ServerError, get, post } from "./api.js";
import { list } from "./series.js";

const PAGE = 2000; // recordings read at a time
const MOST = 20000;

/** `recordings` or `error`; neither before the list was read. `entries` counts the FAQ if there are no recordings;
 *  `rights` are the user's. */
export const library = { recordings: null, entries: 0, error: null, rights: [] };

/** Whether the user may add, edit and remove. */
export const mayWrite = () => library.rights.includes("write");

/** Add recordings to the list, or replace those with the same id. */
export function updateLibrary(recordings) {
  const known = new Map(list(library.recordings).map((recording) => [recording.id, recording]));
  for (const recording of recordings) known.set(recording.id, recording);
  library.recordings = [...known.values()];
}

export function removeFromLibrary(id) {
  library.recordings = list(library.recordings).filter((recording) => recording.id !== id);
}

let reading = null;

/** Read the list, unless it was read before. */
export function readLibrary() {
  reading ??= read().finally(() => (reading = null));
  return reading;
}

async function read() {
  if (library.recordings) return;
  try {
    const recordings = await allRecordings();
    const entries = recordings.length ? 0 : ((await get("/api/stats")).faq ?? 0);
    Object.assign(library, { recordings, entries, error: null });
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    library.error = error;
  }
}

async function allRecordings() {
  const all = [];
  for (;;) {
    const page = await get("/api/recordings", { offset: all.length, limit: PAGE });
    all.push(...list(page.recordings));
    library.rights = list(page.rights);
    if (!list(page.recordings).length || all.length >= Math.min(page.total ?? 0, MOST)) return all;
  }
}

/** The title of a recording; its id if the title is not known. */
export function titleOf(id) {
  return library.recordings?.find((recording) => recording.id === id)?.title ?? id;
}

/** The passages that match some words, best first, each with its recording. */
export async function search(words) {
  const { moments } = await post("/api/search", { words, limit: 30 });
  return list(moments).map((moment) => ({ ...moment, ...list(moment.passages)[moment.best ?? 0] }));
}
