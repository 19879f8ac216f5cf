/** Findings of `doctor`. */

/** Result of one check. */
export interface Finding {
  /** Name of the check, such as `disk`. */
  check: string;
  /** A `fault` needs somebody now; a `warning` will. */
  level: "ok" | "warning" | "fault";
  /** The finding in one sentence. */
  message: string;
  /** Advice for the operator. */
  remedy?: string;
}

/** Says that a check found nothing wrong. */
export function ok(check: string, message: string): Finding {
  return { check, level: "ok", message };
}

/** Says that something will need somebody. */
export function warning(check: string, message: string, remedy: string): Finding {
  return { check, level: "warning", message, remedy };
}

/** Says that something needs somebody now. */
export function fault(check: string, message: string, remedy: string): Finding {
  return { check, level: "fault", message, remedy };
}
