// Lists of plain values stored only in this browser. If the server requires a key, they end with the tab, as the
// key does.

import { key, workspace } from "./api.js";
import { place } from "./place.js";
import { list } from "./series.js";

const MOST = 4_000_000; // characters of one list: browsers give a page five million

/** A stored list: {all(), put(item), drop(id), replace(items)}. Items have an `id`; the newest come first. */
export function storedList(name) {
  const store = () => place(key() ? "sessionStorage" : "localStorage");
  const slot = `onrecord-${name}${workspace ? `:${workspace}` : ""}`;
  const all = () => read(store(), slot);
  const replace = (items) => write(store(), slot, items);
  return {
    all,
    replace,
    put: (item) => replace([item, ...all().filter(({ id }) => id !== item.id)]),
    drop: (id) => replace(all().filter((item) => item.id !== id)),
  };
}

function read(store, name) {
  try {
    return list(JSON.parse(store.getItem(name))).filter((item) => item && typeof item.id === "string");
  } catch {
    return []; // other software wrote it
  }
}

/** Store the items, without the oldest if there are too many. Returns whether any could be stored. */
function write(store, name, items) {
  const texts = items.map((item) => JSON.stringify(item));
  let size = 0;
  const fit = texts.filter((text) => (size += text.length + 1) <= MOST);
  while (fit.length || !items.length) {
    try {
      store.setItem(name, `[${fit.join(",")}]`);
      return true;
    } catch {
      if (!fit.length) return false;
      fit.splice(-Math.ceil(fit.length / 4));
    }
  }
  return false;
}

/** An id that no other item has. */
export function newId() {
  return crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
}
