/** Faults of a request's inputs, and the one message that names them all. */
import type { z } from "zod";
import { Failure, type FailureCode } from "../failures.ts";

/** A reason why inputs are refused. */
export interface FieldFault {
  /** Leads to the faulty field. Empty: the inputs as a whole. */
  path: readonly PropertyKey[];
  /** Sentence about what the field takes, or about its fault, without a final dot. */
  sentence: string;
  /** Code of a failure by this fault alone. Absent: the code of the action's bad inputs. */
  code?: FailureCode;
}

/** Maximum number of faults that a message names; a body can be wrong in thousands of places. */
const FAULTS_NAMED = 20;

/** Maximum number of characters of a field name in a message; callers may name a field anything. */
const NAME_CHARACTERS = 100;

/** Returns the faults that a schema has found. */
export function faultsOf({ issues }: z.ZodError): FieldFault[] {
  return issues.flatMap((issue): FieldFault[] => {
    const { path, message: sentence } = issue;
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((name) => ({ path: [...path, name], sentence }));
    }
    if (issue.code === "custom") {
      return [{ path, sentence, code: issue.params?.code as FailureCode | undefined }];
    }
    return [{ path: path.length === 0 ? ["body"] : path, sentence }];
  });
}

/**
 * Returns the failure of inputs with faults: `query: required, a text; limit: a positive integer.`
 * @param code that of the action's bad inputs
 */
export function refusalOf(code: FailureCode, faults: readonly FieldFault[]): Failure {
  const [first] = faults;
  const single = first?.code;
  if (single !== undefined && faults.every((fault) => fault.code === single)) {
    return new Failure(single);
  }
  const named = faults.slice(0, FAULTS_NAMED)
    .map(({ path, sentence }) => path.length === 0 ? sentence : `${nameOf(path)}: ${sentence}`);
  const rest = faults.length - named.length;
  if (rest > 0) named.push(`and ${rest} more`);
  return new Failure(code, { message: `${named.join("; ")}.` });
}

/** Returns a field's name as callers write it: `filters.domains[1]`. */
function nameOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === "number") return `${name}[${part}]`;
    const bounded = String(part).slice(0, NAME_CHARACTERS);
    return name === "" ? bounded : `${name}.${bounded}`;
  }, "");
}
