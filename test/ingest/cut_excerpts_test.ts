import assert from "node:assert/strict";
import type { Sql } from "../../src/db/connect.ts";
import { cutLongExcerpts } from "../../src/ingest/cut_excerpts.ts";
import { withdrawEvidence } from "../../src/ingest/withdraw.ts";
import { parseChanges, readChanges } from "../../src/search/changes.ts";
import { databaseTest } from "../support/database.ts";
import { observation, raw, record } from "../support/recording.ts";

const FACT = "Freezers open in Laval.";
const FILLER = "It is a sentence of the notice. ".repeat(100);
const LONG = `${FILLER}Two freezers open in Laval.`;
const LONG_FRENCH = `${FILLER}Deux congélateurs ouvrent à Laval.`;

/** Records one observation and gives it excerpts as a program of an earlier version stored them. */
async function recordUncut(sql: Sql): Promise<void> {
  const evidence = [
    { source_uri: "https://news.example/en", excerpt: LONG },
    { source_uri: "https://news.example/fr", excerpt: LONG_FRENCH },
    { source_uri: "https://news.example/short", excerpt: "Short." },
  ];
  await record(sql, raw("a-1", { observed_fact: FACT, evidence }));
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

databaseTest("cutLongExcerpts() shows passages and searches the whole texts", async ({ sql }) => {
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
});

databaseTest("a record that was cut counts as unchanged when it comes again", async ({ sql }) => {
  await recordUncut(sql);
  await cutLongExcerpts(sql);
  const evidence = [
    { source_uri: "https://news.example/en", excerpt: LONG },
    { source_uri: "https://news.example/fr", excerpt: LONG_FRENCH },
    { source_uri: "https://news.example/short", excerpt: "Short." },
  ];
  const counts = await record(sql, raw("a-1", { observed_fact: FACT, evidence }));
  assert.deepEqual(counts, { recorded: 0, revised: 0, unchanged: 1 });
});

databaseTest("texts are not searched once an excerpt is withdrawn", async ({ sql }) => {
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
});
