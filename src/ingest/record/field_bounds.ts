/** Limits of the fields of one record. They bound the time that the many masking patterns take. */

/** Max length of a field that is not a description, in UTF-16 units. */
export const FIELD_CHARACTERS = 1_000;

/** Max number of elements of a list. */
export const LIST_ELEMENTS = 200;

/**
 * Max bytes of a JSON element, which bounds its time on the event loop. Real elements have up to
 * 20,000.
 */
export const ELEMENT_BYTES = 65_536;

/**
 * Returns the reason why a value exceeds the bounds, with the name of the field, or undefined if it
 * is within the bounds. Descriptions may be as long as the record.
 *
 * @param value fields of one record, as far as they are read
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
