/** Lists the files of real records in `../shared/data`, and ingests them. */
import { fileURLToPath } from "node:url";
import type { Database } from "../../src/db/connect.ts";
import type { ReadContext } from "../../src/ingest/record/entry.ts";
import { batchSizeOf, type IngestCounts, ingestEntries } from "../../src/ingest/record/pipeline.ts";
import { SOURCES } from "../../src/ingest/sources/sources.ts";

/** Path of the folder of the real records. It is beside the project, and may be absent. */
export const REAL_DATA = fileURLToPath(new URL("../../../shared/data/", import.meta.url));

/** A file of real records. */
export interface RealFile {
  /** The name of the source, which is the value of `ingest --format`. */
  format: string;
  /** Path relative to `REAL_DATA`. */
  path: string;
  /** The employer, for a file of a job board that does not name it. */
  company?: ReadContext["company"];
}

const FILES: readonly RealFile[] = [
  { format: "canadabuys", path: "canadabuys/openTenderNotice.csv" },
  { format: "toronto", path: "toronto/all_solicitations.csv" },
  { format: "sam", path: "sam/get_opportunities_v2_sample.json" },
  { format: "crunchbase_2013", path: "crunchbase_2013/companies.csv" },
  { format: "crunchbase_2013", path: "crunchbase_2013/rounds.csv" },
  { format: "gleif", path: "gleif/us_ca_records.jsonl" },
  { format: "remote_jobs", path: "remote_jobs/companies.jsonl" },
  { format: "ashby", path: "job_boards/ashby_sample.json" },
  { format: "greenhouse", path: "job_boards/greenhouse_sample.json" },
  { format: "lever", path: "job_boards/lever_sample.json" },
];

/** Folders with one file per company or notice. */
const FOLDERS = [
  { format: "edgar_8k", path: "edgar/submissions", names: /^CIK\d+\.json$/ },
  { format: "form_d", path: "edgar/form_d", names: /\.(xml|txt)$/ },
] as const;

/**
 * Returns whether the real records exist. Tests and benchmarks that need them are skipped
 * otherwise.
 */
export function hasRealData(): boolean {
  try {
    return Deno.statSync(`${REAL_DATA}questions`).isDirectory;
  } catch {
    return false;
  }
}

/** Lists the files of the named sources, or of all sources. */
export function realFiles(formats?: readonly string[]): RealFile[] {
  const inFolders = FOLDERS.flatMap(({ format, path, names }) =>
    [...Deno.readDirSync(REAL_DATA + path)]
      .map(({ name }) => name)
      .filter((name) => names.test(name))
      .sort()
      .map((name): RealFile => ({ format, path: `${path}/${name}` }))
  );
  return [...FILES, ...inFolders]
    .filter(({ format }) => formats === undefined || formats.includes(format));
}

/**
 * Ingests files as the command does. Expired observations become deliverable again, because the
 * files are old, and measurements must not change from day to day.
 */
export async function ingestRealRecords(
  db: Database,
  files: readonly RealFile[] = realFiles(),
): Promise<IngestCounts[]> {
  const all: IngestCounts[] = [];
  for (const { format, path, company } of files) {
    using file = await Deno.open(REAL_DATA + path);
    const retrieved_at = new Date("2026-11-01T00:00:00Z");
    const entries = SOURCES.get(format)!.read(file.readable, { retrieved_at, company });
    all.push(await ingestEntries(db.sql, entries, { batch: batchSizeOf(db), reject: () => {} }));
  }
  await db.sql`update observations set expires_at = null where expires_at < now()`;
  return all;
}
