/**
 * Converts instants to microseconds since 1970, which are exact from 1684 to 2255. Instants beyond
 * are rounded, but keep their order.
 */

/** Converts an instant in the form of contract/instant.ts to microseconds since 1970. */
export function microsecondsOf(instant: string): number {
  return Date.parse(`${instant.slice(0, 23)}Z`) * 1000 + Number(instant.slice(23, 26));
}

/** Formats microseconds in the form of contract/instant.ts; null if they are not finite. */
export function instantAt(microseconds: number): string | null {
  if (!Number.isFinite(microseconds)) return null;
  const milliseconds = Math.floor(microseconds / 1000);
  const rest = String(microseconds - 1000 * milliseconds).padStart(3, "0");
  return `${new Date(milliseconds).toISOString().slice(0, 23)}${rest}Z`;
}
