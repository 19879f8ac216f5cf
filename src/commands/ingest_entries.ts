/**
 * Opens the records of an `ingest`, which come from a file, standard input, an address or a source.
 */
import type { Sql } from "../db/connect.ts";
import { type Asking, FILE_MILLISECONDS, readSource, remoteOf } from "../ingest/refresh/ask.ts";
import type { SourceEntry } from "../ingest/record/entry.ts";
import { openInput } from "../ingest/formats/input.ts";
import { findAddress } from "../ingest/refresh/schedule.ts";
import { RejectionFile, type Rejections, sayRejections } from "../ingest/record/rejections.ts";
import type { From, IngestInputs } from "./ingest_arguments.ts";

/** Records of an opened input, with the output for rejected records. */
export interface OpenedEntries extends AsyncDisposable {
  /** Name of the input in errors. */
  name: string;
  /**
   * Returns the entries, which can be read once. The database contains the address that the
   * operator has set for a source. Without a database, the source's default address is used.
   */
  entries(sql?: Sql): AsyncIterable<SourceEntry>;
  rejections: Rejections;
  /** Size in bytes; undefined if unknown. */
  size?: number;
  bytesRead(): number;
}

interface EntriesContext {
  asking: () => Asking;
  stdin?: AsyncIterable<Uint8Array>;
  say: (line: string) => void;
}

/** Max number of bytes per answer if the source sets no limit. */
const ANSWER_BYTES = 256 * 1_048_576;

/** Opens an input. @throws an error of the file system, which names the path */
export async function openEntries(
  ...input: Parameters<typeof openInputOf>
): Promise<OpenedEntries> {
  const opened = await openInputOf(...input);
  const [, , { say }] = input;
  return { ...opened, entries: (sql) => sayingIfEmpty(opened.entries(sql), opened.name, say) };
}

/** Says at the end if there was no entry. The file may be empty, or of another format. */
async function* sayingIfEmpty(
  entries: AsyncIterable<SourceEntry>,
  name: string,
  say: EntriesContext["say"],
): AsyncGenerator<SourceEntry> {
  let isEmpty = true;
  for await (const entry of entries) {
    isEmpty = false;
    yield entry;
  }
  if (isEmpty) {
    say(`${name}: no record was found. Is it of this format?`);
  }
}

async function openInputOf(
  from: From,
  wanted: IngestInputs,
  context: EntriesContext,
): Promise<OpenedEntries> {
  if (from.kind === "file") return await openFile(from.path, wanted, context);
  if (from.kind === "address") {
    return fetched(from.address, () => readAddress(from.address, wanted, context), context);
  }
  const { target } = from;
  const entries = (sql?: Sql) => readFromSource(sql, wanted, { target, context });
  return fetched(wanted.source!.name, entries, context);
}

async function openFile(
  path: string,
  { read, company }: IngestInputs,
  { stdin, say }: EntriesContext,
): Promise<OpenedEntries> {
  const input = await openInput(path, stdin);
  const sayOf = (line: string) => say(`${path}: ${line}`);
  const rejections = path === "-"
    ? sayRejections(say)
    : new RejectionFile(`${path}.rejected.ndjson`, say);
  return {
    name: path,
    entries: () => read(input.chunks(), { retrieved_at: new Date(), company, say: sayOf }),
    rejections,
    size: input.size,
    bytesRead: input.bytesRead,
    async [Symbol.asyncDispose]() {
      rejections[Symbol.dispose]();
      await input[Symbol.asyncDispose]();
    },
  };
}

function fetched(
  name: string,
  entries: OpenedEntries["entries"],
  { say }: EntriesContext,
): OpenedEntries {
  return {
    name,
    entries,
    rejections: sayRejections(say),
    bytesRead: () => 0,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Reads records from an address of the command line. The source's key is not sent to it. */
async function* readAddress(
  url: string,
  { read, source, company }: IngestInputs,
  context: EntriesContext,
): AsyncGenerator<SourceEntry> {
  const outcome = await context.asking().fetcher.fetch({ url }, {
    bytes: source?.remote?.bytes_max ?? ANSWER_BYTES,
    milliseconds: FILE_MILLISECONDS,
    attempts: 4,
    pause_milliseconds: 0,
    robots: source?.remote?.robots,
  });
  if (outcome.status !== 200) throw new Error(`answered ${outcome.status}`);
  const { body, retrieved_at, url: address } = outcome;
  const say = (line: string) => context.say(`${url}: ${line}`);
  yield* read(body, { retrieved_at, address, company, say });
}

async function* readFromSource(
  sql: Sql | undefined,
  { source, company }: IngestInputs,
  { target, context }: { target?: string; context: EntriesContext },
): AsyncGenerator<SourceEntry> {
  const remote = remoteOf(source!);
  const configured = sql === undefined ? undefined : await findAddress(sql, source!.name);
  const address = configured ?? remote.address;
  yield* readSource(context.asking(), {
    source: source!,
    request: remote.request(address, { target, now: new Date() }),
    target,
    company,
    milliseconds: FILE_MILLISECONDS,
  });
}

/** Returns the name of an input in errors. */
export function nameOf(from: From, format: string): string {
  if (from.kind === "file") return from.path;
  return from.kind === "address" ? from.address : format;
}

/** Returns the error with a message that names the unreadable input. */
export function withInputName(error: unknown, name: string): Error {
  if (!(error instanceof Error)) return new Error(`${name}: ${error}`);
  const { message } = error;
  // Many messages contain a hyphen that does not stand for standard input.
  const isNamed = name === "-" ? message.startsWith("-: ") : message.includes(name);
  if (!isNamed) error.message = `${name}: ${message}`;
  return error;
}
