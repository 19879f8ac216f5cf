/** Orama's table of ids, and one in its place that keeps none. */
import type { AnyOrama } from "@orama/orama";

/** Texts that documents are known by outside, and numbers from 1 on that they have inside. */
export type IdStore = AnyOrama["internalDocumentIDStore"];

/** The number of a document, or nothing. A text that has none gets none. */
export function internalId({ idToInternalId }: IdStore, id: string | number): number | undefined {
  return typeof id === "number" ? id : idToInternalId.get(id);
}

/**
 * Makes ids that are positive integers their own numbers. Orama numbers documents by arrival and
 * keeps both in a map and a list for ever, also of those that were removed.
 */
export function useIntegers(ids: IdStore): void {
  const numbers = { get: numberOf, clear() {} };
  Object.assign(ids, {
    idToInternalId: numbers,
    internalIdToId: new Proxy([], {
      get: (_list, place) =>
        place === "length" ? Number.MAX_SAFE_INTEGER : String(Number(place) + 1),
    }),
    save: () => null,
    load() {},
  });
}

function numberOf(id: string): number {
  const number = Number(id);
  if (Number.isSafeInteger(number) && number > 0 && String(number) === id) return number;
  throw new Error(`the id of a document is no positive integer: ${id}`);
}
