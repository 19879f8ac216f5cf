/**
 * Invented companies and observations. Each is computed from its number, so that every run has the
 * same ones. Each of their words begins with zq.
 */
import type { Sql } from "../../src/db/connect.ts";
import type { SourceRecord } from "../../src/contract/record.ts";
import { KINDS, SECTOR_CODES } from "../../src/contract/vocabulary.ts";
import { createChoose } from "../../src/demo/random.ts";
import { normalizeRecord } from "../../src/ingest/record/normalize.ts";
import { recordObservations } from "../../src/ingest/record/pipeline.ts";

const SYLLABLES = ["ba", "de", "fi", "go", "ku", "la", "me", "ni", "po", "ru", "sa", "te", "vo"];
const DAY_MILLISECONDS = 86_400_000;
const FIRST_DAY = Date.UTC(2026, 0, 1);

/** Number of distinct words of the dataset. */
const VOCABULARY_SIZE = 3_000;
/** Number of observations per company. */
const OBSERVATIONS_PER_COMPANY = 4;

/** Returns the word with this number. It begins with zq, by which it is found in logs. */
export function word(number: number): string {
  let text = "zq";
  for (let rest = number + 1_000; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    text += SYLLABLES[rest % SYLLABLES.length];
  }
  return text;
}

/** Returns a random word, distributed as in running text: low numbers are far more frequent. */
export function frequentWord(choose: { integer(min: number, max: number): number }): string {
  const share = choose.integer(0, 999_999) / 1_000_000;
  return word(Math.floor(VOCABULARY_SIZE ** share) - 1);
}

/** Returns the hostname of a company. */
export function hostnameOf(company: number): string {
  return `${word(company)}-${company}.example`;
}

/** Returns the number of the company that an observation is about. */
export function companyOf(observation: number): number {
  return Math.floor(observation / OBSERVATIONS_PER_COMPANY);
}

/**
 * Returns the record with this number. A revision has the same identity and company, but other
 * texts, dates and categories.
 */
export function inventRecord(number: number, revision = 0, source = "invented"): SourceRecord {
  const choose = createChoose(number * 31 + revision + source.length);
  const company = companyOf(number);
  const words = (count: number) =>
    Array.from({ length: count }, () => frequentWord(choose)).join(" ");
  const day = FIRST_DAY + choose.integer(0, 300) * DAY_MILLISECONDS;
  const occurred_at = new Date(day).toISOString();
  const observed_at = new Date(day + DAY_MILLISECONDS).toISOString();
  return {
    source,
    external_id: `${source}-${number}`,
    company: {
      name: `${word(company)} ${word(company + 7)} ${company}`,
      domains: [hostnameOf(company)],
    },
    kind: KINDS[number % KINDS.length]!,
    observed_fact: `${words(14)}.`,
    why_it_may_matter: `${words(8)}.`,
    demand_class: choose.from(["explicit_request", "proxy", "structural"] as const),
    country: choose.from(["CA", "US"] as const),
    confidence: 0.8,
    occurred_at,
    observed_at,
    expires_at: null,
    categories: [choose.from(SECTOR_CODES)],
    evidence: [{
      source_uri: `https://news.example/${source}/${number}`,
      excerpt: `${words(30)}.`,
      occurred_at,
      observed_at,
    }],
  };
}

/** Records all records in one statement. Resolves when all of them are stored. */
export async function recordAll(sql: Sql, records: readonly SourceRecord[]): Promise<void> {
  await recordObservations(
    sql,
    records.map((record) => {
      const judged = normalizeRecord(record);
      if ("reason" in judged) throw new Error(judged.reason);
      return judged.record;
    }),
  );
}

/** Records observations `first` up to, but not including, `end`, in batches. */
export async function fillDataset(sql: Sql, first: number, end: number): Promise<void> {
  const BATCH = 1_000;
  for (let from = first; from < end; from += BATCH) {
    const count = Math.min(BATCH, end - from);
    await recordAll(sql, Array.from({ length: count }, (_, n) => inventRecord(from + n)));
  }
}
