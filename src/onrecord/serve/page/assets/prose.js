// The text of an answer as elements: blocks, quotations by speaker, and marks.

import { who } from "./cite.js";
import { el } from "./dom.js";
import { titleOf } from "./library.js";
import { blocks } from "./markdown.js";
import { recordingHash } from "./router.js";
import { list } from "./series.js";
import { voice } from "./voices.js";
import { span } from "./words.js";

const DOUBT = "What was said does not clearly support this sentence";

/** The elements for the text received so far. */
export function prose(x) {
  const only = x.text === x.answer?.heading; // without quotes, the heading is the whole answer
  const facts = list(x.plan?.facts); // each is a paragraph, before all others
  const nodes = (block, n) => (facts[n] && block.kind === "p" ? factNode(block, facts[n], x) : blockNode(block, x));
  return only ? [] : blocks(x.text, x.sources).map(nodes);
}

/** A fact from the archive: a line and its items, each linked to the recording that it names. */
function factNode({ lines: [first, ...items] }, fact, x) {
  const rows = items.map((line, n) => el("li", { dir: "auto" }, itemNodes(line, n, fact, x)));
  return el(
    "div",
    { class: "fact" },
    el("p", { class: "heading", dir: "auto" }, lineNodes(first, x)),
    rows.length ? el("ul", {}, rows) : null,
  );
}

function itemNodes(line, n, fact, x) {
  const id = list(fact.recordings)[n];
  const named = id && String(list(fact.items)[n]).includes(flat(titleOf(id)));
  return named ? el("a", { href: recordingHash(id) }, lineNodes(line, x)) : lineNodes(line, x);
}

function blockNode({ kind, lines, items }, x) {
  if (kind === "h") return el("h3", { dir: "auto" }, lineNodes(lines[0], x));
  if (kind !== "p")
    return el(
      kind,
      {},
      items.map((item) => el("li", { dir: "auto" }, lineNodes(item, x))),
    );
  if (lines.some((line) => attribution(line, x)))
    return el(
      "div",
      { class: "voices" },
      lines.flatMap((line) => voiceLines(line, x)),
    );
  const rows = lines.flatMap((line, n) => [n ? el("br") : null, ...lineNodes(line, x)]);
  return el("p", { dir: "auto" }, rows);
}

/** The speaker of a line of the form "Brendan Kelly: “...” [2]", if a source in it has that speaker. */
function attribution([first, second], x) {
  if (first?.kind !== "text" || second?.kind !== "said") return null;
  const name = first.text.replace(/\s*:\s*$/, "");
  return name !== first.text && [...x.sources.values()].some((source) => flat(source.speaker) === name)
    ? name
    : null;
}

function flat(text) {
  return String(text ?? "")
    .replace(/\s+/g, " ")
    .trim();
}

/** A speaker's line, one paragraph for each quotation; other lines of such a paragraph name the recording of
 *  the quotation. */
function voiceLines(line, x) {
  const name = attribution(line, x);
  if (!name) {
    const quotes = line.some((piece) => piece.kind === "said");
    return [el("p", { class: quotes ? null : "origin", dir: "auto" }, lineNodes(line, x))];
  }
  const [first, ...others] = quotations(line.slice(1)).map((pieces) => lineNodes(pieces, x));
  const speaker = el("b", { class: "speaker", "data-voice": voice(name), text: name });
  return [
    el("p", { dir: "auto" }, speaker, " ", first),
    ...others.map((nodes) => el("p", { dir: "auto" }, nodes)),
  ];
}

/** The pieces of a line, split before each quotation but the first. */
function quotations(line) {
  const parts = [[]];
  for (const [i, piece] of line.entries()) {
    const next = line[i + 1]?.kind === "said" && line[i - 1]?.kind === "mark";
    if (next && piece.kind === "text" && !piece.text.trim()) parts.push([]);
    else parts.at(-1).push(piece);
  }
  return parts;
}

/** Keep French quotation marks on the line of their words. */
function keepTogether(quote) {
  return quote.replace(/^«\s/, "«\u00a0").replace(/\s»$/, "\u00a0»");
}

/** The pieces of a line as nodes; a mark stays on the line of the words before it. */
function lineNodes(line, x) {
  return line.map((piece, i) => {
    const before = piece.kind === "text" && line[i + 1]?.kind === "mark";
    return pieceNode(before ? { ...piece, text: piece.text.replace(/ $/, "\u00a0") } : piece, x);
  });
}

function pieceNode(piece, x) {
  if (piece.kind === "mark") return mark(x.sources.get(piece.number));
  if (piece.kind === "strong" || piece.kind === "em") return el(piece.kind, {}, lineNodes(piece.pieces, x));
  if (piece.kind === "doubt") return el("abbr", { class: "doubt", title: DOUBT, text: "?" });
  if (piece.kind === "code") return el("code", { text: piece.text });
  return piece.kind === "said" ? el("span", { class: "said", text: keepTogether(piece.text) }) : piece.text;
}

function mark(source) {
  const title = [who(source), source.title, span(source.start, source.end)].filter(Boolean).join(", ");
  const attributes = {
    class: "mark",
    "data-cite": source.number,
    "aria-label": `Source ${source.number}: ${title}`,
    title,
  };
  return el("button", { type: "button", ...attributes, text: `${source.number}` });
}
