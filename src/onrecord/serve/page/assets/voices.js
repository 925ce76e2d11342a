// One color for each speaker, the same everywhere. Color is never the only sign: names stand beside it.

const COLOURS = 8;
const known = new Map();

/** The number (0..7) of a speaker's color; null without a name. Numbers are assigned in order of appearance, and
 *  then reused. */
export function voice(name) {
  if (!name) return null;
  if (!known.has(name)) known.set(name, known.size % COLOURS);
  return known.get(name);
}
