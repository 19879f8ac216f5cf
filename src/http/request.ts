/** From bytes to caller, request key and raw input. */
import { hashKey, isWellFormedKey } from "../accounts/credential.ts";
import { Failure } from "../failures.ts";
import type { Caller } from "../operations/action.ts";
import { parseJson } from "./json.ts";
import type { QueryInput } from "./routes.ts";

/** Ample: the largest valid request is a tenth of it. */
export const MAX_BODY_BYTES = 256 * 1024;

/** @throws Failure invalid_api_key where there is no bearer key, or one that cannot be a key */
export function readCaller(headers: Headers): Caller {
  const [, key] = /^bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "") ?? [];
  if (key === undefined || !isWellFormedKey(key)) throw new Failure("invalid_api_key");
  return { key_hash: hashKey(key) };
}

/**
 * A JSON body, counted while it is read.
 * @throws Failure unsupported_media_type, payload_too_large, or invalid_search naming the body
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json *(;|$)/i.test(type)) throw new Failure("unsupported_media_type");
  const bytes = await readBytes(request);
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : "not valid JSON in UTF-8";
    throw new Failure("invalid_search", { message: `body: ${reason}.` });
  }
}

async function readBytes(request: Request): Promise<Uint8Array> {
  // What a client declares is only good for an early refusal; what it sends is counted.
  if (Number(request.headers.get("content-length")) > MAX_BODY_BYTES) {
    throw new Failure("payload_too_large");
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.byteLength;
      // Leaving the loop cancels the stream: the rest is not read.
      if (length > MAX_BODY_BYTES) throw new Failure("payload_too_large");
      chunks.push(chunk);
    }
  } catch (error) {
    // The client hung up, or the service stopped waiting for the rest.
    throw error instanceof Failure ? error : new Failure("unavailable", {}, { cause: error });
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

/**
 * Query parameters as inputs: `domains[]`, repeated, becomes the list `domains`.
 * @throws Failure with `code`, naming a parameter that is not taken here or given twice
 */
export function readParameters(
  url: URL,
  { lists, singles }: QueryInput,
  code: "invalid_lookup" | "invalid_search",
): Record<string, string | string[]> {
  const inputs: Record<string, string | string[]> = {};
  for (const [name, value] of url.searchParams) {
    const list = name.endsWith("[]") ? name.slice(0, -2) : undefined;
    const refuse = (what: string) =>
      new Failure(code, { message: `${name.slice(0, 100)}: ${what}.` });
    if (list !== undefined && lists.includes(list)) {
      ((inputs[list] ??= []) as string[]).push(value);
    } else if (!singles.includes(name)) {
      throw refuse("there is no such query parameter here");
    } else if (Object.hasOwn(inputs, name)) {
      throw refuse("given more than once");
    } else inputs[name] = value;
  }
  return inputs;
}
