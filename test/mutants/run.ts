/**
 * Plants small bugs ("mutants") in a copy of the tree, one at a time, and runs the tests nearest to
 * the file of each. The bugs are drawn by rule (mutation.ts).
 *
 * Arguments are files or folders of `src` and `sql/functions`; without any, all of them.
 * `--count=N` draws N mutants per folder, 3 by default. `--seed=N` draws others. The exit code is 1
 * if the tests do not pass in the unchanged tree, and 2 for a wrong argument. Survivors are printed:
 * for each, a test is missing, or the bug changes nothing that a caller can notice.
 */
import { cp } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { parseArgs } from "node:util";
import { startCluster } from "../support/cluster.ts";
import { describe, draw, type Mutation, mutationsOf, plant } from "./mutation.ts";
import { nearestTests, readTexts, type Texts } from "./nearest.ts";
import { type Outcome, runTests, type Trial } from "./trial.ts";

/** Max seconds of the tests of one mutant. */
const TRIAL_SECONDS = 180;

/** Max seconds of the same tests in the unchanged tree, where none fails early. */
const UNMUTATED_SECONDS = 600;

/** Number of drawn mutants per judged one: some are no valid code, and the next one replaces them. */
const DRAWN_PER_JUDGED = 3;

/** Directories that no test reads. */
const LEFT_OUT = [".git", "coverage", "data", "dist"];

const USAGE =
  "usage: deno task mutants [--count=N] [--seed=N] [FILE or FOLDER of src or sql/functions …]";

if (import.meta.main) Deno.exit(await main(Deno.args));

async function main(args: string[]): Promise<number> {
  const texts = readTexts();
  let options;
  try {
    options = readOptions(args, texts);
  } catch (error) {
    const [sentence] = (error as Error).message.split(". ");
    print(`${sentence}; ${USAGE}`);
    return 2;
  }
  if (options === undefined) {
    print(USAGE);
    return 0;
  }
  const { folders, seed, count } = options;
  const directory = await Deno.makeTempDir({ prefix: "ce-mutants-" });
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => interrupted.abort(new Error("interrupted")));
  }
  const cluster = await startCluster();
  try {
    if (cluster === undefined) throw new Error("Mutants need the binaries of a PostgreSQL server.");
    await copyTree(directory);
    return await judge(folders, {
      texts,
      directory,
      database_url: cluster.url,
      signal: interrupted.signal,
      seed,
      count,
    });
  } finally {
    await cluster?.stop();
    await Deno.remove(directory, { recursive: true });
  }
}

/** Reads the arguments. Returns undefined for `--help`. @throws Error that names a wrong argument */
export function readOptions(args: string[], texts: Texts) {
  const { values: { help, ...numbers }, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      seed: { type: "string", default: "1" },
      count: { type: "string", default: "3" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (help) return;
  const wrong = Object.entries(numbers).find(([, value]) => !/^[1-9][0-9]*$/.test(value));
  if (wrong) throw new Error(`--${wrong[0]} is a whole number above 0`);
  const folders = foldersOf(texts, positionals);
  return { folders, seed: Number(numbers.seed), count: Number(numbers.count) };
}

/** Returns the files to mutate by their folders. */
function foldersOf(texts: Texts, paths: string[]): Map<string, string[]> {
  const isChosen = (file: string) =>
    paths.length === 0 || paths.some((path) => file === path || file.startsWith(`${path}/`));
  const files = [...texts.keys()].filter((file) => !file.startsWith("test/") && isChosen(file));
  if (files.length === 0) throw new Error(`no such file or folder: ${paths.join(", ")}`);
  return Map.groupBy(files, dirname);
}

/** A copy of the tree in which mutants are planted, and the database server of its tests. */
interface Laboratory {
  texts: Texts;
  directory: string;
  database_url: string;
  /** Aborted when the process is asked to end. */
  signal: AbortSignal;
  seed: number;
  /** Number of mutants per folder. */
  count: number;
}

async function judge(
  folders: ReadonlyMap<string, string[]>,
  laboratory: Laboratory,
): Promise<number> {
  const { texts, seed, count } = laboratory;
  const drawn = [...folders.values()].map((files) =>
    draw(files.flatMap((file) => mutationsOf(file, texts.get(file)!)), {
      seed,
      count: DRAWN_PER_JUDGED * count,
    })
  );
  // Only the tests of planted mutants are run, so that the first outcome is printed soon.
  const passing = new Set<string>();
  const counts: Partial<Record<Outcome, number>> = {};
  for (const mutations of drawn) {
    let judged = 0;
    for (const mutation of mutations) {
      if (judged === count) break;
      const tests = nearestTests(texts, mutation.file);
      const unknown = tests.filter((test) => !passing.has(test));
      if (unknown.length > 0) {
        const { passed, output } = await runTests(unknown, {
          ...laboratory,
          seconds: UNMUTATED_SECONDS,
        });
        if (!passed) {
          print(`${output}\nThe tests do not pass in the unchanged tree.`);
          return 1;
        }
        for (const test of unknown) passing.add(test);
      }
      const { outcome, error } = await tryOut(mutation, tests, laboratory);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
      if (outcome === "broken") continue;
      judged++;
      print(`${outcome.padEnd(9)} ${describe(texts.get(mutation.file)!, mutation)}`);
      if (outcome !== "survived") print(`          ${error.slice(0, 120)}`);
    }
  }
  print(Object.entries(counts).map(([outcome, times]) => `${times} ${outcome}`).join(", "));
  return 0;
}

type Judged = Pick<Trial, "outcome" | "error">;

async function tryOut(
  mutation: Mutation,
  tests: readonly string[],
  laboratory: Laboratory,
): Promise<Judged> {
  if (tests.length === 0) return { outcome: "survived", error: "" };
  const { texts, directory } = laboratory;
  const path = `${directory}/${mutation.file}`;
  const text = texts.get(mutation.file)!;
  await Deno.writeTextFile(path, plant(text, mutation));
  try {
    return await runTests(tests, { ...laboratory, seconds: TRIAL_SECONDS });
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
