/** Tests that `ingest` names every loss of a damaged file. */
import assert from "node:assert/strict";
import type { Database } from "../../src/db/connect.ts";
import { runIngest } from "../support/command.ts";
import { countsOf } from "../support/counts.ts";
import { oneEngineTest } from "../support/database.ts";
import { sourceRecord } from "../support/factories.ts";
import { csv as solicitations } from "../support/toronto_solicitations.ts";

/** Ingests a text as standard input. */
async function ingested({ db }: { db: Database }, text: string, args: string[] = []) {
  const stdin = new Blob([text]).stream();
  const { printed, ...outcome } = await runIngest([...args, "-"], { db, stdin });
  return { ...outcome, counts: JSON.parse(printed) };
}

oneEngineTest("ingest records the rows before a cut in the last row, and says so", async (t) => {
  const rows = solicitations({ number: "4041093476" }, { number: "4041093477" });
  const cut = rows.slice(0, rows.lastIndexOf("2026-08-31"));
  const { messages, ...outcome } = await ingested(t, cut, ["--format", "toronto"]);
  assert.deepEqual(outcome, {
    exit_code: 1,
    counts: countsOf({ read: 2, recorded: 1, rejected: 1, doubtful: 1 }),
  });
  assert.match(messages[0]!, /"line":3,"reason":"the row has a quote that is not closed"/);
  assert.equal(messages.at(-1), "-: the file ends within a record; 2 records were read before");
});

oneEngineTest("ingest names a doubtful row that it reads, and returns exit code 1", async (t) => {
  const rows = solicitations(
    { number: "4041093476", description: "Supply of steel pipes" },
    { number: "4041093477" },
  ).replace("Supply of steel", 'Supply of 12" steel') + solicitations().slice(1);
  const { messages, ...outcome } = await ingested(t, rows, ["--format", "toronto"]);
  const counts = countsOf({ read: 3, recorded: 2, left_out: 1, doubtful: 1 });
  assert.deepEqual(outcome, { exit_code: 1, counts });
  assert.deepEqual(messages, [
    "-: left out 1: the header line again",
    "-: doubtful 1: line 2: the row has a quote in a quoted cell that is not doubled",
  ]);
  const dry = await ingested(t, rows, ["--format", "toronto", "--dry-run", "--json"]);
  assert.equal(dry.exit_code, 1);
});

oneEngineTest("ingest rejects a record with a member that is given twice", async (t) => {
  const line = JSON.stringify(sourceRecord());
  const twice = line.replace(/^\{/, '{"country":"US",');
  const { messages, ...outcome } = await ingested(t, `${twice}\n${line}\n`);
  assert.deepEqual(outcome, {
    exit_code: 1,
    counts: countsOf({ read: 2, recorded: 1, rejected: 1, doubtful: 1 }),
  });
  assert.match(messages[0]!, /"the line cannot be read: country is given more than once"/);
});

oneEngineTest("ingest and quality say that an input has no record", async (t) => {
  for (const [text, ...args] of [["\n"], ["<positions/>", "--format", "personio"]]) {
    for (const further of [[], ["--dry-run", "--json"]]) {
      const { exit_code, messages } = await ingested(t, text!, [...args, ...further]);
      assert.equal(exit_code, 0);
      assert.match(messages[0]!, /^-: no record was found\./);
    }
  }
});
