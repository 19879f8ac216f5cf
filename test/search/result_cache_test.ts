import assert from "node:assert/strict";
import { ResultCache } from "../../src/search/retriever.ts";

Deno.test("ResultCache computes a result once per state", async () => {
  const state: object[] = [{}];
  let times = 0;
  const cache = new ResultCache<number>(() => [...state]);
  const find = () => Promise.resolve(++times);
  assert.deepEqual(
    [await cache.get("a", find), await cache.get("b", find)],
    [1, 2],
  );
  assert.deepEqual(
    [await cache.get("a", find), await cache.get("b", find)],
    [1, 2],
  );
  state[0] = {};
  assert.equal(await cache.get("a", find), 3);
});

Deno.test("ResultCache does not keep a result if the state changed during the computation", async () => {
  const state: object[] = [{}];
  const cache = new ResultCache<string>(() => [...state]);
  const half = await cache.get("a", () => {
    state[0] = {};
    return Promise.resolve("half");
  });
  const whole = await cache.get("a", () => Promise.resolve("whole"));
  assert.deepEqual([half, whole], ["half", "whole"]);
});

Deno.test("ResultCache keeps no failures, and at most 256 results", async () => {
  const cache = new ResultCache<string>(() => []);
  await assert.rejects(cache.get("a", () => Promise.reject(new Error("away"))), /away/);
  assert.equal(await cache.get("a", () => Promise.resolve("first")), "first");
  for (let n = 0; n < 256; n++) await cache.get(`other ${n}`, () => Promise.resolve("other"));
  assert.equal(await cache.get("a", () => Promise.resolve("again")), "again");
  assert.equal(await cache.get("other 255", () => Promise.resolve("lost")), "other");
});
