import assert from "node:assert/strict";
import { companiesOf, judgePage } from "../../bench/questions/demo_subjects.ts";
import { demoObservations } from "../../bench/questions/demo_dataset.ts";
import { NONSENSE, SUBJECT_QUESTIONS } from "../../bench/questions/subject_questions.ts";
import {
  type CompanyKeys,
  meansByKind,
  type NamedQuestion,
  nameKey,
  scoreOf,
} from "../../bench/questions/judge.ts";

const QUESTION: NamedQuestion = {
  id: "q-1",
  kind: "name",
  query: "acme or bolt",
  relevant: ["Acme, Inc.", "Bölt", "Never Recorded"],
};

function keysOf(...names: string[][]): CompanyKeys {
  return new Map(names.map((ofCompany, index) => [index + 1, new Set(ofCompany.map(nameKey))]));
}

Deno.test("scoreOf() is 1 if the relevant companies come first, in any order", () => {
  const keys = keysOf(["ACME INC"], ["Other"], ["Former Name", "Bolt"]);
  assert.equal(scoreOf(QUESTION, [1, 3, 2], keys), 1);
  assert.equal(scoreOf(QUESTION, [3, 1], keys), 1);
  assert.equal(scoreOf(QUESTION, [2], keys), 0);
  assert.equal(scoreOf(QUESTION, [], keys), 0);
  const late = scoreOf(QUESTION, [2, 1, 3], keys)!;
  assert.ok(late > 0.6 && late < 0.7, String(late));
});

Deno.test("scoreOf() counts a name once, and is undefined if no company is relevant", () => {
  const keys = keysOf(["Acme Inc"], ["Acme, Inc."], ["Bolt"]);
  assert.ok(scoreOf(QUESTION, [1, 2], keys)! < 1);
  assert.equal(scoreOf(QUESTION, [1], keysOf(["Other"])), undefined);
});

Deno.test("scoreOf() judges only the first ten companies", () => {
  const others = Array.from({ length: 10 }, (_, n) => [`other ${n}`]);
  const ids = others.map((_, index) => index + 1);
  assert.equal(scoreOf(QUESTION, [...ids, 11], keysOf(...others, ["Bolt"])), 0);
});

Deno.test("meansByKind() returns the mean of all scores, and then of every kind", () => {
  const score = (kind: string, value: number) => ({
    question: { ...QUESTION, kind },
    score: value,
    delivered: [],
  });
  assert.deepEqual(meansByKind([score("a", 1), score("b", 0), score("a", 0.5)]), [
    { kind: "all", questions: 3, mean: 0.5 },
    { kind: "a", questions: 2, mean: 0.75 },
    { kind: "b", questions: 1, mean: 0 },
  ]);
});

const companies = companiesOf(demoObservations());
const wanted = { about: /dialys/i };
const about = [...companies.keys()].filter((number) =>
  judgePage([number], wanted, companies).precision === 1
);

Deno.test("judgePage() distinguishes companies about the subject from all others", () => {
  assert.ok(about.length > 1 && about.length < 25, String(about.length));
  const wrong = [...companies.keys()].find((number) => !about.includes(number))!;
  assert.deepEqual(judgePage(about, wanted, companies), { precision: 1, recall: 1 });
  assert.deepEqual(judgePage([about[0]!, wrong], wanted, companies), {
    precision: 0.5,
    recall: 1 / about.length,
  });
  assert.deepEqual(judgePage([], wanted, companies), { precision: undefined, recall: 0 });
});

Deno.test("judgePage() expects an empty page if no company is about the subject", () => {
  const absent = { about: /no such thing/ };
  assert.deepEqual(judgePage([], absent, companies), { precision: 1, recall: undefined });
  assert.deepEqual(judgePage([about[0]!], absent, companies), {
    precision: 0,
    recall: undefined,
  });
});

Deno.test("judgePage() judges by the sector if the question has no other subject", () => {
  const { precision } = judgePage([...companies.keys()], { sectors: ["23"] }, companies);
  assert.equal(precision, 15 / 300);
});

Deno.test("SUBJECT_QUESTIONS concern few companies, and each NONSENSE text has an unknown word", () => {
  assert.equal(SUBJECT_QUESTIONS.length, 20);
  for (const [text, { about, near }] of SUBJECT_QUESTIONS) {
    const all = [...companies.keys()];
    const { precision } = judgePage(all, { about, near }, companies);
    assert.ok(precision! * all.length <= 40, `${text}: ${precision! * all.length}`);
  }
  const texts = demoObservations().map(({ record }) => record.observed_fact).join(" ");
  assert.ok(NONSENSE.every((text) => !text.split(" ").every((word) => texts.includes(word))));
});
