// Reads the UI message stream: server-sent events whose data are JSON parts, ended by [DONE].

export const CUT = "The answer broke off: the connection to the server was lost.";

/** The stream ended before it was finished, or contained invalid data. */
export class StreamCut extends Error {}

/** Yield the parts of a reply. Throws StreamCut if the stream breaks off. */
export async function* parts(body) {
  for await (const data of events(body)) {
    if (data === "[DONE]") return;
    yield parsed(data);
  }
  throw new StreamCut(CUT);
}

function parsed(data) {
  try {
    const part = JSON.parse(data);
    if (part && typeof part.type === "string") return part;
  } catch {
    // reported below
  }
  throw new StreamCut("The answer broke off: what the server sent cannot be read.");
}

/** The data of each event; several data lines are joined, comments and other fields are left out. */
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (rest + value).replaceAll("\r\n", "\n").split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) {
        const data = dataOf(block);
        if (data !== null) yield data;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function dataOf(block) {
  const lines = block.split("\n").filter((line) => line.startsWith("data:"));
  return lines.length ? lines.map((line) => line.slice(5).replace(/^ /, "")).join("\n") : null;
}
