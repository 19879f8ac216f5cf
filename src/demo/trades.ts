import type { Sector } from "../contract/vocabulary.ts";

/** The products, needs and roles of companies of one trade: a bakery sells no batteries. */
export interface Trade {
  /**
   * Part of the company's name: behind the stem in English ("Cedarbrook Orchards"), before it in
   * French.
   */
  name: string;
  /** In French with their article, like facility and technology. */
  products: readonly [string, string];
  facility: string;
  /** In English a plural or a mass noun, which needs no article. */
  technology: string;
  /** Goods and services that they request from suppliers, without article. */
  needs: readonly string[];
  roles: readonly string[];
}

export type Trades = Record<Sector, readonly Trade[]>;

/**
 * Reads a table of trades. A trade starts at the beginning of a line and has the fields name | two
 * products | facility | technology | needs | roles. Semicolons separate the entries of a field.
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
