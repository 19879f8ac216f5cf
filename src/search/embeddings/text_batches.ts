/** Embeds many texts, by several calls at a time. Each answer is stored as soon as it arrives. */
import { type ModelEndpoint, ModelFault } from "../models/model_endpoint.ts";
import { embed } from "./endpoint.ts";

/** A text to embed. */
export interface Text {
  /** Id of the observation. */
  id: number;
  /** Hash of the text: see contentKey in embedder.ts. */
  key: string;
  text: string;
}

/** A text with its vector, or with the fault of the call that refused it. */
export type Embedded = Text & { vector?: Float32Array; refusal?: ModelFault };

interface TextsRequest {
  endpoint: ModelEndpoint;
  /** Max milliseconds of a call to the endpoint. */
  milliseconds?: number;
  signal: AbortSignal;
  /** Number of dimensions of the model's vectors; null if they are not known yet. */
  dimensions: number | null;
  /** True if every failure of a call refuses its texts, except the status 429. */
  gives_up: boolean;
  /** Stores the outcome of one call: the vectors of a batch, or the refusal of one text. */
  store(embedded: readonly Embedded[]): Promise<void>;
}

/** Max number of texts per call, and of their characters. */
export const BATCH_TEXTS = 64;
const BATCH_CHARACTERS = 60_000;

const ANSWER_MILLISECONDS = 30_000;
/** Max bytes of an answer: a batch of long vectors as JSON. */
const ANSWER_BYTES = 16_777_216;

/** Statuses by which an endpoint refuses the texts, not the caller. */
const REFUSALS: readonly (number | undefined)[] = [400, 413, 422];

const TOO_MANY_REQUESTS = 429;

/** Text that every model accepts. */
const PROBE = "A company builds a second hall.";

/**
 * Embeds and stores texts. A text that is refused in a call of its own is stored without a vector,
 * so that no other text waits for it. If the endpoint also refuses PROBE, the text is not stored,
 * and the fault is thrown.
 *
 * @throws ModelFault after the last call has ended; the results of successful calls are stored
 */
export async function embedTexts(texts: readonly Text[], request: TextsRequest): Promise<void> {
  const calls = new Calls(request);
  const outcomes = await Promise.allSettled(inBatches(texts).map((batch) => calls.embed(batch)));
  const failed = outcomes.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}

class Calls {
  #dimensions: number | null;
  #probe: Promise<unknown> | undefined;

  constructor(private readonly request: TextsRequest) {
    this.#dimensions = request.dimensions;
  }

  async embed(batch: readonly Text[]): Promise<void> {
    // The endpoint is probed before the text is sent, because the text may crash the endpoint.
    if (this.request.gives_up) await this.#checkEndpoint();
    const answer = await this.#answer(batch);
    if (Array.isArray(answer)) {
      return await this.request.store(batch.map((text, n) => ({ ...text, vector: answer[n] })));
    }
    if (batch.length > 1) {
      const half = Math.ceil(batch.length / 2);
      await this.embed(batch.slice(0, half));
      return await this.embed(batch.slice(half));
    }
    await this.#checkEndpoint();
    await this.request.store([{ ...batch[0]!, refusal: answer }]);
  }

  /** Checks once that the endpoint accepts PROBE. @throws ModelFault if it does not */
  async #checkEndpoint(): Promise<void> {
    await (this.#probe ??= this.#ask([PROBE]));
  }

  async #answer(batch: readonly Text[]): Promise<Float32Array[] | ModelFault> {
    try {
      return await this.#ask(batch.map(({ text }) => text));
    } catch (error) {
      if (!(error instanceof ModelFault)) throw error;
      const { status } = error;
      const isGivenUp = this.request.gives_up && status !== TOO_MANY_REQUESTS;
      if (REFUSALS.includes(status) || isGivenUp) return error;
      throw error;
    }
  }

  /** Requests vectors. @throws ModelFault also for other dimensions than before */
  async #ask(texts: readonly string[]): Promise<Float32Array[]> {
    const { endpoint, signal, milliseconds = ANSWER_MILLISECONDS } = this.request;
    const vectors = await embed(endpoint, texts, { bytes: ANSWER_BYTES, milliseconds, signal });
    const { length } = vectors[0]!;
    this.#dimensions ??= length;
    if (length !== this.#dimensions) {
      const fault = `answered with ${length} dimensions instead of`;
      throw new ModelFault("not_vectors", `${fault} ${this.#dimensions}`);
    }
    return vectors;
  }
}

function inBatches(texts: readonly Text[]): Text[][] {
  const batches: Text[][] = [];
  let characters = 0;
  for (const text of texts) {
    characters += text.text.length;
    const batch = batches.at(-1);
    if (batch === undefined || batch.length === BATCH_TEXTS || characters > BATCH_CHARACTERS) {
      batches.push([text]);
      characters = text.text.length;
    } else batch.push(text);
  }
  return batches;
}
