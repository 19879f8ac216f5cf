/** `ingest`: the records of one file, address or source into the dataset. */
import type { Database } from "../db/connect.ts";
import { Failure } from "../failures.ts";
import { createAsking } from "../ingest/ask.ts";
import { type Entry, UnreadableSource } from "../ingest/entry.ts";
import { batchSizeOf, type IngestCounts, ingestEntries, NOTHING_READ } from "../ingest/pipeline.ts";
import { createProgress, NO_PROGRESS } from "../ingest/progress.ts";
import type { Rejections } from "../ingest/rejections.ts";
import type { CommandContext } from "./command.ts";
import { readIngestArguments } from "./ingest_arguments.ts";
import { openEntries } from "./ingest_entries.ts";

export interface IngestContext extends CommandContext {
  /** For `-`; standard input by default. */
  stdin?: AsyncIterable<Uint8Array>;
  /** Takes the rejections of `-` and of what is fetched; standard error by default. */
  say?: (line: string) => void;
}

/**
 * Prints `{read, recorded, revised, unchanged, rejected}`. What is rejected goes to
 * FILE.rejected.ndjson, which replaces that of an earlier run once the source has proved readable,
 * and is there only if it is needed; for `-` and what is fetched, to standard error.
 *
 * @returns 0, or 1 where a record was rejected
 * @throws UsageError; UnreadableSource; BrokenOff; FetchFailure; or the error of the file system or
 * the database
 */
export async function ingest(
  args: string[],
  context: IngestContext,
  print: (line: string) => void,
): Promise<number> {
  const wanted = readIngestArguments(args);
  await using opened = await openEntries(wanted, {
    asking: () => createAsking(context.settings),
    stdin: context.stdin,
    say: context.say,
  });
  const db = await openDatabase(opened.name, context);
  const progress = Deno.stderr.isTerminal() ? createProgress(opened.size) : NO_PROGRESS;
  let counts: Readonly<IngestCounts> = NOTHING_READ;
  try {
    counts = await ingestEntries(db.sql, onceReadable(opened.entries(db.sql), opened.rejections), {
      batch: batchSizeOf(db),
      reject: (rejection) => opened.rejections.add(rejection),
      progress: (soFar) => {
        counts = soFar;
        progress.update(opened.bytesRead(), soFar);
      },
    });
  } catch (error) {
    if (error instanceof UnreadableSource) error.message = `${opened.name}: ${error.message}`;
    throw isUnavailable(error) ? new BrokenOff(opened.name, { counts, cause: error.cause }) : error;
  } finally {
    progress.stop();
    await db.close();
  }
  print(JSON.stringify(counts));
  return counts.rejected > 0 ? 1 : 0;
}

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
