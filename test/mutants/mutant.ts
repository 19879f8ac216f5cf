/** A planted bug of mutants.json: the promise that it breaks, and the test that notices it. */
import listed from "./mutants.json" with { type: "json" };

/**
 * A test by its file and name. The name omits the database engine at its end ("[pglite]" or
 * "[postgres]"), because the test runs on each engine for which it is registered.
 */
export interface NamedTest {
  file: string;
  test: string;
}

/** A bug that a change could introduce unnoticed. */
export interface Mutant {
  name: string;
  /** The promise that the bug breaks. */
  promise: string;
  file: string;
  /** Text that occurs exactly once in the file. */
  find: string;
  replace: string;
  noticed_by: NamedTest;
  /** The reason why no test can notice the bug. Absent: a test has to notice it. */
  survives_because?: string;
  /** True if the test notices the bug only by its time-out. */
  killed_by_time_out?: boolean;
  /** Part of the error by which the bug ends the test process, if no test can catch the error. */
  crashes_with?: string;
}

/** Every bug that run.ts plants. */
export const MUTANTS: readonly Mutant[] = listed;

/** Returns the position of a text; undefined if it is missing or occurs more than once. */
export function findText(text: string, wanted: string): number | undefined {
  const at = text.indexOf(wanted);
  return at < 0 || text.indexOf(wanted, at + 1) >= 0 ? undefined : at;
}
