/** That engines find the same, before anybody asks how fast. */
import assert from "node:assert/strict";
import type { Query } from "../queries.ts";
import type { Engine, Hit } from "./engine.ts";

/** An engine that answers searches, in this process or in another one. */
type Asked = Pick<Engine, "name" | "search">;

/**
 * Every match of every query is found, and nothing else.
 *
 * @param documents of the corpus: a limit that leaves nothing out
 */
export async function checkMatches(
  engine: Asked,
  reference: Asked,
  { queries, documents }: { queries: readonly Query[]; documents: number },
): Promise<void> {
  for (const query of queries) {
    const found = idsOf(await engine.search(query, documents)).sort((a, b) => a - b);
    const expected = idsOf(await reference.search(query, documents)).sort((a, b) => a - b);
    assert.deepEqual(found, expected, `${engine.name} does not find what ${query.text} matches`);
  }
}

/**
 * The best are the same, with scores that differ by no more than 1e-9, in their strict order. Where
 * sums of the same parts in another order differ in the last digit, ties may come out either way.
 */
export async function checkRanking(
  engine: Asked,
  reference: Asked,
  { queries, limit }: { queries: readonly Query[]; limit: number },
): Promise<void> {
  for (const query of queries) {
    const found = await engine.search(query, limit);
    const expected = await reference.search(query, limit);
    const told = `${engine.name} does not rank ${query.text} as ${reference.name} does`;
    assert.equal(found.length, expected.length, told);
    const scores = new Map(expected.map(({ observation_id, score }) => [observation_id, score]));
    const last = expected.at(-1)?.score ?? 0;
    for (const [place, hit] of found.entries()) {
      // One that the limit has cut off on the other side ties with the last.
      const score = scores.get(hit.observation_id) ?? last;
      assert.ok(Math.abs(hit.score - score) <= 1e-9, told);
      assert.ok(place === 0 || comesAfter(hit, found[place - 1]!), told);
    }
  }
}

/** A reference that is slow, and asked once only for all engines that are held against it. */
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
