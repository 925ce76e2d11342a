// A word about what was done, with a way to undo it, for a while.

import { announce, button, el, icon } from "./dom.js";

/** Show a line at the foot of the page; `undo` is offered for so many seconds. One line at a time. */
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
