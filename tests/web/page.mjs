// Walks through the page in headless Chromium. Usage: node page.mjs '{"examples": URL, ...}' [scene]
// Prints one JSON line a scene: {name, error}. One browser, one context a scene.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const at = JSON.parse(process.argv[2]);
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const scenes = {};

// ---------------------------------------------------------------- moves

async function ask(page, question) {
  await page.fill("#question", question);
  await page.keyboard.press("Enter");
  await page.locator(".exchange").last().and(page.locator('[aria-busy="false"]')).waitFor();
}

async function begin(page, server, question) {
  await page.goto(`${at[server]}/`);
  await ask(page, question);
}

/** Wait until `look` gives something true, and give it. */
async function until(look, what) {
  for (let waited = 0; waited < 5000; waited += 50) {
    const seen = await look();
    if (seen) return seen;
    await new Promise((go) => setTimeout(go, 50));
  }
  throw new Error(`waited in vain for: ${what}`);
}

const second = (page) => page.evaluate(() => document.querySelector("video")?.currentTime ?? -1);
const focused = (page) => page.evaluate(() => document.activeElement?.dataset?.cite ?? document.activeElement?.tagName);

// ---------------------------------------------------------------- asking and hearing

scenes.ask_and_hear = async (page) => {
  await begin(page, "examples", "Why did margins fall?");
  assert.match(await page.textContent(".text"), /margin/i);
  const source = page.locator('.where[data-recording^="night-desk-41"] .source').first();
  const [from] = (await source.locator(".time").textContent()).split("–");
  const start = Number(from.split(":")[0]) * 60 + Number(from.split(":")[1]);
  const number = await source.getAttribute("data-source");
  await page.click(`.mark[data-cite="${number}"]`);
  await page.waitForSelector(".words mark");
  await until(async () => Math.abs((await second(page)) - start) < 2.5, "the player at the second of the citation");
  await until(async () => (await second(page)) > start + 0.3, "the sound going on");
  const seen = await page.locator(".words mark").first().evaluate((mark) => {
    const [box, line] = [mark.closest(".words").getBoundingClientRect(), mark.getBoundingClientRect()];
    return line.top >= box.top && line.bottom <= box.bottom;
  });
  assert.ok(seen, "the marked words are not in view");
  assert.match(page.url(), /#\/r\/night-desk-41[^?]*\?t=\d/);
  assert.ok(await page.locator(`.mark.chosen[data-cite="${number}"]`).count());
  await page.locator(".spoken [data-second]").last().click();
  await until(async () => (await second(page)) > 200, "the player at the words that were clicked");
  await page.keyboard.press("Escape");
  await page.waitForSelector("#deck", { state: "hidden" });
  assert.equal(await focused(page), number, "the focus went back to the mark");
  await page.goBack();
  await page.waitForSelector(".words mark");
};

scenes.quotes_are_marked_verbatim = async (page) => {
  await begin(page, "examples", "How much does the new flood gate cost the town?");
  const marks = await page.locator(".text .mark").count();
  assert.ok(marks > 0, "no citation");
  await page.locator(".text .mark").first().click();
  await page.waitForSelector(".words mark");
  const marked = (await page.locator(".words mark").allTextContents()).join("").replace(/\s+/g, " ").trim();
  const said = await page.textContent(".text");
  assert.ok(marked.length > 10 && said.includes(marked.slice(0, 40)), `marked: ${marked}`);
};

scenes.follow_up = async (page) => {
  const bodies = [];
  page.on("request", (request) => request.url().endsWith("/api/chat") && bodies.push(request.postDataJSON()));
  await begin(page, "scripted", "model: how did they travel?");
  await page.click(".follow .next");
  await page.waitForSelector(".exchange:nth-child(2)[aria-busy=false]");
  assert.equal(await page.locator(".exchange").count(), 2);
  const [, { messages }] = bodies;
  assert.deepEqual(messages.map((m) => m.role), ["user", "assistant", "user"]);
  assert.match(messages[1].parts[0].text, /by train/);
  assert.equal(messages[2].parts[0].text, "Who was late?");
  await page.goBack();
  assert.equal(await page.locator(".exchange").count(), 2, "going back keeps the conversation");
  await page.reload();
  await page.waitForSelector('.exchange[aria-busy="false"]');
  assert.equal(await page.locator(".exchange").count(), 1);
};

scenes.a_follow_up_has_an_address = async (page) => {
  await page.goto(`${at.scripted}/#/q/Who%20was%20late%3F?after=model%20travel`);
  await page.waitForSelector(".exchange:nth-child(2)[aria-busy=false]");
  assert.deepEqual(await page.locator(".asked").allTextContents(), ["model travel", "Who was late?"]);
};

scenes.filters_can_be_taken_away = async (page) => {
  const bodies = [];
  page.on("request", (request) => request.url().endsWith("/api/chat") && bodies.push(request.postDataJSON()));
  await begin(page, "scripted", "filters: what did Ann say since March 2024?");
  assert.deepEqual(await page.locator(".chip").allTextContents(), ["speaker Ann Bell", "from March 2024"]);
  await page.click('[aria-label="Ask again without speaker: Ann Bell"]');
  const chips = () => page.locator(".chip").allTextContents();
  await until(async () => (await chips()).join() === "from March 2024,use the speaker again", "the other filter alone");
  assert.deepEqual(bodies[1].without, ["speaker"]);
  assert.equal(bodies[1].messages.length, 1, "what is asked again is no follow-up of itself");
  assert.match(page.url(), /without=speaker/);
  await page.click(".chip.off");
  await until(async () => (await chips()).length === 2 && bodies.length === 3, "both filters");
  assert.deepEqual(bodies[2].without, []);
  await page.selectOption("#way", "direct");
  await ask(page, "model: another way");
  assert.equal(bodies[3].strategy, "direct");
};

scenes.a_models_answer = async (page) => {
  await begin(page, "scripted", "model: how did they travel?");
  assert.equal(await page.textContent(".text strong"), "by train");
  assert.deepEqual(await page.locator(".text .mark").allTextContents(), ["1", "1", "2", "2"]);
  assert.equal(await page.locator(".text li").count(), 2);
  assert.match(await page.textContent(".unsupported"), /They all had tea/);
  await page.click('[aria-controls$="-did"]');
  const did = await page.textContent(".trail");
  for (const part of ["small-1", "900, 80", "0.0020", "500 ms of 400 ms, over", "12 ms of 50 ms"]) assert.ok(did.includes(part), `${part} in ${did}`);
};

scenes.the_pictures_lead_somewhere = async (page) => {
  const bodies = [];
  page.on("request", (request) => request.url().endsWith("/api/chat") && bodies.push(request.postDataJSON()));
  await begin(page, "scripted", "model: how did they travel?");
  const group = page.locator(".curve").first();
  assert.match(await group.getAttribute("aria-label"), /Relevance over the 1:40 of A talk: highest around/);
  assert.match(await page.textContent(".mapped figcaption"), /Ann Bell, 70 %, in A talk/);
  await page.locator('.pin[aria-label^="Source 2"]').click();
  await page.waitForSelector(".words mark");
  assert.match(await page.textContent(".words mark"), /late/);
  await page.keyboard.press("Escape");
  await page.click('.map .to .end:has-text("Bob Carr")');
  await page.waitForSelector(".exchange:nth-child(2)[aria-busy=false]");
  assert.deepEqual(bodies[1].scope, { speakers: ["Bob Carr"] });
};

scenes.copy_and_export = async (page, context) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await begin(page, "examples", "Why did margins fall?");
  await page.locator('[aria-label="Copy source 1 with its citation"]').click();
  const copied = await until(() => page.evaluate(() => navigator.clipboard.readText()), "something on the clipboard");
  assert.match(copied, /^“.+”\n— .+, \d+:\d\d.*\nhttp/s);
  const coming = page.waitForEvent("download");
  await page.click('.tools >> text="Markdown"');
  const file = await coming;
  assert.equal(file.suggestedFilename(), "why-did-margins-fall.md");
  const written = readFileSync(await file.path(), "utf8");
  for (const part of ["# Why did margins fall?", "## Sources", "- **[1]** ["]) assert.ok(written.includes(part), written);
};

// ---------------------------------------------------------------- states

scenes.errors_are_told = async (page) => {
  await page.goto(`${at.scripted}/`);
  const said = { broken: /the model went away/, cut: /broke off/, busy: /slow down/, failed: /try again later/ };
  for (const [script, words] of Object.entries(said)) {
    await ask(page, script);
    assert.match(await page.locator(".trouble").last().textContent(), words);
  }
  assert.match(await page.locator(".text").first().textContent(), /It was/, "what had come is kept");
  await ask(page, "again please");
  await page.locator(".trouble").last().locator("button").click();
  await until(async () => (await page.locator(".exchange").last().textContent()).includes("by train"), "the second try");
};
scenes.errors_are_told.failures = true;

scenes.the_server_is_gone = async (page, context) => {
  await page.goto(`${at.scripted}/`);
  await page.waitForSelector(".home h1");
  await context.setOffline(true);
  await ask(page, "model: anybody there?");
  assert.match(await page.textContent(".trouble"), /cannot be reached/);
  await context.setOffline(false);
  await page.click(".trouble button");
  await until(async () => (await page.locator(".exchange").last().textContent()).includes("by train"), "the answer");
};
scenes.the_server_is_gone.failures = true;

scenes.stop = async (page) => {
  await page.goto(`${at.scripted}/`);
  await page.fill("#question", "slow: tell me all");
  await page.keyboard.press("Enter");
  await until(async () => (await page.textContent("main")).includes("more more"), "a part of the answer");
  assert.equal(await page.getAttribute("#send", "aria-label"), "Stop");
  await page.click("#send");
  await page.waitForSelector('.exchange[aria-busy="false"]');
  assert.match(await page.textContent(".lead"), /Stopped/);
  assert.equal(await page.getAttribute("#send", "aria-label"), "Ask");
};

scenes.nothing_low_and_empty = async (page) => {
  await begin(page, "scripted", "nothing at all");
  assert.match(await page.textContent(".badge"), /Nothing found/);
  assert.equal(await page.locator(".text").textContent(), "", "the heading is not said twice");
  assert.equal(await page.locator(".map").count(), 0);
  await ask(page, "low relevance");
  assert.match(await page.locator(".badge").last().textContent(), /Only the nearest/);
  await page.goto(`${at.empty}/`);
  await until(async () => (await page.textContent("main")).includes("Nothing is on record yet"), "the empty archive");
};

scenes.a_key = async (page) => {
  await page.goto(`${at.scripted}/`);
  await page.fill("#question", "key please");
  await page.keyboard.press("Enter");
  await page.fill("#key", "wrong");
  await page.keyboard.press("Enter");
  await until(async () => (await page.textContent("dialog")).includes("not accepted"), "the key refused");
  await page.fill("#key", "the-right-key");
  await page.keyboard.press("Enter");
  await page.waitForSelector('.exchange[aria-busy="false"]');
  assert.match(await page.textContent(".text"), /by train/);
  const kept = await page.evaluate(() => [sessionStorage.getItem("onrecord-key"), JSON.stringify(localStorage), document.cookie]);
  assert.equal(kept[0], "the-right-key");
  assert.ok(!kept[1].includes("right") && !kept[2]);
};
scenes.a_key.failures = true;

// ---------------------------------------------------------------- looking around

scenes.browse = async (page) => {
  await page.goto(`${at.examples}/#/recordings`);
  await page.waitForSelector(".tape");
  assert.equal(await page.locator(".tape").count(), 5);
  await page.fill(".find input", "priya");
  assert.equal(await page.locator(".tape").count(), 1);
  await page.fill(".find input", "tariff");
  await page.keyboard.press("Enter");
  await page.locator(".moment").first().click();
  await page.waitForSelector(".words mark");
  await page.fill(".finder input", "the");
  await until(async () => /^1 of \d+$/.test(await page.textContent(".told")), "words found");
  await page.click(".finder >> text=Ask about it");
  await ask(page, "Why did margins fall?");
  assert.equal(await page.locator(".exchange .chip").count() > 0, true);
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
  await until(async () => (await page.textContent("#deck")).includes("not in the archive"), "that it is not there");
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

// ---------------------------------------------------------------- for everybody

scenes.keyboard_only = async (page) => {
  await page.goto(`${at.examples}/`);
  await page.waitForSelector(".home h1");
  await page.keyboard.press("Tab");
  assert.match(await page.evaluate(() => document.activeElement.textContent), /Skip to the question/);
  await page.keyboard.press("Enter");
  await page.keyboard.type("Why did margins fall?");
  await page.keyboard.press("Enter");
  await page.waitForSelector('.exchange[aria-busy="false"]');
  for (let i = 0; i < 40 && !(await page.evaluate(() => document.activeElement.matches(".mark"))); i += 1) await page.keyboard.press("Shift+Tab");
  assert.ok(await page.evaluate(() => document.activeElement.matches(".mark")), "no mark is reached by Tab");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".words mark");
  await until(async () => (await focused(page)) === "H2", "the focus in the recording");
  for (let i = 0; i < 40 && !(await page.evaluate(() => document.activeElement.matches(".when"))); i += 1) await page.keyboard.press("Tab");
  const before = await page.evaluate(() => document.activeElement.textContent);
  await page.keyboard.press("ArrowDown");
  assert.notEqual(await page.evaluate(() => document.activeElement.textContent), before);
  await page.keyboard.press("Escape");
  await until(async () => /^\d+$/.test(await focused(page)), "the focus back on the mark");
  await page.keyboard.press("Control+k");
  assert.equal(await focused(page), "TEXTAREA");
};

scenes.phone = async (page) => {
  const fits = async (where) => {
    const wide = await page.evaluate(() => Math.max(document.documentElement.scrollWidth, ...[...document.querySelectorAll(".desk, .deck, .words")].map((box) => box.scrollWidth)));
    assert.ok(wide <= 360, `${where} is ${wide} pixels wide`);
  };
  await page.goto(`${at.examples}/`);
  await page.waitForSelector(".latest");
  await fits("the beginning");
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
};
scenes.phone.options = PHONE;

async function judged(page, where) {
  await page.waitForTimeout(200);
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  const grave = violations.filter((v) => ["serious", "critical"].includes(v.impact));
  const told = grave.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => `${n.html.slice(0, 120)} ${n.failureSummary}`).join(" | ")}`);
  assert.deepEqual(told, [], where);
}

async function accessible(page) {
  await page.goto(`${at.examples}/`);
  await page.waitForSelector(".latest");
  await judged(page, "the beginning");
  await ask(page, "Why did margins fall?");
  await page.click('[aria-controls$="-did"]');
  await page.locator(".mark").first().click();
  await page.waitForSelector(".words mark");
  await judged(page, "an answer and a recording");
  await page.goto(`${at.examples}/#/recordings?find=tariff`);
  await page.waitForSelector(".moment");
  await judged(page, "the list");
  await begin(page, "scripted", "filters: model");
  await ask(page, "nothing");
  await ask(page, "broken");
  await judged(page, "states");
}

scenes.accessible_light = (page) => accessible(page);
scenes.accessible_light.options = { bypassCSP: true, colorScheme: "light" };
scenes.accessible_dark = (page) => accessible(page);
scenes.accessible_dark.options = { bypassCSP: true, colorScheme: "dark" };

async function unharmed(page, where) {
  const found = await page.evaluate(() => ({
    hacked: window.hacked ?? null,
    made: [...document.querySelectorAll("img, script:not([src='/page/app.js']), iframe, object, embed, link:not([href^='/page/'])")].map((n) => n.outerHTML),
    links: [...document.querySelectorAll("[href]")].map((n) => n.getAttribute("href")).filter((href) => !/^(https?:|#|\/page\/)/.test(href)),
    handlers: [...document.querySelectorAll("*")].flatMap((n) => n.getAttributeNames().filter((name) => name.startsWith("on"))),
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
  await begin(page, "scripted", "hostile parts");
  await page.click('[aria-controls$="-did"]');
  await unharmed(page, "hostile parts");
  await page.goto(`${at.scripted}/#/q/${encodeURIComponent("model <img src=x onerror=window.hacked=9>")}`);
  await page.waitForSelector('.exchange[aria-busy="false"]');
  await unharmed(page, "a hostile address");
};

// ---------------------------------------------------------------- running them

/** Listen for whatever a page must not do; gives the list that fills. */
function watched(page, { failures = false, hosts = [] }) {
  const wrong = [];
  const allowed = [...Object.values(at), ...hosts];
  page.on("console", (message) => {
    const known = failures && /Failed to load resource|ERR_INTERNET_DISCONNECTED/.test(message.text());
    if (["error", "warning"].includes(message.type()) && !known) wrong.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong.push(`error: ${error.stack}`));
  page.on("dialog", (dialog) => wrong.push(`dialog: ${dialog.message()}`) && dialog.dismiss());
  page.on("request", (request) => {
    const url = request.url();
    if (!/^(data|blob):/.test(url) && !allowed.some((base) => url.startsWith(`${base}/`))) wrong.push(`request to ${url}`);
  });
  return wrong;
}

async function played(browser, name) {
  const scene = scenes[name];
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...scene.options });
  context.setDefaultTimeout(10000);
  const page = await context.newPage();
  const wrong = watched(page, scene);
  try {
    await scene(page, context);
    assert.deepEqual(wrong, []);
    return null;
  } catch (error) {
    return `${error.stack ?? error}\n${wrong.join("\n")}\nat ${page.url()}`;
  } finally {
    await context.close();
  }
}

const ARGS = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync --mute-audio";
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGS.split(" ") });
for (const name of process.argv[3] ? [process.argv[3]] : Object.keys(scenes)) {
  console.log(JSON.stringify({ name, error: await played(browser, name) }));
}
await browser.close();
