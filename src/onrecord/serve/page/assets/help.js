// The list of keyboard shortcuts, one click away.

import { button, el } from "./dom.js";

const KEYS = [
  ["Enter", "ask; with Shift a new line"],
  ["Ctrl K", "to the question"],
  ["↑", "in the empty box: to the citations of the answer"],
  ["Esc", "stop the answer; close the recording"],
  ["K", "in a recording: play or pause"],
  ["J, L", "in a recording: ten seconds back, ten on"],
  ["Enter", "on a line of a picture: play its quote"],
  ["↑ ↓", "in a transcript: from one time to another"],
];

/** Open the list of keyboard shortcuts. */
export function showKeys() {
  const box = el("dialog", { class: "dialog", "aria-labelledby": "keys-title" });
  const rows = KEYS.flatMap(([key, does]) => [
    el("dt", {}, el("kbd", { text: key })),
    el("dd", { text: does }),
  ]);
  const close = button("Close", () => box.close(), { class: "small strong" });
  box.append(el("h2", { id: "keys-title", text: "Keys" }), el("dl", { class: "keys" }, rows), close);
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
}
