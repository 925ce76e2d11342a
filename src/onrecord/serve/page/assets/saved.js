// What this browser stores: conversations, and quotes as clips.

import { el } from "./dom.js";
import { clipsView } from "./clips.js";
import { conversationsView } from "./conversations.js";

const TABS = [
  ["saved", "Conversations"],
  ["clips", "Clips"],
];

/** The view of stored items; `view` is "saved" or "clips". `open(clip)` shows a clip in its recording. */
export function savedView(view, { open }) {
  const tabs = TABS.map(([name, text]) =>
    el("a", { href: `#/${name}`, "aria-current": name === view ? "page" : null, text }),
  );
  return el(
    "div",
    { class: "browse saved" },
    el("h1", { text: "Saved" }),
    el("p", { class: "soft", text: "Stored in this browser only, not on the server." }),
    el("nav", { class: "tabs", "aria-label": "What is saved" }, tabs),
    view === "clips" ? clipsView({ open }) : conversationsView(),
  );
}
