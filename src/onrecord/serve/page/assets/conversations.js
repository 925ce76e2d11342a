// Conversations stored in this browser: find, continue or export one.

import { newId, storedList } from "./storage.js";
import { fileName, markdownAnswer } from "./cite.js";
import { download } from "./clipboard.js";
import { button, el, icon } from "./dom.js";
import { exchange } from "./state.js";
import { toast } from "./toast.js";
import { list } from "./series.js";
import { count, plain } from "./words.js";

const conversations = storedList("conversations");

export { newId };

/** Store a conversation. It replaces the conversation that it continues or repeats. */
export function keepConversation(id, exchanges) {
  const done = exchanges.filter((x) => x.status === "done" && x.answer);
  if (!done.length) return;
  const asked = (items) => items.map(({ question, options }) => JSON.stringify([question, options]));
  const mine = asked(done);
  const others = conversations
    .all()
    .filter((other) => other.id !== id && !asked(list(other.exchanges)).every((one, at) => one === mine[at]));
  conversations.replace([{ id, at: new Date().toISOString(), exchanges: done.map(packed) }, ...others]);
}

const PARTS = ["question", "options", "plan", "recordings", "text", "answer"];

function packed(x) {
  const parts = Object.fromEntries(PARTS.map((name) => [name, x[name]]));
  return { ...parts, sources: [...x.sources.values()] };
}

/** The stored exchanges of a conversation; null if it is not stored here. */
export function unpacked(id) {
  const conversation = conversations.all().find((stored) => stored.id === id);
  if (!conversation) return null;
  const turns = [];
  for (const { sources, ...parts } of list(conversation.exchanges)) {
    const fresh = exchange(String(parts.question ?? ""), parts.options ?? {});
    const numbered = list(sources).filter((source) => Number.isInteger(source?.number));
    const known = { sources: new Map(numbered.map((s) => [s.number, s])), recordings: list(parts.recordings) };
    turns.push({ ...fresh, ...parts, ...known, status: "done", before: [...turns], text: String(parts.text ?? "") });
  }
  return turns;
}

// ---------------------------------------------------------------- the view

/** The conversations, newest first, with a box to search them. */
export function conversationsView() {
  const all = conversations.all();
  const box = el("div", { class: "saved-list" });
  if (!all.length) {
    box.append(el("p", { class: "soft", text: "Nothing was asked yet. Your questions are stored here, in this browser." }));
    return box;
  }
  const rows = el("ul", { class: "talks" });
  const input = el("input", {
    type: "search",
    placeholder: "Questions and answers with...",
    "aria-label": "Find in conversations",
    dir: "auto",
  });
  const redraw = () => document.querySelector(".saved-list")?.replaceWith(conversationsView());
  const show = () => rows.replaceChildren(...matching(all, input.value).map((each) => row(each, redraw)));
  input.addEventListener("input", show);
  show();
  const exported = () => download("conversations.md", all.map(markdown).join("\n---\n\n"));
  const put = (items) => {
    conversations.replace(items);
    redraw();
  };
  const forget = () => {
    put([]);
    toast("Forgot all conversations.", { undo: () => put(all), seconds: 20 });
  };
  box.append(
    el("div", { class: "find" }, input),
    el(
      "div",
      { class: "tools" },
      button("Export all", exported, { class: "small", title: "Save all conversations as a Markdown file" }),
      button("Forget all", forget, { class: "small bad" }),
    ),
    rows,
  );
  return box;
}

function matching(all, words) {
  const wanted = plain(words).split(/\s+/).filter(Boolean);
  const text = ({ exchanges }) => plain(list(exchanges).map((x) => `${x.question} ${x.text}`).join(" "));
  return wanted.length ? all.filter((each) => wanted.every((word) => text(each).includes(word))) : all;
}

function row(conversation, redraw) {
  const [first, ...others] = list(conversation.exchanges);
  const when = new Date(conversation.at);
  const facts = [
    Number.isNaN(when.getTime()) ? "" : when.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" }),
    others.length ? count(others.length, "question") + " after it" : "",
  ];
  const name = String(first?.question ?? "");
  const drop = () => {
    conversations.drop(conversation.id);
    redraw();
  };
  return el(
    "li",
    {},
    el(
      "a",
      { href: `#/c/${encodeURIComponent(conversation.id)}` },
      el("span", { class: "title", dir: "auto", text: name }),
      el("span", { class: "gist", dir: "auto", text: String(first?.text ?? "").slice(0, 240) }),
      el("span", { class: "facts", text: facts.filter(Boolean).join(" · ") }),
    ),
    button(
      "Save as Markdown",
      () => download(fileName(name), markdown(conversation)),
      { class: "plain" },
      icon("down"),
    ),
    button(`Forget “${name}”`, drop, { class: "plain" }, icon("close")),
  );
}

function markdown({ id }) {
  return list(unpacked(id)).map(markdownAnswer).join("\n");
}
