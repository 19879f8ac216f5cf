/** The description of a source: its terms, the reader of its files, and its requests. */
import type { Country, DemandClass, Kind } from "../../../contract/vocabulary.ts";
import type { ReadSource } from "../../record/entry.ts";

/**
 * A source of records. Reading is a pure mapping from the source's records to records of the
 * contract.
 */
export interface Source {
  /** Name of the source in `--format`, in the field `source` of records, and in `admin source`. */
  name: string;
  title: string;
  licence: string;
  /** Attribution that the licence demands wherever data of the source is shown. */
  attribution: string;
  /** Description of the fields that identify a record. */
  natural_key: string;
  /** Description of the facts that are not kept, and the reasons. */
  left_out: string;
  read: ReadSource;
  /** Requests over the network; absent if the source is read from files only. */
  remote?: Remote;
}

/** One GET request. It contains no secrets, because it is stored in checkpoints. */
export interface SourceRequest {
  url: string;
  /** The requested media type. */
  accept?: string;
  /** Target of the request if the answer alone does not name it: a board, a CIK, a hostname. */
  target?: string;
}

/** The part of an answer that can name the next request, in addition to its entries. */
export interface PageAnswer {
  /** Address of the answer after redirects. */
  url: string;
  /** Value of the header Link (RFC 8288). */
  link?: string;
  /** The JSON document with empty arrays, only for a source with `keeps_members`. */
  members?: Uint8Array;
}

/** Requests to a source over the network. All functions are pure. */
export interface Remote {
  /** Base address without a final slash. An operator may set another one, such as a mirror. */
  address: string;
  /**
   * Meaning of a target in words ("a board's token"), and its pattern. Absent if requests have no
   * target.
   */
  target?: { meaning: string; pattern: RegExp };
  /** Seconds between two runs, unless the operator sets another interval. */
  interval_seconds: number;
  /** Min milliseconds between the starts of two requests. */
  pause_milliseconds: number;
  /** True if the host's robots.txt is obeyed. */
  robots?: true;
  /** Max bytes of one decoded answer. */
  bytes_max: number;
  /**
   * The header for the key, and the setting that contains the key; or the variable that contains a
   * whole header.
   */
  key?: { header: string; setting: "SAM_API_KEY" } | { variable: string };
  /** Returns the first request of a run. If a request needs a period, the period ends at `now`. */
  request(address: string, asked: { target?: string; now: Date }): SourceRequest;
  /**
   * Returns the request after an answer with `read` entries, or undefined at the end of the run.
   * `answer` is for sources whose answers name the next request. Absent: a run is one request.
   * @throws FetchFailure or UnreadableSource if the answer names a next request that is not allowed
   */
  next?(request: SourceRequest, read: number, answer?: PageAnswer): SourceRequest | undefined;
  /** True if next() needs members of the JSON document of an answer. */
  keeps_members?: true;
  /**
   * Present if a run lists all current records. A record that is no longer listed has then ended.
   * Returns the prefix of the external ids of the target's records.
   */
  listed?(target: string | undefined): { external_id_prefix: string };
  /** Returns the request for a hostname; absent if the source has no requests for hostnames. */
  hostname?(address: string, hostname: string): SourceRequest;
  /** Requests during a search; absent if the source cannot answer searches. */
  search?: SourceSearch;
}

/** Requests to a source during a search that found few records. */
export interface SourceSearch {
  /**
   * All possible kinds, countries and demand classes of the source's records. A search whose
   * filters exclude them sends no request to the source.
   */
  kinds: readonly Kind[];
  countries: readonly Country[];
  demand_classes: readonly DemandClass[];
  /** Returns the request, or undefined if the source cannot answer this plan. */
  request(address: string, plan: AcquisitionPlan): SourceRequest | undefined;
}

/** The part of a search that a source's request can use. */
export interface AcquisitionPlan {
  /** Distinct folded words, in the order of the query. */
  terms: string[];
  /** Hostnames that the filters name. */
  domains: string[];
  occurred_after: string | null;
  now: Date;
  records_max: number;
}

/** Returns the next request of a source that numbers its pages, or the offsets of their records. */
export function nextByNumber(request: SourceRequest, parameter: string, step = 1): SourceRequest {
  const url = new URL(request.url);
  url.searchParams.set(parameter, String(Number(url.searchParams.get(parameter)) + step));
  return { ...request, url: url.href };
}
