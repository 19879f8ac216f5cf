/**
 * How fast is a search beside other engines, and what memory does it hold?
 *
 * Every engine has the same documents of 90 words and the same queries. Ours has texts; the others have
 * the words as our engine stems them and stop words left out, and so match the same documents,
 * which is checked. Each finds the 100 best observations by its own ranking.
 */
import assert from "node:assert/strict";
import { benchInChild, say } from "./child.ts";
import { Corpus } from "./corpus.ts";
import { checkMatches, checkRanking, remembering } from "./engines/check.ts";
import type { Engine } from "./engines/engine.ts";
import { createNaive } from "./engines/naive.ts";
import { createOurs } from "./engines/ours.ts";
import { createPeers } from "./engines/peers.ts";
import { type Floor, formatNumber, formatTime, markdownTable, ratioFloor } from "./floors.ts";
import { heldBytes, LIMIT, percentile, timeInTurns } from "./measure.ts";
import { hostileQuery, queriesOf, SHAPES } from "./queries.ts";
import { sizeName, SIZES } from "./sizes.ts";

const WORDS = 90;
const CHECKED_QUERIES = 5;

/** The shape that floors speak of: every engine answers every query. */
const MIXED = { least: 50, most: 400, budget: 1_000 };
const EFFORT = { least: 10, most: 200, budget: 400 };
/** Some take many seconds. */
const HOSTILE = { least: 1, most: 3, budget: 100 };

const FLOORS: Readonly<Record<string, number>> = {
  "Orama": 200,
  "MiniSearch": 80,
  "SQLite FTS5": 50,
  "PostgreSQL full text": 200,
};

for (const documents of [SIZES.small, SIZES.middle]) {
  await benchInChild(import.meta.url, () => compare(documents), sizeName(documents));
}

async function compare(documents: number): Promise<Floor[]> {
  say(`\n## ${sizeName(documents)} documents of ${WORDS} words\n`);
  const corpus = new Corpus({ documents, words: WORDS });
  const engines = [createOurs(), ...await createPeers()];
  try {
    await fill(engines, corpus);
    await check(engines, corpus);
    const mixed = await time(engines, corpus);
    return documents === SIZES.middle ? floorsOf(mixed) : [];
  } finally {
    for (const engine of engines) await engine.close?.();
  }
}

async function fill(engines: readonly Engine[], corpus: Corpus): Promise<void> {
  const rows: string[][] = [];
  let before = heldBytes();
  for (const engine of engines) {
    const start = performance.now();
    await engine.fill(corpus);
    const seconds = (performance.now() - start) / 1_000;
    const held = heldBytes();
    const bytes = held - before + (await engine.nativeBytes?.() ?? 0);
    rows.push([engine.name, formatNumber(bytes / corpus.size), formatNumber(seconds)]);
    before = engine === engines[0] ? withStems(corpus) : held;
  }
  say(markdownTable(["engine", "bytes a document", "seconds to fill"], rows) + "\n");
}

/** All but ours are given stems, which are no engine's memory. @returns bytes held with them */
function withStems(corpus: Corpus): number {
  assert.ok(corpus.stems.length > 0);
  return heldBytes();
}

async function check(engines: readonly Engine[], corpus: Corpus): Promise<void> {
  const naive = remembering(createNaive(), corpus.size);
  await naive.fill(corpus);
  for (const shape of SHAPES) {
    const queries = queriesOf(corpus, shape).slice(-CHECKED_QUERIES);
    for (const engine of engines) {
      await checkMatches(engine, naive, { queries, documents: corpus.size });
    }
    // Ours and the exhaustive one; the others rank in ways of their own.
    for (const engine of engines.slice(0, 2)) {
      await checkRanking(engine, naive, { queries, limit: LIMIT });
    }
  }
}

/** @returns p50 of four mixed terms by engine, in milliseconds */
async function time(engines: readonly Engine[], corpus: Corpus): Promise<Map<string, number>> {
  const mixed = new Map<string, number>();
  const rows: string[][] = [];
  const add = (shape: string, timings: readonly number[][]) => {
    for (const [n, samples] of timings.entries()) {
      rows.push([
        n === 0 ? shape : "",
        engines[n]!.name,
        ...[0.5, 0.99].map((share) => formatTime(percentile(samples, share))),
        String(samples.length),
      ]);
    }
  };
  for (const shape of SHAPES) {
    const isMixed = shape.name === "four mixed terms";
    const queries = queriesOf(corpus, shape);
    const timings = await timeInTurns(engines, queries, isMixed ? MIXED : EFFORT);
    add(shape.name, timings);
    if (!isMixed) continue;
    for (const [n, samples] of timings.entries()) {
      mixed.set(engines[n]!.name, percentile(samples, 0.5));
    }
  }
  add("500 characters of single letters", await timeInTurns(engines, [hostileQuery()], HOSTILE));
  say(markdownTable(["query", "engine", "p50", "p99", "samples"], rows));
  return mixed;
}

function floorsOf(mixed: Map<string, number>): Floor[] {
  const ours = mixed.get("ours")!;
  const size = sizeName(SIZES.middle);
  return [...mixed].filter(([name]) => name !== "ours").map(([name, p50]) => {
    const what = `four mixed terms, ${size} documents of ${WORDS} words, p50 against ${name}`;
    const of = `${formatTime(ours)} and ${formatTime(p50)}`;
    const least = FLOORS[name];
    return least === undefined
      ? { what, floor: "", measured: `${formatNumber(p50 / ours)} times (${of})` }
      : ratioFloor(what, p50 / ours, { least, of });
  });
}
