/** A service below a base path. */
import assert from "node:assert/strict";
import { readSettings } from "../../src/config.ts";
import { PAGES } from "../../src/http/pages.ts";
import { ROUTES } from "../../src/http/routes.ts";
import { withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";

const env = { BASE_PATH: "/part/evidence/" };

oneEngineTest("with BASE_PATH, every route exists only below it", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await withApp(db, async ({ app }) => {
    const statusOf = async (method: string, path: string) => {
      const headers = { authorization: `Bearer ${key}` };
      const response = await app.fetch(
        new Request(`http://127.0.0.1${path}`, { method, headers }),
      );
      await response.body?.cancel();
      return response.status;
    };
    const paths = [
      ...ROUTES.map(({ method, path }) => ({ method, path: path.replace(":id", "x") })),
      ...["/", "/healthz", "/readyz", ...PAGES.keys()].map((path) => ({ method: "GET", path })),
      { method: "POST", path: "/mcp" },
    ];
    for (const { method, path } of paths) {
      assert.notEqual(await statusOf(method, `/part/evidence${path}`), 404, path);
      assert.equal(await statusOf(method, path), 404, path);
      assert.equal(await statusOf(method, `/part/evidences${path}`), 404, path);
      if (path === "/") continue;
      assert.equal(await statusOf(method, `/part/evidence${path.slice(1)}`), 404, path);
    }
  }, { env });
});

oneEngineTest("with BASE_PATH, pages link to paths below it", async ({ db }) => {
  await withApp(db, async ({ app }) => {
    const get = (path: string) => app.fetch(new Request(`http://127.0.0.1${path}`));
    const bare = await get("/part/evidence");
    assert.deepEqual([bare.status, bare.headers.get("location")], [308, "/part/evidence/"]);
    const contract = await (await get("/part/evidence/openapi.json")).json();
    assert.deepEqual(contract.servers.map(({ url }: { url: string }) => url), ["/part/evidence"]);
    let links = 0;
    for (const [path, { type }] of PAGES) {
      if (!type.startsWith("text/html")) continue;
      const text = await (await get(`/part/evidence${path}`)).text();
      for (const [, link] of text.matchAll(/\b(?:href|src)="([^"]*)"/g)) {
        if (link!.startsWith("data:")) continue;
        const target = new URL(link!, `http://127.0.0.1/part/evidence${path}`).pathname;
        const response = await get(target);
        await response.body?.cancel();
        assert.equal(response.status, 200, `${path} links to ${link}`);
        links++;
      }
    }
    assert.ok(links >= 3);
  }, { env });
});

Deno.test("readSettings() accepts a base path with or without a slash at its end", () => {
  const read = (BASE_PATH: string) => readSettings({ BASE_PATH }).BASE_PATH;
  assert.deepEqual([read(""), read("/"), read("/a"), read("/a/b-c/")], ["", "", "/a", "/a/b-c"]);
  for (const path of ["a", "//a", "/a//b", "/..", "/a?b", "/a b"]) {
    assert.throws(() => read(path), { message: /^setting BASE_PATH: / }, path);
  }
});
