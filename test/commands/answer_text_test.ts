import assert from "node:assert/strict";
import { answerText } from "../../src/commands/answer_text.ts";
import { runAdmin } from "../support/admin.ts";
import { oneEngineTest } from "../support/database.ts";

Deno.test("an answer has lines for its values, and tables for its lists", () => {
  const answer = {
    account_id: 1234,
    name: "Acme\u001b[2J",
    is_demo: false,
    created_at: new Date("2026-11-27T08:30:59Z"),
    current_period_end: "2026-12-27T08:30:59.123Z",
    limits: { request_units: 12345, window_seconds: 3600 },
    keys: [
      { key_id: 7, name: "staging", last_used_on: null, uses: 5 },
      { key_id: 12345, name: "", last_used_on: "2026-11-26", uses: 1500 },
    ],
    feeds: [],
  };
  assert.equal(
    answerText(answer),
    [
      "account id             1234",
      "name                   Acme\uFFFD[2J",
      "is demo                no",
      "created at             2026-11-27 08:30 UTC",
      "current period end     2026-12-27 08:30 UTC",
      "limits: request units  12,345",
      "limits: window         3,600 s",
      "",
      "keys:",
      "key id  name     last used on   uses",
      "     7  staging  –                 5",
      " 12345  –        2026-11-26    1,500",
      "",
      "no feeds",
    ].join("\n"),
  );
});

Deno.test("an answer shows numbers of companies, merges and records as commands take them", () => {
  for (const name of ["id", "company", "observation", "merge", "kept", "merged"]) {
    assert.equal(answerText({ [name]: 12345 }), `${name}  12345`);
  }
});

oneEngineTest(
  "admin prints a table at a terminal, and JSON in a pipe or on request",
  async ({ db }) => {
    const list = ["plan", "list"];
    const table = (await runAdmin(db, list, { draws: true })).text.split("\n");
    assert.deepEqual(table.map((line) => line.split(/ {2,}/)[0]), [
      "name",
      "builder",
      "demo",
      "professional",
    ]);
    assert.match(table[1]!, /3,600 s/);
    const piped = (await runAdmin(db, list)).text;
    assert.equal((await runAdmin(db, [...list, "--json"], { draws: true })).text, piped);
    assert.equal(JSON.parse(piped).plans.length, 3);
  },
);
