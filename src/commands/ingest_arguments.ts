/** What `ingest` is asked to read. */
import { parseArgs } from "node:util";
import type { ReadContext, ReadSource } from "../ingest/entry.ts";
import { checkTarget } from "../ingest/refresh/schedule.ts";
import type { Source } from "../ingest/source.ts";
import { SOURCES } from "../ingest/sources.ts";
import { readNdjson } from "../ingest/sources/ndjson.ts";
import { UsageError } from "./command.ts";
import { readCompany } from "./company_arguments.ts";
import { INGEST_OPTIONS } from "./ingest_options.ts";

const NDJSON = "ndjson";

export const INGEST_USAGE =
  `ingest [--format NAME] FILE|-|https://ADDRESS [--company NAME [--domain HOSTNAME]]
ingest --format NAME --fetch [TARGET] [--company NAME [--domain HOSTNAME]]
    NAME: ${[NDJSON, ...SOURCES.keys()].join(" ")}`;

export interface Wanted {
  from:
    | { kind: "file"; path: string }
    | { kind: "address"; address: string }
    | { kind: "source"; target?: string };
  read: ReadSource;
  /** Absent for NDJSON, which any source may write. */
  source?: Source;
  company?: ReadContext["company"];
}

/** @throws UsageError, or an Error where the source is not asked so */
export function readIngestArguments(args: string[]): Wanted {
  const { values, positionals } = parse(args);
  const { format = NDJSON } = values;
  const source = SOURCES.get(format);
  const read = source?.read ?? (format === NDJSON ? readNdjson : undefined);
  if (read === undefined) throw new UsageError(`Unknown format ${format}.\n${INGEST_USAGE}`);
  const common = { read, source, company: readCompany(values) };
  const [word, ...rest] = positionals;
  if (rest.length > 0 || word === "") throw new UsageError(INGEST_USAGE);
  if (values.fetch) {
    if (source === undefined) throw new UsageError(`--fetch needs a --format.\n${INGEST_USAGE}`);
    checkTarget(source, word);
    return { from: { kind: "source", target: word }, ...common };
  }
  if (word === undefined) throw new UsageError(INGEST_USAGE);
  // A table says nothing of its columns' meaning: guessing would reject every line of it.
  if (values.format === undefined && /\.csv$/i.test(word)) {
    throw new UsageError(`A .csv file needs its --format.\n${INGEST_USAGE}`);
  }
  const from = /^https?:\/\//i.test(word)
    ? { kind: "address" as const, address: word }
    : { kind: "file" as const, path: word };
  return { from, ...common };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: INGEST_OPTIONS,
      allowPositionals: true,
    });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${INGEST_USAGE}`);
  }
}
