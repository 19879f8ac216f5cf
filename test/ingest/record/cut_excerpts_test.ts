import assert from "node:assert/strict";
import type { Sql } from "../../../src/db/connect.ts";
import {
  cutLongExcerpts,
  excerptsAreLimited,
  upgradeExcerpts,
} from "../../../src/ingest/record/cut_excerpts.ts";
import { normalizeRecord } from "../../../src/ingest/record/normalize.ts";
import { recordObservations } from "../../../src/ingest/record/record.ts";
import { withdrawEvidence } from "../../../src/ingest/record/withdraw.ts";
import { parseChanges, readChanges } from "../../../src/search/changes/changes.ts";
import { createLog } from "../../../src/log.ts";
import { withApp } from "../../support/app.ts";
import { databaseTest } from "../../support/database.ts";
import { observation, raw, record } from "../../support/recording.ts";
import { eventually } from "../../support/waiting.ts";

const FACT = "Freezers open in Laval.";
const FILLER = "It is a sentence of the notice. ".repeat(100);
const LONG = `${FILLER}Two freezers open in Laval.`;
const LONG_FRENCH = `${FILLER}Deux congélateurs ouvrent à Laval.`;

/** Records an observation with long excerpts, as an earlier version of the program did. */
async function recordUncut(sql: Sql): Promise<void> {
  const evidence = [
    { source_uri: "https://news.example/en", excerpt: LONG },
    { source_uri: "https://news.example/fr", excerpt: LONG_FRENCH },
    { source_uri: "https://news.example/short", excerpt: "Short." },
  ];
  await record(sql, raw("a-1", { observed_fact: FACT, evidence }));
  await sql`alter table evidence drop constraint if exists evidence_excerpt_length`;
  await sql`update observations set texts = '{}'`;
  for (const { source_uri, excerpt } of evidence) {
    await sql`update evidence set excerpt = ${excerpt} where source_uri = ${source_uri}`;
  }
}

async function searchedTexts(sql: Sql): Promise<string[]> {
  const [row] = parseChanges(await readChanges(sql, { after: { change_seq: 0, id: 0 }, limit: 9 }));
  assert.ok(row!.company_id !== null);
  return row!.texts;
}

databaseTest(
  "cutLongExcerpts() cuts excerpts to passages, and keeps whole texts for searches",
  async ({ sql }) => {
    await recordUncut(sql);
    const before = await observation(sql, "a-1");
    assert.equal(await cutLongExcerpts(sql), 2);
    const excerpts = await sql<{ excerpt: string }[]>`select excerpt from evidence order by id`;
    assert.ok(excerpts.every(({ excerpt }) => excerpt.length <= 600));
    assert.ok(excerpts[0]!.excerpt.endsWith("Two freezers open in Laval."));
    assert.equal(excerpts[2]!.excerpt, "Short.");
    assert.deepEqual(await searchedTexts(sql), [LONG, LONG_FRENCH, "Short."]);
    const { recorded_at, change_seq, content_hash } = await observation(sql, "a-1");
    assert.deepEqual(
      { recorded_at, change_seq, content_hash },
      {
        recorded_at: before.recorded_at,
        change_seq: before.change_seq,
        content_hash: before.content_hash,
      },
    );
    assert.equal(await cutLongExcerpts(sql), 0);
  },
);

databaseTest(
  "a record with cut excerpts counts as unchanged when it is recorded again",
  async ({ sql }) => {
    await recordUncut(sql);
    await cutLongExcerpts(sql);
    const evidence = [
      { source_uri: "https://news.example/en", excerpt: LONG },
      { source_uri: "https://news.example/fr", excerpt: LONG_FRENCH },
      { source_uri: "https://news.example/short", excerpt: "Short." },
    ];
    const counts = await record(sql, raw("a-1", { observed_fact: FACT, evidence }));
    assert.deepEqual(counts, { recorded: 0, revised: 0, unchanged: 1 });
  },
);

databaseTest(
  "cutLongExcerpts() makes followers read an observation with a withdrawn excerpt again",
  async (t) => {
    const { sql } = t;
    await recordUncut(sql);
    await withdrawEvidence(sql, "https://news.example/fr");
    assert.deepEqual(await searchedTexts(sql), [LONG, "Short."]);
    const { change_seq } = await observation(sql, "a-1");
    await cutLongExcerpts(sql);
    const after = await readChanges(sql, { after: { change_seq, id: 0 }, limit: 9 });
    const [followed] = parseChanges(after);
    assert.ok(followed!.company_id !== null && followed!.change_seq > change_seq);
    assert.deepEqual(followed!.texts, await searchedTexts(sql));
  },
);

databaseTest(
  "upgradeExcerpts() retries after a failure, and then forbids long excerpts",
  async (t) => {
    const { sql } = t;
    await recordUncut(sql);
    await sql`alter function cut_excerpts(jsonb) rename to cut_excerpts_later`;
    const warned = Promise.withResolvers<void>();
    const log = { ...createLog("error"), warn: () => warned.resolve() };
    const running = upgradeExcerpts(sql, {
      log,
      signal: new AbortController().signal,
      pause: { first: 1, max: 4 },
    });
    await warned.promise;
    await sql`alter function cut_excerpts_later(jsonb) rename to cut_excerpts`;
    await running;
    const [{ longest }] = await sql<[{ longest: number }]>`
    select max(length(excerpt)) as longest from evidence
  `;
    assert.ok(longest <= 600);
    await assert.rejects(
      async () => await sql`update evidence set excerpt = ${LONG}`,
      /evidence_excerpt_length/,
    );
    const [{ convalidated }] = await sql<[{ convalidated: boolean }]>`
    select convalidated from pg_constraint where conname = 'evidence_excerpt_length'
  `;
    assert.ok(convalidated);
  },
);

databaseTest("a process without workers cuts long excerpts when it starts", async ({ db, sql }) => {
  await recordUncut(sql);
  assert.equal(await excerptsAreLimited(sql), false);
  await withApp(db, async () => {
    await eventually("long excerpts are refused", () => excerptsAreLimited(sql));
  }, { workers: 0 });
  const [{ longest }] = await sql<[{ longest: number }]>`
    select max(length(excerpt)) as longest from evidence
  `;
  assert.ok(longest <= 600);
});

databaseTest("upgradeExcerpts() ends when it is aborted between two attempts", async ({ sql }) => {
  await recordUncut(sql);
  await sql`drop function cut_excerpts(jsonb)`;
  const stop = new AbortController();
  const log = { ...createLog("error"), warn: () => stop.abort() };
  await upgradeExcerpts(sql, { log, signal: stop.signal, pause: { first: 60_000, max: 60_000 } });
  assert.ok(stop.signal.aborted);
});

databaseTest("recordObservations() cuts a long excerpt that its caller has not cut", async (t) => {
  const { sql } = t;
  const judged = normalizeRecord(raw("a-1"));
  assert.ok("record" in judged);
  const evidence = [{ ...judged.record.evidence[0]!, excerpt: LONG }];
  await recordObservations(sql, [{ ...judged.record, evidence }]);
  const [{ excerpt }] = await sql<[{ excerpt: string }]>`select excerpt from evidence`;
  assert.equal(excerpt, `${LONG.slice(0, 599)}…`);
});

databaseTest(
  "withdrawEvidence() removes the texts of an observation from searches",
  async ({ sql }) => {
    await record(
      sql,
      raw("a-1", {
        text: "All that the two pages say.",
        evidence: [
          { source_uri: "https://news.example/1", excerpt: "One." },
          { source_uri: "https://news.example/2", excerpt: "Two." },
        ],
      }),
    );
    assert.deepEqual(await searchedTexts(sql), ["All that the two pages say.", "One.", "Two."]);
    await withdrawEvidence(sql, "https://news.example/1");
    assert.deepEqual(await searchedTexts(sql), ["Two."]);
  },
);
