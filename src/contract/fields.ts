/** Schemas of fields that inputs share. Each documents, checks and normalizes a field. */
import { z } from "zod";
import type { FailureCode } from "../failures.ts";
import { normalizeHostname, whyNoHostname } from "./hostname.ts";
import { normalizeInstant } from "./instant.ts";

/** Returns a schema of objects that have the fields of a shape and no others. */
export function inputObject<const Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  /** Returns the sentence about fields with these unknown names. */
  unknown: (names: string[]) => string = () => NO_SUCH_FIELD,
) {
  return z.strictObject(shape, {
    error: (issue) => issue.code === "unrecognized_keys" ? unknown(issue.keys) : "an object",
  });
}

/** Sentence about an unknown field. */
export const NO_SUCH_FIELD = "there is no such field here";

/** Returns the error of a value that is absent or of a wrong type. */
export function expected(sentence: string) {
  return {
    error: ({ input }: { input?: unknown }) =>
      input === undefined ? `required, ${sentence}` : sentence,
  };
}

/** Reason why a text is refused. Without a code, the action's code for invalid inputs is used. */
export interface FieldRefusal {
  sentence: string;
  code?: FailureCode;
}

/**
 * Returns a check that normalizes or refuses a text. It takes half as long as a zod transform.
 */
export function normalizing(normalize: (text: string) => string | FieldRefusal) {
  return (payload: z.core.ParsePayload<string>) => {
    const normalized = normalize(payload.value);
    if (typeof normalized === "string") payload.value = normalized;
    else payload.issues.push(customIssue(payload.value, normalized));
  };
}

/** Returns the issue of a value that a check refuses. */
export function customIssue(input: unknown, { sentence, code }: FieldRefusal) {
  return { code: "custom" as const, input, message: sentence, params: { code } };
}

const POSITIVE = "a positive integer";

/** The id of a company, an observation or an operation. */
export const id = z.int({
  // JSON.parse would round a larger number to another id.
  error: ({ code, input }) =>
    code === "too_big"
      ? `${POSITIVE} below 2^53`
      : input === undefined
      ? `required, ${POSITIVE}`
      : POSITIVE,
}).min(1, { error: POSITIVE });

/** An id that is only looked up. An integer above MAX_ID becomes MAX_ID, which no object has. */
export const anyId = z.preprocess(
  (raw) => typeof raw === "number" && Number.isInteger(raw) ? Math.min(raw, MAX_ID) : raw,
  id,
);
const MAX_ID = Number.MAX_SAFE_INTEGER;

/** A hostname, normalized. */
export const hostname = z.string({ error: "a hostname" })
  .check(normalizing((text) => normalizeHostname(text) ?? { sentence: whyNoHostname(text) }))
  .meta({
    description: "A hostname, not a URL or an e-mail address. Case, white space around it and a " +
      "final dot are ignored; www is not.",
    minLength: 1,
  });

const TIMESTAMP = "a timestamp such as 2026-03-01T00:00:00Z";
const NO_INSTANT = {
  sentence: "a date and time of the calendar with its offset, such as 2026-03-01T00:00:00Z",
};

/**
 * Matches an instant whose plus sign an address has turned into a blank. The pattern bounds each
 * part, because the text may have any length.
 */
const BLANK_SIGN = /^\d{4}-\d\d-\d\dT\S{5,40} \d\d:?\d\d$/;
const BLANK_OFFSET = {
  sentence: "a date and time with its offset, whose + must be written %2B in an address",
};

/** An ISO 8601 date and time with its offset, normalized to UTC with microseconds. */
export const instant = z.string(expected(TIMESTAMP))
  .check(
    normalizing((text) =>
      normalizeInstant(text) ?? (BLANK_SIGN.test(text) ? BLANK_OFFSET : NO_INSTANT)
    ),
  )
  .meta({ format: "date-time" });

/** Returns a schema that accepts the words of a closed vocabulary. */
export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: `one of ${words.join(", ")}` });
}

/** Returns a schema of lists in which order and repetitions do not count. */
export function setOf<Value extends z.ZodType<string | number>>(
  value: Value,
  max: number,
  sentence = "a list",
) {
  return z.array(value, expected(sentence)).max(max, { error: `at most ${max} values` })
    .overwrite(sortedSet);
}

/** Returns the values sorted and without repetitions: numbers by size, texts by code unit. */
export function sortedSet<Value extends string | number>(values: readonly Value[]): Value[] {
  const sorted = [...values].sort(typeof values[0] === "number" ? bySize : undefined);
  return sorted.filter((value, place) => place === 0 || value !== sorted[place - 1]);
}

function bySize(a: string | number, b: string | number): number {
  return Number(a) - Number(b);
}

/** Pattern of cursors of all versions of the service. */
const CURSOR = /^[A-Za-z0-9_-]{32}$/;

const NO_CURSOR: FieldRefusal = {
  sentence: "this cursor cannot be used, start again without a cursor",
  code: "invalid_cursor",
};

/** A well-formed cursor. The database decides whether it belongs to the request. */
export const cursor = z.string({ error: "a text or null" })
  .check(normalizing((text) => CURSOR.test(text) ? text : NO_CURSOR));

/** Description of the cursor of every action with pages. */
export const CURSOR_DESCRIPTION =
  "The next_cursor of the previous page. All other inputs must be the same as for that page.";
