/**
 * Tests the quality of joins across sources with 200 pairs of companies from real records. Each
 * judgement was made from the rows of the sources. Two in five pairs are held out: the rule for
 * joins was not fitted to them.
 */
import assert from "node:assert/strict";
import type { Database, Sql } from "../../../src/db/connect.ts";
import { serverTest } from "../../support/database.ts";
import { hasRealData, ingestRealRecords, realFiles } from "../../support/real_records.ts";

interface Company {
  source: string;
  id: string;
  name: string;
}

/** A pair of `company_pairs.jsonl` with its judgement. */
interface Pair {
  one: Company;
  other: Company;
  same: boolean;
  why: string;
  set: "tuning" | "held_out";
}

/** Min precision and recall of joins. Precision is the share of joined pairs judged as `same`. */
const FLOOR = { precision: 0.98, recall: 0.7 };

const PAIRS: Pair[] = Deno.readTextFileSync(new URL("company_pairs.jsonl", import.meta.url))
  .trim().split("\n").map((line) => JSON.parse(line));

const keyOf = ({ source, id }: Company) => `${source} ${id}`;

/** Ingests the files of the sources of the pairs, and of `form_d`, without the funding rounds. */
async function ingest(db: Database): Promise<void> {
  const sources = new Set(PAIRS.flatMap(({ one, other }) => [one.source, other.source]));
  const files = realFiles([...sources, "form_d"]);
  await ingestRealRecords(db, files.filter(({ path }) => !path.endsWith("rounds.csv")));
}

/** Returns the ids of companies by source and external id. */
async function companies(sql: Sql): Promise<Map<string, number>> {
  const rows = await sql<{ key: string; company_id: number }[]>`
    select s.name || ' ' || x.external_id as key, x.company_id
    from company_external_ids x join sources s on s.id = x.source_id
  `;
  return new Map(rows.map(({ key, company_id }) => [key, company_id]));
}

function measure(pairs: Pair[], ids: Map<string, number>) {
  const idOf = (company: Company) => ids.get(keyOf(company))!;
  const joined = pairs.filter(({ one, other }) => idOf(one) === idOf(other));
  const right = joined.filter(({ same }) => same).length;
  return {
    precision: right / joined.length,
    recall: right / pairs.filter(({ same }) => same).length,
    wrong: joined.filter(({ same }) => !same),
    missed: pairs.filter((pair) => pair.same && !joined.includes(pair)),
  };
}

serverTest(
  "record_observations() joins judged pairs of real companies (needs ../shared/data)",
  async ({ db }) => {
    await ingest(db);
    const ids = await companies(db.sql);
    const absent = PAIRS.flatMap(({ one, other }) => [one, other])
      .filter((company) => !ids.has(keyOf(company)));
    assert.deepEqual(absent, []);
    const sets = ["tuning", "held_out"].map((set) =>
      measure(PAIRS.filter((pair) => pair.set === set), ids)
    );
    for (const { precision, recall, wrong, missed } of sets) {
      assert.ok(precision >= FLOOR.precision, `${precision}: ${JSON.stringify(wrong)}`);
      assert.ok(recall >= FLOOR.recall, `${recall}: ${JSON.stringify(missed)}`);
    }
  },
  { ignore: !hasRealData() },
);
