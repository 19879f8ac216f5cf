/** Faults of a request's inputs, and the one message that names them all. */
import type { z } from "zod";
import { Failure, type FailureCode } from "../failures.ts";

/** A reason why inputs are refused. */
export interface FieldFault {
  /** Path to the faulty field. Empty: the inputs as a whole. */
  path: readonly PropertyKey[];
  /** Sentence about the accepted values or the fault, without a final dot. */
  sentence: string;
  /** Code of the failure if all faults have this code. Absent: the action's code for bad inputs. */
  code?: FailureCode;
}

/**
 * Max number of faults that a message names, because a body may have thousands of them. The number
 * is chosen.
 */
const FAULTS_NAMED = 20;

/**
 * Max number of characters of a field's name in a message, because callers choose it. The number is
 * chosen.
 */
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
 * @param code the action's code for invalid inputs
 */
export function refusalOf(code: FailureCode, faults: readonly FieldFault[]): Failure {
  const [first] = faults;
  const single = first?.code;
  if (single !== undefined && faults.every((fault) => fault.code === single)) {
    return new Failure(single);
  }
  // A number can break two rules that have one sentence.
  const named = new Set(
    faults.slice(0, FAULTS_NAMED)
      .map(({ path, sentence }) => path.length === 0 ? sentence : `${nameOf(path)}: ${sentence}`),
  );
  const rest = faults.length - FAULTS_NAMED;
  if (rest > 0) named.add(`and ${rest} more`);
  return new Failure(code, { message: `${[...named].join("; ")}.` });
}

/** Returns a field's name as callers write it: `filters.domains[1]`. */
function nameOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === "number") return `${name}[${part}]`;
    const bounded = String(part).slice(0, NAME_CHARACTERS);
    return name === "" ? bounded : `${name}.${bounded}`;
  }, "");
}
