import type { Caller } from "./action.ts";

/** Max number of remembered callers: about 1 MB. */
const CALLERS_MAX = 10_000;

/** Max number of early searches of a caller at a time: searches that run before their claim. */
export const EARLY_MAX = 16;

/**
 * Callers whose last answered request was a new delivery. Only their searches are performed before
 * the claim. If the claim then finds a replay or a refusal, the search was wasted, so the caller's
 * next request is claimed first. The number of callers is bounded. The oldest caller is dropped
 * first.
 */
export class DeliveredCallers {
  /** Number of early searches under way of each caller, by the key's hash. */
  readonly #underWay = new Map<string, number>();

  /** Counts an early search. @returns false, without counting, if the caller may not start one */
  start(caller: Caller): boolean {
    const hash = caller.key_hash.toHex();
    const underWay = this.#underWay.get(hash);
    if (underWay === undefined || underWay >= EARLY_MAX) return false;
    this.#underWay.set(hash, underWay + 1);
    return true;
  }

  /** Counts the end of an early search. */
  end(caller: Caller): void {
    const hash = caller.key_hash.toHex();
    const underWay = this.#underWay.get(hash);
    // The caller may have been dropped meanwhile.
    if (underWay) this.#underWay.set(hash, underWay - 1);
  }

  /** Records how a request was answered. */
  record(caller: Caller, isDelivery: boolean): void {
    const hash = caller.key_hash.toHex();
    if (!isDelivery) this.#underWay.delete(hash);
    else if (!this.#underWay.has(hash)) {
      this.#underWay.set(hash, 0);
      if (this.#underWay.size > CALLERS_MAX) {
        this.#underWay.delete(this.#underWay.keys().next().value!);
      }
    }
  }
}
