/** Remembers results until the state that they were found in changes. */

/** Maximum number of results that are remembered: the oldest one is forgotten first. */
const RESULTS_MAX = 256;

/** Results by key, all of one state: a list of all that they depend on, compared by identity. */
export class ResultCache<Result> {
  readonly #read: () => readonly unknown[];
  #state: readonly unknown[] = [];
  readonly #results = new Map<string, Result>();

  /** @param read reads the present state */
  constructor(read: () => readonly unknown[]) {
    this.#read = read;
  }

  /** Returns the result of a key as it was found in the present state, or finds it. */
  async get(key: string, find: () => Promise<Result>): Promise<Result> {
    this.#forgetEarlier();
    const known = this.#results.get(key);
    if (known !== undefined) return known;
    const result = await find();
    // If the state has changed meanwhile, the result may mix both states.
    if (this.#forgetEarlier()) return result;
    const oldest = this.#results.keys().next();
    if (this.#results.size >= RESULTS_MAX) this.#results.delete(oldest.value!);
    this.#results.set(key, result);
    return result;
  }

  /** Forgets the results of an earlier state. @returns whether the state was another one */
  #forgetEarlier(): boolean {
    const state = this.#read();
    const before = this.#state;
    if (state.length === before.length && state.every((one, n) => one === before[n])) return false;
    this.#state = state;
    this.#results.clear();
    return true;
  }
}
