/**
 * Trains what the nearness of vectors adds to the judge: a logistic regression over the judge's
 * log-odds and the nearness of each company's best record.
 */
import { embeddedText, type EmbeddingEndpoint } from "../../src/search/embeddings/embedded_text.ts";
import { nearnessOf } from "../../src/search/embeddings/blend.ts";
import { embed } from "../../src/search/embeddings/endpoint.ts";
import { logOddsOf, type Weights } from "../../src/search/judge/judge.ts";
import { quantize } from "../../src/search/vectors/quantized.ts";
import { VectorIndex } from "../../src/search/vectors/vector_index.ts";
import { say } from "../child.ts";
import { SETTING_NAMES } from "../../src/config.ts";
import { fit } from "./regression.ts";
import type { JudgedQuestion } from "./sets.ts";
import { type Asked, bestOfCompanies, THRESHOLD } from "./training.ts";

/** Number of texts that the endpoint gets at once. */
const BATCH = 32;
const BOUNDS = { bytes: 64 * 1_048_576, milliseconds: 600_000 };

/** Returns the variables of the environment that name an embedding endpoint. */
export function embeddingVariables(): Record<string, string> {
  return Object.fromEntries(
    SETTING_NAMES.filter((name) => name.startsWith("EMBEDDINGS_"))
      .map((name) => [name, Deno.env.get(name) ?? ""]).filter(([, value]) => value !== ""),
  );
}

/**
 * Returns the questions of one set with the two features, for the best record of each company.
 *
 * @param weights weights by which each question is judged
 */
export async function withVectors(
  asked: readonly Asked[],
  weights: ReadonlyMap<JudgedQuestion, Weights>,
  endpoint: EmbeddingEndpoint,
): Promise<Asked[]> {
  const { documents } = asked[0]!.set;
  const texts = documents.map((document) => embeddedText(document, endpoint));
  const vectors = await vectorsOf(texts, endpoint);
  const index = await VectorIndex.create(vectors[0]!.length);
  for (const [at, vector] of vectors.entries()) {
    const quantized = quantize(vector);
    if (quantized !== undefined) index.put(documents[at]!.observation_id, quantized);
  }
  const { query_prefix = "" } = endpoint;
  const queries = await vectorsOf(
    asked.map(({ question }) => query_prefix + question.query),
    endpoint,
  );
  return await Promise.all(asked.map(async (one, at) => {
    const { middle } = await index.search(queries[at]!, { limit: 1 });
    const best = bestOfCompanies(one, weights.get(one.question)!);
    const scores = index.scores(queries[at]!, best.map(({ record }) => record));
    const candidates = best.map(({ record, isRight, probability }) => ({
      record,
      isRight,
      features: [logOddsOf(probability), nearnessOf(scores.get(record) ?? middle, middle)],
    }));
    return { ...one, candidates };
  }));
}

async function vectorsOf(texts: readonly string[], endpoint: EmbeddingEndpoint) {
  const vectors: Float32Array[] = [];
  for (let from = 0; from < texts.length; from += BATCH) {
    vectors.push(...await embed(endpoint, texts.slice(from, from + BATCH), BOUNDS));
    if (from % (32 * BATCH) === 0) say(`embedded ${vectors.length} of ${texts.length} texts`);
  }
  return vectors;
}

/** Returns the weights of the log-odds and of the nearness. */
export function nearWeightsOf(near: readonly Asked[]): Weights {
  const examples = near.flatMap(({ candidates }) =>
    candidates.map(({ features, isRight }) => ({ features, isRight, weight: 1 }))
  );
  return { ...fit(examples, [1, 1]), threshold: THRESHOLD };
}
