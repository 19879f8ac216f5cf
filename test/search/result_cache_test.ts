import assert from "node:assert/strict";
import { ResultCache } from "../../src/search/retriever.ts";

Deno.test("ResultCache finds once in one state, and again in the next", async () => {
  const state: object[] = [{}];
  let times = 0;
  const remembered = new ResultCache<number>(() => [...state]);
  const find = () => Promise.resolve(++times);
  assert.deepEqual(
    [await remembered.get("a", find), await remembered.get("b", find)],
    [1, 2],
  );
  assert.deepEqual(
    [await remembered.get("a", find), await remembered.get("b", find)],
    [1, 2],
  );
  state[0] = {};
  assert.equal(await remembered.get("a", find), 3);
});

Deno.test("ResultCache keeps nothing that was found while the state changed", async () => {
  const state: object[] = [{}];
  const remembered = new ResultCache<string>(() => [...state]);
  const half = await remembered.get("a", () => {
    state[0] = {};
    return Promise.resolve("half");
  });
  const whole = await remembered.get("a", () => Promise.resolve("whole"));
  assert.deepEqual([half, whole], ["half", "whole"]);
});

Deno.test("ResultCache keeps no failure, and forgets the oldest of 256 results", async () => {
  const remembered = new ResultCache<string>(() => []);
  await assert.rejects(remembered.get("a", () => Promise.reject(new Error("away"))), /away/);
  assert.equal(await remembered.get("a", () => Promise.resolve("first")), "first");
  for (let n = 0; n < 256; n++) await remembered.get(`other ${n}`, () => Promise.resolve("other"));
  assert.equal(await remembered.get("a", () => Promise.resolve("again")), "again");
  assert.equal(await remembered.get("other 255", () => Promise.resolve("lost")), "other");
});
