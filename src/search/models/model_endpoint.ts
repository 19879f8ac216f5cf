/**
 * Calls a model at an OpenAI-compatible endpoint, without retries and within bounds. The operator
 * sets the address of the endpoint, so private addresses are allowed. Questions and answers are not
 * logged.
 */
import { Buffer } from "node:buffer";
import { readRetryAfter } from "../../retry_after.ts";

/** Address of a model, and its name there. */
export interface ModelEndpoint {
  url: URL;
  model: string;
  /** API key, which is sent as a bearer token; absent: none is sent. */
  key?: string;
}

/** Bounds of a call. */
export interface CallBounds {
  /** Max bytes of an answer, after decoding. */
  bytes: number;
  /** Max milliseconds from the start of the call to the last byte of the answer. */
  milliseconds: number;
  /** Signal that ends the call early. The call then fails with the signal's reason. */
  signal?: AbortSignal;
}

/**
 * Kind of a fault. `late`, `network` and `status`: there is no answer. A redirect counts as a
 * status, because following it would send the question elsewhere. `too_large`, `not_json` and
 * `not_vectors`: the answer cannot be used.
 */
type ModelFaultKind = "late" | "network" | "status" | "too_large" | "not_json" | "not_vectors";

/** Error of a call without a usable answer. Its message contains no address, question or answer. */
export class ModelFault extends Error {
  override name = "ModelFault";

  /**
   * @param status that of the answer, if the kind is `status`
   * @param retry_milliseconds milliseconds until the endpoint accepts another call, if its answer
   * says so
   */
  constructor(
    readonly kind: ModelFaultKind,
    message: string,
    readonly status?: number,
    readonly retry_milliseconds?: number,
  ) {
    super(message);
  }
}

/** Returns the address of a method: the path is appended, unless the base ends with it. */
export function methodUrl(base: string, path: "/chat/completions" | "/embeddings"): URL {
  const url = new URL(base);
  const basePath = url.pathname.replace(/\/+$/, "");
  url.pathname = basePath.endsWith(path) ? basePath : basePath + path;
  return url;
}

/** Reads an answer while it arrives. Parsing a long answer at once would block the event loop. */
type Read<Answer> = (chunks: AsyncIterable<Uint8Array>) => Promise<Answer>;

/**
 * Posts `question` with the model's name, without retries.
 *
 * @returns the result of `read`; without it, the JSON of the answer
 * @throws ModelFault, or the signal's reason
 */
export async function callModel<Answer = unknown>(
  endpoint: ModelEndpoint,
  question: object,
  { bytes, milliseconds, signal, read = parse }: CallBounds & { read?: Read<Answer> },
): Promise<Answer> {
  signal?.throwIfAborted();
  const late = AbortSignal.timeout(milliseconds);
  const ending = signal === undefined ? late : AbortSignal.any([signal, late]);
  try {
    const response = await post(endpoint, question, ending);
    return await read(boundedChunks(response, bytes));
  } catch (error) {
    signal?.throwIfAborted();
    if (late.aborted) throw new ModelFault("late", `no answer in ${milliseconds} ms`);
    if (error instanceof ModelFault) throw error;
    // The error of fetch contains the whole address, which may include a secret.
    throw new ModelFault("network", "the connection failed");
  }
}

async function post(
  { url, model, key }: ModelEndpoint,
  question: object,
  signal: AbortSignal,
): Promise<Response> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "accept": "application/json",
      "content-type": "application/json",
      ...key !== undefined && { authorization: `Bearer ${key}` },
    },
    body: JSON.stringify({ model, ...question }),
    redirect: "manual",
    signal,
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw statusFault(response);
  }
  return response;
}

async function* boundedChunks({ body }: Response, bytes: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    // Leaving the loop closes the connection.
    if (length > bytes) throw new ModelFault("too_large", `answered with more than ${bytes} bytes`);
    yield chunk;
  }
}

function statusFault({ status, headers }: Response): ModelFault {
  const now = new Date();
  const retry_at = readRetryAfter(headers.get("retry-after") ?? undefined, now);
  const retry_milliseconds = retry_at && retry_at.getTime() - now.getTime();
  return new ModelFault("status", `answered with status ${status}`, status, retry_milliseconds);
}

async function parse(chunks: AsyncIterable<Uint8Array>) {
  const answer = Buffer.concat(await Array.fromAsync(chunks));
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(answer));
  } catch {
    // The parser's own message quotes the answer.
    throw new ModelFault("not_json", "did not answer with JSON");
  }
}
