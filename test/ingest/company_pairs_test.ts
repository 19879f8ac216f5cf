/**
 * How well companies of two sources are joined, over 200 pairs of the real records that were judged by
 * both rows. Two in five are held out: the rule was not fitted to them.
 */
import assert from "node:assert/strict";
import type { Database, Sql } from "../../src/db/connect.ts";
import { batchSizeOf, ingestEntries } from "../../src/ingest/pipeline.ts";
import { SOURCES } from "../../src/ingest/sources.ts";
import { serverTest } from "../support/database.ts";
import { hasRealData, REAL_DATA, realFiles } from "../support/real_records.ts";
import { withStatedFacets } from "../support/stated_facets.ts";

interface Company {
  source: string;
  id: string;
  name: string;
}

interface Pair {
  one: Company;
  other: Company;
  same: boolean;
  why: string;
  set: "tuning" | "held_out";
}

/** Of joins, those that are right; of pairs that are one company, those that are joined. */
const FLOOR = { precision: 0.98, recall: 0.7 };

const PAIRS: Pair[] = Deno.readTextFileSync(new URL("company_pairs.jsonl", import.meta.url))
  .trim().split("\n").map((line) => JSON.parse(line));

const keyOf = ({ source, id }: Company) => `${source} ${id}`;

/** Ingests the records of all companies of the sources concerned, as the command does. */
async function ingest(db: Database): Promise<void> {
  const sources = new Set(PAIRS.flatMap(({ one, other }) => [one.source, other.source]));
  const files = realFiles([...sources, "form_d"]).filter(({ path }) =>
    !path.endsWith("rounds.csv")
  );
  for (const { format, path, company } of files) {
    using file = await Deno.open(REAL_DATA + path);
    const retrieved_at = new Date("2026-11-01T00:00:00Z");
    const entries = SOURCES.get(format)!.read(file.readable, { retrieved_at, company });
    const filled = async function* () {
      for await (const entry of entries) {
        const { judged } = entry;
        yield "record" in judged
          ? { ...entry, judged: { ...judged, record: withStatedFacets(judged.record) } }
          : entry;
      }
    };
    await ingestEntries(db.sql, filled(), { batch: batchSizeOf(db), reject: () => {} });
  }
}

async function companies(sql: Sql): Promise<Map<string, number>> {
  const rows = await sql<{ key: string; company_id: number }[]>`
    select s.name || ' ' || x.external_id as key, x.company_id
    from company_external_ids x join sources s on s.id = x.source_id
  `;
  return new Map(rows.map(({ key, company_id }) => [key, company_id]));
}

function measure(pairs: Pair[], ids: Map<string, number>) {
  const idOf = (company: Company) => {
    const id = ids.get(keyOf(company));
    assert.ok(id !== undefined, `${keyOf(company)} is not in the records`);
    return id;
  };
  const joined = pairs.filter(({ one, other }) => idOf(one) === idOf(other));
  const right = joined.filter(({ same }) => same).length;
  return {
    precision: right / joined.length,
    recall: right / pairs.filter(({ same }) => same).length,
    wrong: joined.filter(({ same }) => !same),
    missed: pairs.filter((pair) => pair.same && !joined.includes(pair)),
  };
}

serverTest("200 judged pairs of real companies are joined where they are one", async ({ db }) => {
  if (!hasRealData()) return;
  await ingest(db);
  const ids = await companies(db.sql);
  const sets = ["tuning", "held_out"].map((set) =>
    measure(PAIRS.filter((pair) => pair.set === set), ids)
  );
  for (const { precision, recall, wrong, missed } of sets) {
    assert.ok(precision >= FLOOR.precision, `${precision}: ${JSON.stringify(wrong)}`);
    assert.ok(recall >= FLOOR.recall, `${recall}: ${JSON.stringify(missed)}`);
  }
});
