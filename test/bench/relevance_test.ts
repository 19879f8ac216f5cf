import assert from "node:assert/strict";
import { ndcg, readCollection, recall, relevanceOf } from "../../bench/relevance.ts";

const GRADES = new Map([["a", 2], ["b", 1], ["c", 1]]);

function assertClose(actual: number, expected: number) {
  assert.ok(Math.abs(actual - expected) < 1e-12, `${actual}, not ${expected}`);
}

Deno.test("ndcg() is 1 for the best order, and 0 without a relevant document", () => {
  assert.equal(ndcg(["a", "b", "c", "x"], GRADES, 10), 1);
  assert.equal(ndcg(["a", "c", "b"], GRADES, 10), 1);
  assert.equal(ndcg(["x", "y"], GRADES, 10), 0);
  assert.equal(ndcg([], GRADES, 10), 0);
});

Deno.test("ndcg() divides the grade of a document by the logarithm of its rank + 1", () => {
  // Ranks 2 and 4: 2 / log2(3) + 1 / log2(5). Ideal: 2 / log2(2) + 1 / log2(3) + 1 / log2(4).
  const found = 2 / 1.584962500721156 + 1 / 2.321928094887362;
  const ideal = 2 + 1 / 1.584962500721156 + 0.5;
  assertClose(ndcg(["x", "a", "y", "b"], GRADES, 10), found / ideal);
});

Deno.test("ndcg() cuts the found order and the ideal order at the same rank", () => {
  assert.equal(ndcg(["x", "a", "b", "c"], GRADES, 1), 0);
  assert.equal(ndcg(["a", "x", "y"], GRADES, 1), 1);
  assertClose(ndcg(["b", "x", "a"], GRADES, 2), 1 / (2 + 1 / 1.584962500721156));
});

Deno.test("recall() returns the share of the relevant documents that come first", () => {
  assert.equal(recall(["x", "a", "b", "c"], GRADES, 100), 1);
  assertClose(recall(["x", "a", "b", "c"], GRADES, 3), 2 / 3);
  assert.equal(recall(["x"], GRADES, 3), 0);
});

Deno.test("relevanceOf() returns means over the queries", () => {
  const queries = [
    { id: "1", text: "found", grades: new Map([["a", 1]]) },
    { id: "2", text: "missed", grades: new Map([["b", 1]]) },
  ];
  assert.deepEqual(
    relevanceOf({ documents: [], queries }, (text) => text === "found" ? ["a"] : ["a", "c"]),
    { ndcg_at_10: 0.5, recall_at_100: 0.5 },
  );
});

Deno.test("readCollection() leaves out queries without a relevant document", () => {
  const directory = Deno.makeTempDirSync();
  try {
    Deno.writeTextFileSync(`${directory}/docs.jsonl`, `{"id":"a","title":"T","text":"t"}\n`);
    Deno.writeTextFileSync(
      `${directory}/queries.jsonl`,
      `{"id":"1","text":"one"}\n{"id":"2","text":"two"}\n{"id":"3","text":"three"}\n`,
    );
    Deno.writeTextFileSync(`${directory}/qrels.tsv`, "1\ta\t2\n1\tb\t0\n2\ta\t0\n");
    assert.deepEqual(readCollection(directory), {
      documents: [{ id: "a", title: "T", text: "t" }],
      queries: [{ id: "1", text: "one", grades: new Map([["a", 2]]) }],
    });
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
});
