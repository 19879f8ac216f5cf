/** Restores databases of released versions, and repeats the requests that each version answered. */
import type { Database } from "../../src/db/connect.ts";
import { migrate } from "../../src/db/migrate.ts";
import { readSchema, type Schema, type Script } from "../../src/db/scripts.ts";
import type { TestApp } from "./app.ts";

/** Answers of a version to the requests of askRelease(), with the inputs of these requests. */
export interface Release {
  version: string;
  /**
   * Time of every request. It is fixed, because answers contain the remaining allowance of a
   * window.
   */
  asked_at: string;
  key: string;
  /** Cursors that the version returned. */
  cursors: { search: string; listing: string };
  answers: Record<string, unknown>;
}

const DIRECTORY = "test/releases";

/** Search with a frozen shortlist. The version delivered its first page. */
export const FIRST_SEARCH = { query: "bakery, harbour or freezer", limit: 1 };

/** Search that the version accepted but did not perform. */
export const PENDING_SEARCH = { query: "ovens for a bakery", background: true };

/** Path of a listing. The version delivered its first page. */
export const LISTING = "/api/observations?domains[]=company2.example&limit=1" +
  "&since=2026-01-01T00:00:00Z";

/** Lists the released versions, oldest first. */
export function listReleases(): string[] {
  return [...Deno.readDirSync(DIRECTORY)]
    .flatMap(({ name }) => /^(\d+\.\d+\.\d+)\.sql$/.exec(name)?.[1] ?? [])
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
}

/** Returns the path of a file of a release: its dump, or its answers. */
export function releasePath(version: string, ending: "sql" | "json"): string {
  return `${DIRECTORY}/${version}.${ending}`;
}

/** Reads the answers of a version. */
export function readRelease(version: string): Release {
  return JSON.parse(Deno.readTextFileSync(releasePath(version, "json")));
}

/** Tables that a migration fills. Their rows are replaced by those of the dump. */
const FILLED = ["plans", "dataset_clock"];

/** Creates the database of a version: its schema from the version's tag, and its dumped rows. */
export async function restoreRelease(db: Database, version: string): Promise<void> {
  await migrate(db, await schemaOf(version));
  const rows = Deno.readTextFileSync(releasePath(version, "sql"));
  await db.sql.begin(async (tx) => {
    const emptied = FILLED.map((table) => `delete from ${table};`);
    await tx.unsafe([...emptied, rows].join("\n"));
  });
}

/**
 * Returns the scripts of a version at its tag, such as `v0.1.0`. A version without a tag is not
 * released yet, so its scripts are those of this tree.
 */
async function schemaOf(version: string): Promise<Schema> {
  const tag = `v${version}`;
  const files = await git("ls-tree", "-r", "--name-only", tag, "sql");
  if (files === undefined) return { ...readSchema(), version };
  const scripts: Script[] = [];
  for (const file of files.trim().split("\n").filter((one) => one.endsWith(".sql")).sort()) {
    const text = (await git("show", `${tag}:${file}`))!;
    scripts.push({ name: file.slice("sql/".length, -".sql".length), text });
  }
  const below = (prefix: string) => scripts.filter(({ name }) => name.startsWith(prefix));
  const tables = scripts.filter(({ name }) => !name.includes("/"));
  return { tables, views: below("views/"), functions: below("functions/"), version };
}

/** Runs git. Returns its output, or undefined if it fails or is not installed. */
async function git(...args: string[]): Promise<string | undefined> {
  try {
    const { success, stdout } = await new Deno.Command("git", { args, stderr: "null" }).output();
    return success ? new TextDecoder().decode(stdout) : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/**
 * Sends the requests that every version must answer in the same way. They are replays and next
 * pages of requests to an earlier version, a search that it left in the queue, and a new search.
 */
export async function askRelease(
  { ask, search, work }: TestApp & { work(): Promise<number> },
  { key, cursors }: Pick<Release, "key" | "cursors">,
): Promise<Release["answers"]> {
  const replay = await search(FIRST_SEARCH, { key, request_key: "first" });
  const page = { ...FIRST_SEARCH, cursor: cursors.search };
  const next_page = await search(page, { key, request_key: "next page" });
  const polled = `${LISTING}&cursor=${cursors.listing}`;
  const next_poll = await ask(polled, { key, request_key: "next poll" });
  const fresh = await search({ query: "welders for a harbour" }, { key, request_key: "fresh" });
  const worked = await work();
  const background = await search(PENDING_SEARCH, { key, request_key: "pending" });
  const usage = await ask("/api/usage", { key });
  return {
    replay: { status: replay.status, ...replay.body },
    next_page: essenceOf(next_page),
    next_poll: essenceOf(next_poll),
    fresh: essenceOf(fresh),
    worked,
    background: essenceOf(background),
    usage: usage.body,
  };
}

/** Returns the ids and the charges of an answer, without texts and times. */
function essenceOf({ status, body }: Awaited<ReturnType<TestApp["ask"]>>) {
  const ids = (rows: { id: number }[]) => rows.map(({ id }) => id);
  const { usage, companies, observations, next_cursor } = body;
  return {
    status,
    usage,
    ...companies && { company_ids: ids(companies) },
    ...observations && { observation_ids: ids(observations) },
    has_next: next_cursor !== null,
  };
}
