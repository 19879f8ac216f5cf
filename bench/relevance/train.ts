/**
 * Trains the judge: `deno task train [--write] [--sets NAMES] [--worst N]`. Prints the figures of
 * cross-validation by question for several thresholds, and the reliability of the probabilities.
 * `--write` writes the weights with their provenance. `--worst` prints the N worst answers of each
 * set. With the settings of an embedding endpoint, the weight of nearness is trained too, over the
 * real texts. Otherwise it stays as it is.
 */
import { hash } from "node:crypto";
import { parseArgs } from "node:util";
import { FEATURES } from "../../src/search/judge/features.ts";
import { embeddingEndpointOf } from "../../src/search/embeddings/embeddings.ts";
import { NEAR_WEIGHTS, type Weights } from "../../src/search/judge/judge.ts";
import { readSettings } from "../../src/config.ts";
import { say } from "../child.ts";
import { markdownTable } from "../floors.ts";
import { demo } from "./demo_set.ts";
import { FIGURE_HEADS, mean, meanCells, measure } from "./measures.ts";
import { embeddingVariables, nearWeightsOf, withVectors } from "./near.ts";
import { type JudgedQuestion, type JudgedSet, realRecords, realTexts } from "./sets.ts";
import {
  answerOf,
  ask,
  type Asked,
  bestOfCompanies,
  companyIn,
  crossValidated,
  weightsOf,
} from "./training.ts";

const SETS = { texts: realTexts, records: realRecords, demo };
const THRESHOLDS = [0.08, 0.1, 0.12, 0.14, 0.16, 0.17, 0.18, 0.19, 0.2, 0.3, 0.5];
const BINS = 10;
const today = new Date().toISOString().slice(0, 10);

const { values } = parseArgs({
  options: {
    write: { type: "boolean", default: false },
    sets: { type: "string", default: Object.keys(SETS).join() },
    worst: { type: "string", default: "0" },
  },
});

const all: Asked[] = [];
for (const name of values.sets.split(",")) {
  all.push(...ask(await SETS[name as keyof typeof SETS]()));
}
const weights = crossValidated(all);
const bySet = [...Map.groupBy(all, ({ set }) => set)];
for (const [set, asked] of bySet) {
  const times = asked.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  const percentile = (share: number) => times[Math.floor(times.length * share)]!.toFixed(2);
  say(`\n${set.name}: ${set.records.length} records, ${asked.length} questions`);
  say(`time of a question: p50 ${percentile(0.5)} ms, p99 ${percentile(0.99)} ms\n`);
  const rows = THRESHOLDS.map((threshold) => [
    String(threshold),
    ...meanCells(asked.map((one) => figuresOf(one, weights, threshold))),
  ]);
  say(markdownTable(["threshold", ...FIGURE_HEADS], rows));
  for (const one of worstOf(asked, Number(values.worst))) sayAnswer(one);
}
say(
  "\nReliability: companies by the probability of their best record, and the share of right ones\n",
);
say(reliabilityTable(all));
const final = weightsOf(all);
say("\n" + FEATURES.map((name, n) => `${name} ${final.features[n]!.toFixed(2)}`).join(", "));
const near = await nearWeights() ?? NEAR_WEIGHTS;
say(`near ${[near.intercept, ...near.features].map((weight) => weight.toFixed(2)).join(", ")}`);
if (values.write) {
  const provenance = {
    trained: today,
    command: "deno task train --write",
    sets: bySet.map(([set]) => {
      const { name, records, questions } = set;
      const counts = `${records.length} records, ${questions.length} questions`;
      return `${name}: ${counts}, SHA-256 ${hashOf(set).slice(0, 32)}`;
    }),
  };
  await Deno.writeTextFile(
    new URL("../../src/search/judge/weights.json", import.meta.url),
    JSON.stringify({ ...final, near, provenance }, null, 2) + "\n",
  );
}

function figuresOf(
  asked: Asked,
  weights: ReadonlyMap<JudgedQuestion, Weights>,
  threshold?: number,
) {
  const answer = answerOf(asked, weights.get(asked.question)!, threshold);
  return measure(asked.question, answer, (record) => companyIn(asked.set, record));
}

/** Trains the weights of nearness with the endpoint of the settings, if there is one. */
async function nearWeights(): Promise<typeof NEAR_WEIGHTS | undefined> {
  const endpoint = embeddingEndpointOf(readSettings(embeddingVariables()));
  if (endpoint === undefined) return;
  const asked = all.filter(({ set }) => set.name === "real texts");
  const near = await withVectors(asked, weights, endpoint);
  const nearWeights = crossValidated(near, nearWeightsOf);
  const rows = THRESHOLDS.flatMap((threshold) => [
    [
      String(threshold),
      "words",
      ...meanCells(asked.map((one) => figuresOf(one, weights, threshold))),
    ],
    ["", "vectors", ...meanCells(near.map((one) => figuresOf(one, nearWeights, threshold)))],
  ]);
  say("\n" + markdownTable(["threshold", "with", ...FIGURE_HEADS], rows));
  const { intercept, features } = nearWeightsOf(near);
  return { intercept, features, model: endpoint.model, trained: today };
}

/** Counts companies by the probability of their best record, by weights of other questions. */
function reliabilityTable(all: readonly Asked[]): string {
  const columns = [all.filter(({ set }) => set.name === "real texts"), all].map((asked) => {
    const judged = asked.flatMap((one) =>
      bestOfCompanies(one, weights.get(one.question)!).map(({ probability, isRight }) => ({
        predicted: probability,
        right: isRight ? 1 : 0,
      }))
    );
    return Map.groupBy(judged, ({ predicted }) => Math.min(BINS - 1, Math.floor(predicted * BINS)));
  });
  const rows = Array.from({ length: BINS }, (_, bin) => [
    `${bin / BINS} to ${(bin + 1) / BINS}`,
    ...columns.flatMap((bins) => {
      const judged = bins.get(bin) ?? [];
      if (judged.length === 0) return ["0", "", ""];
      const predicted = mean(judged.map(({ predicted }) => predicted)).toFixed(3);
      return [String(judged.length), predicted, mean(judged.map(({ right }) => right)).toFixed(3)];
    }),
  ]);
  const heads = (of: string) => [`companies of ${of}`, "predicted", "observed"];
  return markdownTable(["probability", ...heads("real texts"), ...heads("all sets")], rows);
}

/** Returns a hash of the contents of the records, and of the questions with their right records. */
function hashOf({ records, questions }: JudgedSet): string {
  const judged = questions.map(({ query, meets }) => [query, [...meets].sort((a, b) => a - b)]);
  const contents = records.map(({ content_hash }) => content_hash);
  return hash("sha256", JSON.stringify([contents, judged]));
}

function worstOf(asked: readonly Asked[], count: number): Asked[] {
  const quality = (one: Asked) => {
    const { ndcg = 2, charges_nothing = 0 } = figuresOf(one, weights);
    return ndcg - 3 * charges_nothing;
  };
  return asked.toSorted((a, b) => quality(a) - quality(b)).slice(0, count);
}

/** Prints how a question was read, and the companies that it charges. */
function sayAnswer(asked: Asked): void {
  const { question, read, set, candidates } = asked;
  say(`\n[${question.type}] ${question.query}: ${JSON.stringify(figuresOf(asked, weights))}`);
  say(`  conditions ${JSON.stringify(read.conditions)} excluded ${JSON.stringify(read.excluded)}`);
  for (const { text, is_filler, ways } of read.units) {
    const listed = ways.map(({ text, origin, similarity }) => `${origin} ${text} ${similarity}`);
    say(`  unit ${text}${is_filler ? " (filler)" : ""}: ${listed.join(", ").slice(0, 500)}`);
  }
  for (const { records: [record] } of answerOf(asked, weights.get(question)!).slice(0, 4)) {
    const { features, isRight } = candidates.find((candidate) => candidate.record === record)!;
    say(`  ${isRight ? "right" : "wrong"} ${features.map((value) => value.toFixed(2)).join(" ")}`);
    say(`    ${set.records[record! - 1]!.observed_fact.slice(0, 140)}`);
  }
}
