/** What a source of records is: its terms, how its files are read and how it is asked. */
import type { Country, DemandClass, Kind } from "../contract/vocabulary.ts";
import type { ReadSource } from "./entry.ts";

/** One file under sources/ each. Reading is a pure mapping from native records to ours. */
export interface Source {
  /** What `--format`, the records' `source` and `admin source` call it. */
  name: string;
  title: string;
  licence: string;
  /** The words its licence asks whoever shows its data to show. */
  attribution: string;
  /** What makes two records the same one, read at different times. */
  natural_key: string;
  /** What is not kept, and why. */
  left_out: string;
  read: ReadSource;
  /** How it is asked over the network; absent where it is read from files only. */
  remote?: Remote;
}

/** One GET request; nothing secret stands in it, for it is kept as a checkpoint. */
export interface SourceRequest {
  url: string;
  /** The media type that is asked for. */
  accept?: string;
  /** What it asks for, where the answer alone does not say: a board, a CIK, a hostname. */
  target?: string;
}

/** How a source is asked. All functions are pure. */
export interface Remote {
  /** Where it is, without a slash at the end; an operator may name another, such as a mirror. */
  address: string;
  /** What a target is, in words ("a board's token"); absent where there is one thing to ask for. */
  target?: { meaning: string; pattern: RegExp };
  /** Between two runs, where the operator does not say. */
  interval_seconds: number;
  /** Between two requests to it. */
  pause_milliseconds: number;
  /** Whether its robots.txt is asked first. */
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
  /** How a hostname is asked for; absent where the source does not know companies by hostname. */
  hostname?(address: string, hostname: string): SourceRequest;
  /** How a search is answered while its caller waits; absent where the source cannot. */
  search?: SourceSearch;
}

/** What a source can add to a search that has found little. */
export interface SourceSearch {
  /** All that its records can be: a search whose filters exclude these does not ask. */
  kinds: readonly Kind[];
  countries: readonly Country[];
  demand_classes: readonly DemandClass[];
  /** The request, or nothing where this plan cannot be put to it. */
  request(address: string, plan: AcquisitionPlan): SourceRequest | undefined;
}

/** What is put to a source: words of the plan, and filters that it may narrow by. */
export interface AcquisitionPlan {
  /** Distinct folded words, in the order of the query. */
  terms: string[];
  /** Hostnames that the filters name. */
  domains: string[];
  occurred_after: string | null;
  now: Date;
  records_max: number;
}
