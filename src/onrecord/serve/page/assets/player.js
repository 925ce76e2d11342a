// A player for a recording: a file of the server, a file or player on another site after the user's
// consent, or a link. The curve of relevance is its slider.

import { button, el, icon, outward, webAddress } from "./dom.js";
import { area, isFlat, lengthOf } from "./curve.js";
import { embed } from "./embeds.js";
import { clock, known } from "./words.js";

const SPEEDS = [1, 1.25, 1.5, 2, 0.75];

/** A player: {node, scrubs, seek(second, play), toggle(), skip(seconds), stop()}; `scrubs` says whether it shows the
 *  curve of relevance itself. It calls `onTime(second)` as it plays. */
export function player(recording, onTime) {
  const { media } = recording;
  if (isLocal(media)) return mediaPlayer(recording, media, onTime);
  const elsewhere = embed(recording.link);
  if (elsewhere) return framePlayer(elsewhere, recording);
  const address = webAddress(media);
  if (address?.startsWith("https:")) return remotePlayer(recording, address, onTime);
  return linkOnly(recording);
}

/** Whether this is a path on this server, and not an address of another one. */
export function isLocal(media) {
  return typeof media === "string" && /^\/(?![/\\])/.test(media);
}

// ---------------------------------------------------------------- a file

function mediaPlayer(recording, address, onTime) {
  const screen = el("video", {
    class: "screen",
    preload: "metadata",
    playsinline: true,
    src: address,
    "aria-label": recording.title,
  });
  const seconds = () => (known(screen.duration) ? screen.duration : lengthOf(recording));
  const controls = transport(screen, recording, seconds);
  const node = el("div", { class: "player" }, screen, controls.node);
  screen.addEventListener("loadedmetadata", () => {
    screen.controls = screen.videoWidth > 0; // for full screen and captions
    node.classList.toggle("seen", screen.controls);
    controls.draw();
  });
  screen.addEventListener("timeupdate", () => {
    controls.draw();
    onTime(screen.currentTime);
  });
  for (const event of ["play", "pause", "seeking", "ratechange"])
    screen.addEventListener(event, controls.draw);
  screen.addEventListener("error", () => node.replaceChildren(failed(recording)));
  return { node, scrubs: true, ...steering(screen, onTime), stop: () => stopped(screen) };
}

function steering(screen, onTime) {
  return {
    seek(second, play = true) {
      screen.currentTime = Math.max(0, second);
      onTime(screen.currentTime);
      if (play) screen.play().catch(() => {}); // a browser may require a click first, and the play button is there
    },
    toggle: () => (screen.paused ? screen.play().catch(() => {}) : screen.pause()),
    skip: (by) => (screen.currentTime = Math.max(0, screen.currentTime + by)),
  };
}

function stopped(screen) {
  screen.pause();
  screen.removeAttribute("src");
  screen.load();
}

/** The buttons for play, back, forward and speed, and the curve as a slider. */
function transport(screen, recording, seconds) {
  const play = button(
    "Play",
    () => (screen.paused ? screen.play().catch(() => {}) : screen.pause()),
    { class: "round", "data-play": "" },
    icon("play"),
  );
  const back = button(
    "Back 10 seconds",
    () => (screen.currentTime -= 10),
    { class: "step" },
    el("span", { text: "−10" }),
  );
  const on = button(
    "On 10 seconds",
    () => (screen.currentTime += 10),
    { class: "step" },
    el("span", { text: "+10" }),
  );
  const speed = el("button", {
    type: "button",
    class: "step",
    text: "1×",
    on: { click: () => faster(screen) },
  });
  const time = el("span", { class: "clock" });
  const slider = el("input", {
    type: "range",
    min: 0,
    max: 1000,
    step: 1,
    value: 0,
    "aria-label": "Position in the recording",
  });
  const head = el("span", { class: "playhead", "aria-hidden": "true" });
  slider.addEventListener("input", () => (screen.currentTime = (slider.value / 1000) * seconds()));
  slider.addEventListener("keydown", (event) => arrow(event, screen));
  const draw = () => {
    const share = Math.min(1, screen.currentTime / seconds());
    head.style.setProperty("left", `${100 * share}%`);
    slider.value = String(1000 * share);
    slider.setAttribute("aria-valuetext", `${clock(screen.currentTime)} of ${clock(seconds())}`);
    time.textContent = `${clock(screen.currentTime)} / ${clock(seconds())}`;
    play.replaceChildren(icon(screen.paused ? "play" : "pause"));
    for (const name of ["aria-label", "title"]) play.setAttribute(name, screen.paused ? "Play" : "Pause");
    speed.textContent = `${screen.playbackRate}×`;
    speed.setAttribute("aria-label", `${screen.playbackRate}× speed`);
  };
  draw();
  const node = el(
    "div",
    { class: "transport" },
    play,
    back,
    on,
    time,
    speed,
    el(
      "div",
      { class: isFlat(recording) ? "scrub flat" : "scrub" },
      area(recording),
      head,
      slider,
    ),
  );
  return { node, draw };
}

function faster(screen) {
  screen.playbackRate = SPEEDS[(SPEEDS.indexOf(screen.playbackRate) + 1) % SPEEDS.length];
}

/** An arrow key moves the slider by five seconds, whatever the length. */
function arrow(event, screen) {
  const by = { ArrowLeft: -5, ArrowDown: -5, ArrowRight: 5, ArrowUp: 5 }[event.key];
  if (!by) return;
  event.preventDefault();
  screen.currentTime = Math.max(0, screen.currentTime + by);
}

function failed(recording) {
  const words = el("p", {
    text: "This browser cannot play the recording: its file is missing or of an unknown kind.",
  });
  return el(
    "div",
    { class: "facade" },
    words,
    recording.link ? outward(recording.link, "Open it at its own place", { class: "small" }) : "",
  );
}

// ---------------------------------------------------------------- other sites, after a click

/** A cover over content of another host: pressing it fetches the content. */
function cover(site, host, start) {
  const words = el("span", { class: "what" });
  const node = el(
    "button",
    { type: "button", class: "facade", "data-play": "", on: { click: start } },
    icon("play"),
    words,
    el("span", { class: "soft", text: `Loads from ${host}` }),
  );
  return { node, at: (second) => (words.textContent = `Play on ${site} from ${clock(second)}`) };
}

function framePlayer(place, recording) {
  let second = 0;
  let frame = null;
  const node = el("div", { class: "player" });
  const start = () => {
    frame ??= el("iframe", {
      class: "frame",
      title: `${place.site}: ${recording.title}`,
      allow: "autoplay; fullscreen; encrypted-media; picture-in-picture",
      referrerpolicy: "strict-origin-when-cross-origin", // YouTube plays nothing without an origin
    });
    frame.src = place.at(second);
    if (!frame.isConnected) node.replaceChildren(frame);
  };
  const { node: front, at } = cover(place.site, place.host, start);
  at(0);
  node.append(front);
  const seek = (to, play = true) => {
    second = Math.max(0, to);
    at(second);
    if (frame && play) start();
  };
  return { node, seek, toggle: start, skip: (by) => seek(second + by), stop: () => node.replaceChildren() };
}

function remotePlayer(recording, address, onTime) {
  let second = 0;
  let inner = null;
  const node = el("div", { class: "player" });
  const start = () => {
    inner = mediaPlayer(recording, address, onTime);
    node.replaceChildren(inner.node);
    node.classList.add("scrubs");
    inner.seek(second);
  };
  const { hostname } = new URL(address);
  const { node: front, at } = cover(hostname, hostname, start);
  at(0);
  node.append(front);
  const seek = (to, play = true) => {
    second = Math.max(0, to);
    at(second);
    inner?.seek(second, play);
  };
  return {
    node,
    seek,
    toggle: () => (inner ? inner.toggle() : start()),
    skip: (by) => inner?.skip(by),
    stop: () => inner?.stop(),
  };
}

function linkOnly(recording) {
  const node = el("div", { class: "player" });
  const seek = (second) => node.replaceChildren(linkCard(recording, second));
  seek(0);
  return { node, seek, toggle: () => {}, skip: () => {}, stop: () => {} };
}

function linkCard(recording, second) {
  const address = webAddress(recording.link);
  if (!address)
    return el("p", { class: "facade quiet", text: "There is no audio or video to play, only the transcript." });
  const url = new URL(address);
  if (!url.hash || url.hash.startsWith("#t=")) url.hash = `t=${Math.floor(second)}`;
  return outward(url.href, `Open at ${clock(second)} on ${url.hostname}`, { class: "facade" });
}
