// How long an answer takes to be painted once the reply is there. Usage: node paint.mjs '{"examples": URL}' [times]
// Prints JSON: for each question the milliseconds from the reply's first words, and from its end, to the frame
// after they were drawn.

import { chromium } from "playwright-core";

const { examples } = JSON.parse(process.argv[2]);
const times = Number(process.argv[3] ?? 20);
const QUESTIONS = ["Why did margins fall?", "How much does the new flood gate cost the town?", "Who speaks in the latest episode?"];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu"],
});
const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
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
});
await page.goto(`${examples}/`);
await page.waitForSelector(".latest");
const measured = [];
for (let n = 0; n < times; n += 1) {
  await page.fill("#question", QUESTIONS[n % QUESTIONS.length]);
  await page.evaluate(() => (window.marks = {}));
  await page.keyboard.press("Enter");
  const { words, end, shown, done } = await page.evaluate(() => window.painted());
  measured.push({ first: shown - words, whole: done - end });
}
console.log(JSON.stringify(measured));
await browser.close();
