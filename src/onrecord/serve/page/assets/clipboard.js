// Exports from the page, through the clipboard or as a file.

import { announce, el, flash } from "./dom.js";

/** Put text on the clipboard; returns whether it worked. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Offer a text as a file. */
export function download(name, text, type = "text/markdown") {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** A button that copies, and confirms it for a moment. */
export function copyButton(label, textOf, props = {}) {
  const node = el("button", { type: "button", class: "small", text: label, ...props });
  node.addEventListener("click", async () => {
    const done = await copy(textOf());
    announce(done ? "Copied." : "The browser did not allow copying.");
    flash(node, done ? "Copied" : "Not allowed", () => (node.textContent = label));
  });
  return node;
}
