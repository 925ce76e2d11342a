// Two small thumbs under an answer, and a line for a note. A rating can be changed or withdrawn.

import { remove, post } from "./api.js";
import { announce, button, el, icon } from "./dom.js";

const LABELS = { true: "A good answer", false: "Not a good answer" };

/** Thumbs for an exchange; `x.rating` ({id, good, note}) holds the rating while the page is open. */
export function thumbs(x) {
  const box = el("span", { class: "thumbs", role: "group", "aria-label": "What do you think of it?" });
  draw(box, x);
  return box;
}

function draw(box, x, message = "") {
  box.replaceChildren(
    thumb(box, x, true),
    thumb(box, x, false),
    ...(x.rating ? [noteInput(box, x)] : []),
    ...(message ? [el("span", { class: "soft", text: message })] : []),
  );
}

function thumb(box, x, good) {
  const pressed = x.rating?.good === good;
  const press = () => rate(box, x, pressed ? null : { good, note: x.rating?.note ?? "" });
  const attributes = { class: "small thumb", "aria-pressed": String(pressed) };
  return button(LABELS[good], press, attributes, icon(good ? "good" : "bad"));
}

/** A line for a note. Enter, or leaving the line, sends it. */
function noteInput(box, x) {
  const { good, note } = x.rating;
  const input = el("input", {
    type: "text",
    class: "why",
    maxlength: "2000",
    enterkeyhint: "send",
    placeholder: good ? "What was good? Enter sends it" : "What is missing or wrong? Enter sends it",
    "aria-label": "A note on the answer",
    dir: "auto",
    value: note,
  });
  input.addEventListener("change", () => rate(box, x, { good, note: input.value }));
  return input;
}

/** Send a rating to the server; null withdraws the earlier one. */
async function rate(box, x, rating) {
  let message = rating ? "Thank you, saved." : "Taken back.";
  try {
    if (!rating) await remove(`/api/feedback/${x.rating.id}`);
    x.rating = rating && (await post("/api/feedback", feedback(x, rating)));
  } catch (error) {
    message = error.message;
  }
  announce(message);
  const focused = box.contains(document.activeElement) && document.activeElement.className;
  draw(box, x, message);
  if (focused) box.querySelector(`.${focused.split(" ").at(-1)}`)?.focus();
}

/** The request: the question, its scope, and the evidence for the answer. */
function feedback(x, { good, note }) {
  return {
    question: x.question,
    good,
    note,
    ...(x.rating ? { id: x.rating.id } : {}),
    strategy: x.answer?.strategy ?? "",
    trial: x.answer?.trial ?? false,
    verdict: x.answer?.verdict ?? "",
    text: x.text.slice(0, 20000),
    scope: x.options.scope ?? {},
    history: x.before.map(({ question }) => ({ question })),
    citations: [...x.sources.values()].slice(0, 60).map(({ recording, quote, start, end }) => ({
      recording,
      quote,
      start: start ?? null,
      end: end ?? null,
    })),
  };
}
