/** From bytes to caller and text: what both doors read of a Request. */
import { hashKey, isWellFormedKey } from "../accounts/credential.ts";
import { Failure } from "../failures.ts";
import type { Caller } from "../operations/action.ts";

/** Ample: the largest valid request is a tenth of it. */
export const MAX_BODY_BYTES = 256 * 1024;

/** @throws Failure invalid_api_key where there is no bearer key, or one that cannot be a key */
export function readCaller(headers: Headers): Caller {
  const [, key] = /^bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "") ?? [];
  if (key === undefined || !isWellFormedKey(key)) throw new Failure("invalid_api_key");
  return { key_hash: hashKey(key) };
}

/**
 * The bytes of a JSON body, counted while they are read.
 * @throws Failure unsupported_media_type or payload_too_large
 */
export async function readJsonBytes(request: Request): Promise<Uint8Array> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json *(;|$)/i.test(type)) throw new Failure("unsupported_media_type");
  const declared = request.headers.get("content-length");
  if (Number(declared) > MAX_BODY_BYTES) throw new Failure("payload_too_large");
  try {
    // The server reads no more than was declared; without that, what comes is counted.
    return declared === null ? await readCounted(request) : await request.bytes();
  } catch (error) {
    // The client hung up, or the service stopped waiting for the rest.
    throw error instanceof Failure ? error : new Failure("unavailable", {}, { cause: error });
  }
}

async function readCounted(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    // Leaving the loop cancels the stream: the rest is not read.
    if (length > MAX_BODY_BYTES) throw new Failure("payload_too_large");
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
