/**
 * What do meaning and preferences cost a search over the largest corpus? The words of all searches
 * are the same; the planned ones prefer a kind, a country, a sector and a time as well.
 */
import { instantOf } from "../src/contract/instant.ts";
import { CANDIDATE_LIMIT, OBSERVATIONS_PER_COMPANY } from "../src/contract/search.ts";
import { Segment } from "../src/search/engine/segment.ts";
import { normalizeFilters } from "../src/search/filters.ts";
import { termsOf } from "../src/search/planning.ts";
import { noPreferences, type Plan, planOfTerms } from "../src/search/planning/plan.ts";
import { SemanticModel } from "../src/search/semantics/model.ts";
import { learnModel } from "../src/search/semantics/sample.ts";
import { shortlistCompanies } from "../src/search/shortlist.ts";
import { benchInChild, say } from "./child.ts";
import { Corpus } from "./corpus.ts";
import { createOurs } from "./engines/ours.ts";
import { formatTime, markdownTable, ratioFloor } from "./floors.ts";
import { percentile, timeInTurns } from "./measure.ts";
import { queriesOf, type Query, SHAPES } from "./queries.ts";
import { LARGEST, sizeName } from "./sizes.ts";

const WORDS = 60;
const EFFORT = { least: 50, most: 300, budget: 10_000 };
const NOW = new Date("2026-09-01T00:00:00Z");
const AFTER = "2026-06-01T00:00:00.000000Z";

await benchInChild(import.meta.url, async () => {
  const corpus = new Corpus({ documents: LARGEST, words: WORDS });
  const { index, fill } = createOurs();
  await fill(corpus);
  const { fields, segments } = index.state();
  const parts = learnModel(segments.map((state) => new Segment(state, fields)));
  const model = new SemanticModel(1, parts);
  const search = (planOf: (query: Query) => Plan, own?: SemanticModel) => ({
    search: (query: Query) =>
      shortlistCompanies(index, {
        plan: planOf(query),
        filters: normalizeFilters({}),
        now: instantOf(NOW),
        model: own,
        companies: CANDIDATE_LIMIT,
        observations_per_company: OBSERVATIONS_PER_COMPANY,
      }),
  });
  const modes = [
    search(plain),
    search(planned),
    search(plain, model),
    search(planned, model),
  ];
  const all: number[][] = modes.map(() => []);
  const rows: string[][] = [];
  for (const shape of SHAPES.filter(({ filtered }) => !filtered)) {
    const times = await timeInTurns(modes, queriesOf(corpus, shape), EFFORT);
    times.forEach((own, mode) => all[mode]!.push(...own));
    rows.push([shape.name, ...times.map((own) => formatTime(percentile(own, 0.5)))]);
  }
  const head = [
    `${sizeName(LARGEST)}, p50`,
    "lexical",
    "lexical, planned",
    "hybrid",
    "hybrid, planned",
  ];
  say("\n" + markdownTable(head, rows));
  const [lexical, , , both] = all.map((own) => percentile(own.sort((a, b) => a - b), 0.5));
  const of = `${formatTime(lexical)} to ${formatTime(both)}`;
  return [ratioFloor("hybrid and planned beside lexical, p50", both! / lexical!, { most: 2, of })];
});

function plain({ text }: Query): Plan {
  return planOfTerms(termsOf(text));
}

function planned(query: Query): Plan {
  const preferences = {
    ...noPreferences(),
    kinds: ["facility_expansion" as const],
    countries: ["CA" as const],
    sectors: ["31-33" as const],
    occurred_after: AFTER,
  };
  return { ...plain(query), named_kinds: preferences.kinds, preferences };
}
