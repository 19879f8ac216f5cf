/**
 * Plants the bugs ("mutants") of mutants.json, one at a time, in a copy of the tree. For each bug,
 * it runs the test that has to notice it. Arguments are names of bugs; without any, all are planted.
 * `--table` prints the table of the documentation instead.
 *
 * The exit code is 1 if a bug has an outcome that mutants.json does not expect, for example if it
 * survives without an explanation or its code does not load. It is also 1 if a named test does not
 * pass in the unchanged tree. A full run takes long, so it is not part of the ordinary tests.
 */
import { cp } from "node:fs/promises";
import { basename } from "node:path";
import { startCluster } from "../support/cluster.ts";
import { findText, type Mutant, MUTANTS } from "./mutant.ts";
import { mutantTable, resultTable } from "./table.ts";
import { type Outcome, runTests } from "./trial.ts";

/** Max seconds of the tests of one mutant. */
const TRIAL_SECONDS = 180;

/** Max seconds of all named tests in the unchanged tree. */
const UNMUTATED_SECONDS = 1_800;

/** Directories that no test reads. */
const LEFT_OUT = [".git", "coverage", "data", "dist"];

/** Outcome of a planted bug. */
export interface Verdict {
  mutant: Mutant;
  outcome: Outcome | "not planted";
  seconds: number;
  /** First line of the test's error. */
  error: string;
}

if (import.meta.main) Deno.exit(await main(Deno.args));

async function main(args: string[]): Promise<number> {
  if (args.includes("--table")) {
    print(mutantTable(MUTANTS));
    return 0;
  }
  const unknown = args.filter((name) => !MUTANTS.some((mutant) => mutant.name === name));
  if (unknown.length > 0) throw new Error(`no such mutant: ${unknown.join(", ")}`);
  const chosen = MUTANTS.filter(({ name }) => args.length === 0 || args.includes(name));
  const directory = await Deno.makeTempDir({ prefix: "ce-mutants-" });
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => interrupted.abort(new Error("interrupted")));
  }
  const cluster = await startCluster();
  try {
    if (cluster === undefined) throw new Error("Mutants need the binaries of a PostgreSQL server.");
    await copyTree(directory);
    return await judge(chosen, {
      directory,
      database_url: cluster.url,
      signal: interrupted.signal,
    });
  } finally {
    await cluster?.stop();
    await Deno.remove(directory, { recursive: true });
  }
}

/** A copy of the tree in which mutants are planted, and the database server of its tests. */
interface Laboratory {
  directory: string;
  database_url: string;
  /** Aborted when the process is asked to end. */
  signal: AbortSignal;
}

async function judge(mutants: readonly Mutant[], laboratory: Laboratory): Promise<number> {
  const unmutated = await runUnmutated(mutants, laboratory);
  if (unmutated.length > 0) {
    print(`These tests do not pass in the unchanged tree:\n${unmutated.join("\n")}`);
    return 1;
  }
  const verdicts: Verdict[] = [];
  for (const mutant of mutants) {
    const verdict = await plant(mutant, laboratory);
    verdicts.push(verdict);
    const { outcome, seconds, error } = verdict;
    const time = `${seconds.toFixed(0).padStart(4)} s`;
    print(`${outcome.padEnd(12)} ${time}  ${mutant.name}: ${error.slice(0, 120)}`);
  }
  print(`\n${resultTable(verdicts)}`);
  const unexplained = verdicts.filter(({ mutant, outcome }) => !isExpected(mutant, outcome));
  const killed = verdicts.filter(({ outcome }) => outcome === "killed" || outcome === "timed out");
  print(`${killed.length} of ${verdicts.length} killed, ${unexplained.length} unexplained`);
  return unexplained.length === 0 ? 0 : 1;
}

function isExpected({ survives_because, killed_by_time_out }: Mutant, outcome: string): boolean {
  if (outcome === "timed out") return killed_by_time_out === true;
  return outcome === (survives_because === undefined ? "killed" : "survived");
}

/** Returns the named tests that did not run, or did not pass, without a bug. */
async function runUnmutated(
  mutants: readonly Mutant[],
  laboratory: Laboratory,
): Promise<string[]> {
  const { outcome, passed, error } = await runTests(mutants.map(({ noticed_by }) => noticed_by), {
    ...laboratory,
    seconds: UNMUTATED_SECONDS,
    fail_fast: false,
  });
  const named = mutants.map(({ noticed_by }) => noticed_by.test);
  const missed = [...new Set(named)].filter((test) => !passed.includes(test));
  return missed.length > 0 || outcome !== "survived" ? [...missed, error] : [];
}

async function plant(mutant: Mutant, laboratory: Laboratory): Promise<Verdict> {
  const path = `${laboratory.directory}/${mutant.file}`;
  const text = await Deno.readTextFile(path);
  const start = performance.now();
  const verdict = (outcome: Verdict["outcome"], error = ""): Verdict => ({
    mutant,
    outcome,
    error,
    seconds: (performance.now() - start) / 1000,
  });
  const at = findText(text, mutant.find);
  if (at === undefined) return verdict("not planted");
  const after = text.slice(at + mutant.find.length);
  await Deno.writeTextFile(path, text.slice(0, at) + mutant.replace + after);
  try {
    const { outcome, error } = await runTests([mutant.noticed_by], {
      ...laboratory,
      seconds: TRIAL_SECONDS,
      fail_fast: true,
    });
    const crashes = mutant.crashes_with !== undefined && error.includes(mutant.crashes_with);
    return verdict(outcome === "broken" && crashes ? "killed" : outcome, error);
  } finally {
    await Deno.writeTextFile(path, text);
  }
}

/**
 * Copies the tree without node_modules. `deno task test` installs the packages in the copy, because
 * it permits tests to read no files of the original tree.
 */
async function copyTree(directory: string): Promise<void> {
  const filter = (path: string) => !LEFT_OUT.includes(path) && basename(path) !== "node_modules";
  await cp(".", directory, { recursive: true, filter });
}

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}
