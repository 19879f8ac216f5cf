/** The typed client in a page of Chromium, which runs the built package against its own origin. */
import assert from "node:assert/strict";
import { verifyUsage } from "../../src/operations/report.ts";
import { withApp } from "../support/app.ts";
import { withPage } from "../support/browser.ts";
import { buildClient } from "../support/client_package.ts";
import { serveApp } from "../support/client_program.ts";
import { chromiumTest } from "../support/chromium_case.ts";
import type { DatabaseCase } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";
import { sees } from "../support/visitor.ts";

/**
 * Program of the page. It searches page by page and in the background, and makes a request that is
 * refused and one that is aborted. It shows the results as JSON.
 */
const PROGRAM = `
import { EvidenceClient, InvalidSearchError } from "/client/client.js";

const client = new EvidenceClient({ url: location.origin, key: KEY });
const names = [];
for await (const page of client.searchPages({ query: "freezer warehouse", limit: 1 })) {
  names.push(...page.companies.map(({ name }) => name));
}
const later = await client.searchCompanies({ query: "freezer warehouse", background: true });
const refused = await client.searchCompanies({ query: "" }).catch((error) => error);
const aborted = await client.getUsage({ signal: AbortSignal.abort() }).catch((error) => error.name);
document.body.innerText = JSON.stringify({
  names: names.sort(),
  later: later.companies.length,
  refused: refused instanceof InvalidSearchError && refused.code,
  aborted,
  used: (await client.getUsage()).usage,
});
`;

const NAME =
  "EvidenceClient searches, follows cursors, polls and throws refusals in a page of Chromium";
chromiumTest(NAME, async ({ db, sql }: DatabaseCase, chromium) => {
  const { key } = await createCaller(sql);
  await record(
    sql,
    ["North", "South"].map((name) => ({
      company: { name },
      observed_fact: "A new freezer warehouse.",
    })),
  );
  const directory = await Deno.makeTempDir({ prefix: "ce-client-" });
  await buildClient(directory);
  await withApp(db, async ({ app }) => {
    await using served = serveApp(app, (request) => fileOf(request, { directory, key }));
    await withPage({ chromium, url: new URL("/page", served.url).href }, async (page) => {
      await sees(page, "fresh_evidence_units");
      const { used, ...shown } = JSON.parse(await page.evaluate("document.body.innerText"));
      assert.deepEqual(shown, {
        names: ["North", "South"],
        later: 2,
        refused: "invalid_search",
        aborted: "AbortError",
      });
      // Three searches were charged: two pages of one company each, and one page of two.
      assert.deepEqual([used.request_units, used.delivered_units], [3, 4]);
    });
  }, { workers: 1 });
  await Deno.remove(directory, { recursive: true });
  assert.deepEqual((await verifyUsage(sql)).differences, []);
});

/**
 * Answers a request for the page or for a module of the package. Returns any other request
 * unchanged, so that the service answers it.
 */
function fileOf(
  request: Request,
  { directory, key }: { directory: string; key: string },
): Response | Request {
  const { pathname } = new URL(request.url);
  if (pathname === "/page") {
    const script = `<script type="module">${PROGRAM.replace("KEY", JSON.stringify(key))}</script>`;
    return new Response(`<!doctype html><title>page</title><body>${script}`, {
      headers: { "content-type": "text/html" },
    });
  }
  if (!pathname.startsWith("/client/")) return request;
  const file = `${directory}/${pathname.slice(8)}`;
  return new Response(Deno.readTextFileSync(file), {
    headers: { "content-type": "text/javascript" },
  });
}
