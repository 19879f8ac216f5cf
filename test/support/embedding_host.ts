/**
 * An embeddings endpoint on loopback. Its vectors are computed from words; synonyms have equal
 * vectors.
 */
import type { ModelEndpoint } from "../../src/search/models/model_endpoint.ts";
import { type Host, startHost } from "./web.ts";

/** Pairs of a word and the first of its synonyms. */
const SYNONYMS = [
  ["truck", "trucks", "juggernaut", "camion"],
  ["crane", "cranes", "jib"],
  ["bakery", "bread", "boulangerie"],
].flatMap((words) => words.map((word) => [word, words[0]!] as const));
const MEANINGS = new Map(SYNONYMS);

const EMBEDDING_DIMENSIONS = 48;

interface EmbeddingHost extends Host {
  /** Texts and models of the requests so far, in order. */
  requests: { model: string; input: string[] }[];
  endpoint(model?: string): ModelEndpoint;
}

/**
 * Starts an endpoint.
 * @param answer returns a response in place of vectors, or undefined for vectors
 */
export function startEmbeddingHost(
  answer: (
    request: { model: string; input: string[] },
  ) => Response | undefined | Promise<Response> = () => undefined,
): EmbeddingHost {
  const requests: EmbeddingHost["requests"] = [];
  const host = startHost(async (request) => {
    const { model, input } = await request.json();
    requests.push({ model, input });
    return await answer({ model, input }) ?? embeddingsOf(input, model);
  });
  const endpoint = (model = "m-1") => ({
    url: new URL(`${host.url}/v1/embeddings`),
    model,
    key: "key-of-the-endpoint",
  });
  return Object.assign(host, { requests, endpoint });
}

interface HoldingHost extends EmbeddingHost {
  /** Resolves when the endpoint has received its first request. */
  holding: Promise<void>;
  /** Makes the endpoint answer all later requests. Earlier ones wait for release(). */
  answer(): void;
  /** Answers the waiting requests without vectors. */
  release(): void;
}

/** Starts an endpoint that delays its answers. */
export function startHoldingHost(): HoldingHost {
  const { promise: holding, resolve: hold } = Promise.withResolvers<void>();
  const held = Promise.withResolvers<Response>();
  let holds = true;
  const host = startEmbeddingHost(() => {
    if (!holds) return undefined;
    hold();
    return held.promise;
  });
  const answer = () => void (holds = false);
  return Object.assign(host, { holding, answer, release: () => held.resolve(new Response()) });
}

/** Returns a response with vectors in reverse order. Clients have to sort them by `index`. */
export function embeddingsOf(input: readonly string[], model = "m-1"): Response {
  const data = input.map((text, index) => ({ index, embedding: vectorOf(text, model) })).reverse();
  return Response.json({ object: "list", data, model });
}

/**
 * Returns the sum of one direction per word. Synonyms share a direction. Models whose names differ
 * in length have different directions.
 */
function vectorOf(text: string, model: string): number[] {
  const vector = new Array<number>(EMBEDDING_DIMENSIONS).fill(0.01);
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    let seed = model.length;
    for (const letter of MEANINGS.get(word) ?? word) {
      seed = Math.imul(seed ^ letter.charCodeAt(0), 0x01000193);
    }
    for (let n = 0; n < vector.length; n++) {
      seed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) + n | 0;
      vector[n]! += seed / 2 ** 31;
    }
  }
  return vector;
}
