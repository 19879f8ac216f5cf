/**
 * Saves the rows from which the index of the real records is built, in a file of the temporary
 * directory. Tuning the ranking then needs no database. The file's name contains a digest of all
 * code that produces the rows, so a changed reader or SQL function leads to another file.
 */
import { fileURLToPath } from "node:url";
import type { Sql } from "../../src/db/connect.ts";
import { documentOf, parseChanges, readChanges } from "../../src/search/changes/changes.ts";
import type { ObservationDocument } from "../../src/search/index/document.ts";
import { realFiles } from "../../test/support/real_records.ts";
import { openRealDataset } from "./dataset.ts";
import type { CompanyKeys } from "./judge.ts";

const PAGE_ROWS = 2_000;

/** Folders of the project whose code produces the rows. */
const CODE_FOLDERS = ["sql", "src/ingest", "src/dataset", "src/contract", "bench/questions"];
const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

/** Pages of rows as JSON texts, with the names of the companies. */
interface SavedRows {
  pages: string[];
  keys: CompanyKeys;
}

/** Reads the saved rows. If there are none, loads the records into a database and saves its rows. */
export async function savedRows(): Promise<SavedRows | undefined> {
  const path = await pathOfRows();
  const saved = await readSaved(path);
  if (saved !== undefined) return saved;
  await using dataset = await openRealDataset(realFiles());
  if (dataset === undefined) return undefined;
  const rows = { pages: await pagesOf(dataset.db.sql), keys: dataset.keys };
  await save(path, rows);
  return rows;
}

/** Yields the documents of the rows that an index contains. */
export function* documentsOf(pages: readonly string[]): Generator<ObservationDocument> {
  for (const rows of pages) {
    for (const row of parseChanges({ rows })) {
      const document = documentOf(row);
      if (document !== undefined) yield document;
    }
  }
}

async function pagesOf(sql: Sql): Promise<string[]> {
  const pages: string[] = [];
  for (let after = { change_seq: 0, id: 0 };;) {
    const page = await readChanges(sql, { after, limit: PAGE_ROWS });
    if (page.count > 0) pages.push(page.rows);
    if (page.count < PAGE_ROWS) return pages;
    after = page.last;
  }
}

async function readSaved(path: string): Promise<SavedRows | undefined> {
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  const { pages, keys } = JSON.parse(text) as { pages: string[]; keys: [number, string[]][] };
  return { pages, keys: new Map(keys.map(([id, names]) => [id, new Set(names)])) };
}

/** Saves rows. The file is renamed after it is complete, so that no other process reads half of it. */
async function save(path: string, { pages, keys }: SavedRows): Promise<void> {
  const unfinished = `${path}.${crypto.randomUUID()}`;
  const entries = [...keys].map(([id, names]) => [id, [...names]]);
  await Deno.writeTextFile(unfinished, JSON.stringify({ pages, keys: entries }));
  await Deno.rename(unfinished, path);
}

async function pathOfRows(): Promise<string> {
  const texts = CODE_FOLDERS.flatMap((folder) => textsUnder(PROJECT + folder));
  const bytes = new TextEncoder().encode(texts.join("\0"));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
  const directory = Deno.env.get("TMPDIR") || "/tmp";
  return `${directory}/ce-real-rows-${digest.slice(0, 16)}.json`;
}

function textsUnder(folder: string): string[] {
  return [...Deno.readDirSync(folder)]
    .sort((a, b) => a.name < b.name ? -1 : 1)
    .flatMap(({ name, isDirectory }) => {
      const path = `${folder}/${name}`;
      return isDirectory ? textsUnder(path) : [path, Deno.readTextFileSync(path)];
    });
}
