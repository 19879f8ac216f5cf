/** `doctor`: checks everything that a service needs, and gives advice. */
import type { Settings } from "../config.ts";
import { escapeControls } from "../contract/control_characters.ts";
import { NotStarted } from "../db/embedded.ts";
import { connect, type Database } from "../db/connect.ts";
import { UsageError } from "../failures.ts";
import { reasonOf } from "../log.ts";
import type { CommandContext } from "./command.ts";
import {
  checkClock,
  checkLeases,
  checkLedger,
  checkMigrations,
  checkQueue,
  checkSearch,
  checkSources,
  checkVersion,
  countObservations,
} from "./doctor_database.ts";
import {
  checkDirectory,
  checkDisk,
  checkMemory,
  checkService,
  readDisk,
  readService,
} from "./doctor_machine.ts";
import { fault, type Finding, ok, warning } from "./finding.ts";
import { serviceAddress } from "./service_address.ts";

/** Usage of `doctor`. */
export const DOCTOR_USAGE = "doctor [--json]";

/** Max seconds per statement of a check. One check reads the whole ledger. */
const STATEMENT_SECONDS = 600;

/** Prints the findings of all checks, with advice. Returns 1 if there is a fault. */
export async function doctor(
  args: string[],
  context: CommandContext,
  print: (line: string) => void,
): Promise<number> {
  if (args.some((word) => word !== "--json") || args.length > 1) throw new UsageError(DOCTOR_USAGE);
  const findings = await examine(context);
  const faults = findings.filter(({ level }) => level === "fault").length;
  if (args.length === 1) print(JSON.stringify({ findings, faults }));
  else for (const finding of findings) print(lineOf(finding));
  return faults > 0 ? 1 : 0;
}

/** Returns the output of `doctor` if a setting is invalid. No check runs then. */
export function settingFault({ message }: Error, args: string[]): string {
  const remedy = "Change the setting; docs/settings.md lists all of them.";
  const finding = fault("settings", message, remedy);
  if (!args.includes("--json")) return lineOf(finding);
  return JSON.stringify({ findings: [finding], faults: 1 });
}

function lineOf({ check, level, message, remedy }: Finding): string {
  // The messages of servers are part of both texts, so neither may add lines of its own.
  const line = `${level.padEnd(8)}${check.padEnd(12)}${escapeControls(message)}`;
  return remedy === undefined ? line : `${line}\n${" ".repeat(20)}${escapeControls(remedy)}`;
}

/** Runs all checks. A check that cannot run is a fault. */
export async function examine({ settings, log }: CommandContext): Promise<Finding[]> {
  const { DATABASE_URL, DATA_DIR } = settings;
  const embedded = DATABASE_URL === undefined;
  const findings = [ok("settings", "All settings can be used.")];
  if (embedded) {
    findings.push(...await runCheck("directory", () => checkDirectory(DATA_DIR)));
    // Without a complete database, no further check can run. Only files that others can read are
    // another fault of the directory.
    const isFatal = ({ level, message }: Finding) =>
      level === "fault" && !message.startsWith("Other users");
    if (findings.some(isFatal)) return findings;
    findings.push(...await runCheck("disk", async () => checkDisk(await readDisk(DATA_DIR))));
  }
  await using stack = new AsyncDisposableStack();
  let db: Database;
  try {
    const options = {
      database_url: DATABASE_URL,
      data_dir: DATA_DIR,
      borrow: true,
      must_exist: true,
      statement_timeout_seconds: STATEMENT_SECONDS,
      log,
    };
    db = stack.adopt(await connect(options), (db) => db.close());
  } catch (error) {
    if (error instanceof NotStarted) {
      return [...findings, fault("database", error.reason, error.remedy)];
    }
    const remedy = embedded
      ? "Stop the process that holds the directory, or let doctor reach its socket."
      : "Check DATABASE_URL, and whether the server runs and accepts this machine.";
    return [
      ...findings,
      fault("database", `The database cannot be reached: ${reasonOf(error)}.`, remedy),
    ];
  }
  return [...findings, ...await examineDatabase(db, settings)];
}

async function examineDatabase(db: Database, settings: Settings): Promise<Finding[]> {
  const { sql } = db;
  const findings = [
    ...await runCheck("database", () => checkVersion(sql)),
    ...await runCheck("migrations", () => checkMigrations(sql)),
  ];
  if (findings.some(({ level }) => level === "fault")) return findings;
  const { SEARCH_URL } = settings;
  const asksSources =
    [settings.FETCH_CONTACT, settings.SAM_API_KEY].some((value) => value !== undefined) ||
    settings.FETCH_OPEN_ADDRESSES.length > 0;
  const sources = {
    asks_sources: asksSources,
    header_variables: Object.keys(settings.feed_headers),
  };
  for (
    const [check, run] of [
      ["clock", () => checkClock(sql, Date.now)],
      ["queue", () => checkQueue(sql)],
      ["leases", () => checkLeases(sql)],
      ["ledger", () => checkLedger(sql)],
      ["sources", () => checkSources(sql, sources)],
      ["search", async () => SEARCH_URL === undefined ? [] : await checkSearch(sql, SEARCH_URL)],
      ["service", () => examineService(db, settings)],
    ] as const
  ) findings.push(...await runCheck(check, run));
  return findings;
}

async function examineService({ sql, kind }: Database, settings: Settings): Promise<Finding[]> {
  const { HOST, PORT, BASE_PATH, METRICS_HOST, METRICS_PORT } = settings;
  const url = serviceAddress(HOST, PORT) + BASE_PATH;
  const metrics_url = METRICS_PORT === undefined
    ? undefined
    : serviceAddress(METRICS_HOST, METRICS_PORT);
  const { observations, deliverable } = await countObservations(sql);
  // A service with this DATA_DIR would hold its lock. Another service may answer at the address.
  const service = kind === "embedded"
    ? [warning("service", "No service runs with this DATA_DIR.", "Start the service.")]
    : checkService(await readService({ url, metrics_url }), { url, deliverable });
  // A ready process has already allocated its memory, so the free memory is not checked.
  if (service[0]!.level === "ok") return service;
  const { available } = Deno.systemMemoryInfo();
  return [...service, ...checkMemory({ available_bytes: available, observations })];
}

/** Runs a check. Returns a fault if it cannot run. */
async function runCheck(check: string, run: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await run();
  } catch (error) {
    return [fault(
      check,
      `The check could not run: ${reasonOf(error)}.`,
      "Remove this cause, and run doctor again.",
    )];
  }
}
