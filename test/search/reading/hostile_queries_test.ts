import assert from "node:assert/strict";
import fc from "fast-check";
import { QUERY_LENGTH_MAX } from "../../../src/contract/search.ts";
import { ASKED_WORDS_MAX } from "../../../src/search/reading/question.ts";
import { readQuery } from "../../../src/search/reading/read_query.ts";
import { resolve } from "../../../src/search/reading/resolve.ts";
import { KNOWN } from "./known_terms.ts";

const NOW = new Date("2026-11-22T12:00:00Z");

/** Max milliseconds to read a query on a slow machine. Usual ones take less than one. */
const SLOW = 1_000;

const WORDS =
  ("series a round not in except sans sauf closing by before the end of due within 30 days between 5 " +
    "and 10 million $ or more at least over New York CA, TX la de d' l' du and/or 2012 2012-05 may March q2 last " +
    'spring since chief financial officer request for proposals industry software e-commerce U.S. " « » - + Inc. ' +
    "venture angel seed of the month fin d'ici région appels d'offres uses Node.js c++ acme.com (")
    .split(" ");

const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: QUERY_LENGTH_MAX }),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 200 }).map((words) => words.join(" ")),
  fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(" ", ", ", "-", "", " the end of "))
    .map(([word, sign]) => (word + sign).repeat(QUERY_LENGTH_MAX)),
).map((text) => text.slice(0, QUERY_LENGTH_MAX));

Deno.test("resolve() never throws and keeps its bounds on hostile queries", () => {
  fc.assert(
    fc.property(hostile, (query) => {
      const question = resolve(readQuery(query, NOW), KNOWN);
      assert.ok(question.words.length <= ASKED_WORDS_MAX);
      for (const { words } of question.facets) {
        for (const index of words) assert.ok(question.words[index] !== undefined);
      }
      for (const { after, before } of [question.occurred, question.closes]) {
        for (const instant of [after, before]) {
          assert.ok(instant === null || !Number.isNaN(Date.parse(instant)));
        }
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("resolve() leaves its reading as it was", () => {
  const read = readQuery("Envisoin Healthcare in Laval, Series A", NOW);
  const before = structuredClone(read);
  const first = resolve(read, KNOWN);
  assert.deepEqual(read, before);
  assert.deepEqual(resolve(read, KNOWN), first);
});

for (
  const [title, part] of [
    ["closing dates", "closing by the end of "],
    ["amounts", "at least 1 000 "],
    ["ranges", "between 5 and "],
    ["negations", "not in the "],
    ["quotations", '"a '],
    ["places", "New York, "],
    ["dotted letters", "U.S."],
    ["signs", "--''"],
    ["rounds", "series "],
    ["dates", "1 may "],
    ["builds", "build the new the "],
    ["raises", "raise a b "],
  ] as const
) {
  Deno.test(`readQuery() reads repeated ${title} soon`, () => {
    const query = part.repeat(QUERY_LENGTH_MAX).slice(0, QUERY_LENGTH_MAX);
    const start = performance.now();
    resolve(readQuery(query, NOW), KNOWN);
    assert.ok(performance.now() - start < SLOW);
  });
}
