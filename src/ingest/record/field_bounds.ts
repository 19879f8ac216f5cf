/** Limits of the fields of one record. They bound the time that the many patterns take. */

/** Maximum length of a field that is no description, in UTF-16 units. */
export const FIELD_CHARACTERS = 1_000;

/** Maximum number of elements of a list. */
export const LIST_ELEMENTS = 200;

/**
 * Maximum bytes of a JSON element, which bounds the time on the event loop. Real ones have up to
 * 20,000.
 */
export const ELEMENT_BYTES = 65_536;

/**
 * Returns why a value is beyond the bounds, naming the field, or undefined if it is within them.
 * Descriptions may be as long as the record.
 *
 * @param value the fields that are read of one record
 * @param descriptions names of members with descriptions, at any depth
 */
export function faultOfBounds(
  value: unknown,
  { descriptions, path = "" }: { descriptions: readonly string[]; path?: string },
): string | undefined {
  if (typeof value === "string") {
    return value.length > FIELD_CHARACTERS
      ? `${path}: has more than ${FIELD_CHARACTERS} characters`
      : undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value) && value.length > LIST_ELEMENTS) {
    return `${path}: has more than ${LIST_ELEMENTS} elements`;
  }
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === "string" && descriptions.includes(name)) continue;
    const memberPath = path === "" ? name : `${path}.${name}`;
    const fault = faultOfBounds(member, { descriptions, path: memberPath });
    if (fault !== undefined) return fault;
  }
  return undefined;
}
