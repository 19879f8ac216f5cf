/** What makes two requests the same operation (specification 1, Idempotency and metering rules). */
import { createHash } from "node:crypto";
import { REQUEST_KEY } from "../contract/parameters.ts";
import { Failure, type FailureCode } from "../failures.ts";
import type { MeteredActionName, NormalizedRequest } from "./action.ts";

/** Identity of a request: `fingerprint` with its cursor, `scope` without. SHA-256 each. */
export interface Identity {
  fingerprint: Uint8Array;
  scope: Uint8Array;
}

/** Transport and background are no part of it: both doors and both modes are one operation. */
export function identify(action: MeteredActionName, request: NormalizedRequest<object>): Identity {
  const scope = `${action}\n${canonicalJson(request.inputs)}`;
  return {
    scope: sha256(scope),
    fingerprint: sha256(request.cursor === null ? scope : `${scope}\n${request.cursor}`),
  };
}

/**
 * A request key: 1 to 255 printable ASCII characters, what a header can carry unchanged.
 * @throws Failure with the code that the action's other bad inputs have
 */
export function checkRequestKey(key: unknown, code: FailureCode): string {
  if (key === null || key === undefined || key === "") {
    throw new Failure(code, {
      message: `${KEY_NAMES}: a key is required; use a new one for every new request.`,
    });
  }
  if (typeof key !== "string" || key.length > 255 || !REQUEST_KEY.test(key)) {
    throw new Failure(code, {
      message: `${KEY_NAMES}: 1 to 255 printable ASCII characters, no blank at either end.`,
    });
  }
  return key;
}

/** As callers write it: the header of either door, the argument of a tool. */
const KEY_NAMES = "Idempotency-Key (request_key of a tool)";

/** A list whose order and repetitions do not count: numbers by size, texts by code unit. */
export function sortedSet<Value extends string | number>(values: readonly Value[] = []): Value[] {
  return [...new Set(values)].sort((a, b) => a < b ? -1 : 1);
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
