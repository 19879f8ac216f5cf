/** Reads the caller, request key and text of a Request for both doors. */
import { hashKey, isWellFormedKey } from "../accounts/credential.ts";
import type { FieldFault } from "../contract/faults.ts";
import { IDEMPOTENCY_KEY } from "../contract/request_key.ts";
import { Failure } from "../failures.ts";
import type { Caller } from "../operations/action.ts";
import { readBody } from "./body.ts";

/**
 * Reads the caller's key.
 * @throws Failure invalid_api_key if there is no bearer key, or a malformed one
 */
export function readCaller(headers: Headers): Caller {
  const authorization = headers.get("authorization");
  const [, key] = /^bearer +(\S+) *$/i.exec(authorization ?? "") ?? [];
  if (key === undefined) {
    throw new Failure("invalid_api_key", {
      message: authorization === null ? NO_AUTHORIZATION : NO_BEARER,
    });
  }
  if (!isWellFormedKey(key)) throw new Failure("invalid_api_key", { message: NO_KEY });
  return { key_hash: hashKey(key) };
}

const HEADER = "Send the header Authorization: Bearer ce_…";
const NO_AUTHORIZATION = `The request has no API key. ${HEADER}`;
const NO_BEARER = `The Authorization header is not "Bearer" and one key. ${HEADER}`;
const NO_KEY = "The text after Bearer is no API key: a letter is missing or wrong, or it is " +
  "another service's. Keys begin with ce_.";

/**
 * Reads the Idempotency-Key header. A server joins two headers of one name by a comma and a blank.
 * A key in this form is a fault, because either value could be meant.
 */
export function readHeaderKey(headers: Headers): { key: string | null; faults: FieldFault[] } {
  const key = headers.get(IDEMPOTENCY_KEY);
  if (!key?.includes(", ")) return { key, faults: [] };
  const sentence = "exactly one header is required, without a comma before a blank";
  return { key: null, faults: [{ path: [IDEMPOTENCY_KEY], sentence }] };
}

/**
 * Reads the bytes of a JSON body.
 * @throws Failure unsupported_media_type, payload_too_large or request_timeout; unavailable if the
 * connection ends before the body does
 */
export async function readJsonBytes(request: Request): Promise<Uint8Array> {
  const { headers } = request;
  if (!/^application\/json *(;|$)/i.test(headers.get("content-type") ?? "")) {
    throw new Failure("unsupported_media_type");
  }
  if (!/^(identity)?$/i.test(headers.get("content-encoding") ?? "")) {
    throw new Failure("unsupported_media_type", {
      message: "Content-Encoding: the body must be sent without an encoding.",
    });
  }
  try {
    return await readBody(request);
  } catch (error) {
    // The client hung up, or the service stopped waiting for the rest.
    throw error instanceof Failure ? error : new Failure("unavailable", {}, { cause: error });
  }
}
