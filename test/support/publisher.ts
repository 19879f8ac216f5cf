/**
 * A server that publishes records for tests, the sources that read it, and the context of a
 * refresh.
 */
import type { SourceRecord } from "../../src/contract/record.ts";
import type { Sql } from "../../src/db/connect.ts";
import { createFetcher } from "../../src/ingest/fetch/fetcher.ts";
import { BATCH_SIZES } from "../../src/ingest/record/pipeline.ts";
import type { RefreshContext } from "../../src/ingest/refresh/context.ts";
import { scheduleFeed, setSourceTerms } from "../../src/ingest/refresh/schedule.ts";
import { readNdjson } from "../../src/ingest/formats/json.ts";
import type { Source, SourceSearch } from "../../src/ingest/sources/kit/source.ts";
import { createKeyOf } from "../../src/ingest/refresh/source_key.ts";
import { sourceRecord } from "./factories.ts";
import { silent } from "./operations.ts";

/** A signal that never aborts. */
export const NEVER = new AbortController().signal;

/** A server on loopback. It is closed at the end of its block. */
export interface Publisher extends AsyncDisposable {
  address: string;
  /** Paths and queries of the requests so far, in order. */
  asked: string[];
  /** Answers the next requests. Tests may replace it. */
  answer: (request: Request) => Response | Promise<Response>;
}

/** Starts a server whose answers the function returns. */
export function startPublisher(answer: Publisher["answer"]): Publisher {
  const asked: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const { pathname, search } = new URL(request.url);
    asked.push(pathname + search);
    return publisher.answer(request);
  });
  const publisher: Publisher = {
    address: `http://127.0.0.1:${server.addr.port}`,
    asked,
    answer,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
  return publisher;
}

/** Returns a record of the source "bulletin". Equal arguments give equal records. */
export function bulletin(external_id: string, part: Partial<SourceRecord> = {}): SourceRecord {
  return sourceRecord({
    source: "bulletin",
    external_id,
    company: { name: "Northwind Foods" },
    evidence: [{ source_uri: `https://bulletin.example/${external_id}`, excerpt: "The hall" }],
    ...part,
  });
}

/** Returns a response with these records as NDJSON. */
export function listing(records: readonly SourceRecord[], headers: HeadersInit = {}): Response {
  return new Response(records.map((one) => JSON.stringify(one) + "\n").join(""), { headers });
}

const TERMS = {
  title: "Bulletin",
  licence: "None",
  attribution: "The bulletin",
  natural_key: "its id",
  left_out: "nothing",
  read: readNdjson,
};

const REMOTE = {
  address: "https://bulletin.example",
  interval_seconds: 3_600,
  pause_milliseconds: 0,
  bytes_max: 1_048_576,
};

/** Number of records per page of "boards". A page with fewer records is the last one. */
export const PAGE_RECORDS = 3;

/**
 * Sources for tests: "bulletin" lists everything in one answer and looks up hostnames, "boards" has
 * pages, "locked" needs a key, and "filed" only reads files.
 */
export const TEST_SOURCES: ReadonlyMap<string, Source> = new Map(
  ([
    {
      ...TERMS,
      name: "bulletin",
      remote: {
        ...REMOTE,
        request: (address) => ({ url: `${address}/all` }),
        listed: () => ({ external_id_prefix: "" }),
        hostname: (address, hostname) => ({ url: `${address}/companies/${hostname}` }),
      },
    },
    {
      ...TERMS,
      name: "boards",
      remote: {
        ...REMOTE,
        target: { meaning: "a board's token", pattern: /^[a-z]+$/ },
        request: (address, { target }) => ({ url: `${address}/${target}?page=1` }),
        next({ url }, read) {
          if (read < PAGE_RECORDS) return;
          const [before, page] = url.split("page=");
          return { url: `${before}page=${Number(page) + 1}` };
        },
        listed: (target) => ({ external_id_prefix: `${target}/` }),
      },
    },
    {
      ...TERMS,
      name: "locked",
      remote: {
        ...REMOTE,
        key: { header: "x-api-key", setting: "SAM_API_KEY" },
        request: (address) => ({ url: `${address}/locked` }),
      },
    },
    { ...TERMS, name: "filed" },
  ] satisfies Source[]).map((source: Source) => [source.name, source]),
);

/** Returns the context of a refresh that does not pause between attempts. */
export function refreshContext(
  sql: Sql,
  { address }: Pick<Publisher, "address">,
  { now, key, feed_headers = {} }: {
    now?: () => Date;
    key?: string;
    feed_headers?: Record<string, Record<string, string>>;
  } = {},
): RefreshContext {
  return {
    sql,
    log: silent,
    now,
    sources: TEST_SOURCES,
    batch: BATCH_SIZES.embedded,
    keyOf: createKeyOf({ SAM_API_KEY: key, feed_headers }),
    header_variables: Object.keys(feed_headers),
    fetcher: createFetcher({
      user_agent: "company-evidence/test",
      open_addresses: [new URL(address).host],
      sleep: () => Promise.resolve(),
    }),
  };
}

/** Schedules a feed of the publisher that is due immediately. */
export async function schedule(
  sql: Sql,
  { address }: Pick<Publisher, "address">,
  { source = "bulletin", target, interval_seconds = 3_600, now }: {
    source?: string;
    target?: string;
    interval_seconds?: number;
    now?: Date;
  } = {},
): Promise<void> {
  const scheduled = TEST_SOURCES.get(source)!;
  await setSourceTerms(sql, scheduled, { address });
  await scheduleFeed(sql, scheduled, { target, interval_seconds, now });
}

/** Returns the external ids of the observations that may be shown, in the order of their ids. */
export async function shown(sql: Sql): Promise<string[]> {
  const rows = await sql<{ external_id: string }[]>`
    select o.external_id from deliverable_observations d join observations o using (id)
    order by o.id
  `;
  return rows.map(({ external_id }) => external_id);
}

/** Returns the row of the only feed. */
export async function readFeed(sql: Sql) {
  const [feed] = await sql`select * from source_feeds`;
  return feed!;
}

/** Returns the source "bulletin" with a search, by which the service can fill short pages. */
export function searchedBulletin(request: SourceSearch["request"]): Source {
  const source = TEST_SOURCES.get("bulletin")!;
  const search: SourceSearch = {
    kinds: ["procurement_request"],
    countries: ["CA"],
    demand_classes: ["explicit_request"],
    request,
  };
  return { ...source, remote: { ...source.remote!, search } };
}
