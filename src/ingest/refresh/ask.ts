/** Sends requests to a source over the network, one at a time. */
import type { Settings } from "../../config.ts";
import { UsageError } from "../../failures.ts";
import { OutsideArrays } from "../formats/json_scanner.ts";
import type { ReadContext, SourceEntry } from "../record/entry.ts";
import { createFetcher, type Fetcher, FetchFailure } from "../fetch/fetcher.ts";
import { userAgent } from "../fetch/user_agent.ts";
import type { PageAnswer, Remote, Source, SourceRequest } from "../sources/kit/source.ts";
import { createKeyOf, type KeyOf, type KeySettings } from "./source_key.ts";

/** The dependencies of a request to a source. */
export interface Asking {
  fetcher: Fetcher;
  keyOf: KeyOf;
  /** Names of the variables that contain a header for an operator's own feed. */
  header_variables: readonly string[];
}

/** The settings of requests to sources. */
export type AskingSettings =
  & Pick<Settings, "FETCH_CONTACT" | "FETCH_OPEN_ADDRESSES">
  & KeySettings;

/** Creates the dependencies of requests from the settings. */
export function createAsking(settings: AskingSettings): Asking {
  return {
    fetcher: createFetcher({
      user_agent: userAgent(settings.FETCH_CONTACT),
      open_addresses: settings.FETCH_OPEN_ADDRESSES,
    }),
    keyOf: createKeyOf(settings),
    header_variables: Object.keys(settings.feed_headers),
  };
}

/** A request to a source, with its limits. */
export interface SourceQuestion extends Pick<ReadContext, "target" | "company" | "say"> {
  source: Source;
  request: SourceRequest;
  /**
   * Validators of the previous answer to this request, with which the source can answer
   * "unchanged".
   */
  validators?: Validators;
  /** Max milliseconds of the whole exchange. */
  milliseconds: number;
  /** Max number of attempts; by default ATTEMPTS. */
  attempts?: number;
}

/** HTTP validators of an answer. */
export interface Validators {
  etag?: string;
  last_modified?: string;
}

/** An answer. Its entries can be read once. Reading them may throw FetchFailure. */
interface SourceAnswer {
  entries: AsyncIterable<SourceEntry>;
  validators: Validators;
  /** The part of the answer that can name the next request, complete after the last entry. */
  answer: PageAnswer;
}

/**
 * Max milliseconds of one request of a feed or of `ingest --fetch`, its answer included. The number
 * is chosen: the largest answer (256 MiB) then needs 450 KB per second.
 */
export const FILE_MILLISECONDS = 600_000;

/**
 * Max number of attempts per request, the first included. The number is chosen: a run that fails is
 * repeated on its schedule.
 */
const ATTEMPTS = 4;

/** Max number of requests per run. A run that needs more is assumed to be endless. */
export const REQUESTS_MAX = 1_000;

/**
 * Sends a request to a source. Returns undefined if the source answers that nothing has changed.
 * @throws FetchFailure, or the signal's reason
 */
export async function askSource(
  { fetcher, keyOf }: Asking,
  { source, request, target, company, say, validators, milliseconds, attempts = ATTEMPTS }:
    SourceQuestion,
  signal?: AbortSignal,
): Promise<SourceAnswer | undefined> {
  const remote = remoteOf(source);
  const { url, accept } = request;
  const outcome = await fetcher.fetch({
    url,
    accept,
    headers: headersOf(remote, keyOf),
    ...validators,
  }, {
    bytes: remote.bytes_max,
    milliseconds,
    attempts,
    pause_milliseconds: remote.pause_milliseconds,
    robots: remote.robots,
  }, signal);
  if (outcome.status === 304) {
    if (validators !== undefined) return;
    throw new FetchFailure("http_status", "answered 304 to a request without conditions", {
      http_status: 304,
    });
  }
  const { retrieved_at, url: address, etag, last_modified, link, body } = outcome;
  const context = { retrieved_at, address, target: request.target ?? target, company, say };
  const outside = remote.keeps_members ? new OutsideArrays() : undefined;
  return {
    entries: source.read(outside?.watch(body) ?? body, context),
    validators: { etag, last_modified },
    answer: {
      url: address,
      link,
      get members() {
        return outside?.bytes;
      },
    },
  };
}

/**
 * Yields the entries of one whole run of a source, request by request. Uses neither a checkpoint
 * nor validators of an earlier run.
 * @throws what askSource() throws
 */
export async function* readSource(
  asking: Asking,
  { request: first, ...question }: Omit<SourceQuestion, "validators">,
): AsyncGenerator<SourceEntry> {
  const { next } = remoteOf(question.source);
  let request: SourceRequest | undefined = first;
  for (let requests = 1; request !== undefined; requests++) {
    const { entries, answer }: SourceAnswer = (await askSource(asking, { ...question, request }))!;
    let read = 0;
    for await (const entry of entries) {
      read++;
      yield entry;
    }
    request = next?.(request, read, answer);
    if (request !== undefined && requests === REQUESTS_MAX) throw endlessRun();
  }
}

/** Returns the failure of a run that has used up its requests. */
export function endlessRun(): FetchFailure {
  return new FetchFailure("too_large", `did not come to an end in ${REQUESTS_MAX} requests`);
}

/**
 * Returns the description of a source's requests.
 * @throws UsageError if the source is read from files only
 */
export function remoteOf({ name, remote }: Source): Remote {
  if (remote === undefined) throw new UsageError(`the source ${name} is read from files only`);
  return remote;
}

function headersOf(remote: Remote, keyOf: KeyOf): Record<string, string> {
  const headers = keyOf(remote);
  if (headers !== undefined) return headers;
  const key = remote.key!;
  throw new Error(`the setting ${"variable" in key ? key.variable : key.setting} is not set`);
}
