/**
 * Makes the picture of the console in the documents: `deno run -A test/console/picture.ts FILE`.
 */
import { connectEmbedded } from "../../src/db/connect.ts";
import { findChromium, withPage } from "../support/browser.ts";
import { recordPartOfDemo, withConsole } from "../support/console_world.ts";
import { openTestEmbedded } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";
import { silent } from "../support/operations.ts";
import { click, enterKey, fill, lookAt, press, sees } from "../support/visitor.ts";

const [file] = Deno.args;
const chromium = findChromium();
if (file === undefined || chromium === undefined) {
  throw new Error("usage: picture.ts FILE, on a machine with Chromium");
}
const db = await connectEmbedded(await openTestEmbedded(), { log: silent });
await recordPartOfDemo(db);
const { key } = await createCaller(db.sql);
await withConsole(db, async ({ origin }) => {
  await withPage({ chromium, url: `${origin}/` }, async (page) => {
    await lookAt(page, { width: 1280, height: 800, theme: "light" });
    await enterKey(page, key);
    // The picture shows the second search, because the first one of a process takes longer.
    for (const query of ["tenders", "new warehouse with cold storage"]) {
      await fill(page, "What are you looking for?", query);
      await press(page, "Enter");
      await page.until(`document.querySelectorAll("article.company").length > 0`);
      await sees(page, "matching observation");
    }
    await click(page, "Evidence");
    await page.evaluate(`(scrollTo(0, 0), document.activeElement.blur())`);
    Deno.writeFileSync(file, await page.screenshot());
  });
}, { workers: 0 });
await db.close();
