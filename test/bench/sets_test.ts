import assert from "node:assert/strict";
import { aboutSubject, demo } from "../../bench/relevance/demo_set.ts";
import { pageOf, PEERS } from "../../bench/relevance/peers.ts";
import {
  judgedSet,
  type NamedQuestion,
  namedQuestions,
  normalized,
} from "../../bench/relevance/sets.ts";
import { NONSENSE, SUBJECT_QUESTIONS } from "../../bench/demo_subject_questions.ts";
import { DEMO_MOMENT } from "../../bench/demo_questions.ts";
import { generateDemo } from "../../src/demo/demo.ts";
import { sourceRecord } from "../support/factories.ts";

const observations = generateDemo(DEMO_MOMENT);

Deno.test("demo() has a right record for each question that has an answer", () => {
  const { questions } = demo();
  assert.equal(questions.length, 72 + SUBJECT_QUESTIONS.length + NONSENSE.length);
  const unanswered = questions.filter(({ meets }) => meets.size === 0);
  assert.deepEqual(unanswered.map(({ query }) => query), [
    "vitamin D supplement makers in California",
    "submarine cable tenders",
    ...NONSENSE,
  ]);
  assert.ok(questions.every(({ has_answer, meets }) => has_answer === meets.size > 0));
});

Deno.test("aboutSubject() returns all records of the companies about a subject", () => {
  const about = aboutSubject(observations, { about: /dialys/i });
  const names = new Set([...about].map((id) => observations[id - 1]!.company.name));
  assert.ok(names.size > 1 && names.size < 25, String(names.size));
  const all = observations.filter(({ company }) => names.has(company.name));
  assert.equal(about.size, all.length);
  assert.equal(aboutSubject(observations, { about: /no such thing/ }).size, 0);
});

Deno.test("aboutSubject() judges by the sector if the question has no other subject", () => {
  const about = aboutSubject(observations, { sectors: ["23"] });
  assert.equal(new Set([...about].map((id) => observations[id - 1]!.company.number)).size, 15);
});

Deno.test("SUBJECT_QUESTIONS concern few companies, and each NONSENSE text has an unknown word", () => {
  assert.equal(SUBJECT_QUESTIONS.length, 20);
  for (const [text, { about, near }] of SUBJECT_QUESTIONS) {
    const ids = [...aboutSubject(observations, { about, near })];
    const companies = new Set(ids.map((id) => observations[id - 1]!.company.number));
    assert.ok(companies.size <= 40, `${text}: ${companies.size}`);
  }
  const texts = observations.map(({ record }) => record.observed_fact).join(" ");
  assert.ok(NONSENSE.every((text) => !text.split(" ").every((word) => texts.includes(word))));
});

const RECORDS = [
  { company: { name: "ACME, Inc." }, facets: { place: { country: "US", region: "TX" } } },
  { company: { name: "Bölt" }, observed_fact: "A crane, a crane and a shed." },
  { company: { name: "Acme Inc" }, observed_fact: "A crane is wanted for a very long hall." },
].map((one, index) => normalized(sourceRecord({ ...one, external_id: `record-${index}` })));

Deno.test("namedQuestions() finds records by the names of companies, and those at the place", () => {
  const question = (id: string, relevant: string[]): NamedQuestion => ({
    ...{ id, kind: "name", query: "acme", relevant, conditions: { state: "TX" } },
  });
  const found = namedQuestions(
    [question("a", ["acme inc", "Never Recorded"]), question("b", ["Never Recorded"])],
    RECORDS,
  );
  assert.deepEqual(found.map(({ id, meets, at_place }) => ({ id, meets, at_place })), [
    { id: "a", meets: new Set([1, 3]), at_place: new Set([1]) },
  ]);
});

Deno.test("PEERS rank records that contain a word, and deliver one company per name", () => {
  const set = judgedSet({ name: "x", records: RECORDS, questions: [], now: DEMO_MOMENT });
  for (const [name, create] of Object.entries(PEERS)) {
    const ranked = create(set)("crane");
    assert.deepEqual(ranked, [2, 3], name);
    assert.deepEqual(pageOf([1, ...ranked], set).map(({ records }) => records), [[1, 3], [2]]);
  }
});
