// Scenes of asking questions and playing quotes, and of errors.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { ask, at, begin, focused, second, until } from "./moves.mjs";

export const scenes = {};

scenes.ask_and_hear = async (page) => {
  await begin(page, "examples", "Why did margins fall?");
  assert.match(await page.textContent(".text"), /margin/i);
  const source = page.locator('.where[data-recording^="night-desk-41"] .source').first();
  const [from] = (await source.locator(".time").textContent()).split("–");
  const start = Number(from.split(":")[0]) * 60 + Number(from.split(":")[1]);
  const number = await source.getAttribute("data-source");
  await page.click(`.mark[data-cite="${number}"]`);
  await page.waitForSelector(".words mark");
  await until(
    async () => Math.abs((await second(page)) - start) < 2.5,
    "the player at the second of the citation",
  );
  await until(async () => (await second(page)) > start + 0.3, "the sound going on");
  const seen = await page
    .locator(".words mark")
    .first()
    .evaluate((mark) => {
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

scenes.what_is_known_stands_first = async (page) => {
  await begin(page, "examples", "How many episodes are there?");
  assert.match(await page.textContent(".text"), /^There are 5 recordings\.The Night Desk 42/);
  assert.equal(await page.locator(".lead .heading, .badge").count(), 0, "nothing stands above it");
  assert.equal(await page.locator(".where .source, .where h3").count(), 0, "nothing was searched for");
  await page.click(".fact li:nth-child(2) a");
  await page.waitForURL(/#\/r\/night-desk-41/);
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
  assert.deepEqual(
    messages.map((m) => m.role),
    ["user", "assistant", "user"],
  );
  assert.match(messages[1].parts[0].text, /by train/);
  assert.equal(messages[2].parts[0].text, "Who was late?");
  await page.goBack();
  assert.equal(await page.locator(".exchange").count(), 2, "going back keeps the conversation");
  await page.reload();
  await page.waitForSelector('.exchange[aria-busy="false"]');
  assert.equal(await page.locator(".exchange").count(), 1);
};

scenes.the_server_suggests_whom_to_ask = async (page) => {
  const bodies = [];
  page.on("request", (request) => request.url().endsWith("/api/chat") && bodies.push(request.postDataJSON()));
  await begin(page, "examples", "Why did Halden not raise its prices?");
  const next = page.locator(".follow .next", { hasText: "What does" }).first();
  const [, name] = (await next.textContent()).match(/^What does (.+) say about this\?$/);
  await next.click();
  await page.waitForSelector(".exchange:nth-child(2)[aria-busy=false]");
  assert.deepEqual(bodies[1].scope.speakers, [name]);
  assert.equal(bodies[1].messages.length, 1, "the same question is no follow-up of itself");
  assert.ok((await page.textContent(".exchange:nth-child(2)")).includes(name));
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
  await until(
    async () => (await chips()).join() === "from March 2024,use the speaker again",
    "the other filter alone",
  );
  assert.deepEqual(bodies[1].without, ["speaker"]);
  assert.equal(bodies[1].messages.length, 1, "what is asked again is no follow-up of itself");
  assert.match(page.url(), /without=speaker/);
  await page.click(".chip.off");
  await until(async () => (await chips()).length === 2 && bodies.length === 3, "both filters");
  assert.deepEqual(bodies[2].without, []);
  const choices = await page.locator("#strategy option").allTextContents();
  assert.deepEqual(choices, ["night desk", "auto", "direct"], "the one of the settings first");
  await page.selectOption("#strategy", "direct");
  await ask(page, "model: another way");
  assert.equal(bodies[3].strategy, "direct");
};

scenes.a_models_answer = async (page) => {
  await begin(page, "scripted", "model: how did they travel?");
  assert.equal(await page.textContent(".text strong"), "by train");
  assert.deepEqual(await page.locator(".text .mark").allTextContents(), ["1", "1", "2", "2"]);
  assert.equal(await page.locator(".text li").count(), 3);
  assert.match(await page.getAttribute(".text .doubt", "title"), /does not clearly support/);
  assert.match(await page.textContent(".unsupported"), /They all had tea/);
  await page.click('[aria-controls$="-did"]');
  const did = await page.textContent(".trace");
  for (const part of ["small-1", "900, 80", "0.0020", "500 ms of 400 ms, over", "12 ms of 50 ms"])
    assert.ok(did.includes(part), `${part} in ${did}`);
};

scenes.what_the_graph_raised_is_shown_when_asked_for = async (page) => {
  await begin(page, "causes", "What led to the delay?");
  await page.click('[aria-controls$="-did"]');
  assert.equal(await page.locator(".raised").count(), 0);
  await page.getByText("Show what the graph raised").click();
  await page.waitForSelector(".raised");
  assert.match(await page.textContent(".raised"), /found by the graph alone: .*drought causes shortage/);
  assert.equal(await page.getByText("Show what the graph raised").count(), 0);
};

scenes.the_pictures_lead_somewhere = async (page) => {
  const bodies = [];
  page.on("request", (request) => request.url().endsWith("/api/chat") && bodies.push(request.postDataJSON()));
  await begin(page, "scripted", "model: how did they travel?");
  const group = page.locator(".curve").first();
  assert.match(await group.getAttribute("aria-label"), /Relevance over the 1:40 of A talk: highest around/);
  assert.match(await page.textContent(".mapped figcaption"), /Ann Bell, 70 %, in A talk/);
  for (const label of await page.locator(".pin").evaluateAll((pins) => pins.map((pin) => pin.ariaLabel)))
    assert.match(label, /^(Source \d+, \w+ \w+|(A|The most relevant) moment), at \d+:\d\d$/);
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
  const copied = await until(
    () => page.evaluate(() => navigator.clipboard.readText()),
    "something on the clipboard",
  );
  assert.match(copied, /^“.+”\n— .+, \d+:\d\d.*\nhttp/s);
  await page.locator(".mark").first().click();
  await page.waitForSelector(".words mark");
  await page.evaluate(() => getSelection().selectAllChildren(document.querySelectorAll(".spoken span")[1]));
  const selected = await page.evaluate(() => getSelection().toString().trim());
  await page.click('.cited >> text="Copy quote"');
  const quoted = await until(
    async () => (await page.evaluate(() => navigator.clipboard.readText())).includes(selected),
    "the selected words on the clipboard",
  );
  assert.ok(quoted);
  assert.match(
    await page.evaluate(() => navigator.clipboard.readText()),
    /^“[^”]+”\n— .+, .+, .+ 2024, \d+:\d\d\nhttp/,
  );
  await page.keyboard.press("Escape");
  const coming = page.waitForEvent("download");
  await page.click('.tools >> text="Markdown"');
  const file = await coming;
  assert.equal(file.suggestedFilename(), "why-did-margins-fall.md");
  const written = readFileSync(await file.path(), "utf8");
  for (const part of ["# Why did margins fall?", "## Sources", "- **[1]** ["])
    assert.ok(written.includes(part), written);
};

// ---------------------------------------------------------------- errors, empty answers, keys and feedback

scenes.errors_are_told = async (page) => {
  await page.goto(`${at.scripted}/`);
  const said = {
    broken: /the model went away/,
    cut: /broke off/,
    busy: /slow down/,
    failed: /try again later/,
  };
  for (const [script, words] of Object.entries(said)) {
    await ask(page, script);
    assert.match(await page.locator(".trouble").last().textContent(), words);
  }
  assert.match(await page.locator(".text").first().textContent(), /It was/, "what had come is kept");
  await ask(page, "again please");
  await page.locator(".trouble").last().locator("button").click();
  await until(
    async () => (await page.locator(".exchange").last().textContent()).includes("by train"),
    "the second try",
  );
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
  await until(
    async () => (await page.locator(".exchange").last().textContent()).includes("by train"),
    "the answer",
  );
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
  await until(
    async () => (await page.textContent("main")).includes("Nothing is on record yet"),
    "the empty archive",
  );
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
  const kept = await page.evaluate(() => [
    sessionStorage.getItem("onrecord-key"),
    JSON.stringify(localStorage),
    document.cookie,
  ]);
  assert.equal(kept[0], "the-right-key");
  assert.ok(!kept[1].includes("right") && !kept[2]);
};
scenes.a_key.failures = true;

scenes.a_real_key_plays_the_sound_too = async (page) => {
  await page.goto(`${at.keyed}/`);
  await page.fill("#key", at.key);
  await page.keyboard.press("Enter");
  await page.waitForSelector(".latest");
  await ask(page, "Why did margins fall?");
  await page.locator('.where[data-recording^="night-desk-41"] .source').first().click();
  await page.waitForSelector(".words mark");
  await until(async () => (await second(page)) > 4, "the sound, which is let in by its address");
};
scenes.a_real_key_plays_the_sound_too.failures = true;

scenes.a_shared_recording_opens_once_the_key_is_there = async (page) => {
  const { recordings } = await (await fetch(`${at.examples}/api/recordings`)).json();
  let enter;
  const entered = new Promise((settle) => (enter = settle));
  const keyless = [];
  await page.route("**/api/**", async (route) => {
    if (!route.request().headers().authorization) keyless.push(route.request().url());
    if (keyless.length > 1) await entered; // only the first is refused before the key is entered
    await route.continue();
  });
  await page.goto(`${at.keyed}/#/r/${recordings[0].id}`);
  await page.fill("#key", at.key);
  await page.keyboard.press("Enter");
  enter();
  await page.waitForSelector("#deck .words .spoken");
  assert.ok(keyless.length > 1);
};
scenes.a_shared_recording_opens_once_the_key_is_there.failures = true;

scenes.a_thumb_is_kept_explained_and_taken_back = async (page) => {
  const sent = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/feedback"))
      sent.push([request.method(), JSON.parse(request.postData() ?? "null")]);
  });
  await begin(page, "examples", "Why did margins fall?");
  const thumb = (name) => page.getByRole("button", { name, exact: true });
  await thumb("Not a good answer").click();
  await page.locator('.thumb[aria-pressed="true"]').waitFor();
  const [[method, said]] = sent;
  assert.deepEqual([method, said.good, said.question], ["POST", false, "Why did margins fall?"]);
  assert.ok(said.citations.length && said.citations[0].quote && said.strategy === "auto");
  await page.getByLabel("A note on the answer").fill("freight is missing");
  await page.keyboard.press("Enter");
  await until(() => sent.length > 1, "the note");
  assert.equal(sent[1][1].note, "freight is missing");
  assert.match(sent[1][1].id, /^[0-9a-f]{32}$/);
  await page.waitForFunction(() => document.getElementById("live").textContent === "Thank you, saved.");
  await thumb("Not a good answer").click();
  await until(() => sent.at(-1)[0] === "DELETE", "the thumb taken back");
  await page.locator('.thumb[aria-pressed="true"]').waitFor({ state: "detached" });
};
