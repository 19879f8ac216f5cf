/** Encodes observations as rows of a search engine's tables. */
import { COUNTRIES, DEMAND_CLASSES, KINDS } from "../../contract/vocabulary.ts";
import type { ObservationDocument } from "../index/document.ts";
import { AnalyzedFields } from "../engine/analyzed_fields.ts";
import { startOfTerm, TermTable, textOfBytes } from "../engine/dictionary.ts";
import { microsecondsOf } from "../index/instants.ts";
import { roundToMinute } from "../engine/layout.ts";
import { OBSERVATION_FIELDS } from "../index/mapping.ts";
import { ANALYZER } from "../engine/text.ts";
import { LANGUAGES } from "../engine/words.ts";
import { tokenOf, tokenOfFacet, tokenOfHostname } from "./encoded_terms.ts";
import {
  ATTRIBUTES,
  FIELDS,
  NEVER_AFTER,
  NEVER_BEFORE,
  TEXT_FIELDS,
  UNKNOWN_AMOUNT,
} from "./table_schema.ts";

/** Names of the columns of a row, in the order of `rowOf`. */
const ROW_COLUMNS = `id,${FIELDS.join()},${Object.keys(ATTRIBUTES).join()}`;

/** Max number of characters per statement. By default, engines refuse packets above 8 MB. */
const STATEMENT_LENGTH_MAX = 2_000_000;

/** Max number of cached tokens, which take about ten megabytes. */
const TOKENS_MAX = 120_000;

/** Encodes rows, one document at a time. The text is analyzed as in the index in memory. */
export class RowWriter {
  readonly #analyzed = new AnalyzedFields(Object.values(OBSERVATION_FIELDS));
  #table = new TermTable();
  /** Token of each term of the table. */
  #tokens: string[] = [];

  /** Returns a row in parentheses for a REPLACE statement. */
  rowOf(document: ObservationDocument): string {
    if (this.#tokens.length > TOKENS_MAX) {
      this.#table = new TermTable();
      this.#tokens = [];
    }
    this.#analyzed.read(TEXT_FIELDS.map((name) => document.text[name]));
    const fields = [
      ...TEXT_FIELDS.map((_, field) => this.#tokensOf(field)),
      [...new Set(document.facets)].map(tokenOfFacet).join(" "),
      [...new Set(document.hostnames)].map(tokenOfHostname).join(" "),
    ];
    const { occurred_at, observed_at, expires_at, closes_at, amount } = document;
    const closes = closes_at === null ? NaN : roundToMinute(microsecondsOf(closes_at));
    const attributes: Record<keyof typeof ATTRIBUTES, string | number> = {
      company_id: document.company_id,
      country: COUNTRIES.indexOf(document.country),
      kind: KINDS.indexOf(document.kind),
      demand_class: DEMAND_CLASSES.indexOf(document.demand_class),
      occurred_at: occurred_at === null ? NEVER_BEFORE : microsecondsOf(occurred_at),
      observed_at: microsecondsOf(observed_at),
      expires_at: expires_at === null ? NEVER_AFTER : microsecondsOf(expires_at),
      closes_at: Number.isNaN(closes) ? NEVER_BEFORE : closes,
      amount: amount === null ? UNKNOWN_AMOUNT : decimalOf(Math.fround(amount)),
      sectors: document.sectors,
    };
    const values = Object.keys(ATTRIBUTES).map((name) =>
      attributes[name as keyof typeof ATTRIBUTES]
    );
    // Tokens contain no characters that need escaping.
    const texts = fields.map((text) => `'${text}'`);
    return `(${document.observation_id},${texts.join()},${values.join()})`;
  }

  /** Returns the tokens of a field in the order of its words. */
  #tokensOf(field: number): string {
    const { words, wordTable } = ANALYZER;
    const tokens: string[] = [];
    for (const { analysis: { from, to }, space } of this.#analyzed.textsOf(field)) {
      for (let at = from; at < to; at++) {
        const term = wordTable.term(words[at]! * LANGUAGES.length + space, this.#table);
        tokens.push(this.#tokens[term] ??= this.#read(term));
      }
    }
    return tokens.join(" ");
  }

  #read(term: number): string {
    const { termBytes } = this.#table;
    const start = startOfTerm(this.#table, term);
    const text = textOfBytes(termBytes, start + 1, startOfTerm(this.#table, term + 1));
    return tokenOf(termBytes[start]!, text);
  }
}

/** Formats a number of single precision as a decimal that reads back as the same number. */
export function decimalOf(amount: number): string {
  return Number.isInteger(amount) ? `${BigInt(amount)}.0` : amount.toFixed(20);
}

/** Returns the statements that write rows, each below the length limit of engines. */
export function replaceStatements(table: string, values: readonly string[]): string[] {
  const statements: string[] = [];
  let from = 0;
  let length = 0;
  for (let at = 0; at <= values.length; at++) {
    const next = values[at]?.length ?? Infinity;
    if (at > from && length + next > STATEMENT_LENGTH_MAX) {
      statements.push(
        `REPLACE INTO ${table} (${ROW_COLUMNS}) VALUES ${values.slice(from, at).join()}`,
      );
      from = at;
      length = 0;
    }
    length += next;
  }
  return statements;
}
