/** What the job boards have in common: a public list of openings by the board of an employer. */
import { z } from "zod";
import { normalizeInstant } from "../../contract/instant.ts";
import type { SourceRecord } from "../../contract/record.ts";
import type { Country } from "../../contract/vocabulary.ts";
import { maskContacts } from "../contacts.ts";
import type { ReadContext } from "../entry.ts";
import { maskedLine } from "../masked.ts";
import type { Remote } from "../source.ts";
import { cleanLine, cleanParagraphs, cutAtWord, withoutEnding } from "../text.ts";

/** Fields that a posting needs, in the schemas of the boards. */
export const neededText = z.string().trim().min(1, { error: "is empty" });
export const neededInstant = z.string().refine((text) => normalizeInstant(text) !== undefined, {
  error: "is not a date and time with an offset",
});
export const webAddress = z.url({ protocol: /^https?$/, error: "is not a web address" });

/** One opening, as any of the boards shows it. */
export interface Posting {
  /** The source's name, and what its boards are called. */
  source: string;
  title: string;
  /** The board, where the reader does not know which it asked for. */
  board: string | undefined;
  id: string;
  job: string;
  /** The employer's name, where the board tells it. */
  employer?: string | null;
  department?: string | null;
  /** "Full-time". */
  commitment?: string | null;
  places: string[];
  country: Country;
  url: string;
  /** The board's own text of the opening. */
  text: string;
  /** ISO 8601 with an offset. */
  posted_at: string;
  updated_at: string;
  /** Whether `posted_at` is only when it was last changed. */
  posting_is_undated?: boolean;
  expires_at?: string | null;
}

/**
 * How sure it is that the company is hiring for this now: it is named by an operator or by the board
 * itself; its name is only read from the board's address; and less where the board tells no date of
 * posting, for an old opening that was touched looks new.
 */
const CONFIDENCE = { named: 0.9, by_token: 0.75, undated: 0.1 } as const;

/** What a board's records start with. Addresses of boards are the same in any case of letters. */
function prefixOfBoard(token: string): string {
  return `${token.toLowerCase()}/`;
}

/** How boards are asked: one answer holds all openings that are listed. */
export function remoteOfBoards({ address, target, urlOf }: {
  address: string;
  target: Remote["target"];
  /** @param board fit to stand in an address */
  urlOf(address: string, board: string): string;
}): Remote {
  return {
    address,
    target,
    interval_seconds: 21_600,
    pause_milliseconds: 1_000,
    bytes_max: 64 * 1_048_576,
    request: (address, { target }) => ({
      url: urlOf(address, encodeURIComponent(target!)),
      accept: "application/json",
      target,
    }),
    // An opening that is not in the answer any more is closed.
    listed: (target) => ({ external_id_prefix: prefixOfBoard(target!) }),
  };
}

/** @returns the record, yet to be normalized, or why there is none, naming the field. */
export function recordOfPosting(
  posting: Posting,
  { target, company }: ReadContext,
): SourceRecord | { reason: string } {
  const token = target ?? posting.board;
  if (token === undefined) return { reason: "the posting's address names no board" };
  const job = maskedLine(posting.job);
  const known = company?.name ?? posting.employer;
  const named = known != null && cleanLine(known) !== "";
  const name = named ? cleanLine(known) : readable(token);
  return {
    source: posting.source,
    external_id: prefixOfBoard(token) + posting.id,
    company: {
      name,
      external_id: token.toLowerCase(),
      domains: company?.domains ?? [],
    },
    kind: "job_posting",
    observed_fact: factOf(posting, { name, job, token }),
    why_it_may_matter:
      `${name} is hiring for a role, so it may need the tools and services that the ` +
      "role works with. A job posting is a proxy for demand: nothing is asked of suppliers.",
    demand_class: "proxy",
    country: posting.country,
    confidence: confidenceOf(named, posting),
    occurred_at: posting.posted_at,
    observed_at: posting.updated_at,
    expires_at: posting.expires_at ?? null,
    evidence: [{ source_uri: posting.url, excerpt: excerptOf(job, posting.text) }],
  };
}

/** @returns the element in the shape that is needed, or its first faults, naming the fields. */
export function shapeOf<Shape>(
  schema: z.ZodType<Shape>,
  element: unknown,
): { shape: Shape } | { reason: string } {
  const parsed = schema.safeParse(element);
  if (parsed.success) return { shape: parsed.data };
  const faults = parsed.error.issues.slice(0, 3).map(({ path, message }) =>
    path.length === 0 ? message : `${path.join(".")}: ${message}`
  );
  return { reason: faults.join("; ") };
}

/** @returns the first segment of the path of an address on one of the board's hosts. */
export function boardOfUrl(url: string, host: RegExp): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null || !host.test(parsed.hostname)) return undefined;
  const segment = parsed.pathname.split("/")[1] ?? "";
  try {
    return decodeURIComponent(segment) || undefined;
  } catch {
    return undefined;
  }
}

function confidenceOf(named: boolean, { posting_is_undated }: Posting): number {
  const whole = named ? CONFIDENCE.named : CONFIDENCE.by_token;
  return Number((whole - (posting_is_undated ? CONFIDENCE.undated : 0)).toFixed(2));
}

function factOf(
  posting: Posting,
  { name, job, token }: { name: string; job: string; token: string },
): string {
  const department = maskedLine(posting.department ?? "");
  const commitment = maskedLine(posting.commitment ?? "");
  const places = [...new Set(posting.places.map(maskedLine))].filter(Boolean).join("; ");
  const sentences = [
    `${name} has an open job posting: ${withoutEnding(job, /\./)}.`,
    department && `Department: ${department}.`,
    commitment && `Commitment: ${commitment}.`,
    places && `Location: ${cutAtWord(places, 300)}.`,
    `${posting.title} board ${token}, posting ${posting.id}.`,
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

function excerptOf(job: string, text: string): string {
  return [job, maskContacts(cleanParagraphs(text))].filter(Boolean).join("\n");
}

/** "acme-robotics" as "Acme Robotics". */
function readable(token: string): string {
  return token.split(/[\s._-]+/).filter(Boolean)
    .map((word) => word[0]!.toUpperCase() + word.slice(1)).join(" ");
}
