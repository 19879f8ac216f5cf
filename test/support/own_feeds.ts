/** Mappings and rows of operators' own feeds, for tests. */
import type { Sql } from "../../src/db/connect.ts";
import { parseMapping } from "../../src/ingest/mapping/mapping.ts";
import { addOwnFeed, findOwnFeed } from "../../src/ingest/refresh/own_feed.ts";
import { scheduleFeed } from "../../src/ingest/refresh/schedule.ts";
import { TENDER } from "./tender_mapping.ts";

/** Returns the text of a mapping for rows with the members id, buyer and title. */
export function mappingText(part: Record<string, unknown> = {}): string {
  return JSON.stringify({
    source: "tenders",
    format: "json",
    array: "rows",
    ...part,
    record: TENDER,
  });
}

/** Returns rows with the ids from `first` to `last`. */
export function rows(first: number, last: number) {
  return Array.from({ length: last - first + 1 }, (_, n) => ({
    id: `r${first + n}`,
    buyer: `Ville ${first + n}`,
    title: `Roof ${first + n}`,
  }));
}

/** Adds a feed of the name "tenders", and schedules it. It is due at once. */
export async function addFeed(
  sql: Sql,
  address: string,
  { mapping = {}, full_listing = false, header_variable = null, now }: {
    mapping?: Record<string, unknown>;
    full_listing?: boolean;
    header_variable?: string | null;
    now?: Date;
  } = {},
): Promise<void> {
  await addOwnFeed(sql, {
    name: "tenders",
    address,
    mapping: parseMapping(mappingText(mapping)),
    full_listing,
    header_variable,
  });
  const feed = await findOwnFeed(sql, "tenders");
  await scheduleFeed(sql, feed!, { interval_seconds: 3_600, now });
}
