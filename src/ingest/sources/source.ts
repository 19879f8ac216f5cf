/** Sources of records: their terms, how their files are read and how they are asked. */
import type { Country, DemandClass, Kind } from "../../contract/vocabulary.ts";
import type { ReadSource } from "../record/entry.ts";

/** One file under sources/ each. Reading is a pure mapping from native records to ours. */
export interface Source {
  /** Name in `--format`, in the records' `source` and in `admin source`. */
  name: string;
  title: string;
  licence: string;
  /** The words its licence asks whoever shows its data to show. */
  attribution: string;
  /** Fields that make two records the same one, read at different times. */
  natural_key: string;
  /** Fields that are not kept, and why. */
  left_out: string;
  read: ReadSource;
  /** Requests over the network; absent if it is read from files only. */
  remote?: Remote;
}

/** One GET request; nothing secret stands in it, for it is kept as a checkpoint. */
export interface SourceRequest {
  url: string;
  /** The media type that is asked for. */
  accept?: string;
  /** Target of the request if the answer alone does not name it: a board, a CIK, a hostname. */
  target?: string;
}

/** Requests to a source. All functions are pure. */
export interface Remote {
  /** Base address without a final slash. An operator may set another one, such as a mirror. */
  address: string;
  /**
   * Meaning of a target in words ("a board's token"). Absent if there is only one thing to ask for.
   */
  target?: { meaning: string; pattern: RegExp };
  /** Seconds between two runs, unless the operator sets another interval. */
  interval_seconds: number;
  /** Milliseconds between two requests to it. */
  pause_milliseconds: number;
  /** True if its robots.txt is asked first. */
  robots?: true;
  /** The most bytes of one answer, decoded. */
  bytes_max: number;
  /** The header that carries its key, and the setting that holds the key. */
  key?: { header: string; setting: "SAM_API_KEY" };
  /** The first request of a run. `now` bounds what is asked for where the source wants a period. */
  request(address: string, asked: { target?: string; now: Date }): SourceRequest;
  /** The next one after an answer that held so many records; absent: one request is a whole run. */
  next?(request: SourceRequest, read: number): SourceRequest | undefined;
  /**
   * Given where a run shows all that still stands, so that what it no longer shows is over: with
   * what the external ids of the target's records start.
   */
  listed?(target: string | undefined): { external_id_prefix: string };
  /**
   * Returns the request for a hostname; absent if the source does not know companies by hostname.
   */
  hostname?(address: string, hostname: string): SourceRequest;
  /** Requests of a search whose caller waits; absent if the source cannot answer one. */
  search?: SourceSearch;
}

/** Records that a source can add to a search that has found little. */
export interface SourceSearch {
  /** All that its records can be: a search whose filters exclude these does not ask. */
  kinds: readonly Kind[];
  countries: readonly Country[];
  demand_classes: readonly DemandClass[];
  /** The request, or nothing where this plan cannot be put to it. */
  request(address: string, plan: AcquisitionPlan): SourceRequest | undefined;
}

/** Request of a search to a source: words of the plan, and filters that it may narrow by. */
export interface AcquisitionPlan {
  /** Distinct folded words, in the order of the query. */
  terms: string[];
  /** Hostnames that the filters name. */
  domains: string[];
  occurred_after: string | null;
  now: Date;
  records_max: number;
}
