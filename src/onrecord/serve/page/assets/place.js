// The places where a browser stores values, which its user may have forbidden.

const values = new Map();
const forgetful = {
  getItem: (name) => values.get(name) ?? null,
  setItem: (name, value) => values.set(name, value),
  removeItem: (name) => values.delete(name),
};

/** Return "localStorage" or "sessionStorage"; if the browser forbids it, a place that ends with the page. */
export function place(name) {
  try {
    return globalThis[name] ?? forgetful;
  } catch {
    return forgetful;
  }
}
