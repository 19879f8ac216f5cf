/** Pages that need no key: their content, methods and security policy. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { withConsole } from "../support/console_world.ts";
import { oneEngineTest } from "../support/database.ts";
import { withApp } from "../support/app.ts";

oneEngineTest("the console and the reference are served with all their parts", async ({ db }) => {
  await withApp(db, async ({ app }) => {
    const ask = async (path: string, method = "GET") =>
      await app.fetch(new Request(`http://127.0.0.1${path}`, { method }));
    for (const path of ["/", "/docs"]) {
      const page = await ask(path);
      assert.equal(page.status, 200);
      assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
      assert.ok(page.headers.get("request-id"));
      const text = await page.text();
      assertPolicy(page.headers.get("content-security-policy")!, text);
      for (const [, part] of text.matchAll(/(?:src|href)="(console\/[^"]*)"/g)) {
        const response = await ask(`/${part}`);
        assert.equal(response.status, 200, part);
        const type = response.headers.get("content-type")!;
        assert.match(type, /^(text\/(css|javascript); charset=utf-8|image\/svg\+xml)$/, part);
        await response.body?.cancel();
      }
      const refused = await ask(path, "POST");
      assert.deepEqual([refused.status, refused.headers.get("allow")], [405, "GET, HEAD"]);
      await refused.body?.cancel();
    }
    const tools = await (await ask("/docs/tools.json")).json();
    assert.equal(tools.length, 8);
  });
});

/** Asserts that the policy allows only scripts of the service, and the import map by its hash. */
function assertPolicy(policy: string, text: string): void {
  const [, map] = /<script type="importmap">([^]*?)<\/script>/.exec(text)!;
  const hash = createHash("sha256").update(map!).digest("base64");
  assert.ok(policy.includes(`script-src 'self' 'sha256-${hash}';`), policy);
  assert.match(policy, /^default-src 'none';/);
  assert.doesNotMatch(policy, /unsafe|\*|https?:|data:/);
  const scripts = [...text.matchAll(/<script(?![^>]*\bsrc=)[^>]*>/g)].map(([tag]) => tag);
  assert.deepEqual(scripts, [`<script type="importmap">`]);
  assert.doesNotMatch(text, /<style|\bstyle=|\bon\w+=/);
}

oneEngineTest("every page answers HEAD as it answers GET, without a body", async ({ db }) => {
  await withConsole(db, async ({ origin }) => {
    for (const path of ["/", "/docs", "/openapi.json", "/docs/tools.json", "/console/style.css"]) {
      const [got, head] = await Promise.all(
        ["GET", "HEAD"].map((method) => fetch(origin + path, { method })),
      );
      assert.equal(head!.status, 200, path);
      assert.equal(await head!.text(), "");
      for (const name of ["content-type", "etag", "content-security-policy", "content-encoding"]) {
        assert.equal(head!.headers.get(name), got!.headers.get(name), `${path} ${name}`);
      }
      await got!.body?.cancel();
    }
    const plain = { "accept-encoding": "identity" };
    const sizes = await Promise.all(["GET", "HEAD"].map(async (method) => {
      const response = await fetch(`${origin}/docs`, { method, headers: plain });
      const { byteLength } = await response.arrayBuffer();
      return [Number(response.headers.get("content-length")), byteLength];
    }));
    assert.equal(sizes[0]![0], sizes[0]![1]);
    assert.deepEqual(sizes[1], [sizes[0]![0], 0]);
  }, { workers: 0 });
});

/** Headers of requests that use another host name, or come through a proxy or from another site. */
const REFUSED: Record<string, HeadersInit> = {
  "another name": { host: "evil.example" },
  "a name that begins like this machine's": { host: "127.0.0.1.evil.example" },
  ...Object.fromEntries(
    "forwarded via x-forwarded-for x-forwarded-host x-forwarded-proto x-real-ip".split(" ")
      .map((name) => [name, { [name]: "203.0.113.7" }]),
  ),
  "a page of another site": { "sec-fetch-site": "cross-site" },
  "a page of another port": { "sec-fetch-site": "same-site" },
};

oneEngineTest("the demo's key is only shown to requests from this machine", async ({ db }) => {
  const demo_key = () => Promise.resolve("ce_demo");
  await withApp(db, async ({ app }) => {
    const ask = async (headers: HeadersInit, host = "127.0.0.1:8080") => {
      const request = new Request(`http://${host}/console/demo_key`, { headers });
      return await (await app.fetch(request)).json();
    };
    for (const host of ["127.0.0.1:8080", "localhost", "[::1]:8080"]) {
      for (const site of ["same-origin", "none"]) {
        const headers = { host, "sec-fetch-site": site };
        assert.deepEqual(await ask(headers, host), { demo_key: "ce_demo" }, host);
      }
    }
    for (const [who, headers] of Object.entries(REFUSED)) {
      assert.deepEqual(await ask(headers), { demo_key: null }, who);
    }
    assert.deepEqual(await ask({}, "evil.example"), { demo_key: null });
    const { headers } = await app.fetch(new Request("http://127.0.0.1/console/demo_key"));
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("cross-origin-resource-policy"), "same-origin");
  }, { demo_key });
  await withApp(db, async ({ ask }) => {
    assert.deepEqual((await ask("/console/demo_key")).body, { demo_key: null });
  });
});
