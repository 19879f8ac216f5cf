/** The console in Chromium at times that are hard to meet: late answers, and ends of months. */
import assert from "node:assert/strict";
import { type Page, withPage } from "../support/browser.ts";
import { chromiumTest } from "../support/chromium_case.ts";
import { withConsole } from "../support/console_world.ts";
import { createCaller, record } from "../support/factories.ts";
import { click, enterKey, fill, lookAt, press, sees } from "../support/visitor.ts";

async function signIn(page: Page, key: string): Promise<void> {
  await enterKey(page, key);
  await sees(page, "Search companies");
}

async function ask(page: Page, query: string): Promise<void> {
  await fill(page, "What are you looking for?", query);
  await press(page, "Enter");
}

chromiumTest("the chart counts a fact of the first day of a month in it", async (one, chromium) => {
  const { db, sql } = one;
  await record(
    sql,
    ["2026-02-10", "2026-03-01", "2026-03-09"].map((day) => ({
      observed_fact: "A crane is wanted.",
      occurred_at: `${day}T00:00:00Z`,
      company: { name: "North", external_id: "n" },
    })),
  );
  const { key } = await createCaller(sql);
  await withConsole(db, async ({ origin }) => {
    await withPage({ chromium, url: `${origin}/` }, async (page) => {
      await lookAt(page, { width: 1600, height: 1000, theme: "light" });
      await signIn(page, key);
      await ask(page, "crane");
      await page.until(`document.querySelectorAll(".chart tbody td").length > 0`);
      const counts = await page.evaluate<string[]>(
        `[...document.querySelectorAll(".chart tbody td")].map((one) => one.textContent)`,
      );
      assert.deepEqual(counts, ["1", "2"]);
    });
  }, { workers: 0 });
});

chromiumTest(
  "a late poll of a former key leaves the next user signed in",
  async (one, chromium) => {
    const { db, sql } = one;
    await record(sql, [{ observed_fact: "A warehouse with storage opens." }]);
    const [former, next] = [await createCaller(sql), await createCaller(sql)];
    await withConsole(db, async ({ origin, polls }) => {
      await withPage({ chromium, url: `${origin}/` }, async (page) => {
        await lookAt(page, { width: 1600, height: 1000, theme: "light" });
        await signIn(page, former.key);
        polls.hold();
        await click(page, "Filters and options");
        await click(page, "Search in the background");
        await ask(page, "warehouse with storage");
        await sees(page, "Working in the background");
        await page.until(`performance.getEntriesByType("resource")
        .some(({ name }) => name.includes("/api/companies/search"))`);
        // The first poll comes a second after the answer.
        await page.evaluate("new Promise((resolve) => setTimeout(resolve, 1500))");
        await click(page, "Sign out");
        await sql`update api_keys set revoked_at = now() where hash = ${former.caller.key_hash}`;
        await signIn(page, next.key);
        polls.release();
        await page.evaluate("new Promise((resolve) => setTimeout(resolve, 1500))");
        assert.equal(
          await page.evaluate('document.body.innerText.includes("Sign in with a key")'),
          false,
        );
      });
    });
  },
);
