// A dialog for a key, if the server requires one. The key stays in this tab and goes only to this server.

import { button, el } from "./dom.js";
import { key, setKey } from "./api.js";

let open = null;

/** Whether the user entered a key. One dialog at a time, however many requests wait for it. */
export function askForKey() {
  open ??= dialog().finally(() => (open = null));
  return open;
}

function dialog() {
  const input = el("input", {
    type: "password",
    id: "key",
    autocomplete: "off",
    spellcheck: "false",
    required: true,
  });
  const form = el(
    "form",
    { method: "dialog" },
    el("h2", { id: "key-title", text: "A key is needed" }),
    el("p", { text: "This server answers only those who have a key. Ask whoever runs it for one." }),
    key() ? el("p", { class: "note", text: "The key you entered before is not accepted." }) : null,
    el("label", { for: "key", text: "Key" }),
    input,
    el("p", { class: "soft", text: "Your browser keeps it until this tab is closed and sends it to this server only." }),
  );
  const box = el("dialog", { class: "dialog", "aria-labelledby": "key-title" }, form);
  form.append(
    el(
      "div",
      { class: "tools" },
      el("button", { type: "submit", class: "small strong", text: "Use it" }),
      button("Not now", () => box.close(), { class: "small" }),
    ),
  );
  return new Promise((settle) => {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      setKey(input.value.trim());
      box.close("given");
    });
    box.addEventListener("close", () => {
      settle(box.returnValue === "given");
      box.remove();
    });
    document.body.append(box);
    box.showModal();
  });
}
