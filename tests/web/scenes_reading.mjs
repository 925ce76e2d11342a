// Scenes of reading: layout on wide and narrow screens, confidence, remarks, the graph and notes.

import assert from "node:assert/strict";
import { ask, at, begin, until } from "./moves.mjs";

export const scenes = {};
const SIZES = [
  [390, 844],
  [1440, 900],
];

scenes.the_nearest_quotes_come_at_once = async (page) => {
  await page.goto(`${at.scripted}/`);
  await page.fill("#question", "nearest: how did they travel?");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".nearest .near");
  assert.match(await page.textContent(".lead"), /while the answer is being written/);
  assert.match(await page.textContent(".near"), /by train because it snowed.*Ann Bell.*A talk · 0:10–0:20/);
  await page.click(".near");
  await page.waitForSelector(".words mark");
  await page.waitForSelector('.exchange[aria-busy="false"]');
  assert.equal(await page.locator(".nearest").count(), 0, "the answer takes their place");
  assert.equal(await page.textContent(".text strong"), "by train");
};

scenes.a_comparison_stands_side_by_side = async (page) => {
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    await begin(page, "scripted", "compare them");
    const boxes = await page.locator(".sides .voices").evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect()).map(({ top, left }) => [Math.round(top), Math.round(left)]),
    );
    assert.equal(boxes.length, 2);
    assert.equal(boxes[0][0] === boxes[1][0], width > 400, `beside one another at ${width}`);
    assert.match(await page.textContent(".text"), /Nothing on Cy/);
  }
};

scenes.what_is_preferred_becomes_a_condition = async (page) => {
  const bodies = [];
  page.on("request", (request) => request.url().endsWith("/api/chat") && bodies.push(request.postDataJSON()));
  await begin(page, "scripted", "compare them");
  assert.equal(await page.locator(".chip.soft").count(), 2);
  await page.click('[aria-label="Ask only speaker: Bob Carr"]');
  await until(() => bodies.length === 2, "the question again");
  assert.deepEqual(bodies[1].scope, { speakers: ["Bob Carr"] });
  assert.match(page.url(), /speaker=Bob(\+|%20)Carr/);
};

scenes.one_line_of_remarks_and_sure_only_where_it_was_measured = async (page) => {
  await begin(page, "scripted", "compare them");
  assert.equal(await page.locator(".after .note").count(), 1);
  assert.ok(!(await page.isVisible("text=Two.")));
  await page.click(".after .note summary");
  assert.ok(await page.isVisible("text=Three."));
  assert.match(await page.textContent(".sure"), /About 2 of 3 such answers are right/);
  await ask(page, "model: how did they travel?");
  assert.equal(await page.locator(".exchange").last().locator(".sure").count(), 0, "not of prose");
};

scenes.strange_recordings = async (page) => {
  const fits = async (where, width) => {
    const wide = await page.evaluate(() =>
      Math.max(...["html", ".desk", ".deck", ".words", "dialog"].map((s) => document.querySelector(s)?.scrollWidth ?? 0)),
    );
    assert.ok(wide <= width, `${where} is ${wide} pixels wide at ${width}`);
  };
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    await page.goto(`${at.strange}/#/recordings`);
    await page.waitForSelector(".tape");
    await fits("the list", width);
    const list = await page.textContent(".shelf");
    for (const words of ["no times", "nobody named", "No date"]) assert.ok(list.includes(words), words);
    await page.goto(`${at.strange}/`);
    await page.waitForSelector(".latest");
    await fits("the beginning", width);
    await ask(page, "How high were the waves in the harbour?");
    await fits("the answer", width);
    const more = page.locator("details.more:not([open]) summary");
    if (await more.count()) await more.click(); // show the recordings that the answer does not cite
    for (const title of await page.locator(".where .title").all()) {
      await title.click();
      await page.waitForSelector(".words .spoken");
      await fits("a recording", width);
      await page.keyboard.press("Escape");
    }
    const shown = await page.textContent(".evidence");
    assert.ok(shown.includes("no times"), shown);
    assert.equal(await page.locator(".where .curve").count(), 0, "one score along a talk is no curve");
    await page.goto(`${at.strange}/#/recordings`);
    const edges = await page.locator(".tape .title").evaluateAll((titles) =>
      titles.map((title) => {
        const range = new Range();
        range.selectNodeContents(title);
        return Math.round(range.getBoundingClientRect().left);
      }),
    );
    assert.equal(new Set(edges).size, 1, `titles of either direction begin at the edge of the list: ${edges}`);
    await page.locator(".tape", { hasText: "الميناء" }).click();
    await page.waitForSelector(".words .spoken");
    const direction = await page.locator(".words .spoken").first().evaluate((p) => getComputedStyle(p).direction);
    assert.equal(direction, "rtl");
    await page.keyboard.press("Escape");
  }
};

scenes.what_surrounds_something = async (page) => {
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    await page.goto(`${at.examples}/#/recordings`);
    await page.click("text=Topics: people and things");
    await page.click('.topics .title:text-is("tariff")');
    await page.waitForSelector(".bars li");
    assert.match(page.url(), /#\/g\/tariff$/);
    const wide = await page.evaluate(() => document.querySelector(".desk").scrollWidth);
    assert.ok(wide <= width, `${wide} pixels at ${width}`);
    const seen = await page.locator(".ring .node").evaluateAll((all) => all.map((node) => node.scrollWidth <= node.clientWidth + 1));
    assert.ok(seen.length > 10 && seen.length <= 48 && seen.filter(Boolean).length > seen.length * 0.8, `${seen}`);
    await page.locator(".ring.to .edge").first().focus();
    assert.equal(await page.locator("g.on .ray").count(), 1, "its line lights up");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".words mark");
    await page.keyboard.press("Escape");
    await page.click('[aria-label^="Brendan Kelly speaks of it"]');
    await page.waitForSelector(".words mark");
    await page.keyboard.press("Escape");
  }
  const line = page.locator('g[data-ray="to2"] .ray');
  await page.locator(".around").scrollIntoViewIfNeeded();
  const middle = await line.evaluate((path) => {
    const { x, y } = path.getPointAtLength(path.getTotalLength() / 2);
    const place = new DOMPoint(x, y).matrixTransform(path.getScreenCTM());
    return [place.x, place.y];
  });
  await page.mouse.click(...middle);
  await page.waitForSelector(".words mark");
  await page.keyboard.press("Escape");
  await page.click(".bars button");
  await page.waitForSelector(".words mark");
  await page.keyboard.press("Escape");
  await page.click('.graph [aria-pressed] >> text="year"');
  await until(async () => (await page.textContent(".period")) === "2024", "the bar of a year");
  await page.fill('[aria-label^="Another person or thing"]', "Brendan Kelly");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".ways .near");
  assert.match(page.url(), /with=Brendan/);
  await page.goto(`${at.examples}/#/g/submarine`);
  await until(async () => /submarine/.test(await page.textContent(".trouble")), "that nobody speaks of it");
};
scenes.what_surrounds_something.failures = true;

scenes.what_led_to_something = async (page) => {
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    await page.goto(`${at.causes}/#/g/delay`);
    await page.getByText("What led to it").click();
    await page.waitForSelector(".ways .near");
    const steps = await page.locator(".ways .way > p").allTextContents();
    assert.deepEqual(steps, ["drought causes shortage", "shortage causes strike", "strike causes delay"]);
    await page.locator(".ways .near").first().focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector(".words mark");
    assert.match(await page.textContent(".words mark"), /drought/);
    await page.keyboard.press("Escape");
    await page.goto(`${at.causes}/#/g/wheat%20price`);
    const similar = page.locator('.ring.to li:has(.edge:has-text("similar"))').first();
    await similar.locator("button.edge").focus();
    assert.equal(await page.locator("g.on .ray.dotted").count(), 1, "its line is dotted and lights up");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".words mark");
    await page.keyboard.press("Escape");
  }
};

scenes.a_follow_up_can_be_asked_on_its_own = async (page) => {
  const bodies = [];
  page.on("request", (request) => request.url().endsWith("/api/chat") && bodies.push(request.postDataJSON()));
  await begin(page, "examples", "Why did margins fall?");
  await ask(page, "And freight?");
  await page.click('[aria-label="Ask without what was asked before"]');
  await until(() => bodies.length === 3, "the question again");
  assert.deepEqual(bodies.map(({ messages }) => messages.length), [1, 3, 1]);
  assert.ok(!page.url().includes("after="));
};

scenes.saving_wants_words = async (page) => {
  await page.goto(`${at.strange}/#/recordings`);
  await page.locator(".tape", { hasText: "nobody" }).first().click();
  await page.waitForSelector(".words .spoken");
  assert.equal(await page.locator('.cited >> text="Link to this moment"').count(), 0, "there is no moment");
  await page.click('.cited >> text="Save"');
  assert.ok(await page.isVisible("text=Select words first"));
  await page.evaluate(() => getSelection().selectAllChildren(document.querySelector(".spoken span")));
  await page.click(".cited button:nth-child(2)");
  await page.goto(`${at.strange}/#/clips`);
  await page.waitForSelector(".clips li");
  assert.match(await page.textContent(".clips"), /waves in the harbour.*no times/s);
};

scenes.a_note_is_seen_to_be_kept = async (page) => {
  await page.setViewportSize({ width: 390, height: 500 });
  await begin(page, "examples", "Why did margins fall?");
  await page.getByRole("button", { name: "Not a good answer", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  const note = page.getByLabel("A note on the answer");
  await note.fill("freight is missing");
  const [under, over] = await page.evaluate(() => [
    document.activeElement.getBoundingClientRect().bottom,
    document.querySelector(".box").getBoundingClientRect().top,
  ]);
  assert.ok(under <= over, `the line ends at ${under}, the box of the question begins at ${over}`);
  await page.keyboard.press("Enter");
  await page.waitForSelector("text=Thank you, saved.");
  assert.equal(await note.inputValue(), "freight is missing");
};
