/** Explanations of `ask --explain`: how a question is read, and why companies are charged. */
import assert from "node:assert/strict";
import { explain } from "../../src/commands/explain.ts";
import { UsageError } from "../../src/failures.ts";
import type { Database } from "../../src/db/connect.ts";
import { readSettings } from "../../src/config.ts";
import { oneEngineTest } from "../support/database.ts";
import { record } from "../support/factories.ts";
import { silent } from "../support/operations.ts";

/** Runs the command over an open database. Returns what it prints. */
async function run(db: Database, ...args: string[]): Promise<string> {
  const printed: string[] = [];
  const open = { ...db, close: () => Promise.resolve() };
  const context = {
    settings: readSettings(),
    log: silent,
    database: () => Promise.resolve(open as Database),
  };
  assert.equal(await explain(args, context, (text) => printed.push(text)), 0);
  return printed.join("\n");
}

oneEngineTest("ask --explain says why each company is charged or not", async ({ db, sql }) => {
  await record(sql, [
    { observed_fact: "A crane is wanted.", company: { name: "North" } },
    { observed_fact: "A crane is wanted.", country: "US", company: { name: "South" } },
    { observed_fact: "A dock is wanted.", company: { name: "East" } },
  ]);
  const words = ["tower", "crane", "in", "Canada", "not", "docks"];
  const { question, companies } = JSON.parse(await run(db, "--json", "crane in Canada"));
  assert.deepEqual(question.units.map(({ text }: { text: string }) => text), ["crane", "canada"]);
  assert.deepEqual(question.conditions.map(({ on }: { on: string }) => on), ["place"]);
  const verdict = (one: Record<string, string>) => [one.name, one.verdict, one.contradicts];
  const verdicts = [["North", "charged", undefined], ["South", "contradicts", [0]]];
  assert.deepEqual(companies.map(verdict), verdicts);
  // The condition of the time comes first.
  const two = JSON.parse(await run(db, "--json", "crane in Canada before 2020")).companies;
  assert.deepEqual(two.map(verdict), [
    ["North", "contradicts", [0]],
    ["South", "contradicts", [0, 1]],
  ]);

  const poor = JSON.parse(await run(db, "--json", "crane quarry excavator lorry")).companies;
  assert.deepEqual(poor.map(({ verdict }: { verdict: string }) => verdict), [
    "not charged",
    "not charged",
  ]);

  const first = JSON.parse(await run(db, "--json", "--limit", "1", "crane"));
  assert.deepEqual(first.companies.map(({ name }: { name: string }) => name), ["North"]);
  const text = await run(db, ...words);
  assert.match(text, /^UNIT +WEIGHT +WAYS/);
  assert.match(text, /^condition 1 +place: CA$/m);
  assert.match(text, /^excluded +docks$/m);
  assert.match(text, /^North +(not )?charged +0\.\d{3} +\d\.\d{2}/m);
  assert.match(text, /^South +contradicts 1 /m);
  for (const refused of ["not construction", "export all companies"]) {
    await assert.rejects(run(db, refused), /This service|unsupported|does not/, refused);
  }
  for (const args of [[], ["--limit", "0", "x"], ["--key", "ce_", "x"], ["x".repeat(501)]]) {
    await assert.rejects(run(db, ...args), UsageError, args.join(" "));
  }
});
