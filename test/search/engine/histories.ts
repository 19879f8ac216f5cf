/** Generates random documents, histories of an index, and questions. */
import fc from "fast-check";
import type { Country, DemandClass, Kind } from "../../../src/contract/vocabulary.ts";
import { mergeSegments } from "../../../src/search/engine/merging.ts";
import type { ObservationDocument } from "../../../src/search/index/document.ts";
import {
  ObservationIndex,
  type ObservationQuery,
} from "../../../src/search/index/observation_index.ts";
import { normalizeFilters } from "../../support/inputs.ts";
import { observationDocument } from "../../support/documents.ts";

const day = (n: number) => `2026-03-0${n}T00:00:00.000000Z`;
/** Time of the questions that have one. */
export const NOW = day(3);

const WORDS = "steel mill paper roof snow crane usine neige toitures the les des of".split(" ");
const HOSTNAMES = ["a.example", "b.example", "c.example"];

/** Facet terms. One of them is also a word. */
export const FACETS = ["round:seed", "round:series_a", "region:CA-QC", "steel"];

const text = (maxLength: number) =>
  fc.array(fc.constantFrom(...WORDS), { maxLength }).map((words) => words.join(" "));

/**
 * Generates a document. Its texts have few words, so that many scores are equal or nearly equal.
 */
export const document: fc.Arbitrary<ObservationDocument> = fc.record({
  observation_id: fc.integer({ min: 1, max: 40 }),
  company_id: fc.integer({ min: 1, max: 9 }),
  country: fc.constantFrom<Country>("CA", "US"),
  kind: fc.constantFrom<Kind>("procurement_request", "facility_expansion", "company_profile"),
  demand_class: fc.constantFrom<DemandClass>("explicit_request", "structural"),
  occurred_at: fc.option(fc.integer({ min: 1, max: 5 }).map(day)),
  observed_at: fc.integer({ min: 1, max: 5 }).map(day),
  expires_at: fc.option(fc.integer({ min: 2, max: 5 }).map(day), { freq: 2 }),
  hostnames: fc.subarray(HOSTNAMES, { maxLength: 2 }),
  facets: fc.subarray(FACETS, { maxLength: 3 }),
  amount: fc.option(fc.integer({ min: 1, max: 5 })),
  closes_at: fc.option(fc.integer({ min: 1, max: 5 }).map(day)),
  sectors: fc.integer({ min: 0, max: 7 }),
  text: fc.record({
    company: text(2),
    observed_fact: text(6),
    texts: fc.array(text(8), { maxLength: 2 }),
  }),
}).map(({ observation_id, ...part }) => observationDocument(observation_id, part));

type Step =
  | { put: ObservationDocument }
  | { remove: number }
  | { act: "seal" | "compact" | "merge all" | "reload" | "merge late" };

/** Generates a step in the history of an index. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: document.map((put) => ({ put })) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 40 }).map((remove) => ({ remove })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom("seal", "compact", "merge all", "reload", "merge late")
      .map((act) => ({ act }) as Step),
  },
);

/** Generates words and filters. */
export const question = fc.record({
  words: fc.array(
    fc.oneof(
      fc.constantFrom(...WORDS),
      fc.record({ text: fc.constantFrom(...WORDS), count: fc.integer({ min: 1, max: 9 }) }),
    ),
    { maxLength: 5 },
  ),
  filters: fc.option(
    fc.record({
      countries: fc.subarray(["CA", "US"]),
      kinds: fc.subarray(["procurement_request", "facility_expansion"]),
      demand_classes: fc.subarray(["structural"]),
      occurred_after: fc.integer({ min: 1, max: 4 }).map(day),
      observed_after: fc.integer({ min: 1, max: 4 }).map(day),
      company_ids: fc.subarray([1, 2, 3, 4, 99]),
      exclude_company_ids: fc.subarray([3, 5]),
      domains: fc.subarray(HOSTNAMES, { maxLength: 2 }),
      exclude_domains: fc.subarray(HOSTNAMES, { maxLength: 1 }),
    }, { requiredKeys: [] }).map(normalizeFilters),
    { nil: undefined },
  ),
  now: fc.constantFrom(undefined, NOW),
});

const bound = fc.option(fc.integer({ min: 1, max: 5 }));
const moment = fc.option(fc.integer({ min: 1, max: 5 }).map(day));

/** Generates conditions on facets and columns. All are optional. */
const narrowing = fc.record({
  facets: fc.array(fc.subarray([...FACETS, "round:none"], { minLength: 1 }), { maxLength: 2 }),
  amount: fc.option(fc.record({ min: bound, max: bound })),
  occurred_before: moment,
  closes: fc.option(fc.record({ after: moment, before: moment })),
  sectors: fc.integer({ min: 0, max: 7 }),
}, { requiredKeys: [] });

/** Generates questions with words, filters and narrowing conditions. */
export const narrowed = fc.tuple(question, narrowing).map(([base, conditions]) => ({
  ...base,
  ...conditions,
}));

/** Returns an index after the steps, and the documents that it must contain. */
export function follow(steps: readonly Step[], tail_documents: number) {
  const expected = new Map<number, ObservationDocument>();
  let index = new ObservationIndex({ tail_documents, merges: "elsewhere" });
  let late: { work: ReturnType<typeof mergeAll>; merged: SharedArrayBuffer } | undefined;
  for (const step of steps) {
    if ("put" in step) {
      index.put(step.put);
      expected.set(step.put.observation_id, step.put);
    } else if ("remove" in step) {
      index.remove(step.remove);
      expected.delete(step.remove);
    } else if (step.act === "seal") index.engine.seal();
    else if (step.act === "compact") {
      index.engine.compact();
      late = undefined;
    } else if (step.act === "reload") {
      index = ObservationIndex.of(structuredClone(index.state()), {
        tail_documents,
        merges: "elsewhere",
      });
      late = undefined;
    } else {
      // A late merge was computed before the latest steps. Its result is swapped in after them.
      if (late !== undefined) index.engine.adopt(late.work, late.merged);
      const work = mergeAll(index);
      late = work.segments.length > 0 ? { work, merged: mergeSegments(work) } : undefined;
      if (step.act === "merge all" && late) index.engine.adopt(late.work, late.merged);
      if (step.act === "merge all") late = undefined;
    }
  }
  return { index, documents: [...expected.values()] };
}

function mergeAll(index: ObservationIndex) {
  const { fields, segments } = index.state();
  return { fields, segments, averages: new Float64Array(fields.length).fill(3) };
}

/**
 * Returns whether a question has conditions on facets or columns. If such a question has no words,
 * the index lists all records that meet the conditions.
 */
export function narrows(
  { facets = [], amount, closes, ...rest }: Partial<ObservationQuery>,
): boolean {
  return facets.length > 0 || Boolean(rest.sectors ?? 0) ||
    [rest.occurred_before, amount?.min, amount?.max, closes?.after, closes?.before]
      .some((bound) => bound !== null && bound !== undefined);
}
