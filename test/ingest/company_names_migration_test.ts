import assert from "node:assert/strict";
import fc from "fast-check";
import { connect, connectEmbedded, type Database } from "../../src/db/connect.ts";
import { openEmbedded } from "../../src/db/embedded.ts";
import { migrate } from "../../src/db/migrate.ts";
import { TABLE_SCRIPTS } from "../../src/db/scripts.ts";
import { normalizeName } from "../../src/ingest/company_name.ts";
import { createDatabase } from "../support/database.ts";
import { silent } from "../support/operations.ts";

const BEFORE = TABLE_SCRIPTS.filter(({ name }) => name < "0006");

/** As names were normalized before. */
function formerName(name: string): string {
  const folded = name.normalize("NFKC").toLowerCase();
  const words = folded.replace(/[^\p{L}\p{M}\p{N}&+]+/gu, " ").trim();
  return (words === "" ? folded : words).slice(0, 300);
}

const WORD = fc.constantFrom(
  ..."Acme the Les l L c s a S.A. Inc. LLC L.L.C. Ltée co Company and et & É + 7 B Co. Å ß Й Łódź"
    .split(" "),
  "limited partnership",
  "McDonald's",
  "société en nom collectif",
);
const NAMES = fc.sample(
  fc.oneof(
    fc.array(WORD, { minLength: 1, maxLength: 7 }).map((words) => words.join(" ")),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }),
  ).filter((name) => !name.includes("\0") && !/[/\\]/.test(name)),
  { numRuns: 1_000, seed: 6 },
);

/** A database of the former version, with the names stored as that did; brought up to date. */
async function renormalize(db: Database): Promise<void> {
  await migrate(db, { tables: BEFORE, functions: [] });
  const { sql } = db;
  await sql`insert into sources (name) values ('feed')`;
  await sql`insert into companies (name) select 'c' from generate_series(1, ${NAMES.length + 2})`;
  const names = NAMES.map(formerName);
  await sql`
    insert into company_names
    select 1, n.name, 'CA', n.place from unnest(${names}::text[]) with ordinality n (name, place)
  `;
  // Two spellings of one company become one row; two companies of one name stay two.
  const last = NAMES.length;
  await sql`
    insert into company_names values
      (1, 'zebra inc', 'CA', ${last + 1}), (1, 'the zebra', 'CA', ${last + 1}),
      (1, 'zebra ltd', 'CA', ${last + 2})
  `;
  await migrate(db);
  const rows = await sql<{ normalized_name: string; company_id: number }[]>`
    select normalized_name, company_id from company_names order by company_id
  `;
  assert.deepEqual(
    rows.map((row) => [row.company_id, row.normalized_name]),
    [
      ...NAMES.map((name, at) => [at + 1, normalizeName(name)]),
      [last + 1, "zebra"],
      [last + 2, "zebra"],
    ],
  );
  assert.deepEqual([...await sql`select to_regproc('renormalized_name') as left_over`], [
    { left_over: null },
  ]);
}

/** A database of the version before, with what it kept of identifiers and merges; brought up to date. */
async function backfill(db: Database): Promise<void> {
  const tables = TABLE_SCRIPTS.filter(({ name }) => name < "0011");
  await migrate(db, { tables, functions: [] });
  const { sql } = db;
  await sql`insert into sources (name) values ('feed')`;
  await sql`insert into companies (name) values ('One'), ('Two')`;
  await sql`
    insert into company_identifiers (scheme, value, company_id, source_id, company_external_id)
    values ('uei', 'U', 1, 1, 'a'), ('cik', '1', 1, 1, 'a'), ('lei', 'L', 2, 1, null)
  `;
  await sql`
    insert into observations (
      source_id, external_id, company_id, company_external_id, kind, observed_fact,
      why_it_may_matter, demand_class, country, confidence, observed_at, content_hash, recorded_at,
      change_seq
    )
    select 1, o.id, o.company_id, o.given, 'company_profile', '', '', 'structural', 'CA', 1, now(),
      '', now(), 0
    from (values ('1', 1, 'a'), ('2', 1, 'b'), ('3', 2, null)) o (id, company_id, given)
  `;
  const name = { source_id: 1, normalized_name: "two", country: "CA", own: false };
  await sql`
    insert into company_merges
      (kept_id, merged_id, reason, merged_at, observation_ids, moved, suppressed)
    values (1, 2, 'r', now(), '{}', ${
    JSON.stringify({ names: [name], domains: [] })
  }::text::jsonb, false)
  `;
  await migrate(db);
  assert.deepEqual(
    [...await sql`select external_id, company_identifiers as given from observations order by 1`],
    [
      { external_id: "1", given: ["cik:1", "uei:U"] },
      { external_id: "2", given: null },
      { external_id: "3", given: ["lei:L"] },
    ],
  );
  assert.deepEqual([...await sql`select moved from company_merges`], [
    { moved: { names: [{ ...name, legal_form: "" }], domains: [] } },
  ]);
}

const CASES: [name: string, body: (db: Database) => Promise<void>][] = [
  ["0006_company_resolution writes stored names as normalizeName() does", renormalize],
  ["0011_forms_and_corrections completes what is stored", backfill],
];

for (const [name, body] of CASES) {
  Deno.test(`${name} [pglite]`, async () => {
    const db = await connectEmbedded(await openEmbedded({ log: silent }), { log: silent });
    try {
      await body(db);
    } finally {
      await db.close();
    }
  });

  Deno.test({
    name: `${name} [postgres]`,
    ignore: Deno.env.get("TEST_DATABASE_URL") === undefined,
    async fn() {
      await using database = await createDatabase();
      const db = await connect({ database_url: database.url, data_dir: "", log: silent });
      try {
        await body(db);
      } finally {
        await db.close();
      }
    },
  });
}
