/**
 * Operators' own feeds: sources that a row of the database describes, with an address and a
 * mapping. A feed is refreshed as any other source.
 */
import type { Sql } from "../../db/connect.ts";
import { type Mapping, parseMapping } from "../mapping/mapping.ts";
import { readerOfMapping } from "../mapping/read_mapped.ts";
import type { Source } from "../sources/kit/source.ts";
import { firstPage, nextPage } from "./next_page.ts";

/** The description of a feed, as it is stored. */
interface Definition {
  mapping: Mapping;
  /** True if a run lists all current records, so that a missing record has ended. */
  full_listing: boolean;
  /** Name of the variable that contains the header of requests, or null. */
  header_variable: string | null;
}

/** Seconds between two runs, unless the operator sets another interval. A day is chosen. */
const INTERVAL_SECONDS = 86_400;
/** Milliseconds between two requests, as for the public sources. */
const PAUSE_MILLISECONDS = 1_000;
/** Max bytes of an answer, as for the greatest files of public sources. */
const ANSWER_BYTES = 256 * 1_048_576;

/** Requested media types of formats. For another format, any type is requested. */
const MEDIA_TYPES: Partial<Record<string, string>> = {
  csv: "text/csv, */*;q=0.5",
  json: "application/json, */*;q=0.5",
  ndjson: "application/x-ndjson, */*;q=0.5",
};

/** Adds a feed, or replaces the one of that name. @throws Error if the mapping names another source */
export async function addOwnFeed(
  sql: Sql,
  { name, address, ...definition }: Definition & { name: string; address: string },
): Promise<{ source: string; address: string; replaced: boolean }> {
  const { source } = definition.mapping;
  if (source !== name) {
    throw new Error(`the mapping → source: is ${source}, but the feed is named ${name}`);
  }
  // A fault of the mapping is reported before it is stored.
  sourceOf(name, address, definition);
  const [row] = await sql<[{ added: { source: string; address: string; replaced: boolean } }]>`
    select add_own_feed(${name}, ${address}, ${JSON.stringify(definition)}::text::jsonb) as added
  `;
  return row.added;
}

/** Removes a feed and its schedule. Its records stay. Returns null if there is no such feed. */
export async function removeOwnFeed(
  sql: Sql,
  name: string,
): Promise<{ source: string; removed: true } | null> {
  const [row] = await sql<[{ removed: { source: string; removed: true } | null }]>`
    select remove_own_feed(${name}) as removed
  `;
  return row.removed;
}

/** Returns a feed as a source. @throws MappingFault if this version cannot read its mapping */
export async function findOwnFeed(sql: Sql, name: string): Promise<Source | undefined> {
  const [row] = await sql<{ address: string; own_feed: Definition }[]>`
    select address, own_feed from sources where name = ${name} and own_feed is not null
  `;
  if (row === undefined) return undefined;
  const mapping = parseMapping(JSON.stringify(row.own_feed.mapping));
  return sourceOf(name, row.address, { ...row.own_feed, mapping });
}

/** Returns the key that the requests of a feed need, if any. */
export function keyOfFeed(
  { header_variable }: Pick<Definition, "header_variable">,
): { variable: string } | undefined {
  return header_variable === null ? undefined : { variable: header_variable };
}

function sourceOf(name: string, address: string, definition: Definition): Source {
  const { mapping, full_listing } = definition;
  const { format, encoding, pages } = mapping;
  const keeps_members = pages !== undefined && "path" in pages;
  return {
    name,
    title: "the operator's own feed",
    licence: "the operator's",
    attribution: "",
    natural_key: "the field external_id of the mapping",
    left_out: "what the mapping leaves out",
    read: readerOfMapping(mapping),
    remote: {
      address,
      interval_seconds: INTERVAL_SECONDS,
      pause_milliseconds: PAUSE_MILLISECONDS,
      bytes_max: ANSWER_BYTES,
      key: keyOfFeed(definition),
      request: (address) => ({ url: firstPage(address, pages), accept: MEDIA_TYPES[format] }),
      ...pages !== undefined && {
        next: (request, read, answer = { url: request.url }) =>
          nextPage({ pages, encoding }, request, { read, ...answer }),
      },
      ...keeps_members && { keeps_members },
      ...full_listing && { listed: () => ({ external_id_prefix: "" }) },
    },
  };
}
