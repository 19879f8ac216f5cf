/** Writes the records of a source into the database, batch after batch, and counts them. */
import type { Database, Sql } from "../../db/connect.ts";
import { joiningOf } from "./company_joining.ts";
import { type SourceEntry, type SourceRecordKey, UnreadableSource } from "./entry.ts";
import type { NormalRecord } from "./normalize.ts";
import type { Statement } from "../../db/sql.ts";
import { codeOf } from "../../db/failure.ts";

/** Counts of an ingest: read = recorded + revised + unchanged + rejected + left_out. */
export interface IngestCounts extends RecordCounts {
  read: number;
  rejected: number;
  /** Records of the source that become no observation, such as those of other countries. */
  left_out: number;
  /** Excerpts of recorded, revised and unchanged records that were cut to a passage. */
  excerpts_cut: number;
  /** Records that may have been read wrongly, and damaged rows that may have hidden records. */
  doubtful: number;
}

/** Counts before the first record. */
export const NOTHING_READ: Readonly<IngestCounts> = {
  read: 0,
  recorded: 0,
  revised: 0,
  unchanged: 0,
  rejected: 0,
  left_out: 0,
  excerpts_cut: 0,
  doubtful: 0,
};

/** A rejected record. */
export interface Rejection {
  line: number;
  reason: string;
  record: unknown;
}

/** Limits of one statement. The statement is sent when one of them is reached. */
export interface BatchSize {
  records: number;
  /** Approximate number of UTF-16 units of text. */
  characters: number;
}

/**
 * Batch sizes by kind of database. The rate hardly changes between 500 and 2,000 records per batch
 * (bench/ingest_bench.ts). The embedded database shares the event loop with callers, so its batches
 * are small.
 */
export const BATCH_SIZES = {
  server: { records: 1_000, characters: 4_000_000 },
  embedded: { records: 100, characters: 400_000 },
} as const satisfies Record<string, BatchSize>;

/** Returns the batch size for a database. */
export function batchSizeOf({ kind }: Pick<Database, "kind">): BatchSize {
  return kind === "server" ? BATCH_SIZES.server : BATCH_SIZES.embedded;
}

/** Adds two counts. Counts that an earlier version stored may lack members. */
export function sumOfCounts(
  one: Partial<IngestCounts>,
  other: Partial<IngestCounts>,
): IngestCounts {
  const sum = { ...NOTHING_READ };
  for (const name of Object.keys(sum) as (keyof IngestCounts)[]) {
    sum[name] = (one[name] ?? 0) + (other[name] ?? 0);
  }
  return sum;
}

/**
 * Max number of ids that are remembered to notice repeats: 120 MB for ids of ten characters, and up
 * to 480 MB for the longest ones (measured 2026-11-29).
 */
const IDS_MAX = 1_000_000;

interface Batched {
  entry: SourceEntry;
  record: NormalRecord;
  excerpts_cut: number;
}

/**
 * Records all entries in batches. While one batch is written, the next batch is read and checked.
 * Each batch is committed separately. An interrupted run can be repeated, because recording a batch
 * twice is harmless.
 */
export async function ingestEntries(sql: Sql, entries: AsyncIterable<SourceEntry>, options: {
  batch: BatchSize;
  reject: (rejection: Rejection) => void | Promise<void>;
  /** Receives the reason of each record that is left out. */
  leave_out?: (reason: string) => void;
  /** Receives the line and the reason of each doubtful record that is not rejected. */
  doubt?: (line: number, reason: string) => void;
  /** Receives the line and the id of each record that replaces an earlier one of the entries. */
  repeat?: (line: number, external_id: string) => void;
  /**
   * Receives the counts at the start, after each batch and at the end, always as the same object.
   */
  progress?: (counts: Readonly<IngestCounts>) => void;
}): Promise<IngestCounts> {
  const counts = { ...NOTHING_READ };
  let batch: Batched[] = [];
  /** Records that have ended after those of the batch, by their external id. */
  let ended = new Map<string, SourceRecordKey>();
  let characters = 0;
  const ids = new Set<string>();
  let writing: Promise<void> = Promise.resolve();

  const reject = async ({ line, raw }: SourceEntry, reason: string) => {
    counts.rejected++;
    await options.reject({ line, reason, record: raw });
  };
  const write = async (batched: Batched[]) => {
    if (batched.length === 0) return;
    try {
      const { recorded, revised, unchanged } = await recordObservations(
        sql,
        batched.map(({ record }) => record),
      );
      counts.recorded += recorded;
      counts.revised += revised;
      counts.unchanged += unchanged;
      for (const { excerpts_cut } of batched) counts.excerpts_cut += excerpts_cut;
      options.progress?.(counts);
    } catch (error) {
      if (!isRefusedValue(error)) throw error;
      // The checks missed a value that the database refuses. Halving the batch finds its record,
      // and records the rest.
      if (batched.length === 1) return await reject(batched[0]!.entry, error.message);
      const half = Math.ceil(batched.length / 2);
      await write(batched.slice(0, half));
      await write(batched.slice(half));
    }
  };
  const flush = async () => {
    await writing;
    const keys = [...ended.values()];
    writing = write(batch).then(() => endObservations(sql, keys));
    // The next flush awaits the promise. Until then, its rejection must not count as unhandled.
    writing.catch(() => {});
    batch = [];
    ended = new Map();
    characters = 0;
  };

  options.progress?.(counts);
  try {
    for await (const entry of entries) {
      counts.read++;
      if (entry.doubt !== undefined) {
        counts.doubtful++;
        if (!("reason" in entry.judged)) options.doubt?.(entry.line, entry.doubt);
      }
      if ("left_out" in entry.judged) {
        counts.left_out++;
        options.leave_out?.(entry.judged.left_out);
        const key = entry.judged.ended;
        // A doubtful row may be another record, so it ends none.
        if (key !== undefined && entry.doubt === undefined) ended.set(key.external_id, key);
        if (ended.size >= options.batch.records) await flush();
        continue;
      }
      if ("reason" in entry.judged) {
        await reject(entry, entry.judged.reason);
        continue;
      }
      const { record, excerpts_cut = 0 } = entry.judged;
      if (options.repeat !== undefined) {
        const id = JSON.stringify([record.source, record.external_id]);
        if (ids.has(id)) options.repeat(entry.line, record.external_id);
        else if (ids.size < IDS_MAX) ids.add(id);
      }
      batch.push({ entry, record, excerpts_cut });
      ended.delete(record.external_id);
      characters += charactersOf(record);
      if (batch.length >= options.batch.records || characters >= options.batch.characters) {
        await flush();
      }
    }
  } catch (error) {
    // The records that were read before the file became unreadable are valid.
    if (error instanceof UnreadableSource) await flush().catch(() => {});
    // The caller may rely on nothing being written after the error.
    await writing.catch(() => {});
    throw error;
  }
  await flush();
  await writing;
  options.progress?.(counts);
  return counts;
}

function charactersOf(record: NormalRecord): number {
  let sum = record.observed_fact.length + record.why_it_may_matter.length + 500;
  for (const text of record.texts) sum += text.length;
  for (const { excerpt, source_uri } of record.evidence) sum += excerpt.length + source_uri.length;
  return sum;
}

/**
 * Returns whether the database refused a value: SQLSTATE class 22 (data exception) or 23 (integrity
 * constraint violation).
 */
function isRefusedValue(error: unknown): error is Error {
  const code = (error as { code?: unknown }).code;
  return error instanceof Error && typeof code === "string" && /^2[23]...$/.test(code);
}

/** Numbers of records of a batch by outcome. Their sum is the size of the batch. */
export interface RecordCounts {
  recorded: number;
  revised: number;
  unchanged: number;
}

/**
 * Records a batch in one statement, completely or not at all. Recording a batch twice is harmless,
 * so a batch that lost a lock to another writer is sent again.
 */
export async function recordObservations(
  sql: Sql,
  records: readonly NormalRecord[],
): Promise<RecordCounts> {
  return await callWriter(sql, sql`record_observations(${batchOf(records)}::text::jsonb)`);
}

/** Records what a search has acquired. Returns the ids of the new observations. */
export async function acquireObservations(
  sql: Sql,
  records: readonly NormalRecord[],
): Promise<number[]> {
  return await callWriter(sql, sql`acquire_observations(${batchOf(records)}::text::jsonb)`);
}

function batchOf(records: readonly NormalRecord[]): string {
  return JSON.stringify(records.map((record) => ({ ...record, joining: joiningOf(record) })));
}

/** Ends observations: they are shown no more, unless they are recorded again. */
async function endObservations(sql: Sql, keys: readonly SourceRecordKey[]): Promise<void> {
  if (keys.length === 0) return;
  await callWriter(sql, sql`end_observations(${JSON.stringify(keys)}::text::jsonb)`);
}

/**
 * SQLSTATE codes: another writer held a lock for longer than lock_timeout, or the two deadlocked.
 */
const LOST_LOCK_STATES = ["55P03", "40P01"];
/** Max number of attempts. The number is chosen: each waits for a lock for seconds already. */
const ATTEMPTS = 5;

/**
 * Runs a statement. Repeats it if it lost a lock to another writer, up to five attempts in total. A
 * statement that lost a lock has written nothing.
 * @param write one statement
 * @throws the error of the last attempt; any other error at once
 */
export async function retryOnLock<Written>(write: () => Promise<Written>): Promise<Written> {
  for (let attempt = 1;; attempt++) {
    try {
      return await write();
    } catch (error) {
      const lostLock = LOST_LOCK_STATES.includes(codeOf(error) ?? "");
      if (attempt === ATTEMPTS || !lostLock) throw error;
    }
  }
}

/**
 * Calls a database function that writes, with the retries of retryOnLock(). Returns the function's
 * value.
 */
export async function callWriter<Value>(sql: Sql, call: Statement<unknown>): Promise<Value> {
  const [row] = await retryOnLock(() => sql<[{ value: Value }]>`select ${call} as value`);
  return row.value;
}
