/** Programs that tests and benchmarks start, and the permissions of test processes. */
import { findChromium } from "./browser.ts";
import { findBinaries } from "./cluster.ts";

/**
 * Returns the programs that the tasks of tests and benches may start. PostgreSQL's programs and
 * a browser are included if this machine has them.
 */
export function findPrograms(): string[] {
  const binaries = findBinaries();
  const server = ["initdb", "postgres", "pg_isready"].map((name) => `${binaries}/${name}`);
  return [
    Deno.execPath(),
    "psql",
    // cat reads the memory use of a process.
    "cat",
    "git",
    ...binaries === undefined ? [] : server,
    ...findOperatorPrograms(),
    ...[findChromium() ?? []].flat(),
  ];
}

/** Returns PostgreSQL's programs of an operator; none if this machine has no PostgreSQL. */
export function findOperatorPrograms(): string[] {
  const binaries = findBinaries();
  if (binaries === undefined) return [];
  return ["createdb", "pg_dump", "pg_restore"].map((name) => `${binaries}/${name}`);
}

/** Paths that tests may read: the project, public data beside it, and programs. */
const READABLE = [
  ".",
  "../shared",
  "/usr/bin",
  "/usr/sbin",
  "/usr/local/sbin",
  "/usr/lib/postgresql",
];

/** Environment variables that tests and benchmarks read. */
const VARIABLES = [
  "FAST_CHECK_SEED",
  "FUZZ_RUNS",
  "INGEST_BENCH_LINES",
  "PATH",
  "PG*",
  "SEARCH_BENCH_CHILD",
  "TEST_DATABASE_URL",
  "TEST_SHARED_DIR",
  "TMPDIR",
];

/**
 * Returns the permissions of tests and benchmarks that start these programs. The network is not
 * restricted, because a Unix socket in a temporary directory cannot be permitted by its directory.
 */
export function permissionsFor(programs: readonly string[]): string[] {
  return [
    "--no-prompt",
    `--allow-read=${[...READABLE, temporaryDirectory()]}`,
    `--allow-write=${temporaryDirectory()}`,
    "--allow-net",
    `--allow-env=${VARIABLES}`,
    "--ignore-env",
    `--allow-run=${programs}`,
  ];
}

/** Returns the directory in which temporary files are made. */
function temporaryDirectory(): string {
  return Deno.env.get("TMPDIR") || "/tmp";
}

if (import.meta.main) {
  Deno.stdout.writeSync(new TextEncoder().encode(findPrograms().join()));
}
