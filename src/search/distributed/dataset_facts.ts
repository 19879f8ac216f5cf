/**
 * Facts about the whole dataset that a search needs: the frequencies of terms, and the companies
 * whose documents contain a term. The ranking pipeline is synchronous, so it cannot wait for a
 * fact. If a fact is unknown, the pipeline notes it, and continues with an assumed value or stops.
 * All noted facts are then read at once, and the pipeline runs again.
 */
import type { Key } from "../engine/dictionary.ts";
import type { Totals, WholeDataset } from "../engine/scoring.ts";
import { anyOf } from "./conditions_sql.ts";
import { tokenOfKey } from "./encoded_terms.ts";
import type { WholeTables } from "./whole_tables.ts";

/** Error that stops the ranking pipeline, because it cannot continue without a fact. */
export class FactMissing extends Error {
  override name = "FactMissing";

  constructor() {
    super("a fact of the dataset has to be read first");
  }
}

/** Max number of tokens per statement. Longer queries could exhaust the stack of an engine. */
const TOKENS_PER_STATEMENT = 150;

/** Max number of companies that are read per term, such as a name or a hostname. */
const HOLDERS_MAX = 10_000;

/**
 * Max frequency that is replaced by an exact count. Higher frequencies come from the dictionary of
 * the search engine, which also counts replaced and deleted documents until the engine merges its
 * chunks.
 */
const COUNTED_MAX = 200;

interface DatasetFactsOptions {
  engine: WholeTables;
  /** Name of the distributed table. */
  table: string;
  /** Time of the search in microseconds; documents that have expired by then are left out. */
  now: number;
  totals: Totals;
  /** Frequencies of tokens that earlier searches have read in the same state of the tables. */
  frequencies: Map<string, number>;
}

/** Facts of one search. */
export class DatasetFacts implements WholeDataset {
  readonly totals: Totals;
  readonly #options: DatasetFactsOptions;
  readonly #holders = new Map<string, number[]>();
  readonly #missingTokens = new Set<string>();
  readonly #missingHolders = new Set<string>();

  constructor(options: DatasetFactsOptions) {
    this.#options = options;
    this.totals = options.totals;
  }

  /** True if the pipeline has asked for unknown facts. */
  get isMissing(): boolean {
    return this.#missingTokens.size > 0 || this.#missingHolders.size > 0;
  }

  /** Returns the number of documents with a term; `otherwise` if it has not been read yet. */
  frequency(key: Key, otherwise = 0): number {
    const token = tokenOfKey(key);
    const known = this.#options.frequencies.get(token);
    if (known === undefined) this.#missingTokens.add(token);
    return known ?? otherwise;
  }

  /** Returns the companies of the documents with a term. @throws FactMissing if they are unknown */
  companiesHolding(key: Key): readonly number[] {
    const token = tokenOfKey(key);
    const known = this.#holders.get(token);
    if (known !== undefined) return known;
    this.#missingHolders.add(token);
    throw new FactMissing();
  }

  /** Reads all missing facts. */
  async read(): Promise<void> {
    await Promise.all([this.#readFrequencies(), this.#readHolders()]);
  }

  async #readFrequencies(): Promise<void> {
    const tokens = [...this.#missingTokens];
    if (tokens.length === 0) return;
    const { engine, table, frequencies, now } = this.#options;
    const statements = chunksOf(tokens, TOKENS_PER_STATEMENT).map((chunk) =>
      `SELECT id FROM ${table} WHERE MATCH('${anyOf(chunk)}') LIMIT 1 ` +
      "OPTION ranker=none, max_matches=1, cutoff=1"
    );
    const read = new Map<string, number>(tokens.map((token) => [token, 0]));
    for (const answer of await engine.search(statements)) {
      for (const [token, frequency] of answer.frequencies) read.set(token, frequency);
    }
    const rare = tokens.filter((token) => read.get(token)! > 0 && read.get(token)! <= COUNTED_MAX);
    const counts = rare.map((token) =>
      `SELECT COUNT(*) AS documents FROM ${table} WHERE MATCH('${token}') AND expires_at > ${now} ` +
      "OPTION ranker=none"
    );
    if (counts.length > 0) {
      (await engine.search(counts)).forEach(({ rows }, place) =>
        read.set(rare[place]!, Number(rows[0]?.documents ?? 0))
      );
    }
    for (const [token, frequency] of read) frequencies.set(token, frequency);
    this.#missingTokens.clear();
  }

  async #readHolders(): Promise<void> {
    const tokens = [...this.#missingHolders];
    if (tokens.length === 0) return;
    const { engine, table, now } = this.#options;
    const answers = await engine.search(
      tokens.map((token) =>
        `SELECT company_id FROM ${table} WHERE MATCH('${token}') AND expires_at > ${now} ` +
        `GROUP BY company_id ORDER BY company_id ASC LIMIT ${HOLDERS_MAX} ` +
        `OPTION ranker=none, max_matches=${HOLDERS_MAX}`
      ),
    );
    answers.forEach(({ rows }, place) =>
      this.#holders.set(tokens[place]!, rows.map((row) => Number(row.company_id)))
    );
    this.#missingHolders.clear();
  }
}

function chunksOf<Value>(values: readonly Value[], size: number): Value[][] {
  return Array.from(
    { length: Math.ceil(values.length / size) },
    (_, n) => values.slice(n * size, (n + 1) * size),
  );
}
