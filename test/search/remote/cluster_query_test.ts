import assert from "node:assert/strict";
import { COUNTRIES, KINDS } from "../../../src/contract/vocabulary.ts";
import { NO_FILTERS } from "../../../src/contract/filters.ts";
import { criteriaOf } from "../../../src/search/match/criteria.ts";
import { weighedUnits } from "../../../src/search/match/match.ts";
import { readQuestion } from "../../../src/search/question/read_question.ts";
import { clusterQuery } from "../../../src/search/remote/fetched_records.ts";
import { keyOf } from "../../../src/search/words/terms.ts";

const NOW = "2026-11-27T12:00:00.000000Z";
const NO_WORDS = { frequency: () => 0, corrections: () => [] };

/** Returns the query of a text for an index of 1,000 records, of which so many have each term. */
function queryOf(text: string, frequency: number) {
  const question = readQuestion(text, new Date(NOW), NO_WORDS);
  const keys = question.units.flatMap(({ ways }) => ways.flatMap((way) => way.keys));
  const statistics = {
    ...NO_WORDS,
    count: 1_000,
    frequencies: new Map(keys.map((key) => [key, frequency])),
    companiesWith: () => [],
  };
  const units = weighedUnits(statistics, question);
  const criteria = criteriaOf(question, { ...NO_FILTERS, now: NOW }, () => []);
  // deno-lint-ignore no-explicit-any -- The test reads a few members of a large query.
  return { units, bool: clusterQuery({ units, criteria, statistics }).bool as any };
}

Deno.test("clusterQuery() puts records that meet everything before those with any score", () => {
  const { units, bool } = queryOf("warehouse tenders in Texas", 10);
  const [{ constant_score }] = bool.should;
  const region = keyOf("region:US-TX").toString(36);
  const inTexas = [
    { terms: { terms: [region] } },
    { terms: { country: [COUNTRIES.indexOf("US")] } },
  ];
  assert.deepEqual(constant_score.filter, {
    bool: {
      filter: [
        { bool: { should: [{ bool: { filter: inTexas } }] } },
        { terms: { kind: [KINDS.indexOf("procurement_request")] } },
      ],
    },
  });
  const greatest = units.reduce((sum, { weight }) => sum + 255 * weight, 0);
  assert.ok(greatest > 255);
  assert.ok(constant_score.boost > greatest);
});

Deno.test("clusterQuery() finds nothing for words that no record contains", () => {
  assert.deepEqual(queryOf("qwertyuiop", 0).bool.must, [
    { bool: { should: [{ terms: { terms: [] } }] } },
  ]);
});
