/** Defines where a search gets its records from. */
import type { Records } from "./index/records.ts";
import type { RecordFilters } from "./match/criteria.ts";
import type { Question } from "./question/question.ts";

/** State of the index for monitoring. */
export interface ServingState {
  /** Number of observations that can be found. */
  documents: number;
  /** Number of bytes in memory. */
  bytes: number;
  /** Seconds since the index last contained all changes of the dataset, or since its start. */
  lag_seconds: number;
  /** Completed share of a build, from 0 to 1; absent if none is under way. */
  progress?: number;
}

/** A query to read, and the filters of its search. */
export interface RecordRequest {
  query: string;
  /** Moment to which times in the query are relative. */
  now: Date;
  filters: RecordFilters;
  /** Changes the question after it has been read. */
  change(question: Question): Question;
}

/** A question as read with the words of the records, and the records to match. */
export interface RecordAnswer {
  question: Question;
  /** Returns the records at this moment. An index in memory replaces them with each change. */
  records(): Records;
  filters: RecordFilters;
}

/** Records of the dataset, at least those that can be among the best of a question. */
export interface RecordSource {
  readonly state: ServingState;
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
