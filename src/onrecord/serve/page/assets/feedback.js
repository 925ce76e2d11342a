// Two small thumbs under an answer, and a line for why. What is said can be said otherwise, or taken back.

import { remove, post } from "./api.js";
import { announce, button, el, icon } from "./dom.js";

const WORDS = { true: "A good answer", false: "Not a good answer" };

/** Thumbs for an exchange; what was said stays in `x.feedback` ({id, good, note}) while the page is open. */
export function thumbs(x) {
  const box = el("span", { class: "thumbs", role: "group", "aria-label": "What do you think of it?" });
  draw(box, x);
  return box;
}

function draw(box, x) {
  const thumb = (good) =>
    button(
      WORDS[good],
      () => say(box, x, x.feedback?.good === good ? null : { good, note: x.feedback?.note ?? "" }),
      { class: "small thumb", "aria-pressed": String(x.feedback?.good === good) },
      icon(good ? "good" : "bad"),
    );
  box.replaceChildren(thumb(true), thumb(false), ...(x.feedback ? [why(box, x)] : []));
}

function why(box, x) {
  const input = el("input", {
    type: "text",
    class: "why",
    maxlength: "2000",
    placeholder: x.feedback.good ? "What was good?" : "What is missing or wrong?",
    "aria-label": "A note on the answer",
    value: x.feedback.note,
  });
  const form = el("form", {}, input);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    say(box, x, { good: x.feedback.good, note: input.value });
  });
  input.addEventListener("change", () => say(box, x, { good: x.feedback.good, note: input.value }));
  return form;
}

/** Say it to the server, or take it back where `given` is null. */
async function say(box, x, given) {
  try {
    if (!given) await remove(`/api/feedback/${x.feedback.id}`);
    x.feedback = given && (await post("/api/feedback", judgement(x, given)));
    announce(given ? "Thank you: kept." : "Taken back.");
  } catch (error) {
    announce(error.message);
    box.title = error.message;
  }
  const held = box.contains(document.activeElement) && document.activeElement.className;
  draw(box, x);
  if (held) box.querySelector(`.${held.split(" ").at(-1)}`)?.focus();
}

/** What goes to the server: the question, what it was put to, and what the answer stood on. */
function judgement(x, { good, note }) {
  return {
    question: x.question,
    good,
    note,
    ...(x.feedback ? { id: x.feedback.id } : {}),
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
