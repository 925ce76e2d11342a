// The text of an answer as blocks and pieces: the little Markdown that answers use, and marks like [1].
// Links, images and HTML are not parsed: they remain plain text.
//
// A block is {kind: "p" | "h" | "ul" | "ol" | "pre", lines or items or text}; a line is a list of pieces
// {kind: "text" | "strong" | "em" | "code" | "said" | "mark" | "doubt", ...}: "doubt" is the mark [?].

/** Return the blocks of a text. `numbers` are the existing marks; other marks remain text. */
export function blocks(text, numbers) {
  const parsed = [];
  for (const chunk of text.replaceAll("\r\n", "\n").split(/\n{2,}/)) {
    if (chunk.trim()) chunkBlocks(chunk.split("\n"), numbers, parsed);
  }
  return parsed;
}

const HEADING = /^#{1,6}\s+(.*)$/;
const BULLET = /^\s*[-*•]\s+(.*)$/;
const NUMBERED = /^\s*\d{1,3}[.)]\s+(.*)$/;

function chunkBlocks(lines, numbers, parsed) {
  for (const line of lines) {
    const [kind, words] = kindOf(line);
    const read = pieces(words, numbers);
    const last = parsed.at(-1);
    if (kind === "h") parsed.push({ kind, lines: [read] });
    else if (kind !== "p") itemsOf(parsed, kind).push(read);
    else if (last?.kind === "p" && line !== lines[0]) last.lines.push(read);
    else parsed.push({ kind, lines: [read] });
  }
}

function kindOf(line) {
  for (const [kind, pattern] of [
    ["h", HEADING],
    ["ul", BULLET],
    ["ol", NUMBERED],
  ]) {
    const match = pattern.exec(line);
    if (match) return [kind, match[1]];
  }
  return ["p", line.trim()];
}

function itemsOf(parsed, kind) {
  if (parsed.at(-1)?.kind !== kind) parsed.push({ kind, items: [] });
  return parsed.at(-1).items;
}

// Quotations come first, because nothing within them is parsed: they stay verbatim. They end where they end for
// the server (onrecord.answer.marks), so that a mark is the same in both.
const PIECE = new RegExp(
  [
    /(?<said>“[^”]*”|«(?=\s).*?\s»)/,
    /\[(?:(?:Source|source)\s+)?(?<mark>\d{1,3}(?:\s*,\s*(?:(?:Source|source)\s+)?\d{1,3})*)\]/,
    /\*\*(?<strong>\S(?:[^*]*\S)?)\*\*/,
    /(?<![\p{L}\p{N}*])\*(?<em>[^\s*](?:[^*]*[^\s*])?)\*(?![\p{L}\p{N}*])/,
    /(?<doubt>\[\?\])/,
    /`(?<code>[^`]+)`/,
    /\\(?<plain>[!-/:-@[-`{-~])/,
  ]
    .map((pattern) => pattern.source)
    .join("|"),
  "gu",
);

/** The pieces of one line. */
export function pieces(line, numbers) {
  const parsed = [];
  let at = 0;
  for (const match of line.matchAll(PIECE)) {
    const read = pieceOf(match.groups, numbers);
    if (!read) continue;
    if (match.index > at) parsed.push({ kind: "text", text: line.slice(at, match.index) });
    parsed.push(...read);
    at = match.index + match[0].length;
  }
  if (at < line.length) parsed.push({ kind: "text", text: line.slice(at) });
  return parsed;
}

function pieceOf({ said, mark, doubt, strong, em, code, plain }, numbers) {
  if (mark) return marks(mark, numbers);
  if (doubt) return [{ kind: "doubt" }];
  if (said) return [{ kind: "said", text: said }];
  if (strong) return [{ kind: "strong", pieces: pieces(strong, numbers) }];
  if (em) return [{ kind: "em", pieces: pieces(em, numbers) }];
  return code ? [{ kind: "code", text: code }] : [{ kind: "text", text: plain }];
}

function marks(text, numbers) {
  const wanted = text.match(/\d+/g).map(Number);
  return wanted.every((n) => numbers.has(n)) ? wanted.map((number) => ({ kind: "mark", number })) : null;
}
