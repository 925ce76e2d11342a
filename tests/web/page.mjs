// Plays the scenes of the page in headless Chromium. Usage: node page.mjs '{"examples": URL, ...}' [scene]
// Prints one JSON line for each scene: {name, error}. All scenes share a browser; each has its own context.

import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { at, fits } from "./moves.mjs";
import { scenes as asking } from "./scenes_asking.mjs";
import { scenes as keeping } from "./scenes_keeping.mjs";
import { scenes as reading } from "./scenes_reading.mjs";
import { scenes as everybody } from "./scenes_everybody.mjs";
import { scenes as looks } from "./scenes_looks.mjs";

const scenes = { ...asking, ...everybody, ...keeping, ...reading, ...looks };
const WIDTHS = [390, 1440];

/** Listen for events that a page must not cause: console errors and warnings, exceptions, dialogs and requests
 *  to other hosts. Return the list to which their messages are added. */
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
    if (!/^(data|blob):/.test(url) && !allowed.some((base) => url.startsWith(`${base}/`)))
      wrong.push(`request to ${url}`);
  });
  return wrong;
}

async function played(browser, name) {
  const scene = scenes[name];
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
    ...scene.options,
  });
  context.setDefaultTimeout(10000);
  const page = await context.newPage();
  const wrong = watched(page, scene);
  try {
    await scene(page, context);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      wrong.push(...(await fits(page)));
    }
    assert.deepEqual(wrong, []);
    return null;
  } catch (error) {
    return `${error.stack ?? error}\n${wrong.join("\n")}\nat ${page.url()}`;
  } finally {
    await context.close();
  }
}

const ARGS =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync --mute-audio";
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ARGS.split(" "),
});
for (const name of process.argv[3] ? [process.argv[3]] : Object.keys(scenes)) {
  console.log(JSON.stringify({ name, error: await played(browser, name) }));
}
await browser.close();
