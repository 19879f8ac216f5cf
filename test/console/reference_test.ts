/** The API reference in Chromium. Readers can search it, and try its calls and tools. */
import assert from "node:assert/strict";
import { FAILURE_CODES } from "../../src/failures.ts";
import { createContract } from "../../src/http/openapi.ts";
import { TOOLS } from "../../src/mcp/tools.ts";
import { accessibilityFaults } from "../support/axe.ts";
import { type Page, withPage } from "../support/browser.ts";
import { withConsole } from "../support/console_world.ts";
import { operations } from "../support/contract.ts";
import { chromiumTest } from "../support/chromium_case.ts";
import type { DatabaseCase } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";
import { click, fill, type Look, lookAt, press, sees } from "../support/visitor.ts";

const LOOKS: Look[] = [
  { width: 1280, height: 900, theme: "light" },
  { width: 390, height: 844, theme: "dark" },
];

const NAME = "/docs is a searchable reference of calls and tools that can be tried, in Chromium";
chromiumTest(NAME, async ({ db, sql }: DatabaseCase, chromium) => {
  const { key } = await createCaller(sql);
  await record(sql, [{ observed_fact: "A new warehouse with cold storage." }]);
  await withConsole(db, async ({ origin }) => {
    for (const look of LOOKS) {
      await withPage({ chromium, url: `${origin}/docs` }, async (page) => {
        await lookAt(page, LOOKS[1]!);
        await sees(page, "Search companies");
        // A window that becomes wide shows the table of contents again.
        await lookAt(page, look);
        await page.until(`document.querySelector(".contents").open === ${look.width > 1020}`);
        await checkContents(page);
        await checkDays(page);
        assert.deepEqual(await accessibilityFaults(page), [], `all at ${look.width}`);
        await checkSearch(page);
        await checkExecution(page, key);
        assert.deepEqual(await accessibilityFaults(page), [], String(look.width));
        const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
        assert.equal(wide, look.width);
        const outside = page.requests.filter((url) => new URL(url).origin !== origin);
        assert.deepEqual(outside, []);
        assert.deepEqual(page.complaints, []);
      });
    }
  }, { workers: 0, demo_key: () => Promise.resolve(key) });
});

const texts = (page: Page, selector: string) =>
  page.evaluate<string[]>(`[...document.querySelectorAll(${JSON.stringify(selector)})]
    .map((one) => one.innerText.trim())`);

/** Checks that a date without a time is shown as the UTC day, whatever the reader's time zone. */
async function checkDays(page: Page): Promise<void> {
  await page.send("Emulation.setTimezoneOverride", { timezoneId: "America/Toronto" });
  const shown = `import("./console/words.js?zone").then(({ day, moment }) =>
    [day, moment].map((show) => show("2026-03-01T00:00:00Z")))`;
  assert.deepEqual(await page.evaluate(shown), ["Mar 1, 2026", "Feb 28, 2026, 07:00 PM"]);
}

async function checkContents(page: Page): Promise<void> {
  await sees(page, "Search companies");
  const calls = operations(createContract()).map(({ method, path }) => `${method} ${path}`);
  const shown = await texts(page, "[id^=call-] .path");
  assert.deepEqual(shown.map((text) => text.replace(/\s+/g, " ")).sort(), calls.sort());
  const languages = await page.evaluate<string[]>(
    `[...document.querySelectorAll("article[id^=call-]")].map((call) =>
      [...call.querySelectorAll("[aria-label='The call as code'] [role=tab]")]
        .map((tab) => tab.innerText).join())`,
  );
  assert.deepEqual(languages, calls.map(() => "curl,TypeScript,Python"));
  const tabs = (await texts(page, "[role=tab]")).filter((text) => text.startsWith("MCP "));
  const toolsWithoutCall = await texts(page, "[id^=tool-] .path code");
  const tools = [...tabs.map((text) => text.slice(4)), ...toolsWithoutCall];
  assert.deepEqual([...new Set(tools)].sort(), TOOLS.map(({ name }) => name).sort());
  const errors = await texts(page, ".error-entry h2 code");
  assert.deepEqual(
    errors.sort(),
    FAILURE_CODES.filter((code) => code !== "forbidden_origin").sort(),
  );
}

/** Checks that a search finds an error code by its name, and calls by words in any order. */
async function checkSearch(page: Page): Promise<void> {
  await fill(page, "Search the reference", "idempotency_conflict");
  await page.until(`document.querySelectorAll("article").length < 10`);
  assert.equal((await texts(page, "article h2"))[0], "idempotency_conflict 422");
  await fill(page, "Search the reference", "limits usage read");
  await page.until(`document.querySelector("article h2")?.innerText === "Read usage and limits"`);
  await fill(page, "Search the reference", "nothing named zzz");
  await sees(page, "No entry contains all of these words.");
}

/** Checks that every execution has a new request key, over HTTP and over MCP. */
async function checkExecution(page: Page, key: string): Promise<void> {
  await fill(page, "Search the reference", "search_companies companies");
  await sees(page, "Search companies");
  await click(page, "Use the demo key");
  await sees(page, "Calls are tried with your key");
  await click(page, "Forget it");
  await fill(page, "API key, to try calls", key);
  await press(page, "Enter");
  await sees(page, "Calls are tried with your key");
  const used = `document.querySelector("#call-search_companies .used-key")?.innerText`;
  await click(page, "Execute");
  await page.until(`${used} !== undefined`);
  assert.match((await texts(page, ".answer b"))[0]!, /^200$/);
  const first = await page.evaluate<string>(used);
  await click(page, "Execute");
  await page.until(`${used} !== undefined && ${used} !== "${first}"`);
  await click(page, "MCP search_companies");
  await page.until(`${used} === undefined`);
  await click(page, "Execute");
  await page.until(`${used} !== undefined`);
  assert.match(
    (await texts(page, ".answer pre"))[0]!,
    /"structuredContent": \{[^]*A new warehouse with cold storage\./,
  );
}

chromiumTest(
  "/docs sends a request once while it runs, and repeats it with its key after an error",
  async ({ db, sql }: DatabaseCase, chromium) => {
    const { key } = await createCaller(sql);
    await record(sql, [{ observed_fact: "A new warehouse with cold storage." }]);
    const operations = async () =>
      (await sql<{ request_key: string }[]>`select request_key from operations order by id`)
        .map(({ request_key }) => request_key);
    await withConsole(db, async ({ origin }) => {
      await withPage({ chromium, url: `${origin}/docs` }, async (page) => {
        await fill(page, "API key, to try calls", key);
        await press(page, "Enter");
        await sees(page, "Calls are tried with your key");
        for (const [at, tab] of ["HTTP", "MCP search_companies"].entries()) {
          const used = () =>
            page.evaluate<string>(
              `document.querySelector("#call-search_companies .used-key").innerText`,
            );
          await fill(page, "Search the reference", "search_companies companies");
          await click(page, tab);
          await page.evaluate(INTERCEPT);
          await submitThrice(page);
          await page.until("fetches.length === 1");
          // The service has answered, but the answer is lost on its way.
          await page.evaluate("lose()");
          await sees(page, "The service did not answer.");
          const lost = await used();
          await page.evaluate("fetch = intercepted");
          await submitThrice(page);
          await page.until(
            `document.querySelector("#call-search_companies .answer b")?.innerText === "200"`,
          );
          assert.equal(await used(), lost);
          assert.deepEqual((await operations()).slice(at * 2), [lost]);
          // A request that is answered is sent again as another one.
          await submitThrice(page);
          await page.until(
            `document.querySelector("#call-search_companies .used-key")?.innerText !== "${lost}"`,
          );
          await page.until(
            `document.querySelector("#call-search_companies .answer b")?.innerText === "200"`,
          );
          assert.deepEqual((await operations()).slice(at * 2), [lost, await used()]);
        }
      });
    }, { workers: 0 });
  },
);

/** Lets requests reach the service, but holds their answers until lose() drops them. */
const INTERCEPT = `(() => {
  globalThis.intercepted = fetch;
  globalThis.fetches = [];
  const { promise, reject } = Promise.withResolvers();
  promise.catch(() => {});
  globalThis.fetch = async (...request) => {
    await intercepted(...request);
    fetches.push(request);
    return promise;
  };
  globalThis.lose = () => reject(new TypeError("lost"));
})()`;

async function submitThrice(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    const form = document.querySelector("#call-search_companies form.try");
    for (let n = 0; n < 3; n++) form.requestSubmit();
  })()`);
}
