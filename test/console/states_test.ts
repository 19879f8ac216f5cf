/**
 * The states of the console in Chromium: empty, loading, error and results, at the narrowest and
 * the widest window and in both themes, with records that are hard to show.
 */
import assert from "node:assert/strict";
import { accessibilityFaults, assertPresentable } from "../support/axe.ts";
import { type Page, withPage } from "../support/browser.ts";
import { chromiumTest } from "../support/chromium_case.ts";
import { withConsole } from "../support/console_world.ts";
import { createCaller, record } from "../support/factories.ts";
import { rpc, toolCall } from "../support/mcp.ts";
import {
  click,
  enterKey,
  fill,
  type Look,
  lookAt,
  press,
  sees,
  texts,
} from "../support/visitor.ts";
import type { Sql } from "../../src/db/connect.ts";

const LOOKS: Look[] = [
  { width: 360, height: 800, theme: "light" },
  { width: 1600, height: 1000, theme: "dark" },
];

const LONG_WORD = "x".repeat(6_000);
const RIGHT_TO_LEFT = "شركة التخزين (2024)";

/** Records three companies: one with an endless word, one with an Arabic name, one plain. */
async function recordHard(sql: Sql): Promise<void> {
  await record(sql, [
    {
      external_id: "long",
      observed_fact: "Cold storage in a new warehouse.",
      why_it_may_matter: `Halls need racking ${LONG_WORD}`.slice(0, 400),
      company: { name: `Cold ${"Warehouse".repeat(20)}` },
      evidence: [{
        source_uri: `https://news.example/${"p".repeat(1_000)}`,
        excerpt: `Cold storage ${LONG_WORD}`,
      }],
    },
    {
      external_id: "arabic",
      observed_fact: "A warehouse with cold storage opens in Ontario.",
      company: { name: RIGHT_TO_LEFT },
    },
    {
      external_id: "plain",
      observed_fact: `A warehouse for storage ${LONG_WORD}.`,
      company: { name: "Plain Foods" },
    },
  ]);
}

/** Prepares the page so that answers never come, or are lost, until \`restore()\`. */
const NEVER = `(globalThis.restore ??= ((real) => () => globalThis.fetch = real)(fetch),
  globalThis.fetch = () => new Promise(() => {}))`;
const LOST = `(globalThis.fetch = () => Promise.reject(new TypeError("lost")))`;

async function ask(page: Page, query: string): Promise<void> {
  await fill(page, "What are you looking for?", query);
  await press(page, "Enter");
}

/** Registers a test of a page of the console. There are a caller and the records of recordHard(). */
function pageTest(
  name: string,
  body: (opened: { page: Page; origin: string; key: string }) => Promise<void>,
  { path = "" } = {},
): void {
  chromiumTest(name, async ({ db, sql }, chromium) => {
    await recordHard(sql);
    const { key } = await createCaller(sql);
    await withConsole(db, async ({ origin }) => {
      const url = `${origin}/${path}`;
      await withPage({ chromium, url }, (page) => body({ page, origin, key }));
    }, { workers: 0 });
  });
}

chromiumTest("every state of the console fits 360 and 1,600 pixels", async (one, chromium) => {
  const { db, sql } = one;
  await recordHard(sql);
  const { key } = await createCaller(sql);
  await withConsole(db, async ({ origin }) => {
    for (const look of LOOKS) {
      await withPage({ chromium, url: `${origin}/` }, async (page) => {
        await lookAt(page, look);
        const check = (name: string) => assertPresentable(page, look, name);
        await sees(page, "Sign in with a key");
        await check("signed-out");
        await enterKey(page, key);
        await sees(page, "Search companies");
        await check("start");
        await page.evaluate(NEVER);
        await ask(page, "cold storage warehouse, answered late");
        await page.until(`document.querySelector(".skeleton") !== null`);
        await check("loading");
        await page.evaluate(LOST);
        await ask(page, "cold storage warehouse, not answered");
        await sees(page, "The service did not answer.");
        assert.equal((await texts(page, ".request .cost"))[0], "charged at most once");
        await check("error");
        await page.evaluate("restore()");
        await ask(page, "zzqqxxyy");
        await sees(page, "No company was found");
        await check("empty");
        await ask(page, "warehouse with storage");
        await page.until(`document.querySelectorAll("article.company").length === 3`);
        await page.evaluate(
          `document.querySelectorAll(".observation details").forEach((one) => one.open = true)`,
        );
        await check("results");
        await click(page, "Rows");
        await page.until(`document.querySelectorAll(".rows tbody tr").length === 3`);
        await check("rows");
        await click(page, "Cards");
        await click(page, "Activity");
        await check("activity");
      });
    }
  }, { workers: 0 });
});

pageTest(
  "the console says why each record matched, and what the answer cost",
  async ({ page, key }) => {
    await lookAt(page, LOOKS[1]!);
    await enterKey(page, key);
    await sees(page, "Search companies");
    await ask(page, "warehouse with storage in Ontario since 2020");
    await page.until(`document.querySelectorAll("article.company").length > 0`);
    const why = await page.evaluate<Record<string, string>>(`Object.fromEntries(
          [...document.querySelectorAll("article.company")].map((one) =>
            [one.ariaLabel.slice(0, 5), one.querySelector(".match-words").innerText
              .replace(/\\s+/g, " ")]))`);
    assert.deepEqual(why, {
      [RIGHT_TO_LEFT.slice(0, 5)]: "Meets “warehouse”, “storage”, “Ontario”, “since 2020”",
    });
    // The allowance is asked for after the answer.
    await sees(
      page,
      "Paid: 1 request and 1 company. Left in this window: 119 requests and 999 companies.",
    );
    // Each name keeps its own direction, so that the rank before it stays in its place.
    const directions = await page.evaluate<string[]>(
      `[...document.querySelectorAll("article.company h2 bdi")]
            .map((one) => one.innerText === "${RIGHT_TO_LEFT}" && one.matches(":dir(rtl)"))`,
    );
    assert.equal(directions.filter(Boolean).length, 1);
  },
);

pageTest("filters stay open while they are set", async ({ page, key }) => {
  await lookAt(page, LOOKS[1]!);
  await enterKey(page, key);
  await click(page, "Filters and options");
  for (const choice of ["Canada", "United States", "Procurement request"]) {
    await click(page, choice);
  }
  await fill(page, "Only these domains", "north.example");
  await sees(page, "3 active");
  await page.until(`document.querySelector("details.filters").open`);
  await click(page, "Follow");
  await click(page, "Kinds");
  await click(page, "Job posting");
  await sees(page, "1 chosen");
  await page.until(`[...document.querySelectorAll("details.filters")].at(-1).open`);
});

pageTest("results are printed whole, with their evidence", async ({ page, key }) => {
  await lookAt(page, { width: 720, height: 1000, theme: "dark" });
  await enterKey(page, key);
  await ask(page, "warehouse with cold storage");
  await page.until(`document.querySelectorAll("article.company").length === 3`);
  await page.evaluate(`dispatchEvent(new Event("beforeprint"))`);
  await page.send("Emulation.setEmulatedMedia", { media: "print" });
  await page.until(`getComputedStyle(document.querySelector(".paper")).display === "block"`);
  assert.deepEqual(await texts(page, ".paper"), ["Question: warehouse with cold storage"]);
  assert.equal((await texts(page, "blockquote p")).length, 3);
  for (const hidden of [".top", ".tabs-bar", ".request", "form.search", ".views"]) {
    assert.deepEqual(await texts(page, hidden), [], hidden);
  }
  assert.equal(
    await page.evaluate("getComputedStyle(document.documentElement).backgroundColor"),
    "rgb(255, 255, 255)",
  );
  await page.evaluate(`dispatchEvent(new Event("afterprint"))`);
  await page.send("Emulation.setEmulatedMedia", { media: "screen" });
  await page.until(`document.querySelector(".observation details").open === false`);
  await click(page, "Rows");
  await page.until(`document.querySelector(".rows") !== null`);
  await page.send("Emulation.setEmulatedMedia", { media: "print" });
  const cut = await page.evaluate(`(() => {
        const { scrollWidth } = document.documentElement;
        const { overflowX } = getComputedStyle(document.querySelector(".rows"));
        return { overflowX, isCut: scrollWidth > innerWidth };
      })()`);
  assert.deepEqual(cut, { overflowX: "visible", isCut: false });
});

pageTest("the page for agents needs no key, and says how to get one", async ({ page, origin }) => {
  await lookAt(page, LOOKS[0]!);
  await click(page, "Connect your agent");
  await sees(page, `claude mcp add --transport http company-evidence ${origin}/mcp`);
  await sees(page, "After you have signed in, copying inserts your key.");
  assert.deepEqual(await accessibilityFaults(page), []);
  assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 360);
  await click(page, "Sign in");
  await sees(page, "Sign in with a key");
});

pageTest("dates and numbers have the reader's form", async ({ page }) => {
  await page.send("Emulation.setLocaleOverride", { locale: "de-DE" });
  await page.send("Emulation.setTimezoneOverride", { timezoneId: "Europe/Berlin" });
  const shown = `import("./console/words.js?german").then(({ count, day, moment, month }) => [
        day("2026-03-01T00:00:00Z"),
        moment("2026-03-01T18:05:00Z"),
        month("2026-03-01T00:00:00Z"),
        count(1234567, "request"),
      ])`;
  assert.deepEqual(await page.evaluate(shown), [
    "1. März 2026",
    "1. März 2026, 19:05",
    "März 2026",
    "1.234.567 requests",
  ]);
});

pageTest("an operation of an agent opens as its page", async ({ page, origin, key }) => {
  const operation = await searchAsAgent(origin, key);
  await lookAt(page, LOOKS[1]!);
  await enterKey(page, key);
  await fill(page, "Open an operation by its number", String(operation));
  await press(page, "Enter");
  await page.until(`location.hash === "#/observations/${operation}"`);
  await page.until(`document.querySelectorAll("article.company").length === 3`);
  assert.deepEqual(await accessibilityFaults(page), []);
  assert.match((await texts(page, ".paid"))[0]!, /^Paid: 1 request and 3 observations\./);
}, { path: "#activity" });

/** Searches for observations over MCP. Returns the number of the operation. */
async function searchAsAgent(origin: string, key: string): Promise<number> {
  const call = toolCall("search_observations", {
    query: "warehouse storage",
    request_key: "agent",
  });
  const { body } = await rpc({ fetch: (request) => fetch(request) }, call, {
    key,
    url: `${origin}/mcp`,
  });
  return body.result.structuredContent.usage.id;
}
