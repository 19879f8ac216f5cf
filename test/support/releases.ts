/** Databases that released versions have left, and what each version answered over its own. */
import type { Sql } from "../../src/db/connect.ts";
import type { TestApp } from "./app.ts";

/** Answers of a version over its database, and the requests that got them. */
export interface Release {
  version: string;
  /** Clock of every question: what is left of a window is part of answers. */
  asked_at: string;
  key: string;
  /** Cursors that the version gave out. */
  cursors: { search: string; listing: string };
  answers: Record<string, unknown>;
}

const DIRECTORY = "test/releases";

/** Request that left a frozen shortlist, of which the version delivered the first page. */
export const FIRST_SEARCH = { query: "bakery, harbour or freezer", limit: 1 };

/** Search that the version accepted and did not perform. */
export const PENDING_SEARCH = { query: "ovens for a bakery", background: true };

/** Listing of which the version delivered the first page. */
export const LISTING = "/api/observations?domains[]=company2.example&limit=1" +
  "&since=2026-01-01T00:00:00Z";

/** Lists the released versions, the last one at the end. */
export function listReleases(): string[] {
  return [...Deno.readDirSync(DIRECTORY)]
    .flatMap(({ name }) => /^(\d+\.\d+\.\d+)\.sql$/.exec(name)?.[1] ?? [])
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
}

/** Returns the path of a file of a release: its dump, or its answers. */
export function releasePath(version: string, ending: "sql" | "json"): string {
  return `${DIRECTORY}/${version}.${ending}`;
}

/** Reads what a version answered. */
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
 * Asks what every version has to answer alike: replays and pages of what an earlier one began, work
 * that it left in the queue, and searches of its dataset.
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

/** Returns what an answer delivers and charges, without texts and moments. */
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
