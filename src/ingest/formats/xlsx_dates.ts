/** Recognizes and reads dates in cells of workbooks, which are numbers with a format. */

/**
 * Numbers of built-in formats with a date (ECMA-376, part 1, section 18.8.30). Formats of times
 * alone are not among them.
 */
const BUILT_IN_DATES = "14 15 16 17 22 27 28 29 30 31 36 50 51 52 53 54 57 58".split(" ");

/** Matches the parts of a format that are shown as they are, and colours and locales. */
const LITERALS = /"[^"]*"|\\.|_.|\*.|\[[^[\]]*\]/g;

/** Returns whether a format shows the day or the year of a date. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return BUILT_IN_DATES.includes(`${id}`);
  return /[dy]/i.test(code.replace(LITERALS, ""));
}

const DAY_MILLISECONDS = 86_400_000;
const START_1904 = Date.UTC(1904, 0, 1);
/** The day before day 1, which is 1 January 1900. */
const START_1900 = Date.UTC(1899, 11, 31);
/** The number of 29 February 1900, a day that there was not. Later days are shifted by one. */
const LEAP_DAY_1900 = 60;
/** The number of 31 December 9999. */
const LAST_DAY = 2_958_465;

/**
 * Returns the local date of a number ("2026-11-03"), with its time ("2026-11-03 14:30:00") unless
 * that is midnight. Returns undefined if the number is no date.
 */
export function dateOfNumber(number: number, { is1904 }: { is1904: boolean }): string | undefined {
  if (number < 0 || number > LAST_DAY + 1) return undefined;
  const isShifted = !is1904 && number >= LEAP_DAY_1900;
  const seconds = Math.round((number - (isShifted ? 1 : 0)) * 86_400);
  const start = is1904 ? START_1904 : START_1900;
  const text = new Date(start + seconds * 1_000).toISOString().replace("T", " ").slice(0, 19);
  return seconds * 1_000 % DAY_MILLISECONDS === 0 ? text.slice(0, 10) : text;
}
