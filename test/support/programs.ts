/** Programs that tests and benches start, and what processes of tests may reach. */
import { findChromium } from "./browser.ts";
import { findBinaries } from "./cluster.ts";
import { findSearchd } from "./searchd.ts";

/** Returns the runtime, PostgreSQL's programs, the browser and the search daemon that there are. */
export function findPrograms(): string[] {
  const binaries = findBinaries();
  const server = ["initdb", "postgres", "pg_isready"].map((name) => `${binaries}/${name}`);
  return [
    Deno.execPath(),
    "psql",
    // Reads how much memory a process has.
    "cat",
    ...binaries === undefined ? [] : server,
    ...findDumpPrograms(),
    ...[findChromium() ?? [], findSearchd() ?? []].flat(),
  ];
}

/** Returns PostgreSQL's programs for backups, which tests start, where this machine has them. */
export function findDumpPrograms(): string[] {
  const binaries = findBinaries();
  return binaries === undefined ? [] : [`${binaries}/pg_dump`, `${binaries}/pg_restore`];
}

/** Files of the project, public data beside it, programs, and temporary directories. */
const READABLE = [
  ".",
  "../shared",
  "/usr/bin",
  "/usr/sbin",
  "/usr/local/sbin",
  "/usr/lib/postgresql",
];

/** Variables that tests and benches read. */
const VARIABLES = [
  "FAST_CHECK_SEED",
  "FUZZ_RUNS",
  "INGEST_BENCH_LINES",
  "MCP_BENCH_ROUNDS",
  "PATH",
  "PG*",
  "SEARCH_BENCH_CHILD",
  "SEARCH_BENCH_DOCUMENTS",
  "SEARCH_BENCH_FLOORS_KEPT",
  "TEST_DATABASE_URL",
  "TEST_SHARED_DIR",
  "TMPDIR",
];

/**
 * Returns the permissions of tests and benches that start these programs: files of the project and
 * temporary ones, and sockets. A socket in a temporary directory cannot be allowed by its directory,
 * so the network has no list.
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
