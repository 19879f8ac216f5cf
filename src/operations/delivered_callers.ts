import type { Caller } from "./action.ts";

/** Max number of callers: about 1 MB. */
const CALLERS_MAX = 10_000;

/** Bounded set of callers whose last request was delivered. The oldest entry is dropped first. */
export class DeliveredCallers {
  readonly #hashes = new Set<string>();

  has({ key_hash }: Caller): boolean {
    return this.#hashes.has(key_hash.toHex());
  }

  add({ key_hash }: Caller): void {
    this.#hashes.add(key_hash.toHex());
    if (this.#hashes.size > CALLERS_MAX) this.#hashes.delete(this.#hashes.values().next().value!);
  }

  delete({ key_hash }: Caller): void {
    this.#hashes.delete(key_hash.toHex());
  }
}
