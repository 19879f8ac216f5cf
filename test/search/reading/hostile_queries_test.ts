import assert from "node:assert/strict";
import fc from "fast-check";
import { QUERY_LENGTH_MAX } from "../../../src/contract/search.ts";
import { PARTS_MAX, PHRASE_WORDS_MAX } from "../../../src/search/reading/mentions.ts";
import { ASKED_WORDS_MAX } from "../../../src/search/reading/question.ts";
import { readQuery } from "../../../src/search/reading/read_query.ts";
import { resolve } from "../../../src/search/reading/resolve.ts";
import { soon } from "../../support/soon.ts";
import { NOW, resolved } from "./asked.ts";
import { KNOWN } from "./known_terms.ts";

/** Max milliseconds to read a query on a slow machine. Usual queries take under 1 ms. */
const SLOW = 1_000;

const WORDS =
  ("series a round not in except sans sauf closing by before the end of due within 30 days between 5 " +
    "and 10 million $ or more at least over New York CA, TX la de d' l' du and/or 2012 2012-05 may March q2 last " +
    'spring since chief financial officer request for proposals industry software e-commerce U.S. " « » - + Inc. ' +
    "venture angel seed of the month fin d'ici région appels d'offres uses Node.js c++ acme.com ( without US tender " +
    "é İ ﬁ \u0301 construction 99999 2026-13-41 march")
    .split(" ");

const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: QUERY_LENGTH_MAX }),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 200 }).map((words) => words.join(" ")),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 200 }).map((words) => words.join("")),
  fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(" ", ", ", "-", "", " the end of "))
    .map(([word, sign]) => (word + sign).repeat(QUERY_LENGTH_MAX)),
).map((text) => text.slice(0, QUERY_LENGTH_MAX).normalize("NFC"));

Deno.test("resolve() never throws, is fast and keeps its limits for hostile queries", () => {
  fc.assert(
    fc.property(hostile, (query) => {
      const question = soon(SLOW, () => resolved(query));
      const { words, facets, phrases, excluded, hostnames, occurred, closes } = question;
      assert.ok(words.length <= ASKED_WORDS_MAX);
      for (const facet of facets) {
        for (const index of facet.words) assert.ok(words[index] !== undefined);
      }
      for (const parts of [phrases, excluded]) {
        assert.ok(parts.length <= PARTS_MAX);
        assert.ok(parts.every(({ length }) => length > 0 && length <= PHRASE_WORDS_MAX));
      }
      assert.ok(hostnames.length <= PARTS_MAX);
      for (const instant of [occurred.after, occurred.before, closes.after, closes.before]) {
        if (instant === null) continue;
        assert.match(instant, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/, query);
        assert.ok(!Number.isNaN(Date.parse(instant)), query);
      }
    }),
    { numRuns: 1_300 },
  );
});

Deno.test("resolve() does not change its input", () => {
  const read = readQuery("Envisoin Healthcare in Laval, Series A", NOW);
  const before = structuredClone(read);
  const first = resolve(read, KNOWN);
  assert.deepEqual(read, before);
  assert.deepEqual(resolve(read, KNOWN), first);
});

Deno.test("resolve() is fast for hostile repetitions", () => {
  for (
    const part of [
      ...["closing by the end of ", "at least 1 000 ", "between 5 and ", "not in the ", '"a ', '"'],
      ...["New York, ", "U.S.", "--''", "series ", "1 may ", "build the new the ", "raise a b "],
      ...["not ", "new a ", "a-", "depuis le ", "raised 1 ", "a.", "open the ", "due in May "],
    ]
  ) {
    soon(SLOW, () => resolved(part.repeat(QUERY_LENGTH_MAX).slice(0, QUERY_LENGTH_MAX)));
  }
});
