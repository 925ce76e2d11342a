// A short message about an action, with a button to undo it, for a limited time.

import { announce, button, el, icon } from "./dom.js";

/** Show a message at the bottom of the page; `undo` is offered for some seconds. One message at a time. */
export function toast(text, { undo = null, seconds = 6 } = {}) {
  document.querySelector(".toast")?.remove();
  const close = () => box.remove();
  const back = undo
    ? button(
        "Undo",
        () => {
          close();
          undo();
        },
        { class: "small strong" },
      )
    : null;
  const box = el(
    "div",
    { class: "toast" },
    el("span", { dir: "auto", text }),
    back,
    button("Close this message", close, { class: "plain" }, icon("close")),
  );
  document.body.append(box);
  announce(undo ? `${text} It can be undone.` : text);
  setTimeout(close, 1000 * seconds);
}
