import { createHash } from "node:crypto";
import type { SourceRecord } from "../contract/record.ts";
import { describeFaults, RECORD_LIMITS, SourceRecord as Schema } from "../contract/record.ts";
import { normalizeHostname } from "../dataset/hostname.ts";
import { cleanLine, cleanParagraphs, cutAtWord, hasUnsafeCharacter } from "./text.ts";

/** A record as record_observations() takes it: checked, cleaned, bounded, with all times in UTC. */
export interface NormalRecord {
  source: string;
  external_id: string;
  /** SHA-256 in hex of everything below: equal for equal content, whenever it was read. */
  content_hash: string;
  company_name: string;
  /** What two spellings of a name in one source have in common. */
  normalized_name: string;
  company_external_id: string | null;
  hostnames: string[];
  kind: string;
  observed_fact: string;
  why_it_may_matter: string;
  demand_class: string;
  country: string;
  confidence: number;
  occurred_at: string | null;
  observed_at: string;
  expires_at: string | null;
  categories: string[];
  evidence: {
    source_uri: string;
    excerpt: string;
    occurred_at: string | null;
    observed_at: string;
  }[];
}

/** A record that can go in, or why not, naming the field. */
export type Judged = { record: NormalRecord } | { reason: string };

/** Checks, cleans and bounds one record. */
export function normalizeRecord(raw: unknown): Judged {
  const parsed = Schema.safeParse(raw);
  if (!parsed.success) return { reason: describeFaults(parsed.error) };
  try {
    return { record: normalize(parsed.data) };
  } catch (error) {
    if (error instanceof Fault) return { reason: error.message };
    throw error;
  }
}

/** Lower case, compatibility forms and punctuation folded: "ACME, Inc." and "Acme Inc" are one. */
export function normalizeName(name: string): string {
  const folded = name.normalize("NFKC").toLowerCase();
  const words = folded.replace(/[^\p{L}\p{M}\p{N}&+]+/gu, " ").trim();
  // Compatibility forms can be many times as long, and an index entry has its limits.
  return (words === "" ? folded : words).slice(0, RECORD_LIMITS.name_characters);
}

class Fault extends Error {}

function normalize(raw: SourceRecord): NormalRecord {
  const companyName = cutAtWord(
    line(raw.company.name, "company.name"),
    RECORD_LIMITS.name_characters,
  );
  const occurredAt = instantOrNull(raw.occurred_at, "occurred_at");
  const observedAt = instant(raw.observed_at, "observed_at");
  const content = {
    company_name: companyName,
    normalized_name: normalizeName(companyName),
    company_external_id: raw.company.external_id == null
      ? null
      : identifier(raw.company.external_id, "company.external_id"),
    hostnames: distinct((raw.company.domains ?? []).map(hostname)),
    kind: raw.kind,
    observed_fact: bounded(raw.observed_fact, "observed_fact", RECORD_LIMITS.fact_characters),
    why_it_may_matter: bounded(
      raw.why_it_may_matter,
      "why_it_may_matter",
      RECORD_LIMITS.why_characters,
    ),
    demand_class: raw.demand_class,
    country: raw.country,
    confidence: raw.confidence,
    occurred_at: occurredAt,
    observed_at: observedAt,
    expires_at: instantOrNull(raw.expires_at, "expires_at"),
    categories: distinct(raw.categories ?? []),
    evidence: raw.evidence.map((evidence, index) => {
      const field = `evidence.${index}`;
      return {
        source_uri: webAddress(evidence.source_uri, `${field}.source_uri`),
        excerpt: excerpt(evidence.excerpt, `${field}.excerpt`),
        occurred_at: evidence.occurred_at === undefined
          ? occurredAt
          : instantOrNull(evidence.occurred_at, `${field}.occurred_at`),
        observed_at: evidence.observed_at == null
          ? observedAt
          : instant(evidence.observed_at, `${field}.observed_at`),
      };
    }),
  };
  return {
    source: raw.source,
    external_id: identifier(raw.external_id, "external_id"),
    content_hash: createHash("sha256").update(JSON.stringify(content)).digest("hex"),
    ...content,
  };
}

function line(text: string, field: string): string {
  const clean = cleanLine(text);
  if (clean === "") throw new Fault(`${field}: is empty`);
  return clean;
}

function bounded(text: string, field: string, most: number): string {
  return cutAtWord(line(text, field), most);
}

function excerpt(text: string, field: string): string {
  const clean = cleanParagraphs(text);
  if (clean === "") throw new Fault(`${field}: is empty`);
  return cutAtWord(clean, RECORD_LIMITS.excerpt_characters);
}

/** Identifiers are compared, so they are never changed: what would have to be cleaned is refused. */
function identifier(text: string, field: string): string {
  if (hasUnsafeCharacter(text) || text.trim() !== text) {
    throw new Fault(`${field}: holds control or hidden characters, or white space at an end`);
  }
  return text;
}

function hostname(text: string, index: number): string {
  const name = hasUnsafeCharacter(text) ? undefined : normalizeHostname(text);
  if (name === undefined) throw new Fault(`company.domains.${index}: is not a hostname`);
  return name;
}

/** Kept as it is written: withdrawal by address must find what a reader saw. */
function webAddress(text: string, field: string): string {
  if (hasUnsafeCharacter(text) || /\s/.test(text) || !/^https?:\/\/[^/]/i.test(text)) {
    throw new Fault(`${field}: is not an http or https address`);
  }
  if (!URL.canParse(text)) throw new Fault(`${field}: is not a valid address`);
  return text;
}

/** Beyond these years a time is a typing error (and PostgreSQL has no year 0). */
const EARLIEST = Date.UTC(1900, 0, 1);
const LATEST = Date.UTC(2200, 0, 1);

function instant(text: string, field: string): string {
  const date = new Date(text);
  const time = date.getTime();
  // The comparison is false for an invalid date as well.
  if (!(time >= EARLIEST && time < LATEST)) {
    throw new Fault(`${field}: must lie between the years 1900 and 2200`);
  }
  return date.toISOString();
}

function instantOrNull(text: string | null | undefined, field: string): string | null {
  return text == null ? null : instant(text, field);
}

function distinct<Value extends string>(values: readonly Value[]): Value[] {
  return values.length < 2 ? [...values] : [...new Set(values)].sort();
}
