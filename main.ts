/** Reads arguments and environment, runs one command, stops on a signal. */
import { admin, ADMIN_USAGE, adminHelp } from "./src/commands/admin.ts";
import { createAnnouncer } from "./src/commands/announcer.ts";
import { ask, ASK_USAGE, EXPLAIN_USAGE } from "./src/commands/ask.ts";
import {
  backup,
  BACKUP_USAGE,
  move,
  MOVE_USAGE,
  restore,
  RESTORE_USAGE,
} from "./src/commands/backup.ts";
import type { CommandContext } from "./src/commands/command.ts";
import { doctor, DOCTOR_USAGE, settingFault } from "./src/commands/doctor.ts";
import { ingest } from "./src/commands/ingest.ts";
import { INGEST_USAGE } from "./src/commands/ingest_arguments.ts";
import { readSettings, SettingError, type Settings } from "./src/config.ts";
import { escapeControls } from "./src/contract/control_characters.ts";
import { VERSION } from "./src/contract/version.ts";
import { makePrivate } from "./src/db/data_directory.ts";
import { openDatabase } from "./src/db/migrate.ts";
import { readSchema } from "./src/db/scripts.ts";
import { UsageError } from "./src/failures.ts";
import { createLog, type Log } from "./src/log.ts";
import { writeLines, writeText } from "./src/terminal.ts";

/** Usage of each command. `admin` prints more about its own commands. */
const USAGES: Record<string, string> = {
  start: "start",
  work: "work",
  ingest: INGEST_USAGE,
  quality: INGEST_USAGE,
  admin: ADMIN_USAGE,
  backup: BACKUP_USAGE,
  restore: RESTORE_USAGE,
  move: MOVE_USAGE,
  doctor: DOCTOR_USAGE,
  ask: `${ASK_USAGE}\n${EXPLAIN_USAGE}`,
  openapi: "openapi",
  version: "version",
};

/** Summary of each command for its `--help`. `admin` has summaries of its own commands. */
const SUMMARIES: Record<string, string> = {
  start: "Serves HTTP and MCP, and performs background work. docs/settings.md lists its settings.",
  work: "Performs background work beside serving processes, without serving requests.",
  ingest: "Records observations from files, from an address or from a source.",
  quality: "Reports which records `ingest` would record, and why it would not record the rest.",
  backup: "Writes the embedded database to a new file, also while the service runs.",
  restore: "Restores the embedded database from a backup into a DATA_DIR that does not exist yet.",
  move: "Copies the embedded database to an empty PostgreSQL. The service must be stopped.",
  doctor: "Checks everything that a service needs, and gives advice. Exits with 1 on a fault.",
  ask:
    "Searches companies through a running service. It is charged as a search. With --explain, it " +
    "reads the database, says why each company is charged, and charges nothing. --limit then " +
    "bounds two lists: the best companies, and those that contradict the question.",
  openapi: "Prints the description of the HTTP API.",
  version: "Prints the versions of the program and its runtime, and the last migration.",
};

const USAGE = [...new Set(Object.values(USAGES))].join("\n");

/** Commands that write no files. */
const PURE_COMMANDS = ["ask", "openapi", "version"];

const SERVING_COMMANDS = ["start", "work"];

/**
 * Max seconds that open work may take to finish after a stop is requested. The process then ends, so
 * that a stop takes at most 15 seconds, also if all its steps (start.ts, lease_returns.ts, pool.ts)
 * take as long as they may.
 */
const STOP_SECONDS = 14;

const isTerminal = Deno.stderr.isTerminal();
const say = (lines: string) => writeLines("stderr", lines);
const print = (lines: string) => writeLines("stdout", lines);

if (import.meta.main) Deno.exit(await main(Deno.args));

async function main([command = "start", ...args]: string[]): Promise<number> {
  try {
    const help = helpFor(command, args);
    if (help !== undefined) {
      print(help);
      return 0;
    }
    if (!PURE_COMMANDS.includes(command) || explains(args)) keepFilesPrivate(command);
    const settings = readSettings();
    const log = createLog(settings.LOG_LEVEL);
    return await runCommand(command, args, { settings, log });
  } catch (error) {
    if (error instanceof SettingError && command === "doctor") {
      print(settingFault(error, args));
      return 1;
    }
    const reason = error instanceof Error ? describe(error) : String(error);
    // Only the message of wrong usage has lines. Any other message may quote a text from outside.
    sayFault(command, error instanceof UsageError ? reason : escapeControls(reason));
    return error instanceof UsageError ? 2 : 1;
  }
}

/** Returns whether `ask` opens the database instead of a service. */
function explains(args: string[]): boolean {
  return args.includes("--explain");
}

/** Says why a command ends. Without a terminal, a serving process writes a line of its log. */
function sayFault(command: string, reason: string): void {
  if (isTerminal || !SERVING_COMMANDS.includes(command)) return say(reason);
  createLog("error", (line) => say(line.trimEnd())).error(`${command} ends because of an error`, {
    reason,
  });
}

/** Returns the text of `--help`, which needs no settings; undefined if it was not requested. */
function helpFor(command: string, args: string[]): string | undefined {
  if (["help", "--help", "-h"].includes(command)) return USAGE;
  if (command === "admin") return adminHelp(args);
  if (!args.includes("--help")) return;
  return command in SUMMARIES ? `${USAGES[command]}\n${SUMMARIES[command]}` : USAGE;
}

/**
 * Makes every file that this process creates readable by its owner alone. The umask needs the
 * permission `sys`. That permission cannot be narrowed, so it is revoked at once.
 */
function keepFilesPrivate(command: string): void {
  if (Deno.build.os === "windows") return;
  Deno.umask(0o077);
  // `doctor` reads the memory and the disk of the machine.
  if (command !== "doctor") Deno.permissions.revokeSync({ name: "sys" });
}

/** Describes an error with its cause, because the message of a Failure does not name its cause. */
function describe(error: Error): string {
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

async function runCommand(
  command: string,
  args: string[],
  { settings, log }: { settings: Settings; log: Log },
): Promise<number> {
  const context = commandContext(settings, log);
  switch (command) {
    case "start":
    case "work": {
      requireNone(command, args);
      // The service is loaded only here, for `ask --explain` and for `openapi`. Loading it takes half
      // of the CPU time in which the other commands start.
      const { start, work } = await import("./src/commands/start.ts");
      const run = command === "start" ? start : work;
      // Makes DATA_DIR private, because it contains the saved index. Opening an embedded database
      // does the same.
      if (settings.DATABASE_URL !== undefined) await makePrivate(settings.DATA_DIR, log);
      const announcer = createAnnouncer({ terminal: isTerminal, log, write: say });
      await run({ settings, log, announcer, stop: stopSignal(log) });
      return 0;
    }
    case "admin":
      return await admin(args, context, print);
    case "ingest":
      return await ingest(args, { ...context, say }, print);
    case "quality":
      if (!args.includes("--dry-run")) args.unshift("--dry-run");
      return await ingest(args, { ...context, say }, print);
    case "backup":
      return await backup(args, context, print);
    case "restore":
      return await restore(args, context, print);
    case "move":
      return await move(args, context, print);
    case "doctor":
      return await doctor(args, context, print);
    case "ask":
      if (explains(args)) {
        const { explain } = await import("./src/commands/explain.ts");
        return await explain(args, context, print);
      }
      return await ask(args, {
        settings,
        key: Deno.env.get("CE_API_KEY") || undefined,
        columns: Deno.stdout.isTerminal() ? Deno.consoleSize().columns : undefined,
        print,
        say,
      });
    case "openapi": {
      requireNone(command, args);
      const { printContract } = await import("./src/http/openapi.ts");
      print(printContract());
      return 0;
    }
    case "version":
      requireNone(command, args);
      print(versions());
      return 0;
    default:
      throw new UsageError(`there is no command ${command}\n${USAGE}`);
  }
}

/** Refuses arguments of a command that takes none. @throws UsageError */
function requireNone(command: string, args: string[]): void {
  if (args.length === 0) return;
  throw new UsageError(`${command} takes no arguments: ${args.join(" ")}\n${USAGE}`);
}

/** Returns the versions of the program and its runtime, and its last migration, as JSON. */
function versions(): string {
  const migration = readSchema().tables.at(-1)!.name;
  return JSON.stringify({ version: VERSION, deno: Deno.version.deno, migration });
}

function commandContext(settings: Settings, log: Log): CommandContext {
  return {
    log,
    settings,
    database: ({ create = false, ...options } = {}) =>
      openDatabase({
        database_url: settings.DATABASE_URL,
        data_dir: settings.DATA_DIR,
        borrow: true,
        must_exist: !create,
        log,
        ...options,
      }),
    confirm: Deno.stdin.isTerminal() ? confirmAtTerminal : undefined,
    draws: Deno.stdout.isTerminal(),
  };
}

/** Asks on standard error, because standard output is for results. Only "y" and "yes" confirm. */
async function confirmAtTerminal(question: string): Promise<boolean> {
  writeText("stderr", `${question} Go on? [y/N] `);
  const bytes = new Uint8Array(100);
  const length = await Deno.stdin.read(bytes) ?? 0;
  return /^y(es)?$/i.test(new TextDecoder().decode(bytes.subarray(0, length)).trim());
}

/** Returns the signal of a graceful stop. A second SIGTERM or SIGINT ends the process at once. */
function stopSignal(log: Log): AbortSignal {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) Deno.exit(0);
    log.info("stopping");
    controller.abort();
    Deno.unrefTimer(setTimeout(() => {
      log.warn("stopped with work still open");
      Deno.exit(0);
    }, STOP_SECONDS * 1000));
  };
  Deno.addSignalListener("SIGTERM", onSignal);
  Deno.addSignalListener("SIGINT", onSignal);
  return controller.signal;
}
