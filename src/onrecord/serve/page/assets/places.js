// Positions of quotes in a transcript, and the times of its words. Plain data, no elements.

import { list } from "./series.js";
import { known } from "./words.js";

const LEFT_OUT = /\s*\[(?:\.\.\.|…)\]\s*/; // marks words that a quotation leaves out

/** The second at which the character at `offset` of a passage is spoken, by linear interpolation between two
 *  marks; null if the passage has no times. */
export function timeAt({ text, start, end, marks }, offset) {
  const all = [[0, start], ...list(marks), [text.length, end]].filter(([, second]) => known(second));
  const after = all.findIndex(([at]) => at > offset);
  if (after < 1) return all.length ? all.at(after ? -1 : 0)[1] : null;
  const [[from, t0], [to, t1]] = [all[after - 1], all[after]];
  return t0 + ((offset - from) / (to - from || 1)) * (t1 - t0);
}

/** Locate a quote: a map from passage index to ranges [from, to] of its text. Of several matches the one nearest
 *  to `start` counts. Without a quote: the passages at `positions`, or the words between start and end. */
export function locate(passages, { quote, start, end, positions }) {
  const line = laidOut(passages);
  const spans = quote ? quoteSpans(line, quote.split(LEFT_OUT).filter(Boolean), start) : [];
  const found = new Map();
  for (const [i, passage] of passages.entries()) {
    const length = passage.text.length;
    const ranges = spans.length
      ? spans.map(([from, to]) => [Math.max(0, from - line.starts[i]), Math.min(length, to - line.starts[i])])
      : [positions ? within(passage, positions) : between(passage, start, end)];
    const inside = ranges.filter(([from, to]) => from < to);
    if (inside.length) found.set(i, inside);
  }
  return found;
}

/** The passages as one text, joined by spaces, and the offset of each in it. */
function laidOut(passages) {
  const starts = [];
  let text = "";
  for (const passage of passages) {
    starts.push(text.length);
    text += `${passage.text} `;
  }
  const timeOf = (offset) => {
    const i = starts.findLastIndex((from) => from <= offset);
    return timeAt(passages[i], offset - starts[i]) ?? 0;
  };
  return { text, starts, timeOf };
}

/** The spans of a quotation's parts, one after the other; empty if a part has no match. */
function quoteSpans({ text, timeOf }, parts, start) {
  const firsts = occurrences(text, parts[0]);
  const [first] = firsts.sort(
    (a, b) => Math.abs(timeOf(a) - (start ?? 0)) - Math.abs(timeOf(b) - (start ?? 0)),
  );
  const spans = [];
  let at = first ?? -1;
  for (const part of parts) {
    at = at < 0 ? -1 : text.indexOf(part, at);
    if (at < 0) return [];
    spans.push([at, at + part.length]);
    at += part.length;
  }
  return spans;
}

export function occurrences(text, wanted) {
  const found = [];
  for (let at = text.indexOf(wanted); at >= 0 && found.length < 200; at = text.indexOf(wanted, at + 1))
    found.push(at);
  return found;
}

function within({ position, text }, [from, to]) {
  return position >= from && position < to ? [0, text.length] : [0, 0];
}

/** The words of a passage that are spoken between two seconds. */
function between(passage, start, end) {
  if (!known(start) || !known(end) || !known(passage.start)) return [0, 0];
  if (passage.start >= end || (passage.end ?? passage.start) <= start) return [0, 0];
  const words = [...passage.text.matchAll(/\S+/g)].map((word) => [word.index, word.index + word[0].length]);
  const first = words.findLast(([from]) => timeAt(passage, from) <= start) ?? words[0];
  const last = words.findLast(([from]) => timeAt(passage, from) < end);
  return first && last ? [first[0], last[1]] : [0, 0];
}

/** The speaker turns of a passage: [{speaker, from, to}]. */
export function runs({ text, speaker, voices }) {
  const turns = list(voices);
  if (!turns.length) return [{ speaker, from: 0, to: text.length }];
  return turns.map(([from, name], i) => ({ speaker: name, from, to: turns[i + 1]?.[0] ?? text.length }));
}

/** The position at which to open a recording: a second, or its passages if it has no times. */
export function placeIn({ unit }, start, end) {
  const shown = { play: true, focus: true };
  return unit === "passages" ? { ...shown, positions: [start, end ?? start + 1] } : { ...shown, start, end };
}

/** The position at which to open a recording for a quote of the graph. */
export function wantedOf({ text, position, start, end, link }) {
  const where = known(start) ? { start, end, link } : { positions: [position, position + 1] };
  return { quote: text, ...where, play: true, focus: true };
}
