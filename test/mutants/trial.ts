/** One run of test files in a copy of the tree, usually with a planted bug, and its outcome. */
import { connect } from "../../src/db/connect.ts";
import { createLog } from "../../src/log.ts";

/**
 * Outcome of a planted bug. `broken` means that no promise was checked: the code does not load, the
 * database refuses it, or no test ran.
 */
export type Outcome = "killed" | "survived" | "timed out" | "broken";

interface TrialOptions {
  directory: string;
  database_url: string;
  /** Ends the run at once when it is aborted. */
  signal: AbortSignal;
  /** Max seconds of the run. */
  seconds: number;
}

/** Result of a run. */
export interface Trial {
  outcome: Outcome;
  /** True if no test failed. Possibly none ran, because all of them are for PGlite only. */
  passed: boolean;
  /** First line of the first error, which shows the reason of the failure. */
  error: string;
  output: string;
}

/** Pattern of the tests to run. The same test on the embedded database takes time, and adds little. */
const FILTER = "/([^\\]]|\\[postgres\\])$/";

/** Runs test files until a test fails. */
export async function runTests(
  files: readonly string[],
  { directory, database_url, signal, seconds }: TrialOptions,
): Promise<Trial> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "test", "--fail-fast", `--filter=${FILTER}`, ...files],
    cwd: directory,
    env: { TEST_DATABASE_URL: database_url, NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const timeout = AbortSignal.timeout(seconds * 1000);
  const ending = AbortSignal.any([signal, timeout]);
  const end = () => child.kill("SIGTERM");
  ending.addEventListener("abort", end);
  const { success, stdout, stderr } = await child.output();
  ending.removeEventListener("abort", end);
  const late = timeout.aborted;
  signal.throwIfAborted();
  await dropTemplates(database_url);
  const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  const [, error = ""] = output.match(/^error: (.+)$/m) ?? [];
  const passed = success && !late;
  return { outcome: outcomeOf({ output, success, late }), passed, error, output };
}

/** Pattern of the output of a broken bug: code does not load, or an SQL statement is invalid. */
const BROKEN =
  /\(uncaught error\)|syntax error at or near|ReferenceError|(column|function|relation|operator) .{0,200}does not exist/;

/** Judges a run by its output. */
export function outcomeOf(
  { output, success, late }: { output: string; success: boolean; late: boolean },
): Outcome {
  if (late) return "timed out";
  if (BROKEN.test(output) && !success) return "broken";
  const [, passed, failed] = output.match(/^(\d+) passed, (\d+) failed$/m) ?? [];
  if (passed === undefined || Number(passed) + Number(failed) === 0) return "broken";
  return success ? "survived" : "killed";
}

/**
 * SQLSTATE of a missing database. A statement that a test sent before it was killed may drop a
 * database while this process lists and drops databases.
 */
const NO_SUCH_DATABASE = "3D000";

/**
 * Drops the templates of test databases, and the databases that killed tests have left. Each bug in
 * an SQL script leads to a new template, which no other bug uses.
 */
async function dropTemplates(database_url: string): Promise<void> {
  const { sql, close } = await connect({
    database_url,
    data_dir: "",
    log: createLog("error"),
    max_connections: 1,
    statement_timeout_seconds: 300,
  });
  try {
    const rows = await sql`
      select datname as name from pg_database where datname ~ '^ce_(template_)?[0-9a-f]{16,32}$'
    `;
    for (const { name } of rows) {
      try {
        await sql.unsafe(`alter database ${name} is_template false`);
        await sql.unsafe(`drop database if exists ${name} with (force)`);
      } catch (error) {
        if ((error as { code?: unknown }).code !== NO_SUCH_DATABASE) throw error;
      }
    }
  } finally {
    await close();
  }
}
