/** `ingest`: the records of one file into the dataset. */
import { parseArgs } from "node:util";
import type { Database } from "../db/connect.ts";
import { Failure } from "../failures.ts";
import { type Entry, type ReadSource, UnreadableSource } from "../ingest/entry.ts";
import { openInput } from "../ingest/input.ts";
import { BATCH_SIZES, type IngestCounts, ingestEntries } from "../ingest/pipeline.ts";
import { createProgress, NO_PROGRESS } from "../ingest/progress.ts";
import { RejectionFile, type Rejections, sayRejections } from "../ingest/rejections.ts";
import { SOURCES } from "../ingest/sources.ts";
import { readNdjson } from "../ingest/sources/ndjson.ts";
import { type CommandContext, UsageError } from "./command.ts";

const FORMATS: ReadonlyMap<string, ReadSource> = new Map([
  ["ndjson", readNdjson],
  ...Array.from(SOURCES.values(), ({ name, read }) => [name, read] as const),
]);

export const INGEST_USAGE = `ingest [--format ${[...FORMATS.keys()].join("|")}] FILE|-`;

export interface IngestContext extends CommandContext {
  /** For `-`; standard input by default. */
  stdin?: AsyncIterable<Uint8Array>;
  /** Takes the rejections of `-`; standard error by default. */
  say?: (line: string) => void;
}

/**
 * Prints `{read, recorded, revised, unchanged, rejected}`. What is rejected goes to
 * FILE.rejected.ndjson, which replaces that of an earlier run once the source has proved readable,
 * and is there only if it is needed; for `-`, to standard error.
 *
 * @returns 0, or 1 where a record was rejected
 * @throws UsageError; UnreadableSource; BrokenOff; or the error of the file system or the database
 */
export async function ingest(
  args: string[],
  context: IngestContext,
  print: (line: string) => void,
): Promise<number> {
  const { path, read } = readArguments(args);
  await using input = await openInput(path, context.stdin);
  using rejections = path === "-"
    ? sayRejections(context.say)
    : new RejectionFile(`${path}.rejected.ndjson`);
  const db = await openDatabase(path, context);
  const progress = Deno.stderr.isTerminal() ? createProgress(input.size) : NO_PROGRESS;
  let counts: Readonly<IngestCounts> = NOTHING_YET;
  const entries = read(input.chunks(), { retrieved_at: new Date() });
  try {
    counts = await ingestEntries(db.sql, onceReadable(entries, rejections), {
      batch: batchSizeOf(db),
      reject: (rejection) => rejections.add(rejection),
      progress: (soFar) => {
        counts = soFar;
        progress.update(input.bytesRead(), soFar);
      },
    });
  } catch (error) {
    if (error instanceof UnreadableSource) error.message = `${path}: ${error.message}`;
    throw isUnavailable(error) ? new BrokenOff(path, { counts, cause: error.cause }) : error;
  } finally {
    progress.stop();
    await db.close();
  }
  print(JSON.stringify(counts));
  return counts.rejected > 0 ? 1 : 0;
}

const NOTHING_YET = { read: 0, recorded: 0, revised: 0, unchanged: 0, rejected: 0 };

/** The database was lost, or did not get on, before the end of the file. */
export class BrokenOff extends Error {
  override name = "BrokenOff";

  constructor(path: string, { counts, cause }: { counts: IngestCounts; cause: unknown }) {
    super(
      `${path}: broken off, the database is not available (${reasonOf(cause)}). So far: ` +
        `${JSON.stringify(counts)}. Running it again is safe: what is in counts as unchanged then.`,
      { cause },
    );
  }
}

async function openDatabase(path: string, context: CommandContext): Promise<Database> {
  try {
    return await context.database();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    const message = `${path}: nothing was read, the database is not available ` +
      `(${reasonOf(error.cause)}).`;
    throw new Error(message, { cause: error });
  }
}

/** A refusal whose sentence is meant for callers of the service. */
function isUnavailable(error: unknown): error is Failure {
  return error instanceof Failure && error.code === "unavailable";
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message.replace(/\.$/, "") : "no reason is known";
}

/** What an earlier run rejected is worth keeping until this one can take its place. */
async function* onceReadable(
  entries: AsyncIterable<Entry>,
  rejections: Rejections,
): AsyncGenerator<Entry> {
  let readable = false;
  for await (const entry of entries) {
    if (!readable) await rejections.reset();
    readable = true;
    yield entry;
  }
  if (!readable) await rejections.reset();
}

function readArguments(args: string[]): { path: string; read: ReadSource } {
  let parsed;
  try {
    parsed = parseArgs({ args, options: { format: { type: "string" } }, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${INGEST_USAGE}`);
  }
  const [path, ...rest] = parsed.positionals;
  if (path === undefined || path === "" || rest.length > 0) throw new UsageError(INGEST_USAGE);
  const { format } = parsed.values;
  // A table says nothing of its columns' meaning: guessing would reject every line of it.
  if (format === undefined && /\.csv$/i.test(path)) {
    throw new UsageError(`A .csv file needs its --format.\n${INGEST_USAGE}`);
  }
  const read = FORMATS.get(format ?? "ndjson");
  if (read === undefined) throw new UsageError(`Unknown format ${format}.\n${INGEST_USAGE}`);
  return { path, read };
}

/** The embedded database, ours or borrowed, works on the event loop of the process that holds it. */
function batchSizeOf(db: Database) {
  return db.kind === "server" ? BATCH_SIZES.server : BATCH_SIZES.embedded;
}
