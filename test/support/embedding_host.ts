/** An embeddings endpoint on loopback whose vectors follow from words: synonyms point the same way. */
import type { ModelEndpoint } from "../../src/search/models/model_endpoint.ts";
import { type Host, startHost } from "./web.ts";

/** Words of one line mean the same. */
const SYNONYMS = [
  ["truck", "trucks", "juggernaut", "camion"],
  ["crane", "cranes", "jib"],
  ["bakery", "bread", "boulangerie"],
].flatMap((words) => words.map((word) => [word, words[0]!] as const));
const MEANINGS = new Map(SYNONYMS);

const EMBEDDING_DIMENSIONS = 48;

interface EmbeddingHost extends Host {
  /** Texts it was asked for, in order, with the model. */
  asked: { model: string; input: string[] }[];
  endpoint(model?: string): ModelEndpoint;
}

/** @param answer in place of vectors; nothing: vectors after all */
export function startEmbeddingHost(
  answer: (
    question: { model: string; input: string[] },
  ) => Response | undefined | Promise<Response> = () => undefined,
): EmbeddingHost {
  const asked: EmbeddingHost["asked"] = [];
  const host = startHost(async (request) => {
    const { model, input } = await request.json();
    asked.push({ model, input });
    return await answer({ model, input }) ?? embeddingsOf(input, model);
  });
  const endpoint = (model = "m-1") => ({
    url: new URL(`${host.url}/v1/embeddings`),
    model,
    key: "key-of-the-endpoint",
  });
  return Object.assign(host, { asked, endpoint });
}

interface HoldingHost extends EmbeddingHost {
  /** Settles when it is first asked for what it keeps back. */
  holding: Promise<void>;
  /** Answers from now on. What is kept back stays so until `release`. */
  answer(): void;
  /** Ends what is kept back, with no vectors. */
  release(): void;
}

/** An endpoint that keeps its answers back. */
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

/** Last first: an answer's order is its `index`. */
export function embeddingsOf(input: readonly string[], model = "m-1"): Response {
  const data = input.map((text, index) => ({ index, embedding: vectorOf(text, model) })).reverse();
  return Response.json({ object: "list", data, model });
}

/** The sum of a direction for every word's meaning; another model has other directions. */
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
