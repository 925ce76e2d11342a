// Measures the time from the arrival of a reply until it is painted.
// Usage: node paint.mjs '{"examples": URL}' [times]
// Prints JSON: for each question the milliseconds from the reply's first words, and from its end, to the frame
// after they were drawn.

import { chromium } from "playwright-core";
import { at, notePaint, painted } from "./moves.mjs";

const times = Number(process.argv[3] ?? 20);
const QUESTIONS = ["Why did margins fall?", "How much does the new flood gate cost the town?", "Who speaks in the latest episode?"];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu"],
});
const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
await notePaint(page);
await page.goto(`${at.examples}/`);
await page.waitForSelector(".latest");
const measured = [];
for (let n = 0; n < times; n += 1) measured.push(await painted(page, QUESTIONS[n % QUESTIONS.length]));
console.log(JSON.stringify(measured));
await browser.close();
