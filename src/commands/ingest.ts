/** `ingest`: the records of one file into the dataset. */
import { parseArgs } from "node:util";
import type { Database } from "../db/connect.ts";
import { cutAtWord } from "../ingest/text.ts";
import { type ReadSource, UnreadableSource } from "../ingest/entry.ts";
import { BATCH_SIZES, ingestEntries, type Rejection } from "../ingest/pipeline.ts";
import { createProgress, NO_PROGRESS } from "../ingest/progress.ts";
import { readCanadabuys } from "../ingest/sources/canadabuys.ts";
import { readNdjson } from "../ingest/sources/ndjson.ts";
import { type CommandContext, UsageError } from "./command.ts";

const FORMATS: Record<string, ReadSource> = { ndjson: readNdjson, canadabuys: readCanadabuys };

export const INGEST_USAGE = `ingest [--format ${Object.keys(FORMATS).join("|")}] FILE|-`;

/** What is kept of a rejected record. */
const SHOWN_CHARACTERS = 10_000;

export interface IngestContext extends CommandContext {
  /** For `-`; standard input by default. */
  stdin?: AsyncIterable<Uint8Array>;
  /** Takes the rejections of `-`; standard error by default. */
  say?: (line: string) => void;
}

/**
 * Prints `{read, recorded, revised, unchanged, rejected}`. What is rejected goes to
 * FILE.rejected.ndjson, which replaces that of an earlier run and is there only if it is needed;
 * for `-`, to standard error.
 *
 * @returns 0, or 1 where a record was rejected
 * @throws UsageError; UnreadableSource; or the error of the file system or the database
 */
export async function ingest(
  args: string[],
  context: IngestContext,
  print: (line: string) => void,
): Promise<number> {
  const { path, read } = readArguments(args);
  const input = await openInput(path, context);
  const rejections = path === "-"
    ? sayRejections(context.say ?? sayToStderr)
    : new RejectionFile(`${path}.rejected.ndjson`);
  const db = await context.database();
  const progress = Deno.stderr.isTerminal() ? createProgress(input.size) : NO_PROGRESS;
  try {
    await rejections.reset();
    const counts = await ingestEntries(db.sql, read(input.chunks()), {
      batch: batchSizeOf(db),
      reject: (rejection) => rejections.add(bounded(rejection)),
      progress: (counts) => progress.update(input.bytesRead(), counts),
    });
    progress.stop();
    print(JSON.stringify(counts));
    return counts.rejected > 0 ? 1 : 0;
  } catch (error) {
    if (error instanceof UnreadableSource) error.message = `${path}: ${error.message}`;
    throw error;
  } finally {
    progress.stop();
    rejections.close();
    await db.close();
  }
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
  const read = Object.entries(FORMATS).find(([name]) => name === (format ?? "ndjson"))?.[1];
  if (read === undefined) throw new UsageError(`Unknown format ${format}.\n${INGEST_USAGE}`);
  return { path, read };
}

interface Input {
  /** In bytes, where it is known. */
  size?: number;
  chunks(): AsyncIterable<Uint8Array>;
  bytesRead(): number;
}

/** A missing file is told before the database is touched. */
async function openInput(path: string, { stdin }: IngestContext): Promise<Input> {
  const size = path === "-" ? undefined : (await Deno.stat(path)).size;
  let bytes = 0;
  return {
    size,
    bytesRead: () => bytes,
    async *chunks() {
      const stream = path === "-" ? stdin ?? Deno.stdin.readable : (await Deno.open(path)).readable;
      for await (const chunk of stream) {
        bytes += chunk.length;
        yield chunk;
      }
    },
  };
}

/** The embedded database, ours or borrowed, works on the event loop of the process that holds it. */
function batchSizeOf(db: Database) {
  return db.kind === "server" ? BATCH_SIZES.server : BATCH_SIZES.embedded;
}

function bounded({ line, reason, record }: Rejection): Rejection {
  return {
    line,
    reason,
    record: typeof record === "string" ? cutAtWord(record, SHOWN_CHARACTERS) : record,
  };
}

interface Rejections {
  reset(): Promise<void>;
  add(rejection: Rejection): void;
  close(): void;
}

const encoder = new TextEncoder();

function sayToStderr(line: string) {
  Deno.stderr.writeSync(encoder.encode(line + "\n"));
}

function sayRejections(say: (line: string) => void): Rejections {
  return {
    reset: () => Promise.resolve(),
    add: (rejection) => say(JSON.stringify(rejection)),
    close() {},
  };
}

/** Made at the first rejection. */
class RejectionFile implements Rejections {
  #file: Deno.FsFile | undefined;

  constructor(readonly path: string) {}

  async reset() {
    await Deno.remove(this.path).catch((error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    });
  }

  add(rejection: Rejection) {
    this.#file ??= Deno.openSync(this.path, { write: true, create: true, truncate: true });
    let bytes = encoder.encode(JSON.stringify(rejection) + "\n");
    while (bytes.length > 0) bytes = bytes.subarray(this.#file.writeSync(bytes));
  }

  close() {
    this.#file?.close();
  }
}
