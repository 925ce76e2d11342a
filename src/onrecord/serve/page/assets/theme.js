// The color theme: light, dark, or the system's.

import { icon } from "./dom.js";
import { place } from "./place.js";

const KEY = "onrecord-theme";
const THEMES = ["auto", "light", "dark"];

export function themeButton(node) {
  const show = (theme) => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    const label = `Colours: ${theme === "auto" ? "as the system has them" : theme}`;
    node.replaceChildren(icon(theme));
    node.title = label;
    node.setAttribute("aria-label", label);
  };
  node.addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(stored()) + 1) % THEMES.length];
    place("localStorage").setItem(KEY, next);
    show(next);
  });
  show(stored());
}

function stored() {
  const theme = place("localStorage").getItem(KEY);
  return THEMES.includes(theme) ? theme : "auto";
}
