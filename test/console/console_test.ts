/** A person's walk through the console in Chromium, at two widths and in both themes. */
import assert from "node:assert/strict";
import { revokeApiKey } from "../../src/accounts/key.ts";
import { type Sql } from "../../src/db/connect.ts";
import { verifyUsage } from "../../src/operations/report.ts";
import { assertPresentable } from "../support/axe.ts";
import { type Page, withPage } from "../support/browser.ts";
import { type ConsoleWorld, recordPartOfDemo, withConsole } from "../support/console_world.ts";
import { chromiumTest } from "../support/chromium_case.ts";
import type { DatabaseCase } from "../support/database.ts";
import { createCaller, type TestCaller } from "../support/factories.ts";
import { choose, click, fill, type Look, lookAt, press, sees, texts } from "../support/visitor.ts";

/** Context of a walk through the console. */
interface Walk extends ConsoleWorld {
  page: Page;
  sql: Sql;
  caller: TestCaller;
  /** Checks the page for accessibility and width. */
  look(name: string): Promise<void>;
}

const LOOKS: Look[] = [
  { width: 1280, height: 900, theme: "light" },
  { width: 390, height: 844, theme: "dark" },
];

const NAME = "the console takes a person from sign-in to a revoked key, in Chromium";
for (const look of LOOKS) {
  chromiumTest(`${NAME}, ${look.width}`, async ({ db, sql }: DatabaseCase, chromium) => {
    await recordPartOfDemo(db);
    await withConsole(db, (world) => walk(look, { ...world, sql, chromium }));
    assert.deepEqual((await verifyUsage(sql)).differences, []);
  });
}

async function walk(
  look: Look,
  { chromium, ...world }: ConsoleWorld & { sql: Sql; chromium: string },
): Promise<void> {
  const caller = await createCaller(world.sql);
  const { origin } = world;
  await withPage({ chromium, url: `${origin}/` }, async (page) => {
    await lookAt(page, look);
    const here: Walk = {
      ...world,
      page,
      caller,
      look: (name) => assertPresentable(page, look, name),
    };
    for (const step of STEPS) {
      try {
        await step(here);
      } catch (error) {
        const picture = Deno.makeTempFileSync({ prefix: "ce-console-", suffix: ".png" });
        Deno.writeFileSync(picture, await page.screenshot());
        throw new Error(`${step.name} at ${look.width}: ${picture}`, { cause: error });
      }
    }
    // The browser loads the pictures of its controls from data: addresses.
    const outside = page.requests.filter((url) =>
      !url.startsWith("data:") && new URL(url).origin !== origin
    );
    assert.deepEqual(outside, []);
    assert.deepEqual(page.requests.filter((url) => url.includes(caller.key)), []);
    // The walk causes refusals with 401 and 422. The browser must log no other error or warning.
    const expected = /^Failed to load resource: the server responded with a status of 4(01|22) /;
    assert.deepEqual(page.complaints.filter((one) => !expected.test(one)), []);
  });
}

const STEPS: readonly ((walk: Walk) => Promise<void>)[] = [
  signIn,
  search,
  openEvidence,
  useTimeline,
  replay,
  nextPage,
  searchInBackground,
  follow,
  lookUp,
  readAllowance,
  connectAgent,
  meetError,
  loseKey,
];

async function signIn({ page, caller, look }: Walk): Promise<void> {
  await sees(page, "Sign in with a key");
  await look("sign-in");
  await fill(page, "API key", "ce_mistyped");
  await press(page, "Enter");
  await sees(page, "This key does not work.");
  await look("sign-in-refused");
  await fill(page, "API key", caller.key);
  await press(page, "Enter");
  await sees(page, "Search companies");
  await page.until(`document.activeElement.tagName === "MAIN"`);
  assert.equal(await page.evaluate("sessionStorage.length"), 0);
  await look("start");
}

const ANSWERED = `document.querySelector(".request .cost")?.innerText`;

async function search({ page, caller, sql, look }: Walk): Promise<void> {
  await click(page, "Filters and options");
  await choose(page, "Companies per page", "3");
  await click(page, "Canada");
  await look("filters");
  await fill(page, "What are you looking for?", "cold storage");
  await press(page, "Enter");
  await page.until(`${ANSWERED} === "1 request + 3 delivered"`);
  const key = await page.evaluate<string>(`document.querySelector(".key code").innerText`);
  const [stored] = await sql<{ delivered_units: number; filters: object }[]>`
    select delivered_units, inputs->'filters'->'countries' as filters from operations
    where account_id = ${caller.account_id} and request_key = ${key}
  `;
  assert.deepEqual({ ...stored }, { delivered_units: 3, filters: ["CA"] });
  assert.deepEqual(await texts(page, ".company:first-of-type .match"), [
    "Best match",
    "Also matched",
    "Also matched",
  ]);
  assert.ok((await texts(page, ".company mark")).includes("cold"));
  await look("search");
}

async function openEvidence({ page, sql, look }: Walk): Promise<void> {
  await click(page, "Evidence");
  await page.until(`document.querySelector("blockquote")?.checkVisibility() === true`);
  const shown = await page.evaluate<{ id: number; excerpt: string; uri: string; rel: string }>(
    `(() => {
      const entry = document.querySelector(".observation:has(details[open])");
      const link = entry.querySelector("blockquote a");
      const excerpt = entry.querySelector("blockquote p").textContent;
      return { id: Number(entry.dataset.observation), excerpt, uri: link.href, rel: link.rel };
    })()`,
  );
  const [{ evidence }] = await sql<[{ evidence: [{ excerpt: string; source_uri: string }] }]>`
    select json_agg(e order by e.id) as evidence from evidence e
    where e.observation_id = ${shown.id}
  `;
  assert.deepEqual(shown, {
    id: shown.id,
    excerpt: evidence[0].excerpt,
    uri: evidence[0].source_uri,
    rel: "noreferrer noopener",
  });
  await look("evidence");
}

/** Uses a mark of the timeline by keyboard. */
async function useTimeline({ page }: Walk): Promise<void> {
  const marks = `[...document.querySelectorAll(".company:last-of-type .mark-button")]`;
  const label = await page.evaluate<string>(`(${marks}.at(-1).focus(), ${marks}.at(-1).ariaLabel)`);
  await press(page, "Enter");
  await page.until(`document.activeElement.tagName === "SUMMARY"`);
  const fact = await page.evaluate<string>(`document.activeElement.closest(".observation")
    .querySelector(".fact").innerText`);
  assert.ok(label.endsWith(fact), `${label} | ${fact}`);
  await page.until(`document.activeElement.parentElement.open`);
}

async function replay({ page, sql, caller, look }: Walk): Promise<void> {
  const before = await settlements(sql, caller);
  await click(page, "Send it again, same key");
  await sees(page, "Answered from the same operation");
  await sees(page, "Charged this time: 0 requests, 0 delivered.");
  assert.deepEqual(await settlements(sql, caller), before);
  await look("replay");
}

async function settlements(sql: Sql, { account_id }: TestCaller): Promise<unknown> {
  return [
    ...await sql`
    select l.* from ledger l join operations o on o.id = l.operation_id
    where o.account_id = ${account_id} order by l.id`,
  ];
}

async function nextPage({ page, sql, caller, look }: Walk): Promise<void> {
  const first = await page.evaluate<string>(`document.querySelector(".key code").innerText`);
  await click(page, "Next page");
  await page.until(`document.querySelectorAll("article.company").length > 3`);
  const second = await page.evaluate<string>(`document.querySelector(".key code").innerText`);
  assert.notEqual(second, first);
  const [{ delivered }] = await sql<[{ delivered: number }]>`
    select sum(delivered_units)::integer as delivered from operations
    where account_id = ${caller.account_id}
  `;
  assert.equal(new Set(await texts(page, "article.company h2")).size, delivered);
  await click(page, "The same as a table");
  await look("pages");
}

async function searchInBackground({ page, polls, look }: Walk): Promise<void> {
  await click(page, "Filters and options");
  await click(page, "Search in the background");
  await fill(page, "What are you looking for?", "hiring engineers");
  polls.hold();
  await press(page, "Enter");
  await sees(page, "Working in the background");
  await page.until(`document.querySelector(".pill").textContent === "1 in the background"`);
  await look("background");
  polls.release();
  await page.until(`/^1 request \\+ \\d+ delivered$/.test(${ANSWERED})`);
  await click(page, "Filters and options");
  await click(page, "Search in the background");
}

async function follow({ page, sql, look }: Walk): Promise<void> {
  const [{ hostname }] = await sql<[{ hostname: string }]>`
    select hostname from domains order by id limit 1
  `;
  await click(page, "Follow");
  await fill(page, "Domains", `https://${hostname}/about nowhere.example`);
  await sees(page, "2 domains recognized.");
  await click(page, "List observations");
  await sees(page, "observations of 1 company");
  assert.match((await texts(page, ".notice"))[0]!, /^No coverage yet: ?nowhere\.example/);
  assert.ok((await texts(page, ".timeline-kind")).includes("Profile"));
  await look("follow");
}

async function lookUp({ page, look }: Walk): Promise<void> {
  await click(page, "Look up");
  await fill(page, "Domains, or company ids", "1 north.example");
  await sees(page, "Either domains or ids: look them up one after the other.");
  await page.until(`document.activeElement.form.querySelector(".primary").disabled`);
  await fill(page, "Domains, or company ids", "1 999999999");
  await press(page, "Tab");
  await press(page, "Enter");
  await page.until(`document.querySelectorAll(".outcomes li").length === 2`);
  assert.deepEqual(await texts(page, ".outcomes li"), ["1 found", "999999999 no coverage yet"]);
  await look("lookup");
}

async function readAllowance({ page, look }: Walk): Promise<void> {
  await click(page, "Activity");
  await sees(page, "replayed 1×, free");
  await look("activity");
  await click(page, "Allowance");
  // The plan allows 120 requests. Two pages, a background search, a listing and a lookup used five.
  await sees(page, "115 of 120 left");
  assert.deepEqual(
    await page.evaluate(
      `[...document.querySelectorAll("[role=meter]")].slice(0, 1).map((one) => one.ariaValueText)`,
    ),
    ["5 of 120 used"],
  );
  assert.equal((await texts(page, ".panel .quiet"))[0]!.slice(0, 11), "Renewed in ");
  await look("allowance");
}

async function connectAgent({ page, origin, caller, look }: Walk): Promise<void> {
  await click(page, "Connect your agent");
  await sees(page, `claude mcp add --transport http company-evidence ${origin}/mcp`);
  assert.equal(await page.evaluate(`document.body.innerText.includes("${caller.key}")`), false);
  await look("agents");
}

async function meetError({ page, look }: Walk): Promise<void> {
  await click(page, "Search");
  await fill(page, "What are you looking for?", "e-mail addresses of buyers");
  await press(page, "Enter");
  await sees(page, "This service does not answer such questions.");
  assert.equal(await page.evaluate(ANSWERED), "nothing charged");
  await look("error");
}

async function loseKey({ page, sql, caller, look }: Walk): Promise<void> {
  await revokeApiKey(sql, caller.key_id);
  await fill(page, "What are you looking for?", "harbours");
  await press(page, "Enter");
  await sees(page, "This key does not work.");
  await sees(page, "Sign in with a key");
  assert.deepEqual(await texts(page, ".company"), []);
  await look("revoked");
}
