/** Reads the header Retry-After in answers of other services. */

/**
 * Max number of seconds that one answer can delay the next request. A day is chosen: a source is
 * asked again after it, whatever its header says.
 */
const RETRY_AFTER_SECONDS_MAX = 86_400;

/**
 * Reads a Retry-After header: seconds or a date (RFC 9110, 10.2.3).
 * @returns undefined for a time that is over, and for any other text
 */
export function readRetryAfter(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return;
  const at = /^[0-9]+$/.test(text) ? now.getTime() + Number(text) * 1_000 : Date.parse(text);
  if (!(at > now.getTime())) return;
  return new Date(Math.min(at, now.getTime() + RETRY_AFTER_SECONDS_MAX * 1_000));
}
