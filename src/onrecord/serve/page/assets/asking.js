// A question sent to the server: its exchange fills as the parts of the answer arrive.

import { ServerError, chat } from "./api.js";
import { fail, finish, messages, take } from "./state.js";
import { CUT, StreamCut } from "./stream.js";

const chatId = crypto.randomUUID?.() ?? String(Date.now());

/** Get the answer to the question of `x`; `changed(what)` is called for each part. `x` records an early end. */
export async function receive(x, signal, changed) {
  try {
    await takeAll(x, signal, changed);
  } catch (error) {
    settle(x, error);
  }
}

async function takeAll(x, signal, changed) {
  const body = {
    id: chatId,
    trigger: "submit-message",
    messages: messages(x.before, x.question),
    ...x.options,
  };
  for await (const part of chat(body, signal)) {
    const what = take(x, part);
    if (what) changed(what);
  }
  finish(x);
}

function settle(x, error) {
  if (error.name === "AbortError") x.status = "stopped";
  else if (error instanceof ServerError) fail(x, error.kind, error.message);
  else if (error instanceof StreamCut) fail(x, "stream", error.message);
  else if (error instanceof TypeError) fail(x, "stream", CUT);
  else throw error;
}
