/** Defines where a search gets its records from. */
import type { Records } from "./index/records.ts";
import type { RecordFilters } from "./match/criteria.ts";
import type { IndexedWords, Question } from "./question/question.ts";

/** A search for records. */
export interface RecordRequest {
  /** Reads the query with what is known of the words of the records. */
  read(words: IndexedWords): Question;
  filters: RecordFilters;
}

/** A question as read, the records to match, and the filters that remain. */
export interface RecordAnswer {
  question: Question;
  records: Records;
  filters: RecordFilters;
}

/** Records of the dataset, at least those that can be among the best of a question. */
export interface RecordSource {
  /** State of the index for monitoring. */
  readonly state: {
    /** Number of observations that can be found. */
    documents: number;
    /** Number of bytes in memory. */
    bytes: number;
    /** Seconds since the index last contained all changes of the dataset, or since its start. */
    lag_seconds: number;
    /** Completed share of a build, from 0 to 1; absent if none is under way. */
    progress?: number;
  };
  /** True once the dataset has been loaded. */
  readonly ready: boolean;
  /** Reason why searches fail at present; absent if they do not fail. */
  readonly obstacle?: string;
  /**
   * Database's time of the last request for changes, in the form of contract/instant.ts. All
   * replicas share this clock.
   *
   * @throws Failure retrieval_unavailable before the dataset is loaded
   */
  readonly now: string;
  /** @throws Failure retrieval_unavailable if the records cannot be read */
  ask(request: RecordRequest): Promise<RecordAnswer>;
  /** Follows the dataset, whatever fails. Resolves when searches are possible, or at close(). */
  start(): Promise<void>;
  /** Resolves when searches find all that is committed. @throws any error of the database */
  refresh(): Promise<void>;
  /** Stops following. The loaded dataset can still be searched. */
  close(): Promise<void>;
}
