import assert from "node:assert/strict";
import { sectorMask } from "../../../src/search/index/document.ts";
import { type Judgement, Judges } from "../../../src/search/ranking/judge.ts";
import { facet, questionOf, type QuestionPart } from "../../support/questions.ts";
import { createIndex, type Part } from "./ranked.ts";

/** Judges a record by a question with one condition, before and after the index is sealed. */
function judgeOne(question: QuestionPart, record: Exclude<Part, string>): Judgement {
  const index = createIndex(record);
  const judged = () => {
    const judges = new Judges(index, questionOf(question));
    assert.equal(judges.size, 1);
    const { nearby: _, ...counts } = judges.judge(index.get(1)!);
    const [judgement, ...others] = Object.entries(counts).filter(([, count]) => count === 1);
    assert.equal(others.length, 0);
    return judgement![0] as Judgement;
  };
  const fresh = judged();
  index.engine.seal();
  assert.equal(judged(), fresh);
  return fresh;
}

function assertJudgements(
  cases: readonly [QuestionPart, Exclude<Part, string>, Judgement][],
): void {
  const judged = cases.map(([question, record]) => [question, record, judgeOne(question, record)]);
  assert.deepEqual(judged, cases);
}

Deno.test("Judges compare kinds, countries and classes of demand, which all records have", () => {
  assertJudgements([
    [{ kinds: ["job_posting"] }, { kind: "job_posting" }, "met"],
    [{ kinds: ["job_posting", "partnership"] }, { kind: "partnership" }, "met"],
    [{ kinds: ["job_posting"] }, { kind: "partnership" }, "differs"],
    [{ countries: ["CA"] }, { country: "CA" }, "met"],
    [{ countries: ["CA"] }, { country: "US" }, "contradicted"],
    [{ demand_classes: ["proxy"] }, { demand_class: "proxy" }, "met"],
    [{ demand_classes: ["proxy"] }, { demand_class: "structural" }, "differs"],
  ]);
});

Deno.test("Judges compare times with periods that include the start and exclude the end", () => {
  const may = { after: "2026-05-01T00:00:00.000000Z", before: "2026-06-01T00:00:00.000000Z" };
  const end = "2026-06-01T00:00:00.000000Z";
  assertJudgements([
    [{ occurred: may }, { occurred_at: may.after }, "met"],
    [{ occurred: may }, { occurred_at: "2026-05-31T23:59:59.999999Z" }, "met"],
    [{ occurred: may }, { occurred_at: end }, "contradicted"],
    [{ occurred: may }, { occurred_at: "2026-04-30T23:59:59.999999Z" }, "contradicted"],
    [{ occurred: may }, { occurred_at: null }, "unknown"],
    [{ occurred: { after: null, before: end } }, { occurred_at: may.after }, "met"],
    [{ occurred: { after: null, before: end } }, { occurred_at: null }, "unknown"],
    [{ closes: may }, { closes_at: "2026-05-20T00:00:00.000000Z" }, "met"],
    [{ closes: may }, { closes_at: "2026-07-20T00:00:00.000000Z" }, "contradicted"],
    [{ closes: may }, { closes_at: null }, "unknown"],
  ]);
});

Deno.test("Judges compare amounts with inclusive bounds", () => {
  assertJudgements([
    [{ amount: { min: 5, max: null } }, { amount: 5 }, "met"],
    [{ amount: { min: 5, max: null } }, { amount: 4.99 }, "contradicted"],
    [{ amount: { min: null, max: 5 } }, { amount: 5 }, "met"],
    [{ amount: { min: 2, max: 5 } }, { amount: 6 }, "contradicted"],
    [{ amount: { min: 2, max: 5 } }, { amount: null }, "unknown"],
    [{ amount: { min: 2, max: 5 } }, { amount: 0 }, "contradicted"],
  ]);
});

Deno.test("Judges compare sectors, unless a facet contains them", () => {
  assertJudgements([
    [{ sectors: ["23"] }, { sectors: sectorMask(["23", "72"]) }, "met"],
    [{ sectors: ["23"] }, { sectors: sectorMask(["72"]) }, "differs"],
    [{ sectors: ["23"] }, { sectors: 0 }, "unknown"],
  ]);
  const either = { any: ["industry:construction"], sectors: ["23" as const], words: [] };
  assertJudgements([
    [{ sectors: ["23"], facets: [either] }, { sectors: sectorMask(["23"]) }, "met"],
    [{ sectors: ["23"], facets: [either] }, { facets: ["industry:construction"] }, "met"],
    [{ sectors: ["23"], facets: [either] }, { sectors: sectorMask(["72"]) }, "unknown"],
  ]);
});

Deno.test("Judges treat another value of a single-valued facet as a contradiction", () => {
  assertJudgements([
    [{ facets: [facet(["round:series_a"])] }, { facets: ["round:series_a"] }, "met"],
    [{ facets: [facet(["round:series_a", "round:seed"])] }, { facets: ["round:seed"] }, "met"],
    [{ facets: [facet(["round:series_a"])] }, { facets: ["round:series_b"] }, "contradicted"],
    [{ facets: [facet(["round:series_a"])] }, { facets: ["region:US-CA"] }, "unknown"],
    [{ facets: [facet(["role:cfo"])] }, { facets: ["role:ceo"] }, "contradicted"],
    [{ facets: [facet(["document:rfp"])] }, { facets: ["document:rfq"] }, "differs"],
    // A company may use both technologies.
    [{ facets: [facet(["technology:react"])] }, { facets: ["technology:vuejs"] }, "unknown"],
  ]);
});

Deno.test("Judges treat any other place as a contradiction", () => {
  const boston = facet(["city:boston", "metro:boston"]);
  assertJudgements([
    [{ facets: [boston] }, { facets: ["metro:boston", "city:quincy"] }, "met"],
    [{ facets: [boston] }, { facets: ["city:laval"] }, "contradicted"],
    [{ facets: [boston] }, { facets: ["region:US-TX"] }, "contradicted"],
    [{ facets: [boston] }, {}, "unknown"],
  ]);
});

Deno.test("Judges treat another value of a facet as unknown if the facet stands for words", () => {
  assertJudgements([
    [{ facets: [facet(["round:seed"], [0])] }, { facets: ["round:seed"] }, "met"],
    [{ facets: [facet(["round:seed"], [0])] }, { facets: ["round:series_a"] }, "unknown"],
  ]);
});

Deno.test("Judges count a city as nearby if a record only has its metropolitan area", () => {
  const nearbyOf = (facets: string[]) => {
    const index = createIndex({ facets });
    const question = questionOf({ facets: [facet(["city:boston", "metro:boston"])] });
    const { met, nearby } = new Judges(index, question).judge(index.get(1)!);
    return { met, nearby };
  };
  assert.deepEqual(nearbyOf(["city:boston", "metro:boston"]), { met: 1, nearby: 0 });
  assert.deepEqual(nearbyOf(["city:cambridge", "metro:boston"]), { met: 1, nearby: 1 });
  assert.deepEqual(nearbyOf(["city:austin"]), { met: 0, nearby: 0 });
});

Deno.test("Judges count the results of all conditions", () => {
  const index = createIndex({ kind: "job_posting", country: "US", facets: ["role:cfo"] });
  const judges = new Judges(
    index,
    questionOf({
      kinds: ["job_posting"],
      countries: ["CA"],
      facets: [facet(["role:cfo"]), facet(["technology:react"])],
      amount: { min: 1, max: null },
    }),
  );
  assert.equal(judges.size, 5);
  assert.deepEqual(judges.judge(index.get(1)!), {
    met: 2,
    unknown: 2,
    differs: 0,
    contradicted: 1,
    nearby: 0,
  });
  assert.equal(new Judges(index, questionOf({ words: ["crane"] })).size, 0);
});
