/** Defines the findings of `doctor`. */

/** Result of one check. */
export interface Finding {
  /** Name of the check, such as `disk`. */
  check: string;
  /** Urgency: a `fault` needs an operator at once, a `warning` will need one later. */
  level: "ok" | "warning" | "fault";
  /** The finding in one sentence. */
  message: string;
  /** Advice for the operator. */
  remedy?: string;
}

/** Returns the finding of a check without problems. */
export function ok(check: string, message: string): Finding {
  return { check, level: "ok", message };
}

/** Returns the finding of a problem that will need an operator. */
export function warning(check: string, message: string, remedy: string): Finding {
  return { check, level: "warning", message, remedy };
}

/** Returns the finding of a problem that needs an operator now. */
export function fault(check: string, message: string, remedy: string): Finding {
  return { check, level: "fault", message, remedy };
}
