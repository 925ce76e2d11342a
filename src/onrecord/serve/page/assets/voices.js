// One colour a speaker, the same wherever they appear. Colour is never the only sign: names stand beside it.

const COLOURS = 8;
const known = new Map();

/** The number (0..7) of a speaker's colour; null for nobody. Given in order of appearance, then again. */
export function voice(name) {
  if (!name) return null;
  if (!known.has(name)) known.set(name, known.size % COLOURS);
  return known.get(name);
}
