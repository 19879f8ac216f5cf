/** Choices that come out the same for the same seed. */
export interface Choose {
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  from<Item>(items: readonly Item[]): Item;
  /** The items in another order. */
  shuffled<Item>(items: readonly Item[]): Item[];
}

/** mulberry32 by Tommy Ettinger (public domain): 32 bits of state are plenty for sample data. */
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
