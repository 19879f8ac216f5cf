/** A planted bug as mutants.json lists it: the promise that it breaks, and the test that notices. */
import listed from "./mutants.json" with { type: "json" };

/** A test by its file and its name. Without an engine in brackets it runs on the server alone. */
export interface NamedTest {
  file: string;
  test: string;
}

/** A bug that a change could bring in unnoticed. */
export interface Mutant {
  name: string;
  /** The promise that it breaks. */
  promise: string;
  file: string;
  /** Text that stands exactly once in the file. */
  find: string;
  replace: string;
  noticed_by: NamedTest;
  /** The reason why no test can notice it; absent: one has to. */
  survives_because?: string;
  /** True if the test notices it only by not ending in time. */
  killed_by_time_out?: boolean;
  /** The error with which the bug ends the test's process, if no case can catch it. */
  crashes_with?: string;
}

/** Every bug that run.ts plants. */
export const MUTANTS: readonly Mutant[] = listed;

/** Returns the only place of a text, or undefined if it is missing or not the only one. */
export function findText(text: string, wanted: string): number | undefined {
  const at = text.indexOf(wanted);
  return at < 0 || text.indexOf(wanted, at + 1) >= 0 ? undefined : at;
}
