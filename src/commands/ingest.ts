/** `ingest`: records files, an address or a source in the dataset, or only reports on them. */
import { escapeControls } from "../contract/control_characters.ts";
import type { Database } from "../db/connect.ts";
import { isUnavailable } from "../db/failure.ts";
import { openInput } from "../ingest/formats/input.ts";
import { proposeMapping } from "../ingest/mapping/propose.ts";
import { createAsking } from "../ingest/refresh/ask.ts";
import { type SourceEntry, UnreadableSource } from "../ingest/record/entry.ts";
import {
  batchSizeOf,
  type IngestCounts,
  ingestEntries,
  NOTHING_READ,
  sumOfCounts,
} from "../ingest/record/pipeline.ts";
import {
  CLOCK,
  drawProgress,
  sayProgress,
  type Ticker,
  type Watched,
} from "../ingest/record/progress.ts";
import { type CountedReason, foremostReasons, Reasons } from "../ingest/record/reasons.ts";
import type { Rejections } from "../ingest/record/rejections.ts";
import { reasonOf } from "../log.ts";
import { answerText } from "./answer_text.ts";
import type { CommandContext } from "./command.ts";
import {
  type From,
  type IngestInputs,
  mappingForIn,
  readIngestArguments,
} from "./ingest_arguments.ts";
import { nameOf, type OpenedEntries, openEntries, withInputName } from "./ingest_entries.ts";
import { reportQuality } from "./quality.ts";

/** Context of `ingest`. */
export interface IngestContext extends CommandContext {
  /** Bytes for the input `-`; absent: standard input. */
  stdin?: AsyncIterable<Uint8Array>;
  /** Writes a message that is not part of the result. */
  say(line: string): void;
  /** Clock that times the progress output. Tests replace it. */
  ticker?: Ticker;
}

/**
 * Records all files and prints the sums of their counts, as JSON or for a terminal. Standard error
 * receives the reasons for omitted records, and each file's counts if there are several files. An
 * unreadable file does not stop the remaining ones.
 *
 * Rejected records are written to FILE.rejected.ndjson, which exists only if a record is rejected.
 * The file of an earlier run is removed as soon as the input proves readable. Rejected records of
 * `-` and of fetched inputs are written to standard error.
 *
 * @returns 0; 1 if a record was rejected or doubtful, or a file could not be read to its end
 * @throws UsageError; BrokenOff; or, for a single file of which nothing could be read, the reason
 */
export async function ingest(
  args: string[],
  context: IngestContext,
  print: (line: string) => void,
): Promise<number> {
  const proposed = mappingForIn(args);
  if (proposed !== undefined) {
    await using input = await openInput(proposed, context.stdin);
    print(JSON.stringify(await proposeMapping(input.chunks(), proposed), undefined, 2));
    return 0;
  }
  const { say } = context;
  const wanted = withoutReports(await readIngestArguments(args), say);
  const open = (from: From) =>
    openEntries(from, wanted, {
      asking: () => createAsking(context.settings),
      stdin: context.stdin,
      say,
    });
  if (wanted.dry_run) return await reportQuality(wanted, { open, say, print });
  await using database = new LazyDatabase(context, wanted.create);
  const run: Run = {
    open,
    say,
    database,
    ticker: context.ticker,
    several: wanted.from.length > 1,
    format: wanted.format,
  };
  const { counts, faults } = await ingestAll(wanted, run);
  print(context.draws && !wanted.json ? answerText(counts) : JSON.stringify(counts));
  return counts.rejected > 0 || counts.doubtful > 0 || faults > 0 ? 1 : 0;
}

/** Skips the files of rejected records of other files of the run, which "*.ndjson" includes. */
function withoutReports(wanted: IngestInputs, say: (line: string) => void): IngestInputs {
  const reports = new Set(wanted.from.map((input) => `${nameOf(input, "")}.rejected.ndjson`));
  const from = wanted.from.filter((input) => {
    const isReport = reports.has(nameOf(input, ""));
    if (isReport) say(`${nameOf(input, "")}: skipped, because it contains rejected records`);
    return !isReport;
  });
  return { ...wanted, from };
}

/** State that the files of a run share. */
interface Run {
  open: (from: From) => Promise<OpenedEntries>;
  say: (line: string) => void;
  database: LazyDatabase;
  ticker?: Ticker;
  several: boolean;
  format: string;
}

async function ingestAll(
  { from }: IngestInputs,
  run: Run,
): Promise<{ counts: IngestCounts; faults: number }> {
  let counts: IngestCounts = NOTHING_READ;
  let faults = 0;
  for (const input of from) {
    const done = await ingestOne(input, run);
    counts = sumOfCounts(counts, done.counts);
    if (done.fault === undefined) continue;
    if (!run.several && done.counts.read === 0) throw done.fault;
    const { message } = done.fault;
    const read = done.counts.read;
    run.say(escapeControls(read === 0 ? message : `${message}; ${read} records were read before`));
    faults++;
  }
  return { counts, faults };
}

/** Counts of one file, with the error that ended its reading early. */
interface IngestOutcome {
  counts: Readonly<IngestCounts>;
  fault?: Error;
}

async function ingestOne(from: From, run: Run): Promise<IngestOutcome> {
  let opened: OpenedEntries;
  try {
    opened = await run.open(from);
  } catch (error) {
    return { counts: NOTHING_READ, fault: withInputName(error, nameOf(from, run.format)) };
  }
  await using _ = opened;
  const reasons = {
    left_out: new Reasons(),
    doubtful: new Reasons(),
    repeated: new Reasons(),
    rejected: new Reasons(),
  };
  const outcome = await ingestOpened(opened, run, reasons);
  const { name } = opened;
  if (run.several) run.say(`${name}: ${JSON.stringify(outcome.counts)}`);
  for (const [what, all] of Object.entries(reasons)) {
    sayReasons(`${name}: ${what.replace("_", " ")}`, all.list(), run.say);
  }
  return outcome;
}

/**
 * Records one file. Faults of the file become part of the outcome.
 * @throws BrokenOff, or an error of the database
 */
async function ingestOpened(
  opened: OpenedEntries,
  run: Run,
  reasons: Record<"left_out" | "doubtful" | "repeated" | "rejected", Reasons>,
): Promise<IngestOutcome> {
  const { name, rejections } = opened;
  const db = await run.database.open(name);
  let counts: Readonly<IngestCounts> = NOTHING_READ;
  let first: string | undefined;
  const end = watch({ ...opened, counts: () => counts }, run);
  try {
    counts = await ingestEntries(db.sql, onceReadable(opened.entries(db.sql), rejections), {
      batch: batchSizeOf(db),
      reject(rejection) {
        reasons.rejected.add(rejection.reason);
        rejections.add(rejection);
      },
      leave_out: (reason) => reasons.left_out.add(reason),
      repeat(line, id) {
        first ??= `an earlier record has the same external_id, such as ${id} in line ${line}`;
        reasons.repeated.add(first);
      },
      doubt: (line, reason) => reasons.doubtful.add(`line ${line}: ${reason}`),
      progress: (soFar) => counts = soFar,
    });
    return { counts };
  } catch (error) {
    const cause = error instanceof InputFault ? error.cause : error;
    if (isUnavailable(cause)) throw new BrokenOff(name, { counts, cause: cause.cause });
    if (!(error instanceof InputFault)) throw error;
    return { counts, fault: withInputName(cause, name) };
  } finally {
    end();
  }
}

function sayReasons(what: string, reasons: CountedReason[], say: (line: string) => void): void {
  for (const { reason, count } of foremostReasons(reasons)) say(`${what} ${count}: ${reason}`);
}

function watch(watched: Watched, { ticker = CLOCK, say }: Run): () => void {
  return ticker === CLOCK && Deno.stderr.isTerminal()
    ? drawProgress(watched)
    : sayProgress(watched, { ticker, say });
}

/** Database that is opened only when the first file has been opened, and closed at the end. */
class LazyDatabase implements AsyncDisposable {
  readonly #context: CommandContext;
  readonly #create: boolean;
  #db: Database | undefined;

  constructor(context: CommandContext, create: boolean) {
    this.#context = context;
    this.#create = create;
  }

  async open(path: string): Promise<Database> {
    try {
      return this.#db ??= await this.#context.database({ create: this.#create });
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      const message = `${path}: nothing was read, the database is not available ` +
        `(${reasonOf(error.cause)}).`;
      throw new Error(message, { cause: error });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#db?.close();
  }
}

/** Error of a run whose database became unavailable before the end of a file. */
export class BrokenOff extends Error {
  override name = "BrokenOff";

  constructor(path: string, { counts, cause }: { counts: IngestCounts; cause: unknown }) {
    super(
      `${path}: broken off, the database is not available (${reasonOf(cause)}). So far: ` +
        `${JSON.stringify(counts)}. Run it again: the recorded part will count as unchanged.`,
      { cause },
    );
  }
}

/**
 * Error of a failed read of the input, as opposed to a failed recording. Its cause may be an error
 * of the database, which contains the addresses of sources.
 */
class InputFault extends UnreadableSource {
  override name = "InputFault";
}

/**
 * Yields entries. Removes the rejections of an earlier run as soon as the first entry is readable.
 * @throws InputFault
 */
async function* onceReadable(
  entries: AsyncIterable<SourceEntry>,
  rejections: Rejections,
): AsyncGenerator<SourceEntry> {
  let isReadable = false;
  try {
    for await (const entry of entries) {
      if (!isReadable) await rejections.reset();
      isReadable = true;
      yield entry;
    }
  } catch (cause) {
    throw new InputFault("the source cannot be read", { cause });
  }
  if (!isReadable) await rejections.reset();
}
