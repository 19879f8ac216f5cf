/** Counts the reasons why records were not recorded. */
import { escapeControls } from "../../contract/control_characters.ts";

/** A reason and its number of records. */
export interface CountedReason {
  reason: string;
  count: number;
}

/** Max number of distinct reasons. It bounds memory. The number is chosen. */
const DISTINCT_MAX = 1_000;
/** Reason under which further distinct reasons are counted. */
const ANOTHER_REASON = "another reason";

/** Counts reasons. */
export class Reasons {
  readonly #counts = new Map<string, number>();

  /**
   * Counts one record. After DISTINCT_MAX distinct reasons, a new reason counts as ANOTHER_REASON.
   */
  add(reason: string): void {
    // A reason can quote a text of the record, and is printed as one line.
    const line = escapeControls(reason);
    const full = this.#counts.size >= DISTINCT_MAX && !this.#counts.has(line);
    const counted = full ? ANOTHER_REASON : line;
    this.#counts.set(counted, (this.#counts.get(counted) ?? 0) + 1);
  }

  /** Returns the reasons, the most frequent first. */
  list(): CountedReason[] {
    return [...this.#counts]
      .map(([reason, count]) => ({ reason, count }))
      .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
  }
}

/** Max number of reasons that are shown. The number is chosen: a screen of lines. */
const SHOWN_MAX = 20;

/**
 * Returns the most frequent reasons, and all others as one. `reasons` must be sorted by frequency.
 */
export function foremostReasons(reasons: readonly CountedReason[]): CountedReason[] {
  const rest = reasons.slice(SHOWN_MAX);
  if (rest.length < 2) return [...reasons];
  const count = rest.reduce((sum, one) => sum + one.count, 0);
  return [...reasons.slice(0, SHOWN_MAX), { reason: `${rest.length} other reasons`, count }];
}
