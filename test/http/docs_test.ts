import assert from "node:assert/strict";
import { operations } from "../support/contract.ts";
import { createContract } from "../../src/http/openapi.ts";
import { withApp } from "../support/app.ts";
import { findChromium, type Page, withPage } from "../support/browser.ts";
import { type DatabaseCase, embeddedTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";

embeddedTest("/docs and what it brings with it are served by themselves", async ({ db }) => {
  await withApp(db, async ({ app }) => {
    const ask = async (path: string, method = "GET") =>
      await app.fetch(new Request(`http://127.0.0.1${path}`, { method }));
    const page = await ask("/docs");
    assert.equal(page.status, 200);
    assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
    assert.match(page.headers.get("content-security-policy")!, /script-src 'self';/);
    assert.ok(page.headers.get("request-id"));
    const parts = [...(await page.text()).matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, at]) =>
      at
    );
    assert.deepEqual(parts.length, 3);
    for (const part of parts) {
      const response = await ask(part!);
      assert.equal(response.status, 200, part);
      assert.match(response.headers.get("content-type")!, /^text\/(css|javascript); /, part);
      await response.body?.cancel();
    }
    const root = await ask("/");
    assert.deepEqual([root.status, root.headers.get("location")], [303, "/docs"]);
    const refused = await ask("/docs", "POST");
    assert.deepEqual([refused.status, refused.headers.get("allow")], [405, "GET, HEAD"]);
    await refused.body?.cancel();
  });
});

const IN_CHROMIUM = "/docs is a searchable reference with a try-it form, in Chromium";
const chromium = findChromium();
if (chromium === undefined) Deno.test({ name: IN_CHROMIUM, ignore: true, fn() {} });
else {
  embeddedTest(IN_CHROMIUM, async ({ db, sql }: DatabaseCase) => {
    const { key } = await createCaller(sql);
    await withApp(db, async ({ app }) => {
      await using server = Deno.serve(
        { hostname: "127.0.0.1", port: 0, onListen() {} },
        (request) => app.fetch(request),
      );
      const origin = `http://127.0.0.1:${server.addr.port}`;
      await withPage({ chromium, url: `${origin}/docs` }, async (page) => {
        await showsEveryOperation(page);
        await searches(page);
        await tries(page, key);
        const outside = page.requests.filter((url) => !url.startsWith("data:"))
          .filter((url) => new URL(url).origin !== origin);
        assert.deepEqual(outside, []);
        assert.ok(page.requests.includes(`${origin}/openapi.json`));
        assert.deepEqual(page.complaints, []);
      });
    });
  });
}

const SHOWN = `[...document.querySelectorAll(".opblock-summary")].map((one) =>
  one.querySelector(".opblock-summary-method").innerText + " " +
  one.querySelector(".opblock-summary-path").dataset.path)`;

async function showsEveryOperation(page: Page): Promise<void> {
  const told = operations(createContract()).map(({ method, path }) => `${method} ${path}`);
  await page.until(`document.querySelectorAll(".opblock-summary").length >= ${told.length}`);
  assert.deepEqual((await page.evaluate<string[]>(SHOWN)).sort(), told.sort());
}

async function searches(page: Page): Promise<void> {
  await page.until(`document.querySelector("input[type=search]") !== null`);
  await page.evaluate(typed("input[type=search]", "usage limits"));
  await page.until(`${SHOWN}.join() === "GET /api/usage"`);
}

/** Gives the key, opens the one operation that the search has left, and sends it. */
async function tries(page: Page, key: string): Promise<void> {
  await page.evaluate(`document.querySelector(".auth-wrapper .authorize").click()`);
  await page.until(`document.querySelector(".modal-ux input") !== null`);
  await page.evaluate(typed(".modal-ux input", key));
  await page.evaluate(`document.querySelector(".modal-ux button.authorize").click()`);
  await page.evaluate(`document.querySelector(".opblock-summary-control").click()`);
  // Answers of the components are there once the renderer has resolved the operation: it can be sent.
  await page.until(
    `document.querySelector(".opblock-body")?.innerText.includes("The API key is missing")`,
  );
  await page.evaluate(`document.querySelector("button.execute").click()`);
  const answer = `document.querySelector(".live-responses-table")?.innerText ?? ""`;
  await page.until(`(${answer}).includes("Response body")`);
  const text = await page.evaluate<string>(answer);
  assert.match(text, /\b200\b/);
  assert.match(text, /"plan": "builder"/);
}

/** Types as a person does: the renderer notices what goes through the element's own setter. */
function typed(selector: string, text: string): string {
  return `(() => {
    const box = document.querySelector(${JSON.stringify(selector)});
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")
      .set.call(box, ${JSON.stringify(text)});
    box.dispatchEvent(new Event("input", { bubbles: true }));
  })()`;
}
