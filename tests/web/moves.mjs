// What every scene does: open a page, ask, wait.

/** The addresses of the servers, by name. */
export const at = process.argv[2].startsWith("{") ? JSON.parse(process.argv[2]) : {};

export async function ask(page, question) {
  await page.fill("#question", question);
  await page.keyboard.press("Enter");
  await page.locator(".exchange").last().and(page.locator('[aria-busy="false"]')).waitFor();
}

export async function begin(page, server, question) {
  await page.goto(`${at[server]}/`);
  await ask(page, question);
}

/** Wait until `look` gives something true, and give it. */
export async function until(look, what) {
  for (let waited = 0; waited < 5000; waited += 50) {
    const seen = await look();
    if (seen) return seen;
    await new Promise((go) => setTimeout(go, 50));
  }
  throw new Error(`waited in vain for: ${what}`);
}

export const second = (page) => page.evaluate(() => document.querySelector("video")?.currentTime ?? -1);
export const focused = (page) =>
  page.evaluate(() => document.activeElement?.dataset?.cite ?? document.activeElement?.tagName);
