/**
 * Bounded acquisition: a search that finds few records requests more from sources, once, while its
 * caller waits. The answers are recorded, and the search runs again, so that its filters apply to
 * the new records. A search does not fail if a source fails, is late or busy, or has failed
 * recently. The acquisition is then incomplete.
 */
import type { Sql } from "../../db/connect.ts";
import { defectFields, type Log } from "../../log.ts";
import { unlessAborted } from "../fetch/deadline.ts";
import { FetchFailure } from "../fetch/fetcher.ts";
import { type Asking, askSource, type SourceQuestion } from "./ask.ts";
import type { NormalRecord } from "../record/normalize.ts";
import { acquireObservations } from "../record/pipeline.ts";
import type { AcquisitionPlan, Remote, Source, SourceSearch } from "../sources/kit/source.ts";

/** The part of a search that decides which records are requested from which sources. */
export interface AcquisitionRequest
  extends Pick<AcquisitionPlan, "terms" | "domains" | "occurred_after"> {
  /** Filters of the search. An empty list does not restrict. */
  kinds: readonly string[];
  countries: readonly string[];
  demand_classes: readonly string[];
}

interface Acquisition {
  /** Observations that the acquisition has added. */
  observation_ids: number[];
  /** True if a source may have had records that were not recorded. */
  incomplete: boolean;
  /** True if a request was sent to a source, with or without success. */
  asked: boolean;
}

interface AcquirerOptions {
  sql: Sql;
  log: Log;
  asking: Asking;
  sources: ReadonlyMap<string, Source>;
  /** Max number of records of all sources together. */
  records: number;
  /** Max milliseconds of an acquisition. */
  milliseconds: number;
  now?: () => Date;
}

/**
 * Milliseconds during which an answered request is not repeated and a failed host gets no request.
 * The number is chosen, not measured.
 */
const BLOCKED_MILLISECONDS = 10 * 60_000;
/**
 * Max number of remembered requests, and of remembered hosts. The number is chosen: forgetting one
 * costs a request.
 */
const REMEMBERED = 1_000;

/**
 * Sends requests to sources on behalf of searches. Remembers which requests and hosts are blocked,
 * and until when.
 */
export class Acquirer {
  readonly #options: AcquirerOptions;
  /**
   * Times of the next allowed request to a host that failed, by host, in milliseconds since the
   * epoch.
   */
  readonly #failed = new Map<string, number>();
  /** Times of the next allowed repetition of an answered request, by URL, in the same unit. */
  readonly #answered = new Map<string, number>();
  /**
   * Hosts with a request under way. The set contains hosts instead of sources, because home pages
   * are one source with many hosts.
   */
  readonly #busy = new Set<string>();

  constructor(options: AcquirerOptions) {
    this.#options = options;
  }

  /**
   * Sends the requests of a search and records the answers. Resolves within `milliseconds` of the
   * options, and never throws.
   */
  async acquire(wanted: AcquisitionRequest): Promise<Acquisition> {
    const signal = AbortSignal.timeout(this.#options.milliseconds);
    const acquired: Acquired = {
      left: this.#options.records,
      observation_ids: [],
      failed: false,
      asked: false,
    };
    const all = this.#questions(wanted)
      .then((questions) =>
        Promise.all(questions.map((question) =>
          this.#ask(question, acquired, signal)
            .catch((error) => this.#fail(acquired, question.source.name, error))
        ))
      )
      .then(() => acquired.done = true, (error) => this.#fail(acquired, "sources", error));
    // After the time, what was acquired so far is enough.
    await unlessAborted(all, signal).catch(() => {});
    return {
      observation_ids: [...acquired.observation_ids],
      incomplete: acquired.failed || !acquired.done,
      asked: acquired.asked,
    };
  }

  /** Returns the requests to the sources that are permitted and open to searches. */
  async #questions(wanted: AcquisitionRequest): Promise<AcquisitionQuestion[]> {
    const { sql, sources, records } = this.#options;
    const now = this.#now();
    const rows = await sql<{ name: string; address: string | null }[]>`
      select name, address from sources where permitted and asked_in_searches order by name
    `;
    return rows.flatMap(({ name, address }): AcquisitionQuestion[] => {
      const source = sources.get(name);
      const remote = source?.remote;
      if (remote?.search === undefined || !canAdd(remote.search, remote, wanted)) return [];
      if (this.#options.asking.keyOf(remote) === undefined) return [];
      const plan = { ...wanted, now, records_max: records };
      const request = remote.search.request(address ?? remote.address, plan);
      return request === undefined ? [] : [{ source: source!, request }];
    });
  }

  async #ask(
    question: AcquisitionQuestion,
    acquired: Acquired,
    signal: AbortSignal,
  ): Promise<void> {
    const { url } = question.request;
    const { host } = new URL(url);
    if (this.#isBlocked(this.#answered, url)) return;
    // A second request to a busy host would wait too long.
    if (this.#busy.has(host) || this.#isBlocked(this.#failed, host)) {
      acquired.failed = true;
      return;
    }
    this.#busy.add(host);
    acquired.asked = true;
    try {
      const records = await this.#read(question, acquired, signal).catch((error) => {
        const retry_at = error instanceof FetchFailure ? error.retry_at : undefined;
        this.#block(this.#failed, host, retry_at?.getTime());
        throw error;
      });
      if (records.length > 0) {
        acquired.observation_ids.push(...await acquireObservations(this.#options.sql, records));
      }
      this.#block(this.#answered, url);
    } finally {
      this.#busy.delete(host);
    }
  }

  async #read(
    question: AcquisitionQuestion,
    acquired: Acquired,
    signal: AbortSignal,
  ): Promise<NormalRecord[]> {
    const { milliseconds, asking } = this.#options;
    const answer = await askSource(asking, { ...question, milliseconds, attempts: 1 }, signal);
    const records = await readUpToLimit(answer!.entries, acquired);
    signal.throwIfAborted();
    return records;
  }

  #fail(acquired: Acquired, source: string, error: unknown): void {
    acquired.failed = true;
    this.#options.log.warn("acquisition failed", { source, ...defectFields(error) });
  }

  #block(until: Map<string, number>, name: string, retryAt = 0): void {
    until.delete(name);
    until.set(name, Math.max(retryAt, this.#now().getTime() + BLOCKED_MILLISECONDS));
    const [oldest] = until.keys();
    if (until.size > REMEMBERED) until.delete(oldest!);
  }

  #isBlocked(until: ReadonlyMap<string, number>, name: string): boolean {
    return (until.get(name) ?? 0) > this.#now().getTime();
  }

  #now(): Date {
    return this.#options.now?.() ?? new Date();
  }
}

type AcquisitionQuestion = Pick<SourceQuestion, "source" | "request">;

/** State of one acquisition, over all sources. */
interface Acquired {
  /** Number of records that may still be taken. */
  left: number;
  observation_ids: number[];
  failed: boolean;
  asked: boolean;
  done?: boolean;
}

/** Returns whether a record of the source can pass the filters. */
function canAdd(search: SourceSearch, { hostname }: Remote, wanted: AcquisitionRequest): boolean {
  const meets = (filter: readonly string[], offered: readonly string[]) =>
    filter.length === 0 || filter.some((value) => offered.includes(value));
  return meets(wanted.kinds, search.kinds) &&
    meets(wanted.countries, search.countries) &&
    meets(wanted.demand_classes, search.demand_classes) &&
    (wanted.domains.length === 0 || hostname !== undefined);
}

/** Reads records up to the limit for all sources together. Rejected records do not count. */
async function readUpToLimit(
  entries: ReturnType<Source["read"]>,
  acquired: Acquired,
): Promise<NormalRecord[]> {
  const records: NormalRecord[] = [];
  for await (const { judged } of entries) {
    // While this entry was read, another source may have used up the limit.
    if (acquired.left === 0) break;
    if (!("record" in judged)) continue;
    records.push(judged.record);
    if (--acquired.left === 0) break;
  }
  return records;
}
