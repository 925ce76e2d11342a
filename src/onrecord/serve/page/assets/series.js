// Lists and scores from the server.

import { known } from "./words.js";

const LOWEST = 0.12; // the height of the least relevant score

/** The highest point of a curve between two times: [time, score]; null if there is none. */
export function summit(curve, start, end) {
  const inside = list(curve).filter(([t0, t1]) => t1 >= start && t0 < Math.max(end, start + 0.1));
  if (!inside.length) return null;
  const [t0, t1, score] = inside.reduce((best, piece) => (piece[2] > best[2] ? piece : best));
  return [Math.min(Math.max((t0 + t1) / 2, start), Math.max(end, start)), score];
}

export function list(value) {
  return Array.isArray(value) ? value : [];
}

/** Return the recordings with their scores stretched over all of them, so that differences are visible: the lowest
 *  score becomes `LOWEST`, the highest 1. A fused score has no zero of its own. */
export function stretched(recordings) {
  const scores = recordings.flatMap((r) => list(r.curve).map(([, , score]) => score)).filter(known);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  if (!(high > low)) return recordings;
  const stretch = (score) => LOWEST + ((1 - LOWEST) * (score - low)) / (high - low);
  return recordings.map((r) => ({
    ...r,
    curve: list(r.curve).map(([t0, t1, score]) => [t0, t1, stretch(score)]),
  }));
}
