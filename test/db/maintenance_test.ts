import assert from "node:assert/strict";
import { startMaintenance, vacuumNext } from "../../src/db/maintenance.ts";
import { createLog } from "../../src/log.ts";
import { embeddedTest } from "../support/database.ts";

embeddedTest("vacuumNext() vacuums the most changed table, until none needs it", async (t) => {
  const { sql } = t;
  for (let rest = 20; await vacuumNext(sql) !== undefined;) assert.ok(rest-- > 0);
  await sql`create table quiet as select n from generate_series(1, 30) as n`;
  await sql`create table small as select n from generate_series(1, 300) as n`;
  await sql`create table busy as select n from generate_series(1, 5000) as n`;
  await sql`create table busier as select n from generate_series(1, 9000) as n`;
  await sql`delete from busier where n > 10`;
  assert.equal(await vacuumNext(sql), "public.busier");
  assert.equal(await vacuumNext(sql), "public.busy");
  assert.equal(await vacuumNext(sql), "public.small");
  assert.equal(await vacuumNext(sql), undefined);
});

embeddedTest("startMaintenance() makes checkpoints until it is stopped", async ({ sql }) => {
  const lines: string[] = [];
  const log = createLog("debug", (line) => lines.push(line));
  const position = async () => {
    const [row] = await sql`select checkpoint_lsn::text as at from pg_control_checkpoint()`;
    return row!.at;
  };
  await sql`create table grown as select n from generate_series(1, 1000) as n`;
  const before = await position();
  const upkeep = startMaintenance({ sql, log, interval_seconds: 0.02 });
  while (await position() === before) await new Promise((resolve) => setTimeout(resolve, 10));
  await upkeep.stop();
  assert.deepEqual(lines, []);
});
