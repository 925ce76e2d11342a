// Elements from data. Text is only ever inserted as text: nothing here parses HTML.

const SVG = "http://www.w3.org/2000/svg";

/** Return an element with properties ("class", "text", "on", attributes) and children; null children are left out. */
export function el(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

export function svg(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(node, { text, on, style, ...attributes }, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false)
      node.setAttribute(name, value === true ? "" : value);
  }
  for (const [name, value] of Object.entries(style ?? {})) node.style.setProperty(name, value);
  for (const [event, listener] of Object.entries(on ?? {})) node.addEventListener(event, listener);
  if (text !== undefined && text !== null) node.textContent = text;
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export function button(label, onClick, props = {}, ...children) {
  const named = children.length ? { "aria-label": label, title: label } : { text: label };
  return el("button", { type: "button", ...named, on: { click: onClick }, ...props }, ...children);
}

/** A link to another site; plain text if the address may not be opened. */
export function outward(address, text, props = {}) {
  const safe = webAddress(address);
  if (!safe) return el("span", { text, ...props });
  return el("a", { href: safe, target: "_blank", rel: "noopener noreferrer", text, ...props });
}

/** Return the address if it is http or https, else null. */
export function webAddress(address) {
  try {
    const url = new URL(String(address ?? ""));
    return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
  } catch {
    return null;
  }
}

const ICONS = {
  send: "M12 19V5M6 11l6-6 6 6",
  stop: "M7 7h10v10H7z",
  play: "M8 5.5v13l10.5-6.5z",
  pause: "M8 5.5v13M16 5.5v13",
  edit: "M5 19l1-4L16.500 4.500l3 3L9 18z",
  close: "M6 6l12 12M18 6L6 18",
  down: "M12 4v11M7 10.5l5 5 5-5M5 20h14",
  up: "M6 15l6-6 6 6",
  good: "M7 11v9H4v-9zM7 11l4-7c1.600 0 2.300 1.200 2 2.700L12.300 10H19a1.500 1.500 0 0 1 1.500 1.900l-1.600 6.600A2 2 0 0 1 17 20H7",
  bad: "M7 13V4H4v9zM7 13l4 7c1.600 0 2.300-1.200 2-2.700L12.300 14H19a1.500 1.500 0 0 0 1.500-1.900l-1.600-6.600A2 2 0 0 0 17 4H7",
  next: "M6 9l6 6 6-6",
  auto: "M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16",
  light:
    "M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8M12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M18.700 5.300l-1.400 1.400M6.700 17.300l-1.400 1.400",
  dark: "M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10z",
};

export function icon(name) {
  return svg(
    "svg",
    { class: `icon icon-${name}`, viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: ICONS[name] }),
  );
}

/** Show a word on a button for a moment, then call `restore()`. */
export function flash(node, word, restore) {
  node.textContent = word;
  setTimeout(restore, 1600);
}

/** Announce a text to users of screen readers. */
export function announce(text) {
  document.getElementById("live").textContent = text;
}
