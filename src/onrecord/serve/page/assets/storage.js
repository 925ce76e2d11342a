// Lists of plain values stored only in this browser. If the server requires a key, they end with the tab, as the
// key does.

import { key, workspace } from "./api.js";
import { place } from "./place.js";
import { list } from "./series.js";

const MOST = 4_000_000; // characters of one list: browsers give a page five million

/** A stored list: {all(), drop(id), replace(items)}. Items have an `id`; `newest` tells which end has the newest. */
export function storedList(name, newest = "first") {
  const store = () => place(key() ? "sessionStorage" : "localStorage");
  const slot = `onrecord-${name}${workspace ? `:${workspace}` : ""}`;
  const all = () => read(store(), slot);
  const turned = (items) => (newest === "first" ? items : [...items].reverse());
  const replace = (items) => write(store(), slot, turned(items), turned);
  return {
    all,
    replace,
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

/** Store the items, newest first until `turned`, without the oldest if there are too many. Returns how many. */
function write(store, name, items, turned) {
  const texts = items.map((item) => JSON.stringify(item));
  let size = 0;
  const fit = texts.filter((text) => (size += text.length + 1) <= MOST);
  while (fit.length || !items.length) {
    try {
      store.setItem(name, `[${turned(fit).join(",")}]`);
      return fit.length;
    } catch {
      if (!fit.length) return 0;
      fit.splice(-Math.ceil(fit.length / 4));
    }
  }
  return 0;
}

/** An id that no other item has. */
export function newId() {
  return crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
}
