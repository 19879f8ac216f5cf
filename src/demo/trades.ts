import type { Sector } from "../contract/vocabulary.ts";

/** Products, needs and roles that fit each other, for the companies of one trade. */
export interface Trade {
  /**
   * Part of the company's name. It follows the stem (words.ts) in English ("Cedarbrook Orchards"),
   * and precedes the stem in French.
   */
  name: string;
  /** Two products. In French, products, facility and technology have an article. */
  products: readonly [string, string];
  facility: string;
  /** Technology. In English, it is a plural or a mass noun, which needs no article. */
  technology: string;
  /** Goods and services that the companies request from suppliers, without articles. */
  needs: readonly string[];
  roles: readonly string[];
}

/** Trades of each sector. */
export type Trades = Record<Sector, readonly Trade[]>;

/**
 * Reads a table of trades. A trade starts with a line that is not indented. It has the fields
 * name | two products | facility | technology | needs | roles. Semicolons separate the entries of a
 * field.
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
