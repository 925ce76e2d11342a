// Tests the chat in Chainlit's page, in headless Chromium. Usage: node chainlit.mjs URL [streams].
// Prints one JSON line, {error}, where the error is null if all checks passed.

import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { until } from "./moves.mjs";

const [, , address, how] = process.argv;

async function ask(page, question) {
  await page.goto(address);
  await page.getByText("The Night Desk 42", { exact: false }).first().waitFor(); // a suggested question
  await page.locator("#chat-input").fill(question);
  await page.locator("#chat-submit").click(); // unlike Enter, the click waits for the connection
}

async function chats(page, sent) {
  await ask(page, "What did Kelly say about tariffs?");

  // The answer is shown with its sources.
  await page.getByText("The tariff on imported aluminium frames went from six").first().waitFor();
  await page.getByText("Brendan Kelly, guest, The Night Desk 41").first().waitFor();
  const open = page.getByRole("link", { name: "open", exact: true }).first();
  assert.match(await open.getAttribute("href"), /^https:\/\/www\.youtube\.com\/watch\?v=EXAMPLE0041&t=\d+/);

  // A citation opens its own quote and no other.
  await page.getByRole("button", { name: "👍" }).waitFor();
  const side = page.locator("#side-view-content");
  await until(async () => !(await side.isVisible()), "that no quote is open unasked");
  await page.getByText("Source 1", { exact: true }).first().click();
  await side.waitFor();
  await until(async () => (await side.innerText()).includes("The tariff on imported aluminium frames"), "the words");
  assert.equal((await side.innerText()).match(/The Night Desk 41/g).length, 1);

  // The stages of the search are shown as steps.
  await page.getByText("Searched the recordings").click();
  await page.getByText(/factual, by balanced|factual, by factual|, by /).first().waitFor();

  // The player starts at the time of the quote.
  const audio = page.locator("audio").first();
  await audio.waitFor({ state: "attached" });
  const start = Number((await audio.getAttribute("src")).match(/#t=([\d.]+)$/)[1]);
  assert.ok(start > 30, `it begins at ${start}`);
  await audio.evaluate((node) => node.play());
  const second = () => audio.evaluate((node) => node.currentTime);
  await until(async () => (await second()) > start && (await second()) < start + 5, "the player at its second");

  // The button of a filter asks again without the filter.
  await page.getByRole("button", { name: "× speaker Brendan Kelly" }).click();
  await until(
    async () => (await page.getByText("Searched the recordings").count()) === 2,
    "the same question without its filter",
  );
  await until(
    async () => (await page.getByRole("button", { name: "👍" }).count()) === 2,
    "the second answer with its buttons",
  );
  assert.equal(await page.getByRole("button", { name: "× speaker Brendan Kelly" }).count(), 1);

  // Each thumb saves feedback.
  await page.getByRole("button", { name: "👍" }).first().click();
  await page.getByText("Thank you, saved.").waitFor();
  await page.getByRole("button", { name: "👎" }).first().click();
  await until(async () => (await page.getByText("Thank you, saved.").count()) === 2, "the other thumb");

  // The button of a recording filter shows the title.
  await page.locator("#chat-input").fill("Summarize episode 42");
  await page.locator("#chat-submit").click();
  await page.getByRole("button", { name: "× recording The Night Desk 42: The step and the slope" }).waitFor();
  assert.deepEqual(sent, [], "asked of other hosts");
}

/** With a slow language model, checked sentences are shown before the answer is complete. */
async function streams(page) {
  await ask(page, "Why did margins fall?");
  const told = page.getByText("The tariff on imported aluminium frames went from six").first();
  await told.waitFor();
  const length = async () => (await page.locator("body").innerText()).length;
  const before = await length();
  assert.equal(await page.getByRole("button", { name: "👍" }).count(), 0, "the answer is still being written");
  await until(async () => (await length()) > before, "more of the answer");
  await page.getByRole("button", { name: "👍" }).waitFor();
}

const ARGS =
  "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update --disable-sync --mute-audio --autoplay-policy=no-user-gesture-required";
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ARGS.split(" "),
});
const page = await (await browser.newContext({ viewport: { width: 1280, height: 1400 } })).newPage();
page.setDefaultTimeout(60000);
const sent = [];
page.on("request", (request) => {
  if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(`${address}/`)) sent.push(request.url());
});
page.on("pageerror", (error) => sent.push(`error: ${error.stack}`));
let failed = null;
try {
  await (how === "streams" ? streams : chats)(page, sent);
} catch (error) {
  failed = `${error.stack}\n${sent.join("\n")}\n${await page.locator("body").innerText()}`;
}
console.log(JSON.stringify({ error: failed }));
await browser.close();
