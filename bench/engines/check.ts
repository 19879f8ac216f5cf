/** Checks that engines give the same results, before their times are compared. */
import assert from "node:assert/strict";
import type { Query } from "../queries.ts";
import type { Engine, Hit } from "./engine.ts";

/** An engine in this process or in another one. */
type SearchingEngine = Pick<Engine, "name" | "search">;

/**
 * Checks that an engine finds the same documents as a reference for every query, in any order.
 *
 * @param documents number of documents, which is the limit of each search
 */
export async function checkMatches(
  engine: SearchingEngine,
  reference: SearchingEngine,
  { queries, documents }: { queries: readonly Query[]; documents: number },
): Promise<void> {
  for (const query of queries) {
    const ids = idsOf(await engine.search(query, documents)).sort((a, b) => a - b);
    const expected = idsOf(await reference.search(query, documents)).sort((a, b) => a - b);
    assert.deepEqual(ids, expected, `${engine.name} does not find the matches of ${query.text}`);
  }
}

/**
 * Checks that an engine ranks documents as a reference does, by score and then by id. Scores may
 * differ by up to 1e-9, because the order of additions affects the last digits. Documents whose
 * scores differ by no more than that may therefore change places.
 */
export async function checkRanking(
  engine: SearchingEngine,
  reference: SearchingEngine,
  { queries, limit }: { queries: readonly Query[]; limit: number },
): Promise<void> {
  for (const query of queries) {
    const hits = await engine.search(query, limit);
    const expected = await reference.search(query, limit);
    const message = `${engine.name} does not rank ${query.text} as ${reference.name} does`;
    assert.equal(hits.length, expected.length, message);
    const scores = new Map(expected.map(({ observation_id, score }) => [observation_id, score]));
    const last = expected.at(-1)?.score ?? 0;
    for (const [place, hit] of hits.entries()) {
      // A document that the reference cut off at the limit must tie with its last one.
      const score = scores.get(hit.observation_id) ?? last;
      assert.ok(Math.abs(hit.score - score) <= 1e-9, message);
      assert.ok(place === 0 || comesAfter(hit, hits[place - 1]!), message);
    }
  }
}

/** Adds a cache of answers to a slow reference engine, so that it searches each query only once. */
export function remembering(reference: Engine, documents: number): Engine {
  const answers = new Map<Query, Hit[] | Promise<Hit[]>>();
  return {
    ...reference,
    async search(query, limit) {
      const answer = answers.get(query) ?? reference.search(query, documents);
      answers.set(query, answer);
      return (await answer).slice(0, limit);
    },
  };
}

function comesAfter(hit: Hit, before: Hit): boolean {
  return hit.score < before.score ||
    (hit.score === before.score && hit.observation_id > before.observation_id);
}

function idsOf(hits: readonly Hit[]): number[] {
  return hits.map(({ observation_id }) => observation_id);
}
