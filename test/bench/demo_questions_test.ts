import assert from "node:assert/strict";
import { gradeOf } from "../../bench/demo_judge.ts";
import { DEMO_MOMENT, DEMO_QUESTIONS, isHeldOut } from "../../bench/demo_questions.ts";
import { generateDemo } from "../../src/demo/demo.ts";

Deno.test("DEMO_QUESTIONS has 36 questions per language, and a third of them is held out", () => {
  const count = (matches: (index: number) => boolean) =>
    DEMO_QUESTIONS.filter((_, index) => matches(index)).length;
  assert.equal(count((index) => DEMO_QUESTIONS[index]!.language === "en"), 36);
  assert.equal(count((index) => DEMO_QUESTIONS[index]!.language === "fr"), 36);
  assert.equal(count(isHeldOut), 24);
  assert.equal(new Set(DEMO_QUESTIONS.map(({ text }) => text)).size, 72);
});

Deno.test("gradeOf() gives at least one observation a good grade for every question", () => {
  const observations = generateDemo(DEMO_MOMENT);
  const unanswered = DEMO_QUESTIONS.filter(({ wanted }) =>
    !observations.some((observation) => gradeOf(observation, wanted) >= 2)
  );
  assert.deepEqual(unanswered, []);
});

Deno.test("gradeOf() distinguishes matching, related and excluded observations", () => {
  const [observation] = generateDemo(DEMO_MOMENT).filter(({ kind, company }) =>
    kind === "job_posting" && company.trade.name === "Orchards"
  );
  const role = new RegExp(observation!.scene.role);
  const grade = (wanted: Parameters<typeof gradeOf>[1]) => gradeOf(observation!, wanted);
  assert.equal(grade({ kinds: ["job_posting"], sectors: ["11"], about: role }), 3);
  assert.equal(grade({ kinds: ["job_posting"], about: /welder/, near: role }), 2);
  assert.equal(grade({ kinds: ["job_posting"], about: /apples/ }), 1);
  assert.equal(grade({ kinds: ["procurement_request"], sectors: ["11"], about: role }), 1);
  assert.equal(grade({ kinds: ["procurement_request"], sectors: ["11"] }), 0);
  assert.equal(grade({ kinds: ["procurement_request"], sectors: ["21"], about: role }), 0);
  assert.equal(grade({ about: role, not: /apples/ }), 0);
});
