import assert from "node:assert/strict";
import fc from "fast-check";
import { SECTOR_CODES } from "../../../src/contract/vocabulary.ts";
import { readModelAnswer, TERMS_MAX } from "../../../src/search/planning/model_answer.ts";
import { PARTS_MAX, PHRASE_WORDS_MAX } from "../../../src/search/reading/mentions.ts";

const read = (answer: unknown) => readModelAnswer(JSON.stringify(answer));

const NO_CONDITIONS = {
  kinds: [],
  countries: [],
  demand_classes: [],
  sectors: [],
  occurred: { after: null, before: null },
};

const once = (texts: readonly string[]) => texts.map((text) => ({ text, count: 1 }));

Deno.test("readModelAnswer() folds words and normalizes values", () => {
  assert.deepEqual(
    read({
      terms: ["Entrepôt", "Cold-Storage", "the", "warehouses", "warehouse"],
      phrases: ["Cold Storage Hall", "..."],
      excluded: ["Construction", "snow removal"],
      hostnames: [" Northwind.EXAMPLE. ", "a.example", "northwind.example"],
      kinds: ["procurement_request", "facility_expansion", "procurement_request"],
      countries: ["US", "CA"],
      demand_classes: ["proxy"],
      sectors: ["31-33"],
      occurred_after: "2026-03-01T00:00:00+01:00",
      occurred_before: null,
    }),
    {
      words: once(["entrepot", "cold", "storage", "warehouses"]),
      phrases: [["cold", "storage", "hall"]],
      excluded: [["construction"], ["snow", "removal"]],
      hostnames: ["a.example", "northwind.example"],
      kinds: ["facility_expansion", "procurement_request"],
      countries: ["CA", "US"],
      demand_classes: ["proxy"],
      sectors: ["31-33"],
      occurred: { after: "2026-02-28T23:00:00.000000Z", before: null },
    },
  );
});

Deno.test("readModelAnswer() requires terms, and fills absent members", () => {
  assert.deepEqual(read({ terms: ["freezer"] }), {
    words: once(["freezer"]),
    phrases: [],
    excluded: [],
    hostnames: [],
    ...NO_CONDITIONS,
  });
  assert.equal(read({ phrases: ["freezer"] }), undefined);
});

Deno.test("readModelAnswer() drops words that the plan excludes", () => {
  const plan = read({ terms: ["constructions", "bridge"], excluded: ["construction"] });
  assert.ok(typeof plan === "object");
  assert.deepEqual(plan.words, once(["bridge"]));
});

Deno.test('readModelAnswer() returns "unsupported" if the model answers only that', () => {
  assert.equal(read({ unsupported: true }), "unsupported");
  assert.equal(read({ unsupported: true, terms: ["freezer"] }), undefined);
  assert.equal(read({ unsupported: "yes" }), undefined);
});

Deno.test("readModelAnswer() refuses answers of any other form", () => {
  const terms = ["freezer"];
  const many = (count: number) => Array.from({ length: count }, (_, n) => `word${n}`);
  const wrong = [
    null,
    [],
    "freezer",
    {},
    [{ terms }],
    { plan: { terms } },
    { terms: "freezer" },
    { terms: [1] },
    { terms: [""] },
    { terms: [["freezer"]] },
    { terms, filters: { countries: ["US"] } },
    { terms, company_ids: [1] },
    { terms, kinds: ["acquisition"] },
    { terms, kinds: "job_posting" },
    { terms, kinds: null },
    { terms, countries: ["FR"] },
    { terms, countries: ["ca"] },
    { terms, demand_classes: ["any"] },
    { terms, sectors: ["31"] },
    { terms, sectors: [31] },
    { terms, sectors: [...SECTOR_CODES, "11"] },
    { terms, hostnames: ["https://northwind.example/"] },
    { terms, hostnames: ["a b"] },
    { terms, occurred_after: "last month" },
    { terms, occurred_after: "2026-03-01" },
    { terms, occurred_after: "2026-02-30T00:00:00Z" },
    { terms, occurred_before: 1_772_000_000 },
    { terms: many(TERMS_MAX + 1) },
    { terms: many(10_000) },
    { terms, phrases: many(PARTS_MAX + 1) },
    { terms, excluded: many(PARTS_MAX + 1) },
    { terms, hostnames: many(PARTS_MAX + 1) },
    { terms: ["x".repeat(201)] },
    { terms: ["free\0zer"] },
    { terms: ["freezer \ud800"] },
    { terms, phrases: ["\udc00"] },
    { terms, excluded: ["\0"] },
  ];
  for (const answer of wrong) {
    assert.equal(read(answer), undefined, JSON.stringify(answer).slice(0, 80));
  }
  for (
    const text of ["", "freezer", "```json\n{}\n```", '{"terms": ["freezer"]', '{"terms": NaN}']
  ) {
    assert.equal(readModelAnswer(text), undefined, text);
  }
});

Deno.test("readModelAnswer() returns bounded plans of folded words for any texts", () => {
  const text = fc.string({ unit: "binary", minLength: 1, maxLength: 200 });
  const answer = fc.record({
    terms: fc.array(text, { maxLength: TERMS_MAX }),
    phrases: fc.array(text, { maxLength: PARTS_MAX }),
    excluded: fc.array(text, { maxLength: PARTS_MAX }),
  });
  const FOLDED = /^[\p{L}\p{N}.+#]{1,40}$/u;
  fc.assert(fc.property(answer, (generated) => {
    const plan = read(generated);
    if (plan === undefined) return;
    assert.ok(plan !== "unsupported");
    const { words, phrases, excluded, hostnames, ...conditions } = plan;
    const terms = words.map(({ text }) => text);
    assert.ok(terms.length <= TERMS_MAX && new Set(terms).size === terms.length);
    assert.ok(phrases.length <= PARTS_MAX && excluded.length <= PARTS_MAX);
    for (const phrase of [...phrases, ...excluded]) {
      assert.ok(phrase.length >= 1 && phrase.length <= PHRASE_WORDS_MAX);
    }
    for (const word of [...terms, ...phrases.flat(), ...excluded.flat()]) {
      assert.ok(word === word.toLowerCase() && FOLDED.test(word), JSON.stringify(word));
    }
    assert.deepEqual({ hostnames, ...conditions }, { hostnames: [], ...NO_CONDITIONS });
  }));
  fc.assert(fc.property(fc.json(), (written) => {
    const plan = readModelAnswer(written);
    assert.ok(plan === undefined || typeof plan === "object");
  }));
});
