/** Makes random choices. The same seed gives the same choices. */
export interface Choose {
  /** Returns a whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  /** Returns one of the items. */
  from<Item>(items: readonly Item[]): Item;
  /** Returns the items in random order. */
  shuffled<Item>(items: readonly Item[]): Item[];
}

/** Creates a generator: mulberry32 by Tommy Ettinger (public domain), with 32 bits of state. */
export function createChoose(seed: number): Choose {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    integer,
    from: (items) => items[integer(0, items.length - 1)]!,
    shuffled(items) {
      const order = [...items];
      for (let i = order.length - 1; i > 0; i--) {
        const j = integer(0, i);
        [order[i], order[j]] = [order[j]!, order[i]!];
      }
      return order;
    },
  };
}
