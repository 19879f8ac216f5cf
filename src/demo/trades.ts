/**
 * Reads the trades of the demo, trades.tsv. Each line has a language, a sector and the members of a
 * Trade in their order. Semicolons separate the entries of a list.
 */
import type { Sector } from "../contract/vocabulary.ts";
import type { DemoLanguage } from "./texts.ts";
import table from "./trades.tsv" with { type: "text" };

/** Products, needs and roles that fit each other, for the companies of one trade. */
export interface Trade {
  /**
   * Part of the company's name. It follows the stem in English ("Cedarbrook Orchards"), and
   * precedes the stem in French.
   */
  name: string;
  /** Two products. In French, products, facility and technology have an article. */
  products: readonly string[];
  facility: string;
  /** Technology. In English, it is a plural or a mass noun, which needs no article. */
  technology: string;
  /** Goods and services that the companies request from suppliers, without articles. */
  needs: readonly string[];
  roles: readonly string[];
}

const ROWS = table.split("\n").map((line) => line.split("\t"));

/** Returns the trades of a sector: three in French, and three or more in English. */
export function tradesOf(language: DemoLanguage, sector: Sector): Trade[] {
  return ROWS.filter((row) => row[0] === language && row[1] === sector).map((row) => {
    const [name = "", products = "", facility = "", technology = "", needs = "", roles = ""] = row
      .slice(2);
    return {
      name,
      products: products.split("; "),
      facility,
      technology,
      needs: needs.split("; "),
      roles: roles.split("; "),
    };
  });
}
