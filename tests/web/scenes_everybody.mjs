// Scenes of browsing, keyboard and phone use, page size, and hostile texts.

import assert from "node:assert/strict";
import { ask, at, begin, focused, second, until } from "./moves.mjs";

const BUDGET = { bytes: 200_000 }; // bytes sent over the network; benchmarks/page.py measures paint times
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
export const scenes = {};

scenes.browse = async (page) => {
  await page.goto(`${at.examples}/#/recordings`);
  await page.waitForSelector(".tape");
  assert.equal(await page.locator(".tape").count(), 5);
  await page.click("nav >> text=Ask");
  await page.waitForSelector(".home h1");
  await ask(page, "Why did margins fall?");
  await page.click("nav >> text=Recordings");
  await page.waitForSelector(".tape");
  await page.click("nav >> text=Ask");
  assert.equal(await page.locator(".exchange").count(), 1, "the conversation is still there");
  await page.click("nav >> text=Recordings");
  await page.fill(".find input", "priya");
  assert.equal(await page.locator(".tape").count(), 1);
  await page.fill(".find input", "tariff");
  await page.keyboard.press("Enter");
  await page.locator(".moment").first().click();
  await page.waitForSelector(".words mark");
  await page.fill(".finder input", "the");
  await until(async () => /^1 of \d+$/.test(await page.textContent(".position")), "words found");
  await page.click(".finder >> text=Ask about it");
  await ask(page, "Why did margins fall?");
  assert.equal((await page.locator(".exchange .chip").count()) > 0, true);
};

scenes.only_a_faq = async (page) => {
  await begin(page, "faq", "How can I reset my password?");
  assert.ok((await page.textContent(".exchange")).includes("Follow the mail."));
  assert.equal(await page.textContent("#stock"), "2 ready answers");
  await ask(page, "Which is the tallest mountain of Norway?");
  const offered = page.locator(".exchange").last().locator(".next");
  assert.ok((await offered.allTextContents()).includes("When does the shop open?"));
};

scenes.permalinks = async (page) => {
  await page.goto(`${at.examples}/#/q/Why%20did%20margins%20fall%3F?speaker=Brendan%20Kelly`);
  await page.waitForSelector('.exchange[aria-busy="false"]');
  assert.equal(await page.textContent(".chip"), "speaker Brendan Kelly");
  const id = await page.locator(".where").first().getAttribute("data-recording");
  await page.goto(`${at.examples}/#/r/${id}?t=60&to=70`);
  await page.waitForSelector(".words mark");
  await until(async () => Math.abs((await second(page)) - 60) < 1, "the player at 1:00");
  await page.goto(`${at.scripted}/#/r/no-such-recording`);
  await until(
    async () => (await page.textContent("#deck")).includes("not in the archive"),
    "that it is not there",
  );
};
scenes.permalinks.failures = true;

scenes.embeds_wait_to_be_played = async (page, context) => {
  const asked = [];
  await context.route("https://www.youtube-nocookie.com/**", (route) => {
    asked.push(route.request().url());
    return route.fulfill({ contentType: "text/html", body: "<p>a player</p>" });
  });
  await page.goto(`${at.examples}/#/recordings`);
  await page.click('.tape:has-text("Night Desk 42")');
  await page.waitForSelector(".facade");
  await page.locator(".when").nth(3).click();
  assert.deepEqual(asked, [], "asked for before it was played");
  await page.click(".facade");
  await until(() => asked.length, "the player");
  assert.match(asked[0], /\/embed\/EXAMPLE0042\?.*start=\d+/);
};
scenes.embeds_wait_to_be_played.hosts = ["https://www.youtube-nocookie.com"];

// ---------------------------------------------------------------- accessibility, size and safety

scenes.keyboard_only = async (page) => {
  await page.goto(`${at.examples}/#/recordings`);
  await page.waitForSelector(".tape");
  assert.equal(await focused(page), "BODY");
  await page.keyboard.press("Tab");
  assert.match(await page.evaluate(() => document.activeElement.textContent), /Skip to the question/);
  await page.keyboard.press("Enter");
  assert.equal(await focused(page), "TEXTAREA");
  await page.goto(`${at.examples}/`);
  await page.waitForSelector(".home h1");
  await page.keyboard.type("Why did margins fall?"); // the question box has the focus when the page opens
  await page.keyboard.press("Enter");
  await page.waitForSelector('.exchange[aria-busy="false"]');
  for (let i = 0; i < 150 && !(await page.evaluate(() => document.activeElement.matches(".mark"))); i += 1)
    await page.keyboard.press("Shift+Tab");
  assert.ok(await page.evaluate(() => document.activeElement.matches(".mark")), "no mark is reached by Tab");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".words mark");
  await until(async () => (await focused(page)) === "H2", "the focus in the recording");
  for (let i = 0; i < 150 && !(await page.evaluate(() => document.activeElement.matches(".when"))); i += 1)
    await page.keyboard.press("Tab");
  const before = await page.evaluate(() => document.activeElement.textContent);
  await page.keyboard.press("ArrowDown");
  assert.notEqual(await page.evaluate(() => document.activeElement.textContent), before);
  await page.keyboard.press("Escape");
  await until(async () => /^\d+$/.test(await focused(page)), "the focus back on the mark");
  await page.focus("#keys");
  await page.keyboard.press("Enter");
  assert.match(await page.textContent("dialog[open]"), /play or pause/);
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  await page.keyboard.press("Control+k");
  await page.keyboard.press("ArrowUp");
  assert.ok(
    await page.evaluate(() => document.activeElement.matches(".mark")),
    "the arrow leads to the answer",
  );
  await page.keyboard.press("Control+k");
  assert.equal(await focused(page), "TEXTAREA");
};

scenes.phone = async (page) => {
  const fits = async (where) => {
    const wide = await page.evaluate(() =>
      Math.max(
        document.documentElement.scrollWidth,
        ...[...document.querySelectorAll(".desk, .deck, .words")].map((box) => box.scrollWidth),
      ),
    );
    assert.ok(wide <= 360, `${where} is ${wide} pixels wide`);
  };
  await page.goto(`${at.examples}/`);
  await page.waitForSelector(".latest");
  await fits("the beginning");
  assert.equal(await focused(page), "BODY", "no keyboard covers the beginning");
  await ask(page, "Why did margins fall?");
  await page.click('[aria-controls$="-did"]');
  await fits("the answer");
  await page.locator(".mark").first().tap();
  await page.waitForSelector(".words mark");
  await fits("the recording");
  const covers = await page.evaluate(() => document.querySelector("#deck").getBoundingClientRect().width);
  assert.equal(covers, 360);
  await page.click('[aria-label="Close the recording"]');
  await page.click("nav >> text=Recordings");
  await page.waitForSelector(".tape");
  await fits("the list");
  await begin(page, "scripted", "filters: how did they travel?");
  await page.click('[aria-controls$="-did"]');
  await fits("a model's answer");
  const wide = await page.locator(".did").evaluate((box) => box.getBoundingClientRect().right);
  assert.ok(wide <= 360, `what it did ends at ${wide}`);
};
scenes.phone.options = PHONE;

scenes.the_page_is_light = async (page, context) => {
  const sizes = {};
  page.on("response", async (response) => {
    const name = new URL(response.url()).pathname;
    if (name !== "/" && !name.startsWith("/page/")) return;
    sizes[name] = (await response.body().catch(() => "")).length; // the body is gone if the page was left
  });
  let wire = 0;
  const network = await context.newCDPSession(page);
  await network.send("Network.enable");
  const sounds = new Set();
  network.on("Network.responseReceived", ({ requestId, type }) => type === "Media" && sounds.add(requestId));
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (!sounds.has(requestId)) wire += encodedDataLength; // sound is not counted: its size depends on the recording
  });
  await page.goto(`${at.examples}/`);
  await page.waitForSelector(".latest");
  await page.waitForLoadState("networkidle");
  const whole = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  assert.ok(whole < 200_000 && whole > 50_000, `${whole} bytes, unpacked, to begin with`);
  assert.ok(!sizes["/page/edit.js"] && !sizes["/page/saved.js"], "what is not wanted yet is not fetched");
  await ask(page, "Why did margins fall?");
  await page.locator(".mark").first().click();
  await page.waitForSelector(".words mark");
  await page.waitForLoadState("networkidle");
  assert.ok(wire < BUDGET.bytes && wire > 20_000, `${wire} bytes over the wire, first answer and transcript included`);
};

async function unharmed(page, where) {
  const found = await page.evaluate(() => ({
    hacked: window.hacked ?? null,
    made: [
      ...document.querySelectorAll(
        "img, script:not([src='/page/app.js']), iframe, object, embed, link:not([href^='/page/'])",
      ),
    ].map((n) => n.outerHTML),
    links: [...document.querySelectorAll("[href]")]
      .map((n) => n.getAttribute("href"))
      .filter((href) => !/^(https?:|#|\/page\/)/.test(href)),
    handlers: [...document.querySelectorAll("*")].flatMap((n) =>
      n.getAttributeNames().filter((name) => name.startsWith("on")),
    ),
  }));
  assert.deepEqual(found, { hacked: null, made: [], links: [], handlers: [] }, where);
}

scenes.hostile_texts_stay_texts = async (page) => {
  await page.goto(`${at.hostile}/`);
  await page.waitForSelector(".latest");
  await unharmed(page, "the beginning");
  await ask(page, "Why did margins fall?");
  assert.match(await page.textContent("main"), /<img src=x onerror=/, "the words are shown as they are");
  await unharmed(page, "the answer");
  const mark = page.locator(".mark, .where .title").first();
  await mark.click();
  await page.waitForSelector(".words .spoken");
  await page.hover(".words .spoken");
  await unharmed(page, "the recording");
  await page.goto(`${at.hostile}/#/recordings?find=margins`);
  await page.waitForSelector(".moment");
  await unharmed(page, "the list");
  await page.goto(`${at.hostile}/#/g/margins`);
  await page.waitForSelector(".bars li, .graph .trouble");
  await unharmed(page, "what surrounds something");
  await page.goto(`${at.hostile}/#/saved`);
  await page.waitForSelector(".talks li");
  await unharmed(page, "conversations");
  await begin(page, "scripted", "hostile parts");
  await page.click('[aria-controls$="-did"]');
  await unharmed(page, "hostile parts");
  await page.goto(`${at.scripted}/#/q/${encodeURIComponent("model <img src=x onerror=window.hacked=9>")}`);
  await page.waitForSelector('.exchange[aria-busy="false"]');
  await unharmed(page, "a hostile address");
};
