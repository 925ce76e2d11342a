// Steps that the scenes share: open a page, ask a question, wait for a result.

/** The addresses of the servers, by name. */
export const at = process.argv[2].startsWith("{") ? JSON.parse(process.argv[2]) : {};

export async function ask(page, question) {
  await page.fill("#question", question);
  await page.keyboard.press("Enter");
  await page.locator(".exchange").last().and(page.locator('[aria-busy="false"]')).waitFor();
}

export async function begin(page, server, question) {
  await page.goto(`${at[server]}/`);
  await ask(page, question);
}

/** Return a message for the page and each column or dialog whose content is wider than its box. */
export async function fits(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll("html, .desk, .deck, .words, dialog[open]")]
      .filter((box) => box.scrollWidth > box.clientWidth + 1)
      .map((box) => `${box.tagName}.${box.className} is ${box.scrollWidth} pixels wide in ${box.clientWidth} at ${location.hash}`),
  );
}

/** Call `look` until it returns a truthy value, and return that value. Throw an error after 5 seconds. */
export async function until(look, what) {
  for (let waited = 0; waited < 5000; waited += 50) {
    const seen = await look();
    if (seen) return seen;
    await new Promise((go) => setTimeout(go, 50));
  }
  throw new Error(`waited in vain for: ${what}`);
}

export const second = (page) => page.evaluate(() => document.querySelector("video")?.currentTime ?? -1);
export const focused = (page) =>
  page.evaluate(() => document.activeElement?.dataset?.cite ?? document.activeElement?.tagName);

/** Make a page record when the first words and the end of a reply arrive, and when each is painted. Call it
 *  before the page is loaded; `painted` waits for one answer and returns its milliseconds. */
export async function notePaint(page) {
  await page.addInitScript(() => {
    const plain = window.fetch;
    window.marks = {};
    window.fetch = async (...how) => {
      const response = await plain(...how);
      if (!String(how[0]).startsWith("/api/chat")) return response;
      const decoder = new TextDecoder();
      const watch = new TransformStream({
        transform(piece, to) {
          const text = decoder.decode(piece, { stream: true });
          if (text.includes('"text-delta"')) window.marks.words ??= performance.now();
          if (text.includes("[DONE]")) window.marks.end = performance.now();
          to.enqueue(piece);
        },
      });
      return new Response(response.body.pipeThrough(watch), response);
    };
    window.painted = () =>
      new Promise((settle) => {
        const look = () => {
          const last = [...document.querySelectorAll(".exchange")].at(-1);
          if (last?.querySelector(".text")?.textContent) window.marks.shown ??= performance.now();
          if (last?.getAttribute("aria-busy") === "false")
            requestAnimationFrame(() => setTimeout(() => settle({ ...window.marks, done: performance.now() })));
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      });
  });}

/** Ask, and return the milliseconds from the arrival of the first words and of the end until each is painted. */
export async function painted(page, question) {
  await page.fill("#question", question);
  await page.evaluate(() => (window.marks = {}));
  await page.keyboard.press("Enter");
  const { words, end, shown, done } = await page.evaluate(() => window.painted());
  return { first: shown - words, whole: done - end };
}
