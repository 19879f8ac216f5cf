/**
 * Operators' own feeds: sources that a row of the database describes, with an address and a
 * mapping, which also says how the next page is found. A feed is refreshed as any other source.
 */
import type { Sql } from "../../db/connect.ts";
import { FetchFailure } from "../fetch/fetcher.ts";
import { type Mapping, parseMapping } from "../mapping/mapping.ts";
import type { Pages } from "../mapping/pages.ts";
import { readerOfMapping } from "../mapping/read_mapped.ts";
import { valueIn } from "../mapping/template.ts";
import { UnreadableSource } from "../record/entry.ts";
import type { PageAnswer, Source, SourceRequest } from "../sources/kit/source.ts";

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

/** Returns the address of the first page. */
function firstPage(address: string, pages: Pages | undefined): string {
  if (pages?.by !== "number") return address;
  return withParameter(address, pages.parameter, String(pages.first ?? 1)).href;
}

/**
 * Returns the request for the page after an answer with `read` rows; undefined after the last page.
 * @throws FetchFailure if the next page is not at the origin of the feed, which alone may get its
 * header; UnreadableSource if the answer does not say where the next page is
 */
function nextPage(
  { pages, encoding }: { pages: Pages; encoding: Mapping["encoding"] },
  request: SourceRequest,
  { read, ...answer }: PageAnswer & { read: number },
): SourceRequest | undefined {
  const next = nextAddress(pages, request, { read, encoding, ...answer });
  if (next === undefined) return undefined;
  const { origin, hostname, href } = new URL(request.url);
  if (next.origin !== origin) {
    throw new FetchFailure("bad_address", `${hostname}: the next page is at ${next.origin}`);
  }
  if (next.href === href) throw new UnreadableSource("the next page is the same page again");
  return { ...request, url: next.href };
}

interface ReadPage extends PageAnswer {
  read: number;
  encoding: Mapping["encoding"];
}

function nextAddress(pages: Pages, { url }: SourceRequest, page: ReadPage): URL | undefined {
  switch (pages.by) {
    case "number": {
      const { parameter, step = 1, size = 1 } = pages;
      if (page.read < size) return undefined;
      const number = Number(new URL(url).searchParams.get(parameter));
      return withParameter(url, parameter, String(number + step));
    }
    case "cursor": {
      const cursor = memberOf(page, pages.path);
      return cursor === undefined ? undefined : withParameter(url, pages.parameter, cursor);
    }
    case "link": {
      const link = pages.path === undefined
        ? nextLink(page.link ?? "")
        : memberOf(page, pages.path);
      if (link === undefined) return undefined;
      const next = URL.parse(link, page.url);
      if (next === null) throw new UnreadableSource("the address of the next page is not valid");
      next.hash = "";
      return next;
    }
  }
}

function withParameter(address: string, parameter: string, value: string): URL {
  const url = new URL(address);
  url.searchParams.set(parameter, value);
  return url;
}

/** Returns a text or number of the document; undefined if it is absent, null, false or empty. */
function memberOf({ members, encoding }: ReadPage, path: string): string | undefined {
  const value = valueIn(documentOf(members!, encoding), path);
  if (value === undefined || value === null || value === false || value === "") return undefined;
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw new UnreadableSource(
      `${path}: is a number that cannot be read exactly; a text is required`,
    );
  }
  if (typeof value === "string" || typeof value === "number") return String(value);
  throw new UnreadableSource(`${path}: a text or a number is required`);
}

function documentOf(members: Uint8Array, encoding: Mapping["encoding"]): object {
  try {
    return Object(JSON.parse(new TextDecoder(encoding).decode(members)));
  } catch {
    throw new UnreadableSource("the page is not a JSON document");
  }
}

/** Matches a link with its parameters, and one parameter (RFC 8288, 3). Both take linear time. */
const LINK =
  /<([^<>]*)>((?:\s*;\s*[\w!#$%&'*+.^`|~-]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]+))?)*)/g;
const PARAMETER = /;\s*([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]+)))?/g;

/** Returns the target of the first link with the relation `next`. */
function nextLink(header: string): string | undefined {
  for (const [, target, parameters] of header.matchAll(LINK)) {
    const rel = [...parameters!.matchAll(PARAMETER)].find(([, name]) =>
      name!.toLowerCase() === "rel"
    );
    const relations = (rel?.[2] ?? rel?.[3] ?? "").toLowerCase().split(/\s+/);
    if (relations.includes("next")) return target;
  }
}
