// The box for questions: the words, the recordings to ask, and the strategy.

import { button, el, icon } from "./dom.js";
import { count } from "./words.js";

const HIGHEST = 200; // pixels

/** Set up the form: {busy(is), begin(text), among(recordings), focus()}. `actions`:
 *  ask(question, options), stop(), up(): go to the answer, by the arrow key in an empty box; freed(): ask all
 *  recordings again. */
export function composer(form, actions) {
  const part = (id) => form.querySelector(`#${id}`);
  const view = {
    form,
    box: part("question"),
    send: part("send"),
    strategy: part("strategy"),
    chips: part("scope"),
    scope: {},
  };
  form.addEventListener("submit", (event) => submitted(view, event, actions));
  view.box.addEventListener("keydown", (event) => typed(view, event, actions));
  view.box.addEventListener("input", () => grow(view.box));
  busy(view, false);
  return {
    busy: (is) => busy(view, is),
    begin: (text) => begin(view.box, text),
    among: (recordings) => among(view, recordings, actions),
    focus: () => view.box.focus(),
  };
}

/** While an answer arrives, the button stops it. A new question replaces it. */
function busy({ form, send }, is) {
  form.classList.toggle("busy", is);
  send.replaceChildren(icon(is ? "stop" : "send"));
  for (const name of ["aria-label", "title"]) send.setAttribute(name, is ? "Stop" : "Ask");
}

function submitted(view, event, { ask, stop }) {
  event.preventDefault();
  const question = view.box.value.trim();
  if (view.form.classList.contains("busy") && (event.submitter || !question)) return stop();
  if (!question) return view.box.focus();
  view.box.value = "";
  grow(view.box);
  return ask(question, options(view));
}

function options({ scope, strategy }) {
  return { ...(Object.keys(scope).length ? { scope } : {}), ...(strategy.value ? { strategy: strategy.value } : {}) };
}

function typed({ form, box }, event, { up }) {
  if (event.isComposing || event.shiftKey) return;
  if (event.key === "Enter") form.requestSubmit();
  else if (event.key === "ArrowUp" && !box.value) up();
  else return;
  event.preventDefault();
}

function grow(box) {
  box.style.setProperty("height", "auto");
  box.style.setProperty("height", `${Math.min(box.scrollHeight, HIGHEST)}px`);
}

function begin(box, text) {
  box.value = text;
  grow(box);
  box.focus();
  box.setSelectionRange(text.length, text.length);
}

/** Ask the next questions of these recordings until their chip is removed; of all if the list is empty. */
function among(view, recordings, actions) {
  view.scope = recordings.length ? { recordings: recordings.map(({ id }) => id) } : {};
  const drop = () => {
    among(view, [], actions);
    actions.freed();
    view.box.focus();
  };
  view.chips.replaceChildren(...(recordings.length ? [onlyChip(recordings, drop)] : []));
}

function onlyChip(recordings, drop) {
  const [{ title }, ...others] = recordings;
  const name = others.length ? count(recordings.length, "recording") : title;
  return el(
    "span",
    { class: "chip", title: recordings.map((recording) => recording.title).join("\n") },
    el("span", { class: "key", text: "only " }),
    el("span", { class: "name", dir: "auto", text: name }),
    button(`No longer only ${name}`, drop, {}, icon("close")),
  );
}
