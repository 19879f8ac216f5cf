import assert from "node:assert/strict";
import type { ObservationHit } from "../../../src/search/engine/collecting.ts";
import { LANGUAGES } from "../../../src/search/engine/words.ts";
import { sectorMask } from "../../../src/search/index/document.ts";
import { normalizeFilters } from "../../support/inputs.ts";
import { collectCandidates, searchedWords } from "../../../src/search/ranking/candidates.ts";
import type { Conditions } from "../../../src/search/ranking/gatherer.ts";
import { facet, questionOf, type QuestionPart } from "../../support/questions.ts";

/** Returns the conditions of a request in one line. */
function describe({ filters, facets = [], sectors = 0, ...rest }: Conditions): string {
  const { kinds, countries, demand_classes, domains, occurred_after } = filters;
  const period = [rest.closes?.after, rest.closes?.before].some((bound) => bound != null);
  return [
    ...[kinds, countries, demand_classes, domains].filter(({ length }) => length > 0).map((
      values,
    ) => values.join("+")),
    ...facets.map((any) => any.join("|")),
    ...sectors === 0 ? [] : [`sectors ${sectors}`],
    ...occurred_after === null ? [] : [`after ${occurred_after}`],
    ...rest.occurred_before == null ? [] : [`before ${rest.occurred_before}`],
    ...period ? ["closes"] : [],
    ...rest.amount == null ? [] : ["amount"],
  ].join(", ");
}

/**
 * Returns the requests that collectCandidates() makes, in order. Each answer has `each` new
 * observations.
 */
function requestsFor(
  part: QuestionPart,
  { filters = {}, standsForWords = false, each = 0 }: {
    filters?: unknown;
    standsForWords?: boolean;
    each?: number;
  } = {},
): string[] {
  const lines: string[] = [];
  let last = 0;
  const answer = (line: string): ObservationHit[] => {
    lines.push(line);
    return Array.from({ length: each }, () => ({
      observation_id: ++last,
      company_id: last,
      score: 1,
    }));
  };
  collectCandidates(questionOf(part), {
    filters: normalizeFilters(filters),
    standsForWords,
    wordsNeeded: null,
    gatherer: {
      enough: 10,
      groups: true,
      search: (_, conditions) => answer(`search ${describe(conditions)}`.trim()),
      list: (conditions) => answer(`list ${describe(conditions)}`.trim()),
    },
  });
  return lines;
}

const words = ["crane"];
const RANGE: QuestionPart = {
  occurred: { after: "2026-05-01T00:00:00.000000Z", before: "2026-06-01T00:00:00.000000Z" },
};

Deno.test("collectCandidates() never repeats a request", () => {
  assert.deepEqual(requestsFor({ words }), ["search"]);
  assert.deepEqual(requestsFor({ kinds: ["funding_round"] }), ["list funding_round"]);
});

Deno.test("collectCandidates() drops conditions until there are enough candidates", () => {
  const conditions: QuestionPart = {
    words,
    kinds: ["funding_round"],
    countries: ["CA"],
    facets: [facet(["round:seed", "round:angel"])],
    amount: { min: 1, max: null },
    ...RANGE,
  };
  assert.deepEqual(requestsFor(conditions), [
    "search funding_round, CA, round:seed|round:angel, " +
    "after 2026-04-30T23:59:59.999999Z, before 2026-06-01T00:00:00.000000Z, amount",
    "search funding_round, CA",
    "search",
  ]);
  assert.deepEqual(requestsFor(conditions, { each: 5 }).length, 2);
  assert.deepEqual(requestsFor(conditions, { each: 10 }).length, 1);
});

Deno.test("collectCandidates() lists records only if a question has no words", () => {
  assert.deepEqual(requestsFor({ kinds: ["job_posting"], facets: [facet(["role:cfo"])] }), [
    "list job_posting, role:cfo",
    "list job_posting",
  ]);
  assert.deepEqual(
    requestsFor({ closes: { after: null, before: "2026-07-01T00:00:00.000000Z" } }),
    [
      "list closes",
      "list",
    ],
  );
  assert.deepEqual(requestsFor({}), []);
});

Deno.test("collectCandidates() first requires the facets that cover words", () => {
  const software = facet(["industry:software"], [0]);
  assert.deepEqual(requestsFor({ words, facets: [software] }), [
    "search industry:software",
    "search",
  ]);
  assert.deepEqual(requestsFor({ words, facets: [software] }, { standsForWords: true }), [
    "search industry:software",
    "list industry:software",
    "search",
  ]);
});

Deno.test("collectCandidates() requests sectors in addition to equivalent facet terms", () => {
  const mask = sectorMask(["23"]);
  const trade = { any: ["industry:construction"], sectors: ["23" as const], words: [] };
  assert.deepEqual(requestsFor({ facets: [trade] }), [
    "list industry:construction",
    `list sectors ${mask}`,
    "list",
  ]);
  assert.deepEqual(requestsFor({ words, sectors: ["23"] })[0], `search sectors ${mask}`);
});

Deno.test("collectCandidates() narrows filters, and ignores conditions that contradict them", () => {
  const filters = {
    kinds: ["procurement_request"],
    countries: ["CA", "US"],
    occurred_after: "2026-05-20T00:00:00Z",
  };
  assert.deepEqual(
    requestsFor({ words, kinds: ["job_posting"], countries: ["US"], ...RANGE }, { filters }),
    [
      "search procurement_request, US, " +
      "after 2026-05-20T00:00:00.000000Z, before 2026-06-01T00:00:00.000000Z",
      "search procurement_request, US, after 2026-05-20T00:00:00.000000Z",
      "search procurement_request, CA+US, after 2026-05-20T00:00:00.000000Z",
    ],
  );
});

Deno.test("searchedWords() gives synonyms a lower count than words, and related words the lowest", () => {
  const form = (words: string[], weight: number) => ({ words, weight, languages: LANGUAGES });
  const question = questionOf({
    words: ["crane", { text: "repair", count: 3 }],
    alternatives: [
      { from: 0, to: 1, forms: [form(["derrick"], 1), form(["repair"], 1)] },
      { from: 1, to: 2, forms: [form(["main", "tenance"], 0.5)] },
    ],
  });
  const [crane, repair, derrick, ...related] = searchedWords(question);
  assert.deepEqual([crane, repair], [{ text: "crane", count: 1 }, { text: "repair", count: 3 }]);
  assert.equal(derrick!.text, "derrick");
  assert(derrick!.count > 0 && derrick!.count < 1);
  // A related form has half the count of a synonym, and its two words share this half.
  const count = derrick!.count / 4;
  assert.deepEqual(related, [{ text: "main", count }, { text: "tenance", count }]);
});
