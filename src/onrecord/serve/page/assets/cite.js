// Citations and answers as text to paste elsewhere.

import { blocks } from "./markdown.js";
import { day, span } from "./words.js";
import { webAddress } from "./dom.js";
import { questionHash, recordingHash } from "./router.js";

/** "Brendan Kelly, guest, Night Desk 41, 14 Nov 2024, 0:45–0:58". */
export function sourceLine(source) {
  return [who(source), source.title, day(source.date), span(source.start, source.end)]
    .filter(Boolean)
    .join(", ");
}

/** "Brendan Kelly, guest"; only the name if it contains the role, as in "Brendan Kelly (guest)". */
export function who({ speaker, role }) {
  if (!speaker || !role || speaker.toLowerCase().includes(role.toLowerCase())) return speaker;
  return `${speaker}, ${role}`;
}

/** The address that plays a quote: the recording's own link, else this page at that second. */
function placeOf(source) {
  return webAddress(source.link) ?? here(recordingHash(source.recording, source.start, source.end));
}

export function here(hash) {
  return new URL(hash, location.href).href;
}

/** One quotation with its speaker, recording and time. */
export function citation(source) {
  return `“${source.quote}”\n— ${sourceLine(source)}\n${placeOf(source)}`;
}

/** The whole answer with its sources, as plain text. */
export function plainAnswer(x) {
  const sources = [...x.sources.values()].map((s) => `[${s.number}] ${sourceLine(s)}\n    ${placeOf(s)}`);
  return [x.question, x.answer?.heading, x.text, sources.join("\n"), ...(x.answer?.notes ?? [])]
    .filter(Boolean)
    .join("\n\n");
}

/** The whole answer as Markdown. Text from the archive is escaped, so it cannot become markup. */
export function markdownAnswer(x) {
  const sources = [...x.sources.values()].map(
    (s) => `- **[${s.number}]** [${inert(sourceLine(s))}](<${address(placeOf(s))}>)\n  > ${inert(s.quote)}`,
  );
  const notes = (x.answer?.notes ?? []).map((note) => `*${inert(note)}*`);
  const unsupported = (x.answer?.unsupported ?? []).map((sentence) => `- ${inert(sentence)}`);
  const parts = [
    `# ${inert(x.question)}`,
    x.answer?.heading ? `**${inert(x.answer.heading)}**` : null,
    blocks(x.text, x.sources).map(blockText).join("\n\n"),
    sources.length ? `## Sources\n\n${sources.join("\n")}` : null,
    unsupported.length ? `## Not supported by the sources\n\n${unsupported.join("\n")}` : null,
    ...notes,
    `<${address(here(questionHash(x.question, [], x.options)))}>`,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function blockText({ kind, lines, items }) {
  if (kind === "h") return `## ${lineText(lines[0])}`;
  if (kind === "p") return lines.map(lineText).join("\\\n");
  return items.map((item, n) => `${kind === "ol" ? `${n + 1}.` : "-"} ${lineText(item)}`).join("\n");
}

function lineText(pieces) {
  return pieces.map(pieceText).join("");
}

function pieceText({ kind, text, number, pieces }) {
  if (kind === "mark") return `[${number}]`;
  if (kind === "doubt") return "[?]";
  if (kind === "code") return `\`${text}\``;
  if (kind === "strong") return `**${lineText(pieces)}**`;
  return kind === "em" ? `*${lineText(pieces)}*` : inert(text);
}

/** Text that Markdown shows unchanged; marks like [1] stay readable. */
export function inert(text) {
  return text
    .replaceAll(/[\r\n]+/g, " ")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/[\\`*_{}#|~$!]/g, "\\$&")
    .replaceAll(/\[(?!\d{1,3}\])|(?<!\[\d{1,3})\]/g, "\\$&")
    .replaceAll("](", "]\\(")
    .replace(/^(\s*\d+)([.)])/, "$1\\$2")
    .replace(/^(\s*)([-+=])/, "$1\\$2");
}

function address(url) {
  return url.replaceAll("<", "%3C").replaceAll(">", "%3E").replaceAll("\n", "");
}

/** A short file name from a question: letters and digits of any script. */
export function fileName(question) {
  const plain = question
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
  return `${plain.slice(0, 60) || "answer"}.md`;
}
