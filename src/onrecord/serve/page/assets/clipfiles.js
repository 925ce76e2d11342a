// A list of clips as a file: Markdown to read, CSV for tables, EDL for video editors.

import { inert, sourceLine } from "./cite.js";
import { webAddress } from "./dom.js";
import { clock, known } from "./words.js";

const RATE = 25; // frames per second
const FIRST = 3600; // the second at which the edited tape begins, by convention
const WORDS = 2.5; // words spoken per second, for clips whose end is not known

/** The length of a clip in seconds; null if it has no times. */
export function lasts({ start, end, quote }) {
  if (!known(start)) return null;
  return known(end) && end > start ? end - start : Math.max(1, quote.split(/\s+/).length / WORDS);
}

export function clipsMarkdown(clips) {
  const parts = clips.map((clip) => {
    const link = webAddress(clip.link);
    const line = inert(sourceLine(clip));
    const note = clip.note ? `\n\n${inert(clip.note)}` : "";
    return `> ${inert(clip.quote)}\n>\n> — ${link ? `[${line}](<${link}>)` : line}${note}`;
  });
  return `# Clips\n\n${parts.join("\n\n")}\n`;
}

const COLUMNS = ["number", "quote", "speaker", "role", "title", "date", "start", "end", "seconds", "link", "note"];

/** Comma-separated values (RFC 4180). An apostrophe precedes text that a spreadsheet would read as a formula. */
export function clipsCsv(clips) {
  const rows = clips.map((clip, at) => {
    const times = { start: clip.start, end: clip.end, seconds: lasts(clip) };
    const shown = Object.fromEntries(
      Object.entries(times).map(([name, value]) => [name, known(value) ? value.toFixed(2) : ""]),
    );
    return COLUMNS.map((name) => cell({ number: at + 1, ...clip, ...shown }[name]));
  });
  return [COLUMNS, ...rows].map((row) => `${row.join(",")}\r\n`).join("");
}

function cell(value) {
  const text = String(value ?? "");
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** An edit decision list (CMX 3600): the clips one after the other, each from a reel of its recording. Clips
 *  without times are listed in remarks. */
export function clipsEdl(clips, title = "onrecord clips") {
  const reels = [...new Set(clips.map(({ recording }) => recording))];
  const lines = [`TITLE: ${remark(title).slice(0, 70)}`, "FCM: NON-DROP FRAME", ""];
  let at = Math.round(FIRST * RATE);
  let number = 0;
  for (const clip of clips) {
    const seconds = lasts(clip);
    if (seconds === null) {
      lines.push(`* NO TIMES: ${remark(sourceLine(clip))}`, "");
      continue;
    }
    const [from, frames] = [Math.round(clip.start * RATE), Math.max(1, Math.round(seconds * RATE))];
    const reel = `R${String(reels.indexOf(clip.recording) + 1).padStart(3, "0")}`.padEnd(8);
    const times = [from, from + frames, at, at + frames].map(timecode).join(" ");
    lines.push(
      `${String((number += 1)).padStart(3, "0")}  ${reel} AA/V  C        ${times}`,
      `* FROM CLIP NAME: ${remark(clip.title)}`,
      `* COMMENT: ${remark([clip.speaker, clip.quote].filter(Boolean).join(": "))}`,
      "",
    );
    at += frames;
  }
  return lines.join("\r\n");
}

/** A number of frames as "01:00:00:12". */
function timecode(frames) {
  const seconds = Math.floor(frames / RATE);
  const two = (n) => String(n).padStart(2, "0");
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60, frames % RATE].map(two).join(":");
}

/** A text without line breaks. */
function remark(text) {
  return String(text ?? "").replace(/\s+/g, " ").trim().slice(0, 400);
}

/** "4 clips, 1:12 in all". */
export function clipsLength(clips) {
  return clock(clips.reduce((sum, clip) => sum + (lasts(clip) ?? 0), 0));
}
