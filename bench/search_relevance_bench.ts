/**
 * How good is the ranking on public test collections, compared with other engines?
 *
 * Each engine has the same settings for all collections. Plain BM25 checks the setup: it has to
 * reach the known figures of each collection.
 */
import assert from "node:assert/strict";
import { QUERY_LENGTH_MAX } from "../src/contract/search.ts";
import { benchInChild, say } from "./child.ts";
import { readMiniSearch, readOrama, readOurs, readPlain } from "./engines/readers.ts";
import { type Floor, markdownTable } from "./floors.ts";
import { readCollection, type Relevance, relevanceOf } from "./relevance.ts";

const DIRECTORY = new URL("../../shared/data/ir/", import.meta.url);

/** Collections: min nDCG@10 of our hybrid ranking, and the known nDCG@10 of plain BM25. */
const COLLECTIONS = [
  { name: "scifact", title: "SciFact", floor: 0.7, plain: 0.681 },
  { name: "cranfield", title: "Cranfield", floor: 0.415, plain: 0.385 },
  { name: "npl", title: "NPL", floor: 0.465, plain: 0.433 },
  { name: "cisi", title: "CISI", floor: 0.42, plain: 0.386 },
];

type Documents = Parameters<typeof readPlain>[0];

const READERS = [
  (documents: Documents) => readOurs(documents, { hybrid: true }),
  (documents: Documents) => readOurs(documents, { hybrid: false }),
  readPlain,
  readOrama,
  readMiniSearch,
];

await benchInChild(import.meta.url, async () => {
  if (!await exists(DIRECTORY)) {
    say("search_relevance_bench.ts is skipped: ../shared/data/ir does not exist");
    return [];
  }
  const rows: string[][] = [];
  const floors = COLLECTIONS.map(({ name, title, floor, plain }): Floor => {
    const measured = compare(name);
    const plain_ndcg = measured.get("plain BM25")!.ndcg_at_10;
    assert.ok(
      Math.abs(plain_ndcg - plain) < 0.005,
      `plain BM25 reaches ${plain_ndcg} on ${title}, not ${plain}`,
    );
    for (const [engine, { ndcg_at_10, recall_at_100 }] of measured) {
      rows.push([title, engine, ndcg_at_10.toFixed(3), recall_at_100.toFixed(3)]);
    }
    const ours = measured.get("ours, hybrid")!.ndcg_at_10;
    return {
      what: `nDCG@10 on ${title}, hybrid`,
      floor: `at least ${floor}`,
      measured: ours.toFixed(3),
      met: ours >= floor,
    };
  });
  say("\n" + markdownTable(["collection", "engine", "nDCG@10", "recall@100"], rows));
  return floors;
});

function compare(name: string): Map<string, Relevance> {
  const collection = readCollection(new URL(name, DIRECTORY).pathname);
  return new Map(READERS.map((read) => {
    const reader = read(collection.documents);
    // Longer questions are cut at the max length of a query.
    const search = (text: string, limit: number) =>
      reader.search(text.slice(0, QUERY_LENGTH_MAX), limit);
    return [reader.name, relevanceOf(collection, search)];
  }));
}

async function exists(directory: URL): Promise<boolean> {
  try {
    return (await Deno.stat(directory)).isDirectory;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
