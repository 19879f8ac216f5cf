/** Describes failures of a refresh to the operator. */
import { UnreadableSource } from "../record/entry.ts";
import { FetchFailure } from "../fetch/fetcher.ts";
import { MappingFault } from "../mapping/mapping.ts";

/** A failure of a refresh. */
export interface RefreshFault {
  /** The error in words. It contains no path, query, header or body. */
  error: string;
  /** Earliest instant of a retry. */
  retry_at?: Date;
  /** True if the same request may succeed later. The run then continues at its checkpoint. */
  temporary: boolean;
  /** True if the fault is in this program, not in the source. */
  defect: boolean;
}

/** Classifies an error of a refresh. */
export function faultOf(error: unknown): RefreshFault {
  if (error instanceof FetchFailure) {
    const { message, retry_at, temporary } = error;
    return { error: message, retry_at, temporary, defect: false };
  }
  if (error instanceof UnreadableSource) {
    return { error: `unreadable: ${error.message}`, temporary: false, defect: false };
  }
  if (error instanceof MappingFault) {
    return { error: error.message, temporary: false, defect: false };
  }
  const name = error instanceof Error ? error.name : typeof error;
  return { error: `a defect, see the log: ${name}`, temporary: false, defect: true };
}
