/** Checks that a power cut loses nothing that the embedded database has answered. */
import assert from "node:assert/strict";
import { connect, type Database } from "../../src/db/connect.ts";
import { withDataDir } from "../support/data_dir.ts";
import { silent } from "../support/operations.ts";
import { withPowerCut } from "../support/power_cut.ts";

/** Adds rows with several connections at once. Returns the numbers that were acknowledged. */
async function addRows({ sql }: Database, acknowledged: number[], until: number): Promise<void> {
  const next = acknowledged.length;
  await Promise.all(Array.from({ length: until - next }, async (_, at) => {
    await sql`insert into notes values (${next + at}, repeat('x', 3000))`;
    acknowledged.push(next + at);
  }));
}

Deno.test("scenario 56: what the embedded database has answered survives a power cut", async () => {
  await withPowerCut((cut) =>
    withDataDir(async (root) => {
      const data_dir = `${root}/data`;
      const acknowledged: number[] = [];
      const cuts: { copy: string; promised: number[] }[] = [];
      const cutNow = () => {
        const copy = Deno.makeTempDirSync({ dir: root });
        cut(`${data_dir}/pglite`, `${copy}/pglite`);
        cuts.push({ copy, promised: acknowledged.toSorted((a, b) => a - b) });
      };
      const db = await connect({ data_dir, log: silent });
      await db.sql.unsafe("create table notes (id integer primary key, body text)");
      await addRows(db, acknowledged, 10);
      // The cut comes while commits wait for their flush.
      const adding = addRows(db, acknowledged, 30);
      while (acknowledged.length < 20) await new Promise((resolve) => setTimeout(resolve));
      cutNow();
      await adding;
      await db.sql.unsafe("checkpoint");
      await db.sql`update notes set body = 'changed' where id < 20`;
      cutNow();
      await db.close();
      for (const { copy, promised } of cuts) {
        const numbers = await numbersIn(copy);
        assert.deepEqual(promised.filter((number) => !numbers.has(number)), []);
      }
    })
  );
});

/** Opens a database after the power cut, and returns the numbers of its rows. */
async function numbersIn(data_dir: string): Promise<Set<number>> {
  const db = await connect({ data_dir, log: silent });
  const rows = await db.sql<{ id: number }[]>`select id from notes`;
  await db.close();
  return new Set(rows.map(({ id }) => id));
}
