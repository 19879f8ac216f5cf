/** The description of a source: its terms, how its files are read, and how it is asked. */
import type { Country, DemandClass, Kind } from "../../contract/vocabulary.ts";
import type { ReadSource } from "../record/entry.ts";

/** A source of records. Reading is a pure mapping from native records to ours. */
export interface Source {
  /** Name in `--format`, in the records' `source` and in `admin source`. */
  name: string;
  title: string;
  licence: string;
  /** The attribution that its licence demands wherever its data is shown. */
  attribution: string;
  /** Fields that identify a record, in words. */
  natural_key: string;
  /** Facts that are not kept, and the reasons, in words. */
  left_out: string;
  read: ReadSource;
  /** Requests over the network; absent if it is read from files only. */
  remote?: Remote;
}

/** One GET request. It holds no secrets, because it is stored as a checkpoint. */
export interface SourceRequest {
  url: string;
  /** The requested media type. */
  accept?: string;
  /** Target of the request if the answer alone does not name it: a board, a CIK, a hostname. */
  target?: string;
}

/** Requests to a source over the network. All functions are pure. */
export interface Remote {
  /** Base address without a final slash. An operator may set another one, such as a mirror. */
  address: string;
  /**
   * Meaning of a target in words ("a board's token"). Absent if there is only one thing to ask for.
   */
  target?: { meaning: string; pattern: RegExp };
  /** Seconds between two runs, unless the operator sets another interval. */
  interval_seconds: number;
  /** Min milliseconds between the starts of two requests. */
  pause_milliseconds: number;
  /** True if its robots.txt is obeyed. */
  robots?: true;
  /** Max bytes of one decoded answer. */
  bytes_max: number;
  /** The header that carries its key, and the setting that holds the key. */
  key?: { header: string; setting: "SAM_API_KEY" };
  /** Returns the first request of a run. Sources that need a period end it at `now`. */
  request(address: string, asked: { target?: string; now: Date }): SourceRequest;
  /**
   * Returns the request after an answer with `read` entries, or nothing at the end of the run.
   * Absent: a run is one request.
   */
  next?(request: SourceRequest, read: number): SourceRequest | undefined;
  /**
   * Present if a run lists all current records, so that a record that it no longer lists is over.
   * Returns the prefix of the external ids of the target's records.
   */
  listed?(target: string | undefined): { external_id_prefix: string };
  /**
   * Returns the request for a hostname; absent if the source does not know companies by hostname.
   */
  hostname?(address: string, hostname: string): SourceRequest;
  /** Requests of a search whose caller waits; absent if the source cannot answer one. */
  search?: SourceSearch;
}

/** Requests of searches that have found little. */
export interface SourceSearch {
  /** All possible values of its records. A search whose filters exclude them does not ask. */
  kinds: readonly Kind[];
  countries: readonly Country[];
  demand_classes: readonly DemandClass[];
  /** Returns the request, or nothing if the source cannot answer this plan. */
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
