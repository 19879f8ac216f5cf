/**
 * Trains the judge: `train.ts [--write] [--sets NAMES] [--worst N]`. Prints the figures of
 * cross-validation by question, and those that other thresholds would give.
 */
import { parseArgs } from "node:util";
import { OBSERVATIONS_PER_COMPANY } from "../../src/contract/search.ts";
import { RecordIndex } from "../../src/search/index/record_index.ts";
import { decide } from "../../src/search/judge/decide.ts";
import { FeatureReader, FEATURES } from "../../src/search/judge/features.ts";
import { probabilityOf, type Weights } from "../../src/search/judge/judge.ts";
import { NO_FILTERS } from "../../src/search/match/admission.ts";
import { match } from "../../src/search/match/match.ts";
import { readQuestion } from "../../src/search/question/read_question.ts";
import { type Figures, mean, measure, PAGE } from "./measures.ts";
import { type Example, fit } from "./regression.ts";
import { demo, type JudgedQuestion, type JudgedSet, realRecords, realTexts } from "./sets.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    write: { type: "boolean", default: false },
    sets: { type: "string", default: "texts,records,demo" },
    worst: { type: "string", default: "0" },
    type: { type: "string" },
  },
});

const FOLDS = 5;

/**
 * Probability from which a company is charged. Over the real texts, two of three charged companies
 * are then about the subject, and seven of ten right ones are found (docs/measurements.md).
 */
const THRESHOLD = 0.1;

/**
 * Weight of a question over the real texts. They are the only questions of people over texts of
 * people. The other records have few words, or are generated.
 */
const TEXTS_WEIGHT = 3;

const SIGNS = FEATURES.map((name) => name === "silent" || name === "other_kind" ? -1 : 1);

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

interface Asked {
  set: JudgedSet;
  question: JudgedQuestion;
  candidates: { id: number; company: number; features: number[]; isRight: boolean }[];
  milliseconds: number;
  read: ReturnType<typeof readQuestion>;
}

async function ask(set: JudgedSet): Promise<Asked[]> {
  const index = new RecordIndex();
  const started = performance.now();
  for (const document of set.documents) index.put(document);
  index.compact();
  const { records } = index;
  print(
    `${set.name}: ${records.count} records, ${Math.round(performance.now() - started)} ms`,
  );
  const asked: Asked[] = [];
  for (const question of set.questions) {
    const start = performance.now();
    const read = readQuestion(question.query, set.now, records);
    const filters = { ...NO_FILTERS, now: "1970-01-01T00:00:00.000000Z" };
    const matched = await match({
      records,
      question: read,
      filters,
      per_company: OBSERVATIONS_PER_COMPANY,
    });
    const reader = new FeatureReader(records, read, matched);
    const candidates = matched.candidates.map((candidate) => {
      const { base, arrays } = records.segmentOf(candidate.slot);
      const document = candidate.slot - base;
      const id = arrays.ids[document]!;
      return {
        id,
        company: arrays.companies[document]!,
        features: reader.read(candidate),
        isRight: question.meets.has(id),
      };
    });
    asked.push({ read, set, question, candidates, milliseconds: performance.now() - start });
  }
  return asked;
}

function examplesOf(asked: readonly Asked[]): Example[] {
  return asked.flatMap(({ set, candidates }) =>
    candidates.map(({ features, isRight }) => ({
      features,
      isRight,
      weight: (set.name === "real texts" ? TEXTS_WEIGHT : 1) * 30 / Math.max(30, candidates.length),
    }))
  );
}

function figuresOf({ set, question, candidates }: Asked, weights: Weights, threshold: number) {
  const records = candidates.map(({ id, company, features }) => ({
    observation_id: id,
    company_id: company,
    probability: probabilityOf(features, weights),
  }));
  records.sort((a, b) => b.probability - a.probability || a.observation_id - b.observation_id);
  const answer = decide(records, { threshold, companies: PAGE, observations: 3 })
    .map(({ company_id, observation_ids }) => ({ company_id, records: observation_ids }));
  const companyOf = (record: number) => set.documents[record - 1]!.company_id;
  return { ...measure(question, answer, companyOf), answer };
}

const sets: JudgedSet[] = [];
if (values.sets.includes("texts")) sets.push(await realTexts());
if (values.sets.includes("records")) sets.push(await realRecords());
if (values.sets.includes("demo")) sets.push(demo());
const all: Asked[] = [];
for (const set of sets) all.push(...await ask(set));
const foldOf = (place: number) => place % FOLDS;
const weightsOfFold = Array.from(
  { length: FOLDS },
  (_, fold) => fit(examplesOf(all.filter((_, place) => foldOf(place) !== fold)), SIGNS),
);

for (const set of sets) {
  const rows = all.map((asked, place) => ({ asked, weights: weightsOfFold[foldOf(place)]! }))
    .filter(({ asked }) => asked.set === set);
  const times = rows.map(({ asked }) => asked.milliseconds).sort((a, b) => a - b);
  print(
    `\n${set.name}: p50 ${times[times.length >> 1]!.toFixed(2)} ms, p99 ${
      times[Math.floor(times.length * 0.99)]!.toFixed(2)
    } ms`,
  );
  print("threshold  nDCG@10  about  meets  recall  charging nothing  delivered");
  for (const threshold of [0.0001, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2, 0.3, 0.5]) {
    const figures = rows.map(({ asked, weights }) => figuresOf(asked, weights, threshold));
    const column = (name: keyof Figures) =>
      mean(figures.map((one) => one[name] as number | undefined)).toFixed(3);
    const nothing = figures.filter(({ charges_nothing }) => charges_nothing);
    const none = figures.filter(({ charges_nothing }) => charges_nothing !== undefined);
    print(
      [
        threshold,
        column("ndcg"),
        column("about"),
        column("meets"),
        column("recall"),
        `${nothing.length} of ${none.length}`,
        column("delivered"),
      ].join("  "),
    );
  }
  if (values.worst !== "0") {
    const judged = rows.map(({ asked, weights }) => ({
      asked,
      weights,
      figures: figuresOf(asked, weights, THRESHOLD),
    }));
    for (
      const { asked: { question, read, candidates }, weights, figures } of judged.toSorted((a, b) =>
        (a.figures.ndcg ?? (a.figures.charges_nothing ? -1 : 2)) -
        (b.figures.ndcg ?? (b.figures.charges_nothing ? -1 : 2))
      ).slice(0, Number(values.worst))
    ) {
      print(
        `${figures.ndcg?.toFixed(2)} about ${figures.about?.toFixed(2)} recall ${
          figures.recall?.toFixed(2)
        } delivered ${figures.delivered} right ${question.meets.size} [${question.type}] ${question.query}`,
      );
      print(
        "   conditions " + JSON.stringify(read.conditions) + " excluded " +
          JSON.stringify(read.excluded.map((one) => one.on)),
      );
      for (const unit of read.units) {
        print(
          "   unit " + unit.text + (unit.is_filler ? " FILLER" : "") +
            (unit.condition !== undefined ? " COND" : "") + ": " + unit.ways.map((w) =>
              `${w.text}${w.origin === "words" ? "" : "/" + w.origin[0]}${w.similarity.toFixed(2)}`
            ).join(", ").slice(0, 500),
        );
      }
      const found = candidates.filter(({ isRight }) => isRight).length;
      print("   right among candidates " + found);
      for (const { records } of figures.answer.slice(0, 4)) {
        const candidate = candidates.find(({ id }) => id === records[0])!;
        print(
          "   p " + probabilityOf(candidate.features, weights).toFixed(2) + " " +
            candidate.features.map((f, n) => FEATURES[n] + " " + f.toFixed(2)).join(" "),
        );
        const document = set.documents[records[0]! - 1]!;
        print(
          `   ${question.meets.has(records[0]!) ? "+" : "-"} ${
            document.text.observed_fact.slice(0, 140)
          }`,
        );
      }
    }
  }
}
const final = fit(examplesOf(all), SIGNS);
print("\n" + FEATURES.map((name, n) => `${name} ${final.features[n]!.toFixed(2)}`).join(", "));
if (values.write) {
  await Deno.writeTextFile(
    new URL("../../src/search/judge/weights.json", import.meta.url),
    JSON.stringify({ ...final, threshold: THRESHOLD }, null, 2) + "\n",
  );
}
