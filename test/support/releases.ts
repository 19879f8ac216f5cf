/** Restores databases of released versions, and repeats the requests that each version answered. */
import type { Sql } from "../../src/db/connect.ts";
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

/** Restores the dump of a version into an empty database. */
export async function restoreRelease(sql: Sql, version: string): Promise<void> {
  const dump = Deno.readTextFileSync(releasePath(version, "sql"));
  await sql.begin(async (tx) => {
    await tx.unsafe(`set local check_function_bodies = off; set local search_path = ''; ${dump}`);
  });
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
