// Scenes of changing an archive on the page, and of conversations and clips that the page saves.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { ask, at, begin, until } from "./moves.mjs";

export const scenes = {};
const TALK = "---\ntitle: Kites\ndate: 2024-05-03\n---\n\nAnn [0:01]: The kite flew far.\n\nSpeaker 1 [0:09]: It was red.\n";
const file = (name, text, mimeType = "text/plain") => ({ name, mimeType, buffer: Buffer.from(text) });
const row = (page, title) => page.locator(".year li", { hasText: title });

async function recordings(page) {
  await page.goto(`${at.mine}/#/recordings`);
  await page.waitForSelector(".tape, .home.empty");
}

async function added(page, name, text) {
  if (!page.url().endsWith("#/recordings")) await recordings(page);
  await page.setInputFiles("input[type=file]", [file(name, text)]);
  await page.waitForSelector(`.arrivals .done:has-text("${name}")`);
}

scenes.add_by_choosing_and_by_dropping = async (page) => {
  await recordings(page);
  const files = [file("chosen.md", TALK.replace("Kites", "Chosen kites")), file("tape.mp3", "x", "audio/mpeg")];
  await page.setInputFiles("input[type=file]", [...files, file("broken.vtt", "\u0000\u0001")]);
  await page.waitForSelector(".arrivals .refused >> nth=1");
  assert.match(await page.textContent(".arrivals .done"), /chosen\.md.*added/);
  assert.match(await page.textContent('.arrivals li:has-text("tape.mp3")'), /not added.*This is sound/);
  const broken = await page.textContent('.arrivals li:has-text("broken.vtt")');
  assert.match(broken, /not added.*expected a transcript/);
  assert.equal(broken.split("broken.vtt").length, 2, "its name stands there once");
  assert.equal(await row(page, "Chosen kites").count(), 1);
  await page.goto(`${at.mine}/`);
  await page.waitForSelector(".latest");
  const dropped = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "dropped.md"));
    return data;
  }, TALK.replace("Kites", "Dropped kites"));
  await page.dispatchEvent("main", "dragenter", { dataTransfer: dropped });
  assert.ok(await page.isVisible(".drop-sign"));
  await page.dispatchEvent("main", "drop", { dataTransfer: dropped });
  await page.waitForSelector('.year li:has-text("Dropped kites")');
  assert.ok(!(await page.isVisible(".drop-sign")));
  await ask(page, "What colour was the kite?");
  assert.match(await page.textContent(".evidence"), /kites/);
};
scenes.add_by_choosing_and_by_dropping.failures = true;

scenes.the_first_files_of_an_archive_stay_in_sight = async (page) => {
  await page.goto(`${at.fresh}/`);
  await page.waitForSelector(".home .adder[open]");
  const files = [file("first.md", TALK), file("broken.vtt", "\u0000\u0001"), file("second.md", TALK.replace("Kites", "Ferries").replace("far", "low"))];
  await page.setInputFiles("input[type=file]", files);
  await page.waitForSelector('.arrivals .done:has-text("second.md")');
  assert.match(await page.textContent('.arrivals li:has-text("broken.vtt")'), /not added/);
  assert.equal(await page.locator(".tape").count(), 2);
  await page.click("nav >> text=Ask");
  await page.waitForSelector(".latest");
  assert.equal(await page.locator(".latest li").count(), 2);
};
scenes.the_first_files_of_an_archive_stay_in_sight.failures = true;

scenes.a_feed_names_what_lies_elsewhere = async (page) => {
  const item = "<item><title>One</title><guid>1</guid><podcast:transcript url='http://127.0.0.1:9/a.vtt' type='text/vtt'/></item>";
  const feed = `<rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Sea</title>${item}</channel></rss>`;
  await recordings(page);
  await page.setInputFiles("input[type=file]", [file("feed.xml", feed)]);
  await page.click(".arrivals >> text=Fetch its transcripts");
  await until(
    async () => (await page.textContent(".arrivals")).includes("must not, be fetched"),
    "that nothing of this machine is fetched",
  );
};
scenes.a_feed_names_what_lies_elsewhere.failures = true;

scenes.edit_rename_remove_and_undo = async (page) => {
  await added(page, "one.md", TALK.replace("Kites", "Kites one"));
  await added(page, "two.md", TALK.replace("Kites", "Kites two").replace("far", "away"));
  await page.click('[aria-label="Edit Kites one"]');
  const dialog = page.locator("dialog[open]");
  assert.equal(await dialog.locator('.speaker-row:has([aria-label="Name of Ann"]) .also input').isChecked(), true);
  assert.equal(
    await dialog.locator('.speaker-row:has([aria-label="Name of Speaker 1"]) .also input').isChecked(),
    false,
    "a recognizer's label is another in each recording",
  );
  await dialog.getByLabel("Title").fill("Red kites");
  await dialog.getByLabel("Date").fill("someday");
  await page.keyboard.press("Enter");
  await until(async () => /date must be a date/.test(await dialog.textContent()), "what is wrong");
  await dialog.getByLabel("Date").fill("2025-01");
  await dialog.getByLabel("Tags").fill("wind; harbour");
  await dialog.getByLabel("Name of Ann").fill("Ann Lee");
  await dialog.getByLabel("Name of Speaker 1").fill("Zoe");
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog", { state: "detached" });
  const shown = await row(page, "Red kites").textContent();
  for (const part of ["January 2025", "wind · harbour", "Ann Lee, Zoe"]) assert.ok(shown.includes(part), shown);
  assert.match(await row(page, "Kites two").textContent(), /Ann Lee, Speaker 1/);
  await row(page, "Red kites").locator(".tape").click();
  await page.waitForSelector(".words .who");
  assert.equal(await page.textContent(".words .who >> nth=0"), "Ann Lee");
  await page.click('[aria-label="Edit this recording"]');
  await page.click("dialog >> text=Remove");
  await page.waitForSelector(".toast");
  assert.ok(!(await page.isVisible("#deck")), "what is gone is shown no longer");
  assert.equal(await row(page, "Red kites").count(), 0);
  await page.click(".toast >> text=Undo");
  await until(async () => (await row(page, "Red kites").count()) === 1, "that it is back");
  await page.reload();
  await page.waitForSelector(".tape");
  assert.match(await row(page, "Red kites").textContent(), /Ann Lee, Zoe/);
};
scenes.edit_rename_remove_and_undo.failures = true;

scenes.what_is_typed_stays_while_recordings_arrive = async (page) => {
  await recordings(page);
  await page.selectOption("#strategy", "direct");
  await page.click("summary.small");
  await page.getByLabel("Address of a feed").fill("https://example.org/");
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "arrives.md"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, TALK.replace("Kites", "Kites that arrive"));
  await page.waitForSelector('.year li:has-text("Kites that arrive")');
  assert.equal(await page.evaluate(() => document.activeElement.value), "https://example.org/");
  assert.equal(await page.inputValue("#strategy"), "direct");
  await page.click('[aria-label="Edit Kites that arrive"]');
  await page.getByLabel("Tags").fill("wind, harbour");
  await page.click("dialog >> text=Save");
  await until(
    async () => (await row(page, "Kites that arrive").textContent()).includes("wind · harbour"),
    "two tags, however they are parted",
  );
};

scenes.who_may_not_write_sees_no_such_thing = async (page) => {
  await page.goto(`${at.examples}/#/recordings`);
  await page.waitForSelector(".tape");
  assert.equal(await page.locator(".adder, [aria-label^=Edit]").count(), 0);
  await page.locator(".tape").first().click();
  await page.waitForSelector(".words .who");
  assert.equal(await page.locator('[aria-label="Edit this recording"]').count(), 0);
};

scenes.ask_what_is_ticked = async (page) => {
  const bodies = [];
  page.on("request", (request) => request.url().endsWith("/api/chat") && bodies.push(request.postDataJSON()));
  await page.goto(`${at.examples}/#/recordings`);
  await page.waitForSelector(".tape");
  await page.check('[aria-label^="Ask The Night Desk 41"]');
  await page.check('[aria-label^="Ask Halden"]');
  assert.match(await page.textContent("#scope"), /only 2 recordings/);
  await ask(page, "Why did margins fall?");
  assert.equal(bodies[0].scope.recordings.length, 2);
  assert.ok((await page.locator(".where").count()) <= 2);
  await page.click("nav >> text=Recordings");
  await page.waitForSelector(".tape");
  assert.equal(await page.locator(".year .tick:checked").count(), 2, "they stay ticked");
  await page.click('[aria-label="No longer only 2 recordings"]');
  assert.equal(await page.locator(".year .tick:checked").count(), 0);
  await page.fill(".find input", "night desk");
  await page.check(".tick-all input");
  assert.match(await page.textContent("#scope"), /only 2 recordings/);
};

// ---------------------------------------------------------------- conversations and clips

scenes.conversations_stay_in_the_browser = async (page) => {
  const asked = [];
  page.on("request", (request) => request.url().endsWith("/api/chat") && asked.push(1));
  await begin(page, "examples", "Why did margins fall?");
  await ask(page, "How much does the new flood gate cost the town?");
  await page.click("nav >> text=Saved");
  await page.waitForSelector(".talks li");
  assert.equal(await page.locator(".talks li").count(), 1, "one conversation");
  assert.match(await page.textContent(".talks li"), /Why did margins fall\?.*1 question after it/s);
  await page.fill(".saved-list input", "submarine");
  assert.equal(await page.locator(".talks li").count(), 0);
  await page.fill(".saved-list input", "FLOOD gate");
  await page.reload();
  await page.click(".talks a");
  await page.waitForSelector(".exchange:nth-child(2) .text .mark");
  assert.equal(asked.length, 2, "nothing is asked again");
  await page.locator(".exchange").first().locator(".mark").first().click();
  await page.waitForSelector(".words mark");
  await page.keyboard.press("Escape");
  await ask(page, "Why did Halden not raise its prices?");
  await page.click("nav >> text=Saved");
  assert.match(await page.textContent(".talks li"), /2 questions after it/);
  assert.equal(await page.locator(".talks li").count(), 1, "it went on");
  const coming = page.waitForEvent("download");
  await page.click("text=Export all");
  const written = readFileSync(await (await coming).path(), "utf8");
  for (const part of ["# Why did margins fall?", "# How much does", "## Sources"])
    assert.ok(written.includes(part), part);
  await page.click("text=Forget all");
  assert.match(await page.textContent(".saved-list"), /Nothing was asked yet/);
  await page.click(".toast >> text=Undo");
  assert.equal(await page.locator(".talks li").count(), 1);
};

scenes.with_a_key_nothing_outlives_the_tab = async (page) => {
  await page.goto(`${at.keyed}/`);
  await page.fill("#key", at.key);
  await page.keyboard.press("Enter");
  await page.waitForSelector(".latest");
  await ask(page, "Why did margins fall?");
  const stores = await page.evaluate(() => [JSON.stringify(localStorage), JSON.stringify(sessionStorage)]);
  assert.ok(!stores[0].includes("margins") && stores[1].includes("margins"));
};
scenes.with_a_key_nothing_outlives_the_tab.failures = true;

scenes.a_browser_that_stores_nothing_still_answers = async (page) => {
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, name, { get: () => { throw new DOMException("forbidden", "SecurityError"); } });
  });
  await page.goto(`${at.examples}/`);
  await ask(page, "Why did margins fall?");
  await page.click("#theme");
  await page.locator(".source ~ button", { hasText: "Save" }).first().click();
  await page.goto(`${at.examples}/#/clips`);
  await until(async () => (await page.textContent("main")).includes("1 clip"), "the clip, as long as the page");
};

scenes.clips_become_files = async (page) => {
  await begin(page, "examples", "Why did margins fall?");
  const save = () => page.locator(".exchange").last().locator('[aria-label="Save source 1 to the clips"]');
  await save().click();
  await ask(page, "How much does the new flood gate cost the town?");
  await save().click();
  assert.equal(await save().getAttribute("aria-pressed"), "true");
  await page.locator(".exchange").last().locator('.mark[data-cite="1"]').click();
  await page.waitForSelector(".words mark");
  assert.equal(await page.textContent(".cited [aria-pressed]"), "Saved", "it is known wherever it stands");
  await page.goto(`${at.examples}/#/clips`);
  await page.waitForSelector(".clips li");
  const quotes = () => page.locator(".clips .said").allTextContents();
  const [first, second] = await quotes();
  await page.locator('[aria-label="Later"]').first().click();
  assert.deepEqual(await quotes(), [second, first]);
  const written = {};
  for (const name of ["Markdown", "CSV", "EDL"]) {
    const coming = page.waitForEvent("download");
    await page.click(`.saved-list .tools >> text=${name}`);
    written[name] = readFileSync(await (await coming).path(), "utf8");
  }
  assert.ok(written.Markdown.includes("Brendan Kelly") && written.Markdown.includes(second.slice(0, 20)));
  assert.match(written.CSV, /^number,quote,speaker.*\r\n1,/);
  assert.match(written.EDL, /001 {2}R001 {5}AA\/V {2}C {8}00:00:\d\d:\d\d 00:\d\d:\d\d:\d\d 01:00:00:00 01:00:/);
  await page.locator(".clip").first().click();
  await page.waitForSelector(".words mark");
  await page.keyboard.press("Escape");
  await page.locator('[aria-label="Remove this clip"]').first().click();
  assert.deepEqual(await quotes(), [first]);
};
