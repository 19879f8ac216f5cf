/** What went wrong with a refresh, as an operator is told. */
import { UnreadableSource } from "../entry.ts";
import { FetchFailure } from "../fetch/fetcher.ts";

export interface Fault {
  /** In words that hold nothing of what was asked or answered. */
  error: string;
  /** Not before. */
  retry_at?: Date;
  /** Whether the same request may succeed later. */
  passing: boolean;
  /** Whether it is ours, and no fault of the source. */
  defect: boolean;
}

export function faultOf(error: unknown): Fault {
  if (error instanceof FetchFailure) {
    const { message, retry_at, passing } = error;
    return { error: message, retry_at, passing, defect: false };
  }
  if (error instanceof UnreadableSource) {
    return { error: `unreadable: ${error.message}`, passing: false, defect: false };
  }
  const name = error instanceof Error ? error.name : typeof error;
  return { error: `a defect, see the log: ${name}`, passing: false, defect: true };
}
