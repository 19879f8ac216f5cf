/**
 * How fast does a mapping read a CSV file and a sheet with columns of their own, and does memory
 * grow with the file?
 *
 * The mapping is that of docs/mapping.md. The sheet has one more column with long texts, which the
 * mapping does not read, so that a sheet that is held whole would be noticed. For comparison, the same records are read from NDJSON in
 * the service's own form, without a mapping and without masking. Where there are binaries of a
 * PostgreSQL server, `ingest` then records both files. INGEST_BENCH_LINES is the number of rows, by
 * default 20,000.
 */
import assert from "node:assert/strict";
import process from "node:process";
import { strToU8, unzipSync, Zip, ZipDeflate } from "fflate";
import { parseMapping } from "../src/ingest/mapping/mapping.ts";
import { readerOfMapping } from "../src/ingest/mapping/read_mapped.ts";
import type { ReadSource, SourceEntry } from "../src/ingest/record/entry.ts";
import { BATCH_SIZES, ingestEntries } from "../src/ingest/record/pipeline.ts";
import { readNdjson } from "../src/ingest/formats/json.ts";
import { startCluster } from "../test/support/cluster.ts";
import { blocksOf } from "../test/support/markdown.ts";
import { sheetRow, workbook } from "../test/support/workbook.ts";
import { say } from "./child.ts";
import { MIB, mib } from "./floors.ts";
import { openDatabase } from "./ingest_database.ts";
import { benchRecord } from "./ingest_records.ts";

const ROWS = Number(Deno.env.get("INGEST_BENCH_LINES") ?? 20_000);
const [MAPPING = ""] = blocksOf("docs/mapping.md", "json");
const MAPPING_LINES_MAX = 40;
/** Max growth of memory from the second half of the file on, in bytes. */
const GROWTH_MAX = 64 * MIB;
/** Max memory that reading adds, in bytes. Reading the sheet adds about 50 MiB. */
const ADDED_MAX = 96 * MIB;
/** Unpacked bytes of the long texts of the sheet. A sheet that is held whole needs at least these. */
const NOTES_BYTES = 2 * GROWTH_MAX;
/** Names of the columns of the mapping. */
const COLUMNS = "Numéro;Organisme;Titre;Type;Statut;Publication;Fermeture;Montant;Codes;" +
  "Personne-ressource";

// Deno.bench() is not used, because it would repeat minutes of work to print a single duration.
await main();

async function main() {
  assert.ok(MAPPING.trimEnd().split("\n").length < MAPPING_LINES_MAX);
  const mapping = parseMapping(MAPPING);
  const mapped = readerOfMapping(mapping);
  const mappedSheet = readerOfMapping({ ...mapping, format: "xlsx" });
  const dir = await Deno.makeTempDir({ prefix: "mapping_bench_" });
  try {
    const csv = `${dir}/tenders.csv`;
    const ndjson = `${dir}/records.ndjson`;
    const sheet = `${dir}/tenders.xlsx`;
    writeSheet(sheet);
    // The first file finds no free memory of an earlier one.
    say(await readRate("sheet", mappedSheet, sheet));
    await writeRows(csv);
    await writeMapped(csv, { mapped, to: ndjson });
    const files = [["mapping", mapped, csv], ["NDJSON", readNdjson, ndjson]] as const;
    say(`${ROWS.toLocaleString("en")} rows, ${mib((await Deno.stat(csv)).size)} MiB of CSV`);
    for (const [name, read, path] of files) say(await readRate(name, read, path));
    await recordBoth(files);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** Writes a file with the columns of the mapping, in Windows-1252. */
async function writeRows(path: string) {
  const latin1 = (text: string) => Uint8Array.from(text, (one) => one.charCodeAt(0));
  using file = await Deno.open(path, { write: true, create: true });
  await file.write(latin1(`${COLUMNS}\n`));
  for (let n = 0; n < ROWS; n++) {
    const cells = cellsOf(n).map((cell) => /[;,]/.test(cell) ? `"${cell}"` : cell);
    await file.write(latin1(`${cells.join(";")}\n`));
  }
}

function cellsOf(n: number): string[] {
  const { company, observed_fact } = benchRecord(n);
  const day = String(n % 28 + 1).padStart(2, "0");
  return [
    `AO-${n}`,
    company.name,
    `${observed_fact}; lot ${n}`,
    n % 2 === 0 ? "Appel d'offres" : "Demande de prix",
    "Ouvert",
    `${day}/11/2026`,
    `${day}/12/2026 14:00`,
    `${n % 900 + 100} 000,50 $`,
    "72101500|72102900",
    "Jeanne Tremblay",
  ];
}

/** Writes a workbook with the same rows and a column of long texts, without holding it whole. */
function writeSheet(path: string) {
  using file = Deno.openSync(path, { write: true, create: true });
  const zip = new Zip((error, chunk) => {
    assert.equal(error, null);
    file.writeSync(chunk);
  });
  const rows = "<rows/>";
  const note = "note ".repeat(NOTES_BYTES / ROWS / 5);
  for (const [name, bytes] of Object.entries(unzipSync(workbook({ sheets: { Avis: rows } })))) {
    const part = new ZipDeflate(name, { level: 1 });
    zip.add(part);
    const [head, tail] = new TextDecoder().decode(bytes).split(rows);
    part.push(strToU8(head!), tail === undefined);
    if (tail === undefined) continue;
    part.push(strToU8(sheetRow(1, [...COLUMNS.split(";"), "Notes"])));
    for (let n = 0; n < ROWS; n++) part.push(strToU8(sheetRow(n + 2, [...cellsOf(n), note])));
    part.push(strToU8(tail), true);
  }
  zip.end();
}

/** Writes the records of the mapping as NDJSON, in the form that suppliers write. */
async function writeMapped(csv: string, { mapped, to }: { mapped: ReadSource; to: string }) {
  using file = await Deno.open(to, { write: true, create: true });
  const encoder = new TextEncoder();
  for await (const { judged } of entriesOf(mapped, csv)) {
    assert.ok("record" in judged);
    const { record } = judged;
    const { source, external_id, kind, observed_fact, why_it_may_matter, demand_class } = record;
    const { country, confidence, occurred_at, observed_at, expires_at, evidence, facets } = record;
    const line = JSON.stringify({
      ...{ source, external_id, kind, observed_fact, why_it_may_matter, demand_class },
      ...{ country, confidence, occurred_at, observed_at, expires_at, evidence, facets },
      company: { name: record.company_name },
    });
    await file.write(encoder.encode(`${line}\n`));
  }
}

function entriesOf(read: ReadSource, path: string): AsyncIterable<SourceEntry> {
  return read(Deno.openSync(path).readable, { retrieved_at: new Date("2026-11-27T00:00:00Z") });
}

async function readRate(name: string, read: ReadSource, path: string): Promise<string> {
  const start = startOf();
  const before = Deno.memoryUsage().rss;
  const resident = [0, 0];
  let accepted = 0;
  for await (const { judged } of entriesOf(read, path)) {
    if ("record" in judged) accepted++;
    if (accepted % (ROWS / 20) === 0) {
      const half = accepted < ROWS / 2 ? 0 : 1;
      resident[half] = Math.max(resident[half]!, Deno.memoryUsage().rss);
    }
  }
  assert.equal(accepted, ROWS);
  const growth = resident[1]! - resident[0]!;
  assert.ok(growth < GROWTH_MAX, `memory grows by ${mib(growth)} MiB in the second half`);
  const added = Math.max(...resident) - before;
  assert.ok(added < ADDED_MAX, `reading adds ${mib(added)} MiB of memory`);
  const memory = `${mib(resident[0]!)} MiB, then ${mib(resident[1]!)} MiB`;
  return `read, ${name}: resident ${memory} (before: ${mib(before)}); ${rate(start)}`;
}

async function recordBoth(files: readonly (readonly [string, ReadSource, string])[]) {
  const cluster = await startCluster();
  if (cluster === undefined) return say("nothing is recorded: there is no PostgreSQL server");
  try {
    for (const [name, read, path] of files) {
      await using database = await openDatabase(cluster.url);
      const start = startOf();
      const { recorded } = await ingestEntries(database.sql, entriesOf(read, path), {
        batch: BATCH_SIZES.server,
        reject: ({ line, reason }) => assert.fail(`line ${line}: ${reason}`),
      });
      assert.equal(recorded, ROWS);
      say(`recorded, ${name}: ${rate(start)}`);
    }
  } finally {
    await cluster.stop();
  }
}

/** Returns the rows per second and the CPU time of this process per row since a start. */
function rate({ milliseconds, cpu }: ReturnType<typeof startOf>): string {
  const seconds = (performance.now() - milliseconds) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const perRow = Math.round((user + system) / ROWS).toLocaleString("en");
  return `${
    Math.round(ROWS / seconds).toLocaleString("en")
  } rows per second, ${perRow} µs of CPU time per row`;
}

function startOf() {
  return { milliseconds: performance.now(), cpu: process.cpuUsage() };
}
