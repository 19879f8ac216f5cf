import type { Sector } from "../contract/vocabulary.ts";

/**
 * Products, needs and roles of the invented companies of one name. All of it fits the name: a
 * bakery sells no batteries.
 */
export interface Trade {
  /** Follows the stem in English ("Cedarbrook Orchards"), goes before it in French. */
  name: string;
  /** Two; in French with their article, like facility and technology. */
  products: readonly [string, string];
  facility: string;
  /** A plural or a mass noun, so that it stands without article in English. */
  technology: string;
  /** Goods and services that they request from suppliers; without article in both languages. */
  needs: readonly string[];
  roles: readonly string[];
}

export type Trades = Record<Sector, readonly Trade[]>;

/**
 * Reads a table: a trade starts at the beginning of a line, its fields are parted by bars, their
 * entries by semicolons: name | two products | facility | technology | needs | roles.
 */
export function trades(table: string): Trade[] {
  return table.trim().split(/\n(?=\S)/).map((entry) => {
    const fields = entry.split("|").map((field) => field.trim().replace(/\s+/g, " "));
    const [name, products, facility, technology, needs, roles] = fields;
    const [product, second_product, ...others] = products?.split("; ") ?? [];
    if (!name || !product || !second_product || others.length > 0 || !roles || fields.length > 6) {
      throw new Error(`not a trade: ${entry}`);
    }
    return {
      name,
      products: [product, second_product],
      facility: facility!,
      technology: technology!,
      needs: needs!.split("; "),
      roles: roles.split("; "),
    };
  });
}
