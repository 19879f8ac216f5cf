/**
 * Creates the contenders. Those that are compared with each other form a group, and take turns one
 * after the other, so that a slow minute of the machine affects all of them.
 */
import type { Load, Loaded } from "./generator.ts";
import { runPgbench } from "./pgbench.ts";
import type { LoadData } from "./dataset.ts";
import { KEY_PLACE, modernToolText, requestText, searchText, toolText } from "./requests.ts";

/** Number of connections of pgbench, and of clients of the service. */
export const CLIENTS = 16;

/** A contender runs for some seconds and returns its calls per second. */
export type Contender = (seconds: number) => Promise<number>;

/** Ports of the processes. The peer is absent if the history does not contain its commit. */
export interface Ports {
  service: number;
  bare: number;
  peer?: number;
}

/** Scripts of pgbench, and subjects of requests. */
interface LoadSubjects {
  url: string;
  data: LoadData;
  ports: Ports;
  scripts: Record<"floor" | "floor_of_one" | "one_statement" | "two_statements", string>;
  /** Ids of companies and observations that are read. */
  companies: number[];
  observations: number[];
}

/** Sends a load from a worker. */
export type Send = (load: Load) => Promise<Loaded>;

/** Contenders that are compared with each other, by their names. */
export type ContenderGroup = Record<string, Contender>;

/** Sends the requests that are replayed later. Returns the contenders by group. */
export async function createContenders(
  subjects: LoadSubjects,
  send: Send,
): Promise<Record<string, ContenderGroup>> {
  const { url, data, ports, scripts } = subjects;
  const sends = (port: number, requests: string[]): Contender => async (seconds) =>
    (await send({ port, requests, clients: CLIENTS, seconds })).rate;
  const pgbench = (script: string): Contender => (seconds) =>
    runPgbench(url, { script, clients: CLIENTS, seconds });
  const texts = requestTexts(subjects);
  // Performs the requests, so that the contender `replay` only repeats delivered ones.
  await send({ port: ports.service, requests: texts.replay, clients: 1, seconds: 3 });
  return {
    searches: {
      floor: pgbench(scripts.floor),
      one_statement: pgbench(scripts.one_statement),
      two_statements: pgbench(scripts.two_statements),
      search: sends(ports.service, texts.search),
      ...ports.peer !== undefined && { peer_search: sends(ports.peer, texts.search) },
      mcp_search: sends(ports.service, texts.mcp_search),
      mcp_modern_search: sends(ports.service, texts.mcp_modern_search),
    },
    searches_of_one: {
      floor_of_one: pgbench(scripts.floor_of_one),
      search_of_one: sends(ports.service, searchTexts(data, { subscriptions: 1 })),
    },
    replays: {
      replay: sends(ports.service, texts.replay),
      bare_replay: sends(ports.bare, texts.bare_replay),
    },
    usage: {
      usage: sends(ports.service, texts.usage),
      bare_usage: sends(ports.bare, texts.bare_usage),
    },
    companies: {
      company: sends(ports.service, texts.company),
      bare_company: sends(ports.bare, texts.bare_company),
      mcp_company: sends(ports.service, texts.mcp_company),
      mcp_modern_company: sends(ports.service, texts.mcp_modern_company),
    },
    observations: {
      observation: sends(ports.service, texts.observation),
      bare_observation: sends(ports.bare, texts.bare_observation),
    },
  };
}

/**
 * Returns the texts of searches, each with a new request key. The subscriptions take turns, so that
 * concurrent requests seldom wait for the same allowance. `text` creates the text of one search.
 */
export function searchTexts(
  { callers, searches }: LoadData,
  { subscriptions, text = searchText }: {
    subscriptions: number;
    text?: (key: string, query: string) => string;
  },
): string[] {
  return searches.flatMap((_, turn) =>
    callers.slice(0, subscriptions).map(({ key }, n) =>
      text(key, searches[(turn + n) % searches.length]!.query)
    )
  );
}

function requestTexts({ data, companies, observations }: LoadSubjects) {
  const { callers, searches } = data;
  const searchOf = (n: number) => searches[n % searches.length]!;
  const bare = (path: string, of: unknown) => requestText({ path: `/${path}?of=${of}` });
  const keyOf = (n: number) => callers[n % callers.length]!.key;
  const toolSearches = (text: typeof toolText) =>
    searchTexts(data, {
      subscriptions: callers.length,
      text: (key, query) =>
        text(key, "search_companies", { query, limit: 10, request_key: KEY_PLACE }),
    });
  const toolReads = (text: typeof toolText) =>
    companies.map((id, n) => text(keyOf(n), "get_company", { id }));
  return {
    search: searchTexts(data, { subscriptions: callers.length }),
    mcp_search: toolSearches(toolText),
    mcp_modern_search: toolSearches(modernToolText),
    replay: callers.map(({ key }, n) => searchText(key, searchOf(n).query, `replay ${n}`)),
    bare_replay: callers.map((_, n) =>
      bare(
        "replay",
        searchOf(n).work.entries.slice(0, 10).flatMap((entry) => entry.observation_ids),
      )
    ),
    usage: callers.map(({ key }) => requestText({ path: "/api/usage", key })),
    bare_usage: callers.map(({ subscription_id }) => bare("usage", subscription_id)),
    company: companies.map((id, n) => requestText({ path: `/api/companies/${id}`, key: keyOf(n) })),
    bare_company: companies.map((id) => bare("company", id)),
    mcp_company: toolReads(toolText),
    mcp_modern_company: toolReads(modernToolText),
    observation: observations.map((id, n) =>
      requestText({ path: `/api/observations/${id}`, key: keyOf(n) })
    ),
    bare_observation: observations.map((id) => bare("observation", id)),
  };
}
