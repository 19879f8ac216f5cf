import { hash } from "node:crypto";
import { normalizeInstant } from "../../contract/instant.ts";
import { parseRecord, RECORD_LIMITS, type SourceRecord } from "../../contract/record.ts";
import { normalizeHostname } from "../../contract/hostname.ts";
import { isOfSharedHost, isPlaceholderName, legalFormOf, normalizeName } from "./company_name.ts";
import { type NormalFacets, normalizeFacets } from "./facets.ts";
import { chooseExcerpts, isTooLong, searchedTexts } from "./excerpts.ts";
import type { LeftOut } from "./entry.ts";
import { emailsOf } from "../masking/contacts.ts";
import { cleanLine, cleanParagraphs, cutAtWord, hasUnsafeCharacter } from "../text/clean_text.ts";

/**
 * A record in the form that record_observations() expects: checked, cleaned and bounded, with times
 * in UTC.
 */
export interface NormalRecord {
  source: string;
  external_id: string;
  /** Normalized company_name. Two spellings of one name give the same value. */
  normalized_name: string;
  /** Legal form in the name; empty if there is none. It distinguishes two companies of one name. */
  legal_form: string;
  /**
   * SHA-256 of the content below, in hex. It does not depend on the time at which the record was
   * read.
   */
  content_hash: string;
  company_name: string;
  company_external_id: string | null;
  /** Register identifiers: "cik:0000320193", "lei:…", "uei:…". */
  company_identifiers: string[];
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
  /**
   * Texts that are searched and never shown: the texts of the record, one per language version, and
   * every excerpt that none of them contains. Empty if the shown excerpts contain everything.
   */
  texts: string[];
  facets: NormalFacets;
  evidence: {
    source_uri: string;
    excerpt: string;
    occurred_at: string | null;
    observed_at: string;
  }[];
}

/** A record with its number of excerpts that were cut, or the reason why it is rejected. */
export type Judged = { record: NormalRecord; excerpts_cut?: number } | { reason: string };

/**
 * Checks, cleans and bounds one record. The observation time of an `undated` record is the time of
 * its retrieval, so it is not part of the hashed content.
 */
export function normalizeRecord(raw: unknown, { undated = false } = {}): Judged {
  const parsed = parseRecord(raw);
  if ("reason" in parsed) return parsed;
  try {
    return normalize(parsed.record, undated);
  } catch (error) {
    if (error instanceof RecordFault) return { reason: error.message };
    throw error;
  }
}

/**
 * Normalizes a record that a source mapped. If there is no record, returns the reason unchanged.
 */
export function judgeMapped(mapped: SourceRecord | { reason: string } | LeftOut): Judged | LeftOut {
  return "reason" in mapped || "left_out" in mapped ? mapped : normalizeRecord(mapped);
}

/** A record that is rejected. Its message names the field. */
export class RecordFault extends Error {}

function normalize(
  raw: SourceRecord,
  undated: boolean,
): { record: NormalRecord; excerpts_cut?: number } {
  const companyName = companyNameOf(raw.company.name);
  const occurredAt = instantOrNull(raw.occurred_at, "occurred_at");
  const observedAt = instant(raw.observed_at, "observed_at");
  const observedFact = bounded(raw.observed_fact, "observed_fact", RECORD_LIMITS.fact_characters);
  const excerpts = raw.evidence.map(({ excerpt }, index) =>
    excerptText(excerpt, `evidence.${index}.excerpt`)
  );
  const statedTexts = [raw.text ?? []].flat().map(cleanParagraphs).filter((text) => text !== "");
  const texts = searchedTexts(statedTexts, excerpts);
  const chosen = chooseExcerpts(excerpts, { texts: statedTexts, fact: observedFact });
  if (chosen.length === 0) {
    throw new RecordFault("evidence.0.excerpt: has no text besides masked parts");
  }
  const content = {
    company_name: companyName,
    company_external_id: companyId(raw.company.external_id),
    company_identifiers: identifiersOf(raw.company),
    hostnames: distinct((raw.company.domains ?? []).flatMap(hostname))
      .filter((hostname) => !isOfSharedHost(hostname, companyName)),
    kind: raw.kind,
    observed_fact: observedFact,
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
    expires_at: raw.expires_at == null ? null : instant(raw.expires_at, "expires_at", YEAR_NEVER),
    categories: distinct(raw.categories ?? []),
    evidence: chosen.map(({ index, excerpt }) => {
      const field = `evidence.${index}`;
      const evidence = raw.evidence[index]!;
      return {
        source_uri: sourceReference(evidence.source_uri, `${field}.source_uri`),
        excerpt,
        occurred_at: evidence.occurred_at === undefined
          ? occurredAt
          : instantOrNull(evidence.occurred_at, `${field}.occurred_at`),
        observed_at: evidence.observed_at == null
          ? observedAt
          : instant(evidence.observed_at, `${field}.observed_at`),
      };
    }),
  };
  const facets = normalizeFacets(raw.facets ?? {});
  // The hash covers the excerpts before they were cut. Absent members do not change the hash.
  const incoming = {
    ...content,
    evidence: content.evidence.map((one, at) => ({
      ...one,
      excerpt: excerpts[chosen[at]!.index]!,
    })),
    texts: statedTexts.length > 0 ? statedTexts : undefined,
    facets: Object.keys(facets).length > 0 ? facets : undefined,
  };
  const record = {
    source: identifier(raw.source, "source"),
    external_id: recordId(raw.external_id),
    content_hash: hash("sha256", JSON.stringify(undated ? withoutObservedAt(incoming) : incoming)),
    normalized_name: normalizeName(companyName),
    legal_form: legalFormOf(companyName),
    ...content,
    texts,
    facets,
  };
  const excerpts_cut = excerpts.filter(isTooLong).length;
  return excerpts_cut > 0 ? { record, excerpts_cut } : { record };
}

function withoutObservedAt<Content extends Pick<NormalRecord, "evidence">>(content: Content) {
  const evidence = content.evidence.map((one) => ({ ...one, observed_at: null }));
  return { ...content, evidence, observed_at: null };
}

/**
 * Lists identifiers as "cik:0000320193". A CIK is padded, because sources also write it without
 * leading zeros.
 */
function identifiersOf({ identifiers }: SourceRecord["company"]): string[] {
  return Object.entries(identifiers ?? {})
    .map(([scheme, value]) => `${scheme}:${scheme === "cik" ? value.padStart(10, "0") : value}`)
    .sort();
}

function line(text: string, field: string): string {
  const clean = cleanLine(text);
  if (clean === "") throw new RecordFault(`${field}: is empty`);
  return clean;
}

function companyNameOf(text: string): string {
  const name = cutAtWord(line(text, "company.name"), RECORD_LIMITS.name_characters);
  if (isPlaceholderName(name)) {
    throw new RecordFault(`company.name: names no company: ${JSON.stringify(name)}`);
  }
  return name;
}

function bounded(text: string, field: string, max: number): string {
  return cutAtWord(line(text, field), max);
}

function excerptText(text: string, field: string): string {
  const clean = cleanParagraphs(text);
  if (clean === "") throw new RecordFault(`${field}: is empty`);
  return cutAtWord(clean, RECORD_LIMITS.text_characters);
}

/** Matches white space that is a control character or ends a line. */
const BREAK = /[\t-\r\u0085\u2028\u2029]/;

/**
 * Checks an identifier. An unclean one is refused, because identifiers are compared.
 * @throws RecordFault
 */
export function identifier(text: string, field: string): string {
  if (hasUnsafeCharacter(text) || BREAK.test(text) || text.trim() !== text) {
    throw new RecordFault(`${field}: holds control or hidden characters, or white space at an end`);
  }
  // Spreadsheets write a long number so. Many ids may have become one.
  if (/^\d(?:[.,]\d+)?e\+\d\d$/i.test(text)) {
    throw new RecordFault(`${field}: is rounded (${text}); a long id has to be stored as text`);
  }
  return text;
}

/** Checks a record's id. Records with a placeholder such as "N/A" or 0 would replace each other. */
function recordId(text: string): string {
  if (/^(?:0+|true|false)$/i.test(text) || (!/\d/.test(text) && isPlaceholderName(text))) {
    throw new RecordFault(`external_id: stands for a missing id: ${JSON.stringify(text)}`);
  }
  return identifier(text, "external_id");
}

/** Checks a company's id. A placeholder such as "N/A" or "0" would join unrelated companies. */
function companyId(text: string | null | undefined): string | null {
  if (text == null || (!/[1-9]/.test(text) && isPlaceholderName(text))) return null;
  return identifier(text, "company.external_id");
}

/** Matches a name below a top-level domain. Another one, such as "http", is no company's. */
const BELOW_DOMAIN = /\.[a-z][a-z0-9-]*[a-z0-9]$/;

/** Returns the hostname in a list; an empty list for a placeholder. */
function hostname(text: string, index: number): string[] {
  if (isPlaceholderName(text)) return [];
  const name = hasUnsafeCharacter(text) ? undefined : normalizeHostname(text);
  if (name === undefined || !BELOW_DOMAIN.test(name)) {
    throw new RecordFault(`company.domains.${index}: is not a hostname`);
  }
  return [name];
}

/**
 * Matches the start of an address that names a source. A browser would run the content of some
 * other schemes, such as `javascript:`, or read from the user's machine.
 */
const SOURCE_REFERENCE = /^(?:(?:https?|ftp):\/\/[^/]|(?:urn|doi):[^:])/i;

/**
 * Checks the address of a source. Returns it unchanged, because a withdrawal names the address as
 * it was shown.
 */
function sourceReference(text: string, field: string): string {
  if (hasUnsafeCharacter(text) || /\s/.test(text) || !SOURCE_REFERENCE.test(text)) {
    throw new RecordFault(`${field}: is not an address with http:, https:, ftp:, urn: or doi:`);
  }
  const url = URL.parse(text);
  if (url === null) throw new RecordFault(`${field}: is not a valid address`);
  if (url.password !== "" || url.username !== "") {
    throw new RecordFault(`${field}: holds a user name or password`);
  }
  // A masked address would lead nowhere.
  if (!emailsOf(text).next().done) throw new RecordFault(`${field}: holds an e-mail address`);
  return text;
}

/**
 * Bounds of years. A time beyond them is a typing error, except that sources use year 9999 for
 * "does not expire".
 */
const YEAR_MIN = 1900;
const YEAR_MAX = 2199;
const YEAR_NEVER = 9999;

/**
 * Returns an instant with a precision of milliseconds, as the API shows it. A caller can therefore
 * use a shown time as `occurred_after`.
 */
function instant(text: string, field: string, latest = YEAR_MAX): string {
  const utc = normalizeInstant(text)!;
  const year = Number(utc.slice(0, 4));
  if (year < YEAR_MIN || year > latest) {
    throw new RecordFault(`${field}: must lie between the years ${YEAR_MIN} and ${latest}`);
  }
  return utc.slice(0, "2026-03-01T09:30:00.000".length) + "Z";
}

function instantOrNull(text: string | null | undefined, field: string): string | null {
  return text == null ? null : instant(text, field);
}

function distinct<Value extends string>(values: readonly Value[]): Value[] {
  return values.length < 2 ? [...values] : [...new Set(values)].sort();
}
