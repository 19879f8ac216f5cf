/**
 * Defines the identity of requests. Equal requests with one key are one operation (specification 1,
 * Idempotency and metering rules).
 */
import { sha256 } from "../sha256.ts";
import type { MeteredActionName, NormalizedRequest } from "./action.ts";

/**
 * Identity of a request as two SHA-256 hashes: `fingerprint` includes its cursor, `scope` does not.
 */
interface Identity {
  fingerprint: Uint8Array;
  scope: Uint8Array;
}

/**
 * Returns the identity of a request. It does not include the door and the mode (direct or
 * background). A request that is repeated through the other door or in the other mode is therefore
 * the same operation.
 */
export function identify(action: MeteredActionName, request: NormalizedRequest<object>): Identity {
  const text = `${action}\n${canonicalJson(request.inputs)}`;
  const scope = sha256(text);
  return {
    scope,
    fingerprint: request.cursor === null ? scope : sha256(`${text}\n${request.cursor}`),
  };
}

/** Returns JSON with the members of every object in a fixed order. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(
    value,
    (_name, member) =>
      member !== null && typeof member === "object" && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
        : member,
  );
}
