/**
 * What does the built-in planner do to the ranking, with and without meaning? On graded questions to
 * the demo dataset, in English and French, and on the public collections, which ask nothing that it
 * could read and must not suffer from it.
 */
import type { Judged } from "./relevance.ts";
import { benchInChild, say } from "./child.ts";
import { gradeOf, type Wanted } from "./demo_judge.ts";
import { DEMO_MOMENT, DEMO_QUESTIONS, isHeldOut } from "./demo_questions.ts";
import { indexDocuments } from "./engines/readers.ts";
import { type Floor, markdownTable, ratioFloor } from "./floors.ts";
import { readCollection, relevanceOf } from "./relevance.ts";
import { type DemoObservation, generateDemo } from "../src/ingest/demo.ts";
import { CANDIDATE_LIMIT, OBSERVATIONS_PER_COMPANY } from "../src/contract/search.ts";
import { instantOf, normalizeInstant } from "../src/contract/instant.ts";
import { labelsOf, type ObservationDocument } from "../src/search/document.ts";
import { Segment } from "../src/search/engine/segment.ts";
import { ObservationIndex } from "../src/search/engine/observation_index.ts";
import { normalizeFilters } from "../src/search/filters.ts";
import { planSearch, termsOf } from "../src/search/planning.ts";
import { type Plan, planOfTerms } from "../src/search/planning/plan.ts";
import { learnModel } from "../src/search/semantics/sample.ts";
import { SemanticModel } from "../src/search/semantics/model.ts";
import { shortlistCompanies } from "../src/search/shortlist.ts";

const DIRECTORY = new URL("../../shared/data/ir/", import.meta.url);
const COLLECTIONS = { scifact: "SciFact", cranfield: "Cranfield", npl: "NPL" };

/** How a search is done: each of both on or off. */
interface Mode {
  planner: boolean;
  hybrid: boolean;
}
const MODES: readonly Mode[] = [false, true].flatMap((hybrid) =>
  [false, true].map((planner) => ({ planner, hybrid }))
);

/** An index with the model that is learned from it. */
interface Loaded {
  index: ObservationIndex;
  model: SemanticModel;
}

await benchInChild(import.meta.url, () => {
  const floors = [...compareDemo(), ...compareCollections()];
  return Promise.resolve(floors);
});

function compareDemo(): Floor[] {
  const demo = loadDemo();
  const scores = DEMO_QUESTIONS.map((question) => scoresOf(demo, question.text, question.wanted));
  const groups: [string, (place: number) => boolean][] = [
    ["all", () => true],
    ["seen", (place) => !isHeldOut(place)],
    ["held out", isHeldOut],
    ["English", (place) => DEMO_QUESTIONS[place]!.language === "en"],
    ["French", (place) => DEMO_QUESTIONS[place]!.language === "fr"],
  ];
  const rows = groups.map(([name, belongs]) => {
    const own = scores.filter((_, place) => belongs(place));
    return [name, String(own.length), ...MODES.map((_, mode) => mean(own, mode).toFixed(3))];
  });
  say(table("demo questions", rows));
  return [["lexical", 0], ["hybrid", 2]].map(([name, mode]) => {
    const off = mean(scores, mode as number);
    const on = mean(scores, mode as number + 1);
    const of = `${off.toFixed(3)} to ${on.toFixed(3)}`;
    return ratioFloor(`planner: nDCG@10 on the demo questions, ${name}`, on / off, {
      least: 1.1,
      of,
    });
  });
}

/** By mode: nDCG@10 of a question, companies graded by the best that is shown of them. */
function scoresOf(demo: Demo, text: string, wanted: Wanted): number[] {
  const grades = demo.observations.map((observation) => gradeOf(observation, wanted));
  const best = new Map<number, number>();
  grades.forEach((grade, place) => {
    const id = demo.observations[place]!.company.number + 1;
    best.set(id, Math.max(best.get(id) ?? 0, grade));
  });
  const ideal = [...best.values()];
  return MODES.map((mode) => {
    const shown = shortlist(demo, text, mode).map(({ observations }) =>
      Math.max(...observations.map(({ observation_id }) => grades[observation_id - 1]!))
    );
    return gainOf(shown) / gainOf(ideal.toSorted((a, b) => b - a));
  });
}

function gainOf(grades: readonly number[]): number {
  return grades.slice(0, 10)
    .reduce((sum, grade, place) => sum + grade / Math.log2(place + 2), 0);
}

function shortlist({ index, model }: Loaded, text: string, { planner, hybrid }: Mode) {
  const plan: Plan = planner ? planSearch(text, DEMO_MOMENT) : planOfTerms(termsOf(text));
  return shortlistCompanies(index, {
    plan,
    filters: normalizeFilters({}),
    now: instantOf(DEMO_MOMENT),
    model: hybrid ? model : undefined,
    companies: CANDIDATE_LIMIT,
    observations_per_company: OBSERVATIONS_PER_COMPANY,
  }).companies;
}

interface Demo extends Loaded {
  /** By their ids from 1 on; a company's is its number and one. */
  observations: readonly DemoObservation[];
}

function loadDemo(): Demo {
  const observations = generateDemo(DEMO_MOMENT);
  const index = new ObservationIndex();
  observations.forEach((own, place) => index.put(documentOf(own, place + 1)));
  return { ...withModel(index), observations };
}

function documentOf(
  { record, company }: DemoObservation,
  observation_id: number,
): ObservationDocument {
  const instant = (text?: string | null) => text ? normalizeInstant(text)! : null;
  return {
    observation_id,
    company_id: company.number + 1,
    kind: record.kind,
    demand_class: record.demand_class,
    country: record.country,
    occurred_at: instant(record.occurred_at),
    observed_at: instant(record.observed_at)!,
    expires_at: instant(record.expires_at),
    hostnames: company.hostnames,
    text: {
      company: company.name,
      observed_fact: record.observed_fact,
      why_it_may_matter: record.why_it_may_matter,
      texts: record.evidence.map(({ excerpt }) => excerpt),
      ...labelsOf(record.kind, record.categories ?? []),
    },
  };
}

function withModel(index: ObservationIndex): Loaded {
  const { fields, segments } = index.state();
  const parts = learnModel(segments.map((state) => new Segment(state, fields)));
  return { index, model: new SemanticModel(1, parts) };
}

function compareCollections(): Floor[] {
  if (!exists(DIRECTORY)) {
    say("no public collections: the test collections are not at ../shared/data/ir");
    return [];
  }
  const measured = Object.entries(COLLECTIONS).map(([name, title]) => {
    const collection = readCollection(new URL(name, DIRECTORY).pathname);
    const loaded = withModel(indexDocuments(collection.documents));
    return { title, scores: MODES.map((mode) => collectionScore(loaded, collection, mode)) };
  });
  say(table(
    "collection",
    measured.map(({ title, scores }) => [title, "", ...scores.map((score) => score.toFixed(4))]),
  ));
  return measured.flatMap(({ title, scores }) =>
    [["lexical", 0], ["hybrid", 2]].map(([name, mode]): Floor => {
      const [off, on] = [scores[mode as number]!, scores[mode as number + 1]!];
      return {
        what: `planner: nDCG@10 on ${title}, ${name}`,
        floor: `at least ${off.toFixed(4)}, as without`,
        measured: on.toFixed(4),
        met: on >= off,
      };
    })
  );
}

function collectionScore(loaded: Loaded, collection: Judged, mode: Mode): number {
  return relevanceOf(collection, (text) =>
    shortlist(loaded, text, mode)
      .map(({ company_id }) => collection.documents[company_id - 1]!.id)).ndcg_at_10;
}

function mean(scores: readonly number[][], mode: number): number {
  return scores.reduce((sum, own) => sum + own[mode]!, 0) / scores.length;
}

function table(what: string, rows: string[][]): string {
  const modes = MODES.map(({ planner, hybrid }) =>
    `${hybrid ? "hybrid" : "lexical"}, planner ${planner ? "on" : "off"}`
  );
  return "\n" + markdownTable([what, "questions", ...modes], rows);
}

function exists(directory: URL): boolean {
  try {
    return Deno.statSync(directory).isDirectory;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
