// Every view, on a phone and a desktop screen, in light and dark mode: nothing is wider than its box, and axe
// reports no serious or critical violation. With SHOTS=FOLDER in the environment, each view is saved as a PNG.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { ask, at, begin, fits } from "./moves.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SIZES = { phone: { width: 390, height: 844 }, desk: { width: 1440, height: 900 } };
export const scenes = {};
export const views = {};

async function open(page, server, hash, what) {
  await page.goto(`${at[server]}/#/${hash}`);
  await page.waitForSelector(what);
}

views.empty = (page) => open(page, "empty", "", ".home.empty");
views.home = (page) => open(page, "examples", "", ".latest");
views.answer = async (page) => {
  await begin(page, "examples", "Why did margins fall?");
  await page.click('[aria-controls$="-did"]');
};
views.recording = async (page) => {
  await begin(page, "examples", "Why did margins fall?");
  await page.locator(".mark").first().click();
  await page.waitForSelector(".words mark");
};
views.refused = (page) => begin(page, "examples", "Who won the chess world cup on Saturn?");
views.comparison = (page) => begin(page, "scripted", "compare them");
views.compared_speakers = (page) =>
  begin(page, "examples", "Compare what Brendan Kelly and Ingrid Halden say about prices");
views.summary = (page) => begin(page, "examples", "Summarize The Night Desk 41");
views.known = (page) => begin(page, "examples", "Who speaks in the latest episode?");
views.model = async (page) => {
  await begin(page, "scripted", "filters: how did they travel?");
  await page.click('[aria-controls$="-did"]');
};
views.states = async (page) => {
  await begin(page, "scripted", "nothing");
  for (const script of ["low", "broken", "busy"]) await ask(page, script);
};
views.feedback = async (page) => {
  await begin(page, "examples", "Why did margins fall?");
  await page.getByRole("button", { name: "Not a good answer", exact: true }).click();
  await page.getByLabel("A note on the answer").waitFor();
};
views.strange_list = (page) => open(page, "strange", "recordings", ".tape");
views.strange_home = (page) => open(page, "strange", "", ".latest");
views.strange_answer = (page) => begin(page, "strange", "How high were the waves in the harbour?");
views.right_to_left = async (page) => {
  await open(page, "strange", "recordings", ".tape");
  await page.locator(".tape", { hasText: "الميناء" }).click();
  await page.waitForSelector(".words .spoken");
};
views.no_times = async (page) => {
  await open(page, "strange", "recordings", ".tape");
  await page.locator(".tape", { hasText: "nobody" }).first().click();
  await page.waitForSelector(".words .spoken");
};
views.recordings = (page) => open(page, "examples", "recordings?find=tariff", ".moment");
views.topics = (page) => open(page, "examples", "g", ".topics li");
views.graph = (page) => open(page, "examples", "g/tariff", ".bars li");
views.causes = async (page) => {
  await open(page, "causes", "g/delay", "details.more");
  await page.getByText("What led to it").click();
  await page.waitForSelector(".ways .near");
};
views.timeline = async (page) => {
  await open(page, "examples", "g/tariff", ".bars li");
  await page.locator(".bars").scrollIntoViewIfNeeded();
};
views.paths = (page) => open(page, "examples", "g/tariff?with=Brendan%20Kelly", ".ways .near");
views.clips = async (page) => {
  await begin(page, "examples", "Why did margins fall?");
  for (const save of await page.locator('[aria-label^="Save source"]').all()) await save.click();
  await open(page, "examples", "clips", ".clips li");
};
views.saved = async (page) => {
  await begin(page, "examples", "Why did margins fall?");
  await open(page, "examples", "saved", ".talks li");
};
views.upload = async (page) => {
  await open(page, "mine", "recordings", ".tape");
  await page.click("summary.small");
  const file = (name, mimeType) => ({ name, mimeType, buffer: Buffer.from("\u0000\u0001") });
  await page.setInputFiles("input[type=file]", [file("the tape of a long evening.mp3", "audio/mpeg"), file("a.vtt", "text/vtt")]);
  await page.waitForSelector(".arrivals .refused >> nth=1");
};
views.edit = async (page) => {
  await open(page, "mine", "recordings", ".tape");
  await page.locator('[aria-label^="Edit"]').first().click();
  await page.waitForSelector("dialog[open]");
};
views.key = async (page) => {
  await page.goto(`${at.keyed}/`);
  await page.waitForSelector("#key");
};

async function accessible(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  return violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .flatMap(({ id, nodes }) => nodes.slice(0, 3).map((n) => `${id}: ${n.html.slice(0, 120)} ${n.failureSummary}`));
}

/** Check every view, and report the faults of all views in one error. */
async function looked(page, name) {
  const wrong = [];
  for (const [view, walk] of Object.entries(views)) {
    await page.goto("about:blank");
    await page.evaluate(() => 0);
    try {
      await walk(page);
      await page.waitForTimeout(200);
      wrong.push(...(await fits(page)), ...(await accessible(page)).map((fault) => `${view}: ${fault}`));
    } catch (error) {
      wrong.push(`${view}: ${error}`);
    }
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${view}-${name}.png`, fullPage: false });
  }
  assert.deepEqual(wrong, []);
}

for (const colorScheme of ["light", "dark"]) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    const name = `looks_${size}_${colorScheme}`;
    const phone = size === "phone" ? { hasTouch: true, isMobile: true } : {};
    scenes[name] = (page) => looked(page, `${size}-${colorScheme}`);
    scenes[name].options = { bypassCSP: true, colorScheme, viewport, ...phone };
    scenes[name].failures = true;
  }
}
