/** From what zod found wrong to a sentence that names the field. */
import type { z } from "zod";
import { Failure, type FailureCode } from "../failures.ts";

/** A Failure for the first issue: `limit: Too small: expected number to be >=1`. */
export function invalidField(code: FailureCode, error: z.ZodError): Failure {
  const [issue] = error.issues;
  if (issue === undefined) return new Failure(code);
  if (issue.code === "unrecognized_keys") {
    return noSuchField(code, [...issue.path, issue.keys[0]!]);
  }
  const path = fieldName(issue.path);
  return new Failure(code, { message: `${path === "" ? "body" : path}: ${issue.message}.` });
}

/** A Failure for a field that is not taken: `filters.city: there is no such field here.` */
export function noSuchField(code: FailureCode, path: PropertyKey[]): Failure {
  return new Failure(code, { message: `${fieldName(path)}: there is no such field here.` });
}

/** `filters.domains[1]` */
function fieldName(path: PropertyKey[]): string {
  return path.reduce<string>(
    (name, part) =>
      typeof part === "number"
        ? `${name}[${part}]`
        : name === ""
        ? bounded(part)
        : `${name}.${bounded(part)}`,
    "",
  );
}

/** A caller may name a field anything; the answer repeats only so much of it. */
function bounded(part: PropertyKey): string {
  return String(part).slice(0, 100);
}
