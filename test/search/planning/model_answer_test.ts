import assert from "node:assert/strict";
import fc from "fast-check";
import {
  readModelAnswer,
  TERMS_MAX,
  withPlan,
} from "../../../src/search/planning/model_planner.ts";
import { PARTS_MAX } from "../../../src/search/question/draft.ts";
import { readQuestion } from "../../../src/search/question/read_question.ts";
import { PHRASE_WORDS_MAX } from "../../../src/search/words/written.ts";

const read = (answer: unknown) => readModelAnswer(JSON.stringify(answer));

Deno.test("readModelAnswer() folds words, and fills absent members", () => {
  assert.deepEqual(
    read({
      terms: ["Entrepôt", "Cold-Storage", "the", "warehouses", "storage"],
      excluded: ["Construction", "snow removal"],
      kinds: ["procurement_request", "facility_expansion", "procurement_request"],
    }),
    {
      words: ["entrepot", "cold", "storage", "warehouses"],
      excluded: [["construction"], ["snow", "removal"]],
      kinds: ["facility_expansion", "procurement_request"],
    },
  );
  assert.deepEqual(read({ terms: ["freezer"] }), { words: ["freezer"], excluded: [], kinds: [] });
  assert.equal(read({ excluded: ["freezer"] }), undefined);
});

Deno.test("withPlan() adds words to each unit, but none that the question has already", () => {
  const planned = { words: ["cranes", "zebra"], excluded: [], kinds: [] };
  const none = { frequency: () => 0, corrections: () => [] };
  const { units } = withPlan(readQuestion("crane ports", new Date(), none), planned);
  const added = units.map(({ ways }) => ways.slice(-2).map(({ text }) => text));
  assert.ok(added.every(([other, last]) => other !== "cranes" && last === "zebra"), added.join());
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
    { terms: many(TERMS_MAX + 1) },
    { terms: many(10_000) },
    { terms, excluded: many(PARTS_MAX + 1) },
    { terms: ["x".repeat(201)] },
    { terms: ["free\0zer"] },
    { terms: ["freezer \ud800"] },
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
    excluded: fc.array(text, { maxLength: PARTS_MAX }),
  });
  const FOLDED = /^[\p{L}\p{N}.,&+#]{1,40}$/u;
  fc.assert(fc.property(answer, (generated) => {
    const plan = read(generated);
    if (plan === undefined) return;
    assert.ok(plan !== "unsupported");
    const { words, excluded, kinds } = plan;
    assert.ok(words.length <= TERMS_MAX && new Set(words).size === words.length);
    assert.ok(excluded.length <= PARTS_MAX);
    for (const phrase of excluded) {
      assert.ok(phrase.length >= 1 && phrase.length <= PHRASE_WORDS_MAX);
    }
    for (const word of [...words, ...excluded.flat()]) {
      assert.ok(word === word.toLowerCase() && FOLDED.test(word), JSON.stringify(word));
    }
    assert.deepEqual(kinds, []);
  }));
  fc.assert(fc.property(fc.json(), (written) => {
    const plan = readModelAnswer(written);
    assert.ok(plan === undefined || typeof plan === "object");
  }));
});
