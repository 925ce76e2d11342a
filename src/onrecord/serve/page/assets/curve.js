// Relevance along a recording: an area over its time, brighter within moments, with a button at each.

import { button, el, svg } from "./dom.js";
import { clock, known } from "./words.js";
import { list, summit } from "./series.js";

const WIDE = 1000;
const HIGH = 100;
const APART = 0.02; // the least distance of two peaks, as a share of the length

/** The end of the recording in seconds: its length, or the end of the curve. */
export function lengthOf(recording) {
  const last = list(recording.curve).at(-1);
  return Math.max((recording.unit !== "passages" && recording.seconds) || 0, last?.[1] || 0) || 1;
}

/** Whether there are fewer than two scores, so that there is nothing to compare along the recording. */
export function isFlat(recording) {
  return list(recording.curve).length < 2;
}

/** Return a smooth line through the middles of [t0, t1, score] as an SVG path in 0..1000 by 0..100, closed below.
 *  The tangents are those of monotone cubic interpolation (Fritsch & Carlson 1980), which adds no peaks. */
export function areaPath(curve, seconds) {
  const points = list(curve)
    .filter(([t0, t1, score]) => known(t0) && known(t1) && known(score))
    .map(([t0, t1, score]) => [
      (WIDE * (t0 + t1)) / 2 / seconds,
      HIGH * (1 - Math.min(1, Math.max(0, score))),
    ]);
  if (!points.length) return "";
  const all = [[0, points[0][1]], ...points.filter(([x]) => x > 0 && x < WIDE), [WIDE, points.at(-1)[1]]];
  const slopes = tangents(all);
  let path = `M0 ${HIGH}L${xy(all[0])}`;
  for (let i = 1; i < all.length; i += 1) {
    const [[x0, y0], [x1, y1]] = [all[i - 1], all[i]];
    const third = (x1 - x0) / 3;
    path += `C${xy([x0 + third, y0 + slopes[i - 1] * third])} ${xy([x1 - third, y1 - slopes[i] * third])} ${xy([x1, y1])}`;
  }
  return `${path}L${WIDE} ${HIGH}Z`;
}

function tangents(points) {
  const steps = points.slice(1).map(([x, y], i) => (y - points[i][1]) / (x - points[i][0] || 1));
  return points.map((_, i) => {
    const [before, after] = [steps[i - 1], steps[i]];
    if (before === undefined || after === undefined) return 0;
    return before * after <= 0 ? 0 : (2 * before * after) / (before + after); // the harmonic mean never overshoots
  });
}

function xy([x, y]) {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}

let drawn = 0;

/** The picture alone. The area is bright within moments ({start, end}). */
export function area(recording) {
  const seconds = lengthOf(recording);
  const path = areaPath(recording.curve, seconds);
  const clip = `clip${(drawn += 1)}`;
  const bands = list(recording.moments).filter((m) => known(m.start));
  const bright = bands.map(({ start, end }) => {
    const from = (WIDE * start) / seconds;
    const to = (WIDE * (known(end) ? end : start)) / seconds;
    return svg("rect", { x: from, y: 0, width: Math.max(4, to - from), height: HIGH });
  });
  return svg(
    "svg",
    { class: "area", viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("clipPath", { id: clip }, bright),
    svg("path", { class: "faint", d: path }),
    svg("path", { class: "bright", d: path, "clip-path": `url(#${clip})` }),
  );
}

/** The curve with its pins. `pins` are {start, number?, score?, speaker?}. `open(pin)` is called with the chosen
 *  pin, or with {start} after a click on the curve itself. Without scores along the recording it is a bar with
 *  bright moments. */
export function curve(scored, pins, open) {
  const flat = isFlat(scored);
  const recording = flat ? { ...scored, curve: [[0, lengthOf(scored), 1]] } : scored;
  const seconds = lengthOf(recording);
  const timed = recording.unit !== "passages";
  const raisedPins = pins.filter((pin) => known(pin.start)).map((pin) => raised(pin, recording, flat));
  const placed = spread(thinned(raisedPins, seconds), seconds);
  const figure = el("div", {
    class: flat ? "curve flat" : "curve",
    role: "group",
    "aria-label": describe(recording, placed, timed ? seconds : null, flat),
  });
  const box = el(
    "div",
    { class: "plot", on: { click: (event) => open({ start: at(event, box) * seconds }) } },
    area(recording),
    cursor(),
  );
  box.addEventListener("pointermove", (event) => hover(box, at(event, box), timed ? seconds : null));
  figure.append(
    el(
      "div",
      { class: "pins" },
      placed.map((pin) => pinButton(pin, timed, open)),
    ),
    box,
    axis(seconds, timed),
  );
  return figure;
}

function at(event, box) {
  const { left, width } = box.getBoundingClientRect();
  return Math.min(1, Math.max(0, (event.clientX - left) / (width || 1)));
}

function cursor() {
  return el("span", { class: "cursor", "aria-hidden": "true" });
}

function hover(box, share, seconds) {
  const line = box.querySelector(".cursor");
  line.style.setProperty("left", `${100 * share}%`);
  line.dataset.time = seconds === null ? "" : clock(share * seconds);
  line.classList.toggle("right", share > 0.85);
}

function axis(seconds, timed) {
  const [from, to] = timed ? ["0:00", clock(seconds)] : ["beginning", "end"];
  return el(
    "div",
    { class: "axis", "aria-hidden": "true" },
    el("span", { text: from }),
    el("span", { text: to }),
  );
}

/** A peak is at the highest point of the curve within its moment; a citation is where its words begin. */
function raised(pin, { curve }, flat) {
  if (pin.number) return { ...pin, at: pin.start };
  const [at, height] = summit(curve, pin.start, pin.end ?? pin.start) ?? [pin.start, 0];
  return { ...pin, at, height, highest: !flat && height === 1 };
}

/** Leave out peaks beside a citation or a higher peak, because one ring must not hide another. */
function thinned(pins, seconds) {
  const shown = pins.filter((pin) => pin.number);
  const peaks = pins.filter((pin) => !pin.number).sort((a, b) => b.height - a.height);
  for (const peak of peaks) {
    if (!shown.some((pin) => Math.abs(pin.at - peak.at) < APART * seconds)) shown.push(peak);
  }
  return shown;
}

/** Sort pins by time; if two would overlap, the later one goes a step higher. */
function spread(pins, seconds) {
  const rows = [-1, -1, -1];
  return [...pins]
    .sort((a, b) => a.at - b.at)
    .map((pin) => {
      const share = Math.min(1, pin.at / seconds);
      if (!pin.number) return { ...pin, share, row: 0 };
      const free = rows.findIndex((end) => share - end > 0.055);
      const row = Math.max(0, free);
      rows[row] = share;
      return { ...pin, share, row };
    });
}

function pinButton(pin, timed, open) {
  const name = pin.number ? String(pin.number) : "";
  const props = {
    class: `pin row${pin.row}${pin.number ? "" : " peak"}`,
    style: { left: `${100 * pin.share}%`, ...(pin.number ? {} : { "--height": pin.height }) },
    ...(pin.number ? { "data-cite": pin.number } : {}),
  };
  return button(pinLabel(pin, timed), () => open(pin), props, el("span", { text: name }));
}

/** A pin's label for screen readers. A moment's score is not a share, so the label has no number: it says only
 *  whether the curve of all recordings is highest there. */
export function pinLabel({ number, start, highest, speaker }, timed) {
  const moment = highest ? "The most relevant moment" : "A moment";
  return [number ? `Source ${number}` : moment, speaker, timed ? `at ${clock(start)}` : null]
    .filter(Boolean)
    .join(", ");
}

function describe(recording, pins, seconds, flat) {
  if (seconds === null) return `Relevance along ${recording.title}, which has no times`;
  const times = pins.map((pin) => clock(pin.start));
  if (flat) return `Places in the ${clock(seconds)} of ${recording.title}: ${times.join(", ")}`;
  const peaks = times.length
    ? `highest around ${times.slice(0, 6).join(", ")}`
    : "no single moment stands out";
  return `Relevance over the ${clock(seconds)} of ${recording.title}: ${peaks}`;
}
