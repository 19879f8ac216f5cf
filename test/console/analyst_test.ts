/**
 * An analyst's day in Chromium, over plain HTTP and an address that is not loopback. Results that
 * were paid for survive reloads, and nothing is paid twice.
 */
import assert from "node:assert/strict";
import type { Sql } from "../../src/db/connect.ts";
import { verifyUsage } from "../../src/operations/report.ts";
import { type Page, withPage } from "../support/browser.ts";
import { chromiumTest } from "../support/chromium_case.ts";
import { recordPartOfDemo, withConsole } from "../support/console_world.ts";
import { createCaller, type TestCaller } from "../support/factories.ts";
import { choose, click, fill, press, sees, texts } from "../support/visitor.ts";

/** Name that only the test's browser knows. Browsers trust loopback, but no other plain HTTP. */
const HOST = "evidence.example";

chromiumTest("the console shows paid results again after a reload, free", async (one, chromium) => {
  const { db, sql } = one;
  await recordPartOfDemo(db);
  const caller = await createCaller(sql);
  await withConsole(db, async ({ origin }) => {
    const url = `${origin.replace("127.0.0.1", HOST)}/`;
    const flags = [`--host-resolver-rules=MAP ${HOST} 127.0.0.1`];
    await withPage({ chromium, url, flags }, async (page) => {
      await signIn(page, caller);
      assert.equal(await page.evaluate("isSecureContext"), false);

      await click(page, "Filters and options");
      await choose(page, "Companies per page", "3");
      await fill(page, "What are you looking for?", "new warehouse with cold storage");
      // A page that dies right after sending must have stored the key, by which it asks again.
      await page.evaluate(`(() => {
        const { fetch } = globalThis;
        globalThis.fetch = (...request) => {
          globalThis.storedAtSending = sessionStorage.getItem("company-evidence-requests");
          globalThis.fetch = fetch;
          return fetch(...request);
        };
        const { form } = document.getElementById("query");
        form.requestSubmit();
        form.requestSubmit();
        form.requestSubmit();
      })()`);
      assert.deepEqual(
        await page.evaluate(
          `JSON.parse(storedAtSending).map(({ key, state }) => [typeof key, state])`,
        ),
        [["string", "sending"]],
      );
      await sees(page, "Paid: 1 request and 3 companies.");
      const names = await texts(page, "article.company h2");
      assert.deepEqual(await charges(sql, caller), { operations: 1, requests: 1, delivered: 3 });

      await reload(page);
      await page.until(`document.querySelectorAll("article.company").length === 3`);
      assert.deepEqual(await texts(page, "article.company h2"), names);
      assert.equal(
        await page.evaluate(`document.getElementById("query").value`),
        "new warehouse with cold storage",
      );

      await click(page, "Next page");
      await page.until(`document.querySelectorAll("article.company").length > 3`);
      const all = await texts(page, "article.company h2");
      const paid = await charges(sql, caller);
      assert.equal(paid.operations, 2);
      await reload(page);
      await page.until(`document.querySelectorAll("article.company").length === ${all.length}`);
      assert.deepEqual(await texts(page, "article.company h2"), all);

      await page.evaluate("history.back()");
      await page.until(`document.querySelectorAll("article.company").length === 3`);

      await click(page, "Activity");
      await click(page, "Search “new warehouse");
      await page.until(`document.querySelectorAll("article.company").length >= 1`);
      await page.until(`/^#\\/search\\/\\d+$/.test(location.hash)`);

      // A tab without the session has only the address.
      const address = await page.evaluate<string>("location.href");
      await page.evaluate("sessionStorage.clear()");
      await reload(page);
      await signIn(page, caller);
      assert.equal(await page.evaluate("location.href"), address);
      await page.until(`document.querySelectorAll("article.company").length >= 1`);
      assert.deepEqual(await charges(sql, caller), paid);

      await click(page, "Look up");
      await fill(page, "Domains, or company ids", "1");
      await press(page, "Tab");
      await press(page, "Enter");
      await page.until(`document.querySelectorAll(".outcomes li").length === 1`);
      await page.until(`location.hash.startsWith("#/lookup/")`);
      await reload(page);
      await page.until(`document.querySelectorAll(".outcomes li").length === 1`);
      assert.deepEqual(await charges(sql, caller), {
        operations: 3,
        requests: 3,
        delivered: paid.delivered + 1,
      });

      const [domain] = await sql<[{ hostname: string }]>`
        select hostname from domains order by hostname limit 1
      `;
      await click(page, "Follow");
      await fill(page, "Domains", domain.hostname);
      await click(page, "List observations");
      await page.until(`location.hash.startsWith("#/follow/")`);
      await reload(page);
      await page.until(`document.querySelectorAll("article.company").length === 1`);
      const day = { operations: 4, requests: 4, delivered: paid.delivered + 2 };
      assert.deepEqual(await charges(sql, caller), day);

      // The results that were paid for are printed.
      await page.evaluate(`location.href = ${JSON.stringify(address)}`);
      await page.until(`document.querySelector(".paper")?.textContent.includes("cold storage")`);
      const { data } = await page.send("Page.printToPDF");
      assert.match(atob(data), /^%PDF-/);
      assert.deepEqual(await charges(sql, caller), day);
      // Browsers ignore this header over plain HTTP, and say so.
      const expected = /^The Cross-Origin-Opener-Policy header has been ignored/;
      assert.deepEqual(page.complaints.filter((text) => !expected.test(text)), []);
    });
  });
  assert.deepEqual((await verifyUsage(sql)).differences, []);
});

/** Reloads the page, and resolves when the former document is gone. */
async function reload(page: Page): Promise<void> {
  // The answer of the evaluation has to leave before the document does.
  await page.evaluate("(globalThis.isFormer = true, setTimeout(() => location.reload()), 0)");
  await page.until("globalThis.isFormer === undefined");
}

async function signIn(page: Page, { key }: TestCaller): Promise<void> {
  await sees(page, "Sign in with a key");
  await fill(page, "API key", key);
  await click(page, "Keep it until this tab is closed");
  await click(page, "Sign in");
  await sees(page, "Search companies");
}

interface Charges {
  operations: number;
  requests: number;
  delivered: number;
}

async function charges(sql: Sql, { account_id }: TestCaller): Promise<Charges> {
  const [sums] = await sql<[Charges]>`
    select count(*)::integer as operations, sum(request_units)::integer as requests,
      sum(delivered_units)::integer as delivered
    from operations where account_id = ${account_id}
  `;
  return { ...sums };
}
