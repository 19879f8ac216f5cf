/**
 * Runs the tests on PGlite and on a PostgreSQL server. TEST_DATABASE_URL is the address of the
 * server. Without it, a temporary server of this machine's binaries is started. Arguments (files,
 * --filter …) are passed to `deno test`. The last line of standard output is `N passed, N failed`,
 * counted from the report of `deno test`. The exit code is 1 if a test failed, and otherwise 0.
 */
import { findChromium } from "./support/browser.ts";
import { startCluster } from "./support/cluster.ts";
import { findCaddy } from "./support/caddy.ts";
import { findCurl, findJava, findNode, findPython } from "./support/interpreters.ts";
import { findNginx } from "./support/nginx.ts";
import { findPgBouncer } from "./support/pgbouncer.ts";
import { findOperatorPrograms, permissionsFor } from "./support/programs.ts";
import { findSystemdAnalyze } from "./support/systemd.ts";

/**
 * Permissions of the tests. They run the service, and the browser, the proxies, PgBouncer, systemd's
 * check and the interpreters of callers' programs if these are installed. The inspector
 * tells how much memory native objects use.
 */
const PERMISSIONS = [
  ...permissionsFor([
    ...[Deno.execPath(), "psql", "cat", "git", ...findOperatorPrograms()],
    ...[findChromium() ?? [], findNginx() ?? [], findCaddy() ?? []].flat(),
    ...[findPgBouncer() ?? []].flat(),
    ...[findSystemdAnalyze() ?? [], findNode() ?? [], findPython() ?? [], findCurl() ?? []].flat(),
    ...[findJava() ?? []].flat(),
  ]),
  "--allow-sys",
];

/**
 * Max minutes of a run, because cases without a database have no time-out. An unattended run may
 * take an hour and a half. This limit is lower, so that such a run still names hanging cases.
 */
const GIVE_UP_MINUTES = 75;

/**
 * Number of modules that run at once. Their cases wait for processes and time-outs half of the time:
 * on two cores, four modules at once took 12 minutes, and two took 14 (2026-11-28). More than eight
 * would use up the connections of the test server.
 */
const JOBS = Math.min(8, 2 * navigator.hardwareConcurrency);

/** Modules that take longest, the longest first. None of them may run alone at the end. */
const LONGEST = [
  "search/questions",
  "http/attacks",
  "search/remote/search_cluster",
  "operations/restart",
  "process",
  "deploy/rolling_restart",
  "deploy/caddy",
  "commands/operators_day",
  "search/worst_query",
].map((name) => `test/${name}_test.ts`);

/**
 * Max number of modules of a folder that run as one module, which loads the service once. A load
 * takes 0.6 to 1 s of processor time, and there are 325 modules (2026-11-29).
 */
const TOGETHER = 16;

/** Number of other modules after each of the longest, which run several processes each. */
const SPACING = 5;

interface Counts {
  passed: number;
  failed: number;
}

if (import.meta.main) {
  const { failed } = await main(Deno.args);
  Deno.exit(failed === 0 ? 0 : 1);
}

async function main(args: string[]): Promise<Counts> {
  const directory = Deno.makeTempDirSync({ prefix: "ce-test-" });
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, interrupt);
  Deno.unrefTimer(setTimeout(interrupt, GIVE_UP_MINUTES * 60_000));
  let cluster;
  let counts: Counts = { passed: 0, failed: 1 };
  try {
    const server_url = Deno.env.get("TEST_DATABASE_URL");
    if (server_url === undefined) cluster = await startCluster();
    const url = server_url ?? cluster?.url;
    if (url === undefined) print("There is no PostgreSQL server, so only the tests on PGlite run.");
    counts = await runTests(args, { directory, url, signal: interrupted.signal });
  } catch (error) {
    print(error instanceof Error ? error.message : String(error));
  } finally {
    await cluster?.stop();
    Deno.removeSync(directory, { recursive: true });
  }
  print(`${counts.passed} passed, ${counts.failed} failed`);
  return counts;
}

async function runTests(
  args: string[],
  { directory, url, signal }: { directory: string; url?: string; signal: AbortSignal },
): Promise<Counts> {
  const report = `${directory}/report.xml`;
  const seed = new URL("support/property_seed.ts", import.meta.url).href;
  // `deno task check` checks the types, which takes a minute.
  const running = ["--parallel", "--no-check", `--preload=${seed}`, `--junit-path=${report}`];
  const modules = args.length === 0 ? writeGroups(directory) : args;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["test", "--config=test/deno.json", ...running, ...PERMISSIONS, ...modules],
    env: {
      DENO_JOBS: String(JOBS),
      TEST_SHARED_DIR: directory,
      ...url === undefined ? {} : { TEST_DATABASE_URL: url },
    },
    stdout: "piped",
  }).spawn();
  // `deno test` names the cases that have not ended only if it gets this signal.
  signal.addEventListener("abort", () => child.kill("SIGINT"));
  const output = await passOn(child.stdout);
  const { success } = await child.status;
  return countResults({ report: readReport(report), output, success });
}

/**
 * Writes modules that import the test modules of a folder together, or one of the longest. Returns
 * their paths in the order in which they begin. They are in one folder, because `deno test` keeps
 * only the order of modules of a folder.
 */
function writeGroups(directory: string): string[] {
  const write = (name: string, paths: readonly string[]) => {
    const group = `${directory}/${name}.ts`;
    const imports = paths.map((path) =>
      `import ${JSON.stringify(import.meta.resolve(`../${path}`))};\n`
    );
    Deno.writeTextFileSync(group, imports.join(""));
    return group;
  };
  const longest = LONGEST.map((path, n) => write(`longest_${n + 1}`, [path]));
  const folders = Map.groupBy(
    findModules("test").filter((path) => !LONGEST.includes(path)).sort(),
    (path) => path.slice(0, path.lastIndexOf("/")),
  );
  const others = [...folders].flatMap(([folder, paths]) => {
    // Modules of test/faults leave processes, or timers of a database that ended, to their thread.
    const size = folder === "test/faults" ? 1 : TOGETHER;
    return Array.from(
      { length: Math.ceil(paths.length / size) },
      (_, n) =>
        write(`${folder.replaceAll("/", "_")}_${n + 1}`, paths.slice(n * size, (n + 1) * size)),
    );
  });
  const spread = others.flatMap((one, n) =>
    n % SPACING === 0 ? [...longest.splice(0, 1), one] : one
  );
  return [...spread, ...longest];
}

/** Returns the paths of the test modules in a folder and its folders. */
function findModules(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    if (isDirectory) return name === "node_modules" ? [] : findModules(path);
    return name.endsWith("_test.ts") ? [path] : [];
  });
}

/**
 * Counts the results of a run. The report contains every case. Modules that fail outside of a case,
 * for example while they load, are named only in the output. A run that fails for any other reason
 * counts as one failure.
 */
export function countResults(
  { report, output, success }: { report: string; output: string; success: boolean },
): Counts {
  const cases = report.match(/<testcase\b[^>]*?(\/>|>[\s\S]*?<\/testcase>)/g) ?? [];
  const failed = cases.filter((text) => /<(failure|error)\b/.test(text)).length;
  const skipped = cases.filter((text) => /<skipped\b/.test(text)).length;
  const modules = new Set(output.match(/^.+ \(uncaught error\)$/gm) ?? []).size;
  const all = failed + modules;
  return { passed: cases.length - failed - skipped, failed: success || all > 0 ? all : 1 };
}

function readReport(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

async function passOn(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of stream) {
    await Deno.stdout.write(bytes);
    text += decoder.decode(bytes, { stream: true });
  }
  // The runner may print colour codes. They are removed for countResults(), which matches lines.
  // deno-lint-ignore no-control-regex
  return text.replace(/\x1b\[[0-9;]*m/g, "");
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(line + "\n"));
}
