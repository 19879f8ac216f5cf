/** Reads the arguments of `ingest`. */
import { DEMO_SOURCES } from "../demo/demo.ts";
import { UsageError } from "../failures.ts";
import type { ReadContext, ReadSource } from "../ingest/record/entry.ts";
import { checkTarget } from "../ingest/refresh/schedule.ts";
import type { Source } from "../ingest/sources/kit/source.ts";
import { type Mapping, MappingFault, parseMapping } from "../ingest/mapping/mapping.ts";
import { readerOfMapping } from "../ingest/mapping/read_mapped.ts";
import { SOURCES } from "../ingest/sources/sources.ts";
import { readNdjson } from "../ingest/formats/json.ts";
import { parseWords } from "./command.ts";
import { INGEST_OPTIONS } from "./command_options.ts";
import { readCompany } from "./company_arguments.ts";

const NDJSON = "ndjson";

const FORMATS = [NDJSON, ...SOURCES.keys()].join(" ");

/** Usage of `ingest` and `quality`. */
export const INGEST_USAGE =
  `ingest [--format NAME] FILE|-|https://ADDRESS… [--company NAME [--domain HOSTNAME]] [--create]
ingest --mapping MAPPING FILE|-|https://ADDRESS… [--dry-run] [--create]
ingest --mapping-for FILE  prints a mapping to begin with, for a CSV, NDJSON, JSON or XLSX file
ingest --format NAME --fetch [TARGET] [--company NAME [--domain HOSTNAME]] [--create]
quality …  as ingest --dry-run: only reports which records ingest would record
    --json: prints JSON at a terminal too
    NAME: ${FORMATS}
    --create: creates the embedded database if there is none`;

/** An input to read. */
export type From =
  | { kind: "file"; path: string }
  | { kind: "address"; address: string }
  | { kind: "source"; target?: string };

/** Inputs of a run, with the reader of their format. */
export interface IngestInputs {
  from: From[];
  format: string;
  read: ReadSource;
  /** Absent for NDJSON, which any source may write. */
  source?: Source;
  /** Number of records that a report shows in full. */
  samples: number;
  company?: ReadContext["company"];
  /** True if the run only reports. */
  dry_run: boolean;
  /** True if the report is printed as JSON. */
  json: boolean;
  /** True if a missing embedded database is created. */
  create: boolean;
}

/**
 * Returns the file for which a mapping is requested; undefined if none is.
 * @throws UsageError if there are other arguments
 */
export function mappingForIn(args: string[]): string | undefined {
  const { values, positionals } = parseWords(args, INGEST_OPTIONS, INGEST_USAGE);
  const { "mapping-for": path, ...others } = values;
  if (path === undefined) return undefined;
  if (path === "" || positionals.length > 0 || Object.keys(others).length > 0) {
    throw new UsageError(`--mapping-for: one file, and no other option.\n${INGEST_USAGE}`);
  }
  return path;
}

/**
 * Reads the arguments, and the mapping file if one is named.
 * @throws UsageError; Error if the source does not support the request, or the mapping is faulty
 */
export async function readIngestArguments(args: string[]): Promise<IngestInputs> {
  const { values, positionals } = parseWords(args, INGEST_OPTIONS, INGEST_USAGE);
  const { json = false, "dry-run": dry_run = false, create = false } = values;
  const { mapping } = values;
  if (mapping !== undefined && (values.format !== undefined || values.fetch || values.company)) {
    throw new UsageError(`--mapping replaces --format, --fetch and --company.\n${INGEST_USAGE}`);
  }
  const format = mapping ?? values.format ?? NDJSON;
  const source = mapping === undefined ? SOURCES.get(format) : undefined;
  const read = mapping !== undefined
    ? readerOfMapping(await readMapping(mapping))
    : source?.read ?? (format === NDJSON ? readNdjson : undefined);
  if (read === undefined) throw new UsageError(`Unknown format ${format}.\n${INGEST_USAGE}`);
  const samples = mapping === undefined ? 0 : SAMPLES;
  const common = {
    format,
    read,
    source,
    samples,
    company: readCompany(values),
    dry_run,
    json,
    create,
  };
  if (values.fetch) {
    const [target, ...rest] = positionals;
    if (rest.length > 0 || target === "") throw new UsageError(INGEST_USAGE);
    if (source === undefined) throw new UsageError(`--fetch requires --format.\n${INGEST_USAGE}`);
    checkTarget(source, target);
    return { from: [{ kind: "source", target }], ...common };
  }
  if (positionals.length === 0 || positionals.includes("")) throw new UsageError(INGEST_USAGE);
  if (positionals.filter((word) => word === "-").length > 1) {
    throw new UsageError(`- can be read only once.\n${INGEST_USAGE}`);
  }
  // The fetcher refuses such an address too, but errors name the input.
  if (positionals.some((word) => /^https?:\/+[^/?#]*@/i.test(word))) {
    throw new UsageError(`An address has no user name or password.\n${INGEST_USAGE}`);
  }
  // A CSV file does not reveal its format. With a wrong guess, each of its lines would be rejected.
  if (
    format === NDJSON && values.format === undefined &&
    positionals.some((word) => /\.csv$/i.test(word))
  ) {
    throw new UsageError(`A .csv file requires --format or --mapping.\n${INGEST_USAGE}`);
  }
  return { from: positionals.map(fromWord), ...common };
}

/** Number of records that the report on a mapping shows. */
const SAMPLES = 5;

/** Returns whether a source, or a part of the demo, has a name. */
export function hasSource(name: string): boolean {
  return SOURCES.has(name) || DEMO_SOURCES.includes(name);
}

/** Reads a mapping file. @throws Error that names the file, and its faulty member */
export async function readMapping(path: string): Promise<Mapping> {
  try {
    const mapping = parseMapping(await Deno.readTextFile(path));
    readerOfMapping(mapping);
    if (!hasSource(mapping.source)) return mapping;
    throw new MappingFault(`source: the program has a source ${mapping.source}`);
  } catch (error) {
    if (error instanceof MappingFault) throw new Error(`${path}: ${error.message}`);
    throw error;
  }
}

function fromWord(word: string): From {
  return /^https?:\/\//i.test(word)
    ? { kind: "address", address: word }
    : { kind: "file", path: word };
}
