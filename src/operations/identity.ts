/**
 * Identity of requests: equal requests are one operation (specification 1, Idempotency and metering
 * rules).
 */
import { createHash } from "node:crypto";
import type { MeteredActionName, NormalizedRequest } from "./action.ts";

/** Identity of a request: `fingerprint` with its cursor, `scope` without. SHA-256 each. */
interface Identity {
  fingerprint: Uint8Array;
  scope: Uint8Array;
}

/** Transport and background are no part of it: both doors and both modes are one operation. */
export function identify(action: MeteredActionName, request: NormalizedRequest<object>): Identity {
  const text = `${action}\n${canonicalJson(request.inputs)}`;
  const scope = sha256(text);
  return {
    scope,
    fingerprint: request.cursor === null ? scope : sha256(`${text}\n${request.cursor}`),
  };
}

/** JSON with the members of every object in one order. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(
    value,
    (_name, member) =>
      member !== null && typeof member === "object" && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
        : member,
  );
}

function sha256(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
